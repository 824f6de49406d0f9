// Attaches a session to a transport.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/session.h"
#include "core/transport/transport.h"

#include <QPointer>

namespace sonde {

// Make it before the client, so that a record exists before anybody reacts to what it records. Owns neither.
class Recorder : public QObject {
    Q_OBJECT
public:
    Recorder(Transport *transport, Session *session, int connection, QObject *parent = nullptr);

private:
    void record(const WireEvent &event);
    void recordEnd(const Error &error);

    QPointer<Transport> m_transport;
    QPointer<Session> m_session;
    int m_connection;
    bool m_isEnded = false;  // the last thing recorded was the connection's end
};

}  // namespace sonde
