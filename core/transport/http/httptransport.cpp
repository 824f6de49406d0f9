// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http/httptransport.h"

#include "core/protocol/methods.h"
#include "core/transport/facts.h"
#include "core/transport/http/httpoutbox.h"
#include "core/transport/http/sseparser.h"

#include <QPointer>
#include <QTimer>

#include <algorithm>
#include <array>
#include <optional>

namespace sonde {

namespace {
using namespace Qt::StringLiterals;

constexpr int ClosingMs = 2000;
constexpr int ProbeTimeoutMs = 10'000;
constexpr qsizetype MaxProbeBytes = 4096;
// With which servers of HTTP+SSE refuse a POST to the URL of their stream.
constexpr std::array OldServerStatus{400, 404, 405, 406, 415, 501};
constexpr int DeleteTimeoutMs = 2000;
constexpr int CredentialsTimeoutMs = 1000;
}  // namespace

class HttpTransport::Private {
public:
    Private(HttpTransport *transport, HttpOptions o)
        : q(transport),
          options(std::move(o)),
          outbox(q, {[this](const HttpOutbox::Outgoing &held) { return q->sendNow(held.message, held.headers); },
                     [this](WireEvent event) { q->report(std::move(event)); }})
    {
        closing.setSingleShot(true);
        connect(&closing, &QTimer::timeout, q, [this] { endSession(); });
    }

    void open();
    void listen();
    HttpStream *makeStream(HttpStream::Role role, const HttpOutbox::Outgoing &outgoing);
    void onAccepted(HttpStream *stream);
    void abandon(const RequestId &id);
    void takeSessionId(HttpStream *stream);
    HttpExchange::Request request(const QByteArray &verb, const QByteArray &lastEventId,
                                  const OutgoingHeaders &of = {}) const;
    void onFailed(HttpStream *stream, const Error &error);
    using WithRequest = std::function<void(HttpExchange::Request)>;
    void askForCredentials(const QByteArray &verb, const WithRequest &go, const std::function<void()> &without);
    void probeOldTransport(const RequestId &id, const Error &error);
    void startProbe(HttpExchange::Request get);
    void deleteSession(HttpExchange::Request last);
    void onProbed();
    void endProbe(bool isOldTransport);
    void close();
    void goOnClosing();
    void endSession();
    void finish(const Error &error);
    void dropAll();

