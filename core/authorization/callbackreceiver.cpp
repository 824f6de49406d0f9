// SPDX-License-Identifier: Apache-2.0
#include "core/authorization/callbackreceiver.h"

#include <QHostAddress>
#include <QTcpServer>
#include <QTcpSocket>
#include <QUrlQuery>
#include <chrono>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr std::chrono::minutes MaxWait{5};
constexpr std::chrono::seconds MaxRequestTime{10};
constexpr qsizetype MaxRequestBytes = 16 * 1024;
constexpr int MaxConnections = 8;  // at a time: a browser opens some that it does not use

// The whole request without its body, as far as it matters: "GET /callback?… HTTP/1.1" and the host.
struct CallbackRequest {
    QByteArray verb;
    QByteArray target;
    QByteArray host;
};

CallbackRequest readRequest(const QByteArray &head)
{
    CallbackRequest request;
    const QList<QByteArray> lines = head.split('\n');
    const QList<QByteArray> words = lines.first().trimmed().split(' ');
    if (words.size() == 3 && words.at(2).startsWith("HTTP/1.")) {
        request.verb = words.at(0);
        request.target = words.at(1);
    }
    for (const QByteArray &line : lines) {
        if (line.left(5).compare("host:", Qt::CaseInsensitive) == 0)
            request.host = line.mid(5).trimmed();
    }
    return request;
}

}  // namespace

CallbackReceiver::CallbackReceiver(QObject *parent) : QObject(parent)
{
    m_deadline.setSingleShot(true);
    m_deadline.setInterval(MaxWait);
    connect(&m_deadline, &QTimer::timeout, this, [this] {
        close();
        Q_EMIT timedOut();
    });
}

CallbackReceiver::~CallbackReceiver() = default;

bool CallbackReceiver::isListening() const
{
    return m_server && m_server->isListening();
}

Error CallbackReceiver::listen(const QUrl &wanted)
{
    close();
    const QString host = wanted.isEmpty() ? u"127.0.0.1"_s : wanted.host();
    if (host != u"127.0.0.1" && host != u"::1" && host != u"localhost")
        return Error::local(tr("The redirect address %1 is not on this computer.").arg(wanted.toString()),
                            tr("Use http://127.0.0.1 or http://localhost with a port."));
    m_server = std::make_unique<QTcpServer>();
    m_server->setMaxPendingConnections(MaxConnections);
    const QHostAddress where = host == u"::1" ? QHostAddress::LocalHostIPv6 : QHostAddress::LocalHost;
    if (!m_server->listen(where, quint16(qMax(wanted.port(), 0)))) {
        const QString why = m_server->errorString();
        m_server.reset();
        return Error::local(tr("Port %1 of this computer cannot receive the browser's redirect: %2.")
                                .arg(qMax(wanted.port(), 0))
                                .arg(why),
                            tr("Choose another port, or quit the program that uses it."));
    }
    connect(m_server.get(), &QTcpServer::newConnection, this, &CallbackReceiver::admit);
    m_address = wanted;
    if (wanted.isEmpty()) {
        m_address.setScheme(u"http"_s);
        m_address.setHost(host);
        m_address.setPath(u"/callback"_s);
    }
    m_address.setPort(m_server->serverPort());
    m_deadline.start();
    return {};
}

void CallbackReceiver::expect(const QByteArray &state)
{
    m_state = state;
    m_deadline.start();
}

void CallbackReceiver::close()
{
    m_deadline.stop();
    m_state.clear();
    m_address.clear();
    if (m_server)
        m_server.release()->deleteLater();  // it may be the sender, and what it has said is still on its way
}

void CallbackReceiver::admit()
{
    while (QTcpSocket *socket = m_server->nextPendingConnection()) {
        socket->setReadBufferSize(MaxRequestBytes + 1);
        connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
        connect(socket, &QTcpSocket::readyRead, this, [this, socket] { read(socket); });
        QTimer::singleShot(MaxRequestTime, socket, &QTcpSocket::abort);
        if (m_server->findChildren<QTcpSocket *>(Qt::FindDirectChildrenOnly).size() > MaxConnections)
            socket->abort();
    }
}

void CallbackReceiver::read(QTcpSocket *socket)
{
    const QByteArray head = socket->peek(MaxRequestBytes + 1);
    if (head.size() > MaxRequestBytes)
        return respond(socket, "431 Request Header Fields Too Large", tr("The request is too long."));
    if (!head.contains("\r\n\r\n"))
        return;
    const CallbackRequest request = readRequest(head);
    if (!isListening())
        return respond(socket, "410 Gone", tr("The sign-in has ended."));
    const QUrl target = QUrl::fromEncoded(request.target, QUrl::StrictMode);
    const QByteArray host = m_address.authority().toLatin1();
    if (request.verb != "GET" || request.host != host || !target.isValid() || !target.isRelative() ||
        target.path() != m_address.path())
        return respond(socket, "404 Not Found", tr("Nothing here."));
    const QStringList states = QUrlQuery(target).allQueryItemValues(u"state"_s, QUrl::FullyDecoded);
    if (m_state.isEmpty() || states.size() != 1 || states.first().toUtf8() != m_state) {
        respond(socket, "400 Bad Request", tr("This response belongs to another sign-in."));
        Q_EMIT strayReceived();
        return;
    }
    respond(socket, "200 OK", tr("Sonde has received the response. You can close this page."));
    QUrl address = m_address;
    address.setQuery(target.query(QUrl::FullyEncoded), QUrl::StrictMode);
    close();
    Q_EMIT received(address);
}

// The page holds nothing that came with the request, and loads nothing.
void CallbackReceiver::respond(QTcpSocket *socket, const QByteArray &status, const QString &text)
{
    socket->disconnect(this);
    const QByteArray page =
        "<!doctype html><meta charset=utf-8><title>Sonde</title>"
        "<body style=\"font:16px sans-serif;margin:4em\"><p>" +
        text.toHtmlEscaped().toUtf8() + "</p>";
    socket->write("HTTP/1.1 " + status +
                  "\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: " + QByteArray::number(page.size()) +
                  "\r\nConnection: close\r\nCache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n"
                  "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'\r\n\r\n" +
                  page);
    socket->flush();  // it may be deleted in this turn, with the server
    socket->disconnectFromHost();
}

}  // namespace sonde
