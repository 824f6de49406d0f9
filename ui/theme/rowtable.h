// Tables that are lists: rows of one height, selected whole, without a grid.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/quietview.h"
#include "ui/theme/theme.h"

#include <QListView>
#include <QTableView>

class QPainter;

namespace sonde::ui {

// Common behaviour of all lists of rows; callers change exceptions afterwards. Tab leaves the table. One row height
// for all makes appending to a million rows as cheap as to ten; extra: how much more than usual it is, in pixels.
void setUpRows(QTableView *table, int extra = 0);

// For delegates: whether the row is under the mouse, whichever of its cells is.
bool isHovered(const QStyleOptionViewItem &option);
// The background of a row that is selected or under the mouse.
void fillRow(QPainter *painter, const QStyleOptionViewItem &option);

// A list of one column that its delegate draws: no frame, never scrolled horizontally.
class RowListView : public QuietView<QListView> {
    Q_OBJECT
public:
    explicit RowListView(QWidget *parent = nullptr);
};

// A list that fills a window area: no frame, scrolled by pixels, never horizontally, drawn by a delegate. At its end
// the row at the top is whole.
class RowTable : public QuietView<QTableView> {
    Q_OBJECT
public:
    explicit RowTable(int extra, QWidget *parent = nullptr);
    int hoveredRow() const { return m_hoveredRow; }  // -1: none
    void scrollTo(const QModelIndex &index, ScrollHint hint = EnsureVisible) override;

protected:
    void updateGeometries() override;
    bool viewportEvent(QEvent *event) override;
    QItemSelectionModel::SelectionFlags selectionCommand(const QModelIndex &index, const QEvent *event) const override;
    void changeEvent(QEvent *event) override;

private:
    void setHoveredRow(int row);
    int m_hoveredRow = -1;
};

}  // namespace sonde::ui
