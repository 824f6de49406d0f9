// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/serverlist.h"

#include "core/protocol/visibletext.h"
#include "ui/theme/keys.h"
#include "ui/theme/widgets.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QToolTip>
#include <utility>

namespace sonde::ui {

namespace {

constexpr int ItemHeight = 45;
constexpr int ButtonSize = 22;

QRect buttonIn(const QRect &row)
{
    return {row.right() - ButtonSize - Grid, row.top() + (row.height() - ButtonSize) / 2, ButtonSize, ButtonSize};
}

class ServerDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override { return {120, ItemHeight}; }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const Colors &c = colors();
        const QRect row = option.rect;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        fillRow(painter, option);

        const Tone tone = index.data(ServerListModel::ToneRole).value<Tone>();
        const bool isSession =
            index.data(ServerListModel::KindRole).value<ServerItem::Kind>() == ServerItem::Kind::Session;
        if (isSession) {
            icon(QStringLiteral("history"), Tone::NoResponse)
                .paint(painter, QRect(row.left() + 5, row.top() + 8, 14, 14));
        } else {
            painter->setPen(Qt::NoPen);
            painter->setBrush(color(tone));
            painter->drawEllipse(QPointF(row.left() + 14, row.center().y() + 1), 4.5, 4.5);
        }

        const bool canStart = index.data(ServerListModel::CanStartRole).toBool();
        const bool canStop = index.data(ServerListModel::CanStopRole).toBool();
        const bool hasButton = canStart || canStop;
        const QRect button = buttonIn(row);
        const int right = hasButton ? button.left() - Grid : row.right() - Grid;
        const QRect text(row.left() + 27, row.top() + 5, right - row.left() - 27, row.height() - 10);

        QFont bold = option.font;
        bold.setWeight(QFont::DemiBold);
        painter->setFont(bold);
        painter->setPen(c.text);
        painter->drawText(
            text, Qt::AlignLeft | Qt::AlignTop,
            QFontMetrics(bold).elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, text.width()));
        painter->setFont(smallFont());
        painter->setPen(index.data(ServerListModel::FailureRole).toBool() ? color(tone) : c.dim);
        painter->drawText(
            text, Qt::AlignLeft | Qt::AlignBottom,
            QFontMetrics(smallFont())
                .elidedText(index.data(ServerListModel::DetailRole).toString(), Qt::ElideRight, text.width()));
        if (hasButton) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(option.state.testFlag(QStyle::State_Selected) ? c.panel : c.window);
            painter->drawRoundedRect(button, 6, 6);
            icon(canStop ? QStringLiteral("stop") : QStringLiteral("play"))
                .paint(painter, button.adjusted(5, 5, -5, -5));
        }
        if (option.state.testFlag(QStyle::State_HasFocus)) {
            painter->setBrush(Qt::NoBrush);
            painter->setPen(c.accent);
            painter->drawRect(QRectF(row).adjusted(0.5, 0.5, -0.5, -0.5));
        }
        painter->restore();
    }
};

}  // namespace

void ServerListModel::setItems(const QList<ServerItem> &items)
{
    const auto sameRows = [&] {
        if (items.size() != m_items.size())
            return false;
        for (qsizetype i = 0; i < items.size(); ++i) {
            if (items[i].name != m_items[i].name || items[i].kind != m_items[i].kind)
                return false;
        }
        return true;
    };
    if (sameRows()) {
        for (qsizetype i = 0; i < items.size(); ++i) {
            if (items[i] == m_items[i])
                continue;
            m_items[i] = items[i];
            Q_EMIT dataChanged(index(int(i)), index(int(i)));
        }
        return;
    }
    beginResetModel();
    m_items = items;
    endResetModel();
}

int ServerListModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_items.size());
}

