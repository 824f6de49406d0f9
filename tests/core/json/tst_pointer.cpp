// SPDX-License-Identifier: Apache-2.0
#include "core/json/pointer.h"
#include "core/json/scan.h"
#include "tests/support/testregistry.h"

#include <QTest>
#include <vector>

using namespace sonde;
using namespace sonde::json;
using namespace Qt::StringLiterals;

class PointerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void resolvesTheExamplesOfTheStandard_data();
    void resolvesTheExamplesOfTheStandard();
    void refusesWhatIsNoPointer_data();
    void refusesWhatIsNoPointer();
    void findsNothingWhereNothingIs_data();
    void findsNothingWhereNothingIs();
    void knowsTheWayToEveryNode();
    void findsWithoutATree_data();
    void findsWithoutATree();
    void climbs();
};

// RFC 6901 sections 5 and 6.
void PointerTest::resolvesTheExamplesOfTheStandard_data()
{
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QString>("fragment");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("foo") << u"/foo"_s << u"#/foo"_s << R"(["bar", "baz"])"_ba;
    QTest::newRow("foo/0") << u"/foo/0"_s << u"#/foo/0"_s << R"("bar")"_ba;
    QTest::newRow("empty") << u"/"_s << u"#/"_s << "0"_ba;
    QTest::newRow("slash") << u"/a~1b"_s << u"#/a~1b"_s << "1"_ba;
    QTest::newRow("percent") << u"/c%d"_s << u"#/c%25d"_s << "2"_ba;
    QTest::newRow("caret") << u"/e^f"_s << u"#/e%5Ef"_s << "3"_ba;
    QTest::newRow("bar") << u"/g|h"_s << u"#/g%7Ch"_s << "4"_ba;
    QTest::newRow("backslash") << u"/i\\j"_s << u"#/i%5Cj"_s << "5"_ba;
    QTest::newRow("quote") << u"/k\"l"_s << u"#/k%22l"_s << "6"_ba;
    QTest::newRow("space") << u"/ "_s << u"#/%20"_s << "7"_ba;
    QTest::newRow("tilde") << u"/m~0n"_s << u"#/m~0n"_s << "8"_ba;
    QTest::newRow("umlaut") << u"/ü"_s << u"#/%C3%BC"_s << "9"_ba;
    QTest::newRow("tilde one") << u"/~01"_s << u"#/~01"_s << "10"_ba;
}

void PointerTest::resolvesTheExamplesOfTheStandard()
{
    QFETCH(QString, pointer);
    QFETCH(QString, fragment);
    QFETCH(QByteArray, expected);
    const Value root = json::parse(R"({"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4,
        "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8, "ü": 9, "~1": 10})");
    QVERIFY(root.document().isValid());
    const std::optional<Pointer> parsed = Pointer::fromString(pointer);
    QVERIFY(parsed);
    QCOMPARE(parsed->resolve(root).bytes(), expected);
    QCOMPARE(parsed->toString(), pointer);
    QVERIFY(Pointer::fromFragment(fragment) == parsed);
    QCOMPARE(Pointer::to(parsed->resolve(root)), *parsed);
}

void PointerTest::refusesWhatIsNoPointer_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isFragment");
    QTest::newRow("no slash") << u"a"_s << false;
    QTest::newRow("tilde at the end") << u"/a~"_s << false;
    QTest::newRow("tilde two") << u"/a~2"_s << false;
    QTest::newRow("no hash") << u"/a"_s << true;
    QTest::newRow("an anchor") << u"#a"_s << true;
    QTest::newRow("cut percent") << u"#/a%2"_s << true;
    QTest::newRow("bad percent") << u"#/a%zz"_s << true;
    QTest::newRow("not UTF-8") << u"#/%FF"_s << true;
    QTest::newRow("empty") << u""_s << true;
}

void PointerTest::refusesWhatIsNoPointer()
{
    QFETCH(QString, text);
    QFETCH(bool, isFragment);
    QVERIFY(!(isFragment ? Pointer::fromFragment(text) : Pointer::fromString(text)));
}

