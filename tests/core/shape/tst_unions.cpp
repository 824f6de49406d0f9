// Which branches a union has, what tells them apart, and what else decides a place's shape from elsewhere: dynamic
// references, members beside a union, null as OpenAPI allows it.
// SPDX-License-Identifier: Apache-2.0
#include "core/shape/alternatives.h"
#include "core/shape/example.h"
#include "core/shape/shapevalues.h"
#include "core/shape/typehint.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

class TestUnions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void discriminators_data();
    void discriminators();
    void valuesThatNoBranchHasAreSeen();
    void sharedBaseWithAMapping();
    void nullOfOpenApi_data();
    void nullOfOpenApi();
    void membersBesideAUnion();
    void unionsBesideEachOther();
    void alternativesBesideAUnion();
    void namesOfBranchesAreTheirOwn();
    void dynamicReferenceOfATree();
    void dynamicReferenceOfAGenericList();
    void referencesOfReferences();
};

void TestUnions::discriminators_data()
{
    QTest::addColumn<QByteArray>("schema");
    QTest::addColumn<QStringList>("labels");
    QTest::addColumn<QByteArray>("second");      // the value of a branch that was chosen
    QTest::addColumn<QByteArray>("incomplete");  // meant for the second branch
    const auto row = [](const char *name, const char *schema, const QStringList &labels, const char *second,
                        const char *incomplete) {
        QTest::newRow(name) << QByteArray(schema) << labels << QByteArray(second) << QByteArray(incomplete);
    };
    row("constants",
        R"({"oneOf":[{"type":"object","properties":{"k":{"const":"a"},"x":{"type":"string"}},"required":["k"]},)"
        R"({"type":"object","properties":{"k":{"const":"b"},"x":{"type":"string"}},"required":["k"]}]})",
        {u"a"_s, u"b"_s}, R"({"k":"b"})", R"({"k":"b","x":5})");
    row("optional constants with a default",
        R"({"anyOf":[{"type":"object","properties":{"k":{"const":"a","default":"a","type":"string"},"x":{}}},)"
        R"({"type":"object","properties":{"k":{"const":"b","default":"b","type":"string"},"y":{}}}]})",
        {u"a"_s, u"b"_s}, R"({"k":"b"})", R"({"k":"b","x":1})");
    row("values of an enum",
        R"({"oneOf":[{"type":"object","properties":{"k":{"enum":["get","head"]},"x":{}},"required":["k"]},)"
        R"({"type":"object","properties":{"k":{"enum":["put","post","patch","delete"]}},"required":["k"]}]})",
        {u"get, head"_s, u"put, post, patch, …"_s}, R"({"k":"put"})", R"({"k":"patch","x":5})");
    row("numbers",
        R"({"oneOf":[{"type":"object","properties":{"v":{"const":1}},"required":["v"]},)"
        R"({"type":"object","properties":{"v":{"const":2},"x":{"type":"string"}},"required":["v"]}]})",
        {u"1"_s, u"2"_s}, R"({"v":2})", R"({"v":2.0,"x":5})");
    row("mapping by reference",
        R"({"oneOf":[{"$ref":"#/$defs/CardPayment"},{"$ref":"#/$defs/Transfer"}],)"
        R"("discriminator":{"propertyName":"k","mapping":{"card":"#/$defs/CardPayment","sepa":"#/$defs/Transfer"}},)"
        R"("$defs":{"CardPayment":{"type":"object","title":"CardPayment","properties":{"k":{"type":"string"},)"
        R"("n":{"type":"string"}},"required":["k","n"]},"Transfer":{"type":"object","title":"Transfer",)"
        R"("properties":{"k":{"type":"string"},"iban":{"type":"string"}},"required":["k","iban"]}}})",
        {u"card"_s, u"sepa"_s}, R"({"k":"sepa"})", R"({"k":"sepa","n":"1"})");
    row("mapping by name, bundled references",
        R"({"oneOf":[{"$ref":"#/definitions/Card"},{"allOf":[{"$ref":"#/definitions/Iban"}]}],)"
        R"("discriminator":{"propertyName":"k","mapping":{"card":"Card","sepa":"#/components/schemas/Iban"}},)"
        R"("definitions":{"Card":{"type":"object","properties":{"k":{"type":"string"}},"required":["k"]},)"
        R"("Iban":{"type":"object","properties":{"k":{"type":"string"},"x":{"type":"string"}}}}})",
        {u"card"_s, u"sepa"_s}, R"({"k":"sepa"})", R"({"k":"sepa","x":1})");
    row("no mapping",
        R"({"oneOf":[{"$ref":"#/$defs/Cat"},{"$ref":"#/$defs/Dog"}],"discriminator":{"propertyName":"k"},)"
        R"("$defs":{"Cat":{"type":"object","properties":{"k":{"type":"string"}},"required":["k"]},)"
        R"("Dog":{"type":"object","properties":{"k":{"type":"string"},"x":{"type":"string"}},"required":["k"]}}})",
        {u"Cat"_s, u"Dog"_s}, R"({"k":"Dog"})", R"({"k":"Dog","x":1})");
    row("two names for a branch",
        R"({"oneOf":[{"$ref":"#/$defs/Cat"},{"$ref":"#/$defs/Dog"}],"discriminator":{"propertyName":"k",)"
        R"("mapping":{"cat":"#/$defs/Cat","dog":"#/$defs/Dog","puppy":"#/$defs/Dog"}},)"
        R"("$defs":{"Cat":{"type":"object","properties":{"k":{"type":"string"}},"required":["k"]},)"
        R"("Dog":{"type":"object","properties":{"k":{"type":"string"},"x":{"type":"string"}},"required":["k"]}}})",
        {u"cat"_s, u"dog, puppy"_s}, R"({"k":"dog"})", R"({"k":"puppy","x":1})");
}

