// SPDX-License-Identifier: Apache-2.0
#include "tests/support/schemagenerator.h"

#include "core/json/builder.h"
#include "core/json/document.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::test {

namespace {

using Members = QList<std::pair<QByteArray, QByteArray>>;

QByteArray quoted(const QByteArray &text)
{
    return json::quoted(QString::fromUtf8(text));
}

QByteArray objectOf(const Members &members)
{
    QByteArrayList parts;
    for (const auto &[name, json] : members)
        parts.append(quoted(name) + ':' + json);
    return '{' + parts.join(',') + '}';
}

QByteArray arrayOf(const QByteArrayList &items)
{
    return '[' + items.join(',') + ']';
}

QByteArray namesOf(const QByteArrayList &names)
{
    QByteArrayList parts;
    for (const QByteArray &name : names)
        parts.append(quoted(name));
    return arrayOf(parts);
}

// A schema with more keywords.
QByteArray with(const QByteArray &schema, const Members &members)
{
    if (members.isEmpty())
        return schema;
    const QByteArray more = objectOf(members);
    return schema == "{}" ? more : schema.chopped(1) + ',' + more.mid(1);
}

constexpr std::pair<const char *, const char *> Formats[] = {
    {"date", "2026-02-28"},
    {"time", "10:30:00Z"},
    {"date-time", "2026-02-28T10:30:00+01:00"},
    {"email", "ada@example.com"},
    {"uri", "https://example.com/a?b=c"},
    {"uuid", "123e4567-e89b-12d3-a456-426614174000"},
    {"ipv4", "192.0.2.1"},
    {"ipv6", "2001:db8::1"},
    {"hostname", "example.com"},
    {"json-pointer", "/a/0"},
    {"duration", "P1DT2H"},
    {"regex", "^a+$"},
};

constexpr std::pair<const char *, const char *> PatternsAndTexts[] = {
    {"^[a-z]+$", "abc"},
    {"^[A-Z]{2}-\\d{3,5}$", "AB-1234"},
    {"^(foo|bar)$", "bar"},
    {"\\d", "a1"},
    {"^#[0-9a-fA-F]{6}$", "#00ff7f"},
    {"^v\\d+\\.\\d+(-rc)?$", "v1.2"},
    {"^[^@\\s]+@[^@\\s]+$", "a@b"},
    {"^\\S.*\\S$", "a b"},
    {"^(?!x).+", "yes"},
    {"^\\p{L}+$", "\u00e9t\u00e9"},
    {"^(?:\\w+\\.)*\\w+$", "a.b"},
    {"^[\\w.-]{2,20}$", "a-b.c"},
};

}  // namespace

QByteArray SchemaGenerator::word()
{
    static const QByteArrayList words{"apple", "river", "north", "Ada", "x",  "two words",  "caf\u00e9", "a\"b",
                                      "0",     "-",     "null",  "12",  "\\", "line\nfeed", "\U0001f600"};
    return words.at(below(int(words.size())));
}

QByteArray SchemaGenerator::newName()
{
    static const QByteArrayList names{"city",       "street", "amount", "user_id", "Tags",  "is-open",
                                      "when",       "note",   "a/b",    "count",   "owner", "\u00fcber",
                                      "path",       "limit",  "~home",  "50%",     "type",  "items",
                                      "properties", "title",  "value",  "default", "a b",   "\"q\""};
    const QByteArray name = names.at(below(int(names.size())));
    ++m_names;
    // Every name is used once, some of them without a number: these may be keywords.
    if (!m_usedNames.contains(name)) {
        m_usedNames.append(name);
        return name;
    }
    return name + QByteArray::number(m_names);
}

QByteArray SchemaGenerator::define(const QByteArray &name, const QByteArray &schema)
{
    m_definitions.emplaceBack(name, schema);
    return (m_isDraft7 ? "#/definitions/" : "#/$defs/") + name;
}

