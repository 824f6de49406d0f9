// SPDX-License-Identifier: Apache-2.0
#include "core/transport/process/commandline.h"

#include <QCoreApplication>
#include <QDir>
#include <QRegularExpression>

#include <algorithm>
#include <optional>

namespace sonde {

namespace {
using namespace Qt::StringLiterals;

struct Context {
    Q_DECLARE_TR_FUNCTIONS(sonde::CommandLine)
};

bool isNameStart(QChar c)
{
    return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || c == u'_';
}

class Splitter {
public:
    explicit Splitter(const QString &text) : m_text(text) {}

    Result<CommandLine> run()
    {
        while (m_at < m_text.size() && m_unclosed < 0)
            step();
        if (m_unclosed >= 0) {
            const QString quote = m_text.mid(m_unclosed, 1);
            Error error = Error::local(Context::tr("Unclosed quote %1 at position %2.").arg(quote).arg(m_unclosed + 1));
            error.detail = m_text.mid(m_unclosed, 80);
            return error;
        }
        endWord();
        return std::move(m_result);
    }

private:
    void step()
    {
        const QChar c = m_text.at(m_at);
        if (c == u' ' || c == u'\t' || c == u'\n' || c == u'\r') {
            endWord();
            if (c == u'\n')
                endLine();
            ++m_at;
        } else if (c == u'\'') {
            singleQuoted();
        } else if (c == u'"') {
            doubleQuoted();
        } else if (c == u'\\') {
            escaped();
        } else {
            addFinding(c);
            append(c);
            ++m_at;
        }
    }

    void singleQuoted()
    {
        const qsizetype end = m_text.indexOf(u'\'', m_at + 1);
        if (end < 0) {
            m_unclosed = m_at;
            return;
        }
        quote();
        m_word += QStringView(m_text).sliced(m_at + 1, end - m_at - 1);
        m_at = end + 1;
    }

    void doubleQuoted()
    {
        const qsizetype begin = m_at;
        quote();
        for (++m_at; m_at < m_text.size(); ++m_at) {
            QChar c = m_text.at(m_at);
            if (c == u'"') {
                ++m_at;
                return;
            }
            if (c == u'\\' && m_at + 1 < m_text.size()) {
                const QChar next = m_text.at(m_at + 1);
                if (next == u'\n') {
                    ++m_at;
                    continue;
                }
                if (next == u'"' || next == u'\\' || next == u'$' || next == u'`') {
                    ++m_at;
                    c = next;
                }
            }
            m_word += c;
        }
        m_unclosed = begin;
    }

    void escaped()
    {
        if (m_at + 1 < m_text.size() && m_text.at(m_at + 1) == u'\n') {  // joins the lines, makes no word
            m_at += 2;
            return;
        }
        if (m_at + 2 < m_text.size() && m_text.at(m_at + 1) == u'\r' && m_text.at(m_at + 2) == u'\n') {
            m_at += 3;
            return;
        }
        quote();
        // A backslash at the very end stands for itself, as in sh.
        m_word += m_at + 1 < m_text.size() ? m_text.at(m_at + 1) : QChar(u'\\');
        m_at += 2;
    }

    void append(QChar c)
    {
        // NAME= without quotes in front of the program makes the word an assignment.
        if (c == u'=' && !m_hasQuotes && m_assignAt < 0 && !m_word.isEmpty() && isNameStart(m_word.front()) &&
            std::all_of(m_word.cbegin(), m_word.cend(),
                        [](QChar x) { return isNameStart(x) || (x >= u'0' && x <= u'9'); })) {
            m_assignAt = m_word.size();
        }
        m_inWord = true;
        m_word += c;
    }

    void quote()
    {
        m_inWord = true;
        m_hasQuotes = true;
    }

    void endWord()
    {
        if (!m_inWord)
            return;
        if (m_assignAt > 0 && m_result.words.isEmpty())
            m_result.environment.append({m_word.left(m_assignAt), m_word.mid(m_assignAt + 1)});
        else
            m_result.words.append(m_word);
        m_word.clear();
        m_inWord = m_hasQuotes = false;
        m_assignAt = -1;
    }

    // A line of options goes on with the command of the line before: a text that was wrapped somewhere.
    void endLine()
    {
        const QStringView next = QStringView(m_text).sliced(m_at).trimmed();
        const bool isFirst = m_result.words.isEmpty() && m_result.environment.isEmpty();
        if (m_result.separatorAt >= 0 || isFirst || next.isEmpty() || next.startsWith(u'-'))
            return;
        m_result.separatorAt = m_at;
        m_result.separatorEnd = m_at + 1;
    }

    void addFinding(QChar c)
    {
        const QChar next = m_at + 1 < m_text.size() ? m_text.at(m_at + 1) : QChar();
        const bool isAnd = c == u'&' && next == u'&';
        if (m_result.separatorAt < 0 && (isAnd || (c == u';' && (next.isNull() || next.isSpace())))) {
            m_result.separatorAt = m_at;
            m_result.separatorEnd = m_at + (isAnd ? 2 : 1);
        }
        if (!m_result.finding.isEmpty())
            return;
        QString found;
        if (c == u'|' || c == u'&' || c == u'>')
            found = next == c ? QString(2, c) : QString(c);
        else if (c == u'<' || c == u';' || c == u'`')
            found = c;
        else if (c == u'$' && (next == u'(' || next == u'{' || isNameStart(next)))
            found = next == u'(' ? u"$(…)"_s : u"$NAME"_s;
        else if (c == u'~' && !m_inWord && (next == u'/' || next.isNull() || next.isSpace()))
            found = c;
        else if (c == u'*')
            found = c;
        if (!found.isEmpty()) {
            m_result.finding =
                Context::tr("No shell is used: %1 is passed as is. Use sh -c '…' if you need a shell.").arg(found);
        }
    }

