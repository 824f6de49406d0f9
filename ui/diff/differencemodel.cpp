// SPDX-License-Identifier: Apache-2.0
#include "ui/diff/differencemodel.h"

#include "core/protocol/differencetext.h"
#include "core/protocol/visibletext.h"
#include "ui/theme/widgets.h"

namespace sonde::ui {

namespace {

constexpr qsizetype MaxCellLength = 240;
constexpr qsizetype MaxToolTipLength = 2000;

}  // namespace

void DifferenceModel::setTitles(const QString &left, const QString &right)
{
    m_left = left;
    m_right = right;
    Q_EMIT headerDataChanged(Qt::Horizontal, int(Column::Left), int(Column::Right));
}

void DifferenceModel::setAction(const QString &text, const QString &accessibleText)
{
    m_action = text;
    m_accessibleAction = accessibleText;
}

void DifferenceModel::setRows(const QList<DifferenceRow> &rows)
{
    beginResetModel();
    m_rows = rows;
    endResetModel();
}

void DifferenceModel::setDifferences(const QList<json::Difference> &differences)
{
    QList<DifferenceRow> rows;
    rows.reserve(differences.size());
    for (const json::Difference &difference : differences)
        rows.append({difference});
    setRows(rows);
}

QString DifferenceModel::badge(int row) const
{
    // If a value exists only on one side, the other side says so.
    const json::Difference &difference = m_rows[row].difference;
    return hasAction() && difference.left.exists() && difference.right.exists() ? noteOn(difference) : QString();
}

int DifferenceModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int DifferenceModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString DifferenceModel::text(const QModelIndex &index, qsizetype maxLength) const
{
    const DifferenceRow &row = m_rows[index.row()];
    switch (Column(index.column())) {
        case Column::Where:
            return row.difference.pointer.isEmpty() ? tr("(whole value)") : visibleLine(row.difference.pointer);
        case Column::Left:
            return valueText(row.difference.left, maxLength);
        case Column::Right:
            return valueText(row.difference.right, maxLength);
        case Column::Note:
            break;
    }
    return isIgnored(index.row()) ? row.ignored : hasAction() ? m_action : noteOn(row.difference);
}

QVariant DifferenceModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())  // as when Ctrl+C is pressed without a current row
        return {};
    const bool isNote = Column(index.column()) == Column::Note;
    const bool isAction = isNote && hasAction() && !isIgnored(index.row());
    switch (role) {
        case Qt::DisplayRole:
            return text(index, MaxCellLength);
        case Qt::AccessibleTextRole:
            return isAction ? QVariant(m_accessibleAction) : QVariant();
        case Qt::ToolTipRole:
            if (isNote && (isAction || isIgnored(index.row())))
                return plainToolTip(m_rows[index.row()].wholeIgnored);
            return plainToolTip(text(index, MaxToolTipLength));
        default:
            return {};
    }
}

QVariant DifferenceModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (Column(section)) {
        case Column::Where:
            return tr("Path");
        case Column::Left:
            return visibleLine(m_left);
        case Column::Right:
            return visibleLine(m_right);
        case Column::Note:
            break;
    }
    return hasAction() ? QString() : tr("Change");
}

}  // namespace sonde::ui
