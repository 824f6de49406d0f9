// SPDX-License-Identifier: Apache-2.0
#include "core/server/hostreader.h"

#include "core/files/filelimits.h"
#include "core/files/readfile.h"
#include "core/protocol/numbertext.h"
#include "core/server/hostentry.h"
#include "core/server/hostfiles.h"
#include "core/server/installlink.h"
#include "core/server/registryentry.h"
#include "core/server/relaxedjson.h"
#include "core/server/texts.h"
#include "core/server/tomltojson.h"

#include <QFileInfo>
#include <QHash>
#include <QStringDecoder>

#include <algorithm>
#include <filesystem>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype MaxServers = 2'000;  // more are no list that a person made

// Where the lines of a text begin.
class Lines {
public:
    explicit Lines(const QByteArray &text) : m_text(text)
    {
        for (qsizetype at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
            m_starts.append(at + 1);
    }
    TextPlace placeOf(qsizetype offset) const
    {
        const auto next = std::upper_bound(m_starts.begin(), m_starts.end(), offset);
        const qsizetype start = next == m_starts.begin() ? 0 : *(next - 1);
        const QString before = QString::fromUtf8(QByteArrayView(m_text).sliced(start, offset - start));
        return {int(next - m_starts.begin()) + 1, int(before.size()) + 1};
    }

private:
    const QByteArray m_text;
    QList<qsizetype> m_starts;
};

QString where(const HostConfig &config)
{
    return config.path.isEmpty() ? ServerText::tr("The text") : config.path;
}

// A text in another encoding is recognised by its byte order mark only.
QByteArray inUtf8(const QByteArray &text)
{
    if (text.startsWith("\xEF\xBB\xBF"))
        return text.mid(3);
    if (text.startsWith("\xFF\xFE") || text.startsWith("\xFE\xFF"))
        return QString(QStringDecoder(QStringDecoder::Utf16)(text)).toUtf8();
    return text;
}

bool allowsComments(Host host)
{
    return host == Host::VsCode || host == Host::Zed || host == Host::Cursor || host == Host::GeminiCli ||
           host == Host::Unknown;
}

bool isEntry(const json::Value &value)
{
    for (const QStringView member : {u"command", u"url", u"serverUrl", u"httpUrl"}) {
        if (value.contains(member))
            return true;
    }
    return false;
}

bool isObjectOfEntries(const json::Value &value)
{
    bool isOne = value.isObject() && !value.isEmpty();
    for (const json::Value &member : value)
        isOne = isOne && isEntry(member);
    return isOne;
}

bool holds(const json::Value &names, const QString &name)
{
    for (const json::Value &each : names) {
        if (each.string() == name)
            return true;
    }
    return false;
}

// Reads one text; the config is told all that is found.
class HostTextReader {
public:
    HostTextReader(HostConfig &config, const QByteArray &text) : m_config(config), m_text(text), m_lines(text) {}

    void read()
    {
        const QByteArray trimmed = m_text.trimmed();
        const QByteArray begin = trimmed.left(1);
        const bool isJson = begin == "{" || begin == "[" || trimmed.startsWith("//") || trimmed.startsWith("/*");
        const bool isToml = m_config.host == Host::Codex || m_config.path.endsWith(u".toml"_s) ||
                            (begin != "{" && m_text.contains("[mcp_servers"));
        if (begin.isEmpty())
            fail(ServerText::tr("%1 is empty.").arg(where(m_config)));
        else if (isToml)
            readToml();
        else if (isJson || !m_config.path.isEmpty())
            readJson();
        else
            readLine();
    }

private:
    void fail(const QString &message, const QString &hint = {}) { m_config.error = Error::local(message, hint); }

    void failAt(const TextPlace &place, const QString &format, const QString &reason, const QString &entry = {})
    {
        QString message =
            ServerText::tr("%1 is not valid %2 at line %3, column %4: %5")
                .arg(where(m_config), format, QString::number(place.line), QString::number(place.column), reason);
        if (!entry.isEmpty())
            message += ServerText::tr(" (in the entry “%1”)").arg(entry);
        fail(message, ServerText::tr("Fix it in the program that uses it, then import it again."));
    }

    void readLine()
    {
        if (const std::optional<InstallLink> link = readInstallLink(QString::fromUtf8(m_text.trimmed()))) {
            const json::Document document = json::Document::parse(link->entry);
            if (!document.isValid() || !isEntry(document.root())) {
                fail(ServerText::tr("The link does not describe a server."));
                return;
            }
            readSingle(document.root(), link->name);
            return;
        }
        Result<ServerSpec> spec = ServerSpec::fromLine(QString::fromUtf8(m_text));
        if (!spec) {
            m_config.error = spec.error();
            return;
        }
        HostServer server;
        server.spec = std::move(spec).value();
        if (server.spec.original.isEmpty())
            judge(server, References::BracedAndPlain);
        else  // a command with JSON
            server = readHostEntry(m_config.host, server.spec.name, json::parse(server.spec.original));
        m_config.servers.append(server);
    }

