// Replay in every revision of the protocol that the client speaks, over both transports, and from one to another.
// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/methods.h"
#include "core/replay/replayer.h"
#include "tests/core/replay/replayfixture.h"
#include "tests/e2e/driver.h"
#include "tests/support/testregistry.h"

#include <QTemporaryDir>
#include <QTest>
#include <array>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Driver;
using sonde::test::Replay;
using sonde::test::tell;
using Status = ReplayStep::Status;

class tst_Revisions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void isTheSame_data()
    {
        QTest::addColumn<QString>("revision");
        QTest::addColumn<bool>("recordedOverHttp");
        QTest::addColumn<bool>("replayedOverHttp");
        for (const char *revision : Revisions) {
            for (const bool from : {false, true}) {
                for (const bool to : {false, true}) {
                    QTest::addRow("%s, %s to %s", revision, from ? "HTTP" : "stdio", to ? "HTTP" : "stdio")
                        << QString::fromLatin1(revision) << from << to;
                }
            }
        }
    }
    void isTheSame()
    {
        QFETCH(QString, revision);
        QFETCH(bool, recordedOverHttp);
        QFETCH(bool, replayedOverHttp);
        const QStringList switches{u"--revision"_s, revision, u"--page-size"_s, u"4"_s};
        record(automatic(server(recordedOverHttp, switches)));
        if (QTest::currentTestFailed())
            return;
        QCOMPARE(handshakeRevision(), revision);
        const Result<std::unique_ptr<Session>> session = Session::open(m_path);
        const QByteArray clock = R"({"ignore":[{"pattern":"timestamp","target":"demo://live/clock"}]})";
        Replay again(**session, automatic(server(replayedOverHttp, switches)), *ReplayRules::parse(clock, u"rules"_s),
                     replayOptions(replayMaterial(**session)));
        QVERIFY(again.run());
        const Replayer &replayer = again.replayer;
        QCOMPARE(again.driver.connection().serverInfo().protocolVersion, revision);
        QVERIFY2(replayer.count(Status::Same) == replayer.steps().size(), tell(replayer).constData());
        QVERIFY(replayer.steps().size() > 10);
    }

    void anotherRevisionIsSaid_data()
    {
        QTest::addColumn<QString>("revision");
        QTest::addColumn<bool>("http");
        for (const char *revision : Revisions) {
            if (QByteArrayView(revision) == Revisions.back())
                continue;
            for (const bool http : {false, true})
                QTest::addRow("%s, %s", revision, http ? "HTTP" : "stdio") << QString::fromLatin1(revision) << http;
        }
    }
    void anotherRevisionIsSaid()
    {
        QFETCH(QString, revision);
        QFETCH(bool, http);
        record(server(http, {}));
        if (QTest::currentTestFailed())
            return;
        QCOMPARE(handshakeRevision(), QString::fromLatin1(Revisions.back()));
        const Result<std::unique_ptr<Session>> session = Session::open(m_path);
        Replay again(**session, server(http, {u"--revision"_s, revision}), {},
                     replayOptions(replayMaterial(**session)));
        QVERIFY(again.run());
        const Replayer &replayer = again.replayer;
        bool isSaid = false;
        for (const ReplayStep &step : replayer.steps()) {
            QVERIFY2(step.hasRun() && step.live.isResponse(), tell(replayer).constData());
            for (const json::Difference &difference : step.differences)
                isSaid = isSaid || (step.method == u"initialize"_s && difference.pointer == u"/protocolVersion"_s &&
                                    difference.right.string() == revision);
        }
        QVERIFY2(isSaid, tell(replayer).constData());
    }

    // Without a handshake: server/discover stands for it, and a call in several rounds is one step.
    void withoutHandshake_data()
    {
        QTest::addColumn<bool>("recordedOverHttp");
        QTest::addColumn<bool>("replayedOverHttp");
        for (const bool from : {false, true}) {
            for (const bool to : {false, true})
                QTest::addRow("%s to %s", from ? "HTTP" : "stdio", to ? "HTTP" : "stdio") << from << to;
        }
    }
    void withoutHandshake()
    {
        QFETCH(bool, recordedOverHttp);
        QFETCH(bool, replayedOverHttp);
        recordRounds(automatic(server(recordedOverHttp, {})));
        if (QTest::currentTestFailed())
            return;
        const Result<std::unique_ptr<Session>> session = Session::open(m_path);
        const ReplayMaterial material = replayMaterial(**session);
        QStringList said;
        for (const ReplayStep &step : material.steps)
            said.append(step.method + u' ' + step.target);
        QCOMPARE(said, (QStringList{u"server/discover "_s, u"tools/list "_s, u"tools/call ask-everything"_s,
                                    u"tools/call ask-twice"_s, u"tools/call add"_s}));
        QCOMPARE(material.serverRequests.size(), 5);
        QVERIFY(material.capabilities.contains("sampling"));

        const ConnectionOptions options = replayOptions(material);
        Replay again(**session, automatic(server(replayedOverHttp, {})), {}, options);
        QVERIFY(again.run());
        QCOMPARE(again.driver.connection().serverInfo().protocolVersion, u"2026-07-28"_s);
        QVERIFY2(again.replayer.count(Status::Same) == again.replayer.steps().size(), tell(again.replayer).constData());
        int asked = 0;
        for (const ReplayStep &step : again.replayer.steps()) {
            for (const ReplayServerRequest &request : step.serverRequests)
                asked += request.status == ReplayServerRequest::Status::Same ? 1 : 0;
        }
        QCOMPARE(asked, 5);

        // A server with a handshake is asked the same, by requests of its own.
        Replay older(**session, automatic(server(replayedOverHttp, {u"--revision"_s, u"2025-11-25"_s})), {}, options);
        QVERIFY(older.run());
        for (const ReplayStep &step : older.replayer.steps()) {
            QVERIFY2(step.hasRun(), tell(older.replayer).constData());
            for (const ReplayServerRequest &request : step.serverRequests)
                QVERIFY2(request.status == ReplayServerRequest::Status::Same, tell(older.replayer).constData());
        }
    }

