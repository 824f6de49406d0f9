// SPDX-License-Identifier: Apache-2.0
#include "app/cli/targetserver.h"

#include "app/cli/didyoumean.h"
#include "app/cli/input.h"
#include "app/cli/texts.h"
#include "core/protocol/revision.h"
#include "core/server/hostreader.h"
#include "core/server/hostsecrets.h"
#include "core/server/serveraddress.h"
#include "core/server/serverstore.h"
#include "core/transport/process/commandline.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace sonde::cli {

namespace {

Error unknownServer(const QString &name, const QString &path, const QStringList &known)
{
    const Error unknown =
        Error::local(CliText::tr("There is no server '%1' in %2.").arg(name, path),
                     known.isEmpty() ? QString() : CliText::tr("Known servers: %1").arg(known.join(u", "_s)));
    return withSuggestion(unknown, didYouMean(name, known));
}

}  // namespace

Result<ServerSpec> storedServer(const ServerStore &store, const QString &name)
{
    if (const ServerSpec *spec = store.server(name))
        return *spec;
    QStringList known;
    for (const ServerSpec &spec : store.servers())
        known.append(spec.name);
    return unknownServer(name, store.path(), known);
}

Result<ServerSpec> storedSpec(ServerStore &store, const QString &name)
{
    if (const Error error = store.load())
        return error;
    return storedServer(store, name);
}

namespace {

// As its host would start it. What an import would leave to the person to fill in is missing here.
Result<ServerSpec> configuredSpec(const QString &path, const QString &name)
{
    const HostConfig config = readHostFile(path);
    if (config.error)
        return config.error;
    QStringList known;
    for (const HostServer &server : config.servers) {
        known.append(server.spec.name);
        if (server.spec.name != name)
            continue;
        if (!server.problems.isEmpty())
            return Error::local(server.problems.join(u'\n'));
        return server.spec;
    }
    return unknownServer(name, path, known);
}

Result<ServerSpec> namedSpec(const ServerOptions &options, ServerStore &store, const QString &name)
{
    return options.configPath.isEmpty() ? storedSpec(store, name) : configuredSpec(options.configPath, name);
}

// A value that is given on the command line takes the place of the file's, which may only stand for what a host asks
// its user for.
void replacePairs(QList<std::pair<QString, QString>> *pairs, const QList<std::pair<QString, QString>> &given,
                  Qt::CaseSensitivity caseOfNames)
{
    pairs->removeIf([&](const std::pair<QString, QString> &known) {
        return std::any_of(given.begin(), given.end(), [&](const std::pair<QString, QString> &each) {
            return each.first.compare(known.first, caseOfNames) == 0;
        });
    });
    *pairs += given;
}

// What is neither of the file nor of the environment: ${input:token} would be sent as it stands there.
Error unreadReference(const ServerSpec &spec)
{
    for (const Reference &reference : references(spec, false)) {
        if (!reference.isRead)
            return Error::local(
                CliText::tr("%1 in %2 has no value here.").arg(reference.text, reference.place),
                CliText::tr("Give it with --env or --header-file, or import the server and enter it in Sonde."));
    }
    return {};
}

ServerSpec typedSpec(const ServerOptions &options)
{
    ServerSpec spec;
    if (!options.url.isEmpty()) {
        spec.kind = ServerSpec::Kind::Http;
        spec.url = urlFromText(options.url);
        spec.name = spec.url.host();
        return spec;
    }
    QStringList words = options.command;
    spec.environment = takeAssignments(&words);
    spec.command = words.takeFirst();
    spec.arguments = words;
    spec.name = QFileInfo(spec.command).fileName();
    // As every program that starts another one does; a server kept by Sonde starts where its entry says.
    spec.workingDirectory = QDir::currentPath();
    return spec;
}

// "A=b" or "A: b", by its separator.
app::OptionTarget pairInto(QList<std::pair<QString, QString>> *list, QChar separator)
{
    const auto take = [list, separator](const QString &text) {
        const qsizetype at = text.indexOf(separator);
        if (at <= 0)
            return CliText::tr("'%1' is not of the form %2")
                .arg(text, separator == u':' ? u"'NAME: VALUE'"_s : u"NAME=VALUE"_s);
        if (separator == u':')
            list->emplaceBack(text.left(at).trimmed(), text.mid(at + 1).trimmed());
        else
            list->emplaceBack(text.left(at), text.mid(at + 1));
        return QString();
    };
    return {take, app::OptionTarget::Repeat::Yes};
}

// Lines as in a request. Such a file keeps what is secret in them off the command line, which every user of the
// computer can read.
app::OptionTarget headerFileInto(QList<std::pair<QString, QString>> *headers)
{
    const auto take = [headers](const QString &path) {
        const Result<QByteArray> text = readInput(path);
        if (!text)
            return text.error().message;
        int number = 0;
        for (const QString &line : QString::fromUtf8(*text).split(u'\n')) {
            ++number;
            const QString trimmed = line.trimmed();
            const qsizetype colon = trimmed.indexOf(u':');
            if (trimmed.isEmpty() || trimmed.startsWith(u'#'))
                continue;
            // Its text is not repeated: it may be a token without a name.
            if (colon <= 0)
                return CliText::tr("%1: line %2 is not of the form NAME: VALUE").arg(path).arg(number);
            headers->emplaceBack(trimmed.left(colon).trimmed(), trimmed.mid(colon + 1).trimmed());
        }
        return QString();
    };
    return {take, app::OptionTarget::Repeat::Yes};
}

app::OptionTarget fileInto(QString *path)
{
    return [path](const QString &text) {
        *path = QFileInfo(text).absoluteFilePath();
        return QFileInfo::exists(text)
                   ? QString()
                   : withSuggestion(CliText::tr("there is no file '%1'").arg(text), didYouMeanFile(text));
    };
}

// What http::NetworkOptions is filled from: all of it goes with a URL only.
QString networkNames()
{
    return CliText::tr("--proxy, --ca, --client-cert, --client-key, --accept-certificate and --allow-host");
}

}  // namespace

