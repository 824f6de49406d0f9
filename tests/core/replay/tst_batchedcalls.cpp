// Calls that were answered in batches, or asked in one (revision 2025-03-26): each has its own response.
// SPDX-License-Identifier: Apache-2.0
#include "core/replay/mockserver.h"
#include "tests/core/replay/replayfixture.h"
#include "tests/e2e/driver.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/handmadesession.h"
#include "tests/support/jsonrpc.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QTemporaryDir>
#include <QTest>
#include <array>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::test;
using Status = ReplayStep::Status;

namespace {

constexpr auto Handshake =
    R"("result":{"protocolVersion":"2025-03-26","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}})";

// A success, a tool error and a protocol error.
QByteArray response(int id, const QString &tool)
{
    if (tool == u"good")
        return result(id, R"("content":[{"type":"text","text":"fine"}])");
    if (tool == u"bad")
        return result(id, R"("content":[],"isError":true)");
    return error(id, -32602, "Unknown tool");
}

constexpr auto HalfMessage = R"({"jsonrpc":"2.0","method":"notifications/message","params":{"data":"half"}})";

ServerSpec stdioServer(const QByteArray &good = "fine")
{
    ServerSpec spec;
    spec.name = u"stdio"_s;
    spec.revision = Revision::R20251125;
    spec.command = test::builtProgram(QStringLiteral("fake-stdio-server"));
    const auto say = [&spec](const QByteArray &line) { spec.arguments << u"say:"_s + QString::fromUtf8(line); };
    const auto wait = [&spec] { spec.arguments << u"readline"_s; };
    wait();
    say(QByteArray(R"({"jsonrpc":"2.0","id":1,)") + Handshake + '}');
    wait();
    const std::array tools{u"good"_s, u"bad"_s, u"none"_s, u"good"_s, u"bad"_s};
    for (int i = 0; i < int(tools.size()); ++i) {
        wait();
        say('[' + QByteArray(HalfMessage) + ',' + response(i + 2, tools[size_t(i)]).replace("fine", good) + ']');
    }
    spec.arguments << u"waiteof"_s;
    return spec;
}

void responseOverHttp(const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer)
{
    const Message message = Message::parse(request.body);
    if (request.method != "POST") {
        peer.response(405, {}, {});
    } else if (message.kind() != Message::Kind::Request) {
        peer.accept();
    } else if (message.method() == u"initialize") {
        peer.json(R"({"jsonrpc":"2.0","id":)" + message.id().toJson() + ',' + Handshake + '}');
    } else {
        const QString tool = message.params()[u"name"].string();
        const QByteArray batch =
            '[' + QByteArray(HalfMessage) + ',' + response(message.id().toJson().toInt(), tool) + ']';
        if (tool == u"bad") {
            peer.beginEvents();
            peer.event(batch);
            peer.endEvents();
        } else {
            peer.json(batch);
        }
    }
}

}  // namespace

