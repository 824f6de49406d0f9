// SPDX-License-Identifier: Apache-2.0
#include "core/schema/messages.h"

#include "core/json/builder.h"
#include "core/json/closestname.h"
#include "core/schema/formats.h"
#include "core/schema/texts.h"

#include <QHash>

#include <algorithm>
#include <initializer_list>
#include <iterator>

namespace sonde::schema::text {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype MaxQuoteLength = 80;
constexpr qsizetype MaxNamed = 12;
constexpr qsizetype MaxOfMany = 4;
constexpr qsizetype MaxCompactedLength = 4096;  // bytes; of longer values the beginning is shown as it was written

QString shortened(const QString &text)
{
    return text.size() <= MaxQuoteLength ? text : text.left(MaxQuoteLength - 1) + u'…';
}

QString shown(const json::Value &value)
{
    if (value.isString())
        return u'“' + shortened(value.string()) + u'”';
    if (value.slice().size() > MaxCompactedLength)
        return shortened(QString::fromUtf8(value.slice().first(MaxCompactedLength)));
    return shortened(QString::fromUtf8(json::compact(value)));
}

QString nameOfType(const QString &type)
{
    static const QHash<QString, const char *> names{
        {u"string"_s, QT_TRANSLATE_NOOP("sonde::schema", "a string")},
        {u"number"_s, QT_TRANSLATE_NOOP("sonde::schema", "a number")},
        {u"integer"_s, QT_TRANSLATE_NOOP("sonde::schema", "an integer")},
        {u"boolean"_s, QT_TRANSLATE_NOOP("sonde::schema", "a boolean")},
        {u"null"_s, QT_TRANSLATE_NOOP("sonde::schema", "null")},
        {u"array"_s, QT_TRANSLATE_NOOP("sonde::schema", "an array")},
        {u"object"_s, QT_TRANSLATE_NOOP("sonde::schema", "an object")},
    };
    const char *name = names.value(type);
    return name ? SchemaText::tr(name) : type;
}

QString joined(QStringList parts)
{
    if (parts.size() < 2)
        return parts.value(0);
    const QString last = parts.takeLast();
    return SchemaText::tr("%1 or %2").arg(parts.join(u", "_s), last);
}

QString joinedByAnd(QStringList parts)
{
    if (parts.size() < 2)
        return parts.value(0);
    const QString last = parts.takeLast();
    return SchemaText::tr("%1 and %2").arg(parts.join(u", "_s), last);
}

// Strings that need no quotes to be told from other values: "red", "en-US".
bool isWord(const json::Value &value)
{
    const QString text = value.string();
    const auto isPart = [](QChar c) { return c.isLetterOrNumber() || c == u'-' || c == u'_' || c == u'.'; };
    return value.isString() && !text.isEmpty() && text.front().isLetter() && text.size() < MaxQuoteLength &&
           std::all_of(text.begin(), text.end(), isPart) && text != "true"_L1 && text != "false"_L1 &&
           text != "null"_L1;
}

// The first of the values.
QStringList shownValues(const json::Value &list)
{
    QStringList quoted;
    QStringList plain;
    bool areWords = true;
    for (const json::Value &value : list) {
        if (quoted.size() == MaxNamed)
            break;
        areWords = areWords && isWord(value);
        quoted.append(shown(value));
        plain.append(value.string());
    }
    return areWords ? plain : quoted;
}

// Whether a schema says nothing else than these keywords do.
bool saysOnly(const json::Value &schema, std::initializer_list<QStringView> keywords)
{
    for (const json::Value &keyword : schema) {
        const QString name = keyword.key();
        const bool isKnown = std::find(keywords.begin(), keywords.end(), name) != keywords.end();
        if (!isKnown && name != u"title" && name != u"description")
            return false;
    }
    return schema.isObject();
}

// What a value has to be, if a schema says only that: "a string", "red or blue".
QString described(const json::Value &schema)
{
    if (schema[u"const"].exists() && saysOnly(schema, {u"const", u"type"}))
        return shown(schema[u"const"]);
    const json::Value values = schema[u"enum"];
    if (values.isArray() && !values.isEmpty() && values.size() <= MaxNamed && saysOnly(schema, {u"enum", u"type"}))
        return joined(shownValues(values));
    const json::Value type = schema[u"type"];
    if (!saysOnly(schema, {u"type"}))
        return {};
    if (type.isString())
        return nameOfType(type.string());
    QStringList names;
    for (const json::Value &name : type)
        names.append(nameOfType(name.string()));
    return joined(names);
}

// The members that a schema requires if it asks for nothing else, as in {"required": ["id"]}.
QStringList requiredAlone(const json::Value &schema)
{
    if (!saysOnly(schema, {u"required", u"type"}))
        return {};
    QStringList names;
    for (const json::Value &member : schema[u"required"]) {
        if (names.size() == MaxNamed)
            return {};
        names.append(shortened(member.string()));
    }
    return names;
}

// Each alternative as the members that it requires: "id", "owner and repo". Empty if one of them asks for more.
QStringList requiredByEach(const json::Value &list)
{
    QStringList alternatives;
    for (const json::Value &branch : list) {
        const QString names = joinedByAnd(requiredAlone(branch));
        if (names.isEmpty() || alternatives.size() == MaxNamed)
            return {};
        alternatives.append(names);
    }
    return alternatives;
}

// The types or values of the branches, when they differ in these. Empty when that does not tell all of them apart.
QStringList kindsOf(const json::Value &list, const Registry &registry, int resource)
{
    QStringList names;
    for (const json::Value &branch : list) {
        json::Value schema = branch;
        if (schema[u"$ref"].isString())
            schema = registry.target(schema[u"$ref"], resource).schema;
        const json::Value type = schema[u"type"];
        const json::Value constant = schema[u"const"];
        const json::Value values = schema[u"enum"];
        QStringList kinds;
        if (constant.exists())
            kinds.append(shown(constant));
        else if (values.isArray() && !values.isEmpty() && values.size() <= MaxNamed)
            kinds = shownValues(values);
        else if (type.isString())
            kinds.append(nameOfType(type.string()));
        if (kinds.isEmpty())
            return {};
        names += kinds;
        names.removeDuplicates();
        if (names.size() > MaxNamed)
            return {};
    }
    return names.size() < 2 ? QStringList() : names;
}

QStringList titlesOf(const json::Value &list, const QList<qsizetype> &indices)
{
    QStringList titles;
    for (const qsizetype index : indices) {
        const QString title = list.at(index)[u"title"].string();
        if (title.isEmpty() || titles.size() == MaxNamed)
            return {};
        titles.append(shortened(title));
    }
    return titles;
}

// "Give either id or slug", "Give id, or owner and repo". groups: what each alternative lacks.
QString give(const QStringList &groups, bool areSingle)
{
    if (!areSingle)
        return SchemaText::tr("Give %1").arg(groups.join(SchemaText::tr(", or ")));
    return groups.size() == 2 ? SchemaText::tr("Give either %1 or %2").arg(groups.first(), groups.last())
                              : SchemaText::tr("Give %1").arg(joined(groups));
}

QString givenWhereMissing(const QList<Alternatives::Branch> &branches)
{
    QStringList groups;
    bool areSingle = true;
    for (const Alternatives::Branch &branch : branches) {
        if (!branch.isExplained || !branch.reasons.isEmpty() || branch.missing.isEmpty() ||
            branch.missing.size() > MaxNamed)
            return {};
        QStringList names;
        for (const QString &name : branch.missing)
            names.append(shortened(name));
        areSingle = areSingle && names.size() == 1;
        if (const QString group = joinedByAnd(names); !groups.contains(group))
            groups.append(group);
    }
    return groups.isEmpty() || groups.size() > MaxNamed ? QString() : give(groups, areSingle);
}

// The keywords that are a number. %1: it, %2: how many there are. many: for any number but 1.
struct LimitText {
    Keyword keyword;
    const char *one;
    const char *many = nullptr;
};

constexpr LimitText LimitTexts[] = {
    {Keyword::Maximum, QT_TRANSLATE_NOOP("sonde::schema", "must be at most %1")},
    {Keyword::Minimum, QT_TRANSLATE_NOOP("sonde::schema", "must be at least %1")},
    {Keyword::ExclusiveMaximum, QT_TRANSLATE_NOOP("sonde::schema", "must be less than %1")},
    {Keyword::ExclusiveMinimum, QT_TRANSLATE_NOOP("sonde::schema", "must be greater than %1")},
    {Keyword::MultipleOf, QT_TRANSLATE_NOOP("sonde::schema", "must be a whole number"),
     QT_TRANSLATE_NOOP("sonde::schema", "must be a multiple of %1")},
    {Keyword::MaxLength, QT_TRANSLATE_NOOP("sonde::schema", "must have at most %1 character, has %2"),
     QT_TRANSLATE_NOOP("sonde::schema", "must have at most %1 characters, has %2")},
    {Keyword::MinLength, QT_TRANSLATE_NOOP("sonde::schema", "must have at least %1 character, has %2"),
     QT_TRANSLATE_NOOP("sonde::schema", "must have at least %1 characters, has %2")},
    {Keyword::MaxItems, QT_TRANSLATE_NOOP("sonde::schema", "must have at most %1 item, has %2"),
     QT_TRANSLATE_NOOP("sonde::schema", "must have at most %1 items, has %2")},
    {Keyword::MinItems, QT_TRANSLATE_NOOP("sonde::schema", "must have at least %1 item, has %2"),
     QT_TRANSLATE_NOOP("sonde::schema", "must have at least %1 items, has %2")},
    {Keyword::MaxProperties, QT_TRANSLATE_NOOP("sonde::schema", "must have at most %1 property, has %2"),
     QT_TRANSLATE_NOOP("sonde::schema", "must have at most %1 properties, has %2")},
    {Keyword::MinProperties, QT_TRANSLATE_NOOP("sonde::schema", "must have at least %1 property, has %2"),
     QT_TRANSLATE_NOOP("sonde::schema", "must have at least %1 properties, has %2")},
};

// %1: how many, %2: which, %3: how many there are
constexpr LimitText ContainsTexts[] = {
    {Keyword::MaxContains, QT_TRANSLATE_NOOP("sonde::schema", "must have at most %1 item that %2; it has %3"),
     QT_TRANSLATE_NOOP("sonde::schema", "must have at most %1 items each of which %2; it has %3")},
    {Keyword::MinContains, QT_TRANSLATE_NOOP("sonde::schema", "must have at least %1 item that %2"),
     QT_TRANSLATE_NOOP("sonde::schema", "must have at least %1 items each of which %2; it has %3")},
};

// The keywords that are a number, as the opposite of what they say: "must be less than 5" where 5 and more is excluded.
QString oppositeOfBound(const json::Value &schema)
{
    constexpr std::pair<QStringView, Keyword> opposites[] = {{u"minimum", Keyword::ExclusiveMaximum},
                                                             {u"maximum", Keyword::ExclusiveMinimum},
                                                             {u"exclusiveMinimum", Keyword::Maximum},
                                                             {u"exclusiveMaximum", Keyword::Minimum}};
    for (const auto &[name, opposite] : opposites) {
        if (schema[name].isNumber() && saysOnly(schema, {name, u"type"}))
            return limit(opposite, schema[name].numberText());
    }
    if (schema[u"multipleOf"].isNumber() && saysOnly(schema, {u"multipleOf", u"type"}))
        return SchemaText::tr("must not be a multiple of %1")
            .arg(QString::fromLatin1(schema[u"multipleOf"].numberText()));
    return {};
}

// What an item does that matches: "is “x”", "is at least 5", "has a and b". Empty when it takes more words.
QString predicateOf(const json::Value &schema)
{
    if (const QString what = described(schema); !what.isEmpty())
        return SchemaText::tr("is %1").arg(what);
    constexpr std::pair<QStringView, const char *> bounds[] = {
        {u"minimum", QT_TRANSLATE_NOOP("sonde::schema", "is at least %1")},
        {u"maximum", QT_TRANSLATE_NOOP("sonde::schema", "is at most %1")},
        {u"exclusiveMinimum", QT_TRANSLATE_NOOP("sonde::schema", "is greater than %1")},
        {u"exclusiveMaximum", QT_TRANSLATE_NOOP("sonde::schema", "is less than %1")},
        {u"multipleOf", QT_TRANSLATE_NOOP("sonde::schema", "is a multiple of %1")}};
    for (const auto &[name, text] : bounds) {
        if (schema[name].isNumber() && saysOnly(schema, {name, u"type"}))
            return SchemaText::tr(text).arg(QString::fromLatin1(schema[name].numberText()));
    }
    if (schema[u"pattern"].isString() && saysOnly(schema, {u"pattern", u"type"}))
        return SchemaText::tr("matches the pattern %1").arg(shortened(schema[u"pattern"].string()));
    if (const QStringList names = requiredAlone(schema); !names.isEmpty())
        return SchemaText::tr("has %1").arg(joinedByAnd(names));
    if (const QString title = schema[u"title"].string(); !title.isEmpty())
        return SchemaText::tr("is “%1”").arg(shortened(title));
    return {};
}

}  // namespace

