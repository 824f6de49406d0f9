// SPDX-License-Identifier: Apache-2.0
#include "app/gui/startarguments.h"

#include "core/server/serveraddress.h"
#include "core/transport/process/commandline.h"

#include <QCommandLineParser>
#include <QCoreApplication>
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

}  // namespace

Result<StartArguments> StartArguments::read(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        u"Native explorer for MCP servers.\n\n"
        "  sonde                        open the window\n"
        "  sonde session.mcpsession     open a recorded session\n"
        "  sonde https://host/mcp       add this server and connect\n"
        "  sonde -- npx -y some-server  the same for a command"_s);
    const QCommandLineOption help = parser.addHelpOption();
    const QCommandLineOption version = parser.addVersionOption();
    const QCommandLineOption demo(u"demo"_s, u"Connect to the built-in demo server and open its first tool."_s);
    const QCommandLineOption server(u"server"_s, u"Connect to the server with this name."_s, u"name"_s);
    const QCommandLineOption once(u"exit-after-first-paint"_s,
                                  u"Exit after the first paint, to measure startup time."_s);
    parser.addOptions({demo, server, once});
    parser.addPositionalArgument(u"what"_s, u"Session files, URLs, or a command after --."_s, u"[what…]"_s);

    // The parser does not report which arguments were after the dashes.
    const qsizetype dashes = arguments.indexOf(u"--"_s);
    const QStringList command = dashes < 0 ? QStringList() : arguments.mid(dashes + 1);
    if (!parser.parse(dashes < 0 ? arguments : arguments.first(dashes)))
        return wrong(parser.errorText() + u'.', u"See sonde --help."_s);
    StartArguments request;
    if (parser.isSet(help) || parser.isSet(u"help-all"_s))
        request.text = parser.helpText();
    else if (parser.isSet(version))
        request.text = u"sonde "_s + QCoreApplication::applicationVersion() + u'\n';
    request.demo = parser.isSet(demo);
    request.servers = parser.values(server);
    request.exitAfterPaint = parser.isSet(once);
    const QStringList words = parser.positionalArguments();
    for (const QString &word : words) {
        if (const Error error = place(word, request))
            return error;
    }
    if (dashes >= 0 && command.isEmpty())
        return wrong(u"Expected a command after the two dashes."_s, u"For example: sonde -- npx -y some-server"_s);
    if (!command.isEmpty()) {
        QStringList program = command;
        QString line;
        for (const auto &[name, value] : takeAssignments(&program))
            line += name + u'=' + joinCommandLine({value}) + u' ';
        request.lines.append(line + joinCommandLine(program));
        request.folder = QDir::currentPath();
    }
    return request;
}

}  // namespace sonde::app
