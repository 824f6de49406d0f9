// sonde-cli import and export-servers: lists of servers are read and written; none is started or connected to.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commonoptions.h"
#include "app/cli/didyoumean.h"
#include "app/cli/fileverb.h"
#include "app/cli/input.h"
#include "app/cli/output.h"
#include "app/cli/serversecrets.h"
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
    if (path != u"-") {
        HostConfig config = readHostFile(path);
        if (config.error)
            config.error = withSuggestion(config.error, didYouMeanFile(path));
        return config;
    }
    const Result<QByteArray> text = readInput(path);
    if (text)
        return readHostText(*text);
    HostConfig config;
    config.error = text.error();
    return config;
}

// What became of a server of a configuration.
struct Imported {
    QString action = u"listed"_s;  // added, already-there, left-out, failed
    QString name = {};             // in the list
    QString reason = {};
};

// Secrets are neither printed for people nor for machines. imported: of all servers, one after the other.
QByteArray resultForMachines(const QList<HostConfig> &configs, const QList<Imported> &imported)
{
    qsizetype number = 0;
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
        builder.key(u"servers").beginArray();
        for (const HostServer &server : config.servers) {
            const Imported each = imported.value(number++);
            builder.beginObject().member(u"name", server.spec.name).member(u"action", each.action);
            if (!each.name.isEmpty())
                builder.member(u"savedAs", each.name);
            if (!each.reason.isEmpty())
                builder.member(u"reason", each.reason);
            builder.member(u"line", qint64(server.line)).member(u"disabled", server.isDisabled);
            if (!server.scope.isEmpty())
                builder.member(u"project", server.scope);
            QStringList secrets;
            for (const SecretPlace &place : server.secrets)
                secrets.append(place.name);
            addStrings(builder, u"secrets", secrets);
            addStrings(builder, u"problems", server.problems);
            builder.rawMember(u"entry", maskedEntry(server)).endObject();
        }
        builder.endArray().endObject();
    }
    return builder.endArray().endObject().take();
}

