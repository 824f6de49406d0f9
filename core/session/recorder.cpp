// SPDX-License-Identifier: Apache-2.0
#include "core/session/recorder.h"

#include "core/session/sessionindex.h"

namespace sonde {

Recorder::Recorder(Transport *transport, Session *session, int connection, QObject *parent)
    : QObject(parent), m_transport(transport), m_session(session), m_connection(connection)
{
    connect(transport, &Transport::tapped, this, &Recorder::record);
    connect(transport, &Transport::closed, this, &Recorder::recordEnd);
}

void Recorder::record(const WireEvent &event)
{
    m_isEnded = event.kind == WireEvent::Kind::State && endsConnection(event.eventCode);
    if (!m_session)
        return;
    const bool isLarge = event.direction == Direction::FromServer && event.bytes.size() > Message::LargeBytes;
    m_session->append(event, m_connection, isLarge && m_transport ? m_transport->holdReading() : nullptr);
}

// A process says itself that it is gone; other ways to be connected leave no trace of their end but this.
void Recorder::recordEnd(const Error &error)
{
    if (!m_session || std::exchange(m_isEnded, true))
        return;
    EventFacts facts{.what = toString(EventCode::Closed)};
    if (error)
        facts.error = error.message;
    WireEvent event;
    event.kind = WireEvent::Kind::State;
    event.eventCode = EventCode::Closed;
    event.facts = facts.toJson();
    m_session->append(event, m_connection);
}

}  // namespace sonde
