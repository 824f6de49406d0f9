// The view of calls of the timeline's model.
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/table/timelinemodel.h"

#include <algorithm>

namespace sonde::ui {

namespace {

constexpr qint64 RefoldingSliceNs = 3'000'000;
constexpr size_t MaxFilteredAnew = 500;
constexpr int RowsJudgedAnew = 256;  // of one call

template <typename Number>
void sortOnce(std::vector<Number> &numbers)
{
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

qsizetype TimelineModel::onlyCall() const
{
    return m_calls->operationOf(m_only);
}

qsizetype TimelineModel::callAt(qsizetype row) const
{
    return showsCalls() && !m_folding.isStep(row) ? m_calls->operationOf(row) : -1;
}

// Every call has rows that are not this or that: then only the request and its responses are asked.
bool TimelineModel::countsForCall(qsizetype row) const
{
    const RecordRole role = m_calls->operations()->role(row);
    return m_filter.isNegative() ? role == RecordRole::Request || role == RecordRole::Response
                                 : role != RecordRole::Transport;
}

void TimelineModel::scanForCall(qsizetype row, std::vector<quint32> &hits)
{
    const qsizetype operation = m_calls->operationOf(row);
    if (operation < 0 || (!hits.empty() && hits.back() == quint32(operation)) ||
        (m_only >= 0 && operation != onlyCall()))
        return;
    if (countsForCall(row) && m_matcher->matches(row))
        hits.push_back(quint32(operation));
}

bool TimelineModel::acceptsCall(qsizetype operation)
{
    if (m_only >= 0 && operation != onlyCall())
        return false;
    const Operations &operations = *m_calls->operations();
    qsizetype row = operations.requestRow(operation);
    for (int looked = 0; row >= 0 && looked < RowsJudgedAnew; ++looked, row = operations.rowAfter(row)) {
        if (countsForCall(row) && m_matcher->matches(row))
            return true;
    }
    return false;
}

void TimelineModel::showCalls(std::vector<quint32> operations)
{
    sortOnce(operations);
    const qsizetype lastShown = m_rows.empty() ? -1 : m_calls->operationOf(m_rows.back());
    std::vector<quint32> newest;
    for (const quint32 operation : operations) {
        const bool isNewest = qsizetype(operation) > lastShown;
        const CallFolding::Span span = isNewest ? CallFolding::Span() : m_folding.find(m_rows, operation);
        if (span.count > 0)
            continue;
        if (m_only >= 0)
            m_folding.set(operation, true);
        ++m_found;
        if (isNewest) {
            m_folding.append(newest, operation);
            continue;
        }
        std::vector<quint32> rows;
        m_folding.append(rows, operation);
        putRows(span.first, rows);
    }
    putRows(m_rows.size(), newest);
}

// Calls that changed: they get their new steps.
void TimelineModel::growCalls(std::vector<qsizetype> operations)
{
    if (m_rows.empty() || operations.empty())
        return;
    sortOnce(operations);
    const qsizetype lastShown = m_calls->operationOf(m_rows.back());
    size_t first = m_rows.size();
    size_t last = 0;
    for (const qsizetype operation : operations) {
        if (operation > lastShown)
            break;
        const CallFolding::Span span = m_folding.find(m_rows, operation);
        if (span.count == 0)
            continue;
        first = std::min(first, span.first);
        last = std::max(last, span.first + span.count - 1);
        if (!m_folding.isUnfolded(operation))
            continue;
        const std::vector<quint32> steps = m_folding.stepsAfter(m_rows[span.first + span.count - 1]);
        putRows(span.first + span.count, steps);
        last = std::max(last, span.first + span.count + steps.size() - 1);
    }
    if (first <= last)
        announcePlaces(first, last);
}

void TimelineModel::onCallsRead(const std::vector<qsizetype> &operations, qsizetype first, qsizetype last)
{
    if (!m_session)
        return;
    if (m_refolding) {
        m_waiting.insert(m_waiting.end(), operations.begin(), operations.end());
        return;
    }
    if (showsCalls()) {
        growCalls(operations);
        scanSlice();
        // What the end of a file left open is known to be unanswered now.
        if (m_calls->isComplete() && !m_session->isLive() && !m_rows.empty())
            announcePlaces(0, m_rows.size() - 1);
        return;
    }
    announce(first, last);
    if (m_only < 0)
        return;
    scanSlice();
    if (std::binary_search(operations.begin(), operations.end(), onlyCall()))
        showLinkedLate();
}

// The HTTP request of a message stands before it, but is linked after it.
void TimelineModel::showLinkedLate()
{
    const Operations &operations = *m_calls->operations();
    qsizetype row = m_onlySeen >= 0 ? operations.rowAfter(m_onlySeen) : operations.requestRow(onlyCall());
    for (; row >= 0; row = operations.rowAfter(row)) {
        m_onlySeen = row;
        if (operations.role(row) == RecordRole::Transport && row < m_scanned)
            filterAnew({row});
    }
}

// Their outcome or their partner became known.
void TimelineModel::onCallsChanged(const std::vector<qsizetype> &rows)
{
    std::vector<qsizetype> operations;
    for (const qsizetype row : rows) {
        if (const qsizetype operation = m_calls->operationOf(row); operation >= 0)
            operations.push_back(operation);
    }
    sortOnce(operations);
    if (m_filter.dependsOnResponses() && operations.size() > MaxFilteredAnew) {
        restart();
        return;
    }
    if (m_filter.dependsOnResponses()) {
        for (const qsizetype operation : operations) {
            const CallFolding::Span span = m_folding.find(m_rows, operation);
            const bool isAccepted = acceptsCall(operation);
            if (isAccepted && span.count == 0) {
                showCalls({quint32(operation)});
            } else if (!isAccepted && span.count > 0) {
                --m_found;
                takeRows(span.first, span.count);
            }
        }
    }
    growCalls(std::move(operations));
}

std::vector<qsizetype> TimelineModel::recordsOf(const QModelIndex &index) const
{
    const qsizetype row = sessionRow(index);
    if (row < 0)
        return {};
    const qsizetype call = callAt(row);
    if (call >= 0 && !m_folding.isUnfolded(call))
        return m_calls->operations()->rows(call);
    const qsizetype partner = showsCalls() ? m_session->partnerOf(row) : -1;
    return partner >= 0 ? std::vector{row, partner} : std::vector{row};
}

TimelineModel::Fold TimelineModel::fold(const QModelIndex &index) const
{
    const qsizetype operation = callAt(sessionRow(index));
    if (operation < 0 || !m_calls->operations()->at(operation).hasSteps)
        return Fold::None;
    return m_folding.isUnfolded(operation) ? Fold::Unfolded : Fold::Folded;
}

void TimelineModel::setUnfolded(const QModelIndex &index, bool unfolded)
{
    const Fold now = fold(index);
    if (now == Fold::None || (now == Fold::Unfolded) == unfolded)
        return;
    const qsizetype operation = callAt(sessionRow(index));
    const CallFolding::Span span = m_folding.find(m_rows, operation);
    m_folding.set(operation, unfolded);
    if (m_refolding)
        m_refolding->set(operation, unfolded);
    if (unfolded)
        putRows(span.first + 1, m_folding.stepsAfter(m_rows[span.first]));
    else
        takeRows(span.first + 1, span.count - 1);
    announcePlaces(span.first, span.first);
}

void TimelineModel::setAllUnfolded(bool unfolded)
{
    if (!showsCalls()) {
        m_folding.setAll(unfolded);
        return;
    }
    m_refolding.emplace(m_folding, unfolded);
    setFiltering(true);
    refold();
}

void TimelineModel::refold()
{
    if (!m_refolding->advance(m_rows, *m_calls->operations(), RefoldingSliceNs)) {
        m_timer.start(0);
        return;
    }
    RowList rows = m_refolding->takeRows();
    m_folding = m_refolding->folding();
    m_refolding.reset();
    m_timer.start(0);
    if (rows.empty())
        return;
    Q_EMIT aboutToRefold();
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
    Q_EMIT refolded();
}

void TimelineModel::reveal(qsizetype sessionRow)
{
    if (!showsCalls() || !m_calls->operations()->isStep(sessionRow))
        return;
    const CallFolding::Span span = m_folding.find(m_rows, m_calls->operationOf(sessionRow));
    if (span.count > 0)
        setUnfolded(index(int(span.first), 0), true);
}

QModelIndex TimelineModel::callOf(const QModelIndex &index) const
{
    const qsizetype row = sessionRow(index);
    if (row < 0 || !showsCalls() || !m_folding.isStep(row))
        return {};
    return this->index(int(m_folding.find(m_rows, m_calls->operationOf(row)).first), index.column());
}

QModelIndex TimelineModel::indexStandingFor(qsizetype sessionRow) const
{
    QModelIndex found = indexOfRow(sessionRow);
    if (found.isValid() || !showsCalls() || !m_session || sessionRow < 0)
        return found;
    found = indexOfRow(m_session->partnerOf(sessionRow));
    const qsizetype operation = m_calls->operationOf(sessionRow);
    return found.isValid() || operation < 0 ? found : indexOfRow(m_calls->operations()->requestRow(operation));
}

}  // namespace sonde::ui
