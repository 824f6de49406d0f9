// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakehttpserver.h"

#include "core/protocol/message.h"

#include <QHostAddress>
#include <QSslServer>
#include <QTimer>

#include <memory>

namespace sonde::test {

QByteArray FakeHttpServer::Request::header(const QByteArray &name) const
{
    for (const auto &[key, value] : headers) {
        if (key.compare(name, Qt::CaseInsensitive) == 0)
            return value;
    }
    return {};
}

void FakeHttpServer::Peer::raw(const QByteArray &bytes) const
{
    if (!m_socket)
        return;
    m_socket->write(bytes);
    m_socket->flush();
}

void FakeHttpServer::Peer::response(int status, const Headers &headers, const QByteArray &body) const
{
    QByteArray head = "HTTP/1.1 " + QByteArray::number(status) + " Test\r\n";
    for (const auto &[name, value] : headers)
        head += name + ": " + value + "\r\n";
    head += "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n";
    raw(head + body);
}

void FakeHttpServer::Peer::json(const QByteArray &body, const Headers &headers) const
{
    response(200, Headers{{"Content-Type", "application/json"}} + headers, body);
}

void FakeHttpServer::Peer::beginEvents(const Headers &headers) const
{
    QByteArray head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n";
    for (const auto &[name, value] : headers)
        head += name + ": " + value + "\r\n";
    raw(head + "\r\n");
}

void FakeHttpServer::Peer::piece(const QByteArray &bytes) const
{
    raw(QByteArray::number(bytes.size(), 16) + "\r\n" + bytes + "\r\n");
}

void FakeHttpServer::Peer::event(const QByteArray &data, const QByteArray &id) const
{
    piece((id.isNull() ? QByteArray() : "id: " + id + "\n") + "data: " + data + "\n\n");
}

void FakeHttpServer::Peer::endEvents() const
{
    raw("0\r\n\r\n");
}

void FakeHttpServer::Peer::cut() const
{
    if (!m_socket)
        return;
    m_socket->flush();
    m_socket->abort();
}

void FakeHttpServer::Peer::hangUp() const
{
    if (m_socket)
        m_socket->disconnectFromHost();
}

void FakeHttpServer::Peer::endlessHeaders(const QByteArray &line, int pauseMs) const
{
    constexpr qint64 floodBytes = 256 * 1024;
    if (!line.startsWith("HTTP/"))
        raw("HTTP/1.1 200 OK\r\n");
    auto *clock = new QTimer(m_socket);
    connect(clock, &QTimer::timeout, m_socket, [peer = *this, line, pauseMs] {
        if (!peer.isConnected())
            return;
        do
            peer.raw(line);
        while (pauseMs == 0 && peer.isConnected() && peer.m_socket->bytesToWrite() < floodBytes);
    });
    clock->start(pauseMs);
}

void FakeHttpServer::Peer::drip(const QByteArray &bytes) const
{
    if (bytes.isEmpty() || !isConnected())
        return;
    raw(bytes.left(1));
    QTimer::singleShot(0, m_socket.data(), [peer = *this, rest = bytes.mid(1)] { peer.drip(rest); });
}

namespace {

std::unique_ptr<QTcpServer> tlsServer(const QSslConfiguration &configuration)
{
    auto server = std::make_unique<QSslServer>();
    server->setSslConfiguration(configuration);
    return server;
}

}  // namespace

FakeHttpServer::FakeHttpServer(Handler handler)
    : FakeHttpServer(std::make_unique<QTcpServer>(), std::move(handler), false)
{}

FakeHttpServer::FakeHttpServer(const QSslConfiguration &tls, Handler handler)
    : FakeHttpServer(tlsServer(tls), std::move(handler), true)
{}

FakeHttpServer::FakeHttpServer(std::unique_ptr<QTcpServer> server, Handler handler, bool isTls)
    : m_server(std::move(server)), m_handler(std::move(handler)), m_isTls(isTls)
{
    connect(m_server.get(), &QTcpServer::pendingConnectionAvailable, this, [this] {
        while (QTcpSocket *socket = m_server->nextPendingConnection()) {
            socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
            read(socket, ++m_connections);
        }
    });
    m_server->listen(QHostAddress::LocalHost);
}

FakeHttpServer::~FakeHttpServer() = default;

QUrl FakeHttpServer::url(const QString &path) const
{
    QUrl url;
    url.setScheme(m_isTls ? QStringLiteral("https") : QStringLiteral("http"));
    url.setHost(QStringLiteral("127.0.0.1"));
    url.setPort(m_server->serverPort());
    url.setPath(path);
    return url;
}

QList<FakeHttpServer::Request> FakeHttpServer::requests(const QByteArray &method) const
{
    QList<Request> found;
    for (const Request &request : m_requests) {
        if (request.method == method)
            found += request;
    }
    return found;
}

int FakeHttpServer::openConnections() const
{
    int count = 0;
    for (const QTcpSocket *socket : m_server->findChildren<QTcpSocket *>())
        count += socket->state() == QAbstractSocket::ConnectedState ? 1 : 0;
    return count;
}

void FakeHttpServer::cutAll()
{
    for (QTcpSocket *socket : m_server->findChildren<QTcpSocket *>())
        socket->abort();
}

void FakeHttpServer::read(QTcpSocket *socket, int number)
{
    const auto buffer = std::make_shared<QByteArray>();
    connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
    connect(socket, &QTcpSocket::readyRead, this, [this, socket, number, buffer] {
        buffer->append(socket->readAll());
        for (;;) {
            const qsizetype headEnd = buffer->indexOf("\r\n\r\n");
            if (headEnd < 0)
                return;
            Request request;
            request.connection = number;
            QList<QByteArray> lines = buffer->left(headEnd).split('\n');
            const QList<QByteArray> first = lines.takeFirst().trimmed().split(' ');
            request.method = first.value(0);
            request.path = first.value(1);
            for (const QByteArray &line : std::as_const(lines)) {
                const qsizetype colon = line.indexOf(':');
                request.headers.append({line.left(colon), line.mid(colon + 1).trimmed()});
            }
            const qsizetype length = request.header("Content-Length").toLongLong();
            if (buffer->size() < headEnd + 4 + length)
                return;
            request.body = buffer->mid(headEnd + 4, length);
            buffer->remove(0, headEnd + 4 + length);
            m_requests += request;
            if (m_handler)
                m_handler(request, Peer(socket));
        }
    });
}

void respondWithoutOffers(const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer)
{
    const Message message = Message::parse(request.body);
    if (message.kind() != Message::Kind::Request)
        return peer.accept();
    const bool isHandshake = message.method() == u"initialize";
    peer.json(Message::response(message.id(), isHandshake ? "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                                                            "\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}"
                                                          : "{}")
                  .raw());
}

}  // namespace sonde::test
