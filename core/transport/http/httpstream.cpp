// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http/httpstream.h"

#include "core/protocol/messagefields.h"
#include "core/protocol/methods.h"
#include "core/protocol/numbertext.h"
#include "core/transport/appendlarge.h"
#include "core/transport/brokenresponse.h"
#include "core/transport/facts.h"
#include "core/transport/messageheaders.h"
#include "core/transport/monotonicclock.h"
#include "core/transport/turnbudget.h"

#include <QLocale>
#include <QPointer>

#include <algorithm>
#include <cmath>
#include <new>

namespace sonde {

namespace {
using namespace Qt::StringLiterals;

constexpr qint64 StreamChunkSize = 64 * 1024;
// A body that is no message is shown in part only; reading on tells its length.
constexpr qsizetype KeptBody = 64 * 1024;
constexpr qint64 MaxOtherBody = 1024 * 1024;
constexpr double FirstWaitMs = 1000;
constexpr double FirstShortWaitMs = 10;
constexpr double WaitGrowth = 1.5;
constexpr double MaxWaitMs = 30'000;
constexpr qint64 SteadyMs = 10'000;
constexpr qint64 MaxRetryMs = 5 * 60 * 1000;
// A stream whose caller has given up keeps its connection this long for a late response.
constexpr int AbandonedMs = 60'000;

Error protocolError(const QString &message, const QString &detail = {}, const QString &hint = {})
{
    return {Error::Kind::Protocol, 0, message, detail, hint, {}};
}

bool isBlank(QByteArrayView bytes)
{
    return bytes.trimmed().isEmpty();
}

bool isResponseTo(const RequestId &id, const Message &message, bool hasBatches)
{
    if (message.isResponse() || isBrokenResponse(message))
        return message.id() == id;
    if (message.kind() != Message::Kind::Batch || !hasBatches)
        return false;
    for (qsizetype i = 0; i < message.batchSize(); ++i) {
        if (isResponseTo(id, Message::parse(message.batchBytes(i)), hasBatches))
            return true;
    }
    return false;
}
}  // namespace

HttpStream::HttpStream(HttpPool *pool, int number, Role role, Message message, Hooks hooks, Limits limits,
                       QObject *parent)
    : QObject(parent),
      m_pool(pool),
      m_number(number),
      m_role(role),
      m_message(std::move(message)),
      m_hooks(std::move(hooks)),
      m_limits(limits)
{
    m_again.setSingleShot(true);
    m_wait.setSingleShot(true);
    m_wait.setTimerType(Qt::PreciseTimer);  // a coarse timer may fire before the time the server asked for
    connect(&m_again, &QTimer::timeout, this, &HttpStream::pump);
}

HttpStream::~HttpStream() = default;

void HttpStream::start()
{
    connect(&m_wait, &QTimer::timeout, this, [this] {
        if (m_isAbandoned)
            return end();
        m_isResumed = true;
        request("GET");
    });
    request(isGet() ? "GET" : "POST");
}

void HttpStream::abandon()
{
    m_isAbandoned = true;
    if (m_isAwaiting)
        return end();
    m_wait.start(m_wait.isActive() ? 0 : AbandonedMs);
}

QByteArray HttpStream::responseHeader(QByteArrayView name) const
{
    return m_exchange ? m_exchange->header(name) : QByteArray();
}

bool HttpStream::mayEnd() const
{
    if (m_isAwaiting)
        return true;
    switch (m_role) {
        case Role::Call:
            return m_wasSent;
        case Role::Notice:
        case Role::Post:
            return m_wasAccepted || m_isOver;
        case Role::Listen:
        case Role::Channel:
            break;
    }
    return true;
}

QByteArray HttpStream::facts() const
{
    return Facts().number(u"stream", m_number).take();
}

void HttpStream::request(const QByteArray &verb)
{
    m_mode = Mode::Waiting;
    m_body.clear();
    m_bodyLength = 0;
    m_isBodyDelivered = false;
    m_refusals = 0;
    m_request = m_hooks.request(verb, m_lastEventId);
    m_request.stream = m_number;
    if (verb == "POST")
        m_request.body = m_message.raw();
    if (verb == "POST" && m_message.kind() == Message::Kind::Request)
        m_request.mayTakeLong = true;  // a call takes as long as it takes: its deadline is the caller's
    askForCredentials({});
}

void HttpStream::askForCredentials(std::optional<CredentialSource::Refusal> refusal)
{
    if (!m_hooks.credentials)
        return send();
    const QPointer<HttpStream> alive(this);
    const int asked = ++m_asked;
    const Error reason = refusal ? refusal->error : Error();
    m_isAwaiting = true;
    m_isAwaitingTold = false;
    m_hooks.credentials({m_request.verb, m_request.url, std::move(refusal)},
                        [alive, asked](const Result<CredentialSource::Headers> &credentials) {
                            if (alive && !alive->m_isOver && alive->m_isAwaiting && alive->m_asked == asked)
                                alive->takeCredentials(credentials);
                        });
    // A turn later: whoever starts a stream does not expect its signals yet, and often they are there by then.
    if (alive && m_isAwaiting)
        QMetaObject::invokeMethod(
            this, [this, asked, reason] { tellOfAwaiting(asked, reason); }, Qt::QueuedConnection);
}

void HttpStream::tellOfAwaiting(int asked, const Error &reason)
{
    if (m_isOver || !m_isAwaiting || m_asked != asked)
        return;
    m_isAwaitingTold = true;
    Facts facts(Occurrence::CredentialsAwaited);
    facts.number(u"stream", m_number);
    if (reason)
        facts.text(u"reason", reason.message);
    WireEvent event;
    event.kind = WireEvent::Kind::State;
    event.occurrence = facts.occurrence();
    event.facts = facts.take();
    m_hooks.report(event);
    Q_EMIT credentialsAwaited(reason);
}

void HttpStream::takeCredentials(const Result<CredentialSource::Headers> &credentials)
{
    m_isAwaiting = false;
    if (!credentials) {
        // Whoever starts a stream does not expect it to fail at once.
        QMetaObject::invokeMethod(
            this, [this, error = credentials.error()] { fail(error); }, Qt::QueuedConnection);
        return;
    }
    m_credentials = *credentials;
    const QPointer<HttpStream> alive(this);
    if (m_isAwaitingTold)
        Q_EMIT credentialsGiven();
    if (alive && !m_isOver)
        send();
}

// Spec: basic/authorization, "Error Handling". True when the request waits to be sent again.
bool HttpStream::askAgain(const Error &error)
{
    if (m_isAbandoned || ++m_refusals > m_limits.maxRefusals)
        return false;
    CredentialSource::Refusal refusal;
    refusal.status = m_exchange->status();
    refusal.responseHeaders = m_exchange->headers();
    refusal.challenges = authChallenges(refusal.responseHeaders);
    refusal.credentials = m_credentials;
    refusal.count = m_refusals;
    refusal.error = error;
    refusal.peer = m_exchange->peer();
    refusal.subject = targetOf(m_message);
    if (refusal.subject.isEmpty())
        refusal.subject = m_message.method();
    m_exchange->disconnect(this);
    m_exchange.release()->deleteLater();  // we may be in its signal
    m_mode = Mode::Waiting;
    m_body.clear();
    m_bodyLength = 0;
    askForCredentials(std::move(refusal));
    return true;
}

void HttpStream::send()
{
    HttpExchange::Request request = m_request;
    for (const auto &[name, value] : std::as_const(m_credentials))
        putHeader(&request.headers, name, value);
    if (!m_credentials.isEmpty())
        request.renewCredentials = [ask = m_hooks.credentials, verb = request.verb](const QUrl &url, const auto &then) {
            ask({verb, url, {}}, then);
        };
    m_exchange = std::make_unique<HttpExchange>(m_pool, std::move(request), nullptr);
    connect(m_exchange.get(), &HttpExchange::reported, this, [this](const WireEvent &event) { m_hooks.report(event); });
    connect(m_exchange.get(), &HttpExchange::sent, this, [this] {
        m_wasSent = true;
        Q_EMIT this->sent();
    });
    connect(m_exchange.get(), &HttpExchange::headersArrived, this, &HttpStream::onHeaders);
    connect(m_exchange.get(), &HttpExchange::readable, this, [this] {
        if (!m_again.isActive())
            pump();
    });
    connect(m_exchange.get(), &HttpExchange::finished, this, [this] {
        if (!m_again.isActive())
            pump();
    });
    m_exchange->start();
}

void HttpStream::onHeaders()
{
    const bool isGood = m_exchange->status() >= 200 && m_exchange->status() < 300;
    const QByteArray type = http::mediaType(m_exchange->header("Content-Type"));
    const bool isPlain = m_exchange->header("Content-Encoding").trimmed().toLower().replace("identity", "").isEmpty();
    if (isGood && isPlain && m_role != Role::Post && m_exchange->status() != 204 && type == "text/event-stream") {
        m_mode = Mode::Sse;
        m_parser = std::make_unique<SseParser>(m_limits.maxMessageBytes);
        m_exchange->allowSilence();
        m_exchange->reportResponse();
        m_wasOpen = true;
        m_openClock.start();
    } else if (isGood && isPlain && m_role == Role::Call && !m_isResumed && m_exchange->status() == 200 &&
               type == "application/json") {
        m_mode = Mode::Json;
        m_exchange->reportResponse();
    } else {
        m_mode = Mode::Body;
    }
    if (isGood && (m_mode == Mode::Sse || m_role == Role::Notice || m_role == Role::Post)) {
        m_wasAccepted = true;
        Q_EMIT accepted();
    }
}

void HttpStream::pump()
{
    if (m_isOver || !m_exchange || m_isDelivering || m_isPaused)
        return;
    const QPointer<HttpStream> alive(this);
    TurnBudget budget;
    for (;;) {
        const bool goesOn = m_mode == Mode::Sse ? pumpSse(budget) : collect(budget);
        if (!alive || m_isOver || !m_exchange || m_isDelivering || m_isPaused)
            return;
        if (budget.isSpent()) {
            m_again.start(0);
            return;
        }
        if (!goesOn)
            break;
    }
    if (m_exchange->isAtEnd())
        conclude();
}

// False: nothing more to read for now.
bool HttpStream::pumpSse(TurnBudget &budget)
{
    const QPointer<HttpStream> alive(this);
    while (!budget.isSpent()) {
        if (const std::optional<SseParser::Event> event = m_parser->next()) {
            if (!takeEvent(*event) || !alive)
                return false;
        } else if (!m_parser->isBusy()) {
            break;
        }
    }
    if (budget.isSpent())
        return true;
    const QByteArray bytes = m_exchange->read(StreamChunkSize);
    budget.spend(bytes.size());
    m_parser->append(bytes);
    return !bytes.isEmpty();
}

// False when this stream is over, or gone.
bool HttpStream::takeEvent(const SseParser::Event &event)
{
    if (event.isComment && !m_comments.allow(monotonicNs()))
        return true;
    takePlace(event);
    if (event.isCut && event.isMessage()) {
        const QPointer<HttpStream> alive(this);
        tooLong(event.length, event.data, event.sha256, event.isOutOfMemory);
        return alive && !m_isOver;
    }
    if (event.isMessage() && !isBlank(event.data))
        return deliver(event.data, factsOf(event));
    WireEvent record;
    record.kind = WireEvent::Kind::Sse;
    record.direction = Direction::FromServer;
    if (!event.isComment)
        record.bytes = event.data;
    record.wireLength = event.length;
    record.facts = factsOf(event);
    m_hooks.report(record);
    const QPointer<HttpStream> alive(this);
    if (m_hooks.event && event.hasData)
        m_hooks.event(event);
    return alive && !m_isOver;
}

// A new id is progress of a call, whose server may let it poll; for a GET stream it could go on like that for ever.
void HttpStream::takePlace(const SseParser::Event &event)
{
    if (event.isComment)
        return;
    if (event.retryMs)
        m_retryMs = event.retryMs;
    if (!event.hasId || event.id == m_lastEventId)
        return;
    m_lastEventId = event.id;
    m_resumptions = 0;
    if (m_role == Role::Call)
        m_pauses = 0;
}

QByteArray HttpStream::factsOf(const SseParser::Event &event)
{
    const bool isPlain = !event.hasId && !event.retryMs && !event.isComment;
    if (isPlain && !m_plainFacts.isEmpty() && event.type == m_plainType)
        return m_plainFacts;
    Facts about;
    about.number(u"stream", m_number);
    if (!event.type.isEmpty())
        about.bytes(u"event", event.type);
    if (event.hasId)
        about.bytes(u"id", event.id);
    if (event.retryMs)
        about.number(u"retry", *event.retryMs);
    if (event.isComment)
        about.bytes(u"comment", event.data);
    if (event.isComment && m_comments.takeHasLeftOut())
        about.number(u"count", m_comments.count());
    if (!isPlain)
        return about.take();
    m_plainType = event.type;
    return m_plainFacts = about.take();
}

bool HttpStream::collect(TurnBudget &budget)
{
    const QByteArray bytes = m_exchange->read(StreamChunkSize);
    if (bytes.isEmpty())
        return false;
    budget.spend(bytes.size());
    m_bodyLength += bytes.size();
    if (m_mode == Mode::Json) {
        bool isOutOfMemory = false;
        try {
            appendLarge(m_body, bytes);
        } catch (const std::bad_alloc &) {
            isOutOfMemory = true;
            m_body.truncate(LineFramer::KeptOfCutLine);
            m_body.squeeze();
        }
        if (isOutOfMemory || m_bodyLength > m_limits.maxMessageBytes) {
            tooLong(m_bodyLength, m_body.left(LineFramer::KeptOfCutLine), {}, isOutOfMemory);
            return false;
        }
        return true;
    }
    m_body += bytes.left(qMax<qsizetype>(0, KeptBody - m_body.size()));
    if (m_bodyLength > MaxOtherBody)
        conclude();  // enough seen
    return true;
}

void HttpStream::tooLong(qint64 length, const QByteArray &head, const QByteArray &sha256, bool isOutOfMemory)
{
    WireEvent event;
    event.kind = WireEvent::Kind::Partial;
    event.direction = Direction::FromServer;
    event.bytes = head;
    event.wireLength = length;
    Facts about;
    about.number(u"stream", m_number);
    if (isOutOfMemory)
        about.occurrence(Occurrence::OutOfMemory);
    else
        about.occurrence(Occurrence::TooLong).number(u"limit", m_limits.maxMessageBytes);
    if (!sha256.isEmpty())
        about.bytes(u"sha256", sha256);
    event.facts = about.take();
    m_hooks.report(event);
    const QLocale locale;
    const Message begun = Message::parse(head);
    // Another message than the response does no harm to the call, unless it is all that the body can hold.
    if ((m_role != Role::Call && m_role != Role::Channel) || (m_mode == Mode::Sse && !begun.method().isEmpty()))
        return;
    const Error error =
        isOutOfMemory
            ? Error::outOfMemory(length)
            : Error{Error::Kind::Transport,
                    0,
                    tr("A response of %1 or more exceeds the limit of %2.")
                        .arg(locale.formattedDataSize(length), locale.formattedDataSize(m_limits.maxMessageBytes)),
                    {},
                    tr("Raise the limit in this server's settings."),
                    {}};
    if (m_role == Role::Call)
        fail(error);
    else
        Q_EMIT responseLost(begun.id(), error);
}

// Whether the end of this connection says something of the server. A stream for whatever may come is cut by a proxy
// now and then: only when it cannot be opened again it does.
bool HttpStream::isMissed() const
{
    if (!m_exchange->isConnectionLost() || m_isAnswered || m_isAbandoned)
        return false;
    const bool isForAnything = isGet() || m_message.method() == methods::Listen;
    return !isForAnything || !m_exchange->hasHeaders();
}

void HttpStream::conclude()
{
    if (isMissed()) {
        const QPointer<HttpStream> alive(this);
        Q_EMIT connectionLost(m_exchange->error(), m_wasSent);
        if (!alive || m_isOver || !m_exchange)
            return;
    }
    switch (m_exchange->hasHeaders() ? m_mode : Mode::Waiting) {
        case Mode::Sse:
            return concludeSse();
        case Mode::Json:
            return concludeJson();
        case Mode::Body:
            return concludeBody();
        case Mode::Waiting:
            break;
    }
    const Error cause = m_exchange->error();
    // A connection that fails while a stream is being resumed is one more try; a first one fails the message.
    if (m_isResumed || (m_role == Role::Listen && m_wasOpen))
        return resume(cause);
    fail(cause);
}

void HttpStream::concludeSse()
{
    if (const QByteArray rest = m_parser->takeRest(); !rest.isEmpty()) {
        WireEvent event;
        event.kind = WireEvent::Kind::Partial;
        event.direction = Direction::FromServer;
        event.bytes = rest;
        event.wireLength = rest.size();
        event.facts = Facts().number(u"stream", m_number).occurrence(Occurrence::UnfinishedEvent).take();
        m_hooks.report(event);
    }
    if (m_role == Role::Notice || m_isAnswered || m_isAbandoned)
        return end();
    resume(m_exchange->error());
}

void HttpStream::concludeJson()
{
    const Error cause = m_exchange->error();
    if (cause && !m_isBodyDelivered) {
        WireEvent event;
        event.kind = WireEvent::Kind::Partial;
        event.direction = Direction::FromServer;
        event.bytes = m_body;
        event.wireLength = m_bodyLength;
        event.facts = Facts().number(u"stream", m_number).occurrence(Occurrence::CutBody).take();
        m_hooks.report(event);
        return fail(cause);
    }
    if (!m_isBodyDelivered) {
        if (isBlank(m_body))
            return fail(protocolError(tr("The server returned an empty body.")));
        QByteArray body = std::exchange(m_body, m_body.left(KeptBody));
        m_isBodyDelivered = true;
        if (!deliver(std::exchange(body, QByteArray()), facts()))
            return;
    }
    if (m_isAnswered)
        return end();
    fail(protocolError(tr("The response does not match this request."), http::shownBody(m_body)));
}

void HttpStream::concludeBody()
{
    const int status = m_exchange->status();
    const bool isGood = status >= 200 && status < 300;
    const Message message = Message::parse(m_body);
    const bool isMessage = message.kind() != Message::Kind::Invalid;
    const Error refusal =
        isGood ? Error() : http::statusError(status, m_exchange->reason(), m_exchange->headers(), m_body);
    if (refusal.kind == Error::Kind::Auth && m_hooks.credentials) {
        m_exchange->reportResponse(m_body, m_bodyLength);
        if (askAgain(refusal))
            return;
    }
    // With 404 a server no longer knows the session, even where its error names the request; unless that says that it
    // is the method which it does not know.
    const bool isOfMethod =
        isOwnResponse(message) && message.error()[u"code"].toInteger() == errorcodes::MethodNotFound;
    const bool isSessionLost = status == 404 && m_hooks.hasSession() && !isOfMethod;
    // What a server that is failing says of its revision is no verdict.
    const bool isFailedProbe = http::isOutage(status) && isProbe();
    if (isMessage && !isSessionLost && !isFailedProbe &&
        (m_role == Role::Call ? !isGood && isOwnResponse(message) : m_role == Role::Notice && isGood)) {
        m_exchange->reportResponse();
        if (deliver(m_body, facts()))
            end();
        return;
    }
    m_exchange->reportResponse(m_body, m_bodyLength);
    if ((m_role == Role::Notice || m_role == Role::Post) && isGood)
        return end();
    if (m_role == Role::Listen && !m_wasOpen && (status == 405 || status == 404 || status == 400))
        return end();  // the GET stream is optional
    const Error error = isGood ? wrongType() : refusal;
    if (isSessionLost) {
        Error lost = error;
        lost.message = tr("Session lost: the server no longer knows it (HTTP 404).");
        lost.hint =
            tr("If no new session was started, reconnect. Calls are repeated only once, and only if that is safe.");
        lost.reason = Error::Reason::SessionLost;
        m_isOver = true;
        const QPointer<HttpStream> alive(this);
        Q_EMIT sessionLost(lost);
        if (alive)
            Q_EMIT ended();
        return;
    }
    // 409: the server has not noticed yet that the old connection is gone.
    if ((m_isResumed || (m_role == Role::Listen && m_wasOpen)) && (status == 409 || status == 429 || status >= 500))
        return resume(error);
    // What the status means for a URL says nothing about a stream that this URL has served.
    const bool isRefused = (m_isResumed || (m_role == Role::Listen && m_wasOpen)) && error.kind != Error::Kind::Auth;
    fail(isRefused ? lossOf(error) : error);
}

Error HttpStream::wrongType() const
{
    const QByteArray type = m_exchange->header("Content-Type");
    const QByteArray encoding = m_exchange->header("Content-Encoding");
    const QString shown = http::shownBody(m_body);
    if (!encoding.isEmpty()) {
        const bool wasAsked = m_exchange->sentHeader("Accept-Encoding") != "identity";
        const QString message =
            wasAsked ? tr("The server compressed its response (%1), which Sonde does not support.")
                     : tr("The server compressed its response (%1), although compression was not accepted.");
        return protocolError(message.arg(QString::fromUtf8(encoding)), {},
                             wasAsked ? tr("Set Accept-Encoding to “identity”.") : QString());
    }
    if (m_exchange->status() != 200 || m_bodyLength == 0)
        return protocolError(
            tr("The server returned HTTP %1 without a response to the request.").arg(m_exchange->status()), shown);
    const bool isPage = http::mediaType(type) == "text/html";
    const QString message =
        type.isEmpty() ? tr("The response has no Content-Type.")
                       : tr("The server returned %1 instead of JSON or an event stream.").arg(QString::fromUtf8(type));
    return protocolError(message, shown,
                         isPage ? tr("This is a web page: possibly a login page, or the wrong URL.") : QString());
}

// False when the stream is gone, or waits for a worker thread to have read the message: then it goes on by itself.
bool HttpStream::deliver(const QByteArray &bytes, const QByteArray &facts)
{
    const QPointer<HttpStream> alive(this);
    const auto isOwn = std::make_shared<bool>(false);
    m_isDelivering = true;
    m_isLate = false;
    m_hooks.deliver(
        bytes, facts,
        [isOwn, isCall = m_role == Role::Call, id = m_message.id(), hasBatches = m_hooks.hasBatches()](
            const Message &message) { *isOwn = isCall && isResponseTo(id, message, hasBatches); },
        [alive, isOwn](const Message &message) {
            if (alive)
                alive->onDelivered(*isOwn,
                                   message.kind() != Message::Kind::Invalid && message.method() != methods::Ping);
        });
    if (!alive)
        return false;
    m_isLate = m_isDelivering;
    return !m_isOver && !m_isDelivering;
}

void HttpStream::onDelivered(bool isOwn, bool isProgress)
{
    if (isProgress)
        m_resumptions = m_pauses = 0;
    m_isDelivering = false;
    m_isAnswered = m_isAnswered || isOwn;
    if (m_isLate && !m_isOver)
        m_again.start(0);
}

void HttpStream::setPaused(bool isPaused)
{
    m_isPaused = isPaused;
    if (!isPaused && !m_isOver)
        m_again.start(0);
}

// The transport does not know the revision yet, but this method is of one that resumes nothing.
bool HttpStream::isProbe() const
{
    return m_role == Role::Call && m_message.method() == methods::Discover;
}

bool HttpStream::isOwnResponse(const Message &message) const
{
    return m_role == Role::Call && isResponseTo(m_message.id(), message, m_hooks.hasBatches());
}

// Spec: basic/transports, "Resumability and Redelivery". Always by GET: a POST goes out once.
void HttpStream::resume(const Error &cause)
{
    if (m_role == Role::Listen && m_mode == Mode::Sse && m_openClock.hasExpired(SteadyMs))
        m_resumptions = m_pauses = 0;  // cut by a proxy while nothing happened: not a stream that fails
    const bool knowsPlace = m_role == Role::Listen || (!m_lastEventId.isEmpty() && m_hooks.canResume() && !isProbe());
    if (!knowsPlace || m_isAbandoned || m_resumptions >= m_limits.maxResumptions)
        return fail(lossOf(cause));
    // A client must wait as long as `retry` says, which may be next to nothing.
    const double first = m_retryMs ? FirstShortWaitMs : FirstWaitMs;
    const double last = m_retryMs ? double(m_limits.minReconnectMs) : MaxWaitMs;
    const auto own = qint64(qMin(first * std::pow(WaitGrowth, m_pauses++), last));
    const qint64 wait = qMax(own, qMin(m_retryMs.value_or(0), MaxRetryMs));
    ++m_resumptions;
    m_exchange->disconnect(this);
    m_exchange.release()->deleteLater();  // we may be in its signal
    WireEvent event;
    Facts about;
    about.number(u"stream", m_number)
        .occurrence(Occurrence::StreamDropped)
        .text(u"reason", cause.message)
        .number(u"afterMs", wait)
        .number(u"attempt", m_resumptions)
        .number(u"maxAttempts", m_limits.maxResumptions)
        .bytes(u"lastEventId", m_lastEventId);
    if (m_retryMs)
        about.number(u"retryMs", *m_retryMs);
    event.facts = about.take();
    event.kind = WireEvent::Kind::State;
    m_hooks.report(event);
    m_wait.start(int(wait));
}

Error HttpStream::lossOf(const Error &cause) const
{
    Error error{Error::Kind::Transport, 0, {}, cause.detail, {}, {}};
    if (m_role == Role::Listen && cause.reason == Error::Reason::HttpStatus) {
        error.message =
            tr("The stream for server messages is not reopened: the server refuses it (HTTP %1).").arg(cause.code);
        error.hint = tr("Server notifications and requests will not be received. Reconnect to reopen the stream.");
    } else if (m_role == Role::Call && cause.reason == Error::Reason::HttpStatus && m_isResumed) {
        error.message =
            tr("The response stream was lost, and the server refuses to resume it (HTTP %1).").arg(cause.code);
    } else if (m_role == Role::Listen) {
        error.message = counted(m_resumptions + 1,
                                tr("The stream for server messages is not reopened: it ended without a message."),
                                tr("The stream for server messages is not reopened: it ended %1 times in a row without "
                                   "a message."));
        error.hint = tr("Server notifications and requests will not be received. Reconnect to reopen the stream.");
    } else if (m_role == Role::Channel) {
        error.message = tr("The server ended the event stream, which ends the session.");
        error.hint = tr("HTTP+SSE cannot resume a stream. Reconnect to start a new session.");
    } else if (m_resumptions > 0) {
        error.message = counted(m_resumptions, tr("The response stream was lost, and 1 attempt to resume it failed."),
                                tr("The response stream was lost, and %1 attempts to resume it failed."));
    } else {
        error.message = tr("The server ended the stream without a response to the request.");
    }
    if (cause)
        error.detail = error.detail.isEmpty() ? cause.message : cause.message + u'\n' + error.detail;
    return error;
}

// The end, with an error unless the response has come already or nobody waits for it.
void HttpStream::fail(const Error &error)
{
    if (m_isAnswered || m_isAbandoned)
        return end();
    const QPointer<HttpStream> alive(this);
    m_isAnswered = true;
    Q_EMIT failed(error);
    if (alive)
        end();
}

void HttpStream::stop()
{
    m_isOver = true;
    m_again.stop();
    m_wait.stop();
    if (m_exchange) {
        m_exchange->disconnect(this);
        m_exchange.release()->deleteLater();
    }
}

void HttpStream::end()
{
    if (m_isOver)
        return;
    m_isOver = true;
    m_again.stop();
    m_wait.stop();
    Q_EMIT ended();
}

}  // namespace sonde