QString mustBeOfType(const QStringList &types)
{
    QStringList names;
    for (const QString &type : types)
        names.append(nameOfType(type));
    return SchemaText::tr("must be %1").arg(joined(names));
}

QString mustBe(const json::Value &value)
{
    return SchemaText::tr("must be %1").arg(shown(value));
}

QString mustBeOneOf(const json::Value &list, const json::Value &given)
{
    if (list.isEmpty())
        return SchemaText::tr("cannot have any value");
    // Of too many, a few show what they look like.
    const bool areMany = list.size() > MaxNamed;
    const QStringList values = shownValues(list).mid(0, areMany ? MaxOfMany : MaxNamed);
    QString text = areMany ? SchemaText::tr("must be one of %1 and %2 more")
                                 .arg(values.join(u", "_s), QString::number(list.size() - values.size()))
                   : list.size() <= 2 ? SchemaText::tr("must be %1").arg(joined(values))
                                      : SchemaText::tr("must be one of %1").arg(joined(values));
    if (!given.isString() || list.size() > MaxCompared || list.size() < 2)
        return text;
    QStringList names;
    for (const json::Value &value : list) {
        if (value.isString())
            names.append(value.string());
    }
    const QString meant = json::closestName(given.string(), names);
    if (!meant.isEmpty())
        text += SchemaText::tr(" (did you mean “%1”?)").arg(shortened(meant));
    return text;
}

