// One client over HTTP+SSE, the transport of 2024-11-05: it posts here, everything for it goes down one GET stream.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/common/httppeer.h"
#include "app/demo/session.h"

namespace sonde::demo {

// Deletes itself when the stream is closed: there is nothing to resume.
class SseSession : public QObject {
    Q_OBJECT
public:
    SseSession(ServerState &state, app::HttpPeer *stream, const QByteArray &endpoint, QObject *parent);

    void post(app::HttpPeer *peer, const QByteArray &body);

private:
    QPointer<app::HttpPeer> m_stream;
    Session m_session;
};

}  // namespace sonde::demo
