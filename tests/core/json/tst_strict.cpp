// SPDX-License-Identifier: Apache-2.0
#include "core/json/strict.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace sonde;
using namespace sonde::json;
using namespace Qt::StringLiterals;

class StrictTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void leavesAloneWhatIsStrict_data();
    void leavesAloneWhatIsStrict();
    void replacesWhatIsNot_data();
    void replacesWhatIsNot();
    void namesTheFirstPlacesOnly();
};

void StrictTest::leavesAloneWhatIsStrict_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("numbers") << "[9007199254740993, 1e400, -0.0, 1.50, 18446744073709551615]"_ba;
    QTest::newRow("pair") << R"({"a":"\ud83d\ude00 😀"})"_ba;
    QTest::newRow("escapes") << R"(["\\ud800 \" \u0000 \\", "\\"])"_ba;
    QTest::newRow("no string") << "null"_ba;
}

void StrictTest::leavesAloneWhatIsStrict()
{
    QFETCH(QByteArray, text);
    const StrictText strict = toStrict(text);
    QCOMPARE(strict.text, text);
    QCOMPARE(strict.replaced, 0);
    QVERIFY(strict.places.isEmpty());
}

void StrictTest::replacesWhatIsNot_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    QTest::addColumn<QString>("places");  // pointer and count of each
    QTest::newRow("high half") << R"({"a":["x","\ud800y"]})"_ba
                               << R"({"a":["x","�y"]})"_ba << u"/a/1 1"_s;
    QTest::newRow("low half") << R"(["\uDC00"])"_ba
                              << R"(["�"])"_ba << u"/0 1"_s;
    QTest::newRow("two high halves") << R"(["\ud800\ud800\udc00"])"_ba
                                     << R"(["�\ud800\udc00"])"_ba << u"/0 1"_s;
    QTest::newRow("after a backslash") << R"(["\\\ud800"])"_ba
                                       << R"(["\\�"])"_ba << u"/0 1"_s;
    QTest::newRow("name") << R"({"b":1,"\ud800":{"c":"\ud801\ud801"}})"_ba
                          << R"({"b":1,"�":{"c":"��"}})"_ba << u"/� 1,/�/c 2"_s;
    QTest::newRow("whole text") << R"("\ud800")"_ba
                                << R"("�")"_ba << u" 1"_s;
    QTest::newRow("no UTF-8") << "[\"a\xFF"
                                 "b\"]"_ba
                              << "[\"a\xEF\xBF\xBD"
                                 "b\"]"_ba
                              << u"/0 1"_s;
    QTest::newRow("half in UTF-8") << "[\"\xED\xA0\x80\"]"_ba
                                   << "[\"\xEF\xBF\xBD\"]"_ba << u"/0 1"_s;
    QTest::newRow("control character") << "[\"\t\",\"\\ud800\"]"_ba
                                       << R"(["\u0009","�"])"_ba << u"/1 1"_s;
}

void StrictTest::replacesWhatIsNot()
{
    QFETCH(QByteArray, text);
    const StrictText strict = toStrict(text);
    QTEST(strict.text, "expected");
    QStringList places;
    for (const StrictText::Place &place : strict.places)
        places.append(place.pointer.toString() + u' ' + QString::number(place.count));
    QTEST(places.join(u','), "places");
}

void StrictTest::namesTheFirstPlacesOnly()
{
    QByteArray text = "[";
    for (int i = 0; i < 1000; ++i)
        text += R"("\ud800",)";
    const StrictText strict = toStrict(text + "0]");
    QCOMPARE(strict.replaced, 1000);
    QCOMPARE(strict.places.size(), StrictText::MaxPlaces);
    QCOMPARE(strict.places.last().pointer.toString(), u"/99"_s);
}

SONDE_TEST(StrictTest)

#include "tst_strict.moc"
