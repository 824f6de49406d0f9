// SPDX-License-Identifier: Apache-2.0
#include "app/common/optiontable.h"

#include <QCoreApplication>
#include <algorithm>
#include <vector>

using namespace Qt::StringLiterals;

namespace sonde::app {
namespace {

constexpr qsizetype TextColumn = 32;
constexpr qsizetype MaxColumns = 112;

struct OptionTableText {
    Q_DECLARE_TR_FUNCTIONS(sonde::app)
};

bool isNumber(const QString &word)
{
    return !word.isEmpty() && std::all_of(word.begin(), word.end(), [](QChar c) { return c.isDigit(); });
}

// Lines of at most that many columns; a line break in the text stays one.
QStringList wrapped(const QString &text, qsizetype columns)
{
    QStringList lines;
    for (const QString &paragraph : text.split(u'\n')) {
        QString line;
        for (const QString &word : paragraph.split(u' ')) {
            if (!line.isEmpty() && line.size() + 1 + word.size() > columns)
                lines.append(std::exchange(line, QString()));
            line += (line.isEmpty() ? QString() : u" "_s) + word;
        }
        lines.append(line);
    }
    return lines;
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
        if (!own.isEmpty())
            text +=
                u"; "_s + OptionTableText::tr("%1 takes %2").arg(m_table.program.section(u' ', -1), joinedNames(own));
        return {withNote(text), name};
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
              return OptionTableText::tr("'%1' is not a number of seconds above 0").arg(value);
          *time = std::chrono::milliseconds(qMax(qint64(1), qRound64(seconds * 1000)));
          return QString();
      })
{}

OptionTarget countInto(int *number, const QString &what)
{
    return [number, what](const QString &value) {
        *number = value.toInt();
        return *number > 0 ? QString() : OptionTableText::tr("'%1' is not a number of %2 above 0").arg(value, what);
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
    QString text = OptionTableText::tr("Usage: %1").arg(usage()) + u"\n\n"_s;
    for (const QString &line : wrapped(details.isEmpty() ? summary : details, MaxColumns))
        text += line + u'\n';
    OptionSection arguments{OptionTableText::tr("Arguments"), {}};
    for (const Operand &operand : operands)
        arguments.options.append({operand.form, operand.help});
    text += helpSection(arguments);
    for (const OptionSection &section : sections)
        text += helpSection(section);
    if (!examples.isEmpty())
        text += u'\n' + OptionTableText::tr("Examples:") + u'\n';
    for (const QString &example : examples)
        text += u"  "_s + program.section(u' ', 0, 0) + u' ' + example + u'\n';
    return notes.isEmpty() ? text : text + u'\n' + notes + u'\n';
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
    if (last.startsWith(u'-')) {
        QStringList names;
        for (const OptionSection &section : sections) {
            for (const Option &each : section.options) {
                if (each.form.startsWith(u'-') && !each.help.isEmpty())
                    names += each.names();
            }
        }
        return Completion::of(names);
    }
    if (operands.isEmpty())
        return {};
    return operands.at(qMin(operandsBefore.size(), operands.size() - 1)).completion;
}

QString helpRow(const QString &form, const QString &text)
{
    QString row = u"  "_s + form;
    const QStringList lines = wrapped(text, MaxColumns - TextColumn);
    if (row.size() + 1 > TextColumn)
        row += u'\n' + QString(TextColumn, u' ');
    else
        row = row.leftJustified(TextColumn);
    return row + lines.join(u'\n' + QString(TextColumn, u' ')) + u'\n';
}

QString helpSection(const OptionSection &section)
{
    QString rows;
    for (const Option &option : section.options) {
        if (option.help.isEmpty())
            continue;
        rows += helpRow(option.form, option.target.isRepeatable()
                                         ? option.help + u"; "_s + OptionTableText::tr("can be repeated")
                                         : option.help);
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
