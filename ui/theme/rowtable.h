// Tables that are lists: rows of one height, selected whole, without a grid.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/theme.h"

#include <QTableView>

namespace sonde::ui {

// How every list of rows behaves; what one wants otherwise is set afterwards. Tab leaves the table. One fixed height
// lets rows come at the end of a million at the cost of ten.
void setUpRows(QTableView *table, int rowHeight = RowHeight);

// One that fills its place within a window: no frame, scrolled by pixels, never sideways, drawn by a delegate.
class RowTable : public QTableView {
    Q_OBJECT
public:
    explicit RowTable(int rowHeight, QWidget *parent = nullptr);

protected:
    QItemSelectionModel::SelectionFlags selectionCommand(const QModelIndex &index, const QEvent *event) const override;
    void changeEvent(QEvent *event) override;
};

}  // namespace sonde::ui
