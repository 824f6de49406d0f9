// SPDX-License-Identifier: Apache-2.0
#include "core/json/linetext.h"

#include "core/json/plainbytes.h"
#include "core/json/text.h"

#include <array>
#include <cstring>

namespace sonde {

namespace {

constexpr char HexDigits[] = "0123456789abcdef";

// 0: goes through; 1: needs UTF-8 checking; otherwise the letter after the backslash ('u' for the long form).
constexpr std::array<char, 256> makeClasses()
{
    std::array<char, 256> classes{};
    for (size_t i = 0; i < 0x20; ++i)
        classes[i] = 'u';
    for (size_t i = 0x80; i < 0x100; ++i)
        classes[i] = 1;
    classes['\b'] = 'b';
    classes['\f'] = 'f';
    classes['\n'] = 'n';
    classes['\r'] = 'r';
    classes['\t'] = 't';
    classes['"'] = '"';
    classes['\\'] = '\\';
    return classes;
}

constexpr std::array<char, 256> Classes = makeClasses();

int hexValue(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

// The code unit of the four digits at `at`, or -1.
int hexUnit(const char *at, const char *end)
{
    if (end - at < 4)
        return -1;
    int unit = 0;
    for (int i = 0; i < 4; ++i) {
        const int digit = hexValue(at[i]);
        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

// Less than a block, for which a whole one is copied: there must be room and bytes for that.
inline void copyUpTo(const char *stop, const char *&at, char *&to)
{
    std::memcpy(to, at, json::BlockSize);
    to += stop - at;
    at = stop;
}

}  // namespace

char *putUtf8(char *to, char32_t code)
{
    if (code < 0x80) {
        *to++ = char(code);
    } else if (code < 0x800) {
        *to++ = char(0xC0 | (code >> 6));
        *to++ = char(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        *to++ = char(0xE0 | (code >> 12));
        *to++ = char(0x80 | ((code >> 6) & 0x3F));
        *to++ = char(0x80 | (code & 0x3F));
    } else {
        *to++ = char(0xF0 | (code >> 18));
        *to++ = char(0x80 | ((code >> 12) & 0x3F));
        *to++ = char(0x80 | ((code >> 6) & 0x3F));
        *to++ = char(0x80 | (code & 0x3F));
    }
    return to;
}

char *putEscaped(char *to, const char *&from, const char *stop, const char *end)
{
    const char *at = from;
    // Up to the special byte, or to all of those that follow it; false when it is no UTF-8.
    const auto special = [&] {
        const char kind = Classes[quint8(*at)];
        if (kind == 0) {
            *to++ = *at++;
        } else if (kind == 1) {
            do {
                int left = json::utf8Length(at, end);
                if (left == 0)
                    return false;
                for (; left > 0; --left)
                    *to++ = *at++;
            } while (at < stop && quint8(*at) >= 0x80);
        } else {
            *to++ = '\\';
            *to++ = kind;
            if (kind == 'u') {
                *to++ = '0';
                *to++ = '0';
                *to++ = HexDigits[quint8(*at) >> 4];
                *to++ = HexDigits[quint8(*at) & 15];
            }
            ++at;
        }
        return true;
    };
    // A whole block is copied whatever is in it: there is room, and what is not plain is written over. Since that may
    // begin anywhere in a block, another one has to follow.
    while (stop - at >= 2 * json::BlockSize) {
        const char *const block = at;
        for (quint64 hits = json::hitsInBlock<json::Bytes::Plain>(block); hits != 0;
             hits = json::hitsFrom(hits, at - block)) {
            copyUpTo(block + json::firstHit(hits), at, to);
            if (!special())
                return nullptr;
        }
        if (at < block + json::BlockSize)
            copyUpTo(block + json::BlockSize, at, to);
    }
    while (at < stop) {
        if (!special())
            return nullptr;
    }
    from = at;
    return to;
}

bool unescape(QByteArrayView text, QByteArray &out, bool *isOwn)
{
    bool isForeign = false;
    out.resize(text.size());  // never longer than its escaped form
    char *to = out.data();
    const char *at = text.data();
    const char *const end = at + text.size();
    const auto special = [&] {
        if (*at != '\\') {
            if (*at == '"' || quint8(*at) < 0x20)
                return false;
            *to++ = *at++;
            return true;
        }
        if (++at == end)
            return false;
        switch (*at++) {
            case '"':
                *to++ = '"';
                break;
            case '\\':
                *to++ = '\\';
                break;
            case '/':
                *to++ = '/';
                isForeign = true;
                break;
            case 'b':
                *to++ = '\b';
                break;
            case 'f':
                *to++ = '\f';
                break;
            case 'n':
                *to++ = '\n';
                break;
            case 'r':
                *to++ = '\r';
                break;
            case 't':
                *to++ = '\t';
                break;
            case 'u': {
                const int unit = hexUnit(at, end);
                if (unit < 0)
                    return false;
                at += 4;
                char32_t code = char32_t(unit);
                isForeign = isForeign || unit >= 0x20 || Classes[size_t(unit)] != 'u';
                if ((unit & 0xFC00) == 0xD800 && end - at >= 6 && at[0] == '\\' && at[1] == 'u') {
                    const int low = hexUnit(at + 2, end);
                    if ((low & ~0x3FF) == 0xDC00) {
                        code = 0x10000 + ((code & 0x3FF) << 10) + char32_t(low & 0x3FF);
                        at += 6;
                    }
                }
                to = putUtf8(to, code);
                break;
            }
            default:
                return false;
        }
        return true;
    };
    // As above: what is left of the text is never longer than the room for it.
    while (end - at >= 2 * json::BlockSize) {
        const char *const block = at;
        for (quint64 hits = json::hitsInBlock<json::Bytes::Text>(block); hits != 0;
             hits = json::hitsFrom(hits, at - block)) {
            copyUpTo(block + json::firstHit(hits), at, to);
            if (!special())
                return false;
        }
        if (at < block + json::BlockSize)
            copyUpTo(block + json::BlockSize, at, to);
    }
    while (at < end) {
        if (!special())
            return false;
    }
    out.truncate(to - out.constData());
    if (isOwn)
        *isOwn = !isForeign;
    return true;
}

}  // namespace sonde
