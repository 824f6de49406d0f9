// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/validatortexts.h"

#include "core/json/document.h"

#include <QRegularExpression>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr qsizetype MaxPlaces = 50;

// "name", "name[0]", "[0].name", "name['x y'].z"; nothing for another text.
std::optional<QStringList> tokensOfPath(const QString &path)
{
    static const QRegularExpression part(
        uR"re(\G(?:\[(\d+)\]|\[(?:"([^"]*)"|'([^']*)')\]|(?:^|\.)([^\s.\[\]"'`]+)|(?:^|\.)`([^`]+)`))re"_s);
    QStringList tokens;
    qsizetype at = 0;
    while (at < path.size()) {
        const QRegularExpressionMatch match = part.match(path, at);
        if (!match.hasMatch())
            return std::nullopt;
        for (int group = 1; group <= part.captureCount(); ++group) {
            if (match.hasCaptured(group))
                tokens.append(match.captured(group));
        }
        at = match.capturedEnd();
    }
    return tokens;
}

// A member that is missing somewhere, without a word on where: at the top, if it is missing there.
std::optional<json::Pointer> missingAtTop(const QString &name, const json::Value &sent)
{
    return sent.isObject() && !sent.contains(name) ? std::optional(json::Pointer({name})) : std::nullopt;
}

// pydantic, also within FastMCP: a line with the place, and indented below it what is wrong.
//     1 validation error for addArguments
//     user.tags.0
//       Input should be a valid string [type=string_type, input_value=5, input_type=int]
QList<FormIssue> fromPydantic(const QString &text, const json::Value & /*sent*/)
{
    static const QRegularExpression opening(uR"(\b\d+ validation errors? for )"_s);
    static const QRegularExpression details(uR"(\s*[\[(]type=[^\n]*[\])]$)"_s);
    const QRegularExpressionMatch start = opening.match(text);
    if (!start.hasMatch())
        return {};
    QList<FormIssue> issues;
    const QStringList lines = text.mid(start.capturedEnd()).split(u'\n');
    for (qsizetype i = 1; i + 1 < lines.size(); ++i) {
        const QString &place = lines.at(i);
        const QString &message = lines.at(i + 1);
        if (place.isEmpty() || place.front().isSpace() || !message.startsWith("  "_L1) || !message.contains("type="_L1))
            continue;
        const QStringList tokens =
            place.contains(" -> "_L1) ? place.split(u" -> "_s) : place.trimmed().split(u'.', Qt::SkipEmptyParts);
        if (!tokens.isEmpty())
            issues.append({json::Pointer(tokens), QString(message).remove(details).trimmed()});
    }
    return issues;
}

// zod's prettifyError().
//     ✖ Invalid input: expected string, received undefined
//       → at q
QList<FormIssue> fromZodLines(const QString &text, const json::Value &sent)
{
    static const QRegularExpression entry(uR"(✖ ([^\n]+)\n\s*→ at ([^\n]+))"_s);
    QList<FormIssue> issues;
    for (auto matches = entry.globalMatch(text); matches.hasNext() && issues.size() < MaxPlaces;) {
        const QRegularExpressionMatch match = matches.next();
        if (const auto place = placeFromPath(match.captured(2).trimmed(), sent))
            issues.append({*place, match.captured(1).trimmed()});
    }
    return issues;
}

// "Invalid arguments for tool NAME: MESSAGE at a.b[0]", one line per place, is the format of the TypeScript SDK.
// Elsewhere " at " is an ordinary word.
QList<FormIssue> fromToolLines(const QString &text, const json::Value &sent)
{
    static const QRegularExpression opening(uR"(Invalid arguments for tool [^\n:]*: )"_s);
    static const QRegularExpression entry(uR"(^(.*\S) at (\S+)$)"_s);
    const QRegularExpressionMatch start = opening.match(text);
    if (!start.hasMatch())
        return {};
    QList<FormIssue> issues;
    for (const QString &line : text.mid(start.capturedEnd()).split(u'\n')) {
        const QRegularExpressionMatch match = entry.match(line);
        const auto place = match.hasMatch() ? placeFromPath(match.captured(2), sent) : std::nullopt;
        if (place)
            issues.append({*place, match.captured(1)});
    }
    return issues;
}

// Where in a value the schema at a place applies; nothing once that depends on the value.
std::optional<QStringList> placeOfSchema(const QStringList &path)
{
    QStringList tokens;
    for (qsizetype i = 0; i < path.size(); ++i) {
        const QString &keyword = path.at(i);
        const bool hasName = i + 1 < path.size();
        if (keyword == "properties"_L1 && hasName)
            tokens.append(path.at(++i));
        else if (keyword == "prefixItems"_L1 && hasName)
            tokens.append(path.at(++i));
        else if (keyword == "allOf"_L1 || keyword == "anyOf"_L1 || keyword == "oneOf"_L1)
            ++i;
        else
            return i == 0 ? std::nullopt : std::optional(tokens);  // the list or object that holds it
    }
    return tokens;
}

// github.com/google/jsonschema-go, which the Go SDK uses. The places are those of the schema.
//     validating root: validating /properties/age: type: x has type "string", want "integer"
//     validating root: required: missing properties: ["name"]
QList<FormIssue> fromGo(const QString &text, const json::Value &sent)
{
    static const QRegularExpression step(uR"(\bvalidating (root|/[^\s:]*|"arguments"): )"_s);
    static const QRegularExpression names(uR"((?:missing|additional) properties:? (\[[^\]\n]*\]))"_s);
    static const QRegularExpression name(uR"re("([^"]+)")re"_s);
    QStringList place;
    qsizetype end = -1;
    bool isKnown = true;
    for (auto matches = step.globalMatch(text); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        end = match.capturedEnd();
        if (!match.captured(1).startsWith(u'/'))
            continue;
        const auto pointer = json::Pointer::fromString(match.captured(1));
        const auto found = pointer ? placeOfSchema(pointer->tokens()) : std::nullopt;
        isKnown = isKnown && found.has_value();  // below "$defs" the place around it is known at best
        if (found)
            place = *found;
    }
    if (end < 0)
        return {};
    const QString message = text.mid(end).section(u'\n', 0, 0).trimmed();
    QList<FormIssue> issues;
    if (const QRegularExpressionMatch match = names.match(message); match.hasMatch() && isKnown) {
        for (auto all = name.globalMatch(match.captured(1)); all.hasNext();) {
            if (const auto found = placeFromTokens(place + QStringList{all.next().captured(1)}, sent))
                issues.append({*found, message});
        }
    } else if (const auto found = placeFromTokens(place, sent)) {
        issues.append({*found, message});
    }
    return issues;
}

// serde, with serde_path_to_error or without.
//     items[0].age: invalid type: string "x", expected u32 at line 1 column 20
//     missing field `name` at line 1 column 20
QList<FormIssue> fromSerde(const QString &text, const json::Value &sent)
{
    static const QString what =
        u"(?:invalid (?:type|value|length)|missing field|unknown field|unknown variant|"
        "duplicate field)"_s;
    static const QRegularExpression withPath(uR"((?:^|[\s:(])([A-Za-z_][\w.\[\]-]*): (%1\b[^\n]*))"_s.arg(what));
    static const QRegularExpression missing(uR"(\b(missing field `([^`]+)`))"_s);
    static const QRegularExpression position(uR"( at line \d+ column \d+.*$)"_s);
    if (const QRegularExpressionMatch match = withPath.match(text); match.hasMatch()) {
        // "Error: missing field" is about no member of that name.
        static const QRegularExpression title(u"^(?:error|parameters?|params|arguments?|json|cause|message|reason)$"_s,
                                              QRegularExpression::CaseInsensitiveOption);
        const QString path = match.captured(1);
        QString message = match.captured(2).remove(position);
        const QRegularExpressionMatch name = missing.match(message);
        if (!title.match(path).hasMatch()) {
            auto place = placeFromPath(path, sent);
            if (place && name.hasMatch() && place->tokens().constLast() != name.captured(2))
                place = place->child(name.captured(2));
            return place ? QList<FormIssue>{{*place, message}} : QList<FormIssue>();
        }
    }
    const QRegularExpressionMatch match = missing.match(text);
    const auto place = match.hasMatch() ? missingAtTop(match.captured(2), sent) : std::nullopt;
    return place ? QList<FormIssue>{{*place, match.captured(1)}} : QList<FormIssue>();
}

// System.Text.Json, and the C# SDK.
//     The JSON value could not be converted to System.Int32. Path: $.a.b | LineNumber: 0 | BytePositionInLine: 13.
//     The arguments dictionary is missing a value for the required parameter 'city'.
QList<FormIssue> fromDotNet(const QString &text, const json::Value &sent)
{
    static const QRegularExpression converted(uR"(([^\n]*\S)\s+Path: \$([^|\n]+?)\s*(?:\||$))"_s,
                                              QRegularExpression::MultilineOption);
    static const QRegularExpression missing(uR"(missing a value for the required parameter '([^']+)')"_s);
    if (const QRegularExpressionMatch match = missing.match(text); match.hasMatch())
        return {{json::Pointer({match.captured(1)}), match.captured()}};
    const QRegularExpressionMatch match = converted.match(text);
    const auto place = match.hasMatch() ? placeFromPath(u'$' + match.captured(2), sent) : std::nullopt;
    return place ? QList<FormIssue>{{*place, match.captured(1)}} : QList<FormIssue>();
}

// errorsText() of Ajv.
//     data/limit must be number, data must have required property 'query'
QList<FormIssue> fromAjv(const QString &text, const json::Value & /*sent*/)
{
    static const QString root = u"(?:data|arguments|params)"_s;
    static const QRegularExpression entry(
        uR"((?:^|[\s,:(])%1((?:/[^\s/,:]+)*) (must (?:(?!, %1[/ ])[^\n])+))"_s.arg(root));
    static const QRegularExpression missing(uR"(^must have required property '([^']+)')"_s);
    QList<FormIssue> issues;
    for (auto matches = entry.globalMatch(text); matches.hasNext() && issues.size() < MaxPlaces;) {
        const QRegularExpressionMatch match = matches.next();
        const auto pointer = json::Pointer::fromString(match.captured(1));
        if (!pointer)
            continue;
        QStringList tokens = pointer->tokens();
        if (const QRegularExpressionMatch name = missing.match(match.captured(2)); name.hasMatch())
            tokens.append(name.captured(1));
        if (!tokens.isEmpty())
            issues.append({json::Pointer(tokens), match.captured(2)});
    }
    return issues;
}

// jsonschema of Python, in short as the low-level server of the Python SDK has it, or in full.
//     Input validation error: 'query' is a required property
//     5 is not of type 'string' … On instance['items'][0]['name']:
QList<FormIssue> fromPython(const QString &text, const json::Value &sent)
{
    static const QRegularExpression missing(uR"('([^'\n]+)' is a required property)"_s);
    static const QRegularExpression instance(uR"(^On instance((?:\[[^\]\n]+\])*):)"_s,
                                             QRegularExpression::MultilineOption);
    const QRegularExpressionMatch name = missing.match(text);
    const QRegularExpressionMatch on = instance.match(text);
    if (on.hasMatch()) {
        const QString message = text.section(u'\n', 0, 0).trimmed();
        QStringList tokens = tokensOfPath(on.captured(1)).value_or(QStringList());
        if (name.hasMatch())
            tokens.append(name.captured(1));
        const auto place = placeFromTokens(tokens, sent);
        return place ? QList<FormIssue>{{*place, message}} : QList<FormIssue>();
    }
    const auto place = name.hasMatch() ? missingAtTop(name.captured(1), sent) : std::nullopt;
    return place ? QList<FormIssue>{{*place, name.captured()}} : QList<FormIssue>();
}

// Jackson: … (through reference chain: com.example.Order["items"]->java.util.ArrayList[0]->com.example.Item["age"])
QList<FormIssue> fromJackson(const QString &text, const json::Value &sent)
{
    static const QRegularExpression chain(uR"(\(through reference chain: ([^\n]+)\))"_s);
    static const QRegularExpression part(uR"re(\[(?:"([^"]+)"|(\d+))\])re"_s);
    const QRegularExpressionMatch match = chain.match(text);
    if (!match.hasMatch())
        return {};
    QStringList tokens;
    for (auto parts = part.globalMatch(match.captured(1)); parts.hasNext();) {
        const QRegularExpressionMatch each = parts.next();
        tokens.append(each.captured(each.hasCaptured(1) ? 1 : 2));
    }
    const auto place = placeFromTokens(tokens, sent);
    return place ? QList<FormIssue>{{*place, text.section(u'\n', 0, 0).trimmed()}} : QList<FormIssue>();
}

}  // namespace

std::optional<json::Pointer> placeFromTokens(QStringList tokens, const json::Value &sent)
{
    const QString first = tokens.value(0);
    const bool isPrefix = first == u"body" || first == u"arguments" || first == u"params";
    if (isPrefix && tokens.size() > 1 && !sent.contains(first))
        tokens.removeFirst();
    return tokens.isEmpty() ? std::nullopt : std::optional(json::Pointer(tokens));
}

std::optional<json::Pointer> placeFromPath(const QString &path, const json::Value &sent)
{
    if (path.startsWith(u'/')) {
        const auto pointer = json::Pointer::fromString(path);
        return pointer ? placeFromTokens(pointer->tokens(), sent) : std::nullopt;
    }
    QString text = path;
    if (text.startsWith(u'$'))
        text.remove(0, text.startsWith("$."_L1) ? 2 : 1);
    const std::optional<QStringList> tokens = tokensOfPath(text);
    return tokens ? placeFromTokens(*tokens, sent) : std::nullopt;
}

QList<FormIssue> issuesInText(const QString &text, const json::Value &sent)
{
    for (const auto read :
         {fromPydantic, fromZodLines, fromToolLines, fromGo, fromDotNet, fromAjv, fromJackson, fromPython, fromSerde}) {
        if (const QList<FormIssue> issues = read(text, sent); !issues.isEmpty())
            return issues;
    }
    return {};
}

}  // namespace sonde::ui
