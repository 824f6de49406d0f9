// One request of the stateless era over HTTP: its headers, its response or its stream.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/common/httppeer.h"
#include "app/demo/statelessconversation.h"

namespace sonde::demo {

// Deletes itself after the response, and when the client closes the connection: that is how it cancels.
class HttpExchange : public QObject {
    Q_OBJECT
public:
    HttpExchange(ServerState &state, app::HttpPeer *peer, QObject *parent);

    void serve(const app::HttpRequest &request, const QByteArray &message);

private:
    // Which header does not say what the body says; empty when all do.
    QString mismatch(const app::HttpRequest &request, const QByteArray &message) const;
    void send(const QByteArray &message, int status);
    void end();

    ServerState &m_state;
    QPointer<app::HttpPeer> m_peer;
    StatelessConversation m_conversation;
    bool m_streaming = false;
};

}  // namespace sonde::demo
