// The demo server over Streamable HTTP or HTTP+SSE, on this machine only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/common/localhttpserver.h"
#include "app/demo/httpsession.h"
#include "app/demo/ssesession.h"

namespace sonde::demo {

class HttpServer : public QObject {
    Q_OBJECT
public:
    HttpServer(const Options &options, const Offer &offer, QObject *parent = nullptr);

    QString listen() { return m_server.listen(m_options.port); }  // as LocalHttpServer
    QString address() const { return m_server.address(); }

private:
    void handle(app::HttpPeer *connection, const app::HttpRequest &request);
    void handlePost(app::HttpPeer *connection, const app::HttpRequest &request);
    void handleSse(app::HttpPeer *connection, const app::HttpRequest &request);
    bool isStatelessRequest(const app::HttpRequest &request, const QByteArray &message) const;
    // The session that the request names; answers the request itself when there is none.
    // messageId: of the message that is refused.
    HttpSession *sessionOf(app::HttpPeer *connection, const app::HttpRequest &request, const QByteArray &messageId);

    Options m_options;
    app::LocalHttpServer m_server;
    ServerState m_state;
    QHash<QByteArray, HttpSession *> m_sessions;
    QHash<QByteArray, QPointer<SseSession>> m_sseSessions;
};

}  // namespace sonde::demo
