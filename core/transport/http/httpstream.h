// What one message or the GET stream of an HTTP transport brings, across as many requests as it takes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/messagefields.h"
#include "core/transport/http/authorizedrequest.h"
#include "core/transport/http/messagereader.h"
#include "core/transport/http/resumption.h"
#include "core/transport/http/ssecommentlimiter.h"
#include "core/transport/transport.h"

#include <QObject>
#include <QTimer>
#include <memory>

namespace sonde {

class AbstractHttpTransport;

// Abstract: PostStream or EventStream. One request after the other, all with the same number in the record: the first,
// and a GET each time the stream is resumed. Owned by its transport, which deletes it after ended(). Deleting it ends
// it without a signal, also from within one.
class HttpStream : public QObject {
    Q_OBJECT
public:
    void start() { send(m_verb); }
    void readOn();  // after a pause of the transport

    const Message &message() const { return m_message; }  // Invalid where it carries none
    const OutgoingHeaders &headers() const { return m_headers; }
    // None where the message is not a request: the id of a response is the server's.
    RequestId requestId() const { return requestIdOf(m_message); }
    bool isAwaitingCredentials() const { return m_request && m_request->isAwaitingCredentials(); }
    QByteArray responseHeader(QByteArrayView name) const;

    // For its reader.
    AbstractHttpTransport *transport() const { return m_transport; }
    EventFacts facts() const { return {.stream = m_number}; }
    EventFacts facts(EventCode what) const { return {.stream = m_number, .what = toString(what)}; }
    Resumption &resumption() { return m_resumption; }
    const Resumption &resumption() const { return m_resumption; }
    SseCommentLimiter &comments() { return m_comments; }
    virtual RequestId call() const { return {}; }  // whose response this stream waits for

Q_SIGNALS:
    void sent();      // as HttpExchange::sent()
    void accepted();  // the head of a good response is there
    // A request that somebody waits for lost its connection, or could make none. It may be tried again.
    // wasSent: it had reached the server's host.
    void connectionLost(const sonde::Error &error, bool wasSent);
    void failed(const sonde::Error &error);
    void sessionLost(const sonde::Error &error);
    void ended();  // the last signal, always

protected:
    HttpStream(AbstractHttpTransport *transport, const QByteArray &verb, Message message, OutgoingHeaders headers);

    void readMessages(MessageReader::Form form);  // of the response whose head is there
    void resume(const Error &cause);              // or fails, where it cannot
    void fail(const Error &error);                // the end, with an error if somebody still waits
    void end() { Q_EMIT ended(); }

    AuthorizedRequest *request() const { return m_request.get(); }
    MessageReader *reader() const { return m_reader.get(); }
    bool wasSent() const { return m_wasSent; }
    bool wasOpen() const { return m_wasOpen; }  // events have come, in response to this request or an earlier one
    bool isWaitingToResume() const { return m_wait.isActive(); }
    static bool isSuccess(int status) { return status >= 200 && status < 300; }
    static bool isReadable(const HttpExchange &response);  // a good one that is not compressed
    static bool bringsEvents(const HttpExchange &response);
    // The server no longer knows it.
    bool isSessionLost() const;
    // What a response without messages means.
    void conclude(bool isSessionLost);
    static Error lossBecauseOf(const Error &cause, const QString &message, const QString &hint = {});

    virtual void onHeaders() = 0;
    virtual void onMessagesRead(const Error &cause) = 0;
    virtual void onTooLong(const Message &begun, const Error &error) = 0;
    virtual void onBody() = 0;  // of a response without messages
    virtual bool isWaitedFor() const { return true; }
    // A stream for whatever may come is cut by a proxy now and then, which says nothing of the server.
    virtual bool isForAnything() const = 0;
    virtual bool mayResume() const = 0;
    virtual Error lossOf(const Error &cause) const = 0;

private:
    void send(const QByteArray &verb);
    void onFinished();
    void tellOfLoss(const HttpExchange *response);
    Error wrongType() const;

    AbstractHttpTransport *const m_transport;
    const int m_number;
    const QByteArray m_verb;  // of the first request
    const Message m_message;
    const OutgoingHeaders m_headers;
    std::unique_ptr<AuthorizedRequest> m_request;
    std::unique_ptr<MessageReader> m_reader;
    Resumption m_resumption;
    SseCommentLimiter m_comments;
    QTimer m_wait;
    bool m_wasSent = false;
    bool m_wasOpen = false;
};

}  // namespace sonde
