// What belongs to a call is found, what cannot be told stays apart and says so.
// SPDX-License-Identifier: Apache-2.0
#include "core/calls/callstatistics.h"
#include "core/calls/operations.h"
#include "core/session/recordline.h"
#include "core/session/sessionheader.h"
#include "core/session/sessionindex.h"
#include "tests/support/jsonrpc.h"
#include "tests/support/sessionscript.h"
#include "tests/support/testregistry.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

using namespace sonde;
using namespace sonde::test;
using namespace Qt::StringLiterals;

namespace {

using Kind = WireEvent::Kind;

constexpr qint64 OperationMs = 1000 * 1000;

// A conversation written into a session file by hand, with times as a test wants them.
class Play {
public:
    explicit Play(const QByteArray &transport = "stdio") : m_lines(SessionHeader::now(u"demo"_s).toLine())
    {
        open(transport);
    }

    void at(qint64 milliseconds) { m_now = milliseconds; }
    void connection(int number) { m_connection = number; }
    int open(const QByteArray &transport)
    {
        return put(Kind::Open, Direction::Local, {}, "{\"transport\":\"" + transport + "\"}");
    }
    int send(const QByteArray &json, int stream = -1)
    {
        return put(Kind::Message, Direction::ToServer, json, facts(stream));
    }
    int receive(const QByteArray &json, int stream = -1)
    {
        return put(Kind::Message, Direction::FromServer, json, facts(stream));
    }
    int http(Kind kind, const QByteArray &text)
    {
        return put(kind, kind == Kind::HttpRequest ? Direction::ToServer : Direction::FromServer, {}, text);
    }
    int state(const QByteArray &text) { return put(Kind::State, Direction::Local, {}, text); }
    int giveUp(qint64 id, int request)
    {
        return put(Kind::Note, Direction::Local, {}, giveUpFacts(RequestId(id)), quint32(request) + 1);
    }

    const Session &session()
    {
        if (!m_session) {
            const QString path = m_folder.filePath(u"s.mcpsession"_s);
            writeFile(path, m_lines);
            Result<std::unique_ptr<Session>> opened = Session::open(path);
            if (!opened)
                qFatal("%s", qPrintable(opened.error().message));
            m_session = std::move(opened).value();
        }
        return *m_session;
    }

private:
    // The row it will be.
    int put(Kind kind, Direction direction, const QByteArray &payload, const QByteArray &text, quint32 about = 0)
    {
        RecordLine line;
        line.number = ++m_count;
        line.timeNs = m_now * OperationMs;
        line.connection = quint16(m_connection);
        line.direction = direction;
        line.kind = kind;
        line.about = about;
        line.wireLength = payload.size();
        line.hasPayload = !payload.isEmpty();
        line.facts = text;
        line.payload = payload;
        appendRecordLine(m_lines, line, {});
        return int(m_count) - 1;
    }

    static QByteArray facts(int stream)
    {
        return stream < 0 ? QByteArray() : "{\"stream\":" + QByteArray::number(stream) + '}';
    }

    QTemporaryDir m_folder;
    QByteArray m_lines;
    std::unique_ptr<Session> m_session;
    quint32 m_count = 0;
    qint64 m_now = 0;
    int m_connection = 1;
};

qsizetype count(const Operations &operations, qsizetype operation, RecordRole role)
{
    const std::vector<qsizetype> rows = operations.rows(operation);
    return std::count_if(rows.begin(), rows.end(), [&](qsizetype row) { return operations.role(row) == role; });
}

// Both ways of reading come to the same: at once, and record by record.
std::unique_ptr<Operations> read(const Session &session)
{
    auto operations = std::make_unique<Operations>(&session);
    operations->advance();
    return operations;
}

std::vector<qsizetype> list(std::initializer_list<qsizetype> rows)
{
    return rows;
}

}  // namespace

class OperationsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void progressBelongsByItsToken()
    {
        Play play;
        play.at(10);
        const int one = play.send(call("1", "a", token("7")));
        const int two = play.send(call("2", "b", token("\"7\"")));
        play.at(20);
        const int forTwo = play.receive(progress("\"7\""));
        play.at(25);
        const int forOne = play.receive(progress("7"));
        const int forNone = play.receive(progress("8"));
        play.at(40);
        const int response = play.receive(result("1"));
        const int after = play.receive(progress("7"));
        const auto operations = read(play.session());
        QCOMPARE(operations->size(), 2);
        QCOMPARE(operations->rows(0), list({one, forOne, response, after}));
        QCOMPARE(operations->rows(1), list({two, forTwo}));
        QCOMPARE(operations->role(forOne), RecordRole::Progress);
        QCOMPARE(count(*operations, 0, RecordRole::Progress), 2);
        QCOMPARE(operations->operationOf(forNone), -1);
        QCOMPARE(operations->reason(forNone), LinkReason::UnknownToken);
        QVERIFY(isDoubt(operations->reason(forNone)) && !explain(operations->reason(forNone)).isEmpty());
        QCOMPARE(operations->outcome(0), RowOutcome::Ok);
        QCOMPARE(operations->outcome(1), RowOutcome::NoResponse);  // the file ends before it was answered
        QCOMPARE(operations->durationNs(0), 30 * OperationMs);
        QCOMPARE(operations->durationNs(1), -1);
        QCOMPARE(operations->firstByteAfterNs(0), 15 * OperationMs);
    }

    void aTokenOfTwoCallsStandsForNeither()
    {
        Play play;
        play.send(call("1", "a", token("7")));
        play.send(call("2", "b", token("7")));
        const int doubtful = play.receive(progress("7"));
        play.receive(result("1"));
        const int still = play.receive(progress("7"));
        play.receive(result("2"));
        play.send(call("3", "c", token("7")));
        const int clear = play.receive(progress("7"));
        const auto operations = read(play.session());
        QCOMPARE(operations->operationOf(doubtful), -1);
        QCOMPARE(operations->reason(doubtful), LinkReason::SeveralTokens);
        QCOMPARE(operations->reason(still), LinkReason::SeveralTokens);
        QCOMPARE(operations->operationOf(clear), 2);
    }

    void aTokenThatIsSentTwiceForOneCallIsFreeAfterwards()
    {
        const QByteArray asks = R"("resultType":"input_required","inputRequests":{},"requestState":"S")";
        Play play;
        play.send(call("1", "a", token("7")));
        play.send(call("2", "b", token("7")));
        play.receive(result("1", asks));
        play.send(call("3", "a", token("7") + R"(,"requestState":"S","inputResponses":{})"));
        play.receive(result("3"));
        play.receive(result("2"));
        play.send(call("4", "c", token("7")));
        const int clear = play.receive(progress("7"));
        const auto operations = read(play.session());
        QCOMPARE(operations->size(), 3);
        QCOMPARE(operations->operationOf(clear), 2);
    }

    void oneRequestOfABatchIsGivenUp()
    {
        Play play;
        const int asked = play.send('[' + call("1", "a") + ',' + call("2", "b") + ']');
        play.at(10);
        play.giveUp(1, asked);
        play.at(20);
        play.receive(result("2"));
        const auto operations = read(play.session());
        QCOMPARE(operations->size(), 1);
        QCOMPARE(operations->batchedCalls(0).size(), 2U);
        QCOMPARE(operations->batchedCalls(0)[0].outcome, RowOutcome::NoResponse);
        QCOMPARE(operations->batchedCalls(0)[1].outcome, RowOutcome::Ok);
        QCOMPARE(operations->durationNs(0), 20 * OperationMs);
    }

    // It was in a batch, and belongs to none of the open calls.
    void aServerRequestOfNoCallIsWithdrawn()
    {
        Play play;
        const QByteArray asked = R"({"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{}})";
        play.receive('[' + asked + ']');
        const int withdrawn =
            play.receive(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})");
        play.receive('[' + asked + ']');
        const int answered = play.send(R"({"jsonrpc":"2.0","id":7,"result":{}})");
        const auto operations = read(play.session());
        QCOMPARE(operations->operationOf(withdrawn), -1);
        QCOMPARE(operations->reason(withdrawn), LinkReason::UnknownRequest);
        QCOMPARE(operations->operationOf(answered), -1);
    }

    void serverRequestsAndLogsOverAPipe()
    {
        Play play;
        play.at(100);
        const int asked = play.send(call("1", "ask"));
        play.at(110);
        const int log = play.receive(notification("notifications/message", R"({"level":"info","data":"x"})"));
        const int serverRequest = play.receive(request("9", "elicitation/create", R"({"message":"Name?"})"));
        play.at(510);
        const int reply = play.send(result("9", R"("action":"accept")"));
        play.at(530);
        const int roots = play.receive(request("10", "roots/list"));
        play.at(540);
        play.send(result("10", R"("roots":[])"));
        play.at(600);
        const int response = play.receive(result("1"));
        const int idle = play.receive(notification("notifications/message", R"({"level":"info","data":"x"})"));
        const int unasked = play.receive(request("11", "elicitation/create"));
        const auto operations = read(play.session());
        QCOMPARE(operations->size(), 2);
        QCOMPARE(operations->rows(0), list({asked, log, serverRequest, reply, roots, roots + 1, response}));
        QCOMPARE(operations->role(log), RecordRole::Log);
        QCOMPARE(operations->reason(log), LinkReason::OnlyOpenCall);
        QCOMPARE(operations->role(serverRequest), RecordRole::ServerRequest);
        QCOMPARE(operations->role(reply), RecordRole::ServerRequestResponse);
        // The person took 400 OperationMs; the roots came from the program.
        QCOMPARE(operations->waits(0),
                 (std::vector<TimeSpan>{{play.session().at(serverRequest).timeNs, play.session().at(reply).timeNs}}));
        QCOMPARE(operations->waitedNs(0), 400 * OperationMs);
        QCOMPARE(operations->durationNs(0), 500 * OperationMs);
        QCOMPARE(operations->serverNs(0), 100 * OperationMs);
        QCOMPARE(operations->operationOf(idle), -1);
        QCOMPARE(operations->reason(idle), LinkReason::None);
        QVERIFY(!operations->at(1).isLocal);
        QCOMPARE(operations->rows(1), list({unasked}));
        QCOMPARE(operations->reason(unasked), LinkReason::NoOpenCall);
    }

    void amongSeveralCallsNothingIsGuessed()
    {
        Play play;
        play.send(call("1", "a"));
        play.send(call("2", "b"));
        const int log = play.receive(notification("notifications/message", R"({"level":"info","data":"x"})"));
        const int serverRequest = play.receive(request("9", "sampling/createMessage"));
        const auto operations = read(play.session());
        QCOMPARE(operations->operationOf(log), -1);
        QCOMPARE(operations->reason(log), LinkReason::SeveralCalls);
        QCOMPARE(operations->size(), 3);
        QCOMPARE(operations->operationOf(serverRequest), 2);
        QCOMPARE(operations->reason(serverRequest), LinkReason::SeveralCalls);
        QCOMPARE(operations->rows(0).size(), size_t(1));
    }

    void overHttpTheStreamTells()
    {
        Play play("http");
        const int post = play.http(Kind::HttpRequest, R"({"stream":1,"method":"POST","headers":[]})");
        const int one = play.send(call("1", "a"), 1);
        const int two = play.send(call("2", "b"), 2);
        const int postTwo = play.http(Kind::HttpRequest, R"({"stream":2,"method":"POST","headers":[]})");
        play.at(50);
        const int opened = play.http(Kind::HttpResponse, R"({"stream":1,"status":200,"headers":[],"ms":20})");
        const int serverRequest = play.receive(request("9", "elicitation/create"), 1);
        const int log = play.receive(notification("notifications/message", R"({"level":"info","data":"x"})"), 2);
        const int elsewhere = play.receive(request("10", "elicitation/create"), 3);
        play.at(80);
        const int replyPost = play.http(Kind::HttpRequest, R"({"stream":4,"method":"POST","headers":[]})");
        const int reply = play.send(result("9"), 4);
        const int accepted = play.http(Kind::HttpResponse, R"({"stream":4,"status":202,"headers":[],"ms":1})");
        const int response = play.receive(result("1"), 1);
        const int closing = play.http(Kind::Sse, R"({"stream":1,"event":"ping"})");
        const auto operations = read(play.session());
        QCOMPARE(operations->rows(0),
                 list({one, post, opened, serverRequest, replyPost, reply, accepted, response, closing}));
        QCOMPARE(operations->rows(1), list({two, postTwo, log}));
        QCOMPARE(operations->role(post), RecordRole::Transport);
        QCOMPARE(operations->reason(serverRequest), LinkReason::Stream);
        QCOMPARE(operations->reason(elsewhere), LinkReason::OtherStream);
        QCOMPARE(operations->firstByteAfterNs(0), 20 * OperationMs);
        QCOMPARE(operations->firstByteAfterNs(1), 50 * OperationMs);
    }

    // What the server sends there all comes on the stream of its GET, which tells no more than a pipe.
    void overHttpWithSseTheStreamOfTheServerTellsNothing()
    {
        Play play("http+sse");
        play.http(Kind::HttpRequest, R"({"stream":1,"method":"GET","headers":[]})");
        const int post = play.http(Kind::HttpRequest, R"({"stream":2,"method":"POST","headers":[]})");
        const int one = play.send(call("1", "a"), 2);
        const int accepted = play.http(Kind::HttpResponse, R"({"stream":2,"status":202,"headers":[],"ms":1})");
        const int log = play.receive(notification("notifications/message", R"({"level":"info","data":"x"})"), 1);
        const int response = play.receive(result("1"), 1);
        const int two = play.send(call("2", "b"), 3);
        const int three = play.send(call("3", "c"), 4);
        const int serverRequest = play.receive(request("9", "elicitation/create"), 1);
        const auto operations = read(play.session());
        QCOMPARE(operations->rows(0), list({one, post, accepted, log, response}));
        QCOMPARE(operations->reason(log), LinkReason::OnlyOpenCall);
        QCOMPARE(operations->rows(1), list({two}));
        QCOMPARE(operations->rows(2), list({three}));
        QCOMPARE(operations->reason(serverRequest), LinkReason::SeveralCalls);
    }

    void aRetryGoesOnWithItsCall()
    {
        const QByteArray ask = R"("resultType":"input_required","requestState":"c3Q\u003d","inputRequests":)"
                               R"({"who":{"method":"elicitation/create","params":{"message":"Name?"}}})";
        const QByteArray again = R"(,"inputResponses":{"who":{"action":"accept"}},"requestState":"c3Q\u003d")";
        Play play;
        play.at(0);
        const int one = play.send(call("1", "book", R"(,"arguments":{"n":1})"));
        play.at(10);
        const int asked = play.receive(result("1", ask));
        // Another call of the same tool in the meantime is no retry.
        const int other = play.send(call("2", "book", R"(,"arguments":{"n":1})"));
        play.at(1010);
        const int retry = play.send(call("3", "book", R"(,"arguments":{"n":1})" + again));
        play.at(1020);
        const int more = play.receive(result("3", R"("resultType":"input_required","requestState":"2")"));
        play.at(1270);
        const int poll = play.send(call("4", "book", R"(,"arguments":{"n":1},"requestState":"2")"));
        play.at(1300);
        const int response = play.receive(result("4", R"("resultType":"complete","isError":true)"));
        const auto operations = read(play.session());
        QCOMPARE(operations->size(), 2);
        QCOMPARE(operations->rows(0), list({one, asked, retry, more, poll, response}));
        QCOMPARE(operations->role(asked), RecordRole::InputRequired);
        QCOMPARE(operations->role(retry), RecordRole::Retry);
        QCOMPARE(operations->reason(retry), LinkReason::State);
        QCOMPARE(operations->role(response), RecordRole::Response);
        QCOMPARE(count(*operations, 0, RecordRole::Retry), 2);
        QCOMPARE(operations->outcome(0), RowOutcome::ToolError);
        QCOMPARE(operations->durationNs(0), 1300 * OperationMs);
        QCOMPARE(operations->waitedNs(0), 1000 * OperationMs);  // the second round asked nobody
        QCOMPARE(operations->rows(1), list({other}));
    }

    void aCallThatIsNotMadeAgainEnds()
    {
        const QByteArray ask = R"("resultType":"input_required","requestState":"S","inputRequests":)"
                               R"({"who":{"method":"elicitation/create","params":{"message":"Name?"}}})";
        Play play;
        play.at(0);
        play.send(call("1", "book"));
        play.at(10);
        const int asked = play.receive(result("1", ask));
        play.at(510);
        play.giveUp(1, asked);
        play.at(1000);
        const int other = play.send(call("2", "book", R"(,"requestState":"S")"));
        const auto operations = read(play.session());
        QCOMPARE(operations->outcome(0), RowOutcome::NoResponse);
        QCOMPARE(operations->durationNs(0), 510 * OperationMs);
        QCOMPARE(operations->waitedNs(0), 500 * OperationMs);
        QCOMPARE(operations->reason(other), LinkReason::UnknownRetry);
    }

    void aStateIsTheSameHoweverItIsEscaped()
    {
        Play play;
        play.send(call("1", "book"));
        play.receive(result("1", R"("resultType":"input_required","requestState":"c3Q\u003d")"));
        const int retry = play.send(call("2", "book", R"(,"requestState":"c3Q=")"));
        const auto operations = read(play.session());
        QCOMPARE(operations->size(), 1);
        QCOMPARE(operations->reason(retry), LinkReason::State);
    }

    void aRetryWithoutStateNeedsItsArguments()
    {
        const QByteArray ask = R"("resultType":"input_required","inputRequests":{"r":{"method":"roots/list"}})";
        const QByteArray responses = R"(,"inputResponses":{"r":{"roots":[]}})";
        Play play;
        play.send(call("1", "t", R"(,"arguments":{"n":1})"));
        play.send(call("2", "t", R"(,"arguments":{"n":2})"));
        play.send(call("3", "t", R"(,"arguments":{"n":3})"));
        play.send(call("4", "t", R"(,"arguments":{"n":3})"));
        for (const char *id : {"1", "2", "3", "4"})
            play.receive(result(id, ask));
        const int second = play.send(call("5", "t", R"(,"_meta":{"x":1},"arguments":{"n":2.0})" + responses));
        const int either = play.send(call("6", "t", R"(,"arguments":{"n":3})" + responses));
        const int none = play.send(call("7", "t", R"(,"arguments":{"n":9})" + responses));
        const auto operations = read(play.session());
        QCOMPARE(operations->operationOf(second), 1);
        QCOMPARE(operations->reason(second), LinkReason::Arguments);
        QCOMPARE(operations->reason(either), LinkReason::SeveralRetries);
        QCOMPARE(operations->role(either), RecordRole::Request);
        QCOMPARE(operations->reason(none), LinkReason::UnknownRetry);
        QCOMPARE(operations->size(), 6);
    }

    void aTaskIsPolledUntilItsResult()
    {
        const QByteArray related = R"("_meta":{"io.modelcontextprotocol/related-task":{"taskId":"T"}})";
        Play play;
        const int one = play.send(call("1", "long", R"(,"task":{"ttl":1000})"));
        play.at(5);
        const int made = play.receive(result("1", R"("task":{"taskId":"T","status":"working"})"));
        const int other = play.send(call("2", "a"));
        const int poll = play.send(request("3", "tasks/get", R"({"taskId":"T"})"));
        const int state = play.receive(result("3", R"("taskId":"T","status":"input_required")"));
        const int wants = play.send(request("4", "tasks/result", R"({"taskId":"T"})"));
        play.at(10);
        const int serverRequest = play.receive(request("9", "elicitation/create", '{' + related + '}'));
        play.at(60);
        const int reply = play.send(result("9", related));
        const int told =
            play.receive(notification("notifications/tasks/status", R"({"taskId":"T","status":"working"})"));
        play.at(100);
        const int response = play.receive(result("4", related + R"(,"isError":true)"));
        const int unknown = play.send(request("5", "tasks/get", R"({"taskId":"U"})"));
        const auto operations = read(play.session());
        QCOMPARE(operations->rows(0), list({one, made, poll, state, wants, serverRequest, reply, told, response}));
        QVERIFY(operations->at(0).isTask);
        QCOMPARE(count(*operations, 0, RecordRole::Poll), 2);
        QCOMPARE(operations->role(state), RecordRole::PollResponse);
        QCOMPARE(operations->role(told), RecordRole::TaskStatus);
        QCOMPARE(operations->role(response), RecordRole::Response);
        QCOMPARE(operations->reason(serverRequest), LinkReason::Task);
        QCOMPARE(operations->outcome(0), RowOutcome::ToolError);
        QCOMPARE(operations->durationNs(0), 100 * OperationMs);
        QCOMPARE(operations->serverNs(0), 50 * OperationMs);
        QCOMPARE(operations->rows(1), list({other}));
        QCOMPARE(operations->reason(unknown), LinkReason::UnknownTask);
    }

    void aTaskOfTheNewRevisionEndsWithAPoll()
    {
        Play play;
        play.send(call("1", "long"));
        play.receive(result("1", R"("resultType":"task","taskId":"T","status":"working")"));
        play.state(R"({"what":"exited","code":0})");
        play.connection(2);
        play.open("stdio");
        play.send(request("1", "tasks/get", R"({"taskId":"T"})"));
        play.at(10);
        play.receive(result("1", R"("resultType":"complete","taskId":"T","status":"input_required",)"
                                 R"("inputRequests":{"k":{"method":"elicitation/create"}})"));
        play.at(30);
        play.send(request("2", "tasks/update", R"({"taskId":"T","inputResponses":{"k":{"action":"accept"}}})"));
        play.receive(result("2"));
        play.send(request("3", "tasks/get", R"({"taskId":"T"})"));
        play.at(50);
        play.receive(
            result("3", R"("resultType":"complete","taskId":"T","status":"completed","result":{"content":[]})"));
        const auto operations = read(play.session());
        QCOMPARE(operations->size(), 1);
        QCOMPARE(operations->outcome(0), RowOutcome::Ok);
        QCOMPARE(operations->durationNs(0), 50 * OperationMs);
        QCOMPARE(operations->waitedNs(0), 20 * OperationMs);
        QCOMPARE(count(*operations, 0, RecordRole::Poll), 3);
    }

    void subscriptionsAndCancels()
    {
        Play play;
        const int listen = play.send(request("1", "subscriptions/listen", R"({"notifications":{}})"));
        const QByteArray meta = R"({"_meta":{"io.modelcontextprotocol/subscriptionId":1}})";
        const int granted = play.receive(notification("notifications/subscriptions/acknowledged", meta));
        const int changed = play.receive(notification("notifications/tools/list_changed", meta));
        const int plain = play.receive(notification("notifications/tools/list_changed"));
        const int one = play.send(call("2", "slow"));
        play.at(30);
        const int cancel = play.send(notification("notifications/cancelled", R"({"requestId":2})"));
        play.giveUp(2, one);
        const int late = play.receive(result("2"));
        const auto operations = read(play.session());
        QCOMPARE(operations->rows(0), list({listen, granted, changed}));
        QCOMPARE(operations->reason(changed), LinkReason::Subscription);
        QCOMPARE(operations->operationOf(plain), -1);
        QCOMPARE(operations->rows(1), list({one, cancel, cancel + 1, late}));
        QCOMPARE(operations->role(cancel), RecordRole::Cancel);
        QCOMPARE(operations->role(cancel + 1), RecordRole::Finding);
        QCOMPARE(operations->outcome(1), RowOutcome::NoResponse);
        QVERIFY(!operations->at(1).isOpen);
    }

    void theStreamCountsForMoreThanTheNameOnIt()
    {
        Play play("http");
        play.send(request("1", "subscriptions/listen", R"({"notifications":{}})"), 4);
        play.send(request("2", "subscriptions/listen", R"({"notifications":{}})"), 5);
        const QByteArray named = R"({"_meta":{"io.modelcontextprotocol/subscriptionId":1}})";
        const int right = play.receive(notification("notifications/tools/list_changed", named), 4);
        const int wrong = play.receive(notification("notifications/tools/list_changed", named), 5);
        const auto operations = read(play.session());
        QCOMPARE(operations->operationOf(right), 0);
        QCOMPARE(operations->reason(right), LinkReason::Subscription);
        QCOMPARE(operations->operationOf(wrong), 1);
        QCOMPARE(operations->reason(wrong), LinkReason::Stream);
    }

    void theServerTakesItsServerRequestBack()
    {
        Play play;
        play.send(call("1", "ask"));
        play.receive(request("9", "elicitation/create"));
        play.at(70);
        const int back = play.receive(notification("notifications/cancelled", R"({"requestId":9})"));
        play.at(90);
        play.send(result("9", R"("action":"cancel")"));
        play.at(100);
        play.receive(result("1"));
        const auto operations = read(play.session());
        QCOMPARE(operations->operationOf(back), 0);
        QCOMPARE(operations->waitedNs(0), 70 * OperationMs);
        QCOMPARE(operations->serverNs(0), 30 * OperationMs);
    }

    void theEndOfTheConnectionEndsEverything()
    {
        Play play;
        play.send(call("1", "ask"));
        play.at(10);
        play.receive(request("9", "elicitation/create"));
        play.at(40);
        play.state(R"({"what":"exited","signal":9})");
        const auto operations = read(play.session());
        QCOMPARE(operations->outcome(0), RowOutcome::NoResponse);
        QCOMPARE(operations->waits(0).size(), size_t(1));
        QCOMPARE(operations->waitedNs(0), 30 * OperationMs);
    }

    // A live session is followed; a reopened one reads the same. Everything that can happen happens in between.
    void liveAndReopenedAgree()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"s.mcpsession"_s);
        const std::unique_ptr<Session> session = Session::create(path, u"demo"_s);
        Operations live(session.get());
        std::vector<qsizetype> touched;
        connect(session.get(), &Session::appended, session.get(), [&] {
            live.advance();
            for (const qsizetype operation : live.takeChanged())
                touched.push_back(operation);
        });
        playEverything(*session, true);
        session->finish();
        QVERIFY(live.scanned() == session->size());
        const auto reopened = Session::open(path);
        QVERIFY(reopened.ok());
        const auto read = std::make_unique<Operations>(reopened->get());
        while (!read->advance(0)) {
        }
        QVERIFY(live.size() > 5);
        QCOMPARE(read->size(), live.size());
        for (qsizetype i = 0; i < live.size(); ++i) {
            QCOMPARE(read->rows(i), live.rows(i));
            QCOMPARE(read->outcome(i), live.outcome(i));
            QCOMPARE(read->durationNs(i), live.durationNs(i));
            QVERIFY(std::find(touched.begin(), touched.end(), i) != touched.end());
        }
        for (qsizetype row = 0; row < session->size(); ++row) {
            QCOMPARE(read->operationOf(row), live.operationOf(row));
            QCOMPARE(int(read->role(row)), int(live.role(row)));
            QCOMPARE(int(read->reason(row)), int(live.reason(row)));
        }
    }

    void aFileThatStopsLeavesNothingOpen()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"s.mcpsession"_s);
        {
            const std::unique_ptr<Session> session = Session::create(path, u"demo"_s);
            session->append(sent(call("1", "a")), 1);
        }
        QByteArray bytes = readFile(path);
        bytes.truncate(bytes.lastIndexOf('\n', bytes.size() - 2) + 1);  // the end record
        writeFile(path, bytes);
        const auto session = Session::open(path);
        QVERIFY(session.ok());
        const auto operations = read(**session);
        QCOMPARE(operations->size(), 1);
        QCOMPARE(operations->outcome(0), RowOutcome::NoResponse);
        QCOMPARE(operations->durationNs(0), -1);
    }

    void percentilesAreByNearestRank()
    {
        QCOMPARE(percentiles({}), Percentiles());
        QCOMPARE(percentiles({5}), (Percentiles{5, 5, 5, 5}));
        std::vector<qint64> hundred;
        for (qint64 i = 100; i > 0; --i)
            hundred.push_back(i);
        QCOMPARE(percentiles(hundred), (Percentiles{50, 90, 99, 100}));
        hundred.push_back(1000);
        QCOMPARE(percentiles(hundred), (Percentiles{51, 91, 100, 1000}));
    }

    void statisticsCountEveryOutcome()
    {
        Play play;
        play.send(request("0", "tools/list"));
        play.receive(result("0", R"("tools":[])"));
        for (int i = 1; i <= 10; ++i) {
            play.at(i * 1000);
            play.send(call(QByteArray::number(i), "add"));
            play.at(i * 1000 + i);
            play.receive(result(QByteArray::number(i), i == 10 ? R"("isError":true)" : ""));
        }
        play.send(call("11", "add"));
        play.receive(R"({"jsonrpc":"2.0","id":11,"error":{"code":-32602,"message":"no"}})");
        play.giveUp(12, play.send(call("12", "add")));
        play.send(call("13", "add"));
        play.receive(request("1", "roots/list"));
        const auto operations = read(play.session());
        const QList<CallStatistics> all = callStatistics(play.session(), *operations);
        QCOMPARE(all.size(), 2);
        const CallStatistics &add = all.at(0);
        QCOMPARE(add.method, u"tools/call"_s);
        QCOMPARE(add.target, u"add"_s);
        QCOMPARE(add.count, 13);
        QCOMPARE(add.ok, 9);
        QCOMPARE(add.toolErrors, 1);
        QCOMPARE(add.protocolErrors, 1);
        QCOMPARE(add.unanswered, 2);  // given up, and left open by a file that ends
        QCOMPARE(add.open, 0);
        QCOMPARE(add.errors(), 4);
        // Eleven were answered, in 0 to 10 OperationMs.
        QCOMPARE(add.server, (Percentiles{5 * OperationMs, 9 * OperationMs, 10 * OperationMs, 10 * OperationMs}));
        QCOMPARE(all.at(1).method, u"tools/list"_s);
    }
};

SONDE_TEST(OperationsTest)
#include "tst_operations.moc"
