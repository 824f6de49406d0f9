// SPDX-License-Identifier: Apache-2.0
#include "core/client/responsecheck.h"

#include "core/protocol/consenturl.h"
#include "core/protocol/visibletext.h"
#include "core/schema/schema.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

struct ResponseText {
    Q_DECLARE_TR_FUNCTIONS(sonde::InputRequest)
};

QString written(const json::Value &value)
{
    return value.exists() ? visibleLine(QString::fromUtf8(value.bytes().left(200)), 40) : ResponseText::tr("missing");
}

QString mustBe(const QString &member, const QString &what, const json::Value &value)
{
    return ResponseText::tr("'%1' must be %2; it is %3.").arg(member, what, written(value));
}

bool isFormValue(const json::Value &value)
{
    if (value.isArray()) {
        for (const json::Value &each : value) {
            if (!each.isString())
                return false;
        }
        return true;
    }
    return value.isString() || value.isNumber() || value.isBool();
}

QString problemOfElicitation(const json::Value &result)
{
    const json::Value action = result[u"action"];
    const QString word = action.string();
    if (word != u"accept" && word != u"decline" && word != u"cancel")
        return mustBe(u"action"_s, ResponseText::tr("accept, decline or cancel"), action);
    const json::Value content = result[u"content"];
    if (!content.exists())
        return {};
    if (word != u"accept")
        return ResponseText::tr("'content' is allowed only with the action accept.");
    if (!content.isObject())
        return mustBe(u"content"_s, ResponseText::tr("an object"), content);
    for (const json::Value &member : content) {
        if (!isFormValue(member))
            return mustBe(u"content."_s + visibleLine(member.key(), 40),
                          ResponseText::tr("a string, a number, a boolean or a list of strings"), member);
    }
    return {};
}

QString problemOfSampling(const json::Value &result)
{
    if (const QString role = result[u"role"].string(); role != u"assistant" && role != u"user")
        return mustBe(u"role"_s, ResponseText::tr("assistant or user"), result[u"role"]);
    if (!result[u"model"].isString())
        return mustBe(u"model"_s, ResponseText::tr("a string"), result[u"model"]);
    const json::Value content = result[u"content"];
    const auto isBlock = [](const json::Value &block) { return block.isObject() && block[u"type"].isString(); };
    bool isUsable = content.isArray() || isBlock(content);
    for (const json::Value &block : content.isArray() ? content : json::Value())
        isUsable = isUsable && isBlock(block);
    return isUsable ? QString()
                    : mustBe(u"content"_s, ResponseText::tr("an object with a 'type', or a list of them"), content);
}

QString problemOfRoots(const json::Value &result)
{
    const json::Value roots = result[u"roots"];
    if (!roots.isArray())
        return mustBe(u"roots"_s, ResponseText::tr("a list"), roots);
    qsizetype index = 0;
    for (const json::Value &root : roots) {
        const QString place = u"roots[%1]"_s.arg(index++);
        if (!root[u"uri"].string().startsWith(u"file://"))
            return mustBe(place + u".uri"_s, ResponseText::tr("a URI that begins with file://"), root[u"uri"]);
        if (root.contains(u"name") && !root[u"name"].isString())
            return mustBe(place + u".name"_s, ResponseText::tr("a string"), root[u"name"]);
    }
    return {};
}

}  // namespace

QString problemOfResponse(InputRequest::Kind kind, const json::Value &result)
{
    if (!result.isObject())
        return ResponseText::tr("A result must be a JSON object; it is %1.").arg(written(result));
    switch (kind) {
        case InputRequest::Kind::Elicitation:
            return problemOfElicitation(result);
        case InputRequest::Kind::Sampling:
            return problemOfSampling(result);
        case InputRequest::Kind::Roots:
            break;
    }
    return problemOfRoots(result);
}

QString problemInRevision(const InputRequest &request, const json::Value &result)
{
    const Revision revision = request.revision();
    const json::Value content = result[u"content"];
    if (request.kind() == InputRequest::Kind::Sampling) {
        if (content.isArray() && !supports(revision, Feature::ToolsInSampling))
            return ResponseText::tr("'content' must be one object, not a list, in revision %1.")
                .arg(toString(revision));
        bool usesTools = content[u"type"].string() == u"tool_use";
        for (const json::Value &block : content.isArray() ? content : json::Value())
            usesTools = usesTools || block[u"type"].string() == u"tool_use";
        if (usesTools && !request.params().contains(u"tools"))
            return ResponseText::tr("'content' uses a tool; the request offers none.");
    }
    if (request.kind() != InputRequest::Kind::Elicitation || supports(revision, Feature::ListsInForms))
        return {};
    for (const json::Value &member : content) {
        if (member.isArray())
            return ResponseText::tr("'content.%1' must not be a list in revision %2.")
                .arg(visibleLine(member.key(), 40), toString(revision));
    }
    return {};
}

QString problemOfResponse(const InputRequest &request, const json::Value &result)
{
    if (const QString problem = problemOfResponse(request.kind(), result); !problem.isEmpty())
        return problem;
    if (const QString problem = problemInRevision(request, result); !problem.isEmpty())
        return problem;
    if (request.kind() != InputRequest::Kind::Elicitation || result[u"action"].string() != u"accept")
        return {};
    const json::Value params = request.params();
    const json::Value content = result[u"content"];
    if (params[u"mode"].string() == u"url")
        return content.exists() ? ResponseText::tr("URL elicitation: the response must not have 'content'.")
                                : ConsentUrl::fromText(params[u"url"].string()).refusal;
    const json::Value requested = params[u"requestedSchema"];
    if (!requested.isObject())
        return {};
    if (!content.exists())
        return ResponseText::tr("Form elicitation: the response must have 'content'.");
    for (const schema::Issue &issue : schema::Schema(requested).validate(content)) {
        if (!issue.notChecked)
            return ResponseText::tr("'content%1' does not match the requestedSchema: %2.")
                .arg(issue.instance.isRoot() ? QString() : visibleLine(issue.instance.toString(), 80), issue.message);
    }
    return {};
}

}  // namespace sonde
