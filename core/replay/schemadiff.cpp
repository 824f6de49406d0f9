// SPDX-License-Identifier: Apache-2.0
#include "core/replay/schemadiff.h"

#include "core/json/compare.h"
#include "core/json/pointer.h"
#include "core/json/valueindex.h"
#include "core/schema/budget.h"

#include <QSet>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

using json::Difference;

// What a change does to the set of values that the schema accepts.
// Exchanged: some that it took and some that it did not.
enum class Effect { None, Wider, Narrower, Exchanged, Unknown };

bool isOneOf(QStringView word, std::initializer_list<QStringView> words)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool isWords(QStringView keyword)
{
    return isOneOf(keyword, {u"title", u"description", u"examples", u"default", u"$comment", u"deprecated", u"$id",
                             u"$schema", u"readOnly", u"writeOnly"});
}

// The value at the beginning of a pointer, and what follows it.
struct SchemaPlace {
    QStringList tokens;
    qsizetype depth = 0;  // of the keyword within tokens
    json::Value left;     // the schema that the keyword stands in
    json::Value right;
};

// Walks from schema to schema down to the keyword that a difference is in or under. Below keywords whose insides are
// no schemas by themselves (enum, required) it stops.
SchemaPlace keywordOf(const Difference &difference, const json::Value &left, const json::Value &right,
                      schema::Budget *budget)
{
    SchemaPlace place;
    place.left = left;
    place.right = right;
    if (const std::optional<json::Pointer> pointer = json::Pointer::fromString(difference.pointer))
        place.tokens = pointer->tokens();
    while (place.depth < place.tokens.size()) {
        const QString &keyword = place.tokens[place.depth];
        const bool isMap = isOneOf(keyword, {u"properties", u"$defs", u"definitions"});
        const bool isSchema =
            keyword == "items"_L1 && place.left[keyword].isObject() && place.right[keyword].isObject();
        const qsizetype step = isMap ? 2 : isSchema ? 1 : 0;
        if (step == 0 || place.depth + step >= place.tokens.size())
            break;
        json::Value l = place.left[keyword];
        json::Value r = place.right[keyword];
        budget->spend(1 + (l.size() + r.size()) / 16);
        if (isMap) {
            l = l[place.tokens[place.depth + 1]];
            r = r[place.tokens[place.depth + 1]];
        }
        place.left = l;
        place.right = r;
        place.depth += step;
    }
    return place;
}

QSet<QString> typeNames(const json::Value &type)
{
    QSet<QString> names;
    if (type.isString())
        names.insert(type.string());
    for (const json::Value &each : type) {
        if (each.isString())
            names.insert(each.string());
    }
    if (names.contains(u"number"_s))
        names.insert(u"integer"_s);
    return names;
}

template <typename Set>
Effect compareSets(const Set &left, const Set &right)
{
    const bool gains =
        std::any_of(right.begin(), right.end(), [&left](const auto &each) { return !left.contains(each); });
    const bool loses =
        std::any_of(left.begin(), left.end(), [&right](const auto &each) { return !right.contains(each); });
    return gains && loses ? Effect::Exchanged : gains ? Effect::Wider : loses ? Effect::Narrower : Effect::None;
}

QSet<QString> requiredNames(const json::Value &list)
{
    QSet<QString> names;
    for (const json::Value &each : list)
        names.insert(each.string());
    return names;
}

Effect compareBounds(const json::Value &left, const json::Value &right, bool isLower)
{
    if (!left.isNumber() || !right.isNumber())
        return Effect::Unknown;
    const int order = json::compareNumbers(left.slice(), right.slice());
    if (order == 0)
        return Effect::None;
    return (order < 0) == isLower ? Effect::Narrower : Effect::Wider;
}

bool isClosed(const json::Value &schema)
{
    const json::Value more = schema[u"additionalProperties"];
    return more.isBool() && !more.toBool();
}

// A property that came or went as a whole.
Effect compareProperty(const SchemaPlace &place, const Difference &difference)
{
    const bool isAdded = difference.kind == Difference::Kind::Added;
    // Where others are refused, one more name is one more value. Where any are allowed, a declared one is narrower
    // by its schema and yet what people mean by an optional parameter more.
    if (isAdded)
        return Effect::Wider;
    return isClosed(place.right) || isClosed(place.left) ? Effect::Narrower : Effect::Unknown;
}

