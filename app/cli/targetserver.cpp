// SPDX-License-Identifier: Apache-2.0
#include "app/cli/targetserver.h"

#include "app/cli/texts.h"
#include "core/protocol/revision.h"
#include "core/server/serveraddress.h"
#include "core/server/serverstore.h"
#include "core/transport/process/commandline.h"

#include <QDir>
#include <QFileInfo>
#include <array>

using namespace Qt::StringLiterals;

namespace sonde::cli {

namespace {

Result<ServerSpec> storedSpec(ServerStore &store, const QString &name)
{
    if (const Error error = store.load())
        return error;
    if (const ServerSpec *spec = store.server(name))
        return *spec;
    QStringList known;
    for (const ServerSpec &spec : store.servers())
        known.append(spec.name);
    return Error::local(CliText::tr("There is no server '%1' in %2.").arg(name, store.path()),
                        known.isEmpty() ? QString() : CliText::tr("Known servers: %1").arg(known.join(u", "_s)));
}

ServerSpec typedSpec(const ServerOptions &options)
{
    ServerSpec spec;
    if (!options.url.isEmpty()) {
        spec.kind = ServerSpec::Kind::Http;
        spec.url = addressFromText(options.url).value_or(TypedUrl::fromText(options.url, QUrl::StrictMode));
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

app::OptionTarget fileInto(QString *path)
{
    return [path](const QString &text) {
        *path = QFileInfo(text).absoluteFilePath();
        return QString();
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
            CliText::tr("of a URL: streamable-http, sse (HTTP+SSE) or automatic, which tries both"), take,
            app::Completion::of(names)};
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
            CliText::tr("automatic, or the protocol revision to use: %1").arg(revisionNames().join(u", "_s)), take,
            app::Completion::of(QStringList{u"automatic"_s} + revisionNames())};
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
            CliText::tr("do not declare these to the server: elicitation, elicitation.form, elicitation.url, "
                        "sampling, sampling.tools, roots, tasks; clientInfo (2026-07-28 only)"),
            take, app::Completion::of(QStringList{u"elicitation"_s} + ServerSpec::capabilityNames())};
}

void ServerOptions::declare(app::OptionTable &table, const std::optional<app::OptionTarget> &server)
{
    const auto hostInto = [this](const QString &host) {
        network.allowedHosts.append(host);
        return QString();
    };
    table.usageEnd = CliText::tr("(-- COMMAND… | --url URL | --server NAME)");
    table.command = &command;
    table.sections.append(
        {CliText::tr("Server"),
         {
             {u"-- COMMAND [ARGUMENT…]"_s, CliText::tr("start this program and use its standard input and output")},
             {u"--url URL"_s,
              CliText::tr("connect over HTTP; without a scheme, http:// for this machine and https:// for "
                          "others"),
              &url},
             transportRow(),
             {u"--server NAME"_s, CliText::tr("a server saved in Sonde"), server.value_or(&name),
              app::Completion::of(savedServerNames)},
             {u"--header 'NAME: VALUE'"_s, CliText::tr("send this HTTP header"), pairInto(&headers, u':')},
             {u"--proxy PROXY"_s, CliText::tr("system, none, http://HOST:PORT or socks5://HOST:PORT"), &network.proxy,
              app::Completion::of(QStringList{u"system"_s, u"none"_s})},
             {u"--ca FILE"_s, CliText::tr("also trust the certificate authorities in this PEM file"),
              fileInto(&network.caFile), app::Completion::files()},
             {u"--client-cert FILE"_s, CliText::tr("show this certificate (PEM) to the server"),
              fileInto(&network.clientCertificate), app::Completion::files()},
             {u"--client-key FILE"_s, CliText::tr("its private key (PEM); default: in the file of the certificate"),
              fileInto(&network.clientKey), app::Completion::files()},
             {u"--accept-certificate SHA256"_s,
              CliText::tr("accept this one certificate of the server in spite of errors"),
              &network.acceptedCertificate},
             {u"--allow-host HOST"_s,
              CliText::tr("let the server lead to this host on a private address"),
              {hostInto, app::OptionTarget::Repeat::Yes}},
             {u"--env NAME=VALUE"_s, CliText::tr("set this environment variable"), pairInto(&environment, u'=')},
             {u"--inherit-env"_s, CliText::tr("pass the full environment to the program"), &inheritsEnvironment},
             {u"--login-shell-path"_s, CliText::tr("PATH of the program is that of your login shell"),
              &hasLoginShellPath},
             {u"--cwd FOLDER"_s, CliText::tr("working directory of the program (default: current)"), &workingDirectory,
              app::Completion::folders()},
             revisionRow(),
         },
         true});
}

QString ServerOptions::problem() const
{
    const bool isCommand = !command.isEmpty();
    const bool isOfProcess =
        !environment.isEmpty() || inheritsEnvironment || hasLoginShellPath || !workingDirectory.isEmpty();
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
    return {};
}

Result<ServerSpec> ServerOptions::spec(const Profile &profile) const
{
    const Result<ServerSpec> found =
        name.isEmpty() ? Result<ServerSpec>(typedSpec(*this)) : storedSpec(*profile.servers, name);
    if (!found)
        return found.error();
    ServerSpec spec = *found;
    spec.headers += headers;
    spec.environment += environment;
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
    Result<ServerSpec> found = side.isServerName ? storedSpec(*profile.servers, side.text)
                                                 : ServerSpec::fromLine(side.text, QDir::currentPath());
    if (!found)
        return found;
    ServerSpec spec = std::move(found).value();
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
