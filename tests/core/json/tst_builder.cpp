// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace sonde;
using namespace sonde::json;
using namespace Qt::StringLiterals;

class BuilderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void writesEveryKind();
    void passesValuesThrough();
    void startsAnew();
    void writesDoubles_data();
    void writesDoubles();
    void quotes_data();
    void quotes();
    void quotingRoundTrips();
    void indents();
    void indentsDeepTrees();
    void keepsWhatWasTooDeep();
};

void BuilderTest::writesEveryKind()
{
    Builder builder;
    QVERIFY(!builder.isComplete());
    builder.beginObject();
    builder.member(u"text", u"a\"b").member(u"number", qint64(-3)).member(u"flag", true);
    builder.key(u"nothing").null();
    builder.key(u"half").number(0.5);
    builder.key(u"list").beginArray().number(qint64(1)).beginArray().endArray().beginObject().endObject();
    builder.boolean(false).string(u"x").endArray();
    QVERIFY(!builder.isComplete());
    builder.rawMember(u"raw", "1.0e+0").rawKey("\"\\u0061\"").null();
    builder.endObject();
    QVERIFY(builder.isComplete());
    QCOMPARE(builder.take(), R"({"text":"a\"b","number":-3,"flag":true,"nothing":null,"half":0.5,)"
                             R"("list":[1,[],{},false,"x"],"raw":1.0e+0,"\u0061":null})");
}

void BuilderTest::passesValuesThrough()
{
    const Value source = json::parse(R"({"v": [1.0, {"b": 1, "a":  1e400, "b":2}]})");
    Builder builder;
    builder.beginArray().value(source[u"v"]).value(source[u"v"].at(0)).endArray();
    QCOMPARE(builder.take(), R"([[1.0, {"b": 1, "a":  1e400, "b":2}],1.0])");
}

void BuilderTest::startsAnew()
{
    Builder builder;
    QCOMPARE(builder.beginArray().null().endArray().take(), "[null]");
    QVERIFY(!builder.isComplete());
    QCOMPARE(builder.string(u"alone").take(), "\"alone\"");
}

void BuilderTest::writesDoubles_data()
{
    QTest::addColumn<double>("number");
    QTest::newRow("zero") << 0.0;
    QTest::newRow("tenth") << 0.1;
    QTest::newRow("third") << 1.0 / 3;
    QTest::newRow("large") << 1e300;
    QTest::newRow("largest") << std::numeric_limits<double>::max();
    QTest::newRow("smallest") << std::numeric_limits<double>::denorm_min();
    QTest::newRow("negative") << -123456.789;
    QTest::newRow("2^53") << 9007199254740992.0;
}

void BuilderTest::writesDoubles()
{
    QFETCH(double, number);
    const QByteArray text = Builder().number(number).take();
    const Document document = Document::parse(text);
    QVERIFY2(document.isValid(), text.constData());
    QVERIFY(document.root().toDouble() == number);
    QVERIFY(text.size() <= 24);
}

void BuilderTest::quotes_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("empty") << u""_s << "\"\""_ba;
    QTest::newRow("plain") << u"a/b é 😀"_s << "\"a/b é 😀\""_ba;
    QTest::newRow("escapes") << u"\"\\\b\f\n\r\t"_s << R"("\"\\\b\f\n\r\t")"_ba;
    QTest::newRow("controls") << u"\x01\x1f"_s << R"("\u0001\u001f")"_ba;
    QTest::newRow("nul") << QString(u"a\0b"_s) << R"("a\u0000b")"_ba;
    QTest::newRow("high surrogate") << QString(u"a"_s + QChar(0xD83D) + u"b"_s) << R"("a\ud83db")"_ba;
    QTest::newRow("low surrogate at the end") << QString(u"a"_s + QChar(0xDE00)) << R"("a\ude00")"_ba;
    QTest::newRow("wrong order") << QString(QString(QChar(0xDE00)) + QChar(0xD83D)) << R"("\ude00\ud83d")"_ba;
}

void BuilderTest::quotes()
{
    QFETCH(QString, text);
    QFETCH(QByteArray, json);
    QCOMPARE(quoted(text), json);
    QCOMPARE(json::parse(quoted(text)).string(), text);
}

void BuilderTest::quotingRoundTrips()
{
    QString all;
    for (int c = 0; c <= 0xFFFF; ++c)
        all.append(QChar(char16_t(c)));
    const Document document = Document::parse(quoted(all));
    QVERIFY(document.isValid());
    QVERIFY(document.root().string() == all);
}

void BuilderTest::indents()
{
    const QByteArray text = R"({ "b":[1.0,{ },[ ]],"a":"x\u0041", "b":{"c":null}})";
    const Document document = Document::parse(text);
    QCOMPARE(indented(document.root()), R"({
  "b": [
    1.0,
    {},
    []
  ],
  "a": "x\u0041",
  "b": {
    "c": null
  }
})");
    QCOMPARE(compact(document.root()), R"({"b":[1.0,{},[]],"a":"x\u0041","b":{"c":null}})");
    QCOMPARE(indented(document.root()[u"a"]), R"("x\u0041")");
    QCOMPARE(indented(json::parse("[1]"), 0), "[\n1\n]");
    QCOMPARE(indented(Value()), "");

    const Value large = json::parse("{\"long\":\"" + QByteArray(200'000, 'x') + "\",\"many\":[" +
                                    QByteArray("{\"n\":1},").repeated(20'000) + "null]}");
    QByteArrayList pieces;
    json::writeIndented(large, [&](QByteArrayView piece) {
        pieces.append(piece.toByteArray());
        return true;
    });
    QVERIFY(pieces.size() > 4);
    QVERIFY(pieces.join() == indented(large));
    int puts = 0;
    json::writeIndented(large, [&](QByteArrayView) { return ++puts < 3; });
    QCOMPARE(puts, 3);
}

void BuilderTest::indentsDeepTrees()
{
    Limits limits;
    limits.maxDepth = 200'000;
    const QByteArray text = QByteArray(200'000, '[') + QByteArray(200'000, ']');
    const Document document = Document::parse(text, limits);
    QVERIFY(document.isValid());
    QCOMPARE(compact(document.root()), text);
}

void BuilderTest::keepsWhatWasTooDeep()
{
    Limits limits;
    limits.maxDepth = 1;
    const Document document = Document::parse("[[1, 2],[ ]]", limits);
    QCOMPARE(compact(document.root()), "[[1, 2],[]]");
}

SONDE_TEST(BuilderTest)
#include "tst_builder.moc"