    HttpTransport *q;
    HttpOptions options;
    HttpRequests requests;
    HttpOutbox outbox;
    HttpPool *pool = nullptr;
    QTimer closing;                   // as long as close() waits for streams
    std::unique_ptr<QObject> asking;  // for credentials of a request that is nobody's message
    HttpExchange *deletion = nullptr;
    HttpExchange *probe = nullptr;    // a GET after initialize was refused
    std::optional<SseParser> probed;  // what came of it
    qint64 probedBytes = 0;
    RequestId refusedId;
    Error refusal;
    QByteArray sessionId;
    int nextStream = 1;
    bool hasRevision = false;
    bool wantsListening = false;
    bool isListening = false;
    bool foundHttpSse = false;
};

void HttpTransport::Private::open()
{
    q->setState(State::Opening);
    sessionId.clear();
    hasRevision = wantsListening = isListening = foundHttpSse = false;
    nextStream = 1;
    const Error error = requests.set(options);

    WireEvent event;
    event.kind = WireEvent::Kind::Open;
    event.facts = Facts().text(u"transport", u"http").bytes(u"url", requests.url().toEncoded()).take();
    q->report(std::move(event));
    if (error) {
        QMetaObject::invokeMethod(
            q, [this, error] { finish(error); }, Qt::QueuedConnection);
        return;
    }
    pool = new HttpPool(requests.url(), requests.network(), q);
    QMetaObject::invokeMethod(
        q,
        [this] {
            if (q->state() != State::Opening)
                return;
            q->setState(State::Open);
            Q_EMIT q->opened();
        },
        Qt::QueuedConnection);
}

HttpExchange::Request HttpTransport::Private::request(const QByteArray &verb, const QByteArray &lastEventId,
                                                      const OutgoingHeaders &of) const
{
    http::HeaderList own;
    if (hasRevision && supports(q->revision(), Feature::ProtocolVersionHeader))
        own.emplace_back("MCP-Protocol-Version", toString(q->revision()).toLatin1());
    if (!sessionId.isEmpty())
        own.emplace_back("Mcp-Session-Id", sessionId);
    if (!lastEventId.isEmpty() && http::isHeaderValue(lastEventId))
        own.emplace_back("Last-Event-ID", lastEventId);
    return requests.make(verb, requests.url(), own, of);
}

HttpStream *HttpTransport::Private::makeStream(HttpStream::Role role, const HttpOutbox::Outgoing &outgoing)
{
    const auto self = std::make_shared<HttpStream *>(nullptr);
    const bool isOrdinary = outgoing.headers.typed.isEmpty();
    HttpStream::Hooks hooks;
    hooks.request = [this, of = outgoing.headers](const QByteArray &verb, const QByteArray &lastEventId) {
        return request(verb, lastEventId, of);
    };
    hooks.deliver = [this, self, isOrdinary](const QByteArray &bytes, const QByteArray &facts,
                                             HttpStream::Hooks::Look examine, HttpStream::Hooks::Look done) {
        if (isOrdinary && (*self)->message().method() == methods::Initialize)
            takeSessionId(*self);
        const RequestId carrier = (*self)->role() == HttpStream::Role::Call ? (*self)->message().id() : RequestId();
        q->deliver(bytes, 0, facts, {std::move(examine), std::move(done), carrier});
    };
    hooks.report = [this](WireEvent event) { q->report(std::move(event)); };
    hooks.credentials = requests.askForCredentials(outgoing.headers);
    hooks.hasSession = [this, isOrdinary] { return isOrdinary && !sessionId.isEmpty(); };
    hooks.canResume = [this] { return supports(q->revision(), Feature::SessionHeader); };
    hooks.hasBatches = [this] { return supports(q->revision(), Feature::Batches); };
    auto *stream = new HttpStream(
        pool, nextStream++, role, outgoing.message, std::move(hooks),
        {options.maxMessageBytes, options.maxResumptions, options.minReconnectMs, options.maxRefusals}, q);
    *self = stream;
    outbox.add(stream);
    connect(stream, &HttpStream::sent, q, [this] { goOnClosing(); });
    connect(stream, &HttpStream::accepted, q, [this, stream] { onAccepted(stream); });
    connect(stream, &HttpStream::ended, q, [this, stream] {
        outbox.remove(stream);
        onAccepted(stream);
    });
    connect(stream, &HttpStream::connectionLost, q, &HttpTransport::connectionLost);
    connect(stream, &HttpStream::failed, q, [this, stream](const Error &error) { onFailed(stream, error); });
    connect(stream, &HttpStream::sessionLost, q, [this](const Error &error) { finish(error); });
    return stream;
}

void HttpTransport::Private::listen()
{
    if (isListening || !options.openGetStream || !supports(q->revision(), Feature::SessionHeader))
        return;
    isListening = true;
    makeStream(HttpStream::Role::Listen, {})->start();
}

// Spec: the session id comes with the response to initialize, and with no other.
void HttpTransport::Private::takeSessionId(HttpStream *stream)
{
    const QByteArray id = stream->responseHeader("Mcp-Session-Id");
    if (id.isNull() || id == sessionId)
        return;
    if (http::isSessionId(id))
        sessionId = id;
    else
        outbox.note(
            Facts(Occurrence::SessionIdIgnored).text(u"reason", u"it contains characters other than visible ASCII"));
}

// Or ended. What the server sends in the course of the requests that were held may come on the listening stream.
void HttpTransport::Private::onAccepted(HttpStream *stream)
{
    const QPointer<HttpTransport> alive(q);
    if (outbox.isHandshakeEnd(stream)) {
        if (wantsListening && q->state() == State::Open)
            listen();
        outbox.release();
    }
    if (alive)
        goOnClosing();
}

void HttpTransport::Private::onFailed(HttpStream *stream, const Error &error)
{
    const RequestId id = stream->requestId();
    const bool mayBeOld =
        !id.isNone() && !probe && q->state() == State::Open && sessionId.isEmpty() &&
        stream->message().method() == methods::Initialize && error.reason == Error::Reason::HttpStatus &&
        std::find(OldServerStatus.begin(), OldServerStatus.end(), error.code) != OldServerStatus.end();
    if (mayBeOld)
        probeOldTransport(id, error);
    else
        Q_EMIT q->failed(id, error);
}

// Spec: basic/transports, "Backwards Compatibility". A server of HTTP+SSE refuses the POST, and begins the stream of a
// GET with an event that names its endpoint.
void HttpTransport::Private::probeOldTransport(const RequestId &id, const Error &error)
{
    refusedId = id;
    refusal = error;
    probed.emplace(MaxProbeBytes);
    probedBytes = 0;
    askForCredentials(
        "GET", [this](HttpExchange::Request get) { startProbe(std::move(get)); },
        [this] { Q_EMIT q->failed(refusedId, refusal); });
}

// For a request that cannot wait long for them: without() when they do not come soon, or not at all.
void HttpTransport::Private::askForCredentials(const QByteArray &verb, const WithRequest &go,
                                               const std::function<void()> &without)
{
    HttpExchange::Request made = request(verb, {});
    made.stream = nextStream++;
    const HttpRequests::Ask ask = requests.askForCredentials({});
    if (!ask)
        return go(std::move(made));
    asking = std::make_unique<QObject>();
    const auto end = [this, alive = QPointer<QObject>(asking.get())](const std::function<void()> &then) {
        if (!alive)
            return;
        asking.release()->deleteLater();
        then();
    };
    QTimer::singleShot(CredentialsTimeoutMs, asking.get(), [end, without] { end(without); });
    ask({verb, requests.url(), {}, verb == "DELETE"}, [=](const Result<CredentialSource::Headers> &credentials) {
        end([&] {
            if (!credentials)
                return without();
            HttpExchange::Request ready = made;
            for (const auto &[name, value] : *credentials)
                putHeader(&ready.headers, name, value);
            if (!credentials->isEmpty())
                ready.renewCredentials = [ask, verb](const QUrl &url, const auto &then) {
                    ask({verb, url, {}, verb == "DELETE"}, then);
                };
            go(std::move(ready));
        });
    });
}

void HttpTransport::Private::startProbe(HttpExchange::Request get)
{
    get.headerTimeoutMs = qMin(options.headerTimeoutMs, ProbeTimeoutMs);
    get.bodyIdleMs = get.headerTimeoutMs;
    probe = new HttpExchange(pool, std::move(get), q);
    connect(probe, &HttpExchange::reported, q, [this](const WireEvent &event) { q->report(event); });
    connect(probe, &HttpExchange::headersArrived, q, [this] {
        probe->reportResponse();
        const bool isStream =
            probe->status() == 200 && http::mediaType(probe->header("Content-Type")) == "text/event-stream";
        if (!isStream)
            endProbe(false);
    });
    connect(probe, &HttpExchange::readable, q, [this] { onProbed(); });
    connect(probe, &HttpExchange::finished, q, [this] { onProbed(); });
    probe->start();
}

void HttpTransport::Private::onProbed()
{
    const QByteArray bytes = probe->read(MaxProbeBytes);
    probedBytes += bytes.size();
    probed->append(bytes);
    while (const std::optional<SseParser::Event> event = probed->next()) {
        if (event->hasData && !event->isComment)
            return endProbe(event->type == "endpoint");
    }
    if (probe->isAtEnd() || probedBytes >= MaxProbeBytes)
        endProbe(false);
}

void HttpTransport::Private::endProbe(bool isOldTransport)
{
    probe->disconnect(q);
    std::exchange(probe, nullptr)->deleteLater();
    Error error = refusal;
    foundHttpSse = isOldTransport;
    if (isOldTransport) {
        error.message =
            tr("This server uses the older HTTP+SSE transport of revision 2024-11-05, not Streamable HTTP.");
        error.detail = refusal.message + u'\n' + refusal.detail;
        error.hint =
            tr("Set the transport of this server to Automatic or HTTP+SSE. If it also offers Streamable HTTP, use that "
               "URL; it often ends in /mcp.");
    }
    Q_EMIT q->failed(refusedId, error);
}

void HttpTransport::Private::abandon(const RequestId &id)
{
    for (HttpStream *stream : QList<HttpStream *>(outbox.streams())) {
        if (stream->requestId() != id)
            continue;
        if (!supports(q->revision(), Feature::StreamEndCancels)) {
            stream->abandon();
            continue;
        }
        outbox.note(Facts(Occurrence::StreamEnded).text(u"method", stream->message().method()));
        outbox.drop(stream);
    }
}

void HttpTransport::Private::dropAll()
{
    closing.stop();
    asking.reset();
    if (probe) {
        probe->disconnect(q);
        std::exchange(probe, nullptr)->deleteLater();
    }
    outbox.dropAll();
}

void HttpTransport::Private::close()
{
    q->setState(State::Closing);
    closing.start(ClosingMs);
    goOnClosing();
}

void HttpTransport::Private::goOnClosing()
{
    if (!closing.isActive())
        return;
    for (HttpStream *stream : QList<HttpStream *>(outbox.streams())) {
        if (!stream->mayEnd())
            continue;
        if (stream->isAwaitingCredentials() && !stream->isGet())
            outbox.noteUnsent(stream->message(), tr("The connection was closed while waiting for credentials."));
        outbox.drop(stream);
    }
    if (outbox.streams().isEmpty() && !outbox.hasHeld())
        endSession();
}

void HttpTransport::Private::endSession()
{
    dropAll();
    if (sessionId.isEmpty()) {
        QMetaObject::invokeMethod(
            q, [this] { finish({}); }, Qt::QueuedConnection);
        return;
    }
    askForCredentials(
        "DELETE", [this](HttpExchange::Request last) { deleteSession(std::move(last)); }, [this] { finish({}); });
}

void HttpTransport::Private::deleteSession(HttpExchange::Request last)
{
    last.headerTimeoutMs = qMin(options.headerTimeoutMs, DeleteTimeoutMs);
    last.bodyIdleMs = last.headerTimeoutMs;
    deletion = new HttpExchange(pool, std::move(last), q);
    connect(deletion, &HttpExchange::reported, q, [this](const WireEvent &event) { q->report(event); });
    // 405 (not allowed) and 404 (already gone) are as good as 200: the record shows which.
    connect(deletion, &HttpExchange::headersArrived, q, [this] {
        deletion->reportResponse();
        finish({});
    });
    connect(deletion, &HttpExchange::finished, q, [this] { finish({}); });
    deletion->start();
}

void HttpTransport::Private::finish(const Error &error)
{
    if (q->state() == State::Closed)
        return;
    const bool wasAsked = q->state() == State::Closing;
    dropAll();
    if (deletion) {
        deletion->disconnect(q);
        deletion->deleteLater();
        deletion = nullptr;
    }
    if (pool)
        pool->deleteLater();  // after what was lent from it
    pool = nullptr;
    sessionId.clear();
    q->setState(State::Closed);
    Q_EMIT q->closed(wasAsked ? Error() : error);
}

HttpTransport::HttpTransport(HttpOptions options, QObject *parent)
    : Transport(parent), d(std::make_unique<Private>(this, std::move(options)))
{}

HttpTransport::~HttpTransport()
{
    // Streams and exchanges first: they hand their connections back to the pool.
    const QList<HttpStream *> streams = findChildren<HttpStream *>(Qt::FindDirectChildrenOnly);
    qDeleteAll(streams);
    const QList<HttpExchange *> exchanges = findChildren<HttpExchange *>();
    qDeleteAll(exchanges);
}

void HttpTransport::open()
{
    if (state() == State::Closed)
        d->open();
}

void HttpTransport::close()
{
    if (state() == State::Open || state() == State::Opening)
        d->close();
}

QString HttpTransport::name() const
{
    return u"HTTP"_s;
}

void HttpTransport::setRevision(Revision revision)
{
    Transport::setRevision(revision);
    d->hasRevision = true;
}

void HttpTransport::sessionReady()
{
    if (state() != State::Open)
        return;
    d->wantsListening = true;
    if (!d->outbox.isHolding())
        d->listen();
}

void HttpTransport::pauseReading(bool isPaused)
{
    d->outbox.setPaused(isPaused);
}

bool HttpTransport::hold(const Message &message, const OutgoingHeaders &headers)
{
    return d->outbox.hold({message, headers});
}

QByteArray HttpTransport::factsForSending(const Message &)
{
    return Facts().number(u"stream", d->nextStream).take();
}

Error HttpTransport::write(const Message &message, const OutgoingHeaders &headers)
{
    if (Error error = checkMessageHeaders(headers.typed))
        return error;
    const bool isCall = message.kind() == Message::Kind::Request;
    d->makeStream(isCall ? HttpStream::Role::Call : HttpStream::Role::Notice, {message, headers})->start();
    return {};
}

bool HttpTransport::abandon(const RequestId &id)
{
    if (d->outbox.dropUnsent(id))
        return false;
    d->abandon(id);
    return !supports(revision(), Feature::StreamEndCancels);
}

bool HttpTransport::foundHttpSse() const
{
    return d->foundHttpSse;
}

QList<QByteArray> HttpTransport::headerNames() const
{
    return http::namesOf(d->request("POST", {}).headers);
}

}  // namespace sonde
