// A recording served: what is matched, in which order, and what is not.
// SPDX-License-Identifier: Apache-2.0
#include "core/replay/mockserver.h"
#include "core/transport/monotonicclock.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

namespace {

struct Line {
    char direction;
    const char *text;
};

// A session in which this was said.
std::unique_ptr<Session> sessionOf(const QList<Line> &lines, qint64 stepNs = 0)
{
    auto session = std::make_unique<Session>();
    const qint64 begin = monotonicNs();
    // Records cannot lie in the future.
    if (!QTest::qWaitFor([&] { return monotonicNs() >= begin + stepNs * lines.size(); }))
        return session;
    qint64 at = begin;
    for (const Line &line : lines) {
        WireEvent event;
        event.kind = WireEvent::Kind::Message;
        event.direction = line.direction == '>' ? Direction::ToServer : Direction::FromServer;
        event.bytes = line.text;
        event.message = Message::parse(event.bytes);
        event.monotonicNs = at;
        at += stepNs;
        session->append(event, 1);
    }
    session->finish();
    return session;
}

const QList<Line> Conversation{
    {'>', R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})"},
    {'<', R"({"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{}}})"},
    {'>', R"({"jsonrpc":"2.0","method":"notifications/initialized"})"},
    {'>',
     R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"x":1.0,"y":2},"_meta":{"progressToken":1}}})"},
    {'<', R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}})"},
    {'<', R"({"jsonrpc":"2.0","method":"notifications/message","params":{"data":"half"}})"},
    {'<', R"({"jsonrpc":"2.0","id":1,"result":{"content":[],"n":1.50}})"},
    {'<', R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})"},
    {'>', R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a","arguments":{"x":1.0,"y":2}}})"},
    {'<', R"({"jsonrpc":"2.0","id":2,"result":{"content":[],"n":2}})"},
    {'>', R"({"jsonrpc":"2.0","id":3,"method":"prompts/get","params":{"name":"p"}})"},
    {'<', R"({"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"no"}})"},
    {'>', R"({"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"_meta":{"progressToken":4}}})"},
    {'<', R"({"jsonrpc":"2.0","id":4,"result":{"tools":[]}})"},
    {'>', R"({"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"x"}})"},
};

}  // namespace

