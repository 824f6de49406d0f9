// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/remoteissues.h"

#include "core/protocol/types.h"
#include "ui/panels/validatortexts.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr qsizetype MaxTextLength = 65'536;  // longer prose is no list of problems
constexpr qsizetype MaxArguments = 262'144;  // of more than that only the text is looked at
constexpr int MaxStarts = 16;                // brackets in prose that may begin JSON

std::optional<json::Pointer> placeFrom(const json::Value &value, const json::Value &sent)
{
    if (value.isString())
        return placeFromPath(value.string(), sent);
    QStringList tokens;
    for (const json::Value &part : value.isArray() ? value : json::Value())
        tokens << (part.isString() ? part.string() : QString::fromLatin1(part.numberText()));
    return placeFromTokens(tokens, sent);
}

QString messageOf(const json::Value &entry, const QString &fallbackText)
{
    for (const auto name : {u"message", u"msg", u"reason", u"detail"}) {
        if (const QString text = entry[name].string(); !text.isEmpty())
            return text;
    }
    return fallbackText;
}

// Ajv and zod name the object, and beside it its members that are missing or unknown.
QStringList membersNamed(const json::Value &entry)
{
    const json::Value params = entry[u"params"];
    for (const auto name : {u"missingProperty", u"additionalProperty", u"unevaluatedProperty"}) {
        if (const QString member = params[name].string(); !member.isEmpty())
            return {member};
    }
    QStringList members;
    if (entry[u"code"].string() == u"unrecognized_keys") {
        for (const json::Value &key : entry[u"keys"])
            members.append(key.string());
    }
    return members;
}

void collectFrom(const json::Value &entry, const QString &fallbackText, const json::Value &sent,
                 QList<FormIssue> &issues)
{
    const QString text = messageOf(entry, fallbackText);
    for (const auto name : {u"field", u"path", u"instancePath", u"loc", u"param", u"parameter"}) {
        const json::Value place = entry[name];
        if (!place.exists())
            continue;
        const std::optional<json::Pointer> object = placeFrom(place, sent);
        const bool isTop = place.isArray() ? place.isEmpty() : place.string().isEmpty();
        const QStringList members = object || isTop ? membersNamed(entry) : QStringList();
        for (const QString &member : members)
            issues.append({object.value_or(json::Pointer()).child(member), text});
        if (!object && members.isEmpty())
            continue;
        if (members.isEmpty())
            issues.append({*object, text});
        return;
    }
}

void collect(const json::Value &data, const QString &fallbackText, const json::Value &sent, QList<FormIssue> &issues)
{
    if (data.isArray()) {
        for (const json::Value &entry : data)
            collectFrom(entry, fallbackText, sent, issues);
        return;
    }
    collectFrom(data, fallbackText, sent, issues);
    for (const auto name : {u"validation_errors", u"errors", u"issues", u"details", u"detail"}) {
        const json::Value list = data[name];
        for (const json::Value &entry : list) {
            if (list.isArray()) {
                collectFrom(entry, fallbackText, sent, issues);
                continue;
            }
            // {"name": ["The name field is required."]}
            const QString text = entry.isArray() ? entry.at(0).string() : entry.string();
            const auto place = text.isEmpty() ? std::nullopt : placeFromPath(entry.key(), sent);
            if (place)
                issues.append({*place, text});
        }
    }
}

void collectFromObject(const json::Value &data, const json::Value &sent, QList<FormIssue> &issues)
{
    collect(data, {}, sent, issues);
    if (issues.isEmpty() && data[u"error"].isObject())
        collect(data[u"error"], {}, sent, issues);
}

// JSON in prose: SDKs append their validator's list to a sentence.
void collectFromText(const QString &text, const json::Value &sent, QList<FormIssue> &issues)
{
    qsizetype from = 0;
    for (int i = 0; i < MaxStarts && issues.isEmpty(); ++i) {
        const qsizetype list = text.indexOf(u'[', from);
        const qsizetype object = text.indexOf(u'{', from);
        const qsizetype start = list < 0 ? object : object < 0 ? list : std::min(list, object);
        if (start < 0)
            return;
        const qsizetype end = text.lastIndexOf(start == list ? u']' : u'}');
        from = start + 1;
        if (end <= start)
            continue;
        const json::Document document = json::Document::parse(text.mid(start, end - start + 1).toUtf8());
        if (!document.isValid())
            continue;
        collectFromObject(document.root(), sent, issues);
        return;
    }
}

QList<FormIssue> readText(const QString &text, const json::Value &sent)
{
    if (text.size() > MaxTextLength)
        return {};
    QList<FormIssue> issues;
    collectFromText(text, sent, issues);
    return issues.isEmpty() ? issuesInText(text, sent) : issues;
}

}  // namespace

QList<FormIssue> issuesNamedBy(const Outcome &outcome, const QByteArray &arguments)
{
    QList<FormIssue> issues;
    if (outcome.kind != Outcome::Kind::ProtocolError && outcome.kind != Outcome::Kind::ToolError)
        return issues;
    const json::Value sent = arguments.size() > MaxArguments ? json::Value() : json::parse(arguments);
    if (outcome.kind == Outcome::Kind::ProtocolError) {
        collect(outcome.error.data, outcome.error.message, sent, issues);
        if (issues.isEmpty())
            issues = readText(outcome.error.message, sent);
        if (issues.isEmpty() && outcome.error.data.isString())
            issues = readText(outcome.error.data.string(), sent);
    } else {
        for (const Content &content : readContents(outcome.result()[u"content"])) {
            if (content.kind == Content::Kind::Text && content.text.slice().size() <= 6 * MaxTextLength)
                issues += readText(content.text.string(), sent);
        }
        const json::Value structured = outcome.result()[u"structuredContent"];
        if (issues.isEmpty() && structured.slice().size() <= MaxTextLength)
            collectFromObject(structured, sent, issues);
    }
    return issues;
}

}  // namespace sonde::ui
