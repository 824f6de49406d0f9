// SPDX-License-Identifier: Apache-2.0
#include "core/transport/httptransport.h"

#include "core/protocol/methods.h"
#include "core/transport/facts.h"
#include "core/transport/httpstream.h"

#include <QPointer>
#include <QTimer>

#include <algorithm>

namespace sonde {

namespace {
using namespace Qt::StringLiterals;

constexpr int deleteTimeoutMs = 2000;
constexpr auto userAgent = "Sonde/" SONDE_VERSION;
}  // namespace

class HttpTransport::Private {
public:
    Private(HttpTransport *transport, HttpOptions o) : q(transport), options(std::move(o)) {}

    void open();
    struct Outgoing {
        Message message;
        MessageHeaders headers;  // of its own
    };
    void write(const Outgoing &outgoing);
    void post(const Outgoing &outgoing);
    void listen();
    HttpStream *makeStream(HttpStream::Role role, const Outgoing &outgoing);
    void onAccepted(HttpStream *stream);
    void onEnded(HttpStream *stream);
    void abandon(const RequestId &id);
    void releaseHeld();
    void takeSessionId(HttpStream *stream);
    HttpExchange::Request request(const QByteArray &verb, const QByteArray &lastEventId) const;
    void close();
    void finish(const Error &error);
    void dropStreams();
    void note(Facts facts);

