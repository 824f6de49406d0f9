// SPDX-License-Identifier: Apache-2.0
#include "core/session/linetext.h"

#include "core/json/plainbytes.h"

#include <array>
#include <cstring>

namespace sonde {

namespace {

constexpr char hexDigits[] = "0123456789abcdef";

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

constexpr std::array<char, 256> classes = makeClasses();

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

}  // namespace

int utf8Length(const char *at, const char *end)
{
    const auto byte = [&](int i) { return at + i < end ? quint8(at[i]) : quint8(0); };
    const auto continues = [&](int i) { return (byte(i) & 0xC0) == 0x80; };
    const quint8 first = byte(0);
    if (first < 0x80)
        return at < end ? 1 : 0;
    if (first >= 0xC2 && first <= 0xDF)
        return continues(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        const quint8 low = first == 0xE0 ? 0xA0 : 0x80;
        const quint8 high = first == 0xED ? 0x9F : 0xBF;  // no surrogates
        return byte(1) >= low && byte(1) <= high && continues(2) ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const quint8 low = first == 0xF0 ? 0x90 : 0x80;
        const quint8 high = first == 0xF4 ? 0x8F : 0xBF;
        return byte(1) >= low && byte(1) <= high && continues(2) && continues(3) ? 4 : 0;
    }
    return 0;
}

bool appendEscaped(QByteArray &out, QByteArrayView bytes)
{
    // In pieces, so that the room for the worst case (six bytes for one) stays small.
    constexpr qsizetype pieceSize = 4096;
    const qsizetype start = out.size();
    const char *at = bytes.data();
    const char *const end = at + bytes.size();
    while (at < end) {
        const char *const pieceEnd = qMin(at + pieceSize, end);
        const qsizetype before = out.size();
        if (out.capacity() < before + 6 * pieceSize + json::blockSize)
            out.reserve(qMax(before + 6 * pieceSize + json::blockSize + (end - at), before + before / 2));
        out.resize(before + 6 * pieceSize + json::blockSize);
        char *to = out.data() + before;
        while (at < pieceEnd) {
            // A block is written whatever it is; there is room, and what is not plain is written over.
            if (pieceEnd - at >= json::blockSize) {
                const int run = json::runInBlock<json::Bytes::Plain>(at);
                std::memcpy(to, at, json::blockSize);
                if (run == json::blockSize) {
                    to += json::blockSize;
                    at += json::blockSize;
                    continue;
                }
                to += run;
                at += run;
            }
            const char kind = classes[quint8(*at)];
            if (kind == 0) {
                *to++ = *at++;
            } else if (kind == 1) {
                do {
                    int left = utf8Length(at, end);
                    if (left == 0) {
                        out.truncate(start);
                        return false;
                    }
                    for (; left > 0; --left)
                        *to++ = *at++;
                } while (at < pieceEnd && quint8(*at) >= 0x80);
            } else {
                *to++ = '\\';
                *to++ = kind;
                if (kind == 'u') {
                    *to++ = '0';
                    *to++ = '0';
                    *to++ = hexDigits[quint8(*at) >> 4];
                    *to++ = hexDigits[quint8(*at) & 15];
                }
                ++at;
            }
        }
        out.truncate(to - out.constData());
    }
    return true;
}

bool unescape(QByteArrayView text, QByteArray &out, bool *isOwn)
{
    bool isForeign = false;
    out.resize(text.size());  // never longer than its escaped form
    char *to = out.data();
    const char *at = text.data();
    const char *const end = at + text.size();
    while (at < end) {
        if (end - at >= json::blockSize) {
            // As above: what is left of the text is never longer than the room for it.
            const int run = json::runInBlock<json::Bytes::Text>(at);
            std::memcpy(to, at, json::blockSize);
            if (run == json::blockSize) {
                to += json::blockSize;
                at += json::blockSize;
                continue;
            }
            to += run;
            at += run;
        }
        if (*at != '\\') {
            if (*at == '"' || quint8(*at) < 0x20)
                return false;
            *to++ = *at++;
            continue;
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
                isForeign = isForeign || unit >= 0x20 || classes[size_t(unit)] != 'u';
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
    }
    out.truncate(to - out.constData());
    if (isOwn)
        *isOwn = !isForeign;
    return true;
}

}  // namespace sonde
