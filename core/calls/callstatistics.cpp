// SPDX-License-Identifier: Apache-2.0
#include "core/calls/callstatistics.h"

#include "core/protocol/messagefields.h"
#include "core/protocol/methods.h"
#include "core/session/sessionindex.h"

#include <QElapsedTimer>
#include <algorithm>
#include <tuple>

namespace sonde {

namespace {

void count(RowOutcome outcome, CallStatistics &statistics)
{
    ++statistics.count;
    switch (outcome) {
        case RowOutcome::Ok:
            ++statistics.ok;
            break;
        case RowOutcome::ToolError:
            ++statistics.toolErrors;
            break;
        case RowOutcome::ProtocolError:
            ++statistics.protocolErrors;
            break;
        case RowOutcome::NoResponse:
            ++statistics.unanswered;
            break;
        case RowOutcome::InputRequired:
        case RowOutcome::Pending:
        case RowOutcome::None:
        case RowOutcome::NotSupported:
            ++statistics.open;
            break;
    }
}

}  // namespace

Percentiles percentiles(std::vector<qint64> valuesNs)
{
    if (valuesNs.empty())
        return {};
    std::sort(valuesNs.begin(), valuesNs.end());
    const auto rank = [&valuesNs](size_t percent) { return valuesNs[(valuesNs.size() * percent + 99) / 100 - 1]; };
    return {rank(50), rank(90), rank(99), valuesNs.back()};
}

void CallStatisticsCollector::Entry::add(const Entry &other)
{
    statistics.count += other.statistics.count;
    statistics.ok += other.statistics.ok;
    statistics.toolErrors += other.statistics.toolErrors;
    statistics.protocolErrors += other.statistics.protocolErrors;
    statistics.unanswered += other.statistics.unanswered;
    statistics.open += other.statistics.open;
    server.insert(server.end(), other.server.begin(), other.server.end());
    firstByte.insert(firstByte.end(), other.firstByte.begin(), other.firstByte.end());
}

CallStatisticsCollector::CallStatisticsCollector(const Session *session, const Operations *operations)
    : m_session(session), m_operations(operations)
{}

bool CallStatisticsCollector::advance(qint64 budgetNs)
{
    constexpr qsizetype callsBetweenClockReads = 256;
    QElapsedTimer clock;
    clock.start();
    for (const qsizetype first = m_next; m_next < m_operations->size(); ++m_next) {
        if (budgetNs >= 0 && m_next > first && (m_next - first) % callsBetweenClockReads == 0 &&
            clock.nsecsElapsed() > budgetNs)
            break;
        const qsizetype call = m_next;
        const Operation operation = m_operations->at(call);
        if (!operation.isLocal)
            continue;
        const RecordInfo &request = m_session->at(operation.requestRow);
        if (request.messageKind == Message::Kind::Batch) {
            addBatch(call);
            continue;
        }
        const RowOutcome outcome = m_operations->outcome(call);
        if (outcome == RowOutcome::NotSupported)
            continue;
        Entry &entry = m_entries[(quint64(request.method) << 32) | request.target];
        CallStatistics &statistics = entry.statistics;
        if (statistics.count == 0) {
            statistics.method = m_session->name(request.method);
            statistics.target = m_session->name(request.target);
        }
        // A subscription is open as long as the connection: that it has no response is no failure.
        const bool isSubscription = statistics.method == methods::Listen;
        count(isSubscription && outcome == RowOutcome::NoResponse ? RowOutcome::Pending : outcome, statistics);
        statistics.waitedNs += m_operations->waitedNs(call);
        if (const qint64 firstByte = m_operations->firstByteAfterNs(call); firstByte >= 0)
            entry.firstByte.push_back(firstByte);
        if (const qint64 server = m_operations->serverNs(call); server >= 0 && outcome != RowOutcome::NoResponse)
            entry.server.push_back(server);
    }
    return m_next >= m_operations->size();
}

// Each request of a batch is a call. What was waited for a person cannot be told apart, and is not taken off.
void CallStatisticsCollector::addBatch(qsizetype call)
{
    const qsizetype row = m_operations->at(call).requestRow;
    const QList<Message> elements = m_session->message(row).batch();
    const bool isOver = m_operations->outcome(call) != RowOutcome::Pending;
    for (const BatchedCall &each : m_operations->batchedCalls(call)) {
        const Message request = elements.value(each.element);
        const std::pair<QString, QString> name{request.method(), targetOf(request)};
        Entry &entry = m_batched[name];
        std::tie(entry.statistics.method, entry.statistics.target) = name;
        const bool isUnanswered = isOver && each.outcome == RowOutcome::Pending;
        count(isUnanswered ? RowOutcome::NoResponse : each.outcome, entry.statistics);
        if (m_operations->firstByteAfterNs(call) >= 0)
            entry.firstByte.push_back(m_operations->firstByteAfterNs(call));
        if (each.endNs >= 0)
            entry.server.push_back(qMax<qint64>(each.endNs - m_operations->startNs(call), 0));
    }
}

QList<CallStatistics> CallStatisticsCollector::result() const
{
    QList<CallStatistics> all;
    QHash<std::pair<QString, QString>, Entry> batched = m_batched;
    const auto add = [&all](const Entry &entry) {
        CallStatistics statistics = entry.statistics;
        statistics.server = percentiles(entry.server);
        statistics.firstByte = percentiles(entry.firstByte);
        all.append(statistics);
    };
    for (const Entry &entry : m_entries) {
        const auto also = batched.constFind({entry.statistics.method, entry.statistics.target});
        if (also == batched.constEnd()) {
            add(entry);
            continue;
        }
        Entry both = entry;
        both.add(*also);
        add(both);
        batched.erase(also);
    }
    for (const Entry &entry : std::as_const(batched))
        add(entry);
    std::sort(all.begin(), all.end(), [](const CallStatistics &left, const CallStatistics &right) {
        return std::tie(left.method, left.target) < std::tie(right.method, right.target);
    });
    return all;
}

QList<CallStatistics> callStatistics(const Session &session, const Operations &operations)
{
    CallStatisticsCollector collector(&session, &operations);
    collector.advance();
    return collector.result();
}

}  // namespace sonde
