// SPDX-License-Identifier: Apache-2.0
#include "app/cli/helptopics.h"

#include "app/cli/commonoptions.h"
#include "app/cli/targetserver.h"
#include "app/cli/texts.h"
#include "app/cli/verbs.h"
#include "app/common/manpage.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

struct DeclaredVerb {
    QString name;
    QString group;
    app::OptionTable table;
};

// Their tables, without the options that all of them have. What they point to has gone: they can only be shown.
QList<DeclaredVerb> declaredVerbs()
{
    QList<DeclaredVerb> all;
    HelpRequest request;
    for (const VerbEntry &entry : verbs()) {
        const std::unique_ptr<Verb> verb = entry.make();
        app::OptionTable table = tableOf(*verb, entry.name, &request);
        table.sections.removeLast();
        all.append({entry.name, entry.group, table});
    }
    return all;
}

// All options of any verb that this topic explains, each once.
QList<app::OptionSection> sectionsAbout(const QString &topic)
{
    QList<app::OptionSection> merged;
    for (const DeclaredVerb &verb : declaredVerbs()) {
        for (const app::OptionSection &section : verb.table.sections) {
            if (section.topic != topic)
                continue;
            auto found = std::ranges::find(merged, section.title, &app::OptionSection::title);
            if (found == merged.end())
                found = merged.insert(merged.end(), {section.title, {}});
            for (const app::Option &option : section.options) {
                if (std::ranges::find(found->options, option.form, &app::Option::form) == found->options.end())
                    found->options.append(option);
            }
        }
    }
    return merged;
}

HelpTopic serverOptions()
{
    const QString topic = ServerOptions::topic();
    return {topic, CliText::tr("Server options"), CliText::tr("how to name a server and change how it is reached"),
            CliText::tr("A verb that connects needs one server: a command after --, a URL, or the name of a server "
                        "saved in Sonde. Put all options before --; everything after it belongs to the command."),
            sectionsAbout(topic)};
}

HelpTopic commonOptions()
{
    const QString topic = CommonOptions::topic();
    return {topic, CliText::tr("Common options"),
            CliText::tr("output, time limits, recording, responses to the server"),
            CliText::tr("Verbs that connect to a server take some or all of these options; the help of each verb lists "
                        "which."),
            sectionsAbout(topic)};
}

HelpTopic rules()
{
    return {
        u"rules"_s,
        CliText::tr("Ignore rules"),
        CliText::tr("which differences replay ignores"),
        CliText::tr("Rules are read from the file given with --rules. Without that option, they are read from "
                    "NAME.rules.json beside NAME.mcpsession, if it exists. The file holds a JSON object with a "
                    "list:") +
            u"\n\n"
            "  {\"ignore\": [\n"
            "    {\"pointer\": \"/content/*/text#/time\"},\n"
            "    {\"pattern\": \"timestamp\"},\n"
            "    {\"pattern\": \"uuid\", \"method\": \"tools/call\", \"target\": \"create\"},\n"
            "    {\"regex\": \"build [0-9]+\", \"pointer\": \"/serverInfo\"}\n"
            "  ]}\n\n"_s +
            CliText::tr("A rule applies only where all of its members match."),
        {{CliText::tr("Members of a rule"),
          {{u"pointer"_s,
            CliText::tr("a place in the result or error of a response, with everything below it: * is one level, ** "
                        "any number of levels, # enters JSON inside a string")},
           {u"pattern"_s,
            CliText::tr("either timestamp or uuid: strings that differ only in such parts count as equal")},
           {u"regex"_s, CliText::tr("strings that differ only in the parts that match count as equal")},
           {u"method"_s, CliText::tr("only responses to requests with this method")},
           {u"target"_s, CliText::tr("only this tool, prompt or URI")}}}}};
}

