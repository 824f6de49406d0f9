// SPDX-License-Identifier: Apache-2.0
#include "core/redact/secretscanner.h"

#include "core/json/bytesearch.h"
#include "core/redact/jsonvalues.h"
#include "core/redact/loginfinder.h"
#include "core/redact/tokenfinder.h"

#include <QtEndian>
#include <algorithm>
#include <bit>
#include <cstring>

namespace sonde {

namespace {

constexpr qsizetype MaxGap = 64;  // of white space around a separator
constexpr qsizetype MaxMembers = 10'000;

// A number under the name of several is how many there are, and under "pass" how many passed.
bool isCounted(QByteArrayView name)
{
    return name == QByteArrayView("pass") || (name.endsWith('s') && !name.endsWith("pass"));
}

// Calls visit with the place of each byte that a name, a token or a login is found by, the rarest that each of them
// has: one of :=-_.IJKBbw, in order. Looks at sixteen bytes at a time.
template <typename Visit>
void visitTelling(QByteArrayView text, const Visit &visit)
{
    using Block [[gnu::vector_size(16)]] = unsigned char;
    constexpr qsizetype size = sizeof(Block);
    for (qsizetype begin = 0; begin < text.size(); begin += size) {
        Block block{};
        if (text.size() - begin >= size)
            std::memcpy(&block, text.data() + begin, size_t(size));
        else
            std::memcpy(&block, text.data() + begin, size_t(text.size() - begin));
        const auto isAmong = [&block](uchar first, uchar last) { return block - first <= uchar(last - first); };
        const auto hits = isAmong('-', '.') | (block == ':') | (block == '=') | isAmong('I', 'K') | (block == '_') |
                          ((block | uchar(0x20)) == 'b') | (block == 'w');
        for (qsizetype half = 0; half < size; half += qsizetype(sizeof(quint64))) {
            auto bits = qFromLittleEndian<quint64>(reinterpret_cast<const char *>(&hits) + half);
            while (bits != 0) {
                const int byte = std::countr_zero(bits) / 8;
                visit(begin + half + byte);
                bits &= ~(quint64(0xFF) << (8 * byte));
            }
        }
    }
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

}  // namespace

// Goes over a text once, and looks for names itself.
class SecretScanner::Pass {
public:
    Pass(const SecretScanner *scanner, QByteArrayView text, const Visit &visit)
        : q(scanner), m_text(text, visit), m_tokens(m_text), m_values(m_text), m_logins(m_text)
    {}

    void run()
    {
        visitTelling(m_text, [this](qsizetype at) { look(at); });
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

    void look(qsizetype at)
    {
        switch (m_text[at]) {
            case ':':
                findAtColon(at);
                break;
            case '=':
                if (!m_tokens.findToken(at))
                    findNamed(at);
                break;
            case '-':
                findAtDash(at);
                break;
            case '_':
            case '.':
            case 'I':
                m_tokens.findToken(at);
                break;
            case 'B':
            case 'b':
                if (m_text.isAt(at + 1, 'e') || m_text.isAt(at + 1, 'E'))
                    m_tokens.findBearer(at);
                break;
            case 'J':  // eyJ of a web token
                if (m_text.isAt(at - 1, 'y') && m_text.isAt(at - 2, 'e'))
                    m_tokens.findWebToken(at - 2);
                break;
            case 'w':  // password of a netrc file
                if (m_text.isAt(at - 1, 's') || m_text.isAt(at - 1, 'S'))
                    m_logins.findNetrc(at - 1);
                break;
            case 'K':  // SK of Twilio
                if (m_text.isAt(at - 1, 'S') || m_text.isAt(at - 1, 's'))
                    m_tokens.findToken(at);
                break;
            default:
                break;
        }
    }

    void findAtColon(qsizetype at)
    {
        if (m_text.isAt(at + 1, '/') && m_text.isAt(at + 2, '/'))
            m_tokens.findAddress(at);
        else if (at == 0 || !isDigit(m_text[at - 1]) || !m_tokens.findBotToken(at))
            findNamed(at);
    }

    // Of a token, a flag or a private key.
    void findAtDash(qsizetype at)
    {
        if (at >= 2 && m_text[at - 1] == '-') {
            if (m_text.isAt(at + 1, 'B'))
                m_tokens.findPrivateKey(at + 1);
            findFlag(at - 2);
        } else if (at >= 1 && (m_text[at - 1] == ' ' || m_text[at - 1] == '"' || m_text[at - 1] == '\'')) {
            findOption(at);
        } else {
            m_tokens.findToken(at);
        }
    }
    // -u name:password
    void findOption(qsizetype dash)
    {
        if (!m_logins.findOption(dash))
            m_isMoreHidden = true;
    }
    // "--token","…" of a list, and --token … of a line. --token=… is found by its equals sign.
    void findFlag(qsizetype at)
    {
        const char quote = m_text[at];
        if (quote != '"' && quote != '\'' && quote != ' ')
            return;
        const qsizetype name = at + 3;
        const qsizetype nameEnd = m_text.endOfRun(name, "_-.");
        if (nameEnd == name || nameEnd - name > MaxSecretNameLength)
            return;
        const QByteArrayView word = m_text.sliced(name, nameEnd - name);
        const QByteArray kind = mayBeTelling(word) ? q->m_names(word, NamePlace::Flag).kind : QByteArray();
        if (kind.isEmpty()) {
            findOption(at + 1);
            return;
        }
        if (quote == ' ') {
            const qsizetype start = skipBlanks(nameEnd, false);
            const qsizetype end = m_text.endOfValue(start);
            if (start > nameEnd && end - start >= MinTextValueLength && m_text.isMadeUp(start, end) &&
                !m_text.isMarkAt(start))
                m_text.report(start, end, m_text.slice(start, end), kind);
            return;
        }
        m_isMoreHidden = m_isMoreHidden || m_text.isAt(nameEnd, '\\');
        if (!m_text.isAt(nameEnd, quote))
            return;
        qsizetype start = m_text.skipSpace(nameEnd + 1);
        if (!m_text.isAt(start, ','))
            return;
        start = m_text.skipSpace(start + 1);
        if (m_text.isAt(start, quote))
            m_values.reportQuoted(start, kind, false);
    }

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
        if (m_text.isAt(end - 1, '"'))
            return end;
        while (end > 0 && separator - end < MaxGap) {
            const char c = m_text[end - 1];
            const bool isEscape = (c == 't' || c == 'n' || c == 'r') && m_text.isAt(end - 2, '\\');
            if (!isEscape && !json::isSpace(c))
                break;
            --end;
            while (isEscape && m_text.isAt(end - 1, '\\'))
                --end;
        }
        return end;
    }

