// SPDX-License-Identifier: Apache-2.0
#include "core/shape/typehint.h"

#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "core/shape/texts.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

QString number(const json::Value &value)
{
    return QString::fromLatin1(value.numberText());
}

// Bounds of a language's integer type are of no use to the user.
bool isMachineLimit(const QString &text)
{
    return text.size() >= 10 && (text.contains("9007199254740991"_L1) || text.contains("2147483647"_L1) ||
                                 text.contains("2147483648"_L1) || text.contains("9223372036854775"_L1) ||
                                 text.contains("18446744073709551615"_L1) || text.contains("4294967295"_L1));
}

QString range(const QString &low, const QString &high)
{
    if (!low.isEmpty() && !high.isEmpty())
        return low == high ? low : ShapeText::tr("%1 – %2").arg(low, high);
    if (!low.isEmpty())
        return ShapeText::tr("≥ %1").arg(low);
    return high.isEmpty() ? QString() : ShapeText::tr("≤ %1").arg(high);
}

QString numberLimits(const Shape &shape)
{
    const auto bound = [&shape](QStringView name) {
        const json::Value value = shape.keyword(name);
        const QString text = value.isNumber() ? number(value) : QString();
        return isMachineLimit(text) ? QString() : text;
    };
    // The lower limit first, whichever of the two is exclusive.
    // Draft 4, and so OpenAPI 3.0, says by true that the other limit is exclusive.
    const bool isAbove = shape.keyword(u"exclusiveMinimum").toBool();
    const bool isBelow = shape.keyword(u"exclusiveMaximum").toBool();
    const QString above = bound(isAbove ? u"minimum" : u"exclusiveMinimum");
    const QString below = bound(isBelow ? u"maximum" : u"exclusiveMaximum");
    QStringList parts{above.isEmpty() ? QString() : ShapeText::tr("> %1").arg(above)};
    parts.append(range(isAbove ? QString() : bound(u"minimum"), isBelow ? QString() : bound(u"maximum")));
    if (!below.isEmpty())
        parts.append(ShapeText::tr("< %1").arg(below));
    const QString step = bound(u"multipleOf");
    if (!step.isEmpty() && !(shape.isInteger() && step == "1"_L1))
        parts.append(ShapeText::tr("multiple of %1").arg(step));
    parts.removeAll(QString());
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
        limits = ShapeText::tr("max %1").arg(highText);
    else if (highText.isEmpty())
        limits = ShapeText::tr("min %1").arg(lowText);
    else if (lowText == highText)
        limits = lowText;
    return limits + u' ' + ((highText.isEmpty() ? lowText : highText) == "1"_L1 ? one : many);
}

// "string, integer or null"; "Card · Voucher or gift card", where a name would read as two.
QString alternatives(QStringList names)
{
    if (names.size() < 2)
        return names.value(0);
    const QString conjunction = ShapeText::tr("%1 or %2").arg(QString(), QString());
    if (std::any_of(names.cbegin(), names.cend(), [&conjunction](const QString &name) {
            return name.contains(conjunction) || name.contains(u", "_s);
        }))
        return names.join(u" · "_s);
    const QString last = names.takeLast();
    return ShapeText::tr("%1 or %2").arg(names.join(u", "_s), last);
}

// A list of lists of lists … may refer to itself.
constexpr int MaxWordDepth = 3;

constexpr qsizetype MaxBranchNames = 5;

QStringList branchNames(const ShapeValues &values, const Shape &shape)
{
    QStringList names;
    for (qsizetype i = 0; i < shape.branches.size() && i < MaxBranchNames; ++i)
        names.append(visibleLine(values.branchLabel(shape, i), 24));
    if (shape.branches.size() > names.size())
        names.append(u"…"_s);
    names.removeDuplicates();
    return names;
}

// Their names alone would read as types: "list of card, voucher".
bool hasOnlyObjects(const ShapeValues &values, const Shape &shape)
{
    for (qsizetype i = 0; i < shape.branches.size() && i < MaxBranchNames; ++i) {
        if (values.reader().branch(shape, i).kind != Shape::Kind::Object)
            return false;
    }
    return true;
}

