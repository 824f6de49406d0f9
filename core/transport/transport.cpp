// SPDX-License-Identifier: Apache-2.0
#include "core/transport/transport.h"

#include "core/transport/brokenanswer.h"
#include "core/transport/facts.h"

namespace sonde {

Transport::Transport(QObject *parent) : QObject(parent) {}
Transport::~Transport() = default;

Error Transport::send(const Message &message, const MessageHeaders &headers)
{
    if (m_state != State::Open)
        return {Error::Kind::Transport, 0, tr("There is no connection to the server."), {}, {}, {}};
    const Message ready = prepared(message);
    WireEvent event;
    event.direction = Direction::ToServer;
    event.facts = factsForSending(ready);
    if (Error error = headers.isEmpty() ? write(ready) : writeWith(headers, ready)) {
        if (!m_unsent.admit())
            return error;
        event.kind = WireEvent::Kind::Note;
        event.direction = Direction::Local;
        Facts facts;
        facts.text(u"what", u"not sent").text(u"method", ready.method()).text(u"reason", error.message);
        if (m_unsent.isNumbered())
            facts.number(u"count", m_unsent.count());
        event.facts = facts.take();
        report(event);
        return error;
    }
    m_unsent = {};
    event.kind = WireEvent::Kind::Message;
    event.message = ready;
    event.bytes = ready.raw();
    event.wireLength = event.bytes.size();
    event.terminator = lineEnd();
    report(event);
    return {};
}

Error Transport::writeWith(const MessageHeaders &, const Message &)
{
    return Error::local(tr("Messages over %1 have no HTTP headers.").arg(name()), tr("Send this one without any."));
}

Message Transport::deliver(const QByteArray &bytes, quint8 terminator, const QByteArray &facts)
{
    const Message message = Message::parse(bytes);
    WireEvent event;
    event.direction = Direction::FromServer;
    event.bytes = bytes;
    event.wireLength = bytes.size();
    event.terminator = terminator;
    event.facts = facts;
    if (message.kind() == Message::Kind::Invalid) {
        event.kind = WireEvent::Kind::Junk;
        report(event);
        if (isBrokenAnswer(message)) {
            Q_EMIT failed(message.id(), {Error::Kind::Protocol,
                                         0,
                                         tr("The server's answer breaks JSON-RPC."),
                                         message.problems().join(QLatin1Char('\n')),
                                         {},
                                         {}});
        }
        return message;
    }
    event.kind = WireEvent::Kind::Message;
    event.message = message;
    report(event);
    Q_EMIT received(message);
    return message;
}

void Transport::report(WireEvent event)
{
    event.monotonicNs = monotonicNs();
    Q_EMIT tapped(event);
}

}  // namespace sonde
