// SPDX-License-Identifier: Apache-2.0
#include "core/client/serverrequests.h"

#include "core/client/calltask.h"
#include "core/client/clientprivate.h"
#include "core/client/requestcheck.h"
#include "core/protocol/error.h"
#include "core/protocol/messagefields.h"
#include "core/protocol/visibletext.h"

using namespace Qt::StringLiterals;

namespace sonde {

namespace {
constexpr int MaxServerRequests = 1000;
constexpr qsizetype MaxShownMethod = 80;
}  // namespace

void Client::ServerRequests::setCapabilities(const QByteArray &declared)
{
    m_capabilities = json::parse(declared);
    m_methods = InputRequest::methodsFor(declared);
}

QString Client::ServerRequests::problemOf(const QList<InputEntry> &inputs) const
{
    if (inputs.size() > MaxServerRequests)
        return Client::tr("The server asked for %1 inputs at once; the limit is %2.")
            .arg(inputs.size())
            .arg(MaxServerRequests);
    for (const InputEntry &entry : inputs) {
        const std::optional<InputRequest::Kind> kind = InputRequest::kindOf(entry.method);
        if (entry.method.isEmpty())
            return Client::tr("The server asked for input without naming a method.");
        if (!kind || !m_methods.contains(entry.method))
            return Client::tr("The server asked for input with %1, which the client did not declare.")
                .arg(visibleLine(entry.method, MaxShownMethod));
        if (const QString problem = problemOfRequest(*kind, entry.params, m_capabilities, q->m_dialect->revision());
            !problem.isEmpty())
            return Client::tr("The server asked for '%1' with an invalid %2: %3")
                .arg(visibleLine(entry.key, MaxShownMethod), entry.method, problem);
    }
    return {};
}

void Client::ServerRequests::route(const Message &request, const RequestId &carrier, const Batch &batch)
{
    if (!request.id().isMatchable()) {
        d->addFinding(Client::tr("No response sent: the request's ID is neither an integer nor a string."), request);
        return;
    }
    if (!q->m_dialect->hasServerRequests()) {
        d->addFinding(
            Client::tr("Servers cannot send requests in revision %1; no response was sent.").arg(q->m_dialect->name()),
            request);
        return;
    }
    if (!d->canSend()) {
        d->addFinding(Client::tr("No response sent: the connection is closing."), request);
        return;
    }
    const std::optional<InputRequest::Kind> kind = InputRequest::kindOf(request.method());
    if (kind && m_methods.contains(request.method())) {
        passOn(*kind, request, carrier, batch);
        return;
    }
    Message response = q->m_dialect->response(request);
    if (response.kind() == Message::Kind::Invalid)
        response = Message::errorResponse(request.id(), errorcodes::MethodNotFound,
                                          u"Method not found: "_s + request.method());
    const QPointer<Client> alive(q);
    if (const Error error = reply(response, batch))
        d->addFinding(Client::tr("The response to a server request could not be sent: %1").arg(error.message), request);
    if (alive)
        Q_EMIT q->serverRequested(request);
}

void Client::ServerRequests::passOn(InputRequest::Kind kind, const Message &request, const RequestId &carrier,
                                    const Batch &batch)
{
    if (m_open.contains(request.id())) {
        d->addFinding(Client::tr("A server request with the ID %1 is already open; no response was sent to this one.")
                          .arg(QString::fromUtf8(request.id().toJson())),
                      request);
        return;
    }
    if (m_open.size() >= MaxServerRequests) {
        d->addFinding(Client::tr("Max %1 open server requests; this one is refused.").arg(MaxServerRequests), request);
        if (const Error error = reply(
                Message::errorResponse(request.id(), errorcodes::InternalError, u"Too many open requests."), batch))
            d->addFinding(error.message, request);
        return;
    }
    if (const QString problem = problemOfRequest(kind, request.params(), m_capabilities, q->m_dialect->revision());
        !problem.isEmpty()) {
        const QPointer<Client> alive(q);
        const Error unsent = reply(Message::errorResponse(request.id(), errorcodes::InvalidParams, problem), batch);
        if (alive)
            d->addFinding(unsent ? unsent.message : problem, request);
        return;
    }
    auto *serverRequest = new InputRequest(q, this, kind, request);
    // What does not come on the stream of a call has nothing to do with those that are open. Spec: basic/transports,
    // "Listening for Messages from the Server".
    const bool isOfCall =
        carrier.isMatchable() || !Tasks::relatedTask(request.params()).isEmpty() || !q->m_transport->namesCarriers();
    m_open.insert(request.id(), {serverRequest, batch, waitingFor(request, carrier), isOfCall});
    if (batch)
        batch->wait();
    Q_EMIT q->inputRequested(serverRequest);
}

// The call of the task that it names; over HTTP, the one whose stream brought it; otherwise every one that is open and
// may be it. A call that hangs beside it then waits longer than it has to, but none ends under the hands of a person.
Client::ServerRequests::Waiting Client::ServerRequests::waitingFor(const Message &request,
                                                                   const RequestId &carrier) const
{
    const QString task = Tasks::relatedTask(request.params());
    Waiting waiting;
    for (Call *call : std::as_const(q->m_calls)) {
        const bool isIt = !task.isEmpty()         ? call->task() && call->task()->id == task
                          : carrier.isMatchable() ? call->id() == carrier
                                                  : !call->m_answeredNs && mayBeAskedDuring(call->method());
        if (isIt)
            waiting.insert(call, d->pauseDeadline(call));
    }
    return waiting;
}

// Spec: basic/utilities/cancellation. The server does not want its response any more.
void Client::ServerRequests::withdraw(const RequestId &id, const QString &reason)
{
    if (const Open asked = m_open.take(id); asked.request)
        end(asked, InputRequest::End::Withdrawn, reason);
}

void Client::ServerRequests::leave(const Call *call, const QString &reason)
{
    if (m_open.empty())
        return;
    QList<QPointer<InputRequest>> left;
    for (Open &asked : m_open) {
        if (asked.during.remove(call) && asked.during.isEmpty() && asked.endsWithCall)
            left.append(asked.request);
    }
    if (left.isEmpty())
        return;
    // A slot that hears of the end of a server request must not run before the call has been told of its own.
    const auto endThem = [left, reason] {
        for (const QPointer<InputRequest> &request : left) {
            if (request && request->isOpen())
                request->endWithCall(reason);
        }
    };
    QMetaObject::invokeMethod(q, endThem, Qt::QueuedConnection);
}

// What else came in its batch may have waited for it.
void Client::ServerRequests::end(const Open &asked, InputRequest::End how, const QString &reason)
{
    const QPointer<Client> alive(q);
    asked.request->end(how, reason);
    if (alive && asked.batch)
        release(asked.batch);
}

void Client::ServerRequests::end(InputRequest::End how)
{
    const QPointer<Client> alive(q);
    while (alive && !m_open.isEmpty()) {
        const RequestId id = m_open.constBegin().key();
        end(m_open.take(id), how);
    }
}

void Client::ServerRequests::release(const Batch &batch)
{
    if (const Error error = sendBatch(batch))
        d->addFinding(Client::tr("The responses to a batch could not be sent: %1").arg(error.message));
}

Error Client::ServerRequests::respond(InputRequest *request, const QByteArray &result)
{
    return reply(request, Message::response(request->id(), Tasks::withRelatedTask(result, request->params())));
}

Error Client::ServerRequests::refuse(InputRequest *request, int code, const QString &text, const QByteArray &data)
{
    return reply(request, Message::errorResponse(request->id(), code, text, data));
}

Error Client::ServerRequests::reply(const InputRequest *request, const Message &response)
{
    const Batch batch = m_open.take(request->id()).batch;
    const Error error = reply(response, batch);
    return batch ? sendBatch(batch) : error;
}

Error Client::ServerRequests::reply(const Message &response, const Batch &batch)
{
    if (!batch)
        return d->send(response);
    batch->add(response);
    return {};
}

Error Client::ServerRequests::sendBatch(const Batch &batch)
{
    const Message all = batch->release();
    return all.raw().isEmpty() ? Error() : d->send(all);
}

}  // namespace sonde
