// An endpoint for MCP over HTTP/1.1, on this machine only. Knows nothing of the protocol.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/common/httppeer.h"

#include <QTcpServer>

namespace sonde::app {

// Binds 127.0.0.1 and refuses requests for another host name, which is how a page in a browser would come here; also
// what is not for the endpoint, and a POST of anything but JSON.
class LocalHttpServer : public QObject {
    Q_OBJECT
public:
    LocalHttpServer();
    QString listen(quint16 port);  // 0: a free one. Why it cannot; empty when it does
    QString address() const;

Q_SIGNALS:
    void requested(sonde::app::HttpPeer *peer, const sonde::app::HttpRequest &request);

private:
    void handle(HttpPeer *peer, const HttpRequest &request);
    QByteArray refusal(const HttpRequest &request, int *status) const;

    QTcpServer m_server;
};

constexpr char PlainText[] = "text/plain; charset=utf-8";

}  // namespace sonde::app
