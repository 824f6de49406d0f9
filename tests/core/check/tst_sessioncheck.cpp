// Messages of a session are checked behind the recording, each against the revision of its connection.
// SPDX-License-Identifier: Apache-2.0
#include "core/check/sessioncheck.h"
#include "core/session/session.h"
#include "tests/support/testregistry.h"

#include <QSignalSpy>
#include <QTest>

using namespace sonde;
using namespace Qt::StringLiterals;

namespace {

WireEvent messageEvent(Direction direction, QByteArray rest)
{
    WireEvent event;
    event.kind = WireEvent::Kind::Message;
    event.direction = direction;
    event.message = Message::parse("{\"jsonrpc\":\"2.0\"," + rest.replace('\'', '"') + '}');
    event.bytes = event.message.raw();
    return event;
}

void appendHandshake(Session *session, const QByteArray &revision, int connection, const QByteArray &capabilities = {})
{
    session->append(messageEvent(Direction::ToServer,
                                 "'id':1,'method':'initialize','params':{'protocolVersion':'2025-11-25',"
                                 "'capabilities':{" +
                                     capabilities + "},'clientInfo':{'name':'a','version':'1'}}"),
                    connection);
    session->append(
        messageEvent(Direction::FromServer, "'id':1,'result':{'protocolVersion':'" + revision +
                                                "','capabilities':{},'serverInfo':{'name':'a','version':'1'}}"),
        connection);
}

QStringList notesIn(const Session &session)
{
    QStringList notes;
    for (qsizetype row = 0; row < session.size(); ++row) {
        if (session.at(row).kind == WireEvent::Kind::Note)
            notes.append(QString::number(session.at(row).partner) + u' ' +
                         json::parse(session.facts(row))[u"text"].string());
    }
    return notes;
}

}  // namespace