QVariant ServerListModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())  // as when Ctrl+C is pressed without a current row
        return {};
    const ServerItem &item = m_items[index.row()];
    switch (role) {
        case Qt::DisplayRole:
            return visibleLine(item.name);
        case Qt::AccessibleTextRole:
            return tr("%1, %2").arg(visibleLine(item.name), visibleLine(item.detail));
        case DetailRole:
            return visibleLine(item.detail);
        case ToneRole:
            return QVariant::fromValue(item.tone);
        case FailureRole:
            return item.isFailure;
        case CanStartRole:
            return item.canStart;
        case CanStopRole:
            return item.canStop;
        case KindRole:
            return QVariant::fromValue(item.kind);
        default:
            return {};
    }
}

ServerListView::ServerListView(QWidget *parent) : RowListView(parent)
{
    setObjectName(QStringLiteral("serverList"));
    setAccessibleName(tr("Servers"));
    setItemDelegate(new ServerDelegate(this));
    setVerticalScrollMode(ScrollPerPixel);
    setContextMenuPolicy(Qt::CustomContextMenu);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
}

QSize ServerListView::sizeHint() const
{
    const int rows = model() ? model()->rowCount() : 0;
    return {220, qBound(1, rows, 7) * ItemHeight};
}

void ServerListView::rowsInserted(const QModelIndex &parent, int start, int end)
{
    QListView::rowsInserted(parent, start, end);
    updateGeometry();
}

QRect ServerListView::buttonRect(const QModelIndex &index) const
{
    const bool any =
        index.data(ServerListModel::CanStartRole).toBool() || index.data(ServerListModel::CanStopRole).toBool();
    return index.isValid() && any ? buttonIn(visualRect(index)) : QRect();
}

ServerListView::Mark ServerListView::markAt(const QPoint &position) const
{
    const QModelIndex index = indexAt(position);
    if (!buttonRect(index).contains(position))
        return {};
    return {index.row(), index.data(ServerListModel::CanStopRole).toBool()};
}

void ServerListView::mousePressEvent(QMouseEvent *event)
{
    m_pressed = event->button() == Qt::LeftButton ? markAt(event->pos()) : Mark();
    QListView::mousePressEvent(event);
}

// A double click counts once: otherwise a server that was just started would be stopped at once.
void ServerListView::mouseDoubleClickEvent(QMouseEvent *event)
{
    m_pressed = {};
    QListView::mouseDoubleClickEvent(event);
}

void ServerListView::mouseReleaseEvent(QMouseEvent *event)
{
    QListView::mouseReleaseEvent(event);
    const Mark pressed = std::exchange(m_pressed, {});
    // The button may have a different meaning or row by now.
    if (event->button() != Qt::LeftButton || pressed.row < 0 || markAt(event->pos()) != pressed)
        return;
    const QModelIndex index = model()->index(pressed.row, 0);
    if (pressed.stops)
        Q_EMIT stopRequested(index);
    else
        Q_EMIT startRequested(index);
}

void ServerListView::mouseMoveEvent(QMouseEvent *event)
{
    QListView::mouseMoveEvent(event);
    const bool onButton = buttonRect(indexAt(event->pos())).contains(event->pos());
    viewport()->setCursor(onButton ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void ServerListView::keyPressEvent(QKeyEvent *event)
{
    if (isEnter(event) && event->modifiers() == Qt::NoModifier && currentIndex().isValid()) {
        if (currentIndex().data(ServerListModel::CanStopRole).toBool())
            Q_EMIT activated(currentIndex());
        else
            Q_EMIT startRequested(currentIndex());
        return;
    }
    QListView::keyPressEvent(event);
}

bool ServerListView::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const QModelIndex index = indexAt(help->pos());
        QString text;
        if (buttonRect(index).contains(help->pos()))
            text = index.data(ServerListModel::CanStopRole).toBool() ? tr("Stop") : tr("Start");
        else if (index.isValid())
            text = index.data(Qt::DisplayRole).toString() + u'\n' + index.data(ServerListModel::DetailRole).toString();
        QToolTip::showText(help->globalPos(), plainToolTip(text), this);
        return true;
    }
    return QListView::viewportEvent(event);
}

}  // namespace sonde::ui
