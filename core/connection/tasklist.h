// The tasks of one server: those that calls have started, those of earlier starts, and those that the server lists.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/call.h"
#include "core/client/taskstate.h"
#include "core/connection/taskstore.h"

#include <QObject>
#include <QPointer>
#include <QSet>
#include <memory>
#include <optional>
#include <vector>

namespace sonde {

class Connection;

struct KnownTask {
    TaskState state;
    QString tool;                    // empty where only the server knows
    QPointer<Call> call;             // that follows it, as long as it does
    std::optional<Outcome> outcome;  // of that, when it is over
    bool isLost = false;             // the server does not know it any more; state is the last that was known
};

// Belongs to a Connection. What is stored and not over is followed as soon as the server is connected.
class TaskList : public QObject {
    Q_OBJECT
public:
    // store: null where nothing is kept between starts.
    TaskList(Connection *connection, std::shared_ptr<TaskStore> store);
    ~TaskList() override;

    const std::vector<KnownTask> &tasks() const { return m_tasks; }  // the latest first
    const KnownTask *task(const QString &id) const;                  // null: none
    bool isLoading() const { return m_pending > 0; }
    Error error() const { return m_error; }  // why the last refresh() was not complete

    // A call that may become a task.
    void watch(Call *call);
    // Asks the server for its list, or about each task where there is none.
    void refresh();
    // Null while there is no connection.
    Call *follow(const QString &id);
    void cancel(const QString &id);

Q_SIGNALS:
    void changed();
    void notSaved(const sonde::Error &reason);

private:
    void onStateChanged();
    void listPage(const QByteArray &params, int page);
    void sort();
    void loseUnlisted();
    void look(const QString &id);
    void onTaskChanged(Call *call);
    void onFinished(Call *call, const Outcome &outcome);
    KnownTask &place(const QString &id);
    void take(const TaskState &state);
    void lose(const QStringList &ids);
    void store(const KnownTask &task);

    Connection *m_connection;
    std::shared_ptr<TaskStore> m_store;
    std::vector<KnownTask> m_tasks;
    Error m_error;
    QSet<QString> m_listed;  // by the server, since refresh()
    int m_pending = 0;       // requests of refresh()
    bool m_isConnected = false;
};

}  // namespace sonde
