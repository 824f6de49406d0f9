// Fetches one small file over HTTP, without anything that says who asks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"
#include "core/transport/httppool.h"

#include <QObject>
#include <QTimer>
#include <QUrl>
#include <memory>

namespace sonde {

class HttpExchange;

// No credentials, no cookies, no redirects, a limit of size and of time. Deleting it ends it without a signal.
class HttpDownload final : public QObject {
    Q_OBJECT
public:
    HttpDownload(const QUrl &url, const QByteArray &accept, qint64 maxBytes, QObject *parent = nullptr);
    ~HttpDownload() override;

    void start();
    const QByteArray &body() const { return m_body; }
    const Error &error() const { return m_error; }

Q_SIGNALS:
    void finished();  // once, never from within start()

private:
    void readOn();
    void end(const Error &error);

    const QUrl m_url;
    const QByteArray m_accept;
    const qint64 m_maxBytes;
    HttpPool m_pool;
    std::unique_ptr<HttpExchange> m_exchange;
    QTimer m_deadline;
    QByteArray m_body;
    Error m_error;
    bool m_hasEnded = false;
};

}  // namespace sonde
