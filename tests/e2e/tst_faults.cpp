// What Sonde says when a server misbehaves: every fault of the demo server, end to end.
// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/driver.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QHostAddress>
#include <QTcpSocket>
#include <QTest>

#include <csignal>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace sonde;
using sonde::test::Driver;

namespace {

const QByteArray OneAndTwo = R"({"a":1,"b":2})";

// What is answered at all is answered within this, also under the sanitizers on a loaded machine.
ConnectionOptions impatient()
{
    ConnectionOptions options;
    options.callOptions.timeout = 3s;
    options.callOptions.maxTotal = 3s;
    return options;
}

QByteArray evidence(const Outcome &outcome)
{
    return u"%1 | %2 | %3"_s.arg(outcome.error.message, outcome.error.detail, outcome.error.hint).toUtf8();
}

}  // namespace

class tst_Faults : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void saysWhyAServerDidNotStart_data()
    {
        QTest::addColumn<ServerSpec>("spec");
        QTest::addColumn<QString>("status");  // a part of the few words
        QTest::addColumn<QString>("words");   // a part of the error
        QTest::addColumn<QString>("detail");  // a part of the evidence
        QTest::newRow("exit code") << test::demoServer({u"--exit-before-handshake"_s, u"7"_s})
                                   << u"exited with code 7 during startup"_s << u"7"_s << QString();
        QTest::newRow("last words") << test::demoServer({u"--stderr-then-exit"_s}) << u"exited with code 1"_s << u"1"_s
                                    << u"demo-config.json: No such file or directory"_s;
        QTest::newRow("no common revision")
            << test::demoServer({u"--revision"_s, u"2030-01-01"_s}) << QString() << u"2030-01-01"_s << QString();
        ServerSpec missing = test::demoServer();
        missing.command = u"no-such-program-anywhere"_s;
        QTest::newRow("no program") << missing << u"not found"_s << u"no-such-program-anywhere"_s << QString();
        ServerSpec folder = test::demoServer();
        folder.command = u"/tmp"_s;
        QTest::newRow("not executable") << folder << QString() << u"/tmp"_s << QString();
    }
    void saysWhyAServerDidNotStart()
    {
        QFETCH(ServerSpec, spec);
        QFETCH(QString, status);
        QFETCH(QString, words);
        QFETCH(QString, detail);
        Driver driver(spec);
        QVERIFY(!driver.open());
        const Connection &connection = driver.connection();
        QCOMPARE(connection.state(), Connection::State::Disconnected);
        QVERIFY2(connection.statusText().contains(status), driver.describe().constData());
        const QString all = connection.error().message + connection.error().detail;
        QVERIFY2(all.contains(words), driver.describe().constData());
        QVERIFY2(all.contains(detail), driver.describe().constData());
    }

    void givesUpASilentHandshake()
    {
        ConnectionOptions options;
        options.handshakeTimeout = 300ms;
        Driver driver(test::demoServer({u"--never-respond"_s, u"initialize"_s}), options);
        QVERIFY(!driver.open());
        QVERIFY2(driver.connection().error().kind == Error::Kind::Timeout, driver.describe().constData());
    }

    void waitsForASlowStart()
    {
        Driver driver(test::demoServer({u"--slow-start"_s, u"500"_s}));
        QVERIFY2(driver.open(), driver.describe().constData());
    }

    void keepsNoiseApart()
    {
        Driver driver(test::demoServer({u"--junk-on-stdout"_s}));
        QVERIFY2(driver.open(), driver.describe().constData());
        QCOMPARE(driver.callTool(u"add"_s, OneAndTwo).kind, Outcome::Kind::Ok);
        QVERIFY(driver.hasRecord(WireEvent::Kind::Junk, "sonde-demo-server is starting"));
        QVERIFY(driver.hasRecord(WireEvent::Kind::Junk, "a JSON log line that is no JSON-RPC"));
    }

    void oneSilentListHidesNoOther()
    {
        Driver driver(test::demoServer({u"--never-respond"_s, u"resources/list"_s}));
        driver.catalog().setListTimeout(3s);
        QVERIFY2(driver.open(), driver.describe().constData());
        const Catalog::Status &status = driver.catalog().status(Catalog::List::Resources);
        QCOMPARE(status.state, Catalog::State::Failed);
        QVERIFY2(status.error.kind == Error::Kind::Timeout, driver.describe().constData());
        QVERIFY(!driver.catalog().tools().isEmpty());
        QVERIFY(!driver.catalog().prompts().isEmpty());
    }

    // The response never comes, and a flood of notifications does.
    void aListGivenUpInAFloodIsAskedForAgain()
    {
        ServerSpec spec;
        spec.name = u"flooding"_s;
        spec.revision = Revision::R20251125;
        spec.command = test::builtProgram(QStringLiteral("fake-stdio-server"));
        spec.arguments = {u"readline"_s,
                          u"say:{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\","
                          "\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"f\",\"version\":\"1\"}}}"_s,
                          u"readline"_s,
                          u"readline"_s,
                          u"flood:5000"_s,
                          u"readline"_s,  // the cancellation
                          u"flood:5000"_s,
                          u"readline"_s,
                          u"say:{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"tools\":[{\"name\":\"late\","
                          "\"inputSchema\":{\"type\":\"object\"}}]}}"_s,
                          u"waiteof"_s};
        Driver driver(spec);
        driver.catalog().setListTimeout(2s);
        driver.catalog().setRetryInterval(50ms);
        QVERIFY2(driver.open(), driver.describe().constData());
        const Catalog::Status &status = driver.catalog().status(Catalog::List::Tools);
        QVERIFY2(driver.waitUntil([&status] { return status.state == Catalog::State::Ready; }),
                 driver.describe().constData());
        QCOMPARE(driver.catalog().tools().value(0).name, u"late"_s);
        QVERIFY(driver.close());
    }

    void aMissingMethodIsAnEmptyListWithAFinding()
    {
        Driver driver(test::demoServer({u"--missing-method"_s, u"resources/templates/list"_s}));
        QVERIFY2(driver.open(), driver.describe().constData());
        const Catalog::Status &status = driver.catalog().status(Catalog::List::ResourceTemplates);
        QCOMPARE(status.state, Catalog::State::Ready);
        QCOMPARE(status.findings.size(), 1);
        QVERIFY(driver.catalog().resourceTemplates().isEmpty());
    }

    void readsEveryPage_data()
    {
        QTest::addColumn<int>("size");
        QTest::newRow("one by one") << 1;
        QTest::newRow("by four") << 4;
    }
    void readsEveryPage()
    {
        QFETCH(int, size);
        Driver whole(test::demoServer());
        QVERIFY2(whole.open(), whole.describe().constData());
        Driver paged(test::demoServer({u"--page-size"_s, QString::number(size)}));
        QVERIFY2(paged.open(), paged.describe().constData());
        QVERIFY(paged.catalog().status(Catalog::List::Tools).pages > 1);
        QCOMPARE(paged.catalog().tools().size(), whole.catalog().tools().size());
        for (qsizetype i = 0; i < whole.catalog().tools().size(); ++i)
            QCOMPARE(paged.catalog().tools().at(i).name, whole.catalog().tools().at(i).name);
    }

    void aCallThatIsNeverAnsweredTimesOut()
    {
        Driver driver(test::demoServer({u"--never-respond"_s, u"tools/call"_s}), impatient());
        QVERIFY2(driver.open(), driver.describe().constData());
        const Outcome outcome = driver.callTool(u"add"_s, OneAndTwo);
        QCOMPARE(outcome.kind, Outcome::Kind::NoResponse);
        QVERIFY2(outcome.error.kind == Error::Kind::Timeout, driver.describe().constData());
        QCOMPARE(driver.connection().state(), Connection::State::Connected);
        QCOMPARE(driver.run(driver.connection().ping()).kind, Outcome::Kind::Ok);
    }

    void aServerThatDiesEndsItsCalls_data()
    {
        QTest::addColumn<QStringList>("switches");
        QTest::addColumn<QString>("status");
        QTest::newRow("signal") << QStringList{u"--crash-on-call"_s} << u"SIGABRT"_s;
        QTest::newRow("exit code") << QStringList{u"--exit-on-call"_s, u"9"_s} << u"exited with code 9"_s;
        QTest::newRow("exit code 0") << QStringList{u"--exit-on-call"_s, u"0"_s} << u"exited with code 0"_s;
    }
    void aServerThatDiesEndsItsCalls()
    {
        QFETCH(QStringList, switches);
        QFETCH(QString, status);
        Driver driver(test::demoServer(switches));
        QVERIFY2(driver.open(), driver.describe().constData());
        const Outcome outcome = driver.callTool(u"add"_s, OneAndTwo);
        QCOMPARE(outcome.kind, Outcome::Kind::NoResponse);
        QVERIFY2(outcome.error.kind == Error::Kind::Transport, evidence(outcome).constData());
        QVERIFY(driver.waitUntil([&] { return driver.connection().state() == Connection::State::Disconnected; }));
        QVERIFY2(driver.connection().statusText().contains(status), driver.describe().constData());

        driver.connection().restart();
        QVERIFY(driver.waitUntil([&] { return driver.connection().state() == Connection::State::Connected; }));
    }

    void brokenResponsesAreShownAndNotBelieved_data()
    {
        QTest::addColumn<QString>("fault");
        QTest::addColumn<WireEvent::Kind>("kind");
        QTest::newRow("cut in half") << u"--bad-json"_s << WireEvent::Kind::Junk;
        QTest::newRow("an id of nobody") << u"--wrong-id"_s << WireEvent::Kind::Note;
    }
    void brokenResponsesAreShownAndNotBelieved()
    {
        QFETCH(QString, fault);
        QFETCH(WireEvent::Kind, kind);
        Driver driver(test::demoServer({fault}), impatient());
        QVERIFY2(driver.open(), driver.describe().constData());
        const Outcome outcome = driver.callTool(u"add"_s, OneAndTwo);
        QCOMPARE(outcome.kind, Outcome::Kind::NoResponse);
        QVERIFY(driver.waitUntil([&] { return driver.hasRecord(kind); }));
        QCOMPARE(driver.run(driver.connection().ping()).kind, Outcome::Kind::Ok);
    }

    void aSecondResponseIsNoted()
    {
        Driver driver(test::demoServer({u"--duplicate-response"_s}));
        QVERIFY2(driver.open(), driver.describe().constData());
        QCOMPARE(driver.callTool(u"add"_s, OneAndTwo).kind, Outcome::Kind::Ok);
        QVERIFY(driver.waitUntil([&] { return driver.hasRecord(WireEvent::Kind::Note); }));
        QCOMPARE(driver.callTool(u"add"_s, OneAndTwo).kind, Outcome::Kind::Ok);
    }

    void aLateResponseIsMarkedAndDeliveredToNobody()
    {
        Driver driver(test::demoServer({u"--late"_s}));
        QVERIFY2(driver.open(), driver.describe().constData());
        Call *call = driver.connection().callTool(u"slow"_s, R"({"seconds":0.2})");
        call->cancel();
        QVERIFY2(driver.run(call).error.kind == Error::Kind::Cancelled, driver.describe().constData());
        QVERIFY(driver.waitUntil([&] {
            for (qsizetype row = 0; row < driver.session().size(); ++row) {
                if (driver.session().at(row).isLate)
                    return true;
            }
            return false;
        }));
    }

    void aHugeLineFailsAlone()
    {
        ConnectionOptions options;
        options.maxMessageBytes = 1'000'000;
        Driver driver(test::demoServer({u"--huge-line"_s, u"3000000"_s}), options);
        QVERIFY2(driver.open(), driver.describe().constData());
        QCOMPARE(driver.callTool(u"add"_s, OneAndTwo).kind, Outcome::Kind::Ok);
        const Outcome big = driver.callTool(u"big"_s, R"({"bytes":2000000})");
        QCOMPARE(big.kind, Outcome::Kind::NoResponse);
        QCOMPARE(driver.callTool(u"add"_s, OneAndTwo).kind, Outcome::Kind::Ok);
    }

    void aFloodIsRecordedWhole()
    {
        Driver driver(test::demoServer({u"--flood"_s, u"20000"_s}));
        QVERIFY2(driver.open(), driver.describe().constData());
        QCOMPARE(driver.callTool(u"add"_s, OneAndTwo).kind, Outcome::Kind::Ok);
        QVERIFY(driver.waitUntil([&] { return driver.session().messageCount() > 20'000; }));
    }

    void aStubbornServerIsEnded()
    {
        Driver driver(test::demoServer({u"--ignore-sigterm"_s}));
        QVERIFY2(driver.open(), driver.describe().constData());
        const pid_t pid = pid_t(driver.connection().processId());
        QVERIFY(pid > 0 && ::kill(pid, 0) == 0);
        QVERIFY(driver.close());
        QVERIFY(driver.waitUntil([pid] { return ::kill(pid, 0) != 0; }));
    }

    void saysWhyAnAddressDoesNotRespond()
    {
        // Taken, so that nobody else comes to listen there meanwhile.
        QTcpSocket closed;
        QVERIFY(closed.bind(QHostAddress::LocalHost));
        ServerSpec spec;
        spec.kind = ServerSpec::Kind::Http;
        spec.url = QUrl(u"http://127.0.0.1:%1/mcp"_s.arg(closed.localPort()));
        Driver refused(spec);
        QVERIFY(!refused.open());
        QVERIFY2(refused.connection().error().kind == Error::Kind::Transport, refused.describe().constData());
        QVERIFY2(refused.connection().error().message.contains("refused"_L1), refused.describe().constData());

        const auto unavailable = test::HttpProcess::demo({u"--http-status"_s, u"503"_s});
        Driver busy(unavailable->spec());
        QVERIFY(!busy.open());
        QVERIFY2(busy.connection().error().message.contains("503"_L1), busy.describe().constData());
        QVERIFY2(busy.connection().error().detail.contains("responds to every POST with status 503"_L1),
                 busy.describe().constData());
    }

    void streamsAreReadAndResumed_data()
    {
        QTest::addColumn<QString>("fault");
        QTest::newRow("always a stream") << u"--always-stream"_s;
        QTest::newRow("every stream is dropped") << u"--drop-streams"_s;
    }
    void streamsAreReadAndResumed()
    {
        QFETCH(QString, fault);
        const auto server = test::HttpProcess::demo({fault});
        Driver driver(server->spec());
        QVERIFY2(driver.open(), driver.describe().constData());
        Call *call = driver.connection().callTool(u"progress"_s, R"({"steps":3,"intervalMs":1})");
        int steps = 0;
        connect(call, &Call::progressed, this, [&steps] { ++steps; });
        const Outcome outcome = driver.run(call);
        QVERIFY2(outcome.kind == Outcome::Kind::Ok, evidence(outcome).constData());
        QCOMPARE(steps, 3);
    }

    void aForgottenSessionIsReplaced_data()
    {
        QTest::addColumn<QString>("tool");
        QTest::addColumn<bool>("isRepeated");
        QTest::newRow("a tool that only reads") << u"add"_s << true;
        QTest::newRow("a tool that may change something twice") << u"toggle-tools"_s << false;
    }
    void aForgottenSessionIsReplaced()
    {
        QFETCH(QString, tool);
        QFETCH(bool, isRepeated);
        // The handshake is two POSTs; the lists are four.
        const auto server = test::HttpProcess::demo({u"--forget-session-after"_s, u"6"_s});
        Driver driver(server->spec());
        QVERIFY2(driver.open(), driver.describe().constData());
        const Outcome outcome = driver.callTool(tool, isRepeated ? OneAndTwo : "{}");
        QCOMPARE(outcome.kind, isRepeated ? Outcome::Kind::Ok : Outcome::Kind::NoResponse);
        if (!isRepeated)
            QVERIFY2(evidence(outcome).toLower().contains("session"), evidence(outcome).constData());
        QTRY_COMPARE(driver.connection().state(), Connection::State::Connected);
    }

    void faultsOverHttp_data()
    {
        QTest::addColumn<QString>("fault");
        QTest::newRow("cut in half") << u"--bad-json"_s;
        QTest::newRow("an id of nobody") << u"--wrong-id"_s;
        QTest::newRow("dead") << u"--crash-on-call"_s;
    }
    void faultsOverHttp()
    {
        QFETCH(QString, fault);
        const auto server = test::HttpProcess::demo({fault});
        ConnectionOptions options;
        options.callOptions.timeout = 30s;
        Driver driver(server->spec(), options);
        QVERIFY2(driver.open(), driver.describe().constData());
        const Outcome outcome = driver.callTool(u"add"_s, OneAndTwo);
        QCOMPARE(outcome.kind, Outcome::Kind::NoResponse);
        QVERIFY2(outcome.error.kind != Error::Kind::Timeout, evidence(outcome).constData());
    }
};

SONDE_TEST(tst_Faults)
#include "tst_faults.moc"
