// SPDX-License-Identifier: Apache-2.0
#include "core/export/declaredsecrets.h"

#include "core/protocol/methods.h"
#include "core/redact/secretmarks.h"
#include "core/redact/secretproperties.h"

#include <algorithm>

namespace sonde {

namespace {

constexpr qsizetype MaxSchemas = 20'000;
constexpr qsizetype MaxOfOneName = 16;

template <typename Do>
void forEachMessage(const QByteArray &payload, const Do &apply)
{
    const json::Value root = json::parse(payload);
    if (!root.isArray())
        return apply(root);
    for (const json::Value &element : root)
        apply(element);
}

}  // namespace

void DeclaredSecrets::see(qsizetype row, const QByteArray &payload)
{
    const RecordInfo &record = m_session.at(row);
    if (record.kind != WireEvent::Kind::Message)
        return;
    if (record.direction == Direction::FromServer) {
        if (payload.contains("Schema\""))
            forEachMessage(payload, [&](const json::Value &message) { seeMessage(message, record.connection); });
        return;
    }
    const bool isNotification = record.messageKind == Message::Kind::Notification;
    if (!isNotification && (payload.contains("\"arguments\"") || payload.contains("\"content\"")))
        m_sent.push_back(row);
}

void DeclaredSecrets::seeMessage(const json::Value &message, int connection)
{
    const json::Value params = message[u"params"];
    const json::Value result = message[u"result"];
    for (const json::Value &tool : result[u"tools"])
        add(m_tools, tool[u"name"].string(), tool[u"inputSchema"]);
    if (message[u"method"].string() == methods::Elicit)
        add(m_serverRequests, idOf(message, connection), params[u"requestedSchema"]);
    for (const json::Value &requests : {result[u"inputRequests"], params[u"inputRequests"]}) {
        for (const json::Value &request : requests)
            add(m_inputs, request.key(), request[u"params"][u"requestedSchema"]);
    }
}

// On its own: a document of which one value is kept would be kept as a whole.
void DeclaredSecrets::add(Schemas &schemas, const QString &name, const json::Value &schema)
{
    if (!schema.isObject() || !schema::maySaySecret(schema) || schemas.size() >= MaxSchemas)
        return;
    QList<json::Value> &known = schemas[name];
    const auto isSame = [&schema](const json::Value &other) { return other.slice() == schema.slice(); };
    if (known.size() < MaxOfOneName && std::none_of(known.cbegin(), known.cend(), isSame))
        known.append(json::parse(schema.bytes()));
}

QString DeclaredSecrets::idOf(const json::Value &message, int connection)
{
    return QString::number(connection) + u':' + QString::fromUtf8(message[u"id"].slice());
}

void DeclaredSecrets::tell(const Tell &tell) const
{
    if (m_tools.isEmpty() && m_serverRequests.isEmpty() && m_inputs.isEmpty())
        return;
    const auto tellAll = [&tell](const json::Value &values, const QList<json::Value> &schemas) {
        for (const json::Value &schema : schemas) {
            const QList<schema::SecretValue> secrets = schema::secretValues(values, schema);
            for (const schema::SecretValue &secret : secrets) {
                // What the recording has masked stays as it is.
                if (const QByteArray value = secret.value.toUtf8(); !isMark(value))
                    tell(secret.name.toUtf8(), value);
            }
        }
    };
    for (const qsizetype row : m_sent) {
        const int connection = m_session.at(row).connection;
        forEachMessage(m_session.bytes(row), [&](const json::Value &message) {
            const json::Value params = message[u"params"];
            if (message[u"method"].string() == methods::CallTool)
                tellAll(params[u"arguments"], m_tools.value(params[u"name"].string()));
            for (const json::Value &response : params[u"inputResponses"])
                tellAll(response[u"content"], m_inputs.value(response.key()));
            if (message.contains(u"result"))
                tellAll(message[u"result"][u"content"], m_serverRequests.value(idOf(message, connection)));
        });
    }
}

}  // namespace sonde
