// Finds out whether a server that refused the handshake speaks HTTP+SSE instead.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/http/authorizedrequest.h"
#include "core/transport/http/sseparser.h"

#include <QObject>
#include <memory>

namespace sonde {

// Spec: basic/transports, "Backwards Compatibility". A server of HTTP+SSE refuses the POST, and begins the stream of a
// GET with an event that names its endpoint. Deleting it ends it without a signal, also from within one.
class SseProbe final : public QObject {
    Q_OBJECT
public:
    // Whether this is how such a server refuses a POST to the URL of its stream.
    static bool isDue(const Error &refusal);

    SseProbe(HttpPool *pool, AuthorizedRequest::Request get);

    void start() { m_request.start(); }

Q_SIGNALS:
    void reported(const sonde::WireEvent &event);
    void finished(bool isHttpSse);

private:
    void onHeaders();
    void read();

    AuthorizedRequest m_request;
    std::unique_ptr<HttpExchange> m_stream;
    SseParser m_parser;
    qint64 m_length = 0;
};

}  // namespace sonde
