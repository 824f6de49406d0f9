// SPDX-License-Identifier: Apache-2.0
#include "core/calls/openoperations.h"

#include "core/json/stringcodec.h"

#include <algorithm>
#include <utility>

namespace sonde {

namespace {

constexpr qsizetype MaxOpenCandidates = 64;  // calls that wait for the same input; more are not told apart

}  // namespace

quint32 OpenOperations::open(quint32 row, LinkReason reason)
{
    const RecordInfo &record = m_session->at(row);
    const bool isLocal = record.direction == Direction::ToServer;
    const quint32 operation = quint32(m_data.operations.size());
    OperationEntry &entry = m_data.operations.emplace_back();
    entry.requestRow = entry.currentRow = entry.lastRow = row;
    entry.isLocal = isLocal;
    // The requests of a batch are counted when it is read.
    m_data.others += isLocal ? 0 : 1;
    m_data.calls += isLocal && record.messageKind != Message::Kind::Batch ? 1 : 0;
    m_data.changed.push_back(operation);
    m_data.links[row] = {operation, RecordRole::Request, reason};
    m_live[operation].connection = record.connection;
    Peer &on = peer(row);
    on.open.insert(operation);
    if (isLocal && mayBeAskedDuring(method(row)))
        on.mayAsk.insert(operation);
    return operation;
}

bool OpenOperations::awaits(quint32 operation, quint32 request) const
{
    const Operation asked = m_data.operations[operation];
    return asked.isOpen && !asked.isTask && asked.currentRow == request;
}

void OpenOperations::close(quint32 operation, quint32 row, RowOutcome outcome)
{
    OperationEntry &entry = m_data.operations[operation];
    entry.endRow = row;
    entry.isOpen = false;
    entry.outcome = outcome;
    if (entry.isLocal && outcome == RowOutcome::NotSupported) {
        --m_data.calls;
        ++m_data.others;
    }
    const auto found = m_live.constFind(operation);
    if (found == m_live.constEnd())
        return;
    const Live state = *found;
    if (state.waiting > 0) {
        m_live[operation].waiting = 1;
        endWait(operation, row);
    }
    m_live.remove(operation);
    Peer &on = m_peers[state.connection];
    on.open.remove(operation);
    on.mayAsk.remove(operation);
    for (const RequestId &token : state.tokens)
        on.tokens.end(token);
    for (const qint64 stream : state.streams)
        on.streams.end(stream);
    for (const QString &id : state.elicitations)
        on.elicitations.end(id);
    if (!state.task.isEmpty())
        m_tasks.end(state.task);
    forgetRetry(on, state.awaitedRetry, operation);
}

void OpenOperations::link(quint32 row, quint32 operation, RecordRole role, LinkReason reason)
{
    m_data.links[row] = {operation, role, reason};
    if (role == RecordRole::Retry || role == RecordRole::Poll)
        m_data.laterRequests[operation].push_back(row);
    OperationEntry &entry = m_data.operations[operation];
    m_data.links[entry.lastRow].next = row;
    entry.lastRow = row;
    entry.hasSteps = entry.hasSteps || isStepRole(role, m_session->at(row).isLate);
    touch(row, operation);
}

void OpenOperations::touch(quint32 row, quint32 operation)
{
    OperationEntry &entry = m_data.operations[operation];
    if (!std::exchange(entry.isChanged, true))
        m_data.changed.push_back(operation);
    if (m_session->at(row).direction == Direction::FromServer && entry.firstByteRow == nothing)
        entry.firstByteRow = row;
}

void OpenOperations::doubt(quint32 row, RecordRole role, LinkReason reason)
{
    m_data.links[row] = {nothing, role, reason};
}

// Which operation a server request or a notification of the server was sent in the course of.
LinkReason OpenOperations::place(quint32 row, const CallFields &fields, quint32 *operation) const
{
    if (!fields.task.isEmpty()) {
        return findTask(fields.task, operation);
    }
    const auto on = m_peers.constFind(m_session->at(row).connection);
    if (on == m_peers.constEnd())
        return LinkReason::NoOpenCall;
    const qint64 stream = streamOf(row);
    if (stream >= 0) {
        *operation = on->streams.find(stream).operation;
        return *operation == nothing ? LinkReason::OtherStream : LinkReason::Stream;
    }
    if (on->mayAsk.size() != 1)
        return on->mayAsk.isEmpty() ? LinkReason::NoOpenCall : LinkReason::SeveralCalls;
    *operation = *on->mayAsk.constBegin();
    return LinkReason::OnlyOpenCall;
}

LinkReason OpenOperations::findTask(const QString &task, quint32 *operation) const
{
    const auto found = m_tasks.find(task);
    *operation = found.operation;
    return found.isKnown() ? LinkReason::Task : found.isAmbiguous ? LinkReason::SeveralTasks : LinkReason::UnknownTask;
}

LinkReason OpenOperations::findRetried(quint32 row, const CallFields &fields, quint32 *operation)
{
    const auto on = m_peers.constFind(m_session->at(row).connection);
    const QList<quint32> candidates =
        on == m_peers.constEnd() ? QList<quint32>() : on->awaitingRetry.value(retryKey(row, fields.state));
    if (candidates.isEmpty())
        return LinkReason::UnknownRetry;
    if (candidates.size() > MaxOpenCandidates)
        return LinkReason::SeveralRetries;
    const bool hasState = !fields.state.isEmpty();
    const QList<quint32> fitting = hasState && candidates.size() == 1 ? candidates : withSameArguments(row, candidates);
    if (fitting.size() > 1)
        m_data.candidates.insert(row, {fitting.begin(), fitting.end()});
    if (fitting.size() != 1)
        return fitting.isEmpty() ? LinkReason::UnknownRetry : LinkReason::SeveralRetries;
    *operation = fitting.first();
    return hasState ? LinkReason::State : LinkReason::Arguments;
}

LinkReason OpenOperations::findRepeated(quint32 row, quint32 *operation)
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

QList<quint32> OpenOperations::withSameArguments(quint32 row, const QList<quint32> &candidates) const
{
    const QByteArray request = m_session->bytes(row);
    QList<quint32> fitting;
    for (const quint32 candidate : candidates) {
        if (haveSameArguments(request, m_session->bytes(m_data.operations[candidate].requestRow)))
            fitting.append(candidate);
    }
    return fitting;
}

// What had looked like its end was a step on the way, and a person was waited for since.
void OpenOperations::reopen(quint32 row, quint32 operation)
{
    OperationEntry &entry = m_data.operations[operation];
    const qsizetype refusal = m_session->partnerOf(entry.currentRow);
    if (refusal >= 0 && refusal < row && m_data.links[size_t(refusal)].role == RecordRole::Response) {
        m_data.links[size_t(refusal)].role = RecordRole::InputRequired;
        entry.hasSteps = true;
    }
    m_data.waits[operation].push_back({m_session->at(entry.endRow).timeNs, m_session->at(row).timeNs});
    entry.endRow = nothing;
    entry.isOpen = true;
    entry.outcome = RowOutcome::Pending;
    entry.currentRow = row;
    link(row, operation, RecordRole::Retry, LinkReason::Arguments);
    m_live[operation].connection = m_session->at(row).connection;
    Peer &on = peer(row);
    on.open.insert(operation);
    if (mayBeAskedDuring(method(row)))
        on.mayAsk.insert(operation);
}

void OpenOperations::awaitRetry(quint32 row, quint32 operation, const QByteArray &state)
{
    Peer &on = peer(row);
    on.mayAsk.remove(operation);
    Live &waiting = m_live[operation];
    waiting.awaitedRetry = retryKey(m_data.operations[operation].requestRow, state);
    on.awaitingRetry[waiting.awaitedRetry].append(operation);
}

void OpenOperations::addRetry(quint32 row, quint32 operation, LinkReason reason)
{
    Peer &on = peer(row);
    forgetRetry(on, std::exchange(m_live[operation].awaitedRetry, {}), operation);
    link(row, operation, RecordRole::Retry, reason);
    m_data.operations[operation].currentRow = row;
    endInputWait(operation, row);
    if (mayBeAskedDuring(method(row)))
        on.mayAsk.insert(operation);
}

void OpenOperations::forgetRetry(Peer &on, const QByteArray &key, quint32 operation)
{
    const auto candidates = on.awaitingRetry.find(key);
    if (candidates == on.awaitingRetry.end())
        return;
    candidates->removeOne(operation);
    if (candidates->isEmpty())
        on.awaitingRetry.erase(candidates);
}

// What cannot be answered is not waited for, nor any longer what was asked under the same id before.
void OpenOperations::openServerRequest(const RequestId &id, const ServerRequest &serverRequest)
{
    if (!id.isMatchable())
        return;
    endServerRequest(id, serverRequest.row);
    peer(serverRequest.row).serverRequests.insert(id, serverRequest);
    if (serverRequest.asksPerson)
        beginWait(serverRequest.operation, serverRequest.row);
}

OpenOperations::ServerRequest OpenOperations::endServerRequest(const RequestId &id, quint32 row)
{
    const ServerRequest serverRequest = id.isMatchable() ? peer(row).serverRequests.take(id) : ServerRequest();
    if (serverRequest.asksPerson)
        endWait(serverRequest.operation, row);
    return serverRequest;
}

void OpenOperations::addElicitation(quint32 row, quint32 operation, const QString &id)
{
    const auto state = m_live.find(operation);
    if (id.isEmpty() || state == m_live.end() || state->elicitations.contains(id))
        return;
    state->elicitations.insert(id);
    peer(row).elicitations.add(id, operation);
}

// A POST and what comes back on it share the number of a stream.
void OpenOperations::addStream(quint32 row, quint32 operation)
{
    const qint64 stream = streamOf(row);
    if (stream < 0)
        return;
    Peer &on = peer(row);
    const auto state = m_live.find(operation);
    if (state != m_live.end()) {
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

void OpenOperations::beginWait(quint32 operation, quint32 row)
{
    const auto state = m_live.find(operation);
    if (state != m_live.end() && ++state->waiting == 1)
        state->waitingSince = m_session->at(row).timeNs;
}

// Waits that overlap are one.
void OpenOperations::endWait(quint32 operation, quint32 row)
{
    const auto state = m_live.find(operation);
    if (state == m_live.end() || state->waiting == 0 || --state->waiting > 0)
        return;
    m_data.waits[operation].push_back({state->waitingSince, m_session->at(row).timeNs});
}

void OpenOperations::beginInputWait(quint32 operation, quint32 row)
{
    Live *const state = live(operation);
    if (state && !std::exchange(state->isInputWaiting, true))
        beginWait(operation, row);
}

void OpenOperations::endInputWait(quint32 operation, quint32 row)
{
    Live *const state = live(operation);
    if (state && std::exchange(state->isInputWaiting, false))
        endWait(operation, row);
}

OpenOperations::Live *OpenOperations::live(quint32 operation)
{
    const auto found = m_live.find(operation);
    return found == m_live.end() ? nullptr : &*found;
}

const OpenOperations::Live *OpenOperations::live(quint32 operation) const
{
    const auto found = m_live.constFind(operation);
    return found == m_live.constEnd() ? nullptr : &*found;
}

qint64 OpenOperations::streamOf(quint32 row) const
{
    const RecordInfo &record = m_session->at(row);
    const auto on = m_peers.constFind(record.connection);
    const bool isReceived = record.kind == WireEvent::Kind::Message && record.direction == Direction::FromServer;
    if (on != m_peers.constEnd() &&
        (on->transport == Peer::Transport::Pipe || (on->transport == Peer::Transport::Channel && isReceived)))
        return -1;
    return EventFacts::readNumber(m_session->facts(row), &EventFacts::stream).value_or(-1);
}

QByteArray OpenOperations::retryKey(quint32 request, const QByteArray &state) const
{
    const RecordInfo &record = m_session->at(request);
    const json::Value escaped = state.contains('\\') ? json::parse(state) : json::Value();
    return QByteArray::number(record.method) + ' ' + QByteArray::number(record.target) + ' ' +
           (escaped.isString() ? json::quoted(escaped.string()) : state);
}

// Nothing more comes over it. A task goes on elsewhere and can be asked about over another connection.
void OpenOperations::endConnection(quint16 connection, quint32 row)
{
    const auto found = m_peers.constFind(connection);
    if (found == m_peers.constEnd())
        return;
    std::vector<quint32> open(found->open.cbegin(), found->open.cend());
    std::sort(open.begin(), open.end());
    for (const quint32 operation : open) {
        if (!m_data.operations[operation].isTask)
            close(operation, row, RowOutcome::NoResponse);
    }
    Peer &ended = m_peers[connection];
    for (const ServerRequest &serverRequest : std::as_const(ended.serverRequests)) {
        if (serverRequest.asksPerson)
            endWait(serverRequest.operation, row);
    }
    for (const quint32 operation : open) {
        const auto state = m_live.find(operation);
        if (state == m_live.end())
            continue;
        state->tokens.clear();
        state->streams.clear();
    }
    ended = Peer();
}

void OpenOperations::endAll(quint32 row)
{
    for (auto peer = m_peers.keyBegin(); peer != m_peers.keyEnd(); ++peer)
        endConnection(*peer, row);
}

}  // namespace sonde
