// SPDX-License-Identifier: Apache-2.0
#include "app/demo/httpexchange.h"

#include "app/demo/methods.h"

#include <optional>

using namespace Qt::StringLiterals;

namespace sonde::demo {
namespace {

// What a header value stands for; nothing when it says that it is Base64 and is not.
std::optional<QString> decodedHeader(const QByteArray &value)
{
    if (!value.startsWith("=?base64?") || !value.endsWith("?=") || value.size() < 11)
        return QString::fromLatin1(value);
    const QByteArray encoded = value.sliced(9, value.size() - 11);
    const auto decoded = QByteArray::fromBase64Encoding(encoded, QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded || encoded.size() % 4 != 0)
        return std::nullopt;
    return QString::fromUtf8(*decoded);
}

// As a header has to say it: a text without its quotes, anything else as written.
QString plainValue(const QByteArray &value)
{
    return json::isString(value) ? json::text(value) : QString::fromUtf8(value);
}

QString nameParameter(const QString &method)
{
    if (method == "tools/call"_L1 || method == "prompts/get"_L1)
        return u"name"_s;
    if (method == "resources/read"_L1)
        return u"uri"_s;
    const bool ofTask = method == "tasks/get"_L1 || method == "tasks/update"_L1 || method == "tasks/cancel"_L1;
    return ofTask ? u"taskId"_s : QString();
}

QString paramMismatch(const app::HttpRequest &request, const QByteArray &schema, const QByteArray &arguments)
{
    for (const json::Member &property : json::members(json::member(schema, u"properties"_s))) {
        const QByteArray value = json::member(arguments, property.name);
        if (const QString name = json::text(json::member(property.value, u"x-mcp-header"_s)); !name.isEmpty()) {
            const QByteArray header = "mcp-param-" + name.toLatin1().toLower();
            const bool inBody = !value.isEmpty() && value != "null";
            const bool inHeader = request.headers.contains(header);
            if (inBody != inHeader || (inBody && decodedHeader(request.headers.value(header)) != plainValue(value)))
                return u"Mcp-Param-"_s + name;
        }
        if (const QString nested = paramMismatch(request, property.value, value); !nested.isEmpty())
            return nested;
    }
    return {};
}

}  // namespace

HttpExchange::HttpExchange(ServerState &state, app::HttpPeer *peer, QObject *parent)
    : QObject(parent), m_state(state), m_peer(peer), m_conversation(state)
{
    connect(peer, &QObject::destroyed, this, &QObject::deleteLater);
    connect(&m_conversation, &Conversation::sent, this,
            [this](const QByteArray &message, const QByteArray &, int status) { send(message, status); });
    connect(&m_conversation, &Conversation::ended, this, &HttpExchange::end);
}

void HttpExchange::serve(const app::HttpRequest &request, const QByteArray &message)
{
    const QByteArray id = json::member(message, u"id"_s);
    if (id.isEmpty()) {
        m_peer->respond(202, {}, {});
        m_peer = nullptr;
        m_conversation.receive(message);
        deleteLater();
        return;
    }
    // Without its _meta a request is refused for that, as over stdio.
    const bool complete = !metaOf(json::member(message, u"params"_s), "protocolVersion").isEmpty();
    const QString wrong = complete ? mismatch(request, message) : QString();
    if (wrong.isEmpty()) {
        m_conversation.receive(message);
        return;
    }
    send(errorMessage(id, HeaderMismatch, u"The header %1 does not say what the body says."_s.arg(wrong)), 400);
    end();
}

QString HttpExchange::mismatch(const app::HttpRequest &request, const QByteArray &message) const
{
    const QByteArray params = json::member(message, u"params"_s);
    const QString method = json::text(json::member(message, u"method"_s));
    const QString version = json::text(metaOf(params, "protocolVersion"));
    if (QString::fromLatin1(request.header("mcp-protocol-version")) != version)
        return u"MCP-Protocol-Version"_s;
    if (QString::fromLatin1(request.header("mcp-method")) != method)
        return u"Mcp-Method"_s;
    const QString parameter = nameParameter(method);
    if (parameter.isEmpty())
        return {};
    const QString name = json::text(json::member(params, parameter));
    if (!request.headers.contains("mcp-name") || decodedHeader(request.header("mcp-name")) != name)
        return u"Mcp-Name"_s;
    if (method != "tools/call"_L1)
        return {};
    const QByteArray schema = json::member(toolDefinition(m_conversation, name), u"inputSchema"_s);
    return paramMismatch(request, schema, json::member(params, u"arguments"_s));
}

void HttpExchange::send(const QByteArray &message, int status)
{
    if (!m_peer)
        return;
    const bool isResponse = json::member(message, u"method"_s).isEmpty();
    const bool mustStream = m_state.options().has(Fault::AlwaysStream) && status == 200;
    if (!m_streaming && isResponse && !mustStream) {
        m_peer->respond(status, "application/json", message);
        m_peer = nullptr;
        return;
    }
    if (!m_streaming)
        m_peer->beginEvents();
    m_streaming = true;
    m_peer->sendEvent("event: message\ndata: " + message + "\n\n");
    if (m_state.options().has(Fault::DropStreams))
        end();
}

void HttpExchange::end()
{
    if (m_peer && m_streaming)
        m_peer->endEvents();
    m_peer = nullptr;
    deleteLater();
}

}  // namespace sonde::demo
