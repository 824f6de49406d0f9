// Calls during which the server asks a person something: their clocks, and what becomes of the request when they end.
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/client/clockedclient.h"
#include "tests/support/faketransport.h"
#include "tests/support/testregistry.h"

#include <QPointer>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace sonde;
using namespace sonde::test;

namespace {

using End = InputRequest::End;

QByteArray elicitation(const QByteArray &id, const QByteArray &more = {})
{
    return R"({"jsonrpc":"2.0","id":")" + id + R"(","method":"elicitation/create","params":{"message":"Name?",)" +
           R"("requestedSchema":{"type":"object","properties":{}})" + more + "}}";
}

constexpr char SamplingRequest[] =
    R"({"jsonrpc":"2.0","id":"s","method":"sampling/createMessage","params":{"maxTokens":9,"messages":[]}})";
constexpr char CancelResponse[] = R"({"jsonrpc":"2.0","id":"q","result":{"action":"cancel"}})";

}  // namespace

class TestWaitingCalls : public QObject {
    Q_OBJECT

    // What came of a request, for longer than it lives.
    struct Watched {
        QPointer<InputRequest> request;
        QList<End> ends;
        QString reason;
    };

private Q_SLOTS:
    void init()
    {
        m_transport = std::make_unique<FakeTransport>();
        m_transport->openNow();
        m_client = std::make_unique<ClockedClient>(m_transport.get());
        m_client->setCapabilities(R"({"roots":{},"sampling":{},"elicitation":{}})");
        m_asked.clear();
        m_outcomes.clear();
        connect(m_client.get(), &Client::inputRequested, this, [this](InputRequest *request) {
            m_asked.push_back(std::make_unique<Watched>());
            Watched *asked = m_asked.back().get();
            asked->request = request;
            connect(request, &InputRequest::ended, this, [asked, request](End how) {
                asked->ends.append(how);
                asked->reason = request->endReason();
            });
        });
    }

    void cleanup()
    {
        m_client.reset();
        m_transport.reset();
    }

    void noDeadlineCountsTheTimeOfAPerson_data()
    {
        QTest::addColumn<QByteArray>("request");
        QTest::addColumn<QByteArray>("result");
        QTest::newRow("elicitation") << elicitation("q") << R"({"action":"accept","content":{}})"_ba;
        QTest::newRow("sampling") << QByteArray(SamplingRequest)
                                  << R"({"role":"assistant","model":"m","content":{"type":"text","text":"."}})"_ba;
        QTest::newRow("roots") << R"({"jsonrpc":"2.0","id":"r","method":"roots/list"})"_ba
                               << R"({"roots":[]})"_ba;
    }
    void noDeadlineCountsTheTimeOfAPerson()
    {
        QFETCH(const QByteArray, request);
        QFETCH(const QByteArray, result);
        start(u"tools/call", 10s, 25s);
        m_client->advance(6s);
        m_transport->inject(request);
        m_client->advance(1h);
        QCOMPARE(ended(0), QString());
        QVERIFY(!m_asked[0]->request->respond(result));
        m_client->advance(9s);
        QCOMPARE(ended(0), QString());
        m_client->advance(1s);
        QVERIFY2(ended(0).startsWith(u"Timed out"_s), qPrintable(ended(0)));
    }

    // Of two requests the last one counts, whichever that is.
    void theClockRunsWhenNothingIsAskedAnyMore_data()
    {
        QTest::addColumn<int>("first");
        QTest::addColumn<QByteArray>("second");
        QTest::newRow("in their order") << 0 << "p"_ba;
        QTest::newRow("the later one first") << 1 << "q"_ba;
    }
    void theClockRunsWhenNothingIsAskedAnyMore()
    {
        QFETCH(const int, first);
        QFETCH(const QByteArray, second);
        start(u"tools/call", 10s, 25s);
        m_transport->inject(elicitation("q"));
        m_transport->inject(elicitation("p"));
        m_client->advance(1h);
        QVERIFY(!m_asked[size_t(first)]->request->decline());
        m_client->advance(1h);
        QCOMPARE(ended(0), QString());
        m_transport->inject("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"" +
                            second + "\"}}");
        m_client->advance(9s);
        QCOMPARE(ended(0), QString());
        m_client->advance(1s);
        QVERIFY2(ended(0).startsWith(u"Timed out"_s), qPrintable(ended(0)));
    }

