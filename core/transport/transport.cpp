// SPDX-License-Identifier: Apache-2.0
#include "core/transport/transport.h"

#include "core/protocol/nestingdepth.h"
#include "core/protocol/worker.h"
#include "core/transport/brokenresponse.h"
#include "core/transport/lineframer.h"
#include "core/transport/monotonicclock.h"

#include <QPointer>
#include <optional>

namespace sonde {

#ifdef SONDE_LOGS_MESSAGES
namespace test {
void logMessage(Transport &transport, const WireEvent &event);
}
#endif

namespace {
// An array without a message, which is a batch all the same; log lines that begin with a bracket are not.
bool isArray(const Message &message)
{
    return message.isParsed() && message.document().isValid() && message.root().isArray();
}
}  // namespace

Transport::Transport(QObject *parent) : QObject(parent) {}
Transport::~Transport() = default;

Error Transport::send(const Message &message, const OutgoingHeaders &headers)
{
    if (m_state != State::Open)
        return Error::of(Error::Kind::Transport, tr("Not connected to the server."));
    return hold(message, headers) ? Error() : sendNow(message, headers);
}

Error Transport::sendNow(const Message &message, const OutgoingHeaders &headers)
{
    const Message ready = prepared(message);
    WireEvent event;
    event.direction = Direction::ToServer;
    event.facts = factsForSending(ready);
    Error error =
        hasHeaders() || headers.typed.isEmpty()
            ? write(ready, headers)
            : Error::local(tr("Messages over %1 have no HTTP headers.").arg(name()), tr("Send this one without any."));
    if (error) {
        if (!m_unsent.admit())
            return error;
        EventFacts facts{.what = toString(EventCode::NotSent), .method = ready.method(), .reason = error.message};
        if (m_unsent.isNumbered())
            facts.count = m_unsent.count();
        reportFacts(WireEvent::Kind::Note, facts);
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

// Most messages are small and many: nothing is copied for them.
struct Transport::Incoming {
    const QByteArray &bytes;
    const QByteArray &facts;
    quint8 terminator = 0;
    const Delivery &delivery;  // outlives the transport, which a slot may delete
    bool isLate = false;       // a worker thread has read it, and anything may have happened meanwhile
};

std::shared_ptr<void> Transport::holdReading()
{
    std::shared_ptr<void> hold = m_hold.lock();
    if (hold)
        return hold;
    hold = std::shared_ptr<void>(this, [transport = QPointer<Transport>(this)](void *) {
        if (!transport)
            return;
        QMetaObject::invokeMethod(
            transport.data(),
            [transport] {
                if (transport->m_hold.expired())
                    transport->pauseReading(false);
            },
            Qt::QueuedConnection);
    });
    m_hold = hold;
    pauseReading(true);
    return hold;
}

void Transport::deliver(const QByteArray &bytes, quint8 terminator, const QByteArray &facts, const Delivery &delivery)
{
    if (bytes.size() <= Message::LargeBytes) {
        const Message message = Message::parse(bytes);
        if (delivery.examine)
            delivery.examine(message);
        read(message, {bytes, facts, terminator, delivery, false});
        return;
    }
    const auto parse = [bytes, examine = delivery.examine] {
        Message message = Message::parse(bytes);
        // The receiver of one of these looks into it at once. The tree of a response is made for its call.
        if (!message.isResponse() && message.kind() != Message::Kind::Batch)
            (void)message.document();
        if (examine)
            examine(message);
        return message;
    };
    const auto finish = [this, bytes, terminator, facts, given = delivery,
                         hold = holdReading()](const std::optional<Message> &message) {
        const Delivery kept = given;
        if (message)
            return read(*message, {bytes, facts, terminator, kept, true});
        const Message head = failForMemory(bytes.left(LineFramer::KeptOfCutLine), bytes.size(), terminator);
        if (kept.done)
            kept.done(head);
    };
    runOnWorker(this, parse, finish);
}

void Transport::read(const Message &message, const Incoming &incoming)
{
    WireEvent event;
    event.direction = Direction::FromServer;
    event.bytes = incoming.bytes;
    event.wireLength = incoming.bytes.size();
    event.terminator = incoming.terminator;
    event.facts = incoming.facts;
    const bool isMessage = message.kind() != Message::Kind::Invalid;
    event.kind = isMessage ? WireEvent::Kind::Message : WireEvent::Kind::Junk;
    if (isMessage)
        event.message = message;
    const QPointer<Transport> alive(this);
    report(std::move(event));
    if (!alive || (incoming.isLate && m_state == State::Closed)) {
        // The end came first: what was still being read is recorded, and nobody waits for it.
    } else if (isMessage || (supports(m_revision, Feature::Batches) && isArray(message))) {
        Q_EMIT received(message, incoming.delivery.carrier);
    } else if (isBrokenResponse(message)) {
        // Its depth is no fault of the server's.
        const Error error =
            isOnlyTooDeep(message.raw())
                ? Error::of(Error::Kind::Local, tr("The response is nested deeper than %1 levels, the limit of Sonde.")
                                                    .arg(json::Limits().maxDepth))
                : Error::of(Error::Kind::Protocol, tr("The response violates JSON-RPC."),
                            message.problems().join(QLatin1Char('\n')));
        Q_EMIT failed(message.id(), error);
    }
    if (incoming.delivery.done)
        incoming.delivery.done(message);
}

Message Transport::failForMemory(const QByteArray &head, qint64 length, quint8 terminator)
{
    const Message message = Message::parse(head);  // broken, but its id may be in what was kept
    reportBytes(WireEvent::Kind::Partial, {.what = toString(EventCode::OutOfMemory)}, head, length, terminator);
    Q_EMIT failed(message.method().isEmpty() ? message.id() : RequestId(), Error::outOfMemory(length));
    return message;
}

void Transport::reportFacts(WireEvent::Kind kind, const EventFacts &facts)
{
    WireEvent event;
    event.kind = kind;
    event.eventCode = facts.eventCode();
    event.facts = facts.toJson();
    report(std::move(event));
}

void Transport::reportBytes(WireEvent::Kind kind, const EventFacts &facts, const QByteArray &bytes, qint64 length,
                            quint8 terminator)
{
    WireEvent event;
    event.kind = kind;
    event.direction = Direction::FromServer;
    event.eventCode = facts.eventCode();
    event.facts = facts.toJson();
    event.bytes = bytes;
    event.wireLength = length;
    event.terminator = terminator;
    report(std::move(event));
}

void Transport::report(WireEvent event)
{
    event.monotonicNs = monotonicNs();
#ifdef SONDE_LOGS_MESSAGES
    test::logMessage(*this, event);
#endif
    Q_EMIT tapped(event);
}

}  // namespace sonde
