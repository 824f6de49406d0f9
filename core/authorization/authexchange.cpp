// SPDX-License-Identifier: Apache-2.0
#include "core/authorization/authexchange.h"

#include "core/transport/httprequests.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {
constexpr int AuthTimeoutMs = 30'000;
constexpr qsizetype MaxBody = 1024 * 1024;
}  // namespace

AuthExchange::AuthExchange(const Request &request, QObject *parent) : QObject(parent), m_pool(request.url, nullptr)
{
    m_deadline.setSingleShot(true);
    m_deadline.setInterval(AuthTimeoutMs);
    connect(&m_deadline, &QTimer::timeout, this, [this] {
        end({Error::Kind::Timeout, 0, tr("The authorization server did not respond in time."), {}, {}, {}});
    });
    HttpOptions options;
    options.url = request.url;
    options.maxRedirects = 0;
    HttpRequests requests;
    m_error = requests.set(options);
    http::HeaderList own = request.headers;
    HttpExchange::Request wire = requests.make("GET", requests.url(), {});
    wire.verb = request.verb;
    wire.stream = request.stream;
    wire.body = request.body;
    for (auto &[name, value] : wire.headers) {
        if (name == "Accept")
            value = "application/json";
    }
    if (!request.contentType.isEmpty())
        wire.headers.emplace_back("Content-Type", request.contentType);
    wire.headers += own;
    m_exchange = std::make_unique<HttpExchange>(&m_pool, wire, nullptr);
    connect(m_exchange.get(), &HttpExchange::reported, this, &AuthExchange::reported);
    connect(m_exchange.get(), &HttpExchange::headersArrived, this, &AuthExchange::readOn);
    connect(m_exchange.get(), &HttpExchange::readable, this, &AuthExchange::readOn);
    connect(m_exchange.get(), &HttpExchange::finished, this, &AuthExchange::readOn);
}

AuthExchange::~AuthExchange() = default;

void AuthExchange::start()
{
    if (m_error) {
        QMetaObject::invokeMethod(
            this, [this, error = m_error] { end(error); }, Qt::QueuedConnection);
        return;
    }
    m_deadline.start();
    m_exchange->start();
}

Error AuthExchange::statusError() const
{
    return http::statusError(m_status, m_reason, m_headers, m_body);
}

void AuthExchange::readOn()
{
    if (m_hasEnded)
        return;
    m_status = m_exchange->status();
    m_reason = m_exchange->reason();
    m_headers = m_exchange->headers();
    if (m_exchange->error())
        return end(m_exchange->error());
    if (!m_exchange->hasHeaders())
        return;
    m_body += m_exchange->read(MaxBody + 1 - m_body.size());
    if (m_body.size() > MaxBody)
        return end(Error::local(tr("The authorization server's response is larger than %1 bytes.").arg(MaxBody)));
    if (!m_exchange->isAtEnd())
        return;
    m_exchange->reportResponse(m_body);
    end({});
}

void AuthExchange::end(const Error &error)
{
    if (std::exchange(m_hasEnded, true))
        return;
    m_deadline.stop();
    m_error = error;
    m_exchange.release()->deleteLater();  // it may be the sender
    Q_EMIT finished();
}

}  // namespace sonde
