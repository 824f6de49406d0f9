// SPDX-License-Identifier: Apache-2.0
#include "core/schema/metaschemas.h"
#include "core/schema/schema.h"
#include "tests/support/testregistry.h"

#include <QDirIterator>
#include <QFile>
#include <QHash>
#include <QSet>
#include <QTest>
#include <QThread>

using namespace sonde;
using namespace Qt::StringLiterals;
using schema::Issue;
using schema::Schema;

class TestSchema : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void messages_data();
    void messages();
    void everyKeywordHasASentence();
    void formatsAreRemarks();
    void remarksOfAlternatives();
    void nullableOfOpenApi();
    void pointers();
    void pointersWithinALargerDocument();
    void nameIssues();
    void unionsExplainTheBranchThatWasMeant();
    void validateAt();
    void resolved();
    void duplicateKeys();
    void draft04Leftovers();
    void emptySchemaAllowsAll();
    void brokenSchemas_data();
    void brokenSchemas();
    void nothingIsFetched();
    void documentsAreUsed();
    void hostileSchemas_data();
    void hostileSchemas();
    void evilPattern();
    void deepInstance();
    void issuesAreLimited();
    void severalThreads();
    void schemasOfTheProtocol();
};

static Schema make(const QByteArray &text, schema::Formats formats = schema::Formats::Ignored)
{
    Schema::Options options;
    options.formats = formats;
    return Schema(json::parse(text), options);
}

static QStringList describe(const QList<Issue> &issues)
{
    QStringList lines;
    for (const Issue &issue : issues)
        lines.append(u"%1 %2"_s.arg(issue.instance.toString(), issue.message));
    return lines;
}

