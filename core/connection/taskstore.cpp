// SPDX-License-Identifier: Apache-2.0
#include "core/connection/taskstore.h"

#include "core/files/filelimits.h"
#include "core/files/filelock.h"
#include "core/files/readfile.h"
#include "core/files/savefile.h"
#include "core/files/userfolder.h"
#include "core/json/builder.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QSet>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

struct TaskStoreText {
    Q_DECLARE_TR_FUNCTIONS(sonde::TaskStore)
};

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

Error tasksNotSaved(const QString &path, const QString &reason)
{
    return Error::local(TaskStoreText::tr("The tasks could not be saved in %1: %2").arg(path, reason));
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

TaskStore::TaskStore(const QString &path) : m_path(path)
{
    const QString folder = userFolder(UserFolder::Data);
    if (m_path.isEmpty() && !folder.isEmpty())
        m_path = folder + u"/tasks.jsonl"_s;
}

QList<StoredTask> TaskStore::tasksOf(const ServerSpec &spec) const
{
    const StoredTask wanted = StoredTask::of(spec);
    QList<StoredTask> tasks = read();
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
    if (m_path.isEmpty())
        return noUserFolder();
    if (const Error error = makePrivateFolder(QFileInfo(m_path).absolutePath()))
        return tasksNotSaved(m_path, error.message);
    const FileLock lock(m_path + u".lock"_s);
    const QList<StoredTask> before = read();
    QList<StoredTask> tasks = before;
    change(tasks);
    if (tasks == before)
        return {};
    QSaveFile file(m_path);
    if (!file.open(QIODevice::WriteOnly))
        return tasksNotSaved(m_path, file.errorString());
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    for (const StoredTask &task : std::as_const(tasks))
        file.write(lineOf(task));
    const QString reason = commitFile(file);
    return reason.isEmpty() ? Error() : tasksNotSaved(m_path, reason);
}

// Lines that cannot be read are passed over.
QList<StoredTask> TaskStore::read() const
{
    const Result<QByteArray> text = readFile(m_path, filelimits::Tasks, IfLarger::ReadStart);
    if (!text)
        return {};
    QList<StoredTask> tasks;
    const QDateTime now = QDateTime::currentDateTimeUtc();
    for (const QByteArray &line : text->split('\n')) {
        const json::Document document = json::Document::parse(line);
        if (!document.isValid() || !document.root().isObject())
            continue;
        const StoredTask task = readLine(document.root());
        const bool isExpired = task.ttl && task.createdAt.isValid() && task.createdAt.msecsTo(now) > task.ttl->count();
        if (!task.id.isEmpty() && !isExpired)
            tasks.append(task);
    }
    return tasks;
}

}  // namespace sonde
