// SPDX-License-Identifier: Apache-2.0
#include "core/redact/tokenfinder.h"

#include "core/redact/keylines.h"

#include <algorithm>

namespace sonde {

// A token is found by one byte of its prefix, the rarest.
struct TokenForm {
    QByteArrayView prefix;
    qsizetype telling = 0;  // place of that byte in it
    QByteArrayView others;  // besides letters and digits
    qsizetype least = 0;    // characters behind the prefix
    qsizetype exact = 0;    // so many, where it is not any number of them
};

namespace {

constexpr qsizetype MaxPrivateKeyLength = 64 * 1024;

constexpr std::array<TokenForm, 24> TokenForms = {
    {{"ghp_", 3, "", 20},     {"gho_", 3, "", 20},         {"ghu_", 3, "", 20},     {"ghs_", 3, "", 20},
     {"ghr_", 3, "", 20},     {"github_pat_", 6, "_", 20}, {"sk_live_", 2, "", 16}, {"sk_test_", 2, "", 16},
     {"rk_live_", 2, "", 16}, {"npm_", 3, "", 36, 36},     {"glpat-", 5, "_-", 20}, {"sk-", 2, "_-", 20},
     {"xoxa-", 4, "-", 10},   {"xoxb-", 4, "-", 10},       {"xoxe-", 4, "-", 10},   {"xoxo-", 4, "-", 10},
     {"xoxp-", 4, "-", 10},   {"xoxr-", 4, "-", 10},       {"xoxs-", 4, "-", 10},   {"xapp-", 4, "-", 10},
     {"pypi-", 4, "_-", 40},  {"AKIA", 2, "", 16, 16},     {"ASIA", 2, "", 16, 16}, {"AIza", 1, "_-", 35, 35}}};

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

}  // namespace

void TokenFinder::takeToken(qsizetype at)
{
    for (const TokenForm &form : TokenForms) {
        if (m_text[at] != form.prefix[form.telling] || at < form.telling || m_text[at - form.telling] != form.prefix[0])
            continue;
        const qsizetype start = at - form.telling;
        if (m_text.sliced(start).startsWith(form.prefix) && isWordStart(m_text, start)) {
            takeToken(start, form);
            return;
        }
    }
}

void TokenFinder::takeToken(qsizetype at, const TokenForm &form)
{
    const qsizetype start = at + form.prefix.size();
    const qsizetype end = m_text.endOfRun(start, form.others);
    const QByteArrayView rest = m_text.sliced(start, end - start);
    const auto isChosen = [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); };
    if (rest.size() < form.least || (form.exact > 0 && rest.size() > form.exact))
        return;
    if (m_text.mayRead(rest.size()) && std::none_of(rest.begin(), rest.end(), isChosen))
        return;
    if (m_text.mayReport(at, end))
        m_text.report(at, end, m_text.slice(at, end), "token", SecretMatch::Found::ByForm);
}

void TokenFinder::takeWebToken(qsizetype at)
{
    if (!isWordStart(m_text, at))
        return;
    const qsizetype body = m_text.endOfRun(at, "_-") + 1;
    if (body - at < 12 || !m_text.isAt(body - 1, '.') || !m_text.sliced(body).startsWith("eyJ"))
        return;
    const qsizetype signature = m_text.endOfRun(body, "_-") + 1;
    if (!m_text.isAt(signature - 1, '.'))
        return;
    const qsizetype end = m_text.endOfRun(signature, "_-");
    if (m_text.mayReport(at, end))
        m_text.report(at, end, m_text.slice(at, end), "token", SecretMatch::Found::ByForm);
}

void TokenFinder::takeBearer(qsizetype at)
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
    const qsizetype end = m_text.endOfRun(start, "._~+/=-");
    if (end - start >= shortest && m_text.isMadeUp(start, end) && m_text.mayReport(start, end))
        m_text.report(start, end, m_text.slice(start, end), "token", SecretMatch::Found::ByForm);
}

// -----BEGIN … PRIVATE KEY-----. One without an end, in a text that was cut, ends with its last line.
void TokenFinder::takePrivateKey(qsizetype at)
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
    m_text.report(start, end, m_text.slice(start, end), "privatekey", SecretMatch::Found::ByForm);
    // Somebody may have taken it apart.
    qsizetype line = start;
    for (qsizetype i = start; i <= end; ++i) {
        if (i < end && isKeyByte(m_text, i))
            continue;
        if (i - line >= ShortestKeyLine && isSearchedElsewhere(m_text.sliced(line, i - line)))
            m_text.report(line, i, m_text.slice(line, i), "privatekey", SecretMatch::Found::ByForm);
        line = i + 1;
    }
}

// -1: too far away. The next one is looked for once only.
qsizetype TokenFinder::endOfKey(qsizetype body)
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

// By hand, since what stands there may be no proper address. A password with a slash ends the authority too early:
// then what looks like a port is no number, and an at sign follows.
void TokenFinder::takeAddress(qsizetype colon)
{
    qsizetype scheme = colon;
    while (scheme > 0 && isOf(m_text[scheme - 1], "+.-"))
        --scheme;
    if (scheme == colon)
        return;
    const qsizetype start = colon + 3;
    const qsizetype textEnd = m_text.size();
    qsizetype authorityEnd = start;
    qsizetype at = -1;
    qsizetype password = -1;
    for (; authorityEnd < textEnd && !endsValue(m_text[authorityEnd]); ++authorityEnd) {
        const char c = m_text[authorityEnd];
        if (c == '/' || c == '?' || c == '#' || c == '(' || c == ')' || c == '{')
            break;
        if (c == '@')
            at = authorityEnd;
        else if (c == ':' && password < 0)
            password = authorityEnd + 1;
    }
    if (at < 0 && password > start + 1 && m_text[start] != '[' &&
        !isAllDigits(m_text.sliced(password, authorityEnd - password)) && authorityEnd < textEnd) {
        authorityEnd = m_text.endOfAll(m_userInfo, authorityEnd, [](char c) { return !endsValue(c) && c != '@'; });
        at = m_text.isAt(authorityEnd, '@') ? authorityEnd : -1;
    }
    if (at <= start || m_text.isMarkAt(start))
        return;
    const bool hasPassword = password > start && password < at;
    const QByteArrayView name = m_text.sliced(scheme, colon - scheme);
    // https://TOKEN@host; elsewhere, as in ssh://git@host, it is a mere name.
    if (!hasPassword && (!name.startsWith("http") || at - start < MinTextValueLength))
        return;
    if (!m_text.mayReport(start, at))
        return;
    const QByteArray info = m_text.slice(start, at);
    m_text.report(start, at, info, "userinfo", SecretMatch::Found::InAddress);
    // What may come back by itself.
    for (const QByteArray &part : {hasPassword ? m_text.slice(start, password - 1) : info,
                                   hasPassword ? m_text.slice(password, at) : QByteArray()}) {
        const QByteArray decoded = QByteArray::fromPercentEncoding(part);
        if (isSearchedElsewhere(decoded))
            m_text.report(start, at, decoded, "userinfo", SecretMatch::Found::InAddress);
    }
}

}  // namespace sonde
