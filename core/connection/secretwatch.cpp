// SPDX-License-Identifier: Apache-2.0
#include "core/connection/secretwatch.h"

#include "core/connection/secretarguments.h"
#include "core/protocol/methods.h"
#include "core/session/bytesearch.h"

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype MostWatchedQuestions = 1000;  // open at a time
constexpr QStringView tasks = u"notifications/tasks";

// At a glance: a result can be as long as it likes.
bool asksForInput(const Message &message)
{
    static const FoldedNeedle needle("inputRequests");
    return needle.isIn(message.raw());
}

// On its own: a document of which one value is kept would be kept as a whole.
json::Value schemaOf(const json::Value &question)
{
    const json::Value schema = question[u"params"][u"requestedSchema"];
    return schema.isObject() ? json::parse(schema.bytes()) : json::Value();
}

}  // namespace

void SecretWatch::see(const WireEvent &event)
{
    const bool isMessage = event.kind == WireEvent::Kind::Message;
    if (event.direction == Direction::FromServer) {
        if (isMessage)
            remember(event.message);
        return;
    }
    if (event.direction != Direction::ToServer)
        return;
    if (isMessage && (event.message.method().isEmpty() || event.message.method() == methods::CallTool))
        look(event.message.root());
    else if (isMessage && event.message.raw().contains("inputResponses"))
        look(event.message.root());
    else if (event.kind == WireEvent::Kind::HttpRequest && !event.bytes.isEmpty())
        look(json::parse(event.bytes));
}

void SecretWatch::remember(const Message &message)
{
    switch (message.kind()) {
        case Message::Kind::Request:
            if (message.method() != methods::Elicit)
                return;
            if (const json::Value schema = schemaOf(message.root()); schema.exists()) {
                if (m_questions.size() >= MostWatchedQuestions)
                    m_questions.clear();
                m_questions.insert(message.id(), schema);
            }
            return;
        case Message::Kind::Batch:
            for (const Message &element : message.batch())
                remember(element);
            return;
        case Message::Kind::Result:
            if (asksForInput(message))
                rememberAll(message.result()[u"inputRequests"]);
            return;
        case Message::Kind::Notification:
            if (message.method().startsWith(tasks) && asksForInput(message))
                rememberAll(message.params()[u"inputRequests"]);
            return;
        default:
            return;
    }
}

void SecretWatch::rememberAll(const json::Value &inputRequests)
{
    for (const json::Value &request : inputRequests) {
        const json::Value schema = schemaOf(request);
        if (!schema.exists())
            continue;
        if (m_inputs.size() >= MostWatchedQuestions)
            m_inputs.clear();
        m_inputs.insert(request.key(), schema);
    }
}

void SecretWatch::look(const json::Value &message)
{
    if (!message.isArray()) {
        lookAtMessage(message);
        return;
    }
    for (const json::Value &element : message)
        lookAtMessage(element);
}

void SecretWatch::lookAtMessage(const json::Value &message)
{
    const json::Value params = message[u"params"];
    if (message[u"method"].string() == methods::CallTool)
        lookAtCall(params);
    for (const json::Value &response : params[u"inputResponses"])
        mask(response[u"content"], m_inputs.value(response.key()));
    if (message.contains(u"result")) {
        const auto question = m_questions.constFind(RequestId::fromValue(message[u"id"]));
        if (question == m_questions.constEnd())
            return;
        const json::Value schema = *question;
        m_questions.erase(question);
        mask(message[u"result"][u"content"], schema);
    }
}

void SecretWatch::lookAtCall(const json::Value &params)
{
    if (const Tool *tool = m_catalog->tool(params[u"name"].string()))
        mask(params[u"arguments"], tool->inputSchema);
}

void SecretWatch::mask(const json::Value &values, const json::Value &schema)
{
    if (!values.exists() || !schema.exists())
        return;
    const QStringList secrets = secretValues(values, schema);
    for (const QString &secret : secrets)
        m_session->addSecret(secret);
}

}  // namespace sonde