class tst_BatchedCalls : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyCallHasItsOwnResponse()
    {
        const std::unique_ptr<Session> session = handmade();
        const QList<RecordedCall> calls = recordedCalls(*session);
        QCOMPARE(calls.size(), 6);
        QStringList told;
        for (const RecordedCall &each : calls) {
            const Message answered = responseOf(*session, each);
            QCOMPARE(requestOf(*session, each).id(), answered.id());
            told << methodOf(*session, each) + u' ' + targetOf(*session, each) + u' ' +
                        (answered.kind() == Message::Kind::Error    ? u"error"_s
                         : answered.result()[u"isError"].toBool()   ? u"tool error"_s
                         : answered.kind() == Message::Kind::Result ? u"ok"_s
                                                                    : u"nothing"_s);
        }
        QCOMPARE(told,
                 (QStringList{u"initialize  ok"_s, u"tools/call good ok"_s, u"tools/call bad tool error"_s,
                              u"tools/call none error"_s, u"tools/call good ok"_s, u"tools/call bad tool error"_s}));
    }

    void theSameServerGivesTheSame()
    {
        const std::unique_ptr<Session> session = handmade();
        FakeHttpServer server(responseOverHttp);
        ServerSpec http;
        http.name = u"http"_s;
        http.revision = Revision::R20251125;
        http.kind = ServerSpec::Kind::Http;
        http.url = server.url();
        for (const ServerSpec &spec : {stdioServer(), http}) {
            Replay again(*session, spec);
            QVERIFY(again.run());
            const Replayer &replayer = again.replayer;
            QCOMPARE(replayer.steps().size(), 6);
            QVERIFY2(replayer.count(Status::Same) == 6, tell(replayer).constData());
            QVERIFY(replayer.isAcceptable());
            // What was recorded of that run stands as good as the first recording.
            again.driver.connection().session()->flush();
            const QList<RecordedCall> calls = recordedCalls(again.driver.session());
            QCOMPARE(calls.size(), 6);
            QCOMPARE(responseOf(again.driver.session(), calls[3]).toError().code, -32602);
        }
    }

    void anotherResponseIsFoundAtItsPlace()
    {
        const std::unique_ptr<Session> session = handmade();
        Replay again(*session, stdioServer("else"));
        QVERIFY(again.run());
        const Replayer &replayer = again.replayer;
        QVERIFY2(replayer.count(Status::Changed) == 2 && replayer.count(Status::Same) == 4, tell(replayer).constData());
        QCOMPARE(replayer.steps()[1].differences.size(), 1);
        QCOMPARE(replayer.steps()[1].differences.first().pointer, u"/content/0/text"_s);
    }

    void mocked()
    {
        const auto script = MockScript::read(handmade());
        QVERIFY(script);
        MockServer server(*script);
        QList<QByteArray> sent;
        int lasts = 0;
        connect(&server, &MockServer::sent, this, [&](const QByteArray &message, const RequestId &, bool isLast) {
            if (!message.isEmpty())
                sent.append(message);
            lasts += isLast ? 1 : 0;
        });
        server.receive(Message::parse(call(70, "good")));
        QVERIFY(sent.contains(response(70, u"good"_s)));
        QCOMPARE(lasts, 1);
        sent.clear();
        server.receive(Message::parse('[' + call(71, "none") + ',' + call(72, "bad") + ']'));
        QVERIFY(sent.contains(response(71, u"none"_s)) && sent.contains(response(72, u"bad"_s)));
        QCOMPARE(lasts, 3);
        // What came in a batch is sent on its own.
        for (const QByteArray &message : std::as_const(sent))
            QVERIFY2(Message::parse(message).kind() != Message::Kind::Batch, message.constData());
    }

    void serverRequestsInBatchesAreAskedAgain()
    {
        HandmadeSession file;
        file.sent(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"sampling":{}}}})");
        file.received(QByteArray(R"({"jsonrpc":"2.0","id":1,)") + Handshake + '}');
        file.sent(call(2, "good"));
        file.received(R"([{"jsonrpc":"2.0","id":"q","method":"sampling/createMessage","params":{"n":1}},)"
                      R"({"jsonrpc":"2.0","id":"r","method":"sampling/createMessage","params":{"n":2}}])");
        file.sent(R"([{"jsonrpc":"2.0","id":"r","result":{"n":2}},{"jsonrpc":"2.0","id":"q","result":{"n":1}}])");
        file.received('[' + response(2, u"good"_s) + ']');
        const std::unique_ptr<Session> session = file.open(m_folder);
        for (const RecordedCall &each : recordedCalls(*session, Direction::FromServer))
            QCOMPARE(responseOf(*session, each).result()[u"n"].slice(),
                     requestOf(*session, each).params()[u"n"].slice());
        const auto script = MockScript::read(file.open(m_folder));
        MockServer server(*script);
        QList<QByteArray> sent;
        connect(&server, &MockServer::sent, this, [&](const QByteArray &message) { sent.append(message); });
        server.receive(Message::parse(
            R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"sampling":{}}}})"));
        sent.clear();
        server.receive(Message::parse(call(2, "good")));
        QCOMPARE(sent.size(), 2);
        server.receive(
            Message::parse(R"([{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}])"));
        QCOMPARE(sent.last(), response(2, u"good"_s));
    }

private:
    std::unique_ptr<Session> handmade()
    {
        HandmadeSession file;
        file.sent(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}})");
        file.received(QByteArray(R"({"jsonrpc":"2.0","id":1,)") + Handshake + '}');
        file.sent(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        file.sent(call(2, "good")).sent(call(3, "bad")).sent(call(4, "none"));
        file.received('[' + response(4, u"none"_s) + ',' + HalfMessage + ',' + response(2, u"good"_s) + ',' +
                      response(3, u"bad"_s) + ']');
        file.sent('[' + call(10, "good") + R"(,{"jsonrpc":"2.0","method":"notifications/x"},)" + call(11, "bad") + ']');
        file.received(response(11, u"bad"_s));
        file.received('[' + response(10, u"good"_s) + ']');
        return file.open(m_folder);
    }

    QTemporaryDir m_folder;
};

SONDE_TEST(tst_BatchedCalls)
#include "tst_batchedcalls.moc"