enum class WordForm { Singular, Plural };

constexpr qsizetype MaxTupleNames = 5;
constexpr qsizetype MaxMemberWords = 5;

QString typeWord(const ShapeValues &values, const Shape &shape, WordForm form = WordForm::Singular, int depth = 0);

// "latitude, longitude": the items of a tuple by their titles, or by what they are.
QString tupleNames(const ShapeValues &values, const Shape &shape, int depth)
{
    QStringList names;
    const json::Value tuple = shape.tuple();
    for (qsizetype i = 0; i < tuple.size() && i < MaxTupleNames; ++i) {
        const Shape item = values.reader().item(shape, i);
        const QString title = item.text(u"title");
        names.append(title.isEmpty() ? typeWord(values, item, WordForm::Singular, depth + 1) : visibleLine(title, 24));
    }
    if (tuple.size() > MaxTupleNames)
        names.append(u"…"_s);
    const QString first = names.join(u", "_s);
    const json::Value more =
        shape.keyword(shape.keyword(u"prefixItems").exists() ? QStringView(u"items") : u"additionalItems");
    if (!more.isObject() || more.isEmpty())
        return first;
    const Shape rest = values.reader().item(shape, tuple.size());
    return ShapeText::tr("%1, then %2").arg(first, typeWord(values, rest, WordForm::Plural, depth + 1));
}

// A tuple that has to be whole: its words have the number already.
bool saysAllItems(const Shape &shape)
{
    const json::Value least = shape.keyword(u"minItems");
    return shape.tuple().exists() && least.isNumber() && number(least) == QString::number(shape.tuple().size());
}

// "tuple of 2: latitude, longitude"; within another type "tuples of 2 (latitude, longitude)".
QString tupleWord(const ShapeValues &values, const Shape &shape, WordForm form, int depth)
{
    const qsizetype size = shape.tuple().size();
    const QString words =
        (form == WordForm::Singular ? ShapeText::tr("tuple of %1") : ShapeText::tr("tuples of %1")).arg(size);
    if (size == 0)
        return words;
    const QString names = tupleNames(values, shape, depth);
    return depth == 0 ? ShapeText::tr("%1: %2").arg(words, names) : ShapeText::tr("%1 (%2)").arg(words, names);
}

// "integers or strings": what a map takes, by the patterns of its names and for all other names.
QString memberWords(const ShapeValues &values, const Shape &shape, int depth)
{
    QList<json::Value> nodes;
    if (const json::Value patterns = shape.keyword(u"patternProperties"); patterns.isObject()) {
        for (const json::Value &pattern : patterns)
            nodes.append(pattern);
    }
    if (const json::Value extra = shape.keyword(u"additionalProperties"); extra.isObject())
        nodes.append(extra);
    QStringList words;
    for (qsizetype i = 0; i < nodes.size() && i < MaxMemberWords; ++i)
        words.append(typeWord(values, values.reader().read(nodes.at(i), shape.scope), WordForm::Plural, depth + 1));
    if (nodes.size() > MaxMemberWords)
        words.append(u"…"_s);
    words.removeDuplicates();
    return alternatives(words);
}

