// SPDX-License-Identifier: Apache-2.0
#include "core/session/secretscanner.h"

#include "core/json/document.h"
#include "core/json/text.h"
#include "core/protocol/envelope.h"
#include "core/session/bytesearch.h"
#include "core/session/secretforms.h"
#include "core/session/secretmarks.h"

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

constexpr qsizetype longestValue = 64 * 1024;
constexpr qsizetype longestTextValue = 4096;
constexpr qsizetype longestMemberName = 128;
constexpr qsizetype longestGap = 8;         // of white space around a separator
constexpr qsizetype shortestTextValue = 8;  // behind a name in a text, where most of what follows is prose
constexpr qsizetype longestPrivateKey = 20'000;
constexpr qsizetype shortestKeyLine = 16;  // of a private key, to be looked for by itself
constexpr qsizetype mostMembers = 10'000;

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

// What stands in front of a credential and is none itself.
qsizetype schemeLength(QByteArrayView text)
{
    static constexpr std::array<QByteArrayView, 7> schemes = {"bearer", "basic",  "digest",   "dpop",
                                                              "token",  "apikey", "negotiate"};
    for (const QByteArrayView scheme : schemes) {
        const qsizetype size = scheme.size();
        if (text.size() > size && isBlank(text[size]) && text.first(size).compare(scheme, Qt::CaseInsensitive) == 0) {
            qsizetype at = size;
            while (at < text.size() && isBlank(text[at]))
                ++at;
            return at;
        }
    }
    return 0;
}

// A token is found by one byte of its prefix, the rarest.
struct TokenForm {
    QByteArrayView prefix;
    qsizetype telling = 0;  // place of that byte in it
    QByteArrayView others;  // besides letters and digits
    qsizetype least = 0;    // characters behind the prefix
    qsizetype most = 0;
};

