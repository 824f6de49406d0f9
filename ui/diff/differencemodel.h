// A list of differences between two JSON values, as a table.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/diff.h"

#include <QAbstractTableModel>

namespace sonde::ui {

struct DifferenceRow {
    json::Difference difference;
    QString ignored = {};       // why it does not count, in two words; empty: it counts
    QString wholeIgnored = {};  // and in full
};

// Rows are in the given order: the row number is the index of the difference. The last column says what kind of
// difference it is, or why it does not count; where differences have an action, it is that, and the kind is a badge
// beside the value on the right.
class DifferenceModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum class Column { Where, Left, Right, Note };
    static constexpr int ColumnCount = 4;

    using QAbstractTableModel::QAbstractTableModel;

    void setTitles(const QString &left, const QString &right);
    void setAction(const QString &text, const QString &accessibleText);  // for a difference that counts
    void setRows(const QList<DifferenceRow> &rows);
    void setDifferences(const QList<json::Difference> &differences);  // all of them count
    const DifferenceRow &at(int row) const { return m_rows[row]; }
    bool isIgnored(int row) const { return !m_rows[row].ignored.isEmpty(); }
    bool hasAction() const { return !m_action.isEmpty(); }
    QString badge(int row) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const QModelIndex &index, qsizetype maxLength) const;

    QList<DifferenceRow> m_rows;
    QString m_left = tr("Before");
    QString m_right = tr("After");
    QString m_action;
    QString m_accessibleAction;
};

}  // namespace sonde::ui
