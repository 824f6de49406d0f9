// The tasks that servers were working on, kept between starts so that their results are not lost.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/taskstate.h"
#include "core/files/jsonstore.h"
#include "core/server/serverspec.h"

#include <QList>
#include <functional>

namespace sonde {

// What is asked for again is only asked of the server that named it: the same name, and started in the same way.
struct StoredTask {
    QString server;  // by its name in the list
    QString target;  // a hash of its command line or address
    QString id;
    QString tool;
    TaskState::Status status = TaskState::Status::Working;
    QDateTime createdAt;  // UTC; where the server does not say, when Sonde heard of it
    std::optional<std::chrono::milliseconds> ttl;

    bool operator==(const StoredTask &) const = default;
    // Without a task.
    static StoredTask of(const ServerSpec &spec);
};

// A line for each task. Expired ones are left out. Arguments and results are not stored.
class TaskStore {
public:
    static constexpr qsizetype MaxTasks = 500;  // beyond it the oldest are forgotten

    explicit TaskStore(const QString &path);  // empty: in memory

    QList<StoredTask> tasksOf(const ServerSpec &spec) const;  // oldest first
    Error put(const StoredTask &task);
    Error remove(const ServerSpec &spec, const QStringList &ids);
    Error forgetServer(const QString &server);
    Error renameServer(const QString &from, const QString &to);

private:
    Error change(const std::function<void(QList<StoredTask> &)> &change);

    JsonStore m_file;
};

}  // namespace sonde
