// SPDX-License-Identifier: Apache-2.0
#include "app/demo/session.h"

#include "app/demo/prompts.h"
#include "app/demo/rawjson.h"
#include "app/demo/resources.h"
#include "app/demo/toolcatalog.h"
#include "app/demo/tools.h"

#include <sys/resource.h>
#include <cstdlib>

using namespace Qt::StringLiterals;

namespace sonde::demo {
namespace {

const QStringList &logLevels()
{
    static const QStringList levels{u"debug"_s, u"info"_s,     u"notice"_s, u"warning"_s,
                                    u"error"_s, u"critical"_s, u"alert"_s,  u"emergency"_s};
    return levels;
}

QByteArray errorMessage(const QByteArray &id, int code, const QString &text, const QByteArray &data)
{
    json::Object error;
    error.number("code", code).text("message", text);
    if (!data.isEmpty())
        error.raw("data", data);
    return json::Object()
        .text("jsonrpc", u"2.0"_s)
        .raw("id", id.isEmpty() ? "null"_ba : id)
        .raw("error", error.done())
        .done();
}

[[noreturn]] void crash()
{
    const rlimit noCore{0, 0};
    setrlimit(RLIMIT_CORE, &noCore);
    std::abort();
}

}  // namespace

QStringList spokenRevisions()
{
    return {u"2025-11-25"_s, u"2025-06-18"_s, u"2025-03-26"_s, u"2024-11-05"_s};
}

Session::Session(const Options &options, QObject *parent) : QObject(parent), m_options(options) {}

Session::~Session() = default;

const QHash<QString, Session::Handler> &Session::handlers()
{
    static const QHash<QString, Handler> table{
        {u"initialize"_s, &Session::initialize},
        {u"ping"_s, &Session::ping},
        {u"logging/setLevel"_s, &Session::setLevel},
        {u"tools/list"_s, &Session::listTools},
        {u"tools/call"_s, &Session::callTool},
        {u"resources/list"_s, &Session::listResources},
        {u"resources/templates/list"_s, &Session::listTemplates},
        {u"resources/read"_s, &Session::readResource},
        {u"resources/subscribe"_s, &Session::subscribe},
        {u"resources/unsubscribe"_s, &Session::unsubscribe},
        {u"prompts/list"_s, &Session::listPrompts},
        {u"prompts/get"_s, &Session::getPrompt},
        {u"completion/complete"_s, &Session::complete},
    };
    return table;
}

void Session::receive(const QByteArray &bytes)
{
    QString why;
    if (!json::isValid(bytes, &why)) {
        Q_EMIT sent(errorMessage({}, ParseError, u"This is not JSON: "_s + why, {}), {});
        return;
    }
    const QByteArray message = json::compacted(bytes);
    const QByteArray id = json::member(message, u"id"_s);
    const QByteArray method = json::member(message, u"method"_s);
    if (!json::isObject(message) || json::text(json::member(message, u"jsonrpc"_s)) != u"2.0"_s) {
        Q_EMIT sent(errorMessage({}, InvalidRequest, u"This is not a JSON-RPC 2.0 message."_s, {}), {});
        return;
    }
    if (json::isString(method)) {
        const QString name = json::text(method);
        const QByteArray params = json::member(message, u"params"_s);
        if (id.isEmpty())
            noted(name, params);
        else if (!json::isString(id) && !json::isInteger(id))
            Q_EMIT sent(errorMessage({}, InvalidRequest, u"An id is a string or an integer."_s, {}), {});
        else if (!params.isEmpty() && !json::isObject(params))
            refuse({id, name, {}}, InvalidRequest, u"'params' must be an object."_s);
        else
            dispatch({id, name, params});
        return;
    }
    if (const auto then = m_asked.take(id))
        then(json::member(message, u"result"_s));
}

void Session::dispatch(const Request &request)
{
    if (m_options.neverResponse.contains(request.method))
        return;
    const Handler handler = handlers().value(request.method);
    if (!handler || m_options.missingMethods.contains(request.method)) {
        refuse(request, MethodNotFound, u"Method not found: %1"_s.arg(request.method),
               json::Object().text("method", request.method).done());
        return;
    }
    const bool early = request.method == "initialize"_L1 || request.method == "ping"_L1;
    if (m_revision.isEmpty() && !early)
        refuse(request, InvalidRequest, u"The conversation must start with initialize."_s);
    else
        (this->*handler)(request);
}

void Session::noted(const QString &method, const QByteArray &params)
{
    if (method == "notifications/initialized"_L1) {
        afterHandshake();
    } else if (method == "notifications/cancelled"_L1 && !m_options.late) {
        const QByteArray id = json::member(params, u"requestId"_s);
        if (QObject *work = m_work.take(id)) {
            delete work;
            Q_EMIT ended(id);
        }
    }
}

void Session::afterHandshake()
{
    if (m_options.hugeLine > 0) {
        const QByteArray head = R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info",)"
                                R"("logger":"huge-line","data":")";
        const QByteArray tail = R"("}})";
        Q_EMIT sent(head + QByteArray(m_options.hugeLine - head.size() - tail.size(), 'x') + tail, {});
    }
    for (int i = 1; i <= m_options.flood; ++i)
        log(u"debug"_s, u"flood"_s, json::quoted(u"message %1 of %2"_s.arg(i).arg(m_options.flood)));
}

