// SPDX-License-Identifier: Apache-2.0
#include "tests/tools/conformance-server/conformanceoffer.h"

#include "app/demo/askingtools.h"
#include "app/demo/media.h"
#include "app/demo/rawjson.h"

#include <QTimer>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::demo {
namespace {

struct TestTool {
    const char *name;
    const char *description;
    ToolFunction function;
    const char *schema = R"({"type":"object","properties":{}})";
    const char *taskSupport = "";
};

QByteArray contentResult(const QList<QByteArray> &content)
{
    return json::Object().raw("content", json::array(content)).done();
}

QByteArray testText(const QString &text)
{
    return json::Object().text("type", u"text"_s).text("text", text).done();
}

QByteArray testMedia(const char *type, const char *mimeType, const QByteArray &bytes)
{
    return json::Object()
        .text("type", QLatin1StringView(type))
        .raw("data", '"' + bytes.toBase64() + '"')
        .text("mimeType", QLatin1StringView(mimeType))
        .done();
}

QByteArray testContents(const QString &uri, const char *mimeType, const QString &text)
{
    return json::Object().text("uri", uri).text("mimeType", QLatin1StringView(mimeType)).text("text", text).done();
}

QByteArray testResource(const QString &uri, const char *mimeType, const QString &text)
{
    return json::Object().text("type", u"resource"_s).raw("resource", testContents(uri, mimeType, text)).done();
}

QString argument(const QByteArray &arguments, const char *name, const QString &fallback = {})
{
    return json::text(json::member(arguments, QLatin1StringView(name)), fallback);
}

void sayOk(Conversation &conversation, const Request &request, const QByteArray &)
{
    conversation.response(request, textResult(u"This is a simple text response for testing."_s));
}

void sendImage(Conversation &conversation, const Request &request, const QByteArray &)
{
    conversation.response(request, contentResult({testMedia("image", "image/png", demoPng())}));
}

void sendAudio(Conversation &conversation, const Request &request, const QByteArray &)
{
    conversation.response(request, contentResult({testMedia("audio", "audio/wav", demoWav())}));
}

void sendEmbedded(Conversation &conversation, const Request &request, const QByteArray &)
{
    conversation.response(request, contentResult({testResource(u"test://embedded-resource"_s, "text/plain",
                                                               u"This is an embedded resource content."_s)}));
}

void sendMixed(Conversation &conversation, const Request &request, const QByteArray &)
{
    conversation.response(
        request, contentResult({testText(u"Multiple content types test:"_s), testMedia("image", "image/png", demoPng()),
                                testResource(u"test://mixed-content-resource"_s, "application/json",
                                             u"{\"test\":\"data\",\"value\":123}"_s)}));
}

void sendLogs(Conversation &conversation, const Request &request, const QByteArray &)
{
    for (const QString &each : {u"Tool execution started"_s, u"Tool processing data"_s, u"Tool execution completed"_s})
        conversation.log(u"info"_s, u"conformance"_s, json::quoted(each), request);
    conversation.response(request, textResult(u"Three messages were logged."_s));
}

void sendProgress(Conversation &conversation, const Request &request, const QByteArray &)
{
    const QByteArray token = json::member(json::member(request.params, u"_meta"_s), u"progressToken"_s);
    for (const int done : {0, 50, 100}) {
        if (!token.isEmpty())
            conversation.notify(u"notifications/progress"_s,
                                json::Object()
                                    .raw("progressToken", token)
                                    .number("progress", done)
                                    .number("total", 100)
                                    .text("message", u"Completed step %1 of 100"_s.arg(done))
                                    .done(),
                                request);
    }
    conversation.response(request, textResult(u"Everything is done."_s));
}

void failOnPurpose(Conversation &conversation, const Request &request, const QByteArray &)
{
    conversation.response(request, failure(u"This tool intentionally returns an error for testing"_s));
}

void askAndTell(Conversation &conversation, const Request &request, const QList<Input> &inputs)
{
    conversation.ask(request, inputs, [&conversation, request, inputs](const InputResults &results) {
        QStringList told;
        for (const Input &input : inputs)
            told.append(input.key + u": "_s + QString::fromUtf8(results.value(input.key)));
        conversation.response(request, textResult(told.join(u'\n')));
    });
}

void askSampling(Conversation &conversation, const Request &request, const QByteArray &arguments)
{
    askAndTell(conversation, request,
               {samplingInput(u"sample"_s, argument(arguments, "prompt", u"What is the capital of France?"_s))});
}

void askElicitation(Conversation &conversation, const Request &request, const QByteArray &arguments)
{
    askAndTell(conversation, request,
               {formInput(u"response"_s, argument(arguments, "message", u"Say something"_s), u"response"_s)});
}

void askWithSchema(Conversation &conversation, const Request &request, const char *message, const char *properties)
{
    const QByteArray schema = R"({"type":"object","properties":)" + json::compacted(properties) + '}';
    const QByteArray params =
        json::Object().text("message", QLatin1StringView(message)).raw("requestedSchema", schema).done();
    askAndTell(conversation, request, {{u"form"_s, u"elicitation/create"_s, params}});
}

void askDefaults(Conversation &conversation, const Request &request, const QByteArray &)
{
    askWithSchema(conversation, request, "Please review the defaults", R"({
        "name": {"type": "string", "description": "User name", "default": "John Doe"},
        "age": {"type": "integer", "description": "User age", "default": 30},
        "score": {"type": "number", "description": "User score", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "description": "Verification status", "default": true}})");
}

