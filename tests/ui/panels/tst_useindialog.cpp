// "Use in…": the places in the arguments of another call, and the keyboard in its dialog.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "tests/support/testregistry.h"
#include "ui/dialogs/useindialog.h"

#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QTest>
#include <algorithm>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::ui;

namespace {

const QByteArray OrderSchema = R"({"type":"object","properties":{
    "note":{"type":"string"},
    "count":{"type":"integer"},
    "items":{"type":"array","items":{"$ref":"#/$defs/item"}},
    "ship":{"type":"object","properties":{"city":{"type":"string"},"zip":{"type":["string","null"]}}},
    "pay":{"oneOf":[{"type":"object","properties":{"kind":{"const":"card"},"number":{"type":"string"}},
                     "required":["kind","number"]},
                    {"type":"object","properties":{"kind":{"const":"cash"},"paid":{"type":"integer"}},
                     "required":["kind"]}]}},
  "$defs":{"item":{"type":"object","properties":{"sku":{"type":"string"},"amount":{"type":"integer"},
                   "parts":{"type":"array","items":{"$ref":"#/$defs/item"}}}}}})";

}  // namespace

class TestUseInDialog : public QObject {
    Q_OBJECT
private:
    static QStringList wordsOf(const QList<FieldPlace> &places, bool fits)
    {
        QStringList words;
        for (const FieldPlace &place : places) {
            if (place.fits == fits)
                words << place.words;
        }
        return words;
    }

private Q_SLOTS:
    void placesThatFitComeFirst()
    {
        const json::Value schema = json::parse(OrderSchema);
        const json::Value arguments = json::parse(R"({"items":[{"sku":"a","extra":1}]})");
        const QList<FieldPlace> places = fieldPlaces(schema, arguments, json::parse("7"));
        const QStringList fitting = wordsOf(places, true);
        for (const QString &words : {u"count"_s, u"items, item 1, amount"_s, u"items, new item, amount"_s,
                                     u"pay, paid"_s, u"items, item 1, extra"_s})
            QVERIFY2(fitting.contains(words), qPrintable(fitting.join(u'\n')));
        const QStringList others = wordsOf(places, false);
        for (const QString &words : {u"note"_s, u"ship"_s, u"ship, city"_s, u"items"_s, u"items, new item"_s,
                                     u"items, item 1, parts, new item"_s})
            QVERIFY2(others.contains(words), qPrintable(others.join(u'\n')));
        QVERIFY(places.first().fits && !places.last().fits);
        // A schema without an end.
        QVERIFY(fieldPlaces(json::parse(R"({"type":"object","properties":{"a":{"$ref":"#"},"b":{"$ref":"#"}}})"), {},
                            json::parse("1"))
                    .size() < 100);
        QVERIFY(fieldPlaces(json::parse("{}"), {}, json::parse("1")).isEmpty());
    }

    void theValueIsPutThere_data()
    {
        QTest::addColumn<QByteArray>("arguments");
        QTest::addColumn<QString>("words");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("a field") << R"({"note":"x","big":1e400})"_ba << u"count"_s
                                 << R"({"note":"x","big":1e400,"count":7})"_ba;
        QTest::newRow("what is there") << R"({"count":1,"note":"x"})"_ba << u"count"_s
                                       << R"({"count":7,"note":"x"})"_ba;
        QTest::newRow("within an item") << R"({"items":[{"sku":"a"},{"sku":"b"}]})"_ba << u"items, item 2, amount"_s
                                        << R"({"items":[{"sku":"a"},{"sku":"b","amount":7}]})"_ba;
        QTest::newRow("a new item") << R"({"items":[{"sku":"a"}]})"_ba << u"items, new item, amount"_s
                                    << R"({"items":[{"sku":"a"},{"amount":7}]})"_ba;
        QTest::newRow("nothing is there")
            << "{}"_ba << u"items, new item, amount"_s << R"({"items":[{"amount":7}]})"_ba;
        QTest::newRow("a branch that has to say which it is")
            << "{}"_ba << u"pay, paid"_s << R"({"pay":{"kind":"cash","paid":7}})"_ba;
        QTest::newRow("something else is there")
            << R"({"ship":5})"_ba << u"ship, city"_s << R"({"ship":{"city":7}})"_ba;
    }
    void theValueIsPutThere()
    {
        QFETCH(QByteArray, arguments);
        QFETCH(QString, words);
        QFETCH(QByteArray, expected);
        const QList<FieldPlace> places =
            fieldPlaces(json::parse(OrderSchema), json::parse(arguments), json::parse("7"));
        const auto place =
            std::ranges::find_if(places, [&words](const FieldPlace &each) { return each.words == words; });
        QVERIFY2(place != places.end(), qPrintable(words));
        QCOMPARE(withValueAt(arguments, *place, "7"), expected);
    }

    void theKeyboardFiltersAndChooses()
    {
        const QList<UseTarget> targets{{u"order"_s, {}, json::parse(OrderSchema), {}, false}};
        UseInDialog dialog(json::parse("\"Rome\""), targets, {});
        dialog.show();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        auto *filter = dialog.findChild<QLineEdit *>(u"useInFilter"_s);
        const auto *fields = dialog.findChild<QListWidget *>(u"useInFields"_s);
        QTRY_VERIFY(filter->hasFocus());
        const int all = fields->count();
        QTest::keyClicks(filter, u"ship"_s);
        QVERIFY(fields->count() > 1 && fields->count() < all);
        QCOMPARE(dialog.place().words, u"ship, city"_s);
        QTest::keyClick(filter, Qt::Key_Down);
        QCOMPARE(dialog.place().words, u"ship, zip"_s);
        QTest::keyClicks(filter, u" no such"_s);
        QCOMPARE(fields->count(), 0);
        QVERIFY(!dialog.findChild<QPushButton *>(u"useInOk"_s)->isEnabled());
        filter->setText(u"zip"_s);
        QTest::keyClick(filter, Qt::Key_Return);
        QCOMPARE(dialog.result(), int(QDialog::Accepted));
    }
};

SONDE_TEST(TestUseInDialog)
#include "tst_useindialog.moc"
