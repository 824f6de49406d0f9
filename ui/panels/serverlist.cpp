// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/serverlist.h"

#include "core/protocol/visibletext.h"
#include "ui/theme/density.h"
#include "ui/theme/keys.h"
#include "ui/theme/widgets.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QToolTip>
#include <algorithm>
#include <utility>

namespace sonde::ui {

namespace {

constexpr int ItemHeight = 45;   // of two lines
constexpr int ItemPadding = 5;   // above and below them
constexpr int LeastPadding = 2;  // where rows are low
constexpr int ButtonSize = 22;

int linesHeight()
{
    return QFontMetrics(QApplication::font()).height() + QFontMetrics(smallFont()).height();
}

int itemHeight()
{
    return qMax(dense(scaled(ItemHeight)), linesHeight() + 2 * LeastPadding);
}

// Half a number reads as another one: parts at the end that do not fit are left to the tooltip.
QString wholeParts(const QString &text, const QFontMetrics &metrics, int width)
{
    static const QString between = QStringLiteral(" · ");
    QString fitting = text;
    while (metrics.horizontalAdvance(fitting) > width) {
        const qsizetype last = fitting.lastIndexOf(between);
        if (last < 0)
            return metrics.elidedText(text, Qt::ElideRight, width);
        fitting.truncate(last);
    }
    return fitting;
}

QRect buttonIn(const QRect &row)
{
    return {row.right() - ButtonSize - Grid, row.top() + (row.height() - ButtonSize) / 2, ButtonSize, ButtonSize};
}

class ServerDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override { return {120, itemHeight()}; }

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
        const int padding = qBound(LeastPadding, (row.height() - linesHeight()) / 2, ItemPadding);
        const QRect text(row.left() + 27, row.top() + padding, right - row.left() - 27, row.height() - 2 * padding);

        QFont bold = option.font;
        bold.setWeight(QFont::DemiBold);
        painter->setFont(bold);
        painter->setPen(c.text);
        painter->drawText(
            text, Qt::AlignLeft | Qt::AlignTop,
            QFontMetrics(bold).elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, text.width()));
        painter->setFont(smallFont());
        const bool isFailure = index.data(ServerListModel::FailureRole).toBool();
        painter->setPen(isFailure ? color(tone) : c.dim);
        const QFontMetrics small(smallFont());
        const QString detail = index.data(ServerListModel::DetailRole).toString();
        painter->drawText(text, Qt::AlignLeft | Qt::AlignBottom,
                          isFailure ? small.elidedText(detail, Qt::ElideRight, text.width())
                                    : wholeParts(detail, small, text.width()));
        if (hasButton) {
            // Where window and panel are the same, the fill alone shows no shape.
            painter->setPen(c.window == c.panel ? QPen(c.line) : QPen(Qt::NoPen));
            painter->setBrush(option.state.testFlag(QStyle::State_Selected) ? c.panel : c.window);
            painter->drawRoundedRect(QRectF(button).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
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
}

QSize ServerListView::sizeHint() const
{
    return {220, qMax(1, shownCount()) * itemHeight()};
}

QSize ServerListView::minimumSizeHint() const
{
    return {0, itemHeight()};
}

void ServerListView::setFilter(const QString &words)
{
    m_words = words.split(u' ', Qt::SkipEmptyParts);
    applyFilter();
}

void ServerListView::applyFilter()
{
    const int rows = model() ? model()->rowCount() : 0;
    for (int row = 0; row < rows; ++row) {
        const QString text = model()->index(row, 0).data(Qt::AccessibleTextRole).toString();
        const bool matches = std::all_of(m_words.cbegin(), m_words.cend(), [&text](const QString &word) {
            return text.contains(word, Qt::CaseInsensitive);
        });
        if (isRowHidden(row) == matches)
            setRowHidden(row, !matches);
    }
}

int ServerListView::shownCount() const
{
    const int rows = model() ? model()->rowCount() : 0;
    int shown = 0;
    for (int row = 0; row < rows; ++row)
        shown += isRowHidden(row) ? 0 : 1;
    return shown;
}

QModelIndex ServerListView::firstShown() const
{
    const int rows = model() ? model()->rowCount() : 0;
    for (int row = 0; row < rows; ++row) {
        if (!isRowHidden(row))
            return model()->index(row, 0);
    }
    return {};
}

void ServerListView::dataChanged(const QModelIndex &first, const QModelIndex &last, const QList<int> &roles)
{
    RowListView::dataChanged(first, last, roles);
    applyFilter();
}

void ServerListView::reset()
{
    RowListView::reset();
    applyFilter();
}

void ServerListView::rowsInserted(const QModelIndex &parent, int start, int end)
{
    QListView::rowsInserted(parent, start, end);
    applyFilter();
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
    const bool isPlain = event->modifiers() == Qt::NoModifier && currentIndex().isValid();
    if (isPlain && event->key() == Qt::Key_F2) {
        Q_EMIT renameRequested(currentIndex());
        return;
    }
    if (isPlain && event->key() == Qt::Key_Delete) {
        Q_EMIT removeRequested(currentIndex());
        return;
    }
    if (isPlain && isEnter(event)) {
        if (currentIndex().data(ServerListModel::CanStopRole).toBool())
            Q_EMIT activated(currentIndex());
        else
            Q_EMIT startRequested(currentIndex());
        return;
    }
    QListView::keyPressEvent(event);
}

void ServerListView::paintEvent(QPaintEvent *event)
{
    RowListView::paintEvent(event);
    if (m_words.isEmpty() || shownCount() > 0)
        return;
    QPainter painter(viewport());
    painter.setPen(colors().dim);
    painter.drawText(viewport()->rect(), Qt::AlignCenter | Qt::TextWordWrap,
                     tr("No matching servers. Esc clears the filter."));
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
