// SPDX-License-Identifier: Apache-2.0
#include "core/redact/loginfinder.h"

#include <algorithm>

namespace sonde {

namespace {

// An option whose value is a password, or name:password.
struct LoginOption {
    enum Value : quint8 { Password, Login };
    enum Place : quint8 { Attached = 1, Next = 2 };

    QByteArrayView program;
    QByteArrayView name;
    Value value = Password;
    quint8 places = Attached | Next;
};

constexpr std::array<LoginOption, 9> LoginOptions = {{
    {"curl", "-u", LoginOption::Login, LoginOption::Attached | LoginOption::Next},
    {"curl", "-U", LoginOption::Login, LoginOption::Attached | LoginOption::Next},
    {"curl", "--user", LoginOption::Login, LoginOption::Next},
    {"curl", "--proxy-user", LoginOption::Login, LoginOption::Next},
    {"mysql", "-p", LoginOption::Password, LoginOption::Attached},
    {"mariadb", "-p", LoginOption::Password, LoginOption::Attached},
    {"sshpass", "-p", LoginOption::Password, LoginOption::Attached | LoginOption::Next},
    {"redis-cli", "-a", LoginOption::Password, LoginOption::Next},
    {"ldapsearch", "-w", LoginOption::Password, LoginOption::Next},
}};

constexpr qsizetype MaxCommandLength = 4096;
constexpr qsizetype MaxWordLength = 200;
constexpr qsizetype MaxProgramLength = 16;
constexpr int MaxNetrcPairs = 4;

// Of the programs of a database that share its name too, such as mysqldump.
bool isProgram(QByteArrayView word, QByteArrayView program)
{
    return word == program || (program.startsWith('m') && word.startsWith(program) && word.size() <= MaxProgramLength);
}

bool isQuote(char c)
{
    return c == '"' || c == '\'';
}

// -p3306:3306 of docker run --name mysql.
bool isPorts(QByteArrayView value)
{
    return value.contains(':') && std::none_of(value.begin(), value.end(),
                                               [](char c) { return (c < '0' || c > '9') && c != ':' && c != '.'; });
}

}  // namespace

bool LoginFinder::findOption(qsizetype start)
{
    const QByteArrayView rest = m_text.sliced(start);
    const bool isLong = rest.startsWith("--");
    const auto isNamed = [&](const LoginOption &option) { return rest.startsWith(option.name); };
    if (std::none_of(LoginOptions.begin(), LoginOptions.end(), isNamed))
        return true;
    const QByteArrayView program = programInFrontOf(start);
    if (program.isEmpty())
        return true;
    for (const LoginOption &option : LoginOptions) {
        if (!isNamed(option) || !isProgram(program, option.program))
            continue;
        const bool isLogin = option.value == LoginOption::Login;
        const char quote = start > 0 ? m_text[start - 1] : ' ';
        const qsizetype nameEnd = start + option.name.size();
        if (nameEnd >= m_text.size())
            return true;
        if (m_text[nameEnd] == '\\')
            return false;
        const bool isAttached = !isBlank(m_text[nameEnd]) && m_text[nameEnd] != quote;
        if (isAttached) {
            if (isLong || !(option.places & LoginOption::Attached))
                return true;
            const bool hasQuote = isQuote(m_text[nameEnd]);
            const qsizetype value = nameEnd + (hasQuote ? 1 : 0);
            const qsizetype end = hasQuote         ? m_text.indexOf(m_text[nameEnd], value)
                                  : isQuote(quote) ? m_text.indexOf(quote, value)
                                                   : m_text.endOfValue(value);
            report(isLogin, value, end);
            return true;
        }
        if (!(option.places & LoginOption::Next))
            return true;
        qsizetype value = nameEnd;
        if (isQuote(quote) && m_text[nameEnd] == quote) {
            value = m_text.skipSpace(nameEnd + 1);
            if (!m_text.isAt(value, ','))
                return true;
            value = m_text.skipSpace(value + 1);
        } else {
            while (value < m_text.size() && isBlank(m_text[value]))
                ++value;
        }
        if (value >= m_text.size())
            return true;
        if (m_text[value] == '\\')
            return false;
        const char opening = m_text[value];
        if (isQuote(opening))
            report(isLogin, value + 1, m_text.indexOf(opening, value + 1));
        else
            report(isLogin, value, m_text.endOfValue(value));
        return true;
    }
    return true;
}

void LoginFinder::report(bool isLogin, qsizetype start, qsizetype end)
{
    if (end <= start || m_text.isMarkAt(start) || m_text[start] == '$')
        return;
    qsizetype first = start;
    if (isLogin) {
        const qsizetype password = passwordOfLogin(m_text.sliced(start, end - start));
        if (password < 0)
            return;
        first += password;
    }
    if (isLogin ? !m_text.isMarkAt(first) && m_text[first] != '$' : !isPorts(m_text.sliced(first, end - first)))
        m_text.report(first, end, m_text.slice(first, end), "password");
}

// The last one that an option of the list belongs to, in the same command. Each stretch of the text is read once.
QByteArrayView LoginFinder::programInFrontOf(qsizetype at)
{
    qsizetype i = qMax(m_read, at - MaxCommandLength);
    if (i > m_read)
        m_program = {};
    const auto isWordByte = [](char c) { return isLetterOrDigit(c) || c == '-' || c == '_'; };
    while (i < at) {
        const char c = m_text[i];
        if (isWordByte(c)) {
            const qsizetype start = i;
            while (i < at && isWordByte(m_text[i]))
                ++i;
            noteProgram(start, i);
            continue;
        }
        qsizetype end = i + 1;
        if (c == '\\') {
            while (end < at && m_text[end] == '\\')
                ++end;
            // \n ends the command, \\\n goes on with it on the next line.
            if (end < at && m_text[end] == 'n' && end - i == 1)
                m_program = {};
            end = qMin(at, end + 1);
        } else if (c == '\n' || (end < m_text.size() && (c == '|' || c == ';' || c == '&') && isBlank(m_text[end]))) {
            m_program = {};
        }
        i = end;
    }
    m_read = qMax(m_read, at);
    return m_program;
}

void LoginFinder::noteProgram(qsizetype start, qsizetype end)
{
    const QByteArrayView word = m_text.sliced(start, end - start);
    // An argument is not one.
    const bool isFirst = word.front() != '-' && !m_text.isAt(end, '.') && !m_text.isAt(end, ':');
    if (isFirst && std::any_of(LoginOptions.begin(), LoginOptions.end(),
                               [word](const LoginOption &option) { return isProgram(word, option.program); }))
        m_program = word;
}

// The words of a netrc file come in pairs that begin with "machine", or with a "default" alone.
void LoginFinder::findNetrc(qsizetype at)
{
    constexpr QByteArrayView word = "password";
    const qsizetype start = at - 3;
    if (start < 1 || !m_text.sliced(start).startsWith(word))
        return;
    const auto isGap = [this](qsizetype place) {
        const char c = m_text[place];
        return json::isSpace(c) || (place > 0 && m_text[place - 1] == '\\' && (c == 'n' || c == 't' || c == 'r')) ||
               c == '\\';
    };
    qsizetype value = start + word.size();
    if (value >= m_text.size() || !(json::isSpace(m_text[value]) || m_text[value] == '\\'))
        return;
    const auto wordBefore = [&](qsizetype *end) {
        while (*end > 0 && isGap(*end - 1))
            --*end;
        const qsizetype last = *end;
        while (*end > 0 && last - *end < MaxWordLength && !isGap(*end - 1) && !isQuote(m_text[*end - 1]))
            --*end;
        return m_text.sliced(*end, last - *end);
    };
    qsizetype before = start;
    bool isNetrc = false;
    for (int i = 0; i < MaxNetrcPairs && !isNetrc; ++i) {
        if (wordBefore(&before) == QByteArrayView("default")) {
            isNetrc = i > 0;  // "the default password" is prose
            break;
        }
        const QByteArrayView name = wordBefore(&before);
        if (name == QByteArrayView("machine"))
            isNetrc = true;
        else if (name != QByteArrayView("login") && name != QByteArrayView("account"))
            return;
    }
    if (!isNetrc)
        return;
    while (value < m_text.size() && (json::isSpace(m_text[value]) || m_text[value] == '\\'))
        value += m_text[value] == '\\' ? 2 : 1;
    const qsizetype end = value < m_text.size() ? m_text.endOfValue(value) : value;
    if (end > value && !m_text.isMarkAt(value))
        m_text.report(value, end, m_text.slice(value, end), "password");
}

}  // namespace sonde
