// The demo server over Streamable HTTP, on this machine only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/common/localhttpserver.h"
#include "app/demo/httpsession.h"

namespace sonde::demo {

class HttpServer : public QObject {
    Q_OBJECT
public:
    explicit HttpServer(const Options &options, QObject *parent = nullptr);

    QString listen() { return m_server.listen(m_options.port); }  // as LocalHttpServer
    QString address() const { return m_server.address(); }

private:
    void handle(app::HttpPeer *connection, const app::HttpRequest &request);
    void handlePost(app::HttpPeer *connection, const app::HttpRequest &request);
    // The session that the request names; answers the request itself when there is none.
    HttpSession *sessionOf(app::HttpPeer *connection, const app::HttpRequest &request);

    Options m_options;
    app::LocalHttpServer m_server;
    QHash<QByteArray, HttpSession *> m_sessions;
};

}  // namespace sonde::demo
