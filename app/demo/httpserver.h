// The demo server over Streamable HTTP, on this machine only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/demo/httpsession.h"

#include <QTcpServer>

namespace sonde::demo {

class HttpServer : public QObject {
    Q_OBJECT
public:
    explicit HttpServer(const Options &options, QObject *parent = nullptr);

    QString listen();  // why it cannot; empty when it does
    QString address() const;

private:
    void handle(HttpConnection *connection, const HttpRequest &request);
    void handlePost(HttpConnection *connection, const HttpRequest &request);
    // The session that the request names; answers the request itself when there is none.
    HttpSession *sessionOf(HttpConnection *connection, const HttpRequest &request);
    QByteArray refusal(const HttpRequest &request, int *status) const;

    Options m_options;
    QTcpServer m_server;
    QHash<QByteArray, HttpSession *> m_sessions;
};

}  // namespace sonde::demo
