// SPDX-License-Identifier: Apache-2.0
#include "core/transport/httpdownload.h"

#include "core/transport/httpexchange.h"
#include "core/transport/httprequests.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr int DownloadTimeoutMs = 20'000;
constexpr int HttpOk = 200;

}  // namespace

HttpDownload::HttpDownload(const QUrl &url, const QByteArray &accept, qint64 maxBytes, QObject *parent)
    : QObject(parent), m_url(url), m_accept(accept), m_maxBytes(maxBytes), m_pool(url, nullptr)
{
    m_deadline.setSingleShot(true);
    m_deadline.setInterval(DownloadTimeoutMs);
    connect(&m_deadline, &QTimer::timeout, this, [this] { end(Error::local(tr("Timed out."))); });
}

HttpDownload::~HttpDownload() = default;

void HttpDownload::start()
{
    HttpOptions options;
    options.url = m_url;
    options.maxRedirects = 0;
    HttpRequests requests;
    if (const Error error = requests.set(options)) {
        QMetaObject::invokeMethod(
            this, [this, error] { end(error); }, Qt::QueuedConnection);
        return;
    }
    HttpExchange::Request request = requests.make("GET", requests.url(), {});
    for (auto &[name, value] : request.headers) {
        if (name == "Accept")
            value = m_accept;
    }
    m_exchange = std::make_unique<HttpExchange>(&m_pool, request, nullptr);
    connect(m_exchange.get(), &HttpExchange::headersArrived, this, &HttpDownload::readOn);
    connect(m_exchange.get(), &HttpExchange::readable, this, &HttpDownload::readOn);
    connect(m_exchange.get(), &HttpExchange::finished, this, &HttpDownload::readOn);
    m_deadline.start();
    m_exchange->start();
}

void HttpDownload::readOn()
{
    if (m_hasEnded)
        return;
    if (m_exchange->error()) {
        end(m_exchange->error());
        return;
    }
    if (!m_exchange->hasHeaders())
        return;
    if (m_exchange->status() != HttpOk) {
        end(Error::local(tr("The server responded with status %1.").arg(m_exchange->status())));
        return;
    }
    m_body += m_exchange->read(m_maxBytes + 1 - m_body.size());
    if (m_body.size() > m_maxBytes)
        end(Error::local(tr("The file is larger than %1 bytes.").arg(m_maxBytes)));
    else if (m_exchange->isAtEnd())
        end({});
}

void HttpDownload::end(const Error &error)
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
