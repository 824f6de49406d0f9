// How operations begin, go on and end, and how a record finds its own.
// SPDX-License-Identifier: Apache-2.0
#include "core/operations/operationsprivate.h"
#include "core/protocol/methods.h"

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype MaxOpenCandidates = 64;  // calls that wait for the same input; more are not told apart

bool isTerminal(QStringView taskStatus)
{
    return taskStatus == u"completed" || taskStatus == u"failed" || taskStatus == u"cancelled";
}

}  // namespace

Operations::Private::PollKind Operations::Private::pollKind(QStringView method)
{
    return method == u"tasks/get"      ? PollKind::Get
           : method == u"tasks/result" ? PollKind::Result
           : method == u"tasks/cancel" ? PollKind::Cancel
           : method == u"tasks/update" ? PollKind::Update
                                       : PollKind::None;
}

bool Operations::Private::isStep(RecordRole role, bool isLate)
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

// The response to the request that the operation waits for: its end, or a step on the way.
void Operations::Private::takeResult(quint32 row, quint32 operation)
{
    const RecordInfo &record = session->at(row);
    const quint32 request = operations.requestRow(operation);
    const QString name = method(request);
    const bool mayGoOn = name == methods::CallTool || name == methods::GetPrompt || name == methods::ReadResource;
    const ResultFields fields =
        record.messageKind == Message::Kind::Result && mayGoOn ? resultFields(session->outline(row)) : ResultFields();
    Live &state = live[operation];
    Peer &on = peer(row);
    switch (fields.kind) {
        case ResultFields::Kind::Complete:
            if (record.messageKind == Message::Kind::Error) {
                const QStringList required = elicitationsRequired(session->outline(row));
                for (const QString &id : required)
                    takeElicitation(row, operation, id);
                if (!required.isEmpty())
                    on.failedForInput[retryKey(request, {})].append(operation);
            }
            close(operation, row, record.outcome);
            break;
        case ResultFields::Kind::InputRequired:
            links.setRole(row, RecordRole::InputRequired);
            operations.setSteps(operation);
            on.mayAsk.remove(operation);
            state.awaitedRetry = retryKey(request, fields.state);
            on.awaitingRetry[state.awaitedRetry].append(operation);
            state.isInputWaiting = fields.asksPerson;
            if (fields.asksPerson)
                beginWait(operation, row);
            break;
        case ResultFields::Kind::Task:
            operations.setTask(operation);
            on.mayAsk.remove(operation);  // its server requests name the task
            state.task = fields.task;
            tasks.add(fields.task, operation);
            takeTaskState(operation, fields, row);
            break;
    }
}

void Operations::Private::takePollResult(quint32 row, quint32 request, quint32 operation)
{
    const RecordInfo &record = session->at(row);
    const PollKind kind = pollKind(method(request));
    if (kind == PollKind::Result) {
        // Exactly what the call itself would have got, also after a status that told of the end already.
        links.setRole(row, RecordRole::Response);
        close(operation, row, record.outcome);
        return;
    }
    if (record.messageKind == Message::Kind::Result && kind != PollKind::Update)
        takeTaskState(operation, resultFields(session->outline(row)), row);
}

void Operations::Private::takeTaskState(quint32 operation, const ResultFields &fields, quint32 row)
{
    const auto state = live.find(operation);
    if (state == live.end())
        return;
    const bool asks = fields.status == u"input_required" && fields.asksPerson;
    if (asks && !std::exchange(state->isInputWaiting, true))
        beginWait(operation, row);
    else if (!asks && !fields.status.isEmpty() && std::exchange(state->isInputWaiting, false))
        endWait(operation, row);
    if (!isTerminal(fields.status))
        return;
    const RowOutcome outcome = fields.hasError                 ? RowOutcome::ProtocolError
                               : fields.status == u"cancelled" ? RowOutcome::NoResponse
                               : fields.isToolError            ? RowOutcome::ToolError
                               : fields.status == u"failed"    ? RowOutcome::ToolError
                                                               : RowOutcome::Ok;
    close(operation, row, outcome);
}

quint32 Operations::Private::openOperation(quint32 row, LinkReason reason)
{
    const RecordInfo &record = session->at(row);
    const bool isLocal = record.direction == Direction::ToServer;
    const quint32 operation = operations.add(row, isLocal);
    changed.push_back(operation);
    links.set(row, operation, RecordRole::Request, reason);
    live[operation].connection = record.connection;
    Peer &on = peer(row);
    on.open.insert(operation);
    if (isLocal && mayBeAskedDuring(method(row)))
        on.mayAsk.insert(operation);
    return operation;
}