void TestUnions::discriminators()
{
    QFETCH(QByteArray, schema);
    QFETCH(QByteArray, incomplete);
    const ShapeReader reader(json::parse(schema));
    const ShapeValues values(reader);
    const Shape shape = reader.read(reader.schema().root());
    QCOMPARE(shape.kind, Shape::Kind::Union);
    QStringList labels;
    for (qsizetype i = 0; i < shape.branches.size(); ++i)
        labels.append(values.branchLabel(shape, i));
    QTEST(labels, "labels");
    QTEST(values.initial(shape, 1), "second");
    QTEST(values.starting(shape, 1), "second");
    QCOMPARE(values.branchFor(shape, json::parse(values.initial(shape, 1))), 1);
    QCOMPARE(values.branchFor(shape, json::parse(values.initial(shape))), 0);
    // A fault elsewhere does not hide which branch was meant.
    QCOMPARE(values.branchFor(shape, json::parse(incomplete)), 1);
}

void TestUnions::valuesThatNoBranchHasAreSeen()
{
    const ShapeReader reader(
        json::parse(R"({"oneOf":[{"type":"object","properties":{"k":{"const":"a"}},"required":["k"]},)"
                    R"({"type":"object","properties":{"k":{"enum":["b","c"]}},"required":["k"]}]})"));
    const ShapeValues values(reader);
    const Shape shape = reader.read(reader.schema().root());
    QCOMPARE(values.impliedMember(shape, 0, {}), u"k"_s);
    QCOMPARE(values.impliedMember(shape, 0, json::parse(R"({"k":"a"})")), u"k"_s);
    QCOMPARE(values.impliedMember(shape, 0, json::parse(R"({"k":"z"})")), QString());
    QCOMPARE(values.impliedMember(shape, 1, json::parse(R"({"k":"b"})")), QString());  // one of two: a choice
}

