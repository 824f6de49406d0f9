// Rows of JSON objects as a table model.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/json/jsonrows.h"

#include <QAbstractTableModel>

namespace sonde::ui {

// Makes the text of a cell when it is asked for it.
class JsonTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role { KindRole = Qt::UserRole + 1 };  // json::Kind as int

    using QAbstractTableModel::QAbstractTableModel;

    void setRows(std::shared_ptr<const JsonRows> rows);
    const std::shared_ptr<const JsonRows> &rows() const { return m_rows; }
    const RowOrder &order() const { return m_order; }
    json::Value value(const QModelIndex &index) const;
    QString columnName(int column) const;
    // On a worker; what is shown stays until it is done. Column −1: as received.
    void sort(int column, Qt::SortOrder order) override;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void setOrder(RowOrder order);

    std::shared_ptr<const JsonRows> m_rows = std::make_shared<JsonRows>();
    RowOrder m_order;
    int m_asked = 0;  // sorts; the result of an earlier one is dropped
};

}  // namespace sonde::ui
