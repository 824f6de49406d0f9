// SPDX-License-Identifier: Apache-2.0
#include "ui/form/hints.h"

#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "core/redact/secretnames.h"
#include "ui/form/texts.h"

#include <QRegularExpression>
#include <algorithm>
#include <initializer_list>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

QString number(const json::Value &value)
{
    return QString::fromLatin1(value.numberText());
}

// Bounds of a language's integer type are of no use to the user.
bool isMachineLimit(const QString &text)
{
    return text.size() >= 10 && (text.contains("9007199254740991"_L1) || text.contains("2147483647"_L1) ||
                                 text.contains("2147483648"_L1) || text.contains("9223372036854775"_L1));
}

QString range(const QString &low, const QString &high)
{
    if (!low.isEmpty() && !high.isEmpty())
        return low == high ? low : FormText::tr("%1 – %2").arg(low, high);
    if (!low.isEmpty())
        return FormText::tr("≥ %1").arg(low);
    return high.isEmpty() ? QString() : FormText::tr("≤ %1").arg(high);
}

QString numberLimits(const Shape &shape)
{
    const auto bound = [&shape](QStringView name) {
        const json::Value value = shape.keyword(name);
        const QString text = value.isNumber() ? number(value) : QString();
        return isMachineLimit(text) ? QString() : text;
    };
    QStringList parts;
    const QString above = bound(u"exclusiveMinimum");
    const QString below = bound(u"exclusiveMaximum");
    if (!above.isEmpty())
        parts.append(FormText::tr("> %1").arg(above));
    if (!below.isEmpty())
        parts.append(FormText::tr("< %1").arg(below));
    if (const QString closed = range(bound(u"minimum"), bound(u"maximum")); !closed.isEmpty())
        parts.append(closed);
    if (const QString step = bound(u"multipleOf"); !step.isEmpty())
        parts.append(FormText::tr("multiple of %1").arg(step));
    return parts.join(u" · "_s);
}

// "1–80 characters"; the two texts are the unit's singular and plural.
QString countLimits(const Shape &shape, QStringView minKeyword, QStringView maxKeyword, const QString &one,
                    const QString &many)
{
    const json::Value low = shape.keyword(minKeyword);
    const json::Value high = shape.keyword(maxKeyword);
    const QString lowText = low.isNumber() && number(low) != "0"_L1 ? number(low) : QString();
    const QString highText = high.isNumber() ? number(high) : QString();
    if (lowText.isEmpty() && highText.isEmpty())
        return {};
    QString limits = lowText + u'–' + highText;
    if (lowText.isEmpty())
        limits = FormText::tr("max %1").arg(highText);
    else if (highText.isEmpty())
        limits = FormText::tr("min %1").arg(lowText);
    else if (lowText == highText)
        limits = lowText;
    return limits + u' ' + ((highText.isEmpty() ? lowText : highText) == "1"_L1 ? one : many);
}

// "string, integer or null"
QString alternatives(QStringList names)
{
    if (names.size() < 2)
        return names.value(0);
    const QString last = names.takeLast();
    return FormText::tr("%1 or %2").arg(names.join(u", "_s), last);
}

// A list of lists of lists … may refer to itself.
constexpr int MaxWordDepth = 3;

QStringList branchNames(const ShapeValues &values, const Shape &shape)
{
    QStringList names;
    for (qsizetype i = 0; i < shape.branches.size() && i < 5; ++i)
        names.append(visibleLine(values.branchLabel(shape, i), 24));
    if (shape.branches.size() > names.size())
        names.append(u"…"_s);
    names.removeDuplicates();
    return names;
}

QString typesWord(const ShapeValues &values, const Shape &shape, int depth);

