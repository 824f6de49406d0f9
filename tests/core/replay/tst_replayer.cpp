// A recording of the demo server played back against it, as it was and otherwise.
// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/methods.h"
#include "tests/core/replay/replayfixture.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QSignalSpy>
#include <QTest>
#include <QXmlStreamReader>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Driver;
using sonde::test::Replay;
using sonde::test::tell;
using Status = ReplayStep::Status;

// A server of HTTP with two tools, which loses its session at one of the calls, counted from 0.
class LosingServer {
public:
    explicit LosingServer(int losesAt = -1)
        : m_losesAt(losesAt),
          m_server([this](const test::FakeHttpServer::Request &request, const test::FakeHttpServer::Peer &peer) {
              respond(request, peer);
          })
    {}
    ServerSpec spec() const
    {
        ServerSpec spec;
        spec.name = u"losing"_s;
        spec.kind = ServerSpec::Kind::Http;
        spec.url = m_server.url();
        spec.revision = Revision::R20251125;
        return spec;
    }
    int sessions() const { return m_sessions; }
    void dropEverything() { m_isGone = true; }

private:
    void respond(const test::FakeHttpServer::Request &request, const test::FakeHttpServer::Peer &peer)
    {
        if (request.method != "POST")
            return peer.response(request.method == "GET" ? 405 : 200, {}, {});
        const Message message = Message::parse(request.body);
        const auto result = [&](const QByteArray &text) { peer.json(Message::response(message.id(), text).raw()); };
        if (message.method() == methods::Initialize && !m_isGone) {
            m_session = "session-" + QByteArray::number(++m_sessions);
            return peer.json(
                Message::response(message.id(), R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)"
                                                R"("serverInfo":{"name":"s","version":"1"}})")
                    .raw(),
                {{"Mcp-Session-Id", m_session}});
        }
        if (message.method() == methods::CallTool && m_calls++ == m_losesAt)
            m_session.clear();
        if (m_session.isEmpty() || request.header("Mcp-Session-Id") != m_session)
            return peer.response(404, {}, {});
        if (message.kind() != Message::Kind::Request)
            return peer.accept();
        if (message.method() == methods::ListTools)
            return result(R"({"tools":[{"name":"plain","inputSchema":{"type":"object"}},)"
                          R"({"name":"safe","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]})");
        result(R"({"content":[{"type":"text","text":"done"}]})");
    }

    int m_losesAt;
    test::FakeHttpServer m_server;
    QByteArray m_session;
    int m_sessions = 0;
    int m_calls = 0;
    bool m_isGone = false;
};

