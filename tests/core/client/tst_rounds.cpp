// Calls that take several rounds, with a dialect that this test writes: what the client does of itself.
// SPDX-License-Identifier: Apache-2.0
#include "core/client/dialect.h"
#include "core/json/builder.h"
#include "core/protocol/methods.h"
#include "tests/core/client/clockedclient.h"
#include "tests/support/faketransport.h"
#include "tests/support/testregistry.h"
#include "tests/support/wrongmessages.h"

#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace sonde;
using namespace sonde::test;

namespace {

// {"ask":{KEY:{"method":…,"params":…},…},"state":…} asks for input, {"task":ID,"ms":…} starts a task, which
// "poll" {"id":ID} asks for; everything else is final. Each request says which revision it is of in a header.
class ScriptedDialect final : public Dialect {
public:
    QString name() const override { return u"scripted"_s; }

    PreparedRequest prepare(const RequestBody &request, const RequestId &id, const CallOptions &) const override
    {
        PreparedRequest prepared{request.params.isEmpty() ? "{}"_ba : request.params, {}, {}};
        prepared.headers.append({"X-Method", request.method.toUtf8()});
        prepared.progressToken = RequestId(u"token-"_s + QString::fromUtf8(id.toJson()));
        return prepared;
    }

    Interpretation interpret(QStringView method, const Message &response) const override
    {
        Interpretation meaning = Dialect::interpret(method, response);
        const json::Value result = response.result();
        if (result[u"ask"].exists()) {
            meaning.kind = Interpretation::Kind::InputRequired;
            for (const json::Value &entry : result[u"ask"])
                meaning.inputs.append({entry.key(), entry[u"method"].string(), entry[u"params"]});
            meaning.state = result[u"state"].bytes();
        } else if (result[u"task"].exists()) {
            meaning.kind = Interpretation::Kind::TaskStarted;
            meaning.next = {u"poll"_s, R"({"id":)" + result[u"task"].bytes() + '}'};
            meaning.pause = std::chrono::milliseconds(result[u"ms"].toInteger().value_or(0));
        }
        return meaning;
    }

    RequestBody nextRound(const RequestBody &first, const Interpretation &last,
                          const QList<InputResponse> &responses) const override
    {
        json::Builder params;
        params.beginObject();
        for (const json::Value &member : json::parse(first.params))
            params.rawKey(member.keySlice()).value(member);
        params.key(u"responses").beginObject();
        for (const InputResponse &response : responses)
            params.rawMember(response.key, response.result);
        params.endObject();
        if (!last.state.isEmpty())
            params.rawMember(u"state", last.state);
        return {first.method, params.endObject().take()};
    }
};

}  // namespace