app::OptionTarget sidesInto(QList<ServerSide> *sides)
{
    const auto take = [sides](const QString &text) {
        sides->append({text, false});
        return QString();
    };
    return {take, app::OptionTarget::Repeat::Yes};
}

app::Option ServerOptions::transportRow()
{
    static const QStringList names{u"automatic"_s, u"streamable-http"_s, u"sse"_s};
    const auto take = [this](const QString &text) {
        using Kind = ServerSpec::HttpKind;
        const qsizetype at = names.indexOf(text);
        if (at < 0)
            return CliText::tr("unknown transport '%1'; use automatic, streamable-http or sse").arg(text);
        httpKind = std::array{Kind::Automatic, Kind::Streamable, Kind::Sse}[size_t(at)];
        return QString();
    };
    return {u"--transport TRANSPORT"_s,
            CliText::tr("transport of a URL: streamable-http, sse (HTTP+SSE) or automatic (default), which tries both"),
            take, app::Completion::of(names)};
}

app::Option ServerOptions::revisionRow()
{
    const auto take = [this](const QString &text) {
        const std::optional<Revision> wanted = revisionFromString(text);
        if (!wanted && text != "automatic"_L1)
            return CliText::tr("unknown revision '%1'; use automatic or one of %2")
                .arg(text, revisionNames().join(u", "_s));
        revision = wanted;
        return QString();
    };
    return {u"--revision REVISION"_s,
            CliText::tr("protocol revision: automatic (default), which asks the server, or one of %1")
                .arg(revisionNames().join(u", "_s)),
            take, app::Completion::of(QStringList{u"automatic"_s} + revisionNames())};
}

// "elicitation" stands for both of its modes.
app::Option ServerOptions::undeclaredRow()
{
    const auto take = [this](const QString &text) {
        for (const QString &each : text.split(u',')) {
            const QString trimmed = each.trimmed();
            const QStringList parts = trimmed == "elicitation"_L1
                                          ? QStringList{u"elicitation.form"_s, u"elicitation.url"_s}
                                          : QStringList{trimmed};
            if (!ServerSpec::capabilityNames().contains(parts.first()))
                return CliText::tr("--without: unknown capability '%1'; use elicitation, %2")
                    .arg(trimmed, ServerSpec::capabilityNames().join(u", "_s));
            undeclaredCapabilities += parts;
        }
        return QString();
    };
    return {u"--without NAME[,NAME…]"_s,
            CliText::tr("do not declare these capabilities, to see how the server treats a client without them: "
                        "elicitation, elicitation.form, elicitation.url, sampling, sampling.tools, roots, tasks. With "
                        "clientInfo, do not say who the client is (2026-07-28 only)"),
            take, app::Completion::of(QStringList{u"elicitation"_s} + ServerSpec::capabilityNames())};
}

