// SPDX-License-Identifier: Apache-2.0
#include "core/calls/operations.h"

#include "core/calls/operationlinker.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <algorithm>

namespace sonde {

namespace {

struct OperationText {
    Q_DECLARE_TR_FUNCTIONS(sonde::Operations)
};

}  // namespace

QString explain(LinkReason reason)
{
    switch (reason) {
        case LinkReason::None:
            break;
        case LinkReason::Id:
            return OperationText::tr("Matched to the call by request ID.");
        case LinkReason::Token:
            return OperationText::tr("Matched to the call by progress token.");
        case LinkReason::Stream:
            return OperationText::tr("Matched to the call by HTTP stream.");
        case LinkReason::Task:
            return OperationText::tr("Matched to the call by task ID.");
        case LinkReason::State:
            return OperationText::tr("Matched to the call by the returned request state.");
        case LinkReason::Arguments:
            return OperationText::tr("Matched to the only call with these arguments that was waiting for input.");
        case LinkReason::Subscription:
            return OperationText::tr("Matched to the subscription by ID.");
        case LinkReason::Elicitation:
            return OperationText::tr("Matched to the call by elicitation ID.");
        case LinkReason::OnlyOpenCall:
            return OperationText::tr("Assumed to belong to this call; no other call was open.");
        case LinkReason::SeveralCalls:
            return OperationText::tr("Ambiguous: several calls were open.");
        case LinkReason::SeveralTokens:
            return OperationText::tr("Ambiguous: several open calls used the same progress token.");
        case LinkReason::SeveralTasks:
            return OperationText::tr("Ambiguous: several tasks have the same ID.");
        case LinkReason::SeveralRetries:
            return OperationText::tr("Ambiguous: several calls were waiting for the same input.");
        case LinkReason::SeveralElicitations:
            return OperationText::tr("Ambiguous: several open calls have an elicitation with this ID.");
        case LinkReason::UnknownToken:
            return OperationText::tr("No call used this progress token.");
        case LinkReason::UnknownTask:
            return OperationText::tr("No call has a task with this ID.");
        case LinkReason::UnknownRetry:
            return OperationText::tr("No call was waiting for this input.");
        case LinkReason::UnknownElicitation:
            return OperationText::tr("No call has an elicitation with this ID.");
        case LinkReason::UnknownRequest:
            return OperationText::tr("No matching request found.");
        case LinkReason::OtherStream:
            return OperationText::tr("Received on an HTTP stream that belongs to no call.");
        case LinkReason::NoOpenCall:
            return OperationText::tr("No call was open.");
        case LinkReason::InBatch:
            return OperationText::tr(
                "The batch contains messages of several calls or of none; it is not assigned to a call.");
    }
    return {};
}

class Operations::Private {
public:
    explicit Private(const Session *shown) : session(shown), linker(shown, &data) {}

