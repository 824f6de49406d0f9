// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http/httptransport.h"

#include "core/protocol/methods.h"

#include <algorithm>

namespace sonde {

namespace {
using namespace Qt::StringLiterals;

constexpr int DeleteTimeoutMs = 2000;
constexpr int CredentialsTimeoutMs = 1000;
}  // namespace

HttpTransport::HttpTransport(HttpOptions options, QObject *parent) : AbstractHttpTransport(std::move(options), parent)
{}

QString HttpTransport::name() const
{
    return u"HTTP"_s;
}

void HttpTransport::begin()
{
    m_mayListen = m_foundHttpSse = false;
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (state() != State::Opening)
                return;
            setState(State::Open);
            Q_EMIT opened();
        },
        Qt::QueuedConnection);
}

AuthorizedRequest::Request HttpTransport::request(const QByteArray &verb, const QByteArray &lastEventId,
                                                  const OutgoingHeaders &of) const
{
    http::HeaderList own = revisionHeaders();
    if (!m_sessionId.isEmpty())
        own.emplace_back("Mcp-Session-Id", m_sessionId);
    if (!lastEventId.isEmpty() && http::isHeaderValue(lastEventId))
        own.emplace_back("Last-Event-ID", lastEventId);
    return requests().make(verb, requests().url(), own, of);
}

// One that is nobody's message: it cannot wait long for credentials, and is not repeated.
AuthorizedRequest::Request HttpTransport::ownRequest(const QByteArray &verb)
{
    AuthorizedRequest::Request own = request(verb, {}, {});
    own.stream = nextStreamNumber();
    own.credentialsTimeoutMs = CredentialsTimeoutMs;
    own.maxRefusals = 0;
    return own;
}

void HttpTransport::sessionReady()
{
    if (state() != State::Open)
        return;
    m_mayListen = true;
    if (!isHolding())
        listen();
}

// What the server sends in the course of the requests that were held may come on the listening stream.
void HttpTransport::onHandshakeEnd()
{
    if (m_mayListen && state() == State::Open)
        listen();
}

void HttpTransport::listen()
{
    if (events() || !options().openGetStream || !supports(revision(), Feature::SessionHeader))
        return;
    m_mayListen = false;  // once, whatever comes of it
    EventStream *stream = makeEvents(EventStream::Purpose::Unasked);
    connect(stream, &EventStream::failed, this, [this](const Error &error) { Q_EMIT failed({}, error); });
    stream->start();
}

// Spec: the session id comes with the response to initialize, and with no other.
void HttpTransport::beforeDelivery(const HttpStream &stream)
{
    if (stream.message().method() != methods::Initialize || !stream.headers().typed.isEmpty())
        return;
    const QByteArray id = stream.responseHeader("Mcp-Session-Id");
    if (id.isNull() || id == m_sessionId)
        return;
    if (http::isSessionId(id))
        m_sessionId = id;
    else
        reportFacts(WireEvent::Kind::Note, {.what = toString(EventCode::SessionIdIgnored),
                                            .reason = u"it contains characters other than visible ASCII"_s});
}

void HttpTransport::onFailed(const PostStream &post, const Error &error)
{
    const bool mayBeOld = post.message().method() == methods::Initialize && !post.requestId().isNone() && !m_probe &&
                          state() == State::Open && m_sessionId.isEmpty() && SseProbe::isDue(error);
    if (mayBeOld)
        probe(post.requestId(), error);
    else
        Q_EMIT failed(post.requestId(), error);
}

void HttpTransport::probe(const RequestId &id, const Error &refusal)
{
    m_probe = std::make_unique<SseProbe>(pool(), ownRequest("GET"));
    connect(m_probe.get(), &SseProbe::reported, this, &HttpTransport::report);
    connect(m_probe.get(), &SseProbe::finished, this, [this, id, refusal](bool isHttpSse) {
        m_probe.reset();
        m_foundHttpSse = isHttpSse;
        Error error = refusal;
        if (isHttpSse) {
            error.message =
                tr("This server uses the older HTTP+SSE transport of revision 2024-11-05, not Streamable HTTP.");
            error.detail = refusal.message + u'\n' + refusal.detail;
            error.hint =
                tr("Set the transport of this server to Automatic or HTTP+SSE. If it also offers Streamable HTTP, use "
                   "that URL; it often ends in /mcp.");
        }
        Q_EMIT failed(id, error);
    });
    m_probe->start();
}

bool HttpTransport::abandon(const RequestId &id)
{
    if (!AbstractHttpTransport::abandon(id))
        return false;
    const bool endCancels = supports(revision(), Feature::StreamEndCancels);
    for (const QPointer<PostStream> &post : posts(id)) {
        if (endCancels) {
            const QString method = post->message().method();
            reportFacts(WireEvent::Kind::Note, {.what = toString(EventCode::StreamEnded), .method = method});
            drop(post);
        } else if (post) {
            post->abandon();
        }
    }
    return !endCancels;
}

void HttpTransport::close()
{
    dropEvents();
    AbstractHttpTransport::close();
}

void HttpTransport::endSession()
{
    dropStreams();
    m_probe.reset();
    if (m_sessionId.isEmpty())
        return finishLater({});
    AuthorizedRequest::Request last = ownRequest("DELETE");
    last.headerTimeoutMs = std::min(options().headerTimeoutMs, DeleteTimeoutMs);
    last.bodyIdleMs = last.headerTimeoutMs;
    m_deletion = std::make_unique<AuthorizedRequest>(pool(), std::move(last));
    connect(m_deletion.get(), &AuthorizedRequest::reported, this, &HttpTransport::report);
    // 405 (not allowed) and 404 (already gone) are as good as 200: the record shows which.
    connect(m_deletion.get(), &AuthorizedRequest::headersArrived, this, [this] {
        m_deletion->response()->reportResponse();
        finish({});
    });
    connect(m_deletion.get(), &AuthorizedRequest::finished, this, [this] { finish({}); });
    connect(m_deletion.get(), &AuthorizedRequest::unauthorized, this, [this] { finish({}); });
    m_deletion->start();
}

void HttpTransport::onFinished()
{
    m_probe.reset();
    m_deletion.reset();
    m_sessionId.clear();
}

}  // namespace sonde
