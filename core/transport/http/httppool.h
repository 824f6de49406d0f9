// Pool of connections to one server. Every request has one to itself, so that none waits for another.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/network.h"

#include <QList>
#include <QObject>
#include <QPointer>
#include <QUrl>
#include <functional>

namespace sonde {

class HttpConnection;

class HttpPool final : public QObject {
    Q_OBJECT
public:
    HttpPool(const QUrl &origin, http::Network network, QObject *parent);

    // Calls ready in order, unless the context is gone by then: at once, or when the system has said which proxy to
    // use.
    void whenReady(QObject *context, const std::function<void()> &ready);

    // Once ready. The pool owns it. The caller connects to its signals, disconnects and gives it back.
    HttpConnection *lease();
    void release(HttpConnection *connection);

private:
    static constexpr int KeptIdle = 4;
    struct Idle {
        HttpConnection *connection;
        qint64 untilNs;  // of monotonicNs()
    };

    QUrl m_origin;
    http::Network m_network;
    struct Waiting {
        QPointer<QObject> context;
        std::function<void()> ready;
    };
    QList<Waiting> m_waiting;  // for the system's proxy
    QList<Idle> m_idle;
};

}  // namespace sonde
