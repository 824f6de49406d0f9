// SPDX-License-Identifier: Apache-2.0
#include "app/demo/prompts.h"

#include "app/demo/media.h"
#include "app/demo/rawjson.h"
#include "app/demo/resources.h"

using namespace Qt::StringLiterals;

namespace sonde::demo {
namespace {

QByteArray message(const char *role, const QByteArray &content)
{
    return json::Object().text("role", QLatin1StringView(role)).raw("content", content).done();
}

QByteArray textBlock(const QString &text)
{
    return json::Object().text("type", u"text"_s).text("text", text).done();
}

QByteArray result(const QString &description, const QList<QByteArray> &messages)
{
    return json::Object().text("description", description).raw("messages", json::array(messages)).done();
}

QByteArray summarize(const QByteArray &arguments)
{
    const QString topic = json::text(json::member(arguments, u"topic"_s));
    const QString style = json::text(json::member(arguments, u"style"_s), u"short"_s);
    return result(u"Asks for a summary"_s,
                  {message("user", textBlock(u"Summarize %1 in a %2 way."_s.arg(topic, style)))});
}

QByteArray gallery(bool withLinks)
{
    const QByteArray image = json::Object()
                                 .text("type", u"image"_s)
                                 .raw("data", '"' + demoPng().toBase64() + '"')
                                 .text("mimeType", u"image/png"_s)
                                 .done();
    const QByteArray resource =
        json::Object().text("type", u"resource"_s).raw("resource", resourceContents(u"demo://text/notes.md"_s)).done();
    QList<QByteArray> messages{message("user", textBlock(u"What does this picture show?"_s)), message("user", image),
                               message("assistant", textBlock(u"A wave. Is it the one from these notes?"_s)),
                               message("user", resource)};
    if (withLinks) {
        const QByteArray link = json::Object()
                                    .text("type", u"resource_link"_s)
                                    .text("uri", u"demo://data/readings.json"_s)
                                    .text("name", u"readings.json"_s)
                                    .text("mimeType", u"application/json"_s)
                                    .done();
        messages.append(message("user", link));
    }
    return result(u"Messages with a picture, an embedded resource and a link"_s, messages);
}

}  // namespace

QList<QByteArray> promptDefinitions()
{
    return {
        R"({"name":"greeting","title":"A greeting","description":"No arguments, one message."})",
        R"({"name":"summarize","title":"Summarize","description":"One argument is required, one is not.","arguments":[)"
        R"({"name":"topic","title":"Topic","description":"What to summarize","required":true},)"
        R"({"name":"style","description":"short, detailed or poetic","required":false}]})",
        R"({"name":"gallery","title":"Gallery","description":"Messages of both roles with a picture, an embedded )"
        R"(resource and a link."})",
    };
}

QByteArray promptMessages(const QString &name, const QByteArray &arguments, bool withLinks, QString *problem)
{
    for (const json::Member &argument : json::members(arguments)) {
        if (!json::isString(argument.value)) {
            *problem = u"The argument '%1' must be a string."_s.arg(argument.name);
            return {};
        }
    }
    if (name == "greeting"_L1)
        return result(u"A greeting"_s, {message("user", textBlock(u"Good day! Who are you?"_s))});
    if (name == "gallery"_L1)
        return gallery(withLinks);
    if (name != "summarize"_L1) {
        *problem = u"There is no prompt '%1'."_s.arg(name);
        return {};
    }
    if (json::member(arguments, u"topic"_s).isEmpty()) {
        *problem = u"The argument 'topic' is missing."_s;
        return {};
    }
    return summarize(arguments);
}

std::optional<QStringList> promptCompletions(const QString &name, const QString &argument)
{
    if (name == "summarize"_L1 && argument == "style"_L1)
        return QStringList{u"short"_s, u"detailed"_s, u"poetic"_s};
    if (name == "greeting"_L1 || name == "summarize"_L1 || name == "gallery"_L1)
        return QStringList();
    return std::nullopt;
}

}  // namespace sonde::demo
