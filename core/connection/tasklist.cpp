// SPDX-License-Identifier: Apache-2.0
#include "core/connection/tasklist.h"

#include "core/connection/connection.h"
#include "core/json/builder.h"
#include "core/protocol/error.h"
#include "core/protocol/methods.h"

#include <algorithm>
#include <limits>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr int MaxTaskPages = 100;

QByteArray taskIdParams(const QString &id)
{
    json::Builder params;
    return params.beginObject().member(u"taskId", id).endObject().take();
}

}  // namespace

TaskList::TaskList(Connection *connection, std::shared_ptr<TaskStore> store)
    : m_connection(connection), m_store(std::move(store))
{
    connect(connection, &Connection::stateChanged, this, &TaskList::onStateChanged);
}

TaskList::~TaskList() = default;

const KnownTask *TaskList::task(const QString &id) const
{
    const auto found =
        std::find_if(m_tasks.begin(), m_tasks.end(), [&id](const KnownTask &task) { return task.state.id == id; });
    return found == m_tasks.end() ? nullptr : &*found;
}

KnownTask &TaskList::place(const QString &id)
{
    const auto found =
        std::find_if(m_tasks.begin(), m_tasks.end(), [&id](const KnownTask &task) { return task.state.id == id; });
    if (found != m_tasks.end())
        return *found;
    m_tasks.insert(m_tasks.begin(), KnownTask());
    m_tasks.front().state.id = id;
    return m_tasks.front();
}

// At the next start they are not asked about again.
void TaskList::lose(const QStringList &ids)
{
    if (ids.isEmpty())
        return;
    if (m_store)
        (void)m_store->remove(m_connection->spec(), ids);
    for (const QString &id : ids) {
        KnownTask &known = place(id);
        known.call.clear();
        known.isLost = true;
    }
    // A server can name ever new ones. The latest stay.
    sort();
    qsizetype lost = 0;
    std::erase_if(m_tasks, [&lost](const KnownTask &known) { return known.isLost && ++lost > TaskStore::MaxTasks; });
}

void TaskList::store(const KnownTask &task)
{
    if (!m_store)
        return;
    StoredTask stored = StoredTask::of(m_connection->spec());
    stored.id = task.state.id;
    stored.tool = task.tool;
    stored.status = task.state.status;
    stored.createdAt = task.state.createdAt.isValid() ? task.state.createdAt : QDateTime::currentDateTimeUtc();
    stored.ttl = task.state.ttl;
    if (const Error error = m_store->put(stored))
        Q_EMIT notSaved(error);
}

void TaskList::onStateChanged()
{
    const bool wasConnected = std::exchange(m_isConnected, m_connection->state() == Connection::State::Connected);
    if (wasConnected || !m_isConnected || !m_store || !m_connection->taskSupport().calls)
        return;
    const QList<StoredTask> stored = m_store->tasksOf(m_connection->spec());
    for (const StoredTask &each : stored) {
        KnownTask &known = place(each.id);
        if (known.call || known.outcome)
            continue;
        known.tool = each.tool;
        known.state.status = each.status;
        known.state.createdAt = each.createdAt;
        known.state.ttl = each.ttl;
        if (!known.state.isOver() && m_connection->options().takesUpTasks)
            follow(each.id);
    }
    sort();
    if (!stored.isEmpty())
        Q_EMIT changed();
}

void TaskList::watch(Call *call)
{
    connect(call, &Call::taskChanged, this, [this, call] { onTaskChanged(call); });
    connect(call, &Call::finished, this, [this, call](const Outcome &outcome) { onFinished(call, outcome); });
}

void TaskList::onTaskChanged(Call *call)
{
    KnownTask &known = place(call->task()->id);
    const bool isNews = known.call != call || known.state.status != call->task()->status;
    known.call = call;
    known.isLost = false;
    if (known.tool.isEmpty())
        known.tool = json::parse(call->params())[u"name"].string();
    // One that is taken up again has not been described yet.
    if (call->task()->createdAt.isValid() || !known.state.createdAt.isValid())
        known.state = *call->task();
    if (isNews)
        store(known);
    Q_EMIT changed();
}

void TaskList::onFinished(Call *call, const Outcome &outcome)
{
    if (!call->task())
        return;
    const QString id = call->task()->id;
    const bool wasOver = call->task()->isOver();
    KnownTask &known = place(id);
    known.call.clear();
    if (outcome.kind == Outcome::Kind::ProtocolError && !wasOver) {
        if (outcome.error.code == errorcodes::InvalidParams)
            lose({id});
        else
            m_error = outcome.error;
        Q_EMIT changed();
        return;
    }
    if (call->task()->createdAt.isValid())
        known.state = *call->task();
    if (outcome.kind != Outcome::Kind::NoResponse || wasOver)
        known.outcome = outcome;
    else if (outcome.error.kind == Error::Kind::Cancelled)
        known.state.status = TaskState::Status::Cancelled;
    store(known);
    Q_EMIT changed();
}