void askEnums(Conversation &conversation, const Request &request, const QByteArray &)
{
    askWithSchema(conversation, request, "Please select options", R"({
        "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
        "titledSingle": {"type": "string", "oneOf": [{"const": "value1", "title": "First Option"},
            {"const": "value2", "title": "Second Option"}, {"const": "value3", "title": "Third Option"}]},
        "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"]},
        "untitledMulti": {"type": "array", "minItems": 1, "maxItems": 3,
            "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
        "titledMulti": {"type": "array", "minItems": 1, "maxItems": 3, "items": {"anyOf": [
            {"const": "value1", "title": "First Choice"}, {"const": "value2", "title": "Second Choice"},
            {"const": "value3", "title": "Third Choice"}]}}})");
}

void askName(Conversation &conversation, const Request &request, const QByteArray &)
{
    askAndTell(conversation, request, {formInput(u"user_name"_s, u"What is your name?"_s, u"name"_s)});
}

void askForRoots(Conversation &conversation, const Request &request, const QByteArray &)
{
    askAndTell(conversation, request, {rootsInput(u"client_roots"_s)});
}

void askToConfirm(Conversation &conversation, const Request &request, const QByteArray &)
{
    askAndTell(conversation, request, {formInput(u"confirm"_s, u"Please confirm"_s, u"ok"_s, "boolean")});
}

void askAll(Conversation &conversation, const Request &request, const QByteArray &)
{
    askAndTell(conversation, request,
               {formInput(u"user_name"_s, u"What is your name?"_s, u"name"_s),
                samplingInput(u"greeting"_s, u"Generate a greeting"_s), rootsInput(u"client_roots"_s)});
}

void askInRounds(Conversation &conversation, const Request &request, const QByteArray &)
{
    const Input first = formInput(u"step1"_s, u"Step 1: What is your name?"_s, u"name"_s);
    conversation.ask(request, {first}, [&conversation, request, first](const InputResults &) {
        const Input second = formInput(u"step2"_s, u"Step 2: What is your favorite color?"_s, u"color"_s);
        askAndTell(conversation, request, {first, second});
    });
}

void askWhatIsDeclared(Conversation &conversation, const Request &request, const QByteArray &)
{
    const QByteArray capabilities = conversation.clientOf(request).capabilities;
    QList<Input> inputs;
    if (!json::member(capabilities, u"elicitation"_s).isEmpty())
        inputs.append(formInput(u"elicit_input"_s, u"Elicitation input"_s, u"value"_s));
    if (!json::member(capabilities, u"sampling"_s).isEmpty())
        inputs.append(samplingInput(u"sample_input"_s, u"Sample request"_s));
    askAndTell(conversation, request, inputs);
}

