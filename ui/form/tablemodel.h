// A list of flat objects as a table that is edited: a row for each item, a column for each member.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/formcontext.h"
#include "ui/form/schemaform.h"

#include <QAbstractTableModel>
#include <QHash>
#include <QSet>
#include <functional>
#include <optional>

namespace sonde::ui {

struct TableColumn {
    QString name;
    Shape shape;
    bool isRequired = false;

    QByteArray jsonOf(const QString &text) const;  // of what is typed or pasted into a cell; empty: omitted
};

// Only single values; nothing that is shown as a secret. Empty: the items have no such members, or others too.
QList<TableColumn> tableColumnsOf(const FormContext &context, const Shape &list);

// Reads and writes the draft; each of its changes is one step that can be undone. Cells are read when they are seen.
// Below the last item is an empty row, which becomes an item as soon as something is entered there. Members without a
// column are kept.
class TableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role { KindRole = Qt::UserRole + 1, IssueRole, RemarkRole };  // a json::Kind, two texts

    struct Cell {
        qsizetype row = 0;
        int column = 0;
        QByteArray json;  // empty: omitted
    };

    TableModel(FormContext *context, const Draft::Ptr &list, const Shape &shape, QObject *parent);

    const QList<TableColumn> &columns() const { return m_columns; }
    qsizetype itemCount() const { return m_items.size(); }
    json::Value value(const QModelIndex &index) const;
    QString text(const QModelIndex &index) const;  // as it is copied: empty where it is omitted
    // The same of many rows, for a worker.
    QByteArrayList rows(qsizetype first, qsizetype count) const;
    bool isEditable(const QModelIndex &index) const;  // not of an item that is no object
    QString columnTitle(int column) const;

    Draft::Ptr beginCell(const QModelIndex &index);  // to be typed in; a new item is blank
    void finishCell();                               // nothing was typed: the new item goes
    void cellEdited(const QModelIndex &index);       // by its editor
    // Row by row, with new items for those below the last one. Many are put together by a worker; done: then.
    void write(const QList<Cell> &cells, const std::function<void()> &done);
    void insertItem(qsizetype row);
    void removeItems(const QList<qsizetype> &rows);  // ascending
    void moveItem(qsizetype from, qsizetype to);
    void reload();  // the draft has changed in another way
    void setIssues(const QList<FormIssue> &issues, qsizetype depth);
    qsizetype rowOf(qsizetype sent) const;  // of that item among those sent

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    void edited();

private:
    QStringList names() const;
    void addConstants(const Draft::Ptr &item) const;
    void writeCell(const Cell &cell);
    void replaceAll(const QByteArray &list);
    std::optional<FormIssue> issueAt(qsizetype row, int column) const;

    FormContext *m_context;
    Draft::Ptr m_list;
    Shape m_item;
    QList<TableColumn> m_columns;
    QList<Draft::Ptr> m_items;
    bool m_hasBlank = false;
    int m_run = 0;       // what an earlier one put together is dropped
    Draft::Ptr m_begun;  // a new item that may stay empty
    mutable const Draft *m_readItem = nullptr;
    mutable QByteArray m_readBytes;
    mutable json::Value m_read;                            // of that item
    QHash<std::pair<qsizetype, int>, FormIssue> m_issues;  // column -1: of the item
};

}  // namespace sonde::ui