class tst_MockServer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        const auto script = MockScript::read(sessionOf(Conversation));
        QVERIFY(script);
        m_server = std::make_unique<MockServer>(*script);
        connect(m_server.get(), &MockServer::sent, this,
                [this](const QByteArray &message, const RequestId &, bool isLast) {
                    if (!message.isEmpty())
                        m_sent.append(message);
                    m_lasts += isLast ? 1 : 0;
                });
        m_sent.clear();
        m_lasts = 0;
    }

    void responsesAsRecorded()
    {
        ask(R"({"jsonrpc":"2.0","id":"first","method":"initialize","params":{"protocolVersion":"2024-11-05"}})");
        QCOMPARE(m_sent.takeFirst(),
                 R"({"jsonrpc":"2.0","id":"first","result":{"protocolVersion":"2025-11-25","capabilities":{}}})"_ba);
        ask(R"({"jsonrpc":"2.0","id":9,"method":"prompts/get","params":{"name":"p"}})");
        QCOMPARE(m_sent.takeFirst(), R"({"jsonrpc":"2.0","id":9,"error":{"code":-32602,"message":"no"}})"_ba);
        QVERIFY(m_sent.isEmpty());
        QCOMPARE(m_lasts, 2);
    }

    void whatCameMeanwhileComesInOrder()
    {
        // Members in another order, numbers written otherwise, another progress token: the same call.
        ask(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"_meta":{"progressToken":"t"},"arguments":{"y":2.0,"x":1},"name":"a"}})");
        QCOMPARE(m_sent.size(), 4);
        QCOMPARE(
            m_sent[0],
            R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":1}})"_ba);
        QVERIFY(m_sent[1].contains("half"));
        QCOMPARE(m_sent[2], R"({"jsonrpc":"2.0","id":7,"result":{"content":[],"n":1.50}})"_ba);
        QVERIFY(m_sent[3].contains("list_changed"));
        QCOMPARE(m_lasts, 1);
    }

    void nobodyGetsProgressUnasked()
    {
        ask(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"arguments":{"y":2,"x":1},"name":"a"}})");
        QCOMPARE(m_sent.size(), 3);
        QVERIFY(m_sent[0].contains("half"));
    }

    void repeatedCallsGetTheNextResponse()
    {
        const char *again =
            R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","arguments":{"x":1,"y":2}}})";
        QList<QByteArray> responses;
        for (int i = 0; i < 3; ++i) {
            m_sent.clear();
            ask(again);
            for (const QByteArray &each : std::as_const(m_sent)) {
                if (each.contains("\"n\""))
                    responses.append(each);
            }
        }
        QCOMPARE(responses.size(), 3);
        QVERIFY(responses[0].contains("1.50"));
        QVERIFY(responses[1].contains("\"n\":2"));
        QCOMPARE(responses[2], responses[1]);  // the last one stays
    }

    void noParamsAndEmptyParamsAskTheSame_data()
    {
        QTest::addColumn<QByteArray>("request");
        QTest::newRow("none") << R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"_ba;
        QTest::newRow("empty") << R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}})"_ba;
        QTest::newRow("a token")
            << R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"progressToken":77}}})"_ba;
    }
    void noParamsAndEmptyParamsAskTheSame()
    {
        QFETCH(QByteArray, request);
        ask(request);
        QCOMPARE(m_sent, QList<QByteArray>{R"({"jsonrpc":"2.0","id":1,"result":{"tools":[]}})"_ba});
    }

    void whatWasNotRecordedIsRefused_data()
    {
        QTest::addColumn<QByteArray>("request");
        QTest::addColumn<int>("code");
        QTest::newRow("other arguments")
            << R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"x":2}}})"_ba
            << -32602;
        QTest::newRow("other tool") << R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"b"}})"_ba
                                    << -32602;
        QTest::newRow("other method") << R"({"jsonrpc":"2.0","id":1,"method":"resources/list"})"_ba << -32601;
        QTest::newRow("never answered")
            << R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"x"}})"_ba << -32602;
        QTest::newRow("a batch") << R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])"_ba << -32600;
        QTest::newRow("no JSON") << "{"_ba << -32600;
    }
    void whatWasNotRecordedIsRefused()
    {
        QFETCH(QByteArray, request);
        QFETCH(int, code);
        ask(request);
        QCOMPARE(m_sent.size(), 1);
        const Message response = Message::parse(m_sent.first());
        QCOMPARE(response.kind(), Message::Kind::Error);
        QCOMPARE(response.toError().code, code);
        QVERIFY(!response.toError().message.isEmpty());
        QCOMPARE(m_lasts, 1);
    }

    void pingsAreAnsweredAndTheRestIsTakenInSilence()
    {
        ask(R"({"jsonrpc":"2.0","id":5,"method":"ping"})");
        QCOMPARE(m_sent, QList<QByteArray>{R"({"jsonrpc":"2.0","id":5,"result":{}})"_ba});
        m_sent.clear();
        ask(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        ask(R"({"jsonrpc":"2.0","id":5,"result":{}})");
        ask(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}})");
        QVERIFY(m_sent.isEmpty());
    }

    void serverRequestsAreAskedAgainAndAwaited()
    {
        serveServerRequests(R"({"elicitation":{}})");
        ask(ServerRequest);
        QCOMPARE(m_sent.size(), 1);  // the rest had come only after its response
        QCOMPARE(m_sent[0], R"({"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"?"}})"_ba);
        ask(R"({"jsonrpc":"2.0","id":77,"result":{}})");  // of nothing that was asked
        QCOMPARE(m_sent.size(), 1);
        ask(R"({"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}})");
        QCOMPARE(m_sent.size(), 2);
        QVERIFY(m_sent[1].contains("\"id\":7,"));
        // Again, under a number of its own.
        ask(ServerRequest);
        QVERIFY(m_sent.last().startsWith(R"({"jsonrpc":"2.0","id":2,"method":"elicitation/create")"));
    }

    void whatTheClientCannotBeAskedIsLeftOut()
    {
        serveServerRequests(R"({"sampling":{}})");
        ask(ServerRequest);
        QCOMPARE(m_sent.size(), 1);
        QVERIFY(m_sent[0].contains("\"id\":7,"));
    }

    void aCancelledCallAsksNothingMore()
    {
        serveServerRequests(R"({"elicitation":{}})");
        ask(ServerRequest);
        ask(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})");
        ask(R"({"jsonrpc":"2.0","id":1,"result":{"action":"accept"}})");
        QCOMPARE(m_sent.size(), 1);
    }

    void aWithdrawalNamesTheServerRequestAsItWasAsked()
    {
        serve({{'>', R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{"sampling":{}}}})"},
               {'<', R"({"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{}}})"},
               {'>', R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask"}})"},
               {'<', R"({"jsonrpc":"2.0","id":"q","method":"sampling/createMessage","params":{}})"},
               {'<', R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q"}})"},
               {'<', R"({"jsonrpc":"2.0","id":1,"result":{"content":[]}})"}},
              R"({"sampling":{}})");
        ask(ServerRequest);
        QCOMPARE(m_sent.size(), 3);
        QCOMPARE(m_sent[1], R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})"_ba);
        // Who was not asked has nothing withdrawn.
        ask(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}})");
        m_sent.clear();
        ask(ServerRequest);
        QCOMPARE(m_sent.size(), 1);
    }

    void aSessionWithoutHandshakeIsNoServer()
    {
        QVERIFY(!MockScript::read(sessionOf({Conversation.first()})));
        QVERIFY(!MockScript::read(std::make_unique<Session>()));
    }

    void recordedTimingKeepsTheOrderAndCanBeCancelled()
    {
        constexpr qint64 StepNs = 5'000'000;
        const auto script = MockScript::read(sessionOf(Conversation, StepNs));
        QVERIFY(script);
        MockServer slow(*script, MockServer::Timing::AsRecorded);
        QList<QByteArray> sent;
        connect(&slow, &MockServer::sent, this, [&sent](const QByteArray &message) { sent.append(message); });
        const QByteArray call =
            R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","arguments":{"x":1,"y":2},"_meta":{"progressToken":1}}})";
        QList<qint64> times;
        connect(&slow, &MockServer::sent, this, [&times] { times.append(monotonicNs()); });
        const qint64 beganNs = monotonicNs();
        slow.receive(Message::parse(call));
        QVERIFY(sent.isEmpty());  // nothing came at once when it was recorded
        QTRY_COMPARE(sent.size(), 4);
        for (int i = 0; i < 4; ++i)
            QVERIFY2(times[i] - beganNs >= (i + 1) * StepNs, qPrintable(QString::number(times[i] - beganNs)));
        QVERIFY(sent[0].contains("progress") && sent[2].contains("1.50"));
        sent.clear();
        slow.receive(Message::parse(call));
        slow.receive(
            Message::parse(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})"));
        slow.receive(Message::parse(R"({"jsonrpc":"2.0","id":8,"method":"prompts/get","params":{"name":"p"}})"));
        QTRY_VERIFY(!sent.isEmpty());
        QCOMPARE(sent.size(), 1);
        QVERIFY(sent[0].contains("\"id\":8"));
    }

