// SPDX-License-Identifier: Apache-2.0
#include "core/transport/httppool.h"

#include "core/transport/httpconnection.h"

#include <QHostAddress>
#include <QNetworkProxyFactory>
#include <QNetworkProxyQuery>

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

}  // namespace

HttpPool::HttpPool(const QUrl &origin, QObject *parent) : QObject(parent), m_origin(origin) {}

HttpConnection *HttpPool::lease()
{
    while (!m_idle.isEmpty()) {
        HttpConnection *connection = m_idle.takeLast();
        connection->disconnect(this);
        if (connection->rest())  // the server may have closed it meanwhile
            return connection;
        connection->deleteLater();
    }
    if (!m_proxy)
        m_proxy = proxyFor(m_origin);
    return new HttpConnection(m_origin, *m_proxy, this);
}

void HttpPool::release(HttpConnection *connection)
{
    if (!connection->rest() || m_idle.size() >= keptIdle) {
        delete connection;
        return;
    }
    m_idle.append(connection);
    connect(connection, &HttpConnection::idleEnded, this, [this, connection] {
        m_idle.removeOne(connection);
        connection->deleteLater();
    });
}

}  // namespace sonde