Effect effectOf(const SchemaPlace &place, const Difference &difference)
{
    if (place.depth >= place.tokens.size())
        return Effect::Unknown;  // a schema came, went or is no object any more
    const QString &keyword = place.tokens[place.depth];
    const json::Value left = place.left[keyword];
    const json::Value right = place.right[keyword];
    const bool isPresence = difference.kind == Difference::Kind::Added || difference.kind == Difference::Kind::Removed;
    if (isWords(keyword) || difference.kind == Difference::Kind::TextOnly)
        return Effect::None;
    if (keyword == "properties"_L1 && place.depth + 2 == place.tokens.size() && isPresence)
        return compareProperty(place, difference);
    // More that is required is less that is accepted.
    if (keyword == "required"_L1)
        return compareSets(requiredNames(right), requiredNames(left));
    const bool isMinimum =
        isOneOf(keyword, {u"minimum", u"exclusiveMinimum", u"minLength", u"minItems", u"minProperties"});
    const bool isMaximum =
        isOneOf(keyword, {u"maximum", u"exclusiveMaximum", u"maxLength", u"maxItems", u"maxProperties"});
    const bool isLimit =
        isMinimum || isMaximum || isOneOf(keyword, {u"type", u"enum", u"pattern", u"format", u"const", u"multipleOf"});
    if (isLimit && left.exists() != right.exists())
        return left.exists() ? Effect::Wider : Effect::Narrower;
    if (keyword == "type"_L1)
        return compareSets(typeNames(left), typeNames(right));
    if (keyword == "enum"_L1)
        return compareSets(json::ValueIndex(left), json::ValueIndex(right));
    if (isMinimum || isMaximum)
        return compareBounds(left, right, isMinimum);
    if (keyword == "additionalProperties"_L1 && !left.isObject() && !right.isObject())
        return isClosed(place.left) == isClosed(place.right) ? Effect::None
               : isClosed(place.right)                       ? Effect::Narrower
                                                             : Effect::Wider;
    if (keyword == "uniqueItems"_L1)
        return left.toBool() == right.toBool() ? Effect::None : right.toBool() ? Effect::Narrower : Effect::Wider;
    return keyword == "const"_L1 ? Effect::Exchanged : Effect::Unknown;
}

Impact impactOf(Effect effect, SchemaRole role)
{
    switch (effect) {
        case Effect::None:
            return Impact::None;
        case Effect::Wider:
            return role == SchemaRole::Input ? Impact::Harmless : Impact::Breaking;
        case Effect::Narrower:
            return role == SchemaRole::Input ? Impact::Breaking : Impact::Harmless;
        case Effect::Exchanged:
            return Impact::Breaking;
        case Effect::Unknown:
            break;
    }
    return Impact::Unknown;
}

// A property of a response that was added or removed, from the point of view of its reader.
Impact impactOfOutputProperty(const SchemaPlace &place, const Difference &difference)
{
    const bool isAdded = difference.kind == Difference::Kind::Added;
    if (isAdded)
        return isClosed(place.left) ? Impact::Unknown : Impact::Harmless;
    return Impact::Breaking;
}

}  // namespace

QList<SchemaChange> compareSchemas(const json::Value &left, const json::Value &right, SchemaRole role)
{
    json::DiffOptions options;
    options.insideText = false;
    QList<SchemaChange> changes;
    QSet<QString> whole;  // keywords that are judged as a whole, and reported once
    schema::Budget budget;
    for (const Difference &difference : json::diff(left, right, options).differences) {
        if (budget.isSpent()) {
            // Reported all the same, but not judged.
            changes.append({difference, Impact::Unknown});
            continue;
        }
        const SchemaPlace place = keywordOf(difference, left, right, &budget);
        const bool hasKeyword = place.depth < place.tokens.size();
        const QString keyword = hasKeyword ? place.tokens[place.depth] : QString();
        const bool isWhole = isOneOf(keyword, {u"enum", u"required", u"type"});
        const QString wholePointer =
            isWhole ? json::Pointer(place.tokens.first(place.depth + 1)).toString() : QString();
        if (isWhole && whole.contains(wholePointer))
            continue;
        if (isWhole)
            budget.spend(place.left[keyword].size() + place.right[keyword].size());
        SchemaChange change{difference, impactOf(effectOf(place, difference), role)};
        const bool isProperty = keyword == "properties"_L1 && place.depth + 2 == place.tokens.size();
        if (role == SchemaRole::Output && isProperty && difference.kind != Difference::Kind::Changed)
            change.impact = impactOfOutputProperty(place, difference);
        if (isWhole) {
            change.difference.pointer = wholePointer;
            change.difference.left = place.left[keyword];
            change.difference.right = place.right[keyword];
            change.difference.kind = !change.difference.left.exists()    ? Difference::Kind::Added
                                     : !change.difference.right.exists() ? Difference::Kind::Removed
                                                                         : Difference::Kind::Changed;
            whole.insert(wholePointer);
        }
        changes.append(change);
    }
    return changes;
}

}  // namespace sonde
