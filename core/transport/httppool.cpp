// SPDX-License-Identifier: Apache-2.0
#include "core/transport/httppool.h"

#include "core/transport/httpconnection.h"
#include "core/transport/monotonicclock.h"
#include "core/transport/wireevent.h"

#include <QHostAddress>
#include <QNetworkProxyFactory>
#include <QNetworkProxyQuery>
#include <algorithm>

namespace sonde {

namespace {

// The system's. HTTP goes to one that takes whole URLs or makes tunnels, TLS to one that makes tunnels.
QNetworkProxy proxyFor(const QUrl &url)
{
    // A proxy could not reach this machine's own loopback anyway.
    if (url.host() == QLatin1String("localhost") || QHostAddress(url.host()).isLoopback())
        return QNetworkProxy::NoProxy;
    const QList<QNetworkProxy> proxies = QNetworkProxyFactory::proxyForQuery(QNetworkProxyQuery(url));
    for (const QNetworkProxy &proxy : proxies) {
        const bool takesUrls = proxy.isCachingProxy() && url.scheme() == QLatin1String("http");
        if (takesUrls || proxy.isTransparentProxy())
            return proxy;
    }
    return QNetworkProxy::NoProxy;
}

// How long a connection is kept for the next request. A router may forget an idle one without a word to either end, and
// what a server says of its own patience ends with a request that is lost.
qint64 idleNs(const HttpResponseParser &response)
{
    constexpr qint64 second = 1'000'000'000;
    constexpr qint64 maxIdle = 30 * second;
    constexpr qint64 margin = second / 2;
    const QByteArray keepAlive = http::valueOf(response.headers(), "Keep-Alive").toLower();
    for (const QByteArray &parameter : keepAlive.split(',')) {
        const QByteArray timeout = parameter.trimmed();
        bool isNumber = false;
        const qint64 seconds = timeout.startsWith("timeout=") ? timeout.mid(8).toUShort(&isNumber) : 0;
        if (isNumber)
            return std::min(maxIdle, seconds * second - margin);
    }
    return maxIdle;
}

}  // namespace

HttpPool::HttpPool(const QUrl &origin, QObject *parent) : QObject(parent), m_origin(origin) {}

HttpConnection *HttpPool::lease()
{
    while (!m_idle.isEmpty()) {
        const auto [connection, untilNs] = m_idle.takeLast();
        connection->disconnect(this);
        if (monotonicNs() < untilNs && connection->rest())  // the server may have closed it meanwhile
            return connection;
        connection->deleteLater();
    }
    if (!m_proxy)
        m_proxy = proxyFor(m_origin);
    return new HttpConnection(m_origin, *m_proxy, this);
}

void HttpPool::release(HttpConnection *connection)
{
    if (!connection->rest() || m_idle.size() >= KeptIdle) {
        delete connection;
        return;
    }
    m_idle.append({connection, monotonicNs() + idleNs(connection->response())});
    connect(connection, &HttpConnection::idleEnded, this, [this, connection] {
        m_idle.removeIf([connection](const Idle &idle) { return idle.connection == connection; });
        connection->deleteLater();
    });
}

}  // namespace sonde
