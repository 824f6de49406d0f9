// structuredContent against outputSchema: checked once, by the client, away from the event loop.
// SPDX-License-Identifier: Apache-2.0
#include "core/client/client.h"
#include "core/client/outputcheck.h"
#include "tests/support/faketransport.h"
#include "tests/support/openclient.h"
#include "tests/support/testregistry.h"
#include "tests/support/wrongmessages.h"

#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::test;

class TestOutputCheck : public QObject {
    Q_OBJECT

    static QByteArray weatherTool(const QByteArray &type)
    {
        return "{\"name\":\"weather\",\"inputSchema\":{\"type\":\"object\"},\"outputSchema\":{\"type\":\"object\","
               "\"properties\":{\"celsius\":{\"type\":\"" +
               type + "\"}},\"required\":[\"celsius\"]}}";
    }

    void list(const QByteArray &tools, const QByteArray &cursor = {}, const QByteArray &params = {})
    {
        m_client->request(u"tools/list", params);
        m_transport->response(
            m_transport->expectSent(u"tools/list"),
            "{\"tools\":[" + tools + "]" + (cursor.isEmpty() ? "" : ",\"nextCursor\":\"" + cursor + "\"") + "}");
    }

    Outcome call(const QByteArray &tool, const QByteArray &result)
    {
        Call *call = m_client->request(u"tools/call", R"({"name":")" + tool + R"("})");
        Outcome outcome;
        bool isDone = false;
        connect(call, &Call::finished, this, [&](const Outcome &finished) {
            outcome = finished;
            isDone = true;
        });
        m_transport->response(m_transport->expectSent(u"tools/call"), result);
        if (!QTest::qWaitFor([&] { return isDone; }, 30'000))
            qWarning("The call did not end.");
        return outcome;
    }

private Q_SLOTS:
    void init()
    {
        m_client = openClient(m_transport);
        m_findings.clear();
        connect(m_client.get(), &Client::findingAdded, this,
                [this](const QString &finding, const Message &) { m_findings.append(finding); });
    }

    void cleanup()
    {
        m_client.reset();
        m_transport.reset();
    }

    void aMismatchIsAFindingAndIsRecorded()
    {
        list(weatherTool("number"));
        const Outcome outcome = call("weather", R"({"content":[],"structuredContent":{"celsius":"warm"}})");
        QCOMPARE(outcome.kind, Outcome::Kind::Ok);
        QCOMPARE(outcome.findings,
                 QStringList{u"structuredContent does not match outputSchema: /celsius must be a number"_s});
        QCOMPARE(outcome.structuredIssues.size(), 1);
        QCOMPARE(outcome.structuredIssues.first().place.toString(), u"/celsius"_s);
        QCOMPARE(m_findings, outcome.findings);  // as they are recorded
        QCOMPARE(call("weather", R"({"content":[],"structuredContent":{"celsius":21.5}})").findings, QStringList());
    }

    void missingContentIsAFindingUnlessTheToolFailedOrIsATask()
    {
        list(weatherTool("number"));
        QCOMPARE(call("weather", R"({"content":[]})").findings.size(), 1);
        QCOMPARE(call("weather", R"({"content":[],"isError":true})").findings, QStringList());
        QCOMPARE(call("weather", R"({"task":{"taskId":"1","status":"working"}})").findings, QStringList());
    }

    void theNewestListCounts()
    {
        list(weatherTool("number"));
        list(R"({"name":"other"})", "next");  // the rest of it has not come yet
        const QByteArray warm = R"({"content":[],"structuredContent":{"celsius":"warm"}})";
        QCOMPARE(call("weather", warm).findings.size(), 1);
        list(weatherTool("string"), {}, R"({"cursor":"next"})");
        QCOMPARE(call("weather", warm).findings, QStringList());
        list({});
        QCOMPARE(call("weather", R"({"content":[]})").findings, QStringList());
    }

    // The parts of a long list are looked up on the worker as well.
    void aLongListAndALargeResultDoNotHoldUpTheEventLoop()
    {
        QByteArray tools;
        for (int i = 0; i < 5000; ++i)
            tools += "{\"name\":\"t" + QByteArray::number(i) + "\"},";
        list(tools + weatherTool("number"));
        QByteArray numbers;
        for (int i = 0; i < 200'000; ++i)
            numbers += "1,";
        Call *call = m_client->request(u"tools/call", R"({"name":"weather"})");
        QSignalSpy finished(call, &Call::finished);
        m_transport->response(m_transport->expectSent(u"tools/call"),
                              R"({"content":[],"structuredContent":{"n":[)" + numbers + "1]}}");
        QCOMPARE(finished.size(), 0);  // neither parsed nor checked in the turn in which it came
        QVERIFY(finished.wait(30'000));
        QCOMPARE(finished.first().first().value<Outcome>().findings.size(), 1);
    }

    void manyMismatchesAreSummedUp()
    {
        QList<StructuredIssue> issues(150, StructuredIssue{{}, u"is wrong"_s, false});
        const QStringList sentences = sentencesOf(issues);
        QCOMPARE(sentences.size(), 21);
        QVERIFY2(sentences.last().contains(u"130"_s), qPrintable(sentences.last()));
    }

    void cancellingWhileItIsCheckedEndsTheCallOnce()
    {
        list(weatherTool("number"));
        Call *call = m_client->request(u"tools/call", R"({"name":"weather"})");
        QSignalSpy finished(call, &Call::finished);
        m_transport->response(m_transport->expectSent(u"tools/call"), R"({"content":[],"structuredContent":{}})");
        call->cancel();
        QVERIFY(finished.wait(30'000));
        QTest::qWait(0);
        QCOMPARE(finished.size(), 1);
        QVERIFY(finished.first().first().value<Outcome>().error.kind == Error::Kind::Cancelled);
    }

    void ourOwnRequestThatComesBackIsNotAnswered()
    {
        const WrongMessages wrong("initialize without parameters");
        Call *call = m_client->request(u"initialize");
        QSignalSpy finished(call, &Call::finished);
        m_transport->inject(m_transport->expectSent(u"initialize").raw());
        QCOMPARE(finished.size(), 1);
        const Outcome outcome = finished.first().first().value<Outcome>();
        QCOMPARE(outcome.kind, Outcome::Kind::NoResponse);
        QVERIFY2(outcome.error.hint.contains(u"echoes its input"_s), qPrintable(outcome.error.hint));
        QVERIFY(m_transport->sendsNothing());
    }

    void aResultThatIsNoObjectIsNoResponseWhereSomethingWasAskedFor()
    {
        const Outcome outcome = call("x", "null");
        QCOMPARE(outcome.kind, Outcome::Kind::NoResponse);
        QVERIFY(outcome.error.kind == Error::Kind::Protocol);
        QVERIFY2(outcome.error.message.contains(u"null, not an object"_s), qPrintable(outcome.error.message));
        Call *ping = m_client->request(u"ping");
        QSignalSpy finished(ping, &Call::finished);
        m_transport->response(m_transport->expectSent(u"ping"), "null");
        QCOMPARE(finished.first().first().value<Outcome>().kind, Outcome::Kind::Ok);
    }

private:
    std::unique_ptr<FakeTransport> m_transport;
    std::unique_ptr<Client> m_client;
    QStringList m_findings;
};

SONDE_TEST(TestOutputCheck)
#include "tst_outputcheck.moc"
