// SPDX-License-Identifier: Apache-2.0
#include "core/client/client.h"

#include "core/client/clientprivate.h"
#include "core/protocol/methods.h"
#include "core/transport/monotonicclock.h"

namespace sonde {

namespace {

Result<QByteArray> oneLineParams(const QByteArray &params)
{
    return oneLineObject(params, Client::tr("The parameters of a request must be a JSON object."));
}

}  // namespace

Client::Client(Transport *transport, QObject *parent)
    : QObject(parent), d(std::make_unique<Private>(this)), m_dialect(std::make_unique<Dialect>())
{
    d->deadline.setSingleShot(true);
    d->deadline.setTimerType(Qt::PreciseTimer);
    connect(&d->deadline, &QTimer::timeout, this, &Client::checkDeadlines);
    setTransport(transport);
}

Client::~Client()
{
    // They die as children, after this class is gone.
    const auto calls = findChildren<Call *>(Qt::FindDirectChildrenOnly);
    for (Call *call : calls)
        call->m_client = nullptr;
    const auto serverRequests = findChildren<InputRequest *>(Qt::FindDirectChildrenOnly);
    for (InputRequest *serverRequest : serverRequests)
        serverRequest->m_client = nullptr;
}

void Client::setTransport(Transport *transport)
{
    Q_ASSERT(!m_transport || m_transport->state() == Transport::State::Closed);
    if (m_transport)
        m_transport->disconnect(this);
    m_transport = transport;
    if (!transport)
        return;
    connect(transport, &Transport::tapped, this, [this](const WireEvent &event) { d->onTapped(event); });
    connect(transport, &Transport::opened, this, [this] { d->onTransportOpened(); });
    connect(transport, &Transport::received, this, [this](const Message &message, const RequestId &carrier) {
        const Depth depth(d->depth);
        d->receive(message, carrier);
    });
    connect(transport, &Transport::failed, this,
            [this](const RequestId &id, const Error &error) { d->onTransportFailed(id, error); });
    connect(transport, &Transport::credentialsAwaited, this, [this](CredentialWait *wait) {
        if (Call *call = m_calls.value(wait->id())) {
            call->m_credentials = wait;
            wait->keep(d->pauseDeadline(call));
        }
    });
    connect(transport, &Transport::closed, this, [this](const Error &error) { d->onTransportClosed(error); });
    connect(transport, &QObject::destroyed, this, [this] { d->onTransportClosed({}); });
}

std::shared_ptr<const int> Client::transportDepth() const
{
    return d->depth;
}

void Client::setDialect(std::unique_ptr<Dialect> dialect)
{
    Q_ASSERT(dialect);
    m_dialect = std::move(dialect);
}

Call *Client::request(QStringView method, const QByteArray &params, const CallOptions &options)
{
    const RequestId id = options.id.isMatchable() ? d->noteForeign(options.id) : d->nextId();
    auto *call = new Call(this, id, method.toString(), params, options);
    const Result<QByteArray> given = oneLineParams(params);
    if (!given) {
        d->endLater(call, given.error());
        return call;
    }
    call->m_roundParams = *given;
    d->sendRound(call);
    return call;
}

Call *Client::followTask(const QString &taskId, const QByteArray &params, const CallOptions &options)
{
    auto *call = new Call(this, d->nextId(), methods::CallTool.toString(), params, options);
    d->tasks.take(call, taskId);
    return call;
}

Error Client::notify(QStringView method, const QByteArray &params)
{
    const Result<QByteArray> given = oneLineParams(params);
    if (!given)
        return given.error();
    return d->send(Message::notification(method, *given));
}

Call *Client::sendRaw(const QByteArray &bytes, const CallOptions &options, const MessageHeaders &headers)
{
    const Message message = Message::parse(bytes);
    const RequestId id = d->noteForeign(message.id());
    const bool awaited = id.isMatchable() && !message.isResponse() && !m_calls.contains(id);
    auto *call = new Call(this, id, message.method(), bytes, options);
    call->m_isRaw = true;
    if (awaited) {
        call->m_token = RequestId::fromValue(message.params()[u"_meta"][u"progressToken"]);
        d->send(call, message, {m_dialect->headersOf(message), headers});
        return call;
    }
    Error error = d->send(message, {{}, headers});
    if (!error)
        error = Error::local(
            m_calls.contains(id) && !message.isResponse()
                ? tr("Sent as is. Another request with this ID is open; the response will be matched to that one.")
                : tr("Sent as is. No response is expected: it is not a request with an ID."));
    d->endLater(call, error);
    return call;
}

bool Client::wasCancelled(const RequestId &id) const
{
    return d->wasCancelled(id);
}

QString Client::openMethod(const RequestId &id) const
{
    const Call *call = m_calls.value(id);
    return call ? call->method() : QString();
}

void Client::setCapabilities(const QByteArray &capabilities)
{
    d->serverRequests.setCapabilities(capabilities);
}

void Client::setHarmlessCalls(std::function<bool(const Call &)> isHarmless)
{
    d->isHarmless = std::move(isHarmless);
}

void Client::setToolLister(std::function<void(std::function<void()>)> listTools)
{
    d->listTools = std::move(listTools);
}

void Client::repeatKept()
{
    d->repeatKept();
}

void Client::failKept(const Error &error)
{
    d->failKept(error);
}

void Client::closeServerRequests()
{
    // Also those of a round, and what an error requires.
    const QList<InputRequest *> children = findChildren<InputRequest *>(Qt::FindDirectChildrenOnly);
    const QList<QPointer<InputRequest>> requests(children.cbegin(), children.cend());
    d->serverRequests.end(InputRequest::End::Closed);
    for (const QPointer<InputRequest> &request : requests) {
        if (request && request->isOpen())
            request->end(InputRequest::End::Closed);
    }
}

qint64 Client::now() const
{
    return monotonicNs();
}

qint64 Client::timeOf(const WireEvent &event) const
{
    return event.monotonicNs;
}

void Client::checkDeadlines()
{
    d->expireDue();
}

void Client::cancel(Call *call, const QString &reason)
{
    if (d->isOpen(call))
        d->cancel(call, reason);
}

void Client::forget(Call *call)
{
    if (d->isOpen(call))
        d->settle(call, RequestHistory::Ending::Cancelled);
}

}  // namespace sonde
