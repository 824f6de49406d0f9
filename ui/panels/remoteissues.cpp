// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/remoteissues.h"

#include "core/json/builder.h"
#include "core/protocol/types.h"

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr qsizetype MaxTextLength = 65'536;  // longer prose is no list of problems

// "a/b", "/a/b", "a.b[0]" or ["a", 0]; some servers prefix the place of the arguments.
std::optional<json::Pointer> placeFrom(const json::Value &value)
{
    QStringList tokens;
    if (value.isArray()) {
        for (const json::Value &part : value)
            tokens << (part.isString() ? part.string() : QString::fromLatin1(part.numberText()));
    } else if (value.isString()) {
        QString text = value.string();
        if (text.startsWith(u'/')) {
            if (const auto pointer = json::Pointer::fromString(text))
                tokens = pointer->tokens();
        } else {
            text.replace(u'[', u'.').remove(u']');
            tokens = text.split(u'.', Qt::SkipEmptyParts);
        }
    }
    if (!tokens.isEmpty() &&
        (tokens.first() == u"body" || tokens.first() == u"arguments" || tokens.first() == u"params"))
        tokens.removeFirst();
    if (tokens.isEmpty())
        return {};
    return json::Pointer(tokens);
}

void collectFrom(const json::Value &entry, const QString &fallbackText, QList<FormIssue> &issues)
{
    for (const QString &name : {u"field"_s, u"path"_s, u"instancePath"_s, u"loc"_s, u"param"_s, u"parameter"_s}) {
        const auto place = placeFrom(entry[name]);
        if (!place)
            continue;
        QString text = entry[u"message"].string();
        if (text.isEmpty())
            text = entry[u"msg"].string(entry[u"reason"].string(fallbackText));
        issues.append({*place, text});
        return;
    }
}

void collect(const json::Value &data, const QString &fallbackText, QList<FormIssue> &issues)
{
    if (data.isArray()) {
        for (const json::Value &entry : data)
            collectFrom(entry, fallbackText, issues);
        return;
    }
    collectFrom(data, fallbackText, issues);
    for (const QString &name : {u"validation_errors"_s, u"errors"_s, u"issues"_s, u"details"_s}) {
        for (const json::Value &entry : data[name])
            collectFrom(entry, fallbackText, issues);
    }
}

// The first array or object in prose: SDKs append their validator's list to a sentence.
void collectFromText(const QString &text, QList<FormIssue> &issues)
{
    if (text.size() > MaxTextLength)
        return;
    const qsizetype start = text.indexOf(QLatin1Char('['));
    if (start < 0)
        return;
    const qsizetype end = text.lastIndexOf(QLatin1Char(']'));
    if (end <= start)
        return;
    const json::Document document = json::Document::parse(text.mid(start, end - start + 1).toUtf8());
    if (document.isValid())
        collect(document.root(), {}, issues);
}

// "Input validation error: Invalid arguments for tool NAME: MESSAGE at a.b[0]", one line per place, is the format of
// the TypeScript SDK. Elsewhere " at " is an ordinary word.
void collectFromLines(const QString &text, QList<FormIssue> &issues)
{
    const QString opening = u"Invalid arguments for tool "_s;
    const qsizetype start = text.indexOf(opening);
    const qsizetype colon = start < 0 ? -1 : text.indexOf(u": "_s, start + opening.size());
    if (colon < 0 || text.size() > MaxTextLength)
        return;
    const QString at = u" at "_s;
    for (const QString &line : text.mid(colon + 2).split(u'\n')) {
        const qsizetype split = line.lastIndexOf(at);
        const QString path = split < 0 ? QString() : line.mid(split + at.size()).trimmed();
        if (path.isEmpty() || path.contains(u' '))
            continue;
        if (const auto place = placeFrom(json::parse(json::quoted(path))))
            issues.append({*place, line.left(split)});
    }
}

}  // namespace

QList<FormIssue> issuesNamedBy(const Outcome &outcome)
{
    QList<FormIssue> issues;
    if (outcome.kind == Outcome::Kind::ProtocolError) {
        collect(outcome.error.data, outcome.error.message, issues);
        if (issues.isEmpty())
            collectFromText(outcome.error.message, issues);
        if (issues.isEmpty())
            collectFromLines(outcome.error.message, issues);
    } else if (outcome.kind == Outcome::Kind::ToolError) {
        for (const Content &content : readContents(outcome.result()[u"content"])) {
            if (content.kind != Content::Kind::Text || content.text.slice().size() > 6 * MaxTextLength)
                continue;
            const QString text = content.text.string();
            collectFromText(text, issues);
            if (issues.isEmpty())
                collectFromLines(text, issues);
        }
    }
    return issues;
}

}  // namespace sonde::ui