void ServerOptions::declare(app::OptionTable &table, const std::optional<app::OptionTarget> &server)
{
    const auto hostInto = [this](const QString &host) {
        network.allowedHosts.append(host);
        return QString();
    };
    constexpr qsizetype namingRows = 3;  // those that name a server, which come first
    table.usageEnd = usage();
    table.command = &command;
    table.sections.append(
        {CliText::tr("Server"),
         {
             {u"-- COMMAND [ARGUMENT…]"_s,
              CliText::tr("start this program and talk to it over standard input and output")},
             {u"--url URL"_s,
              CliText::tr("connect over HTTP. The default scheme is http:// for this computer and https:// for others"),
              &url},
             {u"--server NAME"_s, CliText::tr("use a server saved in Sonde, or in the file of --config"),
              server.value_or(&name), app::Completion::of(savedServerNames)},
             {u"--config FILE"_s,
              CliText::tr("take --server from this configuration file of another MCP client, such as .vscode/mcp.json, "
                          "without importing it. The server needs approval like a saved one"),
              fileInto(&configPath), app::Completion::files()},
             transportRow(),
             {u"--header 'NAME: VALUE'"_s,
              CliText::tr("send this header with every HTTP request. ${env:NAME} stands for an environment variable of "
                          "sonde-cli, here and in the path and query of the URL, in --env and in the arguments of the "
                          "command"),
              pairInto(&headers, u':')},
             {u"--header-file FILE"_s,
              CliText::tr("send the HTTP headers in this file, one NAME: VALUE per line; - for standard input"),
              headerFileInto(&headers), app::Completion::files()},
             {u"--proxy PROXY"_s,
              CliText::tr("connect through this proxy: system, none, http://HOST:PORT or socks5://HOST:PORT, with "
                          "USER:PASSWORD@ before the host if it requires them"),
              &network.proxy, app::Completion::of(QStringList{u"system"_s, u"none"_s})},
             {u"--ca FILE"_s,
              CliText::tr("trust the certificate authorities in this PEM file, besides those of the system"),
              fileInto(&network.caFile), app::Completion::files()},
             {u"--client-cert FILE"_s, CliText::tr("client certificate (PEM)"), fileInto(&network.clientCertificate),
              app::Completion::files()},
             {u"--client-key FILE"_s,
              CliText::tr(
                  "private key of the client certificate (PEM, no passphrase); default: in the certificate's file"),
              fileInto(&network.clientKey), app::Completion::files()},
             {u"--accept-certificate SHA256"_s,
              CliText::tr("accept the server certificate with this fingerprint even if it is self-signed, expired or "
                          "for another host. The error for a rejected certificate shows its fingerprint"),
              &network.acceptedCertificate},
             {u"--allow-host HOST"_s,
              CliText::tr("let the server refer Sonde to this host even if it has a private address"),
              {hostInto, app::OptionTarget::Repeat::Yes}},
             {u"--env NAME=VALUE"_s, CliText::tr("set this environment variable for the command"),
              pairInto(&environment, u'=')},
             {u"--inherit-env"_s, CliText::tr("pass the full environment to the command"), &inheritsEnvironment},
             {u"--login-shell-path"_s,
              CliText::tr("use the PATH that your login shell sets, also to find the command. The shell is run once to "
                          "read it"),
              &hasLoginShellPath},
             {u"--cwd FOLDER"_s, CliText::tr("working directory of the command (default: the current one)"),
              &workingDirectory, app::Completion::folders()},
             revisionRow(),
         },
         true,
         topic(),
         namingRows});
}

QString ServerOptions::usage()
{
    return u"(-- COMMAND… | --url URL | --server NAME)"_s;
}

QString ServerOptions::topic()
{
    return u"server-options"_s;
}

QString ServerOptions::problem() const
{
    const bool isCommand = !command.isEmpty();
    const bool isOfProcess =
        !environment.isEmpty() || inheritsEnvironment || hasLoginShellPath || !workingDirectory.isEmpty();
    if (!configPath.isEmpty() && name.isEmpty())
        return CliText::tr("--config requires --server NAME");
    if (count() == 0)
        return CliText::tr("no server: give -- COMMAND, --url URL or --server NAME");
    if (count() > 1)
        return CliText::tr("more than one server: give only one of -- COMMAND, --url URL and --server NAME");
    if (command.value(0).contains("://"_L1))
        return CliText::tr("'%1' is a URL, not a command: use --url %1").arg(command.first());
    if (!headers.isEmpty() && isCommand)
        return CliText::tr("--header requires a URL, not a command");
    if (httpKind && isCommand)
        return CliText::tr("--transport requires a URL, not a command");
    if (network != http::NetworkOptions() && isCommand)
        return CliText::tr("%1 require a URL, not a command").arg(networkNames());
    if (!url.isEmpty() && isOfProcess)
        return CliText::tr("--env, --inherit-env, --login-shell-path and --cwd require a command, not a URL");
    if (!workingDirectory.isEmpty() && !QFileInfo(workingDirectory).isDir())
        return CliText::tr("folder %1 does not exist").arg(workingDirectory);
    return {};
}

