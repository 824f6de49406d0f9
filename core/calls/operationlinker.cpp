// SPDX-License-Identifier: Apache-2.0
#include "core/calls/operationlinker.h"

#include "core/protocol/methods.h"
#include "core/session/sessionindex.h"

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

enum class PollKind { None, Get, Result, Cancel, Update };

PollKind pollKind(QStringView method)
{
    return method == u"tasks/get"      ? PollKind::Get
           : method == u"tasks/result" ? PollKind::Result
           : method == u"tasks/cancel" ? PollKind::Cancel
           : method == u"tasks/update" ? PollKind::Update
                                       : PollKind::None;
}

bool isTerminal(QStringView taskStatus)
{
    return taskStatus == u"completed" || taskStatus == u"failed" || taskStatus == u"cancelled";
}

}  // namespace

void OperationLinker::add(qsizetype at)
{
    const quint32 row = quint32(at);
    m_data.links.emplace_back();
    const RecordInfo &record = m_session->at(at);
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
            addFinding(row);
            break;
        case WireEvent::Kind::Open:
            addOpening(row);
            break;
        case WireEvent::Kind::State:
            if (endsConnection(EventFacts::read(m_session->facts(at)).eventCode()))
                m_open.endConnection(record.connection, row);
            break;
        case WireEvent::Kind::End:
            m_open.endAll(row);
            break;
        default:
            break;
    }
}

void OperationLinker::addMessage(quint32 row)
{
    const RecordInfo &record = m_session->at(row);
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
            m_batches.add(row);
            break;
        case Message::Kind::Invalid:
            break;
    }
    // What belongs to nothing needs no wait for its stream any more.
    if (isOurs && m_data.links[row].operation == nothing) {
        const qint64 stream = m_open.streamOf(row);
        if (stream >= 0)
            m_open.peer(row).streamRows.remove(stream);
    }
}

void OperationLinker::addRequest(quint32 row)
{
    const CallFields fields = callFields(m_session->outline(row));
    const PollKind poll = pollKind(m_open.method(row));
    quint32 operation = nothing;
    LinkReason reason = LinkReason::None;
    if (poll != PollKind::None) {
        reason = m_open.findTask(fields.task, &operation);
        if (operation != nothing) {
            m_open.link(row, operation, RecordRole::Poll, reason);
            if (poll == PollKind::Update)
                m_open.endInputWait(operation, row);
        }
    } else if (fields.isRetry()) {
        reason = m_open.findRetried(row, fields, &operation);
        if (operation != nothing)
            m_open.addRetry(row, operation, reason);
    } else if (reason = m_open.findRepeated(row, &operation); operation != nothing) {
        m_open.reopen(row, operation);
    }
    if (operation == nothing)
        operation = m_open.open(row, reason);

    OpenOperations::Peer &on = m_open.peer(row);
    if (fields.id.isMatchable())
        on.ids.add(fields.id, operation);
    OpenOperations::Live *const live = m_open.live(operation);
    if (live && fields.token.isMatchable() && !live->tokens.contains(fields.token)) {
        on.tokens.add(fields.token, operation);
        live->tokens.insert(fields.token);
    }
    m_open.addStream(row, operation);
}

void OperationLinker::addServerRequest(quint32 row)
{
    const CallFields fields = callFields(m_session->outline(row));
    quint32 operation = nothing;
    const LinkReason reason = m_open.place(row, fields, &operation);
    if (operation != nothing)
        m_open.link(row, operation, RecordRole::ServerRequest, reason);
    else
        operation = m_open.open(row, reason);
    m_open.addElicitation(row, operation, fields.elicitation);
    m_open.openServerRequest(fields.id, {row, operation, asksPerson(m_open.method(row))});
}

void OperationLinker::addResponse(quint32 row)
{
    const RecordInfo &record = m_session->at(row);
    const qsizetype partner = m_session->partnerOf(row);
    const bool isKnown = partner >= 0 && partner < row;
    const quint32 request = isKnown ? quint32(partner) : nothing;
    quint32 operation = isKnown ? m_data.links[request].operation : nothing;
    const bool isServerRequest = isKnown && m_session->at(request).direction == Direction::FromServer;
    if (isServerRequest) {
        // A server request in a batch may belong elsewhere than the batch as a whole.
        const OpenOperations::ServerRequest asked =
            m_open.endServerRequest(callFields(m_session->outline(row)).id, row);
        if (asked.row == request)
            operation = asked.operation;
    }
    if (operation == nothing) {
        m_open.doubt(row, RecordRole::Response, LinkReason::UnknownRequest);
        return;
    }
    if (isServerRequest) {
        m_open.link(row, operation, RecordRole::ServerRequestResponse, LinkReason::Id);
        m_open.addStream(row, operation);
        if (m_data.operations[operation].requestRow == request)
            m_open.close(operation, row, record.outcome);
        return;
    }
    if (!record.isLate)
        m_open.peer(row).ids.end(callFields(m_session->outline(row)).id);
    if (m_data.links[request].role == RecordRole::Poll) {
        m_open.link(row, operation, RecordRole::PollResponse, LinkReason::Id);
        applyPollResult(row, request, operation);
        return;
    }
    m_open.link(row, operation, RecordRole::Response, LinkReason::Id);
    if (m_session->at(request).messageKind == Message::Kind::Batch)
        m_batches.endElement(row, operation, callFields(m_session->outline(row)).id, record.outcome);
    else if (!record.isLate && m_open.awaits(operation, request) && m_open.live(operation)->awaitedRetry.isEmpty())
        applyResult(row, operation);
}