class tst_Replayer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theSameServerGivesTheSame()
    {
        const std::unique_ptr<Session> session = record();
        Replay replay(*session, test::demoServer());
        Replayer &replayer = replay.replayer;
        QVERIFY(replay.run());
        QVERIFY2(replayer.count(Status::Same) == replayer.steps().size(), tell(replayer).constData());
        QVERIFY(replayer.isAcceptable());
        QVERIFY(!replayer.isUnanswered());
        QCOMPARE(replayer.steps().first().method, u"initialize"_s);
        // What was recorded meanwhile has the same calls: it could stand in for the recording.
        QCOMPARE(recordedCalls(replay.driver.session()).size(), recordedCalls(*session).size());
        const json::Value counts = json::parse(replayJson(replayer))[u"counts"];
        QCOMPARE(counts[u"same"].toInteger(), replayer.steps().size());
        QCOMPARE(counts[u"changed"].toInteger(), 0);
    }

    void pagesAreFollowedWithTheirOwnCursors()
    {
        const std::unique_ptr<Session> session = record({u"--page-size"_s, u"3"_s});
        Replay replay(*session, test::demoServer({u"--page-size"_s, u"3"_s}));
        Replayer &replayer = replay.replayer;
        QVERIFY(replay.run());
        QVERIFY2(replayer.count(Status::Same) == replayer.steps().size(), tell(replayer).constData());
    }

    void fewerPagesAreSkipped()
    {
        const std::unique_ptr<Session> session = record({u"--page-size"_s, u"3"_s});
        Replay replay(*session, test::demoServer());
        Replayer &replayer = replay.replayer;
        QVERIFY(replay.run());
        QVERIFY2(replayer.count(Status::Skipped) > 0, tell(replayer).constData());
        QVERIFY2(replayer.count(Status::Changed) > 0, tell(replayer).constData());
        QVERIFY(!replayer.isAcceptable());
    }

    void aServerThatChangedIsNoticed()
    {
        const std::unique_ptr<Session> session = record();
        Replay replay(*session, test::demoServer({u"--missing-method"_s, u"prompts/get"_s}));
        Replayer &replayer = replay.replayer;
        QVERIFY(replay.run());
        QVERIFY2(replayer.count(Status::Failed) == 1, tell(replayer).constData());
        for (const ReplayStep &step : replayer.steps()) {
            if (step.method == "prompts/get"_L1)
                QVERIFY(step.status == Status::Failed);
        }
        QCOMPARE(json::parse(replayJson(replayer))[u"counts"][u"failed"].toInteger(), 1);
    }

    void aChangedResponseIsShownAtItsPlaceAndCanBeIgnored()
    {
        // As if the server had counted otherwise then.
        const std::unique_ptr<Session> session =
            record({}, [](QByteArray text) { return text.replace("\"sum\":3", "\"sum\":4"); });
        Replay replay(*session, test::demoServer());
        Replayer &replayer = replay.replayer;
        QVERIFY(replay.run());
        QVERIFY2(replayer.count(Status::Changed) == 2, tell(replayer).constData());
        for (const ReplayStep &step : replayer.steps()) {
            if (step.status == Status::Changed)
                QCOMPARE(step.differences.first().pointer, u"/structuredContent/sum"_s);
        }
        const QByteArray xml = replayJUnit(replayer, u"a \"name\" <&>"_s);
        QXmlStreamReader reader(xml);
        int cases = 0;
        int failures = 0;
        while (!reader.atEnd()) {
            reader.readNext();
            cases += reader.isStartElement() && reader.name() == u"testcase" ? 1 : 0;
            failures += reader.isStartElement() && reader.name() == u"failure" ? 1 : 0;
            if (reader.isStartElement() && reader.name() == u"testsuite")
                QCOMPARE(reader.attributes().value(u"name"_s), u"a \"name\" <&>");
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QCOMPARE(cases, replayer.steps().size());
        QCOMPARE(failures, replayer.count(Status::Changed));
        // A rule for each difference: then nothing is left.
        ReplayRules rules;
        for (const ReplayStep &step : replayer.steps()) {
            for (const json::Difference &difference : step.differences)
                QVERIFY(!rules.add({ReplayRule::Kind::Anything, difference.pointer, {}, step.method, step.target}));
        }
        replayer.setRules(rules);
        QTRY_VERIFY(!replayer.isJudging());
        QVERIFY2(replayer.count(Status::Changed) == 0, tell(replayer).constData());
    }

    void numbersWrittenOtherwiseAreTheSameAndSaidToBe()
    {
        const std::unique_ptr<Session> session =
            record({}, [](QByteArray text) { return text.replace("\"sum\":3}", "\"sum\":3.0}"); });
        Replay replay(*session, test::demoServer());
        Replayer &replayer = replay.replayer;
        QVERIFY(replay.run());
        QVERIFY2(replayer.count(Status::Same) == replayer.steps().size(), tell(replayer).constData());
        int textOnly = 0;
        for (const ReplayStep &step : replayer.steps()) {
            for (const json::Difference &each : step.differences)
                textOnly += each.kind == json::Difference::Kind::TextOnly ? 1 : 0;
        }
        QCOMPARE(textOnly, 1);
    }

    void destructiveToolsAreNotRunUnasked()
    {
        const std::unique_ptr<Session> session = record();
        Replay replay(*session, test::demoServer());
        Replayer &replayer = replay.replayer;
        replayer.setDestructive(Replayer::Destructive::Skip);
        QVERIFY(replay.run());
        int forbidden = 0;
        for (const ReplayStep &step : replayer.steps())
            forbidden += step.wasForbidden ? 1 : 0;
        QVERIFY2(forbidden > 0, tell(replayer).constData());
        for (const ReplayStep &step : replayer.steps()) {
            QCOMPARE(step.wasForbidden, step.isDestructive);
            if (step.target == "delete-everything"_L1)
                QVERIFY(step.wasForbidden);
        }
        QVERIFY(!replayer.isAcceptable());
        // Nothing of it went over the wire.
        for (const RecordedCall &call : recordedCalls(replay.driver.session())) {
            for (const ReplayStep &step : replayer.steps()) {
                if (step.wasForbidden)
                    QVERIFY(replay.driver.session().name(replay.driver.session().at(call.row).target) != step.target);
            }
        }
    }

    void asksAboutEach()
    {
        const std::unique_ptr<Session> session = record();
        Replay replay(*session, test::demoServer());
        Replayer &replayer = replay.replayer;
        replayer.setDestructive(Replayer::Destructive::Ask);
        int asked = 0;
        connect(&replayer, &Replayer::asked, this, [&](qsizetype step) {
            QVERIFY(replayer.steps()[step].isDestructive);
            replayer.decide(asked++ == 0);  // the first one only
        });
        QVERIFY(replay.run());
        QVERIFY2(asked >= 2, tell(replayer).constData());
        int ran = 0;
        int left = 0;
        for (const ReplayStep &step : replayer.steps()) {
            ran += step.isDestructive && step.hasRun() ? 1 : 0;
            left += step.wasForbidden ? 1 : 0;
        }
        QCOMPARE(ran, 1);
        QCOMPARE(left, asked - 1);
    }

    void selectedCallsAskForTheToolsFirst()
    {
        const std::unique_ptr<Session> session = record();
        ReplayMaterial material = replayMaterial(*session);
        material.steps.removeIf([](const ReplayStep &step) { return step.method != methods::CallTool; });
        Driver driver(test::demoServer(), test::quiet());
        Replayer replayer(session.get(), std::move(material), &driver.connection(), {});
        replayer.setDestructive(Replayer::Destructive::Skip);
        QVERIFY2(driver.openOnly(), driver.describe().constData());
        replayer.start();
        QVERIFY(driver.waitUntil([&replayer] { return replayer.isFinished(); }));
        QVERIFY2(replayer.count(Status::Same) > 0, tell(replayer).constData());
        QVERIFY2(replayer.count(Status::Skipped) > 0, tell(replayer).constData());
    }

    void aLostConnectionEndsIt()
    {
        const std::unique_ptr<Session> session = record();
        Replay replay(*session, test::demoServer({u"--exit-on-call"_s, u"3"_s}));
        Replayer &replayer = replay.replayer;
        QVERIFY(replay.run());
        QVERIFY(replayer.isUnanswered());
        QVERIFY2(replayer.count(Status::Failed) == 1, tell(replayer).constData());
        QVERIFY2(replayer.count(Status::Skipped) > 0, tell(replayer).constData());
    }

    void canBeStopped()
    {
        const std::unique_ptr<Session> session = record();
        Replay replay(*session, test::demoServer({u"--never-respond"_s, u"tools/call"_s}));
        Replayer &replayer = replay.replayer;
        connect(&replayer, &Replayer::stepChanged, this, [&](qsizetype step) {
            const ReplayStep &at = replayer.steps()[step];
            if (at.method == "tools/call"_L1 && at.status == Status::Running)
                QMetaObject::invokeMethod(&replayer, &Replayer::cancel, Qt::QueuedConnection);
        });
        QSignalSpy finished(&replayer, &Replayer::finished);
        QVERIFY(replay.run());
        QCOMPARE(finished.size(), 1);
        QVERIFY2(replayer.count(Status::Waiting) == 0 && replayer.count(Status::Running) == 0,
                 tell(replayer).constData());
        QCOMPARE(replayer.count(Status::Failed), 1);
    }

    void secretsThatWereNotRecordedAreNotSent()
    {
        const std::unique_ptr<Session> session =
            record({}, [](QByteArray text) { return text.replace("Hello", "‹secret:1a2b3c4d›"); });
        Replay replay(*session, test::demoServer());
        Replayer &replayer = replay.replayer;
        QVERIFY(replay.run());
        int skipped = 0;
        for (const ReplayStep &step : replayer.steps())
            skipped += step.status == Status::Skipped && step.reason.contains("secret"_L1) ? 1 : 0;
        QVERIFY2(skipped > 0, tell(replayer).constData());
    }

    void aLostSessionDoesNotEndTheReplay_data()
    {
        QTest::addColumn<int>("losesAt");
        QTest::addColumn<int>("failed");
        QTest::newRow("at a call that may be made again") << 0 << 0;
        QTest::newRow("at one that may not") << 1 << 1;
        QTest::newRow("never") << -1 << 0;
    }
    void aLostSessionDoesNotEndTheReplay()
    {
        QFETCH(int, losesAt);
        QFETCH(int, failed);
        const auto recording = recordLosing();
        QVERIFY(recording);
        const LosingServer server(losesAt);
        Replay replay(*recording, server.spec());
        const Replayer &replayer = replay.replayer;
        QVERIFY(replay.run());
        QCOMPARE(server.sessions(), losesAt < 0 ? 1 : 2);
        QVERIFY2(replayer.count(Status::Failed) == failed && replayer.count(Status::Skipped) == 0,
                 tell(replayer).constData());
        QCOMPARE(replayer.count(Status::Same), replayer.steps().size() - failed);
        QCOMPARE(replayer.isUnanswered(), failed > 0);
    }

    // The reason of the rest is why there is no connection, and not that there is none.
    void aSessionThatCannotBeReplacedEndsTheReplay()
    {
        const auto recording = recordLosing();
        QVERIFY(recording);
        LosingServer server(1);
        Replay replay(*recording, server.spec());
        QObject::connect(&replay.replayer, &Replayer::stepChanged, &replay.replayer, [&] { server.dropEverything(); });
        QVERIFY(replay.run());
        const ReplayStep &last = replay.replayer.steps().last();
        QVERIFY2(last.status == Status::Skipped && last.reason.startsWith(u"The connection to the server was lost: "_s),
                 tell(replay.replayer).constData());
        QVERIFY2(last.reason.contains(u"404"_s), qPrintable(last.reason));
    }

    void whatWasNotStoredWholeIsNotAcceptable()
    {
        ServerSpec server;
        server.revision = Revision::R20251125;
        server.command = test::builtProgram(QStringLiteral("fake-stdio-server"));
        server.arguments = {u"readline"_s,
                            QStringLiteral(R"(say:{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25",)"
                                           R"("capabilities":{"tools":{}},"serverInfo":{"name":"n","version":"1"}}})"),
                            u"readline"_s,
                            u"readline"_s,
                            u"flood:2000"_s,
                            QStringLiteral(R"(say:{"jsonrpc":"2.0","id":2,"result":{"content":[]}})"),
                            u"waiteof"_s};
        Driver driver(server, test::quiet());
        QVERIFY2(driver.openOnly(), driver.describe().constData());
        QVERIFY(driver.callTool(u"x"_s, "{}").kind == Outcome::Kind::Ok);
        driver.connection().session()->flush();
        for (const qint64 limit : {Session::UsualMemory, qint64(20'000)}) {
            ConnectionOptions options = test::quiet();
            options.recordingLimit = limit;
            Replay replay(driver.session(), server, {}, options);
            QVERIFY(replay.run());
            QVERIFY2(replay.replayer.count(Status::Same) == 2, tell(replay.replayer).constData());
            QCOMPARE(replay.replayer.isAcceptable(), limit == Session::UsualMemory);
        }
    }

    void reportsHoldNoSecrets()
    {
        // What the live server says and must not be kept was not there when this was recorded.
        const std::unique_ptr<Session> session = record({}, [](QByteArray text) {
            return text.replace(R"("description":"Plain text, two lines.")", R"("title":"x")");
        });
        Replay again(*session, test::demoServer());
        again.driver.connection().session()->addSecret(u"Plain text, two lines."_s);
        QVERIFY(again.run());
        const Replayer &replayer = again.replayer;
        QVERIFY2(replayer.count(Status::Changed) > 0, tell(replayer).constData());
        for (const QByteArray &report : {replayJson(replayer), replayJUnit(replayer, u"demo"_s), tell(replayer)})
            QVERIFY2(report.contains("‹secret:") && !report.contains("two lines"), report.constData());
    }

private:
    static std::unique_ptr<Session> recordLosing()
    {
        const LosingServer server;
        Driver driver(server.spec());
        if (!driver.open())
            return {};
        for (const QString &tool : {u"safe"_s, u"plain"_s, u"safe"_s, u"safe"_s})
            driver.callTool(tool, "{}");
        driver.connection().session()->flush();
        auto recording = std::make_unique<Session>();
        for (qsizetype row = 0; row < driver.session().size(); ++row)
            copy(driver.session(), row, *recording, {});
        recording->finish();
        return recording;
    }

    // The demo server, asked for this and that; then what was recorded, perhaps altered.
    std::unique_ptr<Session> record(const QStringList &switches = {},
                                    const std::function<QByteArray(const QByteArray &)> &alter = {})
    {
        auto recording = std::make_unique<Session>();
        Driver driver(test::demoServer(switches));
        if (!driver.open())
            return {};
        const QString prompt = driver.catalog().prompts().first().name;
        driver.callTool(u"echo"_s, R"({"text":"Hello"})");
        driver.callTool(u"add"_s, R"({"a":1,"b":2})");
        driver.callTool(u"add"_s, R"({"a":1.5,"b":2})");
        driver.callTool(u"fail"_s, "{}");
        driver.callTool(u"delete-everything"_s, R"({"confirm":true})");
        driver.callTool(u"delete-everything"_s, R"({"confirm":true})");
        driver.callTool(u"no-such-tool"_s, "{}");
        driver.run(driver.connection().readResource(u"demo://nowhere"_s));
        driver.run(driver.connection().getPrompt(prompt, "{}"));
        driver.connection().session()->flush();  // the last response may not be a row yet
        for (qsizetype row = 0; row < driver.session().size(); ++row)
            copy(driver.session(), row, *recording, alter);
        recording->finish();
        return recording;
    }

    static void copy(const Session &from, qsizetype row, Session &to,
                     const std::function<QByteArray(const QByteArray &)> &alter)
    {
        const RecordInfo &info = from.at(row);
        WireEvent event;
        event.kind = info.kind;
        event.direction = info.direction;
        event.bytes = alter ? alter(from.bytes(row)) : from.bytes(row);
        event.facts = from.facts(row);
        event.terminator = info.terminator;
        if (info.kind == WireEvent::Kind::Message)
            event.message = Message::parse(event.bytes);
        to.append(event, info.connection);
    }
};

SONDE_TEST(tst_Replayer)
#include "tst_replayer.moc"