private:
    static constexpr char ServerRequest[] = R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"ask"}})";

    // Ready for a client that declares these capabilities.
    void serve(const QList<Line> &lines, const QByteArray &capabilities)
    {
        const auto script = MockScript::read(sessionOf(lines));
        QVERIFY(script);
        m_server = std::make_unique<MockServer>(*script);
        connect(m_server.get(), &MockServer::sent, this, [this](const QByteArray &message) {
            if (!message.isEmpty())
                m_sent.append(message);
        });
        ask("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"capabilities\":" + capabilities +
            "}}");
        m_sent.clear();
    }

    void serveServerRequests(const QByteArray &capabilities)
    {
        serve({{'>', R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{"elicitation":{}}}})"},
               {'<', R"({"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{}}})"},
               {'>', R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask"}})"},
               {'<', R"({"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"?"}})"},
               {'>', R"({"jsonrpc":"2.0","id":"q","result":{"action":"accept"}})"},
               {'<', R"({"jsonrpc":"2.0","id":1,"result":{"content":[]}})"}},
              capabilities);
    }

    void ask(const QByteArray &message) { m_server->receive(Message::parse(message)); }

    std::unique_ptr<MockServer> m_server;
    QList<QByteArray> m_sent;
    int m_lasts = 0;
};

SONDE_TEST(tst_MockServer)
#include "tst_mockserver.moc"