    void onlyTheCallThatAsksWaits_data()
    {
        QTest::addColumn<QByteArray>("related");
        QTest::addColumn<bool>("isCarried");
        QTest::addColumn<bool>("bothWait");
        QTest::newRow("its stream brought the request") << QByteArray() << true << false;
        QTest::newRow("nobody can tell") << QByteArray() << false << true;
        const QByteArray none = R"(,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"none"}})";
        QTest::newRow("a task that no call has") << none << false << false;
    }
    void onlyTheCallThatAsksWaits()
    {
        QFETCH(const QByteArray, related);
        QFETCH(const bool, isCarried);
        QFETCH(const bool, bothWait);
        const Call *first = start(u"tools/call", 10s, 0s);
        start(u"prompts/get", 10s, 0s);
        start(u"tools/list", 10s, 0s);
        m_transport->inject(elicitation("q", related), isCarried ? first->id() : RequestId());
        m_client->advance(11s);
        QCOMPARE(ended(0).isEmpty(), isCarried || bothWait);
        QCOMPARE(ended(1).isEmpty(), bothWait);
        QVERIFY(!ended(2).isEmpty());  // nothing is asked during a list
    }

    // What came by another stream than that of a response has nothing to do with the calls that are open.
    void aRequestOnAStreamOfItsOwnOutlivesCalls()
    {
        m_transport->setNamesCarriers();
        const Call *call = start(u"tools/call", 10s, 0s);
        m_transport->inject(elicitation("of nobody"));
        m_transport->inject(elicitation("of the call"), call->id());
        m_transport->response(m_transport->expectSent(u"tools/call"), R"({"content":[]})");
        QTRY_VERIFY(!ended(0).isEmpty());
        QTRY_COMPARE(m_asked[1]->ends.size(), 1);
        QVERIFY(m_asked[0]->ends.isEmpty());
        QVERIFY(!m_asked[0]->request->decline());
    }

    void aRequestEndsWithItsCall_data()
    {
        QTest::addColumn<int>("end");
        QTest::addColumn<QString>("reason");
        QTest::newRow("cancelled") << 0 << u"It was cancelled."_s;
        QTest::newRow("the server responds") << 1 << u"The server responded to it without waiting for you."_s;
        QTest::newRow("the server reports an error") << 2 << u"The server responded to it without waiting for you."_s;
        QTest::newRow("its HTTP request failed") << 3 << u"It failed."_s;
    }
    void aRequestEndsWithItsCall()
    {
        QFETCH(const int, end);
        QFETCH(const QString, reason);
        Call *call = start(u"tools/call", 10s, 0s);
        const Message sent = m_transport->expectSent(u"tools/call");
        m_transport->inject(elicitation("q"));
        QVERIFY(m_transport->sendsNothing());
        if (end == 0)
            call->cancel();
        else if (end == 1)
            m_transport->response(sent, R"({"content":[]})");
        else if (end == 2)
            m_transport->responseError(sent, -32603, u"no"_s);
        else
            m_transport->failMessage(call->id(), Error::local(u"HTTP 500"_s));
        QTRY_VERIFY(!ended(0).isEmpty());
        QTRY_COMPARE(m_asked[0]->ends, QList{End::CallEnded});
        QCOMPARE(m_asked[0]->reason, reason);
        if (end == 0)
            m_transport->expectSent(u"notifications/cancelled");
        QCOMPARE(m_transport->takeSent().raw(), QByteArray(CancelResponse));
        QVERIFY(m_transport->sendsNothing());
        // It cannot be accepted any more, also before it is deleted.
        if (m_asked[0]->request)
            QVERIFY(m_asked[0]->request->respond(R"({"action":"accept"})"));
    }

