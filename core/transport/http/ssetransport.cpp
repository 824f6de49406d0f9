// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http/ssetransport.h"

#include "core/transport/facts.h"
#include "core/transport/http/httpoutbox.h"

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
    Private(SseTransport *transport, HttpOptions o)
        : q(transport),
          options(std::move(o)),
          outbox(q, {[this](const HttpOutbox::Outgoing &held) { return q->sendNow(held.message, held.headers); },
                     [this](WireEvent event) { q->report(std::move(event)); }})
    {
        closing.setSingleShot(true);
        connect(&closing, &QTimer::timeout, q, [this] { finish({}); });
        naming.setSingleShot(true);
        connect(&naming, &QTimer::timeout, q, [this] {
            finish(sseError(tr("The server opened an event stream but did not name its endpoint in time.")));
        });
    }

    void open();
    HttpExchange::Request request(const QByteArray &verb, const OutgoingHeaders &of = {}) const;
    HttpStream *makeStream(HttpStream::Role role, const HttpOutbox::Outgoing &outgoing);
    void onAccepted(HttpStream *stream);
    void onEvent(const SseParser::Event &event);
    void onFailed(HttpStream *stream, const Error &error);
    void goOnClosing();
    void finishLater(const Error &error);
    void finish(const Error &error);

    SseTransport *q;
    HttpOptions options;
    HttpRequests requests;
    QUrl endpoint;
    HttpOutbox outbox;
    HttpPool *pool = nullptr;
    QTimer naming;  // from the head of the stream to its endpoint
    QTimer closing;
    int nextStream = 1;
    quint64 opening = 0;  // counts them: an end that was queued before one is not the end of the next
    bool hasRevision = false;
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
    pool = new HttpPool(requests.url(), requests.network(), q);
    makeStream(HttpStream::Role::Channel, {})->start();
}

HttpExchange::Request SseTransport::Private::request(const QByteArray &verb, const OutgoingHeaders &of) const
{
    http::HeaderList own;
    if (hasRevision && supports(q->revision(), Feature::ProtocolVersionHeader))
        own.emplace_back("MCP-Protocol-Version", toString(q->revision()).toLatin1());
    return requests.make(verb, verb == "GET" ? requests.url() : endpoint, own, of);
}

HttpStream *SseTransport::Private::makeStream(HttpStream::Role role, const HttpOutbox::Outgoing &outgoing)
{
    HttpStream::Hooks hooks;
    hooks.request = [this, of = outgoing.headers](const QByteArray &verb, const QByteArray &) {
        return request(verb, of);
    };
    hooks.deliver = [this](const QByteArray &bytes, const QByteArray &facts, HttpStream::Hooks::Look examine,
                           HttpStream::Hooks::Look done) {
        if (naming.isActive())
            finishLater(sseError(tr("The event stream did not begin with the event “endpoint”.")));
        q->deliver(bytes, 0, facts, {std::move(examine), std::move(done), {}});
    };
    hooks.report = [this](WireEvent event) { q->report(std::move(event)); };
    hooks.event = [this](const SseParser::Event &event) { onEvent(event); };
    hooks.credentials = requests.askForCredentials(outgoing.headers);
    hooks.hasSession = [] { return false; };
    hooks.canResume = [] { return false; };
    hooks.hasBatches = [] { return false; };
    auto *stream = new HttpStream(pool, nextStream++, role, outgoing.message, std::move(hooks),
                                  {options.maxMessageBytes, 0, 0, options.maxRefusals}, q);
    outbox.add(stream);
    connect(stream, &HttpStream::accepted, q, [this, stream] {
        if (stream->role() == HttpStream::Role::Channel && q->state() == State::Opening)
            naming.start(options.headerTimeoutMs);
        onAccepted(stream);
    });
    connect(stream, &HttpStream::ended, q, [this, stream] {
        outbox.remove(stream);
        onAccepted(stream);
    });
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

// Or ended.
void SseTransport::Private::onAccepted(HttpStream *stream)
{
    const QPointer<SseTransport> alive(q);
    if (outbox.isHandshakeEnd(stream))
        outbox.release();
    if (alive)
        goOnClosing();
}

void SseTransport::Private::onFailed(HttpStream *stream, const Error &error)
{
    if (stream->role() == HttpStream::Role::Channel)
        return finish(error);
    Q_EMIT q->failed(stream->requestId(), error);
}

void SseTransport::Private::goOnClosing()
{
    if (!closing.isActive() || outbox.hasHeld())
        return;
    const QList<HttpStream *> &streams = outbox.streams();
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

void SseTransport::Private::finish(const Error &error)
{
    if (q->state() == State::Closed)
        return;
    const bool wasAsked = q->state() == State::Closing;
    naming.stop();
    closing.stop();
    outbox.dropAll();
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
    return !d->outbox.dropUnsent(id);
}

QList<QByteArray> SseTransport::headerNames() const
{
    return http::namesOf(d->request("POST").headers);
}

void SseTransport::pauseReading(bool isPaused)
{
    d->outbox.setPaused(isPaused);
}

bool SseTransport::hold(const Message &message, const OutgoingHeaders &headers)
{
    return d->outbox.hold({message, headers});
}

QByteArray SseTransport::factsForSending(const Message &)
{
    return Facts().number(u"stream", d->nextStream).take();
}

Error SseTransport::write(const Message &message, const OutgoingHeaders &headers)
{
    if (Error error = checkMessageHeaders(headers.typed))
        return error;
    d->makeStream(HttpStream::Role::Post, {message, headers})->start();
    return {};
}

}  // namespace sonde
