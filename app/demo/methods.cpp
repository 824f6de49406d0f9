// SPDX-License-Identifier: Apache-2.0
#include "app/demo/methods.h"

#include "app/demo/media.h"
#include "app/demo/offer.h"
#include "app/demo/rawjson.h"

using namespace Qt::StringLiterals;

namespace sonde::demo {
namespace {

// A definition without what this client's revision does not know.
QByteArray inRevision(const Conversation &conversation, const QByteArray &definition)
{
    QByteArray members;
    for (const json::Member &member : json::members(definition)) {
        const bool hasIcons = conversation.isAtLeast("2025-11-25");
        const bool hasExecution = conversation.revision() == "2025-11-25"_L1;
        if ((member.name == "icons"_L1 && !hasIcons) || (member.name == "execution"_L1 && !hasExecution))
            continue;
        members += (members.isEmpty() ? "" : ",") + json::quoted(member.name) + ':' + member.value;
    }
    return '{' + members + '}';
}

QList<QByteArray> inRevision(const Conversation &conversation, QList<QByteArray> definitions)
{
    for (QByteArray &definition : definitions)
        definition = inRevision(conversation, definition);
    return definitions;
}

void responsePage(Conversation &conversation, const Request &request, const char *name,
                  const QList<QByteArray> &definitions)
{
    const QByteArray prefix = "offset ";
    const QByteArray cursor = json::member(request.params, u"cursor"_s);
    const int pageSize = conversation.options().pageSize;
    const QList<QByteArray> entries = inRevision(conversation, definitions);
    qsizetype offset = 0;
    if (!cursor.isEmpty()) {
        const QByteArray decoded = QByteArray::fromBase64(json::text(cursor).toLatin1());
        bool ok = decoded.startsWith(prefix) && pageSize > 0;
        if (ok)
            offset = decoded.sliced(prefix.size()).toLongLong(&ok);
        if (!ok || offset <= 0 || offset >= entries.size()) {
            conversation.refuse(request, InvalidParams, u"This is no cursor that this server gave out."_s,
                                json::Object().raw("cursor", cursor).done());
            return;
        }
    }
    const qsizetype count = pageSize > 0 ? pageSize : entries.size();
    json::Object result;
    result.raw(name, json::array(entries.mid(offset, count)));
    if (offset + count < entries.size()) {
        const QByteArray next = prefix + QByteArray::number(offset + count);
        result.text("nextCursor", QString::fromLatin1(next.toBase64()));
    }
    conversation.response(request, result.done());
}

void listTools(Conversation &conversation, const Request &request)
{
    responsePage(conversation, request, "tools", conversation.state().offer().tools(conversation));
}

void callTool(Conversation &conversation, const Request &request)
{
    const QString name = json::text(json::member(request.params, u"name"_s));
    const QByteArray arguments = json::member(request.params, u"arguments"_s);
    const ToolFunction function = conversation.state().offer().tool(conversation, name);
    if (!function) {
        conversation.refuse(request, InvalidParams, u"Unknown tool: %1"_s.arg(name),
                            json::Object().text("name", name).done());
    } else if (!arguments.isEmpty() && !json::isObject(arguments)) {
        conversation.refuse(request, InvalidParams, u"'arguments' must be an object."_s);
    } else {
        function(conversation, request, arguments.isEmpty() ? "{}"_ba : arguments);
    }
}

void listResources(Conversation &conversation, const Request &request)
{
    responsePage(conversation, request, "resources", conversation.state().offer().resources());
}

void listTemplates(Conversation &conversation, const Request &request)
{
    responsePage(conversation, request, "resourceTemplates", conversation.state().offer().templates());
}

void readResource(Conversation &conversation, const Request &request)
{
    const QString uri = json::text(json::member(request.params, u"uri"_s));
    const QByteArray contents = conversation.state().offer().read(uri);
    if (contents.isEmpty())
        conversation.refuse(request, conversation.isAtLeast("2026-07-28") ? InvalidParams : ResourceNotFound,
                            u"Resource not found: %1"_s.arg(uri), json::Object().text("uri", uri).done());
    else
        conversation.response(request, json::Object().raw("contents", '[' + contents + ']').done());
}

void listPrompts(Conversation &conversation, const Request &request)
{
    responsePage(conversation, request, "prompts", conversation.state().offer().prompts());
}

void getPrompt(Conversation &conversation, const Request &request)
{
    conversation.state().offer().getPrompt(conversation, request);
}

void complete(Conversation &conversation, const Request &request)
{
    const QByteArray reference = json::member(request.params, u"ref"_s);
    const QByteArray argument = json::member(request.params, u"argument"_s);
    const QString type = json::text(json::member(reference, u"type"_s));
    const QString name = json::text(json::member(argument, u"name"_s));
    const QString typed = json::text(json::member(argument, u"value"_s));
    const bool isPrompt = type == "ref/prompt"_L1;
    if (!isPrompt && type != "ref/resource"_L1) {
        conversation.refuse(request, InvalidParams, u"'ref' must be of type ref/prompt or ref/resource."_s);
        return;
    }
    const QByteArray context = json::member(json::member(request.params, u"context"_s), u"arguments"_s);
    const QString subject = json::text(json::member(reference, isPrompt ? u"name"_s : u"uri"_s));
    const Offer &offer = conversation.state().offer();
    const std::optional<QStringList> all =
        isPrompt ? offer.completePrompt(subject, name) : offer.completeTemplate(subject, name, context);
    if (!all) {
        conversation.refuse(
            request, InvalidParams,
            (isPrompt ? u"There is no prompt '%1'."_s : u"There is no resource template '%1'."_s).arg(subject),
            json::Object().raw("ref", reference).done());
        return;
    }
    QList<QByteArray> values;
    for (const QString &each : *all) {
        if (each.startsWith(typed, Qt::CaseInsensitive))
            values.append(json::quoted(each));
    }
    const QByteArray completion = json::Object()
                                      .raw("values", json::array(values.mid(0, 100)))
                                      .number("total", values.size())
                                      .boolean("hasMore", values.size() > 100)
                                      .done();
    conversation.response(request, json::Object().raw("completion", completion).done());
}

}  // namespace

CommonMethod commonMethod(const QString &name)
{
    static const QHash<QString, CommonMethod> table{
        {u"tools/list"_s, listTools},         {u"tools/call"_s, callTool},
        {u"resources/list"_s, listResources}, {u"resources/templates/list"_s, listTemplates},
        {u"resources/read"_s, readResource},  {u"prompts/list"_s, listPrompts},
        {u"prompts/get"_s, getPrompt},        {u"completion/complete"_s, complete},
    };
    return table.value(name);
}

const QStringList &logLevels()
{
    static const QStringList levels{u"debug"_s, u"info"_s,     u"notice"_s, u"warning"_s,
                                    u"error"_s, u"critical"_s, u"alert"_s,  u"emergency"_s};
    return levels;
}

QByteArray implementation(const QString &revision)
{
    json::Object info;
    info.text("name", u"sonde-demo-server"_s);
    if (revision >= "2025-06-18"_L1)
        info.text("title", u"Sonde demo server"_s);
    info.text("version", QStringLiteral(SONDE_VERSION));
    if (revision >= "2025-11-25"_L1)
        info.text("description", u"Shows each thing that an MCP server can offer."_s).raw("icons", demoIcons());
    return info.done();
}

QByteArray sharedCapabilities(const Conversation &conversation)
{
    QByteArray members = R"("tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},)"
                         R"("prompts":{"listChanged":true},"logging":{})";
    if (conversation.isAtLeast("2025-03-26"))
        members += R"(,"completions":{})";
    return members;
}

QString instructions()
{
    return u"Everything here is harmless. Start with the tool add, then try every-field-kind to see each "
           "kind of argument and every-content-kind to see each kind of result."_s;
}

QByteArray toolDefinition(const Conversation &conversation, const QString &name)
{
    for (const QByteArray &definition : conversation.state().offer().tools(conversation)) {
        if (json::text(json::member(definition, u"name"_s)) == name)
            return inRevision(conversation, definition);
    }
    return {};
}

}  // namespace sonde::demo