SchemaGenerator::Made SchemaGenerator::tool()
{
    m_isDraft7 = chance(30);
    Made made = object(3);
    Members head;
    if (m_isDraft7)
        head.emplaceBack("$schema", quoted("http://json-schema.org/draft-07/schema#"));
    if (!m_definitions.isEmpty())
        head.emplaceBack(m_isDraft7 ? "definitions" : "$defs", objectOf(m_definitions));
    made.schema = with(made.schema, head);
    return made;
}

SchemaGenerator::Made SchemaGenerator::annotated(const Made &made)
{
    Members more;
    if (chance(15))
        more.emplaceBack("title", quoted(word()));
    if (chance(25))
        more.emplaceBack("description", quoted("About the " + word() + '.'));
    if (chance(10))
        more.emplaceBack("default", made.value);
    if (chance(8))
        more.emplaceBack("examples", arrayOf({made.value}));
    if (chance(5))
        more.emplaceBack("deprecated", "true");
    if (chance(3))
        more.emplaceBack("readOnly", "true");
    return {with(made.schema, more), made.value};
}

SchemaGenerator::Made SchemaGenerator::any(int depth)
{
    switch (below(depth > 0 ? 27 : 8)) {
        case 0:
            return annotated(text());
        case 1:
            return annotated(patternText());
        case 2:
        case 3:
            return annotated(number());
        case 4:
            return annotated({R"({"type":"boolean"})", chance(50) ? "true" : "false"});
        case 5:
            return annotated(choice());
        case 6:
            return chance(50) ? titledChoice() : constant();
        case 7:
            return nullable(0);
        case 8:
            return nullable(depth - 1);
        case 9:
        case 10:
        case 11:
            return annotated(list(depth - 1));
        case 12:
            return annotated(tuple(depth - 1));
        case 13:
        case 14:
            return annotated(object(depth - 1));
        case 15:
            return annotated(map(depth - 1));
        case 16:
            return annotated(alternatives(depth - 1));
        case 17:
            return tagged(depth - 1);
        case 18:
            return reference(depth - 1);
        case 19:
            return recursive();
        case 20:
            return combined(depth - 1);
        case 21:
            return condition(depth - 1);
        case 22:
            return chance(50) ? dependent(depth - 1) : alternative(depth - 1);
        case 23:
            return withUnionBeside(depth - 1);
        case 24:
            return annotated(typeList());
        case 25:
            return anything();
        default:
            return pointedAt(depth - 1);
    }
}

SchemaGenerator::Made SchemaGenerator::typeList()
{
    QList<Made> types{{quoted("string"), quoted(word())}, {quoted("integer"), "7"},         {quoted("boolean"), "true"},
                      {quoted("null"), "null"},           {quoted("object"), R"({"a":1})"}, {quoted("array"), "[1]"}};
    std::shuffle(types.begin(), types.end(), m_random);
    types.resize(2 + below(3));
    QByteArrayList names;
    for (const Made &type : std::as_const(types))
        names.append(type.schema);
    return {objectOf({{"type", arrayOf(names)}}), types.at(below(int(types.size()))).value};
}

SchemaGenerator::Made SchemaGenerator::anything()
{
    static const QByteArrayList values{
        "null", "1.0", "[1,[2]]", R"({"b":1,"a":{"x":null}})", R"("text")", R"({"d":1,"d":2})"};
    const QByteArray value = values.at(below(int(values.size())));
    switch (below(4)) {
        case 0:
            return {"{}", value};
        case 1:
            return {"true", value};
        case 2:
            return {R"({"type":"object"})", R"({"z":[1.50],"a":2})"};
        default:
            return {R"({"type":"array"})", "[null,1]"};
    }
}

// A schema that is named by an anchor, or meant by its place among others.
SchemaGenerator::Made SchemaGenerator::pointedAt(int depth)
{
    const Made made = any(depth);
    const QByteArray name = "Place" + QByteArray::number(++m_names);
    if (chance(50) && made.schema.startsWith('{') && !made.schema.contains("$ref")) {
        define(name, with(made.schema, {{m_isDraft7 ? "$id" : "$anchor", quoted((m_isDraft7 ? "#" : "") + name)}}));
        return {objectOf({{"$ref", quoted("#" + name)}}), made.value};
    }
    const QByteArray target = define(name, objectOf({{"properties", objectOf({{"x/y", made.schema}})}}));
    return {objectOf({{"$ref", quoted(target + "/properties/x~1y")}}), made.value};
}

