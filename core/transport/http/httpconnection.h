// One connection to an HTTP server, for one request after the other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/http/httpresponseparser.h"
#include "core/transport/network.h"

#include <QAbstractSocket>
#include <QObject>
#include <QSslCertificate>
#include <QSslError>
#include <QTimer>
#include <QUrl>
#include <memory>

class QHostInfo;
class QTcpSocket;

namespace sonde {

// HTTP/1.1 over TCP or TLS, on the event loop of its thread. Bytes are read only as far as read() asks for them, apart
// from the head of a response: what nobody reads stays in the socket and holds the server back. Deleting it ends the
// connection at once and without a signal.
class HttpConnection final : public QObject {
    Q_OBJECT
public:
    // origin: scheme, host and port are what counts. network: with a proxy, or the one that stands for none. Nothing is
    // connected before the first request.
    HttpConnection(const QUrl &origin, const http::Network &network, QObject *parent);
    ~HttpConnection() override;

    // Whether HTTP requests go to a proxy, which is then told the whole URL. TLS goes through it in a tunnel instead.
    bool isProxied() const;
    // The value of Proxy-Authorization for such requests, or null.
    QByteArray proxyAuthorization() const;

    // head: from the request line to the blank line. Only while no other request is under way.
    void send(const QByteArray &head, const QByteArray &body);
    bool wasSent() const { return m_request >= Request::Sent; }  // all of it is with the operating system
    const HttpResponseParser &response() const { return m_response; }
    // Of the body. Empty when nothing is there at the moment.
    QByteArray read(qint64 maxBytes);
    // The response is over, as far as it goes, and its body was read.
    bool isAtEnd() const { return m_response.isOver() && m_body.isEmpty(); }

    // Once over: why the socket failed. UnknownSocketError stands for none.
    QAbstractSocket::SocketError socketError() const { return m_error; }
    QString socketErrorText() const { return m_errorText; }
    const http::TlsEvidence &tlsEvidence() const { return m_tls; }
    const Error &refusal() const { return m_refusal; }  // why nothing was connected to
    // Who is at the other end; null before it is connected, and behind a proxy.
    const QHostAddress &peer() const { return m_peer; }

    // The request is done with. True when another one may follow.
    bool rest();
    // Asked at rest, just before the next request: whether the server has closed it meanwhile or said something
    // unasked.
    bool isStillOpen();

Q_SIGNALS:              // none of them from within send(), read(), rest() or isStillOpen()
    void sent();        // all of the request is with the operating system
    void progressed();  // something of the response is there, or its end
    void idleEnded();   // while no request was under way: this connection can only be deleted

private:
    using Socket = std::unique_ptr<QTcpSocket>;
    // Told: sent() was emitted. Done: nobody waits for its response any more, or all of it was read.
    enum class Request { None, Sending, Sent, Told, Done };

    bool isBusy() const { return m_request != Request::None && m_request != Request::Done; }
    bool isDirect() const { return m_network.proxy->type() == QNetworkProxy::NoProxy; }
    void begin();
    void onLookedUp(const QHostInfo &info);
    void refuse(const Error &error);
    Socket makeSocket(QAbstractSocket::NetworkLayerProtocol protocol);
    // address: empty where the name is to be looked up.
    void connectToServer(QTcpSocket *socket, QAbstractSocket::NetworkLayerProtocol protocol, const QString &address);
    void drop(Socket *socket);
    void onReady(QTcpSocket *socket);
    void onError(QTcpSocket *socket, QAbstractSocket::SocketError error);
    void onClosed(QTcpSocket *socket);
    void writeMore();
    void schedule();
    void advance();
    qint64 pull(qint64 maxBytes);
    void endIfClosed();

    QUrl m_origin;
    http::Network m_network;
    QList<QHostAddress> m_addresses;  // to be tried, of a host that a server has named
    QHostAddress m_peer;
    Socket m_socket;
    Socket m_second;    // over IPv4, when the first takes long to connect
    QTimer m_slow;      // until then
    QTimer m_lastRead;  // a TLS connection was closed: what is still to be decrypted
    QByteArray m_output;
    QByteArray m_outputAfter;
    qsizetype m_written = 0;  // of m_output
    HttpResponseParser m_response;
    QByteArray m_body;
    Request m_request = Request::None;
    bool m_isReady = false;
    bool m_isScheduled = false;
    bool m_isWriting = false;
    bool m_wasClosed = false;
    bool m_hasExcess = false;  // more came than the response
    QAbstractSocket::SocketError m_error = QAbstractSocket::UnknownSocketError;
    QString m_errorText;
    http::TlsEvidence m_tls;
    Error m_refusal;
};

}  // namespace sonde
