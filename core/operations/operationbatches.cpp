// Batches (revision 2025-03-26): one record that can speak of several operations, and belongs to one only where it
// speaks of no other.
// SPDX-License-Identifier: Apache-2.0
#include "core/operations/operationsprivate.h"
#include "core/protocol/methods.h"
#include "core/session/sessionindex.h"

#include <algorithm>

namespace sonde {

void Operations::Private::addBatch(quint32 row)
{
    const QList<Message> elements = session->message(row).batch();
    if (session->at(row).direction == Direction::ToServer)
        openBatch(row, elements);
    if (links.operation(row) != nothing)
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
        link(row, shown.operation, shown.role, shown.reason);
        return;
    }
    doubt(row, RecordRole::None, LinkReason::InBatch);
    for (const Part &part : parts) {
        if (part.operation != nothing)
            touch(row, part.operation);
    }
}

// All requests of a batch of ours are one operation, which ends when each has been answered.
void Operations::Private::openBatch(quint32 row, const QList<Message> &elements)
{
    const bool asks = std::any_of(elements.begin(), elements.end(),
                                  [](const Message &element) { return element.kind() == Message::Kind::Request; });
    if (!asks)
        return;
    const quint32 operation = openOperation(row, LinkReason::None);
    Peer &on = peer(row);
    Live &state = live[operation];
    QSet<RequestId> tokens;
    for (int i = 0; i < int(elements.size()); ++i) {
        if (elements[i].kind() != Message::Kind::Request)
            continue;
        const CallFields fields = callFields(elements[i].raw());
        batched[operation].push_back({i});
        if (fields.id.isMatchable()) {
            on.ids.add(fields.id, operation);
            state.unanswered.insert(fields.id, int(batched[operation].size()) - 1);
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
    takeStream(row, operation);
}

// One of the responses that a batch of ours waits for.
void Operations::Private::endElement(quint32 row, quint32 operation, const RequestId &id, RowOutcome outcome)
{
    const auto state = live.find(operation);
    if (state == live.end() || !state->unanswered.contains(id))
        return;
    std::vector<BatchedCall> &calls = batched[operation];
    BatchedCall &answered = calls[size_t(state->unanswered.take(id))];
    answered.outcome = outcome;
    answered.endNs = session->at(row).timeNs;
    if (!state->unanswered.isEmpty())
        return;
    // The outcomes stand in order, the worst last.
    const auto worst = std::max_element(
        calls.begin(), calls.end(),
        [](const BatchedCall &left, const BatchedCall &right) { return left.outcome < right.outcome; });
    close(operation, row, worst->outcome);
}

// What an element of a batch means for the operation that it belongs to.
Operations::Private::Part Operations::Private::takeElement(quint32 row, const Message &element,
                                                           std::optional<Part> &placed)
{
    Part part;
    if (element.isResponse())
        return takeResponse(row, element);
    if (session->at(row).direction == Direction::ToServer)
        return part;
    const CallFields fields = callFields(element.raw());
    if (element.kind() == Message::Kind::Notification && element.method() == methods::Progress) {
        using State = OperationNames<RequestId>::State;
        const auto found = peer(row).tokens.find(fields.token);
        if (fields.token.isMatchable() && (found.state == State::Open || found.state == State::Ended)) {
            part = {found.operation, RecordRole::Progress, LinkReason::Token};
        }
        return part;
    }
    if (placed && fields.task.isEmpty()) {
        part = *placed;
    } else {
        part.reason = place(row, fields, &part.operation);
        if (fields.task.isEmpty())
            placed = part;
    }
    if (element.kind() == Message::Kind::Request) {
        part.role = RecordRole::ServerRequest;
        takeElicitation(row, part.operation, fields.elicitation);
        openServerRequest(fields.id, {row, part.operation, asksPerson(element.method())});
    } else {
        part.role = element.method() == methods::LogMessage ? RecordRole::Log : RecordRole::Event;
    }
    return part;
}

Operations::Private::Part Operations::Private::takeResponse(quint32 row, const Message &response)
{
    Peer &on = peer(row);
    if (!response.id().isMatchable())
        return {};
    if (session->at(row).direction == Direction::ToServer) {
        const ServerRequest asked = endServerRequest(response.id(), row);
        if (asked.operation == nothing)
            return {};
        if (operations.requestRow(asked.operation) == asked.row)
            close(asked.operation, row, outcomeOf(response));
        return {asked.operation, RecordRole::ServerRequestResponse, LinkReason::Id};
    }
    using State = OperationNames<RequestId>::State;
    const auto found = on.ids.find(response.id());
    if (found.state != State::Open && found.state != State::Ended)
        return {};
    const quint32 operation = found.operation;
    const Operation asked = operations.at(operation);
    on.ids.end(response.id());
    if (session->at(asked.currentRow).messageKind == Message::Kind::Batch)
        endElement(row, operation, response.id(), outcomeOf(response));
    else if (asked.isOpen && !asked.isTask && session->partnerOf(asked.currentRow) == row)
        close(operation, row, outcomeOf(response));
    return {operation, RecordRole::Response, LinkReason::Id};
}

}  // namespace sonde