// The member's schema is one for all, as generators write it that know classes and their base.
void TestUnions::sharedBaseWithAMapping()
{
    const ShapeReader reader(json::parse(
        R"({"oneOf":[{"$ref":"#/definitions/Cat"},{"$ref":"#/definitions/Dog"}],"discriminator":{"propertyName":"type",)"
        R"("mapping":{"cat":"#/definitions/Cat","dog":"#/definitions/Dog"}},"definitions":{)"
        R"("Pet":{"type":"object","required":["type"],"properties":{"type":{"enum":["cat","dog","fish"]}}},)"
        R"("Cat":{"allOf":[{"$ref":"#/definitions/Pet"},{"type":"object","properties":{"lives":{"type":"integer"}}}]},)"
        R"("Dog":{"allOf":[{"$ref":"#/definitions/Pet"},{"type":"object","properties":{"bark":{"type":"string"}}}]}}})"));
    const ShapeValues values(reader);
    const Shape shape = reader.read(reader.schema().root());
    QCOMPARE(values.branchLabel(shape, 1), u"dog"_s);
    QCOMPARE(values.initial(shape, 1), R"({"type":"dog"})");
    QCOMPARE(reader.branch(shape, 1).propertyNames(), (QStringList{u"type"_s, u"bark"_s}));
}

void TestUnions::nullOfOpenApi_data()
{
    QTest::addColumn<QByteArray>("schema");
    QTest::addColumn<bool>("isNullable");
    const auto row = [](const char *schema, bool isNullable) {
        QTest::newRow(schema) << QByteArray(R"({"properties":{"v":)") + schema +
                                     R"(},"$defs":{"o":{"type":"object","properties":{"a":{}}},"e":{"enum":["a","b"]},)"
                                     R"("n":{"type":"string","nullable":true}}})"
                              << isNullable;
    };
    row(R"({"$ref":"#/$defs/o","nullable":true})", true);
    row(R"({"$ref":"#/$defs/e","nullable":true})", true);
    row(R"({"allOf":[{"$ref":"#/$defs/o"}],"nullable":true})", true);
    row(R"({"allOf":[{"$ref":"#/$defs/e"}],"nullable":true,"description":"One of them."})", true);
    row(R"({"oneOf":[{"$ref":"#/$defs/o"},{"type":"string"}],"nullable":true})", true);
    row(R"({"anyOf":[{"type":"integer"},{"type":"string"}],"nullable":true})", true);
    row(R"({"allOf":[{"type":"object","properties":{"a":{}}},{"required":["a"]}],"nullable":true})", true);
    row(R"({"$ref":"#/$defs/n"})", true);
    row(R"({"$ref":"#/$defs/o"})", false);
    row(R"({"$ref":"#/$defs/o","nullable":false})", false);
    row(R"({"allOf":[{"$ref":"#/$defs/n"},{"type":"string","minLength":1}]})", false);
    row(R"({"type":"string","enum":["a"],"nullable":true})", false);
}

void TestUnions::nullOfOpenApi()
{
    QFETCH(QByteArray, schema);
    QFETCH(bool, isNullable);
    const ShapeReader reader(json::parse(schema));
    const Shape shape = reader.property(reader.read(reader.schema().root()), u"v"_s);
    QCOMPARE(shape.nullable, isNullable);
    QCOMPARE(reader.schema().isValid(json::parse(R"({"v":null})")), isNullable);
    QVERIFY(shape.kind != Shape::Kind::AnyJson && shape.kind != Shape::Kind::Undrawn);
}

void TestUnions::membersBesideAUnion()
{
    const ShapeReader reader(json::parse(
        R"({"type":"object","title":"Both","properties":{"common":{"type":"string"}},"required":["common"],"oneOf":[)"
        R"({"properties":{"id":{"type":"integer"}},"required":["id"]},)"
        R"({"properties":{"slug":{"type":"string"}},"required":["slug"]},)"
        R"({"oneOf":[{"properties":{"x":{"type":"boolean"}},"required":["x"]},)"
        R"({"properties":{"y":{"type":"boolean"}},"required":["y"]}]}]})"));
    const Shape shape = reader.read(reader.schema().root());
    QCOMPARE(shape.kind, Shape::Kind::Union);
    const QList<QStringList> expected{
        {u"id"_s, u"common"_s}, {u"slug"_s, u"common"_s}, {u"x"_s, u"common"_s}, {u"y"_s, u"common"_s}};
    QCOMPARE(shape.branches.size(), expected.size());
    for (qsizetype i = 0; i < expected.size(); ++i) {
        const Shape branch = reader.branch(shape, i);
        QCOMPARE(branch.kind, Shape::Kind::Object);
        QCOMPARE(branch.propertyNames(), expected.at(i));
        QVERIFY(branch.isRequired(u"common"));
    }
}

void TestUnions::unionsBesideEachOther()
{
    const ShapeReader reader(json::parse(R"({"type":"object","properties":{"c":{"type":"string"}},"allOf":[)"
                                         R"({"oneOf":[{"properties":{"a":{"type":"integer"}},"required":["a"]},)"
                                         R"({"properties":{"b":{"type":"integer"}},"required":["b"]}]},)"
                                         R"({"oneOf":[{"properties":{"x":{"type":"integer"}},"required":["x"]},)"
                                         R"({"properties":{"y":{"type":"integer"}},"required":["y"]}]}]})"));
    const Shape shape = reader.read(reader.schema().root());
    QCOMPARE(shape.kind, Shape::Kind::Union);
    const Shape first = reader.branch(shape, 1);
    QCOMPARE(first.kind, Shape::Kind::Union);
    QCOMPARE(reader.branch(first, 0).kind, Shape::Kind::Object);
    const QStringList names = reader.branch(first, 0).propertyNames();
    QCOMPARE(QSet<QString>(names.begin(), names.end()), (QSet<QString>{u"c"_s, u"b"_s, u"x"_s}));
    const QByteArray example = exampleOf(reader, shape);
    QVERIFY2(reader.schema().isValid(json::parse(example)), example.constData());
}

// Alternatives of required members do not hide a union.
void TestUnions::alternativesBesideAUnion()
{
    const ShapeReader reader(json::parse(
        R"({"type":"object","properties":{"p":{},"q":{}},"anyOf":[{"required":["p"]},{"required":["q"]}],"oneOf":[)"
        R"({"properties":{"a":{"type":"integer"}},"required":["a"]},{"properties":{"b":{}},"required":["b"]}]})"));
    const Shape shape = reader.read(reader.schema().root());
    QCOMPARE(shape.kind, Shape::Kind::Union);
    QCOMPARE(reader.branch(shape, 1).propertyNames(), (QStringList{u"b"_s, u"p"_s, u"q"_s}));
    QCOMPARE(alternativesOf(reader.branch(shape, 1)).labels, (QStringList{u"p"_s, u"q"_s}));
}

void TestUnions::namesOfBranchesAreTheirOwn()
{
    const ShapeReader reader(
        json::parse(R"({"title":"Search","properties":{"q":{"type":"string"}},"anyOf":[)"
                    R"({"properties":{"id":{"type":"integer"}},"required":["id"]},)"
                    R"({"title":"By slug","properties":{"slug":{"type":"string"}},"required":["slug"]}]})"));
    const ShapeValues values(reader);
    const Shape shape = reader.read(reader.schema().root());
    QCOMPARE(values.branchLabel(shape, 0), u"id, q"_s);
    QCOMPARE(values.branchLabel(shape, 1), u"By slug"_s);
}

// A tree that another schema makes stricter: its children are those of the stricter one.
void TestUnions::dynamicReferenceOfATree()
{
    const ShapeReader reader(json::parse(
        R"({"$id":"https://example.com/strict","$dynamicAnchor":"node","$ref":"tree","unevaluatedProperties":false,)"
        R"("properties":{"strict":{"const":true}},"$defs":{"tree":{"$id":"https://example.com/tree",)"
        R"("$dynamicAnchor":"node","type":"object","properties":{"data":{"type":"integer"},)"
        R"("children":{"type":"array","items":{"$dynamicRef":"#node"}}}}}})"));
    Shape shape = reader.read(reader.schema().root());
    for (int depth = 0; depth < 5; ++depth) {
        QCOMPARE(shape.kind, Shape::Kind::Object);
        QCOMPARE(shape.propertyNames(), (QStringList{u"strict"_s, u"data"_s, u"children"_s}));
        shape = reader.item(reader.property(shape, u"children"_s), 0);
    }
    const QList<schema::Issue> issues = reader.schema().validateAt(
        shape.layers.constFirst(), json::parse(R"({"children":[{"other":1}]})"), shape.scope);
    QCOMPARE(issues.size(), 1);
    QCOMPARE(issues.constFirst().instance.toString(), u"/children/0/other"_s);
}

// What an item is depends on the way to the list.
void TestUnions::dynamicReferenceOfAGenericList()
{
    const ShapeReader reader(json::parse(
        R"({"properties":{"texts":{"$ref":"https://example.com/texts"},"numbers":{"$ref":"https://example.com/numbers"},)"
        R"("either":{"anyOf":[{"$ref":"https://example.com/numbers"},{"type":"string"}]}},"$defs":{)"
        R"("t":{"$id":"https://example.com/texts","$ref":"list","$defs":{"T":{"$dynamicAnchor":"T","type":"string"}}},)"
        R"("n":{"$id":"https://example.com/numbers","$ref":"list","$defs":{"T":{"$dynamicAnchor":"T","type":"number"}}},)"
        R"("l":{"$id":"https://example.com/list","type":"array","minItems":1,"items":{"$dynamicRef":"#T"},)"
        R"("$defs":{"T":{"$dynamicAnchor":"T"}}}}})"));
    const ShapeValues values(reader);
    const Shape root = reader.read(reader.schema().root());
    const Shape texts = reader.property(root, u"texts"_s);
    const Shape numbers = reader.property(root, u"numbers"_s);
    QCOMPARE(reader.item(texts, 0).kind, Shape::Kind::Text);
    QCOMPARE(reader.item(numbers, 0).kind, Shape::Kind::Number);
    QCOMPARE(typeHint(values, texts), u"list of strings · min 1 item"_s);
    const Shape either = reader.property(root, u"either"_s);
    QCOMPARE(values.branchFor(either, json::parse("[1]")), 0);
    QVERIFY(reader.schema().isValid(json::parse(exampleOf(reader, root))));
    QCOMPARE(exampleOf(reader, texts), R"(["text"])");
    QCOMPARE(exampleOf(reader, numbers), "[1]");
}

// What each of them says counts.
void TestUnions::referencesOfReferences()
{
    const ShapeReader reader(json::parse(
        R"({"properties":{"v":{"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/b","title":"A","maxLength":5},)"
        R"("b":{"$ref":"#/$defs/c","description":"B"},"c":{"type":"string","minLength":2}}})"));
    const Shape shape = reader.property(reader.read(reader.schema().root()), u"v"_s);
    QCOMPARE(shape.kind, Shape::Kind::Text);
    QCOMPARE(shape.text(u"title"), u"A"_s);
    QCOMPARE(shape.text(u"description"), u"B"_s);
    QCOMPARE(typeHint(ShapeValues(reader), shape), u"string · 2–5 characters"_s);
}

SONDE_TEST(TestUnions)
#include "tst_unions.moc"