void TestSchema::messages_data()
{
    QTest::addColumn<QByteArray>("schema");
    QTest::addColumn<QByteArray>("instance");
    QTest::addColumn<QString>("message");
    const auto row = [](const char *name, const QByteArray &schema, const QByteArray &instance,
                        const QString &message) { QTest::newRow(name) << schema << instance << message; };
    row("type", R"({"type":"integer"})", "1.5", u"must be an integer"_s);
    row("types", R"({"type":["string","null"]})", "1", u"must be a string or null"_s);
    row("maximum", R"({"maximum":1000})", "1000.01", u"must be at most 1000"_s);
    row("minimum", R"({"minimum":9007199254740993})", "9007199254740992", u"must be at least 9007199254740993"_s);
    row("exclusive maximum", R"({"exclusiveMaximum":1})", "1.0", u"must be less than 1"_s);
    row("exclusive minimum", R"({"exclusiveMinimum":0})", "-0", u"must be greater than 0"_s);
    row("multiple", R"({"multipleOf":0.01})", "0.075", u"must be a multiple of 0.01"_s);
    row("enum", R"({"enum":["red",1,null]})", "\"blue\"", u"must be one of “red”, 1 or null"_s);
    row("const", R"({"const":"x"})", "\"y\"", u"must be “x”"_s);
    row("maxLength", R"({"maxLength":1})", "\"\\ud83d\\ude00x\"", u"must have at most 1 character, has 2"_s);
    row("minLength", R"({"minLength":1})", "\"\"", u"must not be empty"_s);
    row("pattern", R"({"pattern":"^a+$"})", "\"a\\n\"", u"must match the pattern ^a+$, such as “a”"_s);
    row("minItems", R"({"minItems":2})", "[1]", u"must have at least 2 items, has 1"_s);
    row("unique", R"({"uniqueItems":true})", "[1,2,1.0]", u"must have unique items: items 1 and 3 are equal"_s);
    row("contains", R"({"contains":{"type":"null"}})", "[1]", u"must have at least 1 item that is null"_s);
    row("maxProperties", R"({"maxProperties":0})", "{\"a\":1}", u"must have at most 0 properties, has 1"_s);
    row("not", R"({"not":{"const":5}})", "5", u"must not be 5"_s);
    row("oneOf", R"({"oneOf":[{"minimum":1},{"minimum":2}]})", "3",
        u"must match only one of 2 alternatives, matches 2"_s);
    row("none of the required", R"({"oneOf":[{"required":["id"]},{"required":["slug"]}]})", "{}",
        u"Give either id or slug"_s);
    row("none of the groups", R"({"anyOf":[{"required":["id"]},{"type":"object","required":["owner","repo"]}]})", "{}",
        u"Give id, or owner and repo"_s);
    row("none of three", R"({"anyOf":[{"required":["id"]},{"required":["slug"]},{"required":["owner","repo"]}]})", "{}",
        u"Give id, or slug, or owner and repo"_s);
    row("none of three members", R"({"anyOf":[{"required":["a"]},{"required":["b"]},{"required":["c"]}]})", "{}",
        u"Give a, b or c"_s);
    row("what the branches lack",
        R"({"anyOf":[{"type":"object","properties":{"id":{"type":"integer"}},"required":["kind","id"]},
            {"type":"object","properties":{"slug":{"type":"string"}},"required":["kind","slug"]}]})",
        R"({"kind":1})", u"Give either id or slug"_s);
    row("several branches by their titles", R"({"oneOf":[{"title":"A","minimum":1},{"title":"B","minimum":2}]})", "3",
        u"must match only one of A and B"_s);
    row("reasons of both branches", R"({"anyOf":[{"type":"number","minimum":10},{"type":"number","multipleOf":3}]})",
        "5", u"must be at least 10 or must be a multiple of 3"_s);
    row("neither", R"({"not":{"anyOf":[{"required":["a"]},{"required":["b"]}]}})", R"({"a":1})",
        u"Neither a nor b can be given"_s);
    row("none of three to be given", R"({"not":{"anyOf":[{"required":["a"]},{"required":["b"]},{"required":["c"]}]}})",
        R"({"a":1})", u"None of a, b and c can be given"_s);
    row("not a bound", R"({"not":{"type":"integer","minimum":5}})", "7", u"must be less than 5"_s);
    row("not a multiple", R"({"not":{"multipleOf":5}})", "10", u"must not be a multiple of 5"_s);
    row("not with a value", R"({"not":{"properties":{"kind":{"const":"card"}},"required":["kind"]}})",
        R"({"kind":"card"})", u"is not allowed when “kind” is “card”"_s);
    row("not something long", R"({"not":{"type":"object","minProperties":2}})", R"({"a":1,"b":1})",
        u"has a form that is not allowed"_s);
    row("contains a bound", R"({"contains":{"minimum":5}})", "[1]", u"must have at least 1 item that is at least 5"_s);
    row("contains members", R"({"contains":{"required":["a","b"]},"minContains":2})", "[{}]",
        u"must have at least 2 items each of which has a and b; it has 0"_s);
    row("contains something long", R"({"contains":{"type":"object","minProperties":2}})", "[{}]",
        u"must have at least 1 item that has the required form"_s);
    row("pattern without an example", R"({"pattern":"^(?!a)a?$"})", "\"b\"", u"must match the pattern ^(?!a)a?$"_s);
    row("pattern with groups", R"({"pattern":"^(?:v|V)[0-9]+\\.[0-9]{2,}$"})", "\"b\"",
        u"must match the pattern ^(?:v|V)[0-9]+\\.[0-9]{2,}$, such as “v0.00”"_s);
    row("enum of words", R"({"enum":["red","green","blue"]})", "3", u"must be one of red, green or blue"_s);
    row("enum of two", R"({"enum":["asc","desc"]})", "3", u"must be asc or desc"_s);
    row("enum of many", R"({"enum":["a","b","c","d","e","f","g","h","i","j","k","l","red"]})", "\"rde\"",
        u"must be one of a, b, c, d and 9 more (did you mean “red”?)"_s);
    row("not of types", R"({"not":{"type":["string","null"]}})", "null", u"must not be a string or null"_s);
    row("near miss", R"({"enum":["red","green","blue"]})", "\"gren\"",
        u"must be one of red, green or blue (did you mean “green”?)"_s);
    row("misspelled member", R"({"properties":{"limit":{}},"additionalProperties":false})", R"({"limti":1})",
        u"is not allowed here (did you mean “limit”?)"_s);
    row("one that is there already", R"({"properties":{"limit":{}},"additionalProperties":false})",
        R"({"limit":1,"limti":1})", u"is not allowed here"_s);
    row("a name of no pattern", R"({"patternProperties":{"^x-":{}},"additionalProperties":false})", R"({"y":1})",
        u"The name “y” must match the pattern ^x-"_s);
    row("a name of none of the patterns", R"({"patternProperties":{"^x-":{},"^n-":{}},"additionalProperties":false})",
        R"({"y":1})", u"The name “y” must match the pattern ^x- or ^n-"_s);
    row("a condition",
        R"({"if":{"properties":{"kind":{"const":"card"}},"required":["kind"]},"then":{"required":["n"]}})",
        R"({"kind":"card"})", u"is required when “kind” is “card”"_s);
    row("otherwise", R"({"if":{"required":["a"]},"else":{"required":["b"]}})", "{}",
        u"is required unless “a” is given"_s);
    row("a condition within another",
        R"({"if":{"properties":{"country":{"const":"NL"}},"required":["country"]},)"
        R"("then":{"if":{"properties":{"deep":{"const":true}},"required":["deep"]},"then":{"required":["zip"]},)"
        R"("dependentRequired":{"deep":["depth"]}}})",
        R"({"country":"NL","deep":true,"depth":1})", u"is required when “deep” is true and “country” is “NL”"_s);
    row("the same condition twice", R"({"dependentSchemas":{"a":{"dependentRequired":{"a":["b"]}}}})", R"({"a":1})",
        u"is required when “a” is given"_s);
    row("beyond a tuple", R"({"prefixItems":[true,true],"items":false})", "[1,2,3]",
        u"is not allowed here: there can be only 2 items"_s);
    row("both of the required", R"({"oneOf":[{"required":["id"]},{"required":["slug"]}]})", R"({"id":1,"slug":2})",
        u"Give only one of id and slug"_s);
    row("not both", R"({"not":{"required":["a","b"]}})", R"({"a":1,"b":2})", u"a and b cannot both be given"_s);
    row("not a third", R"({"not":{"required":["a","b","c"]}})", R"({"a":1,"b":2,"c":3})",
        u"a, b and c cannot all be given"_s);
    row("required and more", R"({"oneOf":[{"required":["id"],"minProperties":1},{"required":["slug"]}]})", "{}",
        u"must match one of 2 alternatives"_s);
    row("date", R"({"format":"date"})", "\"2026-02-30\"", u"must be a date such as 2026-01-31"_s);
}

