// SPDX-License-Identifier: Apache-2.0
#include "app/demo/askingtools.h"

#include "app/demo/rawjson.h"

#include <QTimer>
#include <QUuid>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::demo {
namespace {

const char AskForm[] = R"({
"name": "ask-form", "title": "Ask with a form",
"description": "Asks for one field of each kind that a form of a server can have. Returns the responses.",
"inputSchema": {"type": "object", "properties": {
  "withdrawAfterMs": {"type": "integer", "minimum": 0, "maximum": 60000, "description": "Before 2026-07-28: withdraw the request after this time"}
 }}, "annotations": {"readOnlyHint": true, "openWorldHint": false}})";

const char AskUrl[] = R"({
"name": "ask-url", "title": "Ask to open an address",
"description": "Asks the user to open an address in a browser.",
"inputSchema": {"type": "object", "properties": {
  "url": {"type": "string", "format": "uri", "default": "https://example.com/sign-in?code=1234"},
  "asError": {"type": "boolean", "default": false, "description": "2025-11-25: respond with the error -32042 instead"}
 }}, "annotations": {"readOnlyHint": true, "openWorldHint": false}})";

const char AskModel[] = R"({
"name": "ask-model", "title": "Ask a model",
"description": "Asks for what a model would say (sampling).",
"inputSchema": {"type": "object", "properties": {
  "prompt": {"type": "string", "default": "What is the capital of France?"},
  "withTools": {"type": "boolean", "default": false, "description": "Offer the model a tool"}
 }}, "annotations": {"readOnlyHint": true, "openWorldHint": false}})";

const char AskRoots[] = R"({
"name": "ask-roots", "title": "Ask for the roots",
"description": "Asks which folders the client lets servers know about.",
"inputSchema": {"type": "object", "properties": {}},
"annotations": {"readOnlyHint": true, "openWorldHint": false}})";

const char AskTwice[] = R"({
"name": "ask-twice", "title": "Ask twice",
"description": "Asks for a name, and with that name for a color.",
"inputSchema": {"type": "object", "properties": {}},
"annotations": {"readOnlyHint": true, "openWorldHint": false}})";

const char AskEverything[] = R"({
"name": "ask-everything", "title": "Ask everything at once",
"description": "Asks for a name, for what a model would say, and for the roots.",
"inputSchema": {"type": "object", "properties": {}},
"annotations": {"readOnlyHint": true, "openWorldHint": false}})";

const char RunAsTask[] = R"({
"name": "run-as-task", "title": "Run as a task",
"description": "Takes a while. Runs as a task where the client can do that.",
"inputSchema": {"type": "object", "properties": {
  "seconds": {"type": "number", "minimum": 0, "maximum": 3600, "default": 3},
  "confirm": {"type": "boolean", "default": false, "description": "Ask for a confirmation first"},
  "fail": {"type": "boolean", "default": false, "description": "Report a failure at the end"}
 }}, "execution": {"taskSupport": "optional"},
"annotations": {"readOnlyHint": true, "openWorldHint": false}})";

const char EveryKindOfField[] = R"({"type":"object","properties":{
"name":{"type":"string","title":"Name","description":"At least two letters","minLength":2,"maxLength":40},
"mail":{"type":"string","format":"email"},
"homepage":{"type":"string","format":"uri"},
"birthday":{"type":"string","format":"date"},
"meeting":{"type":"string","format":"date-time"},
"city":{"type":"string","default":"Bern"},
"age":{"type":"integer","minimum":0,"maximum":150,"default":30},
"score":{"type":"number","minimum":0,"maximum":1,"default":0.5},
"subscribe":{"type":"boolean","default":true},
"size":{"type":"string","enum":["S","M","L"],"default":"M"},)"
                                R"("color":{"type":"string",)";
const char TitledFields[] = R"("oneOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"}],"default":"g"},
"sizes":{"type":"array","items":{"type":"string","enum":["S","M","L"]},"minItems":1,"maxItems":2,"default":["S"]},
"colors":{"type":"array","items":{"anyOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"}]}}
},"required":["name"]})";
const char NamedField[] = R"("enum":["r","g"],"enumNames":["Red","Green"]}},"required":["name"]})";