Result<ServerSpec> ServerOptions::spec(const Profile &profile) const
{
    const Result<ServerSpec> found =
        name.isEmpty() ? Result<ServerSpec>(typedSpec(*this)) : namedSpec(*this, *profile.servers, name);
    if (!found)
        return found.error();
    ServerSpec spec = *found;
    if (configPath.isEmpty()) {
        spec.headers += headers;
        spec.environment += environment;
    } else {
        replacePairs(&spec.headers, headers, Qt::CaseInsensitive);
        replacePairs(&spec.environment, environment, Qt::CaseSensitive);
        if (const Error unread = unreadReference(spec))
            return unread;
    }
    if (inheritsEnvironment)
        spec.inheritEnvironment = true;
    if (hasLoginShellPath)
        spec.loginShellPath = true;
    if (!workingDirectory.isEmpty())
        spec.workingDirectory = QDir(workingDirectory).absolutePath();
    if (httpKind && spec.startsProcess())
        return Error::local(CliText::tr("--transport requires a URL, but '%1' is a command").arg(spec.name));
    if (httpKind)
        spec.httpKind = *httpKind;
    if (network != http::NetworkOptions() && spec.startsProcess())
        return Error::local(CliText::tr("%1 require a URL, but '%2' is a command").arg(networkNames(), spec.name));
    spec.network.take(network);
    if (revision)
        spec.revision = *revision;
    spec.undeclaredCapabilities += undeclaredCapabilities;
    spec.pageByPage = false;
    const QStringList problems = spec.problems();
    if (!problems.isEmpty())
        return Error::local(problems.join(u'\n'));
    return spec;
}

Result<ServerSpec> ServerOptions::spec(const Profile &profile, const ServerSide &side) const
{
    Result<ServerSpec> found = side.isServerName ? namedSpec(*this, *profile.servers, side.text)
                                                 : ServerSpec::fromLine(side.text, QDir::currentPath());
    if (!found)
        return found;
    ServerSpec spec = std::move(found).value();
    if (side.isServerName && !configPath.isEmpty()) {
        if (const Error unread = unreadReference(spec))
            return unread;
    }
    if (!side.isServerName && spec.startsProcess() && spec.workingDirectory.isEmpty())
        spec.workingDirectory = QDir::currentPath();
    if (revision)
        spec.revision = *revision;
    if (httpKind && !spec.startsProcess())
        spec.httpKind = *httpKind;
    if (spec.startsProcess()) {
        spec.inheritEnvironment = spec.inheritEnvironment || inheritsEnvironment;
        spec.loginShellPath = spec.loginShellPath || hasLoginShellPath;
    }
    return spec;
}

QStringList ServerOptions::words() const
{
    if (!command.isEmpty())
        return QStringList{u"--"_s} + command;
    if (!url.isEmpty())
        return {u"--url"_s, url};
    return (configPath.isEmpty() ? QStringList() : QStringList{u"--config"_s, configPath}) +
           QStringList{u"--server"_s, name};
}

// Two projects may each have a server of the same name, and so may the list.
QString ServerOptions::approvalName(const QString &server) const
{
    if (configPath.isEmpty() || server.isEmpty())
        return {};
    const QString canonical = QFileInfo(configPath).canonicalFilePath();
    return u"%1 in %2"_s.arg(server, canonical.isEmpty() ? configPath : canonical);
}

Profile profileFor(bool isSaved, Profile profile)
{
    profile.tools.reset();  // what a person has seen of tools is seen in the window
    if (!isSaved)
        profile.approvals.reset();
    return profile;
}

QStringList savedServerNames()
{
    const Profile profile = Profile::ofUser();
    QStringList names;
    if (!profile.servers->load()) {
        for (const ServerSpec &spec : profile.servers->servers())
            names.append(spec.name);
    }
    return names;
}

QStringList revisionNames()
{
    QStringList names;
    for (const Revision revision : statelessRevisions() + statefulRevisions())
        names.append(toString(revision));
    return names;
}

}  // namespace sonde::cli
