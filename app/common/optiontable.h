// What may stand on a command line, as a table, from which it is read, explained and completed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>
#include <chrono>
#include <concepts>
#include <functional>
#include <optional>
#include <utility>

namespace sonde::app {

// Where a value goes. It must outlive the reading.
class OptionTarget {
public:
    enum class Repeat { No, Yes };
    // Returns what is wrong with the value, as a sentence for the user; empty: it was taken.
    using Take = std::function<QString(const QString &value)>;

    OptionTarget() = default;
    OptionTarget(bool *flag);
    OptionTarget(QString *text);
    OptionTarget(QStringList *texts);                              // can be repeated
    OptionTarget(std::optional<std::chrono::milliseconds> *time);  // a number of seconds above 0
    template <std::invocable<const QString &> Function>
    OptionTarget(Function take, Repeat repeat = Repeat::No)
        : m_take(std::move(take)), m_isRepeatable(repeat == Repeat::Yes)
    {}

    QString take(const QString &value) const { return m_take(value); }
    bool isRepeatable() const { return m_isRepeatable; }

private:
    Take m_take;
    bool m_isRepeatable = false;
};

// A number above 0, with what is counted for the error: "updates".
OptionTarget countInto(int *number, const QString &what);

// A word that a shell offers. help: what it means, in a few words; may be empty.
struct Choice {
    QString word;
    QString help = {};
};

QList<Choice> choicesOf(const QStringList &words);

// What a shell offers in place of a value.
struct Completion {
    enum class Kind { Nothing, Files, Folders, Words };
    // line: the command line as far as it is typed, as OptionTable::completion() got it. May return words that do not
    // begin with what is typed of the last one.
    using Choices = std::function<QList<Choice>(const QStringList &line)>;

    Kind kind = Kind::Nothing;
    Choices choices = {};

    static Completion files() { return {Kind::Files}; }
    static Completion folders() { return {Kind::Folders}; }
    static Completion of(const QStringList &words)
    {
        return {Kind::Words, [words](const QStringList &) { return choicesOf(words); }};
    }
    static Completion of(const std::function<QStringList()> &words)
    {
        return {Kind::Words, [words](const QStringList &) { return choicesOf(words()); }};
    }
    static Completion of(Choices choices) { return {Kind::Words, std::move(choices)}; }
};

// form is what the help shows: "--json", "-o, --output OUT", "--http [PORT]", where the value may be left out if no
// number follows. Without help it is read, but not shown. One whose form begins with no dash only explains.
struct Option {
    QString form;
    QString help;
    OptionTarget target = {};
    Completion completion = {};
    bool endsReading = false;  // such as --help: whatever follows does not count

    QStringList names() const;
    QString value() const;  // such as "OUT"; empty: it takes none
};

// A positional argument. form: "FILE", "[TEXT]" where it may be left out, "URI…" where it can be repeated; empty: the
// one before it shows it.
struct Operand {
    QString form;
    QString expected;  // what is missing without it: "a session file"
    OptionTarget target;
    QString help = {};
    Completion completion = {};
    QString unless = {};                                    // an option that takes its place
    std::function<bool(const QString &word)> accepts = {};  // unset: any word

    bool isRequired() const { return !form.isEmpty() && !form.startsWith(u'['); }
    bool isRepeatable() const { return target.isRepeatable(); }
};

// With a topic, the help of one table explains only the first of the options and names the others; the topic explains
// all of them.
struct OptionSection {
    QString title;
    QList<Option> options;
    bool isShared = false;  // with other tables: called "common options" where a table's own are named
    QString topic = {};
    qsizetype explained = 0;  // with a topic
};

// Why words cannot be followed.
struct Misuse {
    QString text = {};           // empty: they can
    QString unknownOption = {};  // the name of the one that is not in the table

    explicit operator bool() const { return !text.isEmpty(); }
};

// One reader fills what the table names.
struct OptionTable {
    QString program;               // "sonde-cli call"
    QString summary;               // one line
    QString usageEnd = {};         // after the operands and [OPTIONS]
    QString details = {};          // a paragraph or more
    QList<Operand> operands = {};  // filled in this order
    QList<OptionSection> sections = {};
    QStringList *command = nullptr;  // what follows "--"; null: "--" only ends the options
    QStringList examples = {};       // without the program
    QString notes = {};              // such as exit codes
    QString misuseNote = {};         // added to what is wrong with words that are not in the table

    Misuse read(const QStringList &words) const;
    QString usage() const;
    QString help() const;
    // A line for each example, as it is typed.
    QStringList exampleLines() const;
    const Option *find(const QString &name) const;
    // What can stand in place of the last word. Nothing is taken, so nothing is checked.
    Completion completion(const QStringList &words) const;

private:
    QString shortened(const OptionSection &section) const;
    Completion optionNames() const;
    Completion valuesAfterName(const QString &name) const;
};

// "can be repeated" is added where it can. Empty: it is not shown.
QString helpTextOf(const Option &option);
// The operands with a help of their own.
OptionSection argumentsOf(const OptionTable &table);

// Lines of at most that many columns. Line breaks stay. A line that begins with a blank is a row of two columns, whose
// second is wrapped, or is left as it is.
QStringList wrapped(const QString &text, qsizetype columns);
constexpr qsizetype HelpColumns = 80;
// A line of a help: a form and its text, in two columns. The second begins at textColumn.
constexpr qsizetype HelpTextColumn = 28;
QString helpRow(const QString &form, const QString &text, qsizetype textColumn = HelpTextColumn);
QString helpSection(const OptionSection &section);  // all of its options
// "a, b and c"
QString joinedNames(const QStringList &names);

}  // namespace sonde::app
