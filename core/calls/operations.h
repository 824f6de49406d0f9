// The calls of a session, each with everything that belongs to it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/session.h"

namespace sonde {

// What a record is to the operation that it belongs to.
enum class RecordRole : quint8 {
    None,
    Request,
    Response,  // the one that ends the operation, or tells of the task that does
    Progress,
    Log,
    ServerRequest,  // the server asks while the call is open
    ServerRequestResponse,
    InputRequired,  // a response that asks for more, to be given with a retry
    Retry,
    Poll,  // of the task that the call has become
    PollResponse,
    TaskStatus,  // told without being asked
    Cancel,
    Event,      // on the stream of a subscription or of the call's HTTP exchange
    Transport,  // HTTP request, response or event that carried it
    Finding     // a note of the recording program
};

// Why a record belongs to its operation, or why it belongs to none although it should.
enum class LinkReason : quint8 {
    None,  // nothing that would belong anywhere
    Id,
    Token,
    Stream,
    Task,
    State,      // the requestState that the last response gave
    Arguments,  // the only call that waits for input with these arguments
    Subscription,
    Elicitation,   // the elicitationId that the call's question or error gave
    OnlyOpenCall,  // inferred: no other call was open
    // From here on: not linked.
    SeveralCalls,
    SeveralTokens,
    SeveralTasks,
    SeveralRetries,
    SeveralElicitations,
    UnknownToken,
    UnknownTask,
    UnknownRetry,
    UnknownElicitation,
    UnknownRequest,
    OtherStream,
    NoOpenCall,
    InBatch
};

inline bool isDoubt(LinkReason reason)
{
    return reason >= LinkReason::SeveralCalls;
}
QString explain(LinkReason reason);  // a sentence for people; empty for None

struct TimeSpan {
    qint64 startNs = 0;  // as RecordInfo::timeNs
    qint64 endNs = 0;
    bool operator==(const TimeSpan &) const = default;
};

// One of the requests that were sent as a batch.
struct BatchedCall {
    int element = 0;  // of the batch
    RowOutcome outcome = RowOutcome::Pending;
    qint64 endNs = -1;  // -1: not answered
};

// One call of ours, a batch of them, or a request of the server that could not be linked to one.
struct Operation {
    quint32 requestRow = 0;
    quint32 currentRow = 0;  // the request whose response is awaited: a retry, in the end
    RowOutcome outcome = RowOutcome::Pending;
    bool isOpen = true;
    bool isTask = false;
    bool isLocal = true;    // false: the server asked
    bool hasSteps = false;  // see Operations::isStep()
};

// Follows a session, live or reopened, at a constant price per record, and keeps a few bytes of each. What the rules of
// linking cannot tell for certain stays unlinked and says so; see docs/calls.md.
class Operations {
public:
    explicit Operations(const Session *session);
    ~Operations();
    Operations(const Operations &) = delete;
    Operations &operator=(const Operations &) = delete;

    // Reads on from where it stopped, for about that long (at least one record, or a part of a large batch; negative:
    // to the end). True when it has come to the end. Where it has not, and has nothing to do but wait for a worker
    // thread that takes a batch apart, it returns at once.
    bool advance(qint64 budgetNs = -1);
    qsizetype scanned() const;  // rows read so far
    // Operations that changed or appeared since the last time this was asked, in their order.
    std::vector<qsizetype> takeChanged();

    qsizetype size() const;
    // Calls of ours as people count them, and as statistics do: each request of a batch, and not the question whether
    // a server knows discovery.
    qsizetype callCount() const;
    // The same with that question, and with the requests of the server that belong to no call.
    qsizetype requestCount() const;
    Operation at(qsizetype operation) const;
    qsizetype requestRow(qsizetype operation) const;  // rises with the operations
    // As at().outcome, and what is known by now of one that nothing will end any more.
    RowOutcome outcome(qsizetype operation) const;
    // As RecordInfo::timeNs.
    qint64 startNs(qsizetype operation) const;
    qint64 firstByteNs(qsizetype operation) const;  // when anything came back; -1: not yet
    qint64 endNs(qsizetype operation) const;        // -1: open
    // From the request to the end; -1 while it is open or when nothing ever ended it.
    qint64 durationNs(qsizetype operation) const;
    // Without the time that it waited for a person; -1 likewise.
    qint64 serverNs(qsizetype operation) const;
    qint64 firstByteAfterNs(qsizetype operation) const;  // -1: nothing came
    qint64 waitedNs(qsizetype operation) const;          // closed spans of waiting for a person
    // Spans of waiting for a person, in order and apart; the last one may end where the session does.
    std::vector<TimeSpan> waits(qsizetype operation) const;
    bool isWaiting(qsizetype operation) const;  // for a person, where the session ends

    // Of an operation that is a batch of ours: its requests. Empty for all others.
    std::vector<BatchedCall> batchedCalls(qsizetype operation) const;

    // All rows of an operation in order, its request first.
    std::vector<qsizetype> rows(qsizetype operation) const;
    // The row that was linked to the same operation after this one; -1: none yet. Only an HTTP request may come before
    // a row that was linked earlier.
    qsizetype rowAfter(qsizetype row) const;
    // Something that happened on the way: not the request, nor a response that one expects to a request, nor HTTP.
    bool isStep(qsizetype row) const;
    // -1: none, or not read yet.
    qsizetype operationOf(qsizetype row) const;
    RecordRole role(qsizetype row) const;
    LinkReason reason(qsizetype row) const;
    // The operations of which LinkReason::SeveralRetries could not tell which one the row goes on with. Empty for all
    // others, and where they are very many.
    std::vector<qsizetype> candidates(qsizetype row) const;
    // Of a message of the server's: the latest request of its operation that was waiting for its response then. Of a
    // task, the one that asks for its result counts, not the call that started it. -1: none, or not known.
    qsizetype requestDuring(qsizetype row) const;

private:
    class Private;
    std::unique_ptr<Private> d;
};

}  // namespace sonde
