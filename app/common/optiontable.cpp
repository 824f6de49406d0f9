// SPDX-License-Identifier: Apache-2.0
#include "app/common/optiontable.h"

#include "core/json/closestname.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <vector>

using namespace Qt::StringLiterals;

namespace sonde::app {
namespace {

struct OptionTableText {
    Q_DECLARE_TR_FUNCTIONS(sonde::app)
};

bool isNumber(const QString &word)
{
    return !word.isEmpty() && std::all_of(word.begin(), word.end(), [](QChar c) { return c.isDigit(); });
}

// Fills lines of at most that many columns. Those after the first are indented.
QStringList filled(const QStringList &words, qsizetype columns, qsizetype indent)
{
    QStringList lines;
    QString line;
    for (const QString &word : words) {
        if (!line.isEmpty() && line.size() + 1 + word.size() > columns)
            lines.append(std::exchange(line, QString(indent, u' ') + word));
        else
            line += (line.isEmpty() ? QString() : u" "_s) + word;
    }
    return lines << line;
}

// What is in brackets stays on one line.
QString filledUsage(const QString &start, const QString &usage)
{
    static const QRegularExpression blank(u" (?![^\\[(]*[\\])])"_s);
    return filled((start + usage).split(blank), HelpColumns, start.size()).join(u'\n') + u'\n';
}

class OptionReader {
public:
    OptionReader(const OptionTable &table, const QStringList &words)
        : m_table(table), m_words(words), m_counts(size_t(table.operands.size()))
    {}

    Misuse run()
    {
        while (m_next < m_words.size() && !m_hasEnded) {
            if (const Misuse wrong = word(m_words.at(m_next++)))
                return wrong;
        }
        return m_hasEnded ? Misuse() : missingOperand();
    }

private:
    Misuse word(const QString &text)
    {
        if (m_areOptionsOver)
            return operand(text);
        if (text == "--"_L1)
            return dashes();
        // Where "--" begins a command, nothing could protect an argument that begins with one dash.
        const bool isDashed = text.size() > 1 && text.startsWith(u'-');
        const bool isOption = text.startsWith("--"_L1) || (isDashed && (!m_table.command || m_table.find(text)));
        return isOption ? option(text) : operand(text);
    }

    Misuse dashes()
    {
        m_areOptionsOver = true;
        if (!m_table.command)
            return {};
        *m_table.command = m_words.mid(m_next);
        m_next = m_words.size();
        return m_table.command->isEmpty() ? Misuse{OptionTableText::tr("expected a command after --")} : Misuse();
    }

    Misuse option(const QString &text)
    {
        const qsizetype equals = text.startsWith("--"_L1) ? text.indexOf(u'=') : -1;
        const QString name = text.left(equals);
        const Option *option = m_table.find(name);
        if (!option)
            return unknown(name);
        m_seen.append(option->names());
        m_hasEnded = option->endsReading;
        const QString form = option->value();
        QString value = equals < 0 ? QString() : text.mid(equals + 1);
        if (form.isEmpty()) {
            if (equals >= 0)
                return {OptionTableText::tr("%1 takes no value").arg(name)};
        } else if (form.startsWith(u'[')) {
            if (equals < 0 && isNumber(m_words.value(m_next)))
                value = m_words.at(m_next++);
        } else {
            // What an unset variable of the shell leaves is no value.
            if (equals < 0 && m_next < m_words.size() && m_words.at(m_next) != "--"_L1)
                value = m_words.at(m_next++);
            if (value.isEmpty())
                return {OptionTableText::tr("%1 needs a value: %2").arg(name, form)};
        }
        return {option->target.take(value)};
    }

    Misuse unknown(const QString &name) const
    {
        QStringList own;
        bool isSharing = false;
        for (const OptionSection &section : m_table.sections) {
            isSharing = isSharing || section.isShared;
            for (const Option &each : section.options) {
                if (!section.isShared && !each.help.isEmpty() && each.form.startsWith(u'-') && !each.endsReading)
                    own.append(each.names().constLast());
            }
        }
        if (isSharing)
            own.append(OptionTableText::tr("common options"));
        QString text = OptionTableText::tr("unknown option '%1'").arg(name);
        if (const QString meant = json::closestName(name, allNames()); !meant.isEmpty())
            text += u"; "_s + OptionTableText::tr("did you mean %1?").arg(meant);
        else if (!own.isEmpty())
            text += u"; "_s +
                    OptionTableText::tr("%1 takes only %2").arg(m_table.program.section(u' ', -1), joinedNames(own));
        return {withNote(text), name};
    }

    QStringList allNames() const
    {
        QStringList names;
        for (const OptionSection &section : m_table.sections) {
            for (const Option &each : section.options) {
                if (each.form.startsWith(u'-') && !each.help.isEmpty() && each.names().constLast().startsWith(u"--"_s))
                    names.append(each.names().constLast());
            }
        }
        return names;
    }

