// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/callfolding.h"

#include <algorithm>

namespace sonde::ui {

void CallFolding::setOperations(const Operations *operations)
{
    m_operations = operations;
    setAll(false);
}

void CallFolding::setAll(bool unfolded)
{
    m_all = unfolded;
    m_exceptions.clear();
}

void CallFolding::set(qsizetype operation, bool unfolded)
{
    if (unfolded == m_all)
        m_exceptions.remove(quint32(operation));
    else
        m_exceptions.insert(quint32(operation));
}

bool CallFolding::isUnfolded(qsizetype operation) const
{
    return m_all != m_exceptions.contains(quint32(operation));
}

CallFolding::Span CallFolding::find(const RowList &rows, qsizetype operation) const
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

size_t CallFolding::placeOf(const RowList &rows, qsizetype row) const
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

bool CallFolding::isStep(qsizetype row) const
{
    const qsizetype operation = m_operations->operationOf(row);
    return operation >= 0 && m_operations->at(operation).requestRow != quint32(row);
}

void CallFolding::append(Rows &rows, qsizetype operation) const
{
    rows.push_back(m_operations->at(operation).requestRow);
    if (m_operations->at(operation).steps == 0 || !isUnfolded(operation))
        return;
    const Rows steps = stepsAfter(rows.back());
    rows.insert(rows.end(), steps.begin(), steps.end());
}

// Steps are linked in the order in which they came, so the chain has them in order as well.
CallFolding::Rows CallFolding::stepsAfter(qsizetype row) const
{
    Rows steps;
    while ((row = m_operations->rowAfter(row)) >= 0) {
        if (m_operations->isStep(row))
            steps.push_back(quint32(row));
    }
    return steps;
}

}  // namespace sonde::ui
