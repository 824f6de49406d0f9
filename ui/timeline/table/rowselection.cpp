// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/table/rowselection.h"

#include "ui/timeline/table/timelinemodel.h"

#include <QItemSelectionModel>
#include <QTableView>
#include <algorithm>

namespace sonde::ui {

namespace {

std::vector<qsizetype> rising(std::vector<qsizetype> rows)
{
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
}

}  // namespace

RowSelection::RowSelection(const QTableView *table)
    : m_table(table), m_model(qobject_cast<const TimelineModel *>(table->model()))
{}

qsizetype RowSelection::count() const
{
    qsizetype count = 0;
    const QItemSelection selection = m_table->selectionModel()->selection();
    for (const QItemSelectionRange &range : selection)
        count += range.height();
    return count;
}

QList<qsizetype> RowSelection::rows() const
{
    QList<qsizetype> rows;
    const QModelIndexList selected = m_table->selectionModel()->selectedRows();
    for (const QModelIndex &index : selected)
        rows.append(m_model->sessionRow(index));
    std::sort(rows.begin(), rows.end());
    return rows;
}

std::optional<std::pair<qsizetype, qsizetype>> RowSelection::two() const
{
    if (count() != 2)
        return std::nullopt;
    const QItemSelection selection = m_table->selectionModel()->selection();
    return std::minmax(m_model->sessionRow(m_model->index(selection.first().top(), 0)),
                       m_model->sessionRow(m_model->index(selection.last().bottom(), 0)));
}

std::vector<qsizetype> RowSelection::records() const
{
    std::vector<qsizetype> found;
    const QItemSelection selection = m_table->selectionModel()->selection();
    for (const QItemSelectionRange &range : selection)
        add(&found, range.top(), range.bottom());
    return rising(std::move(found));
}

std::vector<qsizetype> RowSelection::allRecords() const
{
    std::vector<qsizetype> found;
    add(&found, 0, m_model->rowCount() - 1);
    return rising(std::move(found));
}

// The rows of the table from first to last.
void RowSelection::add(std::vector<qsizetype> *found, int first, int last) const
{
    for (int row = first; row <= last; ++row) {
        const std::vector<qsizetype> records = m_model->recordsOf(m_model->index(row, 0));
        found->insert(found->end(), records.begin(), records.end());
    }
}

}  // namespace sonde::ui
