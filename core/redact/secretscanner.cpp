// SPDX-License-Identifier: Apache-2.0
#include "core/redact/secretscanner.h"

#include "core/json/bytesearch.h"
#include "core/json/scan.h"
#include "core/json/stringcodec.h"
#include "core/redact/keylines.h"
#include "core/redact/secretforms.h"
#include "core/redact/secretmarks.h"

#include <QCryptographicHash>
#include <QtEndian>
#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <vector>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace sonde {

namespace {

constexpr qsizetype MaxKeptLength = 1024;    // of what a schema declares; of longer ones a hash is kept
constexpr qsizetype MaxGap = 64;             // of white space around a separator
constexpr qsizetype MinTextValueLength = 8;  // behind a name in a text, where most of what follows is prose
constexpr qsizetype MaxPrivateKeyLength = 64 * 1024;
constexpr qsizetype MaxMembers = 10'000;

bool isLetterOrDigit(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool isBlank(char c)
{
    return c == ' ' || c == '\t';
}

bool isNameCharacter(char c)
{
    return isLetterOrDigit(c) || c == '_' || c == '-' || c == '.';
}

bool isOf(char c, QByteArrayView others)
{
    return isLetterOrDigit(c) || others.contains(c);
}

bool endsValue(char c)
{
    return uchar(c) <= ' ' || QByteArrayView("\"'`\\<>").contains(c);
}

// Whether the letter in front of that place is the end of an escape such as \n, \u000a or %0A.
bool isBehindEscape(QByteArrayView text, qsizetype at)
{
    const auto is = [text](qsizetype place, char c) { return place >= 0 && text[place] == c; };
    return (is(at - 2, '\\') && QByteArrayView("nrtbf").contains(text[at - 1])) ||
           (is(at - 6, '\\') && is(at - 5, 'u')) || is(at - 3, '%');
}

// Where a word can begin.
bool isWordStart(QByteArrayView text, qsizetype at)
{
    return at == 0 || !(isLetterOrDigit(text[at - 1]) || text[at - 1] == '_') || isBehindEscape(text, at);
}

// A token is found by one byte of its prefix, the rarest.
struct TokenForm {
    QByteArrayView prefix;
    qsizetype telling = 0;  // place of that byte in it
    QByteArrayView others;  // besides letters and digits
    qsizetype least = 0;    // characters behind the prefix
    qsizetype exact = 0;    // so many, where it is not any number of them
};

constexpr std::array<TokenForm, 24> TokenForms = {
    {{"ghp_", 3, "", 20},     {"gho_", 3, "", 20},         {"ghu_", 3, "", 20},     {"ghs_", 3, "", 20},
     {"ghr_", 3, "", 20},     {"github_pat_", 6, "_", 20}, {"sk_live_", 2, "", 16}, {"sk_test_", 2, "", 16},
     {"rk_live_", 2, "", 16}, {"npm_", 3, "", 36, 36},     {"glpat-", 5, "_-", 20}, {"sk-", 2, "_-", 20},
     {"xoxa-", 4, "-", 10},   {"xoxb-", 4, "-", 10},       {"xoxe-", 4, "-", 10},   {"xoxo-", 4, "-", 10},
     {"xoxp-", 4, "-", 10},   {"xoxr-", 4, "-", 10},       {"xoxs-", 4, "-", 10},   {"xapp-", 4, "-", 10},
     {"pypi-", 4, "_-", 40},  {"AKIA", 2, "", 16, 16},     {"ASIA", 2, "", 16, 16}, {"AIza", 1, "_-", 35, 35}}};

bool isTelling(char c)
{
    switch (c) {
        case ':':
        case '=':
        case '_':
        case '-':
        case 'J':
        case 'I':
        case 'B':
        case 'b':
            return true;
        default:
            return false;
    }
}

// The bytes at which something secret may be found, sixteen places at a time.
class TellingBytes {
public:
    explicit TellingBytes(QByteArrayView text) : m_begin(text.data()), m_end(text.data() + text.size()), m_at(m_begin)
    {}

    // -1: no more.
    qsizetype next()
    {
#ifdef __SSE2__
        while (m_hits == 0 && m_end - m_at >= BlockSize) {
            m_hits = hitsAt(m_at);
            m_block = m_at;
            m_at += BlockSize;
        }
        if (m_hits != 0) {
            const int place = std::countr_zero(m_hits);
            m_hits &= m_hits - 1;
            return m_block - m_begin + place;
        }
#endif
        while (m_at != m_end) {
            if (isTelling(*m_at++))
                return m_at - 1 - m_begin;
        }
        return -1;
    }

private:
#ifdef __SSE2__
    static constexpr qsizetype BlockSize = 16;

    static quint32 hitsAt(const char *at)
    {
        const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i *>(at));
        const auto is = [](const __m128i &bytes, char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
        const __m128i either = _mm_or_si128(is(block, ':'), is(block, '='));
        const __m128i dashes = _mm_or_si128(is(block, '_'), is(block, '-'));
        const __m128i capitals = _mm_or_si128(is(block, 'J'), is(block, 'I'));
        const __m128i letters = is(_mm_or_si128(block, _mm_set1_epi8(0x20)), 'b');
        return quint32(_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(either, dashes), _mm_or_si128(capitals, letters))));
    }

