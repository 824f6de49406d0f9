// What an HTTP transport has to send: messages that still wait, and the streams of those that went.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/facts.h"
#include "core/transport/http/httpstream.h"
#include "core/transport/transport.h"

#include <QCoreApplication>
#include <functional>

namespace sonde {

// A message waits until the server has accepted the end of the handshake, or, in its stream, for credentials. One that
// is given up meanwhile never goes, which the record says.
class HttpOutbox {
    Q_DECLARE_TR_FUNCTIONS(sonde::HttpOutbox)
public:
    struct Outgoing {
        Message message;
        OutgoingHeaders headers;
    };
    struct Hooks {
        std::function<Error(const Outgoing &)> send;  // what was held
        std::function<void(WireEvent)> report;
    };
    HttpOutbox(Transport *transport, Hooks hooks) : m_transport(transport), m_hooks(std::move(hooks)) {}

    // False: it may go now. What is no header is refused at once.
    bool hold(const Outgoing &outgoing);
    bool isHolding() const { return m_handshakeEnd; }
    bool hasHeld() const { return !m_held.isEmpty(); }
    // Of this stream's POST: the end of the handshake, and what waited for it goes. May delete the transport.
    bool isHandshakeEnd(const HttpStream *stream) const { return stream == m_handshakeEnd; }
    void release();

    const QList<HttpStream *> &streams() const { return m_streams; }
    void add(HttpStream *stream);
    void remove(HttpStream *stream);  // it has ended
    void drop(HttpStream *stream);    // ends it without a signal
    void setPaused(bool isPaused);    // nothing is read

    // Whether this request had not gone, or was refused: the server does not work on it, and never will.
    bool dropUnsent(const RequestId &id);
    void dropAll();
    void noteUnsent(const Message &message, const QString &reason) const;
    void note(Facts facts) const;

private:
    Transport *m_transport;
    Hooks m_hooks;
    QList<HttpStream *> m_streams;         // children of the transport
    HttpStream *m_handshakeEnd = nullptr;  // POST of notifications/initialized while it is under way
    QList<Outgoing> m_held;                // behind it: a server must not get a request before it is initialized
    bool m_isPaused = false;
};

}  // namespace sonde
