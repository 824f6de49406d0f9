// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verbs.h"

#include "app/cli/texts.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::cli {

// A verb is a file, which defines its maker, and a line here.
#define SONDE_CLI_VERBS(VERB)                 \
    VERB("info", makeInfo)                    \
    VERB("list", makeList)                    \
    VERB("call", makeCall)                    \
    VERB("read", makeRead)                    \
    VERB("prompt", makePrompt)                \
    VERB("request", makeRequest)              \
    VERB("ping", makePing)                    \
    VERB("complete", makeComplete)            \
    VERB("subscribe", makeSubscribe)          \
    VERB("log-level", makeLogLevel)           \
    VERB("tasks", makeTasks)                  \
    VERB("run", makeScript)                   \
    VERB("replay", makeReplay)                \
    VERB("mock", makeMock)                    \
    VERB("diff", makeDiff)                    \
    VERB("check", makeCheck)                  \
    VERB("login", makeLogin)                  \
    VERB("logout", makeLogout)                \
    VERB("export", makeExport)                \
    VERB("log", makeLog)                      \
    VERB("stats", makeStats)                  \
    VERB("import", makeImport)                \
    VERB("export-servers", makeExportServers) \
    VERB("completion", makeCompletion)

#define SONDE_CLI_DECLARE(name, make) std::unique_ptr<Verb> make();
SONDE_CLI_VERBS(SONDE_CLI_DECLARE)

const QList<VerbEntry> &verbs()
{
#define SONDE_CLI_ENTRY(name, make) {QStringLiteral(name), make},
    static const QList<VerbEntry> entries{SONDE_CLI_VERBS(SONDE_CLI_ENTRY)};
    return entries;
}

const VerbEntry *verbNamed(const QString &name)
{
    const auto found = std::ranges::find(verbs(), name, &VerbEntry::name);
    return found == verbs().cend() ? nullptr : &*found;
}

QString programOf(const QString &verb)
{
    return u"sonde-cli "_s + verb;
}

app::OptionSection HelpRequest::section()
{
    app::OptionSection section{
        {},
        {{u"-h, --help"_s, CliText::tr("print help; after a verb, that of this verb"), &wantsHelp},
         {u"--version"_s, CliText::tr("print the version"), &wantsVersion}}};
    for (app::Option &option : section.options)
        option.endsReading = true;
    return section;
}

app::OptionTable tableOf(Verb &verb, const QString &name, HelpRequest *request)
{
    app::OptionTable table{programOf(name), {}};
    verb.declare(table);
    verb.declareShared(table);
    table.sections.append(request->section());
    return table;
}

QList<OptionTaker> takersOf(const QString &option)
{
    HelpRequest request;
    QList<OptionTaker> takers;
    for (const VerbEntry &entry : verbs()) {
        const std::unique_ptr<Verb> verb = entry.make();
        const app::OptionTable table = tableOf(*verb, entry.name, &request);
        if (const app::Option *found = table.find(option))
            takers.append({entry.name, found->value()});
    }
    return takers;
}

qsizetype verbPosition(const QStringList &words)
{
    for (qsizetype i = 0; i < words.size(); ++i) {
        const QString &word = words.at(i);
        if (!word.startsWith(u'-'))
            return i;
        if (word == "--"_L1)
            return -1;
        const QString value = takersOf(word.section(u'=', 0, 0)).value(0).value;
        const bool isOptional = value.startsWith(u'[');
        const QString next = words.value(i + 1);
        if (!value.isEmpty() && !word.contains(u'=') && (!isOptional || (!next.isEmpty() && next.front().isDigit())))
            ++i;
    }
    return -1;
}

QString misuseText(const app::Misuse &misuse)
{
    constexpr qsizetype maxNamed = 6;
    QStringList names;
    if (!misuse.unknownOption.isEmpty()) {
        for (const OptionTaker &taker : takersOf(misuse.unknownOption))
            names.append(taker.verb);
    }
    if (names.isEmpty())
        return misuse.text;
    return misuse.text + u'\n' +
           (names.size() > maxNamed
                ? CliText::tr("%1 cannot be used with this verb").arg(misuse.unknownOption)
                : CliText::tr("%1 is allowed only with %2").arg(misuse.unknownOption, app::joinedNames(names)));
}

QString overviewText()
{
    QString text = CliText::tr(
        "Usage: sonde-cli VERB [OPTIONS] (-- COMMAND… | --url URL | --server NAME)\n"
        "\n"
        "Connects to an MCP server, makes one request and prints the outcome.\n"
        "sonde-cli VERB --help explains one verb with all of its options.\n"
        "\n"
        "Verbs:\n");
    HelpRequest request;
    QList<app::OptionSection> shared;
    for (const VerbEntry &entry : verbs()) {
        const std::unique_ptr<Verb> verb = entry.make();
        const app::OptionTable table = tableOf(*verb, entry.name, &request);
        QStringList words{entry.name};
        for (const app::Operand &operand : table.operands)
            words.append(operand.form);
        text += app::helpRow(words.join(u' ').trimmed(), table.summary);
        for (const app::OptionSection &section : table.sections) {
            if (!section.isShared)
                continue;
            auto merged = std::ranges::find(shared, section.title, &app::OptionSection::title);
            if (merged == shared.end())
                merged = shared.insert(shared.end(), {section.title, {}});
            for (const app::Option &option : section.options) {
                if (std::ranges::find(merged->options, option.form, &app::Option::form) == merged->options.end())
                    merged->options.append(option);
            }
        }
    }
    shared.append(request.section());
    for (const app::OptionSection &section : std::as_const(shared))
        text += app::helpSection(section);
    return text + u'\n' + exitCodesText() + u'\n';
}

QString exitCodesText()
{
    return CliText::tr(
        "Exit codes:\n"
        "  0  OK: a result\n"
        "  1  tool error: the tool ran and reported a failure\n"
        "  2  protocol error: the server returned a JSON-RPC error\n"
        "  3  no response: not connected, timed out, cancelled or connection lost; also when output could "
        "not be written\n"
        "  4  usage error: no request was made");
}

}  // namespace sonde::cli
