// SPDX-License-Identifier: Apache-2.0
#include "app/gui/startarguments.h"

#include "app/common/manpage.h"
#include "app/common/optiontable.h"
#include "app/common/programversion.h"
#include "core/server/serveraddress.h"
#include "core/transport/process/commandline.h"

#include <QDir>
#include <QFileInfo>
#include <QUrl>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

Error wrong(const QString &what, const QString &hint)
{
    return Error::local(what, hint);
}

// One word before "--".
Error place(const QString &word, StartArguments &request)
{
    const QString scheme = word.section(u"://"_s, 0, 0).toLower();
    if (scheme == u"file" && word.contains(u"://")) {
        request.sessions.append(QUrl(word).toLocalFile());
    } else if (word.contains(u"://")) {
        if (scheme != u"http" && scheme != u"https")
            return wrong(u"'%1' is not a server URL: it begins with %2://."_s.arg(word, scheme),
                         u"Use a URL that begins with https:// or http://."_s);
        request.lines.append(word);
    } else if (QFileInfo(word).isFile() || word.endsWith(u".mcpsession")) {
        if (!QFileInfo(word).isFile())
            return wrong(u"File %1 does not exist."_s.arg(word), {});
        request.sessions.append(QFileInfo(word).absoluteFilePath());
    } else if (addressFromText(word)) {
        request.lines.append(word);
    } else {
        return wrong(u"'%1' is neither a recorded session nor a URL."_s.arg(word),
                     u"To start a command, put it after two dashes: sonde -- %1"_s.arg(word));
    }
    return {};
}

QString manualPage(const OptionTable &table, const QString &date)
{
    const OptionSection environment{
        u"Environment"_s,
        {{u"XDG_CONFIG_HOME"_s, u"the folder for configuration (default: ~/.config)"_s},
         {u"XDG_DATA_HOME"_s, u"the folder for data (default: ~/.local/share)"_s},
         {u"DISPLAY, WAYLAND_DISPLAY, QT_QPA_PLATFORM"_s, u"the display; without one, no window is opened"_s}}};
    const OptionSection files{
        u"Files"_s,
        {{u"$XDG_CONFIG_HOME/sonde/servers.json"_s, u"the saved servers, as mcpServers JSON"_s},
         {u"$XDG_CONFIG_HOME/sonde/approvals.json"_s, u"digests of the commands and settings that were approved"_s},
         {u"$XDG_DATA_HOME/sonde/sessions/*.mcpsession"_s, u"the recorded sessions"_s},
         {u"$XDG_DATA_HOME/sonde/session-notes.json"_s, u"the names, notes and pins that you gave to sessions"_s},
         {u"$XDG_DATA_HOME/sonde/arguments.jsonl"_s,
          u"the last arguments of each tool, without anything that looks like a secret; can be deleted"_s},
         {u"$XDG_DATA_HOME/sonde/window-1.json"_s,
          u"what is open in the window, for its next start, without detected secrets; can be deleted"_s},
         {u"$XDG_DATA_HOME/sonde/tools"_s, u"the tools of each server as they were last defined"_s},
         {u"$XDG_DATA_HOME/sonde/tasks.jsonl"_s, u"IDs of tasks that servers are running or whose results they keep"_s},
         {u"$XDG_DATA_HOME/sonde/eras.json"_s,
          u"which servers need the initialize handshake; remembered for a day, can be deleted"_s}}};
    return manPageOf(table, u"native explorer for MCP servers"_s, date, {environment, files},
                     {u"sonde-cli"_s, u"sonde-demo-server"_s});
}

}  // namespace

Result<StartArguments> StartArguments::read(const QStringList &arguments)
{
    StartArguments request;
    QStringList command;
    bool wantsHelp = false;
    bool wantsVersion = false;
    QString manualDate;
    Error refused;
    const auto takeWord = [&](const QString &word) {
        refused = place(word, request);
        return refused.message;
    };
    OptionTable table;
    table.program = u"sonde"_s;
    table.details =
        u"Opens Sonde's window. A session file opens in the timeline. A URL, or a command after --, is added to the "
        "saved servers and connected to. Any other argument is refused with exit code 4, so that a typo does not "
        "become a server.\n\n"
        "Without a display, Sonde connects to the server, lists what it offers, calls one tool and prints the "
        "timeline."_s;
    table.usageEnd = u"[-- COMMAND…]"_s;
    table.operands = {
        {u"[FILE | URL…]"_s, {}, {takeWord, OptionTarget::Repeat::Yes}, u"recorded sessions, or URLs of servers"_s}};
    table.sections = {
        {u"Options"_s,
         {{u"--demo"_s, u"connect to the built-in demo server and open its first tool"_s, &request.demo},
          {u"--server NAME"_s, u"connect to this saved server"_s, &request.servers},
          {u"--exit-after-first-paint"_s, u"exit when the window is painted, to measure startup time"_s,
           &request.exitAfterPaint},
          // For the build, which makes the manual page with it.
          {u"--man DATE"_s, {}, &manualDate},
          {.form = u"-h, --help"_s, .help = u"print this help"_s, .target = &wantsHelp, .endsReading = true},
          {.form = u"-v, --version"_s, .help = u"print the version"_s, .target = &wantsVersion, .endsReading = true}}}};
    table.command = &command;
    table.examples = {u"--demo"_s, u"session.mcpsession"_s, u"https://example.com/mcp"_s, u"-- npx -y some-server"_s};
    table.notes = u"Exit codes: 0 the window was closed, 4 usage error."_s;
    if (const Misuse misuse = table.read(arguments.mid(1)))
        return refused ? refused
                       : wrong(misuse.text.left(1).toUpper() + misuse.text.mid(1) + u'.', u"See sonde --help."_s);
    if (!manualDate.isEmpty())
        request.text = manualPage(table, manualDate);
    else if (wantsHelp)
        request.text = table.help();
    else if (wantsVersion)
        request.text = versionLine(table.program);
    if (!command.isEmpty()) {
        QString line;
        for (const auto &[name, value] : takeAssignments(&command))
            line += name + u'=' + joinCommandLine({value}) + u' ';
        request.lines.append(line + joinCommandLine(command));
        request.folder = QDir::currentPath();
    }
    return request;
}

}  // namespace sonde::app
