// MCP over HTTP+SSE, the HTTP transport of revision 2024-11-05.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/http/abstracthttptransport.h"

namespace sonde {

// A GET stream brings every message of the server. Its first event names the endpoint, of the same origin, to which
// every message of ours goes in a POST of its own (spec 2024-11-05: basic/transports, "HTTP with SSE"). Any 2xx accepts
// a message. The stream cannot be resumed: when it ends the connection is lost. Of the options, those about resuming
// and the second stream have no effect.
class SseTransport final : public AbstractHttpTransport {
    Q_OBJECT
public:
    // opened() follows open() once the server has named its endpoint.
    explicit SseTransport(HttpOptions options, QObject *parent = nullptr);

    QString name() const override;
    AuthorizedRequest::Request request(const QByteArray &verb, const QByteArray &lastEventId,
                                       const OutgoingHeaders &of) const override;

protected:
    void begin() override;
    void beforeDelivery(const HttpStream &stream) override;
    void endSession() override { finishLater({}); }
    void onFinished() override { m_naming.stop(); }

private:
    void onEvent(const SseParser::Event &event);
    void refuse(const Error &error);

    QUrl m_endpoint;
    QTimer m_naming;  // from the head of the stream to its endpoint
};

}  // namespace sonde