QString limit(Keyword keyword, const QByteArray &limit, qsizetype count)
{
    const bool isEmpty = count == 0 && keyword == Keyword::MinLength;
    const auto *row = std::find_if(std::begin(LimitTexts), std::end(LimitTexts),
                                   [keyword](const LimitText &each) { return each.keyword == keyword; });
    if (isEmpty || row == std::end(LimitTexts))
        return SchemaText::tr("must not be empty");
    const bool isMany = row->many && limit != "1";
    QString text = SchemaText::tr(isMany ? row->many : row->one);
    if (text.contains("%1"_L1))
        text = text.arg(QString::fromLatin1(limit));
    return text.contains("%2"_L1) ? text.replace("%2"_L1, QString::number(count)) : text;
}

QString mustMatch(const QString &pattern, const QString &example)
{
    constexpr qsizetype maxExample = 40;
    const QString text = SchemaText::tr("must match the pattern %1").arg(shortened(pattern));
    const bool isShown = !example.isEmpty() && example.size() <= maxExample &&
                         std::all_of(example.begin(), example.end(), [](QChar c) { return c.isPrint(); });
    return isShown ? SchemaText::tr("%1, such as “%2”").arg(text, example) : text;
}

QString format(const QString &name, bool mustBe)
{
    static const QHash<QString, const char *> names{
        {u"date-time"_s, QT_TRANSLATE_NOOP("sonde::schema", "a date and time")},
        {u"date"_s, QT_TRANSLATE_NOOP("sonde::schema", "a date")},
        {u"time"_s, QT_TRANSLATE_NOOP("sonde::schema", "a time")},
        {u"duration"_s, QT_TRANSLATE_NOOP("sonde::schema", "a duration")},
        {u"email"_s, QT_TRANSLATE_NOOP("sonde::schema", "an email address")},
        {u"idn-email"_s, QT_TRANSLATE_NOOP("sonde::schema", "an email address")},
        {u"hostname"_s, QT_TRANSLATE_NOOP("sonde::schema", "a host name")},
        {u"idn-hostname"_s, QT_TRANSLATE_NOOP("sonde::schema", "a host name")},
        {u"ipv4"_s, QT_TRANSLATE_NOOP("sonde::schema", "an IPv4 address")},
        {u"ipv6"_s, QT_TRANSLATE_NOOP("sonde::schema", "an IPv6 address")},
        {u"uri"_s, QT_TRANSLATE_NOOP("sonde::schema", "a URI")},
        {u"uri-reference"_s, QT_TRANSLATE_NOOP("sonde::schema", "a URI or a relative reference")},
        {u"iri"_s, QT_TRANSLATE_NOOP("sonde::schema", "an IRI")},
        {u"iri-reference"_s, QT_TRANSLATE_NOOP("sonde::schema", "an IRI or a relative reference")},
        {u"uri-template"_s, QT_TRANSLATE_NOOP("sonde::schema", "a URI template")},
        {u"uuid"_s, QT_TRANSLATE_NOOP("sonde::schema", "a UUID")},
        {u"json-pointer"_s, QT_TRANSLATE_NOOP("sonde::schema", "a JSON Pointer")},
        {u"relative-json-pointer"_s, QT_TRANSLATE_NOOP("sonde::schema", "a relative JSON Pointer")},
        {u"regex"_s, QT_TRANSLATE_NOOP("sonde::schema", "a regular expression")},
    };
    const char *what = names.value(name);
    const QString example = exampleOfFormat(name);
    if (!what)
        return (mustBe ? SchemaText::tr("must match the format “%1”") : SchemaText::tr("should match the format “%1”"))
            .arg(shortened(name));
    return (mustBe ? SchemaText::tr("must be %1 such as %2") : SchemaText::tr("should be %1 such as %2"))
        .arg(SchemaText::tr(what), example);
}

