// SPDX-License-Identifier: Apache-2.0
#include "ui/replay/replaystepsmodel.h"

#include "core/protocol/visibletext.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/table/timelinetext.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

bool isNumber(ReplayStepsModel::Column column)
{
    return column == ReplayStepsModel::Column::Then || column == ReplayStepsModel::Column::Now;
}

}  // namespace

ReplayStepsModel::ReplayStepsModel(QObject *parent) : QAbstractTableModel(parent) {}

void ReplayStepsModel::setRows(QList<StepRow> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    m_shown.reset();
    endResetModel();
}

void ReplayStepsModel::setRow(qsizetype step, const StepRow &row)
{
    if (step < 0 || step >= m_rows.size())
        return;
    m_rows[step] = row;
    if (const QModelIndex first = indexOf(step); first.isValid())
        Q_EMIT dataChanged(first, first.siblingAtColumn(int(Column::Count) - 1));
}

void ReplayStepsModel::setShown(const std::optional<QList<qsizetype>> &steps)
{
    if (m_shown == steps)
        return;
    beginResetModel();
    m_shown = steps;
    endResetModel();
}

qsizetype ReplayStepsModel::stepAt(const QModelIndex &index) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return -1;
    return m_shown ? m_shown->at(index.row()) : index.row();
}

QModelIndex ReplayStepsModel::indexOf(qsizetype step) const
{
    if (step < 0 || step >= m_rows.size())
        return {};
    if (!m_shown)
        return index(int(step), 0);
    const auto found = std::lower_bound(m_shown->begin(), m_shown->end(), step);
    return found != m_shown->end() && *found == step ? index(int(found - m_shown->begin()), 0) : QModelIndex();
}

int ReplayStepsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_shown ? m_shown->size() : m_rows.size());
}

int ReplayStepsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(Column::Count);
}

QString ReplayStepsModel::text(qsizetype step, Column column) const
{
    const StepRow &row = m_rows.at(step);
    switch (column) {
        case Column::Number:
            return QString::number(step + 1);
        case Column::Step:
            return visibleLine(row.method);
        case Column::Result:
            return row.badge.text;
        case Column::Then:
            return millisecondsText(row.thenNs);
        case Column::Now:
            return millisecondsText(row.nowNs);
        case Column::Count:
            break;
    }
    return {};
}

QVariant ReplayStepsModel::data(const QModelIndex &index, int role) const
{
    const qsizetype step = stepAt(index);
    if (step < 0)
        return {};
    const StepRow &row = m_rows.at(step);
    const auto column = Column(index.column());
    switch (role) {
        case Qt::DisplayRole:
            return text(step, column);
        case Qt::AccessibleTextRole:
            if (column == Column::Step)
                return QString(visibleLine(row.method) + u' ' + visibleLine(row.target) + u' ' + visibleLine(row.note))
                    .trimmed();
            return column == Column::Result ? row.badge.words : text(step, column);
        case Qt::ToolTipRole:
            return column == Column::Step ? plainToolTip(QString(row.method + u' ' + row.target).trimmed() +
                                                         (row.note.isEmpty() ? QString() : u'\n' + row.note))
                                          : QVariant();
        case Qt::TextAlignmentRole:
            return int(isNumber(column) ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
        case TargetRole:
            return visibleLine(row.target);
        case NoteRole:
            return visibleLine(row.note);
        case BadgeRole:
            return row.badge.text;
        case ToneRole:
            return int(row.badge.tone);
        case DimRole:
            return row.status == ReplayStep::Status::Waiting || row.status == ReplayStep::Status::Skipped;
        default:
            return {};
    }
}

QVariant ReplayStepsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const auto column = Column(section);
    if (role == Qt::TextAlignmentRole)
        return int(isNumber(column) ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && isNumber(column))
        return column == Column::Then ? tr("Duration when recorded, in milliseconds")
                                      : tr("Duration in this replay, in milliseconds");
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)
        return {};
    switch (column) {
        case Column::Number:
            return u"#"_s;
        case Column::Step:
            return tr("Step");
        case Column::Result:
            return tr("Result");
        case Column::Then:
            return tr("Before (ms)");
        case Column::Now:
            return tr("After (ms)");
        case Column::Count:
            break;
    }
    return {};
}

}  // namespace sonde::ui
