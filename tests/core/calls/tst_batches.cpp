// Batches (revision 2025-03-26): calls that were answered in one, calls that were sent in one.
// SPDX-License-Identifier: Apache-2.0
#include "core/calls/callstatistics.h"
#include "tests/support/handmadesession.h"
#include "tests/support/jsonrpc.h"
#include "tests/support/sessionscript.h"
#include "tests/support/testregistry.h"
#include "tests/support/turns.h"

#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>

using namespace sonde;
using namespace sonde::test;
using namespace Qt::StringLiterals;

namespace {

using Rows = std::vector<qsizetype>;

constexpr qint64 Ms = 1000 * 1000;

// Apostrophes for the quotes of JSON.
QByteArray batchQuotes(QByteArray text)
{
    return text.replace('\'', '"');
}

const QByteArray ToolError = R"("content":[],"isError":true)";

}  // namespace

class BatchesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void eachCallEndsWithItsOwnResponse()
    {
        HandmadeSession file;
        file.sent(call(1, "a")).sent(call(2, "b")).at(5 * Ms).sent(call(3, "c"));
        file.at(10 * Ms).received('[' + error(3, -32602, "no") + ',' + result(1) + ',' + result(2, ToolError) + ']');
        const std::unique_ptr<Session> session = file.open(m_folder);
        Operations operations(session.get());
        operations.advance();
        QCOMPARE(operations.size(), 3);
        QCOMPARE(operations.outcome(0), RowOutcome::Ok);
        QCOMPARE(operations.outcome(1), RowOutcome::ToolError);
        QCOMPARE(operations.outcome(2), RowOutcome::ProtocolError);
        QCOMPARE(operations.durationNs(0), 10 * Ms);
        QCOMPARE(operations.durationNs(2), 5 * Ms);
        QCOMPARE(operations.firstByteAfterNs(2), 5 * Ms);
        // It cannot stand with all three.
        QCOMPARE(operations.operationOf(3), -1);
        QCOMPARE(operations.reason(3), LinkReason::InBatch);
        const QList<CallStatistics> all = callStatistics(*session, operations);
        QCOMPARE(all.size(), 3);
        QCOMPARE(all[0].ok, 1);
        QCOMPARE(all[1].toolErrors, 1);
        QCOMPARE(all[2].protocolErrors, 1);
        QCOMPARE(all[0].unanswered + all[1].unanswered + all[2].unanswered, 0);
    }

    // Masking makes it shorter than what counts as large, and changes nothing else.
    void aLargeBatchOfSecrets()
    {
        Session session;
        QByteArray requests;
        QByteArray responses;
        for (int id = 1; id <= 100; ++id) {
            const QByteArray number = QByteArray::number(id);
            const QByteArray secret = "sk-" + QByteArray("CANARY0").repeated(500) + number;
            requests += "," + batchQuotes("{'jsonrpc':'2.0','id':" + number +
                                          ",'method':'tools/call','params':{'name':'a',"
                                          "'arguments':{'t':'" +
                                          secret + "'}}}");
            responses += "," + batchQuotes("{'jsonrpc':'2.0','id':" + number + ",'result':{'t':'" + secret + "'}}");
        }
        QVERIFY(requests.size() > Message::LargeBytes && responses.size() > Message::LargeBytes);
        session.append(sent('[' + requests.mid(1) + ']'), 1);
        session.append(received('[' + responses.mid(1) + ']'), 1);
        session.append(sent('[' + requests.mid(1) + ']'), 2);
        session.append(received('[' + responses.mid(1) + ']'), 2);
        session.finish();
        QVERIFY(session.bytes(0).size() < Message::LargeBytes);
        for (const qsizetype row : {0, 2}) {
            QVERIFY(!session.bytes(row).contains("CANARY"));
            QCOMPARE(session.at(row).outcome, RowOutcome::Ok);
            QVERIFY(!session.at(row).hasProblems && !session.at(row + 1).hasProblems);
            QCOMPARE(session.partnerOf(row), row + 1);
        }
    }

    // What masking makes shorter is whole.
    void aLargeMessageOfSecretsIsWhole()
    {
        const QString path = QDir(m_folder.path()).filePath(u"whole"_s);
        const std::unique_ptr<Session> session = Session::create(path, u"demo"_s);
        session->append(received("{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{\"password\":\"" +
                                 QByteArray("CANARY0").repeated(50'000) + "\"}}"),
                        1);
        session->finish();
        const QByteArray file = readFile(path);
        QVERIFY2(!file.contains("\"cut\"") && !file.contains("CANARY"), file.left(2000).constData());
        QVERIFY(session->at(0).wireLength > 350'000);
    }

    void whatIsOfOneCallStandsWithIt()
    {
        HandmadeSession file;
        file.sent(call(1, "a", token(7)));
        file.received('[' + progress(7) + ',' + progress(7) + ']');
        file.received('[' + progress(7) + ',' + result(1) + ']');
        file.received('[' + result(1) + ']');  // once more
        file.received('[' + result(9) + ']');  // to nothing
        file.received("[]");
        const std::unique_ptr<Session> session = file.open(m_folder);
        Operations operations(session.get());
        operations.advance();
        QCOMPARE(operations.size(), 1);
        QCOMPARE(operations.outcome(0), RowOutcome::Ok);
        QCOMPARE(operations.role(1), RecordRole::Progress);
        QCOMPARE(operations.role(2), RecordRole::Response);
        QCOMPARE(operations.operationOf(4), -1);
        QCOMPARE(operations.reason(4), LinkReason::InBatch);
        QCOMPARE(operations.operationOf(5), -1);
    }

    // However long it takes: a part of it in each turn of the event loop.
    void aLargeBatchIsReadInParts()
    {
        QByteArray many = progress(7);
        while (many.size() <= Message::LargeBytes)
            many += ',' + progress(7);
        HandmadeSession file;
        file.sent(call(1, "a", token(7)));
        file.received('[' + many + ']');
        file.received('[' + many + ',' + result(9) + ',' + result(1) + ']');
        file.received('[' + result(1) + ']');
        const std::unique_ptr<Session> session = file.open(m_folder);
        Operations operations(session.get());
        int parts = 1;
        for (; !operations.advance(0); ++parts) {
            QVERIFY(operations.scanned() < session->size());
            QThreadPool::globalInstance()->waitForDone();
        }
        QVERIFY2(parts > 10, qPrintable(QString::number(parts)));
        QCOMPARE(operations.size(), 1);
        QCOMPARE(operations.rows(0), (Rows{0, 1, 3}));
        QCOMPARE(operations.role(1), RecordRole::Progress);
        QCOMPARE(operations.operationOf(2), -1);
        QCOMPARE(operations.reason(2), LinkReason::InBatch);
        QCOMPARE(operations.outcome(0), RowOutcome::Ok);
        Operations atOnce(session.get());
        QVERIFY(atOnce.advance());
        QCOMPARE(atOnce.rows(0), operations.rows(0));
    }

    void aBatchOfOursIsOneOperationAndManyCalls()
    {
        HandmadeSession file;
        file.sent(call(9, "a")).at(1 * Ms).received(result(9));
        file.at(10 * Ms).sent('[' + call(1, "a", token(7)) + ',' + progress(1) + ',' + call(2, "b") + ',' +
                              call(3, "a") + ']');
        file.at(11 * Ms).received(progress(7));
        file.at(12 * Ms).received(result(2, ToolError));
        file.at(14 * Ms).received('[' + result(1) + ',' + result(3) + ']');
        const std::unique_ptr<Session> session = file.open(m_folder);
        Operations operations(session.get());
        operations.advance();
        QCOMPARE(operations.size(), 2);
        QCOMPARE(operations.rows(1), (Rows{2, 3, 4, 5}));
        QCOMPARE(operations.outcome(1), RowOutcome::ToolError);
        QCOMPARE(operations.durationNs(1), 4 * Ms);
        QCOMPARE(session->at(2).outcome, RowOutcome::ToolError);
        QCOMPARE(session->name(session->at(4).target), u"b"_s);
        const QList<CallStatistics> all = callStatistics(*session, operations);
        QCOMPARE(all.size(), 2);
        QCOMPARE(all[0].target, u"a"_s);
        QCOMPARE(all[0].count, 3);
        QCOMPARE(all[0].ok, 3);
        QCOMPARE(all[0].server, (Percentiles{4 * Ms, 4 * Ms, 4 * Ms, 4 * Ms}));
        QCOMPARE(all[1].target, u"b"_s);
        QCOMPARE(all[1].toolErrors, 1);
        QCOMPARE(all[1].server.p50, 2 * Ms);
    }

    void aBatchOfOursIsPendingUntilAllIsAnswered()
    {
        Session session;
        Operations operations(&session);
        session.append(sent('[' + call(1, "a") + ',' + call(2, "b") + ']'), 1);
        session.append(received(result(1)), 1);
        session.flush();
        operations.advance();
        QCOMPARE(session.at(0).outcome, RowOutcome::Pending);
        QCOMPARE(operations.outcome(0), RowOutcome::Pending);
        const QList<CallStatistics> open = callStatistics(session, operations);
        QCOMPARE(open[0].ok, 1);
        QCOMPARE(open[1].open, 1);
        session.append(happening(WireEvent::Kind::State, Direction::Local, {}, R"({"what":"exited","code":0})"), 1);
        session.flush();
        operations.advance();
        QCOMPARE(session.at(0).outcome, RowOutcome::NoResponse);
        QCOMPARE(operations.outcome(0), RowOutcome::NoResponse);
        const QList<CallStatistics> ended = callStatistics(session, operations);
        QCOMPARE(ended[0].ok, 1);
        QCOMPARE(ended[1].unanswered, 1);
    }

    void responsesOfOursEndTheServerRequests()
    {
        HandmadeSession file;
        file.sent(call(1, "a"));
        file.at(10 * Ms).received(R"({"jsonrpc":"2.0","id":"q","method":"sampling/createMessage","params":{}})");
        file.at(30 * Ms).sent(R"([{"jsonrpc":"2.0","id":"q","result":{}}])");
        file.at(40 * Ms).received(result(1));
        const std::unique_ptr<Session> session = file.open(m_folder);
        Operations operations(session.get());
        operations.advance();
        QCOMPARE(operations.size(), 1);
        QCOMPARE(operations.rows(0), (Rows{0, 1, 2, 3}));
        QCOMPARE(operations.role(2), RecordRole::ServerRequestResponse);
        QCOMPARE(operations.serverNs(0), 20 * Ms);
    }

    // A person is waited for until the one server request that asks a person has its response, whatever came with it.
    void serverRequestsInABatchAreWaitedFor()
    {
        HandmadeSession file;
        file.sent(call(1, "a"));
        file.at(10 * Ms).received(R"([{"jsonrpc":"2.0","id":"q","method":"sampling/createMessage","params":{}},)"
                                  R"({"jsonrpc":"2.0","id":"r","method":"roots/list"}])");
        file.at(15 * Ms).sent(R"({"jsonrpc":"2.0","id":"r","result":{"roots":[]}})");
        file.at(30 * Ms).sent(R"({"jsonrpc":"2.0","id":"q","result":{}})");
        file.at(40 * Ms).received(result(1));
        const std::unique_ptr<Session> session = file.open(m_folder);
        Operations operations(session.get());
        operations.advance();
        QCOMPARE(operations.size(), 1);
        QCOMPARE(operations.rows(0), (Rows{0, 1, 2, 3, 4}));
        QCOMPARE(operations.role(1), RecordRole::ServerRequest);
        QCOMPARE(operations.role(2), RecordRole::ServerRequestResponse);
        QCOMPARE(operations.role(3), RecordRole::ServerRequestResponse);
        QCOMPARE(operations.waitedNs(0), 20 * Ms);
        QCOMPARE(operations.serverNs(0), 20 * Ms);
    }

    void veryManyElementsAreReadOnce()
    {
        Turns few;
        Turns many;
        readElements(250, few);
        readElements(2'000, many);
        if (QTest::currentTestFailed())
            return;
        // Eight times the elements: with each of them read for each, it would be sixty-four times the work.
        QVERIFY2(many.longestCpuMs() < 24 * few.longestCpuMs(),
                 qPrintable(u"%1 ms, %2 ms"_s.arg(few.longestCpuMs()).arg(many.longestCpuMs())));
    }

private:
    void readElements(int count, Turns &turns)
    {
        QByteArray asked;
        QByteArray logs;
        QByteArray responses;
        for (int i = 1; i <= count; ++i) {
            asked += (i > 1 ? "," : "") + call(i, "a", token(i));
            logs += notification("notifications/message", R"({"data":1})") + ',';
            responses += (i > 1 ? "," : "") + result(i);
        }
        HandmadeSession file;
        file.sent('[' + asked + ']').received('[' + logs + responses + ']');
        const std::unique_ptr<Session> session = file.open(m_folder);
        Operations operations(session.get());
        turns.measure([&] {
            operations.advance();
            QCOMPARE(callStatistics(*session, operations).first().ok, count);
        });
        QCOMPARE(operations.rows(0), (Rows{0, 1}));
        QCOMPARE(operations.outcome(0), RowOutcome::Ok);
    }

    QTemporaryDir m_folder;
};

SONDE_TEST(BatchesTest)
#include "tst_batches.moc"
