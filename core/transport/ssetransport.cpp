// SPDX-License-Identifier: Apache-2.0
#include "core/transport/ssetransport.h"

#include "core/protocol/methods.h"
#include "core/transport/facts.h"
#include "core/transport/httpstream.h"

#include <QPointer>
#include <QTimer>

#include <algorithm>

namespace sonde {

namespace {
using namespace Qt::StringLiterals;

constexpr int SseClosingMs = 2000;

Error sseError(const QString &message, const QString &detail = {})
{
    return {Error::Kind::Protocol, 0, message, detail, SseTransport::tr("Check that this is an HTTP+SSE URL."), {}};
}
}  // namespace

class SseTransport::Private {
public:
    Private(SseTransport *transport, HttpOptions o) : q(transport), options(std::move(o))
    {
        closing.setSingleShot(true);
        connect(&closing, &QTimer::timeout, q, [this] { finish({}); });
        naming.setSingleShot(true);
        connect(&naming, &QTimer::timeout, q, [this] {
            finish(sseError(tr("The server opened an event stream but did not name its endpoint in time.")));
        });
    }

    struct Outgoing {
        Message message;
        OutgoingHeaders headers;
    };

    void open();
    HttpExchange::Request request(const QByteArray &verb) const;
    HttpStream *makeStream(HttpStream::Role role, const Outgoing &outgoing);
    void post(const Outgoing &outgoing);
    void onEvent(const SseParser::Event &event);
    void onFailed(HttpStream *stream, const Error &error);
    void onEnded(HttpStream *stream);
    void releaseHeld();
    bool dropHeld(const RequestId &id);
    bool dropAwaiting(const RequestId &id);
    void goOnClosing();
    void finishLater(const Error &error);
    void finish(const Error &error);
    void drop(HttpStream *stream);
    void noteUnsent(const Message &message, const QString &reason);

