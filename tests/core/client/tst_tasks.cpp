// Calls that become tasks, in both forms, with servers that this test plays: good ones and bad ones.
// SPDX-License-Identifier: Apache-2.0
#include "core/client/statefuldialect.h"
#include "core/client/statelessdialect.h"
#include "core/client/taskmessages.h"
#include "core/protocol/methods.h"
#include "tests/core/client/clockedclient.h"
#include "tests/support/faketransport.h"
#include "tests/support/testregistry.h"

#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace sonde;
using namespace sonde::test;

namespace {

// JSON written with single quotes: moc loses its place in some raw strings.
QByteArray quotes(QByteArray text)
{
    return text.replace('\'', '"');
}

constexpr char Times[] = "'createdAt':'2026-08-01T10:00:00Z','lastUpdatedAt':'2026-08-01T10:00:05Z'";

// The Task of 2025-11-25.
QByteArray task(const QByteArray &status, const QByteArray &more = "'ttl':60000,'pollInterval':5000")
{
    return quotes("{'taskId':'t1','status':'" + status + "'," + Times + (more.isEmpty() ? "" : ",") + more + '}');
}

QByteArray extensionTask(const QByteArray &type, const QByteArray &status, const QByteArray &more = {})
{
    return quotes("{'resultType':'" + type + "','taskId':'t1','status':'" + status + "'," + Times +
                  ",'ttlMs':null,'pollIntervalMs':5000" + (more.isEmpty() ? "" : ",") + more + '}');
}

const QByteArray StatefulServer = quotes("{'tasks':{'list':{},'cancel':{},'requests':{'tools':{'call':{}}}}}");
const QByteArray StatelessServer = quotes("{'extensions':{'io.modelcontextprotocol/tasks':{}}}");
const QByteArray Asked = quotes(
    "{'method':'elicitation/create','params':{'message':'?','requestedSchema':{'type':'object','properties':{}}}}");

}  // namespace

