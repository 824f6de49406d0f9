// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/calls/callexpansion.h"

#include <QElapsedTimer>
#include <algorithm>

namespace sonde::ui {

namespace {
constexpr int CallsBetweenClockReads = 256;
}

void CallExpansion::setOperations(const Operations *operations)
{
    m_operations = operations;
    setAll(false);
}

void CallExpansion::setAll(bool expanded)
{
    m_all = expanded;
    m_exceptions.clear();
}

void CallExpansion::set(qsizetype operation, bool expanded)
{
    if (expanded == m_all)
        m_exceptions.remove(quint32(operation));
    else
        m_exceptions.insert(quint32(operation));
}

bool CallExpansion::isExpanded(qsizetype operation) const
{
    return m_all != m_exceptions.contains(quint32(operation));
}

CallExpansion::Span CallExpansion::find(const Rows &rows, qsizetype operation) const
{
    // Most often one of the newest is looked for.
    if (rows.empty() || m_operations->operationOf(rows.back()) < operation)
        return {rows.size(), 0};
    const auto begins = std::lower_bound(rows.begin(), rows.end(), operation, [this](quint32 row, qsizetype wanted) {
        return m_operations->operationOf(row) < wanted;
    });
    const auto ends = std::upper_bound(begins, rows.end(), operation, [this](qsizetype wanted, quint32 row) {
        return wanted < m_operations->operationOf(row);
    });
    return {size_t(begins - rows.begin()), size_t(ends - begins)};
}

size_t CallExpansion::placeOf(const Rows &rows, qsizetype row) const
{
    const qsizetype operation = m_operations->operationOf(row);
    const Span span = operation < 0 ? Span() : find(rows, operation);
    if (span.count == 0)
        return rows.size();
    if (rows[span.first] == quint32(row))
        return span.first;
    const auto ends = rows.begin() + qptrdiff(span.first + span.count);
    const auto found = std::lower_bound(rows.begin() + qptrdiff(span.first) + 1, ends, quint32(row));
    return found != ends && *found == quint32(row) ? size_t(found - rows.begin()) : rows.size();
}

bool CallExpansion::isStep(qsizetype row) const
{
    const qsizetype operation = m_operations->operationOf(row);
    return operation >= 0 && m_operations->requestRow(operation) != row;
}

void CallExpansion::append(Rows &rows, qsizetype operation) const
{
    rows.push_back(quint32(m_operations->requestRow(operation)));
    if (showsSteps(operation))
        appendSteps(rows, rows.back());
}

bool CallExpansion::showsSteps(qsizetype operation) const
{
    return isExpanded(operation) && m_operations->at(operation).hasSteps;
}

CallExpansion::Rows CallExpansion::stepsAfter(qsizetype row) const
{
    Rows steps;
    appendSteps(steps, row);
    return steps;
}

// Steps are linked in the order in which they came, so the chain has them in order as well.
void CallExpansion::appendSteps(Rows &rows, qsizetype after) const
{
    for (qsizetype row = m_operations->rowAfter(after); row >= 0; row = m_operations->rowAfter(row)) {
        if (m_operations->isStep(row))
            rows.push_back(quint32(row));
    }
}

BulkExpansion::BulkExpansion(const CallExpansion &expansion, bool expanded) : m_expansion(expansion)
{
    m_expansion.setAll(expanded);
}

void BulkExpansion::set(qsizetype operation, bool expanded)
{
    m_expansion.set(operation, expanded);
    m_rows.clear();
    m_next = 0;
    m_inside = -1;
}

bool BulkExpansion::advance(const CallExpansion::Rows &shown, const Operations &operations, qint64 budgetNs)
{
    QElapsedTimer clock;
    clock.start();
    // A single call may have any number of steps.
    for (int looked = 1; m_next < shown.size() || m_inside >= 0; ++looked) {
        if (m_inside >= 0) {
            m_inside = operations.rowAfter(m_inside);
            if (m_inside >= 0 && operations.isStep(m_inside))
                m_rows.push_back(quint32(m_inside));
        } else if (const qsizetype row = shown[m_next++]; !m_expansion.isStep(row)) {
            m_rows.push_back(quint32(row));
            m_inside = m_expansion.showsSteps(operations.operationOf(row)) ? row : -1;
        }
        if (looked % CallsBetweenClockReads == 0 && clock.nsecsElapsed() > budgetNs)
            break;
    }
    return m_next == shown.size() && m_inside < 0;
}

}  // namespace sonde::ui