    quint32 m_hits = 0;
    const char *m_block = nullptr;
#endif
    const char *m_begin;
    const char *m_end;
    const char *m_at;
};

const QSet<QByteArray> &schemaKeywords()
{
    static const QSet<QByteArray> keywords = {"type",
                                              "title",
                                              "description",
                                              "format",
                                              "default",
                                              "const",
                                              "enum",
                                              "enumNames",
                                              "example",
                                              "examples",
                                              "properties",
                                              "required",
                                              "items",
                                              "prefixItems",
                                              "additionalProperties",
                                              "patternProperties",
                                              "propertyNames",
                                              "unevaluatedProperties",
                                              "unevaluatedItems",
                                              "anyOf",
                                              "oneOf",
                                              "allOf",
                                              "not",
                                              "if",
                                              "then",
                                              "else",
                                              "$ref",
                                              "$defs",
                                              "definitions",
                                              "$id",
                                              "$schema",
                                              "$comment",
                                              "$anchor",
                                              "$dynamicRef",
                                              "minLength",
                                              "maxLength",
                                              "pattern",
                                              "minimum",
                                              "maximum",
                                              "exclusiveMinimum",
                                              "exclusiveMaximum",
                                              "multipleOf",
                                              "minItems",
                                              "maxItems",
                                              "uniqueItems",
                                              "contains",
                                              "minContains",
                                              "maxContains",
                                              "minProperties",
                                              "maxProperties",
                                              "dependentRequired",
                                              "dependentSchemas",
                                              "dependencies",
                                              "readOnly",
                                              "writeOnly",
                                              "deprecated",
                                              "contentEncoding",
                                              "contentMediaType",
                                              "contentSchema",
                                              "nullable",
                                              "discriminator"};
    return keywords;
}

// Enough of a name to tell most others from it.
size_t shapeOf(QByteArrayView name)
{
    return size_t(name.size() & 31) << 10 | size_t(name.front() & 31) << 5 | size_t(name.back() & 31);
}

QByteArray keptAs(const QByteArray &value)
{
    return value.size() <= MaxKeptLength ? value : QCryptographicHash::hash(value, QCryptographicHash::Sha256);
}

bool isExampleKeyword(QByteArrayView name)
{
    return name == QByteArrayView("default") || name == QByteArrayView("const") || name == QByteArrayView("enum") ||
           name == QByteArrayView("example") || name == QByteArrayView("examples");
}

using Stretch = SecretScanner::Stretch;

// What a schema says about a secret property is no secret, but for the values that it gives as an example: these.
// Nothing when the object has a member that no schema has.
std::optional<std::vector<Stretch>> examplesInSchema(QByteArrayView object)
{
    std::vector<Stretch> examples;
    json::Scanner<json::Reading::Strict> scanner(object);
    const bool isSchema = scanner.object([&](QByteArrayView name, bool) {
        if (!name.startsWith("x-") && !schemaKeywords().contains(QByteArray::fromRawData(name.data(), name.size())))
            return false;
        const char *const value = scanner.at;
        if (!scanner.value())
            return false;
        if (isExampleKeyword(name))
            examples.push_back({value - object.data(), scanner.at - object.data()});
        return true;
    });
    return isSchema ? std::optional(examples) : std::nullopt;
}

}  // namespace

class SecretScanner::Pass {
public:
    Pass(const SecretScanner *scanner, QByteArrayView text, const Visit &visit)
        : q(scanner), m_text(text), m_visit(visit), m_budget(4 * text.size() + 65536)
    {}

    void run()
    {
        TellingBytes bytes(m_text);
        for (qsizetype at = bytes.next(); at >= 0; at = bytes.next()) {
            switch (m_text[at]) {
                case ':':
                    isAt(at + 1, '/') && isAt(at + 2, '/') ? takeAddress(at) : takeNamed(at);
                    break;
                case '=':
                    takeNamed(at);
                    break;
                case '-':
                    takeDash(at);
                    break;
                case 'J':
                    if (at >= 2 && m_text[at - 1] == 'y' && m_text[at - 2] == 'e')
                        takeWebToken(at - 2);
                    break;
                case '_':
                case 'I':
                    takeToken(at);
                    break;
                default:
                    takeBearer(at);
            }
        }
    }

    // A name or a value stands between quotes that are escaped.
    bool isMoreHidden() const { return m_isMoreHidden; }

private:
    struct Name {
        qsizetype start = 0;
        qsizetype end = 0;
        NamePlace place = NamePlace::Member;
        bool isMember = false;  // of JSON
        bool isQuoted = false;
        bool isCertain = false;  // whatever stands behind it is its value
    };

    bool isAt(qsizetype at, char c) const { return at >= 0 && at < m_text.size() && m_text[at] == c; }

    bool isMarkAt(qsizetype at) const { return markLength(m_text, at) > 0; }

