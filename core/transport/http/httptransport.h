// MCP over Streamable HTTP, since revision 2025-03-26.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/http/abstracthttptransport.h"
#include "core/transport/http/sseprobe.h"

#include <memory>

namespace sonde {

// One POST a message, answered by JSON or by a stream of server-sent events; a GET stream for what the server sends
// unasked; session id, protocol version header, DELETE at the end, resumption with Last-Event-ID (spec: basic/
// transports, "Streamable HTTP"). No cookies, no credentials across origins, no header with CR or LF, ever.
//
// The headers of a message are those of its POST only: a stream that has to be resumed is resumed with Sonde's own.
// What comes of a message with typed headers says nothing about the session: an id in its response is not taken, and a
// 404 fails the message alone.
class HttpTransport final : public AbstractHttpTransport {
    Q_OBJECT
public:
    // No connection is made before the first message: opened() follows open() at once.
    explicit HttpTransport(HttpOptions options, QObject *parent = nullptr);

    void close() override;  // sends DELETE when there is a session id
    QString name() const override;
    void sessionReady() override;
    bool abandon(const RequestId &id) override;
    bool namesCarriers() const override { return true; }
    // The server refused the handshake, and showed in the response to a GET that it speaks HTTP+SSE.
    bool foundHttpSse() const { return m_foundHttpSse; }

    AuthorizedRequest::Request request(const QByteArray &verb, const QByteArray &lastEventId,
                                       const OutgoingHeaders &of) const override;
    bool hasSession(const OutgoingHeaders &of) const override { return of.typed.isEmpty() && !m_sessionId.isEmpty(); }

protected:
    void begin() override;
    void beforeDelivery(const HttpStream &stream) override;
    void onHandshakeEnd() override;
    void onFailed(const PostStream &post, const Error &error) override;
    void endSession() override;
    void onFinished() override;

private:
    void listen();
    AuthorizedRequest::Request ownRequest(const QByteArray &verb);
    void probe(const RequestId &id, const Error &refusal);

    std::unique_ptr<SseProbe> m_probe;  // after initialize was refused
    std::unique_ptr<AuthorizedRequest> m_deletion;
    QByteArray m_sessionId;
    bool m_mayListen = false;
    bool m_foundHttpSse = false;
};

}  // namespace sonde