    const QString &m_text;
    qsizetype m_at = 0;
    qsizetype m_unclosed = -1;
    QString m_word;
    bool m_inWord = false;
    bool m_hasQuotes = false;
    qsizetype m_assignAt = -1;
    CommandLine m_result;
};

bool isPlain(QChar c)
{
    return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9') ||
           QStringView(u"_-./:=@%+,").contains(c) || c.unicode() >= 0xA1;
}

QString quotedWord(const QString &word, bool canBeAssignment)
{
    const bool plain = !word.isEmpty() && std::all_of(word.cbegin(), word.cend(), isPlain) &&
                       !(canBeAssignment && word.contains(u'='));
    if (plain)
        return word;
    QString text = word;
    return u'\'' + text.replace(u'\'', "'\\''"_L1) + u'\'';
}

// Before "&&", ";" or the end of a line. Nothing when it is a command of its own.
struct Preparation {
    std::optional<QString> folder;
    QList<std::pair<QString, QString>> environment;
};
std::optional<Preparation> preparationIn(const CommandLine &line)
{
    Preparation found;
    found.environment = line.environment;
    if (line.words.isEmpty())
        return line.environment.isEmpty() ? std::nullopt : std::optional(found);
    const QStringList arguments = line.words.mid(1);
    if (line.words.first() == u"cd" && arguments.size() <= 1) {
        found.folder = arguments.value(0, u"~"_s);
        return found;
    }
    if (line.words.first() != u"export" || arguments.isEmpty())
        return {};
    for (const QString &assignment : arguments) {
        const qsizetype equals = assignment.indexOf(u'=');
        if (equals < 1)
            return {};
        found.environment.append({assignment.left(equals), assignment.mid(equals + 1)});
    }
    return found;
}

// Beyond "~" and $HOME only a shell knows what is meant.
Result<QString> folderWritten(QString folder)
{
    if (folder == u"~" || folder.startsWith(u"~/"))
        folder.replace(0, 1, QDir::homePath());
    for (const QString &home : {u"$HOME"_s, u"${HOME}"_s}) {
        if (folder == home || folder.startsWith(home + u'/'))
            folder.replace(0, home.size(), QDir::homePath());
    }
    if (folder.contains(u'$') || folder.contains(u'`') || folder == u"-" || folder.startsWith(u'~'))
        return Error::local(Context::tr("No shell is used, so the folder '%1' cannot be resolved.").arg(folder),
                            Context::tr("Enter the full path, or use sh -c '…'."));
    return folder;
}

}  // namespace

Result<CommandLine> splitCommandLine(const QString &text)
{
    return Splitter(text).run();
}

Result<StartLine> readStartLine(const QString &text)
{
    StartLine line;
    QList<std::pair<QString, QString>> environment;
    QString rest = text;
    for (;;) {
        Result<CommandLine> split = splitCommandLine(rest);
        if (!split)
            return split.error();
        line.command = std::move(split).value();
        if (line.command.separatorAt < 0)
            break;
        const Result<CommandLine> head = splitCommandLine(rest.left(line.command.separatorAt));
        const std::optional<Preparation> preparation = head ? preparationIn(*head) : std::nullopt;
        if (!preparation && rest[line.command.separatorAt] == u'\n')
            return Error::local(Context::tr("The text contains several commands, one on each line."),
                                Context::tr("Enter one command at a time."));
        if (!preparation)
            break;
        if (preparation->folder) {
            const Result<QString> folder = folderWritten(*preparation->folder);
            if (!folder)
                return folder.error();
            line.folder = line.folder.isEmpty() ? *folder : QDir(line.folder).filePath(*folder);
        }
        environment += preparation->environment;
        rest = rest.mid(line.command.separatorEnd);
    }
    line.command.environment = environment + line.command.environment;
    QStringList &words = line.command.words;
    if (words.size() > 1 && words.first() == u"exec")
        words.removeFirst();
    if (words.size() <= 2 && words.value(0) == u"cd")
        return Error::local(Context::tr("'cd' only changes the folder; no server would be started."),
                            Context::tr("Use cd FOLDER && COMMAND."));
    return line;
}

QList<std::pair<QString, QString>> takeAssignments(QStringList *words)
{
    static const QRegularExpression assignment(u"^([A-Za-z_][A-Za-z0-9_]*)=(.*)$"_s,
                                               QRegularExpression::DotMatchesEverythingOption);
    QList<std::pair<QString, QString>> variables;
    while (words->size() > 1) {
        const QRegularExpressionMatch match = assignment.match(words->first());
        if (!match.hasMatch())
            break;
        variables.append({match.captured(1), match.captured(2)});
        words->removeFirst();
    }
    return variables;
}

QString joinCommandLine(const QStringList &words)
{
    QStringList parts;
    for (const QString &word : words)
        parts += quotedWord(word, parts.isEmpty());
    return parts.join(u' ');
}

}  // namespace sonde