private:
    static constexpr std::array Revisions{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"};

    ServerSpec server(bool http, const QStringList &switches)
    {
        if (!http)
            return test::demoServer(switches);
        m_process = test::HttpProcess::demo(switches);
        return m_process->spec();
    }

    static ServerSpec automatic(ServerSpec spec)
    {
        spec.revision = std::nullopt;
        return spec;
    }

    QString handshakeRevision() const
    {
        const Result<std::unique_ptr<Session>> session = Session::open(m_path);
        for (const RecordedCall &call : recordedCalls(**session)) {
            if ((*session)->name((*session)->at(call.row).method) == u"initialize"_s)
                return (*session)->message(call.responseRow).result()[u"protocolVersion"].string();
        }
        return {};
    }

    void recordRounds(const ServerSpec &spec)
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath(u"rounds.mcpsession"_s);
        ConnectionOptions options;
        options.sessionPath = m_path;
        options.loadCatalog = false;
        Driver driver(spec, options);
        const auto give = [&driver](InputRequest::Kind kind, const QByteArray &result) {
            driver.connection().setResponder(kind, &driver.connection(),
                                             [result](InputRequest *request) { request->respond(result); });
        };
        give(InputRequest::Kind::Elicitation, R"({"action":"accept","content":{"name":"Ada","color":"green"}})");
        give(InputRequest::Kind::Sampling,
             R"({"role":"assistant","content":{"type":"text","text":"Paris"},"model":"none","stopReason":"endTurn"})");
        give(InputRequest::Kind::Roots, "{\"roots\":[{\"uri\":\"file:///tmp\"}]}");
        QVERIFY2(driver.openOnly(), driver.describe().constData());
        QCOMPARE(driver.connection().serverInfo().protocolVersion, u"2026-07-28"_s);
        QVERIFY(driver.run(driver.connection().request(methods::ListTools)).kind == Outcome::Kind::Ok);
        QVERIFY(driver.callTool(u"ask-everything"_s, "{}").kind == Outcome::Kind::Ok);
        QVERIFY(driver.callTool(u"ask-twice"_s, "{}").kind == Outcome::Kind::Ok);
        QVERIFY(driver.callTool(u"add"_s, R"({"a":1,"b":2})").kind == Outcome::Kind::Ok);
        QVERIFY2(driver.close(), driver.describe().constData());
    }

    void record(const ServerSpec &spec)
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath(u"recorded.mcpsession"_s);
        ConnectionOptions options;
        options.sessionPath = m_path;
        Driver driver(spec, options);
        QVERIFY2(driver.open(), driver.describe().constData());
        const auto isAnswered = [](const Outcome &outcome) { return outcome.kind != Outcome::Kind::NoResponse; };
        QVERIFY(isAnswered(driver.callTool(u"add"_s, R"({"a":1,"b":2})")));
        QVERIFY(isAnswered(driver.callTool(u"fail"_s, "{}")));
        QVERIFY(isAnswered(driver.callTool(u"every-content-kind"_s, "{}")));
        QVERIFY(isAnswered(driver.callTool(u"progress"_s, R"({"steps":3,"intervalMs":1})")));
        QVERIFY(isAnswered(driver.callTool(u"no-such-tool"_s, "{}")));
        QVERIFY(isAnswered(driver.run(driver.connection().getPrompt(u"greeting"_s, R"({"name":"Ada"})"))));
        QVERIFY(isAnswered(driver.run(driver.connection().request(methods::SetLogLevel, R"({"level":"debug"})"))));
        QStringList addresses{u"demo://nowhere"_s};
        for (const Resource &resource : driver.catalog().resources())
            addresses.append(resource.uri);
        for (const QString &uri : std::as_const(addresses))
            QVERIFY(isAnswered(driver.run(driver.connection().readResource(uri))));
        QVERIFY2(driver.close(), driver.describe().constData());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<test::HttpProcess> m_process;
    QString m_path;
};

SONDE_TEST(tst_Revisions)
#include "tst_revisions.moc"
