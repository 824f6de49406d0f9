// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http/httpoutbox.h"

#include "core/protocol/methods.h"

#include <QPointer>
#include <algorithm>

namespace sonde {

bool HttpOutbox::hold(const Outgoing &outgoing)
{
    if (!m_handshakeEnd || checkMessageHeaders(outgoing.headers.typed))
        return false;
    m_held.append(outgoing);
    return true;
}

void HttpOutbox::release()
{
    m_handshakeEnd = nullptr;
    const QPointer<Transport> alive(m_transport);
    const QList<Outgoing> waiting = std::exchange(m_held, {});
    for (const Outgoing &outgoing : waiting) {
        const Error error = m_hooks.send(outgoing);
        if (alive && error)
            Q_EMIT m_transport->failed(HttpStream::requestIdOf(outgoing.message), error);
        if (!alive)
            return;
    }
}

void HttpOutbox::add(HttpStream *stream)
{
    m_streams.append(stream);
    if (stream->message().method() == methods::Initialized)
        m_handshakeEnd = stream;
    if (m_isPaused)
        stream->setPaused(true);
    QObject::connect(stream, &HttpStream::credentialsAwaited, m_transport,
                     [transport = m_transport, id = stream->requestId()](const Error &reason) {
                         Q_EMIT transport->credentialsAwaited(id, reason);
                     });
    QObject::connect(stream, &HttpStream::credentialsGiven, m_transport,
                     [transport = m_transport, id = stream->requestId()] { Q_EMIT transport->credentialsGiven(id); });
}

void HttpOutbox::remove(HttpStream *stream)
{
    m_streams.removeOne(stream);
    stream->deleteLater();
}

void HttpOutbox::drop(HttpStream *stream)
{
    stream->disconnect(m_transport);
    stream->stop();
    remove(stream);
}

void HttpOutbox::setPaused(bool isPaused)
{
    m_isPaused = isPaused;
    for (HttpStream *stream : std::as_const(m_streams))
        stream->setPaused(isPaused);
}

bool HttpOutbox::dropUnsent(const RequestId &id)
{
    const auto isHeld = [&](const Outgoing &each) { return HttpStream::requestIdOf(each.message) == id; };
    if (const auto it = std::find_if(m_held.cbegin(), m_held.cend(), isHeld); it != m_held.cend()) {
        const Message message = it->message;
        m_held.erase(it);
        noteUnsent(message, tr("Cancelled while waiting for the handshake."));
        return true;
    }
    const auto isAwaiting = [&](const HttpStream *stream) {
        return stream->requestId() == id && stream->isAwaitingCredentials();
    };
    const auto it = std::find_if(m_streams.cbegin(), m_streams.cend(), isAwaiting);
    if (it == m_streams.cend())
        return false;
    noteUnsent((*it)->message(), tr("Cancelled while waiting for credentials."));
    drop(*it);
    return true;
}

void HttpOutbox::dropAll()
{
    m_handshakeEnd = nullptr;
    const QString reason = tr("The connection was closed before the message could be sent.");
    for (const Outgoing &outgoing : std::exchange(m_held, {}))
        noteUnsent(outgoing.message, reason);
    for (HttpStream *stream : QList<HttpStream *>(m_streams)) {
        if (!stream->isGet() && (!stream->wasSent() || stream->isAwaitingCredentials()))
            noteUnsent(stream->message(), reason);
        drop(stream);
    }
}

void HttpOutbox::noteUnsent(const Message &message, const QString &reason) const
{
    note(Facts(Occurrence::NotSent).text(u"method", message.method()).text(u"reason", reason));
}

void HttpOutbox::note(Facts facts) const
{
    WireEvent event;
    event.kind = WireEvent::Kind::Note;
    event.occurrence = facts.occurrence();
    event.facts = facts.take();
    m_hooks.report(std::move(event));
}

}  // namespace sonde
