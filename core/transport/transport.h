// Moves messages between Sonde and one server, and reports everything that passes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"
#include "core/protocol/message.h"
#include "core/protocol/revision.h"
#include "core/transport/messageheaders.h"
#include "core/transport/repeatlimit.h"
#include "core/transport/wireevent.h"

#include <QObject>
#include <functional>
#include <memory>

namespace sonde {

// As long as it lives a message is not on its way: it waits for credentials, perhaps for a person who signs in. Deleted
// when the message goes, after given(), and when it never will.
class CredentialWait final : public QObject {
    Q_OBJECT
public:
    CredentialWait(RequestId id, Error refusal) : m_id(std::move(id)), m_refusal(std::move(refusal)) {}

    const RequestId &id() const { return m_id; }  // None where the message is not a request
    // Why what it had been sent with was not enough; None before it was sent.
    const Error &refusal() const { return m_refusal; }
    // Something that is to live as long, such as what stops a deadline.
    void keep(std::shared_ptr<void> object) { m_kept = std::move(object); }

Q_SIGNALS:
    void given();

private:
    const RequestId m_id;
    const Error m_refusal;
    std::shared_ptr<void> m_kept;
};

// Abstract. send() and deliver() are not virtual: they are the one tap through which every byte goes, so that nothing
// can be sent or received that is not recorded. Lives on the thread it was made on; all signals come on that thread
// and never from within open(), close() or send() themselves, except tapped().
class Transport : public QObject {
    Q_OBJECT
public:
    enum class State { Closed, Opening, Open, Closing };
    Q_ENUM(State)

    // What the caller of deliver() wants to know of a message.
    struct Delivery {
        std::function<void(const Message &)> examine;  // called first, for a large message on a worker thread
        // Called last, on the transport's thread. The transport may have been deleted by then.
        std::function<void(const Message &)> done;
        RequestId carrier;  // as in received()
    };

    explicit Transport(QObject *parent = nullptr);
    ~Transport() override;

    State state() const { return m_state; }

    // Ends in opened() or in closed(error). Only from Closed. A transport may be opened again after closed().
    virtual void open() = 0;
    // Orderly end; comes to closed() within about five seconds whatever the peer does. No-op when closed or closing.
    virtual void close() = 0;
    // Hands one message to the peer. An Error means it was not taken; a later failure arrives as failed(). Where
    // messages have no headers, one for which a person typed some is not taken.
    Error send(const Message &message, const OutgoingHeaders &headers = {});
    // Nobody waits for the response to this request any more. False when nobody needs to tell the server: the request
    // had not left yet, and now never will, or the end of its stream tells.
    virtual bool abandon(const RequestId &) { return true; }
    // Names of the headers that Sonde sends with a message by itself; empty where messages have none.
    virtual QList<QByteArray> headerNames() const { return {}; }

    // Told once the handshake is done: what may be sent and must be accepted depends on it.
    virtual void setRevision(Revision revision) { m_revision = revision; }
    // After notifications/initialized was accepted: HTTP opens its GET stream here.
    virtual void sessionReady() {}

    // As long as anybody keeps what this returns, no more is read from the server: what is large and still worked on
    // does not pile up. To be let go of on the transport's thread.
    virtual std::shared_ptr<void> holdReading();

    // Whether the carrier of received() is known of each message that belongs to a request.
    virtual bool namesCarriers() const { return false; }

    // For people: "stdio", "HTTP".
    virtual QString name() const = 0;
    // The last lines of standard error, oldest first, without their ends. Empty where there is none.
    virtual QStringList stderrTail() const { return {}; }
    virtual qint64 processId() const { return 0; }

Q_SIGNALS:
    // Everything, in the order it happened, before anybody else hears of it. Connect the recorder first. Its slots take
    // note of it: they neither close nor delete the transport.
    void tapped(const sonde::WireEvent &event);
    void opened();
    // A JSON-RPC message from the server (Request, Notification, Result, Error or Batch). Where the revision has
    // batches also any other array, which is Invalid: it has a response. carrier: the request whose response stream
    // brought it; None where all messages share one stream.
    void received(const sonde::Message &message, const sonde::RequestId &carrier);
    // This message's way there or back failed; the connection goes on. The id may be None when it cannot be known.
    void failed(const sonde::RequestId &id, const sonde::Error &error);
    void credentialsAwaited(sonde::CredentialWait *wait);
    // Kind::None when it was asked for by close().
    void closed(const sonde::Error &error);

protected:
    void setState(State state) { m_state = state; }
    // Bytes of one message from the server, framing removed. What is not JSON-RPC is tapped as Junk and goes no
    // further; what is JSON-RPC but broken fails the request it names. facts are recorded with it (stream number,
    // SSE id). A message over Message::LargeBytes is read by a worker thread and comes out later; until then nothing
    // is read from the server. One that there is not enough memory for fails.
    // delivery must outlive the transport, which a slot may delete.
    void deliver(const QByteArray &bytes, quint8 terminator, const QByteArray &facts = {},
                 const Delivery &delivery = {});
    // The record of a message that there was not enough memory for, and the failure of the request that it answers.
    // head: its first bytes. Returns what can be read from them.
    Message failForMemory(const QByteArray &head, qint64 length, quint8 terminator);
    // Stops reading, or goes on with it. What arrived may be kept, but not delivered meanwhile.
    virtual void pauseReading(bool) {}
    // Anything else that happened. Stamps the time.
    void report(WireEvent event);
    void reportFacts(WireEvent::Kind kind, const EventFacts &facts);
    // Of the server, that are no message.
    void reportBytes(WireEvent::Kind kind, const EventFacts &facts, const QByteArray &bytes, qint64 length,
                     quint8 terminator = 0);
    // True: the transport keeps this message for now, and gives it to sendNow() when it can go. A kept message is not
    // recorded as sent.
    virtual bool hold(const Message &, const OutgoingHeaders &) { return false; }
    // Writes and records one message; what send() does with all that are not held.
    Error sendNow(const Message &message, const OutgoingHeaders &headers);
    // The message as it can go over this transport, before it is recorded and written.
    virtual Message prepared(const Message &message) { return message; }
    // EventFacts, as JSON, to record with a message that is about to be written, such as its HTTP stream number.
    virtual QByteArray factsForSending(const Message &) { return {}; }
    // Bytes of line end that write() puts behind a message.
    virtual quint8 lineEnd() const { return 0; }
    // Called while Open, and for what was held while Closing too.
    virtual Error write(const Message &message, const OutgoingHeaders &headers) = 0;
    virtual bool hasHeaders() const { return false; }
    Revision revision() const { return m_revision; }

private:
    struct Incoming;
    void read(const Message &message, const Incoming &incoming);

    std::weak_ptr<void> m_hold;
    State m_state = State::Closed;
    Revision m_revision = Revision::R20251125;
    RepeatLimit m_unsent;  // since something could be sent
};

}  // namespace sonde