    void aRequestOfNobodyOutlivesCalls()
    {
        m_transport->inject(elicitation("q"));
        start(u"tools/call", 10s, 0s);
        m_transport->response(m_transport->expectSent(u"tools/call"), R"({"content":[]})");
        QTRY_COMPARE(ended(0), u"responded"_s);
        QVERIFY(m_transport->sendsNothing());
        QCOMPARE(m_asked[0]->ends, QList<End>());
        QVERIFY(!m_asked[0]->request->cancel());
        QCOMPARE(m_transport->takeSent().raw(), QByteArray(CancelResponse));
    }

    void oneOfTwoThatMayWaitForItIsEnough()
    {
        start(u"tools/call", 10s, 0s);
        start(u"tools/call", 10s, 0s);
        const Message first = m_transport->expectSent(u"tools/call");
        const Message second = m_transport->expectSent(u"tools/call");
        m_transport->inject(elicitation("q"));
        m_transport->response(second, R"({"content":[]})");
        QTRY_COMPARE(ended(1), u"responded"_s);
        QVERIFY(m_transport->sendsNothing());
        QCOMPARE(m_asked[0]->ends, QList<End>());
        m_transport->response(first, R"({"content":[]})");
        QTRY_COMPARE(m_asked[0]->ends, QList{End::CallEnded});
    }

    void theServerSaysWhyItWithdraws()
    {
        start(u"tools/call", 10s, 0s);
        m_transport->inject(elicitation("q"));
        m_transport->inject(
            R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q","reason":"too slow"}})");
        QCOMPARE(m_asked[0]->ends, QList{End::Withdrawn});
        QCOMPARE(m_asked[0]->reason, u"too slow"_s);
    }

    void lossIsLossAndClosingIsClosing()
    {
        start(u"tools/call", 10s, 0s);
        m_transport->expectSent(u"tools/call");
        m_transport->inject(elicitation("q"));
        m_transport->closeWithError({Error::Kind::Transport, 0, u"gone"_s, {}, {}, {}});
        QCOMPARE(m_asked[0]->ends, QList{End::Lost});
        QVERIFY(m_transport->sendsNothing());

        m_transport->openNow();
        start(u"tools/call", 10s, 0s);
        m_transport->expectSent(u"tools/call");
        m_transport->inject(elicitation("q"));
        m_client->closeServerRequests();
        QCOMPARE(m_asked[1]->ends, QList{End::Closed});
        m_transport->close();
        QVERIFY(m_transport->sendsNothing());
        QCOMPARE(m_asked[1]->ends.size(), 1);
    }

    void theClientMayGoWhileOneWaits()
    {
        start(u"tools/call", 10s, 0s);
        m_transport->inject(elicitation("q"));
        m_client.reset();
        QVERIFY(m_outcomes.first().isEmpty());
    }

private:
    Call *start(QStringView method, std::chrono::milliseconds timeout, std::chrono::milliseconds maxTotal)
    {
        CallOptions options;
        options.timeout = timeout;
        options.maxTotal = maxTotal;
        Call *call = m_client->request(method, R"({"name":"t"})", options);
        const qsizetype number = m_outcomes.size();
        m_outcomes.append(QString());
        connect(call, &Call::finished, this, [this, number](const Outcome &outcome) {
            m_outcomes[number] = outcome.kind == Outcome::Kind::NoResponse ? outcome.error.message : u"responded"_s;
        });
        return call;
    }
    QString ended(int number) const { return m_outcomes.at(number); }

    std::unique_ptr<FakeTransport> m_transport;
    std::unique_ptr<ClockedClient> m_client;
    std::vector<std::unique_ptr<Watched>> m_asked;
    QStringList m_outcomes;
};

SONDE_TEST(TestWaitingCalls)
#include "tst_waitingcalls.moc"