SchemaGenerator::Made SchemaGenerator::text()
{
    Members members{{"type", quoted("string")}};
    if (chance(40)) {
        const auto &[format, example] = Formats[below(int(std::size(Formats)))];
        members.emplaceBack("format", quoted(format));
        return {objectOf(members), quoted(example)};
    }
    const QByteArray value = word();
    const qsizetype length = QString::fromUtf8(value).toUcs4().size();
    if (chance(30))
        members.emplaceBack("minLength", QByteArray::number(qMax(qsizetype(0), length - below(3))));
    if (chance(30))
        members.emplaceBack("maxLength", QByteArray::number(length + below(40)));
    if (chance(10))
        members.emplaceBack("not", R"({"const":"none"})");
    return {objectOf(members), quoted(value)};
}

SchemaGenerator::Made SchemaGenerator::patternText()
{
    const auto &[pattern, example] = PatternsAndTexts[below(int(std::size(PatternsAndTexts)))];
    Members members{{"type", quoted("string")}, {"pattern", quoted(pattern)}};
    if (chance(30))
        members.emplaceBack("minLength",
                            QByteArray::number(below(int(QString::fromUtf8(example).toUcs4().size()) + 1)));
    return {objectOf(members), quoted(example)};
}

SchemaGenerator::Made SchemaGenerator::number()
{
    if (chance(15)) {
        static const QByteArrayList numbers{"1.50", "-0.25", "1e400", "18446744073709551616", "0.1e-7", "-0"};
        return {R"({"type":"number"})", numbers.at(below(int(numbers.size())))};
    }
    const bool isInteger = chance(60);
    const int value = below(200) - 100;
    Members members{{"type", quoted(isInteger ? "integer" : "number")}};
    if (chance(40))
        members.emplaceBack("minimum", QByteArray::number(value - below(5)));
    else if (chance(20))
        members.emplaceBack("exclusiveMinimum", QByteArray::number(value - 1 - below(5)));
    if (chance(40))
        members.emplaceBack("maximum", QByteArray::number(value + below(50)));
    else if (chance(20))
        members.emplaceBack("exclusiveMaximum", QByteArray::number(value + 2 + below(50)));
    const int divisor = 2 + below(5);
    if (value % divisor == 0 && chance(50))
        members.emplaceBack("multipleOf", QByteArray::number(divisor));
    QByteArray json = QByteArray::number(value);
    if (chance(20))
        json += ".0";
    return {objectOf(members), json};
}

SchemaGenerator::Made SchemaGenerator::choice()
{
    QByteArrayList values;
    const int count = 1 + below(4);
    for (int i = 0; i < count; ++i)
        values.append(chance(80) ? quoted(word() + QByteArray::number(i)) : QByteArray::number(i));
    if (chance(10))
        values.append("null");
    Members members{{"enum", arrayOf(values)}};
    const bool areStrings =
        std::all_of(values.cbegin(), values.cend(), [](const QByteArray &value) { return value.startsWith('"'); });
    if (areStrings && chance(70))
        members.prepend({"type", quoted("string")});
    return {objectOf(members), values.at(below(int(values.size())))};
}

SchemaGenerator::Made SchemaGenerator::titledChoice()
{
    QByteArrayList options;
    const int count = 2 + below(3);
    for (int i = 0; i < count; ++i)
        options.append(
            objectOf({{"const", QByteArray::number(i)}, {"title", quoted("Level " + QByteArray::number(i))}}));
    return {objectOf({{chance(50) ? "oneOf" : "anyOf", arrayOf(options)}}), QByteArray::number(below(count))};
}

