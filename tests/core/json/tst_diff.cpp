// Differences of JSON values: every kind, at its place, and nothing where there is none.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "core/json/compare.h"
#include "core/json/diff.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using json::Difference;

namespace {

// "+/a -/b ~/c =/d": added, removed, changed, text only.
QString shape(const json::Diff &diff)
{
    QStringList words;
    for (const Difference &each : diff.differences) {
        const char16_t signs[] = {u'+', u'-', u'~', u'='};
        words.append(QChar(signs[int(each.kind)]) + each.pointer);
    }
    return words.join(u' ');
}

}  // namespace

class tst_Diff : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void finds_data()
    {
        QTest::addColumn<QByteArray>("left");
        QTest::addColumn<QByteArray>("right");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char *name, const char *left, const char *right, QStringView expected) {
            QTest::newRow(name) << QByteArray(left) << QByteArray(right) << expected.toString();
        };
        row("same", R"({"a":1})", R"({"a":1})", u"");
        row("white space", R"({"a":[1,2]})", R"({ "a" : [ 1, 2 ] })", u"");
        row("order of members", R"({"a":1,"b":{"c":1,"d":2}})", R"({"b":{"d":2,"c":1},"a":1})", u"");
        row("escapes", "\"\\u0061\\/\"", "\"a/\"", u"");
        row("escaped keys", "{\"\\u0061\":1}", R"({"a":1})", u"");
        row("member added", R"({"a":1})", R"({"a":1,"b":2})", u"+/b");
        row("member removed", R"({"a":1,"b":2})", R"({"a":1})", u"-/b");
        row("member changed", R"({"a":1,"b":2})", R"({"a":1,"b":3})", u"~/b");
        row("all at once", R"({"a":1,"b":2,"c":3})", R"({"d":4,"b":5,"a":1})", u"~/b -/c +/d");
        row("null is not absent", R"({"a":null})", "{}", u"-/a");
        row("null and false", "[null]", "[false]", u"~/0");
        row("true and false", "true", "false", u"~");
        row("kinds", R"({"a":"1"})", R"({"a":1})", u"~/a");
        row("empty containers", "[]", "{}", u"~");
        row("root", "\"a\"", "\"b\"", u"~");
        row("nothing and something", "", "1", u"+");
        row("something and nothing", "1", "", u"-");
        row("nothing at all", "", "", u"");
        row("number text", R"({"a":1.0})", R"({"a":1})", u"=/a");
        row("number exponent", "[1e2]", "[100]", u"=/0");
        row("zeros", "[0,-0]", "[0.00,0]", u"=/0 =/1");
        row("numbers beyond double", "[9007199254740993]", "[9007199254740992]", u"~/0");
        row("element changed", "[1,2,3]", "[1,5,3]", u"~/1");
        row("elements swapped", "[1,2]", "[2,1]", u"~/0 ~/1");
        row("element put in front", R"(["a","b","c"])", R"(["z","a","b","c"])", u"+/0");
        row("element put in", R"(["a","b","c"])", R"(["a","z","b","c"])", u"+/1");
        row("element appended", R"(["a"])", R"(["a","b"])", u"+/1");
        row("element taken out", R"(["a","b","c"])", R"(["a","c"])", u"-/1");
        row("several taken out", "[1,2,3,4,5]", "[1,5]", u"-/1 -/2 -/3");
        row("all taken out", "[1,2]", "[]", u"-/0 -/1");
        row("changed and appended", "[1,2]", "[7,2,3]", u"~/0 +/2");
        row("repeated elements", "[1,1]", "[1,1,1]", u"+/2");
        row("text within equal ends", R"(["a",1.0])", R"(["z","a",1])", u"+/0 =/1");
        row("deeper", R"({"a":[{"b":{"c":[1,2]}}]})", R"({"a":[{"b":{"c":[1,3]}}]})", u"~/a/0/b/c/1");
        row("names to be escaped", R"({"a/b":1,"c~d":1,"":1})", R"({"a/b":2,"c~d":2,"":2})", u"~/a~1b ~/c~0d ~/");
        row("duplicate keys: the last counts", R"({"a":1,"a":2})", R"({"a":2})", u"");
        row("duplicate keys: reported once", R"({"a":1,"a":2})", R"({"a":3,"a":4})", u"~/a");
        row("JSON in text", "{\"text\":\"{\\\"rows\\\":3}\"}", "{\"text\":\"{\\\"rows\\\":4}\"}", u"~/text#/rows");
        row("JSON in text: order", "{\"text\":\"{\\\"a\\\":1,\\\"b\\\":2}\"}",
            "{\"text\":\"{\\\"b\\\":2,\\\"a\\\":1}\"}", u"=/text");
        row("JSON in text: layout", "{\"text\":\"[1,2]\"}", "{\"text\":\"[\\n 1,\\n 2\\n]\"}", u"=/text");
        row("JSON in text: number text", "[\"[1.0]\"]", "[\"[1]\"]", u"=/0#/0");
        row("JSON in text in text", "[\"{\\\"t\\\":\\\"[1]\\\"}\"]", "[\"{\\\"t\\\":\\\"[2]\\\"}\"]", u"~/0#/t#/0");
        row("JSON in text on one side", "[\"[1]\"]", "[\"[1\"]", u"~/0");
        row("scalars in text are text", R"(["1.0"])", R"(["1"])", u"~/0");
        row("kinds within text", "[\"[1]\"]", "[\"{}\"]", u"~/0#");
    }
    void finds()
    {
        QFETCH(QByteArray, left);
        QFETCH(QByteArray, right);
        QFETCH(QString, expected);
        const json::Value a = json::parse(left);
        const json::Value b = json::parse(right);
        const json::Diff diff = json::diff(a, b);
        QCOMPARE(shape(diff), expected);
        QVERIFY(!diff.isCut);
        QCOMPARE(diff.isEmpty(), expected.isEmpty());
        // The other way round the same places differ, with the sides exchanged.
        const json::Diff back = json::diff(b, a);
        QCOMPARE(back.differences.size(), diff.differences.size());
        const auto count = [](const json::Diff &of, Difference::Kind kind) {
            return std::count_if(of.differences.begin(), of.differences.end(),
                                 [kind](const Difference &each) { return each.kind == kind; });
        };
        QCOMPARE(count(back, Difference::Kind::Added), count(diff, Difference::Kind::Removed));
        QCOMPARE(count(back, Difference::Kind::TextOnly), count(diff, Difference::Kind::TextOnly));
        // A second opinion: what is equal by value has no difference but in text.
        if (!expected.contains(u'#') && !left.contains("text"))
            QCOMPARE(count(diff, Difference::Kind::TextOnly) == diff.differences.size(), json::equal(a, b));
    }

    void entersTheRoot()
    {
        const auto text = [](QStringView inner) { return json::parse(json::quoted(inner)); };
        QCOMPARE(shape(json::diff(text(u"[1]"), text(u"[2]"))), u"~#/0"_s);
    }

    void carriesBothSides()
    {
        const json::Diff diff =
            json::diff(json::parse("{\"a\":\"{\\\"n\\\":[1,2]}\"}"), json::parse("{\"a\":\"{\\\"n\\\":[1,7]}\"}"));
        QCOMPARE(diff.differences.size(), 1);
        QCOMPARE(diff.differences[0].left.bytes(), "2"_ba);
        QCOMPARE(diff.differences[0].right.bytes(), "7"_ba);
    }

    void leavesTextAloneWhenAsked()
    {
        json::DiffOptions options;
        options.insideText = false;
        QCOMPARE(shape(json::diff(json::parse("[\"[1]\"]"), json::parse("[\"[2]\"]"), options)), u"~/0"_s);
    }

    void stopsAtTheLimit()
    {
        json::DiffOptions options;
        options.maxDifferences = 3;
        const json::Diff diff = json::diff(json::parse("[1,2,3,4,5]"), json::parse("[6,7,8,9,0]"), options);
        QCOMPARE(diff.differences.size(), 3);
        QVERIFY(diff.isCut);
        options.maxDifferences = 5;
        QVERIFY(!json::diff(json::parse("[1,2,3,4,5]"), json::parse("[6,7,8,9,0]"), options).isCut);
    }

    void depthCostsNoStack()
    {
        json::Limits limits;
        limits.maxDepth = 60'000;
        const auto nested = [&limits](const char *core) {
            constexpr int depth = 50'000;
            const QByteArray text = QByteArray(depth, '[') + core + QByteArray(depth, ']');
            return json::Document::parse(text, limits).root();
        };
        const json::Diff diff = json::diff(nested("1"), nested("2"));
        QCOMPARE(diff.differences.size(), 1);
        QCOMPARE(diff.differences[0].pointer.size(), 2 * 50'000);
        QVERIFY(json::diff(nested("1"), nested("1")).isEmpty());
    }

    // A megabyte for a name, a hundred thousand differences below it: the name is not copied for each.
    void longNamesCostLittle()
    {
        const QByteArray name(1024 * 1024, 'k');
        QByteArray left = "{\"" + name + "\":[";
        QByteArray right = left;
        for (int i = 0; i < 100'000; ++i) {
            left += "1,";
            right += "2,";
        }
        json::DiffOptions options;
        options.maxDifferences = 10;
        const json::Diff diff = json::diff(json::parse(left + "1]}"), json::parse(right + "2]}"), options);
        QCOMPARE(diff.differences.size(), 10);
        QVERIFY(diff.isCut);
        QCOMPARE(diff.differences[9].pointer.right(2), u"/9"_s);
    }
};

SONDE_TEST(tst_Diff)
#include "tst_diff.moc"
