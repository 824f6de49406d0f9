// Reading strings within JSON text. Private to core/json.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayView>
#include <QString>
#include <bit>
#include <cstring>

namespace sonde::json {

// QString::fromUtf8() without its habit of dropping a leading U+FEFF. Bytes that are not UTF-8 become U+FFFD.
QString fromUtf8(QByteArrayView bytes);
// A string as it stands in the text, with quotes and escapes; the closing quote may be absent. Faulty escapes are kept
// as they were written. A word without quotes is decoded to itself.
QString decoded(QByteArrayView string);

// The bytes of a well-formed UTF-8 sequence (RFC 3629) that begins at `at`, or 0.
int utf8Length(const char *at, const char *end);

inline bool isSpace(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

// The end of a word: white space or a character with a meaning of its own.
inline bool isDelimiter(char c)
{
    switch (c) {
        case ' ':
        case '\n':
        case '\r':
        case '\t':
        case ',':
        case ':':
        case '[':
        case ']':
        case '{':
        case '}':
        case '"':
            return true;
        default:
            return false;
    }
}

inline const char *endOfWord(const char *at, const char *end)
{
    while (at != end && !isDelimiter(*at))
        ++at;
    return at;
}

// The first byte of a string's inside that is not printable ASCII, or is a quote or a backslash. Eight bytes a step.
inline const char *skipPlain(const char *at, const char *end)
{
    constexpr quint64 ones = 0x0101010101010101;
    constexpr quint64 highs = ones << 7;
    if constexpr (std::endian::native == std::endian::little) {
        while (end - at >= 8) {
            quint64 word;
            std::memcpy(&word, at, sizeof word);
            const quint64 quote = word ^ (ones * '"');
            const quint64 backslash = word ^ (ones * '\\');
            // The lowest bit set is exact; those above it may be carries.
            const quint64 hits =
                (((quote - ones) & ~quote) | ((backslash - ones) & ~backslash) | (word - ones * 0x20) | word) & highs;
            if (hits != 0)
                return at + (std::countr_zero(hits) >> 3);
            at += 8;
        }
    }
    while (at != end && *at != '"' && *at != '\\' && uchar(*at) >= 0x20 && uchar(*at) < 0x80)
        ++at;
    return at;
}

// Just after the number at `at`, or nullptr when that is not how JSON writes one.
const char *endOfNumber(const char *at, const char *end);
// Reads up to four hexadecimal digits; says how many there were.
int readHexadecimal(const char *at, const char *end, char16_t *code);

// Just after the closing quote of the string that begins at `at`, or `end`.
const char *endOfString(const char *at, const char *end);
// Just after the bracket that closes the container that begins at `at`, or `end`. Counts brackets outside of strings
// without telling their kinds apart.
const char *endOfContainer(const char *at, const char *end);

}  // namespace sonde::json