SchemaGenerator::Made SchemaGenerator::constant()
{
    const QByteArray value = chance(80) ? quoted(word()) : QByteArray(R"({"a":[1.50,null]})");
    return {objectOf({{"const", value}}), value};
}

SchemaGenerator::Made SchemaGenerator::nullable(int depth)
{
    const Made made = depth > 0 ? any(depth) : number();
    const QByteArray value = chance(50) ? QByteArray("null") : made.value;
    switch (below(4)) {
        case 0:
            return {R"({"type":["string","null"]})", chance(50) ? QByteArray("null") : quoted(word())};
        case 1:
            return {R"({"type":"string","nullable":true})", chance(50) ? QByteArray("null") : quoted(word())};
        case 2: {
            const QByteArray target =
                objectOf({{"$ref", quoted(define("Nullable" + QByteArray::number(++m_names), made.schema))}});
            return {chance(50) ? objectOf({{"allOf", arrayOf({target})}, {"nullable", "true"}})
                               : with(target, {{"nullable", "true"}}),
                    value};
        }
        default:
            return {objectOf({{"anyOf", arrayOf({made.schema, R"({"type":"null"})"})}}), value};
    }
}

SchemaGenerator::Made SchemaGenerator::list(int depth)
{
    const Made item = any(depth);
    Members members{{"type", quoted("array")}, {"items", item.schema}};
    QByteArrayList items;
    const bool isUnique = chance(20);
    const int count = isUnique ? 1 : below(4);
    for (int i = 0; i < count; ++i)
        items.append(item.value);
    if (isUnique)
        members.emplaceBack("uniqueItems", "true");
    if (chance(30))
        members.emplaceBack("minItems", QByteArray::number(qMax(0, count - below(2))));
    if (chance(30))
        members.emplaceBack("maxItems", QByteArray::number(count + below(4)));
    if (count > 0 && item.value != "null" && chance(10)) {
        members.emplaceBack("contains", objectOf({{"const", item.value}}));
        if (!m_isDraft7 && chance(50))
            members.emplaceBack("minContains", QByteArray::number(count));
    }
    return {objectOf(members), arrayOf(items)};
}

SchemaGenerator::Made SchemaGenerator::tuple(int depth)
{
    QByteArrayList schemas;
    QByteArrayList items;
    const int count = 1 + below(3);
    for (int i = 0; i < count; ++i) {
        const Made item = any(depth);
        schemas.append(item.schema);
        items.append(item.value);
    }
    Members members{{"type", quoted("array")}, {m_isDraft7 ? "items" : "prefixItems", arrayOf(schemas)}};
    if (chance(50))
        members.emplaceBack(m_isDraft7 ? "additionalItems" : "items", "false");
    if (chance(50))
        members.emplaceBack("minItems", QByteArray::number(count));
    return {objectOf(members), arrayOf(items)};
}

SchemaGenerator::Made SchemaGenerator::object(int depth)
{
    Members properties;
    Members values;
    QByteArrayList required;
    const int count = 1 + below(4);
    for (int i = 0; i < count; ++i) {
        const QByteArray name = newName();
        const Made member = any(depth);
        properties.emplaceBack(name, member.schema);
        const bool isRequired = chance(50);
        if (isRequired)
            required.append(name);
        if (isRequired || chance(50))
            values.emplaceBack(name, member.value);
    }
    Members members{{"type", quoted("object")}, {"properties", objectOf(properties)}};
    if (!required.isEmpty())
        members.emplaceBack("required", namesOf(required));
    if (chance(20))
        members.emplaceBack("additionalProperties", "false");
    else if (!m_isDraft7 && chance(10))
        members.emplaceBack("unevaluatedProperties", "false");
    else if (chance(10))
        members.emplaceBack("minProperties", QByteArray::number(values.size()));
    return {objectOf(members), objectOf(values)};
}

