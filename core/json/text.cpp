// SPDX-License-Identifier: Apache-2.0
#include "core/json/text.h"

#include <algorithm>

namespace sonde::json {

namespace {

// Appends what the escape at `at` (a backslash) means and returns the place after it.
const char *decodeEscape(const char *at, const char *end, QString *text)
{
    const char letter = end - at > 1 ? at[1] : '\0';
    switch (letter) {
        case '"':
        case '\\':
        case '/':
            text->append(QLatin1Char(letter));
            return at + 2;
        case 'b':
            text->append(u'\b');
            return at + 2;
        case 'f':
            text->append(u'\f');
            return at + 2;
        case 'n':
            text->append(u'\n');
            return at + 2;
        case 'r':
            text->append(u'\r');
            return at + 2;
        case 't':
            text->append(u'\t');
            return at + 2;
        case 'u':
            if (char16_t code = 0; readHexadecimal(at + 2, end, &code) == 4) {
                text->append(QChar(code));
                return at + 6;
            }
            break;
        default:
            break;
    }
    text->append(u'\\');
    return at + 1;
}

const char *endOfRun(const char *at, const char *end)
{
    while (at != end && *at != '"' && *at != '\\')
        ++at;
    return at;
}

// `at`, or the end of the UTF-8 sequence that it would divide.
const char *endOfSequence(const char *at, const char *end)
{
    for (int i = 0; i < 3 && at != end && (uchar(*at) & 0xC0) == 0x80; ++i)
        ++at;
    return at;
}

}  // namespace

QString fromUtf8(QByteArrayView bytes)
{
    static constexpr char mark[] = "\xEF\xBB\xBF";
    if (!bytes.startsWith(QByteArrayView(mark, 3)))
        return QString::fromUtf8(bytes);
    // Only the first mark of a text is dropped by Qt, so one more keeps the text's own.
    return QString::fromUtf8(QByteArray(mark, 3).append(bytes));
}

QString decoded(QByteArrayView string)
{
    return StringReader(string).next(std::max<qsizetype>(string.size(), 1));
}

StringReader::StringReader(QByteArrayView string)
    : m_at(string.begin()), m_end(string.end()), m_isQuoted(string.startsWith('"'))
{
    if (m_isQuoted)
        ++m_at;
}

QString StringReader::next(qsizetype size)
{
    QString text;
    while (!atEnd() && (text.size() < size || text.back().isHighSurrogate())) {
        if (m_isQuoted && *m_at == '\\') {
            m_at = decodeEscape(m_at, m_end, &text);
            continue;
        }
        const char *const run = m_at;
        const char *const last = m_end - run > size ? run + size : m_end;
        m_at = m_isQuoted ? endOfRun(run, last) : last;
        if (m_at == last)
            m_at = endOfSequence(m_at, m_end);
        const QByteArrayView bytes(run, m_at - run);
        text = text.isEmpty() ? fromUtf8(bytes) : text.append(fromUtf8(bytes));
    }
    return text;
}

int utf8Length(const char *at, const char *end)
{
    const auto byte = [at, end](int i) { return end - at > i ? uchar(at[i]) : uchar(0); };
    const auto continues = [&byte](int i) { return (byte(i) & 0xC0) == 0x80; };
    const uchar first = byte(0);
    if (first >= 0x01 && first < 0x80)
        return 1;
    if (first >= 0xC2 && first <= 0xDF)
        return continues(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        const bool overlong = first == 0xE0 && byte(1) < 0xA0;
        const bool surrogate = first == 0xED && byte(1) > 0x9F;
        return continues(1) && continues(2) && !overlong && !surrogate ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const bool overlong = first == 0xF0 && byte(1) < 0x90;
        const bool beyond = first == 0xF4 && byte(1) > 0x8F;
        return continues(1) && continues(2) && continues(3) && !overlong && !beyond ? 4 : 0;
    }
    return 0;
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

int readHexadecimal(const char *at, const char *end, char16_t *code)
{
    int value = 0;
    int count = 0;
    for (; count < 4 && at != end; ++count, ++at) {
        const int lower = *at | 0x20;
        if (*at >= '0' && *at <= '9')
            value = value * 16 + (*at - '0');
        else if (lower >= 'a' && lower <= 'f')
            value = value * 16 + (lower - 'a' + 10);
        else
            break;
    }
    *code = char16_t(value);
    return count;
}

const char *endOfString(const char *at, const char *end)
{
    for (++at; at < end; ++at) {
        at = skipPlain(at, end);
        if (at == end)
            break;
        if (*at == '"')
            return at + 1;
        if (*at == '\\')
            ++at;
    }
    return end;
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

}  // namespace sonde::json
