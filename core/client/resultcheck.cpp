// SPDX-License-Identifier: Apache-2.0
#include "core/client/resultcheck.h"

#include "core/protocol/methods.h"

#include <QCoreApplication>
#include <algorithm>
#include <iterator>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

struct ResultCheckText {
    Q_DECLARE_TR_FUNCTIONS(sonde::Dialect)
};

// The array without which a result of this method says nothing.
struct RequiredArray {
    QStringView method;
    QStringView member;
};
constexpr RequiredArray RequiredArrays[] = {
    {methods::ListTools, u"tools"},
    {methods::ListResources, u"resources"},
    {methods::ListResourceTemplates, u"resourceTemplates"},
    {methods::ListPrompts, u"prompts"},
    {methods::ReadResource, u"contents"},
    {methods::GetPrompt, u"messages"},
    {methods::CallTool, u"content"},
};

QString nameOfKind(json::Kind kind)
{
    switch (kind) {
        case json::Kind::Missing:
            return ResultCheckText::tr("missing");
        case json::Kind::Null:
            return ResultCheckText::tr("null");
        case json::Kind::Bool:
            return ResultCheckText::tr("a boolean");
        case json::Kind::Number:
            return ResultCheckText::tr("a number");
        case json::Kind::String:
            return ResultCheckText::tr("a string");
        case json::Kind::Array:
            return ResultCheckText::tr("an array");
        case json::Kind::Object:
            return ResultCheckText::tr("an object");
    }
    return {};
}

QString shortText(const json::Value &value)
{
    constexpr qsizetype maxLength = 40;
    const QByteArrayView slice = value.slice();
    const QString text = QString::fromUtf8(slice.first(qMin(slice.size(), maxLength)));
    return slice.size() > maxLength ? text + u'…' : text;
}

// Spec: basic/lifecycle, "Initialization"; server/discover.
void checkStart(QStringView method, const json::Value &result, QStringList *findings)
{
    for (const QStringView member : {QStringView(u"capabilities"), QStringView(u"serverInfo")}) {
        if (!result[member].isObject() && (method == methods::Initialize || member == u"capabilities"))
            findings->append(ResultCheckText::tr("The response to %1 has no object '%2'.").arg(method, member));
    }
}

void checkRequiredArray(QStringView method, const json::Value &result, QStringList *findings)
{
    const auto *required = std::find_if(std::begin(RequiredArrays), std::end(RequiredArrays),
                                        [method](const RequiredArray &entry) { return entry.method == method; });
    if (required == std::end(RequiredArrays))
        return;
    // The response to a call that was made a task (2025-11-25) carries the task instead of a content.
    if (method == methods::CallTool && result[u"task"].isObject())
        return;
    const json::Value member = result[required->member];
    if (!member.exists())
        findings->append(ResultCheckText::tr("The result has no '%1'.").arg(required->member));
    else if (!member.isArray())
        findings->append(
            ResultCheckText::tr("'%1' is %2, not an array.").arg(required->member, nameOfKind(member.kind())));
}

Outcome::Kind checkToolResult(const json::Value &result, bool structured, QStringList *findings)
{
    if (structured) {
        const json::Value content = result[u"structuredContent"];
        if (content.exists() && !content.isObject())
            findings->append(
                ResultCheckText::tr("'structuredContent' is %1, not an object.").arg(nameOfKind(content.kind())));
    }
    const json::Value isError = result[u"isError"];
    if (isError.exists() && !isError.isBool())
        findings->append(
            ResultCheckText::tr("'isError' is %1, not a boolean; it is read as false.").arg(shortText(isError)));
    return isError.toBool() ? Outcome::Kind::ToolError : Outcome::Kind::Ok;
}

}  // namespace

void checkResult(QStringView method, bool structuredIsObject, Outcome *outcome)
{
    const json::Value result = outcome->message.result();
    if (outcome->kind != Outcome::Kind::Ok)
        return;
    // There is nothing in it of what was asked for. What has an empty result anyway has worked.
    if (!result.isObject() && methods::needsObject(method)) {
        outcome->kind = Outcome::Kind::NoResponse;
        outcome->error = {
            Error::Kind::Protocol,
            0,
            ResultCheckText::tr("The result of %1 is %2, not an object.").arg(method, nameOfKind(result.kind())),
            shortText(result),
            {},
            {}};
        return;
    }
    if (!result.isObject())
        return;
    if (method == methods::Initialize || (method == methods::Discover && result[u"supportedVersions"].isArray()))
        checkStart(method, result, &outcome->findings);
    checkRequiredArray(method, result, &outcome->findings);
    if (method == methods::CallTool)
        outcome->kind = checkToolResult(result, structuredIsObject, &outcome->findings);
}

}  // namespace sonde
