// From schemas to shapes: which editor a place gets, and which branch of a union a value means.
// SPDX-License-Identifier: Apache-2.0
#include "core/shape/shapevalues.h"
#include "core/shape/typehint.h"
#include "tests/support/fallbacks.h"
#include "tests/support/testregistry.h"
#include "ui/form/hints.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::ui;
using sonde::test::fallbacksOf;

Q_DECLARE_METATYPE(sonde::Shape::Kind)

class TestShape : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void kinds_data();
    void kinds();
    void propertiesNamedLikeKeywords();
    void referencesIntoTheTree();
    void annotationsBesideAReference();
    void branchByDiscriminator();
    void branchByType();
    void nestedUnionsAreOne();
    void endlessSchemasEnd_data();
    void endlessSchemasEnd();
    void constantsOfANewObject();
    void secrets_data();
    void secrets();
    void limitsInWords_data();
    void limitsInWords();
};

void TestShape::kinds_data()
{
    QTest::addColumn<QByteArray>("schema");
    QTest::addColumn<Shape::Kind>("kind");
    QTest::addColumn<bool>("nullable");
    const auto row = [](const char *schema, Shape::Kind kind, bool nullable = false) {
        QTest::newRow(schema) << QByteArray(schema) << kind << nullable;
    };
    row(R"({"type":"string"})", Shape::Kind::Text);
    row(R"({"type":["string","null"]})", Shape::Kind::Text, true);
    row(R"({"anyOf":[{"type":"string"},{"type":"null"}],"default":null})", Shape::Kind::Text, true);
    row(R"({"type":"integer"})", Shape::Kind::Number);
    row(R"({"minimum":1})", Shape::Kind::Number);
    row(R"({"type":"boolean"})", Shape::Kind::Boolean);
    row(R"({"enum":["a","b"]})", Shape::Kind::Choice);
    row(R"({"enum":["a","b",null]})", Shape::Kind::Choice, true);
    row(R"({"type":"string","enum":[]})", Shape::Kind::Choice);
    row(R"({"oneOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}]})", Shape::Kind::Choice);
    row(R"({"const":3})", Shape::Kind::Constant);
    row(R"({"type":"string","enum":["only"]})", Shape::Kind::Constant);
    row(R"({"type":"null"})", Shape::Kind::Constant);
    row(R"({"type":"object","properties":{"a":{}}})", Shape::Kind::Object);
    row(R"({"properties":{"a":{}}})", Shape::Kind::Object);
    row(R"({"type":"object","additionalProperties":{"type":"string"}})", Shape::Kind::Object);
    row(R"({"type":"object","additionalProperties":false})", Shape::Kind::Object);
    row(R"({"type":"object"})", Shape::Kind::AnyJson);
    row(R"({"type":"object","additionalProperties":{}})", Shape::Kind::AnyJson);
    row(R"({"type":"array","items":{"type":"string"}})", Shape::Kind::List);
    row(R"({"type":"array","prefixItems":[{"type":"string"}]})", Shape::Kind::List);
    row(R"({"type":"array"})", Shape::Kind::AnyJson);
    row(R"({"type":["string","number"]})", Shape::Kind::Union);
    row(R"({"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]})", Shape::Kind::Union);
    row(R"({"allOf":[{"type":"string"}],"description":"d"})", Shape::Kind::Text);
    row(R"({"type":"object","properties":{"a":{},"b":{}},"anyOf":[{"required":["a"]},{"required":["b"]}]})",
        Shape::Kind::Object);
    row(R"({"description":"anything"})", Shape::Kind::AnyJson);
    row("{}", Shape::Kind::AnyJson);
    row("true", Shape::Kind::AnyJson);
    row("false", Shape::Kind::AnyJson);
    row(R"({"type":"file"})", Shape::Kind::Undrawn);
}

void TestShape::kinds()
{
    QFETCH(QByteArray, schema);
    const json::Value root = json::parse(schema);
    const Shape shape = ShapeReader(root).read(root);
    QTEST(shape.kind, "kind");
    QTEST(shape.nullable, "nullable");
}