    // The first that has room and wants such a word.
    Misuse operand(const QString &word)
    {
        for (qsizetype i = 0; i < m_table.operands.size(); ++i) {
            const Operand &each = m_table.operands.at(i);
            const bool hasRoom = each.isRepeatable() || m_counts[size_t(i)] == 0;
            if (!hasRoom || (each.accepts && !each.accepts(word)))
                continue;
            if (word.isEmpty() && each.isRequired() && !each.isRepeatable())
                return {};  // as if it were not there
            ++m_counts[size_t(i)];
            return {each.target.take(word)};
        }
        return {withNote(OptionTableText::tr("unexpected argument '%1'").arg(word))};
    }

    Misuse missingOperand() const
    {
        for (qsizetype i = 0; i < m_table.operands.size(); ++i) {
            const Operand &each = m_table.operands.at(i);
            const bool isReplaced = !each.unless.isEmpty() && m_seen.contains(each.unless);
            if (each.isRequired() && m_counts[size_t(i)] == 0 && !isReplaced)
                return {OptionTableText::tr("expected %1").arg(each.expected)};
        }
        return {};
    }

    QString withNote(const QString &text) const
    {
        return m_table.misuseNote.isEmpty() ? text : text + u"; "_s + m_table.misuseNote;
    }

    const OptionTable &m_table;
    const QStringList &m_words;
    qsizetype m_next = 0;
    std::vector<int> m_counts;  // of words, for each operand
    QStringList m_seen;         // names of options
    bool m_areOptionsOver = false;
    bool m_hasEnded = false;
};

}  // namespace

OptionTarget::OptionTarget(bool *flag)
    : m_take([flag](const QString &) {
          *flag = true;
          return QString();
      })
{}

OptionTarget::OptionTarget(QString *text)
    : m_take([text](const QString &value) {
          *text = value;
          return QString();
      })
{}

OptionTarget::OptionTarget(QStringList *texts)
    : m_take([texts](const QString &value) {
          texts->append(value);
          return QString();
      }),
      m_isRepeatable(true)
{}

OptionTarget::OptionTarget(std::optional<std::chrono::milliseconds> *time)
    : m_take([time](const QString &value) {
          bool ok = false;
          const double seconds = value.toDouble(&ok);
          if (!ok || !(seconds > 0 && seconds <= 1e6))
              return OptionTableText::tr("'%1' is not a positive number of seconds up to 1000000").arg(value);
          *time = std::chrono::milliseconds(qMax(qint64(1), qRound64(seconds * 1000)));
          return QString();
      })
{}

OptionTarget countInto(int *number, const QString &what)
{
    return [number, what](const QString &value) {
        *number = value.toInt();
        return *number > 0 ? QString() : OptionTableText::tr("'%1' is not a positive number of %2").arg(value, what);
    };
}

QStringList Option::names() const
{
    const qsizetype end = form.indexOf(u' ', form.lastIndexOf(u", "_s) + 2);
    return form.left(end).split(u", "_s);
}

QString Option::value() const
{
    const qsizetype end = form.indexOf(u' ', form.lastIndexOf(u", "_s) + 2);
    return end < 0 ? QString() : form.mid(end + 1);
}

Misuse OptionTable::read(const QStringList &words) const
{
    return OptionReader(*this, words).run();
}

const Option *OptionTable::find(const QString &name) const
{
    for (const OptionSection &section : sections) {
        for (const Option &option : section.options) {
            if (option.form.startsWith(u'-') && option.names().contains(name))
                return &option;
        }
    }
    return nullptr;
}

QString OptionTable::usage() const
{
    QStringList words{program};
    for (const Operand &operand : operands) {
        if (!operand.form.isEmpty())
            words.append(operand.form);
    }
    if (!sections.isEmpty())
        words.append(u"[OPTIONS]"_s);
    if (!usageEnd.isEmpty())
        words.append(usageEnd);
    return words.join(u' ');
}

QString OptionTable::help() const
{
    QString text = filledUsage(OptionTableText::tr("Usage:") + u' ', usage()) + u'\n';
    for (const QString &line : wrapped(details.isEmpty() ? summary : details, HelpColumns))
        text += line + u'\n';
    text += helpSection(argumentsOf(*this));
    for (const OptionSection &section : sections)
        text += section.topic.isEmpty() ? helpSection(section) : shortened(section);
    if (!examples.isEmpty())
        text += u'\n' + OptionTableText::tr("Examples:") + u'\n';
    for (const QString &line : exampleLines())
        text += u"  "_s + line + u'\n';
    return notes.isEmpty() ? text : text + u'\n' + wrapped(notes, HelpColumns).join(u'\n') + u'\n';
}

QStringList OptionTable::exampleLines() const
{
    QStringList lines;
    for (const QString &example : examples)
        lines.append(program.section(u' ', 0, 0) + u' ' + example);
    return lines;
}

// The first options of the section, and the names of the others.
QString OptionTable::shortened(const OptionSection &section) const
{
    OptionSection first = section;
    QStringList others;
    first.options = section.options.mid(0, section.explained);
    for (const Option &option : section.options.mid(section.explained)) {
        if (!option.help.isEmpty())
            others.append(option.names().constLast());
    }
    QString text = helpSection(first);
    if (others.isEmpty())
        return text;
    const QString where = u"%1 help %2"_s.arg(program.section(u' ', 0, 0), section.topic);
    const QString line = OptionTableText::tr("%1: see %2").arg(others.join(u", "_s), where);
    return text + u"  "_s + filled(line.split(u' '), HelpColumns - 2, 2).join(u'\n') + u'\n';
}

Completion OptionTable::completion(const QStringList &words) const
{
    const QString last = words.value(words.size() - 1);
    qsizetype at = 0;
    QStringList operandsBefore;
    for (; at < words.size() - 1; ++at) {
        const QString &word = words.at(at);
        if (word == "--"_L1)
            return Completion::files();
        const Option *option = find(word.section(u'=', 0, 0));
        const bool wantsNext =
            option && !word.contains(u'=') && !option->value().isEmpty() && !option->value().startsWith(u'[');
        if (wantsNext && ++at == words.size() - 1)
            return option->completion;
        if (!option)
            operandsBefore.append(word);
    }
    if (last.startsWith(u'-'))
        return last.contains(u'=') ? valuesAfterName(last.section(u'=', 0, 0)) : optionNames();
    if (operands.isEmpty())
        return {};
    return operands.at(qMin(operandsBefore.size(), operands.size() - 1)).completion;
}

Completion OptionTable::optionNames() const
{
    QList<Choice> names;
    for (const OptionSection &section : sections) {
        for (const Option &option : section.options) {
            if (!option.form.startsWith(u'-') || option.help.isEmpty())
                continue;
            for (const QString &name : option.names())
                names.append({name, option.help});
        }
    }
    return Completion::of([names](const QStringList &) { return names; });
}

// What follows "--name=" in the same word.
Completion OptionTable::valuesAfterName(const QString &name) const
{
    const Option *option = find(name);
    if (!option || !option->completion.choices)
        return {};
    const auto values = option->completion.choices;
    return Completion::of([name, values](const QStringList &line) {
        QList<Choice> choices = values(line);
        for (Choice &choice : choices)
            choice.word.prepend(name + u'=');
        return choices;
    });
}

QList<Choice> choicesOf(const QStringList &words)
{
    QList<Choice> choices;
    for (const QString &word : words)
        choices.append({word});
    return choices;
}

QString helpTextOf(const Option &option)
{
    return option.target.isRepeatable() && !option.help.isEmpty()
               ? option.help + u"; "_s + OptionTableText::tr("can be repeated")
               : option.help;
}

OptionSection argumentsOf(const OptionTable &table)
{
    OptionSection arguments{OptionTableText::tr("Arguments"), {}};
    for (const Operand &operand : table.operands) {
        if (!operand.help.isEmpty())
            arguments.options.append({operand.form, operand.help});
    }
    return arguments;
}

QStringList wrapped(const QString &text, qsizetype columns)
{
    static const QRegularExpression row(u"^ +\\S+(?: \\S+)*  +"_s);
    QStringList lines;
    for (const QString &line : text.split(u'\n')) {
        const QString form = row.match(line).captured();
        if (line.startsWith(u' ') && form.isEmpty()) {
            lines.append(line);
            continue;
        }
        QStringList words = line.mid(form.size()).split(u' ');
        words.first().prepend(form);
        lines += filled(words, columns, form.size());
    }
    return lines;
}

QString helpRow(const QString &form, const QString &text, qsizetype textColumn)
{
    const QString indent(textColumn, u' ');
    QString row = u"  "_s + form;
    if (row.size() + 1 > textColumn)
        row += u'\n' + indent;
    else
        row = row.leftJustified(textColumn);
    return row + wrapped(text, HelpColumns - textColumn).join(u'\n' + indent) + u'\n';
}

QString helpSection(const OptionSection &section)
{
    QString rows;
    for (const Option &option : section.options) {
        if (const QString text = helpTextOf(option); !text.isEmpty())
            rows += helpRow(option.form, text);
    }
    if (rows.isEmpty() || section.title.isEmpty())
        return rows.isEmpty() ? rows : u'\n' + rows;
    return u'\n' + section.title + u":\n"_s + rows;
}

QString joinedNames(const QStringList &names)
{
    if (names.size() < 2)
        return names.join(QString());
    return OptionTableText::tr("%1 and %2").arg(names.first(names.size() - 1).join(u", "_s), names.last());
}

}  // namespace sonde::app
