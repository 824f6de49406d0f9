// Where the requests of an HTTP transport go, and the headers that each of them has.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/http/authorizedrequest.h"
#include "core/transport/messageheaders.h"
#include "core/transport/network.h"

#include <memory>

namespace sonde {

struct HttpOptions {
    QUrl url;
    http::NetworkOptions network;
    QList<std::pair<QByteArray, QByteArray>> headers;  // sent with every request, after validation
    // Asked before each request, except where a person has written an Authorization header. Null: nobody is.
    std::shared_ptr<CredentialSource> credentials;
    int maxRefusals = 5;        // of one request; then it fails, whatever the source would do
    bool openGetStream = true;  // servers ask questions and announce changes there
    qint64 maxMessageBytes = qint64(256) * 1024 * 1024;
    int headerTimeoutMs = 30'000;  // from the request to the response headers of a notification, GET or DELETE, from
                                   // the first to the last byte of those of a call, whose own deadline belongs to the
                                   // client, and from the start of an HTTP+SSE stream to its endpoint
    int bodyIdleMs = 60'000;       // between two bytes of a body that is not a stream
    int maxRedirects = 5;          // 307 and 308 on the same origin only
    int maxResumptions = 5;        // of one stream, without anything new arriving in between
    int minReconnectMs = 100;      // before a stream is resumed that again and again brought nothing but comments,
                                   // pings and ids, even if the server asks for less
};

class HttpRequests {
public:
    // What is wrong with the URL, the headers or the network options; None when requests can be made.
    Error set(const HttpOptions &options);

    const QUrl &url() const { return m_options.url; }  // without user info, which becomes a header
    const http::Network &network() const { return m_network; }
    // of: what goes with a message. Its typed headers are those of its POST only.
    AuthorizedRequest::Request make(const QByteArray &verb, const QUrl &url, const http::HeaderList &own,
                                    const OutgoingHeaders &of = {}) const;

private:
    HttpOptions m_options;
    http::Network m_network;
};

}  // namespace sonde
