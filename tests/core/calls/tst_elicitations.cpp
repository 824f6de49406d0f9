// Elicitations by URL (revision 2025-11-25): what a person does elsewhere belongs to the call that asked for it.
// SPDX-License-Identifier: Apache-2.0
#include "core/calls/callstatistics.h"
#include "tests/support/handmadesession.h"
#include "tests/support/jsonrpc.h"
#include "tests/support/sessionscript.h"
#include "tests/support/testregistry.h"

#include <QTemporaryDir>
#include <QTest>

using namespace sonde;
using namespace sonde::test;
using namespace Qt::StringLiterals;

namespace {

using Rows = std::vector<qsizetype>;

constexpr qint64 ElicitationMs = 1000 * 1000;

QByteArray mail(int id, const QByteArray &to, int progressToken)
{
    return call(id, "mail", R"(,"arguments":{"to":")" + to + "\"}" + token(progressToken));
}

QByteArray refused(int id, const QByteArray &elicitation)
{
    return error(id, -32042, "Sign in first",
                 R"(,"data":{"elicitations":[{"mode":"url","message":"m","url":"https://example.com/",)"
                 R"("elicitationId":")" +
                     elicitation + R"("}]})");
}

QByteArray completed(const QByteArray &elicitation)
{
    return notification("notifications/elicitation/complete", R"({"elicitationId":")" + elicitation + "\"}");
}

}  // namespace

class ElicitationsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aRefusedCallGoesOnWithItsRetry()
    {
        HandmadeSession file;
        file.sent(mail(1, "ann", 1)).sent(mail(2, "bob", 2));
        file.at(10 * ElicitationMs).received(refused(1, "x"));
        file.at(40 * ElicitationMs).received(completed("x"));
        file.at(50 * ElicitationMs).sent(mail(3, "ann", 3));
        file.at(55 * ElicitationMs).received(progress(3));
        file.at(60 * ElicitationMs).received(result(3));
        file.at(70 * ElicitationMs).received(result(2));
        file.at(80 * ElicitationMs).sent(mail(4, "ann", 4)).received(result(4));
        const std::unique_ptr<Session> session = file.open(m_folder);
        Operations operations(session.get());
        operations.advance();
        QCOMPARE(operations.size(), 3);
        QCOMPARE(operations.rows(0), (Rows{0, 2, 3, 4, 5, 6}));
        QCOMPARE(operations.role(2), RecordRole::InputRequired);
        QCOMPARE(operations.role(3), RecordRole::Event);
        QCOMPARE(operations.reason(3), LinkReason::Elicitation);
        QCOMPARE(operations.role(4), RecordRole::Retry);
        QCOMPARE(operations.reason(4), LinkReason::Arguments);
        QCOMPARE(operations.role(5), RecordRole::Progress);
        QCOMPARE(operations.outcome(0), RowOutcome::Ok);
        QCOMPARE(operations.durationNs(0), 60 * ElicitationMs);
        QCOMPARE(operations.serverNs(0), 20 * ElicitationMs);  // the person took the rest
        QCOMPARE(operations.rows(1), (Rows{1, 7}));
        QCOMPARE(operations.rows(2), (Rows{8, 9}));  // nothing was waited for any more
        const QList<CallStatistics> all = callStatistics(*session, operations);
        QCOMPARE(all.size(), 1);
        QCOMPARE(all[0].count, 3);
        QCOMPARE(all[0].ok, 3);
        QCOMPARE(all[0].waitedNs, 40 * ElicitationMs);
    }

    void aRefusedCallThatIsNotRepeatedHasFailed()
    {
        HandmadeSession file;
        file.sent(mail(1, "ann", 1)).at(10 * ElicitationMs).received(refused(1, "x"));
        file.sent(mail(2, "bob", 2)).received(result(2));
        file.at(90 * ElicitationMs).received(completed("x"));
        const std::unique_ptr<Session> session = file.open(m_folder);
        Operations operations(session.get());
        operations.advance();
        QCOMPARE(operations.size(), 2);
        QCOMPARE(operations.rows(0), (Rows{0, 1, 4}));
        QCOMPARE(operations.role(1), RecordRole::Response);
        QCOMPARE(operations.outcome(0), RowOutcome::ProtocolError);
        QCOMPARE(operations.durationNs(0), 10 * ElicitationMs);
    }

    void aCallMayBeRefusedAgain()
    {
        HandmadeSession file;
        file.sent(mail(1, "ann", 1)).at(10 * ElicitationMs).received(refused(1, "x"));
        file.at(20 * ElicitationMs).sent(mail(2, "ann", 2)).at(30 * ElicitationMs).received(refused(2, "y"));
        file.at(50 * ElicitationMs).sent(mail(3, "ann", 3)).at(60 * ElicitationMs).received(result(3));
        const std::unique_ptr<Session> session = file.open(m_folder);
        Operations operations(session.get());
        operations.advance();
        QCOMPARE(operations.size(), 1);
        QCOMPARE(operations.rows(0), (Rows{0, 1, 2, 3, 4, 5}));
        QCOMPARE(operations.serverNs(0), 30 * ElicitationMs);
        QCOMPARE(operations.waits(0).size(), size_t(2));
    }

    void whatCannotBeToldSaysSo()
    {
        HandmadeSession file;
        file.sent(mail(1, "ann", 1)).sent(mail(2, "ann", 2));
        file.received(refused(1, "x")).received(refused(2, "y"));
        file.sent(mail(3, "ann", 3)).received(result(3));
        file.received(completed("z"));
        const std::unique_ptr<Session> session = file.open(m_folder);
        Operations operations(session.get());
        operations.advance();
        QCOMPARE(operations.size(), 3);
        QCOMPARE(operations.outcome(0), RowOutcome::ProtocolError);
        QCOMPARE(operations.reason(4), LinkReason::SeveralRetries);
        QCOMPARE(operations.operationOf(6), -1);
        QCOMPARE(operations.reason(6), LinkReason::UnknownElicitation);
        QVERIFY(isDoubt(LinkReason::UnknownElicitation) && isDoubt(LinkReason::SeveralElicitations));
        QVERIFY(!isDoubt(LinkReason::Elicitation));
        QVERIFY(!explain(LinkReason::Elicitation).isEmpty() && !explain(operations.reason(6)).isEmpty());
    }

    void anIdOfTwoOpenCallsStandsForNeither()
    {
        HandmadeSession file;
        file.add(WireEvent::Kind::Open, Direction::Local, {}, R"({"transport":"http"})");
        file.add(WireEvent::Kind::Message, Direction::ToServer, mail(1, "ann", 1), R"({"stream":1})");
        file.add(WireEvent::Kind::Message, Direction::ToServer, mail(2, "bob", 2), R"({"stream":2})");
        for (const QByteArray stream : {"1", "2"}) {
            file.add(WireEvent::Kind::Message, Direction::FromServer,
                     R"({"jsonrpc":"2.0","id":")" + stream +
                         R"(","method":"elicitation/create","params":{"mode":"url","elicitationId":"e"}})",
                     "{\"stream\":" + stream + '}');
        }
        file.received(completed("e"));
        const std::unique_ptr<Session> session = file.open(m_folder);
        Operations operations(session.get());
        operations.advance();
        QCOMPARE(operations.operationOf(5), -1);
        QCOMPARE(operations.reason(5), LinkReason::SeveralElicitations);
    }

    void aServerRequestByUrlIsCompleted()
    {
        HandmadeSession file;
        file.add(WireEvent::Kind::Open, Direction::Local, {}, R"({"transport":"stdio"})");
        file.sent(mail(1, "ann", 1));
        file.received(
            R"({"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"mode":"url","elicitationId":"e"}})");
        file.sent(R"({"jsonrpc":"2.0","id":"q","result":{"action":"accept"}})");
        file.sent(mail(2, "bob", 2));
        file.received(completed("e"));
        file.received(result(1));
        file.received(completed("e"));  // once more, and the call is over
        const std::unique_ptr<Session> session = file.open(m_folder);
        Operations operations(session.get());
        operations.advance();
        QCOMPARE(operations.rows(0), (Rows{1, 2, 3, 5, 6, 7}));
        QCOMPARE(operations.reason(5), LinkReason::Elicitation);
    }

    void progressGoesOnWhenACallHasBecomeATask()
    {
        HandmadeSession file;
        file.sent(mail(1, "ann", 7));
        file.received(progress(7));
        file.received(result(1, R"("task":{"taskId":"T","status":"working"})"));
        file.received(progress(7));
        file.sent(R"({"jsonrpc":"2.0","id":2,"method":"tasks/result","params":{"taskId":"T"}})");
        file.received(progress(7));
        file.at(50 * ElicitationMs).received(result(2));
        file.received(progress(7));
        const std::unique_ptr<Session> session = file.open(m_folder);
        Operations operations(session.get());
        operations.advance();
        QCOMPARE(operations.size(), 1);
        QCOMPARE(operations.rows(0), (Rows{0, 1, 2, 3, 4, 5, 6, 7}));
        for (const qsizetype row : {1, 3, 5, 7}) {
            QCOMPARE(operations.role(row), RecordRole::Progress);
            QCOMPARE(operations.reason(row), LinkReason::Token);
        }
        QVERIFY(operations.at(0).isTask);
        QCOMPARE(operations.durationNs(0), 50 * ElicitationMs);
    }

private:
    QTemporaryDir m_folder;
};

SONDE_TEST(ElicitationsTest)
#include "tst_elicitations.moc"
