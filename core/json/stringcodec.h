// The strings of JSON text (RFC 8259 section 7): what they mean, and how what they mean is written.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QString>
#include <QStringView>
#include <array>

namespace sonde::json {

// The bytes of a well-formed UTF-8 sequence (RFC 3629) that begins at `at`, or 0.
int utf8Length(const char *at, const char *end);
// Writes a character, also a lone surrogate, and returns where the writing ended: four bytes at most.
char *putUtf8(char *to, char32_t code);
// QString::fromUtf8() without its habit of dropping a leading U+FEFF. Bytes that are not UTF-8 become U+FFFD.
QString fromUtf8(QByteArrayView bytes);

struct Escape {
    int length = 0;     // in bytes, both halves of a surrogate pair at once; 0: no valid escape is there
    char32_t code = 0;  // what it means; half of a surrogate pair where the other one does not follow
};
// What the letter behind a backslash means; 0 for letters that are no escape by themselves.
inline constexpr std::array<char, 256> EscapeMeanings = [] {
    std::array<char, 256> meanings{};
    constexpr char pairs[] = "\"\"\\\\//b\bf\fn\nr\rt\t";
    for (size_t i = 0; i + 1 < sizeof pairs; i += 2)
        meanings[uchar(pairs[i])] = pairs[i + 1];
    return meanings;
}();
// \uXXXX, at the backslash.
Escape readUnicodeEscape(const char *at, const char *end);
// The escape at `at`, which is a backslash.
inline Escape readEscape(const char *at, const char *end)
{
    const char letter = end - at > 1 ? at[1] : '\0';
    if (letter == 'u')
        return readUnicodeEscape(at, end);
    const char meaning = EscapeMeanings[uchar(letter)];
    return meaning == '\0' ? Escape() : Escape{2, char32_t(meaning)};
}

// A string as it appears in the text, with quotes and escapes; the closing quote may be absent. Faulty escapes are kept
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

// What stands between the quotes, into a buffer that is reused. False when the text is no content of a JSON string.
// isOwn: set to whether putEscaped() would write the same, apart from the case of hexadecimal digits.
bool unescape(QByteArrayView text, QByteArray &out, bool *isOwn = nullptr);

// The text with the replacement character for half surrogate pairs, which JSON allows, UTF-8 does not, and no regular
// expression searches past. Positions stay.
QString wellFormed(QString text);

// The text as a JSON string with quotes. Control characters, quotes, backslashes and lone surrogates are escaped.
QByteArray quoted(QStringView text);

// No more bytes than this are touched when so many are escaped, with the blocks that are copied whole and partly
// written over again.
constexpr qsizetype roomForEscaped(qsizetype size)
{
    return 6 * size + 64;
}
// Writes the bytes from `from` on, escaped, without quotes, and returns where the writing ended. Moves `from` to
// `stop`, or a little past it to the end of a character. Null when they are not UTF-8.
char *putEscaped(char *to, const char *&from, const char *stop, const char *end);

}  // namespace sonde::json
