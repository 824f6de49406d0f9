// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http/httpstream.h"

#include "core/transport/http/abstracthttptransport.h"

#include <QPointer>

namespace sonde {

HttpStream::HttpStream(AbstractHttpTransport *transport, const QByteArray &verb, Message message,
                       OutgoingHeaders headers)
    : m_transport(transport),
      m_number(transport->nextStreamNumber()),
      m_verb(verb),
      m_message(std::move(message)),
      m_headers(std::move(headers))
{
    m_wait.setSingleShot(true);
    m_wait.setTimerType(Qt::PreciseTimer);  // a coarse timer may fire before the time the server asked for
    connect(&m_wait, &QTimer::timeout, this, [this] { send("GET"); });
}

QByteArray HttpStream::responseHeader(QByteArrayView name) const
{
    const HttpExchange *response = m_reader ? &m_reader->response() : m_request ? m_request->response() : nullptr;
    return response ? response->header(name) : QByteArray();
}

void HttpStream::readOn()
{
    if (m_reader)
        m_reader->readOn();
    else
        QMetaObject::invokeMethod(this, &HttpStream::onFinished, Qt::QueuedConnection);
}

void HttpStream::send(const QByteArray &verb)
{
    AuthorizedRequest::Request request = m_transport->request(verb, m_resumption.lastEventId(), m_headers);
    request.stream = m_number;
    request.message = m_message;
    if (verb == "POST") {
        request.body = m_message.raw();
        request.mayTakeLong = m_message.kind() == Message::Kind::Request;  // its deadline is the caller's
    }
    m_request = std::make_unique<AuthorizedRequest>(m_transport->pool(), std::move(request));
    connect(m_request.get(), &AuthorizedRequest::reported, m_transport, &AbstractHttpTransport::report);
    connect(m_request.get(), &AuthorizedRequest::credentialsAwaited, this, [this](CredentialWait *wait) {
        EventFacts about = facts(EventCode::CredentialsAwaited);
        if (wait->refusal())
            about.reason = wait->refusal().message;
        m_transport->reportFacts(WireEvent::Kind::State, about);
        Q_EMIT m_transport->credentialsAwaited(wait);
    });
    connect(m_request.get(), &AuthorizedRequest::unauthorized, this, &HttpStream::fail);
    connect(m_request.get(), &AuthorizedRequest::sent, this, [this] {
        m_wasSent = true;
        Q_EMIT sent();
    });
    connect(m_request.get(), &AuthorizedRequest::headersArrived, this, [this] { onHeaders(); });
    connect(m_request.get(), &AuthorizedRequest::finished, this, &HttpStream::onFinished);
    m_request->start();
}

bool HttpStream::isReadable(const HttpExchange &response)
{
    QByteArray encoding = response.header("Content-Encoding").trimmed().toLower();
    return isSuccess(response.status()) && encoding.replace("identity", "").isEmpty();
}

bool HttpStream::bringsEvents(const HttpExchange &response)
{
    return isReadable(response) && response.status() != 204 &&
           http::mediaType(response.header("Content-Type")) == "text/event-stream";
}

void HttpStream::readMessages(MessageReader::Form form)
{
    m_request->response()->reportResponse();
    m_reader = std::make_unique<MessageReader>(this, m_request->takeResponse(), form);
    m_wasOpen = m_wasOpen || form == MessageReader::Form::Events;
    connect(m_reader.get(), &MessageReader::tooLong, this,
            [this](const Message &begun, const Error &error) { onTooLong(begun, error); });
    connect(m_reader.get(), &MessageReader::ended, this, [this](const Error &cause) {
        const QPointer<HttpStream> alive(this);
        tellOfLoss(&m_reader->response());
        if (alive)
            onMessagesRead(cause);
    });
}

void HttpStream::tellOfLoss(const HttpExchange *response)
{
    if (response && response->isConnectionLost() && isWaitedFor() && !(isForAnything() && response->hasHeaders()))
        Q_EMIT connectionLost(response->error(), m_wasSent);
}

// In a pause what has come is kept: it may hold a message.
void HttpStream::onFinished()
{
    if (m_transport->isReadingPaused() || !m_request || !m_request->isFinished())
        return;
    const QPointer<HttpStream> alive(this);
    const HttpExchange *response = m_request->response();
    tellOfLoss(response);
    if (!alive)
        return;
    if (m_request->hasResponse())
        return onBody();
    const Error cause = m_request->error();  // goes with the request
    if (m_wasOpen)                           // one more try
        resume(cause);
    else
        fail(cause);
}

bool HttpStream::isSessionLost() const
{
    return m_request->response()->status() == 404 && m_transport->hasSession(m_headers);
}

void HttpStream::conclude(bool isSessionLost)
{
    const HttpExchange &response = *m_request->response();
    const int status = response.status();
    Error error = isSuccess(status)
                      ? wrongType()
                      : http::statusError(status, response.reason(), response.headers(), m_request->body());
    if (isSessionLost) {
        error.message = tr("Session lost: the server no longer knows it (HTTP 404).");
        error.hint =
            tr("If no new session was started, reconnect. Calls are repeated only once, and only if that is safe.");
        error.reason = Error::Reason::SessionLost;
        const QPointer<HttpStream> alive(this);
        Q_EMIT sessionLost(error);
        if (alive)
            end();
        return;
    }
    // 409: the server has not noticed yet that the old connection is gone.
    if (m_wasOpen && (status == 409 || status == 429 || status >= 500))
        return resume(error);
    // What the status means for a URL says nothing about a stream that this URL has served.
    fail(m_wasOpen && error.kind != Error::Kind::Auth ? lossOf(error) : error);
}

Error HttpStream::wrongType() const
{
    const HttpExchange &response = *m_request->response();
    const QByteArray type = response.header("Content-Type");
    const QByteArray encoding = response.header("Content-Encoding");
    const QString shown = http::shownBody(m_request->body());
    if (!encoding.isEmpty()) {
        const bool wasAsked = response.sentHeader("Accept-Encoding") != "identity";
        const QString message =
            wasAsked ? tr("The server compressed its response (%1), which Sonde does not support.")
                     : tr("The server compressed its response (%1), although compression was not accepted.");
        return Error::of(Error::Kind::Protocol, message.arg(QString::fromUtf8(encoding)), {},
                         wasAsked ? tr("Set Accept-Encoding to “identity”.") : QString());
    }
    if (response.status() != 200 || m_request->bodyLength() == 0)
        return Error::of(Error::Kind::Protocol,
                         tr("The server returned HTTP %1 without a response to the request.").arg(response.status()),
                         shown);
    const bool isPage = http::mediaType(type) == "text/html";
    const QString message =
        type.isEmpty() ? tr("The response has no Content-Type.")
                       : tr("The server returned %1 instead of JSON or an event stream.").arg(QString::fromUtf8(type));
    return Error::of(Error::Kind::Protocol, message, shown,
                     isPage ? tr("This is a web page: possibly a login page, or the wrong URL.") : QString());
}

// Spec: basic/transports, "Resumability and Redelivery". Always by GET: a POST goes out once.
void HttpStream::resume(const Error &cause)
{
    const HttpOptions &options = m_transport->options();
    if (!isWaitedFor() || !mayResume() || m_resumption.attempts() >= options.maxResumptions)
        return fail(lossOf(cause));
    const qint64 wait = m_resumption.nextWaitMs(options.minReconnectMs);
    m_reader.reset();
    m_request.reset();
    m_wait.start(int(wait));
    m_transport->reportFacts(WireEvent::Kind::State, {.stream = m_number,
                                                      .what = toString(EventCode::StreamDropped),
                                                      .reason = cause.message,
                                                      .afterMs = wait,
                                                      .attempt = m_resumption.attempts(),
                                                      .maxAttempts = options.maxResumptions,
                                                      .lastEventId = QString::fromUtf8(m_resumption.lastEventId()),
                                                      .retryMs = m_resumption.retryMs()});
}

Error HttpStream::lossBecauseOf(const Error &cause, const QString &message, const QString &hint)
{
    Error error = Error::of(Error::Kind::Transport, message, cause.detail, hint);
    if (cause)
        error.detail = error.detail.isEmpty() ? cause.message : cause.message + u'\n' + error.detail;
    return error;
}

void HttpStream::fail(const Error &error)
{
    const QPointer<HttpStream> alive(this);
    if (isWaitedFor())
        Q_EMIT failed(error);
    if (alive)
        end();
}

}  // namespace sonde