// "string"; of a list or map of them "strings".
QString typeWord(const ShapeValues &values, const Shape &shape, WordForm form, int depth)
{
    const auto word = [form](const QString &one, const QString &many) {
        return form == WordForm::Singular ? one : many;
    };
    switch (shape.kind) {
        case Shape::Kind::Text: {
            const QString format = shape.text(u"format");
            if (format.isEmpty())
                return word(ShapeText::tr("string"), ShapeText::tr("strings"));
            const QString shown = visibleLine(format, 40);
            return word(shown, ShapeText::tr("%1 strings").arg(shown));
        }
        case Shape::Kind::Number:
            return shape.isInteger() ? word(ShapeText::tr("integer"), ShapeText::tr("integers"))
                                     : word(ShapeText::tr("number"), ShapeText::tr("numbers"));
        case Shape::Kind::Boolean:
            return word(ShapeText::tr("boolean"), ShapeText::tr("booleans"));
        case Shape::Kind::Choice:
            if (form == WordForm::Plural)
                return ShapeText::tr("choices");
            return shape.choices.isEmpty()
                       ? ShapeText::tr("no choices")
                       : counted(shape.choices.size(), ShapeText::tr("1 choice"), ShapeText::tr("%1 choices"));
        case Shape::Kind::Constant:
            return word(ShapeText::tr("constant"), ShapeText::tr("constants"));
        case Shape::Kind::Object:
            if (!shape.propertyNames().isEmpty())
                return word(ShapeText::tr("object"), ShapeText::tr("objects"));
            if (!shape.isMap())
                return word(ShapeText::tr("empty object"), ShapeText::tr("empty objects"));
            if (depth >= MaxWordDepth)
                return word(ShapeText::tr("map"), ShapeText::tr("maps"));
            return word(ShapeText::tr("map of %1"), ShapeText::tr("maps of %1")).arg(memberWords(values, shape, depth));
        case Shape::Kind::List:
            if (depth >= MaxWordDepth)
                return word(ShapeText::tr("list"), ShapeText::tr("lists"));
            if (shape.tuple().exists())
                return tupleWord(values, shape, form, depth);
            return word(ShapeText::tr("list of %1"), ShapeText::tr("lists of %1"))
                .arg(typeWord(values, values.reader().item(shape, 0), WordForm::Plural, depth + 1));
        case Shape::Kind::Union: {
            const QStringList names = branchNames(values, shape);
            if (form == WordForm::Plural && hasOnlyObjects(values, shape))
                return ShapeText::tr("%1 (%2)").arg(ShapeText::tr("objects"), names.join(u", "_s));
            return alternatives(names);
        }
        case Shape::Kind::AnyJson:
            if (shape.type == "object"_L1)
                return word(ShapeText::tr("any object"), ShapeText::tr("objects"));
            if (shape.type == "array"_L1)
                return word(ShapeText::tr("any list"), ShapeText::tr("lists"));
            return shape.node().isBool() && !shape.node().toBool() ? ShapeText::tr("no valid value")
                                                                   : ShapeText::tr("any JSON");
        case Shape::Kind::Undrawn:
            return visibleLine(shape.type, 40);
    }
    return {};
}

}  // namespace

QString defaultText(const Shape &shape)
{
    const json::Value value = shape.keyword(u"default");
    if (!value.exists() || value.isNull())
        return {};
    if (const qsizetype choice = shape.choices.indexOf(value); choice >= 0)
        return visibleLine(shape.choices.label(choice), 32);
    if (value.isString())
        return u'"' + visibleLine(value.string(), 32) + u'"';
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
            parts.append(visibleLine(shape.text(u"contentEncoding"), 40));
            parts.append(visibleLine(shape.text(u"contentMediaType"), 40));
            parts.append(countLimits(shape, u"minLength", u"maxLength", ShapeText::tr("character"),
                                     ShapeText::tr("characters")));
            if (const QString pattern = shape.text(u"pattern"); !pattern.isEmpty())
                parts.append(ShapeText::tr("pattern %1").arg(visibleLine(pattern, 32)));
            break;
        case Shape::Kind::Number:
            parts.append(numberLimits(shape));
            break;
        case Shape::Kind::List:
            if (!saysAllItems(shape))
                parts.append(
                    countLimits(shape, u"minItems", u"maxItems", ShapeText::tr("item"), ShapeText::tr("items")));
            if (shape.keyword(u"uniqueItems").toBool())
                parts.append(ShapeText::tr("unique items"));
            break;
        default:
            break;
    }
    if (const QString value = defaultText(shape); !value.isEmpty())
        parts.append(ShapeText::tr("default %1").arg(value));
    if (shape.keyword(u"deprecated").toBool())
        parts.append(ShapeText::tr("deprecated"));
    parts.removeAll(QString());
    return parts.join(u" · "_s);
}

}  // namespace sonde
