// SPDX-License-Identifier: Apache-2.0
#include "core/server/hostfiles.h"

#include "core/server/hostreader.h"

#include <QDir>
#include <QFileInfo>
#include <QHash>

#include <array>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

enum class Base : quint8 { Home, Config };

struct Place {
    Host host;
    Base base;
    QStringView path;
};

#if defined(Q_OS_WIN)
constexpr QStringView ZedFile = u"Zed/settings.json";
constexpr Base ZedBase = Base::Config;
#else
constexpr QStringView ZedFile = u".config/zed/settings.json";
constexpr Base ZedBase = Base::Home;
#endif

constexpr std::array Places = {
    Place{Host::ClaudeDesktop, Base::Config, u"Claude/claude_desktop_config.json"},
    Place{Host::ClaudeCode, Base::Home, u".claude.json"},
    Place{Host::Cursor, Base::Home, u".cursor/mcp.json"},
    Place{Host::VsCode, Base::Config, u"Code/User/mcp.json"},
    Place{Host::VsCode, Base::Config, u"Code/User/settings.json"},
    Place{Host::VsCode, Base::Config, u"Code - Insiders/User/mcp.json"},
    Place{Host::VsCode, Base::Config, u"VSCodium/User/mcp.json"},
    Place{Host::Windsurf, Base::Home, u".codeium/windsurf/mcp_config.json"},
    Place{Host::Cline, Base::Config,
          u"Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"},
    Place{Host::Cline, Base::Home, u".cline/data/settings/cline_mcp_settings.json"},
    Place{Host::Zed, ZedBase, ZedFile},
    Place{Host::GeminiCli, Base::Home, u".gemini/settings.json"},
    Place{Host::Codex, Base::Home, u".codex/config.toml"},
    Place{Host::Inspector, Base::Home, u".mcp-inspector/mcp.json"},
};

constexpr qsizetype MaxProjects = 1000;

}  // namespace

QString hostName(Host host)
{
    static const QHash<Host, QString> names{
        {Host::ClaudeDesktop, u"Claude Desktop"_s},
        {Host::ClaudeCode, u"Claude Code"_s},
        {Host::Cursor, u"Cursor"_s},
        {Host::VsCode, u"VS Code"_s},
        {Host::Windsurf, u"Windsurf"_s},
        {Host::Cline, u"Cline"_s},
        {Host::Zed, u"Zed"_s},
        {Host::GeminiCli, u"Gemini CLI"_s},
        {Host::Codex, u"Codex"_s},
        {Host::Inspector, u"MCP Inspector"_s},
        {Host::Registry, u"MCP registry"_s},
    };
    return names.value(host);
}

HostFolders HostFolders::under(const QString &home)
{
#if defined(Q_OS_MACOS)
    return {home, home + u"/Library/Application Support"_s};
#elif defined(Q_OS_WIN)
    return {home, home + u"/AppData/Roaming"_s};
#else
    return {home, home + u"/.config"_s};
#endif
}

HostFolders HostFolders::ofUser()
{
    HostFolders folders = under(QDir::homePath());
    if (const QString config = qEnvironmentVariable("XDG_CONFIG_HOME"); QDir::isAbsolutePath(config))
        folders.config = config;
    return folders;
}

QList<HostFile> knownHostFiles(const HostFolders &folders)
{
    QList<HostFile> files;
    for (const Place &place : Places)
        files.append(
            {place.host, (place.base == Base::Home ? folders.home : folders.config) + u'/' + place.path.toString()});
    return files;
}

QList<HostConfig> findHostConfigs(const HostFolders &folders)
{
    QList<HostConfig> found;
    const auto look = [&found](const HostFile &file) {
        if (!QFileInfo::exists(file.path))
            return;
        HostConfig config = readHostFile(file.path, file.host);
        if (config.error || !config.servers.isEmpty())
            found.append(std::move(config));
    };
    for (const HostFile &file : knownHostFiles(folders))
        look(file);
    QStringList projects;
    for (const HostConfig &config : std::as_const(found)) {
        for (const HostServer &server : config.servers) {
            if (!server.scope.isEmpty() && !projects.contains(server.scope) && projects.size() < MaxProjects)
                projects.append(server.scope);
        }
    }
    for (const QString &project : std::as_const(projects))
        look({Host::ClaudeCode, project + u"/.mcp.json"_s});
    return found;
}

Host hostOfFile(const QString &path)
{
    const QString clean = QDir::cleanPath(QFileInfo(path).absoluteFilePath());
    for (const Place &place : Places) {
        if (clean.endsWith(u'/' + place.path.toString()))
            return place.host;
    }
    const QString file = QFileInfo(clean).fileName();
    if (file == u".mcp.json" || file == u".claude.json")
        return Host::ClaudeCode;
    if (file == u"claude_desktop_config.json")
        return Host::ClaudeDesktop;
    if (file == u"cline_mcp_settings.json")
        return Host::Cline;
    if (file == u"mcp_config.json")
        return Host::Windsurf;
    return clean.endsWith(u"/.vscode/mcp.json"_s) ? Host::VsCode : Host::Unknown;
}

}  // namespace sonde