QString typeWord(const ShapeValues &values, const Shape &shape, int depth = 0)
{
    switch (shape.kind) {
        case Shape::Kind::Text: {
            const QString format = shape.text(u"format");
            return format.isEmpty() ? FormText::tr("string") : visibleLine(format, 40);
        }
        case Shape::Kind::Number:
            return shape.isInteger() ? FormText::tr("integer") : FormText::tr("number");
        case Shape::Kind::Boolean:
            return FormText::tr("boolean");
        case Shape::Kind::Choice:
            return shape.choices.isEmpty()
                       ? FormText::tr("no choices")
                       : counted(shape.choices.size(), FormText::tr("1 choice"), FormText::tr("%1 choices"));
        case Shape::Kind::Constant:
            return FormText::tr("constant");
        case Shape::Kind::Object:
            if (!shape.propertyNames().isEmpty())
                return FormText::tr("object");
            if (!shape.isMap())
                return FormText::tr("empty object");
            return depth < MaxWordDepth ? FormText::tr("map of %1")
                                              .arg(typesWord(values, values.reader().extraMember(shape, {}), depth + 1))
                                        : FormText::tr("map");
        case Shape::Kind::List:
            return depth < MaxWordDepth
                       ? FormText::tr("list of %1").arg(typesWord(values, values.reader().item(shape, 0), depth + 1))
                       : FormText::tr("list");
        case Shape::Kind::Union:
            return alternatives(branchNames(values, shape));
        case Shape::Kind::AnyJson:
            if (shape.node().isBool() && !shape.node().toBool())
                return FormText::tr("no valid value");
            if (shape.type == "object"_L1)
                return FormText::tr("any object");
            return shape.type == "array"_L1 ? FormText::tr("any list") : FormText::tr("any JSON");
        case Shape::Kind::Undrawn:
            return visibleLine(shape.type, 40);
    }
    return {};
}

// The plural of a list's or map's type: "strings".
QString typesWord(const ShapeValues &values, const Shape &shape, int depth)
{
    switch (shape.kind) {
        case Shape::Kind::Text: {
            const QString format = shape.text(u"format");
            return format.isEmpty() ? FormText::tr("strings") : FormText::tr("%1 strings").arg(visibleLine(format, 40));
        }
        case Shape::Kind::Number:
            return shape.isInteger() ? FormText::tr("integers") : FormText::tr("numbers");
        case Shape::Kind::Boolean:
            return FormText::tr("booleans");
        case Shape::Kind::Choice:
            return FormText::tr("choices");
        case Shape::Kind::Constant:
            return FormText::tr("constants");
        case Shape::Kind::Object:
            if (!shape.propertyNames().isEmpty())
                return FormText::tr("objects");
            if (!shape.isMap())
                return FormText::tr("empty objects");
            return depth < MaxWordDepth ? FormText::tr("maps of %1")
                                              .arg(typesWord(values, values.reader().extraMember(shape, {}), depth + 1))
                                        : FormText::tr("maps");
        case Shape::Kind::List:
            return depth < MaxWordDepth
                       ? FormText::tr("lists of %1").arg(typesWord(values, values.reader().item(shape, 0), depth + 1))
                       : FormText::tr("lists");
        case Shape::Kind::AnyJson:
            if (shape.type == "object"_L1)
                return FormText::tr("objects");
            if (shape.type == "array"_L1)
                return FormText::tr("lists");
            break;
        case Shape::Kind::Union:
        case Shape::Kind::Undrawn:
            break;
    }
    return typeWord(values, shape, depth);
}

// "clientSecret", "api-key" and "API_KEY" as lower-case words.
QStringList wordsOf(QString name)
{
    static const QRegularExpression hump(u"([a-z0-9])([A-Z])"_s);
    static const QRegularExpression separator(u"[^A-Za-z0-9]+"_s);
    name.replace(hump, u"\\1 \\2"_s);
    return name.toLower().split(separator, Qt::SkipEmptyParts);
}

}  // namespace

QString defaultText(const Shape &shape)
{
    const json::Value value = shape.keyword(u"default");
    if (!value.exists() || value.isNull())
        return {};
    if (value.isString())
        return value.string().isEmpty() ? u"\"\""_s : visibleLine(value.string(), 32);
    return visibleLine(QString::fromUtf8(value.bytes()), 32);
}

