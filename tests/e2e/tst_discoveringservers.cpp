// The real servers that speak 2026-07-28 over stdio: found out by Automatic, and used.
// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/driver.h"
#include "tests/e2e/peers.h"
#include "tests/support/testregistry.h"

#include <QFileInfo>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Driver;

class tst_DiscoveringServers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const QString why = test::whyNoPeers(); !why.isEmpty())
            QSKIP(why.toUtf8().constData());
    }

    // tool: one of its tools, and arguments that it rejects by itself or that fail on loopback.
    void agreesOnTheRevisionAndListsTools_data()
    {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("tool");
        QTest::addColumn<QByteArray>("values");
        QTest::newRow("context7") << u"@upstash/context7-mcp/dist/index.js"_s << QStringList() << u"Context7"_s
                                  << u"query-docs"_s << R"({"libraryId":5})"_ba;
        // Nothing listens on port 9.
        QTest::newRow("supabase") << u"@supabase/mcp-server-supabase/dist/cli.js"_s
                                  << QStringList{u"--access-token"_s, u"sbp_"_s + QString(40, u'0'), u"--api-url"_s,
                                                 u"http://127.0.0.1:9"_s, u"--features=account,database,development"_s}
                                  << u"supabase"_s << u"list_organizations"_s << "{}"_ba;
    }
    void agreesOnTheRevisionAndListsTools()
    {
        QFETCH(const QString, script);
        QFETCH(const QStringList, arguments);
        QFETCH(const QString, name);
        QFETCH(const QString, tool);
        QFETCH(const QByteArray, values);
        ServerSpec spec;
        spec.name = name;
        spec.command = test::peerNode();
        spec.arguments = QStringList{test::peerModule(script)} + arguments;
        spec.revision = std::nullopt;
        Driver driver(spec);
        QVERIFY2(driver.open(), driver.describe().constData());
        const ServerInfo &server = driver.connection().serverInfo();
        QCOMPARE(server.protocolVersion, u"2026-07-28"_s);
        QCOMPARE(server.implementation.name, name);
        QVERIFY(driver.connection().revisionReason().contains(u"2026-07-28"));
        QVERIFY(driver.hasRecord(WireEvent::Kind::Message, "server/discover"));
        QVERIFY(!driver.hasRecord(WireEvent::Kind::Message, "\"initialize\""));
        QVERIFY(!driver.catalog().tools().isEmpty());
        QVERIFY(driver.catalog().tool(tool));

        const Outcome refused = driver.callTool(tool, values);
        QVERIFY2(refused.kind == Outcome::Kind::ToolError || refused.kind == Outcome::Kind::ProtocolError,
                 refused.message.raw().constData());
        const Outcome unknown = driver.callTool(u"no-such-tool"_s, "{}");
        QVERIFY2(unknown.kind == Outcome::Kind::ToolError || unknown.kind == Outcome::Kind::ProtocolError,
                 unknown.message.raw().constData());
        QVERIFY2(driver.close(), driver.describe().constData());
    }
};

SONDE_TEST(tst_DiscoveringServers)
#include "tst_discoveringservers.moc"
