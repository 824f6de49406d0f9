// SPDX-License-Identifier: Apache-2.0
#include "core/client/call.h"

#include "core/client/calltask.h"
#include "core/client/client.h"

#include <algorithm>

namespace sonde {

Call::Call(Client *client, RequestId id, QString method, QByteArray params, CallOptions options)
    : QObject(client),
      m_client(client),
      m_id(std::move(id)),
      m_method(std::move(method)),
      m_params(std::move(params)),
      m_options(std::move(options)),
      m_startedAt(QDateTime::currentDateTimeUtc()),
      m_startedNs(client->now()),
      m_lastActivityNs(m_startedNs),
      m_roundMethod(m_method),
      m_roundParams(m_params)
{}

Call::~Call()
{
    if (m_client)
        m_client->forget(this);
}

qint64 Call::elapsedNs() const
{
    if (m_endedNs)
        return qMax<qint64>(*m_endedNs - m_startedNs, 0);  // one may be sent after the connection has ended
    return m_client ? m_client->now() - m_startedNs : 0;
}

void Call::cancel(const QString &reason)
{
    if (m_client)
        m_client->cancel(this, reason);
}

const TaskState *Call::task() const
{
    return m_task ? &m_task->state : nullptr;
}

bool Call::isTaskUnreachable() const
{
    return m_task && m_task->isUnreachable;
}

qint64 Call::nextLookMs() const
{
    if (!m_client || !m_task || !m_task->timer.isActive())
        return -1;
    return std::max<qint64>(0, (m_task->wakeNs - m_client->now()) / 1'000'000);
}

}  // namespace sonde
