// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http/abstracthttptransport.h"

#include "core/protocol/methods.h"

#include <algorithm>
#include <utility>

namespace sonde {

namespace {
constexpr int ClosingMs = 2000;
}  // namespace

AbstractHttpTransport::AbstractHttpTransport(HttpOptions options, QObject *parent)
    : Transport(parent), m_options(std::move(options))
{
    m_closing.setSingleShot(true);
    connect(&m_closing, &QTimer::timeout, this, [this] { endSession(); });
    m_finishing.setSingleShot(true);
    connect(&m_finishing, &QTimer::timeout, this, [this] { finish(m_end); });
}

AbstractHttpTransport::~AbstractHttpTransport()
{
    qDeleteAll(m_posts);
}

void AbstractHttpTransport::open()
{
    if (state() != State::Closed)
        return;
    setState(State::Opening);
    m_hasRevision = false;
    m_nextStream = 1;
    const Error error = m_requests.set(m_options);
    reportFacts(WireEvent::Kind::Open,
                {.transport = name().toLower(), .url = QString::fromUtf8(m_requests.url().toEncoded())});
    if (error)
        return finishLater(error);
    m_pool = std::make_unique<HttpPool>(m_requests.url(), m_requests.network(), nullptr);
    begin();
}

void AbstractHttpTransport::setRevision(Revision revision)
{
    Transport::setRevision(revision);
    m_hasRevision = true;
}

http::HeaderList AbstractHttpTransport::revisionHeaders() const
{
    if (!m_hasRevision || !supports(revision(), Feature::ProtocolVersionHeader))
        return {};
    return {{"MCP-Protocol-Version", toString(revision()).toLatin1()}};
}

void AbstractHttpTransport::pauseReading(bool isPaused)
{
    m_isReadingPaused = isPaused;
    if (isPaused)
        return;
    if (m_events)
        m_events->readOn();
    for (PostStream *post : std::as_const(m_posts))
        post->readOn();
}

void AbstractHttpTransport::deliver(const HttpStream &stream, const QByteArray &bytes, const QByteArray &facts,
                                    const Delivery &delivery)
{
    beforeDelivery(stream);
    Transport::deliver(bytes, 0, facts, delivery);
}

// Sending.

// What is no header is refused at once.
bool AbstractHttpTransport::hold(const Message &message, const OutgoingHeaders &headers)
{
    if (!m_handshakeEnd || checkMessageHeaders(headers.typed))
        return false;
    m_held.append({message, headers});
    return true;
}

QByteArray AbstractHttpTransport::factsForSending(const Message &)
{
    return EventFacts{.stream = m_nextStream}.toJson();
}

Error AbstractHttpTransport::write(const Message &message, const OutgoingHeaders &headers)
{
    if (Error error = checkMessageHeaders(headers.typed))
        return error;
    auto *post = new PostStream(this, message, headers);
    m_posts.append(post);
    if (message.method() == methods::Initialized)
        m_handshakeEnd = post;
    connect(post, &PostStream::sent, this, &AbstractHttpTransport::goOnClosing);
    connect(post, &PostStream::accepted, this, [this, post] { onDone(post == m_handshakeEnd); });
    connect(post, &PostStream::failed, this, [this, post](const Error &error) { onFailed(*post, error); });
    connect(post, &PostStream::connectionLost, this, &AbstractHttpTransport::connectionLost);
    connect(post, &PostStream::sessionLost, this, &AbstractHttpTransport::finish);
    connect(post, &PostStream::ended, this, [this, post] {
        const bool wasHandshakeEnd = post == m_handshakeEnd;
        drop(post);
        onDone(wasHandshakeEnd);
    });
    post->start();
    return {};
}

// A message is accepted, or its stream has ended.
void AbstractHttpTransport::onDone(bool isHandshakeEnd)
{
    QList<Outgoing> held;
    if (isHandshakeEnd) {
        onHandshakeEnd();
        m_handshakeEnd = nullptr;
        held = std::exchange(m_held, {});
    }
    const QPointer<AbstractHttpTransport> alive(this);
    for (const Outgoing &outgoing : std::as_const(held)) {
        if (const Error error = sendNow(outgoing.message, outgoing.headers))
            Q_EMIT failed(requestIdOf(outgoing.message), error);
        if (!alive)
            return;
    }
    goOnClosing();
}

void AbstractHttpTransport::onFailed(const PostStream &post, const Error &error)
{
    Q_EMIT failed(post.requestId(), error);
}

EventStream *AbstractHttpTransport::makeEvents(EventStream::Purpose purpose)
{
    m_events = std::make_unique<EventStream>(this, purpose);
    connect(m_events.get(), &EventStream::connectionLost, this, &AbstractHttpTransport::connectionLost);
    connect(m_events.get(), &EventStream::sessionLost, this, &AbstractHttpTransport::finish);
    connect(m_events.get(), &EventStream::ended, this, [this] { m_events.reset(); });
    return m_events.get();
}

// Ending.

bool AbstractHttpTransport::abandon(const RequestId &id)
{
    const auto isHeld = [&id](const Outgoing &each) { return requestIdOf(each.message) == id; };
    if (const auto it = std::find_if(m_held.cbegin(), m_held.cend(), isHeld); it != m_held.cend()) {
        noteUnsent(m_held.takeAt(it - m_held.cbegin()).message, tr("Cancelled while waiting for the handshake."));
        return false;
    }
    for (const QPointer<PostStream> &post : posts(id)) {
        if (!post->isAwaitingCredentials())
            continue;
        drop(post, tr("Cancelled while waiting for credentials."));
        return false;
    }
    return true;
}

// Of this request; a person may send one with an id that is in use.
QList<QPointer<PostStream>> AbstractHttpTransport::posts(const RequestId &id) const
{
    QList<QPointer<PostStream>> found;
    for (PostStream *post : m_posts) {
        if (post->requestId() == id)
            found.append(post);
    }
    return found;
}

void AbstractHttpTransport::drop(PostStream *post, const QString &reason)
{
    if (post == m_handshakeEnd)
        m_handshakeEnd = nullptr;
    m_posts.removeOne(post);
    if (!reason.isEmpty() && post->isUnsent())
        noteUnsent(post->message(), reason);
    delete post;
}

void AbstractHttpTransport::dropStreams()
{
    m_closing.stop();
    m_events.reset();
    const QString reason = tr("The connection was closed before the message could be sent.");
    for (const Outgoing &outgoing : std::exchange(m_held, {}))
        noteUnsent(outgoing.message, reason);
    while (!m_posts.isEmpty())
        drop(m_posts.first(), reason);
}

void AbstractHttpTransport::close()
{
    if (state() != State::Open && state() != State::Opening)
        return;
    setState(State::Closing);
    m_closing.start(ClosingMs);
    goOnClosing();
}

void AbstractHttpTransport::goOnClosing()
{
    if (!m_closing.isActive())
        return;
    for (PostStream *post : QList<PostStream *>(m_posts)) {
        if (post->mayEnd())
            drop(post, tr("The connection was closed while waiting for credentials."));
    }
    if (m_posts.isEmpty() && m_held.isEmpty())
        endSession();
}

void AbstractHttpTransport::finishLater(const Error &error)
{
    m_end = error;
    m_finishing.start(0);
}

void AbstractHttpTransport::finish(const Error &error)
{
    if (state() == State::Closed)
        return;
    const bool wasAsked = state() == State::Closing;
    m_finishing.stop();
    dropStreams();
    onFinished();
    m_pool.reset();
    setState(State::Closed);
    Q_EMIT closed(wasAsked ? Error() : error);
}

void AbstractHttpTransport::noteUnsent(const Message &message, const QString &reason)
{
    reportFacts(WireEvent::Kind::Note,
                {.what = toString(EventCode::NotSent), .method = message.method(), .reason = reason});
}

}  // namespace sonde