QByteArray elicitation(const QString &message, const QByteArray &schema)
{
    return json::Object().text("message", message).raw("requestedSchema", schema).done();
}

void askForm(Conversation &conversation, const Request &request, const QByteArray &arguments)
{
    const QByteArray schema =
        EveryKindOfField + QByteArray(conversation.isAtLeast("2025-11-25") ? TitledFields : NamedField);
    const Input form{u"form"_s, u"elicitation/create"_s,
                     elicitation(u"Who are you, and what do you like?"_s, json::compacted(schema))};
    conversation.ask(request, {form}, [&conversation, request](const InputResults &results) {
        conversation.response(request, textResult(QString::fromUtf8(results.value(u"form"_s))));
    });
    const int withdrawAfter = json::member(arguments, u"withdrawAfterMs"_s).toInt();
    QObject *waiting = conversation.workOf(request);
    if (withdrawAfter <= 0 || !waiting)
        return;
    QTimer::singleShot(withdrawAfter, waiting, [&conversation, request] {
        conversation.response(request, textResult(u"The request was withdrawn."_s));
    });
}

void askUrl(Conversation &conversation, const Request &request, const QByteArray &arguments)
{
    const QString url = json::text(json::member(arguments, u"url"_s), u"https://example.com/sign-in?code=1234"_s);
    const bool stateful = !conversation.isAtLeast("2026-07-28");
    const QString id = QUuid::createUuid().toString(QUuid::WithoutBraces);
    json::Object params;
    params.text("mode", u"url"_s).text("message", u"Please sign in."_s).text("url", url);
    if (stateful)
        params.text("elicitationId", id);
    if (json::member(arguments, u"asError"_s) == "true" && conversation.revision() == "2025-11-25"_L1) {
        conversation.refuse(request, UrlElicitationRequired, u"Please sign in, then call again."_s,
                            json::Object().raw("elicitations", json::array({params.done()})).done());
        return;
    }
    const Input address{u"address"_s, u"elicitation/create"_s, params.done()};
    conversation.ask(request, {address}, [&conversation, request, stateful, id](const InputResults &results) {
        const QString action = json::text(json::member(results.value(u"address"_s), u"action"_s));
        if (stateful && action == "accept"_L1)
            conversation.notify(u"notifications/elicitation/complete"_s,
                                json::Object().text("elicitationId", id).done(), request);
        conversation.response(request, textResult(u"The user chose: %1"_s.arg(action)));
    });
}

void askModel(Conversation &conversation, const Request &request, const QByteArray &arguments)
{
    Input model = samplingInput(u"model"_s,
                                json::text(json::member(arguments, u"prompt"_s), u"What is the capital of France?"_s));
    if (json::member(arguments, u"withTools"_s) == "true")
        model.params = json::withMember(
            json::withMember(model.params, "tools",
                             R"([{"name":"weather","description":"The weather of a city.","inputSchema":{"type":)"
                             R"("object","properties":{"city":{"type":"string"}},"required":["city"]}}])"),
            "toolChoice", R"({"mode":"auto"})");
    conversation.ask(request, {model}, [&conversation, request](const InputResults &results) {
        conversation.response(request, textResult(QString::fromUtf8(results.value(u"model"_s))));
    });
}

void askRoots(Conversation &conversation, const Request &request, const QByteArray &)
{
    conversation.ask(request, {rootsInput(u"roots"_s)}, [&conversation, request](const InputResults &results) {
        conversation.response(request, textResult(QString::fromUtf8(results.value(u"roots"_s))));
    });
}

void askTwice(Conversation &conversation, const Request &request, const QByteArray &)
{
    const Input first = formInput(u"name"_s, u"What is your name?"_s, u"name"_s);
    conversation.ask(request, {first}, [&conversation, request](const InputResults &names) {
        const QString name = json::text(fieldOf(names.value(u"name"_s), u"name"_s), u"nobody"_s);
        const Input second = formInput(u"color"_s, u"Which color do you like, %1?"_s.arg(name), u"color"_s);
        conversation.ask(request, {second}, [&conversation, request, name](const InputResults &colors) {
            const QString color = json::text(fieldOf(colors.value(u"color"_s), u"color"_s), u"no color"_s);
            conversation.response(request, textResult(u"%1 likes %2."_s.arg(name, color)));
        });
    });
}

