// What a server asks while several requests are open: mock and replay find the call that it is about.
// SPDX-License-Identifier: Apache-2.0
#include "core/replay/mockserver.h"
#include "tests/core/replay/replayfixture.h"
#include "tests/support/files.h"
#include "tests/support/handmadesession.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QTemporaryDir>
#include <QTest>
#include <functional>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::test;
using Status = ReplayStep::Status;

namespace {

constexpr int NoStream = -1;
constexpr int GetStream = 99;

// A conversation in which other things happen between a call and its server request. Over HTTP each request has a
// stream.
struct Conversation {
    HandmadeSession lines;
    QHash<QByteArray, qsizetype> rows;  // of requests, by id
    qsizetype count = 0;
    bool isHttp = false;

    explicit Conversation(bool overHttp) : isHttp(overHttp)
    {
        put(WireEvent::Kind::Open, Direction::Local, {},
            isHttp ? R"({"transport":"http","url":"http://127.0.0.1:1/"})" : R"({"transport":"stdio","argv":["s"]})");
        ask("1", "initialize", R"({"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}}})", 1);
        response("1", R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s"}})", 1);
        say('>', R"("method":"notifications/initialized")", 2);
    }

    void ask(const QByteArray &id, const QByteArray &method, const QByteArray &params, int stream)
    {
        rows[id] = count;
        say('>', "\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + params, stream);
    }
    void call(const QByteArray &id, const QByteArray &tool, int stream)
    {
        ask(id, "tools/call", R"({"name":")" + tool + R"(","arguments":{}})", stream);
    }
    void response(const QByteArray &id, const QByteArray &result, int stream)
    {
        say('<', "\"id\":" + id + ",\"result\":" + result, stream);
    }
    void serverRequest(int stream, const QByteArray &more = {})
    {
        say('<',
            R"("id":"q","method":"elicitation/create","params":{"requestedSchema":)"
            R"({"type":"object","properties":{}},"message":"Sure?")" +
                more + '}',
            stream);
    }
    void serverRequestResponse() { say('>', R"("id":"q","result":{"action":"decline"})", 50); }

    void say(char direction, const QByteArray &members, int stream)
    {
        put(WireEvent::Kind::Message, direction == '>' ? Direction::ToServer : Direction::FromServer,
            R"({"jsonrpc":"2.0",)" + members + '}',
            isHttp && stream != NoStream ? "{\"stream\":" + QByteArray::number(stream) + '}' : QByteArray());
    }

private:
    void put(WireEvent::Kind kind, Direction direction, const QByteArray &payload, const QByteArray &facts)
    {
        lines.at(++count * 1000).add(kind, direction, payload, facts);
    }
};

const QByteArray Tools = R"({"tools":[]})";
const QByteArray Done = R"({"content":[{"type":"text","text":"done"}]})";

// A call (2) and, before its server request comes, a list (3).
Conversation listInBetween(bool overHttp, int streamOfServerRequest)
{
    Conversation made(overHttp);
    made.call("2", "a", 3);
    made.ask("3", "tools/list", "{}", 4);
    made.say('<', R"("method":"notifications/message","params":{"level":"info","data":"half"})", streamOfServerRequest);
    made.serverRequest(streamOfServerRequest);
    made.response("3", Tools, 4);
    made.serverRequestResponse();
    made.response("2", Done, 3);
    return made;
}

// Two calls (2, 3) at once, one of which asks.
Conversation twoCalls(bool overHttp, int streamOfServerRequest)
{
    Conversation made(overHttp);
    made.call("2", "a", 3);
    made.call("3", "b", 4);
    made.say('<', R"("method":"notifications/message","params":{"level":"info","data":"half"})", streamOfServerRequest);
    made.serverRequest(streamOfServerRequest);
    made.serverRequestResponse();
    made.response("3", Done, 4);
    made.response("2", Done, 3);
    return made;
}

// A call (2) that became a task, whose result is awaited (3) when a list is refreshed (4).
Conversation task(int streamOfServerRequest)
{
    Conversation made(true);
    made.ask("2", "tools/call", R"({"name":"a","arguments":{},"task":{}})", 3);
    made.response("2", R"({"task":{"taskId":"t","status":"working"}})", 3);
    made.ask("3", "tasks/result", R"({"taskId":"t"})", 4);
    made.ask("4", "tools/list", "{}", 5);
    const QByteArray ofTask = R"(,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t"}})";
    made.say('<', R"("method":"notifications/message","params":{"level":"info","data":"half")" + ofTask + '}',
             streamOfServerRequest);
    made.serverRequest(streamOfServerRequest, ofTask);
    made.response("4", Tools, 5);
    made.serverRequestResponse();
    made.response("3", Done, 4);
    return made;
}

}  // namespace

