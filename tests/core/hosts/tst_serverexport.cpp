// Servers written back as mcpServers JSON.
// SPDX-License-Identifier: Apache-2.0
#include "core/hosts/hostreader.h"
#include "core/hosts/serverexport.h"
#include "tests/support/testregistry.h"

#include <sys/stat.h>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

using namespace sonde;
using namespace Qt::StringLiterals;

class ServerExportTest : public QObject {
    Q_OBJECT
private:
    static QList<ServerSpec> specsOf(const HostConfig &config)
    {
        QList<ServerSpec> specs;
        for (const HostServer &server : config.servers)
            specs.append(server.spec);
        return specs;
    }
    static QList<ServerSpec> sample(const QString &name)
    {
        return specsOf(readHostFile(QStringLiteral(SONDE_SOURCE_DIR "/tests/core/hosts/files/") + name));
    }

private Q_SLOTS:
    void everyFormatComesBackFromMcpServers_data()
    {
        QTest::addColumn<QString>("file");
        for (const char *file :
             {"claude_desktop_config.json", "claude.json", "cursor.json", "vscode.json", "windsurf.json", "cline.json",
              "zed.json", "gemini.json", "codex.toml", "inspector.json", "server.json"})
            QTest::newRow(file) << QString::fromLatin1(file);
    }
    void everyFormatComesBackFromMcpServers()
    {
        QFETCH(QString, file);
        QList<ServerSpec> specs = sample(file);
        QVERIFY(!specs.isEmpty());
        QList<ServerSpec> again = specsOf(readHostText(toMcpServers(specs, SecretValues::Included)));
        QCOMPARE(again.size(), specs.size());
        for (qsizetype i = 0; i < specs.size(); ++i) {
            QCOMPARE(json::compact(json::parse(again[i].toJson())), json::compact(json::parse(specs[i].toJson())));
            specs[i].original.clear();
            again[i].original.clear();
            QCOMPARE(again[i], specs[i]);
        }
    }

    void unknownMembersAreKept()
    {
        const QByteArray text = toMcpServers(sample(u"claude_desktop_config.json"_s), SecretValues::Included);
        const json::Value note = json::parse(text)[u"mcpServers"][u"github"][u"x-note"];
        QCOMPARE(json::compact(note), "{\"owner\":\"ada\",\"since\":1.50}"_ba);
    }

    void secretsBecomePlaceholders_data() { everyFormatComesBackFromMcpServers_data(); }
    void secretsBecomePlaceholders()
    {
        QFETCH(QString, file);
        const QByteArray text = toMcpServers(sample(file), SecretValues::Placeholders);
        // server.json says itself what is secret; an entry of mcpServers no longer does.
        if (file != u"server.json")
            QVERIFY2(!text.toLower().contains("canary"), text.constData());
        QVERIFY(
            !text.contains("<"
                           "${"));
    }

    void secretsInArgumentsAndUrlsToo()
    {
        const Result<ServerSpec> command =
            ServerSpec::fromLine(u"x --token ghp_0123456789abcdefghijklmnopqrstuvwxyz"_s);
        QVERIFY(command);
        QVERIFY(!toMcpServers({*command}, SecretValues::Placeholders).contains("ghp_0"));
        const Result<ServerSpec> url = ServerSpec::fromLine(u"https://ada:canary-Pw-12345@example.com/mcp"_s);
        QVERIFY(url);
        QVERIFY(!toMcpServers({*url}, SecretValues::Placeholders).contains("canary"));
    }

    void theFileIsForItsOwnerOnly()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"out.json"_s);
        const mode_t before = ::umask(0);
        const Error error = writeMcpServers(path, sample(u"cursor.json"_s), SecretValues::Placeholders);
        ::umask(before);
        QVERIFY2(!error, qPrintable(error.message));
        struct stat status = {};
        QVERIFY(::stat(path.toLocal8Bit().constData(), &status) == 0);
        QCOMPARE(int(status.st_mode & 0777), 0600);
        QVERIFY(writeMcpServers(folder.filePath(u"no/such/out.json"_s), {}, SecretValues::Included));
    }
};

SONDE_TEST(ServerExportTest)
#include "tst_serverexport.moc"