class TestRounds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_transport = std::make_unique<FakeTransport>();
        m_transport->openNow();
        m_client = std::make_unique<ClockedClient>(m_transport.get());
        m_client->setDialect(std::make_unique<ScriptedDialect>());
        m_client->setCapabilities(R"({"elicitation":{},"roots":{}})");
        m_requests.clear();
        connect(m_client.get(), &Client::inputRequested, this,
                [this](InputRequest *request) { m_requests << request; });
    }
    void cleanup()
    {
        m_client.reset();
        m_transport.reset();
    }

    void aCallMayTakeTwoRounds()
    {
        Call *call = m_client->request(u"tools/call", "{\"name\":\n\"greet\"}");
        QList<Outcome> outcomes;
        connect(call, &Call::finished, this, [&](const Outcome &outcome) { outcomes << outcome; });
        const Message first = m_transport->expectSent(u"tools/call");
        m_transport->response(first, R"({"ask":{"who":{"method":"elicitation/create","params":{"message":"Who?",
            "requestedSchema":{"type":"object","properties":{"n":{"type":"string"}}}}},
            "where":{"method":"roots/list"}},"state":"c3Q= "})");
        QTRY_COMPARE(m_requests.size(), 2);
        QVERIFY(outcomes.isEmpty());
        QCOMPARE(m_requests[0]->kind(), InputRequest::Kind::Elicitation);
        QCOMPARE(m_requests[0]->key(), u"who"_s);
        QVERIFY(m_requests[0]->id().isNone());
        QCOMPARE(m_requests[0]->params()[u"message"].string(), u"Who?"_s);
        QCOMPARE(m_requests[1]->kind(), InputRequest::Kind::Roots);
        QCOMPARE(m_requests[0]->client(), m_client.get());

        // Out of order, and nothing goes before both are there.
        const QSignalSpy ended(m_requests[1], &InputRequest::ended);
        QVERIFY(!m_requests[1]->respond(R"({"roots":[]})"));
        QCOMPARE(ended.size(), 1);
        QVERIFY(m_transport->sendsNothing());
        QVERIFY(m_requests[0]->respond("[]"));  // no object: refused, and still open
        QVERIFY(!m_requests[0]->respond("{\"action\":\"accept\",\n\"content\":{\"n\":\"Ada\"}}"));

        const Message second = m_transport->expectSent(u"tools/call");
        QVERIFY(second.id() != first.id());
        QCOMPARE(second.params().bytes(), R"({"name":"greet","responses":{"who":{"action":"accept", )"
                                          R"("content":{"n":"Ada"}},"where":{"roots":[]}},"state":"c3Q= "})"_ba);
        QCOMPARE(call->round(), 2);
        QVERIFY(!call->isFinished());

        // A late second response to the first round is no outcome, and progress of the second belongs to the call.
        QStringList findings;
        connect(m_client.get(), &Client::findingAdded, this, [&](const QString &finding) { findings << finding; });
        m_transport->response(first, R"({"content":[]})");
        QCOMPARE(findings.size(), 1);
        QSignalSpy progressed(call, &Call::progressed);
        m_transport->inject(
            R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1,"progressToken":"token-)" +
            second.id().toJson() + R"("}})");
        QCOMPARE(progressed.size(), 1);
        QVERIFY(outcomes.isEmpty());

        m_transport->response(second, R"({"content":[{"type":"text","text":"Hello Ada"}]})");
        QTRY_COMPARE(outcomes.size(), 1);
        QCOMPARE(outcomes[0].kind, Outcome::Kind::Ok);
        QCOMPARE(outcomes[0].result()[u"content"].size(), 1);
    }

    void aServerThatOnlyWantsToBeAskedAgainIs()
    {
        Call *call = m_client->request(u"tools/call", "{}");
        QSignalSpy finished(call, &Call::finished);
        m_transport->response(m_transport->expectSent(u"tools/call"), R"({"ask":{},"state":1})");
        const Message second = m_transport->expectSent(u"tools/call");
        QCOMPARE(second.params()[u"state"].bytes(), "1"_ba);
        m_transport->response(second);
        QTRY_COMPARE(finished.size(), 1);
    }

    void roundsHaveAnEnd()
    {
        Call *call = m_client->request(u"tools/call", "{}");
        Outcome last;
        connect(call, &Call::finished, this, [&](const Outcome &outcome) { last = outcome; });
        for (int i = 0; i < 11; ++i)
            m_transport->response(m_transport->expectSent(u"tools/call"), R"({"ask":{},"state":1})");
        QTRY_VERIFY(last.error);
        QCOMPARE(last.kind, Outcome::Kind::NoResponse);
        QVERIFY2(last.error.message.contains(u"more than 10 times"_s), qPrintable(last.error.message));
        QVERIFY(m_transport->sendsNothing());
    }

    void aTaskIsAskedForUntilItIsDone()
    {
        CallOptions options;
        options.task.follow = TaskOptions::Follow::Connected;
        Call *call = m_client->request(u"tools/call", "{}", options);
        Outcome last;
        connect(call, &Call::finished, this, [&](const Outcome &outcome) { last = outcome; });
        m_transport->response(m_transport->expectSent(u"tools/call"), R"({"task":"t1","ms":1})");
        Message poll = m_transport->expectSent(u"poll");
        QCOMPARE(poll.params().bytes(), R"({"id":"t1"})"_ba);
        m_transport->response(poll, R"({"task":"t1"})");
        poll = m_transport->expectSent(u"poll");
        QCOMPARE(call->method(), u"tools/call"_s);
        QCOMPARE(call->round(), 3);
        m_transport->response(poll, R"({"content":[]})");
        QTRY_COMPARE(last.kind, Outcome::Kind::Ok);
    }

    void endsWithdrawTheRound_data()
    {
        QTest::addColumn<int>("end");
        QTest::addColumn<Error::Kind>("kind");
        QTest::addColumn<InputRequest::End>("how");
        QTest::newRow("cancelled by a person") << 0 << Error::Kind::Cancelled << InputRequest::End::CallEnded;
        QTest::newRow("connection lost") << 1 << Error::Kind::Transport << InputRequest::End::Lost;
        QTest::newRow("one entry declined that has no way to say so")
            << 2 << Error::Kind::Cancelled << InputRequest::End::CallEnded;
    }
    void endsWithdrawTheRound()
    {
        QFETCH(int, end);
        QFETCH(Error::Kind, kind);
        QFETCH(InputRequest::End, how);
        QPointer<Call> call = m_client->request(u"tools/call", "{}");
        Outcome last;
        connect(call, &Call::finished, this, [&](const Outcome &outcome) { last = outcome; });
        m_transport->response(
            m_transport->expectSent(u"tools/call"),
            R"({"ask":{"a":{"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}},"b":{"method":"roots/list"}}})");
        QTRY_COMPARE(m_requests.size(), 2);
        QPointer<InputRequest> request = m_requests[0];
        std::optional<InputRequest::End> ended;
        connect(request, &InputRequest::ended, this, [&](InputRequest::End as) { ended = as; });
        m_client->advance(5s);
        if (end == 0)
            call->cancel(u"enough"_s);
        else if (end == 1)
            m_transport->closeWithError({Error::Kind::Transport, 0, u"gone"_s, {}, {}, {}});
        else
            QVERIFY(!m_requests[1]->decline());
        QTRY_COMPARE(toString(last.error.kind), toString(kind));
        QTRY_VERIFY(ended.has_value());
        QCOMPARE(*ended, how);
        QCOMPARE(last.durationNs, 5'000'000'000);  // to its end, as in the timeline
        if (request)
            QVERIFY(request->respond("{}"));
        QVERIFY(m_transport->sendsNothing());  // there is nothing that the server would have to be told
    }

    // The time of a person is not the server's.
    void waitingForAPersonHasNoDeadline()
    {
        CallOptions options;
        options.timeout = 1s;
        options.maxTotal = 2s;
        QPointer<Call> call = m_client->request(u"tools/call", "{}", options);
        m_transport->response(m_transport->expectSent(u"tools/call"), R"({"ask":{"b":{"method":"roots/list"}}})");
        QTRY_COMPARE(m_requests.size(), 1);
        m_client->advance(3600s);
        QVERIFY(call);
        QVERIFY(!m_requests[0]->respond(R"({"roots":[]})"));
        const Message second = m_transport->expectSent(u"tools/call");
        Outcome last;
        connect(call, &Call::finished, this, [&](const Outcome &outcome) { last = outcome; });
        m_client->advance(900ms);
        QVERIFY(!last.error);
        m_client->advance(200ms);
        QCOMPARE(toString(last.error.kind), toString(Error::Kind::Timeout));
    }

    void inputThatWasNotDeclaredFailsTheCall()
    {
        Call *call = m_client->request(u"tools/call", "{}");
        Outcome last;
        connect(call, &Call::finished, this, [&](const Outcome &outcome) { last = outcome; });
        m_transport->response(m_transport->expectSent(u"tools/call"),
                              R"({"ask":{"b":{"method":"sampling/createMessage","params":{}}}})");
        QTRY_VERIFY(last.error);
        QVERIFY2(last.error.message.contains(u"sampling/createMessage"_s), qPrintable(last.error.message));
        QVERIFY(m_requests.isEmpty());
    }

    void theClientMayGoWhileItIsAsked()
    {
        m_client->request(u"tools/call", "{}");
        connect(m_client.get(), &Client::inputRequested, this, [this] { m_client.reset(); });
        m_transport->response(m_transport->expectSent(u"tools/call"),
                              R"({"ask":{"a":{"method":"roots/list"},"b":{"method":"roots/list"}}})");
        QTRY_VERIFY(!m_client);
    }

    void whatIsWrittenByHandIsOneRequest()
    {
        Call *call = m_client->sendRaw(R"({"jsonrpc":"2.0","id":77,"method":"tools/call","params":{}})");
        Outcome last;
        connect(call, &Call::finished, this, [&](const Outcome &outcome) { last = outcome; });
        m_transport->response(m_transport->expectSent(u"tools/call"), R"({"ask":{"b":{"method":"roots/list"}}})");
        QTRY_COMPARE(last.kind, Outcome::Kind::Ok);
        QVERIFY(m_requests.isEmpty());
    }

    // Of a new start of the same server, say.
    void anotherTransportMayFollow()
    {
        const QPointer<Call> lost = m_client->request(u"ping");
        QSignalSpy finished(lost, &Call::finished);
        m_transport->closeWithError({});
        QCOMPARE(finished.size(), 1);
        FakeTransport next;
        m_client->setTransport(&next);
        QSignalSpy opened(m_client.get(), &Client::transportOpened);
        next.openNow();
        QCOMPARE(opened.size(), 1);
        Call *call = m_client->request(u"ping");
        QSignalSpy done(call, &Call::finished);
        next.response(next.expectSent(u"ping"));
        QTRY_COMPARE(done.size(), 1);
        next.closeWithError({});
        m_client->setTransport(nullptr);
    }

private:
    const WrongMessages m_wrong{"a protocol of this test's own"};
    std::unique_ptr<FakeTransport> m_transport;
    std::unique_ptr<ClockedClient> m_client;
    QList<InputRequest *> m_requests;
};

SONDE_TEST(TestRounds)
#include "tst_rounds.moc"