void changeTools(Conversation &conversation, const Request &request, const QByteArray &)
{
    Q_EMIT conversation.state().toolsChanged();
    conversation.response(request, textResult(u"The change was announced."_s));
}

void changePrompts(Conversation &conversation, const Request &request, const QByteArray &)
{
    Q_EMIT conversation.state().promptsChanged();
    conversation.response(request, textResult(u"The change was announced."_s));
}

void greet(Conversation &conversation, const Request &request, const QByteArray &arguments)
{
    conversation.response(request, textResult(u"Hello, %1!"_s.arg(argument(arguments, "name"))));
}

void computeSlowly(Conversation &conversation, const Request &request, const QByteArray &arguments)
{
    const double seconds = std::clamp(json::member(arguments, u"seconds"_s).toDouble(), 0.0, 3600.0);
    conversation.runAsTask(request, false, [seconds](Conversation &where, const Request &call) {
        QTimer::singleShot(int(seconds * 1000), where.beginWork(call), [&where, call, seconds] {
            where.response(call, textResult(u"Computed for %1 seconds."_s.arg(seconds)));
        });
    });
}

void failAsTask(Conversation &conversation, const Request &request, const QByteArray &)
{
    conversation.runAsTask(request, true, [](Conversation &where, const Request &call) {
        QTimer::singleShot(1000, where.beginWork(call),
                           [&where, call] { where.response(call, failure(u"The job failed."_s)); });
    });
}

void breakAsTask(Conversation &conversation, const Request &request, const QByteArray &)
{
    conversation.runAsTask(request, false, [](Conversation &where, const Request &call) {
        where.refuse(call, InternalError, u"The job broke down."_s);
    });
}

void deleteAsTask(Conversation &conversation, const Request &request, const QByteArray &)
{
    conversation.runAsTask(request, false, [](Conversation &where, const Request &call) {
        askAndTell(where, call, {formInput(u"confirm"_s, u"Delete it?"_s, u"confirm"_s, "boolean")});
    });
}

void askTwoAsTask(Conversation &conversation, const Request &request, const QByteArray &)
{
    conversation.runAsTask(request, false, [](Conversation &where, const Request &call) {
        askAndTell(where, call,
                   {formInput(u"first"_s, u"First?"_s, u"name"_s), formInput(u"second"_s, u"Second?"_s, u"name"_s)});
    });
}

void askThenRun(Conversation &conversation, const Request &request, const QByteArray &)
{
    const Input question = formInput(u"user_name"_s, u"What is your name?"_s, u"name"_s);
    conversation.ask(request, {question}, [&conversation, request](const InputResults &results) {
        const QString name = json::text(fieldOf(results.value(u"user_name"_s), u"name"_s));
        conversation.runAsTask(request, true, [name](Conversation &where, const Request &call) {
            where.response(call, textResult(u"Hello, %1!"_s.arg(name)));
        });
    });
}