void askEverything(Conversation &conversation, const Request &request, const QByteArray &)
{
    const QList<Input> inputs{formInput(u"name"_s, u"What is your name?"_s, u"name"_s),
                              samplingInput(u"greeting"_s, u"Write a greeting."_s), rootsInput(u"roots"_s)};
    conversation.ask(request, inputs, [&conversation, request](const InputResults &results) {
        const QByteArray roots = json::member(results.value(u"roots"_s), u"roots"_s);
        const QByteArray said = json::member(results.value(u"greeting"_s), u"content"_s);
        conversation.response(request,
                              textResult(u"%1: %2 (%3 roots)"_s
                                             .arg(json::text(fieldOf(results.value(u"name"_s), u"name"_s), u"nobody"_s),
                                                  json::text(json::member(said, u"text"_s)))
                                             .arg(json::elements(roots).size())));
    });
}

void work(Conversation &where, const Request &request, const QByteArray &arguments)
{
    const QByteArray given = json::member(arguments, u"seconds"_s);
    const double seconds = given.isEmpty() ? 3 : std::clamp(given.toDouble(), 0.0, 3600.0);
    const bool fail = json::member(arguments, u"fail"_s) == "true";
    QTimer::singleShot(int(seconds * 1000), where.beginWork(request), [&where, request, seconds, fail] {
        where.response(request, fail ? failure(u"The work failed after %1 seconds."_s.arg(seconds))
                                     : textResult(u"The work took %1 seconds."_s.arg(seconds)));
    });
}

void runAsTask(Conversation &conversation, const Request &request, const QByteArray &arguments)
{
    conversation.runAsTask(request, false, [arguments](Conversation &where, const Request &call) {
        if (json::member(arguments, u"confirm"_s) != "true") {
            work(where, call, arguments);
            return;
        }
        const Input question = formInput(u"confirm"_s, u"Shall the work be done?"_s, u"confirm"_s, "boolean");
        where.ask(call, {question}, [&where, call, arguments](const InputResults &results) {
            if (fieldOf(results.value(u"confirm"_s), u"confirm"_s) == "true")
                work(where, call, arguments);
            else
                where.response(call, textResult(u"Nothing was done."_s));
        });
    });
}

}  // namespace

Input formInput(const QString &key, const QString &message, const QString &field, const char *type)
{
    const QByteArray schema = R"({"type":"object","properties":{)" + json::quoted(field) + R"(:{"type":")" + type +
                              R"("}},"required":[)" + json::quoted(field) + "]}";
    return {key, u"elicitation/create"_s, elicitation(message, schema)};
}

Input samplingInput(const QString &key, const QString &prompt)
{
    const QByteArray content = json::Object().text("type", u"text"_s).text("text", prompt).done();
    const QByteArray message = json::Object().text("role", u"user"_s).raw("content", content).done();
    return {key, u"sampling/createMessage"_s,
            json::Object().raw("messages", json::array({message})).number("maxTokens", 100).done()};
}

Input rootsInput(const QString &key)
{
    return {key, u"roots/list"_s, {}};
}

QByteArray fieldOf(const QByteArray &elicited, const QString &field)
{
    if (json::text(json::member(elicited, u"action"_s)) != "accept"_L1)
        return {};
    return json::member(json::member(elicited, u"content"_s), field);
}

QByteArray textResult(const QString &text)
{
    const QByteArray block = json::Object().text("type", u"text"_s).text("text", text).done();
    return json::Object().raw("content", json::array({block})).done();
}

QList<QByteArray> askingToolDefinitions()
{
    QList<QByteArray> result;
    for (const char *definition : {AskForm, AskUrl, AskModel, AskRoots, AskTwice, AskEverything, RunAsTask})
        result.append(json::compacted(definition));
    return result;
}

ToolFunction askingTool(const QString &name)
{
    static const QHash<QString, ToolFunction> table{
        {u"ask-form"_s, askForm},      {u"ask-url"_s, askUrl},     {u"ask-model"_s, askModel},
        {u"ask-roots"_s, askRoots},    {u"ask-twice"_s, askTwice}, {u"ask-everything"_s, askEverything},
        {u"run-as-task"_s, runAsTask},
    };
    return table.value(name);
}

}  // namespace sonde::demo
