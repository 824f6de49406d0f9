// SPDX-License-Identifier: Apache-2.0
#include "core/connection/secretcollector.h"

#include "core/json/bytesearch.h"
#include "core/json/scan.h"
#include "core/protocol/messagefields.h"
#include "core/protocol/methods.h"
#include "core/protocol/worker.h"
#include "core/redact/secretproperties.h"

#include <QRegularExpression>
#include <QUrl>

#include <algorithm>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype MaxWatchedServerRequests = 1000;  // open at a time
constexpr qsizetype MaxToolSchemas = 10'000;
constexpr qsizetype MaxEndpointBytes = 4096;
constexpr int MaxEndpoints = 1000;
constexpr qsizetype MaxAsked = 16;  // lists of them in one result
constexpr qsizetype MaxServerRequestBytes = 256 * 1024;
constexpr QStringView Tasks = u"notifications/tasks";

// What is asked for in a result, which can be as long as it likes: only that member is read, not the document around
// it. Names within a text have escaped quotes.
QList<json::Value> inputRequestsIn(const Message &message)
{
    constexpr QByteArrayView name = "\"inputRequests\"";
    static const CaseInsensitiveMatcher needle(name);
    const QByteArray &raw = message.raw();
    const char *const end = raw.constData() + raw.size();
    QList<json::Value> found;
    for (qsizetype at = needle.indexIn(raw); at >= 0; at = needle.indexIn(raw, at + 1)) {
        const char *value = raw.constData() + at + name.size();
        while (value != end && (json::isSpace(*value) || *value == ':'))
            ++value;
        if (value == end || *value != '{')
            continue;
        const qsizetype start = value - raw.constData();
        const char *const last =
            json::endOfValidValue(value, raw.constData() + qMin(raw.size(), start + MaxServerRequestBytes));
        if (last)
            found.append(json::parse(QByteArray(value, last - value)));
        if (found.size() >= MaxAsked)
            break;
    }
    return found;
}

// On its own: a document of which one value is kept would be kept as a whole.
json::Value schemaOf(const json::Value &serverRequest)
{
    const json::Value schema = serverRequest[u"params"][u"requestedSchema"];
    return schema.isObject() ? json::parse(schema.bytes()) : json::Value();
}

}  // namespace

SecretCollector::SecretCollector(Session *session, const Catalog *catalog) : m_session(session), m_catalog(catalog)
{
    QObject::connect(catalog, &Catalog::changed, &m_context, [this] { readSchemas(); });
}

void SecretCollector::readSchemas()
{
    const QList<Tool> &tools = m_catalog->tools();
    if (tools.isEmpty() || tools.constData() == m_seenTools.constData())
        return;
    m_seenTools = tools;
    m_unread.append(tools);
    const auto read = [tools] {
        ToolSchemas schemas;
        for (const Tool &tool : tools) {
            if (schemas.size() < MaxToolSchemas && schema::maySaySecret(tool.inputSchema))
                schemas.insert(tool.name, json::parse(tool.inputSchema.bytes()));
        }
        return schemas;
    };
    runOnWorker(&m_context, read, [this, tools](const std::optional<ToolSchemas> &schemas) {
        if (schemas)
            keepSchemas(tools, *schemas);
    });
}

// Those of a later list may be here already.
void SecretCollector::keepSchemas(const QList<Tool> &tools, const ToolSchemas &schemas)
{
    m_unread.removeIf([&tools](const QList<Tool> &each) { return each.constData() == tools.constData(); });
    const bool isLatest = tools.constData() == m_seenTools.constData();
    for (auto schema = schemas.cbegin(); schema != schemas.cend(); ++schema) {
        if (!isLatest && m_toolSchemas.contains(schema.key()))
            continue;
        if (m_toolSchemas.size() >= MaxToolSchemas)
            m_toolSchemas.clear();
        m_toolSchemas.insert(schema.key(), *schema);
    }
}

json::Value SecretCollector::schemaOfTool(const QString &name) const
{
    if (const Tool *tool = m_catalog->tool(name))
        return tool->inputSchema;
    for (auto tools = m_unread.crbegin(); tools != m_unread.crend(); ++tools) {
        const auto found =
            std::find_if(tools->cbegin(), tools->cend(), [&name](const Tool &tool) { return tool.name == name; });
        if (found != tools->cend())
            return found->inputSchema;
    }
    return m_toolSchemas.value(name);
}

void SecretCollector::see(const WireEvent &event)
{
    const bool isMessage = event.kind == WireEvent::Kind::Message;
    if (event.direction == Direction::FromServer) {
        if (event.kind == WireEvent::Kind::Sse)
            rememberEndpoint(event);
        else if (isMessage && event.message.raw().size() > Message::LargeBytes)
            rememberLarge(event.message);
        else if (isMessage) {
            Asked asked;
            findAsked(event.message, asked);
            remember(asked);
        }
        return;
    }
    if (event.direction != Direction::ToServer)
        return;
    if (isMessage && event.message.method().isEmpty() && isHarmless(event.message.raw()))
        return;
    if (isMessage && event.message.method() == methods::CallTool && !mayHoldSecret(event.message))
        return;
    if (isMessage && (event.message.method().isEmpty() || event.message.method() == methods::CallTool))
        look(event.message.root());
    else if (isMessage && event.message.raw().contains("inputResponses"))
        look(event.message.root());
    else if (event.kind == WireEvent::Kind::HttpRequest && !event.bytes.isEmpty())
        look(json::parse(event.bytes));
}

