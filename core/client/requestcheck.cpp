// SPDX-License-Identifier: Apache-2.0
#include "core/client/requestcheck.h"

#include "core/protocol/visibletext.h"

#include <QCoreApplication>
#include <QSet>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr int MaxShown = 40;

struct RequestText {
    Q_DECLARE_TR_FUNCTIONS(sonde::InputRequest)
};

QString isNot(const QString &member, const QString &wanted, const json::Value &value)
{
    return value.exists() ? RequestText::tr("'%1' must be %2; it is %3.")
                                .arg(member, wanted, visibleLine(QString::fromUtf8(value.bytes().left(200)), MaxShown))
                          : RequestText::tr("'%1' is missing; it must be %2.").arg(member, wanted);
}

// A value of the field must be something that a response can hold. Fields of an unknown type are filled in as JSON.
QString problemOfField(const QString &place, const json::Value &field, Revision revision)
{
    if (!field.isObject())
        return isNot(place, RequestText::tr("an object"), field);
    const QString type = field[u"type"].string();
    bool isNested = type == u"object" || field.contains(u"properties");
    for (const json::Value &each : field[u"type"].isArray() ? field[u"type"] : json::Value())
        isNested = isNested || each.string() == u"object";
    if (isNested)
        return RequestText::tr("'%1' is an object; forms are flat.").arg(place);
    if (type != u"array")
        return {};
    if (!supports(revision, Feature::ListsInForms))
        return RequestText::tr("'%1' is a list, which forms of revision %2 do not allow.")
            .arg(place, toString(revision));
    const json::Value items = field[u"items"];
    if (const QString of = items[u"type"].string(u"string"_s); !items.isObject() || of != u"string")
        return RequestText::tr("'%1' must be a list of strings.").arg(place);
    return {};
}

QString problemOfForm(const json::Value &params, Revision revision)
{
    const json::Value schema = params[u"requestedSchema"];
    if (!schema.isObject())
        return isNot(u"requestedSchema"_s, RequestText::tr("an object"), schema);
    if (schema[u"type"].string() != u"object")
        return isNot(u"requestedSchema.type"_s, u"\"object\""_s, schema[u"type"]);
    const json::Value properties = schema[u"properties"];
    if (!properties.isObject())
        return isNot(u"requestedSchema.properties"_s, RequestText::tr("an object"), properties);
    for (const json::Value &field : properties) {
        const QString place = u"requestedSchema.properties."_s + visibleLine(field.key(), MaxShown);
        if (const QString problem = problemOfField(place, field, revision); !problem.isEmpty())
            return problem;
    }
    return {};
}

QString problemOfElicitation(const json::Value &params, const json::Value &declared, Revision revision)
{
    const QString mode = params[u"mode"].string(params.contains(u"mode") ? QString() : u"form"_s);
    if (mode != u"form" && mode != u"url")
        return isNot(u"mode"_s, RequestText::tr("form or url"), params[u"mode"]);
    const bool isUrl = mode == u"url";
    if (isUrl && !declared.contains(u"url"))
        return RequestText::tr("The server asks to open a URL, but the client did not declare elicitation.url.");
    if (!isUrl && declared.contains(u"url") && !declared.contains(u"form"))
        return RequestText::tr("The server asks to fill in a form, but the client did not declare elicitation.form.");
    if (!params[u"message"].isString())
        return isNot(u"message"_s, RequestText::tr("a string"), params[u"message"]);
    if (!isUrl)
        return problemOfForm(params, revision);
    for (const QString &member : {u"url"_s, u"elicitationId"_s}) {
        const bool isNeeded = member == u"url" || supports(revision, Feature::ElicitationIds);
        if (isNeeded && params[member].string().isEmpty())
            return isNot(member, RequestText::tr("a string that is not empty"), params[member]);
    }
    return {};
}

// The tools that a message wants to use, and those whose results it brings.
struct ToolBlocks {
    QSet<QString> uses;
    QSet<QString> results;
    bool hasOthers = false;
};

