// Examples of what schemas admit.
// SPDX-License-Identifier: Apache-2.0
#include "core/schema/patternexample.h"
#include "core/shape/example.h"
#include "tests/support/testregistry.h"

#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

class TestExample : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void examplesAreAdmitted_data()
    {
        QTest::addColumn<QByteArray>("schema");
        const auto row = [](const char *name, const char *schema) { QTest::newRow(name) << QByteArray(schema); };
        row("nothing said", "{}");
        row("true", "true");
        row("empty object", R"({"type":"object"})");
        row("format", R"({"type":"string","format":"date-time"})");
        row("min length", R"({"type":"string","minLength":40})");
        row("pattern", R"({"type":"string","pattern":"^[A-Z]{2}[0-9]{3}$"})");
        row("pattern and length", R"({"type":"string","pattern":"^[a-z]+$","minLength":12})");
        row("alternatives", R"({"type":"string","pattern":"^(foo|bar)-\\d+(\\.\\d+)?$"})");
        row("range", R"({"type":"integer","minimum":7,"maximum":9})");
        row("open range", R"({"type":"number","exclusiveMinimum":0.2,"exclusiveMaximum":0.4})");
        row("multiple", R"({"type":"integer","minimum":10,"multipleOf":7})");
        row("negative", R"({"type":"integer","maximum":-5})");
        row("default", R"({"type":"integer","default":3})");
        row("wrong default", R"({"type":"integer","default":"three"})");
        row("examples", R"({"type":"string","pattern":"^(?=x)x$","examples":["x"]})");
        row("choice", R"({"enum":["a",null]})");
        row("constant", R"({"const":{"a":[1.50]}})");
        row("unique items", R"({"type":"array","items":{"type":"integer"},"minItems":3,"uniqueItems":true})");
        row("tuple", R"({"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"minItems":2})");
        row("no items", R"({"type":"array","items":false})");
        row("required", R"({"type":"object","properties":{"a":{"type":"object","required":["b"]}},"required":["a"]})");
        row("one of two", R"({"type":"object","properties":{"id":{"type":"integer"},"slug":{"type":"string"}},)"
                          R"("anyOf":[{"required":["id"]},{"required":["slug"]}]})");
        row("at least two", R"({"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}},)"
                            R"("minProperties":2})");
        row("union", R"({"oneOf":[{"type":"integer","minimum":5,"maximum":4},{"type":"string"}]})");
        row("null", R"({"type":"null"})");
        row("condition", R"({"type":"object","properties":{"kind":{"const":"card"},"n":{"type":"string"}},)"
                         R"("required":["kind"],"if":{"properties":{"kind":{"const":"card"}}},)"
                         R"("then":{"required":["n"],"properties":{"n":{"minLength":4,"pattern":"^[0-9]+$"}}}})");
        row("otherwise", R"({"type":"object","properties":{"a":{"type":"integer"}},"required":["a"],)"
                         R"("if":{"properties":{"a":{"minimum":10}}},"else":{"required":["b"]}})");
        row("dependent", R"({"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"},)"
                         R"("c":{"type":"string"}},"required":["a"],"dependentRequired":{"a":["b"],"b":["c"]}})");
        row("dependent schema", R"({"type":"object","properties":{"a":{"type":"integer"}},"required":["a"],)"
                                R"("dependentSchemas":{"a":{"properties":{"a":{"minimum":50}},"required":["z"]}}})");
        row("not both", R"({"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}},)"
                        R"("anyOf":[{"required":["a"]},{"required":["b"]}],"not":{"required":["a","b"]}})");
        row("bounds of allOf", R"({"allOf":[{"type":"integer","minimum":3},{"minimum":20,"multipleOf":4},)"
                               R"({"multipleOf":6,"maximum":40}]})");
        row("texts of allOf", R"({"allOf":[{"type":"string","minLength":3},{"minLength":12},{"maxLength":12}]})");
        row("exclusive", R"({"type":"number","exclusiveMinimum":1.1})");
        row("small multiple", R"({"type":"number","minimum":7.3,"multipleOf":0.25})");
        row("lookahead", R"({"type":"string","pattern":"^(?=.*[0-9])[a-z0-9]{3,8}$","minLength":3})");
        row("named group", R"({"type":"string","pattern":"^(?<year>\d{4})-\p{Lu}$"})");
        row("long format", R"({"type":"string","format":"email","minLength":30})");
        row("contains", R"({"type":"array","items":{"type":"integer"},"contains":{"minimum":5},"minContains":2})");
        row("unique objects", R"({"type":"array","items":{"type":"object"},"minItems":2,"uniqueItems":true})");
        row("names", R"({"type":"object","minProperties":1,"propertyNames":{"pattern":"^x-[a-z]+$"},)"
                     R"("additionalProperties":{"type":"integer"}})");
        row("patterns of names",
            R"({"type":"object","minProperties":1,"patternProperties":{"^v[0-9]$":{"type":"null"}},)"
            R"("additionalProperties":false})");
        row("example of OpenAPI", R"({"type":"string","example":"x","pattern":"^x$"})");
        row("encoded JSON", R"({"type":"string","contentEncoding":"base64","contentMediaType":"application/json"})");
        row("recursive", R"({"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"n":{"$ref":"#/$defs/n"},)"
                         R"("v":{"type":"boolean"}},"required":["v"]}}})");
    }
    void examplesAreAdmitted()
    {
        QFETCH(QByteArray, schema);
        const ShapeReader reader(json::parse(schema));
        const QByteArray example = exampleOf(reader, reader.read(reader.schema().root()));
        QVERIFY(!example.isEmpty());
        QVERIFY2(reader.schema().isValid(json::parse(example)), example.constData());
    }

    void thereMayBeNone_data()
    {
        QTest::addColumn<QByteArray>("schema");
        QTest::newRow("nothing") << "false"_ba;
        QTest::newRow("contradiction") << R"({"type":"integer","minimum":5,"maximum":4})"_ba;
        QTest::newRow("endless") << R"({"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":)"
                                    R"({"n":{"$ref":"#/$defs/n"}},"required":["n"]}}})"_ba;
    }
    void thereMayBeNone()
    {
        QFETCH(QByteArray, schema);
        const ShapeReader reader(json::parse(schema));
        QCOMPARE(exampleOf(reader, reader.read(reader.schema().root())), QByteArray());
    }

    void patterns_data()
    {
        QTest::addColumn<QString>("pattern");
        for (const char *pattern :
             {"^a$", "[^a-z]", "(?:ab){2,4}c?", "\\\\d{4}-\\\\d{2}", "^\\\\.x|y$", "a*b+", "[\\\\w.-]+@[a-z]+\\\\.com",
              "", "(?<n>a)b", "^(?=[a-z])(?!x)[a-z]{2}$", "\\\\p{L}\\\\p{Lu}\\\\p{Nd}", "\\\\S\\\\D\\\\W"})
            QTest::newRow(pattern) << QString::fromLatin1(pattern).replace(u"\\\\"_s, u"\\"_s);
    }
    void patterns()
    {
        QFETCH(QString, pattern);
        QVERIFY(QRegularExpression(pattern).match(schema::patternExample(pattern)).hasMatch());
    }

    void strangePatternsEnd()
    {
        for (const QString &pattern : {u"("_s, u"a{"_s, u"["_s, u"\\"_s, u"(?"_s, u"(?<n"_s, u"\\p{"_s, u"\\u12"_s,
                                       u"a{99999}{99999}"_s, QString(100'000, u'(')})
            QCOMPARE(schema::patternExample(pattern), QString());
    }
};

SONDE_TEST(TestExample)
#include "tst_example.moc"
