// MCP over Streamable HTTP, revisions 2025-03-26 to 2025-11-25.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/credentialsource.h"
#include "core/transport/transport.h"

#include <QList>
#include <QUrl>
#include <memory>

namespace sonde {

struct HttpOptions {
    QUrl url;
    QList<std::pair<QByteArray, QByteArray>> headers;  // sent with every request, after validation
    // Asked before each request, except where a person has written an Authorization header. Null: nobody is.
    std::shared_ptr<CredentialSource> credentials;
    int maxRefusals = 5;        // of one request; then it fails, whatever the source would do
    bool openGetStream = true;  // servers ask questions and announce changes there
    qint64 maxMessageBytes = qint64(256) * 1024 * 1024;
    int headerTimeoutMs = 30'000;  // from the request to the response headers of a notification, GET or DELETE.
                                   // A call's own deadline belongs to the client
    int bodyIdleMs = 60'000;       // between two bytes of a body that is not a stream
    int maxRedirects = 5;          // 307 and 308 on the same origin only
    int maxResumptions = 5;        // of one stream, without anything new arriving in between
    int minReconnectMs = 500;      // before a stream is resumed, even if the server asks for less; grows while nothing
                                   // but comments, pings and ids arrives
};

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