    void readToml()
    {
        if (m_config.host == Host::Unknown)
            m_config.host = Host::Codex;
        const Result<TomlText> toml = tomlToJson(m_text, u"mcp_servers"_s);
        if (!toml) {
            failAt({toml.error().code, toml.error().bodyCode}, u"TOML"_s, toml.error().message);
            return;
        }
        const json::Document document = json::Document::parse(toml->json);
        const json::Value servers = document.root()[u"mcp_servers"];
        for (const json::Value &entry : servers) {
            HostServer server = readHostEntry(Host::Codex, entry.key(), entry);
            const TextPlace place = toml->places.value(entry.key());
            server.line = place.line;
            server.column = place.column;
            m_config.servers.append(server);
        }
        finish();
    }

    void readJson()
    {
        const RelaxedJson relaxed = strictJson(m_text);
        const json::Document document = json::Document::parse(relaxed.text);
        const json::Value root = document.root();
        for (const json::Finding &finding : document.findings()) {
            if (finding.severity == json::Finding::Severity::Error)
                return failAt(m_lines.placeOf(finding.offset), u"JSON"_s, finding.reason,
                              entryAt(root, finding.offset));
        }
        if (m_config.host == Host::Unknown)
            m_config.host = hostOf(root);
        if (relaxed.firstRelaxedAt >= 0 && !allowsComments(m_config.host)) {
            const TextPlace place = m_lines.placeOf(relaxed.firstRelaxedAt);
            m_config.findings.append(
                ServerText::tr("Line %1, column %2: a comment or a trailing comma, which %3 does not accept.")
                    .arg(QString::number(place.line), QString::number(place.column), hostName(m_config.host)));
        }
        if (root.isArray() || root[u"servers"].isArray())
            readRegistryList(root.isArray() ? root : root[u"servers"]);
        else
            readObject(root);
        finish();
    }

    // Which of the servers' objects the place is in, for an Error.
    static QString entryAt(const json::Value &root, qsizetype offset)
    {
        QString name;
        for (const QStringView member : {u"mcpServers", u"servers", u"context_servers"}) {
            const json::Value servers = root[member];
            for (const json::Value &entry : servers) {
                if (servers.isObject() && entry.offset() <= offset &&
                    servers.offset() + servers.slice().size() >= offset)
                    name = entry.key();
            }
        }
        return name;
    }

    static Host hostOf(const json::Value &root)
    {
        if (isRegistryEntry(root) || isRegistryEntry(root[u"server"]) || root.isArray() || root[u"servers"].isArray())
            return Host::Registry;
        if (root[u"context_servers"].isObject())
            return Host::Zed;
        if (root[u"projects"].isObject())
            return Host::ClaudeCode;
        if (root[u"servers"].isObject() || root[u"mcp"][u"servers"].isObject())
            return Host::VsCode;
        return Host::Unknown;
    }

    void readObject(const json::Value &root)
    {
        const json::Value inputs = root[u"inputs"];
        const bool isOfProject = m_config.host == Host::ClaudeCode && m_config.path.endsWith(u"/.mcp.json"_s);
        readEntries(root[u"mcpServers"], {}, isOfProject ? m_config.path.chopped(10) : QString());
        readEntries(root[u"servers"], inputs);
        readEntries(root[u"mcp"][u"servers"], root[u"mcp"][u"inputs"]);
        readEntries(root[u"context_servers"]);
        readEntries(root[u"mcp_servers"]);
        readProjects(root[u"projects"]);
        const json::Value wrapped = root[u"server"];
        if (isRegistryEntry(root))
            readRegistry(root);
        else if (isRegistryEntry(wrapped))
            readRegistry(wrapped);
        else if (m_config.servers.isEmpty() && isEntry(root))
            readSingle(root);
        else if (m_config.servers.isEmpty() && isObjectOfEntries(root))
            readEntries(root);
        if (m_config.host == Host::GeminiCli)
            markExcluded(root[u"mcp"]);
    }

    void readEntries(const json::Value &servers, const json::Value &inputs = {}, const QString &project = {},
                     const json::Value &disabled = {})
    {
        if (!servers.isObject())
            return;
        QHash<QString, qsizetype> last;  // of duplicates the last one counts
        for (const json::Value &entry : servers)
            last.insert(entry.key(), entry.offset());
        for (const json::Value &entry : servers) {
            const QString name = entry.key();
            if (last.value(name) != entry.offset() || m_config.servers.size() > MaxServers)
                continue;
            HostServer server = readHostEntry(m_config.host, name, entry, inputs);
            server.scope = project;
            server.isDisabled = server.isDisabled || holds(disabled, name);
            // Relative paths in it are meant from there.
            if (!project.isEmpty() && server.spec.startsProcess() && server.spec.workingDirectory.isEmpty())
                server.spec.workingDirectory = project;
            append(server, entry.offset());
        }
    }

