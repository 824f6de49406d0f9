// SPDX-License-Identifier: Apache-2.0
#include "app/demo/ssesession.h"

#include "app/common/localhttpserver.h"

namespace sonde::demo {

SseSession::SseSession(ServerState &state, app::HttpPeer *stream, const QByteArray &endpoint, QObject *parent)
    : QObject(parent), m_stream(stream), m_session(state)
{
    connect(stream, &QObject::destroyed, this, &QObject::deleteLater);
    connect(&m_session, &Conversation::sent, this, [this](const QByteArray &message) {
        if (m_stream)
            m_stream->sendEvent("event: message\ndata: " + message + "\n\n");
    });
    stream->beginEvents();
    stream->sendEvent("event: endpoint\ndata: " + endpoint + "\n\n");
}

void SseSession::post(app::HttpPeer *peer, const QByteArray &body)
{
    peer->respond(202, app::PlainText, "Accepted\n");
    m_session.receive(body);
}

}  // namespace sonde::demo
