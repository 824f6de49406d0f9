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

namespace sonde {

// Abstract. send() and deliver() are not virtual: they are the one tap through which every byte goes, so that nothing
// can be sent or received that is not recorded. Lives on the thread it was made on; all signals come on that thread
// and never from within open(), close() or send() themselves, except tapped().
class Transport : public QObject {
    Q_OBJECT
public:
    enum class State { Closed, Opening, Open, Closing };
    Q_ENUM(State)

    explicit Transport(QObject *parent = nullptr);
    ~Transport() override;

    State state() const { return m_state; }

    // Ends in opened() or in closed(error). Only from Closed. A transport may be opened again after closed().
    virtual void open() = 0;
    // Orderly end; comes to closed() within about five seconds whatever the peer does. No-op when closed or closing.
    virtual void close() = 0;
    // Hands one message to the peer. An Error means it was not taken; a later failure arrives as failed().
    // headers: of this message only. Where messages have no headers, one that brings some is not taken.
    Error send(const Message &message, const MessageHeaders &headers = {});
    // Names of the headers that Sonde sends with a message by itself; empty where messages have none.
    virtual QList<QByteArray> headerNames() const { return {}; }

    // Told once the handshake is done: what may be sent and must be accepted depends on it.
    virtual void setRevision(Revision revision) { m_revision = revision; }
    // After notifications/initialized was accepted: HTTP opens its GET stream here.
    virtual void sessionReady() {}

    // For people: "stdio", "HTTP".
    virtual QString name() const = 0;
    // The last lines of standard error, oldest first, without their ends. Empty where there is none.
    virtual QStringList stderrTail() const { return {}; }
    virtual qint64 processId() const { return 0; }

Q_SIGNALS:
    // Everything, in the order it happened, before anybody else hears of it. Connect the recorder first.
    void tapped(const sonde::WireEvent &event);
    void opened();
    // A JSON-RPC message from the server (Request, Notification, Result, Error or Batch).
    void received(const sonde::Message &message);
    // This message's way there or back failed; the connection goes on. The id may be None when it cannot be known.
    void failed(const sonde::RequestId &id, const sonde::Error &error);
    // Kind::None when it was asked for by close().
    void closed(const sonde::Error &error);

protected:
    void setState(State state) { m_state = state; }
    // Bytes of one message from the server, framing removed. What is not JSON-RPC is tapped as Junk and goes no
    // further; what is JSON-RPC but broken fails the request it names. facts are recorded with it (stream number,
    // SSE id). Returns what it took the bytes for. Whoever hears received() may have deleted the transport.
    Message deliver(const QByteArray &bytes, quint8 terminator, const QByteArray &facts = {});
    // Anything else that happened. Stamps the time.
    void report(WireEvent event);
    // The message as it can go over this transport, before it is recorded and written.
    virtual Message prepared(const Message &message) { return message; }
    // Facts to record with a message that is about to be written, such as its HTTP stream number.
    virtual QByteArray factsForSending(const Message &) { return {}; }
    // Bytes of line end that write() puts behind a message.
    virtual quint8 lineEnd() const { return 0; }
    // Called while Open only.
    virtual Error write(const Message &message) = 0;
    virtual Error writeWith(const MessageHeaders &headers, const Message &message);
    Revision revision() const { return m_revision; }

private:
    State m_state = State::Closed;
    Revision m_revision = Revision::R20251125;
    RepeatLimit m_unsent;  // since something could be sent
};

}  // namespace sonde
