// The value model: what is not touched stays as it was, to the byte.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "tests/support/testregistry.h"
#include "ui/form/draft.h"

#include <QTest>

using namespace Qt::StringLiterals;
using sonde::ui::Draft;
namespace json = sonde::json;

class TestDraft : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void untouchedBytesStay();
    void changedPlaceAlone();
    void newMembersGoInSchemaOrder();
    void notSentAndBack();
    void notSentTakesDuplicatesAlong();
    void memberOfWhatIsNotSent();
    void listItems();
    void pointersFollowTheirPlaces();
    void childrenOutliveTheirParent();
    void onlyItemsAskedForArePlaces();
    void listsBecomeOthers_data();
    void listsBecomeOthers();
};

void TestDraft::untouchedBytesStay()
{
    const QByteArray text = R"({"b":1.0,"a":[1e-7,9007199254740993],"b":"\u00e9\/","":{"x":null}})";
    const Draft::Ptr draft = Draft::make(text);
    QCOMPARE(draft->member(u"b"_s)->bytes(), R"("\u00e9\/")");  // the last of that name
    QCOMPARE(draft->member(u"a"_s)->items().size(), 2);
    QCOMPARE(draft->bytes(), text);
}

void TestDraft::changedPlaceAlone()
{
    const Draft::Ptr draft = Draft::make(R"({"n":1.0,"o":{"deep":[1.50,{"k":2}]},"z":1E+2})");
    const Draft::Ptr item = draft->member(u"o"_s)->member(u"deep"_s)->items().at(1);
    item->member(u"k"_s)->assign("3");
    QCOMPARE(draft->bytes(), R"({"n":1.0,"o":{"deep":[1.50,{"k":3}]},"z":1E+2})");
}

void TestDraft::newMembersGoInSchemaOrder()
{
    const Draft::Ptr draft = Draft::make(R"({"unknown":0,"d":4})");
    draft->setOrder({u"a"_s, u"b"_s, u"c"_s, u"d"_s, u"e"_s});
    draft->member(u"b"_s)->assign("2");
    QCOMPARE(draft->bytes(), R"({"unknown":0,"b":2,"d":4})");
    draft->member(u"e"_s)->assign("5");
    draft->member(u"a"_s)->assign("1");
    draft->member(u"c"_s)->assign("3");
    QCOMPARE(draft->bytes(), R"({"unknown":0,"a":1,"b":2,"c":3,"d":4,"e":5})");
}

void TestDraft::notSentAndBack()
{
    const Draft::Ptr draft = Draft::make(R"({"a":1.0,"b":{"c":[]}})");
    draft->setOrder({u"a"_s, u"b"_s});
    const Draft::Ptr a = draft->member(u"a"_s);
    a->retract();
    QVERIFY(!a->isPresent());
    QCOMPARE(a->kind(), json::Kind::Missing);
    QCOMPARE(draft->bytes(), R"({"b":{"c":[]}})");
    a->restore();
    QCOMPARE(draft->bytes(), R"({"a":1.0,"b":{"c":[]}})");
    QCOMPARE(draft->member(u"a"_s), a);
}

void TestDraft::notSentTakesDuplicatesAlong()
{
    const Draft::Ptr draft = Draft::make(R"({"a":1,"b":2,"a":3})");
    draft->member(u"a"_s)->retract();
    QCOMPARE(draft->bytes(), R"({"b":2})");
}

void TestDraft::memberOfWhatIsNotSent()
{
    const Draft::Ptr draft = Draft::make("{}");
    const Draft::Ptr inner = draft->member(u"options"_s)->member(u"depth"_s);
    QCOMPARE(draft->bytes(), "{}");
    inner->assign("2");
    QCOMPARE(draft->bytes(), R"({"options":{"depth":2}})");
    // A place that held something else becomes the object that its member needs.
    const Draft::Ptr null = Draft::make(R"({"options":null})");
    null->member(u"options"_s)->member(u"depth"_s)->assign("1");
    QCOMPARE(null->bytes(), R"({"options":{"depth":1}})");
}

void TestDraft::listItems()
{
    const Draft::Ptr draft = Draft::make(R"({"l":[1.0,2.0]})");
    const Draft::Ptr list = draft->member(u"l"_s);
    list->insertItem(2, "3");
    list->moveItem(0, 2);
    QCOMPARE(draft->bytes(), R"({"l":[2.0,3,1.0]})");
    list->remove(list->items().at(1));
    QCOMPARE(draft->bytes(), R"({"l":[2.0,1.0]})");
    const Draft::Ptr fresh = draft->member(u"m"_s);
    fresh->insertItem(0, "\"x\"");
    QCOMPARE(draft->bytes(), R"({"l":[2.0,1.0],"m":["x"]})");
}

