// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http/poststream.h"

#include "core/protocol/methods.h"
#include "core/protocol/numbertext.h"
#include "core/transport/http/abstracthttptransport.h"

#include <QPointer>

namespace sonde {

namespace {
// A stream whose caller has given up keeps its connection this long for a late response.
constexpr int AbandonedMs = 60'000;
}  // namespace

PostStream::PostStream(AbstractHttpTransport *transport, Message message, OutgoingHeaders headers)
    : HttpStream(transport, "POST", std::move(message), std::move(headers)),
      m_isCall(transport->namesCarriers() && this->message().kind() == Message::Kind::Request)
{}

void PostStream::abandon()
{
    m_isAbandoned = true;
    if (isAwaitingCredentials() || isWaitingToResume())
        return end();
    request()->askNoMore();
    QTimer::singleShot(AbandonedMs, this, [this] { end(); });
}

bool PostStream::mayEnd() const
{
    return isAwaitingCredentials() || (m_isCall ? wasSent() : m_wasAccepted);
}

void PostStream::onHeaders()
{
    const HttpExchange &response = *request()->response();
    // Over HTTP+SSE the body says nothing.
    const bool isOfEvents = transport()->namesCarriers() && bringsEvents(response);
    const bool isJson = m_isCall && !wasOpen() && isReadable(response) && response.status() == 200 &&
                        http::mediaType(response.header("Content-Type")) == "application/json";
    const bool isAccepted = isOfEvents || (!m_isCall && isSuccess(response.status()));
    if (isOfEvents)
        readMessages(MessageReader::Form::Events);
    else if (isJson)
        readMessages(MessageReader::Form::Json);
    if (!isAccepted)
        return;
    m_wasAccepted = true;
    Q_EMIT accepted();
}

void PostStream::onMessagesRead(const Error &cause)
{
    if (!m_isCall || !isWaitedFor())
        end();
    else if (reader()->form() == MessageReader::Form::Events)
        resume(cause);
    else
        fail(cause ? cause
                   : Error::of(Error::Kind::Protocol, tr("The response does not match this request."),
                               http::shownBody(reader()->body())));
}

// Another message than the response does no harm to the call, unless it is all that the body can hold.
void PostStream::onTooLong(const Message &begun, const Error &error)
{
    if (m_isCall && (reader()->form() == MessageReader::Form::Json || begun.method().isEmpty()))
        fail(error);
}

void PostStream::onBody()
{
    const int status = request()->response()->status();
    const Message message = Message::parse(request()->body());
    const bool isMessage = message.kind() != Message::Kind::Invalid;
    const bool isResponse = m_isCall && isResponseTo(call(), message, transport()->hasBatches());
    // With 404 a server no longer knows the session, even where its error names the request; unless that says that it
    // is the method which it does not know.
    const bool isOfMethod = isResponse && message.error()[u"code"].toInteger() == errorcodes::MethodNotFound;
    const bool isOfSession = isSessionLost() && !isOfMethod;
    // What a server that is failing says of its revision is no verdict.
    const bool isFailedProbe = isProbe() && http::isOutage(status);
    const bool isForUs =
        m_isCall ? isResponse && !isSuccess(status) : isSuccess(status) && transport()->namesCarriers();
    if (isMessage && isForUs && !isOfSession && !isFailedProbe) {
        request()->response()->reportResponse();
        const QByteArray body = request()->body();  // its receiver may delete this
        const QPointer<PostStream> alive(this);
        transport()->deliver(*this, body, facts().toJson(), {{}, {}, call()});
        if (alive)
            end();
        return;
    }
    request()->reportResponse();
    if (!m_isCall && isSuccess(status))
        end();
    else
        conclude(isOfSession);
}

bool PostStream::isWaitedFor() const
{
    return !m_isAbandoned && !(reader() && reader()->hasResponse());
}

bool PostStream::isForAnything() const
{
    return message().method() == methods::Listen;
}

// The transport does not know the revision yet, but this method is of one that resumes nothing.
bool PostStream::isProbe() const
{
    return m_isCall && message().method() == methods::Discover;
}

bool PostStream::mayResume() const
{
    return !resumption().lastEventId().isEmpty() && transport()->resumesStreams() && !isProbe();
}

Error PostStream::lossOf(const Error &cause) const
{
    const int attempts = resumption().attempts();
    if (cause.reason == Error::Reason::HttpStatus)
        return lossBecauseOf(
            cause, tr("The response stream was lost, and the server refuses to resume it (HTTP %1).").arg(cause.code));
    if (attempts > 0)
        return lossBecauseOf(cause,
                             counted(attempts, tr("The response stream was lost, and 1 attempt to resume it failed."),
                                     tr("The response stream was lost, and %1 attempts to resume it failed.")));
    return lossBecauseOf(cause, tr("The server ended the stream without a response to the request."));
}

}  // namespace sonde
