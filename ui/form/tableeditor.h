// Editor of a list of flat objects as a table.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/editor.h"

#include <QPersistentModelIndex>

class QMenu;

namespace sonde::ui {

class TableModel;
class TextLabel;

// Works like a spreadsheet: typing replaces the current cell, F2 and a double click edit it, Enter and Tab go on. Below
// the table is how many rows there are, or what is wrong with the current cell. A cell is edited by the editor that its
// member has in a form, so a value is the same in both. Many pasted rows are read by a worker. Rows that are hidden
// while fields are looked for are neither copied nor changed.
class TableEditor : public Editor {
    Q_OBJECT
public:
    TableEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, const QString &label,
                QWidget *parent);
    static bool canShow(const FormContext &context, const Shape &shape);

    QWidget *control() const override;
    qsizetype rankOf(const QString &token) const override;
    void rename(const QString &pointer) override;
    bool goTo(const QStringList &tokens) override;
    bool showsInner() const override { return true; }
    void setInnerIssues(const QList<FormIssue> &issues) override;
    bool reload() override;
    void setFilter(const FieldFilter *filter) override;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    class View;
    struct Pasted;

    void startCell(const QModelIndex &index, QEvent *typed = nullptr);  // into it
    Editor *makeCell(const QModelIndex &index, bool isTyped);
    void endCell();
    void placeCell();
    bool handleKey(QKeyEvent *event);
    bool handleCellKey(QKeyEvent *event);
    bool step(int rows, int columns);
    bool stepInOrder(bool next);  // false: there is no cell in that direction
    void setCurrent(qsizetype row, int column);
    int shownFrom(int row, int by) const;
    QList<int> hiddenRows() const;
    void hideRows(const QList<int> &rows);
    QList<QModelIndex> selectedCells() const;
    QList<qsizetype> selectedItems() const;
    void setCells(const QByteArray &json);  // those selected; empty: omitted
    void removeRows();
    void moveRow(int by);
    void toggle();
    void copy(bool withHeader);
    void paste();
    void takePasted(const Pasted &pasted);
    void showPasted(const Pasted &pasted);
    void fillMenu(QMenu *menu);
    void onEdited();
    void measure();
    void fitColumns();
    void fit();
    void sayState();

    QString m_label;
    TableModel *m_model;
    View *m_view;
    TextLabel *m_state;
    Editor *m_cell = nullptr;
    QPersistentModelIndex m_cellIndex;
    QByteArray m_cellBefore;
    bool m_wasCellEdited = false;
    bool m_isTyping = false;    // a choice: the arrows go on to the next cell
    QString m_letter;           // that has set a boolean, and may be the first of a word
    bool m_isChoosing = false;  // from an open list
    QList<int> m_widths;        // that columns need; empty: the user has chosen others
    bool m_isFitting = false;
    QString m_report;       // of what was pasted
    bool m_isBusy = false;  // a worker reads or writes; nothing else is edited meanwhile
    int m_pasteRun = 0;
};

}  // namespace sonde::ui
