// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http/eventstream.h"

#include "core/protocol/numbertext.h"

namespace sonde {

namespace {
constexpr qint64 SteadyMs = 10'000;
}  // namespace

EventStream::EventStream(AbstractHttpTransport *transport, Purpose purpose)
    : HttpStream(transport, "GET", {}, {}), m_purpose(purpose)
{}

void EventStream::onHeaders()
{
    if (!bringsEvents(*request()->response()))
        return;
    m_openClock.start();
    readMessages(MessageReader::Form::Events);
    connect(reader(), &MessageReader::eventReceived, this, &EventStream::eventReceived);
    Q_EMIT accepted();
}

void EventStream::onMessagesRead(const Error &cause)
{
    if (m_openClock.hasExpired(SteadyMs))
        resumption().onProgress();  // cut by a proxy while nothing happened: not a stream that fails
    resume(cause);
}

void EventStream::onTooLong(const Message &begun, const Error &error)
{
    if (m_purpose == Purpose::Session && begun.method().isEmpty())
        Q_EMIT responseLost(begun.id(), error);
}

void EventStream::onBody()
{
    const int status = request()->response()->status();
    request()->reportResponse();
    const bool isNotOffered = status == 405 || status == 404 || status == 400;
    if (m_purpose == Purpose::Unasked && !wasOpen() && isNotOffered)
        end();
    else
        conclude(isSessionLost());
}

Error EventStream::lossOf(const Error &cause) const
{
    if (m_purpose == Purpose::Session)
        return lossBecauseOf(cause, tr("The server ended the event stream, which ends the session."),
                             tr("HTTP+SSE cannot resume a stream. Reconnect to start a new session."));
    const QString message =
        cause.reason == Error::Reason::HttpStatus
            ? tr("The stream for server messages is not reopened: the server refuses it (HTTP %1).").arg(cause.code)
            : counted(
                  resumption().attempts() + 1,
                  tr("The stream for server messages is not reopened: it ended without a message."),
                  tr("The stream for server messages is not reopened: it ended %1 times in a row without a message."));
    return lossBecauseOf(cause, message,
                         tr("Server notifications and requests will not be received. Reconnect to reopen the stream."));
}

}  // namespace sonde
