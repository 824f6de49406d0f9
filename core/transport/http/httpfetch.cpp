// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http/httpfetch.h"

#include "core/transport/http/httprequests.h"

namespace sonde {

HttpFetch::HttpFetch(Request request, QObject *parent) : QObject(parent), m_request(std::move(request))
{
    m_deadline.setSingleShot(true);
    m_deadline.setInterval(m_request.timeoutMs);
    connect(&m_deadline, &QTimer::timeout, this, [this] {
        const QString text = tr("%1 did not respond within %2 s.");
        end(Error::of(Error::Kind::Timeout,
                      text.arg(http::hostAndPort(m_request.url)).arg(m_request.timeoutMs / 1000.0)));
    });
}

HttpFetch::~HttpFetch() = default;

void HttpFetch::start()
{
    HttpOptions options;
    options.url = m_request.url;
    options.network = m_request.network;
    if (m_request.addressPolicy.isLed) {  // the certificate of the person is for their server
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
    AuthorizedRequest::Request wire = requests.make("GET", requests.url(), {});
    wire.verb = m_request.verb;
    wire.stream = m_request.stream;
    wire.body = m_request.body;
    wire.maxKeptBytes = wire.maxReadBytes = m_request.maxBytes;
    for (auto &[name, value] : wire.headers) {
        if (name == "Accept")
            value = m_request.accept;
    }
    if (!m_request.contentType.isEmpty())
        wire.headers.emplace_back("Content-Type", m_request.contentType);
    wire.headers += m_request.headers;
    http::Network network = requests.network();
    network.addressPolicy.isLed = m_request.addressPolicy.isLed;
    network.addressPolicy.from = m_request.addressPolicy.from;
    network.addressPolicy.allowedHosts += m_request.addressPolicy.allowedHosts;
    m_pool = std::make_unique<HttpPool>(requests.url(), network, nullptr);
    m_wire = std::make_unique<AuthorizedRequest>(m_pool.get(), std::move(wire));
    connect(m_wire.get(), &AuthorizedRequest::reported, this, [this](WireEvent event) {
        if (event.kind == WireEvent::Kind::HttpRequest) {  // no record of its own holds this body
            event.bytes = m_request.body;
            event.wireLength = event.bytes.size();
        }
        Q_EMIT reported(event);
    });
    connect(m_wire.get(), &AuthorizedRequest::finished, this, &HttpFetch::onFinished);
    m_deadline.start();
    m_wire->start();
}

Error HttpFetch::statusError() const
{
    return http::statusError(status(), reason(), headers(), body());
}

void HttpFetch::onFinished()
{
    if (m_wire->error())
        return end(m_wire->error());
    if (m_wire->bodyLength() > m_request.maxBytes)
        return end(Error::local(tr("The response from %1 is larger than %2 bytes.")
                                    .arg(http::hostAndPort(m_request.url))
                                    .arg(m_request.maxBytes)));
    m_wire->reportResponse();
    end({});
}

void HttpFetch::end(const Error &error)
{
    m_deadline.stop();
    if (m_wire)
        m_wire->disconnect(this);
    m_error = error;
    Q_EMIT finished();
}

}  // namespace sonde