void TestSchema::messages()
{
    QFETCH(QByteArray, schema);
    QFETCH(QByteArray, instance);
    QFETCH(QString, message);
    const QList<Issue> issues = make(schema, schema::Formats::Asserted).validate(json::parse(instance));
    QCOMPARE(issues.size(), 1);
    QCOMPARE(issues.first().message, message);
    QVERIFY(!issues.first().notChecked);
}

// Of the two drafts; those that say nothing about a value are listed too, so that none is forgotten.
void TestSchema::everyKeywordHasASentence()
{
    struct Sentence {
        QByteArray schema;  // of draft-07 where its name is there
        QByteArray instance;
        QString text;
    };
    const QByteArray draft7 = "\"$schema\":\"http://json-schema.org/draft-07/schema#\",";
    const QHash<QString, Sentence> sentences{
        {u"$ref"_s, {R"({"$ref":"#/$defs/n","$defs":{"n":{"type":"null"}}})", "1", u"must be null"_s}},
        {u"$dynamicRef"_s,
         {R"({"$dynamicRef":"#n","$defs":{"n":{"$dynamicAnchor":"n","type":"null"}}})", "1", u"must be null"_s}},
        {u"allOf"_s, {R"({"allOf":[{"minimum":5}]})", "1", u"must be at least 5"_s}},
        {u"anyOf"_s, {R"({"anyOf":[{"type":"string"},{"type":"null"}]})", "1", u"must be a string or null"_s}},
        {u"oneOf"_s,
         {R"({"oneOf":[{"minimum":1},{"minimum":2}]})", "3", u"must match only one of 2 alternatives, matches 2"_s}},
        {u"not"_s, {R"({"not":{"type":"string"}})", "\"\"", u"must not be a string"_s}},
        {u"if"_s, {R"({"if":{"const":1},"then":{"maximum":0}})", "1", u"must be at most 0"_s}},
        {u"then"_s,
         {R"({"if":{"required":["a"]},"then":{"required":["b"]}})", R"({"a":1})", u"is required when “a” is given"_s}},
        {u"else"_s,
         {R"({"if":{"required":["a"]},"else":{"required":["b"]}})", "{}", u"is required unless “a” is given"_s}},
        {u"dependentSchemas"_s,
         {R"({"dependentSchemas":{"a":{"required":["b"]}}})", R"({"a":1})", u"is required when “a” is given"_s}},
        {u"dependentRequired"_s,
         {R"({"dependentRequired":{"a":["b"]}})", R"({"a":1})", u"is required when “a” is given"_s}},
        {u"dependencies"_s, {R"({"dependencies":{"a":["b"]}})", R"({"a":1})", u"is required when “a” is given"_s}},
        {u"prefixItems"_s, {R"({"prefixItems":[{"type":"string"}]})", "[1]", u"must be a string"_s}},
        {u"items"_s, {R"({"items":{"type":"string"}})", "[1]", u"must be a string"_s}},
        {u"additionalItems"_s,
         {"{" + draft7 + R"("items":[true],"additionalItems":false})", "[1,2]",
          u"is not allowed here: there can be only 1 item"_s}},
        {u"contains"_s, {R"({"contains":{"const":"x"}})", "[]", u"must have at least 1 item that is “x”"_s}},
        {u"minContains"_s,
         {R"({"contains":{"type":"null"},"minContains":2})", "[null]",
          u"must have at least 2 items each of which is null; it has 1"_s}},
        {u"maxContains"_s,
         {R"({"contains":{"type":"null"},"maxContains":1})", "[null,null]",
          u"must have at most 1 item that is null; it has 2"_s}},
        {u"properties"_s, {R"({"properties":{"a":false}})", R"({"a":1})", u"is not allowed here"_s}},
        {u"patternProperties"_s,
         {R"({"patternProperties":{"^a":{"minimum":5}}})", R"({"a":1})", u"must be at least 5"_s}},
        {u"additionalProperties"_s, {R"({"additionalProperties":false})", R"({"a":1})", u"is not allowed here"_s}},
        {u"propertyNames"_s,
         {R"({"propertyNames":{"maxLength":1}})", R"({"ab":1})",
          u"The name “ab” must have at most 1 character, has 2"_s}},
        {u"unevaluatedItems"_s, {R"({"unevaluatedItems":false})", "[1]", u"is not allowed here"_s}},
        {u"unevaluatedProperties"_s, {R"({"unevaluatedProperties":false})", R"({"a":1})", u"is not allowed here"_s}},
        {u"type"_s, {R"({"type":["array","object"]})", "1", u"must be an array or an object"_s}},
        {u"const"_s, {R"({"const":[1, 2]})", "1", u"must be [1,2]"_s}},
        {u"enum"_s, {R"({"enum":["red","green","blue"]})", "\"grey\"", u"must be one of red, green or blue"_s}},
        {u"multipleOf"_s, {R"({"multipleOf":5})", "1", u"must be a multiple of 5"_s}},
        {u"maximum"_s, {R"({"maximum":5})", "6", u"must be at most 5"_s}},
        {u"exclusiveMaximum"_s, {R"({"exclusiveMaximum":5})", "5", u"must be less than 5"_s}},
        {u"minimum"_s, {R"({"minimum":5})", "4", u"must be at least 5"_s}},
        {u"exclusiveMinimum"_s, {R"({"exclusiveMinimum":5})", "5", u"must be greater than 5"_s}},
        {u"maxLength"_s, {R"({"maxLength":2})", "\"abc\"", u"must have at most 2 characters, has 3"_s}},
        {u"minLength"_s, {R"({"minLength":2})", "\"a\"", u"must have at least 2 characters, has 1"_s}},
        {u"pattern"_s, {R"({"pattern":"^a"})", "\"b\"", u"must match the pattern ^a, such as “a”"_s}},
        {u"maxItems"_s, {R"({"maxItems":1})", "[1,2]", u"must have at most 1 item, has 2"_s}},
        {u"minItems"_s, {R"({"minItems":3})", "[1,2]", u"must have at least 3 items, has 2"_s}},
        {u"uniqueItems"_s, {R"({"uniqueItems":true})", "[1,1]", u"must have unique items: items 1 and 2 are equal"_s}},
        {u"maxProperties"_s, {R"({"maxProperties":0})", R"({"a":1})", u"must have at most 0 properties, has 1"_s}},
        {u"minProperties"_s, {R"({"minProperties":1})", "{}", u"must have at least 1 property, has 0"_s}},
        {u"required"_s, {R"({"required":["a"]})", "{}", u"is required"_s}},
        {u"format"_s, {R"({"format":"email"})", "\"a\"", u"should be an email address such as name@example.com"_s}},
        {u"contentEncoding"_s,
         {R"({"contentEncoding":"base64"})", "\"*\"",
          u"should be encoded in base64: character 1, “*”, is not allowed"_s}},
        {u"contentMediaType"_s, {R"({"contentMediaType":"application/json"})", "\"{\"", u"should be valid JSON"_s}},
    };
    const QSet<QString> silent{
        u"$id"_s,           u"$schema"_s,          u"$anchor"_s,       u"$dynamicAnchor"_s,
        u"$vocabulary"_s,   u"$comment"_s,         u"$defs"_s,         u"title"_s,
        u"description"_s,   u"default"_s,          u"deprecated"_s,    u"readOnly"_s,
        u"writeOnly"_s,     u"examples"_s,         u"contentSchema"_s, u"definitions"_s,
        u"$recursiveRef"_s, u"$recursiveAnchor"_s,
    };
    QSet<QString> all;
    for (const auto &address :
         {u"http://json-schema.org/draft-07/schema"_s, u"https://json-schema.org/draft/2020-12/schema"_s,
          u"https://json-schema.org/draft/2020-12/meta/applicator"_s,
          u"https://json-schema.org/draft/2020-12/meta/content"_s, u"https://json-schema.org/draft/2020-12/meta/core"_s,
          u"https://json-schema.org/draft/2020-12/meta/format-annotation"_s,
          u"https://json-schema.org/draft/2020-12/meta/meta-data"_s,
          u"https://json-schema.org/draft/2020-12/meta/unevaluated"_s,
          u"https://json-schema.org/draft/2020-12/meta/validation"_s}) {
        const json::Value properties = schema::metaSchema(address)[u"properties"];
        QVERIFY2(!properties.isEmpty(), qPrintable(address));
        for (const json::Value &keyword : properties)
            all.insert(keyword.key());
    }
    for (const QString &keyword : std::as_const(all)) {
        if (silent.contains(keyword))
            continue;
        QVERIFY2(sentences.contains(keyword), qPrintable(keyword));
        const Sentence sentence = sentences.value(keyword);
        const Schema schema = make(sentence.schema, schema::Formats::Noted);
        const QList<Issue> issues = schema.validate(json::parse(sentence.instance));
        QVERIFY2(issues.size() == 1, qPrintable(keyword));
        QCOMPARE(issues.first().message, sentence.text);
        QVERIFY2(!issues.first().message.contains(u'%'), qPrintable(keyword));
    }
}

void TestSchema::formatsAreRemarks()
{
    const QByteArray text = R"({"properties":{"at":{"format":"date"},"n":{"maximum":1}}})";
    const json::Value wrong = json::parse(R"({"at":"tomorrow","n":2})");
    const QList<Issue> noted = make(text, schema::Formats::Noted).validate(wrong);
    QCOMPARE(describe(noted), QStringList({u"/at should be a date such as 2026-01-31"_s, u"/n must be at most 1"_s}));
    QVERIFY(noted.at(0).isRemark);
    QVERIFY(!noted.at(1).isRemark);
    const json::Value odd = json::parse(R"({"at":"tomorrow"})");
    QVERIFY(make(text, schema::Formats::Noted).isValid(odd));
    QVERIFY(!make(text, schema::Formats::Asserted).isValid(odd));
    QVERIFY(make(text).validate(odd).isEmpty());
    schema::Budget budget;
    const Schema schema = make(text, schema::Formats::Noted);
    QVERIFY(schema.admits(schema.root(), odd, &budget));
    QVERIFY(!schema.admits(schema.root(), wrong, &budget));
}

// A union holds with a remark if no branch holds without one.
void TestSchema::remarksOfAlternatives()
{
    const Schema optional =
        make(R"({"anyOf":[{"type":"string","format":"date"},{"type":"null"}]})", schema::Formats::Noted);
    QCOMPARE(describe(optional.validate(json::parse("\"soon\""))),
             QStringList(u" should be a date such as 2026-01-31"_s));
    QVERIFY(optional.validate(json::parse("null")).isEmpty());
    const Schema open = make(R"({"anyOf":[{"format":"date"},{"type":"string"}]})", schema::Formats::Noted);
    QVERIFY(open.validate(json::parse("\"soon\"")).isEmpty());
    const Schema excluded = make(R"({"not":{"format":"date"}})", schema::Formats::Noted);
    QCOMPARE(excluded.validate(json::parse("\"soon\"")).size(), 1);
}

void TestSchema::nullableOfOpenApi()
{
    const json::Value root = json::parse(R"({"type":"string","nullable":true})");
    const Schema arguments(root, Schema::forArguments());
    QVERIFY(arguments.isValid(json::parse("null")));
    QCOMPARE(describe(arguments.validate(json::parse("1"))), QStringList(u" must be a string or null"_s));
    // JSON Schema itself has no such keyword.
    QVERIFY(!Schema(root).isValid(json::parse("null")));
}

void TestSchema::pointers()
{
    const Schema schema = make(R"({"type":"object","required":["a","b"],"properties":{"a/b":{"type":"array",
        "items":{"$ref":"#/$defs/n"}}},"additionalProperties":false,"$defs":{"n":{"maximum":3}}})");
    const QList<Issue> issues = schema.validate(json::parse(R"({"a/b":[1,5],"c":0})"));
    QCOMPARE(issues.size(), 4);
    QCOMPARE(describe(issues), QStringList({u"/a is required"_s, u"/b is required"_s, u"/a~1b/1 must be at most 3"_s,
                                            u"/c is not allowed here"_s}));
    QCOMPARE(issues.at(0).keyword, u"required"_s);
    QCOMPARE(issues.at(0).schema.toString(), u"/required"_s);
    QCOMPARE(issues.at(2).schema.toString(), u"/$defs/n/maximum"_s);
    QCOMPARE(issues.at(3).keyword, u"additionalProperties"_s);
}

void TestSchema::pointersWithinALargerDocument()
{
    const json::Value message =
        json::parse(R"({"result":{"schema":{"properties":{"n":{"minimum":1}}},"value":{"n":0}}})");
    const Schema schema(message[u"result"][u"schema"]);
    const QList<Issue> issues = schema.validate(message[u"result"][u"value"]);
    QCOMPARE(issues.size(), 1);
    QCOMPARE(issues.first().instance.toString(), u"/n"_s);
    QCOMPARE(issues.first().schema.toString(), u"/properties/n/minimum"_s);
}

void TestSchema::nameIssues()
{
    const Schema schema = make(R"({"propertyNames":{"pattern":"^[a-z]+$"}})");
    QCOMPARE(describe(schema.validate(json::parse("{\"ok\":1,\"Bad\":2}"))),
             QStringList(u"/Bad The name “Bad” must match the pattern ^[a-z]+$, such as “a”"_s));
}

void TestSchema::unionsExplainTheBranchThatWasMeant()
{
    Schema schema = make(R"({"anyOf":[{"type":"number","maximum":10},{"type":"null"}]})");
    QCOMPARE(describe(schema.validate(json::parse("20"))), QStringList(u" must be at most 10"_s));
    QCOMPARE(describe(schema.validate(json::parse("\"x\""))), QStringList(u" must be a number or null"_s));
    schema = make(R"({"oneOf":[{"properties":{"kind":{"const":"a"},"x":{"type":"string"}}},
                               {"properties":{"kind":{"const":"b"},"y":{"type":"string"}}}]})");
    QCOMPARE(describe(schema.validate(json::parse("{\"kind\":\"b\",\"y\":1}"))), QStringList(u"/y must be a string"_s));
    schema = make(R"({"oneOf":[{"properties":{"r":{"type":"number"}},"required":["r"]},{"$ref":"#/$defs/box"}],
                      "$defs":{"box":{"properties":{"w":{"type":"number"},"h":{}},"required":["w","h"]}}})");
    QCOMPARE(describe(schema.validate(json::parse(R"({"w":"x"})"))),
             QStringList({u"/h is required"_s, u"/w must be a number"_s}));
    QCOMPARE(describe(schema.validate(json::parse("{}"))), QStringList(u" Give r, or w and h"_s));
}