    HttpTransport *q;
    HttpOptions options;
    QUrl url;  // without user info, which becomes a header
    http::HeaderList headers;
    HttpPool *pool = nullptr;
    QList<HttpStream *> streams;
    HttpStream *handshakeEnd = nullptr;    // POST of notifications/initialized while it is under way
    QList<std::pair<int, Outgoing>> held;  // behind it: a server must not get a request before it is initialized
    HttpExchange *deletion = nullptr;
    QByteArray sessionId;
    int nextStream = 1;
    bool hasRevision = false;
    bool wantsListening = false;
    bool isListening = false;
};

void HttpTransport::Private::note(Facts facts)
{
    WireEvent event;
    event.kind = WireEvent::Kind::Note;
    event.facts = facts.take();
    q->report(std::move(event));
}

void HttpTransport::Private::open()
{
    q->setState(State::Opening);
    sessionId.clear();
    hasRevision = wantsListening = isListening = false;
    nextStream = 1;
    url = options.url;
    headers = options.headers;
    Error error = http::checkUrl(url);
    if (!error)
        error = http::checkHeaders(headers);
    // A name and password in the URL travel as the header that they mean, where the record shows and redacts them.
    if (!url.userInfo().isEmpty() && http::valueOf(headers, "Authorization").isNull()) {
        const QString credentials = url.userName(QUrl::FullyDecoded) + u':' + url.password(QUrl::FullyDecoded);
        headers.append({"Authorization", "Basic " + credentials.toUtf8().toBase64()});
    }
    url.setUserInfo({});
    url.setFragment({});

    WireEvent event;
    event.kind = WireEvent::Kind::Open;
    event.facts = Facts().text(u"transport", u"http").bytes(u"url", url.toEncoded()).take();
    q->report(std::move(event));
    if (error) {
        QMetaObject::invokeMethod(
            q, [this, error] { finish(error); }, Qt::QueuedConnection);
        return;
    }
    pool = new HttpPool(url, q);
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

HttpExchange::Request HttpTransport::Private::request(const QByteArray &verb, const QByteArray &lastEventId) const
{
    HttpExchange::Request request;
    request.verb = verb;
    request.url = url;
    request.headerTimeoutMs = options.headerTimeoutMs;
    request.bodyIdleMs = options.bodyIdleMs;
    request.maxRedirects = options.maxRedirects;
    http::HeaderList &list = request.headers;
    const auto set = [&list](const QByteArray &name, const QByteArray &value) { list.emplace_back(name, value); };
    if (verb == "POST")
        set("Content-Type", "application/json");
    if (verb != "DELETE")
        set("Accept", verb == "GET" ? "text/event-stream" : "application/json, text/event-stream");
    // Set to what it is, or Qt would ask for compression and hide it: the record shows the bytes of the wire.
    set("Accept-Encoding", "identity");
    for (const auto &[name, value] : {std::pair<QByteArray, QByteArray>{"Accept-Language", "*"},
                                      std::pair<QByteArray, QByteArray>{"User-Agent", userAgent}}) {
        if (http::valueOf(headers, name).isNull())
            set(name, value);
    }
    if (hasRevision && supports(q->revision(), Feature::ProtocolVersionHeader))
        set("MCP-Protocol-Version", toString(q->revision()).toLatin1());
    if (!sessionId.isEmpty())
        set("Mcp-Session-Id", sessionId);
    if (!lastEventId.isEmpty() && http::isHeaderValue(lastEventId))
        set("Last-Event-ID", lastEventId);
    for (const auto &[name, value] : headers)
        putHeader(&list, name, value);
    return request;
}

HttpStream *HttpTransport::Private::makeStream(HttpStream::Role role, const Outgoing &outgoing)
{
    const auto self = std::make_shared<HttpStream *>(nullptr);
    const bool isOrdinary = outgoing.headers.isEmpty();
    HttpStream::Hooks hooks;
    hooks.request = [this, own = outgoing.headers](const QByteArray &verb, const QByteArray &lastEventId) {
        HttpExchange::Request made = request(verb, lastEventId);
        if (verb == "POST")
            made.headers = withMessageHeaders(made.headers, own);
        return made;
    };
    hooks.deliver = [this, self, isOrdinary](const QByteArray &bytes, const QByteArray &facts,
                                             HttpStream::Hooks::Look examine, HttpStream::Hooks::Look done) {
        if (isOrdinary && (*self)->message().method() == methods::Initialize)
            takeSessionId(*self);
        q->deliver(bytes, 0, facts, {std::move(examine), std::move(done)});
    };
    hooks.report = [this](WireEvent event) { q->report(std::move(event)); };
    hooks.hasSession = [this, isOrdinary] { return isOrdinary && !sessionId.isEmpty(); };
    hooks.canResume = [this] { return supports(q->revision(), Feature::SessionHeader); };
    hooks.hasBatches = [this] { return supports(q->revision(), Feature::Batches); };
    auto *stream = new HttpStream(pool, nextStream++, role, outgoing.message, std::move(hooks),
                                  {options.maxMessageBytes, options.maxResumptions}, q);
    *self = stream;
    streams.append(stream);
    connect(stream, &HttpStream::accepted, q, [this, stream] { onAccepted(stream); });
    connect(stream, &HttpStream::ended, q, [this, stream] { onEnded(stream); });
    connect(stream, &HttpStream::failed, q, [this, stream](const Error &error) {
        const bool isCall = stream->role() == HttpStream::Role::Call;
        Q_EMIT q->failed(isCall ? stream->message().id() : RequestId(), error);
    });
    connect(stream, &HttpStream::sessionLost, q, [this](const Error &error) { finish(error); });
    return stream;
}

void HttpTransport::Private::write(const Outgoing &outgoing)
{
    const Message &message = outgoing.message;
    if (message.method() == methods::Cancelled)
        abandon(RequestId::fromValue(message.params()[u"requestId"]));
    if (handshakeEnd) {
        held.append({nextStream++, outgoing});
        return;
    }
    post(outgoing);
}

void HttpTransport::Private::post(const Outgoing &outgoing)
{
    const bool isCall = outgoing.message.kind() == Message::Kind::Request;
    HttpStream *stream = makeStream(isCall ? HttpStream::Role::Call : HttpStream::Role::Notice, outgoing);
    if (outgoing.message.method() == methods::Initialized)
        handshakeEnd = stream;
    stream->start();
}

void HttpTransport::Private::listen()
{
    if (isListening || !options.openGetStream || !supports(q->revision(), Feature::SessionHeader))
        return;
    isListening = true;
    makeStream(HttpStream::Role::Listen, {})->start();
}

// Spec: the session id comes with the answer to initialize, and with no other.
void HttpTransport::Private::takeSessionId(HttpStream *stream)
{
    const QByteArray id = stream->responseHeader("Mcp-Session-Id");
    if (id.isNull() || id == sessionId)
        return;
    if (http::isSessionId(id))
        sessionId = id;
    else
        note(Facts().text(u"what", u"session id ignored").text(u"reason", u"it holds more than visible ASCII"));
}

void HttpTransport::Private::onAccepted(HttpStream *stream)
{
    if (stream == handshakeEnd)
        releaseHeld();
}

void HttpTransport::Private::onEnded(HttpStream *stream)
{
    streams.removeOne(stream);
    stream->deleteLater();
    if (stream == handshakeEnd)
        releaseHeld();
}

void HttpTransport::Private::releaseHeld()
{
    handshakeEnd = nullptr;
    const auto waiting = std::exchange(held, {});
    const int next = nextStream;
    for (const auto &[number, outgoing] : waiting) {
        nextStream = number;  // it was recorded with this one
        post(outgoing);
    }
    nextStream = next;
    if (wantsListening)
        listen();
}

void HttpTransport::Private::abandon(const RequestId &id)
{
    for (HttpStream *stream : std::as_const(streams)) {
        if (stream->role() == HttpStream::Role::Call && stream->message().id() == id)
            stream->abandon();
    }
}

void HttpTransport::Private::dropStreams()
{
    handshakeEnd = nullptr;
    held.clear();
    for (HttpStream *stream : std::exchange(streams, {})) {
        stream->disconnect(q);
        stream->stop();
        stream->deleteLater();
    }
}

void HttpTransport::Private::close()
{
    q->setState(State::Closing);
    dropStreams();
    if (sessionId.isEmpty()) {
        QMetaObject::invokeMethod(
            q, [this] { finish({}); }, Qt::QueuedConnection);
        return;
    }
    HttpExchange::Request last = request("DELETE", {});
    last.stream = nextStream++;
    last.headerTimeoutMs = qMin(options.headerTimeoutMs, deleteTimeoutMs);
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
    dropStreams();
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
    if (!d->handshakeEnd)
        d->listen();
}

void HttpTransport::pauseReading(bool isPaused)
{
    for (HttpStream *stream : std::as_const(d->streams))
        stream->setPaused(isPaused);
}

QByteArray HttpTransport::factsForSending(const Message &)
{
    return Facts().number(u"stream", d->nextStream).take();
}

Error HttpTransport::write(const Message &message)
{
    d->write({message, {}});
    return {};
}

Error HttpTransport::writeWith(const MessageHeaders &headers, const Message &message)
{
    if (Error error = checkMessageHeaders(headers))
        return error;
    d->write({message, headers});
    return {};
}

QList<QByteArray> HttpTransport::headerNames() const
{
    QList<QByteArray> names;
    const HttpExchange::Request request = d->request("POST", {});
    for (const auto &header : request.headers)
        names.append(header.first);
    return names;
}

}  // namespace sonde
