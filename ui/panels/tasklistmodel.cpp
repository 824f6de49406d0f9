// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/tasklistmodel.h"

#include "core/protocol/visibletext.h"
#include "ui/result/outcometext.h"
#include "ui/result/taskfacts.h"
#include "ui/theme/widgets.h"

#include <QPainter>
#include <QStyledItemDelegate>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr qsizetype MaxRowText = 240;

class TaskDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override { return {200, rowHeight()}; }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const auto *model = static_cast<const TaskListModel *>(index.model());
        const TaskState &task = model->at(index.row());
        const Colors &c = colors();
        painter->save();
        fillRow(painter, option);
        QRect room = option.rect.adjusted(2 * Grid, 0, -2 * Grid, 0);
        static const int statusWidth = Badge::widthFor(badgeText(TaskState::Status::InputRequired)) + Grid;
        const bool isLost = index.data(TaskListModel::LostRole).toBool();
        Badge::paint(painter, room, isLost ? lostBadgeText() : badgeText(task.status),
                     isLost ? Tone::NoResponse : toneOf(task.status));
        room.setLeft(room.left() + statusWidth);
        painter->setFont(smallFont());
        painter->setPen(c.dim);
        const QString time = task.createdAt.isValid() ? dateTimeText(task.createdAt) : QString();
        painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter, time);
        room.setRight(room.right() - QFontMetrics(smallFont()).horizontalAdvance(time) - Grid);
        const auto draw = [&](const QString &text, const QFont &font, const QColor &ink) {
            const QFontMetrics metrics(font);
            painter->setFont(font);
            painter->setPen(ink);
            const QString shown = metrics.elidedText(text, Qt::ElideRight, room.width());
            painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter, shown);
            room.setLeft(room.left() + metrics.horizontalAdvance(shown) + Grid);
        };
        draw(index.data().toString(), monoFont(), c.text);
        if (room.width() > 0)
            draw(isLost ? lostText() : visibleLine(task.message, MaxRowText), option.font, c.dim);
        painter->restore();
    }
};

}  // namespace

TaskListModel::TaskListModel(TaskList *tasks, QObject *parent) : QAbstractListModel(parent), m_tasks(tasks)
{
    connect(tasks, &TaskList::changed, this, &TaskListModel::refresh);
    refresh();
}

// Mostly one row has changed. A row is the same as long as it is of the same task.
void TaskListModel::refresh()
{
    std::vector<KnownTask> rows = m_tasks->tasks();
    const auto isSameTask = [](const KnownTask &left, const KnownTask &right) {
        return left.state.id == right.state.id;
    };
    const bool isSame = std::equal(rows.begin(), rows.end(), m_rows.begin(), m_rows.end(), isSameTask);
    if (isSame) {
        m_rows = std::move(rows);
        if (!m_rows.empty())
            Q_EMIT dataChanged(index(0), index(int(m_rows.size()) - 1));
        return;
    }
    const bool isFront = rows.size() == m_rows.size() + 1 &&
                         std::equal(m_rows.begin(), m_rows.end(), rows.begin() + 1, rows.end(), isSameTask);
    if (isFront) {
        beginInsertRows({}, 0, 0);
        m_rows = std::move(rows);
        endInsertRows();
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int TaskListModel::rowOf(const QString &id) const
{
    for (size_t row = 0; row < m_rows.size(); ++row) {
        if (m_rows[row].state.id == id)
            return int(row);
    }
    return -1;
}

int TaskListModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

QVariant TaskListModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())  // as when Ctrl+C is pressed without a current row
        return {};
    const KnownTask &row = m_rows[size_t(index.row())];
    const QString name = visibleLine(row.tool.isEmpty() ? row.state.id : row.tool, MaxRowText);
    if (role == Qt::DisplayRole)
        return name;
    if (role == LostRole)
        return row.isLost;
    if (role == Qt::AccessibleTextRole && row.isLost)
        return tr("%1, %2").arg(name, lostText());
    if (role == Qt::AccessibleTextRole)
        return tr("%1, %2, %3").arg(nameOf(row.state.status), name, visibleLine(row.state.message, MaxRowText));
    if (role == Qt::ToolTipRole)
        return plainToolTip(taskTimes(row.state));
    return {};
}

TaskListView::TaskListView(TaskListModel *model, QWidget *parent) : RowListView(parent)
{
    setObjectName(u"tasks"_s);
    setAccessibleName(tr("Tasks"));
    setModel(model);
    setItemDelegate(new TaskDelegate(this));
}

}  // namespace sonde::ui
