// SPDX-License-Identifier: Apache-2.0
#include "core/json/scan.h"

#include "core/json/pointer.h"
#include "core/json/text.h"

#include <utility>

namespace sonde::json {

namespace {

const char *skipSpace(const char *at, const char *end)
{
    while (at != end && isSpace(*at))
        ++at;
    return at;
}

const char *endOfValue(const char *at, const char *end)
{
    if (*at == '"')
        return endOfString(at, end);
    if (*at == '{' || *at == '[')
        return endOfContainer(at, end);
    return endOfWord(at, end);
}

bool isKey(QByteArrayView written, QByteArrayView wanted)
{
    return written.contains('\\') ? decoded(written).toUtf8() == wanted : written.sliced(1).chopped(1) == wanted;
}

QByteArrayView memberOf(QByteArrayView object, QByteArrayView name)
{
    QByteArrayView found;
    const char *const end = object.end();
    const char *at = skipSpace(object.begin() + 1, end);
    while (at != end && *at == '"') {
        const QByteArrayView key(at, endOfString(at, end));
        at = skipSpace(key.end(), end);
        if (at == end)
            break;
        const char *const value = skipSpace(at + 1, end);
        if (value == end)
            break;
        at = endOfValue(value, end);
        if (isKey(key, name))
            found = QByteArrayView(value, at);
        at = skipSpace(at, end);
        if (at == end || *at != ',')
            break;
        at = skipSpace(at + 1, end);
    }
    return found;
}

QByteArrayView elementOf(QByteArrayView array, qsizetype index)
{
    const char *const end = array.end();
    const char *at = skipSpace(array.begin() + 1, end);
    while (at != end && *at != ']') {
        const char *const value = at;
        at = endOfValue(value, end);
        if (index-- == 0)
            return {value, at};
        at = skipSpace(at, end);
        if (at == end || *at != ',')
            break;
        at = skipSpace(at + 1, end);
    }
    return {};
}

}  // namespace

bool scanMembers(QByteArrayView text, const MemberVisitor &visit)
{
    const char *const end = text.end();
    const char *at = skipSpace(text.begin(), end);
    if (at == end || *at != '{')
        return false;
    at = skipSpace(at + 1, end);
    if (at != end && *at == '}')
        return skipSpace(at + 1, end) == end;
    while (at != end && *at == '"') {
        const char *const key = at;
        const char *const keyEnd = endOfString(at, end);
        at = skipSpace(keyEnd, end);
        if (at == end || *at != ':')
            return false;
        const char *const value = skipSpace(at + 1, end);
        if (value == end)
            return false;
        const char *const valueEnd = endOfValue(value, end);
        if (valueEnd == value)
            return false;
        visit(QByteArrayView(key, keyEnd - key), QByteArrayView(value, valueEnd - value));
        at = skipSpace(valueEnd, end);
        if (at == end)
            return false;
        if (*at == '}')
            return skipSpace(at + 1, end) == end;
        if (*at != ',')
            return false;
        at = skipSpace(at + 1, end);
    }
    return false;
}

namespace {

constexpr int OutlineDepth = 4;
constexpr qsizetype OutlinedValue = 16 * 1024;

void appendOutline(QByteArray &out, QByteArrayView object, int depth, qsizetype maxBytes)
{
    out += '{';
    bool isFirst = true;
    scanMembers(object, [&](QByteArrayView key, QByteArrayView value) {
        if (out.size() + key.size() > maxBytes)
            return;
        if (!std::exchange(isFirst, false))
            out += ',';
        out.append(key.data(), key.size()).append(':');
        if (value.startsWith('{') && depth > 0)
            appendOutline(out, value, depth - 1, maxBytes);
        else if (value.size() <= OutlinedValue)
            out.append(value.data(), value.size());
        else
            out.append(value.startsWith('{') ? "{}" : value.startsWith('[') ? "[]" : "\"\"");
    });
    out += '}';
}

}  // namespace

QByteArray outline(QByteArrayView text, qsizetype maxBytes)
{
    text = text.trimmed();
    QByteArray out;
    if (text.startsWith('{'))
        appendOutline(out, text, OutlineDepth, maxBytes);
    else
        out = text.first(qMin(text.size(), maxBytes)).toByteArray();
    return out;
}

PlaceFinder::PlaceFinder(const Pointer &pointer)
{
    for (const QString &token : pointer.tokens())
        m_steps.push_back({token.toUtf8(), arrayIndex(token)});
}

QByteArrayView PlaceFinder::find(QByteArrayView json) const
{
    QByteArrayView place = json.trimmed();
    for (const Step &step : m_steps) {
        if (place.startsWith('{'))
            place = memberOf(place, step.key);
        else if (place.startsWith('[') && step.index)
            place = elementOf(place, *step.index);
        else
            return {};
    }
    return place;
}

}  // namespace sonde::json
