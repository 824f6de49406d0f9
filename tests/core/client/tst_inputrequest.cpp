// Questions of the server: who is asked, and that each is answered once or not at all.
// SPDX-License-Identifier: Apache-2.0
#include "core/client/client.h"
#include "core/client/statefuldialect.h"
#include "tests/support/faketransport.h"
#include "tests/support/openclient.h"
#include "tests/support/testregistry.h"

#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::test;

namespace {

constexpr char Elicitation[] = R"({"jsonrpc":"2.0","id":"q-1","method":"elicitation/create","params":)"
                               R"({"message":"Name?","requestedSchema":{"type":"object","properties":{}}}})";
constexpr char Sampling[] =
    R"({"jsonrpc":"2.0","id":2,"method":"sampling/createMessage","params":{"maxTokens":9,"messages":[]}})";
constexpr char Roots[] = R"({"jsonrpc":"2.0","id":3,"method":"roots/list"})";
constexpr char Withdrawal[] = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q-1"}})";

}  // namespace

class TestInputRequest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_client = openClient(m_transport);
        m_client->setCapabilities(R"({"roots":{},"sampling":{},"elicitation":{}})");
        m_asked.clear();
        m_findings.clear();
        connect(m_client.get(), &Client::inputRequested, this,
                [this](InputRequest *request) { m_asked.append(request); });
        connect(m_client.get(), &Client::findingAdded, this,
                [this](const QString &finding) { m_findings.append(finding); });
    }

    void cleanup()
    {
        m_client.reset();
        m_transport.reset();
    }

    void carriesWhatWasAsked()
    {
        InputRequest *request = ask(Elicitation);
        QVERIFY(request && request->isOpen());
        QCOMPARE(request->kind(), InputRequest::Kind::Elicitation);
        QCOMPARE(request->method(), u"elicitation/create"_s);
        QCOMPARE(request->id().toJson(), "\"q-1\""_ba);
        QCOMPARE(request->params()[u"message"].string(), u"Name?"_s);
        QCOMPARE(request->client(), m_client.get());
        QVERIFY(m_transport->sendsNothing());
        QCOMPARE(ask(Sampling)->kind(), InputRequest::Kind::Sampling);
        QCOMPARE(ask(Roots)->kind(), InputRequest::Kind::Roots);
    }

    void onlyWhatWasDeclaredIsAsked_data()
    {
        QTest::addColumn<QByteArray>("capabilities");
        QTest::addColumn<int>("asked");
        QTest::newRow("nothing") << "{}"_ba << 0;
        QTest::newRow("roots") << R"({"roots":{"listChanged":true}})"_ba << 1;
        QTest::newRow("sampling and elicitation") << R"({"sampling":{},"elicitation":{"form":{}}})"_ba << 2;
        QTest::newRow("others") << R"({"experimental":{},"tasks":{}})"_ba << 0;
    }
    void onlyWhatWasDeclaredIsAsked()
    {
        QFETCH(QByteArray, capabilities);
        QFETCH(int, asked);
        m_client->setCapabilities(capabilities);
        for (const char *serverRequest : {Elicitation, Sampling, Roots})
            m_transport->inject(serverRequest);
        QCOMPARE(m_asked.size(), asked);
        QCOMPARE(m_transport->sentCount(), 3 - asked);
        while (m_transport->sentCount() > 0)
            QCOMPARE(m_transport->takeSent().toError().code, -32601);
    }

    void theFirstResponseCounts()
    {
        InputRequest *request = ask(Elicitation);
        QSignalSpy ended(request, &InputRequest::ended);
        QVERIFY(request->respond("[1]"));  // no object: it stays open
        QVERIFY(request->isOpen());
        QVERIFY(m_transport->sendsNothing());
        QVERIFY(!request->respond("{\"action\":\"accept\",\n\"content\":{\"name\":\"Ada\"}}"));
        QCOMPARE(m_transport->takeSent().raw(),
                 R"({"jsonrpc":"2.0","id":"q-1","result":{"action":"accept", "content":{"name":"Ada"}}})"_ba);
        QVERIFY(!request->isOpen());
        QVERIFY(!request->client());
        QVERIFY(request->decline() && request->cancel() && request->respond("{}") && request->fail(1, u"x"_s));
        QVERIFY(m_transport->sendsNothing());
        QCOMPARE(ended.size(), 1);
        QCOMPARE(ended.first().first().value<InputRequest::End>(), InputRequest::End::Answered);
        QPointer<InputRequest> gone(request);
        QTRY_VERIFY(!gone);
        QVERIFY(m_transport->sendsNothing());
    }

    void refusals_data()
    {
        QTest::addColumn<QByteArray>("serverRequest");
        QTest::addColumn<QByteArray>("declined");
        QTest::addColumn<QByteArray>("cancelled");
        QTest::newRow("elicitation") << QByteArray(Elicitation)
                                     << R"({"jsonrpc":"2.0","id":"q-1","result":{"action":"decline"}})"_ba
                                     << R"({"jsonrpc":"2.0","id":"q-1","result":{"action":"cancel"}})"_ba;
        const QByteArray rejected =
            R"({"jsonrpc":"2.0","id":2,"error":{"code":-1,"message":"User rejected sampling request"}})";
        QTest::newRow("sampling") << QByteArray(Sampling) << rejected << rejected;
        const QByteArray unshared =
            R"({"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"User shares no roots"}})";
        QTest::newRow("roots") << QByteArray(Roots) << unshared << unshared;
    }
    void refusals()
    {
        QFETCH(QByteArray, serverRequest);
        QFETCH(QByteArray, declined);
        QFETCH(QByteArray, cancelled);
        QVERIFY(!ask(serverRequest)->decline());
        QCOMPARE(m_transport->takeSent().raw(), declined);
        QVERIFY(!ask(serverRequest)->cancel());
        QCOMPARE(m_transport->takeSent().raw(), cancelled);
    }

    void theServerWithdraws()
    {
        QSignalSpy notified(m_client.get(), &Client::notified);
        InputRequest *request = ask(Elicitation);
        QSignalSpy ended(request, &InputRequest::ended);
        m_transport->inject(Withdrawal);
        QCOMPARE(ended.size(), 1);
        QCOMPARE(ended.first().first().value<InputRequest::End>(), InputRequest::End::Withdrawn);
        QVERIFY(request->respond("{}"));
        QPointer<InputRequest> gone(request);
        QTRY_VERIFY(!gone);
        QVERIFY(m_transport->sendsNothing());
        QCOMPARE(notified.size(), 1);
        m_transport->inject(Withdrawal);  // of nothing
        QVERIFY(m_transport->sendsNothing());
        QCOMPARE(notified.size(), 2);
    }

    void theConnectionGoes()
    {
        InputRequest *first = ask(Elicitation);
        InputRequest *second = ask(Sampling);
        QSignalSpy firstEnded(first, &InputRequest::ended);
        QSignalSpy secondEnded(second, &InputRequest::ended);
        m_transport->closeWithError({});
        QCOMPARE(firstEnded.size() + secondEnded.size(), 2);
        QCOMPARE(firstEnded.first().first().value<InputRequest::End>(), InputRequest::End::Lost);
        QVERIFY(first->respond("{}"));
        QVERIFY(m_transport->sendsNothing());
    }

    void aSlotMayDeleteTheClient_data()
    {
        QTest::addColumn<int>("how");
        QTest::newRow("answered") << 0;
        QTest::newRow("withdrawn") << 1;
        QTest::newRow("lost") << 2;
        QTest::newRow("asked") << 3;
    }
    void aSlotMayDeleteTheClient()
    {
        QFETCH(int, how);
        if (how == 3) {
            connect(m_client.get(), &Client::inputRequested, this, [this] { m_client.reset(); });
            m_transport->inject(Elicitation);
            QVERIFY(!m_client);
            return;
        }
        ask(Sampling);
        InputRequest *request = ask(Elicitation);
        int count = 0;
        for (InputRequest *each : std::as_const(m_asked)) {
            connect(each, &InputRequest::ended, this, [this, &count] {
                ++count;
                m_client.reset();
            });
        }
        if (how == 0)
            QVERIFY(!request->decline());
        else if (how == 1)
            m_transport->inject(Withdrawal);
        else
            m_transport->closeWithError({});
        QCOMPARE(count, 1);
        QVERIFY(!m_client);
    }

    void deletedWhileOpenTheServerIsTold()
    {
        delete ask(Sampling);
        const Message told = m_transport->takeSent();
        QCOMPARE(told.kind(), Message::Kind::Error);
        QCOMPARE(told.id().toJson(), "2"_ba);
        QVERIFY(ask(Sampling));  // its id is free again
    }

    void theClientGoesInSilence()
    {
        InputRequest *request = ask(Elicitation);
        QSignalSpy ended(request, &InputRequest::ended);
        m_client.reset();
        QCOMPARE(ended.size(), 0);
        QVERIFY(m_transport->sendsNothing());
    }

    void twoWithOneId()
    {
        InputRequest *request = ask(Elicitation);
        m_transport->inject(Elicitation);
        QCOMPARE(m_asked.size(), 1);
        QCOMPARE(m_findings.size(), 1);
        QVERIFY(!request->decline());
        QCOMPARE(m_transport->sentCount(), 1);
    }

    void aFloodIsRefused()
    {
        for (int i = 0; i <= 1000; ++i)
            m_transport->inject("{\"jsonrpc\":\"2.0\",\"id\":" + QByteArray::number(i) + ",\"method\":\"roots/list\"}");
        QCOMPARE(m_asked.size(), 1000);
        QCOMPARE(m_findings.size(), 1);
        const Message refusal = m_transport->takeSent();
        QCOMPARE(refusal.id().toJson(), "1000"_ba);
        QCOMPARE(refusal.kind(), Message::Kind::Error);
        QVERIFY(!m_asked.first()->decline());
        QVERIFY(ask(Elicitation));  // there is room again
    }

    void whatCannotBeSentIsLost()
    {
        InputRequest *request = ask(Elicitation);
        QSignalSpy ended(request, &InputRequest::ended);
        m_transport->refuseToSend(Error::local(u"full"_s));
        QVERIFY(request->decline());
        QCOMPARE(ended.size(), 1);
        QCOMPARE(ended.first().first().value<InputRequest::End>(), InputRequest::End::Lost);
    }

    void responsesToABatchGoTogether()
    {
        askInBatch();
        QCOMPARE(m_asked.size(), 2);
        QVERIFY(m_transport->sendsNothing());
        QVERIFY(!ask(Elicitation)->decline());
        QCOMPARE(m_transport->takeSent().id().toJson(), "\"q-1\""_ba);  // it was not in the batch
        QVERIFY(!m_asked[1]->respond(R"({"roots":[]})"));
        QVERIFY(m_transport->sendsNothing());
        QVERIFY(!m_asked[0]->decline());
        QCOMPARE(m_transport->takeSent().raw(),
                 R"([{"jsonrpc":"2.0","id":8,"result":{}},{"jsonrpc":"2.0","id":3,"result":{"roots":[]}},)"
                 R"({"jsonrpc":"2.0","id":2,"error":{"code":-1,"message":"User rejected sampling request"}}])"_ba);
        QVERIFY(m_transport->sendsNothing());
        QCOMPARE(m_findings, QStringList());
    }

    void aBatchDoesNotWaitForWhatHasEnded()
    {
        askInBatch();
        QVERIFY(!m_asked[1]->respond(R"({"roots":[]})"));
        m_transport->inject(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})");
        QCOMPARE(m_transport->takeSent().batchSize(), 2);

        askInBatch();
        delete m_asked[2];
        QVERIFY(m_transport->sendsNothing());
        m_transport->inject(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}})");
        const Message sent = m_transport->takeSent();
        QCOMPARE(sent.batchSize(), 2);
        QCOMPARE(sent.batch().constLast().id(), RequestId(2));
        QCOMPARE(m_findings, QStringList());
    }

    void aBatchEndsWithItsConnection()
    {
        askInBatch();
        QVERIFY(!m_asked[1]->respond(R"({"roots":[]})"));
        QSignalSpy ended(m_asked[0], &InputRequest::ended);
        m_transport->closeWithError({});
        QCOMPARE(ended.size(), 1);
        QCOMPARE(m_findings.size(), 1);
        QVERIFY2(m_findings.first().contains(u"could not be sent"), qPrintable(m_findings.first()));
        m_transport->openNow();
        QVERIFY(m_transport->sendsNothing());

        askInBatch();
        m_client.reset();
        QVERIFY(m_transport->sendsNothing());
    }

    void aBatchThatCannotBeSentIsLost()
    {
        askInBatch();
        QVERIFY(!m_asked[1]->respond(R"({"roots":[]})"));
        m_transport->refuseToSend(Error::local(u"full"_s));
        QVERIFY(m_asked[0]->decline());
    }

private:
    void askInBatch()
    {
        m_client->setDialect(std::make_unique<StatefulDialect>(Revision::R20250326));
        m_transport->inject('[' + QByteArray(Sampling) + R"(,{"jsonrpc":"2.0","id":8,"method":"ping"},)" + Roots + ']');
    }

    // What the client makes of it; null when it does not ask.
    InputRequest *ask(const QByteArray &serverRequest)
    {
        const qsizetype before = m_asked.size();
        m_transport->inject(serverRequest);
        return m_asked.size() > before ? m_asked.last() : nullptr;
    }

    std::unique_ptr<FakeTransport> m_transport;
    std::unique_ptr<Client> m_client;
    QList<InputRequest *> m_asked;
    QStringList m_findings;
};

SONDE_TEST(TestInputRequest)
#include "tst_inputrequest.moc"
