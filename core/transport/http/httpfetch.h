// One HTTP request beside the messages of a transport, and the whole of its response.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/http/authorizedrequest.h"

#include <QObject>
#include <QTimer>
#include <memory>

namespace sonde {

// No cookies, no redirects, no credentials but those given, a limit of size and of time. Deleting it ends it without a
// signal.
class HttpFetch final : public QObject {
    Q_OBJECT
public:
    struct Request {
        QByteArray verb = "GET";
        QUrl url;
        http::HeaderList headers;  // beside the usual ones
        QByteArray body;
        QByteArray contentType;  // of the body
        QByteArray accept = "application/json";
        http::NetworkOptions network = {};
        http::AddressPolicy addressPolicy = {};  // where the URL may lead
        qint64 maxBytes = 1024 * 1024;           // of the response's body
        int timeoutMs = 30'000;                  // for all of it
        int stream = 0;                          // its number in the record
    };

    explicit HttpFetch(Request request, QObject *parent = nullptr);
    ~HttpFetch() override;

    const QUrl &url() const { return m_request.url; }
    int timeoutMs() const { return m_request.timeoutMs; }
    void start();
    // From finished() on. An HTTP status is no error.
    const Error &error() const { return m_error; }
    int status() const { return response() ? response()->status() : 0; }
    QByteArray reason() const { return response() ? response()->reason() : QByteArray(); }
    http::HeaderList headers() const { return response() ? response()->headers() : http::HeaderList(); }
    QByteArray body() const { return m_error || !m_wire ? QByteArray() : m_wire->body(); }
    // Who responded; null: not known, as behind a proxy.
    QHostAddress peer() const { return response() ? response()->peer() : QHostAddress(); }
    Error statusError() const;  // what to say where the status is none that helps

Q_SIGNALS:
    void reported(const sonde::WireEvent &event);
    void finished();  // once, never from within start()

private:
    const HttpExchange *response() const { return m_wire ? m_wire->response() : nullptr; }
    void onFinished();
    void end(const Error &error);

    const Request m_request;
    std::unique_ptr<HttpPool> m_pool;
    std::unique_ptr<AuthorizedRequest> m_wire;
    QTimer m_deadline;
    Error m_error;
};

}  // namespace sonde
