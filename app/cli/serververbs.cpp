// sonde-cli import and export-servers: lists of servers are read and written; none is started or connected to.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/fileverb.h"
#include "app/cli/input.h"
#include "app/cli/standardoutput.h"
#include "app/cli/targetserver.h"
#include "app/cli/verbs.h"
#include "core/json/builder.h"
#include "core/protocol/visibletext.h"
#include "core/secrets/secretstore.h"
#include "core/server/hostdetails.h"
#include "core/server/hostfiles.h"
#include "core/server/hostreader.h"
#include "core/server/serverexport.h"
#include "core/server/serverstore.h"
#include "core/server/specsecrets.h"

#include <QEventLoop>

#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::cli {

namespace {

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
        const QString mark = FileVerb::tr("******** (secret)");
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
            FileVerb::say(
                FileVerb::tr("The secrets of %1 were left out: %2 Import it again, or enter them in the window. "
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
        FileVerb::say(FileVerb::tr("Left out: %1. %2")
                          .arg(name, visibleLine(server.problems.isEmpty() ? server.findings.value(0)
                                                                           : server.problems.first())));
        return true;
    }
    if (const ServerSpec *known = inList(store, server.spec)) {
        FileVerb::say(FileVerb::tr("Already in the list: %1").arg(name));
        // An earlier import may have found the keychain locked.
        const QHash<QString, QString> values = valuesOfReferences(*known, server.spec);
        if (keepSecrets(*profile.secrets, *known, values, SecretNames::OfAnEarlierImport) > 0)
            standardoutput::writeText(FileVerb::tr("Added the missing secrets of %1\n").arg(name));
        return true;
    }
    ServerSpec spec = server.spec;
    spec.name = store.freeName(visibleLine(spec.name, 200));
    QHash<QString, QString> values;
    spec = withKeychainReferences(spec, server.secrets, &values);
    if (const Error error = store.add(spec)) {
        FileVerb::failed(error);
        return false;
    }
    keepSecrets(*profile.secrets, spec, values, SecretNames::New);
    standardoutput::writeText(spec.name == server.spec.name
                                  ? FileVerb::tr("Added: %1\n").arg(name)
                                  : FileVerb::tr("Added: %1, as “%2”\n").arg(name, spec.name));
    return true;
}

class Import final : public FileVerb {
public:
    void declare(app::OptionTable &table) override
    {
        const auto takeJson = [this](const QString &) {
            m_options.isJson = m_options.isList = true;
            return QString();
        };
        table.summary = tr("add servers of another host's configuration to Sonde's list");
        table.operands = {
            {u"FILE | --found"_s, tr("a file, - or --found"), &m_options.words,
             tr("of Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Cline, Zed, Gemini CLI, Codex "
                "or MCP Inspector, or the registry's server.json; - for standard input, which may also be "
                "a command such as 'claude mcp add …'; --found: what is on this computer"),
             app::Completion::files(), u"--found"_s},
            {u"[NAME…]"_s, {}, &m_options.words, tr("only these; otherwise all that are enabled and can be started")}};
        table.sections = {{tr("Options"),
                           {{u"--found"_s, tr("what is on this computer"), &m_options.isFound},
                            {u"--list"_s, tr("add nothing; print what each server would run"), &m_options.isList},
                            {u"--json"_s, tr("print one JSON object for scripts; implies --list"), takeJson}}}};
        table.examples = {u"import ~/.cursor/mcp.json"_s, u"import --found --list"_s};
        table.notes = exitCodes();
    }

private:
    ExitCode run(const Profile &profile) override
    {
        QStringList names = m_options.words;
        const QString path = m_options.isFound ? QString() : names.takeFirst();
        QList<HostConfig> configs =
            m_options.isFound ? findHostConfigs(HostFolders::ofUser()) : QList<HostConfig>{readSource(path)};
        if (!names.isEmpty()) {
            for (HostConfig &config : configs)
                config.servers.removeIf([&](const HostServer &server) { return !names.contains(server.spec.name); });
        }
        if (m_options.isJson)
            printForMachines(configs);
        ServerStore &store = *profile.servers;
        if (!m_options.isList) {
            if (const Error error = store.load())
                return failed(error);
        }
        ExitCode code = ExitCode::Ok;
        QString unsaved;
        QObject::connect(&store, &ServerStore::notSaved, &store, [&](const Error &error) { unsaved = error.message; });
        for (const HostConfig &config : std::as_const(configs)) {
            if (config.error)
                code = failed(config.error);
            if (const QString exposure = config.exposure(); !exposure.isEmpty())
                say(visibleText(exposure));
            for (const QString &finding : config.findings)
                say(visibleText(finding));
            if (m_options.isList && !m_options.isJson && !config.error)
                print(config);
            for (const HostServer &server : config.servers) {
                if (!m_options.isList && !add(profile, server, !names.isEmpty()))
                    code = ExitCode::NoResponse;
            }
        }
        if (!unsaved.isEmpty())
            return failed(Error::local(unsaved));
        return code;
    }

    struct {
        QStringList words;
        bool isFound = false;
        bool isList = false;
        bool isJson = false;
    } m_options;
};

class ExportServers final : public FileVerb {
public:
    void declare(app::OptionTable &table) override
    {
        table.summary = tr("print Sonde's list of servers as mcpServers JSON");
        table.operands = {{u"[NAME…]"_s,
                           {},
                           &m_options.names,
                           tr("only these (default: all)"),
                           app::Completion::of(savedServerNames)}};
        table.sections = {{tr("Options"),
                           {{u"-o, --output OUT"_s, tr("write to this file, replacing it (default: standard output)"),
                             &m_options.output, app::Completion::files()},
                            {u"--include-secrets"_s,
                             tr("with secret values, read from the keychain; otherwise placeholders such as <API_KEY>"),
                             &m_options.withSecrets}}}};
        table.examples = {u"export-servers -o servers.json"_s};
        table.notes = exitCodes();
    }

private:
    ExitCode run(const Profile &profile) override
    {
        ServerStore &store = *profile.servers;
        if (const Error error = store.load())
            return failed(error);
        QList<ServerSpec> servers = m_options.names.isEmpty() ? store.servers() : QList<ServerSpec>();
        for (const QString &name : m_options.names) {
            const ServerSpec *server = store.server(name);
            if (!server)
                return failed(Error::local(tr("No server named “%1”.").arg(name)));
            servers.append(*server);
        }
        if (m_options.withSecrets) {
            if (const Error error = includeSecrets(&servers, profile))
                return failed(error);
        }
        const SecretValues secrets = m_options.withSecrets ? SecretValues::Included : SecretValues::Placeholders;
        if (m_options.output.isEmpty() || m_options.output == u"-") {
            standardoutput::write(toMcpServers(servers, secrets));
            return ExitCode::Ok;
        }
        const Error error = writeMcpServers(m_options.output, servers, secrets);
        return error ? failed(error) : ExitCode::Ok;
    }

    struct {
        QStringList names;
        QString output;
        bool withSecrets = false;
    } m_options;
};

}  // namespace

std::unique_ptr<Verb> makeImport()
{
    return std::make_unique<Import>();
}

std::unique_ptr<Verb> makeExportServers()
{
    return std::make_unique<ExportServers>();
}

}  // namespace sonde::cli
