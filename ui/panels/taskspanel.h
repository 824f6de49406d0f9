// The tab with the tasks of a server: the list, and the selected one below it, with its result when it is over.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/connection.h"

#include <QPointer>
#include <QWidget>

class QPushButton;

namespace sonde::ui {

class EmptyState;
class FittedSplitter;
class ResultView;
class TaskListModel;
class TaskListView;
class TextLabel;

class TasksPanel : public QWidget {
    Q_OBJECT
public:
    explicit TasksPanel(Connection *connection, QWidget *parent = nullptr);
    Connection *connection() const { return m_connection; }
    ResultView *result() const { return m_result; }
    QString task() const { return m_shownId; }  // that is selected, by its ID; empty: none
    // Without asking the server for its result. One that is not in the list may be known when the server is connected.
    void selectTask(const QString &id);

Q_SIGNALS:
    void resourceActivated(const QString &uri);

private:
    void refresh();
    void open(const QModelIndex &index);
    void showTask();
    bool isUnknown() const;  // the server does not know the selected task

    QPointer<Connection> m_connection;
    QString m_shownId;
    QPointer<Call> m_shownCall;
    QDateTime m_shownOutcome;  // when its call began
    TextLabel *m_title;
    TextLabel *m_subtitle;
    QPushButton *m_refresh;
    TaskListModel *m_model;
    TaskListView *m_list;
    EmptyState *m_empty;
    FittedSplitter *m_splitter;
    QWidget *m_detail;
    TextLabel *m_facts;
    ResultView *m_result;
};

}  // namespace sonde::ui