class tst_SessionCheck : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void eachConnectionHasItsRevision()
    {
        Session session;
        SessionCheck check(&session);
        const QByteArray audio = "'id':2,'result':{'content':[{'type':'audio','data':'','mimeType':'a/b'}]}";
        for (const int connection : {1, 2}) {
            appendHandshake(&session, connection == 1 ? "2025-11-25" : "2024-11-05", connection);
            session.append(messageEvent(Direction::ToServer, "'id':2,'method':'tools/call','params':{'name':'a'}"),
                           connection);
            session.append(messageEvent(Direction::FromServer, audio), connection);
        }
        QTRY_VERIFY(!notesIn(session).isEmpty());
        check.finish();
        session.flush();
        QCOMPARE(notesIn(session),
                 QStringList{u"8 Response to tools/call, revision 2024-11-05: 'result.content[0].type' must be "
                             "\"text\", \"image\" or \"resource\"; it is \"audio\"."_s});
        QVERIFY(session.at(7).hasProblems);
        QVERIFY(!session.at(3).hasProblems);
        QCOMPARE(check.checked(), 8);
        QCOMPARE(check.findings().size(), 1);
        QCOMPARE(check.findings().first().method, u"tools/call"_s);
        QCOMPARE(check.findings().first().number, 8U);
    }

    void requestsWithoutHandshakeSayTheirRevision()
    {
        Session session;
        SessionCheck check(&session);
        const QByteArray meta =
            "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
            "'io.modelcontextprotocol/clientCapabilities':{}}";
        session.append(messageEvent(Direction::ToServer, "'id':1,'method':'tools/list','params':{" + meta + "}"), 1);
        session.append(messageEvent(Direction::FromServer, "'id':1,'result':{'resultType':'complete','tools':[]}"), 1);
        check.finish();
        session.flush();
        QCOMPARE(notesIn(session),
                 QStringList{u"2 Response to tools/list, revision 2026-07-28: 'result.ttlMs' is missing. "
                             "'result.cacheScope' is missing."_s});
    }

    // Spec: basic/lifecycle. What the client declared, and when it may be asked.
    void requestsThatTheServerMayNotSend_data()
    {
        QTest::addColumn<QByteArray>("capabilities");
        QTest::addColumn<bool>("isInitialized");
        QTest::addColumn<QByteArray>("method");
        QTest::addColumn<QString>("finding");
        const QByteArray roots = "'roots':{}";
        const QByteArray none;
        QTest::newRow("declared") << roots << true << "roots/list"_ba << QString();
        QTest::newRow("ping") << none << false << "ping"_ba << QString();
        QTest::newRow("of an extension") << "'experimental':{}"_ba << true << "foo/bar"_ba << QString();
        QTest::newRow("roots not declared")
            << none << true << "roots/list"_ba << u"The client did not declare 'roots'."_s;
        QTest::newRow("tasks not declared")
            << none << true << "tasks/list"_ba << u"The client did not declare 'tasks'."_s;
        QTest::newRow("too early") << roots << false << "roots/list"_ba
                                   << u"Before notifications/initialized a server may send no request but ping."_s;
        QTest::newRow("of no revision")
            << none << true << "foo/bar"_ba
            << u"Revision 2025-11-25 has no such request, and the client declared no extension."_s;
    }
    void requestsThatTheServerMayNotSend()
    {
        QFETCH(QByteArray, capabilities);
        QFETCH(bool, isInitialized);
        QFETCH(QByteArray, method);
        QFETCH(QString, finding);
        Session session;
        SessionCheck check(&session);
        appendHandshake(&session, "2025-11-25", 1, capabilities);
        if (isInitialized)
            session.append(messageEvent(Direction::ToServer, "'method':'notifications/initialized'"), 1);
        session.append(messageEvent(Direction::FromServer, "'id':1,'method':'" + method + "'"), 1);
        check.finish();
        session.flush();
        QStringList expected;
        if (!finding.isEmpty())
            expected.append(
                u"%1 %2, revision 2025-11-25: %3"_s.arg(isInitialized ? 4 : 3).arg(QString::fromUtf8(method), finding));
        QCOMPARE(notesIn(session), expected);
    }

    void resultThatIsNoObject()
    {
        Session session;
        SessionCheck check(&session);
        const QByteArray meta =
            "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
            "'io.modelcontextprotocol/clientCapabilities':{}}";
        session.append(messageEvent(Direction::ToServer, "'id':1,'method':'subscriptions/listen','params':{" + meta +
                                                             ",'notifications':{}}"),
                       1);
        session.append(messageEvent(Direction::FromServer, "'id':1,'result':7"), 1);
        check.finish();
        session.flush();
        QCOMPARE(notesIn(session),
                 QStringList{u"2 Response to subscriptions/listen, revision 2026-07-28: 'result' must "
                             "be an object; it is 7."_s});
    }

    // A server may respond in one batch to requests that came one by one, or in another batch.
    void responsesInABatch()
    {
        Session session;
        SessionCheck check(&session);
        appendHandshake(&session, "2025-03-26", 1);
        const auto batch = [&session](Direction direction, QByteArray bytes) {
            WireEvent event;
            event.kind = WireEvent::Kind::Message;
            event.direction = direction;
            event.message = Message::parse(bytes.replace('\'', '"'));
            event.bytes = event.message.raw();
            session.append(event, 1);
        };
        session.append(messageEvent(Direction::ToServer, "'id':2,'method':'tools/list'"), 1);
        batch(Direction::ToServer,
              "[{'jsonrpc':'2.0','id':'x','method':'prompts/list'},{'jsonrpc':'2.0','id':4,'method':'ping'}]");
        QTRY_COMPARE(check.checked(), 4);  // what is still open is remembered from one job to the next
        batch(Direction::FromServer,
              "[{'jsonrpc':'2.0','id':4,'result':{}},{'jsonrpc':'2.0','id':2,'result':{'tools':1}},"
              "{'jsonrpc':'2.0','id':'x','result':{}},{'jsonrpc':'2.0','id':99,'result':{}}]");
        check.finish();
        session.flush();
        QCOMPARE(notesIn(session),
                 (QStringList{u"5 Response to tools/list, revision 2025-03-26: 'result.tools' must be "
                              "an array; it is 1."_s,
                              u"5 Response to prompts/list, revision 2025-03-26: 'result.prompts' is "
                              "missing."_s}));
        QCOMPARE(check.unchecked(), 0);
    }

    void whatIsTooLargeIsCounted()
    {
        Session session;
        SessionCheck check(&session);
        appendHandshake(&session, "2025-11-25", 1);
        const QByteArray text(SessionCheck::MaxBytes, 'x');
        session.append(
            messageEvent(Direction::FromServer, "'method':'notifications/message','params':{'data':'" + text + "'}"),
            1);
        QTRY_VERIFY(check.isDone() && check.unchecked() > 0);
        QCOMPARE(check.unchecked(), 1);
        QCOMPARE(check.checked(), 2);
        QCOMPARE(notesIn(session), QStringList());
    }

    void unknownRevisionsAreNotChecked()
    {
        Session session;
        SessionCheck check(&session);
        appendHandshake(&session, "1999-01-01", 1);
        session.append(messageEvent(Direction::FromServer, "'method':'notifications/message','params':{}"), 1);
        check.finish();
        session.flush();
        QCOMPARE(notesIn(session), QStringList());
        QCOMPARE(check.checked(), 3);
    }

    // All are checked and counted, but not all are written down.
    void floodOfFindings()
    {
        constexpr int count = 5000;
        Session session;
        SessionCheck check(&session);
        QSignalSpy done(&check, &SessionCheck::caughtUp);
        appendHandshake(&session, "2025-11-25", 1);
        for (int i = 0; i < count; ++i)
            session.append(
                messageEvent(Direction::FromServer, "'method':'notifications/message','params':{'level':'info'}"), 1);
        QTRY_COMPARE(check.checked(), count + 2);
        QTRY_VERIFY(check.isDone());
        QCOMPARE(check.findings().size(), 1);
        QCOMPARE(check.findings().first().count, count);
        QCOMPARE(check.findings().first().text, u"'params.data' is missing."_s);
        QVERIFY(notesIn(session).size() >= RepeatLimit::MaxListed);
        QVERIFY(notesIn(session).size() < RepeatLimit::MaxListed + 10);
        QVERIFY(!done.isEmpty());
    }
};

SONDE_TEST(tst_SessionCheck)
#include "tst_sessioncheck.moc"
