// An array of JSON objects as a table that can be sorted and copied.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

#include <QWidget>

class QMenu;
class QTableView;

namespace sonde::ui {

class FlatButton;
class JsonTableModel;
class TextLabel;

// A click on a column's header sorts: ascending, descending, as received. Its menu hides columns; the menu of a cell
// has the same entries, for the keyboard. Below the table is
// how much it holds, and what copies it. Rows are read, sorted and copied by workers; cells are made when they are
// seen, so that 100,000 rows are as quick as ten. Is searched by the page that it is part of (see PageFind).
class JsonTable : public QWidget {
    Q_OBJECT
public:
    explicit JsonTable(QWidget *parent = nullptr);
    // shown: of which the array is a part, and from which JSON pointers to cells begin. Missing: the array itself.
    void setArray(const json::Value &array, const json::Value &shown = {});
    // The height of all rows, at most maxHeight: for blocks in a scrolling page.
    int heightForRows(int maxHeight) const;

Q_SIGNALS:
    void heightChanged();
    // The context menu of a cell is about to be shown; its value is Missing if the row does not have this key.
    void menuRequested(QMenu *menu, const sonde::json::Value &value);

private:
    class View;
    class Source;
    void showRows();
    void fitColumns();
    void sayHowMany();
    QList<int> shownColumns() const;
    void setColumnHidden(int column, bool isHidden);
    void addColumnActions(QMenu *menu, int column);  // column −1: none
    void showHeaderMenu(const QPoint &place);
    void showCellMenu(const QModelIndex &cell, const QPoint &globalPlace);
    void copyAs(bool isCsv);

    json::Value m_shown;
    JsonTableModel *m_model;
    View *m_view;
    Source *m_source;
    TextLabel *m_count;
    FlatButton *m_csv;
    FlatButton *m_markdown;
};

}  // namespace sonde::ui