    void report(qsizetype start, qsizetype end, const QByteArray &value, const QByteArray &kind,
                SecretMatch::Found found = SecretMatch::Found::ByName, bool isNumber = false) const
    {
        if (value.isEmpty() || isMark(value))
            return;
        m_visit({start, end, value, kind, found, isNumber});
    }

    // False: it lies within what was found already, and too much does for each to be told.
    bool mayReport(qsizetype start, qsizetype end)
    {
        if (start < m_reported.start || end > m_reported.end) {
            m_reported = {start, end};
            return true;
        }
        m_budget -= end - start;
        return m_budget >= 0;
    }

    // Looking at it costs its length. When too much was looked at, it is taken for one.
    bool isMadeUp(qsizetype start, qsizetype end)
    {
        m_budget -= end - start;
        return m_budget < 0 || looksMadeUp(m_text.sliced(start, end - start));
    }

    QByteArray slice(qsizetype start, qsizetype end) const { return m_text.sliced(start, end - start).toByteArray(); }

    // Tokens and keys.

    // Where the characters of a kind end among which that place is. However often it is asked for, each is read once.
    template <typename Is>
    qsizetype endOfAll(Stretch &known, qsizetype at, const Is &is)
    {
        if (at >= known.start && at < known.end)
            return known.end;
        qsizetype end = at;
        while (end < m_text.size() && is(m_text[end]))
            ++end;
        known = {at, end};
        return end;
    }

    // Of letters, digits and those others.
    qsizetype endOfRun(qsizetype at, QByteArrayView others)
    {
        size_t kind = 0;
        while (kind + 1 < m_runs.size() && !m_runs[kind].others.isNull() && m_runs[kind].others != others)
            ++kind;
        m_runs[kind].others = others;
        return endOfAll(m_runs[kind].known, at, [others](char c) { return isOf(c, others); });
    }

    // Of a token, a flag or a private key.
    void takeDash(qsizetype at)
    {
        if (isAt(at + 1, 'B'))
            takePrivateKey(at + 1);
        else if (at >= 2 && m_text[at - 1] == '-')
            takeFlag(at - 2);
        else
            takeToken(at);
    }

    void takeToken(qsizetype at)
    {
        for (const TokenForm &form : TokenForms) {
            if (m_text[at] != form.prefix[form.telling] || at < form.telling ||
                m_text[at - form.telling] != form.prefix[0])
                continue;
            const qsizetype start = at - form.telling;
            if (m_text.sliced(start).startsWith(form.prefix) && isWordStart(m_text, start)) {
                takeToken(start, form);
                return;
            }
        }
    }