void Session::initialize(const Request &request)
{
    const QString proposed = json::text(json::member(request.params, u"protocolVersion"_s));
    if (proposed.isEmpty()) {
        refuse(request, InvalidParams, u"initialize needs a protocolVersion."_s);
        return;
    }
    if (!m_revision.isEmpty()) {
        refuse(request, InvalidRequest, u"This conversation is initialized already."_s);
        return;
    }
    const QByteArray client = json::member(request.params, u"clientInfo"_s);
    m_clientName = json::text(json::member(client, u"name"_s));
    m_revision = !m_options.revision.isEmpty()          ? m_options.revision
                 : spokenRevisions().contains(proposed) ? proposed
                                                        : spokenRevisions().constFirst();
    json::Object info;
    info.text("name", u"sonde-demo-server"_s);
    if (isAtLeast("2025-06-18"))
        info.text("title", u"Sonde demo server"_s);
    info.text("version", QStringLiteral(SONDE_VERSION));
    if (isAtLeast("2025-11-25"))
        info.text("description", u"Shows each thing that an MCP server can offer."_s);
    json::Object capabilities;
    capabilities.raw("tools", R"({"listChanged":true})")
        .raw("resources", R"({"subscribe":true,"listChanged":true})")
        .raw("prompts", R"({"listChanged":true})")
        .raw("logging", "{}");
    if (isAtLeast("2025-03-26"))
        capabilities.raw("completions", "{}");
    response(request,
             json::Object()
                 .text("protocolVersion", m_revision)
                 .raw("capabilities", capabilities.done())
                 .raw("serverInfo", info.done())
                 .text("instructions",
                       u"Everything here is harmless. Start with the tool add, then try every-field-kind to see each "
                       "kind of argument and every-content-kind to see each kind of result."_s)
                 .done());
}

void Session::ping(const Request &request)
{
    response(request, "{}");
}

void Session::setLevel(const Request &request)
{
    const QString level = json::text(json::member(request.params, u"level"_s));
    if (!logLevels().contains(level)) {
        refuse(request, InvalidParams, u"There is no log level '%1'."_s.arg(level),
               json::Object().text("levels", logLevels().join(u", "_s)).done());
        return;
    }
    m_logLevel = level;
    response(request, "{}");
}

void Session::responsePage(const Request &request, const char *name, const QList<QByteArray> &entries)
{
    const QByteArray prefix = "offset ";
    const QByteArray cursor = json::member(request.params, u"cursor"_s);
    qsizetype offset = 0;
    if (!cursor.isEmpty()) {
        const QByteArray decoded = QByteArray::fromBase64(json::text(cursor).toLatin1());
        bool ok = decoded.startsWith(prefix) && m_options.pageSize > 0;
        if (ok)
            offset = decoded.sliced(prefix.size()).toLongLong(&ok);
        if (!ok || offset <= 0 || offset >= entries.size()) {
            refuse(request, InvalidParams, u"This is no cursor that this server gave out."_s,
                   json::Object().raw("cursor", cursor).done());
            return;
        }
    }
    const qsizetype count = m_options.pageSize > 0 ? m_options.pageSize : entries.size();
    json::Object result;
    result.raw(name, json::array(entries.mid(offset, count)));
    if (offset + count < entries.size()) {
        const QByteArray next = prefix + QByteArray::number(offset + count);
        result.text("nextCursor", QString::fromLatin1(next.toBase64()));
    }
    response(request, result.done());
}

void Session::listTools(const Request &request)
{
    responsePage(request, "tools", toolDefinitions(*this));
}

void Session::callTool(const Request &request)
{
    if (m_options.crashOnCall)
        crash();
    if (m_options.exitOnCall)
        std::exit(*m_options.exitOnCall);
    demo::callTool(*this, request);
}

void Session::listResources(const Request &request)
{
    responsePage(request, "resources", resourceDefinitions());
}

void Session::listTemplates(const Request &request)
{
    responsePage(request, "resourceTemplates", templateDefinitions());
}