class TestTasks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_transport = std::make_unique<FakeTransport>();
        m_transport->openNow();
        m_client = std::make_unique<ClockedClient>(m_transport.get());
        m_client->setCapabilities(quotes("{'elicitation':{},'roots':{}}"));
        m_requests.clear();
        m_findings.clear();
        m_last = {};
        m_ends = 0;
        connect(m_client.get(), &Client::inputRequested, this,
                [this](InputRequest *request) { m_requests << request; });
        connect(m_client.get(), &Client::findingAdded, this, [this](const QString &finding) { m_findings << finding; });
    }
    void cleanup()
    {
        m_client.reset();
        m_transport.reset();
    }

    // 2025-11-25

    void aTaskStaysOneCall()
    {
        speak(Revision::R20251125);
        CallOptions options = following();
        options.task.ttl = 60s;
        options.timeout = 1s;
        options.maxTotal = 2s;
        QPointer<Call> call = start(options);
        QSignalSpy changed(call, &Call::taskChanged);
        QSignalSpy progressed(call, &Call::progressed);
        const Message first = m_transport->expectSent(u"tools/call");
        QCOMPARE(first.params()[u"task"].bytes(), quotes("{'ttl':60000}"));
        QVERIFY(!call->task());
        m_transport->response(first, "{\"task\":" +
                                         task("working",
                                              "'ttl':60000,'pollInterval':5000,"
                                              "'statusMessage':'Gathering'") +
                                         '}');
        QTRY_COMPARE(changed.size(), 1);
        QVERIFY(call->task());
        QCOMPARE(call->task()->id, u"t1"_s);
        QCOMPARE(toString(call->task()->status), u"working"_s);
        QCOMPARE(call->task()->message, u"Gathering"_s);
        QCOMPARE(call->task()->createdAt, QDateTime::fromString(u"2026-08-01T10:00:00Z"_s, Qt::ISODate));
        QVERIFY(call->task()->ttl == 60s);
        QCOMPARE(call->nextLookMs(), 5000);

        m_client->advance(4900ms);
        QVERIFY(m_transport->sendsNothing());
        m_client->advance(100ms);
        Message poll = m_transport->expectSent(u"tasks/get");
        QCOMPARE(poll.params().bytes(), quotes("{'taskId':'t1'}"));
        QCOMPARE(call->nextLookMs(), -1);
        // Progress comes under the token of the request that started it.
        m_transport->inject(R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)" +
                            first.id().toJson() + R"(,"progress":1}})");
        QCOMPARE(progressed.size(), 1);
        m_transport->response(poll, task("working", "'ttl':null"));
        QTRY_COMPARE(changed.size(), 3);
        QVERIFY(!call->task()->ttl);
        m_client->advance(1s);
        m_transport->response(m_transport->expectSent(u"tasks/get"), task("completed"));
        const Message result = m_transport->expectSent(u"tasks/result");
        QCOMPARE(result.params().bytes(), quotes("{'taskId':'t1'}"));
        QCOMPARE(call->method(), u"tools/call"_s);
        m_transport->response(result, quotes("{'content':[{'type':'text','text':'done'}]}"));
        QTRY_COMPARE(m_ends, 1);
        QCOMPARE(m_last.kind, Outcome::Kind::Ok);
        QCOMPARE(m_last.result()[u"content"].size(), 1);
        QCOMPARE(m_findings, QStringList());
    }

    void nobodyIsAskedForATaskWhereThereIsNone_data()
    {
        QTest::addColumn<Revision>("revision");
        QTest::addColumn<QByteArray>("server");
        QTest::newRow("not declared") << Revision::R20251125 << "{\"tasks\":{\"list\":{}}}"_ba;
        QTest::newRow("older") << Revision::R20250618 << StatefulServer;
        QTest::newRow("extension") << Revision::R20260728 << StatelessServer;
    }
    void nobodyIsAskedForATaskWhereThereIsNone()
    {
        QFETCH(Revision, revision);
        QFETCH(QByteArray, server);
        speak(revision, server);
        start(following());
        QVERIFY(!m_transport->expectSent(u"tools/call").params().contains(u"task"));
    }

    void endsOfATask_data()
    {
        QTest::addColumn<QByteArray>("status");
        QTest::addColumn<QByteArray>("response");  // to tasks/result; empty: it is not asked for
        QTest::addColumn<Outcome::Kind>("kind");
        QTest::newRow("tool error") << "failed"_ba << quotes("'result':{'content':[],'isError':true}")
                                    << Outcome::Kind::ToolError;
        QTest::newRow("protocol error") << "failed"_ba << quotes("'error':{'code':-32603,'message':'broke'}")
                                        << Outcome::Kind::ProtocolError;
        QTest::newRow("cancelled by the server") << "cancelled"_ba << QByteArray() << Outcome::Kind::NoResponse;
    }
    void endsOfATask()
    {
        QFETCH(QByteArray, status);
        QFETCH(QByteArray, response);
        QFETCH(Outcome::Kind, kind);
        speak(Revision::R20251125);
        beginTask();
        m_client->advance(5s);
        m_transport->response(m_transport->expectSent(u"tasks/get"), task(status, "'statusMessage':'why','ttl':null"));
        if (!response.isEmpty()) {
            const Message result = m_transport->expectSent(u"tasks/result");
            m_transport->inject(R"({"jsonrpc":"2.0","id":)" + result.id().toJson() + ',' + response + '}');
        }
        QTRY_COMPARE(m_ends, 1);
        QCOMPARE(m_last.kind, kind);
        if (response.isEmpty()) {
            QCOMPARE(toString(m_last.error.kind), toString(Error::Kind::Cancelled));
            QVERIFY2(m_last.error.message.contains(u"why"_s), qPrintable(m_last.error.message));
        }
        QVERIFY(m_transport->sendsNothing());
    }

    // The stream of tasks/result is how the server asks; no deadline counts the time until it is over.
    void theServerAsksDuringTasksResult()
    {
        speak(Revision::R20251125);
        CallOptions options = following();
        options.timeout = 1s;
        options.maxTotal = 2s;
        QPointer<Call> call = beginTask(options);
        m_client->advance(5s);
        m_transport->response(m_transport->expectSent(u"tasks/get"), task("input_required"));
        const Message result = m_transport->expectSent(u"tasks/result");
        m_transport->inject(quotes(
            "{'jsonrpc':'2.0','id':'s1','method':'elicitation/create','params':{'message':'?','requestedSchema':"
            "{'type':'object','properties':{}},'_meta':{'io.modelcontextprotocol/related-task':{'taskId':'t1'}}}}"));
        QTRY_COMPARE(m_requests.size(), 1);
        m_client->advance(3600s);
        // What it does can be seen meanwhile.
        const Message look = m_transport->expectSent(u"tasks/get");
        m_transport->response(look, task("working", "'statusMessage':'Go on','ttl':null,'pollInterval':5000"));
        QTRY_COMPARE(call->task()->message, u"Go on"_s);
        QVERIFY(!m_requests[0]->respond(quotes("{'action':'accept','content':{}}")));
        const Message response = m_transport->takeSent();
        QCOMPARE(response.result().bytes(),
                 quotes("{'action':'accept','content':{},'_meta':{'io.modelcontextprotocol/related-task':"
                        "{'taskId':'t1'}}}"));
        QCOMPARE(m_ends, 0);
        m_transport->response(result, quotes("{'content':[]}"));
        QTRY_COMPARE(m_ends, 1);
        QCOMPARE(m_last.kind, Outcome::Kind::Ok);
        QCOMPARE(toString(call ? call->task()->status : TaskState::Status::Completed), u"completed"_s);
    }

    // Some servers refuse to wait. What a failed task has to say comes through the same request.
    void aRefusedWaitIsNoEnd()
    {
        speak(Revision::R20251125);
        beginTask();
        m_client->advance(5s);
        m_transport->response(m_transport->expectSent(u"tasks/get"), task("input_required"));
        m_transport->responseError(m_transport->expectSent(u"tasks/result"), -32602, u"not completed"_s);
        QTRY_COMPARE(m_findings.size(), 1);
        m_client->advance(5s);
        m_transport->response(m_transport->expectSent(u"tasks/get"), task("failed"));
        m_transport->responseError(m_transport->expectSent(u"tasks/result"), -32603, u"broke"_s);
        QTRY_COMPARE(m_ends, 1);
        QCOMPARE(m_last.kind, Outcome::Kind::ProtocolError);
        QCOMPARE(m_last.error.code, -32603);
    }

    void cancellingTheCallCancelsTheTask_data()
    {
        QTest::addColumn<Revision>("revision");
        QTest::addColumn<bool>("isAsked");  // a poll is under way
        QTest::newRow("2025-11-25") << Revision::R20251125 << false;
        QTest::newRow("2025-11-25, being asked") << Revision::R20251125 << true;
        QTest::newRow("2026-07-28") << Revision::R20260728 << false;
    }
    void cancellingTheCallCancelsTheTask()
    {
        QFETCH(Revision, revision);
        QFETCH(bool, isAsked);
        speak(revision);
        Call *call = beginTask();
        if (isAsked) {
            m_client->advance(5s);
            m_transport->expectSent(u"tasks/get");
        }
        call->cancel(u"enough"_s);
        const Message cancel = m_transport->expectSent(u"tasks/cancel");
        QCOMPARE(cancel.params()[u"taskId"].string(), u"t1"_s);
        QTRY_COMPARE(m_ends, 1);
        QCOMPARE(toString(m_last.error.kind), toString(Error::Kind::Cancelled));
        m_client->advance(3600s);
        m_transport->responseError(cancel, -32602, u"it is over"_s);
        QVERIFY(m_transport->sendsNothing());  // no notifications/cancelled, and no further poll
    }

    void aTaskThatCannotBeCancelledIsSaidToGoOn()
    {
        speak(Revision::R20251125, quotes("{'tasks':{'requests':{'tools':{'call':{}}}}}"));
        beginTask()->cancel();
        QTRY_COMPARE(m_ends, 1);
        QVERIFY(m_transport->sendsNothing());
        QCOMPARE(m_findings.size(), 1);
        QVERIFY2(m_findings[0].contains(u"tasks/cancel"_s), qPrintable(m_findings[0]));
    }

    void aStatusNotificationSavesTheWait()
    {
        speak(Revision::R20251125);
        QPointer<Call> call = beginTask();
        QSignalSpy notified(m_client.get(), &Client::notified);
        const QByteArray head = R"({"jsonrpc":"2.0","method":"notifications/tasks/status","params":)";
        m_transport->inject(head + task("working", "'statusMessage':'half','ttl':null,'pollInterval':5000") + '}');
        QCOMPARE(call->task()->message, u"half"_s);
        QVERIFY(m_transport->sendsNothing());
        m_transport->inject(head + task("completed") + '}');
        QCOMPARE(notified.size(), 2);
        m_transport->response(m_transport->expectSent(u"tasks/get"), task("completed"));
        m_transport->response(m_transport->expectSent(u"tasks/result"), quotes("{'content':[]}"));
        QTRY_COMPARE(m_last.kind, Outcome::Kind::Ok);
        QCOMPARE(m_ends, 1);
    }

    void badServers_data()
    {
        QTest::addColumn<QByteArray>("poll");  // the result of tasks/get
        QTest::addColumn<QString>("finding");
        QTest::addColumn<qint64>("nextLookMs");
        QTest::newRow("pace 0") << task("working", "'ttl':null,'pollInterval':0") << u"it is 0"_s << qint64(1000);
        QTest::newRow("negative pace") << task("working", "'ttl':null,'pollInterval':-5") << u"it is -5"_s
                                       << qint64(1000);
        QTest::newRow("huge pace") << task("working", "'ttl':null,'pollInterval':99999999999") << u"every 10 minutes"_s
                                   << qint64(600'000);
        QTest::newRow("pace beyond numbers")
            << task("working", "'ttl':null,'pollInterval':1e300") << u"1e300"_s << qint64(1000);
        QTest::newRow("ttl in words") << task("working", "'ttl':'long','pollInterval':5000") << u"ttl"_s
                                      << qint64(5000);
        QTest::newRow("no times") << quotes("{'taskId':'t1','status':'working','ttl':null,'pollInterval':5000}")
                                  << u"createdAt"_s << qint64(5000);
        QTest::newRow("another task") << quotes("{'taskId':'t2','status':'completed'}") << u"t2"_s << qint64(5000);
    }
    void badServers()
    {
        QFETCH(QByteArray, poll);
        QFETCH(QString, finding);
        QFETCH(qint64, nextLookMs);
        speak(Revision::R20251125);
        QPointer<Call> call = beginTask();
        m_client->advance(5s);
        m_transport->response(m_transport->expectSent(u"tasks/get"), poll);
        QTRY_VERIFY(!m_findings.isEmpty());
        QVERIFY2(m_findings[0].contains(finding), qPrintable(m_findings[0]));
        const qsizetype told = m_findings.size();
        QCOMPARE(call->nextLookMs(), nextLookMs);
        m_client->advance(std::chrono::milliseconds(nextLookMs));
        m_transport->response(m_transport->expectSent(u"tasks/get"), poll);
        QVERIFY(m_transport->sendsNothing());
        QCOMPARE(m_findings.size(), told);  // each once
        QCOMPARE(m_ends, 0);
    }

    void aTaskWithoutIdIsNone_data()
    {
        QTest::addColumn<Revision>("revision");
        QTest::addColumn<QByteArray>("result");
        QTest::newRow("2025-11-25") << Revision::R20251125 << quotes("{'task':{'status':'working'}}");
        QTest::newRow("2025-11-25, a number")
            << Revision::R20251125 << quotes("{'task':{'taskId':7,'status':'working'}}");
        QTest::newRow("2026-07-28") << Revision::R20260728 << quotes("{'resultType':'task','status':'working'}");
    }
    void aTaskWithoutIdIsNone()
    {
        QFETCH(Revision, revision);
        QFETCH(QByteArray, result);
        speak(revision);
        start(following());
        m_transport->response(m_transport->expectSent(u"tools/call"), result);
        QTRY_COMPARE(m_ends, 1);
        QCOMPARE(m_last.kind, Outcome::Kind::NoResponse);
        QVERIFY2(m_last.error.message.contains(u"taskId"_s), qPrintable(m_last.error.message));
    }

    void aFinalStatusIsFinal()
    {
        speak(Revision::R20251125);
        QPointer<Call> call = beginTask();
        m_transport->inject(R"({"jsonrpc":"2.0","method":"notifications/tasks/status","params":)" + task("completed") +
                            '}');
        m_transport->response(m_transport->expectSent(u"tasks/get"), task("working"));
        QTRY_COMPARE(m_findings.size(), 1);
        QVERIFY2(m_findings[0].contains(u"final"_s), qPrintable(m_findings[0]));
        QCOMPARE(call->nextLookMs(), 5000);  // what was asked for counts
    }

    void onlyCallsOfToolsBecomeTasks_data()
    {
        QTest::addColumn<Revision>("revision");
        QTest::addColumn<QByteArray>("result");
        QTest::newRow("2025-11-25") << Revision::R20251125 << "{\"task\":" + task("working") + '}';
        QTest::newRow("2026-07-28") << Revision::R20260728 << extensionTask("task", "working");
    }
    void onlyCallsOfToolsBecomeTasks()
    {
        QFETCH(Revision, revision);
        QFETCH(QByteArray, result);
        speak(revision);
        watch(m_client->request(u"resources/read", quotes("{'uri':'a:b'}"), following()));
        m_transport->response(m_transport->expectSent(u"resources/read"), result);
        QTRY_COMPARE(m_ends, 1);
        QVERIFY(m_last.error || !m_last.findings.isEmpty());
        QVERIFY(m_transport->sendsNothing());
    }

    void nobodyFollowsUnlessAsked()
    {
        speak(Revision::R20251125);
        watch(m_client->request(u"tools/call", quotes("{'name':'a','task':{}}")));
        m_transport->response(m_transport->expectSent(u"tools/call"), "{\"task\":" + task("working") + '}');
        QTRY_COMPARE(m_ends, 1);
        QCOMPARE(m_last.kind, Outcome::Kind::Ok);
        QCOMPARE(m_last.result()[u"task"][u"taskId"].string(), u"t1"_s);
        watch(m_client->request(u"tasks/get", quotes("{'taskId':'t1'}")));
        m_transport->response(m_transport->expectSent(u"tasks/get"), task("working"));
        QTRY_COMPARE(m_ends, 2);
        QCOMPARE(m_last.result()[u"status"].string(), u"working"_s);
    }

    // The network

    void aFailedPollIsRepeated()
    {
        speak(Revision::R20251125);
        beginTask();
        m_client->advance(5s);
        for (int i = 0; i < 5; ++i) {
            const Message poll = m_transport->expectSent(u"tasks/get");
            m_transport->failMessage(poll.id(), {Error::Kind::Transport, 0, u"no route"_s, {}, {}, {}});
            QVERIFY(m_transport->sendsNothing());
            m_client->advance(5s);
        }
        const Message poll = m_transport->expectSent(u"tasks/get");
        QCOMPARE(m_ends, 0);
        m_transport->failMessage(poll.id(), {Error::Kind::Transport, 0, u"no route"_s, {}, {}, {}});
        QTRY_COMPARE(m_ends, 1);
        QCOMPARE(m_last.error.message, u"no route"_s);
    }

    void aLostConnectionIsNoEndOfATask_data()
    {
        QTest::addColumn<bool>("isAsked");
        QTest::newRow("between polls") << false;
        QTest::newRow("during a poll") << true;
    }
    void aLostConnectionIsNoEndOfATask()
    {
        QFETCH(bool, isAsked);
        speak(Revision::R20251125);
        CallOptions options = following();
        options.task.follow = TaskOptions::Follow::Always;
        QPointer<Call> call = beginTask(options);
        if (isAsked) {
            m_client->advance(5s);
            m_transport->expectSent(u"tasks/get");
        }
        m_transport->closeWithError({Error::Kind::Transport, 0, u"gone"_s, {}, {}, {}});
        m_client->failKept({Error::Kind::Transport, 0, u"gone"_s, {}, {}, {}});
        m_client->advance(3600s);
        QCOMPARE(m_ends, 0);
        QVERIFY(call->isTaskUnreachable());
        QCOMPARE(call->nextLookMs(), -1);
        FakeTransport next;
        m_client->setTransport(&next);
        next.openNow();
        m_client->repeatKept();
        QVERIFY(!call->isTaskUnreachable());
        next.response(next.expectSent(u"tasks/get"), task("completed"));
        next.response(next.expectSent(u"tasks/result"), quotes("{'content':[]}"));
        QTRY_COMPARE(m_ends, 1);
        QCOMPARE(m_last.kind, Outcome::Kind::Ok);
        next.closeWithError({});
        m_client->setTransport(nullptr);
    }

    void withoutThatItEndsWithTheConnection()
    {
        speak(Revision::R20251125);
        beginTask();
        m_transport->closeWithError({Error::Kind::Transport, 0, u"gone"_s, {}, {}, {}});
        QTRY_COMPARE(m_ends, 1);
        QCOMPARE(m_last.error.message, u"gone"_s);
    }

    // As after a restart of the program.
    void aTaskOfAnEarlierCallIsTakenUp_data()
    {
        QTest::addColumn<Revision>("revision");
        QTest::newRow("2025-11-25") << Revision::R20251125;
        QTest::newRow("2026-07-28") << Revision::R20260728;
    }
    void aTaskOfAnEarlierCallIsTakenUp()
    {
        QFETCH(Revision, revision);
        speak(revision);
        watch(m_client->followTask(u"t1"_s, quotes("{'name':'slow'}")));
        const Message poll = m_transport->expectSent(u"tasks/get");
        if (revision == Revision::R20260728) {
            m_transport->response(poll, extensionTask("complete", "completed", "'result':{'content':[]}"));
        } else {
            m_transport->response(poll, task("completed"));
            m_transport->response(m_transport->expectSent(u"tasks/result"), quotes("{'content':[]}"));
        }
        QTRY_COMPARE(m_ends, 1);
        QCOMPARE(m_last.kind, Outcome::Kind::Ok);
        watch(m_client->followTask(u"t2"_s, quotes("{'name':'slow'}")));
        m_transport->responseError(m_transport->expectSent(u"tasks/get"), -32602, u"unknown"_s);
        QTRY_COMPARE(m_ends, 2);
        QCOMPARE(m_last.kind, Outcome::Kind::ProtocolError);
    }

    // 2026-07-28

    void theExtensionIsDeclaredWhereItIsUsed()
    {
        StatelessDialect dialect(Revision::R20260728, quotes("{'extensions':{'a/b':{}}}"), true);
        const auto declared = [&](const QString &method, const CallOptions &options) {
            const PreparedRequest request =
                dialect.prepare({method, quotes("{'taskId':'caf\xc3\xa9','name':'n'}")}, RequestId(1), options);
            return json::parse(request.params)[u"_meta"][u"io.modelcontextprotocol/clientCapabilities"].bytes();
        };
        const QByteArray without = quotes("{'extensions':{'a/b':{}}}");
        QCOMPARE(declared(u"tools/call"_s, following()), without);  // not of a server that does not know it
        dialect.setTaskSupport(readTaskSupport(Revision::R20260728, json::parse(StatelessServer)));
        QCOMPARE(declared(u"tools/call"_s, {}), without);
        const QByteArray with = quotes("{'extensions':{'a/b':{},'io.modelcontextprotocol/tasks':{}}}");
        QCOMPARE(declared(u"tools/call"_s, following()), with);
        for (const QString &method : {u"tasks/get"_s, u"tasks/update"_s, u"tasks/cancel"_s}) {
            QCOMPARE(declared(method, {}), with);
            const PreparedRequest request = dialect.prepare({method, quotes("{'taskId':'t-1'}")}, RequestId(1), {});
            QVERIFY(request.headers.contains({"Mcp-Name", "t-1"}));
            QVERIFY(request.headers.contains({"Mcp-Method", method.toUtf8()}));
        }
    }

    void aTaskThatWasNotDeclaredIsRefused()
    {
        speak(Revision::R20260728);
        watch(m_client->request(u"tools/call", quotes("{'name':'a'}")));
        m_transport->response(m_transport->expectSent(u"tools/call"), extensionTask("task", "working"));
        QTRY_COMPARE(m_ends, 1);
        QCOMPARE(m_last.kind, Outcome::Kind::NoResponse);
        QVERIFY(m_transport->sendsNothing());
    }

    void extensionEnds_data()
    {
        QTest::addColumn<QByteArray>("poll");
        QTest::addColumn<Outcome::Kind>("kind");
        QTest::addColumn<QString>("text");
        QTest::newRow("result") << extensionTask("complete", "completed", "'result':{'content':[],'x':1.0}")
                                << Outcome::Kind::Ok << QString();
        QTest::newRow("of another type") << extensionTask("task", "completed", "'result':{'content':[]}")
                                         << Outcome::Kind::Ok << QString();
        QTest::newRow("tool error") << extensionTask("complete", "completed", "'result':{'content':[],'isError':true}")
                                    << Outcome::Kind::ToolError << QString();
        QTest::newRow("error") << extensionTask("complete", "failed", "'error':{'code':-32603,'message':'broke'}")
                               << Outcome::Kind::ProtocolError << u"broke"_s;
        QTest::newRow("cancelled") << extensionTask("complete", "cancelled") << Outcome::Kind::NoResponse
                                   << u"cancelled"_s;
        QTest::newRow("completed without result")
            << extensionTask("complete", "completed") << Outcome::Kind::NoResponse << u"'result'"_s;
        QTest::newRow("failed without error")
            << extensionTask("complete", "failed") << Outcome::Kind::NoResponse << u"'error'"_s;
    }
    void extensionEnds()
    {
        QFETCH(QByteArray, poll);
        QFETCH(Outcome::Kind, kind);
        QFETCH(QString, text);
        speak(Revision::R20260728);
        beginTask();
        m_client->advance(5s);
        m_transport->response(m_transport->expectSent(u"tasks/get"), extensionTask("complete", "working"));
        QVERIFY(m_transport->sendsNothing());
        m_client->advance(5s);
        m_transport->response(m_transport->expectSent(u"tasks/get"), poll);
        QTRY_COMPARE(m_ends, 1);
        QCOMPARE(m_last.kind, kind);
        QVERIFY2(m_last.error.message.contains(text), qPrintable(m_last.error.message));
        if (QByteArray(QTest::currentDataTag()) == "result")
            QCOMPARE(m_last.result().bytes(), quotes("{'content':[],'x':1.0}"));  // byte for byte
        QVERIFY(m_transport->sendsNothing());
    }

    void aResultBeforeTheEndIsNone()
    {
        speak(Revision::R20260728);
        beginTask();
        m_client->advance(5s);
        m_transport->response(m_transport->expectSent(u"tasks/get"),
                              extensionTask("complete", "working", "'result':{'content':[]}"));
        QTRY_COMPARE(m_findings.size(), 1);
        QCOMPARE(m_ends, 0);
    }

    void eachKeyIsAskedOnce()
    {
        speak(Revision::R20260728);
        beginTask();
        const auto poll = [this](const QByteArray &inputs) {
            m_client->advance(5s);
            m_transport->response(m_transport->expectSent(u"tasks/get"),
                                  extensionTask("complete", "input_required", "'inputRequests':{" + inputs + '}'));
        };
        poll("'a':" + Asked + ",'b':{'method':'roots/list'}");
        QTRY_COMPARE(m_requests.size(), 2);
        QCOMPARE(m_requests[0]->key(), u"a"_s);
        poll("'a':" + Asked + ",'b':{'method':'roots/list'}");
        QVERIFY(m_transport->sendsNothing());
        QCOMPARE(m_requests.size(), 2);

        // Each as soon as it is there.
        const QPointer<InputRequest> second = m_requests[1];
        QVERIFY(!m_requests[0]->respond(quotes("{'action':'decline'}")));
        Message update = m_transport->expectSent(u"tasks/update");
        QCOMPARE(update.params()[u"taskId"].string(), u"t1"_s);
        QCOMPARE(update.params()[u"inputResponses"].bytes(), quotes("{'a':{'action':'decline'}}"));
        // The server may take its time to show it. What was lost is sent again.
        m_transport->failMessage(update.id(), {Error::Kind::Transport, 0, u"no route"_s, {}, {}, {}});
        poll("'a':" + Asked + ",'b':{'method':'roots/list'}");
        update = m_transport->expectSent(u"tasks/update");
        QCOMPARE(update.params()[u"inputResponses"].bytes(), quotes("{'a':{'action':'decline'}}"));
        m_transport->response(update, quotes("{'resultType':'complete'}"));
        poll("'a':" + Asked + ",'b':{'method':'roots/list'}");
        QVERIFY(m_transport->sendsNothing());

        // What the server does not want any more is withdrawn.
        std::optional<InputRequest::End> ended;
        connect(second, &InputRequest::ended, this, [&](InputRequest::End how) { ended = how; });
        poll("'c':{'method':'roots/list'}");
        QTRY_VERIFY(ended.has_value());
        QCOMPARE(*ended, InputRequest::End::Withdrawn);
        QCOMPARE(m_requests.size(), 3);
        QCOMPARE(m_requests[2]->key(), u"c"_s);
        QVERIFY(!m_requests[2]->respond(quotes("{'roots':[]}")));
        m_transport->response(m_transport->expectSent(u"tasks/update"), quotes("{'resultType':'complete'}"));
        m_client->advance(5s);
        m_transport->response(m_transport->expectSent(u"tasks/get"),
                              extensionTask("complete", "completed", "'result':{'content':[]}"));
        QTRY_COMPARE(m_ends, 1);
        QCOMPARE(m_last.kind, Outcome::Kind::Ok);
    }

    void inputThatWasNotDeclaredEndsTheTask()
    {
        speak(Revision::R20260728);
        beginTask();
        m_client->advance(5s);
        m_transport->response(
            m_transport->expectSent(u"tasks/get"),
            extensionTask("complete", "input_required", "'inputRequests':{'a':{'method':'sampling/createMessage'}}"));
        m_transport->expectSent(u"tasks/cancel");
        QTRY_COMPARE(m_ends, 1);
        QVERIFY2(m_last.error.message.contains(u"sampling/createMessage"_s), qPrintable(m_last.error.message));
    }

    void aTaskThatCannotBeFollowedEndsTheCall_data()
    {
        QTest::addColumn<Revision>("revision");
        QTest::addColumn<QByteArray>("status");
        QTest::addColumn<QString>("said");
        for (const Revision revision : {Revision::R20251125, Revision::R20260728}) {
            const QByteArray name = toString(revision).toLatin1();
            QTest::newRow(("unknown, " + name).constData()) << revision << "paused"_ba << u"\"paused\""_s;
            QTest::newRow(("empty, " + name).constData()) << revision << ""_ba << u"\"\""_s;
        }
    }
    void aTaskThatCannotBeFollowedEndsTheCall()
    {
        QFETCH(Revision, revision);
        QFETCH(QByteArray, status);
        QFETCH(QString, said);
        speak(revision);
        beginTask();
        m_client->advance(5s);
        m_transport->response(m_transport->expectSent(u"tasks/get"),
                              m_isStateless ? extensionTask("complete", status) : task(status));
        QTRY_COMPARE(m_ends, 1);
        QVERIFY2(m_last.error.message.contains(u"status"_s) && m_last.error.message.contains(said),
                 qPrintable(m_last.error.message));
        m_client->advance(3600s);
        QVERIFY(m_transport->sendsNothing());
    }

    void aTaskIdHasALimit()
    {
        speak(Revision::R20251125);
        start(following());
        m_transport->response(
            m_transport->expectSent(u"tools/call"),
            quotes("{'task':{'taskId':'" + QByteArray(10'000'000, 'x') + "','status':'working'," + Times + "}}"));
        QTRY_COMPARE(m_ends, 1);
        QVERIFY2(m_last.error.message.contains(u"10000000 characters; the limit is"_s),
                 qPrintable(m_last.error.message));
        m_client->advance(3600s);
        QVERIFY(m_transport->sendsNothing());
    }

    void theClientMayGoAtAnyTime()
    {
        speak(Revision::R20260728);
        Call *call = beginTask();
        connect(call, &Call::taskChanged, this, [this] { m_client.reset(); });
        m_client->advance(5s);
        QTRY_VERIFY(!m_client);
    }

private:
    static CallOptions following()
    {
        CallOptions options;
        options.task.follow = TaskOptions::Follow::Connected;
        options.task.ask = true;
        return options;
    }
    void speak(Revision revision, QByteArray server = {})
    {
        const bool isStateless = revision == Revision::R20260728;
        if (server.isEmpty())
            server = isStateless ? StatelessServer : StatefulServer;
        std::unique_ptr<Dialect> dialect;
        if (isStateless)
            dialect = std::make_unique<StatelessDialect>(revision, quotes("{'elicitation':{},'roots':{}}"), false);
        else
            dialect = std::make_unique<StatefulDialect>(revision);
        dialect->setTaskSupport(readTaskSupport(revision, json::parse(server)));
        m_isStateless = isStateless;
        m_client->setDialect(std::move(dialect));
    }
    Call *watch(Call *call)
    {
        connect(call, &Call::finished, this, [this](const Outcome &outcome) {
            m_last = outcome;
            ++m_ends;
        });
        return call;
    }
    Call *start(const CallOptions &options)
    {
        return watch(m_client->request(u"tools/call", quotes("{'name':'slow'}"), options));
    }
    Call *beginTask(const CallOptions &options = following())
    {
        Call *call = start(options);
        QSignalSpy changed(call, &Call::taskChanged);
        m_transport->response(m_transport->expectSent(u"tools/call"),
                              m_isStateless ? extensionTask("task", "working") : "{\"task\":" + task("working") + '}');
        if (changed.isEmpty())
            changed.wait();
        return call;
    }

    std::unique_ptr<FakeTransport> m_transport;
    std::unique_ptr<ClockedClient> m_client;
    QList<InputRequest *> m_requests;
    QStringList m_findings;
    Outcome m_last;
    int m_ends = 0;
    bool m_isStateless = false;
};

SONDE_TEST(TestTasks)
#include "tst_tasks.moc"
