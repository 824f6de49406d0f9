// SPDX-License-Identifier: Apache-2.0
#include "core/json/scan.h"

#include "core/json/text.h"

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

}  // namespace sonde::json