QString typeHint(const ShapeValues &values, const Shape &shape)
{
    QStringList types =
        shape.kind == Shape::Kind::Union ? branchNames(values, shape) : QStringList{typeWord(values, shape)};
    if (shape.nullable)
        types.append(u"null"_s);
    QStringList parts{alternatives(types)};
    switch (shape.kind) {
        case Shape::Kind::Text:
            parts.append(
                countLimits(shape, u"minLength", u"maxLength", FormText::tr("character"), FormText::tr("characters")));
            if (const QString pattern = shape.text(u"pattern"); !pattern.isEmpty())
                parts.append(FormText::tr("pattern %1").arg(visibleLine(pattern, 32)));
            break;
        case Shape::Kind::Number:
            parts.append(numberLimits(shape));
            break;
        case Shape::Kind::List:
            parts.append(countLimits(shape, u"minItems", u"maxItems", FormText::tr("item"), FormText::tr("items")));
            if (shape.keyword(u"uniqueItems").toBool())
                parts.append(FormText::tr("unique items"));
            break;
        default:
            break;
    }
    if (const QString value = defaultText(shape); !value.isEmpty())
        parts.append(FormText::tr("default %1").arg(value));
    if (shape.keyword(u"deprecated").toBool())
        parts.append(FormText::tr("deprecated"));
    parts.removeAll(QString());
    return parts.join(u" · "_s);
}

bool looksSecret(const QString &name, const Shape &shape)
{
    if (shape.kind != Shape::Kind::Text)
        return false;
    return shape.text(u"format") == "password"_L1 || shape.keyword(u"writeOnly").toBool() || isSecretName(name);
}

bool wantsManyLines(const QString &name, const Shape &shape)
{
    const json::Value maxLength = shape.keyword(u"maxLength");
    if (maxLength.isNumber())
        return maxLength.toDouble() > 200;
    if (shape.keyword(u"format").exists() || shape.keyword(u"pattern").exists())
        return false;
    static const QStringList long_{u"sql"_s,         u"body"_s,   u"content"_s,  u"contents"_s,     u"text"_s,
                                   u"code"_s,        u"script"_s, u"markdown"_s, u"html"_s,         u"prompt"_s,
                                   u"description"_s, u"diff"_s,   u"patch"_s,    u"instructions"_s, u"thought"_s,
                                   u"yaml"_s,        u"xml"_s,    u"source"_s,   u"snippet"_s};
    const QStringList words = wordsOf(name);
    return !words.isEmpty() && (long_.contains(words.constLast()) || name == "query"_L1);
}

QString summary(const json::Value &value)
{
    constexpr int MaxShown = 60;
    if (value.isString())
        return visibleLine(value.string().simplified(), MaxShown);
    if (!value.isContainer())
        return QString::fromUtf8(value.bytes()).left(MaxShown);
    if (value.isArray())
        return counted(value.size(), FormText::tr("1 item"), FormText::tr("%1 items"));
    QStringList parts;
    for (const json::Value &member : value) {
        if (member.isContainer() || member.isNull())
            continue;
        const QString text = member.isString() ? member.string() : QString::fromUtf8(member.bytes());
        parts.append(visibleLine(text.simplified(), 24));
        if (parts.size() == 3)
            break;
    }
    return parts.join(u" · "_s);
}

QString singular(const QString &name)
{
    const auto endsWithAny = [&name](std::initializer_list<QLatin1StringView> ends) {
        return std::any_of(ends.begin(), ends.end(), [&name](QLatin1StringView end) { return name.endsWith(end); });
    };
    if (name.size() > 4 && name.endsWith("ies"_L1))
        return name.chopped(3) + u'y';
    if (endsWithAny({"sses"_L1, "xes"_L1, "ches"_L1, "shes"_L1}))
        return name.chopped(2);
    // "status", "analysis", "bias" and "lens" are no plurals.
    if (name.size() > 2 && name.endsWith(u's') && !endsWithAny({"ss"_L1, "us"_L1, "is"_L1, "as"_L1, "ens"_L1}))
        return name.chopped(1);
    return {};
}

}  // namespace sonde::ui
