// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/rowtable.h"

#include <QEvent>
#include <QHeaderView>
#include <QPainter>

namespace sonde::ui {

namespace {

constexpr int LeastRowHeight = RowHeight - 3;

}  // namespace

void setUpRows(QTableView *table, int rowHeight)
{
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setTabKeyNavigation(false);
    table->setShowGrid(false);
    table->setWordWrap(false);
    QHeaderView *rows = table->verticalHeader();
    rows->hide();
    rows->setMinimumSectionSize(LeastRowHeight);
    rows->setDefaultSectionSize(rowHeight);
    rows->setSectionResizeMode(QHeaderView::Fixed);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

void fillRow(QPainter *painter, const QStyleOptionViewItem &option)
{
    if (option.state.testFlag(QStyle::State_Selected))
        painter->fillRect(option.rect, colors().selection);
    else if (option.state.testFlag(QStyle::State_MouseOver))
        painter->fillRect(option.rect, colors().field);
}

RowListView::RowListView(QWidget *parent) : QListView(parent)
{
    setFrameShape(QFrame::NoFrame);
    setUniformItemSizes(true);
    setMouseTracking(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

RowTable::RowTable(int rowHeight, QWidget *parent) : QTableView(parent)
{
    setUpRows(this, rowHeight);
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
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
