// What Streamable HTTP and HTTP+SSE have in common: each message goes in a POST of its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/http/eventstream.h"
#include "core/transport/http/httprequests.h"
#include "core/transport/http/poststream.h"
#include "core/transport/transport.h"

#include <QList>
#include <QPointer>
#include <QTimer>
#include <memory>

namespace sonde {

// A message waits until the server has accepted the end of the handshake, or, in its stream, for credentials. One that
// is given up meanwhile never goes, which the record says.
class AbstractHttpTransport : public Transport {
    Q_OBJECT
public:
    ~AbstractHttpTransport() override;

    void open() override;
    // Waits two seconds at most for what is on its way: until requests have left and notifications were accepted. What
    // could not go is noted in the record.
    void close() override;
    void setRevision(Revision revision) override;
    bool abandon(const RequestId &id) override;
    QList<QByteArray> headerNames() const override { return http::namesOf(request("POST").headers); }

    // For the streams.
    using Transport::report;
    using Transport::reportBytes;
    using Transport::reportFacts;
    const HttpOptions &options() const { return m_options; }
    HttpPool *pool() const { return m_pool.get(); }
    int nextStreamNumber() { return m_nextStream++; }
    bool isReadingPaused() const { return m_isReadingPaused; }
    // lastEventId: of the stream that is resumed. of: what goes with the message.
    virtual AuthorizedRequest::Request request(const QByteArray &verb, const QByteArray &lastEventId = {},
                                               const OutgoingHeaders &of = {}) const = 0;
    bool hasBatches() const { return supports(revision(), Feature::Batches); }
    bool resumesStreams() const { return supports(revision(), Feature::SessionHeader); }
    // That a response to a request with these can end.
    virtual bool hasSession(const OutgoingHeaders &) const { return false; }
    void deliver(const HttpStream &stream, const QByteArray &bytes, const QByteArray &facts, const Delivery &delivery);

Q_SIGNALS:
    // As HttpStream::connectionLost(): the message that it happened to may still be resumed.
    void connectionLost(const sonde::Error &error, bool wasSent);

protected:
    AbstractHttpTransport(HttpOptions options, QObject *parent);

    void pauseReading(bool isPaused) override;
    bool hold(const Message &message, const OutgoingHeaders &headers) override;
    QByteArray factsForSending(const Message &message) override;
    Error write(const Message &message, const OutgoingHeaders &headers) override;
    bool hasHeaders() const override { return true; }

    const HttpRequests &requests() const { return m_requests; }
    EventStream *events() const { return m_events.get(); }
    EventStream *makeEvents(EventStream::Purpose purpose);
    void dropEvents() { m_events.reset(); }
    QList<QPointer<PostStream>> posts(const RequestId &id) const;
    void drop(PostStream *post, const QString &reason = {});  // which is noted where it has not been sent
    void dropStreams();
    http::HeaderList revisionHeaders() const;
    bool isHolding() const { return m_handshakeEnd != nullptr; }
    void finishLater(const Error &error);  // not if it is opened again before that
    void finish(const Error &error);

    // In open(), when requests can be made.
    virtual void begin() = 0;
    virtual void onHandshakeEnd() {}
    virtual void beforeDelivery(const HttpStream &) {}
    virtual void onFailed(const PostStream &post, const Error &error);
    virtual void endSession() = 0;  // nothing is on its way any more, or it took too long: leads to finish()
    virtual void onFinished() {}

private:
    struct Outgoing {
        Message message;
        OutgoingHeaders headers;
    };

    void onDone(bool isHandshakeEnd);
    void noteUnsent(const Message &message, const QString &reason);
    void goOnClosing();

    const HttpOptions m_options;
    HttpRequests m_requests;
    std::unique_ptr<HttpPool> m_pool;
    std::unique_ptr<EventStream> m_events;
    QList<PostStream *> m_posts;           // owned
    PostStream *m_handshakeEnd = nullptr;  // of these, that of notifications/initialized while it is under way
    QList<Outgoing> m_held;                // behind it: a server must not get a request before it is initialized
    QTimer m_closing;                      // as long as close() waits for posts
    QTimer m_finishing;
    Error m_end;  // with which it finishes
    int m_nextStream = 1;
    bool m_hasRevision = false;
    bool m_isReadingPaused = false;
};

}  // namespace sonde
