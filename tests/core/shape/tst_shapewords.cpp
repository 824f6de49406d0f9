// What a schema requires at one place, as the form and the command line say it.
// SPDX-License-Identifier: Apache-2.0
#include "core/shape/issuetext.h"
#include "core/shape/typehint.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

class TestShapeWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hints_data()
    {
        QTest::addColumn<QByteArray>("schema");
        QTest::addColumn<QString>("hint");
        const auto row = [](const char *name, const char *schema, const QString &hint) {
            QTest::newRow(name) << QByteArray(schema) << hint;
        };
        row("tuple with titles",
            R"({"type":"array","prefixItems":[{"type":"number","title":"latitude"},)"
            R"({"type":"number","title":"longitude"}]})",
            u"tuple of 2: latitude, longitude"_s);
        row("tuple of draft-07", R"({"type":"array","items":[{"type":"number"},{"type":"string","format":"date"}]})",
            u"tuple of 2: number, date"_s);
        row("long tuple", R"({"prefixItems":[{"type":"number"},true,true,true,true,true],"minItems":6})",
            u"tuple of 6: number, any JSON, any JSON, any JSON, any JSON, …"_s);
        row("tuple with more", R"({"prefixItems":[{"type":"string"}],"items":{"type":"integer"}})",
            u"tuple of 1: string, then integers"_s);
        row("list of tuples",
            R"({"type":"array","items":{"type":"array","prefixItems":[{"title":"x","type":"number"},{"title":"y"}]}})",
            u"list of tuples of 2 (x, y)"_s);
        row("choices", R"({"enum":["a","b","c"]})", u"3 choices"_s);
        row("choice or number", R"({"anyOf":[{"type":"integer"},{"type":"string","enum":["a","b"]}]})",
            u"integer or 2 choices"_s);
        row("list of choices", R"({"type":"array","items":{"enum":["a","b"]}})", u"list of choices"_s);
        row("list of objects that differ",
            R"({"type":"array","items":{"oneOf":[{"properties":{"op":{"const":"and"}},"required":["op"]},)"
            R"({"properties":{"op":{"const":"or"}},"required":["op"]}]}})",
            u"list of objects (and, or)"_s);
        row("default", R"({"type":"string","default":"The disk is full."})",
            u"string · default \"The disk is full.\""_s);
        row("nullable of OpenAPI", R"({"type":"string","nullable":true})", u"string or null"_s);
        row("not nullable", R"({"type":"string","nullable":false})", u"string"_s);
        row("nullable enum without null", R"({"type":"string","nullable":true,"enum":["a","b"]})", u"2 choices"_s);
        row("union of constants", R"({"oneOf":[{"const":"a","title":"A"},{"const":"b"},{"type":"null"}]})",
            u"2 choices or null"_s);
        row("union with an or",
            R"({"oneOf":[{"title":"Card","type":"string"},{"title":"Voucher or gift card","type":"integer"}]})",
            u"Card · Voucher or gift card"_s);
        row("unsigned", R"({"type":"integer","minimum":0,"maximum":18446744073709551615})", u"integer · ≥ 0"_s);
        row("union of enums", R"({"anyOf":[{"enum":["a","b"]},{"$ref":"#/$defs/c"}],"$defs":{"c":{"const":"c"}}})",
            u"3 choices"_s);
    }
    void hints()
    {
        QFETCH(QByteArray, schema);
        QFETCH(QString, hint);
        const ShapeReader reader(json::parse(schema));
        QCOMPARE(typeHint(ShapeValues(reader), reader.read(reader.schema().root())), hint);
    }

    void choicesOfAUnionHaveTheirTitles()
    {
        const ShapeReader reader(
            json::parse(R"({"anyOf":[{"enum":["a"],"title":"First"},{"enum":["b","c"],"title":"Others"}]})"));
        const Shape shape = reader.read(reader.schema().root());
        QCOMPARE(shape.kind, Shape::Kind::Choice);
        QStringList labels;
        for (qsizetype i = 0; i < shape.choices.size(); ++i)
            labels.append(shape.choices.label(i));
        QCOMPARE(labels, (QStringList{u"First"_s, u"b"_s, u"c"_s}));
    }

    void nullIsValidWhereItIsSaidToBe()
    {
        const ShapeReader reader(
            json::parse(R"({"properties":{"a":{"type":"string","nullable":true},"b":{"type":"string"}}})"));
        QVERIFY(reader.schema().isValid(json::parse(R"({"a":null})")));
        QVERIFY(!reader.schema().isValid(json::parse(R"({"b":null})")));
        const Shape root = reader.read(reader.schema().root());
        QVERIFY(reader.property(root, u"a"_s).nullable);
        QVERIFY(!reader.property(root, u"b"_s).nullable);
    }

    void placesAreInWords()
    {
        const json::Value root = json::parse(R"({"objs":[{"name":1},{}]})");
        QCOMPARE(issueText(placeWords(root, *json::Pointer::fromString(u"/objs/1/name"_s)), u"is required"_s),
                 u"“objs, item 2, name” is required"_s);
        QCOMPARE(issueText({u"objs"_s, u"item 2"_s}, u"a and b cannot both be given"_s),
                 u"objs, item 2: a and b cannot both be given"_s);
    }
};

SONDE_TEST(TestShapeWords)
#include "tst_shapewords.moc"