bool Operations::Private::awaits(quint32 operation, quint32 request) const
{
    const Operation asked = operations.at(operation);
    return asked.isOpen && !asked.isTask && asked.currentRow == request;
}

void Operations::Private::close(quint32 operation, quint32 row, RowOutcome outcome)
{
    operations.end(operation, row, outcome);
    const auto found = live.constFind(operation);
    if (found == live.constEnd())
        return;
    const Live state = *found;
    if (state.waiting > 0) {
        live[operation].waiting = 1;
        endWait(operation, row);
    }
    live.remove(operation);
    Peer &on = peers[state.connection];
    on.open.remove(operation);
    on.mayAsk.remove(operation);
    for (const RequestId &token : state.tokens)
        on.tokens.end(token);
    for (const qint64 stream : state.streams)
        on.streams.end(stream);
    for (const QString &id : state.elicitations)
        on.elicitations.end(id);
    if (!state.task.isEmpty())
        tasks.end(state.task);
    if (!state.awaitedRetry.isEmpty()) {
        QList<quint32> &candidates = on.awaitingRetry[state.awaitedRetry];
        candidates.removeOne(operation);
        if (candidates.isEmpty())
            on.awaitingRetry.remove(state.awaitedRetry);
    }
}

void Operations::Private::link(quint32 row, quint32 operation, RecordRole role, LinkReason reason)
{
    links.set(row, operation, role, reason);
    links.setNext(operations.lastRow(operation), row);
    operations.setLastRow(operation, row);
    if (isStep(role, session->at(row).isLate))
        operations.setSteps(operation);
    touch(row, operation);
}

void Operations::Private::touch(quint32 row, quint32 operation)
{
    if (operations.setChanged(operation, true))
        changed.push_back(operation);
    if (session->at(row).direction == Direction::FromServer && operations.firstByteRow(operation) == nothing)
        operations.setFirstByteRow(operation, row);
}

void Operations::Private::doubt(quint32 row, RecordRole role, LinkReason reason)
{
    links.set(row, nothing, role, reason);
}

// Which operation a server request or a notification of the server was sent in the course of.
LinkReason Operations::Private::place(quint32 row, const CallFields &fields, quint32 *operation) const
{
    if (!fields.task.isEmpty()) {
        const auto found = tasks.find(fields.task);
        using State = OperationNames<QString>::State;
        if (found.state == State::Open || found.state == State::Ended) {
            *operation = found.operation;
            return LinkReason::Task;
        }
        return found.state == State::Ambiguous ? LinkReason::SeveralTasks : LinkReason::UnknownTask;
    }
    const auto on = peers.constFind(session->at(row).connection);
    if (on == peers.constEnd())
        return LinkReason::NoOpenCall;
    const qint64 stream = streamOf(row);
    if (stream >= 0) {
        const auto found = on->streams.find(stream);
        using State = OperationNames<qint64>::State;
        if (found.state != State::Open && found.state != State::Ended)
            return LinkReason::OtherStream;
        *operation = found.operation;
        return LinkReason::Stream;
    }
    if (on->mayAsk.size() != 1)
        return on->mayAsk.isEmpty() ? LinkReason::NoOpenCall : LinkReason::SeveralCalls;
    *operation = *on->mayAsk.constBegin();
    return LinkReason::OnlyOpenCall;
}

LinkReason Operations::Private::findRetried(quint32 row, const CallFields &fields, quint32 *operation) const
{
    const auto on = peers.constFind(session->at(row).connection);
    const QList<quint32> candidates =
        on == peers.constEnd() ? QList<quint32>() : on->awaitingRetry.value(retryKey(row, fields.state));
    if (candidates.isEmpty())
        return LinkReason::UnknownRetry;
    if (candidates.size() > MaxOpenCandidates)
        return LinkReason::SeveralRetries;
    const bool hasState = !fields.state.isEmpty();
    const QList<quint32> fitting = hasState && candidates.size() == 1 ? candidates : withSameArguments(row, candidates);
    if (fitting.size() != 1)
        return fitting.isEmpty() ? LinkReason::UnknownRetry : LinkReason::SeveralRetries;
    *operation = fitting.first();
    return hasState ? LinkReason::State : LinkReason::Arguments;
}

LinkReason Operations::Private::findRepeated(quint32 row, quint32 *operation)
{
    Peer &on = peer(row);
    const auto candidates = on.failedForInput.find(retryKey(row, {}));
    if (candidates == on.failedForInput.end())
        return LinkReason::None;
    if (candidates->size() > MaxOpenCandidates)
        return LinkReason::SeveralRetries;
    const QList<quint32> fitting = withSameArguments(row, *candidates);
    if (fitting.size() != 1)
        return fitting.isEmpty() ? LinkReason::None : LinkReason::SeveralRetries;
    *operation = fitting.first();
    candidates->removeOne(*operation);
    if (candidates->isEmpty())
        on.failedForInput.erase(candidates);
    return LinkReason::Arguments;
}

