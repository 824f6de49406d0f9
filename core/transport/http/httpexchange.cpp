// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http/httpexchange.h"

#include "core/transport/http/httpconnection.h"
#include "core/transport/messageheaders.h"

#include <QLocale>

#include <algorithm>

namespace sonde {

namespace {
using namespace Qt::StringLiterals;

// What a request line names: the whole URL where it goes to a proxy.
QByteArray targetOf(const QUrl &url, bool isProxied)
{
    if (isProxied)
        return url.toEncoded(QUrl::RemoveUserInfo | QUrl::RemoveFragment);
    QByteArray target = url.path(QUrl::FullyEncoded).toLatin1();
    if (!target.startsWith('/'))
        target.prepend('/');
    return url.hasQuery() ? target + '?' + url.query(QUrl::FullyEncoded).toLatin1() : target;
}
}  // namespace

HttpExchange::HttpExchange(HttpPool *pool, Request request) : m_pool(pool), m_request(std::move(request))
{
    m_deadline.setSingleShot(true);
    connect(&m_deadline, &QTimer::timeout, this, &HttpExchange::onTimeout);
}

HttpExchange::~HttpExchange()
{
    drop();
}

void HttpExchange::drop()
{
    if (!m_connection)
        return;
    m_connection->disconnect(this);
    if (m_pool)
        m_pool->release(m_connection);
    m_connection.clear();
}

void HttpExchange::start()
{
    m_clock.start();
    if (m_request.headerTimeoutMs > 0 && !m_request.mayTakeLong)
        m_deadline.start(std::max(0, m_request.headerTimeoutMs - int(m_request.spentMs)));
    m_pool->whenReady(this, [this] {
        if (!m_isFinished)  // its time may have run out
            send();
    });
}

void HttpExchange::send()
{
    m_connection = m_pool->lease();
    http::HeaderList sent{{"Host", http::hostHeader(m_request.url)}, {"Connection", "Keep-Alive"}};
    for (const auto &[name, value] : std::as_const(m_request.headers))
        putHeader(&sent, name, value);
    if (const QByteArray authorization = m_connection->proxyAuthorization(); !authorization.isEmpty())
        putHeader(&sent, "Proxy-Authorization", authorization);
    if (!m_request.body.isEmpty())
        sent.append({"Content-Length", QByteArray::number(m_request.body.size())});
    WireEvent event;
    event.kind = WireEvent::Kind::HttpRequest;
    event.direction = Direction::ToServer;
    event.facts = EventFacts{.stream = m_request.stream,
                             .method = QString::fromUtf8(m_request.verb),
                             .url = QString::fromUtf8(m_request.url.toEncoded()),
                             .headers = EventFacts::pairs(sent)}
                      .toJson();
    Q_EMIT reported(event);

    QByteArray head = m_request.verb + ' ' + targetOf(m_request.url, m_connection->isProxied()) + " HTTP/1.1\r\n";
    for (const auto &[name, value] : std::as_const(sent))
        head += name + ": " + value + "\r\n";
    connect(m_connection, &HttpConnection::sent, this, &HttpExchange::sent);
    connect(m_connection, &HttpConnection::progressed, this, &HttpExchange::onProgress);
    m_connection->send(head + "\r\n", m_request.body);
}

void HttpExchange::onProgress()
{
    const QPointer<HttpExchange> alive(this);
    if (!m_hasHeaders && m_connection->response().hasHead())
        onHeaders();
    if (!alive || m_isFinished || !m_connection)
        return;
    if (m_connection->response().isOver()) {
        handleEnd();
        Q_EMIT finished();
    } else if (m_hasHeaders) {
        if (m_deadline.isActive())
            m_deadline.start();
        Q_EMIT readable();
    } else if (m_request.mayTakeLong) {
        watchHead();
    }
}

// Bytes that trickle in do not put it off. Interim responses may come as long as the response takes.
void HttpExchange::watchHead()
{
    if (!m_connection->response().isWithinHead())
        m_deadline.stop();
    else if (!m_deadline.isActive() && m_request.headerTimeoutMs > 0)
        m_deadline.start(m_request.headerTimeoutMs);
}

void HttpExchange::onHeaders()
{
    const HttpResponseParser &response = m_connection->response();
    m_status = response.status();
    m_reason = response.reason();
    m_headers = response.headers();
    m_peer = m_connection->peer();
    m_headersMs = m_request.spentMs + m_clock.elapsed();
    m_hasHeaders = true;
    m_deadline.stop();
    if (m_request.bodyIdleMs > 0)
        m_deadline.start(m_request.bodyIdleMs);
    Q_EMIT headersArrived();
}

void HttpExchange::allowSilence()
{
    m_deadline.stop();
}

void HttpExchange::reportResponse(const QByteArray &body, qint64 wireLength)
{
    if (m_isReported)
        return;
    m_isReported = true;
    WireEvent event;
    event.kind = WireEvent::Kind::HttpResponse;
    event.direction = Direction::FromServer;
    event.bytes = body;
    event.wireLength = wireLength < 0 ? body.size() : wireLength;
    event.facts = EventFacts{.stream = m_request.stream,
                             .status = m_status,
                             .reason = QString::fromUtf8(m_reason),
                             .headers = EventFacts::pairs(m_headers),
                             .ms = m_headersMs}
                      .toJson();
    Q_EMIT reported(event);
}

QByteArray HttpExchange::read(qint64 maxBytes)
{
    if (!m_connection || !m_hasHeaders)  // what reads the body would read the head as well
        return {};
    const QByteArray bytes = m_connection->read(maxBytes);
    if (m_connection->isAtEnd()) {
        handleEnd();
        drop();  // what is sent because of this response can go over the same connection
    }
    return bytes;
}

bool HttpExchange::isAtEnd() const
{
    return m_isFinished && (!m_connection || m_connection->isAtEnd());
}

void HttpExchange::handleEnd()
{
    if (m_isFinished)
        return;
    m_deadline.stop();
    m_isFinished = true;
    m_error = failure();
    m_isConnectionLost =
        m_connection->response().problem() == HttpResponseParser::Problem::Closed && !m_connection->refusal();
}

// Why the response is not whole.
Error HttpExchange::failure() const
{
    using Problem = HttpResponseParser::Problem;
    const HttpResponseParser &response = m_connection->response();
    const QString evidence = QString::fromUtf8(response.evidence());
    const auto error = [](const QString &message, const QString &detail = {}) {
        return Error::of(Error::Kind::Transport, message, detail);
    };
    switch (response.problem()) {
        case Problem::None:
            return {};
        case Problem::NotHttp: {
            Error other = error(tr("The response from %1 is not HTTP.").arg(http::hostAndPort(m_request.url)),
                                tr("It begins with: %1").arg(evidence));
            if (response.evidence().startsWith("\x15\x03"))  // an alert
                other.hint = tr("It speaks TLS on this port: begin the URL with https://.");
            return other;
        }
        case Problem::HeadTooLong:
            return error(tr("The headers of the response from %1 are longer than the limit of %2.")
                             .arg(http::hostAndPort(m_request.url),
                                  QLocale().formattedDataSize(HttpResponseParser::MaxHeadBytes)));
        case Problem::BadLength:
            return error(tr("The response has an invalid Content-Length: %1").arg(evidence));
        case Problem::BadEncoding:
            return error(tr("The response has the Transfer-Encoding “%1”; only “chunked” is supported.").arg(evidence));
        case Problem::BadChunk:
            return error(tr("The body of the response breaks the chunked encoding."),
                         tr("Expected a chunk size or a line end, got: %1").arg(evidence));
        case Problem::Closed:
            break;
    }
    if (m_connection->refusal())
        return m_connection->refusal();
    const QAbstractSocket::SocketError cause = m_connection->socketError();
    if (cause == QAbstractSocket::UnknownSocketError && !m_connection->wasSent() && !m_request.body.isEmpty()) {
        Error unread = error(
            tr("%1 closed the connection before it had read the whole request.").arg(http::hostAndPort(m_request.url)));
        unread.hint = tr("The request (%1) may be larger than the server accepts.")
                          .arg(QLocale().formattedDataSize(m_request.body.size()));
        return unread;
    }
    return http::networkError(cause, m_connection->socketErrorText(), m_request.url, m_connection->tlsEvidence());
}

void HttpExchange::onTimeout()
{
    m_isFinished = true;
    const QString host = m_request.url.host();
    if (m_hasHeaders) {
        const QString text = tr("The response from %1 stalled: no data received for %2 s.");
        m_error = Error::of(Error::Kind::Timeout, text.arg(host).arg(m_request.bodyIdleMs / 1000.0));
    } else {
        const bool hasBegun = m_connection && m_connection->response().isWithinHead();
        const QString text = hasBegun ? tr("The headers of the response from %1 were not complete within %2 s.")
                                      : tr("%1 did not start to respond within %2 s.");
        m_error = Error::of(Error::Kind::Timeout, text.arg(host).arg(m_request.headerTimeoutMs / 1000.0));
    }
    drop();
    Q_EMIT finished();
}

}  // namespace sonde
