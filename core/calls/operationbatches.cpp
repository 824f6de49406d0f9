// SPDX-License-Identifier: Apache-2.0
#include "core/calls/operationbatches.h"

#include "core/json/scan.h"
#include "core/protocol/methods.h"
#include "core/protocol/worker.h"
#include "core/session/sessionindex.h"

#include <QCoreApplication>
#include <QThread>
#include <algorithm>
#include <utility>

namespace sonde {

void OperationBatches::add(quint32 row)
{
    if (m_session->at(row).direction == Direction::ToServer)
        openBatch(row, m_session->message(row).batch());
    if (m_data.links[row].operation == nothing)
        m_reading.emplace(row);
}

OperationBatches::Element OperationBatches::elementOf(const QByteArray &bytes)
{
    Element element{Message::parse(bytes)};
    if (element.message.isResponse())
        element.outcome = outcomeOf(element.message);
    if (bytes.size() > Message::LargeBytes)
        element.message = Message::parse(json::outline(bytes));
    return element;
}

OperationBatches::Batch OperationBatches::parseBatch(const QByteArray &bytes)
{
    Batch batch{Message::parse(bytes), {}};
    for (qsizetype i = 0; bytes.size() > Message::LargeBytes && i < batch.message.batchSize(); ++i) {
        if (const QByteArray element = batch.message.batchBytes(i); element.size() > Message::LargeBytes)
            batch.large.insert(i, elementOf(element));
    }
    return batch;
}

OperationBatches::Element OperationBatches::Batch::at(qsizetype index) const
{
    const auto known = large.constFind(index);
    return known == large.constEnd() ? elementOf(message.batchBytes(index)) : *known;
}

// False: a worker thread is still busy with it.
bool OperationBatches::hasBatch(bool isAtOnce)
{
    Reading &it = *m_reading;
    if (it.batch)
        return true;
    const auto read = m_session->bytesReader(it.row);
    const QObject *const app = QCoreApplication::instance();
    const bool mayTakeLong = isAtOnce || !app || QThread::currentThread() != app->thread();
    if (mayTakeLong || m_session->at(it.row).wireLength <= Message::LargeBytes) {
        it.batch = parseBatch(read());
        return true;
    }
    if (!it.job)
        it.job = startOnWorker([read] { return parseBatch(read()); });
    if (!it.job->isFinished())
        return false;
    it.batch = it.job->result().value_or(Batch());  // empty: there was no memory for it
    return true;
}

void OperationBatches::readOn(const std::function<bool()> &isSpent)
{
    constexpr qsizetype elementsBetweenClockReads = 32;
    if (!hasBatch(!isSpent))
        return;
    Reading &it = *m_reading;
    const qsizetype size = it.batch->message.kind() == Message::Kind::Batch ? it.batch->message.batchSize() : 0;
    for (qsizetype read = 0; it.next < size; ++read, ++it.next) {
        if (isSpent && read > 0 && read % elementsBetweenClockReads == 0 && isSpent())
            return;
        const Part part = placeElement(it.row, it.batch->at(it.next), it.placed);
        it.operations.insert(part.operation);
        // A response says more of the record than what came with it.
        if (!it.shown || (part.role == RecordRole::Response && it.shown->role != RecordRole::Response))
            it.shown = part;
    }
    finish();
}

void OperationBatches::finish()
{
    const Reading it = *std::exchange(m_reading, std::nullopt);
    if (it.operations.size() == 1 && !it.operations.contains(nothing)) {
        m_open.link(it.row, it.shown->operation, it.shown->role, it.shown->reason);
        return;
    }
    m_open.doubt(it.row, RecordRole::None, LinkReason::InBatch);
    for (const quint32 operation : it.operations) {
        if (operation != nothing)
            m_open.touch(it.row, operation);
    }
}

// All requests of a batch of ours are one operation, which ends when each has been answered.
void OperationBatches::openBatch(quint32 row, const QList<Message> &elements)
{
    const bool asks = std::any_of(elements.begin(), elements.end(),
                                  [](const Message &element) { return element.kind() == Message::Kind::Request; });
    if (!asks)
        return;
    const quint32 operation = m_open.open(row, LinkReason::None);
    OpenOperations::Peer &on = m_open.peer(row);
    OpenOperations::Live &state = *m_open.live(operation);
    QSet<RequestId> tokens;
    for (int i = 0; i < int(elements.size()); ++i) {
        if (elements[i].kind() != Message::Kind::Request)
            continue;
        const CallFields fields = callFields(elements[i].raw());
        m_data.batched[operation].push_back({i});
        ++m_data.calls;
        if (fields.id.isMatchable()) {
            on.ids.add(fields.id, operation);
            state.unanswered.insert(fields.id, int(m_data.batched[operation].size()) - 1);
        }
        if (fields.token.isMatchable())
            tokens.insert(fields.token);
        if (mayBeAskedDuring(elements[i].method()))
            on.mayAsk.insert(operation);
    }
    for (const RequestId &token : std::as_const(tokens)) {
        on.tokens.add(token, operation);
        state.tokens.insert(token);
    }
    m_open.addStream(row, operation);
}

// One of the responses that a batch of ours waits for.
void OperationBatches::endElement(quint32 row, quint32 operation, const RequestId &id, RowOutcome outcome)
{
    OpenOperations::Live *const state = m_open.live(operation);
    if (!state || !state->unanswered.contains(id))
        return;
    std::vector<BatchedCall> &calls = m_data.batched[operation];
    BatchedCall &answered = calls[size_t(state->unanswered.take(id))];
    answered.outcome = outcome;
    answered.endNs = m_session->at(row).timeNs;
    if (!state->unanswered.isEmpty())
        return;
    // The outcomes stand in order, the worst last.
    const auto worst = std::max_element(
        calls.begin(), calls.end(),
        [](const BatchedCall &left, const BatchedCall &right) { return left.outcome < right.outcome; });
    m_open.close(operation, row, worst->outcome);
}

// What an element of a batch means for the operation that it belongs to.
OperationBatches::Part OperationBatches::placeElement(quint32 row, const Element &each, std::optional<Part> &placed)
{
    Part part;
    const Message &element = each.message;
    if (element.isResponse())
        return placeResponse(row, each);
    if (m_session->at(row).direction == Direction::ToServer)
        return part;
    const CallFields fields = callFields(element.raw());
    if (element.kind() == Message::Kind::Notification && element.method() == methods::Progress) {
        const auto found = m_open.peer(row).tokens.find(fields.token);
        if (fields.token.isMatchable() && found.isKnown())
            part = {found.operation, RecordRole::Progress, LinkReason::Token};
        return part;
    }
    if (placed && fields.task.isEmpty()) {
        part = *placed;
    } else {
        part.reason = m_open.place(row, fields, &part.operation);
        if (fields.task.isEmpty())
            placed = part;
    }
    if (element.kind() == Message::Kind::Request) {
        part.role = RecordRole::ServerRequest;
        m_open.addElicitation(row, part.operation, fields.elicitation);
        if (++m_reading->requests <= Message::MaxBatchResponses)
            m_open.openServerRequest(fields.id, {row, part.operation, asksPerson(element.method())});
    } else {
        part.role = element.method() == methods::LogMessage ? RecordRole::Log : RecordRole::Event;
    }
    return part;
}

OperationBatches::Part OperationBatches::placeResponse(quint32 row, const Element &response)
{
    const RequestId id = response.message.id();
    OpenOperations::Peer &on = m_open.peer(row);
    if (!id.isMatchable())
        return {};
    if (m_session->at(row).direction == Direction::ToServer) {
        const OpenOperations::ServerRequest asked = m_open.endServerRequest(id, row);
        if (asked.operation == nothing)
            return {};
        if (m_data.operations[asked.operation].requestRow == asked.row)
            m_open.close(asked.operation, row, response.outcome);
        return {asked.operation, RecordRole::ServerRequestResponse, LinkReason::Id};
    }
    const quint32 operation = on.ids.find(id).operation;
    if (operation == nothing)
        return {};
    const Operation asked = m_data.operations[operation];
    on.ids.end(id);
    if (m_session->at(asked.currentRow).messageKind == Message::Kind::Batch)
        endElement(row, operation, id, response.outcome);
    else if (asked.isOpen && !asked.isTask && m_session->partnerOf(asked.currentRow) == row)
        m_open.close(operation, row, response.outcome);
    return {operation, RecordRole::Response, LinkReason::Id};
}

}  // namespace sonde