QString contentEncoding(const QString &name, const QString &problem, bool mustBe)
{
    return (mustBe ? SchemaText::tr("must be encoded in %1: %2") : SchemaText::tr("should be encoded in %1: %2"))
        .arg(shortened(name), problem);
}

QString contentMediaType(const QString &name, bool mustBe)
{
    // Of other types that are JSON, such as application/geo+json, the name says more.
    if (name == "application/json"_L1)
        return mustBe ? SchemaText::tr("must be valid JSON") : SchemaText::tr("should be valid JSON");
    return (mustBe ? SchemaText::tr("must hold a text of the media type %1")
                   : SchemaText::tr("should hold a text of the media type %1"))
        .arg(shortened(name));
}

QString contains(Keyword keyword, const json::Value &schema, const QByteArray &limit, qsizetype count)
{
    const auto *row = std::find_if(std::begin(ContainsTexts), std::end(ContainsTexts),
                                   [keyword](const LimitText &each) { return each.keyword == keyword; });
    const QString predicate = predicateOf(schema);
    const QString text = SchemaText::tr(limit == "1" ? row->one : row->many).replace("%3"_L1, QString::number(count));
    return text.arg(QString::fromLatin1(limit),
                    predicate.isEmpty() ? SchemaText::tr("has the required form") : predicate);
}