    const QPointer<const Session> session;
    OperationData data;
    OperationLinker linker;
};

Operations::Operations(const Session *session) : d(std::make_unique<Private>(session)) {}

Operations::~Operations() = default;

bool Operations::advance(qint64 budgetNs)
{
    if (!d->session)
        return true;
    constexpr qsizetype rowsBetweenClockReads = 32;
    QElapsedTimer clock;
    clock.start();
    const auto isSpent = [&] { return clock.nsecsElapsed() > budgetNs; };
    while (scanned() < d->session->size()) {
        if (!d->linker.isWithinBatch())
            d->linker.add(scanned());
        if (d->linker.isWithinBatch()) {
            d->linker.readBatch(budgetNs < 0 ? std::function<bool()>() : isSpent);
            if (d->linker.isWithinBatch())
                break;
        }
        if (budgetNs >= 0 && scanned() % rowsBetweenClockReads == 0 && isSpent())
            break;
    }
    return scanned() >= d->session->size();
}

qsizetype Operations::scanned() const
{
    return qsizetype(d->data.links.size()) - (d->linker.isWithinBatch() ? 1 : 0);
}

std::vector<qsizetype> Operations::takeChanged()
{
    std::sort(d->data.changed.begin(), d->data.changed.end());
    std::vector<qsizetype> taken(d->data.changed.begin(), d->data.changed.end());
    for (const quint32 operation : d->data.changed)
        d->data.operations[operation].isChanged = false;
    d->data.changed.clear();
    return taken;
}

qsizetype Operations::size() const
{
    return qsizetype(d->data.operations.size());
}

qsizetype Operations::callCount() const
{
    return d->data.calls;
}

qsizetype Operations::requestCount() const
{
    return d->data.calls + d->data.others;
}

Operation Operations::at(qsizetype operation) const
{
    return d->data.operations[size_t(operation)];
}

qsizetype Operations::requestRow(qsizetype operation) const
{
    return d->data.operations[size_t(operation)].requestRow;
}

RowOutcome Operations::outcome(qsizetype operation) const
{
    const Operation asked = at(operation);
    // A file that stops without an end record leaves requests that nothing closed.
    const bool isAbandoned = asked.isOpen && d->session && !d->session->isLive() && !d->session->isLoading() &&
                             scanned() == d->session->size() &&
                             (asked.isTask || d->session->at(asked.currentRow).outcome != RowOutcome::Pending);
    return isAbandoned ? RowOutcome::NoResponse : asked.outcome;
}

qint64 Operations::startNs(qsizetype operation) const
{
    return d->session ? d->session->at(requestRow(operation)).timeNs : 0;
}

qint64 Operations::firstByteNs(qsizetype operation) const
{
    const quint32 row = d->data.operations[size_t(operation)].firstByteRow;
    if (row == RecordLink::nothing || !d->session)
        return -1;
    const RecordInfo &record = d->session->at(row);
    if (record.kind != WireEvent::Kind::HttpResponse)
        return record.timeNs;
    // Recorded when there was more to say than that it began.
    const qint64 beganMs = EventFacts::readNumber(d->session->facts(row), &EventFacts::ms).value_or(-1);
    const qint64 latestMs = (record.timeNs - startNs(operation)) / 1'000'000;
    return beganMs < 0 || beganMs > latestMs ? record.timeNs : startNs(operation) + beganMs * 1'000'000;
}

qint64 Operations::endNs(qsizetype operation) const
{
    const quint32 row = d->data.operations[size_t(operation)].endRow;
    return row == RecordLink::nothing || !d->session ? -1 : d->session->at(row).timeNs;
}

qint64 Operations::durationNs(qsizetype operation) const
{
    const qint64 end = endNs(operation);
    return end < 0 ? -1 : qMax<qint64>(end - startNs(operation), 0);
}

qint64 Operations::serverNs(qsizetype operation) const
{
    const qint64 duration = durationNs(operation);
    return duration < 0 ? -1 : qMax<qint64>(duration - waitedNs(operation), 0);
}

qint64 Operations::firstByteAfterNs(qsizetype operation) const
{
    const qint64 firstByte = firstByteNs(operation);
    return firstByte < 0 ? -1 : qMax<qint64>(firstByte - startNs(operation), 0);
}

qint64 Operations::waitedNs(qsizetype operation) const
{
    qint64 waited = 0;
    if (const auto spans = d->data.waits.constFind(quint32(operation)); spans != d->data.waits.constEnd()) {
        for (const TimeSpan &span : *spans)
            waited += span.endNs - span.startNs;
    }
    return waited;
}

std::vector<TimeSpan> Operations::waits(qsizetype operation) const
{
    std::vector<TimeSpan> spans = d->data.waits.value(quint32(operation));
    if (isWaiting(operation) && d->session)
        spans.push_back(
            {d->linker.open().live(quint32(operation))->waitingSince, d->session->at(scanned() - 1).timeNs});
    return spans;
}

bool Operations::isWaiting(qsizetype operation) const
{
    const OpenOperations::Live *const state = d->linker.open().live(quint32(operation));
    return state && state->waiting > 0;
}

std::vector<BatchedCall> Operations::batchedCalls(qsizetype operation) const
{
    return d->data.batched.value(quint32(operation));
}

std::vector<qsizetype> Operations::rows(qsizetype operation) const
{
    std::vector<qsizetype> found;
    for (quint32 row = d->data.operations[size_t(operation)].requestRow; row != RecordLink::nothing;
         row = d->data.links[row].next)
        found.push_back(row);
    std::sort(found.begin() + 1, found.end());
    return found;
}

qsizetype Operations::rowAfter(qsizetype row) const
{
    const quint32 next = row >= 0 && row < scanned() ? d->data.links[size_t(row)].next : RecordLink::nothing;
    return next == RecordLink::nothing ? -1 : qsizetype(next);
}

bool Operations::isStep(qsizetype row) const
{
    return operationOf(row) >= 0 && d->session && isStepRole(role(row), d->session->at(row).isLate);
}

qsizetype Operations::operationOf(qsizetype row) const
{
    const quint32 operation = row >= 0 && row < scanned() ? d->data.links[size_t(row)].operation : RecordLink::nothing;
    return operation == RecordLink::nothing ? -1 : qsizetype(operation);
}

RecordRole Operations::role(qsizetype row) const
{
    return row >= 0 && row < scanned() ? d->data.links[size_t(row)].role : RecordRole::None;
}

LinkReason Operations::reason(qsizetype row) const
{
    return row >= 0 && row < scanned() ? d->data.links[size_t(row)].reason : LinkReason::None;
}

std::vector<qsizetype> Operations::candidates(qsizetype row) const
{
    return d->data.candidates.value(quint32(row));
}

qsizetype Operations::requestDuring(qsizetype row) const
{
    const qsizetype operation = operationOf(row);
    if (operation < 0 || !d->session || d->session->at(row).kind != WireEvent::Kind::Message ||
        d->session->at(row).direction != Direction::FromServer)
        return -1;
    const auto wasWaiting = [this, row](qsizetype request) {
        const RecordInfo &info = d->session->at(request);
        const qsizetype response = d->session->partnerOf(request);
        return info.messageKind == Message::Kind::Request && info.direction == Direction::ToServer && request < row &&
               (response < 0 || response > row);
    };
    if (const auto later = d->data.laterRequests.constFind(quint32(operation));
        later != d->data.laterRequests.constEnd()) {
        const auto latest = std::find_if(later->rbegin(), later->rend(), wasWaiting);
        if (latest != later->rend())
            return qsizetype(*latest);
    }
    const qsizetype first = requestRow(operation);
    return wasWaiting(first) ? first : -1;
}

bool isStepRole(RecordRole role, bool isLate)
{
    switch (role) {
        case RecordRole::None:
        case RecordRole::Request:
        case RecordRole::Transport:
            return false;
        case RecordRole::Response:
        case RecordRole::ServerRequestResponse:
        case RecordRole::PollResponse:
            return isLate;
        default:
            return true;
    }
}

}  // namespace sonde