void Session::readResource(const Request &request)
{
    const QString uri = json::text(json::member(request.params, u"uri"_s));
    const QByteArray contents = resourceContents(uri);
    if (contents.isEmpty())
        refuse(request, ResourceNotFound, u"Resource not found: %1"_s.arg(uri), json::Object().text("uri", uri).done());
    else
        response(request, json::Object().raw("contents", '[' + contents + ']').done());
}

void Session::subscribe(const Request &request)
{
    const QString uri = json::text(json::member(request.params, u"uri"_s));
    if (resourceContents(uri).isEmpty()) {
        refuse(request, ResourceNotFound, u"Resource not found: %1"_s.arg(uri), json::Object().text("uri", uri).done());
        return;
    }
    m_subscriptions.insert(uri);
    response(request, "{}");
}

void Session::unsubscribe(const Request &request)
{
    m_subscriptions.remove(json::text(json::member(request.params, u"uri"_s)));
    response(request, "{}");
}

void Session::listPrompts(const Request &request)
{
    responsePage(request, "prompts", promptDefinitions());
}

void Session::getPrompt(const Request &request)
{
    const QString name = json::text(json::member(request.params, u"name"_s));
    QString problem;
    const QByteArray result =
        promptMessages(name, json::member(request.params, u"arguments"_s), isAtLeast("2025-06-18"), &problem);
    if (result.isEmpty())
        refuse(request, InvalidParams, problem, json::Object().text("name", name).done());
    else
        response(request, result);
}

void Session::complete(const Request &request)
{
    const QByteArray reference = json::member(request.params, u"ref"_s);
    const QByteArray argument = json::member(request.params, u"argument"_s);
    const QString type = json::text(json::member(reference, u"type"_s));
    const QString name = json::text(json::member(argument, u"name"_s));
    const QString typed = json::text(json::member(argument, u"value"_s));
    const bool isPrompt = type == "ref/prompt"_L1;
    if (!isPrompt && type != "ref/resource"_L1) {
        refuse(request, InvalidParams, u"'ref' must be of type ref/prompt or ref/resource."_s);
        return;
    }
    const QStringList all = isPrompt ? promptCompletions(json::text(json::member(reference, u"name"_s)), name)
                                     : templateCompletions(json::text(json::member(reference, u"uri"_s)), name);
    QList<QByteArray> values;
    for (const QString &each : all) {
        if (each.startsWith(typed, Qt::CaseInsensitive))
            values.append(json::quoted(each));
    }
    const QByteArray completion = json::Object()
                                      .raw("values", json::array(values.mid(0, 100)))
                                      .number("total", values.size())
                                      .boolean("hasMore", values.size() > 100)
                                      .done();
    response(request, json::Object().raw("completion", completion).done());
}

void Session::response(const Request &request, const QByteArray &result)
{
    QByteArray id = request.id;
    const bool isCall = request.method == "tools/call"_L1;
    if (isCall && m_options.wrongId)
        id = "\"nobody-asked-this\"";
    const QByteArray message = json::Object().text("jsonrpc", u"2.0"_s).raw("id", id).raw("result", result).done();
    finish(request, isCall && m_options.badJson ? message.first(message.size() / 2) : message);
}

void Session::refuse(const Request &request, int code, const QString &message, const QByteArray &data)
{
    finish(request, errorMessage(request.id, code, message, data));
}

void Session::finish(const Request &request, const QByteArray &message)
{
    if (QObject *work = m_work.take(request.id))
        work->deleteLater();  // we may have been called by one of its timers
    Q_EMIT sent(message, request.id);
    if (m_options.duplicateResponse && request.method == "tools/call"_L1)
        Q_EMIT sent(message, request.id);
    Q_EMIT ended(request.id);
}

void Session::notify(const QString &method, const QByteArray &params, const Request &about)
{
    json::Object message;
    message.text("jsonrpc", u"2.0"_s).text("method", method);
    if (!params.isEmpty())
        message.raw("params", params);
    Q_EMIT sent(message.done(), about.id);
}

void Session::log(const QString &level, const QString &logger, const QByteArray &data, const Request &about)
{
    if (logLevels().indexOf(level) < logLevels().indexOf(m_logLevel))
        return;
    notify(u"notifications/message"_s,
           json::Object().text("level", level).text("logger", logger).raw("data", data).done(), about);
}

void Session::ask(const QString &method, const Request &about, const std::function<void(const QByteArray &)> &then)
{
    const QByteArray id = json::quoted(u"server-%1"_s.arg(++m_lastAsked));
    m_asked.insert(id, then);
    Q_EMIT sent(json::Object().text("jsonrpc", u"2.0"_s).raw("id", id).text("method", method).done(), about.id);
}

QObject *Session::beginWork(const Request &request)
{
    auto *work = new QObject(this);
    m_work.insert(request.id, work);
    return work;
}

}  // namespace sonde::demo