QList<Finding> findingsIn(const QList<HostConfig> &configs)
{
    QList<Finding> found;
    const auto add = [&found](const QStringList &texts, const QString &pointer) {
        for (const QString &text : texts)
            found.append({Finding::Code::Configuration, text, pointer});
    };
    for (qsizetype i = 0; i < configs.size(); ++i) {
        const QString source = u"/result/sources/%1"_s.arg(i);
        add(configs.at(i).findings, source);
        for (qsizetype j = 0; j < configs.at(i).servers.size(); ++j)
            add(configs.at(i).servers.at(j).findings, source + u"/servers/%1"_s.arg(j));
    }
    return found;
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

class Importer {
public:
    Importer(const Profile &profile, Output &output) : m_profile(profile), m_output(output) {}

    // isNamed: a person asked for this very one.
    Imported add(const HostServer &server, bool isNamed)
    {
        ServerStore &store = *m_profile.servers;
        const QString name = visibleLine(server.spec.name);
        if (!isNamed && (server.isDisabled || !server.problems.isEmpty())) {
            const QString reason = server.problems.isEmpty() ? server.findings.value(0) : server.problems.first();
            m_output.note(FileVerb::tr("Left out: %1. %2").arg(name, visibleLine(reason)));
            return {u"left-out"_s, {}, reason};
        }
        if (const ServerSpec *known = inList(store, server.spec)) {
            m_output.note(FileVerb::tr("Already in the list: %1").arg(name));
            // An earlier import may have found the keychain locked.
            const QHash<QString, QString> values = valuesOfReferences(*known, server.spec);
            if (keepSecrets(m_output, *m_profile.secrets, *known, values, SecretNames::OfAnEarlierImport) > 0)
                say(FileVerb::tr("Added the missing secrets of %1").arg(name));
            return {u"already-there"_s, known->name};
        }
        ServerSpec spec = server.spec;
        spec.name = store.freeName(visibleLine(spec.name, 200));
        QHash<QString, QString> values;
        spec = withKeychainReferences(spec, server.secrets, &values);
        if (const Error error = store.add(spec)) {
            m_output.refusal(error);
            return {u"failed"_s, {}, error.message};
        }
        keepSecrets(m_output, *m_profile.secrets, spec, values, SecretNames::New);
        say(spec.name == server.spec.name ? FileVerb::tr("Added: %1").arg(name)
                                          : FileVerb::tr("Added: %1, as “%2”").arg(name, spec.name));
        return {u"added"_s, spec.name};
    }

private:
    void say(const QString &text)
    {
        if (!m_output.isJson())
            m_output.line(text);
    }

    const Profile &m_profile;
    Output &m_output;
};

class Import final : public FileVerb {
public:
    void declare(app::OptionTable &table) override
    {
        table.summary = tr("add servers from other MCP clients to the saved servers");
        table.details =
            tr("Reads the configuration of Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Cline, Zed, Gemini "
               "CLI, "
               "Codex or MCP Inspector, or a server.json of the MCP registry, and adds its servers to those saved in "
               "Sonde. No server is started. Servers that are disabled or cannot be started are left out unless they "
               "are named.");
        table.operands = {{u"FILE | --found"_s, tr("a file, - or --found"), &m_options.words,
                           tr("a configuration file; - for standard input, which may also hold a command such as "
                              "'claude mcp add …'"),
                           app::Completion::files(), u"--found"_s},
                          {u"[NAME…]"_s,
                           {},
                           &m_options.words,
                           tr("add only these servers (default: all that are enabled and can be started)")}};
        table.sections = {{tr("Options"),
                           {{u"--found"_s, tr("read all configurations on this computer"), &m_options.isFound},
                            {u"--list"_s, tr("add nothing; print what each server runs"), &m_options.isList}}}};
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
        if (const QString unknown = unknownName(names, configs); !unknown.isEmpty())
            return wrongUse(Error::local(unknown));
        if (!names.isEmpty()) {
            for (HostConfig &config : configs)
                config.servers.removeIf([&](const HostServer &server) { return !names.contains(server.spec.name); });
        }
        if (configs.isEmpty())
            output().note(tr("No servers from other MCP clients found."));
        ServerStore &store = *profile.servers;
        if (!m_options.isList) {
            if (const Error error = store.load())
                return wrongUse(error);
        }
        ExitCode code = ExitCode::Ok;
        QList<Imported> imported;
        Importer importer(profile, output());
        QString unsaved;
        QObject::connect(&store, &ServerStore::notSaved, &store, [&](const Error &error) { unsaved = error.message; });
        for (const HostConfig &config : std::as_const(configs)) {
            if (config.error)
                code = wrongUse(config.error);
            if (const QString exposure = config.exposure(); !exposure.isEmpty())
                output().note(visibleText(exposure));
            if (!output().isJson()) {
                for (const QString &finding : config.findings)
                    output().note(visibleText(finding));
            }
            if (m_options.isList && !output().isJson() && !config.error)
                print(config);
            for (const HostServer &server : config.servers) {
                imported.append(m_options.isList ? Imported() : importer.add(server, !names.isEmpty()));
                if (imported.last().action == "failed"_L1)
                    code = ExitCode::NoResponse;
            }
        }
        if (output().isJson()) {
            output().findings(findingsIn(configs));
            output().result(resultForMachines(configs, imported));
        }
        if (!unsaved.isEmpty())
            return cannotWrite(Error::local(unsaved));
        return code;
    }

    // Of what was read. A source that could not be read is reported as that; empty: all are there.
    static QString unknownName(const QStringList &names, const QList<HostConfig> &configs)
    {
        QStringList known;
        for (const HostConfig &config : configs) {
            if (config.error)
                return {};
            for (const HostServer &server : config.servers)
                known.append(server.spec.name);
        }
        for (const QString &name : names) {
            if (!known.contains(name))
                return withSuggestion(tr("There is no server '%1' in the configuration.").arg(name),
                                      didYouMean(name, known));
        }
        return {};
    }

    struct {
        QStringList words;
        bool isFound = false;
        bool isList = false;
    } m_options;
};

class ExportServers final : public FileVerb {
public:
    void declare(app::OptionTable &table) override
    {
        table.summary = tr("print the saved servers as mcpServers JSON");
        table.details =
            tr("Prints the servers saved in Sonde as mcpServers JSON, which other MCP clients read. Secret "
               "values are replaced by placeholders such as <API_KEY>.");
        table.operands = {{u"[NAME…]"_s,
                           {},
                           &m_options.names,
                           tr("print only these servers (default: all)"),
                           app::Completion::of(savedServerNames)}};
        table.sections = {{tr("Options"),
                           {{u"-o, --output OUT"_s,
                             tr("write to this file, with permissions 0600, replacing it (default: standard output)"),
                             &m_options.output, app::Completion::files()},
                            {u"--include-secrets"_s, tr("include the secret values, which are read from the keychain"),
                             &m_options.withSecrets}}}};
        table.examples = {u"export-servers -o servers.json"_s, u"export-servers mine --include-secrets"_s};
        table.notes = exitCodes();
    }

    QString problem() const override { return problemOfFolderOf(m_options.output); }

private:
    ExitCode run(const Profile &profile) override
    {
        ServerStore &store = *profile.servers;
        if (const Error error = store.load())
            return wrongUse(error);
        QList<ServerSpec> servers = m_options.names.isEmpty() ? store.servers() : QList<ServerSpec>();
        for (const QString &name : m_options.names) {
            const Result<ServerSpec> server = storedServer(store, name);
            if (!server)
                return wrongUse(server.error());
            servers.append(*server);
        }
        if (m_options.withSecrets) {
            if (const Error error = includeSecrets(&servers, profile))
                return cannotWrite(error);
        }
        const SecretValues secrets = m_options.withSecrets ? SecretValues::Included : SecretValues::Placeholders;
        if (m_options.output.isEmpty() || m_options.output == u"-") {
            output().result(json::compact(json::parse(toMcpServers(servers, secrets))));
            if (!output().isJson())
                standardoutput::write(toMcpServers(servers, secrets));
            return ExitCode::Ok;
        }
        const Error error = writeMcpServers(m_options.output, servers, secrets);
        return error ? cannotWrite(error) : ExitCode::Ok;
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
