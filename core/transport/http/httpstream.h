// What one POST or the GET stream brings: JSON, or server-sent events across as many connections as it takes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/message.h"
#include "core/transport/http/credentialsource.h"
#include "core/transport/http/httpexchange.h"
#include "core/transport/http/ssecommentlimiter.h"
#include "core/transport/http/sseparser.h"

#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>

namespace sonde {

class TurnBudget;

class HttpStream final : public QObject {
    Q_OBJECT
public:
    enum class Role {
        Call,    // POST of a request: ends with its response or with failed()
        Notice,  // POST of a notification or a response: ends once it was accepted
        Listen,  // GET: goes on until it is deleted, or the server does not offer it
        // Of HTTP+SSE:
        Post,    // of any message: ends once it was accepted; the body of the response says nothing
        Channel  // GET: brings all messages of the server. When it ends, it has failed
    };

    // What a stream needs from its transport.
    struct Hooks {
        std::function<HttpExchange::Request(const QByteArray &verb, const QByteArray &lastEventId)> request;
        // Calls examine on a worker thread where the message is large, and then done, sooner or later.
        using Look = std::function<void(const Message &message)>;
        std::function<void(const QByteArray &bytes, const QByteArray &facts, Look examine, Look done)> deliver;
        std::function<void(WireEvent)> report;
        std::function<void(const CredentialSource::Request &, const CredentialSource::Ready &)>
            credentials;                                      // may be null
        std::function<void(const SseParser::Event &)> event;  // that is no message; may be null
        std::function<bool()> hasSession;
        std::function<bool()> canResume;
        std::function<bool()> hasBatches;
    };
    struct Limits {
        qint64 maxMessageBytes = 0;
        int maxResumptions = 0;
        int minReconnectMs = 0;
        int maxRefusals = 0;
    };

    HttpStream(HttpPool *pool, int number, Role role, Message message, Hooks hooks, Limits limits, QObject *parent);
    ~HttpStream() override;

    void start();
    // Its caller has given up: what still comes is delivered, but nothing is resumed and nothing fails.
    void abandon();
    // While it is paused nothing is read and nothing delivered.
    void setPaused(bool isPaused);
    // Ends it without a signal; safe from within its signals, where deleting it is not.
    void stop();

    Role role() const { return m_role; }
    bool isGet() const { return m_role == Role::Listen || m_role == Role::Channel; }
    const Message &message() const { return m_message; }
    RequestId requestId() const { return requestIdOf(m_message); }
    // None where the message is not a request: the id of a response is the server's.
    static RequestId requestIdOf(const Message &message)
    {
        return message.kind() == Message::Kind::Request ? message.id() : RequestId();
    }
    QByteArray responseHeader(QByteArrayView name) const;
    bool wasSent() const { return m_wasSent; }  // its POST is with the operating system
    bool isAwaitingCredentials() const { return m_isAwaiting; }
    // Nothing is lost when the connection ends now. A notification counts once it was accepted: a server may drop a
    // request whose sender is gone.
    bool mayEnd() const;

Q_SIGNALS:
    void sent();
    void accepted();  // the head of a good response is there
    void credentialsAwaited(const sonde::Error &refusal);
    void credentialsGiven();
    // A request that somebody waits for lost its connection, or could make none. It may be tried again.
    // wasSent: it had reached the server's host.
    void connectionLost(const sonde::Error &error, bool wasSent);
    void failed(const sonde::Error &error);
    // Of a channel: the response to this request was too long to be read.
    void responseLost(const sonde::RequestId &id, const sonde::Error &error);
    void sessionLost(const sonde::Error &error);
    void ended();  // the last signal, always

private:
    enum class Mode { Waiting, Sse, Json, Body };

    void request(const QByteArray &verb);
    void askForCredentials(std::optional<CredentialSource::Refusal> refusal);
    void tellOfAwaiting(int asked, const Error &reason);
    void takeCredentials(const Result<CredentialSource::Headers> &credentials);
    bool askAgain(const Error &error);
    void send();
    void onHeaders();
    void pump();
    bool pumpSse(TurnBudget &budget);
    bool takeEvent(const SseParser::Event &event);
    void takePlace(const SseParser::Event &event);
    bool collect(TurnBudget &budget);
    void tooLong(qint64 length, const QByteArray &head, const QByteArray &sha256, bool isOutOfMemory = false);
    bool isMissed() const;
    void conclude();
    void concludeSse();
    void concludeJson();
    void concludeBody();
    bool deliver(const QByteArray &bytes, const QByteArray &facts);
    void onDelivered(bool isOwn, bool isProgress);  // isProgress: more than a ping
    bool isProbe() const;
    bool isOwnResponse(const Message &message) const;
    void resume(const Error &cause);
    Error lossOf(const Error &cause) const;
    void fail(const Error &error);
    void end();
    QByteArray facts() const;
    QByteArray factsOf(const SseParser::Event &event);
    Error wrongType() const;

    HttpPool *m_pool;
    int m_number;
    Role m_role;
    Message m_message;
    Hooks m_hooks;
    Limits m_limits;
    Mode m_mode = Mode::Waiting;
    HttpExchange::Request m_request;  // without credentials
    CredentialSource::Headers m_credentials;
    int m_asked = 0;     // what comes for an earlier time is late
    int m_refusals = 0;  // of the request that is under way
    std::unique_ptr<HttpExchange> m_exchange;
    std::unique_ptr<SseParser> m_parser;
    QTimer m_again;
    QTimer m_wait;
    QElapsedTimer m_openClock;
    QByteArray m_body;
    qint64 m_bodyLength = 0;
    QByteArray m_lastEventId;
    std::optional<qint64> m_retryMs;
    QByteArray m_plainFacts;  // of the last event that had nothing but its type: a flood of them is told once
    QByteArray m_plainType;
    SseCommentLimiter m_comments;
    int m_resumptions = 0;  // since something new came
    int m_pauses = 0;       // since a message came: each is longer than the one before
    bool m_wasSent = false;
    bool m_wasAccepted = false;
    bool m_isAwaiting = false;      // credentials; nothing is on its way
    bool m_isAwaitingTold = false;  // they were not there at once
    bool m_isResumed = false;
    bool m_wasOpen = false;  // a listening stream that the server does offer
    bool m_isAnswered = false;
    bool m_isAbandoned = false;
    bool m_isDelivering = false;
    bool m_isLate = false;  // what is being delivered takes longer than the call that delivers it
    bool m_isBodyDelivered = false;
    bool m_isPaused = false;
    bool m_isOver = false;
};

}  // namespace sonde
