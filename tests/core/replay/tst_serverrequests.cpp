// What a server asks in the course of a replay: recorded responses are given again, and what differs is said.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "core/transport/monotonicclock.h"
#include "tests/core/replay/replayfixture.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Driver;
using Status = ReplayStep::Status;
using Asked = ReplayServerRequest::Status;

namespace {

// What was said, a message each: '>' ours, '<' the server's. Numbers are given by whoever writes it down.
using Script = QList<std::pair<char, QByteArray>>;

Script serverRequestOpening(const QByteArray &capabilities)
{
    return {
        {'>',
         R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":)" +
             capabilities + R"(,"clientInfo":{"name":"c","version":"1"}}})"},
        {'<', R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)"
              R"("serverInfo":{"name":"s","version":"1"}}})"},
        {'>', R"({"jsonrpc":"2.0","method":"notifications/initialized"})"}};
}

const QByteArray Everything = R"({"elicitation":{},"sampling":{},"roots":{}})";

// A call of a tool in the course of which these questions were asked and answered.
Script call(int id, const QByteArray &tool, const QList<std::pair<QByteArray, QByteArray>> &serverRequests)
{
    Script script{{'>', "{\"jsonrpc\":\"2.0\",\"id\":" + QByteArray::number(id) +
                            R"(,"method":"tools/call","params":{"name":")" + tool + "\"}}"}};
    int number = id * 100;
    for (const auto &[serverRequest, response] : serverRequests) {
        const QByteArray head = "{\"jsonrpc\":\"2.0\",\"id\":" + QByteArray::number(number++) + ',';
        script.append({'<', head + serverRequest + '}'});
        if (!response.isEmpty())
            script.append({'>', head + response + '}'});
    }
    script.append({'<', "{\"jsonrpc\":\"2.0\",\"id\":" + QByteArray::number(id) +
                            R"(,"result":{"content":[{"type":"text","text":"done"}]}})"});
    return script;
}

QByteArray elicit(const QByteArray &message)
{
    return R"("method":"elicitation/create","params":{"requestedSchema":{"type":"object","properties":{}},"message":")" +
           message + R"("})";
}

QByteArray accepted(const QByteArray &name)
{
    return R"("result":{"action":"accept","content":{"name":")" + name + R"("}})";
}

const QByteArray Sample = R"("method":"sampling/createMessage","params":{"messages":[],"maxTokens":5})";
const QByteArray Sampled = R"("result":{"role":"assistant","content":{"type":"text","text":"42"},"model":"m"})";
const QByteArray ListRoots = R"("method":"roots/list")";
const QByteArray RootsResult = R"({"roots":[{"uri":"file:///tmp/a"}]})";
const QByteArray Roots = "\"result\":" + RootsResult;

}  // namespace

