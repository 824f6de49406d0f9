// An HTTP server on 127.0.0.1 that does what a test tells it, right or wrong, and remembers what it was sent.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QPointer>
#include <QSslConfiguration>
#include <QTcpServer>
#include <QTcpSocket>
#include <QUrl>
#include <functional>
#include <memory>

namespace sonde::test {

class FakeHttpServer final : public QObject {
public:
    using Headers = QList<std::pair<QByteArray, QByteArray>>;

    struct Request {
        QByteArray method;
        QByteArray path;
        Headers headers;  // as they came
        QByteArray body;
        int connection = 0;

        QByteArray header(const QByteArray &name) const;
        bool has(const QByteArray &name) const { return !header(name).isNull(); }
    };

    // The other end of one request. Cheap to copy; does nothing once the connection is gone.
    class Peer {
    public:
        explicit Peer(QTcpSocket *socket) : m_socket(socket) {}
        void raw(const QByteArray &bytes) const;
        // A whole answer, with its right Content-Length.
        void response(int status, const Headers &headers, const QByteArray &body) const;
        void json(const QByteArray &body, const Headers &headers = {}) const;
        void accept() const { response(202, {}, {}); }
        // A chunked event stream: its head, one piece, its end.
        void beginEvents(const Headers &headers = {}) const;
        void piece(const QByteArray &bytes) const;
        void event(const QByteArray &data, const QByteArray &id = {}) const;
        void endEvents() const;
        void cut() const;     // resets the connection
        void hangUp() const;  // closes it in order, when all is sent
        bool isConnected() const { return m_socket && m_socket->state() == QAbstractSocket::ConnectedState; }
        // A status line, and then headers without an end, as fast as they are taken or, with pauseMs, a line each time.
        void endlessHeaders(const QByteArray &line, int pauseMs = 0) const;
        // The same bytes, one at a time, each in a packet and event-loop turn of its own.
        void drip(const QByteArray &bytes) const;

    private:
        QPointer<QTcpSocket> m_socket;
    };
    using Handler = std::function<void(const Request &, const Peer &)>;

    explicit FakeHttpServer(Handler handler = {});
    // Over TLS, with the certificate and key of this configuration.
    FakeHttpServer(const QSslConfiguration &tls, Handler handler);
    ~FakeHttpServer() override;

    void setHandler(Handler handler) { m_handler = std::move(handler); }
    QUrl url(const QString &path = QStringLiteral("/mcp")) const;
    quint16 port() const { return m_server->serverPort(); }

    const QList<Request> &requests() const { return m_requests; }
    QList<Request> requests(const QByteArray &method) const;
    int connections() const { return m_connections; }
    int openConnections() const;
    void cutAll();

private:
    FakeHttpServer(std::unique_ptr<QTcpServer> server, Handler handler, bool isTls);
    void read(QTcpSocket *socket, int number);

    std::unique_ptr<QTcpServer> m_server;
    Handler m_handler;
    bool m_isTls = false;
    QList<Request> m_requests;
    int m_connections = 0;
};

// A server of 2025-11-25 that offers nothing, and has an empty result for every other request.
void respondWithoutOffers(const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer);

}  // namespace sonde::test
