// One HTTP request and its response.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/http/httppolicy.h"
#include "core/transport/http/httppool.h"
#include "core/transport/wireevent.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QTimer>

namespace sonde {

class HttpConnection;

// Nothing is sent that is not in the record. The body goes out once and never again. Deleting it ends the exchange
// without a signal, also from within one of the signals other than reported().
class HttpExchange final : public QObject {
    Q_OBJECT
public:
    struct Request {
        QByteArray verb;
        QUrl url;
        http::HeaderList headers;
        QByteArray body;
        int stream = 0;            // its number in the record
        qint64 spentMs = 0;        // before, on requests that were redirected to this one
        int headerTimeoutMs = 0;   // for them and this one, to the end of the headers
        bool mayTakeLong = false;  // that time begins with the first byte of the headers
        int bodyIdleMs = 0;
    };

    HttpExchange(HttpPool *pool, Request request);
    ~HttpExchange() override;

    void start();

    // From headersArrived() on.
    int status() const { return m_status; }
    QByteArray reason() const { return m_reason; }
    const http::HeaderList &headers() const { return m_headers; }
    QByteArray header(QByteArrayView name) const { return http::valueOf(m_headers, name); }
    bool hasHeaders() const { return m_hasHeaders; }
    qint64 headersMs() const { return m_headersMs; }     // what it took until then, with spentMs
    const QHostAddress &peer() const { return m_peer; }  // who responded; null: not known, as behind a proxy
    QByteArray sentHeader(QByteArrayView name) const { return http::valueOf(m_request.headers, name); }
    // Records the response's head; body where it is no message of its own.
    void reportResponse(const QByteArray &body = {}, qint64 wireLength = -1);

    QByteArray read(qint64 maxBytes);
    bool isAtEnd() const;                           // finished, and everything was read
    const Error &error() const { return m_error; }  // once finished: why it is not whole
    // Once finished: there was no connection to the server, or it ended too early.
    bool isConnectionLost() const { return m_isConnectionLost; }
    // The body is a stream: silence is no fault in it.
    void allowSilence();

Q_SIGNALS:
    void reported(const sonde::WireEvent &event);
    void sent();  // all of the request is with the operating system: as far as we can tell, it is on its way
    void headersArrived();
    void readable();
    void finished();

private:
    void send();
    void onHeaders();
    void onProgress();
    void watchHead();
    void handleEnd();
    void onTimeout();
    void drop();
    Error failure() const;

    QPointer<HttpPool> m_pool;
    Request m_request;
    QPointer<HttpConnection> m_connection;
    QTimer m_deadline;
    QElapsedTimer m_clock;
    qint64 m_headersMs = 0;
    int m_status = 0;
    QByteArray m_reason;
    QHostAddress m_peer;
    http::HeaderList m_headers;
    bool m_hasHeaders = false;
    bool m_isReported = false;
    bool m_isFinished = false;
    bool m_isConnectionLost = false;
    Error m_error;
};

}  // namespace sonde