class tst_ServerRequests : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
        m_heard.clear();
    }

    void optionsDeclareWhatTheRecordingDeclared()
    {
        const std::unique_ptr<Session> session =
            recordingOf(serverRequestOpening(R"({"roots":{"listChanged":true},"x":{}})"));
        QCOMPARE(replayOptions(replayMaterial(*session)).capabilities, R"({"roots":{"listChanged":true},"x":{}})"_ba);
        QVERIFY(!replayOptions(replayMaterial(*session)).loadCatalog);
        QCOMPARE(replayOptions(replayMaterial(Session())).capabilities, "{}"_ba);
    }

    void recordedResponsesAreGivenAgain()
    {
        const Script script =
            serverRequestOpening(Everything) + call(2, "a", {{elicit("Name?"), accepted("Ada")}, {Sample, Sampled}}) +
            call(3, "b", {{elicit("Name?"), R"("result":{"action":"decline"})"}}) +
            call(4, "c", {{ListRoots, Roots}, {Sample, R"("error":{"code":-1,"message":"no","data":{"why":1}})"}});
        replay(script, script);
        QCOMPARE(m_outcome, u"same"_s);
        QCOMPARE(m_steps.size(), 4);
        for (const ReplayStep &step : std::as_const(m_steps)) {
            for (const ReplayServerRequest &serverRequest : step.serverRequests)
                QVERIFY(serverRequest.status == Asked::Same);
        }
        QCOMPARE(m_steps[1].serverRequests.size(), 2);
        QCOMPARE(m_heard,
                 (QList<QByteArray>{R"({"action":"accept","content":{"name":"Ada"}})",
                                    R"({"role":"assistant","content":{"type":"text","text":"42"},"model":"m"})",
                                    R"({"action":"decline"})", RootsResult,
                                    R"({"code":-1,"message":"no","data":{"why":1}})"}));
        QVERIFY(m_left.isEmpty());
    }

    void theSameParamsComeBeforeTheOrder()
    {
        const auto ada = std::pair(elicit("First?"), accepted("Ada"));
        const auto bob = std::pair(elicit("Second?"), accepted("Bob"));
        replay(serverRequestOpening(Everything) + call(2, "a", {ada, bob}),
               serverRequestOpening(Everything) + call(2, "a", {bob, ada}));
        QCOMPARE(m_outcome, u"same"_s);
        QCOMPARE(m_heard, (QList<QByteArray>{R"({"action":"accept","content":{"name":"Bob"}})",
                                             R"({"action":"accept","content":{"name":"Ada"}})"}));
    }

    void aServerRequestThatWasNotRecorded()
    {
        replay(serverRequestOpening(Everything) + call(2, "a", {}) + call(3, "b", {{Sample, Sampled}}),
               serverRequestOpening(Everything) + call(2, "a", {{elicit("Who?"), accepted("Ada")}}) +
                   call(3, "b", {{Sample, Sampled}}));
        QCOMPARE(m_outcome, u"changed"_s);
        QVERIFY(m_steps[1].status == Status::Changed);
        QVERIFY(m_steps[1].differences.isEmpty());
        QCOMPARE(m_steps[1].serverRequests.size(), 1);
        QVERIFY(m_steps[1].serverRequests.first().status == Asked::New);
        QCOMPARE(describeServerRequests(m_steps[1]), QStringList(u"New server request: elicitation/create \"Who?\""_s));
        QVERIFY(m_steps[2].status == Status::Same);
        QVERIFY(m_heard.first().contains("-32603"));
        const json::Document report = json::Document::parse(m_json);
        const json::Value asked = report.root()[u"steps"].at(1)[u"serverRequests"].at(0);
        QCOMPARE(asked[u"status"].string(), u"new"_s);
        QCOMPARE(asked[u"params"][u"message"].string(), u"Who?"_s);
        QVERIFY2(m_junit.contains("<failure message=\"New server request"), m_junit.constData());
    }

    void aServerRequestThatIsNotAskedAgain()
    {
        replay(serverRequestOpening(Everything) + call(2, "a", {{elicit("Who?"), accepted("Ada")}}),
               serverRequestOpening(Everything) + call(2, "a", {}));
        QVERIFY(m_steps[1].status == Status::Changed);
        QVERIFY(m_steps[1].serverRequests.first().status == Asked::Missing);
        QVERIFY(describeServerRequests(m_steps[1]).first().startsWith("Server request missing"_L1));
    }

    void otherParamsAreAnsweredAndShown()
    {
        const Script before = serverRequestOpening(Everything) + call(2, "a", {{elicit("At 9"), accepted("Ada")}});
        const Script after = serverRequestOpening(Everything) + call(2, "a", {{elicit("At 10"), accepted("Ada")}});
        replay(before, after);
        QVERIFY(m_steps[1].status == Status::Changed);
        QCOMPARE(m_steps[1].serverRequests.first().differences.first().pointer, u"/message"_s);
        QCOMPARE(m_heard.first(), R"({"action":"accept","content":{"name":"Ada"}})"_ba);
        QVERIFY2(describeServerRequests(m_steps[1]).last().contains("\"At 9\""_L1),
                 qPrintable(describeServerRequests(m_steps[1]).join(u'\n')));
        // A rule for the server request's own method lets it pass.
        replay(before, after, R"({"ignore":[{"pointer":"/message","method":"elicitation/create"}]})");
        QCOMPARE(m_outcome, u"same"_s);
        replay(before, after, R"({"ignore":[{"pointer":"/message","method":"tools/call"}]})");
        QCOMPARE(m_outcome, u"changed"_s);
    }

    void secretsCannotBeGivenAgain()
    {
        replay(serverRequestOpening(Everything) + call(2, "a", {{elicit("Key?"), accepted("‹secret:1a2b3c4d›")}}),
               serverRequestOpening(Everything) + call(2, "a", {{elicit("Key?"), accepted("Ada")}}));
        QVERIFY(m_steps[1].status == Status::Changed);
        QVERIFY(m_steps[1].serverRequests.first().status == Asked::Withheld);
        QVERIFY(m_heard.first().contains("secret"));
        QVERIFY(describeServerRequests(m_steps[1]).first().contains("secret"_L1));
    }

    void whatWasRefusedThenIsRefusedNow()
    {
        const Script script = serverRequestOpening("{}") +
                              call(2, "a", {{Sample, R"("error":{"code":-32601,"message":"Method not found"})"}});
        replay(script, script);
        QCOMPARE(m_outcome, u"same"_s);
        QVERIFY(m_steps[1].serverRequests.first().status == Asked::Same);
        QVERIFY(m_heard.first().contains("-32601"));
        // The same of a server that had not tried it before.
        replay(serverRequestOpening("{}") + call(2, "a", {}), script);
        QVERIFY(m_steps[1].serverRequests.first().status == Asked::New);
    }

    void whatWasLeftUnansweredIsLeftSo()
    {
        Script script = serverRequestOpening(Everything) + call(2, "a", {{elicit("Too late?"), {}}});
        const auto end = script.takeLast();
        script.append({'<', R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":200}})"});
        script.append(end);
        replay(script, script);
        QCOMPARE(m_outcome, u"same"_s);
        QVERIFY(m_steps[1].serverRequests.first().status == Asked::Same);
        QVERIFY(m_heard.isEmpty());
    }

    // They belong to no call: a server asks for them when it likes, and has perhaps not yet when all is over.
    void rootsThatAreNotAskedForAreAFinding()
    {
        replay(serverRequestOpening(Everything) + call(2, "a", {{ListRoots, Roots}}),
               serverRequestOpening(Everything) + call(2, "a", {}));
        QCOMPARE(m_outcome, u"same"_s);
        QCOMPARE(m_left, QStringList(u"roots/list"_s));
        QVERIFY(m_json.contains(R"("serverRequestsLeft":["roots/list"])"));
    }

    void rootsAreGivenAsOftenAsTheyAreAskedFor()
    {
        replay(serverRequestOpening(Everything) + call(2, "a", {{ListRoots, Roots}}),
               serverRequestOpening(Everything) + call(2, "a", {{ListRoots, Roots}, {ListRoots, Roots}}));
        QCOMPARE(m_outcome, u"same"_s);
        QCOMPARE(m_heard.size(), 2);
        QCOMPARE(m_heard[0], m_heard[1]);
    }

    // A server that has been told something outside of its calls answers the next ones accordingly.
    void lateServerRequestsAreWaitedFor()
    {
        const Script script = serverRequestOpening(Everything) +
                              Script{{'>', R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})"},
                                     {'<', R"({"jsonrpc":"2.0","id":2,"result":{"tools":[]}})"},
                                     {'<', R"({"jsonrpc":"2.0","id":9,"method":"roots/list"})"},
                                     {'>', "{\"jsonrpc\":\"2.0\",\"id\":9," + Roots + '}'}} +
                              call(3, "a", {});
        replay(script, script, {}, 40);
        QCOMPARE(m_outcome, u"same"_s);
        QVERIFY(m_left.isEmpty());
        QCOMPARE(m_told, m_steps.size());  // each came to its end once
        QVERIFY2(m_said.indexOf(u"roots/list"_s) > m_said.indexOf(u"tools/list"_s) &&
                     m_said.indexOf(u"roots/list"_s) < m_said.indexOf(u"tools/call"_s),
                 qPrintable(m_said.join(u' ')));
    }

    void aNewServerRequestOutsideOfCallsIsTold()
    {
        const Script list{{'>', R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})"},
                          {'<', R"({"jsonrpc":"2.0","id":2,"result":{"tools":[]}})"}};
        const Script asked{{'<', "{\"jsonrpc\":\"2.0\",\"id\":9," + Sample + '}'},
                           {'>', "{\"jsonrpc\":\"2.0\",\"id\":9," + Sampled + '}'}};
        replay(serverRequestOpening(Everything) + list + call(3, "a", {}),
               serverRequestOpening(Everything) + list + asked + call(3, "a", {}));
        QCOMPARE(m_outcome, u"changed"_s);
        // With the step before or, if that had begun, with the one after.
        QCOMPARE(m_steps[1].serverRequests.size() + m_steps[2].serverRequests.size(), 1);
        for (const ReplayStep &step : std::as_const(m_steps))
            QVERIFY((step.status == Status::Changed) == !step.serverRequests.isEmpty());
        QVERIFY(m_json.contains(R"("status":"new")"));
    }

    void whatNobodyRespondsToIsNotDeclared()
    {
        write(serverRequestOpening(Everything) + call(2, "a", {{elicit("Name?"), accepted("Ada")}}),
              u"mocked.mcpsession"_s);
        ConnectionOptions options;
        options.loadCatalog = false;
        options.capabilities = Everything;
        Driver driver(mock(u"mocked.mcpsession"_s), options);
        QVERIFY2(driver.openOnly(), driver.describe().constData());
        QVERIFY(driver.callTool(u"a"_s, {}).kind == Outcome::Kind::Ok);
        QVERIFY(heardIn(driver.session()).isEmpty());  // so the mock did not ask
        QVERIFY(!driver.connection().clientCapabilities().contains("elicitation"));
    }

