// SPDX-License-Identifier: Apache-2.0
#include "core/client/dialect.h"

#include "core/json/builder.h"
#include "core/protocol/methods.h"

#include <QCoreApplication>
#include <algorithm>
#include <iterator>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

struct DialectText {
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
            return DialectText::tr("missing");
        case json::Kind::Null:
            return DialectText::tr("null");
        case json::Kind::Bool:
            return DialectText::tr("a boolean");
        case json::Kind::Number:
            return DialectText::tr("a number");
        case json::Kind::String:
            return DialectText::tr("a string");
        case json::Kind::Array:
            return DialectText::tr("an array");
        case json::Kind::Object:
            return DialectText::tr("an object");
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
            findings->append(DialectText::tr("The answer to initialize has no object '%1'.").arg(member));
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
        findings->append(DialectText::tr("The result has no '%1'.").arg(required->member));
    else if (!member.isArray())
        findings->append(DialectText::tr("'%1' is %2, not an array.").arg(required->member, nameOfKind(member.kind())));
}

Outcome::Kind checkToolResult(const json::Value &result, bool structured, QStringList *findings)
{
    if (structured) {
        const json::Value content = result[u"structuredContent"];
        if (content.exists() && !content.isObject())
            findings->append(
                DialectText::tr("'structuredContent' is %1, not an object.").arg(nameOfKind(content.kind())));
    }
    const json::Value isError = result[u"isError"];
    if (isError.exists() && !isError.isBool())
        findings->append(
            DialectText::tr("'isError' is %1, not a boolean; it is read as false.").arg(shortText(isError)));
    return isError.toBool() ? Outcome::Kind::ToolError : Outcome::Kind::Ok;
}

// Warnings are about text that most programs read otherwise than it looks: duplicate keys and the like.
QStringList warnings(const json::Document &document)
{
    constexpr qsizetype most = 5;
    QStringList sentences;
    for (const json::Finding &finding : document.findings()) {
        if (finding.severity != json::Finding::Severity::Warning)
            continue;
        if (sentences.size() == most) {
            sentences.append(DialectText::tr("There are more remarks of this kind."));
            break;
        }
        sentences.append(DialectText::tr("At byte %1: %2").arg(finding.offset).arg(finding.reason));
    }
    return sentences;
}

}  // namespace

QStringList formFindings(const Message &message)
{
    return message.problems() + warnings(message.document());
}

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

QByteArray StatefulDialect::decorate(QStringView method, const QByteArray &params, const RequestId &id,
                                     const CallOptions &options) const
{
    if (!options.askForProgress || method == methods::Initialize || method == methods::Ping)
        return params;

    const QByteArray token = id.toJson();
    const json::Value object = params.isEmpty() ? json::Value() : json::Document::parse(params).root();
    if (!params.isEmpty() && !object.isObject())
        return params;
    const json::Value meta = object[u"_meta"];
    // What the person wrote there is what they want to send.
    if (meta[u"progressToken"].exists() || (meta.exists() && !meta.isObject()))
        return params;

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
        builder.rawMember(u"progressToken", token).endObject();
    }
    if (!meta.exists())
        builder.key(u"_meta").beginObject().rawMember(u"progressToken", token).endObject();
    return builder.endObject().take();
}

Outcome StatefulDialect::interpret(QStringView method, const Message &response) const
{
    Outcome outcome;
    outcome.message = response;
    outcome.bytes = response.raw().size();
    const json::Value result = response.result();

    // Asked only now: the fault of a large message shows when its tree has been made.
    switch (response.kind()) {
        case Message::Kind::Error:
            outcome.kind = Outcome::Kind::ProtocolError;
            outcome.error = response.toError();
            break;
        case Message::Kind::Result:
            outcome.kind = Outcome::Kind::Ok;
            break;
        default:
            outcome.error = {
                Error::Kind::Protocol,           0,  DialectText::tr("The server's answer breaks JSON-RPC."),
                response.problems().join(u'\n'), {}, {}};
            return outcome;
    }
    outcome.findings = formFindings(response);
    // There is nothing in it of what was asked for. What has an empty result anyway has worked.
    if (outcome.kind == Outcome::Kind::Ok && !result.isObject() && methods::needsObject(method)) {
        outcome.kind = Outcome::Kind::NoResponse;
        outcome.error = {
            Error::Kind::Protocol,
            0,
            DialectText::tr("The result of %1 is %2, not an object.").arg(method, nameOfKind(result.kind())),
            shortText(result),
            {},
            {}};
        return outcome;
    }
    if (outcome.kind == Outcome::Kind::Ok && result.isObject()) {
        if (method == methods::Initialize)
            checkHandshake(result, &outcome.findings);
        checkRequiredArray(method, result, &outcome.findings);
        if (method == methods::CallTool)
            outcome.kind = checkToolResult(result, supports(Feature::StructuredContent), &outcome.findings);
    }
    return outcome;
}

Message StatefulDialect::cancellation(const RequestId &id, const QString &reason) const
{
    if (!id.isMatchable())
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
