// An array of JSON objects as a table that can be sorted and copied.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

#include <QWidget>

class QTableView;

namespace sonde::ui {

class FlatButton;
class JsonTableModel;
class TextLabel;

// A click on a column's header sorts: ascending, descending, as received. Its menu hides columns. Below the table is
// how much it holds, and what copies it. Rows are read, sorted and copied by workers; cells are made when they are
// seen, so that 100,000 rows are as quick as ten. Is searched by the page that it is part of (see PageFind).
class JsonTable : public QWidget {
    Q_OBJECT
public:
    explicit JsonTable(QWidget *parent = nullptr);
    void setArray(const json::Value &array);
    // The height of all rows, at most maxHeight: for blocks in a scrolling page.
    int heightForRows(int maxHeight) const;

Q_SIGNALS:
    void heightChanged();

private:
    class View;
    class Source;
    void showRows();
    void fitColumns();
    void sayHowMany();
    QList<int> shownColumns() const;
    void setColumnHidden(int column, bool isHidden);
    void showHeaderMenu(const QPoint &place);
    void showCellMenu(const QPoint &place);
    void copyAs(bool isCsv);

    JsonTableModel *m_model;
    View *m_view;
    Source *m_source;
    TextLabel *m_count;
    FlatButton *m_csv;
    FlatButton *m_markdown;
};

}  // namespace sonde::ui
