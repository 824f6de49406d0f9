// The tasks of a server as rows: status, tool, message, time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/tasklist.h"
#include "ui/theme/rowtable.h"

#include <QAbstractListModel>

namespace sonde::ui {

class TaskListModel : public QAbstractListModel {
    Q_OBJECT
public:
    static constexpr int LostRole = Qt::UserRole + 1;  // the server does not know it any more

    explicit TaskListModel(TaskList *tasks, QObject *parent = nullptr);

    const TaskState &at(int row) const { return m_rows[size_t(row)].state; }
    int rowOf(const QString &id) const;  // -1: none

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    void refresh();
    QPointer<TaskList> m_tasks;
    std::vector<KnownTask> m_rows;
};

class TaskListView : public RowListView {
    Q_OBJECT
public:
    explicit TaskListView(TaskListModel *model, QWidget *parent = nullptr);
};

}  // namespace sonde::ui