void TestSchema::validateAt()
{
    const Schema schema = make(R"({"properties":{"a":{"$ref":"#/$defs/n"},"b":{"$id":"other","$defs":{"n":{"type":
        "string"}},"properties":{"c":{"$ref":"#/$defs/n"}}}},"$defs":{"n":{"type":"integer"}}})");
    const json::Value properties = schema.root()[u"properties"];
    QVERIFY(schema.validateAt(properties[u"a"], json::parse("1")).isEmpty());
    QCOMPARE(schema.validateAt(properties[u"a"], json::parse("\"x\"")).size(), 1);
    const json::Value inner = properties[u"b"][u"properties"][u"c"];
    QVERIFY(schema.validateAt(inner, json::parse("\"x\"")).isEmpty());
    QCOMPARE(schema.validateAt(inner, json::parse("1")).size(), 1);
}

void TestSchema::resolved()
{
    const Schema schema = make(R"({"properties":{"a":{"$ref":"#/$defs/x"},"b":{"$ref":"#deep"},"c":{"$ref":"#/nowhere"},
        "d":{"$ref":"#/properties/d"},"e":{"type":"null"}},"$defs":{"x":{"$ref":"#/$defs/y"},"y":{"$anchor":"deep",
        "title":"Y"}}})");
    const json::Value properties = schema.root()[u"properties"];
    QCOMPARE(schema.resolved(properties[u"a"])[u"title"].string(), u"Y"_s);
    QCOMPARE(schema.resolved(properties[u"b"])[u"title"].string(), u"Y"_s);
    QVERIFY(!schema.resolved(properties[u"c"]).exists());
    QVERIFY(!schema.resolved(properties[u"d"]).exists());
    QVERIFY(schema.resolved(properties[u"e"]).isSameNode(properties[u"e"]));
}

