// Servers written back as mcpServers JSON.
// SPDX-License-Identifier: Apache-2.0
#include "core/server/hostreader.h"
#include "core/server/serverexport.h"
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
        return specsOf(readHostFile(QStringLiteral(SONDE_SOURCE_DIR "/tests/core/server/files/") + name));
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

    void placeholdersStandForSecretsWhereverTheyAre_data()
    {
        QTest::addColumn<QByteArray>("entry");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char *title, const QByteArray &entry, const QByteArray &expected) {
            QTest::newRow(title) << entry << expected;
        };
        row("proxy", "{\"url\":\"https://a.example/mcp\",\"proxy\":\"http://u:canary1@proxy.example:8080\"}",
            "\"proxy\":\"http://SECRET@proxy.example:8080\"");
        row("a member that is no object", "{\"command\":\"x\",\"apiKey\":\"canary\"}", "\"apiKey\":\"<apiKey>\"");
        row("a number", "{\"command\":\"x\",\"pin\":4711}", "\"pin\":\"<pin>\"");
        row("the first of two", "{\"command\":\"x\",\"env\":{\"A\":\"canary\"},\"env\":{\"A\":\"b\"}}",
            "{\"command\":\"x\",\"env\":{\"A\":\"b\"}}");
        row("a short one behind a flag", "{\"command\":\"x\",\"args\":[\"--password\",\"canary1\",\"--port\",8080]}",
            "[\"--password\",\"<secret>\",\"--port\",8080]");
        row("in a flag", "{\"command\":\"x\",\"args\":[\"--password=canary\"]}", "[\"--password=<secret>\"]");
        row("in the query", "{\"url\":\"https://a.example/mcp?token=canaryab&page=2\"}",
            "\"https://a.example/mcp?token=SECRET&page=2\"");
        row("in an address in a variable", "{\"command\":\"x\",\"env\":{\"DATABASE\":\"postgres://u:p@db.example/x\"}}",
            "postgres://<secret>@db");
        row("in a list under a telling name", "{\"command\":\"x\",\"accessTokens\":[\"canary\",{\"a\":\"canary\"}]}",
            "[\"<accessTokens>\",{\"a\":\"<a>\"}]");
        row("a name and a value", "{\"command\":\"x\",\"set\":[{\"name\":\"API_KEY\",\"value\":\"canary1\"}]}",
            "{\"name\":\"API_KEY\",\"value\":\"<value>\"}");
        row("of a known form", "{\"command\":\"x\",\"note\":\"ghp_canary0123456789abcdefghijklmnopqrs1\"}",
            "\"note\":\"<");
        row("oauth", "{\"url\":\"https://a.example/mcp\",\"oauth\":{\"clientId\":\"me\",\"assertion\":\"canary\"}}",
            "{\"clientId\":\"me\",\"assertion\":\"<assertion>\"}");
        row("known by the proxy",
            "{\"url\":\"https://a.example/mcp\",\"proxy\":\"http://u:canary-12345678@proxy.example:8080\","
            "\"note\":\"as canary-12345678\"}",
            "\"note\":\"as <secret>\"");
        row("known by a header",
            "{\"url\":\"https://a.example/canary-12345678\",\"headers\":{\"X-Api-Key\":\"canary-12345678\"}}",
            "\"https://a.example/SECRET\"");
    }
    void placeholdersStandForSecretsWhereverTheyAre()
    {
        QFETCH(QByteArray, entry);
        QFETCH(QByteArray, expected);
        const Result<ServerSpec> spec = ServerSpec::fromJson(u"a"_s, json::parse(entry));
        QVERIFY(spec);
        const QByteArray text = json::compact(json::parse(toMcpServers({*spec}, SecretValues::Placeholders)));
        QVERIFY2(!text.contains("canary") && text.contains(expected), text.constData());
    }

    void whatIsNoSecretStaysAsItIs()
    {
        const QByteArray entry =
            "{\"url\":\"https://a.example/mcp\",\"clientCertificate\":\"/a/b.pem\",\"clientKey\":\"/a/b.key\","
            "\"acceptedCertificate\":\"" +
            QByteArray("0123456789abcdef").repeated(4) +
            "\",\"oauth\":{\"clientId\":\"me\",\"keyAlgorithm\":\"ES256\","
            "\"providerTokenEndpoint\":\"https://a.example/token\"},"
            "\"headers\":{\"Authorization\":\"Bearer ${TOKEN}\"},\"apiKey\":\"${input:key}\",\"timeout\":1.50,"
            "\"token\":null,\"isSecret\":true}";
        const Result<ServerSpec> spec = ServerSpec::fromJson(u"a"_s, json::parse(entry));
        QVERIFY(spec);
        const QByteArray text = json::compact(json::parse(toMcpServers({*spec}, SecretValues::Placeholders)));
        QCOMPARE(text, "{\"mcpServers\":{\"a\":" + entry + "}}");
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
