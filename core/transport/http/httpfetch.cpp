// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http/httpfetch.h"

#include "core/transport/http/httprequests.h"

#include <utility>

namespace sonde {

HttpFetch::HttpFetch(Request request, QObject *parent) : QObject(parent), m_request(std::move(request))
{
    m_deadline.setSingleShot(true);
    m_deadline.setInterval(m_request.timeoutMs);
    connect(&m_deadline, &QTimer::timeout, this, [this] {
        end({Error::Kind::Timeout,
             0,
             tr("%1 did not respond within %2 s.")
                 .arg(http::hostAndPort(m_request.url))
                 .arg(m_request.timeoutMs / 1000.0),
             {},
             {},
             {}});
    });
}

HttpFetch::~HttpFetch() = default;

void HttpFetch::start()
{
    HttpOptions options;
    options.url = m_request.url;
    options.network = m_request.network;
    if (m_request.reach.isLed) {  // the certificate of the person is for their server
        options.network.clientCertificate.clear();
        options.network.clientKey.clear();
    }
    options.maxRedirects = 0;
    HttpRequests requests;
    if (const Error error = requests.set(options)) {
        QMetaObject::invokeMethod(
            this, [this, error] { end(error); }, Qt::QueuedConnection);
        return;
    }
    HttpExchange::Request wire = requests.make("GET", requests.url(), {});
    wire.verb = m_request.verb;
    wire.stream = m_request.stream;
    wire.body = m_request.body;
    for (auto &[name, value] : wire.headers) {
        if (name == "Accept")
            value = m_request.accept;
    }
    if (!m_request.contentType.isEmpty())
        wire.headers.emplace_back("Content-Type", m_request.contentType);
    wire.headers += m_request.headers;
    http::Network network = requests.network();
    network.reach.isLed = m_request.reach.isLed;
    network.reach.from = m_request.reach.from;
    network.reach.allowedHosts += m_request.reach.allowedHosts;
    m_pool = std::make_unique<HttpPool>(requests.url(), network, nullptr);
    m_exchange = std::make_unique<HttpExchange>(m_pool.get(), wire, nullptr);
    connect(m_exchange.get(), &HttpExchange::reported, this, [this](WireEvent event) {
        if (event.kind == WireEvent::Kind::HttpRequest) {  // no record of its own holds this body
            event.bytes = m_request.body;
            event.wireLength = event.bytes.size();
        }
        Q_EMIT reported(event);
    });
    connect(m_exchange.get(), &HttpExchange::headersArrived, this, &HttpFetch::readOn);
    connect(m_exchange.get(), &HttpExchange::readable, this, &HttpFetch::readOn);
    connect(m_exchange.get(), &HttpExchange::finished, this, &HttpFetch::readOn);
    m_deadline.start();
    m_exchange->start();
}

Error HttpFetch::statusError() const
{
    return http::statusError(m_status, m_reason, m_headers, m_body);
}

void HttpFetch::readOn()
{
    if (m_hasEnded)
        return;
    m_status = m_exchange->status();
    m_reason = m_exchange->reason();
    m_headers = m_exchange->headers();
    m_peer = m_exchange->peer();
    if (m_exchange->error())
        return end(m_exchange->error());
    if (!m_exchange->hasHeaders())
        return;
    m_body += m_exchange->read(m_request.maxBytes + 1 - m_body.size());
    if (m_body.size() > m_request.maxBytes)
        return end(Error::local(tr("The response from %1 is larger than %2 bytes.")
                                    .arg(http::hostAndPort(m_request.url))
                                    .arg(m_request.maxBytes)));
    if (!m_exchange->isAtEnd())
        return;
    m_exchange->reportResponse(m_body);
    end({});
}

void HttpFetch::end(const Error &error)
{
    if (std::exchange(m_hasEnded, true))
        return;
    m_deadline.stop();
    m_error = error;
    if (error)
        m_body.clear();
    if (m_exchange)
        m_exchange.release()->deleteLater();  // it may be the sender
    Q_EMIT finished();
}

}  // namespace sonde