QString notUnique(qsizetype first, qsizetype second)
{
    return SchemaText::tr("must have unique items: items %1 and %2 are equal").arg(first + 1).arg(second + 1);
}

QString required()
{
    return SchemaText::tr("is required");
}

QString notAllowed(const QString &name, const QStringList &declared, const QStringList &patterns)
{
    if (!patterns.isEmpty() && patterns.size() <= MaxOfMany) {
        QStringList shown;
        for (const QString &pattern : patterns)
            shown.append(shortened(pattern));
        return aboutName(name, SchemaText::tr("must match the pattern %1").arg(joined(shown)));
    }
    const QString text = SchemaText::tr("is not allowed here");
    const QString meant = json::closestName(name, declared);
    return meant.isEmpty() ? text : text + SchemaText::tr(" (did you mean “%1”?)").arg(shortened(meant));
}

QString beyondTuple(qsizetype size)
{
    return size == 1 ? SchemaText::tr("is not allowed here: there can be only 1 item")
                     : SchemaText::tr("is not allowed here: there can be only %1 items").arg(size);
}

QString excluded(const json::Value &schema)
{
    if (const QStringList names = requiredAlone(schema); !names.isEmpty()) {
        const QString all = joinedByAnd(names);
        return names.size() == 1   ? SchemaText::tr("%1 cannot be given").arg(all)
               : names.size() == 2 ? SchemaText::tr("%1 cannot both be given").arg(all)
                                   : SchemaText::tr("%1 cannot all be given").arg(all);
    }
    if (const QStringList names = saysOnly(schema, {u"anyOf"}) ? requiredByEach(schema[u"anyOf"]) : QStringList();
        !names.isEmpty())
        return names.size() == 2 ? SchemaText::tr("Neither %1 nor %2 can be given").arg(names.first(), names.last())
                                 : SchemaText::tr("None of %1 can be given").arg(joinedByAnd(names));
    if (schema.isBool() || (schema.isObject() && schema.isEmpty()))
        return notAllowed();
    if (const QString what = described(schema); !what.isEmpty())
        return SchemaText::tr("must not be %1").arg(what);
    if (schema[u"pattern"].isString() && saysOnly(schema, {u"pattern", u"type"}))
        return SchemaText::tr("must not match the pattern %1").arg(shortened(schema[u"pattern"].string()));
    if (const QString bound = oppositeOfBound(schema); !bound.isEmpty())
        return bound;
    if (const QString condition = clause(schema); !condition.isEmpty())
        return SchemaText::tr("is not allowed when %1").arg(condition);
    return SchemaText::tr("has a form that is not allowed");
}