    void takeToken(qsizetype at, const TokenForm &form)
    {
        const qsizetype start = at + form.prefix.size();
        const qsizetype end = endOfRun(start, form.others);
        const QByteArrayView rest = m_text.sliced(start, end - start);
        const auto isChosen = [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); };
        if (rest.size() < form.least || (form.exact > 0 && rest.size() > form.exact))
            return;
        m_budget -= rest.size();
        if (m_budget >= 0 && std::none_of(rest.begin(), rest.end(), isChosen))
            return;
        if (mayReport(at, end))
            report(at, end, slice(at, end), "token", SecretMatch::Found::ByForm);
    }

    void takeWebToken(qsizetype at)
    {
        if (!isWordStart(m_text, at))
            return;
        const qsizetype body = endOfRun(at, "_-") + 1;
        if (body - at < 12 || !isAt(body - 1, '.') || !m_text.sliced(body).startsWith("eyJ"))
            return;
        const qsizetype signature = endOfRun(body, "_-") + 1;
        if (!isAt(signature - 1, '.'))
            return;
        const qsizetype end = endOfRun(signature, "_-");
        if (mayReport(at, end))
            report(at, end, slice(at, end), "token", SecretMatch::Found::ByForm);
    }

    void takeBearer(qsizetype at)
    {
        constexpr qsizetype shortest = 16;
        constexpr QByteArrayView word = "bearer";
        if (at + 1 >= m_text.size() || (m_text[at + 1] | 0x20) != 'e')
            return;
        const QByteArrayView rest = m_text.sliced(at);
        if (rest.size() < shortest || rest.first(word.size()).compare(word, Qt::CaseInsensitive) != 0 ||
            !isWordStart(m_text, at))
            return;
        const qsizetype scheme = schemeLength(m_text.sliced(at));
        if (scheme == 0)
            return;
        const qsizetype start = at + scheme;
        const qsizetype end = endOfRun(start, "._~+/=-");
        if (end - start >= shortest && isMadeUp(start, end) && mayReport(start, end))
            report(start, end, slice(start, end), "token", SecretMatch::Found::ByForm);
    }

    // "--token","…" of a list, and --token … of a line. --token=… is found by its equals sign.
    void takeFlag(qsizetype at)
    {
        const char quote = m_text[at];
        if (quote != '"' && quote != '\'' && quote != ' ')
            return;
        const qsizetype name = at + 3;
        const qsizetype nameEnd = endOfRun(name, "_-.");
        if (nameEnd == name || nameEnd - name > MaxSecretNameLength)
            return;
        const QByteArrayView word = m_text.sliced(name, nameEnd - name);
        const QByteArray kind = mayBeTelling(word) ? q->judged(word, NamePlace::Flag).kind : QByteArray();
        if (kind.isEmpty())
            return;
        if (quote == ' ') {
            const qsizetype start = skipBlanks(nameEnd, false);
            const qsizetype end = endOfValue(start);
            if (start > nameEnd && end - start >= MinTextValueLength && isMadeUp(start, end) && !isMarkAt(start))
                report(start, end, slice(start, end), kind);
            return;
        }
        m_isMoreHidden = m_isMoreHidden || isAt(nameEnd, '\\');
        if (!isAt(nameEnd, quote))
            return;
        qsizetype start = skipSpace(nameEnd + 1);
        if (!isAt(start, ','))
            return;
        start = skipSpace(start + 1);
        if (isAt(start, quote))
            takeQuoted(start, kind, false);
    }

    // -----BEGIN … PRIVATE KEY-----. One without an end, in a text that was cut, ends with its last line.
    void takePrivateKey(qsizetype at)
    {
        const qsizetype start = at - 5;
        if (start < m_keyEnd || !m_text.sliced(start).startsWith("-----BEGIN "))
            return;
        const qsizetype body = endOfKeyLabel(m_text, at);
        if (body < 0)
            return;
        qsizetype end = endOfKey(body);
        if (end < 0)
            end = endOfKeyLines(m_text, body);
        if (end == body)
            return;
        m_keyEnd = end;
        report(start, end, slice(start, end), "privatekey", SecretMatch::Found::ByForm);
        // Somebody may have taken it apart.
        qsizetype line = start;
        for (qsizetype i = start; i <= end; ++i) {
            if (i < end && isKeyByte(m_text, i))
                continue;
            if (i - line >= ShortestKeyLine && isSearchedElsewhere(m_text.sliced(line, i - line)))
                report(line, i, slice(line, i), "privatekey", SecretMatch::Found::ByForm);
            line = i + 1;
        }
    }

    // -1: too far away. The next one is looked for once only.
    qsizetype endOfKey(qsizetype body)
    {
        constexpr QByteArrayView mark = "-----END ";
        if (m_nextKeyEnd < body) {
            m_nextKeyEnd = m_text.indexOf(mark, body);
            if (m_nextKeyEnd < 0)
                m_nextKeyEnd = m_text.size();
        }
        if (m_nextKeyEnd == m_text.size() || m_nextKeyEnd - body > MaxPrivateKeyLength)
            return -1;
        return qMax(endOfKeyLabel(m_text, m_nextKeyEnd + 5), m_nextKeyEnd + mark.size());
    }

    // Addresses.

    // By hand, since what stands there may be no proper address. A password with a slash ends the authority too early:
    // then what looks like a port is no number, and an at sign follows.
    void takeAddress(qsizetype colon)
    {
        qsizetype scheme = colon;
        while (scheme > 0 && isOf(m_text[scheme - 1], "+.-"))
            --scheme;
        if (scheme == colon)
            return;
        const qsizetype start = colon + 3;
        const qsizetype most = m_text.size();
        qsizetype authorityEnd = start;
        qsizetype at = -1;
        qsizetype password = -1;
        for (; authorityEnd < most && !endsValue(m_text[authorityEnd]); ++authorityEnd) {
            const char c = m_text[authorityEnd];
            if (c == '/' || c == '?' || c == '#' || c == '(' || c == ')' || c == '{')
                break;
            if (c == '@')
                at = authorityEnd;
            else if (c == ':' && password < 0)
                password = authorityEnd + 1;
        }
        if (at < 0 && password > start + 1 && m_text[start] != '[' &&
            !isAllDigits(m_text.sliced(password, authorityEnd - password)) && authorityEnd < most) {
            authorityEnd = endOfAll(m_userInfo, authorityEnd, [](char c) { return !endsValue(c) && c != '@'; });
            at = isAt(authorityEnd, '@') ? authorityEnd : -1;
        }
        if (at <= start || isMarkAt(start))
            return;
        const bool hasPassword = password > start && password < at;
        const QByteArrayView name = m_text.sliced(scheme, colon - scheme);
        // https://TOKEN@host; elsewhere, as in ssh://git@host, it is a mere name.
        if (!hasPassword && (!name.startsWith("http") || at - start < MinTextValueLength))
            return;
        if (!mayReport(start, at))
            return;
        const QByteArray info = slice(start, at);
        report(start, at, info, "userinfo", SecretMatch::Found::InAddress);
        // What may come back by itself.
        for (const QByteArray &part :
             {hasPassword ? slice(start, password - 1) : info, hasPassword ? slice(password, at) : QByteArray()}) {
            const QByteArray decoded = QByteArray::fromPercentEncoding(part);
            if (isSearchedElsewhere(decoded))
                report(start, at, decoded, "userinfo", SecretMatch::Found::InAddress);
        }
    }

    // Names.

    // Behind a separator, also as escapes. withLines: the value may stand on the next line.
    qsizetype skipBlanks(qsizetype at, bool withLines) const
    {
        const qsizetype end = qMin(m_text.size(), at + MaxGap);
        while (at < end) {
            qsizetype letter = at;
            while (letter < end && m_text[letter] == '\\')
                ++letter;
            const char c = letter < end ? m_text[letter] : '\0';
            const bool isEscape = letter > at;
            const bool isTab = isEscape ? c == 't' : isBlank(c);
            const bool isLineEnd = isEscape ? c == 'n' || c == 'r' : c == '\n' || c == '\r';
            if (!isTab && !(withLines && isLineEnd))
                break;
            at = letter + 1;
        }
        return at;
    }

    // In front of a separator.
    qsizetype skipBlanksBack(qsizetype separator) const
    {
        qsizetype end = separator;
        if (isAt(end - 1, '"'))
            return end;
        while (end > 0 && separator - end < MaxGap) {
            const char c = m_text[end - 1];
            const bool isEscape = (c == 't' || c == 'n' || c == 'r') && isAt(end - 2, '\\');
            if (!isEscape && !json::isSpace(c))
                break;
            --end;
            while (isEscape && isAt(end - 1, '\\'))
                --end;
        }
        return end;
    }

    qsizetype skipSpace(qsizetype at) const
    {
        while (at < m_text.size() && json::isSpace(m_text[at]))
            ++at;
        return at;
    }

    // Almost all of them are dismissed by their letters.
    void takeNamed(qsizetype separator)
    {
        const qsizetype end = skipBlanksBack(separator);
        if (end < 1)
            return;
        Name name;
        const char last = m_text[end - 1];
        name.isQuoted = last == '"' || last == '\'';
        name.end = name.isQuoted ? end - 1 : end;
        if (name.end < 1)
            return;
        if (name.isQuoted && m_text[name.end - 1] == '\\') {
            noteEscaped(name.end, separator);
            return;
        }
        if (last == '"' && isHarmless(name.end))
            return;
        name.isMember = m_text[separator] == ':' && last == '"';
        if (!findNameStart(name))
            return;
        takeValueOf(name, separator);
    }

    // \"password\": \"…\"
    void noteEscaped(qsizetype end, qsizetype separator)
    {
        while (end > 0 && m_text[end - 1] == '\\')
            --end;
        qsizetype start = end;
        if (!m_isMoreHidden) {
            const qsizetype least = qMax<qsizetype>(0, end - MaxSecretNameLength);
            while (start > least && m_text[start - 1] != '"' && m_text[start - 1] != '\\')
                --start;
        }
        const QByteArrayView name = m_text.sliced(start, end - start);
        if (name.isEmpty() || !mayTell(name))
            return;
        const Judged &judged = q->judged(name, NamePlace::Member);
        m_isMoreHidden = !judged.kind.isEmpty() || judged.isLogin || (!judged.isPair && !q->m_members.isEmpty());
        if (!judged.isPair)
            return;
        qsizetype value = skipBlanks(separator + 1, true);
        while (isAt(value, '\\') || isAt(value, '"'))
            ++value;
        const qsizetype valueEnd = endOfRun(value, "_-.");
        m_isMoreHidden = valueEnd - value <= MaxSecretNameLength && mayTell(m_text.sliced(value, valueEnd - value));
    }

    // Almost never by mistake.
    bool isOfMember(QByteArrayView name) const
    {
        return !q->m_members.isEmpty() && !name.isEmpty() && q->m_memberShapes[shapeOf(name)];
    }

    bool mayTell(QByteArrayView name) const { return mayBeTelling(name) || isOfMember(name); }

    // By their last letters.
    SecretScanner::Harmless &harmlessPlace(qsizetype end) const
    {
        const quint32 letters = qFromUnaligned<quint32>(m_text.data() + end - sizeof(quint32));
        return q->m_harmless[(letters * 0x9E3779B1u) >> 26];
    }

    bool isHarmless(qsizetype end) const
    {
        if (end < qsizetype(sizeof(quint32)))
            return false;
        const Harmless &known = harmlessPlace(end);
        return known.size > 0 && end >= known.size &&
               std::memcmp(m_text.data() + end - known.size, known.text, known.size) == 0;
    }

    // start: of the quote in front of it.
    void noteHarmless(qsizetype start, qsizetype end) const
    {
        if (end < qsizetype(sizeof(quint32)) || end - start > Harmless::MaxLength)
            return;
        Harmless &known = harmlessPlace(end);
        known.size = quint8(end - start);
        std::memcpy(known.text, m_text.data() + start, known.size);
    }

    // False: there is none, or none that tells anything.
    bool findNameStart(Name &name) const
    {
        const qsizetype least = qMax<qsizetype>(0, name.end - MaxSecretNameLength);
        NameLetters letters;
        qsizetype start = name.end;
        if (name.isQuoted) {
            const char quote = m_text[name.end];
            while (start > least && m_text[start - 1] != quote)
                letters.precede(m_text[--start]);
            if (start == least)
                return false;
        } else {
            while (start > least && isNameCharacter(m_text[start - 1]))
                letters.precede(m_text[--start]);
        }
        name.start = start;
        if (start == name.end)
            return false;
        if (!letters.mayBeTelling() && !isOfMember(m_text.sliced(start, name.end - start))) {
            if (isAt(name.end, '"'))
                noteHarmless(start - 1, name.end);
            return false;
        }
        if (name.isQuoted)
            return true;
        // The end of an escape is no part of the name behind it.
        if (isAt(name.start - 1, '\\') && QByteArrayView("nrtbf").contains(m_text[name.start]))
            ++name.start;
        // The kind within a mark.
        return name.start < name.end && !(name.start >= 3 && m_text.sliced(name.start - 3, 3) == MarkBegin);
    }

    void takeValueOf(Name &name, qsizetype separator)
    {
        const QByteArrayView word = m_text.sliced(name.start, name.end - name.start);
        if (m_text[separator] == '=' && !name.isQuoted)
            placeOf(name, word);
        const qsizetype start =
            name.isMember ? skipSpace(separator + 1) : skipBlanks(separator + 1, m_text[separator] == ':');
        if (start >= m_text.size() || isMarkAt(start))
            return;
        if (name.isMember) {
            takeMember(word, q->judged(word, NamePlace::Member), start);
            return;
        }
        const Judged &judged = q->judged(word, name.place);
        if (!judged.kind.isEmpty() || judged.isLogin)
            takeTextValue(name, judged.kind, judged.isLogin, start);
    }

    void placeOf(Name &name, QByteArrayView word) const
    {
        const char before = name.start > 0 ? m_text[name.start - 1] : '\0';
        const auto isSmall = [](char c) { return c >= 'a' && c <= 'z'; };
        if (before == '?' || before == '&' || before == '#')
            name.place = NamePlace::Query;
        else if (word.startsWith('-'))
            name.place = NamePlace::Flag;
        else if (std::none_of(word.begin(), word.end(), isSmall))
            name.place = NamePlace::Variable;
        name.isCertain = name.place != NamePlace::Member;
    }

    void takeMember(QByteArrayView name, const Judged &judged, qsizetype start)
    {
        if (!judged.kind.isEmpty()) {
            const QByteArray kind = judged.kind;
            takeJson(start, kind, name != QByteArrayView("pass"), true);
            return;
        }
        if (!q->m_members.isEmpty()) {
            const auto declared = q->m_members.constFind(name.toByteArray());
            if (declared != q->m_members.constEnd())
                takeDeclared(start, *declared);
        }
        if (!isAt(start, '"'))
            return;
        if (judged.isLogin)
            takeLogin(start + 1, closingQuote(start) - 1);
        else if (judged.isPair)
            takePair(start);
    }

    // {"name":"Authorization","value":"…"}
    void takePair(qsizetype start)
    {
        constexpr QByteArrayView valueName = "\"value\"";
        const qsizetype end = closingQuote(start);
        if (end - start > MaxSecretNameLength + 2 || !isAt(end - 1, '"'))
            return;
        const QByteArrayView word = m_text.sliced(start + 1, qMax<qsizetype>(0, end - start - 2));
        if (word.contains(' '))
            return;
        const QByteArray kind = mayBeTelling(word) ? q->judged(word, NamePlace::Header).kind : QByteArray();
        qsizetype at = kind.isEmpty() ? -1 : skipSpace(end);
        if (at < 0 || !isAt(at, ','))
            return;
        at = skipSpace(at + 1);
        if (!m_text.sliced(at).startsWith(valueName))
            return;
        at = skipSpace(at + valueName.size());
        if (isAt(at, ':'))
            takeJson(skipSpace(at + 1), kind, true, false);
    }

    // Just after it.
    qsizetype closingQuote(qsizetype start) const
    {
        return json::endOfString(m_text.data() + start, m_text.data() + m_text.size()) - m_text.data();
    }

    // start: of its opening quote. end: of what stands in it.
    QByteArray saidBy(qsizetype start, qsizetype end) const
    {
        const QByteArrayView content = m_text.sliced(start + 1, end - start - 1);
        return content.contains('\\') ? json::decoded(m_text.sliced(start, end - start)).toUtf8()
                                      : content.toByteArray();
    }

    // Of a string's content: the end of the text where it was cut.
    qsizetype endOfContent(qsizetype start) const
    {
        const qsizetype end = closingQuote(start);
        return end - start > 1 && isAt(end - 1, '"') ? end - 1 : end;
    }

    void takeJson(qsizetype start, const QByteArray &kind, bool withNumbers, bool withContainers)
    {
        if (start >= m_text.size() || isMarkAt(start))
            return;
        const char c = m_text[start];
        if (c == '"') {
            takeQuoted(start, kind, true);
        } else if (c == '-' || (c >= '0' && c <= '9')) {
            if (withNumbers)
                takeNumber(start, kind);
        } else if ((c == '{' || c == '[') && withContainers) {
            takeContainer(start, kind);
        }
    }

    void takeNumber(qsizetype start, const QByteArray &kind,
                    SecretMatch::Found found = SecretMatch::Found::ByName) const
    {
        const char *const end = m_text.data() + m_text.size();
        const char *const numberEnd = json::endOfNumber(m_text.data() + start, end);
        if (!numberEnd || numberEnd == m_text.data() + start)
            return;
        const qsizetype last = numberEnd - m_text.data();
        if (last < m_text.size() && isNameCharacter(m_text[last]))
            return;  // a date, say, where this is no JSON
        report(start, last, slice(start, last), kind, found, true);
    }

    // start: of its opening quote. isJsonString: its escapes are those of JSON.
    void takeQuoted(qsizetype start, const QByteArray &kind, bool isJsonString,
                    SecretMatch::Found found = SecretMatch::Found::ByName) const
    {
        const qsizetype end = m_text[start] == '"' ? endOfContent(start) : m_text.indexOf(m_text[start], start + 1);
        if (end <= start + 1)
            return;
        const qsizetype first = start + 1 + schemeLength(m_text.sliced(start + 1, end - start - 1));
        if (first >= end || isMarkAt(first))
            return;
        const QByteArray whole = isJsonString ? saidBy(start, end) : slice(start + 1, end);
        report(first, end, whole.sliced(qMin(whole.size(), schemeLength(whole))), kind, found);
    }

    // All texts in it, and the numbers that are its own. Each stretch of the text is read a bounded number of times.
    void takeContainer(qsizetype start, const QByteArray &kind)
    {
        if (start < m_covered)
            return;
        const char *const end = m_text.data() + m_text.size();
        const qsizetype length = json::endOfContainer(m_text.data() + start, end) - (m_text.data() + start);
        m_budget -= length;
        const auto examples =
            m_text[start] == '{' && m_budget >= 0 ? examplesInSchema(m_text.sliced(start, length)) : std::nullopt;
        if (examples) {
            for (const Stretch &example : *examples)
                takeBelow(start + example.start, start + example.end, kind);
            return;
        }
        m_covered = start + length;
        takeBelow(start, start + length, kind);
    }

    void takeBelow(qsizetype start, qsizetype end, const QByteArray &kind) const
    {
        forEachValue(start, end, [&](qsizetype at, size_t depth, bool isElement) {
            if (m_text[at] == '"')
                takeQuoted(at, kind, true);
            else if (depth == 0 || (depth == 1 && isElement))
                takeNumber(at, kind);
        });
    }

    // The texts and numbers that are values, of JSON that may be cut or faulty: how deep, and whether in a list.
    template <typename See>
    void forEachValue(qsizetype start, qsizetype end, const See &see) const
    {
        std::vector<bool> isList;  // each of those around that place
        for (qsizetype at = start; at < end;) {
            const char c = m_text[at];
            const bool isElement = !isList.empty() && isList.back();
            if (c == '"') {
                const qsizetype next = closingQuote(at);
                if (isElement || !isAt(skipSpace(next), ':'))
                    see(at, isList.size(), isElement);
                at = next;
                continue;
            }
            if (c == '-' || (c >= '0' && c <= '9')) {
                see(at, isList.size(), isElement);
                at = json::endOfWord(m_text.data() + at, m_text.data() + m_text.size()) - m_text.data();
                continue;
            }
            if (c == '[' || c == '{')
                isList.push_back(c == '[');
            else if ((c == ']' || c == '}') && !isList.empty())
                isList.pop_back();
            ++at;
        }
    }

    void takeDeclared(qsizetype start, const QSet<QByteArray> &values)
    {
        const auto take = [&](qsizetype at) {
            if (isAt(at, '"')) {
                const qsizetype end = endOfContent(at);
                const QByteArray said = saidBy(at, end);
                if (values.contains(keptAs(said)))
                    report(at + 1, end, said, "secret", SecretMatch::Found::Declared);
                return;
            }
            const char *const number = m_text.data() + at;
            const char *const end = json::endOfNumber(number, m_text.data() + m_text.size());
            if (end && values.contains(keptAs(QByteArray(number, end - number))))
                takeNumber(at, "secret", SecretMatch::Found::Declared);
        };
        if (!isAt(start, '[') && !isAt(start, '{')) {
            take(start);
            return;
        }
        if (m_budget < 0) {
            takeContainer(start, "secret");
            return;
        }
        const char *const end = m_text.data() + m_text.size();
        const qsizetype length = json::endOfContainer(m_text.data() + start, end) - (m_text.data() + start);
        m_budget -= length;
        forEachValue(start, start + length, [&](qsizetype at, size_t, bool isElement) {
            if (isElement)
                take(at);
        });
    }

    // In a text.

    qsizetype endOfValue(qsizetype at)
    {
        return endOfAll(m_value, at, [](char c) { return !endsValue(c); });
    }

    // $NAME, ${NAME}, $(command), $1: what holds the value, or makes it.
    bool isReference(qsizetype start, qsizetype end) const
    {
        const QByteArrayView rest = m_text.sliced(start + 1, qMax<qsizetype>(0, end - start - 1));
        if (rest.isEmpty() || rest.startsWith('{') || rest.startsWith('('))
            return true;
        const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
        const auto isSmall = [](char c) { return c >= 'a' && c <= 'z'; };
        const bool isMixed = std::any_of(rest.begin(), rest.end(), isDigit) &&
                             (std::any_of(rest.begin(), rest.end(), isSmall) || isDigit(rest.front()));
        return std::all_of(rest.begin(), rest.end(), [](char c) { return isLetterOrDigit(c) || c == '_'; }) &&
               (!isMixed || rest.size() == 1);
    }

    void takeTextValue(const Name &name, const QByteArray &kind, bool isLogin, qsizetype start)
    {
        static constexpr QByteArrayView ends = ",;&(){}[]";  // of a value that prose or a query surrounds
        const char quote = m_text[start];
        m_isMoreHidden = m_isMoreHidden || quote == '\\';
        const bool isQuoted = quote == '"' || (quote == '\'' && m_text.indexOf(quote, start + 1) >= 0);
        if (isQuoted && !isLogin) {
            takeQuoted(start, kind, false);
            return;
        }
        const bool isAttached = start > 0 && m_text[start - 1] == '=' && start - 1 == name.end;
        const bool isCertain = name.isCertain && isAttached;
        if (quote == '\'' && !isQuoted)
            ++start;  // its end was cut off
        if (!isCertain)
            start += schemeLength(m_text.sliced(start));
        const bool isQuery = name.place == NamePlace::Query;
        const qsizetype end =
            isQuery
                ? endOfAll(m_queryValue, start, [](char c) { return !endsValue(c) && !ends.contains(c) && c != '#'; })
            : isCertain ? endOfValue(start)
                        : endOfAll(m_textValue, start, [](char c) { return !endsValue(c) && !ends.contains(c); });
        if (start >= end || isMarkAt(start))
            return;
        if (quote == '$' && m_text[start] == '$' && isReference(start, endOfValue(start)))
            return;
        if (isLogin) {
            takeLogin(start, end);
            return;
        }
        if (!isCertain && (end - start < MinTextValueLength || !isMadeUp(start, end)))
            return;
        if (!mayReport(start, end))
            return;
        const QByteArray value = slice(start, end);
        report(start, end, isQuery ? QByteArray::fromPercentEncoding(value) : value,
               isQuery ? QByteArray("query") : kind);
    }

    // name:password
    void takeLogin(qsizetype start, qsizetype end) const
    {
        const QByteArrayView value = m_text.sliced(start, qMax<qsizetype>(0, end - start));
        const qsizetype password = value.contains(' ') ? -1 : passwordOfLogin(value);
        if (password >= 0)
            report(start + password, end, slice(start + password, end), "password");
    }

    struct Run {
        QByteArrayView others;
        Stretch known;
    };

    const SecretScanner *q;
    QByteArrayView m_text;
    const Visit &m_visit;
    qsizetype m_budget;  // of what may be read more than once; when it is spent, more is masked rather than less
    bool m_isMoreHidden = false;
    qsizetype m_covered = 0;     // everything in front of that place is found already
    Stretch m_reported;          // a token or value that was found, and may have others in it
    qsizetype m_keyEnd = 0;      // of the last private key
    qsizetype m_nextKeyEnd = 0;  // where the next -----END is, once it was looked for
    std::array<Run, 6> m_runs;
    Stretch m_value;
    Stretch m_textValue;
    Stretch m_queryValue;
    Stretch m_userInfo;
};