// Over HTTP+SSE the address that a server names for its messages holds the id of the session (spec 2024-11-05:
// basic/transports), in the path or under any name in the query. What looks made up by a machine is taken for it.
void SecretCollector::rememberEndpoint(const WireEvent &event)
{
    constexpr qsizetype shortestId = 16;
    constexpr qsizetype fewestDigits = 2;
    if (event.bytes.size() > MaxEndpointBytes || m_endpoints >= MaxEndpoints ||
        EventFacts::read(event.facts).event != u"endpoint"_s)
        return;
    ++m_endpoints;
    const QUrl url = QUrl::fromEncoded(event.bytes.trimmed());
    static const QRegularExpression separators(u"[/&=;]"_s);
    const QStringList parts = (url.path() + u'&' + url.query(QUrl::FullyDecoded)).split(separators);
    for (const QString &part : parts) {
        const auto digits = std::count_if(part.begin(), part.end(), [](QChar c) { return c.isDigit(); });
        if (part.size() >= shortestId && digits >= fewestDigits)
            m_session->addSecret(part);
    }
}

// Whether its tool declares secrets or it answers a server request. Arguments can be long, and most tools declare none.
bool SecretCollector::mayHoldSecret(const Message &call) const
{
    static const CaseInsensitiveMatcher responses("inputResponses");
    if (!call.fields().isPlain || responses.isIn(call.raw()))
        return true;
    if (m_toolSchemas.isEmpty() && m_unread.isEmpty() && m_catalog->tools().isEmpty())
        return false;
    const json::Value schema = schemaOfTool(call.fields().string(MessageFields::Name));
    return schema.exists() && schema::maySaySecret(schema);
}

// Of responses or a batch, which can have thousands of them: nothing in it has a schema.
bool SecretCollector::isHarmless(const QByteArray &raw) const
{
    return m_serverRequests.isEmpty() && !raw.contains('\\') && !raw.contains("tools/call") &&
           !raw.contains("inputResponses");
}

void SecretCollector::findAsked(const Message &message, Asked &asked)
{
    switch (message.kind()) {
        case Message::Kind::Request:
            if (message.method() != methods::Elicit || asked.requests.size() >= MaxWatchedServerRequests)
                return;
            if (const json::Value schema = schemaOf(message.root()); schema.exists())
                asked.requests.append({message.id(), schema});
            return;
        case Message::Kind::Batch:
            for (qsizetype i = 0; i < message.batchSize(); ++i)
                findAsked(Message::parse(message.batchBytes(i)), asked);
            return;
        case Message::Kind::Result:
            findInputs(message, asked);
            return;
        case Message::Kind::Notification:
            if (message.method().startsWith(Tasks))
                findInputs(message, asked);
            return;
        default:
            return;
    }
}

void SecretCollector::findInputs(const Message &message, Asked &asked)
{
    const QList<json::Value> all = inputRequestsIn(message);
    for (const json::Value &requests : all) {
        for (const json::Value &request : requests) {
            if (asked.inputs.size() >= MaxWatchedServerRequests)
                return;
            if (const json::Value schema = schemaOf(request); schema.exists())
                asked.inputs.append({request.key(), schema});
        }
    }
}

void SecretCollector::remember(const Asked &asked)
{
    for (const auto &[id, schema] : asked.requests) {
        if (m_serverRequests.size() >= MaxWatchedServerRequests)
            m_serverRequests.clear();
        m_serverRequests.insert(id, schema);
    }
    for (const auto &[name, schema] : asked.inputs) {
        if (m_inputs.size() >= MaxWatchedServerRequests)
            m_inputs.clear();
        m_inputs.insert(name, schema);
    }
}

// Hardly any large message asks for something, and looking takes a while.
void SecretCollector::rememberLarge(const Message &message)
{
    const auto find = [message] {
        static const CaseInsensitiveMatcher inputs("inputRequests");
        static const CaseInsensitiveMatcher serverRequests("elicitation/create");
        Asked asked;
        if (inputs.isIn(message.raw()) || serverRequests.isIn(message.raw()))
            findAsked(Message::parse(message.raw()), asked);  // others may make the tree of this one meanwhile
        return asked;
    };
    runOnWorker(&m_context, find, [this](const std::optional<Asked> &asked) {
        if (asked)
            remember(*asked);
    });
}

void SecretCollector::look(const json::Value &message)
{
    if (!message.isArray()) {
        lookAtMessage(message);
        return;
    }
    for (const json::Value &element : message)
        lookAtMessage(element);
}

void SecretCollector::lookAtMessage(const json::Value &message)
{
    const json::Value params = message[u"params"];
    if (message[u"method"].string() == methods::CallTool)
        lookAtCall(params);
    for (const json::Value &response : params[u"inputResponses"])
        mask(response[u"content"], m_inputs.value(response.key()));
    if (message.contains(u"result")) {
        const auto serverRequest = m_serverRequests.constFind(RequestId::fromValue(message[u"id"]));
        if (serverRequest == m_serverRequests.constEnd())
            return;
        const json::Value schema = *serverRequest;
        m_serverRequests.erase(serverRequest);
        mask(message[u"result"][u"content"], schema);
    }
}

void SecretCollector::lookAtCall(const json::Value &params)
{
    mask(params[u"arguments"], schemaOfTool(params[u"name"].string()));
}

void SecretCollector::mask(const json::Value &values, const json::Value &schema)
{
    if (!values.exists() || !schema.exists())
        return;
    const QList<schema::SecretValue> secrets = schema::secretValues(values, schema);
    for (const schema::SecretValue &secret : secrets)
        m_session->addSecretMember(secret.name, secret.value);
}

}  // namespace sonde