void TestSchema::duplicateKeys()
{
    const Schema schema = make(R"({"type":"string","type":"integer"})");
    QVERIFY(schema.isValid(json::parse("5")));
    QVERIFY(!schema.isValid(json::parse("\"x\"")));
}

void TestSchema::draft04Leftovers()
{
    const Schema schema = make(R"({"maximum":5,"exclusiveMaximum":true,"items":[{"type":"string"}]})");
    QCOMPARE(describe(schema.validate(json::parse("5"))), QStringList(u" must be less than 5"_s));
    QCOMPARE(describe(schema.validate(json::parse("[1]"))), QStringList(u"/0 must be a string"_s));
}

void TestSchema::emptySchemaAllowsAll()
{
    QVERIFY(Schema().isValid(json::parse("{}")));
    QVERIFY(make("{}").isValid(json::parse("[1]")));
    QVERIFY(!make("false").isValid(json::parse("[1]")));
}

void TestSchema::brokenSchemas_data()
{
    QTest::addColumn<QByteArray>("schema");
    QTest::newRow("not a schema") << "17"_ba;
    QTest::newRow("missing") << ""_ba;
    QTest::newRow("unknown type") << R"({"type":"any"})"_ba;
    QTest::newRow("bad pattern") << R"({"pattern":"(a"})"_ba;
    QTest::newRow("PCRE only") << "{\"pattern\":\"(?>a)\"}"_ba;
    QTest::newRow("nowhere") << R"({"$ref":"#/$defs/nothing"})"_ba;
    QTest::newRow("itself") << R"({"$ref":"#"})"_ba;
    QTest::newRow("circle") << R"({"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}})"_ba;
}

