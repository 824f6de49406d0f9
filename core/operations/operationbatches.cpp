// SPDX-License-Identifier: Apache-2.0
#include "core/operations/operationbatches.h"

#include "core/protocol/methods.h"
#include "core/session/sessionindex.h"

#include <algorithm>

namespace sonde {

void OperationBatches::add(quint32 row)
{
    const QList<Message> elements = m_session->message(row).batch();
    if (m_session->at(row).direction == Direction::ToServer)
        openBatch(row, elements);
    if (m_data.links.operation(row) != nothing)
        return;
    std::vector<Part> parts;
    std::optional<Part> placed;  // what the record tells of all elements alike, read once
    for (const Message &element : elements)
        parts.push_back(takeElement(row, element, placed));
    const bool isOfOne = !parts.empty() && parts.front().operation != nothing &&
                         std::all_of(parts.begin(), parts.end(),
                                     [&](const Part &part) { return part.operation == parts.front().operation; });
    if (isOfOne) {
        // A response says more of the record than what came with it.
        const auto response = std::find_if(parts.begin(), parts.end(),
                                           [](const Part &part) { return part.role == RecordRole::Response; });
        const Part &shown = response == parts.end() ? parts.front() : *response;
        m_open.link(row, shown.operation, shown.role, shown.reason);
        return;
    }
    m_open.doubt(row, RecordRole::None, LinkReason::InBatch);
    for (const Part &part : parts) {
        if (part.operation != nothing)
            m_open.touch(row, part.operation);
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
    m_open.takeStream(row, operation);
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
OperationBatches::Part OperationBatches::takeElement(quint32 row, const Message &element, std::optional<Part> &placed)
{
    Part part;
    if (element.isResponse())
        return takeResponse(row, element);
    if (m_session->at(row).direction == Direction::ToServer)
        return part;
    const CallFields fields = callFields(element.raw());
    if (element.kind() == Message::Kind::Notification && element.method() == methods::Progress) {
        using State = OperationNames<RequestId>::State;
        const auto found = m_open.peer(row).tokens.find(fields.token);
        if (fields.token.isMatchable() && (found.state == State::Open || found.state == State::Ended)) {
            part = {found.operation, RecordRole::Progress, LinkReason::Token};
        }
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
        m_open.takeElicitation(row, part.operation, fields.elicitation);
        m_open.openServerRequest(fields.id, {row, part.operation, asksPerson(element.method())});
    } else {
        part.role = element.method() == methods::LogMessage ? RecordRole::Log : RecordRole::Event;
    }
    return part;
}

OperationBatches::Part OperationBatches::takeResponse(quint32 row, const Message &response)
{
    OpenOperations::Peer &on = m_open.peer(row);
    if (!response.id().isMatchable())
        return {};
    if (m_session->at(row).direction == Direction::ToServer) {
        const OpenOperations::ServerRequest asked = m_open.endServerRequest(response.id(), row);
        if (asked.operation == nothing)
            return {};
        if (m_data.operations.requestRow(asked.operation) == asked.row)
            m_open.close(asked.operation, row, outcomeOf(response));
        return {asked.operation, RecordRole::ServerRequestResponse, LinkReason::Id};
    }
    using State = OperationNames<RequestId>::State;
    const auto found = on.ids.find(response.id());
    if (found.state != State::Open && found.state != State::Ended)
        return {};
    const quint32 operation = found.operation;
    const Operation asked = m_data.operations.at(operation);
    on.ids.end(response.id());
    if (m_session->at(asked.currentRow).messageKind == Message::Kind::Batch)
        endElement(row, operation, response.id(), outcomeOf(response));
    else if (asked.isOpen && !asked.isTask && m_session->partnerOf(asked.currentRow) == row)
        m_open.close(operation, row, outcomeOf(response));
    return {operation, RecordRole::Response, LinkReason::Id};
}

}  // namespace sonde
