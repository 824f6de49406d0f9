// SPDX-License-Identifier: Apache-2.0
#include "core/transport/httpexchange.h"

#include "core/transport/facts.h"
#include "core/transport/messageheaders.h"

#include <QIODevice>
#include <QNetworkRequest>

#include <cstring>

namespace sonde {

namespace {
using namespace Qt::StringLiterals;

// What Qt may hold for us; the rest waits in the socket and holds the server back.
constexpr qint64 readAhead = 256 * 1024;

// Qt sends a request again, a POST even, when a connection closes before its answer: a tool would run twice. A body
// that cannot be rewound makes that an error.
class OnceOnlyBody final : public QIODevice {
public:
    OnceOnlyBody(QByteArray bytes, QObject *parent) : QIODevice(parent), m_bytes(std::move(bytes))
    {
        open(QIODevice::ReadOnly | QIODevice::Unbuffered);
    }
    qint64 size() const override { return m_bytes.size(); }
    bool reset() override { return !m_wasRead; }
    bool seek(qint64 position) override { return (!m_wasRead || position == pos()) && QIODevice::seek(position); }

protected:
    qint64 readData(char *data, qint64 maxBytes) override
    {
        const qint64 count = qMin(maxBytes, m_bytes.size() - pos());
        if (count <= 0)
            return -1;
        m_wasRead = true;
        std::memcpy(data, m_bytes.constData() + pos(), size_t(count));
        return count;
    }
    qint64 writeData(const char *, qint64) override { return -1; }

private:
    QByteArray m_bytes;
    bool m_wasRead = false;
};

http::HeaderList receivedHeaders(const QNetworkReply &reply)
{
    http::HeaderList headers;
    for (const QNetworkReply::RawHeaderPair &pair : reply.rawHeaderPairs()) {
        // Qt joins repeated headers, these with line feeds.
        for (const QByteArray &value : pair.second.split('\n'))
            headers.append({pair.first, value});
    }
    return headers;
}
}  // namespace

HttpExchange::HttpExchange(HttpPool *pool, Request request, QObject *parent)
    : QObject(parent), m_pool(pool), m_request(std::move(request))
{
    m_deadline.setSingleShot(true);
    connect(&m_deadline, &QTimer::timeout, this, &HttpExchange::onTimeout);
}

HttpExchange::~HttpExchange()
{
    drop();
}

// Deleting a reply closes its connection as abort() does, without the signals that abort() sends from within.
void HttpExchange::drop()
{
    if (m_reply) {
        m_reply->disconnect(this);
        m_reply->deleteLater();
        m_reply.clear();
    }
    if (m_manager && m_pool)
        m_pool->release(m_manager);
    m_manager = nullptr;
}

void HttpExchange::start()
{
    m_clock.start();
    if (m_request.headerTimeoutMs > 0)
        m_deadline.start(m_request.headerTimeoutMs);
    send();
}

void HttpExchange::send()
{
    QNetworkRequest request(m_request.url);
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    // HTTP/1.1 only: what is recorded is then what was sent, and a stream never shares its connection.
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    request.setAttribute(QNetworkRequest::DoNotBufferUploadDataAttribute, true);

    // Host and Connection are Qt's; they are recorded as it writes them.
    http::HeaderList sent{{"Host", http::hostHeader(m_request.url)}, {"Connection", "Keep-Alive"}};
    for (const auto &[name, value] : std::as_const(m_request.headers)) {
        request.setRawHeader(name, value);
        putHeader(&sent, name, value);
    }
    if (!m_request.body.isEmpty()) {
        const QByteArray length = QByteArray::number(m_request.body.size());
        request.setHeader(QNetworkRequest::ContentLengthHeader, m_request.body.size());
        sent.append({"Content-Length", length});
    }
    WireEvent event;
    event.kind = WireEvent::Kind::HttpRequest;
    event.direction = Direction::ToServer;
    event.facts = Facts()
                      .number(u"stream", m_request.stream)
                      .bytes(u"method", m_request.verb)
                      .bytes(u"url", m_request.url.toEncoded())
                      .headers(u"headers", sent)
                      .take();
    Q_EMIT reported(event);

    m_manager = m_pool->lease(m_request.use);
    if (m_request.verb == "GET") {
        m_reply = m_manager->get(request);
    } else if (m_request.body.isEmpty()) {
        m_reply = m_manager->sendCustomRequest(request, m_request.verb);
    } else {
        auto *body = new OnceOnlyBody(m_request.body, nullptr);
        // post() makes up a Content-Type where there is none.
        const bool isPost = m_request.verb == "POST" && !sentHeader("Content-Type").isEmpty();
        m_reply = isPost ? m_manager->post(request, body) : m_manager->sendCustomRequest(request, m_request.verb, body);
        body->setParent(m_reply);
    }
    m_reply->setReadBufferSize(readAhead);
    connect(m_reply, &QNetworkReply::metaDataChanged, this, &HttpExchange::onHeaders);
    connect(m_reply, &QNetworkReply::readyRead, this, [this] {
        if (!m_hasHeaders)
            return;
        if (m_deadline.isActive())
            m_deadline.start();
        Q_EMIT readable();
    });
    connect(m_reply, &QNetworkReply::sslErrors, this, [this](const QList<QSslError> &errors) { m_sslErrors = errors; });
    connect(m_reply, &QNetworkReply::finished, this, &HttpExchange::onFinished);
}

void HttpExchange::onHeaders()
{
    const int status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (m_hasHeaders || status < 200)
        return;
    m_status = status;
    m_reason = m_reply->attribute(QNetworkRequest::HttpReasonPhraseAttribute).toByteArray();
    m_headers = receivedHeaders(*m_reply);
    m_headersMs = m_clock.elapsed();
    if (http::isRedirect(status)) {
        reportResponse();
        m_isReported = false;
        const Result<QUrl> target =
            http::redirectTarget(m_request.url, status, header("Location"), m_request.maxRedirects - m_hops);
        m_reply->disconnect(this);
        m_isHopping = true;
        if (target) {
            ++m_hops;
            m_request.url = *target;
        } else {
            m_error = target.error();
            m_deadline.stop();
        }
        // Not from within the reply's own signal.
        QMetaObject::invokeMethod(this, &HttpExchange::hop, Qt::QueuedConnection);
        return;
    }
    m_hasHeaders = true;
    m_deadline.stop();
    if (m_request.bodyIdleMs > 0)
        m_deadline.start(m_request.bodyIdleMs);
    Q_EMIT headersArrived();
}

void HttpExchange::hop()
{
    if (m_isFinished)
        return;  // its time ran out meanwhile
    m_isHopping = false;
    drop();
    if (!m_error)
        return send();
    m_isFinished = true;
    Q_EMIT finished();
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
    event.facts = Facts()
                      .number(u"stream", m_request.stream)
                      .number(u"status", m_status)
                      .bytes(u"reason", m_reason)
                      .headers(u"headers", m_headers)
                      .number(u"ms", m_headersMs)
                      .take();
    Q_EMIT reported(event);
}

QByteArray HttpExchange::read(qint64 maxBytes)
{
    return m_reply ? m_reply->read(maxBytes) : QByteArray();
}

bool HttpExchange::isAtEnd() const
{
    return m_isFinished && (!m_reply || m_reply->bytesAvailable() == 0);
}

void HttpExchange::onFinished()
{
    const QPointer<HttpExchange> alive(this);
    if (!m_hasHeaders)
        onHeaders();
    if (!alive || m_isFinished || m_isHopping || !m_reply)
        return;
    m_deadline.stop();
    m_isFinished = true;
    const QNetworkReply::NetworkError code = m_reply->error();
    // 200 to 299 are the server's own words (a status), not the network's.
    const bool isStatus = m_hasHeaders && m_status >= 400 && code != QNetworkReply::RemoteHostClosedError;
    if (code != QNetworkReply::NoError && !isStatus)
        m_error = http::networkError(code, m_reply->errorString(), m_request.url, m_sslErrors);
    Q_EMIT finished();
}

void HttpExchange::onTimeout()
{
    m_isFinished = true;
    const QString host = m_request.url.host();
    if (m_hasHeaders) {
        m_error = {Error::Kind::Timeout,
                   0,
                   tr("The answer of %1 stopped in the middle: nothing came for %2 s.")
                       .arg(host)
                       .arg(m_request.bodyIdleMs / 1000.0),
                   {},
                   {},
                   {}};
    } else {
        m_error = {Error::Kind::Timeout,
                   0,
                   tr("%1 did not begin to answer within %2 s.").arg(host).arg(m_request.headerTimeoutMs / 1000.0),
                   {},
                   {},
                   {}};
    }
    drop();
    Q_EMIT finished();
}

}  // namespace sonde
