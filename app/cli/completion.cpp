// sonde-cli completion: what a shell offers while a command line is typed, from the tables of the verbs.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/fileverb.h"
#include "app/cli/standardoutput.h"
#include "app/cli/verbs.h"

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

// Asks this program again at each key. Its first line says whether the shell adds files or folders. Words are compared
// here rather than with compgen -W, which expands them: a server may have the name of a command.
const QString &bashScript()
{
    static const QString script =
        u"_sonde_cli()\n"
        "{\n"
        "    local current=${COMP_WORDS[COMP_CWORD]} lines word\n"
        "    mapfile -t lines < <(sonde-cli completion bash -- \"${COMP_WORDS[@]:1:COMP_CWORD}\" 2>/dev/null)\n"
        "    COMPREPLY=()\n"
        "    for word in \"${lines[@]:1}\"; do\n"
        "        [[ $word == \"$current\"* ]] && COMPREPLY+=(\"$(printf %q \"$word\")\")\n"
        "    done\n"
        "    case ${lines[0]} in\n"
        "        files) compopt -o filenames; mapfile -t lines < <(compgen -f -- \"$current\") ;;\n"
        "        folders) compopt -o filenames; mapfile -t lines < <(compgen -d -- \"$current\") ;;\n"
        "        *) return 0 ;;\n"
        "    esac\n"
        "    COMPREPLY+=(\"${lines[@]}\")\n"
        "}\n"
        "complete -F _sonde_cli sonde-cli\n"_s;
    return script;
}

class ShellCompletion final : public FileVerb {
public:
    void declare(app::OptionTable &table) override
    {
        const auto takeShell = [](const QString &shell) {
            return shell == "bash"_L1 ? QString() : tr("unknown shell '%1'; use bash").arg(shell);
        };
        table.summary = tr("print the script with which a shell completes command lines of sonde-cli");
        table.usageEnd = u"[-- WORD…]"_s;
        table.operands = {
            {u"SHELL"_s, tr("a shell: bash"), takeShell, u"bash"_s, app::Completion::of(QStringList{u"bash"_s})}};
        table.command = &m_words;
        table.examples = {u"completion bash > ~/.local/share/bash-completion/completions/sonde-cli"_s};
        table.notes =
            tr("With words, it prints what can stand in place of the last one; that is what the script asks for.");
    }

private:
    ExitCode run(const Profile &) override
    {
        if (m_words.isEmpty()) {
            standardoutput::writeText(bashScript());
            return ExitCode::Ok;
        }
        using Kind = app::Completion::Kind;
        const app::Completion completion = completionOf(m_words);
        QStringList lines{completion.kind == Kind::Files     ? u"files"_s
                          : completion.kind == Kind::Folders ? u"folders"_s
                                                             : u"words"_s};
        if (completion.words)
            lines += completion.words();
        standardoutput::writeText(lines.join(u'\n') + u'\n');
        return ExitCode::Ok;
    }

    static app::Completion completionOf(QStringList words)
    {
        const qsizetype at = verbPosition(words);
        HelpRequest request;
        if (at < 0 || at == words.size() - 1) {
            QStringList names;
            for (const VerbEntry &entry : verbs())
                names.append(entry.name);
            for (const app::Option &option : request.section().options)
                names += option.names();
            return app::Completion::of(names);
        }
        const QString name = words.takeAt(at);
        const VerbEntry *entry = verbNamed(name);
        if (!entry)
            return {};
        const std::unique_ptr<Verb> verb = entry->make();
        return tableOf(*verb, name, &request).completion(words);
    }

    QStringList m_words;
};

}  // namespace

std::unique_ptr<Verb> makeCompletion()
{
    return std::make_unique<ShellCompletion>();
}

}  // namespace sonde::cli
