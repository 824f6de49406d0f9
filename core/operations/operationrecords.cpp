// What each kind of record means for the operations.
// SPDX-License-Identifier: Apache-2.0
#include "core/operations/operationsprivate.h"
#include "core/protocol/methods.h"
#include "core/session/sessionindex.h"

#include <algorithm>

namespace sonde {

using namespace Qt::StringLiterals;

void Operations::Private::add(qsizetype at)
{
    const quint32 row = quint32(at);
    links.append();
    const RecordInfo &record = session->at(at);
    switch (record.kind) {
        case WireEvent::Kind::Message:
            addMessage(row);
            break;
        case WireEvent::Kind::HttpRequest:
        case WireEvent::Kind::HttpResponse:
        case WireEvent::Kind::Sse:
        case WireEvent::Kind::Junk:
        case WireEvent::Kind::Partial:
            addTransport(row);
            break;
        case WireEvent::Kind::Note:
            addRemark(row);
            break;
        case WireEvent::Kind::Open:
            addOpening(row);
            break;
        case WireEvent::Kind::State:
            if (endsConnection(occurrenceOf(json::parse(session->facts(at)))))
                endConnection(record.connection, row);
            break;
        case WireEvent::Kind::End:
            for (const quint16 connection : peers.keys())
                endConnection(connection, row);
            break;
        default:
            break;
    }
}

void Operations::Private::addMessage(quint32 row)
{
    const RecordInfo &record = session->at(row);
    const bool isOurs = record.direction == Direction::ToServer;
    switch (record.messageKind) {
        case Message::Kind::Request:
            if (isOurs)
                addRequest(row);
            else
                addServerRequest(row);
            break;
        case Message::Kind::Result:
        case Message::Kind::Error:
            addResponse(row);
            break;
        case Message::Kind::Notification:
            addNotification(row);
            break;
        case Message::Kind::Batch:
            addBatch(row);
            break;
        case Message::Kind::Invalid:
            break;
    }
    // What belongs to nothing needs no wait for its stream any more.
    if (isOurs && links.operation(row) == nothing) {
        const qint64 stream = streamOf(row);
        if (stream >= 0)
            peer(row).streamRows.remove(stream);
    }
}

void Operations::Private::addRequest(quint32 row)
{
    const CallFields fields = callFields(session->outline(row));
    const PollKind poll = pollKind(method(row));
    quint32 operation = nothing;
    LinkReason reason = LinkReason::None;
    if (poll != PollKind::None) {
        const auto found = tasks.find(fields.task);
        using State = OperationNames<QString>::State;
        reason = found.state == State::Unknown     ? LinkReason::UnknownTask
                 : found.state == State::Ambiguous ? LinkReason::SeveralTasks
                                                   : LinkReason::Task;
        if (!isDoubt(reason)) {
            operation = found.operation;
            link(row, operation, RecordRole::Poll, reason);
            const auto state = live.find(operation);
            if (poll == PollKind::Update && state != live.end() && std::exchange(state->isInputWaiting, false))
                endWait(operation, row);
        }
    } else if (fields.isRetry()) {
        reason = findRetried(row, fields, &operation);
        if (operation != nothing) {
            const QByteArray key = std::exchange(live[operation].awaitedRetry, {});
            QList<quint32> &candidates = peer(row).awaitingRetry[key];
            candidates.removeOne(operation);
            if (candidates.isEmpty())
                peer(row).awaitingRetry.remove(key);
            link(row, operation, RecordRole::Retry, reason);
            operations.setCurrentRow(operation, row);
            if (std::exchange(live[operation].isInputWaiting, false))
                endWait(operation, row);
            if (mayBeAskedDuring(method(row)))
                peer(row).mayAsk.insert(operation);
        }
    } else if (reason = findRepeated(row, &operation); operation != nothing) {
        reopen(row, operation);
    }
    if (operation == nothing)
        operation = openOperation(row, reason);

    Peer &on = peer(row);
    if (fields.id.isMatchable())
        on.ids.add(fields.id, operation);
    if (fields.token.isMatchable() && live.contains(operation)) {
        QSet<RequestId> &tokens = live[operation].tokens;
        if (!tokens.contains(fields.token)) {
            on.tokens.add(fields.token, operation);
            tokens.insert(fields.token);
        }
    }
    takeStream(row, operation);
}

void Operations::Private::addServerRequest(quint32 row)
{
    const CallFields fields = callFields(session->outline(row));
    quint32 operation = nothing;
    const LinkReason reason = place(row, fields, &operation);
    if (operation != nothing)
        link(row, operation, RecordRole::ServerRequest, reason);
    else
        operation = openOperation(row, reason);
    takeElicitation(row, operation, fields.elicitation);
    openServerRequest(fields.id, {row, operation, asksPerson(method(row))});
}

void Operations::Private::addResponse(quint32 row)
{
    const RecordInfo &record = session->at(row);
    const qsizetype partner = session->partnerOf(row);
    const bool isKnown = partner >= 0 && partner < row;
    const quint32 request = isKnown ? quint32(partner) : nothing;
    quint32 operation = isKnown ? links.operation(request) : nothing;
    const bool isServerRequest = isKnown && session->at(request).direction == Direction::FromServer;
    if (isServerRequest) {
        // A server request in a batch may belong elsewhere than the batch as a whole.
        const ServerRequest asked = endServerRequest(callFields(session->outline(row)).id, row);
        if (asked.row == request)
            operation = asked.operation;
    }
    if (operation == nothing) {
        doubt(row, RecordRole::Response, LinkReason::UnknownRequest);
        return;
    }
    if (isServerRequest) {
        link(row, operation, RecordRole::ServerRequestResponse, LinkReason::Id);
        takeStream(row, operation);
        if (operations.requestRow(operation) == request)
            close(operation, row, record.outcome);
        return;
    }
    if (!record.isLate)
        peer(row).ids.end(callFields(session->outline(row)).id);
    if (links.role(request) == RecordRole::Poll) {
        link(row, operation, RecordRole::PollResponse, LinkReason::Id);
        takePollResult(row, request, operation);
        return;
    }
    link(row, operation, RecordRole::Response, LinkReason::Id);
    if (session->at(request).messageKind == Message::Kind::Batch)
        endElement(row, operation, callFields(session->outline(row)).id, record.outcome);
    else if (!record.isLate && awaits(operation, request) && live.value(operation).awaitedRetry.isEmpty())
        takeResult(row, operation);
}

void Operations::Private::addNotification(quint32 row)
{
    const RecordInfo &record = session->at(row);
    const QString name = method(row);
    const CallFields fields = callFields(session->outline(row));
    if (name == methods::Cancelled) {
        addCancel(row, fields);
        return;
    }
    if (record.direction == Direction::ToServer)
        return;
    if (name == methods::Progress) {
        addProgress(row, fields);
        return;
    }
    if (name == methods::ElicitationComplete) {
        addElicitationEnd(row, fields);
        return;
    }
    if (!fields.task.isEmpty() && addTaskStatus(row, fields))
        return;
    if (fields.subscription.isMatchable()) {
        const auto found = peer(row).ids.find(fields.subscription);
        using State = OperationNames<RequestId>::State;
        if (found.state == State::Open || found.state == State::Ended)
            link(row, found.operation, RecordRole::Event, LinkReason::Subscription);
        else
            doubt(row, RecordRole::Event,
                  found.state == State::Ambiguous ? LinkReason::SeveralCalls : LinkReason::UnknownRequest);
        return;
    }
    quint32 operation = nothing;
    const LinkReason reason = place(row, fields, &operation);
    const bool isLog = name == methods::LogMessage;
    if (operation != nothing && (isLog || reason == LinkReason::Stream)) {
        link(row, operation, isLog ? RecordRole::Log : RecordRole::Event, reason);
    } else if (isLog && isDoubt(reason) && reason != LinkReason::NoOpenCall && reason != LinkReason::OtherStream) {
        doubt(row, RecordRole::Log, reason);
    }
}

void Operations::Private::addCancel(quint32 row, const CallFields &fields)
{
    Peer &on = peer(row);
    if (session->at(row).direction == Direction::FromServer) {
        // It takes back its server request, or ends a subscription of ours.
        const ServerRequest asked = endServerRequest(fields.about, row);
        if (asked.operation != nothing) {
            link(row, asked.operation, RecordRole::Cancel, LinkReason::Id);
            if (operations.requestRow(asked.operation) == asked.row)
                close(asked.operation, row, RowOutcome::NoResponse);
            return;
        }
    }
    // One that was given up a moment before is over already.
    using State = OperationNames<RequestId>::State;
    const auto found = on.ids.find(fields.about);
    if (fields.about.isMatchable() && (found.state == State::Open || found.state == State::Ended))
        link(row, found.operation, RecordRole::Cancel, LinkReason::Id);
    else
        doubt(row, RecordRole::Cancel, LinkReason::UnknownRequest);
}

void Operations::Private::addProgress(quint32 row, const CallFields &fields)
{
    using State = OperationNames<RequestId>::State;
    const auto found =
        fields.token.isMatchable() ? peer(row).tokens.find(fields.token) : OperationNames<RequestId>::Found();
    if (found.state == State::Open || found.state == State::Ended) {
        link(row, found.operation, RecordRole::Progress, LinkReason::Token);
    } else {
        doubt(row, RecordRole::Progress,
              found.state == State::Ambiguous ? LinkReason::SeveralTokens : LinkReason::UnknownToken);
    }
}

void Operations::Private::addElicitationEnd(quint32 row, const CallFields &fields)
{
    using State = OperationNames<QString>::State;
    const auto found = peer(row).elicitations.find(fields.elicitation);
    if (found.state == State::Open || found.state == State::Ended)
        link(row, found.operation, RecordRole::Event, LinkReason::Elicitation);
    else
        doubt(row, RecordRole::Event,
              found.state == State::Ambiguous ? LinkReason::SeveralElicitations : LinkReason::UnknownElicitation);
}

// Tells of a task, or was sent in the course of one.
bool Operations::Private::addTaskStatus(quint32 row, const CallFields &fields)
{
    const QString name = method(row);
    const bool isStatus = name == u"notifications/tasks" || name == u"notifications/tasks/status";
    const auto found = tasks.find(fields.task);
    using State = OperationNames<QString>::State;
    if (found.state == State::Unknown || found.state == State::Ambiguous) {
        if (isStatus)
            doubt(row, RecordRole::TaskStatus,
                  found.state == State::Unknown ? LinkReason::UnknownTask : LinkReason::SeveralTasks);
        return isStatus;
    }
    const bool isLog = name == methods::LogMessage;
    link(row, found.operation,
         isStatus ? RecordRole::TaskStatus
         : isLog  ? RecordRole::Log
                  : RecordRole::Event,
         LinkReason::Task);
    if (isStatus) {
        ResultFields told;
        told.status = fields.status;
        told.asksPerson = fields.asksPerson;
        takeTaskState(found.operation, told, row);
    }
    return true;
}

void Operations::Private::addTransport(quint32 row)
{
    const qint64 stream = streamOf(row);
    if (stream < 0)
        return;
    Peer &on = peer(row);
    const auto found = on.streams.find(stream);
    using State = OperationNames<qint64>::State;
    if (found.state == State::Open || found.state == State::Ended)
        link(row, found.operation, RecordRole::Transport, LinkReason::Stream);
    else if (session->at(row).kind == WireEvent::Kind::HttpRequest)
        on.streamRows.insert(stream, row);
}

void Operations::Private::addRemark(quint32 row)
{
    const qsizetype about = session->partnerOf(row);
    if (about < 0 || about >= row)
        return;
    const quint32 operation = links.operation(quint32(about));
    if (operation == nothing)
        return;
    link(row, operation, RecordRole::Remark, LinkReason::Id);
    const json::Value facts = json::parse(session->facts(row));
    if (occurrenceOf(facts) != Occurrence::GaveUp)
        return;
    const RequestId id = RequestId::fromValue(facts[u"id"]);
    peer(row).ids.end(id);
    if (session->at(about).messageKind == Message::Kind::Batch)
        endElement(row, operation, id, RowOutcome::NoResponse);
    else if (awaits(operation, quint32(about)))
        close(operation, row, RowOutcome::NoResponse);
}

void Operations::Private::addOpening(quint32 row)
{
    const RecordInfo &record = session->at(row);
    endConnection(record.connection, row);
    const QString transport = json::parse(session->facts(row))[u"transport"].string();
    peers[record.connection].transport = transport == u"stdio"  ? Peer::Transport::Pipe
                                         : transport == u"http" ? Peer::Transport::Http
                                                                : Peer::Transport::Unknown;
}

// Nothing more comes over it. A task goes on elsewhere and can be asked about over another connection.
void Operations::Private::endConnection(quint16 connection, quint32 row)
{
    const auto found = peers.constFind(connection);
    if (found == peers.constEnd())
        return;
    std::vector<quint32> open(found->open.cbegin(), found->open.cend());
    std::sort(open.begin(), open.end());
    for (const quint32 operation : open) {
        if (!operations.at(operation).isTask)
            close(operation, row, RowOutcome::NoResponse);
    }
    Peer &ended = peers[connection];
    for (const ServerRequest &serverRequest : std::as_const(ended.serverRequests)) {
        if (serverRequest.asksPerson)
            endWait(serverRequest.operation, row);
    }
    for (const quint32 operation : open) {
        const auto state = live.find(operation);
        if (state == live.end())
            continue;
        state->tokens.clear();
        state->streams.clear();
    }
    ended = Peer();
}

}  // namespace sonde
