// SPDX-License-Identifier: Apache-2.0
#include "app/demo/task.h"

#include "app/demo/rawjson.h"

#include <QTimer>
#include <QUuid>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::demo {
namespace {

constexpr qint64 MaxTtlMs = 3'600'000;

}  // namespace

Task::Task(Conversation &origin, const Request &request, const QString &id, qint64 ttlMs, QObject *parent)
    : Conversation(origin.state(), parent),
      m_id(id),
      m_revision(origin.revision()),
      m_client(origin.clientOf(request)),
      m_request(request),
      m_created(QDateTime::currentDateTimeUtc()),
      m_updated(m_created),
      m_ttlMs(ttlMs)
{
    connect(this, &Conversation::sent, this, [this](const QByteArray &message) { keep(message); });
}

Task::~Task() = default;

void Task::start(const Body &body)
{
    body(*this, m_request);
}

QString Task::statusOf(bool toolErrorsComplete) const
{
    if (m_cancelled)
        return u"cancelled"_s;
    const bool toolError = json::member(m_result, u"isError"_s) == "true";
    if (!m_error.isEmpty() || (toolError && !toolErrorsComplete))
        return u"failed"_s;
    if (!m_result.isEmpty())
        return u"completed"_s;
    return m_inputs.isEmpty() ? u"working"_s : u"input_required"_s;
}

QString Task::statusMessage() const
{
    return m_inputs.isEmpty() || isOver() ? QString() : u"Waiting for %1."_s.arg(m_inputs.constFirst().method);
}

QList<Input> Task::takeInputsToPose()
{
    return m_inputs.mid(std::exchange(m_posed, m_inputs.size()));
}

void Task::supply(const QString &key, const QByteArray &result)
{
    const auto of = [&key](const Input &input) { return input.key == key; };
    if (isOver() || m_inputs.removeIf(of) == 0)
        return;
    m_posed = std::max<qsizetype>(0, m_posed - 1);
    m_answers.insert(key, result);
    touch();
    if (m_inputs.isEmpty())
        std::exchange(m_then, {})(std::exchange(m_answers, {}));
}

void Task::cancel()
{
    if (isOver())
        return;
    cancelWork(m_request.id);
    m_cancelled = true;
    m_inputs.clear();
    touch();
}

void Task::runAsTask(const Request &request, bool, const Body &body)
{
    body(*this, request);
}

QByteArray Task::dressed(const Request &, const QByteArray &result) const
{
    return isAtLeast("2026-07-28") ? R"({"resultType":"complete",)" + result.sliced(1) : result;
}

void Task::pose(const Request &, const QList<Input> &inputs, const Then &then)
{
    m_inputs = inputs;
    m_posed = 0;
    m_then = then;
    touch();
}

// Progress and log messages of a task have no place to go.
void Task::keep(const QByteArray &message)
{
    if (isOver() || !json::member(message, u"method"_s).isEmpty())
        return;
    m_result = json::member(message, u"result"_s);
    m_error = json::member(message, u"error"_s);
    touch();
}

void Task::touch()
{
    m_updated = QDateTime::currentDateTimeUtc();
    Q_EMIT changed();
}

Task *TaskStore::create(Conversation &origin, const Request &request, qint64 ttlMs)
{
    const qint64 ttl = ttlMs > 0 ? std::min(ttlMs, MaxTtlMs) : MaxTtlMs;
    auto *task = new Task(origin, request, QUuid::createUuid().toString(QUuid::WithoutBraces), ttl, this);
    m_tasks.append(task);
    connect(task, &Task::changed, this, [this, task] { Q_EMIT changed(task); });
    QTimer::singleShot(int(ttl), task, [this, task] {
        m_tasks.removeOne(task);
        task->deleteLater();
    });
    return task;
}

Task *TaskStore::find(const QString &id) const
{
    for (Task *task : m_tasks) {
        if (task->id() == id)
            return task;
    }
    return nullptr;
}

}  // namespace sonde::demo
