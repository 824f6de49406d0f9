// SPDX-License-Identifier: Apache-2.0
#include "core/client/requestcheck.h"

#include "core/protocol/messagerules.h"
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

// A value of the field must be something that a response can hold. Fields of an unknown type are filled in as JSON.
QString problemOfField(const QString &place, const json::Value &field, Revision revision)
{
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

QString problemOfElicitation(const json::Value &params, const json::Value &declared, Revision revision)
{
    const bool isUrl = params[u"mode"].string() == u"url";
    if (isUrl && !declared.contains(u"url"))
        return RequestText::tr("The server asks to open a URL, but the client did not declare elicitation.url.");
    if (!isUrl && declared.contains(u"url") && !declared.contains(u"form"))
        return RequestText::tr("The server asks to fill in a form, but the client did not declare elicitation.form.");
    for (const json::Value &field : isUrl ? json::Value() : params[u"requestedSchema"][u"properties"]) {
        const QString place = u"requestedSchema.properties."_s + visibleLine(field.key(), MaxShown);
        if (const QString problem = problemOfField(place, field, revision); !problem.isEmpty())
            return problem;
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

QString problemOfMessages(const json::Value &messages)
{
    QSet<QString> expected;  // results, of tools that the message before wants to use
    qsizetype index = 0;
    for (const json::Value &message : messages) {
        const QString place = u"messages[%1]"_s.arg(index++);
        const ToolBlocks blocks = toolBlocksOf(message[u"content"]);
        if (message[u"role"].string() == u"user" ? !blocks.uses.isEmpty() : !blocks.results.isEmpty())
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
    return problemOfMessages(params[u"messages"]);
}

}  // namespace

QString problemOfRequest(InputRequest::Kind kind, const json::Value &params, const json::Value &capabilities,
                         Revision revision)
{
    if (kind == InputRequest::Kind::Roots && !params.exists())
        return {};
    const QStringList findings = shapeFindings(params, InputRequest::methodOf(kind), revision, u"params"_s);
    if (!findings.isEmpty() || kind == InputRequest::Kind::Roots)
        return findings.value(0);
    return kind == InputRequest::Kind::Elicitation
               ? problemOfElicitation(params, capabilities[u"elicitation"], revision)
               : problemOfSampling(params, capabilities[u"sampling"]);
}

}  // namespace sonde
