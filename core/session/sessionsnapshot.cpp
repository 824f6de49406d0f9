// SPDX-License-Identifier: Apache-2.0
#include "core/session/sessionsnapshot.h"

#include "core/session/sessiondata.h"

namespace sonde {

SessionSnapshot::SessionSnapshot(const Session &session)
    : m_data(std::make_shared<const SessionData>(session.m_data->snapshot(session.isLive() || session.isLoading())))
{}

std::unique_ptr<Session> SessionSnapshot::open() const
{
    return std::unique_ptr<Session>(new Session(SessionData(*m_data)));
}

}  // namespace sonde
