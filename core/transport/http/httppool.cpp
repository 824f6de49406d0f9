// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http/httppool.h"

#include "core/protocol/worker.h"
#include "core/transport/http/httpconnection.h"
#include "core/transport/monotonicclock.h"
#include "core/transport/wireevent.h"

#include <algorithm>
#include <utility>

namespace sonde {

namespace {

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

HttpPool::HttpPool(const QUrl &origin, http::Network network, QObject *parent)
    : QObject(parent), m_origin(origin), m_network(std::move(network))
{
    if (!m_network.proxy && http::isThisComputer(origin))
        m_network.proxy = QNetworkProxy(QNetworkProxy::NoProxy);
}

void HttpPool::whenReady(QObject *context, const std::function<void()> &ready)
{
    if (m_network.proxy)
        return ready();
    m_waiting.append({context, ready});
    if (m_waiting.size() > 1)
        return;
    runOnWorker(
        this, [origin = m_origin] { return http::systemProxy(origin); },
        [this](const std::optional<QNetworkProxy> &proxy) {
            m_network.proxy = proxy.value_or(QNetworkProxy(QNetworkProxy::NoProxy));
            for (const Waiting &each : std::exchange(m_waiting, {})) {
                if (each.context)
                    each.ready();
            }
        });
}

HttpConnection *HttpPool::lease()
{
    while (!m_idle.isEmpty()) {
        const auto [connection, untilNs] = m_idle.takeLast();
        connection->disconnect(this);
        if (monotonicNs() < untilNs && connection->isStillOpen())
            return connection;
        connection->deleteLater();
    }
    return new HttpConnection(m_origin, m_network, this);
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