// What one verb says of its exit codes that the common text does not. A row may have further lines, which are indented.
QString exitCodesOfItsOwn(const QString &notes, const QString &common)
{
    QStringList rows;
    for (const QString &line : notes.split(u'\n')) {
        if (line.startsWith(u"    "_s) && !rows.isEmpty())
            rows.last() += u'\n' + line;
        else
            rows.append(line);
    }
    rows.removeIf([&](const QString &row) { return common.contains(row); });
    return rows.join(u'\n');
}

// The text that most verbs share, then that of the others.
HelpTopic exitCodes()
{
    const QString common = exitCodesText();
    QList<std::pair<QString, QStringList>> others;  // a text, and the verbs that have it
    for (const DeclaredVerb &verb : declaredVerbs()) {
        const QString own = exitCodesOfItsOwn(verb.table.notes, common);
        if (own.isEmpty())
            continue;
        auto found = std::ranges::find(others, own, &std::pair<QString, QStringList>::first);
        if (found == others.end())
            found = others.insert(others.end(), {own, {}});
        found->second.append(verb.name);
    }
    QString text = common;
    for (const auto &[own, names] : std::as_const(others))
        text += u"\n\n%1:"_s.arg(app::joinedNames(names)) + (own.startsWith(u' ') ? u'\n' : u' ') + own;
    return {u"exit-codes"_s, CliText::tr("Exit status"), CliText::tr("meaning of the exit codes"), text};
}

HelpTopic environment()
{
    return {
        u"environment"_s,
        CliText::tr("Environment"),
        CliText::tr("variables that sonde-cli reads"),
        CliText::tr("A server that is started gets only the variables that programs need to run (such as PATH, HOME "
                    "and LANG), those saved with it, and those given with --env, unless --inherit-env is given."),
        {{{},
          {{u"XDG_CONFIG_HOME"_s, CliText::tr("the folder for configuration (default: ~/.config)")},
           {u"XDG_DATA_HOME"_s, CliText::tr("the folder for data (default: ~/.local/share)")},
           {u"PATH"_s, CliText::tr("the folders to search for the program of a server")},
           {u"SHELL"_s, CliText::tr("the shell that --login-shell-path runs")},
           {u"http_proxy, https_proxy, no_proxy"_s, CliText::tr("the proxy that --proxy system uses")},
           {u"DISPLAY, WAYLAND_DISPLAY"_s, CliText::tr("whether login can open a browser")},
           {u"NO_COLOR"_s, CliText::tr("if set, nothing is coloured")},
           {u"CLICOLOR_FORCE"_s, CliText::tr("if set and not 0, output to a pipe or file is coloured too")},
           {u"TERM"_s, CliText::tr("dumb: a terminal without colours")},
           {u"COLUMNS"_s, CliText::tr("the width to use instead of the terminal's own")}}}}};
}

HelpTopic files()
{
    return {u"files"_s,
            CliText::tr("Files"),
            CliText::tr("what Sonde stores, and where"),
            CliText::tr("The window and sonde-cli use the same files. Passwords and tokens are in the desktop's "
                        "keychain, never in a file."),
            {{{},
              {{u"$XDG_CONFIG_HOME/sonde/servers.json"_s, CliText::tr("the saved servers, as mcpServers JSON")},
               {u"$XDG_CONFIG_HOME/sonde/approvals.json"_s,
                CliText::tr("digests of the commands and settings that were approved")},
               {u"$XDG_DATA_HOME/sonde/sessions/*.mcpsession"_s,
                CliText::tr("sessions recorded by the window; sonde-cli records only with --record")},
               {u"$XDG_DATA_HOME/sonde/tasks.jsonl"_s,
                CliText::tr("IDs of tasks that servers are running or whose results they keep, for the verb tasks")},
               {u"$XDG_DATA_HOME/sonde/eras.json"_s,
                CliText::tr("which servers need the initialize handshake; remembered for a day, can be deleted")}}}}};
}

}  // namespace

