// SPDX-License-Identifier: Apache-2.0
#include "core/transport/httppool.h"

#include <QHostAddress>
#include <QNetworkProxy>
#include <QUrl>

#include <algorithm>

namespace sonde {

HttpPool::HttpPool(const QUrl &url, QObject *parent)
    : QObject(parent), m_isLoopback(url.host() == QLatin1String("localhost") || QHostAddress(url.host()).isLoopback())
{}

QNetworkAccessManager *HttpPool::lease(Use use)
{
    if (use == Use::Exchange) {
        for (Entry &entry : m_entries) {
            if (!entry.isExclusive && entry.active < exchangesEach) {
                ++entry.active;
                return entry.manager;
            }
        }
    }
    auto *manager = new QNetworkAccessManager(this);
    manager->setRedirectPolicy(QNetworkRequest::ManualRedirectPolicy);
    manager->setAutoDeleteReplies(false);
    if (m_isLoopback)
        manager->setProxy(QNetworkProxy::NoProxy);  // a proxy could not reach this machine's own loopback anyway
    m_entries.append({manager, 1, use == Use::Stream});
    return manager;
}

void HttpPool::release(QNetworkAccessManager *manager)
{
    const auto it =
        std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry &entry) { return entry.manager == manager; });
    if (it == m_entries.end() || --it->active > 0)
        return;
    const auto idle = std::count_if(m_entries.cbegin(), m_entries.cend(),
                                    [](const Entry &entry) { return entry.active == 0 && !entry.isExclusive; });
    if (!it->isExclusive && idle <= keptIdle)
        return;
    manager->deleteLater();
    m_entries.erase(it);
}

}  // namespace sonde