constexpr std::array<TokenForm, 24> tokenForms = {
    {{"ghp_", 3, "", 20, 255},     {"gho_", 3, "", 20, 255},     {"ghu_", 3, "", 20, 255},
     {"ghs_", 3, "", 20, 255},     {"ghr_", 3, "", 20, 255},     {"github_pat_", 6, "_", 20, 255},
     {"sk_live_", 2, "", 16, 255}, {"sk_test_", 2, "", 16, 255}, {"rk_live_", 2, "", 16, 255},
     {"npm_", 3, "", 36, 36},      {"glpat-", 5, "_-", 20, 255}, {"sk-", 2, "_-", 20, 255},
     {"xoxa-", 4, "-", 10, 255},   {"xoxb-", 4, "-", 10, 255},   {"xoxe-", 4, "-", 10, 255},
     {"xoxo-", 4, "-", 10, 255},   {"xoxp-", 4, "-", 10, 255},   {"xoxr-", 4, "-", 10, 255},
     {"xoxs-", 4, "-", 10, 255},   {"xapp-", 4, "-", 10, 255},   {"pypi-", 4, "_-", 40, 255},
     {"AKIA", 2, "", 16, 16},      {"ASIA", 2, "", 16, 16},      {"AIza", 1, "_-", 35, 35}}};

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
        while (m_hits == 0 && m_end - m_at >= blockSize) {
            m_hits = hitsAt(m_at);
            m_block = m_at;
            m_at += blockSize;
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
    static constexpr qsizetype blockSize = 16;

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

bool isExampleKeyword(QByteArrayView name)
{
    return name == QByteArrayView("default") || name == QByteArrayView("const") || name == QByteArrayView("enum") ||
           name == QByteArrayView("example") || name == QByteArrayView("examples");
}

struct Stretch {
    qsizetype start = 0;
    qsizetype end = 0;
};

// What a schema says about a secret property is no secret, but for the values that it gives as an example: these.
// Nothing when the object has a member that no schema has.
std::optional<std::vector<Stretch>> examplesInSchema(QByteArrayView object)
{
    std::vector<Stretch> examples;
    const char *const begin = object.data();
    const char *const end = begin + object.size();
    const auto skipSpace = [end](const char *at) {
        while (at != end && json::isSpace(*at))
            ++at;
        return at;
    };
    const char *at = skipSpace(begin + 1);
    while (at != end && *at == '"') {
        const char *const nameEnd = json::endOfString(at, end);
        const QByteArrayView name(at + 1, qMax<qsizetype>(0, nameEnd - at - 2));
        if (!name.startsWith("x-") && !schemaKeywords().contains(QByteArray::fromRawData(name.data(), name.size())))
            return std::nullopt;
        at = skipSpace(nameEnd);
        if (at == end || *at != ':')
            return std::nullopt;
        const char *const value = skipSpace(at + 1);
        const char *const valueEnd = skipJsonValue(value, end);
        if (!valueEnd)
            return std::nullopt;
        if (isExampleKeyword(name))
            examples.push_back({value - begin, valueEnd - begin});
        at = skipSpace(valueEnd);
        if (at != end && *at == ',')
            at = skipSpace(at + 1);
    }
    return at != end && *at == '}' ? std::optional(examples) : std::nullopt;
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
        if (value.isEmpty() || end - start > longestValue || isMark(value))
            return;
        m_visit({start, end, value, kind, found, isNumber});
    }

    QByteArray slice(qsizetype start, qsizetype end) const { return m_text.sliced(start, end - start).toByteArray(); }

    // Tokens and keys.

    qsizetype endOfRun(qsizetype at, QByteArrayView others, qsizetype most)
    {
        const qsizetype start = at;
        const qsizetype end = m_budget < 0 ? at : qMin(m_text.size(), at + most);
        while (at < end && isOf(m_text[at], others))
            ++at;
        m_budget -= at - start;
        return at;
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
        for (const TokenForm &form : tokenForms) {
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
        const qsizetype end = endOfRun(start, form.others, form.most + 1);
        const QByteArrayView rest = m_text.sliced(start, end - start);
        const auto isChosen = [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); };
        const bool isExact = form.least == form.most;
        if (rest.size() < form.least || (isExact && rest.size() > form.most) ||
            std::none_of(rest.begin(), rest.end(), isChosen))
            return;
        report(at, end, slice(at, end), "token", SecretMatch::Found::ByForm);
    }

    void takeWebToken(qsizetype at)
    {
        constexpr qsizetype most = 8192;
        if (!isWordStart(m_text, at))
            return;
        const qsizetype body = endOfRun(at, "_-", most) + 1;
        if (body - at < 12 || !isAt(body - 1, '.') || !m_text.sliced(body).startsWith("eyJ"))
            return;
        const qsizetype signature = endOfRun(body, "_-", most) + 1;
        if (!isAt(signature - 1, '.'))
            return;
        const qsizetype end = endOfRun(signature, "_-", most);
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
        const qsizetype end = endOfRun(start, "._~+/=-", longestTextValue);
        if (end - start >= shortest && looksMadeUp(m_text.sliced(start, end - start)))
            report(start, end, slice(start, end), "token", SecretMatch::Found::ByForm);
    }

    // "--token","…" of a list, and --token … of a line. --token=… is found by its equals sign.
    void takeFlag(qsizetype at)
    {
        const char quote = m_text[at];
        if (quote != '"' && quote != '\'' && quote != ' ')
            return;
        const qsizetype name = at + 3;
        const qsizetype nameEnd = endOfRun(name, "_-.", longestMemberName);
        const QByteArray kind = secretKind(QString::fromLatin1(m_text.sliced(name, nameEnd - name)), NamePlace::Flag);
        if (kind.isEmpty())
            return;
        if (quote == ' ') {
            const qsizetype start = skipBlanks(nameEnd);
            const qsizetype end = endOfValue(start);
            const QByteArrayView value = m_text.sliced(start, end - start);
            if (start > nameEnd && value.size() >= shortestTextValue && looksMadeUp(value) && !isMarkAt(start))
                report(start, end, value.toByteArray(), kind);
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

    void takePrivateKey(qsizetype at)
    {
        constexpr QByteArrayView begin = "-----";
        if (at < begin.size() || !m_text.sliced(at - begin.size()).startsWith("-----BEGIN "))
            return;
        if (m_budget < 0)
            return;
        const qsizetype most = qMin(m_text.size(), at + longestPrivateKey);
        m_budget -= most - at;
        const QByteArrayView rest = m_text.sliced(at, most - at);
        const qsizetype head = rest.indexOf("PRIVATE KEY-----");
        const qsizetype last = head < 0 || head > 60 ? -1 : rest.indexOf("-----END ", head);
        const qsizetype tail = last < 0 ? -1 : rest.indexOf("PRIVATE KEY-----", last);
        if (tail < 0)
            return;
        const qsizetype start = at - begin.size();
        const qsizetype end = at + tail + qsizetype(std::strlen("PRIVATE KEY-----"));
        report(start, end, slice(start, end), "privatekey", SecretMatch::Found::ByForm);
        // Somebody may have taken it apart.
        qsizetype line = start;
        for (qsizetype i = start; i < end; ++i) {
            if (isOf(m_text[i], "+/=") && !(m_text[i] == 'n' && isAt(i - 1, '\\')))
                continue;
            if (i - line >= shortestKeyLine && isSearchedElsewhere(m_text.sliced(line, i - line)))
                report(line, i, slice(line, i), "privatekey", SecretMatch::Found::ByForm);
            line = i + 1;
        }
    }

    // Addresses.

    // By hand, since what stands there may be no proper address. A password with a slash ends the authority too early:
    // then what looks like a port is no number, and an at sign follows.
    void takeAddress(qsizetype colon)
    {
        constexpr qsizetype longest = 2048;
        qsizetype scheme = colon;
        while (scheme > 0 && isOf(m_text[scheme - 1], "+.-"))
            --scheme;
        if (scheme == colon)
            return;
        const qsizetype start = colon + 3;
        const qsizetype most = m_budget < 0 ? start : qMin(m_text.size(), start + longest);
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
            while (authorityEnd < most && !endsValue(m_text[authorityEnd]) && m_text[authorityEnd] != '@')
                ++authorityEnd;
            at = isAt(authorityEnd, '@') ? authorityEnd : -1;
        }
        m_budget -= authorityEnd - start;
        if (at <= start || isMarkAt(start))
            return;
        const bool hasPassword = password > start && password < at;
        const QByteArrayView name = m_text.sliced(scheme, colon - scheme);
        // https://TOKEN@host; elsewhere, as in ssh://git@host, it is a mere name.
        if (!hasPassword && (!name.startsWith("http") || at - start < shortestTextValue))
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

    qsizetype skipBlanks(qsizetype at) const
    {
        const qsizetype end = qMin(m_text.size(), at + longestGap);
        while (at < end && isBlank(m_text[at]))
            ++at;
        return at;
    }

    qsizetype skipSpace(qsizetype at) const
    {
        while (at < m_text.size() && json::isSpace(m_text[at]))
            ++at;
        return at;
    }

    // Almost all of them are dismissed by their last letters.
    void takeNamed(qsizetype separator)
    {
        qsizetype end = separator;
        while (end > 0 && separator - end < longestGap && json::isSpace(m_text[end - 1]))
            --end;
        if (end < 3)
            return;
        Name name;
        const char last = m_text[end - 1];
        name.isQuoted = last == '"' || last == '\'';
        name.end = name.isQuoted ? end - 1 : end;
        if (name.end < 2)
            return;
        if (name.isQuoted && m_text[name.end - 1] == '\\') {
            noteEscaped(name.end, separator);
            return;
        }
        if (!mayEndName(name.end))
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
        if (!m_isMoreHidden && mayEndName(end)) {
            const qsizetype least = qMax<qsizetype>(0, end - longestMemberName);
            while (start > least && m_text[start - 1] != '"' && m_text[start - 1] != '\\')
                --start;
        }
        if (start == end)
            return;
        const Judged &judged = q->judged(m_text.sliced(start, end - start));
        m_isMoreHidden = !judged.kind.isEmpty() || judged.isLogin || (!judged.isPair && !q->m_members.isEmpty());
        if (!judged.isPair)
            return;
        qsizetype value = skipBlanks(separator + 1);
        while (isAt(value, '\\') || isAt(value, '"'))
            ++value;
        m_isMoreHidden = mayEndName(endOfRun(value, "_-.", longestMemberName));
    }

    // Whether the letters in front of that place may be the end of a name that counts.
    bool mayEndName(qsizetype end) const
    {
        if (end < 2)
            return false;
        const char last = m_text[end - 1];
        const quint32 tail = nameTail(end > 2 ? m_text[end - 3] : '\0', m_text[end - 2], last);
        return m_tails[tail] || q->m_memberTails[tail] || (last >= '0' && last <= '9');
    }

    bool findNameStart(Name &name) const
    {
        const qsizetype least = qMax<qsizetype>(0, name.end - longestMemberName);
        name.start = name.end;
        if (name.isQuoted) {
            const char quote = m_text[name.end];
            while (name.start > least && m_text[name.start - 1] != quote)
                --name.start;
            return name.start > least && name.start < name.end;
        }
        while (name.start > least && isNameCharacter(m_text[name.start - 1]))
            --name.start;
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
        const qsizetype start = name.isMember ? skipSpace(separator + 1) : skipBlanks(separator + 1);
        if (start >= m_text.size() || isMarkAt(start))
            return;
        if (name.isMember) {
            takeMember(word, q->judged(word), start);
            return;
        }
        if (name.place == NamePlace::Member) {
            const Judged &judged = q->judged(word);
            if (!judged.kind.isEmpty() || judged.isLogin)
                takeTextValue(name, judged.kind, judged.isLogin, start);
            return;
        }
        const QString text = QString::fromUtf8(word);
        const QByteArray kind = secretKind(text, name.place);
        if (!kind.isEmpty() || isLoginName(text, name.place))
            takeTextValue(name, kind, kind.isEmpty(), start);
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
        if (end - start > longestMemberName || !isAt(end - 1, '"'))
            return;
        const QByteArrayView word = m_text.sliced(start + 1, qMax<qsizetype>(0, end - start - 2));
        if (word.contains(' '))
            return;
        const QByteArray kind = secretKind(QString::fromUtf8(word), NamePlace::Header);
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

    QByteArray saidBy(qsizetype start, qsizetype end) const
    {
        const QByteArrayView string = m_text.sliced(start, end - start);
        return string.contains('\\') ? json::decoded(string).toUtf8()
                                     : string.sliced(1, qMax<qsizetype>(0, string.size() - 2)).toByteArray();
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

    // With its quotes. json: its escapes are those of JSON.
    void takeQuoted(qsizetype start, const QByteArray &kind, bool isJsonString,
                    SecretMatch::Found found = SecretMatch::Found::ByName) const
    {
        const char quote = m_text[start];
        qsizetype end = 0;
        if (quote == '"') {
            end = closingQuote(start);
        } else {
            const qsizetype close = m_text.indexOf(quote, start + 1);
            end = close < 0 ? 0 : close + 1;
        }
        if (end - start < 3 || !isAt(end - 1, quote))
            return;
        const qsizetype first = start + 1 + schemeLength(m_text.sliced(start + 1, end - start - 2));
        if (first >= end - 1 || isMarkAt(first))
            return;
        const QByteArray whole = isJsonString ? saidBy(start, end) : slice(start + 1, end - 1);
        report(first, end - 1, whole.sliced(qMin(whole.size(), schemeLength(whole))), kind, found);
    }

    // All texts in it, and the numbers that are its own. Each stretch of the text is read a bounded number of times.
    void takeContainer(qsizetype start, const QByteArray &kind)
    {
        if (start < m_covered || m_budget < 0)
            return;
        const char *const end = m_text.data() + m_text.size();
        const qsizetype length = json::endOfContainer(m_text.data() + start, end) - (m_text.data() + start);
        m_budget -= length;
        if (const auto examples = examplesInSchema(m_text.sliced(start, length)); examples && m_text[start] == '{') {
            for (const Stretch &example : *examples)
                takeBelow(start + example.start, start + example.end, kind);
            return;
        }
        m_covered = start + length;
        takeBelow(start, start + length, kind);
    }

    void takeBelow(qsizetype start, qsizetype end, const QByteArray &kind) const
    {
        const json::Document document = json::Document::parse(slice(start, end));
        if (!document.isValid())
            return;
        const json::Value top = document.root();
        std::vector<json::Value> open{top};
        while (!open.empty()) {
            const json::Value value = open.back();
            open.pop_back();
            if (value.isString())
                takeQuoted(start + value.offset(), kind, true);
            else if (value.isNumber())
                takeNumber(start + value.offset(), kind);
            if (!value.isContainer())
                continue;
            for (const json::Value &child : value) {
                if (!child.isNumber() || (value.isArray() && value.isSameNode(top)))
                    open.push_back(child);
            }
        }
    }

    void takeDeclared(qsizetype start, const QSet<QByteArray> &values)
    {
        const auto take = [&](qsizetype at) {
            if (isAt(at, '"')) {
                const qsizetype end = closingQuote(at);
                const QByteArray said = end - at <= longestValue ? saidBy(at, end) : QByteArray();
                if (values.contains(said))
                    report(at + 1, end - 1, said, "secret", SecretMatch::Found::Declared);
                return;
            }
            const char *const number = m_text.data() + at;
            const char *const end = json::endOfNumber(number, m_text.data() + m_text.size());
            if (end && values.contains(QByteArrayView(number, end - number).toByteArray()))
                takeNumber(at, "secret", SecretMatch::Found::Declared);
        };
        if (!isAt(start, '[') && !isAt(start, '{')) {
            take(start);
            return;
        }
        if (m_budget < 0)
            return;
        const char *const end = m_text.data() + m_text.size();
        const qsizetype length = json::endOfContainer(m_text.data() + start, end) - (m_text.data() + start);
        m_budget -= length;
        const json::Document document = json::Document::parse(slice(start, start + length));
        if (!document.isValid())
            return;
        std::vector<json::Value> open{document.root()};
        while (!open.empty()) {
            const json::Value value = open.back();
            open.pop_back();
            for (const json::Value &child : value) {
                if (child.isContainer())
                    open.push_back(child);
                else if (value.isArray())
                    take(start + child.offset());
            }
        }
    }

    // In a text.

    qsizetype endOfValue(qsizetype at)
    {
        const qsizetype start = at;
        const qsizetype end = m_budget < 0 ? at : qMin(m_text.size(), at + longestTextValue);
        while (at < end && !endsValue(m_text[at]))
            ++at;
        m_budget -= at - start;
        return at;
    }

    void takeTextValue(const Name &name, const QByteArray &kind, bool isLogin, qsizetype start)
    {
        static constexpr QByteArrayView ends = ",;&(){}[]";  // of a value that prose or a query surrounds
        const char quote = m_text[start];
        m_isMoreHidden = m_isMoreHidden || quote == '\\';
        if (quote == '$')
            return;  // a variable that holds it
        if ((quote == '"' || quote == '\'') && !isLogin) {
            takeQuoted(start, kind, false);
            return;
        }
        const bool isAttached = start > 0 && m_text[start - 1] == '=' && start - 1 == name.end;
        const bool isCertain = name.isCertain && isAttached;
        if (!isCertain)
            start += schemeLength(m_text.sliced(start));
        qsizetype end = endOfValue(start);
        if (name.place == NamePlace::Query || !isCertain) {
            qsizetype at = start;
            while (at < end && !ends.contains(m_text[at]) && !(name.place == NamePlace::Query && m_text[at] == '#'))
                ++at;
            end = at;
        }
        if (start >= end || isMarkAt(start))
            return;
        if (isLogin) {
            takeLogin(start, end);
            return;
        }
        const QByteArrayView value = m_text.sliced(start, end - start);
        if (!isCertain && (value.size() < shortestTextValue || !looksMadeUp(value)))
            return;
        const bool isQuery = name.place == NamePlace::Query;
        report(start, end, isQuery ? QByteArray::fromPercentEncoding(value.toByteArray()) : value.toByteArray(),
               isQuery ? QByteArray("query") : kind);
    }

    // name:password
    void takeLogin(qsizetype start, qsizetype end) const
    {
        const QByteArrayView value = m_text.sliced(start, qMax<qsizetype>(0, end - start));
        const qsizetype colon = value.indexOf(':');
        const QByteArrayView password = colon > 0 ? value.sliced(colon + 1) : QByteArrayView();
        if (password.isEmpty() || value.contains(' ') || password.startsWith("//") ||
            (isAllDigits(password) && isAllDigits(value.first(colon))) || isMarkAt(start + colon + 1))
            return;
        report(start + colon + 1, end, password.toByteArray(), "password");
    }

    const SecretScanner *q;
    const NameTails &m_tails = secretNameTails();
    QByteArrayView m_text;
    const Visit &m_visit;
    qsizetype m_budget;  // of what may be read more than once
    bool m_isMoreHidden = false;
    qsizetype m_covered = 0;  // everything in front of that place is found already
};

void SecretScanner::addMember(const QByteArray &name, const QByteArray &value)
{
    if (name.size() < 2 || name.size() > longestMemberName || value.isEmpty() || value.size() > longestValue)
        return;
    if (++m_memberCount > mostMembers) {
        m_members.clear();
        m_memberTails.reset();
        m_memberCount = 1;
    }
    m_members[name].insert(value);
    const qsizetype size = name.size();
    for (int c = 0; c < 32; ++c)
        m_memberTails.set(nameTail(size > 2 ? name[size - 3] : char(c), name[size - 2], name[size - 1]));
}

const SecretScanner::Judged &SecretScanner::judged(QByteArrayView name) const
{
    const quint32 sum = quint32(name.size()) * 67 + quint32(uchar(name.front())) * 31 +
                        quint32(uchar(name.back())) * 7 + quint32(uchar(name[name.size() / 2]));
    Judged &known = m_judged[sum % m_judged.size()];
    if (known.name == name)
        return known;
    const QString text = QString::fromUtf8(name);
    known.name = name.toByteArray();
    known.kind = secretKind(text, NamePlace::Member);
    known.isPair = text == u"name" || text == u"key" || text == u"header";
    known.isLogin = known.kind.isEmpty() && isLoginName(text, NamePlace::Member);
    return known;
}

bool SecretScanner::scan(QByteArrayView text, const Visit &visit) const
{
    Pass pass(this, text, visit);
    pass.run();
    if (pass.isMoreHidden() || !text.contains('\\'))
        return pass.isMoreHidden();
    // Letters and slashes that are escaped, which few libraries do.
    static const FoldedNeedle letter("\\u00");
    static const FoldedNeedle slashes(":\\/\\/");
    return letter.isIn(text) || slashes.isIn(text);
}

}  // namespace sonde
