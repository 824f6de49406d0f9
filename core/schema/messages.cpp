// SPDX-License-Identifier: Apache-2.0
#include "core/schema/messages.h"

#include "core/json/builder.h"
#include "core/schema/texts.h"

#include <QHash>

namespace sonde::schema::text {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype MaxQuoteLength = 80;
constexpr qsizetype MaxNamed = 12;
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
        {u"string"_s, QT_TRANSLATE_NOOP("sonde::schema::Schema", "a string")},
        {u"number"_s, QT_TRANSLATE_NOOP("sonde::schema::Schema", "a number")},
        {u"integer"_s, QT_TRANSLATE_NOOP("sonde::schema::Schema", "an integer")},
        {u"boolean"_s, QT_TRANSLATE_NOOP("sonde::schema::Schema", "a boolean")},
        {u"null"_s, QT_TRANSLATE_NOOP("sonde::schema::Schema", "null")},
        {u"array"_s, QT_TRANSLATE_NOOP("sonde::schema::Schema", "an array")},
        {u"object"_s, QT_TRANSLATE_NOOP("sonde::schema::Schema", "an object")},
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

// one, many: with %1 for the limit and %2 for what there is.
QString aboutCount(const QByteArray &limit, qsizetype count, const QString &one, const QString &many)
{
    return (limit == "1" ? one : many).arg(QString::fromLatin1(limit)).arg(count);
}

// The members that a schema requires if it asks for nothing else, as in {"required": ["id"]}.
QStringList requiredAlone(const json::Value &schema)
{
    QStringList names;
    for (const json::Value &keyword : schema) {
        const QString name = keyword.key();
        if (name == u"required") {
            for (const json::Value &member : keyword) {
                if (names.size() == MaxNamed)
                    return {};
                names.append(shortened(member.string()));
            }
        } else if (name != u"type" && name != u"title" && name != u"description") {
            return {};
        }
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

QString mustBeOneOf(const json::Value &list)
{
    QStringList parts;
    for (const json::Value &value : list) {
        if (parts.size() == MaxNamed)
            return SchemaText::tr("must be one of %1 and %2 more").arg(parts.join(u", "_s)).arg(list.size() - MaxNamed);
        parts.append(shown(value));
    }
    return list.size() == 1 ? SchemaText::tr("must be %1").arg(parts.first())
                            : SchemaText::tr("must be one of %1").arg(parts.join(u", "_s));
}

QString atMost(const QByteArray &limit)
{
    return SchemaText::tr("must be ≤ %1").arg(QString::fromLatin1(limit));
}

QString atLeast(const QByteArray &limit)
{
    return SchemaText::tr("must be ≥ %1").arg(QString::fromLatin1(limit));
}

QString below(const QByteArray &limit)
{
    return SchemaText::tr("must be < %1").arg(QString::fromLatin1(limit));
}

QString above(const QByteArray &limit)
{
    return SchemaText::tr("must be > %1").arg(QString::fromLatin1(limit));
}

QString multipleOf(const QByteArray &divisor)
{
    return SchemaText::tr("must be a multiple of %1").arg(QString::fromLatin1(divisor));
}

QString longerThan(const QByteArray &limit, qsizetype length)
{
    return aboutCount(limit, length, SchemaText::tr("must have at most %1 character, has %2"),
                      SchemaText::tr("must have at most %1 characters, has %2"));
}

QString shorterThan(const QByteArray &limit, qsizetype length)
{
    if (length == 0)
        return SchemaText::tr("must not be empty");
    return aboutCount(limit, length, SchemaText::tr("must have at least %1 character, has %2"),
                      SchemaText::tr("must have at least %1 characters, has %2"));
}

QString mustMatch(const QString &pattern)
{
    return SchemaText::tr("must match the pattern %1").arg(shortened(pattern));
}

QString format(const QString &name)
{
    static const QHash<QString, const char *> names{
        {u"date-time"_s,
         QT_TRANSLATE_NOOP("sonde::schema::Schema", "must be a date and time such as 2026-11-21T14:02:31Z")},
        {u"date"_s, QT_TRANSLATE_NOOP("sonde::schema::Schema", "must be a date such as 2026-11-21")},
        {u"time"_s, QT_TRANSLATE_NOOP("sonde::schema::Schema", "must be a time such as 14:02:31Z")},
        {u"duration"_s, QT_TRANSLATE_NOOP("sonde::schema::Schema", "must be a duration such as P1DT12H")},
        {u"email"_s, QT_TRANSLATE_NOOP("sonde::schema::Schema", "must be an e-mail address")},
        {u"uri"_s, QT_TRANSLATE_NOOP("sonde::schema::Schema", "must be a URI such as https://example.org/")},
        {u"uuid"_s, QT_TRANSLATE_NOOP("sonde::schema::Schema", "must be a UUID")},
        {u"ipv4"_s, QT_TRANSLATE_NOOP("sonde::schema::Schema", "must be an IPv4 address")},
        {u"ipv6"_s, QT_TRANSLATE_NOOP("sonde::schema::Schema", "must be an IPv6 address")},
        {u"hostname"_s, QT_TRANSLATE_NOOP("sonde::schema::Schema", "must be a host name")},
    };
    const char *text = names.value(name);
    return text ? SchemaText::tr(text) : SchemaText::tr("must match the format “%1”").arg(shortened(name));
}

QString tooManyItems(const QByteArray &limit, qsizetype size)
{
    return aboutCount(limit, size, SchemaText::tr("must have at most %1 item, has %2"),
                      SchemaText::tr("must have at most %1 items, has %2"));
}

QString tooFewItems(const QByteArray &limit, qsizetype size)
{
    return aboutCount(limit, size, SchemaText::tr("must have at least %1 item, has %2"),
                      SchemaText::tr("must have at least %1 items, has %2"));
}

QString tooManyMembers(const QByteArray &limit, qsizetype size)
{
    return aboutCount(limit, size, SchemaText::tr("must have at most %1 property, has %2"),
                      SchemaText::tr("must have at most %1 properties, has %2"));
}

QString tooFewMembers(const QByteArray &limit, qsizetype size)
{
    return aboutCount(limit, size, SchemaText::tr("must have at least %1 property, has %2"),
                      SchemaText::tr("must have at least %1 properties, has %2"));
}

QString containsTooFew(const QByteArray &limit, qsizetype count)
{
    return aboutCount(limit, count, SchemaText::tr("must have at least %1 item that matches “contains”, has %2"),
                      SchemaText::tr("must have at least %1 items that match “contains”, has %2"));
}

QString containsTooMany(const QByteArray &limit, qsizetype count)
{
    return aboutCount(limit, count, SchemaText::tr("must have at most %1 item that matches “contains”, has %2"),
                      SchemaText::tr("must have at most %1 items that match “contains”, has %2"));
}

QString notUnique(qsizetype first, qsizetype second)
{
    return SchemaText::tr("must have unique items: items %1 and %2 are equal").arg(first + 1).arg(second + 1);
}

QString required(const QString &because)
{
    return because.isEmpty() ? SchemaText::tr("is required")
                             : SchemaText::tr("is required when “%1” is present").arg(because);
}

QString notAllowed()
{
    return SchemaText::tr("is not allowed here");
}

QString excluded(const json::Value &schema)
{
    if (const QStringList names = requiredAlone(schema); !names.isEmpty()) {
        const QString all = joinedByAnd(names);
        return names.size() == 1   ? SchemaText::tr("%1 cannot be given").arg(all)
               : names.size() == 2 ? SchemaText::tr("%1 cannot both be given").arg(all)
                                   : SchemaText::tr("%1 cannot all be given").arg(all);
    }
    if (schema[u"const"].exists())
        return SchemaText::tr("must not be %1").arg(shown(schema[u"const"]));
    if (schema[u"type"].isString())
        return SchemaText::tr("must not be %1").arg(nameOfType(schema[u"type"].string()));
    if (schema[u"pattern"].isString())
        return SchemaText::tr("must not match the pattern %1").arg(shortened(schema[u"pattern"].string()));
    return SchemaText::tr("must not match the schema under “not”");
}

QString noneMatches(const json::Value &list, const json::Value &value, const Registry &registry, int resource)
{
    if (const QStringList names = requiredByEach(list); !names.isEmpty() && value.isObject())
        return list.key() == u"oneOf" ? SchemaText::tr("Give either %1").arg(joined(names))
                                      : SchemaText::tr("Give %1").arg(joined(names));
    // When the branches differ in kind, the kinds say it all.
    QStringList names;
    for (const json::Value &branch : list) {
        json::Value schema = branch;
        if (schema[u"$ref"].isString())
            schema = registry.target(schema[u"$ref"], resource).schema;
        const json::Value type = schema[u"type"];
        const json::Value constant = schema[u"const"];
        if (!type.isString() && !constant.exists())
            return SchemaText::tr("must match one of %1 alternatives").arg(list.size());
        const QString name = constant.exists() ? shown(constant) : nameOfType(type.string());
        if (!names.contains(name))
            names.append(name);
        if (names.size() > MaxNamed)
            break;
    }
    if (names.size() < 2 || names.size() > MaxNamed)
        return SchemaText::tr("must match one of %1 alternatives").arg(list.size());
    return SchemaText::tr("must be %1").arg(joined(names));
}

QString severalMatch(const json::Value &list, int matching)
{
    if (const QStringList names = requiredByEach(list); !names.isEmpty())
        return SchemaText::tr("Give only one of %1").arg(joinedByAnd(names));
    return SchemaText::tr("must match exactly one of %1 alternatives, matches %2").arg(list.size()).arg(matching);
}

QString aboutName(const QString &name, const QString &message)
{
    return SchemaText::tr("The name “%1” %2").arg(shortened(name), message);
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
    return SchemaText::tr("not checked: “%1” cannot be resolved; remote schemas are never fetched")
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
