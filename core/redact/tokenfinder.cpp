// SPDX-License-Identifier: Apache-2.0
#include "core/redact/tokenfinder.h"

#include "core/redact/keylines.h"
#include "core/redact/tokenforms.h"

#include <algorithm>

namespace sonde {

namespace {

constexpr qsizetype MaxPrivateKeyLength = 64 * 1024;

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

bool isHexDigit(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

}  // namespace

bool TokenFinder::findToken(qsizetype at)
{
    const TokenForm *form = tokenFormAt(m_text, at);
    if (!form)
        return false;
    const qsizetype start = at - tellingPlace(*form);
    const qsizetype body = start + form->prefix.size();
    if (!isWordStart(m_text, start))
        return false;
    qsizetype end = m_text.endOfRun(body, otherCharacters(form->body));
    for (int i = 0; i < 3 && form->body == TokenBody::Dotted && end > body && m_text[end - 1] == '.'; ++i)
        --end;
    const QByteArrayView rest = m_text.sliced(body, end - body);
    if (rest.size() < form->least || (form->exact > 0 && rest.size() > form->exact))
        return false;
    if (m_text.mayRead(rest.size())) {
        const auto isChosen = [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); };
        if (std::none_of(rest.begin(), rest.end(), isChosen) ||
            (form->body == TokenBody::Hex && !std::all_of(rest.begin(), rest.end(), isHexDigit)))
            return false;
    }
    reportToken(form->part == TokenForm::IsPublic ? body : start, end);
    return true;
}

void TokenFinder::reportToken(qsizetype start, qsizetype end)
{
    if (m_text.mayReport(start, end))
        m_text.report(start, end, m_text.slice(start, end), "token", SecretMatch::Found::ByForm);
}

// Of Telegram, such as 123456789:AA…, also behind the "bot" of an address.
bool TokenFinder::findBotToken(qsizetype colon)
{
    constexpr qsizetype fewestDigits = 6;
    constexpr qsizetype mostDigits = 16;
    constexpr qsizetype shortest = 30;
    if (!m_text.isAt(colon + 1, 'A'))
        return false;
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    qsizetype start = colon;
    while (start > 0 && colon - start <= mostDigits && isDigit(m_text[start - 1]))
        --start;
    if (colon - start < fewestDigits || colon - start > mostDigits)
        return false;
    const qsizetype end = m_text.endOfRun(colon + 1, "_-");
    if (end - colon < shortest)
        return false;
    reportToken(start, end);
    return true;
}

void TokenFinder::findWebToken(qsizetype at)
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
    reportToken(at, end);
}

void TokenFinder::findBearer(qsizetype at)
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
    if (end - start >= shortest && m_text.isMadeUp(start, end))
        reportToken(start, end);
}

// -----BEGIN … PRIVATE KEY-----. One without an end, in a text that was cut, ends with its last line.
void TokenFinder::findPrivateKey(qsizetype at)
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

// By hand, since what is there may be no proper address. A password with a slash ends the authority too early:
// then what looks like a port is no number, and an at sign follows.
void TokenFinder::findAddress(qsizetype colon)
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