SchemaGenerator::Made SchemaGenerator::map(int depth)
{
    const Made member = any(depth);
    const QByteArray value = objectOf({{"key_a", member.value}, {"key_b", member.value}});
    Members members{{"type", quoted("object")}};
    if (chance(30))
        members.emplaceBack("patternProperties", objectOf({{"^key_", member.schema}}));
    if (members.size() == 1 || chance(20))
        members.emplaceBack("additionalProperties", members.size() == 1 ? member.schema : QByteArray("false"));
    if (chance(30))
        members.emplaceBack("propertyNames",
                            chance(50) ? R"({"pattern":"^[a-z_]+$"})" : R"({"minLength":2,"maxLength":9})");
    if (chance(20))
        members.emplaceBack("minProperties", QByteArray::number(1 + below(2)));
    return {objectOf(members), value};
}

// Branches of different types, of which a value has one.
SchemaGenerator::Made SchemaGenerator::alternatives(int depth)
{
    QList<Made> branches{
        number(), {R"({"type":"boolean"})", "true"}, {R"({"type":"string","minLength":1})", quoted("s")}};
    if (chance(50))
        branches.append(list(depth));
    if (chance(50))
        branches.append(object(depth));
    std::shuffle(branches.begin(), branches.end(), m_random);
    branches.resize(2 + below(int(branches.size()) - 1));
    QByteArrayList schemas;
    for (const Made &branch : std::as_const(branches))
        schemas.append(branch.schema);
    return {objectOf({{chance(50) ? "anyOf" : "oneOf", arrayOf(schemas)}}),
            branches.at(below(int(branches.size()))).value};
}

SchemaGenerator::Made SchemaGenerator::condition(int depth)
{
    const QByteArray kind = newName();
    const QByteArray extra = newName();
    const QByteArray other = newName();
    const Made whenA = any(depth);
    const Made whenB = any(depth);
    const bool isA = chance(50);
    Members members{
        {"type", quoted("object")},
        {"properties", objectOf({{kind, R"({"type":"string","enum":["a","b"]})"}})},
        {"required", namesOf({kind})},
        {"if", objectOf({{"properties", objectOf({{kind, R"({"const":"a"})"}})}, {"required", namesOf({kind})}})},
        {"then", objectOf({{"properties", objectOf({{extra, whenA.schema}})}, {"required", namesOf({extra})}})}};
    if (chance(60))
        members.append(
            {"else", objectOf({{"properties", objectOf({{other, whenB.schema}})}, {"required", namesOf({other})}})});
    const QByteArray schema =
        chance(30)
            ? objectOf({members.at(0), members.at(1), members.at(2), {"allOf", arrayOf({objectOf(members.mid(3))})}})
            : objectOf(members);
    return {schema, isA ? objectOf({{kind, quoted("a")}, {extra, whenA.value}})
                        : objectOf({{kind, quoted("b")}, {other, whenB.value}})};
}

SchemaGenerator::Made SchemaGenerator::dependent(int depth)
{
    const QByteArray first = newName();
    const QByteArray second = newName();
    const Made a = any(depth);
    const Made b = any(depth);
    const bool addsSchema = chance(50);
    Members properties{{first, a.schema}};
    if (!addsSchema)
        properties.emplaceBack(second, b.schema);
    const QByteArray what =
        addsSchema ? objectOf({{"properties", objectOf({{second, b.schema}})}, {"required", namesOf({second})}})
                   : namesOf({second});
    const QByteArray keyword = m_isDraft7 ? "dependencies" : addsSchema ? "dependentSchemas" : "dependentRequired";
    const QByteArray value = chance(70) ? objectOf({{first, a.value}, {second, b.value}}) : QByteArray("{}");
    return {
        objectOf(
            {{"type", quoted("object")}, {"properties", objectOf(properties)}, {keyword, objectOf({{first, what}})}}),
        value};
}