const QList<TestTool> &testTools()
{
    static const QList<TestTool> tools{
        {"test_simple_text", "Sends a text", sayOk},
        {"test_image_content", "Sends an image", sendImage},
        {"test_audio_content", "Sends a sound", sendAudio},
        {"test_embedded_resource", "Sends an embedded resource", sendEmbedded},
        {"test_multiple_content_types", "Sends a text, an image and a resource", sendMixed},
        {"test_tool_with_logging", "Logs while it runs", sendLogs},
        {"test_logging_tool", "Logs while it runs", sendLogs},
        {"test_reconnection", "Logs while it runs", sendLogs},
        {"test_tool_with_progress", "Reports its progress", sendProgress},
        {"test_streaming_elicitation", "Reports its progress", sendProgress},
        {"test_error_handling", "Fails", failOnPurpose},
        {"test_sampling", "Asks for what a model says", askSampling,
         R"({"type":"object","properties":{"prompt":{"type":"string"}},"required":["prompt"]})"},
        {"test_elicitation", "Asks the user", askElicitation,
         R"({"type":"object","properties":{"message":{"type":"string"}},"required":["message"]})"},
        {"test_elicitation_sep1034_defaults", "Asks with defaults", askDefaults},
        {"test_elicitation_sep1330_enums", "Asks with each kind of choice", askEnums},
        {"json_schema_2020_12_tool", "Has a schema with many keywords", sayOk, R"({
            "$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
            "$defs":{"address":{"$anchor":"addressDef","type":"object",
                "properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
            "properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},
                "contactMethod":{"type":"string","enum":["phone","email"]},
                "phone":{"type":"string"},"email":{"type":"string"}},
            "allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
            "if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},
            "then":{"required":["phone"]},"else":{"required":["email"]},"additionalProperties":false})"},
        {"test_custom_headers", "Has an argument that is sent as a header, too", sayOk,
         R"({"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}})"},
        {"test_missing_capability", "Needs sampling", askSampling},
        {"test_input_required_result_elicitation", "Asks for a name", askName},
        {"test_input_required_result_sampling", "Asks for what a model says", askSampling},
        {"test_input_required_result_list_roots", "Asks for the roots", askForRoots},
        {"test_input_required_result_request_state", "Asks for a confirmation", askToConfirm},
        {"test_input_required_result_tampered_state", "Asks for a confirmation", askToConfirm},
        {"test_input_required_result_multiple_inputs", "Asks for three things at once", askAll},
        {"test_input_required_result_multi_round", "Asks twice", askInRounds},
        {"test_input_required_result_capabilities", "Asks for what the client declares", askWhatIsDeclared},
        {"test_trigger_tool_change", "Announces other tools", changeTools},
        {"test_trigger_prompt_change", "Announces other prompts", changePrompts},
        {"greet", "Says hello", greet, R"({"type":"object","properties":{"name":{"type":"string"}}})"},
        {"slow_compute", "Takes a while", computeSlowly,
         R"({"type":"object","properties":{"seconds":{"type":"number"},"label":{"type":"string"}}})", "optional"},
        {"failing_job", "Fails after a while", failAsTask, R"({"type":"object","properties":{}})", "required"},
        {"protocol_error_job", "Breaks down", breakAsTask, R"({"type":"object","properties":{}})", "optional"},
        {"confirm_delete", "Asks while it runs", deleteAsTask,
         R"({"type":"object","properties":{"filename":{"type":"string"}}})", "optional"},
        {"multi_input", "Asks for two things while it runs", askTwoAsTask, R"({"type":"object","properties":{}})",
         "optional"},
        {"test_tool_with_task", "Asks, then runs as a task", askThenRun, R"({"type":"object","properties":{}})",
         "required"},
    };
    return tools;
}

QList<QByteArray> testToolDefinitions(const Conversation &)
{
    QList<QByteArray> result;
    for (const TestTool &tool : testTools()) {
        json::Object definition;
        definition.text("name", QLatin1StringView(tool.name))
            .text("description", QLatin1StringView(tool.description))
            .raw("inputSchema", json::compacted(tool.schema));
        if (*tool.taskSupport)
            definition.raw("execution", json::Object().text("taskSupport", QLatin1StringView(tool.taskSupport)).done());
        result.append(definition.done());
    }
    return result;
}

ToolFunction testTool(const Conversation &, const QString &name)
{
    const QList<TestTool> &tools = testTools();
    const auto found = std::find_if(tools.begin(), tools.end(),
                                    [&name](const TestTool &tool) { return name == QLatin1StringView(tool.name); });
    return found == tools.end() ? nullptr : found->function;
}

QList<QByteArray> testResources()
{
    return {
        R"({"uri":"test://static-text","name":"static-text","description":"A text","mimeType":"text/plain"})",
        R"({"uri":"test://static-binary","name":"static-binary","description":"An image","mimeType":"image/png"})",
        R"({"uri":"test://watched-resource","name":"watched-resource","description":"A text to subscribe to",)"
        R"("mimeType":"text/plain"})",
    };
}

QList<QByteArray> testTemplates()
{
    return {R"({"uriTemplate":"test://template/{id}/data","name":"template","description":"Data by id",)"
            R"("mimeType":"application/json"})"};
}

