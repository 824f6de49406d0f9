// MCP over HTTP+SSE, the HTTP transport of revision 2024-11-05.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/http/httprequests.h"
#include "core/transport/transport.h"

#include <memory>

namespace sonde {

// A GET stream brings every message of the server. Its first event names the endpoint, of the same origin, to which
// every message of ours goes in a POST of its own (spec 2024-11-05: basic/transports, "HTTP with SSE"). Any 2xx accepts
// a message. The stream cannot be resumed: when it ends the connection is lost. Of the options, those about resuming
// and the second stream have no effect.
class SseTransport final : public Transport {
    Q_OBJECT
public:
    explicit SseTransport(HttpOptions options, QObject *parent = nullptr);
    ~SseTransport() override;

    void open() override;  // opened() follows once the server has named its endpoint
    // Waits two seconds at most for messages that the server has not accepted yet.
    void close() override;
    QString name() const override;
    void setRevision(Revision revision) override;
    bool abandon(const RequestId &id) override;
    QList<QByteArray> headerNames() const override;

protected:
    void pauseReading(bool isPaused) override;
    bool hold(const Message &message, const OutgoingHeaders &headers) override;
    QByteArray factsForSending(const Message &message) override;
    Error write(const Message &message, const OutgoingHeaders &headers) override;
    bool hasHeaders() const override { return true; }

private:
    class Private;
    std::unique_ptr<Private> d;
};

}  // namespace sonde
