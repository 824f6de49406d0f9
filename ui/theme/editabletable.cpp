// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/editabletable.h"

namespace sonde::ui {

EditableTable::EditableTable(int rows, int columns, QWidget *parent) : QTableWidget(rows, columns, parent)
{
    setEditTriggers(AllEditTriggers);
}

// Qt would wait whether a second click follows a click on a selected cell, and edit the current cell then, which may be
// gone. A second click does the same here.
bool EditableTable::edit(const QModelIndex &index, EditTrigger trigger, QEvent *event)
{
    const bool isClicked = trigger == SelectedClicked && editTriggers().testFlag(SelectedClicked);
    return QTableWidget::edit(index, isClicked && selectionModel()->isSelected(index) ? AllEditTriggers : trigger,
                              event);
}

}  // namespace sonde::ui
