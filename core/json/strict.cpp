// SPDX-License-Identifier: Apache-2.0
#include "core/json/strict.h"

#include "core/json/plainbytes.h"
#include "core/json/stringcodec.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace sonde::json {

namespace {

constexpr QByteArrayView Replacement = "\xEF\xBF\xBD";

// Bytes that are to be written otherwise.
struct Fault {
    qsizetype length = 0;  // 0: there is none
    QByteArray text = {};
    bool isReplaced = false;  // and not only written in another way
};

// What is at `at`, in a string, and not a plain character. length: how far to go on where it is no fault.
Fault faultAt(const char *at, const char *end, qsizetype *length)
{
    if (*at == '\\') {
        const Escape escape = readEscape(at, end);
        *length = qMax(1, escape.length);
        return escape.length == 6 && QChar::isSurrogate(escape.code) ? Fault{6, Replacement.toByteArray(), true}
                                                                     : Fault();
    }
    if (uchar(*at) < 0x20) {
        *length = 1;
        return {1, "\\u00" + QByteArray(1, *at).toHex()};
    }
    *length = utf8Length(at, end);
    if (*length > 0)
        return {};
    const char *next = at + 1;
    while (next != end && (uchar(*next) & 0xC0) == 0x80)  // the rest of a character that is none
        ++next;
    *length = next - at;
    return {*length, Replacement.toByteArray(), true};
}

// The string, or the member with that name, that begins at an offset, or as much of the way to it as there is.
Pointer pointerTo(const Document &document, qsizetype offset)
{
    const char *const place = document.text().constData() + offset;
    const auto holds = [place](QByteArrayView part) {
        return !part.isEmpty() && place >= part.begin() && place < part.end();
    };
    QStringList tokens;
    for (Value value = document.root(); value.isContainer();) {
        Value inside;
        qsizetype index = 0;
        bool isInName = false;
        for (const Value &child : value) {
            isInName = value.isObject() && holds(child.keySlice());
            if (isInName || holds(child.slice())) {
                inside = child;
                break;
            }
            ++index;
        }
        if (!inside.exists())
            break;
        tokens.append(value.isObject() ? inside.key() : QString::number(index));
        if (isInName)
            break;
        value = inside;
    }
    return Pointer(tokens);
}

}  // namespace

StrictText toStrict(const QByteArray &text)
{
    StrictText strict;
    struct String {
        qsizetype offset = 0;  // in the new text
        qint64 replaced = 0;
    };
    QList<String> changed;
    std::optional<String> string;  // none: between strings
    const auto endString = [&] {
        if (string && string->replaced > 0 && changed.size() < StrictText::MaxPlaces)
            changed.append(*string);
        string.reset();
    };
    const char *const end = text.constData() + text.size();
    const char *copied = text.constData();
    for (const char *at = copied; at != end;) {
        if (!string) {
            at = std::find(at, end, '"');
            if (at == end)
                break;
            string = String{strict.text.size() + (at++ - copied)};
            continue;
        }
        at = skip<Bytes::Plain>(at, end);
        if (at == end)
            break;
        if (*at == '"') {
            endString();
            ++at;
            continue;
        }
        qsizetype length = 0;
        if (const Fault fault = faultAt(at, end, &length); fault.length > 0) {
            if (fault.isReplaced) {
                ++string->replaced;
                ++strict.replaced;
            }
            strict.text.append(copied, at - copied).append(fault.text);
            copied = at + length;
        }
        at += length;
    }
    if (copied == text.constData()) {
        strict.text = text;
        return strict;
    }
    endString();
    strict.text.append(copied, end - copied);
    const Document document = changed.isEmpty() ? Document() : Document::parse(strict.text);
    for (const String &each : std::as_const(changed))
        strict.places.append({pointerTo(document, each.offset), each.replaced});
    return strict;
}

}  // namespace sonde::json
