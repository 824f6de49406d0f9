// SPDX-License-Identifier: Apache-2.0
#include "app/cli/targetserver.h"

#include "core/connection/serveraddress.h"
#include "core/connection/serverstore.h"
#include "core/transport/process/commandline.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace sonde::cli {

namespace {

struct TargetServerText {
    Q_DECLARE_TR_FUNCTIONS(sonde::cli)
};

Result<ServerSpec> storedSpec(const QString &name)
{
    ServerStore store;
    if (const Error error = store.load())
        return error;
    if (const ServerSpec *spec = store.server(name))
        return *spec;
    QStringList known;
    for (const ServerSpec &spec : store.servers())
        known.append(spec.name);
    return Error::local(
        TargetServerText::tr("There is no server '%1' in %2.").arg(name, store.path()),
        known.isEmpty() ? QString() : TargetServerText::tr("Known servers: %1").arg(known.join(u", "_s)));
}

ServerSpec typedSpec(const Arguments &arguments)
{
    ServerSpec spec;
    if (!arguments.url.isEmpty()) {
        spec.kind = ServerSpec::Kind::Http;
        spec.url = addressFromText(arguments.url).value_or(TypedUrl::fromText(arguments.url, QUrl::StrictMode));
        spec.name = spec.url.host();
        return spec;
    }
    QStringList words = arguments.command;
    spec.environment = takeAssignments(&words);
    spec.command = words.takeFirst();
    spec.arguments = words;
    spec.name = QFileInfo(spec.command).fileName();
    // As every program that starts another one does; a server kept by Sonde starts where its entry says.
    spec.workingDirectory = QDir::currentPath();
    return spec;
}

}  // namespace

Result<ServerSpec> serverSpec(const Arguments &arguments)
{
    const Result<ServerSpec> found =
        arguments.serverName.isEmpty() ? Result<ServerSpec>(typedSpec(arguments)) : storedSpec(arguments.serverName);
    if (!found)
        return found.error();
    ServerSpec spec = *found;
    spec.headers += arguments.headers;
    spec.environment += arguments.environment;
    if (arguments.inheritEnvironment)
        spec.inheritEnvironment = true;
    if (arguments.loginShellPath)
        spec.loginShellPath = true;
    if (!arguments.workingDirectory.isEmpty())
        spec.workingDirectory = QDir(arguments.workingDirectory).absolutePath();
    if (arguments.httpKind && spec.startsProcess())
        return Error::local(TargetServerText::tr("--transport requires a URL, but '%1' is a command").arg(spec.name));
    if (arguments.httpKind)
        spec.httpKind = *arguments.httpKind;
    if (arguments.network != ServerSpec::Network() && spec.startsProcess())
        return Error::local(
            TargetServerText::tr("--proxy, --ca, --client-cert, --client-key, --accept-certificate and --allow-host "
                                 "require a URL, but '%1' is a command")
                .arg(spec.name));
    spec.network.take(arguments.network);
    if (arguments.revision)
        spec.revision = *arguments.revision;
    spec.undeclaredCapabilities += arguments.undeclaredCapabilities;
    spec.pageByPage = arguments.pages > 0;
    const QStringList problems = spec.problems();
    if (!problems.isEmpty())
        return Error::local(problems.join(u'\n'));
    return spec;
}

Result<ServerSpec> serverSpec(const Arguments &arguments, const Arguments::Side &side)
{
    Result<ServerSpec> found =
        side.isServerName ? storedSpec(side.text) : ServerSpec::fromLine(side.text, QDir::currentPath());
    if (!found)
        return found;
    ServerSpec spec = std::move(found).value();
    if (!side.isServerName && spec.startsProcess() && spec.workingDirectory.isEmpty())
        spec.workingDirectory = QDir::currentPath();
    if (arguments.revision)
        spec.revision = *arguments.revision;
    if (arguments.httpKind && !spec.startsProcess())
        spec.httpKind = *arguments.httpKind;
    if (spec.startsProcess()) {
        spec.inheritEnvironment = spec.inheritEnvironment || arguments.inheritEnvironment;
        spec.loginShellPath = spec.loginShellPath || arguments.loginShellPath;
    }
    return spec;
}

}  // namespace sonde::cli
