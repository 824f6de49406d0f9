// SPDX-License-Identifier: Apache-2.0
#include "core/connection/taskstore.h"

#include "core/files/filelimits.h"
#include "core/json/builder.h"

#include <QCryptographicHash>
#include <QSet>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

bool isSameTask(const StoredTask &left, const StoredTask &right)
{
    return left.server == right.server && left.target == right.target && left.id == right.id;
}

QByteArray lineOf(const StoredTask &task)
{
    json::Builder builder;
    builder.beginObject().member(u"server", task.server).member(u"target", task.target).member(u"taskId", task.id);
    builder.member(u"tool", task.tool).member(u"status", toString(task.status));
    builder.member(u"createdAt", task.createdAt.toUTC().toString(Qt::ISODateWithMs));
    if (task.ttl)
        builder.rawMember(u"ttlMs", QByteArray::number(qint64(task.ttl->count())));
    return builder.endObject().take() + '\n';
}

StoredTask readLine(const json::Value &line)
{
    const TaskState state = TaskState::read(line);
    return {line[u"server"].string(),
            line[u"target"].string(),
            state.id,
            line[u"tool"].string(),
            state.status,
            state.createdAt,
            state.ttl};
}

QList<StoredTask> tasksIn(const QByteArray &text)
{
    QList<StoredTask> tasks;
    const QDateTime now = QDateTime::currentDateTimeUtc();
    for (const json::Value &line : JsonStore::objectsIn(text)) {
        const StoredTask task = readLine(line);
        const bool isExpired = task.ttl && task.createdAt.isValid() && task.createdAt.msecsTo(now) > task.ttl->count();
        if (!task.id.isEmpty() && !isExpired)
            tasks.append(task);
    }
    return tasks;
}

}  // namespace

StoredTask StoredTask::of(const ServerSpec &spec)
{
    StoredTask task;
    task.server = spec.name;
    task.target = QString::fromLatin1(
        QCryptographicHash::hash(spec.line().toUtf8(), QCryptographicHash::Sha256).toHex().left(32));
    return task;
}

TaskStore::TaskStore(const QString &path)
    : m_file(path, {.content = JsonStore::Content::Lines, .maxBytes = filelimits::Tasks})
{}

QList<StoredTask> TaskStore::tasksOf(const ServerSpec &spec) const
{
    const StoredTask wanted = StoredTask::of(spec);
    QList<StoredTask> tasks = tasksIn(m_file.read());
    tasks.removeIf(
        [&](const StoredTask &task) { return task.server != wanted.server || task.target != wanted.target; });
    return tasks;
}

Error TaskStore::put(const StoredTask &task)
{
    return change([&task](QList<StoredTask> &tasks) {
        const auto found =
            std::find_if(tasks.begin(), tasks.end(), [&](const StoredTask &each) { return isSameTask(each, task); });
        if (found == tasks.end())
            tasks.append(task);
        else
            *found = task;
        if (tasks.size() > MaxTasks)
            tasks.remove(0, tasks.size() - MaxTasks);
    });
}

Error TaskStore::remove(const ServerSpec &spec, const QStringList &ids)
{
    const StoredTask of = StoredTask::of(spec);
    const QSet<QString> gone(ids.begin(), ids.end());
    return change([&](QList<StoredTask> &tasks) {
        tasks.removeIf([&](const StoredTask &each) {
            return each.server == of.server && each.target == of.target && gone.contains(each.id);
        });
    });
}

Error TaskStore::forgetServer(const QString &server)
{
    return change([&server](QList<StoredTask> &tasks) {
        tasks.removeIf([&](const StoredTask &each) { return each.server == server; });
    });
}

Error TaskStore::renameServer(const QString &from, const QString &to)
{
    return change([&](QList<StoredTask> &tasks) {
        for (StoredTask &task : tasks) {
            if (task.server == from)
                task.server = to;
        }
    });
}

Error TaskStore::change(const std::function<void(QList<StoredTask> &)> &change)
{
    return m_file.change([&change](const QByteArray &text) {
        const QList<StoredTask> before = tasksIn(text);
        QList<StoredTask> tasks = before;
        change(tasks);
        if (tasks == before)
            return text;
        QByteArray lines;
        for (const StoredTask &task : std::as_const(tasks))
            lines += lineOf(task);
        return lines;
    });
}

}  // namespace sonde
