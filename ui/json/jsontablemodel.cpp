// SPDX-License-Identifier: Apache-2.0
#include "ui/json/jsontablemodel.h"

#include "core/protocol/visibletext.h"
#include "ui/json/background.h"
#include "ui/json/bytestext.h"

#include <numeric>

namespace sonde::ui {

namespace {

constexpr qsizetype CellCharacters = 300;
constexpr qsizetype CellBytes = 4096;

QString cellText(const json::Value &value)
{
    if (!value.exists())
        return {};
    if (value.isString() && value.slice().size() <= CellBytes)
        return visibleLine(value.string(), CellCharacters);
    return visibleLine(decodedUtf8(value.slice().first(qMin(CellBytes, value.slice().size()))), CellCharacters);
}

RowOrder asReceived(const JsonRows &rows)
{
    RowOrder order(rows.rows.size());
    std::iota(order.begin(), order.end(), 0U);
    return order;
}

}  // namespace

void JsonTableModel::setRows(std::shared_ptr<const JsonRows> rows)
{
    beginResetModel();
    ++m_asked;
    m_rows = std::move(rows);
    m_order = asReceived(*m_rows);
    endResetModel();
}

json::Value JsonTableModel::value(const QModelIndex &index) const
{
    return index.isValid() ? m_rows->cell(m_order[size_t(index.row())], index.column()) : json::Value();
}

QString JsonTableModel::columnName(int column) const
{
    const QString &name = m_rows->columns[column];
    return name.isNull() ? tr("(no object)") : name.isEmpty() ? tr("(empty name)") : visibleLine(name, CellCharacters);
}

void JsonTableModel::sort(int column, Qt::SortOrder order)
{
    const int asked = ++m_asked;
    if (column < 0 || column >= m_rows->columns.size()) {
        setOrder(asReceived(*m_rows));
        return;
    }
    runInBackground<RowOrder>(
        this, [rows = m_rows, column, order] { return sortedRows(*rows, column, order); },
        [this, asked](const RowOrder &sorted) {
            if (asked == m_asked)
                setOrder(sorted);
        });
}

// Every row may have another place: nothing is kept for single ones.
void JsonTableModel::setOrder(RowOrder order)
{
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    RowOrder places(order.size());
    for (size_t row = 0; row < order.size(); ++row)
        places[order[row]] = quint32(row);
    QModelIndexList after;
    for (const QModelIndex &each : before)
        after.append(index(int(places[m_order[size_t(each.row())]]), each.column()));
    m_order = std::move(order);
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, VerticalSortHint);
}

int JsonTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_order.size());
}

int JsonTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows->columns.size());
}

QVariant JsonTableModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    switch (role) {
        case Qt::DisplayRole:
            return cellText(value(index));
        case KindRole:
            return int(value(index).kind());
        default:
            return {};
    }
}

QVariant JsonTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::DisplayRole && section < columnCount())
        return columnName(section);
    // As the cells below it, by the first one.
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && section < columnCount() && rowCount() > 0)
        return int(Qt::AlignVCenter | (m_rows->cell(0, section).isNumber() ? Qt::AlignRight : Qt::AlignLeft));
    return QAbstractTableModel::headerData(section, orientation, role);
}

}  // namespace sonde::ui
