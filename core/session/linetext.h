// Bytes as the text of a JSON string and back, exactly.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <cstring>

namespace sonde {

// How many of the bytes from `at` on, in steps of eight, are plain: ASCII, not a control character, quote or backslash.
// May stop early, never late.
inline qsizetype plainRun(const char *at, const char *end)
{
    constexpr quint64 ones = 0x0101010101010101;
    constexpr quint64 highs = 0x8080808080808080;
    const auto hasZero = [](quint64 word) { return (word - ones) & ~word & highs; };
    const char *const start = at;
    while (end - at >= 8) {
        quint64 word = 0;
        std::memcpy(&word, at, 8);
        const quint64 control = (word - ones * 0x20) & ~word & highs;
        if (control | (word & highs) | hasZero(word ^ (ones * '"')) | hasZero(word ^ (ones * '\\')))
            break;
        at += 8;
    }
    return at - start;
}

// Length of the well-formed UTF-8 sequence at `at` (Unicode 15, table 3-7), or 0.
int utf8Length(const char *at, const char *end);

// Appends the bytes, escaped, without quotes. False when they are not UTF-8: out is then as it was.
bool appendEscaped(QByteArray &out, QByteArrayView bytes);

// The opposite, into a buffer that is reused. False when the text is no content of a JSON string.
// isOwn: set to whether appendEscaped() would write the same, apart from the case of hexadecimal digits.
bool unescape(QByteArrayView text, QByteArray &out, bool *isOwn = nullptr);

}  // namespace sonde