    // Almost all of them are dismissed by their letters.
    void findNamed(qsizetype separator)
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
        if (last == '"' && q->m_harmless.endAt(m_text, name.end))
            return;
        name.isMember = m_text[separator] == ':' && last == '"';
        if (!findNameStart(name))
            return;
        findValueOf(name, separator);
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
        const JudgedNames::Judged &judged = q->m_names(name, NamePlace::Member);
        m_isMoreHidden = !judged.kind.isEmpty() || judged.isLogin || (!judged.isPair && !q->m_members.isEmpty());
        if (!judged.isPair)
            return;
        qsizetype value = skipBlanks(separator + 1, true);
        while (m_text.isAt(value, '\\') || m_text.isAt(value, '"'))
            ++value;
        const qsizetype valueEnd = m_text.endOfRun(value, "_-.");
        m_isMoreHidden = valueEnd - value <= MaxSecretNameLength && mayTell(m_text.sliced(value, valueEnd - value));
    }

    bool isOfMember(QByteArrayView name) const
    {
        return !q->m_members.isEmpty() && q->m_members.contains(QByteArray::fromRawData(name.data(), name.size()));
    }

    bool mayTell(QByteArrayView name) const { return mayBeTelling(name) || isOfMember(name); }

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
            if (m_text.isAt(name.end, '"'))
                q->m_harmless.add(m_text.sliced(start - 1, name.end - start + 1));
            return false;
        }
        if (name.isQuoted)
            return true;
        // The end of an escape is no part of the name behind it.
        if (m_text.isAt(name.start - 1, '\\') && QByteArrayView("nrtbf").contains(m_text[name.start]))
            ++name.start;
        // The kind within a mark.
        return name.start < name.end && !(name.start >= 3 && m_text.sliced(name.start - 3, 3) == MarkBegin);
    }

    void findValueOf(Name &name, qsizetype separator)
    {
        const QByteArrayView word = m_text.sliced(name.start, name.end - name.start);
        if (m_text[separator] == '=' && !name.isQuoted)
            placeOf(name, word);
        const qsizetype start =
            name.isMember ? m_text.skipSpace(separator + 1) : skipBlanks(separator + 1, m_text[separator] == ':');
        if (start >= m_text.size() || m_text.isMarkAt(start))
            return;
        if (name.isMember) {
            reportMember(word, q->m_names(word, NamePlace::Member), start);
            return;
        }
        const JudgedNames::Judged &judged = q->m_names(word, name.place);
        if (!judged.kind.isEmpty() || judged.isLogin)
            reportTextValue(name, judged.kind, judged.isLogin, start);
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

    void reportMember(QByteArrayView name, const JudgedNames::Judged &judged, qsizetype start)
    {
        if (!judged.kind.isEmpty()) {
            const QByteArray kind = judged.kind;
            m_values.reportJson(start, kind, !isCounted(name), true);
            return;
        }
        if (!q->m_members.isEmpty()) {
            const auto declared = q->m_members.constFind(name.toByteArray());
            if (declared != q->m_members.constEnd())
                m_values.reportDeclared(start, *declared);
        }
        if (!m_text.isAt(start, '"'))
            return;
        if (judged.isLogin)
            reportLogin(start + 1, m_text.closingQuote(start) - 1);
        else if (judged.isPair)
            findPair(start);
    }

    // {"name":"Authorization","value":"…"}
    void findPair(qsizetype start)
    {
        constexpr QByteArrayView valueName = "\"value\"";
        const qsizetype end = m_text.closingQuote(start);
        if (end - start > MaxSecretNameLength + 2 || !m_text.isAt(end - 1, '"'))
            return;
        const QByteArrayView word = m_text.sliced(start + 1, qMax<qsizetype>(0, end - start - 2));
        if (word.contains(' '))
            return;
        const QByteArray kind = mayBeTelling(word) ? q->m_names(word, NamePlace::Header).kind : QByteArray();
        qsizetype at = kind.isEmpty() ? -1 : m_text.skipSpace(end);
        if (at < 0 || !m_text.isAt(at, ','))
            return;
        at = m_text.skipSpace(at + 1);
        if (!m_text.sliced(at).startsWith(valueName))
            return;
        at = m_text.skipSpace(at + valueName.size());
        if (m_text.isAt(at, ':'))
            m_values.reportJson(m_text.skipSpace(at + 1), kind, true, false);
    }

    // $NAME, ${NAME}, $(command), $1: what holds the value, or makes it.
    bool isReference(qsizetype start, qsizetype end) const
    {
        const QByteArrayView rest = m_text.sliced(start + 1, qMax<qsizetype>(0, end - start - 1));
        if (rest.isEmpty() || rest.startsWith('{') || rest.startsWith('('))
            return true;
        const auto isSmall = [](char c) { return c >= 'a' && c <= 'z'; };
        const bool isMixed = std::any_of(rest.begin(), rest.end(), isDigit) &&
                             (std::any_of(rest.begin(), rest.end(), isSmall) || isDigit(rest.front()));
        return std::all_of(rest.begin(), rest.end(), [](char c) { return isLetterOrDigit(c) || c == '_'; }) &&
               (!isMixed || rest.size() == 1);
    }

    void reportTextValue(const Name &name, const QByteArray &kind, bool isLogin, qsizetype start)
    {
        static constexpr QByteArrayView ends = ",;&(){}[]";  // of a value that prose or a query surrounds
        const char quote = m_text[start];
        m_isMoreHidden = m_isMoreHidden || quote == '\\';
        const bool isQuoted = quote == '"' || (quote == '\'' && m_text.indexOf(quote, start + 1) >= 0);
        if (isQuoted && !isLogin) {
            m_values.reportQuoted(start, kind, false);
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
            isQuery ? m_text.endOfAll(m_queryValue, start,
                                      [](char c) { return !endsValue(c) && !ends.contains(c) && c != '#'; })
            : isCertain
                ? m_text.endOfValue(start)
                : m_text.endOfAll(m_textValue, start, [](char c) { return !endsValue(c) && !ends.contains(c); });
        if (start >= end || m_text.isMarkAt(start))
            return;
        if (quote == '$' && m_text[start] == '$' && isReference(start, m_text.endOfValue(start)))
            return;
        if (isLogin) {
            reportLogin(start, end);
            return;
        }
        if (!isCertain && (end - start < MinTextValueLength || !m_text.isMadeUp(start, end) ||
                           isTestResult(m_text.sliced(name.start, name.end - name.start), start, end)))
            return;
        if (!m_text.mayReport(start, end))
            return;
        const QByteArray value = m_text.slice(start, end);
        m_text.report(start, end, isQuery ? QByteArray::fromPercentEncoding(value) : value,
                      isQuery ? QByteArray("query") : kind);
    }

    // PASS: test_foo_bar_123, of whatever runs tests.
    bool isTestResult(QByteArrayView name, qsizetype start, qsizetype end) const
    {
        constexpr qsizetype maxLength = 400;
        return (name == "PASS" || name == "XPASS") && end - start <= maxLength &&
               isIdentifier(m_text.sliced(start, end - start));
    }

    // name:password
    void reportLogin(qsizetype start, qsizetype end) const
    {
        const QByteArrayView value = m_text.sliced(start, qMax<qsizetype>(0, end - start));
        const qsizetype password = value.contains(' ') ? -1 : passwordOfLogin(value);
        if (password >= 0)
            m_text.report(start + password, end, m_text.slice(start + password, end), "password");
    }

    const SecretScanner *q;
    ScannedText m_text;
    TokenFinder m_tokens;
    JsonValues m_values;
    LoginFinder m_logins;
    bool m_isMoreHidden = false;
    Stretch m_textValue;
    Stretch m_queryValue;
};

void SecretScanner::addMember(const QByteArray &name, const QByteArray &value)
{
    if (name.isEmpty() || name.size() > MaxSecretNameLength || value.isEmpty())
        return;
    if (++m_memberCount > MaxMembers) {
        m_members.clear();
        m_memberCount = 1;
    }
    m_members[name].insert(JsonValues::keptAs(value));
    m_harmless = {};
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