void TestShape::propertiesNamedLikeKeywords()
{
    const json::Value root = json::parse(R"({"type":"object","properties":{
        "type":{"type":"string"},"properties":{"type":"integer"},"required":{"type":"boolean"},
        "enum":{"type":"number"},"$ref":{"type":"string"},"items":{"type":"array","items":{"type":"string"}}},
        "required":["required"]})");
    const ShapeReader reader(root);
    const Shape shape = reader.read(root);
    QCOMPARE(shape.propertyNames().size(), 6);
    QCOMPARE(reader.property(shape, u"type"_s).kind, Shape::Kind::Text);
    QCOMPARE(reader.property(shape, u"properties"_s).kind, Shape::Kind::Number);
    QCOMPARE(reader.property(shape, u"required"_s).kind, Shape::Kind::Boolean);
    QCOMPARE(reader.property(shape, u"items"_s).kind, Shape::Kind::List);
    QVERIFY(shape.isRequired(u"required"));
    QVERIFY(!shape.isRequired(u"type"));
}

void TestShape::referencesIntoTheTree()
{
    const json::Value root = json::parse(R"({"type":"object","properties":{
        "a":{"anyOf":[{"type":"string"},{"type":"object","properties":{"x/y":{"type":"integer"}}}]},
        "b":{"$ref":"#/properties/a/anyOf/1/properties/x~1y"},
        "c":{"$ref":"#/$defs/missing"}}})");
    const ShapeReader reader(root);
    const Shape shape = reader.read(root);
    QCOMPARE(reader.property(shape, u"b"_s).kind, Shape::Kind::Number);
    QCOMPARE(reader.property(shape, u"c"_s).kind, Shape::Kind::AnyJson);
}

void TestShape::annotationsBesideAReference()
{
    const json::Value root = json::parse(R"({"$defs":{"n":{"type":"integer","description":"far","default":1}},
        "type":"object","properties":{"n":{"$ref":"#/$defs/n","description":"near"}}})");
    const ShapeReader reader(root);
    const Shape shape = reader.property(reader.read(root), u"n"_s);
    QCOMPARE(shape.text(u"description"), u"near"_s);
    QCOMPARE(shape.keyword(u"default").numberText(), "1");
}

void TestShape::branchByDiscriminator()
{
    const json::Value root = json::parse(R"({"oneOf":[
        {"type":"object","properties":{"kind":{"const":"a"},"x":{"type":"string"}},"required":["kind"]},
        {"type":"object","properties":{"kind":{"const":"b"},"x":{"type":"string"}},"required":["kind"]}]})");
    const ShapeReader reader(root);
    const ShapeValues values(reader);
    const Shape shape = reader.read(root);
    QCOMPARE(values.discriminator(shape), u"kind"_s);
    QCOMPARE(values.branchLabel(shape, 1), u"b"_s);
    QCOMPARE(values.branchFor(shape, json::parse(R"({"kind":"b","x":"t"})")), 1);
    // A wrong member elsewhere does not hide which branch was meant.
    QCOMPARE(values.branchFor(shape, json::parse(R"({"kind":"b","x":5})")), 1);
    QCOMPARE(values.branchFor(shape, json::parse("7")), -1);
}

void TestShape::branchByType()
{
    const json::Value root = json::parse(R"({"type":["string","number","boolean","array","null"]})");
    const ShapeReader reader(root);
    const ShapeValues values(reader);
    const Shape shape = reader.read(root);
    QVERIFY(shape.nullable);
    QCOMPARE(values.branchFor(shape, json::parse("1.5")), 1);
    QCOMPARE(values.branchFor(shape, json::parse("[1]")), 3);
    QCOMPARE(values.branchFor(shape, json::parse("{}")), -1);
}

void TestShape::nestedUnionsAreOne()
{
    const json::Value root = json::parse(R"({"$defs":{"u":{"anyOf":[{"type":"integer"},{"type":"boolean"}]}},
        "anyOf":[{"type":"string"},{"$ref":"#/$defs/u"}]})");
    const ShapeReader reader(root);
    QCOMPARE(reader.read(root).branches.size(), 3);
}

