// Configurations that were made to mislead or to harm: what they say stays visible, and what they cost is bounded.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "core/server/hostreader.h"
#include "core/server/transportoptions.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <sys/stat.h>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace sonde;
using namespace sonde::test;
using namespace Qt::StringLiterals;

class HostileTest : public QObject {
    Q_OBJECT
private:
    static QByteArray configWith(const QString &command, const QStringList &arguments)
    {
        json::Builder builder;
        builder.beginObject().key(u"mcpServers").beginObject().key(u"x").beginObject().member(u"command", command);
        builder.key(u"args").beginArray();
        for (const QString &argument : arguments)
            builder.string(argument);
        return builder.endArray().endObject().endObject().endObject().take();
    }

private Q_SLOTS:
    void s4_argumentsReachTheChildByteForByte()
    {
        const QStringList odd{u"args"_s,
                              u"argsbegin"_s,
                              u"; rm -rf /"_s,
                              u"&"_s,
                              u"|"_s,
                              u"$(touch x)"_s,
                              u"`id`"_s,
                              u"two\nlines"_s,
                              u"\t\"'\\ "_s,
                              u"${HOME}"_s,
                              QString(10'000, u' ') + u"payload"_s,
                              QString()};
        const HostConfig config =
            readHostText(configWith(test::builtProgram(QStringLiteral("fake-stdio-server")), odd));
        QCOMPARE(config.servers.size(), 1);
        const ServerSpec spec = config.servers[0].spec;
        QCOMPARE(spec.arguments, odd);
        StdioTransport transport(stdioOptions(spec));
        QSignalSpy received(&transport, &Transport::received);
        transport.open();
        QTRY_VERIFY(!received.isEmpty());
        const json::Value list = json::parse(received[0][0].value<Message>().raw())[u"params"][u"value"];
        QStringList arrived;
        for (const json::Value &each : list)
            arrived.append(each.string());
        QCOMPARE(arrived, odd);
        transport.close();
        QTRY_COMPARE(transport.state(), Transport::State::Closed);
    }

    void s4_readingStartsNothing()
    {
        QTemporaryDir folder;
        const QString trace = folder.filePath(u"started"_s);
        const HostConfig config = readHostText(configWith(u"/usr/bin/touch"_s, {trace}));
        QCOMPARE(config.servers.size(), 1);
        QVERIFY(config.servers[0].problems.isEmpty());
        QVERIFY(!QFile::exists(trace));
    }

    void s14_aFileThatOthersCanReadIsWarnedOf_data()
    {
        QTest::addColumn<int>("mask");
        QTest::addColumn<QByteArray>("server");
        QTest::addColumn<bool>("warns");
        const QByteArray variable = "{\"command\":\"y\",\"env\":{\"API_TOKEN\":\"canary-1234567890ab\"}}";
        QTest::newRow("umask 000") << 0 << variable << true;
        QTest::newRow("umask 022") << 022 << variable << true;
        QTest::newRow("umask 077") << 077 << variable << false;
        QTest::newRow("in an argument")
            << 022
            << QByteArray("{\"command\":\"y\",\"args\":[\"--token\",\"ghp_canary7890abcdefghijklmnopqrstuvwxyz12\"]}")
            << true;
        QTest::newRow("in the URL") << 022
                                    << QByteArray("{\"url\":\"https://example.com/mcp?api_key=canary-1234567890ab\"}")
                                    << true;
    }
    void s14_aFileThatOthersCanReadIsWarnedOf()
    {
        QFETCH(int, mask);
        QFETCH(QByteArray, server);
        QFETCH(bool, warns);
        QTemporaryDir folder;
        QVERIFY(::chmod(folder.path().toLocal8Bit().constData(), 0755) == 0);
        const mode_t before = ::umask(mode_t(mask));
        QFile file(folder.filePath(u"mcp.json"_s));
        const bool isOpen = file.open(QIODevice::WriteOnly);
        ::umask(before);
        QVERIFY(isOpen);
        file.write("{\"mcpServers\":{\"x\":" + server + "}}");
        file.close();
        const HostConfig config = readHostFile(file.fileName());
        QCOMPARE(config.secretCount(), 1);
        QCOMPARE(!config.exposure().isEmpty(), warns);
        QVERIFY(!config.exposure().contains(u"canary"_s));
        // In a folder that nobody else may enter, it is out of reach.
        QVERIFY(::chmod(folder.path().toLocal8Bit().constData(), 0700) == 0);
        QVERIFY(readHostFile(file.fileName()).exposure().isEmpty());
    }

    void deepNesting_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("host");
        const QByteArray value = "{\"mcpServers\":{\"x\":{\"command\":\"y\",\"deep\":";
        QTest::newRow("JSON") << value + QByteArray(2'000'000, '[') << int(Host::Unknown);
        QTest::newRow("TOML arrays") << "[mcp_servers.x]\na = " + QByteArray(1'000'000, '[') << int(Host::Codex);
        QTest::newRow("TOML keys") << "[mcp_servers.x]\n" + QByteArray("a.").repeated(1'000'000) + "b = 1"
                                   << int(Host::Codex);
        // Quotes and comments must not hide a key from whoever counts its parts.
        const QByteArray key = QByteArray("a.").repeated(1'000'000) + "b = 1";
        int number = 0;
        for (const QByteArray &before :
             {"s = \"\"\"x\"\"\"\"\n"_ba, "s = '''x'''''\n"_ba, "s = '\\'\n"_ba, "s = \"\\\\\"\n"_ba,
              "s = '' # \"\"\"\n"_ba, "s = { t = \"\"\"x\"\"\"\", "_ba, "\"\\\"\".'\"'."_ba, "# '''\r\n"_ba})
            QTest::addRow("TOML keys behind texts %d", ++number) << before + key << int(Host::Codex);
        QTest::newRow("TOML headers") << "[" + QByteArray("a.").repeated(1'000'000) + "b]" << int(Host::Codex);
        QTest::newRow("TOML inline tables")
            << "[mcp_servers.x]\n" + QByteArray("a={").repeated(500'000) << int(Host::Codex);
    }
    void deepNesting()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, host);
        const HostConfig config = readHostText(text, Host(host));
        QVERIFY(config.error);
        QVERIFY(config.servers.isEmpty());
        QVERIFY2(config.error.message.size() < 400, "The message shows an excerpt at most");
    }

    // As deep as the parser lets a text be.
    void tablesWithinTablesOfDottedKeys()
    {
        const QByteArray key = QByteArray("a.").repeated(60) + "a=";
        const QByteArray text = "[mcp_servers.x]\ncommand='c'\nb={" + (key + '{').repeated(50) + QByteArray(51, '}');
        const HostConfig config = readHostText(text, Host::Codex);
        QVERIFY2(config.error || config.servers.size() == 1, qPrintable(config.error.message));
    }

    void fiveMegabytes()
    {
        const HostConfig config = readHostText(configWith(u"x"_s, {QString(5'000'000, u'a')}));
        QCOMPARE(config.servers.size(), 1);
        QCOMPARE(config.servers[0].spec.arguments[0].size(), 5'000'000);
        QByteArray many = "{\"mcpServers\":{";
        for (int i = 0; i < 20'000; ++i)
            many += (i ? ",\"s" : "\"s") + QByteArray::number(i) + "\":{\"command\":\"x\"}";
        QVERIFY(readHostText(many + "}}").error.message.contains(u"more than 2"_s));
    }

    void notUtf8()
    {
        const HostConfig config = readHostText("{\"mcpServers\":{\"x\":{\"command\":\"\xff\xfe\"}}}");
        QVERIFY(config.error || !config.servers.isEmpty());
        QVERIFY(readHostText("\x00\x01\x02"_ba, Host::Unknown, u"/x"_s).error);
        QVERIFY(readHostText("a = \"\xff\"", Host::Codex).error);
        const QByteArray wide("\xFF\xFE{\0}\0", 6);  // UTF-16, as Windows writes it
        QVERIFY(!readHostText(wide, Host::Unknown, u"/x"_s).error);
    }

    void whatIsNoOrdinaryFileIsRefusedAtOnce()
    {
        QTemporaryDir folder;
        const QString pipe = folder.filePath(u"pipe"_s);
        QVERIFY(::mkfifo(pipe.toLocal8Bit().constData(), 0600) == 0);
        QVERIFY(readHostFile(pipe).error.message.contains(u"not an ordinary file"_s));
        QVERIFY(readHostFile(folder.path()).error.message.contains(u"a folder"_s));
        QVERIFY(readHostFile(u"/dev/zero"_s).error);
        QVERIFY(readHostFile(folder.filePath(u"nothing"_s)).error.message.contains(u"nothing"_s));
    }

    void entriesOfTheWrongKindAreNamed()
    {
        const HostConfig config =
            readHostText("{\"mcpServers\":{\"a\":7,\"b\":{\"command\":[1]},\"c\":{\"command\":\"x\",\"args\":{}}}}");
        QCOMPARE(config.servers.size(), 3);
        for (const HostServer &server : config.servers)
            QVERIFY(!server.problems.isEmpty());
    }
};

SONDE_TEST(HostileTest)
#include "tst_hostile.moc"
