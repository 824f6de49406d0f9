// SPDX-License-Identifier: Apache-2.0
#include "core/client/responsecheck.h"

#include "core/protocol/consenturl.h"
#include "core/protocol/messagerules.h"
#include "core/protocol/visibletext.h"
#include "core/schema/schema.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

struct ResponseText {
    Q_DECLARE_TR_FUNCTIONS(sonde::InputRequest)
};

QString problemOfElicitation(const json::Value &result)
{
    return result[u"action"].string() == u"accept" || !result[u"content"].exists()
               ? QString()
               : ResponseText::tr("'content' is allowed only with the action accept.");
}

QString problemOfRoots(const json::Value &result)
{
    qsizetype index = 0;
    for (const json::Value &root : result[u"roots"]) {
        if (!root[u"uri"].string().startsWith(u"file://"))
            return ResponseText::tr("'%1' must be a URI that begins with file://; it is %2.")
                .arg(u"roots[%1].uri"_s.arg(index), shownValue(root[u"uri"]));
        ++index;
    }
    return {};
}

// The rules of all revisions are those of one here; problemInRevision() has what differs.
QStringView shapeOf(InputRequest::Kind kind)
{
    switch (kind) {
        case InputRequest::Kind::Elicitation:
            return u"ElicitResult";
        case InputRequest::Kind::Sampling:
            return u"AnySamplingResult";
        case InputRequest::Kind::Roots:
            break;
    }
    return u"RootsResult";
}

}  // namespace

QString problemOfResponse(InputRequest::Kind kind, const json::Value &result)
{
    if (!result.isObject())
        return ResponseText::tr("A result must be a JSON object; it is %1.").arg(shownValue(result));
    const QStringList findings = shapeFindings(result, shapeOf(kind), Revision::R20251125, {});
    if (!findings.isEmpty())
        return findings.first();
    return kind == InputRequest::Kind::Elicitation ? problemOfElicitation(result)
           : kind == InputRequest::Kind::Roots     ? problemOfRoots(result)
                                                   : QString();
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