void SecretScanner::addMember(const QByteArray &name, const QByteArray &value)
{
    if (name.isEmpty() || name.size() > MaxSecretNameLength || value.isEmpty())
        return;
    if (++m_memberCount > MaxMembers) {
        m_members.clear();
        m_memberShapes.reset();
        m_memberCount = 1;
    }
    m_members[name].insert(keptAs(value));
    m_memberShapes.set(shapeOf(name));
    m_harmless = {};
}

const SecretScanner::Judged &SecretScanner::judged(QByteArrayView name, NamePlace place) const
{
    const quint32 sum = quint32(name.size()) * 67 + quint32(uchar(name.front())) * 31 +
                        quint32(uchar(name.back())) * 7 + quint32(uchar(name[name.size() / 2])) + quint32(place) * 13;
    Judged &known = m_judged[sum % m_judged.size()];
    if (known.place == place && known.name == name)
        return known;
    const QString text = QString::fromUtf8(name);
    known.name = name.toByteArray();
    known.place = place;
    known.kind = secretKind(text, place);
    known.isPair = text == u"name" || text == u"key" || text == u"header";
    known.isLogin = known.kind.isEmpty() && isLoginName(text, place);
    return known;
}

bool SecretScanner::scan(QByteArrayView text, const Visit &visit) const
{
    Pass pass(this, text, visit);
    pass.run();
    if (pass.isMoreHidden() || !text.contains('\\'))
        return pass.isMoreHidden();
    // Letters and slashes that are escaped, which few libraries do.
    static const CaseInsensitiveMatcher letter("\\u00");
    static const CaseInsensitiveMatcher slashes(":\\/\\/");
    return letter.isIn(text) || slashes.isIn(text);
}

}  // namespace sonde
