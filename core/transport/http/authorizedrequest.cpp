// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http/authorizedrequest.h"

#include "core/protocol/messagefields.h"
#include "core/transport/messageheaders.h"
#include "core/transport/transport.h"

#include <QTimer>

#include <algorithm>

namespace sonde {

namespace {
constexpr qint64 BodyChunkBytes = 64 * 1024;
}  // namespace

AuthorizedRequest::AuthorizedRequest(HttpPool *pool, Request request)
    : m_pool(pool), m_request(std::move(request)), m_url(m_request.url)
{}

AuthorizedRequest::~AuthorizedRequest() = default;

void AuthorizedRequest::ask(std::optional<CredentialSource::Refusal> refusal)
{
    if (!m_request.credentials)
        return send();
    m_wait = std::make_unique<CredentialWait>(requestIdOf(m_request.message), refusal ? refusal->error : Error());
    const QPointer<CredentialWait> wait(m_wait.get());
    if (m_request.credentialsTimeoutMs > 0)
        QTimer::singleShot(m_request.credentialsTimeoutMs, wait, [this] {
            onCredentials(Error::of(Error::Kind::Timeout, tr("There were no credentials in time.")));
        });
    const std::shared_ptr<CredentialSource> source = m_request.credentials;  // we may be gone before it returns
    source->provide({m_request.verb, m_url, std::move(refusal), m_request.verb == "DELETE"},
                    [this, wait](const Result<Headers> &credentials) {
                        if (wait)
                            onCredentials(credentials);
                    });
    // A turn later: the caller of start() does not expect signals yet, and often the credentials are there by then.
    if (wait)
        QMetaObject::invokeMethod(
            wait, [this, wait] { Q_EMIT credentialsAwaited(wait); }, Qt::QueuedConnection);
}

void AuthorizedRequest::onCredentials(const Result<Headers> &credentials)
{
    std::unique_ptr<CredentialWait> wait = std::move(m_wait);
    if (!credentials) {
        // The caller of start() does not expect it to fail at once.
        QMetaObject::invokeMethod(
            this, [this, error = credentials.error()] { Q_EMIT unauthorized(error); }, Qt::QueuedConnection);
        return;
    }
    m_credentials = *credentials;
    const QPointer<AuthorizedRequest> alive(this);
    Q_EMIT wait->given();
    wait.reset();
    if (alive)
        send();
}

void AuthorizedRequest::send()
{
    HttpExchange::Request request = m_request;
    request.url = m_url;
    for (const auto &[name, value] : std::as_const(m_credentials))
        putHeader(&request.headers, name, value);
    m_exchange = std::make_unique<HttpExchange>(m_pool, std::move(request));
    connect(m_exchange.get(), &HttpExchange::reported, this, &AuthorizedRequest::reported);
    connect(m_exchange.get(), &HttpExchange::sent, this, &AuthorizedRequest::sent);
    connect(m_exchange.get(), &HttpExchange::headersArrived, this, &AuthorizedRequest::onHeaders);
    connect(m_exchange.get(), &HttpExchange::readable, this, &AuthorizedRequest::readBody);
    connect(m_exchange.get(), &HttpExchange::finished, this, &AuthorizedRequest::readBody);
    m_exchange->start();
}

void AuthorizedRequest::onHeaders()
{
    if (http::isRedirect(m_exchange->status()))
        redirect();
    else
        Q_EMIT headersArrived();
}

// Credentials may be for one URL only (RFC 9449, section 4.2).
void AuthorizedRequest::redirect()
{
    m_exchange->reportResponse();
    const Result<QUrl> target = http::redirectTarget(m_url, m_exchange->status(), m_exchange->header("Location"),
                                                     m_request.maxRedirects - m_redirects);
    if (!target) {
        leaveBody();
        m_error = target.error();
        Q_EMIT finished();
        return;
    }
    m_request.spentMs = m_exchange->headersMs();
    m_exchange.reset();
    ++m_redirects;
    m_url = *target;
    ask({});
}

std::unique_ptr<HttpExchange> AuthorizedRequest::takeResponse()
{
    leaveBody();
    return std::move(m_exchange);
}

void AuthorizedRequest::leaveBody()
{
    disconnect(m_exchange.get(), &HttpExchange::readable, this, nullptr);
    disconnect(m_exchange.get(), &HttpExchange::finished, this, nullptr);
}

bool AuthorizedRequest::isFinished() const
{
    return m_error || (m_exchange && (m_exchange->isAtEnd() || m_bodyLength > m_request.maxReadBytes));
}

void AuthorizedRequest::readBody()
{
    while (m_bodyLength <= m_request.maxReadBytes) {
        const QByteArray bytes = m_exchange->read(BodyChunkBytes);
        if (bytes.isEmpty())
            break;
        m_bodyLength += bytes.size();
        m_body += bytes.left(std::max<qint64>(0, m_request.maxKeptBytes - m_body.size()));
    }
    if (isFinished()) {
        leaveBody();
        onBody();
    }
}

void AuthorizedRequest::onBody()
{
    CredentialSource::Refusal refusal;
    refusal.status = m_exchange->status();
    refusal.responseHeaders = m_exchange->headers();
    if ((refusal.status == 401 || refusal.status == 403) && m_request.credentials)
        refusal.error = http::statusError(refusal.status, m_exchange->reason(), refusal.responseHeaders, m_body);
    const bool isRefused = refusal.error.kind == Error::Kind::Auth;
    if (isRefused)
        reportResponse();
    if (!isRefused || m_refusals >= m_request.maxRefusals) {
        Q_EMIT finished();
        return;
    }
    refusal.challenges = authChallenges(refusal.responseHeaders);
    refusal.credentials = m_credentials;
    refusal.count = ++m_refusals;
    refusal.peer = m_exchange->peer();
    refusal.subject = targetOf(m_request.message);
    if (refusal.subject.isEmpty())
        refusal.subject = m_request.message.method();
    m_exchange.reset();
    m_body.clear();
    m_bodyLength = 0;
    m_redirects = 0;
    m_request.spentMs = 0;
    m_url = m_request.url;
    ask(std::move(refusal));
}

}  // namespace sonde