QString HelpTopic::help() const
{
    QString page = app::wrapped(text, app::HelpColumns).join(u'\n') + u'\n';
    for (const app::OptionSection &section : sections)
        page += app::helpSection(section);
    return page;
}

QList<HelpTopic> helpTopics()
{
    return {serverOptions(), commonOptions(), rules(), exitCodes(), environment(), files()};
}

QString overviewText()
{
    constexpr qsizetype column = 18;
    QString text = CliText::tr("Connects to an MCP server, makes one request and prints the result.") + u"\n\n"_s +
                   CliText::tr("Usage: %1").arg(u"sonde-cli VERB [OPTIONS] "_s + ServerOptions::usage()) + u'\n';
    QString group;
    for (const DeclaredVerb &verb : declaredVerbs()) {
        if (verb.group != std::exchange(group, verb.group))
            text += u'\n' + group + u":\n"_s;
        text += app::helpRow(verb.name, verb.table.summary, column);
    }
    text += u'\n' + CliText::tr("Help topics:") + u'\n';
    for (const HelpTopic &topic : helpTopics())
        text += app::helpRow(topic.name, topic.summary, column);
    text += u'\n' + CliText::tr("Options:") + u'\n';
    for (const app::Option &option : HelpRequest().section().options)
        text += app::helpRow(option.form, option.help, column);
    return text + u'\n' + CliText::tr("Examples:") +
           u"\n"
           "  sonde-cli list tools -- npx -y @modelcontextprotocol/server-everything\n"
           "  sonde-cli call add a=1 b=2 -- sonde-demo-server\n"
           "  sonde-cli check --url https://example.com/mcp\n\n"_s +
           CliText::tr("Learn more with sonde-cli help VERB or sonde-cli help TOPIC.") + u'\n';
}

QString manualPage(const QString &date)
{
    QList<DeclaredVerb> verbs = declaredVerbs();
    for (DeclaredVerb &verb : verbs) {
        if (verb.table.usageEnd == ServerOptions::usage())
            verb.table.usageEnd = u"SERVER"_s;
    }
    app::ManPage page(u"sonde-cli"_s, CliText::tr("call MCP servers from scripts and the command line"), date);
    page.section(CliText::tr("Synopsis"));
    for (const DeclaredVerb &verb : verbs)
        page.usage(verb.table);
    page.text(u"\n"_s + CliText::tr("SERVER is one of -- COMMAND [ARGUMENT…], --url URL and --server NAME."));
    page.section(CliText::tr("Description"));
    page.text(CliText::tr("Connects to a server of the Model Context Protocol (MCP), makes one request and prints the "
                          "result. It is made for scripts, CI and the command line, and shares saved servers and "
                          "sign-ins with Sonde's window.") +
              u"\n\n"_s +
              CliText::tr("Results go to standard output, everything else to standard error. Control characters that a "
                          "server sends are made visible."));
    QString group;
    for (const DeclaredVerb &verb : verbs) {
        if (verb.group != std::exchange(group, verb.group))
            page.section(group);
        page.subsection(verb.table.usage(), verb.table.program);
        page.text(verb.table.details.isEmpty() ? verb.table.summary : verb.table.details);
        page.rows(app::argumentsOf(verb.table));
        for (const app::OptionSection &section : verb.table.sections) {
            if (section.topic.isEmpty() && !section.isShared)
                page.rows(section);
        }
    }
    for (const HelpTopic &topic : helpTopics()) {
        page.section(topic.title);
        page.text(topic.text);
        for (const app::OptionSection &section : topic.sections)
            page.rows(section);
        if (topic.name == CommonOptions::topic())
            page.rows(HelpRequest().section());
    }
    page.section(CliText::tr("Examples"));
    for (const DeclaredVerb &verb : verbs)
        page.examples(verb.table);
    page.seeAlso({u"sonde"_s, u"sonde-ci"_s, u"sonde-demo-server"_s});
    return page.take();
}

}  // namespace sonde::cli
