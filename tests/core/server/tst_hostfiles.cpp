// The read-only look for other hosts' lists of servers in a home directory.
// SPDX-License-Identifier: Apache-2.0
#include "core/server/hostfiles.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QTemporaryDir>

using namespace sonde;
using namespace Qt::StringLiterals;

class HostFilesTest : public QObject {
    Q_OBJECT
private:
    static void place(const QString &path, const QByteArray &text)
    {
        QVERIFY(QDir().mkpath(path.section(u'/', 0, -2)));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    static QByteArray sample(const QString &name)
    {
        QFile file(QStringLiteral(SONDE_SOURCE_DIR "/tests/core/server/files/") + name);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static QMap<QString, QDateTime> stateOf(const QString &folder)
    {
        QMap<QString, QDateTime> state;
        for (QDirIterator it(folder, QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot,
                             QDirIterator::Subdirectories);
             it.hasNext();) {
            const QString path = it.next();
            state.insert(path, it.fileInfo().lastModified());
        }
        return state;
    }

private Q_SLOTS:
    void everyHostIsFoundAndNothingChanged()
    {
        QTemporaryDir home;
        const HostFolders folders = HostFolders::under(home.path());
        const QHash<Host, QString> samples{
            {Host::ClaudeDesktop, u"claude_desktop_config.json"_s},
            {Host::ClaudeCode, u"claude.json"_s},
            {Host::Cursor, u"cursor.json"_s},
            {Host::VsCode, u"vscode.json"_s},
            {Host::Windsurf, u"windsurf.json"_s},
            {Host::Cline, u"cline.json"_s},
            {Host::Zed, u"zed.json"_s},
            {Host::GeminiCli, u"gemini.json"_s},
            {Host::Codex, u"codex.toml"_s},
            {Host::Inspector, u"inspector.json"_s},
        };
        QList<Host> placed;
        for (const HostFile &file : knownHostFiles(folders)) {
            if (placed.contains(file.host))
                continue;
            placed.append(file.host);
            place(file.path, sample(samples[file.host]));
        }
        QCOMPARE(placed.size(), samples.size());
        const auto before = stateOf(home.path());
        const QList<HostConfig> found = findHostConfigs(folders);
        QCOMPARE(stateOf(home.path()), before);
        QList<Host> hosts;
        for (const HostConfig &config : found) {
            QVERIFY2(!config.error, qPrintable(config.error.message));
            QVERIFY(!config.servers.isEmpty());
            hosts.append(config.host);
        }
        QCOMPARE(hosts, placed);
    }

    void filesWithoutServersAreLeftOutAndBrokenOnesAreNot()
    {
        QTemporaryDir home;
        place(home.filePath(u".gemini/settings.json"_s), "{\"theme\":\"dark\"}");
        place(home.filePath(u".cursor/mcp.json"_s), "{\"mcpServers\":");
        const QList<HostConfig> found = findHostConfigs(HostFolders::under(home.path()));
        QCOMPARE(found.size(), 1);
        QVERIFY(found[0].error.message.contains(u".cursor/mcp.json"_s));
    }

    void projectsOfClaudeCodeHaveFilesOfTheirOwn()
    {
        QTemporaryDir home;
        const QString project = home.filePath(u"billing"_s);
        place(home.filePath(u".claude.json"_s),
              "{\"projects\":{\"" + project.toUtf8() + "\":{\"mcpServers\":{\"a\":{\"command\":\"./a\"}}}}}");
        place(project + u"/.mcp.json"_s, "{\"mcpServers\":{\"b\":{\"command\":\"./b\"}}}");
        const QList<HostConfig> found = findHostConfigs(HostFolders::under(home.path()));
        QCOMPARE(found.size(), 2);
        QCOMPARE(found[1].host, Host::ClaudeCode);
        QCOMPARE(found[1].servers[0].spec.name, u"b"_s);
        QCOMPARE(found[1].servers[0].spec.workingDirectory, project);
    }

    void aFileIsToldByItsPlace()
    {
        QCOMPARE(hostOfFile(u"/home/x/.codeium/windsurf/mcp_config.json"_s), Host::Windsurf);
        QCOMPARE(hostOfFile(u"/src/project/.mcp.json"_s), Host::ClaudeCode);
        QCOMPARE(hostOfFile(u"/src/project/.vscode/mcp.json"_s), Host::VsCode);
        QCOMPARE(hostOfFile(u"/src/project/.cursor/mcp.json"_s), Host::Cursor);
        QCOMPARE(hostOfFile(u"/tmp/anything.json"_s), Host::Unknown);
    }
};

SONDE_TEST(HostFilesTest)
#include "tst_hostfiles.moc"
