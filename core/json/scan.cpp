// SPDX-License-Identifier: Apache-2.0
#include "core/json/scan.h"

#include "core/json/pointer.h"

#include <utility>

namespace sonde::json {

const char *closingQuote(const char *at, const char *end)
{
    while (at < end) {
        at = skip<Bytes::Text>(at, end);
        if (at == end || *at == '"')
            return at;
        at += *at == '\\' ? 2 : 1;
    }
    return end;
}

const char *endOfNumber(const char *at, const char *end)
{
    const auto isDigit = [&at, end] { return at != end && *at >= '0' && *at <= '9'; };
    if (at != end && *at == '-')
        ++at;
    if (!isDigit())
        return nullptr;
    if (*at == '0') {
        ++at;
    } else {
        while (isDigit())
            ++at;
    }
    if (at != end && *at == '.') {
        ++at;
        if (!isDigit())
            return nullptr;
        while (isDigit())
            ++at;
    }
    if (at != end && (*at == 'e' || *at == 'E')) {
        ++at;
        if (at != end && (*at == '+' || *at == '-'))
            ++at;
        if (!isDigit())
            return nullptr;
        while (isDigit())
            ++at;
    }
    return at;
}

const char *endOfContainer(const char *at, const char *end)
{
    qsizetype depth = 0;
    while (at != end) {
        switch (*at) {
            case '"':
                at = endOfString(at, end);
                continue;
            case '[':
            case '{':
                ++depth;
                break;
            case ']':
            case '}':
                if (--depth == 0)
                    return at + 1;
                break;
            default:
                break;
        }
        ++at;
    }
    return end;
}

const char *endOfValidValue(const char *at, const char *end)
{
    Scanner<Reading::Strict> scanner({at, end});
    return scanner.value() ? scanner.at : nullptr;
}

bool scanMembers(QByteArrayView text, const MemberVisitor &visit)
{
    Scanner<Reading::Loose> scanner(text);
    const bool isObject = scanner.object([&](QByteArrayView name, bool) {
        const char *const value = scanner.at;
        if (!scanner.value())
            return false;
        visit({name.begin() - 1, name.end() + 1}, {value, scanner.at});
        return true;
    });
    return isObject && scanner.takeEnd();
}

bool isKey(QByteArrayView key, QByteArrayView name)
{
    if (key.contains('\\'))
        return decoded(key).toUtf8() == name;
    return key.size() == name.size() + 2 && key.startsWith('"') && key.endsWith('"') && key.sliced(1).startsWith(name);
}

QByteArrayView findMember(QByteArrayView object, QByteArrayView name)
{
    QByteArrayView found;
    scanMembers(object, [&](QByteArrayView key, QByteArrayView value) {
        if (isKey(key, name))
            found = value;
    });
    return found;
}

namespace {

constexpr int OutlineDepth = 4;
constexpr qsizetype OutlinedValue = 16 * 1024;

QByteArrayView findElement(QByteArrayView array, qsizetype index)
{
    QByteArrayView found;
    Scanner<Reading::Loose> scanner(array);
    scanner.array([&] {
        const char *const value = scanner.at;
        if (!scanner.value())
            return false;
        if (index-- > 0)
            return true;
        found = {value, scanner.at};
        return false;
    });
    return found;
}

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
            place = findMember(place, step.key);
        else if (place.startsWith('[') && step.index)
            place = findElement(place, *step.index);
        else
            return {};
    }
    return place;
}

}  // namespace sonde::json
