// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/headerparameters.h"
#include "core/protocol/types.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

namespace {

// JSON written with single quotes: moc loses its place in some raw strings.
QByteArray js(QByteArray text)
{
    return text.replace('\'', '"');
}

}  // namespace

class TestHeaderParameters : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsThem()
    {
        const HeaderParameters parameters = readHeaderParameters(json::parse(
            js("{'type':'object','properties':{"
               "'region':{'type':'string','x-mcp-header':'Region'},"
               "'x-mcp-header':{'type':'string'},"
               "'where':{'type':'object','properties':{'floor':{'type':'integer','x-mcp-header':'X-Floor'}}},"
               "'plain':{'type':'string','default':{'x-mcp-header':5}}}}")));
        QVERIFY2(parameters.problem.isEmpty(), qPrintable(parameters.problem));
        QCOMPARE(parameters.list.size(), 2);
        QCOMPARE(parameters.list[0].header, "Mcp-Param-Region"_ba);
        QCOMPARE(parameters.list[0].path, QStringList{u"region"_s});
        QCOMPARE(parameters.list[1].header, "Mcp-Param-X-Floor"_ba);
        QCOMPARE(parameters.list[1].path, (QStringList{u"where"_s, u"floor"_s}));
    }

    void refusesWhatBreaksTheRules_data()
    {
        QTest::addColumn<QByteArray>("schema");
        const auto property = [](const QByteArray &header, const QByteArray &type = js("'string'")) {
            return js("{'properties':{'a':{'type':") + type + js(",'x-mcp-header':") + header + "}}}";
        };
        QTest::newRow("empty") << property(js("''"));
        QTest::newRow("object") << property("{}");
        QTest::newRow("array") << property(js("['A']"));
        QTest::newRow("null") << property("null");
        QTest::newRow("space") << property(js("'A B'"));
        QTest::newRow("colon") << property(js("'A:B'"));
        QTest::newRow("not ASCII") << property("\"Gr\u00f6\u00dfe\"");
        QTest::newRow("line break") << property("\"A\\r\\nB\"");
        QTest::newRow("number") << property(js("'A'"), js("'number'"));
        QTest::newRow("types") << property(js("'A'"), js("['string','null']"));
        QTest::newRow("twice") << js(
            "{'properties':{'a':{'type':'string','x-mcp-header':'A'},"
            "'b':{'type':'string','x-mcp-header':'a'}}}");
        QTest::newRow("root") << js("{'type':'string','x-mcp-header':'A'}");
        for (const QByteArray &keyword :
             {"items"_ba, "not"_ba, "additionalProperties"_ba, "if"_ba, "contains"_ba, "contentSchema"_ba})
            QTest::newRow(keyword.constData())
                << js("{'properties':{'a':{'") + keyword + js("':{'type':'string','x-mcp-header':'A'}}}}");
        for (const QByteArray &keyword : {"allOf"_ba, "oneOf"_ba, "anyOf"_ba, "prefixItems"_ba})
            QTest::newRow(keyword.constData())
                << js("{'properties':{'a':{'") + keyword + js("':[{'type':'string','x-mcp-header':'A'}]}}}");
        for (const QByteArray &keyword : {"$defs"_ba, "definitions"_ba, "patternProperties"_ba, "dependentSchemas"_ba})
            QTest::newRow(keyword.constData()) << "{\"" + keyword + js("':{'a':{'type':'string','x-mcp-header':'A'}}}");
    }
    void refusesWhatBreaksTheRules()
    {
        QFETCH(QByteArray, schema);
        const HeaderParameters parameters = readHeaderParameters(json::parse(schema));
        QVERIFY(!parameters.problem.isEmpty());
        QVERIFY(parameters.list.isEmpty());
        const Tool tool = readTool(json::parse(js("{'name':'t','inputSchema':") + schema + '}'));
        QCOMPARE(tool.headerProblem, parameters.problem);
    }

    void encodesValues_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QByteArray>("value");
        QTest::newRow("plain") << u"us-west 1"_s << "us-west 1"_ba;
        QTest::newRow("empty") << QString()
                               << "=?base64?"
                                  "?="_ba;
        QTest::newRow("leading space") << u" x"_s << "=?base64?IHg=?="_ba;
        QTest::newRow("trailing space") << u"x "_s << "=?base64?eCA=?="_ba;
        QTest::newRow("tab") << u"a\tb"_s << "=?base64?YQli?="_ba;
        QTest::newRow("line break") << u"a\r\nb"_s << "=?base64?YQ0KYg==?="_ba;
        QTest::newRow("not ASCII") << u"ü"_s << "=?base64?w7w=?="_ba;
        QTest::newRow("looks encoded") << u"=?base64?eA==?="_s << "=?base64?PT9iYXNlNjQ/ZUE9PT89?="_ba;
    }
    void encodesValues()
    {
        QFETCH(QString, text);
        QTEST(headerValue(text), "value");
    }
};

SONDE_TEST(TestHeaderParameters)
#include "tst_headerparameters.moc"