// "Give either a or b".
SchemaGenerator::Made SchemaGenerator::alternative(int depth)
{
    Members properties;
    Members values;
    QByteArrayList branches;
    const int count = 2 + below(2);
    for (int i = 0; i < count; ++i) {
        const Made member = any(depth);
        properties.emplaceBack(newName(), member.schema);
        values.emplaceBack(properties.constLast().first, member.value);
        branches.append(objectOf({{"required", namesOf({properties.constLast().first})}}));
    }
    return {objectOf({{"type", quoted("object")},
                      {"properties", objectOf(properties)},
                      {chance(50) ? "oneOf" : "anyOf", arrayOf(branches)}}),
            objectOf({values.at(below(count))})};
}

// A union whose branches have different values of one member, in one of the ways in which that is said.
SchemaGenerator::Made SchemaGenerator::tagged(int depth)
{
    enum { Constants, Enums, Mapping, Defaults };
    const int manner = below(4);
    const QByteArray tag = chance(50) ? "kind" : "action";
    QByteArrayList branches;
    QByteArrayList values;
    Members mapping;
    const int count = 2 + below(3);
    for (int i = 0; i < count; ++i) {
        const QByteArray name = "tag" + QByteArray::number(i);
        const QByteArray own = newName();
        const Made member = any(depth);
        const QByteArray tagSchema = manner == Enums     ? arrayOf({quoted(name), quoted(name + "b")})
                                     : manner == Mapping ? QByteArray()
                                                         : quoted(name);
        QByteArray tagJson = manner == Enums     ? objectOf({{"enum", tagSchema}})
                             : manner == Mapping ? QByteArray(R"({"type":"string","pattern":"^tag"})")
                                                 : objectOf({{"const", tagSchema}});
        if (manner == Defaults)
            tagJson = with(tagJson, {{"default", tagSchema}, {"type", quoted("string")}});
        QByteArrayList required{own};
        if (manner != Defaults)
            required.prepend(tag);
        Members schema{{"type", quoted("object")},
                       {"properties", objectOf({{tag, tagJson}, {own, member.schema}})},
                       {"required", namesOf(required)}};
        if (chance(30))
            schema.emplaceBack("title", quoted("Branch" + QByteArray::number(i)));
        if (chance(20))
            schema.emplaceBack("additionalProperties", "false");
        const QByteArray reference = define("Tagged" + QByteArray::number(++m_names), objectOf(schema));
        branches.append(objectOf({{"$ref", quoted(reference)}}));
        mapping.emplaceBack(name, quoted(chance(70) ? reference : reference.mid(reference.lastIndexOf('/') + 1)));
        values.append(objectOf({{tag, quoted(name)}, {own, member.value}}));
    }
    Members members{{chance(50) ? "oneOf" : "anyOf", arrayOf(branches)}};
    if (manner == Mapping || chance(20))
        members.emplaceBack("discriminator", objectOf({{"propertyName", quoted(tag)}, {"mapping", objectOf(mapping)}}));
    return {objectOf(members), values.at(below(count))};
}

SchemaGenerator::Made SchemaGenerator::reference(int depth)
{
    const Made made = any(depth);
    const QByteArray target = define("Ref" + QByteArray::number(++m_names), made.schema);
    Members members{{"$ref", quoted(target)}};
    if (!m_isDraft7 && chance(30))
        members.emplaceBack("description", quoted("A reference."));
    return {objectOf(members), made.value};
}

SchemaGenerator::Made SchemaGenerator::recursive()
{
    const QByteArray name = "Node" + QByteArray::number(++m_names);
    const bool isDynamic = !m_isDraft7 && chance(50);
    const QByteArray own = m_isDraft7 ? "#/definitions/" + name : "#/$defs/" + name;
    const QByteArray inner = isDynamic ? R"({"$dynamicRef":"#node"})" : objectOf({{"$ref", quoted(own)}});
    Members schema{{"type", quoted("object")},
                   {"properties", objectOf({{"label", R"({"type":"string"})"},
                                            {"children", objectOf({{"type", quoted("array")}, {"items", inner}})}})},
                   {"required", namesOf({"label"})}};
    if (isDynamic)
        schema += Members{{"$id", quoted("https://example.com/" + name)}, {"$dynamicAnchor", quoted("node")}};
    const QByteArray target = define(name, objectOf(schema));
    QByteArray value = R"({"label":"leaf"})";
    for (int i = below(4); i > 0; --i)
        value = objectOf({{"label", quoted(word())}, {"children", arrayOf({value})}});
    return {objectOf({{"$ref", quoted(isDynamic ? "https://example.com/" + name : target)}}), value};
}

