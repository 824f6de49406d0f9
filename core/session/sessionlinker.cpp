// SPDX-License-Identifier: Apache-2.0
#include "core/session/sessionlinker.h"

#include "core/protocol/message.h"

#include <algorithm>
#include <map>

namespace sonde {

namespace {

// A second response that comes more than this many exchanges later counts as a response to nothing.
constexpr size_t Remembered = 1024;

Direction opposite(Direction direction)
{
    return direction == Direction::ToServer ? Direction::FromServer : Direction::ToServer;
}

}  // namespace

void SessionLinker::end(Side &side, const RequestId &id, Exchange &exchange, State state)
{
    exchange.state = state;
    exchange.serial = ++side.serial;
    side.ended.emplace_back(exchange.serial, id);
    if (side.ended.size() <= Remembered)
        return;
    const auto [serial, oldest] = side.ended.front();
    side.ended.pop_front();
    const auto found = side.exchanges.constFind(oldest);
    if (found != side.exchanges.constEnd() && found->serial == serial && found->state != State::Pending &&
        found->state != State::Ambiguous)
        side.exchanges.erase(found);
}

void SessionLinker::request(const RequestId &id, quint32 number, RecordInfo &record)
{
    record.outcome = RowOutcome::Pending;
    if (!id.isMatchable()) {
        // Nothing can answer it.
        record.outcome = RowOutcome::NoResponse;
        record.hasProblems = true;
        return;
    }
    Exchange &exchange = m_sides[keyOf(record.connection, record.direction)].exchanges[id];
    if (exchange.state == State::Pending || exchange.state == State::Ambiguous) {
        // Two open requests of the same id: whatever comes may belong to either.
        exchange.state = State::Ambiguous;
        exchange.latest = number;
        record.outcome = RowOutcome::NoResponse;
        record.hasProblems = true;
        return;
    }
    exchange = {State::Pending, number, number, record.method, record.target, 0};
}

void SessionLinker::response(const RequestId &id, quint32 number, RecordInfo &record, std::vector<LinkChange> &changes)
{
    if (!id.isMatchable()) {
        record.hasProblems = true;
        return;
    }
    Side &side = m_sides[keyOf(record.connection, opposite(record.direction))];
    Exchange &exchange = side.exchanges[id];
    exchange.latest = number;
    switch (exchange.state) {
        case State::Pending:
            record.partner = exchange.request;
            changes.push_back({exchange.request, number, recordOutcome(exchange.request, record.outcome)});
            record.method = exchange.method;
            record.target = exchange.target;
            end(side, id, exchange,
                record.outcome == RowOutcome::InputRequired ? State::AskedForInput : State::Answered);
            return;
        case State::GivenUp:
            record.partner = exchange.request;
            record.isLate = true;
            record.method = exchange.method;
            record.target = exchange.target;
            changes.push_back({exchange.request, number, RowOutcome::None});
            end(side, id, exchange, State::Answered);
            return;
        case State::Answered:
        case State::AskedForInput:
            record.partner = exchange.request;
            record.method = exchange.method;
            record.target = exchange.target;
            record.hasProblems = true;
            return;
        case State::Ambiguous:
            record.hasProblems = true;
            return;
        case State::Unknown:
            record.hasProblems = record.hasProblems || record.partner == 0;  // its request may be damaged in the file
            end(side, id, exchange, State::Unknown);
            return;
    }
}

void SessionLinker::requestInBatch(const RequestId &id, quint32 number, quint32 method, quint32 target,
                                   RecordInfo &batch)
{
    Batch &whole = m_batches[number];
    RecordInfo element = batch;
    element.method = method;
    element.target = target;
    if (batch.direction == Direction::FromServer && whole.open >= Message::MaxBatchResponses)
        element.outcome = RowOutcome::NoResponse;
    else
        request(id, number, element);
    batch.hasProblems = batch.hasProblems || element.hasProblems;
    if (element.outcome == RowOutcome::Pending)
        ++whole.open;
    else
        whole.worst = element.outcome;
    batch.outcome = whole.open > 0 ? RowOutcome::Pending : whole.worst;
}

// None while other requests of the same batch are open.
RowOutcome SessionLinker::recordOutcome(quint32 request, RowOutcome outcome)
{
    const auto batch = m_batches.find(request);
    if (batch == m_batches.end())
        return outcome;
    batch->worst = std::max(batch->worst, outcome);
    if (--batch->open > 0)
        return RowOutcome::None;
    const RowOutcome worst = batch->worst;
    m_batches.erase(batch);
    return worst;
}

void SessionLinker::responseInBatch(const RequestId &id, quint32 number, Direction direction, int connection,
                                    RowOutcome outcome, std::vector<LinkChange> &changes)
{
    RecordInfo element;
    element.connection = quint16(connection);
    element.direction = direction;
    element.outcome = outcome;
    response(id, number, element, changes);
}

quint32 SessionLinker::methodAwaiting(const RequestId &id, int connection, Direction direction) const
{
    const auto side = m_sides.constFind(keyOf(connection, opposite(direction)));
    if (side == m_sides.constEnd())
        return 0;
    const auto found = side->exchanges.constFind(id);
    return found != side->exchanges.constEnd() && found->state == State::Pending ? found->method : 0;
}

bool SessionLinker::isPending(const RequestId &id, int connection) const
{
    return stateOf(id, connection) == State::Pending;
}

bool SessionLinker::hasAskedForInput(const RequestId &id, int connection) const
{
    return stateOf(id, connection) == State::AskedForInput;
}

SessionLinker::State SessionLinker::stateOf(const RequestId &id, int connection) const
{
    const auto side = m_sides.constFind(keyOf(connection, Direction::ToServer));
    return side == m_sides.constEnd() ? State::Unknown : side->exchanges.value(id).state;
}

bool SessionLinker::awaits(const RequestId &id, int connection, Direction requester) const
{
    const auto side = m_sides.constFind(keyOf(connection, requester));
    if (side == m_sides.constEnd())
        return false;
    const State state = side->exchanges.value(id).state;
    return state == State::Pending || state == State::GivenUp || state == State::Ambiguous;
}

QList<RequestId> SessionLinker::pending(int connection) const
{
    std::map<quint32, RequestId> open;
    const auto side = m_sides.constFind(keyOf(connection, Direction::ToServer));
    if (side == m_sides.constEnd())
        return {};
    for (auto it = side->exchanges.cbegin(); it != side->exchanges.cend(); ++it) {
        if (it->state == State::Pending)
            open.emplace(it->request, it.key());
    }
    QList<RequestId> ids;
    for (const auto &[number, id] : open)
        ids.append(id);
    return ids;
}

quint32 SessionLinker::giveUp(const RequestId &id, int connection, RowOutcome outcome, bool isLost,
                              std::vector<LinkChange> &changes)
{
    if (!isPending(id, connection))
        return 0;
    Side &side = m_sides[keyOf(connection, Direction::ToServer)];
    Exchange &exchange = side.exchanges[id];
    const quint32 number = exchange.request;
    changes.push_back({number, 0, recordOutcome(number, outcome), false, isLost});
    end(side, id, exchange, State::GivenUp);
    return number;
}

void SessionLinker::endSide(Side &side, bool isLost, std::vector<LinkChange> &changes)
{
    std::vector<std::pair<quint32, RequestId>> open;
    for (auto it = side.exchanges.cbegin(); it != side.exchanges.cend(); ++it) {
        if (it->state == State::Pending || it->state == State::Ambiguous)
            open.emplace_back(it->request, it.key());
    }
    std::sort(open.begin(), open.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    for (const auto &[number, id] : open) {
        changes.push_back({number, 0, recordOutcome(number, RowOutcome::NoResponse), false, isLost});
        end(side, id, side.exchanges[id], State::GivenUp);
    }
}

void SessionLinker::endConnection(int connection, bool isLost, std::vector<LinkChange> &changes)
{
    for (const Direction requester : {Direction::ToServer, Direction::FromServer}) {
        const auto side = m_sides.find(keyOf(connection, requester));
        if (side != m_sides.end())
            endSide(*side, isLost, changes);
    }
}

void SessionLinker::endAll(std::vector<LinkChange> &changes)
{
    QList<quint32> keys = m_sides.keys();
    std::sort(keys.begin(), keys.end());
    for (const quint32 key : std::as_const(keys))
        endSide(m_sides[key], false, changes);
}

quint32 SessionLinker::requestOf(const RequestId &id, int connection, Direction requester) const
{
    const auto side = m_sides.constFind(keyOf(connection, requester));
    return side == m_sides.constEnd() ? 0 : side->exchanges.value(id).request;
}

quint32 SessionLinker::latest(const RequestId &id, int connection) const
{
    quint32 number = 0;
    for (const Direction requester : {Direction::ToServer, Direction::FromServer}) {
        const auto side = m_sides.constFind(keyOf(connection, requester));
        if (side != m_sides.constEnd())
            number = qMax(number, side->exchanges.value(id).latest);
    }
    return number;
}

}  // namespace sonde
