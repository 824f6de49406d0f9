// SPDX-License-Identifier: Apache-2.0
#include "app/cli/mockhttp.h"

#include "core/protocol/methods.h"

#include <QCoreApplication>
#include <QHostAddress>
#include <QPointer>
#include <QSet>
#include <QTcpSocket>
#include <QUrl>
#include <QUuid>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

constexpr qsizetype MaxHead = 64 * 1024;
constexpr qsizetype MaxBody = qsizetype(64) * 1024 * 1024;
constexpr qsizetype MaxConversations = 1000;
constexpr char Path[] = "/mcp";
constexpr char PlainText[] = "text/plain; charset=utf-8";

QByteArray reason(int status)
{
    switch (status) {
        case 200:
            return "OK";
        case 202:
            return "Accepted";
        case 403:
            return "Forbidden";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        case 411:
            return "Length Required";
        case 413:
            return "Content Too Large";
        case 415:
            return "Unsupported Media Type";
        case 431:
            return "Request Header Fields Too Large";
        case 503:
            return "Service Unavailable";
        default:
            return "Bad Request";
    }
}

QByteArray head(int status, const QByteArray &contentType, const QByteArray &extraHeaders)
{
    QByteArray text = "HTTP/1.1 " + QByteArray::number(status) + ' ' + reason(status) + "\r\n" + extraHeaders;
    if (!contentType.isEmpty())
        text += "Content-Type: " + contentType + "\r\n";
    return text;
}

bool isThisMachine(const QString &host)
{
    return host == "127.0.0.1"_L1 || host == "localhost"_L1 || host == "::1"_L1;
}

}  // namespace

HttpPeer::HttpPeer(QTcpSocket *socket, QObject *parent) : QObject(parent), m_socket(socket)
{
    socket->setParent(this);
    socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    connect(socket, &QTcpSocket::readyRead, this, &HttpPeer::read);
    connect(socket, &QTcpSocket::disconnected, this, &QObject::deleteLater);
}

void HttpPeer::read()
{
    m_buffer += m_socket->readAll();
    if (m_isAnswering) {
        if (m_buffer.size() > MaxBody)
            m_socket->abort();
        return;
    }
    if (m_bodySize < 0) {
        const qsizetype end = m_buffer.indexOf("\r\n\r\n");
        if (end < 0 && m_buffer.size() > MaxHead)
            refuse(431, "The head of the request is too large.");
        if (end < 0 || !readHead(end))
            return;
    }
    if (m_buffer.size() < m_bodySize)
        return;
    m_request.body = m_buffer.first(m_bodySize);
    m_buffer.remove(0, m_bodySize);
    m_bodySize = -1;
    m_isAnswering = true;
    Q_EMIT requested(std::exchange(m_request, {}));
}

// False: the request was refused.
bool HttpPeer::readHead(qsizetype end)
{
    const QList<QByteArray> lines = m_buffer.first(end).split('\n');
    m_buffer.remove(0, end + 4);
    const QList<QByteArray> words = lines.first().trimmed().split(' ');
    if (words.size() != 3 || !words[2].startsWith("HTTP/1.")) {
        refuse(400, "This is not HTTP/1.1.");
        return false;
    }
    m_request.method = words[0];
    m_request.path = words[1].split('?').first();
    for (const QByteArray &line : lines.mid(1)) {
        const qsizetype colon = line.indexOf(':');
        if (colon > 0)
            m_request.headers.insert(line.first(colon).trimmed().toLower(), line.mid(colon + 1).trimmed());
    }
    if (m_request.headers.contains("transfer-encoding")) {
        refuse(411, "The length of the body has to be stated.");
        return false;
    }
    const QByteArray stated = m_request.headers.value("content-length", "0");
    bool ok = false;
    m_bodySize = stated.toLongLong(&ok);
    if (!ok || m_bodySize < 0 || m_bodySize > MaxBody) {
        refuse(ok && m_bodySize > 0 ? 413 : 400, "The length of the body is not acceptable.");
        return false;
    }
    if (m_request.headers.value("expect").toLower() == "100-continue")
        m_socket->write("HTTP/1.1 100 Continue\r\n\r\n");
    return true;
}

void HttpPeer::refuse(int status, const QByteArray &why)
{
    m_isAnswering = true;  // nothing more is read from here
    respond(status, PlainText, why + '\n', "Connection: close\r\n");
    m_isAnswering = true;
    m_socket->disconnectFromHost();
}

void HttpPeer::respond(int status, const QByteArray &contentType, const QByteArray &body,
                       const QByteArray &extraHeaders)
{
    m_socket->write(head(status, contentType, extraHeaders) + "Content-Length: " + QByteArray::number(body.size()) +
                    "\r\n\r\n" + body);
    answered();
}

void HttpPeer::beginEvents(const QByteArray &extraHeaders)
{
    m_socket->write(head(200, "text/event-stream", extraHeaders) +
                    "Cache-Control: no-cache\r\nTransfer-Encoding: chunked\r\n\r\n");
}

void HttpPeer::sendEvent(const QByteArray &message)
{
    // Line breaks of JSON are white space: a line of its own each.
    QByteArray data = message;
    data.replace("\r\n", "\n").replace('\r', '\n').replace("\n", "\ndata: ");
    const QByteArray event = "event: message\ndata: " + data + "\n\n";
    m_socket->write(QByteArray::number(event.size(), 16) + "\r\n" + event + "\r\n");
}

