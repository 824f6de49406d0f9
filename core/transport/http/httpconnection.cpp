// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http/httpconnection.h"

#include <QHostAddress>
#include <QHostInfo>
#include <QPointer>
#include <QScopedValueRollback>
#include <QSignalBlocker>
#include <QSslSocket>

#include <algorithm>
#include <utility>

namespace sonde {

namespace {
using namespace Qt::StringLiterals;

// What the socket may hold for us; the rest waits in the system and holds the server back.
constexpr qint64 ReadAheadBytes = 256 * 1024;
constexpr qint64 WriteAheadBytes = 256 * 1024;
constexpr qint64 HeadPieceBytes = 16 * 1024;
// A host whose IPv6 leads nowhere is tried over IPv4 at the same time after this long.
constexpr int SlowConnectMs = 1000;
constexpr int LastReadMs = 200;

// What an error means when it is the proxy that the socket connects to.
QAbstractSocket::SocketError errorOfProxy(QAbstractSocket::SocketError error)
{
    switch (error) {
        case QAbstractSocket::ConnectionRefusedError:
            return QAbstractSocket::ProxyConnectionRefusedError;
        case QAbstractSocket::HostNotFoundError:
            return QAbstractSocket::ProxyNotFoundError;
        case QAbstractSocket::SocketTimeoutError:
            return QAbstractSocket::ProxyConnectionTimeoutError;
        default:
            return error;
    }
}

// So that the second one to be tried is of the other family. RFC 8305, section 4.
QList<QHostAddress> alternating(const QList<QHostAddress> &addresses)
{
    QList<QHostAddress> first;
    QList<QHostAddress> other;
    for (const QHostAddress &address : addresses)
        (address.protocol() == addresses.first().protocol() ? first : other).append(address);
    QList<QHostAddress> all;
    for (qsizetype i = 0; i < qMax(first.size(), other.size()); ++i)
        all += first.mid(i, 1) + other.mid(i, 1);
    return all;
}

}  // namespace

HttpConnection::HttpConnection(const QUrl &origin, const http::Network &network, QObject *parent)
    : QObject(parent), m_origin(origin), m_network(network)
{
    m_slow.setSingleShot(true);
    m_slow.setInterval(SlowConnectMs);
    connect(&m_slow, &QTimer::timeout, this, [this] {
        if (!m_network.addressPolicy.isLed)
            m_second = makeSocket(QAbstractSocket::IPv4Protocol);
        else if (!m_addresses.isEmpty())
            m_second = makeSocket(QAbstractSocket::AnyIPProtocol);
    });
    m_lastRead.setSingleShot(true);
    m_lastRead.setInterval(LastReadMs);
    connect(&m_lastRead, &QTimer::timeout, this, &HttpConnection::advance);
}

HttpConnection::~HttpConnection()
{
    drop(&m_socket);
    drop(&m_second);
}

bool HttpConnection::isProxied() const
{
    const QNetworkProxy &proxy = *m_network.proxy;
    return m_origin.scheme() == "http"_L1 && proxy.isCachingProxy() &&
           (proxy.type() == QNetworkProxy::HttpProxy || proxy.type() == QNetworkProxy::HttpCachingProxy);
}

QByteArray HttpConnection::proxyAuthorization() const
{
    const QNetworkProxy &proxy = *m_network.proxy;
    if (!isProxied() || proxy.user().isEmpty())
        return {};
    return "Basic " + (proxy.user() + u':' + proxy.password()).toUtf8().toBase64();
}

HttpConnection::Socket HttpConnection::makeSocket(QAbstractSocket::NetworkLayerProtocol protocol)
{
    const bool isTls = m_origin.scheme() == "https"_L1;
    Socket owned(isTls ? new QSslSocket : new QTcpSocket);
    QTcpSocket *socket = owned.get();
    socket->setProxy(isProxied() ? QNetworkProxy(QNetworkProxy::NoProxy) : *m_network.proxy);
    socket->setReadBufferSize(ReadAheadBytes);
    connect(socket, &QAbstractSocket::errorOccurred, this,
            [this, socket](QAbstractSocket::SocketError error) { onError(socket, error); });
    connect(socket, &QAbstractSocket::disconnected, this, [this, socket] { onClosed(socket); });
    connect(socket, &QAbstractSocket::readyRead, this, &HttpConnection::schedule);
    if (auto *tls = qobject_cast<QSslSocket *>(socket)) {
        tls->setSslConfiguration(m_network.tls);
        connect(tls, &QSslSocket::sslErrors, this, [this, tls](const QList<QSslError> &errors) {
            const QByteArray &accepted = m_network.acceptedCertificate;
            const QSslCertificate certificate = tls->peerCertificate();
            if (!accepted.isEmpty() && http::fingerprintOf(certificate) == accepted)
                tls->ignoreSslErrors();
            else
                m_tls = {errors, certificate, !accepted.isEmpty()};
        });
        connect(tls, &QSslSocket::encrypted, this, [this, socket] { onReady(socket); });
        connect(tls, &QSslSocket::encryptedBytesWritten, this, &HttpConnection::writeMore);
    } else {
        connect(socket, &QAbstractSocket::connected, this, [this, socket] { onReady(socket); });
        connect(socket, &QIODevice::bytesWritten, this, &HttpConnection::writeMore);
    }
    // To the very address that was looked at, where a name could lead to another one the next time.
    const QString address = m_addresses.isEmpty() ? QString() : m_addresses.takeFirst().toString();
    // A turn later: an address that refuses is known to do so at once.
    QMetaObject::invokeMethod(
        socket, [this, socket, protocol, address] { connectToServer(socket, protocol, address); },
        Qt::QueuedConnection);
    return owned;
}

void HttpConnection::connectToServer(QTcpSocket *socket, QAbstractSocket::NetworkLayerProtocol protocol,
                                     const QString &address)
{
    auto *tls = qobject_cast<QSslSocket *>(socket);
    const QString name = m_origin.host(QUrl::FullyEncoded);
    const QString host = isProxied() ? m_network.proxy->hostName() : address.isEmpty() ? name : address;
    const quint16 port = isProxied() ? m_network.proxy->port() : quint16(m_origin.port(tls ? 443 : 80));
    if (tls)
        tls->connectToHostEncrypted(host, port, name, QIODevice::ReadWrite, protocol);
    else
        socket->connectToHost(host, port, QIODevice::ReadWrite, protocol);
}

// It may be in one of its own signals.
void HttpConnection::drop(Socket *socket)
{
    if (!*socket)
        return;
    (*socket)->disconnect(this);
    (*socket)->abort();
    (*socket)->setParent(this);
    socket->release()->deleteLater();
}

// Of two that are connecting the first that is ready is taken.
void HttpConnection::onReady(QTcpSocket *socket)
{
    m_slow.stop();
    if (m_second && socket == m_second.get())
        std::swap(m_socket, m_second);
    drop(&m_second);
    if (isDirect())
        m_peer = socket->peerAddress();
    socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    socket->setSocketOption(QAbstractSocket::KeepAliveOption, 1);
    m_isReady = true;
    writeMore();
}

void HttpConnection::onError(QTcpSocket *socket, QAbstractSocket::SocketError error)
{
    if (!m_isReady && m_socket && m_second) {  // the other one goes on
        drop(socket == m_second.get() ? &m_second : &m_socket);
        if (m_second)
            m_socket = std::move(m_second);
        return;
    }
    if (socket != m_socket.get())
        return;
    if (!m_isReady && !m_addresses.isEmpty()) {
        drop(&m_socket);
        m_socket = makeSocket(QAbstractSocket::AnyIPProtocol);
        return;
    }
    const bool isTls = m_origin.scheme() == "https"_L1;
    if (error == QAbstractSocket::RemoteHostClosedError && isTls && !m_isReady) {
        error = QAbstractSocket::SslHandshakeFailedError;
    } else if (error == QAbstractSocket::RemoteHostClosedError) {
        // A server may respond before it has read all of the request, and Qt drops what came when writing fails. What
        // the server has said so far tells whether this is an error.
        while (isBusy() && pull(ReadAheadBytes) > 0) {
        }
        return;
    }
    m_error = error;
    if (!m_isReady && isProxied())
        m_error = errorOfProxy(error);
    else if (!m_isReady && error == QAbstractSocket::SocketAccessError && !isDirect())
        m_error = QAbstractSocket::ProxyConnectionRefusedError;  // it refuses the tunnel
    m_errorText = socket->errorString();
    onClosed(socket);
}

void HttpConnection::send(const QByteArray &head, const QByteArray &body)
{
    m_request = Request::Sending;
    m_response = {};
    m_body.clear();
    // A small body goes along in the packet of the head.
    const bool isSmall = body.size() <= WriteAheadBytes;
    m_output = isSmall ? head + body : head;
    m_outputAfter = isSmall ? QByteArray() : body;
    m_written = 0;
    if (!m_socket)
        begin();
    writeMore();
}

void HttpConnection::begin()
{
    const QString host = m_origin.host(QUrl::FullyEncoded);
    if (m_network.addressPolicy.isLed && isDirect()) {
        QHostInfo::lookupHost(host, this, [this](const QHostInfo &info) { onLookedUp(info); });
        return;
    }
    if (const Error error = m_network.addressPolicy.checkName(host))
        return refuse(error);
    m_socket = makeSocket(QAbstractSocket::AnyIPProtocol);
    if (isDirect() && QHostAddress(m_origin.host()).isNull())
        m_slow.start();
}

// One address that is out of reach is enough: a name that means both has no good reason to.
void HttpConnection::onLookedUp(const QHostInfo &info)
{
    m_addresses = info.addresses();
    for (const QHostAddress &address : std::as_const(m_addresses)) {
        if (const Error error = m_network.addressPolicy.check(info.hostName(), address))
            return refuse(error);
    }
    if (m_addresses.isEmpty())
        return refuse(
            http::networkError(QAbstractSocket::HostNotFoundError, info.errorString(), m_origin, http::TlsEvidence()));
    m_addresses = alternating(m_addresses);
    m_socket = makeSocket(QAbstractSocket::AnyIPProtocol);
    if (!m_addresses.isEmpty())  // beside the one that it has taken
        m_slow.start();
}

void HttpConnection::refuse(const Error &error)
{
    m_refusal = error;
    m_wasClosed = true;
    schedule();
}

void HttpConnection::writeMore()
{
    if (!m_isReady || m_request != Request::Sending || m_wasClosed || m_isWriting)
        return;
    const QScopedValueRollback writing(m_isWriting, true);
    const auto *tls = qobject_cast<const QSslSocket *>(m_socket.get());
    const auto waiting = [&] { return m_socket->bytesToWrite() + (tls ? tls->encryptedBytesToWrite() : 0); };
    while (waiting() < WriteAheadBytes) {
        if (m_written == m_output.size()) {
            if (m_outputAfter.isEmpty())
                break;
            m_output = std::exchange(m_outputAfter, QByteArray());
            m_written = 0;
        }
        const qint64 count = std::min<qint64>(WriteAheadBytes, m_output.size() - m_written);
        const qint64 taken = m_socket->write(m_output.constData() + m_written, count);
        if (taken <= 0)
            return;
        m_written += taken;
    }
    m_socket->flush();  // the server can begin while we still record what was sent
    if (waiting() > 0)
        return;
    // The system took all of it at once, and there will be no signal to go on after.
    if (m_written < m_output.size() || !m_outputAfter.isEmpty()) {
        QMetaObject::invokeMethod(this, &HttpConnection::writeMore, Qt::QueuedConnection);
        return;
    }
    m_request = Request::Sent;
    m_output.clear();
    m_written = 0;
    schedule();
}

// Our own signals come on a turn of their own: their receivers may delete us, and must not delete a socket within one
// of its signals.
void HttpConnection::schedule()
{
    if (!std::exchange(m_isScheduled, true))
        QMetaObject::invokeMethod(this, &HttpConnection::advance, Qt::QueuedConnection);
}

// The head is read as it comes. The rest is read when the reader of the body asks for it.
void HttpConnection::advance()
{
    m_isScheduled = false;
    if (!isBusy()) {
        if (m_wasClosed || (m_socket && m_socket->bytesAvailable() > 0))  // a server has nothing to say unasked
            Q_EMIT idleEnded();
        return;
    }
    const QPointer<HttpConnection> alive(this);
    if (m_request == Request::Sent) {
        m_request = Request::Told;
        Q_EMIT sent();
    }
    if (!alive || !isBusy())
        return;
    bool hasPulled = false;
    while (!m_response.hasHead() && pull(HeadPieceBytes) > 0)
        hasPulled = true;
    endIfClosed();
    if (hasPulled || m_response.hasHead() || m_response.isOver())
        Q_EMIT progressed();
}

// From the socket through the parser; how many bytes that were.
qint64 HttpConnection::pull(qint64 maxBytes)
{
    if (!m_socket || !m_socket->isOpen() || m_response.isOver())
        return 0;
    // Qt makes room for all that is asked for.
    const qint64 available = m_socket->bytesAvailable();
    const QByteArray bytes = m_socket->read(available > 0 ? std::min(maxBytes, available) : maxBytes);
    const qsizetype taken = m_response.append(bytes, &m_body);
    if (taken < bytes.size())
        m_hasExcess = true;
    return bytes.size();
}

QByteArray HttpConnection::read(qint64 maxBytes)
{
    while (m_body.isEmpty() && pull(maxBytes) > 0) {
    }
    if (m_body.isEmpty())
        endIfClosed();
    if (m_body.size() <= maxBytes)
        return std::exchange(m_body, QByteArray());
    QByteArray part = m_body.left(maxBytes);
    m_body.remove(0, maxBytes);
    return part;
}

void HttpConnection::onClosed(QTcpSocket *socket)
{
    if (socket != m_socket.get() || m_wasClosed)
        return;
    m_slow.stop();
    m_wasClosed = true;
    const auto *tls = qobject_cast<const QSslSocket *>(socket);
    if (isBusy() && tls && tls->encryptedBytesAvailable() > 0)
        m_lastRead.start();
    schedule();
}

void HttpConnection::endIfClosed()
{
    if (!m_wasClosed || m_response.isOver() || m_lastRead.isActive() || (m_socket && m_socket->bytesAvailable() > 0))
        return;
    m_response.connectionClosed();
}

bool HttpConnection::rest()
{
    m_request = wasSent() ? Request::Done : Request::None;
    return m_isReady && !m_wasClosed && !m_hasExcess && wasSent() && isAtEnd() && m_response.keepsAlive() &&
           m_socket->state() == QAbstractSocket::ConnectedState && m_socket->bytesAvailable() == 0;
}

// The server may have closed it in this very moment, which Qt finds out when it looks. That there is nothing to read
// would be an error to it.
bool HttpConnection::isStillOpen()
{
    const QSignalBlocker quiet(m_socket.get());
    if (m_socket->state() == QAbstractSocket::ConnectedState)
        m_socket->waitForReadyRead(0);
    return m_socket->state() == QAbstractSocket::ConnectedState && m_socket->bytesAvailable() == 0;
}

}  // namespace sonde