QString noneMatches(const json::Value &list, const Alternatives &alternatives, const Registry &registry, int resource)
{
    const QList<Alternatives::Branch> &branches = alternatives.branches;
    if (const QString text = givenWhereMissing(branches); !text.isEmpty())
        return text;
    if (const QStringList kinds = kindsOf(list, registry, resource); !kinds.isEmpty())
        return SchemaText::tr("must be %1").arg(joined(kinds));
    constexpr qsizetype maxReasons = 3;
    QStringList reasons;
    QList<qsizetype> all;
    for (const Alternatives::Branch &branch : branches) {
        all.append(all.size());
        if (branch.isExplained && branch.missing.isEmpty() && branch.reasons.size() == 1)
            reasons += branch.reasons;
    }
    if (reasons.size() == branches.size() && reasons.removeDuplicates() >= 0 && reasons.size() <= maxReasons)
        return joined(reasons);
    if (const QStringList titles = titlesOf(list, all); !titles.isEmpty())
        return SchemaText::tr("must match %1").arg(joined(titles));
    return SchemaText::tr("must match one of %1 alternatives").arg(list.size());
}

QString severalMatch(const json::Value &list, const QList<qsizetype> &matching)
{
    if (const QStringList names = requiredByEach(list); !names.isEmpty())
        return SchemaText::tr("Give only one of %1").arg(joinedByAnd(names));
    if (const QStringList titles = titlesOf(list, matching); !titles.isEmpty())
        return SchemaText::tr("must match only one of %1").arg(joinedByAnd(titles));
    return SchemaText::tr("must match only one of %1 alternatives, matches %2").arg(list.size()).arg(matching.size());
}

