// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/rowtable.h"

#include "ui/theme/density.h"

#include <QHeaderView>
#include <QHoverEvent>
#include <QPainter>
#include <QScrollBar>
#include <utility>

namespace sonde::ui {

namespace {

constexpr int DenserRows = 3;  // px that a row may be lower than usual

}  // namespace

void setUpRows(QTableView *table, int extra)
{
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setTabKeyNavigation(false);
    table->setShowGrid(false);
    table->setWordWrap(false);
    QHeaderView *rows = table->verticalHeader();
    rows->hide();
    followFont(table, [rows, extra] {
        rows->setMinimumSectionSize(rowHeight() - DenserRows);
        rows->setDefaultSectionSize(textRowHeight(extra));
    });
    rows->setSectionResizeMode(QHeaderView::Fixed);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

bool isHovered(const QStyleOptionViewItem &option)
{
    const auto *table = qobject_cast<const RowTable *>(option.widget);
    if (!table)
        return option.state.testFlag(QStyle::State_MouseOver);
    return table->hoveredRow() >= 0 && table->rowAt(option.rect.center().y()) == table->hoveredRow();
}

void fillRow(QPainter *painter, const QStyleOptionViewItem &option)
{
    if (option.state.testFlag(QStyle::State_Selected))
        painter->fillRect(option.rect, colors().selection);
    else if (isHovered(option))
        painter->fillRect(option.rect, colors().field);
}

RowListView::RowListView(QWidget *parent) : QuietView(parent)
{
    setFrameShape(QFrame::NoFrame);
    setUniformItemSizes(true);
    setMouseTracking(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

RowTable::RowTable(int extra, QWidget *parent) : QuietView(parent)
{
    setUpRows(this, extra);
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

// The end of the list is reached with a whole row at the top: what is left of the height is below the last one.
void RowTable::updateGeometries()
{
    QScrollBar *bar = verticalScrollBar();
    const int value = bar->value();
    QTableView::updateGeometries();
    const int row = verticalHeader()->defaultSectionSize();
    bar->setMaximum((bar->maximum() + row - 1) / row * row);
    bar->setValue(qMax(value, bar->value()));
}

void RowTable::scrollTo(const QModelIndex &index, ScrollHint hint)
{
    QTableView::scrollTo(index, hint);
    QScrollBar *bar = verticalScrollBar();
    if (bar->value() > bar->maximum() - verticalHeader()->defaultSectionSize())
        bar->setValue(bar->maximum());
}

// Qt tells only the cell that is under the mouse.
bool RowTable::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::HoverMove || event->type() == QEvent::HoverEnter)
        setHoveredRow(rowAt(static_cast<QHoverEvent *>(event)->position().toPoint().y()));
    else if (event->type() == QEvent::HoverLeave || event->type() == QEvent::Leave)
        setHoveredRow(-1);
    return QTableView::viewportEvent(event);
}

void RowTable::setHoveredRow(int row)
{
    if (row == m_hoveredRow)
        return;
    for (const int each : {std::exchange(m_hoveredRow, row), row}) {
        if (each >= 0)
            viewport()->update(0, rowViewportPosition(each), viewport()->width(), rowHeight(each));
    }
}

// A click next to the rows keeps the selection, since it is shown elsewhere.
QItemSelectionModel::SelectionFlags RowTable::selectionCommand(const QModelIndex &index, const QEvent *event) const
{
    const bool isClick =
        event && (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonRelease);
    return isClick && !index.isValid() ? QItemSelectionModel::NoUpdate : QTableView::selectionCommand(index, event);
}

void RowTable::changeEvent(QEvent *event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        viewport()->update();
}

}  // namespace sonde::ui
