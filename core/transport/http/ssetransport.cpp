// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http/ssetransport.h"

namespace sonde {

namespace {
using namespace Qt::StringLiterals;

Error sseError(const QString &message, const QString &detail = {})
{
    return Error::of(Error::Kind::Protocol, message, detail, SseTransport::tr("Check that this is an HTTP+SSE URL."));
}
}  // namespace

SseTransport::SseTransport(HttpOptions options, QObject *parent) : AbstractHttpTransport(std::move(options), parent)
{
    m_naming.setSingleShot(true);
    connect(&m_naming, &QTimer::timeout, this, [this] {
        finish(sseError(tr("The server opened an event stream but did not name its endpoint in time.")));
    });
}

QString SseTransport::name() const
{
    return u"HTTP+SSE"_s;
}

void SseTransport::begin()
{
    m_endpoint.clear();
    EventStream *stream = makeEvents(EventStream::Purpose::Session);
    connect(stream, &EventStream::accepted, this, [this] {
        if (state() == State::Opening)
            m_naming.start(options().headerTimeoutMs);
    });
    connect(stream, &EventStream::eventReceived, this, &SseTransport::onEvent);
    connect(stream, &EventStream::responseLost, this, &SseTransport::failed);
    connect(stream, &EventStream::failed, this, &SseTransport::finish);
    stream->start();
}

AuthorizedRequest::Request SseTransport::request(const QByteArray &verb, const QByteArray &,
                                                 const OutgoingHeaders &of) const
{
    return requests().make(verb, verb == "GET" ? requests().url() : m_endpoint, revisionHeaders(), of);
}

// It is read on meanwhile: what comes is recorded.
void SseTransport::refuse(const Error &error)
{
    m_naming.stop();
    finishLater(error);
}

void SseTransport::beforeDelivery(const HttpStream &)
{
    if (m_naming.isActive())
        refuse(sseError(tr("The event stream did not begin with the event “endpoint”.")));
}

// The server decides where all messages go, and with them what they say about the person: never to another origin.
void SseTransport::onEvent(const SseParser::Event &event)
{
    if (!m_naming.isActive())
        return;
    if (event.type != "endpoint")
        return refuse(sseError(tr("The event stream did not begin with the event “endpoint”.")));
    const QString shown = QString::fromUtf8(event.data.left(200));
    const QUrl named = QUrl::fromEncoded(event.data.trimmed(), QUrl::StrictMode);
    m_endpoint = requests().url().resolved(named);
    m_endpoint.setUserInfo({});
    m_endpoint.setFragment({});
    if (event.isCut || event.data.trimmed().isEmpty() || !named.isValid() || http::checkUrl(m_endpoint))
        return refuse(sseError(tr("The endpoint that the server named is not a URL."), shown));
    if (!http::isSameOrigin(m_endpoint, requests().url()))
        return refuse(
            Error::of(Error::Kind::Protocol,
                      tr("The endpoint that the server named is on another origin. Nothing was sent there."), shown,
                      tr("Messages and credentials go only to %1.").arg(http::hostAndPort(requests().url()))));
    m_naming.stop();
    setState(State::Open);
    Q_EMIT opened();
}

}  // namespace sonde