    void readProjects(const json::Value &projects)
    {
        for (const json::Value &project : projects)
            readEntries(project[u"mcpServers"], {}, project.key(), project[u"disabledMcpServers"]);
    }

    void readSingle(const json::Value &entry, QString name = {})
    {
        if (name.isEmpty())
            name = entry[u"name"].string();
        if (const Result<ServerSpec> named = ServerSpec::fromLine(QString::fromUtf8(entry.bytes()));
            named && name.isEmpty())
            name = named->name;
        append(readHostEntry(m_config.host, name, entry), entry.offset());
    }

    void readRegistry(const json::Value &entry)
    {
        for (const RegistryServer &each : readRegistryEntry(entry))
            append(each.server, each.offset);
    }

    void readRegistryList(const json::Value &list)
    {
        for (const json::Value &each : list) {
            if (m_config.servers.size() <= MaxServers)
                readRegistry(each.contains(u"server") ? each[u"server"] : each);
        }
    }

    // Gemini CLI has the names of those it starts, or of those it does not, apart from them.
    void markExcluded(const json::Value &lists)
    {
        const json::Value excluded = lists[u"excluded"];
        const json::Value allowed = lists[u"allowed"];
        for (HostServer &server : m_config.servers) {
            const QString &name = server.spec.name;
            server.isDisabled =
                server.isDisabled || holds(excluded, name) || (allowed.isArray() && !holds(allowed, name));
        }
    }

    void append(HostServer server, qsizetype offset)
    {
        const TextPlace place = m_lines.placeOf(offset);
        server.line = place.line;
        server.column = place.column;
        m_config.servers.append(std::move(server));
    }

    void finish()
    {
        const QString host = hostName(m_config.host);
        for (HostServer &server : m_config.servers) {
            if (server.isDisabled)
                server.findings.prepend(host.isEmpty() ? ServerText::tr("Disabled in this file.")
                                                       : ServerText::tr("Disabled in %1.").arg(host));
        }
        if (m_config.servers.size() > MaxServers) {
            m_config.servers.clear();
            fail(ServerText::tr("%1 describes more than %2 servers.").arg(where(m_config), grouped(MaxServers)));
        } else if (m_config.servers.isEmpty() && m_config.path.isEmpty()) {
            fail(ServerText::tr("The text describes no servers."),
                 ServerText::tr("Paste a command, a URL, an “mcpServers” object, or the content of a host's "
                                "configuration file."));
        }
    }

    HostConfig &m_config;
    const QByteArray m_text;
    const Lines m_lines;
};

// Everybody may read the file, and enter all folders above it.
bool canOthersRead(const QString &path)
{
    namespace fs = std::filesystem;
    const auto has = [](const fs::path &where, fs::perms wanted) {
        std::error_code error;
        const fs::file_status status = fs::status(where, error);
        return !error && (status.permissions() & wanted) != fs::perms::none;
    };
    std::error_code error;
    const fs::path whole = fs::canonical(QFileInfo(path).filesystemFilePath(), error);
    if (error || !has(whole, fs::perms::others_read))
        return false;
    for (fs::path folder = whole.parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
        if (!has(folder, fs::perms::others_exec))
            return false;
    }
    return true;
}

}  // namespace

HostConfig readHostFile(const QString &path, Host host)
{
    const Result<QByteArray> text = readFile(path, filelimits::HostConfiguration);
    if (!text) {
        HostConfig config;
        config.host = host;
        config.path = path;
        config.error = text.error();
        return config;
    }
    HostConfig config = readHostText(*text, host == Host::Unknown ? hostOfFile(path) : host, path);
    config.isReadableByOthers = canOthersRead(path);
    return config;
}

HostConfig readHostText(const QByteArray &text, Host host, const QString &path)
{
    HostConfig config;
    config.host = host;
    config.path = path;
    HostTextReader(config, inUtf8(text)).read();
    return config;
}

QString HostConfig::title() const
{
    if (host != Host::Unknown)
        return hostName(host);
    return path.isEmpty() ? ServerText::tr("Pasted text") : QFileInfo(path).fileName();
}

qsizetype HostConfig::secretCount() const
{
    qsizetype count = 0;
    for (const HostServer &server : servers)
        count += server.secretCount();
    return count;
}

QString HostConfig::exposure() const
{
    const qsizetype count = secretCount();
    if (!isReadableByOthers || count == 0)
        return {};
    return ServerText::tr(
               "Every user of this computer can read %1, and it contains %2. Make it readable by you only (chmod 600).")
        .arg(path, counted(count, ServerText::tr("1 secret"), ServerText::tr("%1 secrets")));
}

}  // namespace sonde