QByteArray testRead(const QString &uri)
{
    if (uri == "test://static-text"_L1 || uri == "test://watched-resource"_L1)
        return testContents(uri, "text/plain", u"This is the content of the static text resource."_s);
    if (uri == "test://static-binary"_L1)
        return json::Object()
            .text("uri", uri)
            .text("mimeType", u"image/png"_s)
            .raw("blob", '"' + demoPng().toBase64() + '"')
            .done();
    if (uri.startsWith("test://template/"_L1) && uri.endsWith("/data"_L1)) {
        const QByteArray id = json::quoted(uri.section(u'/', 3, 3));
        return testContents(uri, "application/json",
                            QString::fromUtf8(json::Object().raw("id", id).boolean("templateTest", true).done()));
    }
    return {};
}

QList<QByteArray> testPrompts()
{
    return json::elements(json::compacted(R"([
        {"name": "test_simple_prompt", "description": "No arguments"},
        {"name": "test_prompt_with_arguments", "description": "Two arguments", "arguments": [
            {"name": "arg1", "description": "First", "required": true},
            {"name": "arg2", "description": "Second", "required": true}]},
        {"name": "test_prompt_with_embedded_resource", "description": "A resource within a message", "arguments": [
            {"name": "resourceUri", "description": "Its address", "required": true}]},
        {"name": "test_prompt_with_image", "description": "An image within a message"},
        {"name": "test_input_required_result_prompt", "description": "Asks the user first"}])"));
}

void testPrompt(Conversation &conversation, const Request &request)
{
    const QString name = json::text(json::member(request.params, u"name"_s));
    const QByteArray arguments = json::member(request.params, u"arguments"_s);
    const auto respond = [&conversation, request](const QList<QByteArray> &contents) {
        QList<QByteArray> messages;
        for (const QByteArray &content : contents)
            messages.append(json::Object().text("role", u"user"_s).raw("content", content).done());
        conversation.response(request, json::Object().raw("messages", json::array(messages)).done());
    };
    if (name == "test_simple_prompt"_L1) {
        respond({testText(u"This is a simple prompt for testing."_s)});
    } else if (name == "test_prompt_with_arguments"_L1) {
        respond({testText(u"Prompt with arguments: arg1='%1', arg2='%2'"_s.arg(argument(arguments, "arg1"),
                                                                               argument(arguments, "arg2")))});
    } else if (name == "test_prompt_with_embedded_resource"_L1) {
        respond({testResource(argument(arguments, "resourceUri"), "text/plain", u"An embedded resource."_s),
                 testText(u"Please process the embedded resource above."_s)});
    } else if (name == "test_prompt_with_image"_L1) {
        respond({testMedia("image", "image/png", demoPng()), testText(u"Please analyze the image above."_s)});
    } else if (name == "test_input_required_result_prompt"_L1) {
        const Input question = formInput(u"user_context"_s, u"What context should the prompt use?"_s, u"context"_s);
        conversation.ask(request, {question}, [respond](const InputResults &results) {
            respond({testText(u"Context: "_s + json::text(fieldOf(results.value(u"user_context"_s), u"context"_s)))});
        });
    } else {
        conversation.refuse(request, InvalidParams, u"There is no prompt '%1'."_s.arg(name));
    }
}

std::optional<QStringList> completeTestPrompt(const QString &, const QString &)
{
    return QStringList{u"test value"_s, u"paris"_s, u"park"_s};
}

std::optional<QStringList> completeTestTemplate(const QString &, const QString &, const QByteArray &)
{
    return QStringList();
}

QList<QByteArray> noSkills()
{
    return {};
}

}  // namespace

const Offer &conformanceOffer()
{
    static const Offer offer{
        .tools = testToolDefinitions,
        .tool = testTool,
        .resources = testResources,
        .templates = testTemplates,
        .read = testRead,
        .prompts = testPrompts,
        .skills = noSkills,
        .getPrompt = testPrompt,
        .completePrompt = completeTestPrompt,
        .completeTemplate = completeTestTemplate,
    };
    return offer;
}

}  // namespace sonde::demo
