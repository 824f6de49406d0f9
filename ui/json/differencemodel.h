// A list of differences between two JSON values, as a table.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/diff.h"

#include <QAbstractTableModel>

namespace sonde::ui {

// Rows are in the given order: the row number is the index of the difference.
class DifferenceModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum class Column { Where, Left, Right, Note };
    static constexpr int ColumnCount = 4;

    using QAbstractTableModel::QAbstractTableModel;

    void setTitles(const QString &left, const QString &right);
    void setDifferences(const QList<json::Difference> &differences);
    const json::Difference &at(int row) const { return m_differences[row]; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QList<json::Difference> m_differences;
    QString m_left = tr("Before");
    QString m_right = tr("After");
};

// For the user: "added", "removed", "type", "number text" …; empty for a plain change.
QString noteOn(const json::Difference &difference);

}  // namespace sonde::ui