void TaskList::refresh()
{
    const TaskSupport support = m_connection->taskSupport();
    if (m_pending > 0 || m_connection->state() != Connection::State::Connected ||
        (!support.calls && !support.canBeListed))
        return;
    m_error = {};
    m_listed.clear();
    if (support.canBeListed) {
        listPage({}, 1);
    } else {
        QStringList ids;
        for (const KnownTask &known : m_tasks) {
            if (!known.call && !known.outcome && !known.isLost)
                ids.append(known.state.id);
        }
        for (const QString &id : std::as_const(ids))
            look(id);
    }
    Q_EMIT changed();
}

void TaskList::listPage(const QByteArray &params, int page)
{
    ++m_pending;
    Call *call = m_connection->request(methods::ListTasks, params);
    connect(call, &Call::finished, this, [this, page](const Outcome &outcome) {
        --m_pending;
        if (outcome.kind != Outcome::Kind::Ok) {
            m_error = outcome.error;
            Q_EMIT changed();
            return;
        }
        // The server's order stays.
        std::vector<TaskState> states;
        for (const json::Value &task : outcome.result()[u"tasks"])
            states.push_back(TaskState::read(task));
        for (auto state = states.rbegin(); state != states.rend(); ++state)
            take(*state);
        for (const TaskState &state : states)
            m_listed.insert(state.id);
        const json::Value cursor = outcome.result()[u"nextCursor"];
        if (cursor.isString() && page < MaxTaskPages) {
            json::Builder next;
            listPage(next.beginObject().rawMember(u"cursor", cursor.bytes()).endObject().take(), page + 1);
        } else if (cursor.isString()) {
            m_error = Error::local(tr("Max %1 pages of tasks; the rest was not read.").arg(MaxTaskPages));
        } else {
            loseUnlisted();
        }
        sort();
        Q_EMIT changed();
    });
}

void TaskList::sort()
{
    const auto age = [](const KnownTask &task) {
        const QDateTime &time = task.state.createdAt;
        return time.isValid() ? time.toMSecsSinceEpoch() : std::numeric_limits<qint64>::max();
    };
    std::stable_sort(m_tasks.begin(), m_tasks.end(),
                     [&](const KnownTask &left, const KnownTask &right) { return age(left) > age(right); });
}

// Of an earlier process of the server, say.
void TaskList::loseUnlisted()
{
    QStringList gone;
    for (const KnownTask &known : m_tasks) {
        if (!known.call && !known.outcome && !known.isLost && !m_listed.contains(known.state.id))
            gone.append(known.state.id);
    }
    lose(gone);
}

// What the server says of a task that no call follows.
void TaskList::take(const TaskState &state)
{
    if (state.id.isEmpty())
        return;
    KnownTask &known = place(state.id);
    known.isLost = false;
    if (!known.call)
        known.state = state;
}

void TaskList::look(const QString &id)
{
    ++m_pending;
    Call *call = m_connection->request(methods::GetTask, taskIdParams(id));
    connect(call, &Call::finished, this, [this, id](const Outcome &outcome) {
        --m_pending;
        if (outcome.kind == Outcome::Kind::Ok)
            take(TaskState::read(outcome.result()));
        else if (outcome.kind == Outcome::Kind::ProtocolError && outcome.error.code == errorcodes::InvalidParams)
            lose({id});
        else
            m_error = outcome.error;
        Q_EMIT changed();
    });
}

Call *TaskList::follow(const QString &id)
{
    const KnownTask *known = task(id);
    if (known && known->call)
        return known->call;
    if (m_connection->state() != Connection::State::Connected)
        return nullptr;
    Call *call = m_connection->followTask(id, known ? known->tool : QString());
    KnownTask &followed = place(id);
    followed.call = call;
    followed.isLost = false;
    followed.outcome.reset();
    return call;
}

void TaskList::cancel(const QString &id)
{
    const KnownTask *known = task(id);
    if (known && known->call) {
        known->call->cancel(u"Cancelled by the user"_s);
        return;
    }
    Call *call = m_connection->request(methods::CancelTask, taskIdParams(id));
    connect(call, &Call::finished, this, [this, id](const Outcome &outcome) {
        if (outcome.kind == Outcome::Kind::Ok) {
            look(id);
            return;
        }
        m_error = outcome.error;
        Q_EMIT changed();
    });
}

}  // namespace sonde
