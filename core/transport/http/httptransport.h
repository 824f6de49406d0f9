// MCP over Streamable HTTP, revisions 2025-03-26 to 2025-11-25.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/http/httprequests.h"
#include "core/transport/transport.h"

#include <QList>
#include <memory>

namespace sonde {

// One POST a message, answered by JSON or by a stream of server-sent events; a GET stream for what the server sends
// unasked; session id, protocol version header, DELETE at the end, resumption with Last-Event-ID (spec: basic/
// transports, "Streamable HTTP"). No cookies, no credentials across origins, no header with CR or LF, ever.
class HttpTransport final : public Transport {
    Q_OBJECT
public:
    explicit HttpTransport(HttpOptions options, QObject *parent = nullptr);
    ~HttpTransport() override;

    void open() override;  // no connection is made before the first message: opened() follows at once
    // Waits two seconds at most for what is on its way: until requests have left and notifications were accepted. What
    // could not go is noted in the record. Then ends streams and sends DELETE when there is a session id.
    void close() override;
    QString name() const override;
    void setRevision(Revision revision) override;
    void sessionReady() override;
    bool abandon(const RequestId &id) override;
    QList<QByteArray> headerNames() const override;
    bool namesCarriers() const override { return true; }
    // The server refused the handshake, and showed in the response to a GET that it speaks HTTP+SSE.
    bool foundHttpSse() const;

Q_SIGNALS:
    // As HttpStream::connectionLost(): the message that it happened to may still be resumed.
    void connectionLost(const sonde::Error &error, bool wasSent);

protected:
    void pauseReading(bool isPaused) override;
    bool hold(const Message &message, const OutgoingHeaders &headers) override;
    QByteArray factsForSending(const Message &message) override;
    // Headers are those of its POST only: a stream that has to be resumed is resumed with Sonde's own. What comes of a
    // message with typed headers says nothing about the session: an id in its response is not taken, and a 404 fails
    // the message alone.
    Error write(const Message &message, const OutgoingHeaders &headers) override;
    bool hasHeaders() const override { return true; }

private:
    class Private;
    std::unique_ptr<Private> d;
};

}  // namespace sonde
