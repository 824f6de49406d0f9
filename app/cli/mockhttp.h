// A mock over Streamable HTTP, on this machine only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/replay/mockserver.h"

#include <QTcpServer>

class QTcpSocket;

namespace sonde::cli {

struct HttpRequest {
    QByteArray method;
    QByteArray path;
    QHash<QByteArray, QByteArray> headers;  // names in lower case
    QByteArray body;
};

// One connection of HTTP/1.1, one request at a time.
class HttpPeer : public QObject {
    Q_OBJECT
public:
    HttpPeer(QTcpSocket *socket, QObject *parent);

    void respond(int status, const QByteArray &contentType = {}, const QByteArray &body = {},
                 const QByteArray &extraHeaders = {});
    void beginEvents(const QByteArray &extraHeaders);
    void sendEvent(const QByteArray &message);
    void endEvents();

Q_SIGNALS:
    void requested(const sonde::cli::HttpRequest &request);

private:
    void read();
    bool readHead(qsizetype end);
    void refuse(int status, const QByteArray &why);
    void answered();

    QTcpSocket *m_socket;
    QByteArray m_buffer;
    HttpRequest m_request;
    qsizetype m_bodySize = -1;  // -1: the head is still to come
    bool m_isAnswering = false;
};

// Binds 127.0.0.1 and answers nobody who calls it by another name, which is how a page in a browser would come here.
// Each initialize begins a conversation with an Mcp-Session-Id of its own; every request is answered as a stream of
// events that ends with the last message the recording has for it. There is no stream for GET.
class MockHttp : public QObject {
    Q_OBJECT
public:
    MockHttp(std::shared_ptr<const MockScript> script, MockServer::Timing timing);
    ~MockHttp() override;

    Error listen(quint16 port);  // 0: a free one
    QString address() const;

private:
    void handle(HttpPeer *peer, const HttpRequest &request);
    void post(HttpPeer *peer, const HttpRequest &request);
    MockServer *conversation(const HttpRequest &request, const Message &message, QByteArray *newId);
    QByteArray refusal(const HttpRequest &request, int *status) const;

    std::shared_ptr<const MockScript> m_script;
    const MockServer::Timing m_timing;
    QTcpServer m_server;
    QHash<QByteArray, MockServer *> m_conversations;
};

}  // namespace sonde::cli
