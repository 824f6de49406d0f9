// SPDX-License-Identifier: Apache-2.0
#include "core/connection/loglevelchoice.h"

#include "core/connection/connection.h"
#include "core/json/builder.h"
#include "core/protocol/methods.h"
#include "core/protocol/revision.h"

namespace sonde {

using namespace Qt::StringLiterals;

LogLevelChoice::LogLevelChoice(Connection *connection) : m_connection(connection) {}

const QStringList &LogLevelChoice::all()
{
    static const QStringList levels{u"debug"_s, u"info"_s,     u"notice"_s, u"warning"_s,
                                    u"error"_s, u"critical"_s, u"alert"_s,  u"emergency"_s};
    return levels;
}

bool LogLevelChoice::isPerRequest() const
{
    const std::optional<Revision> revision = revisionFromString(m_connection->serverInfo().protocolVersion);
    return revision && statelessRevisions().contains(*revision);
}

bool LogLevelChoice::isOffered() const
{
    return m_connection->state() == Connection::State::Connected &&
           (isPerRequest() || m_connection->serverInfo().capabilities[u"logging"].exists());
}

void LogLevelChoice::choose(const QString &level)
{
    if (level == m_level)
        return;
    m_level = level;
    send();
    Q_EMIT changed();
}

void LogLevelChoice::begin()
{
    m_sent.clear();
    send();
    Q_EMIT changed();
}

void LogLevelChoice::send()
{
    m_problem.clear();
    m_call.clear();
    if (m_level.isEmpty() || !isOffered() || isPerRequest())
        return;
    m_sent = m_level;
    m_call = m_connection->request(methods::SetLogLevel,
                                   json::Builder().beginObject().member(u"level", m_level).endObject().take());
    connect(m_call, &Call::finished, this, [this, call = m_call.data()](const Outcome &outcome) {
        // Of an earlier choice, which counts no more.
        if (call != m_call)
            return;
        m_problem = outcome.kind == Outcome::Kind::Ok ? QString() : outcome.error.message;
        Q_EMIT changed();
    });
}

}  // namespace sonde