void TestShape::endlessSchemasEnd_data()
{
    QTest::addColumn<QByteArray>("schema");
    QTest::newRow("ref to itself") << QByteArray(R"({"$ref":"#"})");
    QTest::newRow("union of itself") << QByteArray(R"({"anyOf":[{"$ref":"#"},{"$ref":"#"},{"type":"string"}]})");
    QTest::newRow("one branch, itself") << QByteArray(R"({"oneOf":[{"$ref":"#"}]})");
    QTest::newRow("allOf itself") << QByteArray(R"({"allOf":[{"$ref":"#"},{"allOf":[{"$ref":"#"}]}]})");
    QTest::newRow("required for ever") << QByteArray(
        R"({"type":"object","properties":{"n":{"$ref":"#"},"c":{"const":1}},"required":["n","c"]})");
}

void TestShape::endlessSchemasEnd()
{
    QFETCH(QByteArray, schema);
    const json::Value root = json::parse(schema);
    const ShapeReader reader(root);
    const ShapeValues values(reader);
    const Shape shape = reader.read(root);
    typeHint(values, shape);
    values.initial(shape);
    values.branchFor(shape, json::parse("{}"));
    QVERIFY(fallbacksOf(values, shape, json::parse(R"({"n":{"n":{}}})")).size() < 1000);
}

void TestShape::constantsOfANewObject()
{
    const json::Value root = json::parse(R"({"type":"object","required":["v","in","t"],"properties":{
        "v":{"const":1.0},"t":{"type":"string"},"o":{"const":"optional"},
        "in":{"type":"object","required":["k"],"properties":{"k":{"const":"x"}}}}})");
    const ShapeReader reader(root);
    const ShapeValues values(reader);
    QCOMPARE(values.initial(reader.read(root)), R"({"v":1.0,"in":{"k":"x"}})");
}

void TestShape::secrets_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("secret");
    for (const char *name : {"token", "clientSecret", "api-key", "API_KEY", "password", "accessToken", "privateKey"})
        QTest::newRow(name) << QString::fromLatin1(name) << true;
    for (const char *name : {"page_token", "nextToken", "max_tokens", "key", "tokenizer", "keyboard", "secretary"})
        QTest::newRow(name) << QString::fromLatin1(name) << false;
}

void TestShape::secrets()
{
    QFETCH(QString, name);
    const json::Value root = json::parse(R"({"type":"string"})");
    QTEST(looksSecret(name, ShapeReader(root).read(root)), "secret");
}

void TestShape::limitsInWords_data()
{
    QTest::addColumn<QByteArray>("schema");
    QTest::addColumn<QString>("hint");
    const auto row = [](const char *schema, const QString &hint) {
        QTest::newRow(schema) << QByteArray(schema) << hint;
    };
    row(R"({"type":"integer","minimum":1,"maximum":1000})", u"integer · 1 – 1000"_s);
    row(R"({"type":"number","exclusiveMinimum":0,"default":30})", u"number · > 0 · default 30"_s);
    row(R"({"oneOf":[{"const":1,"title":"Low"},{"const":2,"title":"Normal"}],"default":2})",
        u"2 choices · default Normal"_s);
    row(R"({"type":"integer","minimum":0,"maximum":9007199254740991})", u"integer · ≥ 0"_s);
    row(R"({"type":"string","minLength":1,"maxLength":80})", u"string · 1–80 characters"_s);
    row(R"({"type":"string","maxLength":4000})", u"string · max 4000 characters"_s);
    row(R"({"type":["string","null"],"format":"date-time"})", u"date-time or null"_s);
    row(R"({"type":"array","items":{"type":"string"},"minItems":1})", u"list of strings · min 1 item"_s);
    row(R"({"type":"object","additionalProperties":{"type":"integer"}})", u"map of integers"_s);
    row(R"({"type":"object","patternProperties":{"^a":{"type":"integer"},"^b":{"type":"string"}},)"
        R"("additionalProperties":false})",
        u"map of integers or strings"_s);
    row(R"({"enum":["a","b","c"],"default":"b"})", u"3 choices · default b"_s);
    row(R"({"type":"number","minimum":0,"exclusiveMaximum":100,"multipleOf":0.01})",
        u"number · ≥ 0 · < 100 · multiple of 0.01"_s);
    row(R"({"type":"number","exclusiveMinimum":0,"maximum":1})", u"number · > 0 · ≤ 1"_s);
    row(R"({"type":"number","minimum":0,"exclusiveMinimum":true,"maximum":1})", u"number · > 0 · ≤ 1"_s);
    row(R"({"type":"integer","multipleOf":1})", u"integer"_s);
    row(R"({"type":"string","contentEncoding":"base64","contentMediaType":"image/png"})",
        u"string · base64 · image/png"_s);
    row(R"({"type":"string","pattern":"^[a-z]+$","minLength":2})", u"string · min 2 characters · pattern ^[a-z]+$"_s);
}

void TestShape::limitsInWords()
{
    QFETCH(QByteArray, schema);
    const json::Value root = json::parse(schema);
    const ShapeReader reader(root);
    const ShapeValues values(reader);
    QTEST(typeHint(values, reader.read(root)), "hint");
}

SONDE_TEST(TestShape)
#include "tst_shape.moc"