ToolBlocks toolBlocksOf(const json::Value &content)
{
    ToolBlocks blocks;
    const auto take = [&blocks](const json::Value &block) {
        const QString type = block[u"type"].string();
        if (type == u"tool_use")
            blocks.uses.insert(block[u"id"].string());
        else if (type == u"tool_result")
            blocks.results.insert(block[u"toolUseId"].string());
        else
            blocks.hasOthers = true;
    };
    if (!content.isArray())
        take(content);
    for (const json::Value &block : content.isArray() ? content : json::Value())
        take(block);
    return blocks;
}

QString problemOfContent(const QString &place, const json::Value &content)
{
    const QString block = RequestText::tr("an object with a 'type'");
    const auto isBlock = [](const json::Value &value) { return value.isObject() && value[u"type"].isString(); };
    if (!content.isArray())
        return isBlock(content) ? QString() : isNot(place, block, content);
    qsizetype index = 0;
    for (const json::Value &each : content) {
        if (!isBlock(each))
            return isNot(u"%1[%2]"_s.arg(place).arg(index), block, each);
        ++index;
    }
    return {};
}

QString problemOfMessages(const json::Value &messages)
{
    if (!messages.isArray())
        return isNot(u"messages"_s, RequestText::tr("a list"), messages);
    QSet<QString> expected;  // results, of tools that the message before wants to use
    qsizetype index = 0;
    for (const json::Value &message : messages) {
        const QString place = u"messages[%1]"_s.arg(index++);
        const json::Value role = message[u"role"];
        if (role.string() != u"user" && role.string() != u"assistant")
            return isNot(place + u".role"_s, RequestText::tr("user or assistant"), role);
        const json::Value content = message[u"content"];
        if (const QString problem = problemOfContent(place + u".content"_s, content); !problem.isEmpty())
            return problem;
        const ToolBlocks blocks = toolBlocksOf(content);
        if (role.string() == u"user" ? !blocks.uses.isEmpty() : !blocks.results.isEmpty())
            return RequestText::tr("'%1' must not use tools as user, nor bring their results as assistant.").arg(place);
        if (!blocks.results.isEmpty() && (blocks.hasOthers || !blocks.uses.isEmpty()))
            return RequestText::tr("'%1' mixes tool results with other content.").arg(place);
        if (blocks.results != expected)
            return expected.isEmpty()
                       ? RequestText::tr("'%1' has results of tools that the previous message did not use.").arg(place)
                       : RequestText::tr(
                             "'%1' must have exactly the results of the tools that the previous message uses.")
                             .arg(place);
        expected = blocks.uses;
    }
    return expected.isEmpty() ? QString()
                              : RequestText::tr("The last message uses tools, but their results do not follow.");
}

QString problemOfSampling(const json::Value &params, const json::Value &declared)
{
    if ((params.contains(u"tools") || params.contains(u"toolChoice")) && !declared.contains(u"tools"))
        return RequestText::tr(
            "The server wants tools to be used while sampling, but the client did not declare sampling.tools.");
    if (const QString problem = problemOfMessages(params[u"messages"]); !problem.isEmpty())
        return problem;
    return params[u"maxTokens"].isNumber() ? QString()
                                           : isNot(u"maxTokens"_s, RequestText::tr("a number"), params[u"maxTokens"]);
}

}  // namespace

QString problemOfRequest(InputRequest::Kind kind, const json::Value &params, const json::Value &capabilities,
                         Revision revision)
{
    if (kind == InputRequest::Kind::Roots)
        return params.exists() && !params.isNull() && !params.isObject()
                   ? isNot(u"params"_s, RequestText::tr("an object"), params)
                   : QString();
    if (!params.isObject())
        return isNot(u"params"_s, RequestText::tr("an object"), params);
    return kind == InputRequest::Kind::Elicitation
               ? problemOfElicitation(params, capabilities[u"elicitation"], revision)
               : problemOfSampling(params, capabilities[u"sampling"]);
}

}  // namespace sonde
