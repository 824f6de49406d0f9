// Pool of connections to one server. Every request has one to itself, so that none waits for another.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QNetworkProxy>
#include <QObject>
#include <QUrl>
#include <optional>

namespace sonde {

class HttpConnection;

class HttpPool final : public QObject {
    Q_OBJECT
public:
    HttpPool(const QUrl &origin, QObject *parent);

    // The pool owns it. Whoever has leased it connects to its signals, disconnects and gives it back.
    HttpConnection *lease();
    void release(HttpConnection *connection);

private:
    static constexpr int KeptIdle = 4;
    struct Idle {
        HttpConnection *connection;
        qint64 untilNs;  // of monotonicNs()
    };

    QUrl m_origin;
    std::optional<QNetworkProxy> m_proxy;  // once looked up
    QList<Idle> m_idle;
};

}  // namespace sonde
