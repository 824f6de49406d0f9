// SPDX-License-Identifier: Apache-2.0
#include "app/cli/serververbs.h"

#include "app/cli/input.h"
#include "app/cli/standardoutput.h"
#include "core/connection/serverstore.h"
#include "core/connection/specsecrets.h"
#include "core/hosts/hostdetails.h"
#include "core/hosts/hostfiles.h"
#include "core/hosts/hostreader.h"
#include "core/hosts/serverexport.h"
#include "core/json/builder.h"
#include "core/protocol/visibletext.h"
#include "core/secrets/secretstore.h"

#include <QCoreApplication>
#include <QEventLoop>

#include <cstdio>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::cli {

namespace {

struct ServerVerbsText {
    Q_DECLARE_TR_FUNCTIONS(sonde::cli)
};

QString serverVerbsHelp()
{
    return ServerVerbsText::tr(
        "Usage: sonde-cli import FILE [NAME…] [--list] [--json]\n"
        "       sonde-cli import --found [NAME…] [--list] [--json]\n"
        "       sonde-cli export-servers [NAME…] [-o OUT] [--include-secrets]\n"
        "\n"
        "Reads and writes lists of servers; starts none and connects to none.\n"
        "\n"
        "import: adds servers of another host's configuration to Sonde's list\n"
        "  FILE                 of Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Cline, Zed, Gemini CLI,\n"
        "                       Codex or MCP Inspector, or the registry's server.json; - for standard input, which\n"
        "                       may also be a command such as 'claude mcp add …'\n"
        "  --found              what is on this computer\n"
        "  NAME                 only these; otherwise all that are enabled and can be started\n"
        "  --list               add nothing; print what each server would run\n"
        "  --json               print one JSON object for scripts; implies --list\n"
        "\n"
        "export-servers: prints Sonde's list as mcpServers JSON\n"
        "  NAME                 only these (default: all)\n"
        "  -o, --output OUT     write to this file, replacing it (default: standard output)\n"
        "  --include-secrets    with secret values, read from the keychain; otherwise placeholders such as\n"
        "                       <API_KEY>\n"
        "\n"
        "Exit codes: 0 success, 3 cannot read or write, 4 usage error\n");
}

void say(const QString &text)
{
    std::fputs((text + u'\n').toUtf8().constData(), stderr);
}

ExitCode wrongServerUse(const QString &problem)
{
    say(u"sonde-cli: "_s + problem + u'\n' + ServerVerbsText::tr("Try sonde-cli import --help."));
    return ExitCode::WrongUse;
}

ExitCode serverVerbFailed(const Error &error)
{
    say(u"sonde-cli: "_s + visibleText(error.message) + (error.hint.isEmpty() ? QString() : u'\n' + error.hint));
    return ExitCode::NoResponse;
}

struct ServerOptions {
    QStringList operands;
    QString output;
    bool isFound = false;
    bool isList = false;
    bool isJson = false;
    bool withSecrets = false;
    bool isHelp = false;
    QString problem;
};

ServerOptions parseServerWords(const QStringList &words)
{
    const bool isImport = words.first() == u"import";
    ServerOptions options;
    for (qsizetype i = 1; i < words.size() && options.problem.isEmpty(); ++i) {
        const QString &word = words[i];
        if (word == u"--help" || word == u"-h")
            options.isHelp = true;
        else if (isImport && word == u"--found")
            options.isFound = true;
        else if (isImport && word == u"--list")
            options.isList = true;
        else if (isImport && word == u"--json")
            options.isList = options.isJson = true;
        else if (!isImport && word == u"--include-secrets")
            options.withSecrets = true;
        else if (!isImport && word.startsWith(u"--output="_s))
            options.output = word.mid(9);
        else if (!isImport && (word == u"-o" || word == u"--output") && i + 1 < words.size())
            options.output = words[++i];
        else if (word.startsWith(u'-') && word.size() > 1)
            options.problem = ServerVerbsText::tr("unknown option '%1'").arg(word);
        else
            options.operands.append(word);
    }
    if (isImport && !options.isFound && options.operands.isEmpty() && !options.isHelp && options.problem.isEmpty())
        options.problem = ServerVerbsText::tr("expected a file, - or --found");
    return options;
}

HostConfig readSource(const QString &path)
{
    if (path != u"-")
        return readHostFile(path);
    const Result<QByteArray> text = readInput(path);
    if (text)
        return readHostText(*text);
    HostConfig config;
    config.error = text.error();
    return config;
}

// Secrets are neither printed for people nor for machines.
void printForMachines(const QList<HostConfig> &configs)
{
    const auto addStrings = [](json::Builder &builder, QStringView name, const QStringList &strings) {
        builder.key(name).beginArray();
        for (const QString &each : strings)
            builder.string(each);
        builder.endArray();
    };
    json::Builder builder;
    builder.beginObject().key(u"sources").beginArray();
    for (const HostConfig &config : configs) {
        builder.beginObject().member(u"title", config.title()).member(u"path", config.path);
        if (config.error)
            builder.member(u"error", config.error.message);
        if (const QString exposure = config.exposure(); !exposure.isEmpty())
            builder.member(u"warning", exposure);
        addStrings(builder, u"findings", config.findings);
        builder.key(u"servers").beginArray();
        for (const HostServer &server : config.servers) {
            builder.beginObject().member(u"name", server.spec.name);
            builder.member(u"line", qint64(server.line)).member(u"disabled", server.isDisabled);
            if (!server.scope.isEmpty())
                builder.member(u"project", server.scope);
            QStringList secrets;
            for (const SecretPlace &place : server.secrets)
                secrets.append(place.name);
            addStrings(builder, u"secrets", secrets);
            addStrings(builder, u"problems", server.problems);
            addStrings(builder, u"findings", server.findings);
            builder.rawMember(u"entry", maskedEntry(server)).endObject();
        }
        builder.endArray().endObject();
    }
    builder.endArray().endObject();
    standardoutput::writeText(QString::fromUtf8(builder.take()) + u'\n');
}

void print(const HostConfig &config)
{
    QString text = visibleLine(config.title());
    if (!config.path.isEmpty())
        text += u"  "_s + visibleLine(config.path, -1);
    standardoutput::writeText(text + u'\n');
    for (const HostServer &server : config.servers) {
        const QString mark = ServerVerbsText::tr("******** (secret)");
        QString details = serverDetails(server, mark).trimmed();
        details.replace(u'\n', u"\n    "_s);
        standardoutput::writeText(u"\n  "_s + visibleLine(server.spec.name, -1) + u"\n    "_s + details + u'\n');
    }
    standardoutput::writeText(u"\n"_s);
}

// The one of the list that is the same; none: null.
const ServerSpec *inList(const ServerStore &store, const ServerSpec &spec)
{
    const ServerSpec *other = store.server(spec.name);
    return other && isSameServer(*other, spec) ? other : nullptr;
}

// With what the keychain has for them.
Error includeSecrets(QList<ServerSpec> *servers, const Profile &profile)
{
    QStringList names;
    for (const ServerSpec &server : std::as_const(*servers))
        names += keychainNames(server);
    names.removeDuplicates();
    if (names.isEmpty())
        return {};
    QEventLoop loop;
    Error result;
    readSecrets(profile.secrets, names, &loop, [&](const QHash<QString, QString> &values, const Error &error) {
        for (ServerSpec &server : *servers)
            server = withKeychainValues(server, values);
        result = error;
        loop.quit();
    });
    loop.exec();
    return result;
}

// Before the event loop of the program runs.
Error keepSecret(SecretVault &vault, const QString &name, const QString &value)
{
    QEventLoop loop;
    Error result;
    vault.write(name, value.toUtf8(), &loop, [&](const Error &error) {
        result = error;
        loop.quit();
    });
    loop.exec();
    return result;
}

Result<bool> hasSecret(SecretVault &vault, const QString &name)
{
    QEventLoop loop;
    Result<bool> result = false;
    vault.read(name, &loop, [&](const Result<SecretStore::Value> &value) {
        result = value ? Result<bool>(value->has_value()) : Result<bool>(value.error());
        loop.quit();
    });
    loop.exec();
    return result;
}

enum class SecretNames { New, OfAnEarlierImport };

// What the keychain does not take is left out, and said: no file gets it. What it has already stays as it is. Returns
// how many it took.
qsizetype keepSecrets(SecretVault &vault, const ServerSpec &spec, const QHash<QString, QString> &values,
                      SecretNames names)
{
    qsizetype count = 0;
    for (auto value = values.cbegin(); value != values.cend(); ++value) {
        const Result<bool> isThere = names == SecretNames::New ? false : hasSecret(vault, value.key());
        if (isThere && *isThere)
            continue;
        const Error error = isThere ? keepSecret(vault, value.key(), value.value()) : isThere.error();
        if (error) {
            say(ServerVerbsText::tr("The secrets of %1 were left out: %2 Import it again, or enter them in the window. "
                                    "%3")
                    .arg(visibleLine(spec.name), error.message, error.hint));
            return count;
        }
        ++count;
    }
    return count;
}

// False: it could not be added.
bool add(const Profile &profile, const HostServer &server, bool isNamed)
{
    ServerStore &store = *profile.servers;
    const QString name = visibleLine(server.spec.name);
    if (!isNamed && (server.isDisabled || !server.problems.isEmpty())) {
        say(ServerVerbsText::tr("Left out: %1. %2")
                .arg(name,
                     visibleLine(server.problems.isEmpty() ? server.findings.value(0) : server.problems.first())));
        return true;
    }
    if (const ServerSpec *known = inList(store, server.spec)) {
        say(ServerVerbsText::tr("Already in the list: %1").arg(name));
        // An earlier import may have found the keychain locked.
        const QHash<QString, QString> values = valuesOfReferences(*known, server.spec);
        if (keepSecrets(*profile.secrets, *known, values, SecretNames::OfAnEarlierImport) > 0)
            standardoutput::writeText(ServerVerbsText::tr("Added the missing secrets of %1\n").arg(name));
        return true;
    }
    ServerSpec spec = server.spec;
    spec.name = store.freeName(visibleLine(spec.name, 200));
    QHash<QString, QString> values;
    spec = withKeychainReferences(spec, server.secrets, &values);
    if (const Error error = store.add(spec)) {
        serverVerbFailed(error);
        return false;
    }
    keepSecrets(*profile.secrets, spec, values, SecretNames::New);
    standardoutput::writeText(spec.name == server.spec.name
                                  ? ServerVerbsText::tr("Added: %1\n").arg(name)
                                  : ServerVerbsText::tr("Added: %1, as “%2”\n").arg(name, spec.name));
    return true;
}

ExitCode importServers(const ServerOptions &options, const Profile &profile)
{
    QStringList names = options.operands;
    const QString path = options.isFound ? QString() : names.takeFirst();
    QList<HostConfig> configs =
        options.isFound ? findHostConfigs(HostFolders::ofUser()) : QList<HostConfig>{readSource(path)};
    if (!names.isEmpty()) {
        for (HostConfig &config : configs)
            config.servers.removeIf([&](const HostServer &server) { return !names.contains(server.spec.name); });
    }
    if (options.isJson)
        printForMachines(configs);
    ServerStore &store = *profile.servers;
    if (!options.isList) {
        if (const Error error = store.load())
            return serverVerbFailed(error);
    }
    ExitCode code = ExitCode::Ok;
    QString unsaved;
    QObject::connect(&store, &ServerStore::notSaved, &store, [&](const Error &error) { unsaved = error.message; });
    for (const HostConfig &config : std::as_const(configs)) {
        if (config.error)
            code = serverVerbFailed(config.error);
        if (const QString exposure = config.exposure(); !exposure.isEmpty())
            say(visibleText(exposure));
        for (const QString &finding : config.findings)
            say(visibleText(finding));
        if (options.isList && !options.isJson && !config.error)
            print(config);
        for (const HostServer &server : config.servers) {
            if (!options.isList && !add(profile, server, !names.isEmpty()))
                code = ExitCode::NoResponse;
        }
    }
    if (!unsaved.isEmpty())
        return serverVerbFailed(Error::local(unsaved));
    return code;
}

ExitCode exportServers(const ServerOptions &options, const Profile &profile)
{
    ServerStore &store = *profile.servers;
    if (const Error error = store.load())
        return serverVerbFailed(error);
    QList<ServerSpec> servers = options.operands.isEmpty() ? store.servers() : QList<ServerSpec>();
    for (const QString &name : options.operands) {
        const ServerSpec *server = store.server(name);
        if (!server)
            return serverVerbFailed(Error::local(ServerVerbsText::tr("No server named “%1”.").arg(name)));
        servers.append(*server);
    }
    if (options.withSecrets) {
        if (const Error error = includeSecrets(&servers, profile))
            return serverVerbFailed(error);
    }
    const SecretValues secrets = options.withSecrets ? SecretValues::Included : SecretValues::Placeholders;
    if (options.output.isEmpty() || options.output == u"-") {
        standardoutput::write(toMcpServers(servers, secrets));
        return ExitCode::Ok;
    }
    const Error error = writeMcpServers(options.output, servers, secrets);
    return error ? serverVerbFailed(error) : ExitCode::Ok;
}

}  // namespace

std::optional<ExitCode> runServerVerb(const QStringList &words, const Profile &profile)
{
    const QString verb = words.value(0);
    if (verb != u"import" && verb != u"export-servers")
        return std::nullopt;
    const ServerOptions options = parseServerWords(words);
    if (options.isHelp) {
        standardoutput::writeText(serverVerbsHelp());
        return ExitCode::Ok;
    }
    if (!options.problem.isEmpty())
        return wrongServerUse(options.problem);
    return verb == u"import" ? importServers(options, profile) : exportServers(options, profile);
}

}  // namespace sonde::cli
