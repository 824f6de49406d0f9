// Reading strings within JSON text. For core/json, and for those in core who read messages without a tree.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/plainbytes.h"

#include <QByteArrayView>
#include <QString>

namespace sonde::json {

// QString::fromUtf8() without its habit of dropping a leading U+FEFF. Bytes that are not UTF-8 become U+FFFD.
QString fromUtf8(QByteArrayView bytes);
// A string as it stands in the text, with quotes and escapes; the closing quote may be absent. Faulty escapes are kept
// as they were written. A word without quotes is decoded to itself.
QString decoded(QByteArrayView string);

// Decodes such a string piece by piece, for strings that one does not want to hold twice. The text must outlive it.
class StringReader {
public:
    explicit StringReader(QByteArrayView string);
    bool atEnd() const { return m_at == m_end || (m_isQuoted && *m_at == '"'); }
    // About `size` UTF-16 units at most; a surrogate pair is never divided. All pieces together are decoded(string).
    QString next(qsizetype size = 64 * 1024);

private:
    const char *m_at;
    const char *m_end;
    bool m_isQuoted;
};

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