void TestSchema::brokenSchemas()
{
    QFETCH(QByteArray, schema);
    const QList<Issue> issues = make(schema).validate(json::parse("\"text\""));
    QCOMPARE(issues.size(), 1);
    QVERIFY(issues.first().notChecked);
    QVERIFY(issues.first().message.startsWith(u"not checked"));
}

void TestSchema::nothingIsFetched()
{
    const QList<Issue> issues = make(R"({"$ref":"http://127.0.0.1:1/schema.json"})").validate(json::parse("1"));
    QCOMPARE(issues.size(), 1);
    QVERIFY(issues.first().notChecked);
    QVERIFY(issues.first().message.contains(u"http://127.0.0.1:1/schema.json"));
}

void TestSchema::documentsAreUsed()
{
    Schema::Options options;
    options.documents.insert(u"https://example.org/n"_s, json::parse(R"({"type":"integer"})"));
    const Schema schema(json::parse(R"({"$ref":"https://example.org/n"})"), options);
    QVERIFY(schema.isValid(json::parse("1")));
    QVERIFY(!schema.isValid(json::parse("\"x\"")));
    // The meta-schemas are always at hand.
    const Schema meta = make(R"({"$ref":"https://json-schema.org/draft/2020-12/schema"})");
    QVERIFY(meta.isValid(json::parse("{\"type\":\"object\",\"properties\":{\"a\":{\"minimum\":1}}}")));
    QVERIFY(!meta.isValid(json::parse("{\"properties\":{\"a\":{\"minimum\":\"1\"}}}")));
}

void TestSchema::hostileSchemas_data()
{
    QTest::addColumn<QByteArray>("schema");
    QByteArray doubling = R"({"$ref":"#/$defs/n0","$defs":{)";
    QByteArray mutual = R"({"$ref":"#/$defs/n0","$defs":{)";
    constexpr int levels = 60;
    for (int i = 0; i < levels; ++i) {
        const QByteArray name = "\"n" + QByteArray::number(i) + "\"";
        const QByteArray next = "{\"$ref\":\"#/$defs/n" + QByteArray::number(i + 1) + "\"}";
        doubling += name + ":{\"allOf\":[" + next + ',' + next + "]},";
        mutual += name + ":{\"anyOf\":[{\"not\":" + next + "}," + next + ",{\"$ref\":\"#\"}]},";
    }
    const QByteArray last = "\"n" + QByteArray::number(levels) + "\":{\"minimum\":1}}}";
    QTest::newRow("allOf bomb") << doubling + last;
    QTest::newRow("anyOf bomb") << mutual + last;
    QTest::newRow("nested allOf") << QByteArray("{\"allOf\":[").repeated(300) + "true" + QByteArray("]}").repeated(300);
    QTest::newRow("wide and circular") << R"({"allOf":[{"$ref":"#"},{"$ref":"#"},{"$ref":"#"},{"$ref":"#"}]})"_ba;
}

// Ends at all, without a crash, and says that it did not finish. A run without limits would outlast the universe.
void TestSchema::hostileSchemas()
{
    QFETCH(QByteArray, schema);
    Schema::Options options;
    options.limits.maxSteps = 200'000;
    const QList<Issue> issues = Schema(json::parse(schema), options).validate(json::parse("5"));
    QVERIFY(!issues.isEmpty());
    QVERIFY(issues.last().notChecked);
    QVERIFY(issues.size() <= options.limits.maxIssues);
}

void TestSchema::evilPattern()
{
    const Schema schema = make(R"({"items":{"pattern":"^(a+)+$"}})");
    const QByteArray evil = '"' + QByteArray(40, 'a') + "!\"";
    const QList<Issue> issues = schema.validate(json::parse("[\"aaa\"," + evil + ",\"b\"]"));
    QCOMPARE(issues.size(), 2);
    QVERIFY(issues.at(0).notChecked);
    QCOMPARE(issues.at(0).instance.toString(), u"/1"_s);
    QVERIFY(!issues.at(1).notChecked);
}

void TestSchema::deepInstance()
{
    const Schema schema = make(R"({"items":{"$ref":"#"}})");
    QVERIFY(schema.isValid(json::parse(QByteArray(100, '[') + QByteArray(100, ']'))));
    const QList<Issue> issues = schema.validate(json::parse(QByteArray(1000, '[') + QByteArray(1000, ']')));
    QCOMPARE(issues.size(), 1);
    QVERIFY(issues.first().notChecked);
}

void TestSchema::issuesAreLimited()
{
    const Schema schema = make(R"({"items":{"type":"string"}})");
    QByteArray many = "[1";
    for (int i = 0; i < 5000; ++i)
        many += ",1";
    QCOMPARE(schema.validate(json::parse(many + ']')).size(), 200);
}

void TestSchema::severalThreads()
{
    const Schema schema = make(R"({"properties":{"a":{"$ref":"#/$defs/s"}},"$defs":{"s":{"pattern":"^x+$"}}})");
    std::atomic<int> right = 0;
    std::vector<std::unique_ptr<QThread>> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back(QThread::create([&right, schema] {
            for (int round = 0; round < 200; ++round) {
                right += schema.isValid(json::parse(R"({"a":"xx"})"));
                right += !schema.isValid(json::parse(R"({"a":"y"})"));
            }
        }));
        threads.back()->start();
    }
    for (const auto &thread : threads)
        QVERIFY(thread->wait(60'000));
    QCOMPARE(right.load(), 4 * 200 * 2);
}

// The protocol's own schemas are as large as schemas get; each is a valid schema by its meta-schema.
void TestSchema::schemasOfTheProtocol()
{
    QDirIterator files(QStringLiteral(SONDE_SOURCE_DIR "/../shared/schema"), {u"*.json"_s}, QDir::Files);
    if (!files.hasNext())
        QSKIP("../shared/schema is not there");
    while (files.hasNext()) {
        QFile file(files.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const json::Value root = json::parse(file.readAll());
        const QByteArray name = root[u"$schema"].slice().toByteArray();
        const Schema meta = make("{\"$schema\":" + name + ",\"$ref\":" + name + "}");
        const QStringList issues = describe(meta.validate(root));
        QVERIFY2(issues.isEmpty(), qPrintable(file.fileName() + u": "_s + issues.join(u"; "_s)));
    }
}

SONDE_TEST(TestSchema)
#include "tst_schema.moc"
