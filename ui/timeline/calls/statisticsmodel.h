// Statistics of each tool and method as a table.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/calls/callstatistics.h"

#include <QAbstractTableModel>

namespace sonde::ui {

class StatisticsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum class Column { Method, Target, Calls, Failed, P50, P90, P99, FirstByte, Waited, Count };
    enum Role { SortRole = Qt::UserRole + 1 };  // a number or a text

    explicit StatisticsModel(QObject *parent = nullptr);
    void setStatistics(const QList<CallStatistics> &statistics);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    static QString text(const CallStatistics &of, Column column);
    static QVariant value(const CallStatistics &of, Column column);
    QList<CallStatistics> m_statistics;
};

}  // namespace sonde::ui
