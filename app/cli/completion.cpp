// sonde-cli completion: what a shell offers while a command line is typed, from the tables of the verbs.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/fileverb.h"
#include "app/cli/shellscripts.h"
#include "app/cli/standardoutput.h"
#include "app/cli/verbs.h"
#include "core/protocol/visibletext.h"
#include "core/transport/process/commandline.h"

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

// What the shell would make of a word that is being typed: its last quote may still be open.
QString unquoted(const QString &word)
{
    for (const QString &closing : {QString(), u"'"_s, u"\""_s}) {
        const Result<CommandLine> line = splitCommandLine(word + closing);
        if (!line)
            continue;
        QStringList words = line->words;
        for (auto assignment = line->environment.crbegin(); assignment != line->environment.crend(); ++assignment)
            words.prepend(assignment->first + u'=' + assignment->second);
        return words.isEmpty() ? QString() : words.size() == 1 ? words.constFirst() : word;
    }
    return word;
}

app::Completion completionOf(QStringList words)
{
    const qsizetype at = verbPosition(words);
    if (at < 0 || at == words.size() - 1) {
        QList<app::Choice> choices = verbChoices();
        for (const app::Option &option : HelpRequest().section().options) {
            for (const QString &name : option.names())
                choices.append({name, option.help});
        }
        return app::Completion::of([choices](const QStringList &) { return choices; });
    }
    const QString name = words.takeAt(at);
    const VerbEntry *entry = verbNamed(name);
    if (!entry)
        return {};
    const std::unique_ptr<Verb> verb = entry->make();
    HelpRequest request;
    return tableOf(*verb, name, &request).completion(words);
}

class ShellCompletion final : public FileVerb {
public:
    void declare(app::OptionTable &table) override
    {
        const auto takeShell = [this](const QString &name) {
            m_shell = name;
            return shellNames().contains(name)
                       ? QString()
                       : tr("unknown shell '%1'; use one of %2").arg(visibleLine(name), app::joinedNames(shellNames()));
        };
        table.summary = tr("print the completion script for bash, zsh or fish");
        table.details =
            tr("Prints the script that completes verbs, options, values, files and the names of saved servers in a "
               "shell. For a saved server given with --server, it also completes the tools, prompts and resources of "
               "its last recorded session, and their arguments; the server is not started.\n\nThe package installs "
               "these scripts. Without it, save the script where your shell looks for completions, or load it in "
               "~/.bashrc with: eval \"$(sonde-cli completion bash)\". The scripts call this verb with -- and the "
               "words typed so far; it then prints what can replace the last word.");
        table.usageEnd = u"[-- WORD…]"_s;
        table.operands = {{u"SHELL"_s, tr("a shell: bash, zsh or fish"), takeShell, tr("one of bash, zsh and fish"),
                           app::Completion::of(shellNames())}};
        table.command = &m_words;
        table.examples = {u"completion bash > ~/.local/share/bash-completion/completions/sonde-cli"_s,
                          u"completion zsh > ~/.zfunc/_sonde-cli"_s,
                          u"completion fish > ~/.config/fish/completions/sonde-cli.fish"_s};
        table.notes = exitCodes();
    }

    // It prints a script or words for a shell, and so no JSON.
    void declareShared(app::OptionTable &) override {}

private:
    ExitCode run(const Profile &) override
    {
        standardoutput::writeText(m_words.isEmpty() ? completionScript(m_shell) : answer());
        return ExitCode::Ok;
    }

    // A line that says whether the shell adds files or folders, then a word a line, with its help after a tab. bash
    // shows no help, and hands words over as they are typed.
    QString answer() const
    {
        using Kind = app::Completion::Kind;
        const bool isBash = m_shell == "bash"_L1;
        QStringList words = m_words;
        if (isBash) {
            for (QString &word : words)
                word = unquoted(word);
        }
        const QString &typed = words.constLast();
        const app::Completion completion = completionOf(words);
        QString text = completion.kind == Kind::Files     ? u"files\n"_s
                       : completion.kind == Kind::Folders ? u"folders\n"_s
                                                          : u"words\n"_s;
        // The verb is not among them.
        QStringList line = words;
        if (const qsizetype at = verbPosition(words); at >= 0)
            line.removeAt(at);
        for (const app::Choice &choice : completion.choices ? completion.choices(line) : QList<app::Choice>()) {
            const bool canBeTyped = !choice.word.contains(u'\n') && !choice.word.contains(u'\t');
            if (!canBeTyped || !choice.word.startsWith(typed))
                continue;
            text += choice.word;
            if (!isBash && !choice.help.isEmpty())
                text += u'\t' + choice.help.section(u'\n', 0, 0);
            text += u'\n';
        }
        return text;
    }

    QString m_shell;
    QStringList m_words;
};

}  // namespace

std::unique_ptr<Verb> makeCompletion()
{
    return std::make_unique<ShellCompletion>();
}

}  // namespace sonde::cli