void PointerTest::findsNothingWhereNothingIs_data()
{
    QTest::addColumn<QString>("pointer");
    for (const char *pointer : {"/list/3", "/list/-1", "/list/-", "/list/01", "/list/1e0", "/list/", "/list/+1",
                                "/list/99999999999999999999", "/list/0/x", "/none", "/number/0", "/list/\u0661"})
        QTest::newRow(pointer) << QString::fromUtf8(pointer);
}

void PointerTest::findsNothingWhereNothingIs()
{
    QFETCH(QString, pointer);
    const Value root = json::parse(R"({"list":[1,2,3],"number":1})");
    QVERIFY(Pointer::fromString(pointer));
    QVERIFY(!Pointer::fromString(pointer)->resolve(root).exists());
    QCOMPARE(PlaceFinder(*Pointer::fromString(pointer)).find(root.slice()), QByteArrayView());
}

void PointerTest::knowsTheWayToEveryNode()
{
    const Value root = json::parse(R"({"a":[[],{"x/y":[1,{"~":null}]},"s"],"":{"":{"":true}},"b\u00e9":[0]})");
    std::vector<Value> open = {root};
    int seen = 0;
    while (!open.empty()) {
        const Value value = open.back();
        open.pop_back();
        ++seen;
        const Pointer pointer = Pointer::to(value);
        QVERIFY2(pointer.resolve(root).isSameNode(value), qUtf8Printable(pointer.toString()));
        const std::optional<Pointer> again = Pointer::fromString(pointer.toString());
        QVERIFY(again && *again == pointer);
        QCOMPARE(PlaceFinder(pointer).find(root.document().text()), value.slice());
        for (const Value &child : value)
            open.push_back(child);
    }
    QCOMPARE(seen, root.document().nodeCount());
    QVERIFY(Pointer::to(root).isRoot());
    QVERIFY(Pointer::to(Value()).isRoot());
}

// However the text is spaced and its names are spelt, as a tree has it.
void PointerTest::findsWithoutATree_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("spaces") << " { \"a\" :\n[ 1 ,\t2 ] } "_ba
                            << "2"_ba;
    QTest::newRow("twice") << R"({"a":[0,1],"a":[0,"last"]})"_ba
                           << R"("last")"_ba;
    QTest::newRow("escaped name") << R"({"b":1,"\u0061":[0,{"x":"}]"}]})"_ba
                                  << R"({"x":"}]"})"_ba;
    QTest::newRow("quotes and brackets in texts") << "{\"]\\\"\":\"\\\\\",\"a\":[\"[\\\"\",-1e5]}"_ba
                                                  << "-1e5"_ba;
    QTest::newRow("empty ones") << R"({"":{},"a":[[],{},null]})"_ba
                                << "{}"_ba;
    QTest::newRow("too few") << R"({"a":[0]})"_ba
                             << ""_ba;
    QTest::newRow("no such") << R"({})"_ba
                             << ""_ba;
    QTest::newRow("no container") << R"({"a":"1"})"_ba
                                  << ""_ba;
    QTest::newRow("the name of a deeper one") << R"({"b":{"a":[0,1]}})"_ba
                                              << ""_ba;
}

void PointerTest::findsWithoutATree()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    const Pointer pointer = *Pointer::fromString(u"/a/1");
    QVERIFY(Document::parse(text).isValid());
    QCOMPARE(pointer.resolve(json::parse(text)).bytes(), expected);
    QCOMPARE(PlaceFinder(pointer).find(text), QByteArrayView(expected));
}

void PointerTest::climbs()
{
    const Pointer root;
    QVERIFY(root.isRoot());
    QCOMPARE(root.toString(), u""_s);
    QVERIFY(root.parent().isRoot());
    const Pointer place = root.child(u"a/b"_s).child(2);
    QCOMPARE(place.toString(), u"/a~1b/2"_s);
    QCOMPARE(place.parent().toString(), u"/a~1b"_s);
    QVERIFY(place.parent().parent() == root);
    QVERIFY(Pointer::fromFragment(u"#"_s)->isRoot());
    QVERIFY(Pointer::fromString(u""_s)->isRoot());
}

SONDE_TEST(PointerTest)
#include "tst_pointer.moc"