SchemaGenerator::Made SchemaGenerator::combined(int depth)
{
    const Made first = object(depth);
    const Made second = object(depth);
    // Each would refuse the members of the other.
    for (const char *refusal : {"\"additionalProperties\":false", "\"unevaluatedProperties\":false"}) {
        if (first.schema.contains(refusal) || second.schema.contains(refusal))
            return first;
    }
    const QByteArray value = first.value == "{}"    ? second.value
                             : second.value == "{}" ? first.value
                                                    : first.value.chopped(1) + ',' + second.value.mid(1);
    Members members{
        {"allOf", arrayOf({objectOf({{"$ref", quoted(define("Base" + QByteArray::number(++m_names), first.schema))}}),
                           second.schema})}};
    if (!m_isDraft7 && chance(50))
        members.emplaceBack("unevaluatedProperties", "false");
    return {objectOf(members), value};
}

// Members beside a union of objects, as in an intersection of types.
SchemaGenerator::Made SchemaGenerator::withUnionBeside(int depth)
{
    const QByteArray shared = newName();
    const Made common = any(depth);
    QByteArrayList branches;
    QByteArrayList values;
    for (int i = 0; i < 2 + below(2); ++i) {
        const QByteArray name = newName();
        const Made member = any(depth);
        branches.append(objectOf({{"properties", objectOf({{name, member.schema}})}, {"required", namesOf({name})}}));
        values.append(objectOf({{shared, common.value}, {name, member.value}}));
    }
    return {objectOf({{"type", quoted("object")},
                      {"properties", objectOf({{shared, common.schema}})},
                      {"required", namesOf({shared})},
                      {chance(50) ? "oneOf" : "anyOf", arrayOf(branches)}}),
            values.at(below(int(values.size())))};
}

QByteArrayList SchemaGenerator::mutations(const QByteArray &value)
{
    constexpr int count = 4;
    QByteArrayList mutations;
    for (int i = 0; i < count; ++i)
        mutations.append(mutated(i % 2 == 0 ? value : mutations.constLast()));
    return mutations;
}

// Mostly no longer valid.
QByteArray SchemaGenerator::mutated(const QByteArray &text)
{
    const json::Value value = json::parse(text);
    if (value.isContainer() && !value.isEmpty() && chance(75)) {
        const int changed = below(int(value.size()));
        const bool isRemoved = chance(20);
        QByteArrayList parts;
        int index = 0;
        for (const json::Value &child : value) {
            const bool isChanged = index++ == changed;
            const QByteArray key = value.isObject() ? child.keySlice().toByteArray() + ':' : QByteArray();
            if (isChanged && isRemoved)
                continue;
            parts.append(key + (isChanged ? mutated(child.bytes()) : child.bytes()));
        }
        const QByteArray inner = parts.join(',');
        return value.isObject() ? '{' + inner + '}' : '[' + inner + ']';
    }
    static const QByteArrayList others{"null",       "true", "7",  "-3.5",       "1e400",       R"("")",
                                       R"("other")", "[]",   "{}", R"([1,"a"])", R"({"zz":1})", R"("2026-13-40")"};
    if (value.isObject() && chance(50))
        return value.isEmpty() ? QByteArray(R"({"zz":1})") : text.chopped(1) + R"(,"zz":1})";
    if (value.isArray() && !value.isEmpty() && chance(50))
        return text.chopped(1) + ',' + value.at(0).bytes() + ']';
    if (value.isNumber() && chance(50))
        return QByteArray::number(value.toDouble() + 1000);
    return others.at(below(int(others.size())));
}

}  // namespace sonde::test