void TestDraft::pointersFollowTheirPlaces()
{
    const Draft::Ptr draft = Draft::make(R"({"a/b":[{"x~":1},{"x~":2}]})");
    const Draft::Ptr list = draft->member(u"a/b"_s);
    const Draft::Ptr second = list->items().at(1);
    QCOMPARE(second->member(u"x~"_s)->pointer().toString(), u"/a~1b/1/x~0"_s);
    list->moveItem(1, 0);
    QCOMPARE(second->pointer().toString(), u"/a~1b/0"_s);
}

void TestDraft::childrenOutliveTheirParent()
{
    Draft::Ptr draft = Draft::make(R"({"a":{"b":1}})");
    const Draft::Ptr inner = draft->member(u"a"_s)->member(u"b"_s);
    draft->assign("[]");
    inner->assign("2");  // a widget that has not gone yet: nobody hears it
    QCOMPARE(draft->bytes(), "[]");
    draft.reset();
    inner->assign("3");
    QCOMPARE(inner->bytes(), "3");
}

void TestDraft::onlyItemsAskedForArePlaces()
{
    constexpr int count = 300'000;
    const Draft::Ptr draft = Draft::make("{\"l\":[0" + QByteArray(",12345").repeated(count - 1) + "]}");
    const QByteArray text = draft->bytes();
    const Draft::Ptr list = draft->member(u"l"_s);
    QCOMPARE(list->itemCount(), count);
    const Draft::Ptr item = list->item(200'000);
    QCOMPARE(item->pointer().toString(), u"/l/200000"_s);
    QCOMPARE(item->bytes(), "12345");
    QCOMPARE(list->item(200'000), item);
    item->assign("7");
    list->insertItem(0, "true");
    list->item(1)->assign("null");
    QCOMPARE(item->pointer().toString(), u"/l/200001"_s);
    QCOMPARE(list->rowOf(200'001), 200'001);
    QCOMPARE(list->rowOf(count + 1), -1);
    const QByteArray now = draft->bytes();
    QCOMPARE(now.size(), text.size() + 4);
    QVERIFY(now.startsWith("{\"l\":[true,null,12345,"));
    QCOMPARE(draft->size(), now.size());
    QCOMPARE(draft->lateBytes()(), now);
    list->moveItem(0, count);
    QVERIFY(draft->bytes().startsWith("{\"l\":[null,12345,") && draft->bytes().endsWith(",12345,true]}"));
    // Another value that differs in one place changes just that.
    QByteArray other = draft->bytes();
    other.replace(other.indexOf(",7,"), 3, ",8,");
    const QList<Draft::Ptr> changed = draft->become(json::parse(other));
    QCOMPARE(changed, QList<Draft::Ptr>{item});
    QCOMPARE(item->bytes(), "8");
    QCOMPARE(draft->bytes(), other);
}

void TestDraft::listsBecomeOthers_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    const QByteArrayList lists{"[]",         "[1]",           "[1,1]",         "[1,2,3]",     "[12,2,3]",
                               "[1,2,3,4]",  "[0,1,2,3]",     "[1,3]",         "[3]",         "[[1],[2]]",
                               "[[1,2],[]]", "[\"a\",\"b\"]", "[\",\",\"]\"]", "[{\"a\":1}]", "[1,2,33]"};
    for (const QByteArray &before : lists) {
        for (const QByteArray &after : lists)
            QTest::addRow("%s %s", before.constData(), after.constData()) << before << after;
    }
}

// Whichever items have been asked for.
void TestDraft::listsBecomeOthers()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    for (int asked = -1; asked < 3; ++asked) {
        const Draft::Ptr list = Draft::make(before);
        const Draft::Ptr first = list->item(qMax(0, asked));
        if (asked < 0 && first)
            QCOMPARE(list->items().constFirst(), first);
        list->become(json::parse(after));
        QCOMPARE(list->bytes(), after);
        QCOMPARE(list->itemCount(), json::parse(after).size());
        // Each of them is where it says that it is.
        const QList<Draft::Ptr> items = list->items();
        for (qsizetype i = 0; i < items.size(); ++i) {
            QCOMPARE(items.at(i)->bytes(), json::parse(after).at(i).bytes());
            QCOMPARE(items.at(i)->parent(), list.get());
        }
        if (!items.isEmpty())
            items.constLast()->assign("9");
        QCOMPARE(json::parse(list->bytes()).size(), items.size());
        list->become(json::parse(before));
        QCOMPARE(list->bytes(), before);
    }
}

SONDE_TEST(TestDraft)
#include "tst_draft.moc"