void HttpPeer::endEvents()
{
    m_socket->write("0\r\n\r\n");
    answered();
}

void HttpPeer::answered()
{
    m_isAnswering = false;
    // The next request may be in the buffer; it must not start within the slot that ended this one.
    QMetaObject::invokeMethod(this, &HttpPeer::read, Qt::QueuedConnection);
}

MockHttp::MockHttp(std::shared_ptr<const MockScript> script, MockServer::Timing timing)
    : m_script(std::move(script)), m_timing(timing)
{
    connect(&m_server, &QTcpServer::newConnection, this, [this] {
        while (QTcpSocket *socket = m_server.nextPendingConnection()) {
            auto *peer = new HttpPeer(socket, this);
            connect(peer, &HttpPeer::requested, this,
                    [this, peer](const HttpRequest &request) { handle(peer, request); });
        }
    });
}

MockHttp::~MockHttp() = default;

Error MockHttp::listen(quint16 port)
{
    if (m_server.listen(QHostAddress(QHostAddress::LocalHost), port))
        return {};
    return Error::local(QCoreApplication::translate("sonde::cli", "cannot listen on 127.0.0.1:%1: %2")
                            .arg(port)
                            .arg(m_server.errorString()));
}

QString MockHttp::address() const
{
    return u"http://127.0.0.1:%1%2"_s.arg(m_server.serverPort()).arg(QLatin1StringView(Path));
}

// What is wrong with the request whatever it asks for; empty when nothing is.
QByteArray MockHttp::refusal(const HttpRequest &request, int *status) const
{
    *status = 403;
    const QUrl host(u"http://"_s + QString::fromLatin1(request.headers.value("host")), QUrl::StrictMode);
    if (!isThisMachine(host.host()) || host.port(80) != m_server.serverPort())
        return "The Host header must name this machine.";
    const QByteArray origin = request.headers.value("origin");
    if (!origin.isEmpty() && !isThisMachine(QUrl(QString::fromLatin1(origin)).host()))
        return "Pages of other origins may not use this server.";
    *status = 404;
    if (request.path != Path)
        return QByteArray("There is nothing here. The endpoint is ") + Path + '.';
    *status = 415;
    if (request.method == "POST" && !request.headers.value("content-type").toLower().startsWith("application/json"))
        return "The body of a POST must be application/json.";
    return {};
}

void MockHttp::handle(HttpPeer *peer, const HttpRequest &request)
{
    int status = 0;
    const QByteArray why = refusal(request, &status);
    if (!why.isEmpty()) {
        peer->respond(status, PlainText, why + '\n');
    } else if (request.method == "POST") {
        post(peer, request);
    } else if (request.method == "DELETE") {
        MockServer *ended = m_conversations.take(request.headers.value("mcp-session-id"));
        peer->respond(ended ? 200 : 404);
        delete ended;
    } else {
        peer->respond(405, PlainText, "Only POST and DELETE are understood.\n", "Allow: POST, DELETE\r\n");
    }
}

MockServer *MockHttp::conversation(const HttpRequest &request, const Message &message, QByteArray *newId)
{
    if (message.method() != methods::Initialize)
        return m_conversations.value(request.headers.value("mcp-session-id"));
    if (m_conversations.size() >= MaxConversations)
        return nullptr;
    *newId = QUuid::createUuid().toByteArray(QUuid::WithoutBraces);
    auto *server = new MockServer(m_script, m_timing, this);
    m_conversations.insert(*newId, server);
    return server;
}

void MockHttp::post(HttpPeer *peer, const HttpRequest &request)
{
    const Message message = Message::parse(request.body);
    QByteArray newId;
    MockServer *server = conversation(request, message, &newId);
    if (!server) {
        const bool isFull = message.method() == methods::Initialize;
        peer->respond(isFull                                       ? 503
                      : request.headers.contains("mcp-session-id") ? 404
                                                                   : 400,
                      PlainText,
                      isFull ? "There are too many conversations.\n"
                             : "Mcp-Session-Id has to name a conversation that initialize began.\n");
        return;
    }
    const bool isBatch = message.kind() == Message::Kind::Batch && m_script->hasBatches();
    QSet<RequestId> awaited;
    for (const Message &each : isBatch ? message.batch() : QList<Message>{message}) {
        if (each.kind() == Message::Kind::Request && each.id().isMatchable())
            awaited.insert(each.id());
    }
    if (awaited.isEmpty()) {
        const bool isUsable = isBatch || message.kind() == Message::Kind::Notification || message.isResponse();
        if (isUsable)
            server->receive(message);
        peer->respond(isUsable ? 202 : 400);
        return;
    }
    peer->beginEvents(newId.isEmpty() ? QByteArray() : "Mcp-Session-Id: " + newId + "\r\n");
    // Lives until the response is out or the peer is gone.
    auto *stream = new QObject(peer);
    connect(server, &QObject::destroyed, stream, [peer, stream] {
        peer->endEvents();
        delete stream;
    });
    connect(server, &MockServer::sent, stream,
            [server, peer, stream, awaited](const QByteArray &bytes, const RequestId &about, bool isLast) mutable {
                if (!awaited.contains(about))
                    return;
                if (!bytes.isEmpty())
                    peer->sendEvent(bytes);
                if (isLast)
                    awaited.remove(about);
                if (!awaited.isEmpty())
                    return;
                peer->endEvents();
                server->disconnect(stream);
                stream->deleteLater();
            });
    server->receive(message);
}

}  // namespace sonde::cli