void OperationLinker::addNotification(quint32 row)
{
    const RecordInfo &record = m_session->at(row);
    const QString name = m_open.method(row);
    const CallFields fields = callFields(m_session->outline(row));
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
        const auto found = m_open.peer(row).ids.find(fields.subscription);
        const qint64 stream = m_open.streamOf(row);
        const auto carrier = stream < 0 ? OperationNames<qint64>::Found() : m_open.peer(row).streams.find(stream);
        // The stream that brought it counts for more than what it says of itself.
        if (carrier.isKnown() && found.operation != carrier.operation)
            m_open.link(row, carrier.operation, RecordRole::Event, LinkReason::Stream);
        else if (found.isKnown())
            m_open.link(row, found.operation, RecordRole::Event, LinkReason::Subscription);
        else
            m_open.doubt(row, RecordRole::Event,
                         found.isAmbiguous ? LinkReason::SeveralCalls : LinkReason::UnknownRequest);
        return;
    }
    quint32 operation = nothing;
    const LinkReason reason = m_open.place(row, fields, &operation);
    const bool isLog = name == methods::LogMessage;
    if (operation != nothing && (isLog || reason == LinkReason::Stream)) {
        m_open.link(row, operation, isLog ? RecordRole::Log : RecordRole::Event, reason);
    } else if (isLog && isDoubt(reason) && reason != LinkReason::NoOpenCall && reason != LinkReason::OtherStream) {
        m_open.doubt(row, RecordRole::Log, reason);
    }
}

void OperationLinker::addCancel(quint32 row, const CallFields &fields)
{
    OpenOperations::Peer &on = m_open.peer(row);
    if (m_session->at(row).direction == Direction::FromServer) {
        // It takes back its server request, or ends a subscription of ours.
        const OpenOperations::ServerRequest asked = m_open.endServerRequest(fields.about, row);
        if (asked.operation != nothing) {
            m_open.link(row, asked.operation, RecordRole::Cancel, LinkReason::Id);
            if (m_data.operations[asked.operation].requestRow == asked.row)
                m_open.close(asked.operation, row, RowOutcome::NoResponse);
            return;
        }
    }
    // One that was given up a moment before is over already.
    const auto found = on.ids.find(fields.about);
    if (fields.about.isMatchable() && found.isKnown())
        m_open.link(row, found.operation, RecordRole::Cancel, LinkReason::Id);
    else
        m_open.doubt(row, RecordRole::Cancel, LinkReason::UnknownRequest);
}

void OperationLinker::addProgress(quint32 row, const CallFields &fields)
{
    const auto found =
        fields.token.isMatchable() ? m_open.peer(row).tokens.find(fields.token) : OperationNames<RequestId>::Found();
    if (found.isKnown())
        m_open.link(row, found.operation, RecordRole::Progress, LinkReason::Token);
    else
        m_open.doubt(row, RecordRole::Progress,
                     found.isAmbiguous ? LinkReason::SeveralTokens : LinkReason::UnknownToken);
}

void OperationLinker::addElicitationEnd(quint32 row, const CallFields &fields)
{
    const auto found = m_open.peer(row).elicitations.find(fields.elicitation);
    if (found.isKnown())
        m_open.link(row, found.operation, RecordRole::Event, LinkReason::Elicitation);
    else
        m_open.doubt(row, RecordRole::Event,
                     found.isAmbiguous ? LinkReason::SeveralElicitations : LinkReason::UnknownElicitation);
}

// Tells of a task, or was sent in the course of one.
bool OperationLinker::addTaskStatus(quint32 row, const CallFields &fields)
{
    const QString name = m_open.method(row);
    const bool isStatus = name == u"notifications/tasks" || name == u"notifications/tasks/status";
    quint32 operation = nothing;
    const LinkReason reason = m_open.findTask(fields.task, &operation);
    if (operation == nothing) {
        if (isStatus)
            m_open.doubt(row, RecordRole::TaskStatus, reason);
        return isStatus;
    }
    const bool isLog = name == methods::LogMessage;
    m_open.link(row, operation,
                isStatus ? RecordRole::TaskStatus
                : isLog  ? RecordRole::Log
                         : RecordRole::Event,
                reason);
    if (isStatus) {
        ResultFields told;
        told.status = fields.status;
        told.asksPerson = fields.asksPerson;
        applyTaskState(operation, told, row);
    }
    return true;
}

