// SPDX-License-Identifier: Apache-2.0
#include "core/client/statefuldialect.h"

#include "core/json/builder.h"
#include "core/json/bytesearch.h"
#include "core/protocol/methods.h"

#include <QCoreApplication>
#include <algorithm>
#include <iterator>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

struct StatefulText {
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
            return StatefulText::tr("missing");
        case json::Kind::Null:
            return StatefulText::tr("null");
        case json::Kind::Bool:
            return StatefulText::tr("a boolean");
        case json::Kind::Number:
            return StatefulText::tr("a number");
        case json::Kind::String:
            return StatefulText::tr("a string");
        case json::Kind::Array:
            return StatefulText::tr("an array");
        case json::Kind::Object:
            return StatefulText::tr("an object");
    }
    return {};
}

QString shortText(const json::Value &value)
{
    constexpr qsizetype longest = 40;
    const QByteArrayView slice = value.slice();
    const QString text = QString::fromUtf8(slice.first(qMin(slice.size(), longest)));
    return slice.size() > longest ? text + u'…' : text;
}

// Spec: basic/lifecycle, "Initialization".
void checkHandshake(const json::Value &result, QStringList *findings)
{
    for (const QStringView member : {QStringView(u"capabilities"), QStringView(u"serverInfo")}) {
        if (!result[member].isObject())
            findings->append(StatefulText::tr("The response to initialize has no object '%1'.").arg(member));
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
        findings->append(StatefulText::tr("The result has no '%1'.").arg(required->member));
    else if (!member.isArray())
        findings->append(
            StatefulText::tr("'%1' is %2, not an array.").arg(required->member, nameOfKind(member.kind())));
}

// params: an object without the member, or empty.
QByteArray withToken(const QByteArray &params, const RequestId &token)
{
    QByteArray text = params.left(qMax<qsizetype>(0, params.lastIndexOf('}'))).trimmed();
    if (text.isEmpty())
        text = "{";
    if (text.size() > 1)
        text.append(',');
    return text.append("\"_meta\":{\"progressToken\":").append(token.toJson()).append("}}");
}

Outcome::Kind checkToolResult(const json::Value &result, bool structured, QStringList *findings)
{
    if (structured) {
        const json::Value content = result[u"structuredContent"];
        if (content.exists() && !content.isObject())
            findings->append(
                StatefulText::tr("'structuredContent' is %1, not an object.").arg(nameOfKind(content.kind())));
    }
    const json::Value isError = result[u"isError"];
    if (isError.exists() && !isError.isBool())
        findings->append(
            StatefulText::tr("'isError' is %1, not a boolean; it is read as false.").arg(shortText(isError)));
    return isError.toBool() ? Outcome::Kind::ToolError : Outcome::Kind::Ok;
}

}  // namespace

QByteArray StatefulDialect::initializeParams(Revision proposed, const QByteArray &capabilities)
{
    json::Builder builder;
    builder.beginObject().member(u"protocolVersion", toString(proposed));
    builder.rawMember(u"capabilities", capabilities.isEmpty() ? QByteArrayView("{}") : QByteArrayView(capabilities));
    builder.key(u"clientInfo").beginObject();
    builder.member(u"name", u"sonde"_s).member(u"title", u"Sonde"_s).member(u"version", QStringLiteral(SONDE_VERSION));
    builder.endObject().endObject();
    return builder.take();
}

bool StatefulDialect::hasBatches() const
{
    return supports(m_revision, Feature::Batches);
}

PreparedRequest StatefulDialect::prepare(const RequestBody &request, const RequestId &id,
                                         const CallOptions &options) const
{
    const QByteArray &params = request.params;
    const bool wantsToken =
        options.askForProgress && request.method != methods::Initialize && request.method != methods::Ping;
    static const CaseInsensitiveMatcher token("progressToken");
    if (!wantsToken && !token.isIn(params))
        return {params, {}, {}};
    // Without that name, and without an escape that could stand for a part of it, there is nothing to look for.
    static const CaseInsensitiveMatcher metaName("_meta");
    const bool isPlain = params.isEmpty() || (params.startsWith('{') && !params.contains('\\'));
    if (wantsToken && isPlain && !metaName.isIn(params))
        return {withToken(params, id), {}, id};

    const json::Value object = params.isEmpty() ? json::Value() : json::Document::parse(params).root();
    const json::Value meta = object[u"_meta"];
    const bool hasRoom = (params.isEmpty() || object.isObject()) && (!meta.exists() || meta.isObject());
    // What the person wrote there is what they want to send.
    if (!wantsToken || !hasRoom || meta[u"progressToken"].exists())
        return {params, {}, RequestId::fromValue(meta[u"progressToken"])};

    json::Builder builder;
    builder.beginObject();
    for (const json::Value &member : object) {
        builder.rawKey(member.keySlice());
        if (!member.isSameNode(meta)) {
            builder.value(member);
            continue;
        }
        builder.beginObject();
        for (const json::Value &entry : meta)
            builder.rawKey(entry.keySlice()).value(entry);
        builder.rawMember(u"progressToken", id.toJson()).endObject();
    }
    if (!meta.exists())
        builder.key(u"_meta").beginObject().rawMember(u"progressToken", id.toJson()).endObject();
    return {builder.endObject().take(), {}, id};
}

Interpretation StatefulDialect::interpret(QStringView method, const Message &response) const
{
    Interpretation meaning = Dialect::interpret(method, response);
    Outcome &outcome = meaning.outcome;
    const json::Value result = response.result();
    if (outcome.kind != Outcome::Kind::Ok)
        return meaning;
    // There is nothing in it of what was asked for. What has an empty result anyway has worked.
    if (!result.isObject() && methods::needsObject(method)) {
        outcome.kind = Outcome::Kind::NoResponse;
        outcome.error = {
            Error::Kind::Protocol,
            0,
            StatefulText::tr("The result of %1 is %2, not an object.").arg(method, nameOfKind(result.kind())),
            shortText(result),
            {},
            {}};
        return meaning;
    }
    if (result.isObject()) {
        if (method == methods::Initialize)
            checkHandshake(result, &outcome.findings);
        checkRequiredArray(method, result, &outcome.findings);
        if (method == methods::CallTool)
            outcome.kind = checkToolResult(result, supports(m_revision, Feature::StructuredContent), &outcome.findings);
    }
    return meaning;
}

Message StatefulDialect::cancellation(QStringView method, const RequestId &id, const QString &reason) const
{
    if (method == methods::Initialize || !id.isMatchable())
        return {};
    json::Builder builder;
    builder.beginObject().rawMember(u"requestId", id.toJson());
    if (!reason.isEmpty())
        builder.member(u"reason", reason);
    return Message::notification(methods::Cancelled, builder.endObject().take());
}

Message StatefulDialect::response(const Message &request) const
{
    if (request.method() == methods::Ping)
        return Message::response(request.id(), "{}"_ba);
    return {};
}

}  // namespace sonde