    SseTransport *q;
    HttpOptions options;
    HttpRequests requests;
    QUrl endpoint;
    HttpPool *pool = nullptr;
    QList<HttpStream *> streams;         // the channel is the first of them
    HttpStream *handshakeEnd = nullptr;  // POST of notifications/initialized while it is under way
    QList<Outgoing> held;                // behind it: a server must not get a request before it is initialized
    QTimer naming;                       // from the head of the stream to its endpoint
    QTimer closing;
    int nextStream = 1;
    quint64 opening = 0;  // counts them: an end that was queued before one is not the end of the next
    bool hasRevision = false;
    bool isReadingPaused = false;
};

void SseTransport::Private::open()
{
    q->setState(State::Opening);
    ++opening;
    endpoint.clear();
    hasRevision = false;
    nextStream = 1;
    const Error error = requests.set(options);
    WireEvent event;
    event.kind = WireEvent::Kind::Open;
    event.facts = Facts().text(u"transport", u"http+sse").bytes(u"url", requests.url().toEncoded()).take();
    q->report(std::move(event));
    if (error)
        return finishLater(error);
    pool = new HttpPool(requests.url(), q);
    makeStream(HttpStream::Role::Channel, {})->start();
}

HttpExchange::Request SseTransport::Private::request(const QByteArray &verb) const
{
    http::HeaderList own;
    if (hasRevision && supports(q->revision(), Feature::ProtocolVersionHeader))
        own.emplace_back("MCP-Protocol-Version", toString(q->revision()).toLatin1());
    return requests.make(verb, verb == "GET" ? requests.url() : endpoint, own);
}

HttpStream *SseTransport::Private::makeStream(HttpStream::Role role, const Outgoing &outgoing)
{
    HttpStream::Hooks hooks;
    hooks.request = [this, own = outgoing.headers](const QByteArray &verb, const QByteArray &) {
        HttpExchange::Request made = request(verb);
        for (const auto &[name, value] : own.dialect)
            putHeader(&made.headers, name, value);
        made.headers = withMessageHeaders(made.headers, own.typed);
        return made;
    };
    hooks.deliver = [this](const QByteArray &bytes, const QByteArray &facts, HttpStream::Hooks::Look examine,
                           HttpStream::Hooks::Look done) {
        if (naming.isActive())
            finishLater(sseError(tr("The event stream did not begin with the event “endpoint”.")));
        q->deliver(bytes, 0, facts, {std::move(examine), std::move(done)});
    };
    hooks.report = [this](WireEvent event) { q->report(std::move(event)); };
    hooks.event = [this](const SseParser::Event &event) { onEvent(event); };
    const bool hasOwn = requests.hasAuthorization() || !http::valueOf(outgoing.headers.typed, "Authorization").isNull();
    if (options.credentials && !hasOwn)
        hooks.credentials = [source = options.credentials](const auto &asked, const auto &ready) {
            source->provide(asked, ready);
        };
    hooks.hasSession = [] { return false; };
    hooks.canResume = [] { return false; };
    hooks.hasBatches = [] { return false; };
    auto *stream = new HttpStream(pool, nextStream++, role, outgoing.message, std::move(hooks),
                                  {options.maxMessageBytes, 0, 0, options.maxRefusals}, q);
    streams.append(stream);
    if (isReadingPaused)
        stream->setPaused(true);
    connect(stream, &HttpStream::accepted, q, [this, stream] {
        const QPointer<SseTransport> alive(q);
        if (stream->role() == HttpStream::Role::Channel && q->state() == State::Opening)
            naming.start(options.headerTimeoutMs);
        if (stream == handshakeEnd)
            releaseHeld();
        if (alive)
            goOnClosing();
    });
    connect(stream, &HttpStream::ended, q, [this, stream] { onEnded(stream); });
    connect(stream, &HttpStream::credentialsAwaited, q,
            [this, id = outgoing.message.id()](const Error &reason) { Q_EMIT q->credentialsAwaited(id, reason); });
    connect(stream, &HttpStream::credentialsGiven, q,
            [this, id = outgoing.message.id()] { Q_EMIT q->credentialsGiven(id); });
    connect(stream, &HttpStream::failed, q, [this, stream](const Error &error) { onFailed(stream, error); });
    connect(stream, &HttpStream::responseLost, q,
            [this](const RequestId &id, const Error &error) { Q_EMIT q->failed(id, error); });
    return stream;
}

// The server decides where all messages go, and with them what they say about the person: never to another origin.
void SseTransport::Private::onEvent(const SseParser::Event &event)
{
    if (!naming.isActive())
        return;
    if (event.type != "endpoint")
        return finishLater(sseError(tr("The event stream did not begin with the event “endpoint”.")));
    const QString shown = QString::fromUtf8(event.data.left(200));
    const QUrl named = QUrl::fromEncoded(event.data.trimmed(), QUrl::StrictMode);
    endpoint = requests.url().resolved(named);
    endpoint.setUserInfo({});
    endpoint.setFragment({});
    if (event.isCut || event.data.trimmed().isEmpty() || !named.isValid() || http::checkUrl(endpoint))
        return finishLater(sseError(tr("The endpoint that the server named is not a URL."), shown));
    if (!http::isSameOrigin(endpoint, requests.url()))
        return finishLater({Error::Kind::Protocol,
                            0,
                            tr("The endpoint that the server named is on another origin. Nothing was sent there."),
                            shown,
                            tr("Messages and credentials go only to %1.").arg(http::hostAndPort(requests.url())),
                            {}});
    naming.stop();
    q->setState(State::Open);
    Q_EMIT q->opened();
}

void SseTransport::Private::post(const Outgoing &outgoing)
{
    HttpStream *stream = makeStream(HttpStream::Role::Post, outgoing);
    if (outgoing.message.method() == methods::Initialized)
        handshakeEnd = stream;
    stream->start();
}

void SseTransport::Private::onFailed(HttpStream *stream, const Error &error)
{
    if (stream->role() == HttpStream::Role::Channel)
        return finish(error);
    const bool isRequest = stream->message().kind() == Message::Kind::Request;
    Q_EMIT q->failed(isRequest ? stream->message().id() : RequestId(), error);
}

void SseTransport::Private::onEnded(HttpStream *stream)
{
    streams.removeOne(stream);
    stream->deleteLater();
    const QPointer<SseTransport> alive(q);
    if (stream == handshakeEnd)
        releaseHeld();
    if (alive)
        goOnClosing();
}

void SseTransport::Private::releaseHeld()
{
    handshakeEnd = nullptr;
    const QPointer<SseTransport> alive(q);
    const QList<Outgoing> waiting = std::exchange(held, {});
    for (const Outgoing &outgoing : waiting) {
        const Error error = q->sendNow(outgoing.message, outgoing.headers);
        if (alive && error)
            Q_EMIT q->failed(outgoing.message.id(), error);
        if (!alive)
            return;
    }
}

bool SseTransport::Private::dropHeld(const RequestId &id)
{
    const auto it = std::find_if(held.begin(), held.end(), [&](const Outgoing &each) {
        return each.message.kind() == Message::Kind::Request && each.message.id() == id;
    });
    if (it == held.end())
        return false;
    const Message message = it->message;
    held.erase(it);
    noteUnsent(message, tr("Cancelled while waiting for the handshake."));
    return true;
}

bool SseTransport::Private::dropAwaiting(const RequestId &id)
{
    const auto it = std::find_if(streams.cbegin(), streams.cend(), [&](const HttpStream *stream) {
        return stream->message().kind() == Message::Kind::Request && stream->message().id() == id &&
               stream->isAwaitingCredentials();
    });
    if (it == streams.cend())
        return false;
    noteUnsent((*it)->message(), tr("Cancelled while waiting for credentials."));
    drop(*it);
    return true;
}

void SseTransport::Private::noteUnsent(const Message &message, const QString &reason)
{
    Facts facts(Occurrence::NotSent);
    facts.text(u"method", message.method()).text(u"reason", reason);
    WireEvent event;
    event.kind = WireEvent::Kind::Note;
    event.occurrence = facts.occurrence();
    event.facts = facts.take();
    q->report(std::move(event));
}

void SseTransport::Private::goOnClosing()
{
    if (!closing.isActive() || !held.isEmpty())
        return;
    if (std::all_of(streams.cbegin(), streams.cend(), [](const HttpStream *stream) { return stream->mayEnd(); }))
        finishLater({});
}

void SseTransport::Private::finishLater(const Error &error)
{
    naming.stop();
    QMetaObject::invokeMethod(
        q,
        [this, error, of = opening] {
            if (of == opening)
                finish(error);
        },
        Qt::QueuedConnection);
}

void SseTransport::Private::drop(HttpStream *stream)
{
    streams.removeOne(stream);
    stream->disconnect(q);
    stream->stop();
    stream->deleteLater();
}

void SseTransport::Private::finish(const Error &error)
{
    if (q->state() == State::Closed)
        return;
    const bool wasAsked = q->state() == State::Closing;
    handshakeEnd = nullptr;
    naming.stop();
    closing.stop();
    const QString reason = tr("The connection was closed before the message could be sent.");
    for (const Outgoing &outgoing : std::exchange(held, {}))
        noteUnsent(outgoing.message, reason);
    for (HttpStream *stream : QList<HttpStream *>(streams)) {
        if (stream->role() == HttpStream::Role::Post && (!stream->wasSent() || stream->isAwaitingCredentials()))
            noteUnsent(stream->message(), reason);
        drop(stream);
    }
    if (pool)
        pool->deleteLater();  // after what was lent from it
    pool = nullptr;
    q->setState(State::Closed);
    Q_EMIT q->closed(wasAsked ? Error() : error);
}

SseTransport::SseTransport(HttpOptions options, QObject *parent)
    : Transport(parent), d(std::make_unique<Private>(this, std::move(options)))
{}

SseTransport::~SseTransport()
{
    // Streams first: they hand their connections back to the pool.
    qDeleteAll(findChildren<HttpStream *>(Qt::FindDirectChildrenOnly));
}

void SseTransport::open()
{
    if (state() == State::Closed)
        d->open();
}

void SseTransport::close()
{
    if (state() != State::Open && state() != State::Opening)
        return;
    setState(State::Closing);
    d->closing.start(SseClosingMs);
    d->goOnClosing();
}

QString SseTransport::name() const
{
    return u"HTTP+SSE"_s;
}

void SseTransport::setRevision(Revision revision)
{
    Transport::setRevision(revision);
    d->hasRevision = true;
}

bool SseTransport::abandon(const RequestId &id)
{
    return !d->dropHeld(id) && !d->dropAwaiting(id);
}

QList<QByteArray> SseTransport::headerNames() const
{
    QList<QByteArray> names;
    const HttpExchange::Request request = d->request("POST");
    for (const auto &header : request.headers)
        names.append(header.first);
    return names;
}

void SseTransport::pauseReading(bool isPaused)
{
    d->isReadingPaused = isPaused;
    for (HttpStream *stream : std::as_const(d->streams))
        stream->setPaused(isPaused);
}

// What is no header is refused at once.
bool SseTransport::hold(const Message &message, const OutgoingHeaders &headers)
{
    if (!d->handshakeEnd || checkMessageHeaders(headers.typed))
        return false;
    d->held.append({message, headers});
    return true;
}

QByteArray SseTransport::factsForSending(const Message &)
{
    return Facts().number(u"stream", d->nextStream).take();
}

Error SseTransport::write(const Message &message, const OutgoingHeaders &headers)
{
    if (Error error = checkMessageHeaders(headers.typed))
        return error;
    d->post({message, headers});
    return {};
}

}  // namespace sonde