void OperationLinker::addTransport(quint32 row)
{
    const qint64 stream = m_open.streamOf(row);
    if (stream < 0)
        return;
    OpenOperations::Peer &on = m_open.peer(row);
    const auto found = on.streams.find(stream);
    if (found.isKnown())
        m_open.link(row, found.operation, RecordRole::Transport, LinkReason::Stream);
    else if (m_session->at(row).kind == WireEvent::Kind::HttpRequest)
        on.streamRows.insert(stream, row);
}

void OperationLinker::addFinding(quint32 row)
{
    const qsizetype about = m_session->partnerOf(row);
    if (about < 0 || about >= row)
        return;
    const quint32 operation = m_data.links[size_t(about)].operation;
    if (operation == nothing)
        return;
    m_open.link(row, operation, RecordRole::Finding, LinkReason::Id);
    const EventFacts facts = EventFacts::read(m_session->facts(row));
    if (facts.eventCode() != EventCode::GaveUp)
        return;
    const bool asksForInput = m_data.links[size_t(about)].role == RecordRole::InputRequired;
    const qsizetype request = asksForInput ? m_session->partnerOf(about) : about;
    const RequestId id = RequestId::fromValue(json::parse(facts.id));
    m_open.peer(row).ids.end(id);
    if (m_session->at(about).messageKind == Message::Kind::Batch)
        m_batches.endElement(row, operation, id, RowOutcome::NoResponse);
    else if (m_open.awaits(operation, quint32(request)))
        m_open.close(operation, row,
                     m_session->at(request).outcome == RowOutcome::NotSupported ? RowOutcome::NotSupported
                                                                                : RowOutcome::NoResponse);
}

void OperationLinker::addOpening(quint32 row)
{
    const RecordInfo &record = m_session->at(row);
    m_open.endConnection(record.connection, row);
    const QString transport = EventFacts::read(m_session->facts(row)).transport.value_or(QString());
    m_open.peer(row).transport = transport == u"stdio"      ? OpenOperations::Peer::Transport::Pipe
                                 : transport == u"http+sse" ? OpenOperations::Peer::Transport::Channel
                                                            : OpenOperations::Peer::Transport::Http;
}

// The response to the request that the operation waits for: its end, or a step on the way.
void OperationLinker::applyResult(quint32 row, quint32 operation)
{
    const RecordInfo &record = m_session->at(row);
    const quint32 request = m_data.operations[operation].requestRow;
    const QString name = m_open.method(request);
    const bool mayGoOn = name == methods::CallTool || name == methods::GetPrompt || name == methods::ReadResource;
    const ResultFields fields =
        record.messageKind == Message::Kind::Result && mayGoOn ? resultFields(m_session->outline(row)) : ResultFields();
    OpenOperations::Peer &on = m_open.peer(row);
    switch (fields.kind) {
        case ResultFields::Kind::Complete:
            if (record.messageKind == Message::Kind::Error) {
                const QStringList required = elicitationsRequired(m_session->outline(row));
                for (const QString &id : required)
                    m_open.addElicitation(row, operation, id);
                if (!required.isEmpty())
                    on.failedForInput[m_open.retryKey(request, {})].append(operation);
            }
            m_open.close(operation, row, record.outcome);
            break;
        case ResultFields::Kind::InputRequired:
            m_data.links[row].role = RecordRole::InputRequired;
            m_data.operations[operation].hasSteps = true;
            m_open.awaitRetry(row, operation, fields.state);
            if (fields.asksPerson)
                m_open.beginInputWait(operation, row);
            break;
        case ResultFields::Kind::Task:
            m_data.operations[operation].isTask = true;
            on.mayAsk.remove(operation);  // its server requests name the task
            m_open.live(operation)->task = fields.task;
            m_open.tasks().add(fields.task, operation);
            applyTaskState(operation, fields, row);
            break;
    }
}

void OperationLinker::applyPollResult(quint32 row, quint32 request, quint32 operation)
{
    const RecordInfo &record = m_session->at(row);
    const PollKind kind = pollKind(m_open.method(request));
    if (kind == PollKind::Result) {
        // Exactly what the call itself would have got, also after a status that told of the end already.
        m_data.links[row].role = RecordRole::Response;
        m_open.close(operation, row, record.outcome);
        return;
    }
    if (record.messageKind == Message::Kind::Result && kind != PollKind::Update)
        applyTaskState(operation, resultFields(m_session->outline(row)), row);
}

void OperationLinker::applyTaskState(quint32 operation, const ResultFields &fields, quint32 row)
{
    if (!m_open.live(operation))
        return;
    if (fields.status == u"input_required" && fields.asksPerson)
        m_open.beginInputWait(operation, row);
    else if (!fields.status.isEmpty())
        m_open.endInputWait(operation, row);
    if (!isTerminal(fields.status))
        return;
    const RowOutcome outcome = fields.hasError                 ? RowOutcome::ProtocolError
                               : fields.status == u"cancelled" ? RowOutcome::NoResponse
                               : fields.isToolError            ? RowOutcome::ToolError
                               : fields.status == u"failed"    ? RowOutcome::ToolError
                                                               : RowOutcome::Ok;
    m_open.close(operation, row, outcome);
}

}  // namespace sonde
