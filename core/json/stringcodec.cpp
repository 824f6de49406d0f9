// SPDX-License-Identifier: Apache-2.0
#include "core/json/stringcodec.h"

#include "core/json/plainbytes.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sonde::json {

namespace {

// How a byte is written in a string. 0: as it is; 1: as it is where it is UTF-8; otherwise the letter that stands
// behind the backslash ('u' for the long form).
constexpr std::array<char, 256> Spellings = [] {
    std::array<char, 256> spellings{};
    std::fill_n(spellings.begin(), 0x20, 'u');
    std::fill(spellings.begin() + 0x80, spellings.end(), char(1));
    for (const char letter : {'"', '\\', 'b', 'f', 'n', 'r', 't'})
        spellings[uchar(EscapeMeanings[uchar(letter)])] = letter;
    return spellings;
}();

// -1: none.
int hexUnit(const char *at, const char *end)
{
    if (end - at < 4)
        return -1;
    int unit = 0;
    for (int i = 0; i < 4; ++i) {
        const int lower = at[i] | 0x20;
        if (at[i] >= '0' && at[i] <= '9')
            unit = unit * 16 + (at[i] - '0');
        else if (lower >= 'a' && lower <= 'f')
            unit = unit * 16 + (lower - 'a' + 10);
        else
            return -1;
    }
    return unit;
}

// Six bytes at most.
char *putEscape(char *to, char16_t unit)
{
    const char letter = unit < 0x80 ? Spellings[unit] : 'u';
    *to++ = '\\';
    *to++ = letter;
    for (int shift = letter == 'u' ? 12 : -1; shift >= 0; shift -= 4)
        *to++ = "0123456789abcdef"[(unit >> shift) & 15];
    return to;
}

// Copies up to `stop`, or a little past it, and lets special() copy each byte that is not of that kind, with those
// behind it if it likes. False when that returns false. At `to` there is room for all that is still to be copied, so a
// block can be copied whatever is in it: the rest of it is written over.
template <Bytes kind, typename Special>
bool copyText(const char *&at, const char *stop, char *&to, const Special &special)
{
    while (at < stop) {
        if (stop - at >= BlockSize) {
            std::memcpy(to, at, BlockSize);
            const int length = plainLength<kind>(at);
            at += length;
            to += length;
            if (length == BlockSize)
                continue;
        } else if (isOfKind<kind>(*at)) {
            *to++ = *at++;
            continue;
        }
        if (!special())
            return false;
    }
    return true;
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

QString fromUtf8(QByteArrayView bytes)
{
    static constexpr char mark[] = "\xEF\xBB\xBF";
    if (!bytes.startsWith(QByteArrayView(mark, 3)))
        return QString::fromUtf8(bytes);
    // Only the first mark of a text is dropped by Qt, so one more keeps the text's own.
    return QString::fromUtf8(QByteArray(mark, 3).append(bytes));
}

Escape readUnicodeEscape(const char *at, const char *end)
{
    const int unit = hexUnit(at + 2, end);
    if (unit < 0)
        return {};
    if (QChar::isHighSurrogate(char32_t(unit)) && end - at >= 12 && at[6] == '\\' && at[7] == 'u') {
        const int low = hexUnit(at + 8, end);
        if (low >= 0 && QChar::isLowSurrogate(char32_t(low)))
            return {12, QChar::surrogateToUcs4(char16_t(unit), char16_t(low))};
    }
    return {6, char32_t(unit)};
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
            const Escape escape = readEscape(m_at, m_end);
            if (escape.length > 0)
                text.append(QStringView(QChar::fromUcs4(escape.code)));
            else
                text.append(u'\\');
            m_at += std::max(1, escape.length);
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

bool unescape(QByteArrayView text, QByteArray &out, bool *isOwn)
{
    bool isForeign = false;
    out.resize(text.size());  // never longer than its escaped form
    char *to = out.data();
    const char *at = text.data();
    const char *const end = at + text.size();
    const bool isContent = copyText<Bytes::Text>(at, end, to, [&] {
        if (*at != '\\') {
            if (*at == '"' || quint8(*at) < 0x20)
                return false;
            *to++ = *at++;
            return true;
        }
        if (const char meaning = end - at > 1 ? EscapeMeanings[uchar(at[1])] : '\0'; meaning != '\0') {
            isForeign = isForeign || meaning == '/';
            *to++ = meaning;
            at += 2;
            return true;
        }
        const Escape escape = readEscape(at, end);
        isForeign = isForeign || escape.code >= 0x20 || Spellings[escape.code] != 'u';
        to = putUtf8(to, escape.code);
        at += escape.length;
        return escape.length > 0;
    });
    if (!isContent)
        return false;
    out.truncate(to - out.constData());
    if (isOwn)
        *isOwn = !isForeign;
    return true;
}

QString wellFormed(QString text)
{
    if (text.isValidUtf16())
        return text;
    for (qsizetype at = 0; at < text.size(); ++at) {
        const QChar unit = std::as_const(text)[at];
        if (unit.isHighSurrogate() && at + 1 < text.size() && std::as_const(text)[at + 1].isLowSurrogate())
            ++at;
        else if (unit.isSurrogate())
            text[at] = QChar::ReplacementCharacter;
    }
    return text;
}

QByteArray quoted(QStringView text)
{
    QByteArray result;
    result.reserve(text.size() + 2);
    result.append('"');
    qsizetype run = 0;
    const auto flush = [&](qsizetype end) {
        result.append(text.sliced(run, end - run).toUtf8());
        run = end + 1;
    };
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        if (c.isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate()) {
            ++i;
        } else if (c.isSurrogate() || (c.unicode() < 0x80 && Spellings[c.unicode()] != 0)) {
            flush(i);
            std::array<char, 6> escape;
            result.append(escape.data(), putEscape(escape.data(), c.unicode()) - escape.data());
        }
    }
    flush(text.size());
    return result.append('"');
}

char *putEscaped(char *to, const char *&from, const char *stop, const char *end)
{
    const char *at = from;
    // All of the bytes beyond ASCII that follow one at once.
    const bool isUtf8 = copyText<Bytes::Plain>(at, stop, to, [&] {
        const char spelling = Spellings[quint8(*at)];
        if (spelling == 0) {
            *to++ = *at++;
        } else if (spelling == 1) {
            do {
                int left = utf8Length(at, end);
                if (left == 0)
                    return false;
                for (; left > 0; --left)
                    *to++ = *at++;
            } while (at < stop && quint8(*at) >= 0x80);
        } else {
            to = putEscape(to, quint8(*at++));
        }
        return true;
    });
    from = at;
    return isUtf8 ? to : nullptr;
}

}  // namespace sonde::json
