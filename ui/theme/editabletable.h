// A table whose cells are edited in place: by a click, a double click, a key, or on moving to them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTableWidget>

namespace sonde::ui {

class EditableTable : public QTableWidget {
    Q_OBJECT
public:
    EditableTable(int rows, int columns, QWidget *parent = nullptr);

protected:
    bool edit(const QModelIndex &index, EditTrigger trigger, QEvent *event) override;
};

}  // namespace sonde::ui