QList<quint32> Operations::Private::withSameArguments(quint32 row, const QList<quint32> &candidates) const
{
    const QByteArray request = session->bytes(row);
    QList<quint32> fitting;
    for (const quint32 candidate : candidates) {
        if (haveSameArguments(request, session->bytes(operations.requestRow(candidate))))
            fitting.append(candidate);
    }
    return fitting;
}

// What had looked like its end was a step on the way, and a person was waited for since.
void Operations::Private::reopen(quint32 row, quint32 operation)
{
    const qsizetype refusal = session->partnerOf(operations.at(operation).currentRow);
    if (refusal >= 0 && refusal < row && links.role(quint32(refusal)) == RecordRole::Response) {
        links.setRole(quint32(refusal), RecordRole::InputRequired);
        operations.setSteps(operation);
    }
    waits[operation].push_back({session->at(operations.endRow(operation)).timeNs, session->at(row).timeNs});
    operations.reopen(operation);
    operations.setCurrentRow(operation, row);
    link(row, operation, RecordRole::Retry, LinkReason::Arguments);
    live[operation].connection = session->at(row).connection;
    Peer &on = peer(row);
    on.open.insert(operation);
    if (mayBeAskedDuring(method(row)))
        on.mayAsk.insert(operation);
}

// What cannot be answered is not waited for, nor any longer what was asked under the same id before.
void Operations::Private::openServerRequest(const RequestId &id, const ServerRequest &serverRequest)
{
    if (!id.isMatchable())
        return;
    endServerRequest(id, serverRequest.row);
    peer(serverRequest.row).serverRequests.insert(id, serverRequest);
    if (serverRequest.asksPerson)
        beginWait(serverRequest.operation, serverRequest.row);
}

Operations::Private::ServerRequest Operations::Private::endServerRequest(const RequestId &id, quint32 row)
{
    const ServerRequest serverRequest = id.isMatchable() ? peer(row).serverRequests.take(id) : ServerRequest();
    if (serverRequest.asksPerson)
        endWait(serverRequest.operation, row);
    return serverRequest;
}

void Operations::Private::takeElicitation(quint32 row, quint32 operation, const QString &id)
{
    const auto state = live.find(operation);
    if (id.isEmpty() || state == live.end() || state->elicitations.contains(id))
        return;
    state->elicitations.insert(id);
    peer(row).elicitations.add(id, operation);
}

// A POST and what comes back on it share the number of a stream.
void Operations::Private::takeStream(quint32 row, quint32 operation)
{
    const qint64 stream = streamOf(row);
    if (stream < 0)
        return;
    Peer &on = peer(row);
    const auto state = live.find(operation);
    if (state != live.end()) {
        if (!state->streams.contains(stream)) {
            on.streams.add(stream, operation);
            state->streams.insert(stream);
        }
    }
    const auto request = on.streamRows.constFind(stream);
    if (request != on.streamRows.constEnd()) {
        link(*request, operation, RecordRole::Transport, LinkReason::Stream);
        on.streamRows.erase(request);
    }
}

void Operations::Private::beginWait(quint32 operation, quint32 row)
{
    const auto state = live.find(operation);
    if (state != live.end() && ++state->waiting == 1)
        state->waitingSince = session->at(row).timeNs;
}

// Waits that overlap are one.
void Operations::Private::endWait(quint32 operation, quint32 row)
{
    const auto state = live.find(operation);
    if (state == live.end() || state->waiting == 0 || --state->waiting > 0)
        return;
    waits[operation].push_back({state->waitingSince, session->at(row).timeNs});
}

qint64 Operations::Private::streamOf(quint32 row) const
{
    const auto on = peers.constFind(session->at(row).connection);
    if (on != peers.constEnd() && on->transport == Peer::Transport::Pipe)
        return -1;
    const QByteArray facts = session->facts(row);
    if (!facts.contains("\"stream\""))
        return -1;
    return json::parse(facts)[u"stream"].toInteger().value_or(-1);
}

QByteArray Operations::Private::retryKey(quint32 request, const QByteArray &state) const
{
    const RecordInfo &record = session->at(request);
    return QByteArray::number(record.method) + ' ' + QByteArray::number(record.target) + ' ' + state;
}

}  // namespace sonde
