// Bytes as the text of a JSON string and back, exactly.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

namespace sonde {

// No more bytes than this are touched when so many are escaped, with the blocks that are copied whole and partly
// written over again.
constexpr qsizetype roomForEscaped(qsizetype size)
{
    return 6 * size + 64;
}

// Writes the bytes from `from` on, escaped, without quotes, and returns where the writing ended. Moves `from` to
// `stop`, or a little past it to the end of a character. Null when they are not UTF-8.
char *putEscaped(char *to, const char *&from, const char *stop, const char *end);

// Writes a character and returns where the writing ended: four bytes at most.
char *putUtf8(char *to, char32_t code);

// The opposite, into a buffer that is reused. False when the text is no content of a JSON string.
// isOwn: set to whether putEscaped() would write the same, apart from the case of hexadecimal digits.
bool unescape(QByteArrayView text, QByteArray &out, bool *isOwn = nullptr);

}  // namespace sonde
