// SPDX-License-Identifier: Apache-2.0
#include "core/client/client.h"
#include "core/client/statefuldialect.h"
#include "core/protocol/methods.h"
#include "core/protocol/numbertext.h"
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

QByteArray progressOf(const QByteArray &token, const QByteArray &progress)
{
    return R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)" + token +
           R"(,"progress":)" + progress + "}}";
}

// How a call ended, for scripts in which it ends at once or never.
struct Ending {
    explicit Ending(Call *call)
    {
        QObject::connect(call, &Call::finished, call, [this](const Outcome &outcome_) {
            ++count;
            outcome = outcome_;
        });
    }
    int count = 0;
    Outcome outcome;
};

}  // namespace

// Pairing and routing; how calls end is in tst_call.
class TestClient : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_transport = std::make_unique<FakeTransport>();
        m_transport->openNow();
        m_client = std::make_unique<ClockedClient>(m_transport.get());
        m_findings.clear();
        connect(m_client.get(), &Client::findingAdded, this,
                [this](const QString &finding) { m_findings.append(finding); });
    }

    void cleanup()
    {
        m_client.reset();
        m_transport.reset();
    }

    void requestsAreNumbered()
    {
        Call *first = m_client->request(u"tools/call", R"({"name":"echo","arguments":{"b":1.0,"a":"x"}})");
        Call *second = m_client->request(u"ping");
        QCOMPARE(first->id().toJson(), "1"_ba);
        QCOMPARE(second->id().toJson(), "2"_ba);
        QCOMPARE(first->method(), u"tools/call"_s);
        QCOMPARE(openCalls(*m_client), 2);
        QCOMPARE(m_transport->takeSent().raw(),
                 R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo",)"
                 R"("arguments":{"b":1.0,"a":"x"},"_meta":{"progressToken":1}}})"_ba);
        QCOMPARE(m_transport->takeSent().raw(), R"({"jsonrpc":"2.0","id":2,"method":"ping"})"_ba);
    }

    void responsesFindTheirRequest()
    {
        Ending first(m_client->request(u"tools/call", R"({"name":"a"})"));
        Ending second(m_client->request(u"tools/call", R"({"name":"b"})"));
        Ending third(m_client->request(u"resources/read", R"({"uri":"x:y"})"));
        m_client->advance(250ms);
        m_transport->inject(R"({"jsonrpc":"2.0","id":2,"result":{"content":[],"isError":true}})");
        m_transport->inject(
            R"({"jsonrpc":"2.0","id":3,"error":{"code":-32002,"message":"none","data":{"uri":"x:y"}}})");
        QCOMPARE(first.count, 0);
        QCOMPARE(second.count, 1);
        QCOMPARE(second.outcome.kind, Outcome::Kind::ToolError);
        QCOMPARE(second.outcome.durationNs, 250'000'000);
        QCOMPARE(third.outcome.kind, Outcome::Kind::ProtocolError);
        QCOMPARE(third.outcome.error.code, -32002);
        QCOMPARE(third.outcome.error.message, u"none"_s);
        QCOMPARE(third.outcome.error.data.bytes(), R"({"uri":"x:y"})"_ba);
        m_transport->inject(R"({"jsonrpc":"2.0","id":1,"result":{"content":[]}})");
        QCOMPARE(first.outcome.kind, Outcome::Kind::Ok);
        QCOMPARE(m_findings, QStringList());
    }

    // Some languages have no other way to write an integer.
    void anIdWrittenWithAPointIsTheSameId()
    {
        Ending ending(m_client->request(u"ping"));
        m_transport->inject(R"({"jsonrpc":"2.0","id":1.0,"result":{}})");
        QCOMPARE(ending.count, 1);
        QCOMPARE(ending.outcome.kind, Outcome::Kind::Ok);
        QCOMPARE(ending.outcome.findings, QStringList{u"'id' is not written as an integer: 1.0."_s});
        m_transport->takeSent();
        m_transport->inject(R"({"jsonrpc":"2.0","id":7.0,"method":"ping"})");
        QCOMPARE(m_transport->takeSent().raw(), R"({"jsonrpc":"2.0","id":7.0,"result":{}})"_ba);
    }

    void loggingLevelIsAPlainRequest()
    {
        Ending ending(m_client->request(methods::SetLogLevel, R"({"level":"debug"})"));
        m_transport->response(m_transport->expectSent(methods::SetLogLevel));
        QCOMPARE(ending.outcome.kind, Outcome::Kind::Ok);
    }

    void lineBreaksInParametersAreFolded()
    {
        CallOptions plain;
        plain.askForProgress = false;
        m_client->request(u"tools/call", "{\r\n  \"name\": \"a\\nb\"\n}", plain);
        const Message sent = m_transport->expectSent(u"tools/call");
        QVERIFY(!sent.raw().contains('\n') && !sent.raw().contains('\r'));
        QCOMPARE(sent.params()[u"name"].string(), u"a\nb"_s);
    }

    void notifies()
    {
        QVERIFY(!m_client->notify(u"notifications/roots/list_changed"));
        QCOMPARE(m_transport->takeSent().raw(), R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})"_ba);
        QCOMPARE(toString(m_client->notify(u"x", "no object").kind), toString(Error::Kind::Local));
        m_transport->closeWithError({});
        QVERIFY(m_client->notify(u"x"));
        QVERIFY(m_transport->sendsNothing());
    }

    // Responses that nobody waits for.

    void unmatched_data()
    {
        QTest::addColumn<QByteArray>("id");
        QTest::addColumn<QString>("finding");
        QTest::newRow("never asked") << "99"_ba << u"no request with the ID 99"_s;
        QTest::newRow("string for number") << R"("1")"_ba << u"the string \"1\", but the request's was the number 1"_s;
        QTest::newRow("number for string") << "5"_ba << u"the number 5, but the request's was the string \"5\""_s;
        QTest::newRow("1.5") << "1.5"_ba << u"neither an integer nor a string"_s;
        QTest::newRow("object") << "{}"_ba << u"neither an integer nor a string"_s;
    }
    void unmatched()
    {
        QFETCH(QByteArray, id);
        QFETCH(QString, finding);
        Ending number(m_client->request(u"ping"));
        Ending string(m_client->sendRaw(R"({"jsonrpc":"2.0","id":"5","method":"ping"})"));
        m_transport->inject(R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{}})");
        QCOMPARE(m_findings.size(), 1);
        QVERIFY2(m_findings.constFirst().contains(finding), qPrintable(m_findings.constFirst()));
        QCOMPARE(number.count, 0);
        QCOMPARE(string.count, 0);
    }

    void errorWithoutId_data()
    {
        QTest::addColumn<QByteArray>("id");
        QTest::newRow("null") << R"("id":null,)"_ba;
        QTest::newRow("absent") << ""_ba;
    }
    void errorWithoutId()
    {
        QFETCH(QByteArray, id);
        m_client->request(u"ping");
        m_transport->inject(R"({"jsonrpc":"2.0",)" + id + R"("error":{"code":-32700,"message":"what?"}})");
        QCOMPARE(m_findings.size(), 1);
        QVERIFY(m_findings.constFirst().contains(u"could not read a request"_s));
        QCOMPARE(openCalls(*m_client), 1);
    }

    void duplicates()
    {
        Ending ending(m_client->request(u"ping"));
        m_transport->inject(R"({"jsonrpc":"2.0","id":1,"result":{"n":1}})");
        m_transport->inject(R"({"jsonrpc":"2.0","id":1,"result":{"n":2}})");
        QCOMPARE(ending.count, 1);
        QCOMPARE(ending.outcome.result()[u"n"].toInteger().value_or(0), 1);
        QCOMPARE(m_findings.size(), 1);
        QVERIFY2(m_findings.constFirst().startsWith(u"Duplicate response to request 1 (ping)"_s),
                 qPrintable(m_findings.constFirst()));
    }

    void anResponseThatIsNone()
    {
        Ending ending(m_client->request(u"ping"));
        m_transport->inject(R"({"jsonrpc":"2.0","id":1})");
        QCOMPARE(ending.count, 1);
        QCOMPARE(ending.outcome.kind, Outcome::Kind::NoResponse);
        QCOMPARE(toString(ending.outcome.error.kind), toString(Error::Kind::Protocol));
    }

    void aFailedWayEndsItsCallOnly()
    {
        Call *call = m_client->request(u"ping");
        Ending first(call);
        Ending second(m_client->request(u"ping"));
        m_transport->failMessage(call->id(), {Error::Kind::Transport, 502, u"HTTP 502"_s, {}, {}, {}});
        QCOMPARE(first.outcome.error.code, 502);
        QCOMPARE(second.count, 0);
        m_transport->failMessage({}, {Error::Kind::Transport, 0, u"something"_s, {}, {}, {}});
        QCOMPARE(m_findings, QStringList({u"something"_s}));
    }

    // What comes unasked.

    void notificationsPassThrough()
    {
        QStringList methods;
        connect(m_client.get(), &Client::notified, this,
                [&](const Message &message) { methods.append(message.method()); });
        m_transport->inject(R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info"}})");
        m_transport->inject(R"({"jsonrpc":"2.0","method":"notifications/never/heard/of"})");
        m_transport->inject(progressOf("77", "1"));
        QCOMPARE(methods, QStringList({u"notifications/message"_s, u"notifications/never/heard/of"_s}));
        QVERIFY(m_transport->sendsNothing());
    }

    void progressReachesItsCall()
    {
        Call *first = m_client->request(u"tools/call", R"({"name":"a"})");
        Call *second = m_client->request(u"tools/call", R"({"name":"b"})");
        QSignalSpy ofFirst(first, &Call::progressed);
        QSignalSpy ofSecond(second, &Call::progressed);
        m_transport->inject(R"({"jsonrpc":"2.0","method":"notifications/progress","params":)"
                            R"({"progressToken":2,"progress":0.5,"total":2,"message":"half"}})");
        QCOMPARE(ofFirst.size(), 0);
        QCOMPARE(ofSecond.size(), 1);
        const auto progress = ofSecond.constFirst().constFirst().value<Progress>();
        QCOMPARE(progress.progress, 0.5);
        QCOMPARE(progress.total.value_or(0), 2.0);
        QCOMPARE(progress.message, u"half"_s);
        QCOMPARE(m_findings, QStringList());
    }

    void progressOfAnOwnToken()
    {
        Call *call = m_client->request(u"tools/call", R"({"name":"a","_meta":{"progressToken":"mine"}})");
        QSignalSpy progressed(call, &Call::progressed);
        m_transport->inject(progressOf(R"("mine")", "1"));
        QCOMPARE(progressed.size(), 1);
        m_transport->inject(progressOf("1", "2"));
        QCOMPARE(progressed.size(), 1);
        QCOMPARE(m_findings.size(), 1);
    }

    void oddProgress_data()
    {
        QTest::addColumn<QByteArrayList>("values");
        QTest::addColumn<int>("shown");
        QTest::addColumn<int>("findings");
        QTest::newRow("increases") << QByteArrayList{"1", "1.5", "2"} << 3 << 0;
        QTest::newRow("stands") << QByteArrayList{"1", "1"} << 2 << 1;
        QTest::newRow("falls") << QByteArrayList{"3", "2"} << 2 << 1;
        QTest::newRow("no number") << QByteArrayList{R"("much")"} << 1 << 1;
        QTest::newRow("negative") << QByteArrayList{"-2", "-1.5", "0"} << 3 << 0;
        QTest::newRow("the total comes, changes and goes")
            << QByteArrayList{"1", R"(2,"total":4)", R"(3,"total":9)", "4"} << 4 << 0;
        QTest::newRow("the total is no number") << QByteArrayList{R"(1,"total":"many")"} << 1 << 0;
        QTest::newRow("beyond the total") << QByteArrayList{R"(5,"total":4)"} << 1 << 1;
        QTest::newRow("null") << QByteArrayList{"null"} << 1 << 1;
        QTest::newRow("the message is no text") << QByteArrayList{R"(1,"message":{"a":1})"} << 1 << 0;
    }
    void oddProgress()
    {
        QFETCH(QByteArrayList, values);
        QFETCH(int, shown);
        QFETCH(int, findings);
        QSignalSpy progressed(m_client->request(u"tools/call", R"({"name":"a"})"), &Call::progressed);
        for (const QByteArray &value : std::as_const(values))
            m_transport->inject(progressOf("1", value));
        QCOMPARE(progressed.size(), shown);
        QCOMPARE(m_findings.size(), findings);
    }

    void progressWithAMessageOnly()
    {
        QSignalSpy progressed(m_client->request(u"tools/call", R"({"name":"a"})"), &Call::progressed);
        m_transport->inject(
            R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"message":"soon"}})");
        QCOMPARE(progressed.size(), 1);
        QCOMPARE(progressed.constFirst().constFirst().value<Progress>().message, u"soon"_s);
        QCOMPARE(m_findings.size(), 1);
    }

    // A person may send the same token twice; the newer request has it then, and its end takes it along.
    void twoRequestsWithOneToken()
    {
        QSignalSpy ofFirst(m_client->request(u"tools/call", R"({"name":"a","_meta":{"progressToken":"t"}})"),
                           &Call::progressed);
        QSignalSpy ofSecond(m_client->request(u"tools/call", R"({"name":"b","_meta":{"progressToken":"t"}})"),
                            &Call::progressed);
        m_transport->inject(progressOf(R"("t")", "1"));
        QCOMPARE(ofFirst.size() + ofSecond.size(), 1);
        m_transport->inject(R"({"jsonrpc":"2.0","id":1,"result":{"content":[]}})");
        m_transport->inject(progressOf(R"("t")", "2"));
        QCOMPARE(ofSecond.size(), 2);
        m_transport->inject(R"({"jsonrpc":"2.0","id":2,"result":{"content":[]}})");
        m_transport->inject(progressOf(R"("t")", "3"));
        QCOMPARE(ofFirst.size() + ofSecond.size(), 2);
    }

    void progressThatBelongsToNothing()
    {
        CallOptions plain;
        plain.askForProgress = false;
        QSignalSpy progressed(m_client->request(u"tools/call", R"({"name":"a"})", plain), &Call::progressed);
        m_transport->inject(progressOf("1", "1"));
        m_transport->inject(progressOf("44", "1"));
        m_transport->inject(R"({"jsonrpc":"2.0","method":"notifications/progress"})");
        QCOMPARE(progressed.size(), 0);
        QCOMPARE(m_findings.size(), 3);
        m_transport->inject(R"({"jsonrpc":"2.0","id":1,"result":{"content":[]}})");
        m_transport->inject(progressOf("1", "2"));  // too late to matter: nobody's mistake
        QCOMPARE(m_findings.size(), 3);
    }

    void pingIsAnswered()
    {
        QSignalSpy requested(m_client.get(), &Client::serverRequested);
        m_transport->inject(R"({"jsonrpc":"2.0","id":"p-1","method":"ping"})");
        QCOMPARE(m_transport->takeSent().raw(), R"({"jsonrpc":"2.0","id":"p-1","result":{}})"_ba);
        QVERIFY(m_transport->sendsNothing());
        QCOMPARE(requested.size(), 1);
    }

    void unknownRequestIsRefusedOnce()
    {
        QSignalSpy requested(m_client.get(), &Client::serverRequested);
        m_transport->inject(R"({"jsonrpc":"2.0","id":1.5,"method":"sampling/createMessage"})");
        QVERIFY(m_transport->sendsNothing());
        QCOMPARE(m_findings.size(), 1);
        m_transport->inject(R"({"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}})");
        const Message refusal = m_transport->takeSent();
        QCOMPARE(refusal.kind(), Message::Kind::Error);
        QCOMPARE(refusal.id().toJson(), "1"_ba);
        QCOMPARE(refusal.toError().code, -32601);
        QVERIFY(m_transport->sendsNothing());
        QCOMPARE(requested.size(), 1);
    }

    // A server that asks and never reads causes one finding after the other.
    void findingsOfOneKindAreCountedRatherThanListedForEver()
    {
        Error full;
        full.kind = Error::Kind::Transport;
        full.message = u"The server is not reading."_s;
        m_transport->refuseToSend(full);
        for (int i = 0; i < 12'000; ++i)
            m_transport->inject("{\"jsonrpc\":\"2.0\",\"id\":" + QByteArray::number(i) + ",\"method\":\"ping\"}");
        QCOMPARE(m_findings.size(), 102);  // a hundred, the thousandth and the ten-thousandth
        QVERIFY2(m_findings.last().contains(grouped(10'000)), qPrintable(m_findings.last()));
        m_transport->inject(R"({"jsonrpc":"2.0","id":99,"result":{}})");
        QCOMPARE(m_findings.size(), 103);  // another kind is still heard
    }

    void nothingIsAnsweredAfterClosing()
    {
        m_transport->holdClosing();
        m_transport->close();
        m_transport->inject(R"({"jsonrpc":"2.0","id":1,"method":"roots/list"})");
        m_transport->inject(R"({"jsonrpc":"2.0","id":2,"method":"ping"})");
        m_transport->closeWithError({});
        m_transport->inject(R"({"jsonrpc":"2.0","id":3,"method":"ping"})");
        QVERIFY(m_transport->sendsNothing());
        QCOMPARE(m_findings.size(), 3);
    }

    // Batches.

    void batchesWhereTheyExist()
    {
        m_client->setDialect(std::make_unique<StatefulDialect>(Revision::R20250326));
        Ending first(m_client->request(u"ping"));
        Ending second(m_client->request(u"ping"));
        QSignalSpy notified(m_client.get(), &Client::notified);
        m_transport->expectSent(u"ping");
        m_transport->expectSent(u"ping");
        m_transport->inject(R"([{"jsonrpc":"2.0","id":2,"result":{}},{"jsonrpc":"2.0","method":"x"},)"
                            R"({"jsonrpc":"2.0","id":"s","method":"ping"},{"jsonrpc":"2.0","id":1,"result":{}}])");
        QCOMPARE(first.count, 1);
        QCOMPARE(second.count, 1);
        QCOMPARE(notified.size(), 1);
        QCOMPARE(m_transport->takeSent().raw(), R"([{"jsonrpc":"2.0","id":"s","result":{}}])"_ba);
        QCOMPARE(m_findings, QStringList());
    }

    // An item of two bytes needs a response of eighty.
    void theResponsesToABatchHaveALimit_data()
    {
        QTest::addColumn<QByteArray>("begin");
        QTest::newRow("with a message") << R"({"jsonrpc":"2.0","method":"x"})"_ba;
        QTest::newRow("without a message") << "0"_ba;
    }
    void theResponsesToABatchHaveALimit()
    {
        const WrongMessages wrong("JSON-RPC wants a null ID here, which the schema does not know");
        QFETCH(QByteArray, begin);
        m_client->setDialect(std::make_unique<StatefulDialect>(Revision::R20250326));
        m_transport->setRevision(Revision::R20250326);
        m_transport->inject('[' + begin + QByteArray(",1").repeated(20'010) + ']');
        QTRY_COMPARE(m_transport->sentCount(), 1);
        QCOMPARE(m_transport->takeSent().batchSize(), 20'000);
        QVERIFY(m_findings.last().contains(u"20000"));
        m_transport->inject(R"({"jsonrpc":"2.0","id":7,"method":"ping"})");
        QCOMPARE(m_transport->expectSent({}).id(), RequestId(7));
    }

    void aBatchMayEndTheClient()
    {
        m_client->setDialect(std::make_unique<StatefulDialect>(Revision::R20250326));
        connect(m_client->request(u"ping"), &Call::finished, this, [this] { m_client.reset(); });
        m_transport->inject(R"([{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","method":"x"}])");
        QVERIFY(!m_client);
    }

    void batchesWhereThereAreNone_data()
    {
        QTest::addColumn<Revision>("revision");
        QTest::newRow("2024-11-05") << Revision::R20241105;
        QTest::newRow("2025-06-18") << Revision::R20250618;
        QTest::newRow("2025-11-25") << Revision::R20251125;
    }
    void batchesWhereThereAreNone()
    {
        QFETCH(Revision, revision);
        m_client->setDialect(std::make_unique<StatefulDialect>(revision));
        Ending ending(m_client->request(u"ping"));
        m_transport->expectSent(u"ping");
        m_transport->inject(R"([{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":"s","method":"ping"}])");
        QCOMPARE(ending.count, 0);
        m_transport->setRevision(revision);
        m_transport->inject("[]");
        m_transport->inject("[1,2]");
        QVERIFY(m_transport->sendsNothing());
        QCOMPARE(m_findings.size(), 1);
        QVERIFY(m_findings.constFirst().contains(toString(revision)));
    }

    // Requests edited by hand.

    void rawRequestIsSentAsItIsAndAwaited()
    {
        const QByteArray bytes = R"( {"id" : "mine","jsonrpc":"2.0", "method":"tools/call","params":{"name":"a",)"
                                 R"("_meta":{"progressToken":"tok"}},"extra":1.0} )";
        Call *call = m_client->sendRaw(bytes);
        Ending ending(call);
        QSignalSpy progressed(call, &Call::progressed);
        QCOMPARE(m_transport->takeSent().raw(), bytes);
        QCOMPARE(call->method(), u"tools/call"_s);
        m_transport->inject(progressOf(R"("tok")", "1"));
        QCOMPARE(progressed.size(), 1);
        m_transport->inject(R"({"jsonrpc":"2.0","id":"mine","result":{"content":[]}})");
        QCOMPARE(ending.outcome.kind, Outcome::Kind::Ok);
    }

    void rawBytesThatNothingResponses_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("no JSON at all") << "hello there"_ba;
        QTest::newRow("empty") << ""_ba;
        QTest::newRow("notification") << R"({"jsonrpc":"2.0","method":"x"})"_ba;
        QTest::newRow("answer") << R"({"jsonrpc":"2.0","id":3,"result":{}})"_ba;
        QTest::newRow("odd id") << R"({"jsonrpc":"2.0","id":[],"method":"ping"})"_ba;
        QTest::newRow("batch") << R"([{"jsonrpc":"2.0","id":8,"method":"ping"}])"_ba;
        QTest::newRow("id of an open request") << R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"_ba;
    }
    void rawBytesThatNothingResponses()
    {
        const WrongMessages wrong("written by hand");
        QFETCH(QByteArray, bytes);
        Ending open(m_client->request(u"ping"));
        m_transport->expectSent(u"ping");
        Call *call = m_client->sendRaw(bytes);
        Ending ending(call);
        QVERIFY(!call->isFinished());
        QCOMPARE(m_transport->sentCount(), 1);
        QCOMPARE(m_transport->takeSent().raw(), bytes);
        QTRY_COMPARE(ending.count, 1);
        QCOMPARE(ending.outcome.kind, Outcome::Kind::NoResponse);
        QCOMPARE(toString(ending.outcome.error.kind), toString(Error::Kind::Local));
        QVERIFY(ending.outcome.error.message.startsWith(u"Sent as is."_s));
        QCOMPARE(open.count, 0);
        m_transport->inject(R"({"jsonrpc":"2.0","id":1,"result":{}})");
        QCOMPARE(open.count, 1);
    }

    void headersWhereThereAreNoneAreRefused()
    {
        for (const QByteArray &bytes : {R"({"jsonrpc":"2.0","id":"mine","method":"ping"})"_ba, "no request"_ba}) {
            Ending ending(m_client->sendRaw(bytes, {}, {{"X-A", "1"}}));
            QTRY_COMPARE(ending.count, 1);
            QCOMPARE(toString(ending.outcome.error.kind), toString(Error::Kind::Local));
            QVERIFY2(ending.outcome.error.message.contains(u"fake"), qPrintable(ending.outcome.error.message));
            QVERIFY(m_transport->sendsNothing());
        }
        QCOMPARE(openCalls(*m_client), 0);
    }

    void rawNumbersAreNotUsedAgain()
    {
        m_client->sendRaw(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
        m_client->sendRaw(R"({"jsonrpc":"2.0","id":2,"method":"ping"})");
        m_transport->inject(R"({"jsonrpc":"2.0","id":2,"result":{}})");
        QCOMPARE(m_client->request(u"ping")->id().toJson(), "3"_ba);
    }

    void aUsedIdMayBeSentAgain()
    {
        Ending first(m_client->request(u"ping"));
        m_transport->inject(R"({"jsonrpc":"2.0","id":1,"result":{}})");
        Ending again(m_client->sendRaw(R"({"jsonrpc":"2.0","id":1,"method":"ping"})"));
        m_transport->inject(R"({"jsonrpc":"2.0","id":1,"result":{}})");
        QCOMPARE(first.count, 1);
        QCOMPARE(again.count, 1);
        QCOMPARE(again.outcome.kind, Outcome::Kind::Ok);
        QCOMPARE(m_findings, QStringList());
    }

    // A transport that opens again.
    void goesOnWithTheNextConnection()
    {
        Ending lostOne(m_client->request(u"ping"));
        m_transport->closeWithError({Error::Kind::Transport, 1, u"gone"_s, {}, {}, {}});
        QCOMPARE(lostOne.outcome.error.message, u"gone"_s);
        m_transport->openNow();
        Call *call = m_client->request(u"ping");
        QCOMPARE(call->id().toJson(), "2"_ba);
        Ending ending(call);
        m_transport->inject(R"({"jsonrpc":"2.0","id":2,"result":{}})");
        QCOMPARE(ending.outcome.kind, Outcome::Kind::Ok);
    }

private:
    std::unique_ptr<FakeTransport> m_transport;
    std::unique_ptr<ClockedClient> m_client;
    QStringList m_findings;
};

SONDE_TEST(TestClient)
#include "tst_client.moc"