private:
    // Records `before`, serves `after`, and replays the one against the other. With that many milliseconds from message
    // to message the server takes its time as well.
    void replay(const Script &before, const Script &after, const QByteArray &rulesText = {}, int stepMs = 0)
    {
        const std::unique_ptr<Session> session = recordingOf(before, stepMs);
        write(after, u"mocked.mcpsession"_s, stepMs);
        ReplayRules rules;
        if (!rulesText.isEmpty())
            rules = *ReplayRules::parse(rulesText, u"rules"_s);
        ServerSpec server = mock(u"mocked.mcpsession"_s);
        if (stepMs > 0)
            server.arguments.append(u"--timing"_s);
        test::Replay again(*session, server, rules, replayOptions(replayMaterial(*session)));
        Driver &driver = again.driver;
        Replayer &replayer = again.replayer;
        m_told = 0;
        connect(&replayer, &Replayer::stepChanged, this,
                [&](qsizetype step) { m_told += replayer.steps()[step].hasRun() ? 1 : 0; });
        QVERIFY(again.run());
        m_steps = replayer.steps();
        m_left = replayer.serverRequestsLeft();
        m_json = replayJson(replayer);
        m_junit = replayJUnit(replayer, u"questions"_s);
        m_outcome = json::parse(m_json)[u"counts"][u"changed"].toInteger() > 0 ? u"changed"_s : u"same"_s;
        QVERIFY(driver.close());
        m_heard = heardIn(driver.session());
        m_said = saidIn(driver.session());
    }

    // The methods of what the client sent; of a response, that of the server request.
    static QStringList saidIn(const Session &session)
    {
        QStringList methods;
        for (qsizetype row = 0; row < session.size(); ++row) {
            const RecordInfo &info = session.at(row);
            if (info.kind == WireEvent::Kind::Message && info.direction == Direction::ToServer)
                methods.append(session.name(info.method));
        }
        return methods;
    }

    // What the client answered to the server's questions, in order.
    static QList<QByteArray> heardIn(const Session &session)
    {
        QList<QByteArray> responses;
        for (qsizetype row = 0; row < session.size(); ++row) {
            const RecordInfo &info = session.at(row);
            if (info.kind != WireEvent::Kind::Message || info.direction != Direction::ToServer)
                continue;
            const Message message = session.message(row);
            if (message.isResponse())
                responses.append((message.kind() == Message::Kind::Error ? message.error() : message.result()).bytes());
        }
        return responses;
    }

    static void append(Session &session, const Script &script, int stepMs)
    {
        const qint64 stepNs = stepMs * qint64(1'000'000);
        qint64 atNs = monotonicNs();
        // Records cannot lie in the future.
        QVERIFY(QTest::qWaitFor([&] { return monotonicNs() >= atNs + stepNs * script.size(); }));
        for (const auto &[direction, text] : script) {
            WireEvent event;
            event.kind = WireEvent::Kind::Message;
            event.direction = direction == '>' ? Direction::ToServer : Direction::FromServer;
            event.bytes = text;
            event.message = Message::parse(text);
            event.monotonicNs = atNs;
            atNs += stepNs;
            session.append(event, 1);
        }
        session.finish();
    }

    static std::unique_ptr<Session> recordingOf(const Script &script, int stepMs = 0)
    {
        auto session = std::make_unique<Session>();
        append(*session, script, stepMs);
        return session;
    }

    void write(const Script &script, const QString &name, int stepMs = 0)
    {
        QFile::remove(m_folder->filePath(name));
        const std::unique_ptr<Session> session = Session::create(m_folder->filePath(name), u"s"_s);
        append(*session, script, stepMs);
        QVERIFY(!session->error());
    }

    ServerSpec mock(const QString &name) const
    {
        ServerSpec spec;
        spec.name = u"mock"_s;
        spec.command = test::builtProgram(QStringLiteral("sonde-cli"));
        spec.arguments = QStringList{u"mock"_s, m_folder->filePath(name)};
        return spec;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QList<ReplayStep> m_steps;
    QStringList m_left;
    QString m_outcome;
    QByteArray m_json;
    QByteArray m_junit;
    QList<QByteArray> m_heard;
    QStringList m_said;
    qsizetype m_told = 0;
};

SONDE_TEST(tst_ServerRequests)
#include "tst_serverrequests.moc"