class tst_MessageOwners : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void serverRequestsComeWithTheirCall_data()
    {
        QTest::addColumn<std::function<Conversation()>>("made");
        QTest::addColumn<QByteArray>("withinId");
        QTest::addColumn<bool>("isTold");  // by the recording; else the latest call is taken
        const auto add = [](const char *name, std::function<Conversation()> made, const char *id, bool isTold) {
            QTest::newRow(name) << std::move(made) << QByteArray(id) << isTold;
        };
        add(
            "list in between, stream of the call", [] { return listInBetween(true, 3); }, "2", true);
        add(
            "list in between, stream of GET", [] { return listInBetween(true, GetStream); }, "2", false);
        add(
            "list in between, stdio", [] { return listInBetween(false, NoStream); }, "2", true);
        add(
            "two calls, stream of the first", [] { return twoCalls(true, 3); }, "2", true);
        add(
            "two calls, stream of the second", [] { return twoCalls(true, 4); }, "3", true);
        add(
            "two calls, stream of GET", [] { return twoCalls(true, GetStream); }, "3", false);
        add(
            "two calls, stdio", [] { return twoCalls(false, NoStream); }, "3", false);
        add(
            "task, stream of its result", [] { return task(4); }, "3", true);
        add(
            "task, stream of GET", [] { return task(GetStream); }, "3", true);
    }
    void serverRequestsComeWithTheirCall()
    {
        QFETCH(std::function<Conversation()>, made);
        QFETCH(QByteArray, withinId);
        QFETCH(bool, isTold);
        const Conversation conversation = made();
        write(conversation);
        const Result<std::shared_ptr<const MockScript>> script = MockScript::read(opened());
        QVERIFY(script);
        MockServer server(*script);
        QHash<QByteArray, QByteArray> about;  // of what the server said by itself, by its method
        connect(&server, &MockServer::sent, this, [&](const QByteArray &bytes, const RequestId &id) {
            const Message message = Message::parse(bytes);
            if (!message.method().isEmpty())
                about[message.method().toUtf8()] = id.toJson();
        });
        const std::unique_ptr<Session> recording = opened();
        for (const RecordedCall &each : recordedCalls(*recording))
            server.receive(requestOf(*recording, each));
        QCOMPARE(about.value("elicitation/create"), withinId);
        QCOMPARE(about.value("notifications/message"), withinId);

        // A replay takes it for the same call, or for that of none.
        const RecordedServerRequests serverRequests = replayMaterial(*recording).serverRequests;
        QCOMPARE(serverRequests.size(), 1);
        QCOMPARE(serverRequests.at(0).callRow, isTold ? conversation.rows.value(withinId) : -1);
    }

    // What was recorded comes out the same when it is replayed against its own mock, one call after the other.
    void aReplayAgainstTheMockIsTheSame_data() { serverRequestsComeWithTheirCall_data(); }
    void aReplayAgainstTheMockIsTheSame()
    {
        QFETCH(std::function<Conversation()>, made);
        write(made());
        const std::unique_ptr<Session> recording = opened();
        ServerSpec mock;
        mock.name = u"mock"_s;
        mock.command = test::builtProgram(QStringLiteral("sonde-cli"));
        mock.arguments = QStringList{u"mock"_s, path()};
        Replay again(*recording, mock, {}, replayOptions(replayMaterial(*recording)));
        QVERIFY(again.run());
        const qsizetype all = again.replayer.steps().size();
        QCOMPARE(all, recordedCalls(*recording).size());
        QVERIFY2(again.replayer.count(Status::Same) == all, tell(again.replayer).constData());
    }

private:
    QString path() const { return m_folder.filePath(u"s.mcpsession"_s); }

    void write(const Conversation &conversation) { test::writeFile(path(), conversation.lines.text()); }

    std::unique_ptr<Session> opened() const
    {
        Result<std::unique_ptr<Session>> session = Session::open(path());
        return session ? std::move(session).value() : nullptr;
    }

    QTemporaryDir m_folder;
};

SONDE_TEST(tst_MessageOwners)
#include "tst_messageowners.moc"
