// SPDX-License-Identifier: Apache-2.0
#include "core/client/inputrequest.h"

#include "core/client/clientprivate.h"
#include "core/client/dialect.h"
#include "core/json/builder.h"
#include "core/protocol/methods.h"

#include <array>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

// Spec: client/sampling, "Error Handling".
constexpr int UserRejected = -1;

struct ServerRequest {
    InputRequest::Kind kind;
    QStringView method;
    QStringView capability;
};
// By kind.
constexpr std::array ServerRequests{
    ServerRequest{InputRequest::Kind::Elicitation, methods::Elicit, u"elicitation"},
    ServerRequest{InputRequest::Kind::Sampling, methods::CreateMessage, u"sampling"},
    ServerRequest{InputRequest::Kind::Roots, methods::ListRoots, u"roots"},
};

}  // namespace

InputRequest::InputRequest(Client *client, InputResponder *responder, Kind kind, const Message &request)
    : QObject(client),
      m_client(client),
      m_responder(responder),
      m_kind(kind),
      m_id(request.id()),
      m_method(request.method()),
      m_revision(client->dialect().revision()),
      m_params(request.params()),
      m_message(request)
{}

InputRequest::InputRequest(Client *client, InputResponder *responder, Kind kind, const InputEntry &entry,
                           const Message &result)
    : QObject(client),
      m_client(client),
      m_responder(responder),
      m_kind(kind),
      m_key(entry.key),
      m_method(entry.method),
      m_revision(client->dialect().revision()),
      m_params(entry.params),
      m_message(result)
{}

Call *InputRequest::call() const
{
    return m_call;
}

InputRequest::~InputRequest()
{
    if (m_client)
        m_responder->refuse(this, errorcodes::InternalError, u"The request was abandoned without a response."_s, {});
}

Error InputRequest::respond(const QByteArray &result)
{
    return respond(result, End::Answered);
}

Error InputRequest::respond(const QByteArray &result, End how)
{
    const Result<QByteArray> line = oneLineObject(result, tr("The result of a server request must be a JSON object."));
    if (!line)
        return line.error();
    return conclude([&] { return m_responder->respond(this, line->isEmpty() ? QByteArrayLiteral("{}") : *line); }, how);
}

Error InputRequest::decline()
{
    return refuse(u"decline");
}

Error InputRequest::cancel()
{
    return refuse(u"cancel");
}

// After a call has ended its response goes nowhere, but the server may still wait for its own request.
void InputRequest::endWithCall(const QString &reason)
{
    m_endReason = reason;
    (void)refuse(u"cancel", End::CallEnded);
}

Error InputRequest::refuse(QStringView action, End how)
{
    switch (m_kind) {
        case Kind::Elicitation: {
            json::Builder builder;
            return respond(builder.beginObject().member(u"action", action.toString()).endObject().take(), how);
        }
        case Kind::Sampling:
            return fail(UserRejected, u"User rejected sampling request"_s, {}, how);
        case Kind::Roots:
            break;
    }
    return fail(errorcodes::InternalError, u"User shares no roots"_s, {}, how);
}

Error InputRequest::fail(int code, const QString &text, const QByteArray &data)
{
    return fail(code, text, data, End::Answered);
}

Error InputRequest::fail(int code, const QString &text, const QByteArray &data, End how)
{
    return conclude([&] { return m_responder->refuse(this, code, text, data); }, how);
}

Error InputRequest::conclude(const std::function<Error()> &pass, End how)
{
    if (!m_client)
        return Error::local(tr("The server request is no longer open."));
    const QPointer<InputRequest> alive(this);
    const Error error = pass();
    if (alive)
        end(error ? End::Lost : how, m_endReason);
    return error;
}

void InputRequest::end(End how, const QString &reason)
{
    m_client = nullptr;
    m_endReason = reason;
    deleteLater();
    Q_EMIT ended(how);
}

std::optional<InputRequest::Kind> InputRequest::kindOf(QStringView method)
{
    for (const ServerRequest &serverRequest : ServerRequests) {
        if (serverRequest.method == method)
            return serverRequest.kind;
    }
    return {};
}

QString InputRequest::capabilityOf(Kind kind)
{
    return ServerRequests[size_t(kind)].capability.toString();
}

QStringView InputRequest::methodOf(Kind kind)
{
    return ServerRequests[size_t(kind)].method;
}

QStringList InputRequest::methodsFor(const QByteArray &capabilities)
{
    const json::Document document = json::Document::parse(capabilities);
    QStringList methods;
    for (const ServerRequest &serverRequest : ServerRequests) {
        if (document.root()[serverRequest.capability].exists())
            methods.append(serverRequest.method.toString());
    }
    return methods;
}

}  // namespace sonde