QString aboutName(const QString &name, const QString &message)
{
    return SchemaText::tr("The name “%1” %2").arg(shortened(name), message);
}

QString clause(const json::Value &condition)
{
    constexpr qsizetype maxParts = 3;
    if (!saysOnly(condition, {u"properties", u"required", u"type"}))
        return {};
    QStringList parts;
    const json::Value properties = condition[u"properties"];
    for (const json::Value &property : properties) {
        const bool isValue = property[u"const"].exists() || property[u"enum"].isArray();
        const QString value = isValue ? described(property) : QString();
        if (value.isEmpty())
            return {};
        parts.append(SchemaText::tr("“%1” is %2").arg(shortened(property.key()), value));
    }
    for (const json::Value &name : condition[u"required"]) {
        if (!properties.contains(name.string()))
            parts.append(clauseGiven(name.string()));
    }
    return parts.size() > maxParts ? QString() : joinedByAnd(parts);
}

QString clauseGiven(const QString &name)
{
    return SchemaText::tr("“%1” is given").arg(shortened(name));
}

QString when(const QString &message, const QStringList &clauses)
{
    return SchemaText::tr("%1 when %2").arg(message, joinedByAnd(clauses));
}

QString unless(const QString &message, const QString &clause)
{
    return SchemaText::tr("%1 unless %2").arg(message, clause);
}

QString noSchema()
{
    return SchemaText::tr("not checked: not a valid schema");
}

QString tooDeep(int limit)
{
    return SchemaText::tr("not checked: the schema is nested deeper than %1 levels").arg(limit);
}

QString tooCostly()
{
    return SchemaText::tr("not checked: the schema is too large or too complex");
}

QString leadsNowhere(const QString &reference)
{
    const bool isWithin = reference.startsWith(u'#');
    return (isWithin ? SchemaText::tr("not checked: “%1” cannot be resolved")
                     : SchemaText::tr("not checked: “%1” cannot be resolved; remote schemas are never fetched"))
        .arg(shortened(reference));
}

QString refersToItself(const QString &reference)
{
    return SchemaText::tr("not checked: “%1” refers to itself").arg(shortened(reference));
}

QString alternativesNotChecked()
{
    return SchemaText::tr("not checked: part of the schema could not be applied");
}

QString unknownType(const QString &type)
{
    return SchemaText::tr("not checked: unknown type “%1”").arg(shortened(type));
}

QString multipleNotChecked(const QByteArray &divisor)
{
    return SchemaText::tr("not checked: whether it is a multiple of %1").arg(shortened(QString::fromLatin1(divisor)));
}

QString badPattern(const QString &pattern, const QString &reason)
{
    return SchemaText::tr("not checked: the pattern %1 cannot be used: %2").arg(shortened(pattern), reason);
}

QString patternTooCostly(const QString &pattern)
{
    return SchemaText::tr("not checked: the pattern %1 takes too long to evaluate").arg(shortened(pattern));
}

}  // namespace sonde::schema::text
