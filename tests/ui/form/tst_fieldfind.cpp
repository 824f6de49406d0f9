// Finding fields of a form: what matches, what stays visible, and where the keys lead.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/document.h"
#include "tests/support/testregistry.h"
#include "tests/ui/form/formfixture.h"
#include "ui/form/fieldsearch.h"

#include <QAbstractButton>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::FormFixture;

namespace {

QStringList foundIn(const QByteArray &schema, const QByteArray &value, const ui::FieldQuery &query)
{
    const ShapeReader reader{json::parse(schema)};
    const ui::FoundFields found =
        ui::findFields(ShapeValues(reader), reader.read(json::parse(schema)), json::parse(value), query);
    QStringList places;
    for (const json::Pointer &place : found.places)
        places.append(place.toString());
    return places;
}

const QByteArray Nested = R"({"type":"object","required":["id"],"properties":{
    "id":{"type":"integer"},
    "name":{"type":"string","title":"Full name"},
    "address":{"type":"object","required":["street"],"properties":{
        "street":{"type":"string","description":"Where the bell is"},"zip":{"type":"string"}}},
    "people":{"type":"array","items":{"type":"object","required":["age"],"properties":{
        "age":{"type":"integer"},"nick name":{"type":"string"}}}},
    "target":{"anyOf":[
        {"type":"object","required":["kind"],"properties":{"kind":{"const":"url"},"href":{"type":"string"}}},
        {"type":"object","required":["kind"],"properties":{"kind":{"const":"file"},"path":{"type":"string"}}}]}}})"_ba;

QByteArray manyFields(int count)
{
    QByteArray schema = R"({"type":"object","properties":{)"_ba;
    for (int i = 0; i < count; ++i)
        schema += (i > 0 ? ",\"field" : "\"field") + QByteArray::number(i) + "\":{\"type\":\"string\"}";
    return schema + "}}";
}

// Each requires the one within it, and has a member that it does not require.
QByteArray requiredLevels(int count)
{
    QByteArray schema = R"({"type":"object","required":["leaf"],"properties":{"leaf":{"type":"string"},"more":{}}})"_ba;
    for (int level = 1; level <= count; ++level) {
        const QByteArray name = "l" + QByteArray::number(level);
        schema = R"({"type":"object","required":[")" + name + R"("],"properties":{")" + name + "\":" + schema +
                 R"(,"name)" + QByteArray::number(level) + R"(":{"type":"string"}}})";
    }
    return schema;
}

}  // namespace

class TestFieldFind : public QObject, FormFixture {
    Q_OBJECT

    bool isShown(const QString &name) const
    {
        const auto *widget = find<QWidget>(name);
        return widget && widget->isVisible();
    }

private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { end(); }

    void findsByNameTitleAndDescription()
    {
        QCOMPARE(foundIn(Nested, "{}", {u"ID"_s}), QStringList{u"/id"_s});
        // A title is shown to a person only: elsewhere nobody can see why it would be found.
        QCOMPARE(foundIn(Nested, "{}", {u"full"_s, false, false, true}), QStringList{u"/name"_s});
        QCOMPARE(foundIn(Nested, "{}", {u"full"_s}), QStringList());
        QCOMPARE(foundIn(Nested, "{}", {u"bell where"_s}), QStringList{u"/address/street"_s});
        QCOMPARE(foundIn(Nested, R"({"people":[{},{"nick name":"x"}]})", {u"nick"_s}),
                 (QStringList{u"/people/0/nick name"_s, u"/people/1/nick name"_s}));
        QCOMPARE(foundIn(Nested, R"({"extra thing":1})", {u"thing"_s}), QStringList{u"/extra thing"_s});
        QCOMPARE(foundIn(Nested, R"({"target":{"kind":"file","path":"x"}})", {u"path"_s}),
                 QStringList{u"/target/path"_s});
        QCOMPARE(foundIn(Nested, "{}", {u"nowhere"_s}), QStringList());
    }

    void findsWhatIsRequired()
    {
        // An optional object that is not sent needs nothing.
        QCOMPARE(foundIn(Nested, "{}", {{}, true, false}), QStringList{u"/id"_s});
        QCOMPARE(foundIn(Nested, R"({"address":{},"people":[{}]})", {{}, true, false}),
                 (QStringList{u"/id"_s, u"/address/street"_s, u"/people/0/age"_s}));
        QCOMPARE(foundIn(Nested, R"({"address":{}})", {u"street"_s, true, false}), QStringList{u"/address/street"_s});
        // Groups count, too, and what is in them however deep that is.
        QCOMPARE(foundIn(requiredLevels(6), "{}", {{}, true, false}),
                 (QStringList{u"/l6"_s, u"/l6/l5"_s, u"/l6/l5/l4"_s, u"/l6/l5/l4/l3"_s, u"/l6/l5/l4/l3/l2"_s,
                              u"/l6/l5/l4/l3/l2/l1"_s, u"/l6/l5/l4/l3/l2/l1/leaf"_s}));
    }

    void findsWhatIsSet()
    {
        QCOMPARE(foundIn(Nested, R"({"name":"","address":{"zip":null}})", {{}, false, true}),
                 (QStringList{u"/name"_s, u"/address"_s, u"/address/zip"_s}));
        QCOMPARE(foundIn(Nested, R"({"id":1,"name":"x"})", {{}, true, true}), QStringList{u"/id"_s});
        QCOMPARE(foundIn(Nested, R"({"name":"x"})", {{}, false, true, false, {u"/id"_s, u"/name"_s}}),
                 (QStringList{u"/id"_s, u"/name"_s}));
    }

    void endsInASchemaThatContainsItself()
    {
        const QByteArray schema = R"({"type":"object","properties":{"next":{"$ref":"#"},"name":{"type":"string"}}})"_ba;
        QCOMPARE(foundIn(schema, R"({"next":{"next":{}}})", {u"name"_s}).size(), 6);
    }

    void hidesWhatDoesNotMatch()
    {
        open(Nested, R"({"id":1,"name":"Ada","address":{"zip":"12"}})");
        find<QWidget>(u"field:/id"_s)->setFocus();
        press(Qt::Key_F, Qt::ControlModifier);
        QWidget *edit = find<QWidget>(u"findEdit"_s);
        QTRY_COMPARE(QApplication::focusWidget(), edit);
        QTest::keyClicks(edit, u"zip"_s);
        QTRY_COMPARE(find<QLabel>(u"findCount"_s)->text(), u"1 of 1 · 8 fields"_s);
        settle();
        QVERIFY(isShown(u"field:/address/zip"_s));
        QVERIFY(!isShown(u"field:/address/street"_s));
        QVERIFY(!isShown(u"field:/id"_s));
        // What is hidden is sent.
        QCOMPARE(m_form->value(), R"({"id":1,"name":"Ada","address":{"zip":"12"}})");

        press(Qt::Key_Escape);
        QVERIFY(!isShown(u"findBar"_s));
        QTRY_COMPARE(QApplication::focusWidget(), find<QWidget>(u"field:/address/zip"_s));
        QVERIFY(isShown(u"field:/id"_s));
        QVERIFY(isShown(u"field:/address/street"_s));
    }

    void escapeReturnsTheFocus()
    {
        open(Nested);
        find<QWidget>(u"field:/name"_s)->setFocus();
        press(Qt::Key_F, Qt::ControlModifier);
        QTRY_COMPARE(QApplication::focusWidget(), find<QWidget>(u"findEdit"_s));
        press(Qt::Key_Escape);
        QTRY_COMPARE(QApplication::focusWidget(), find<QWidget>(u"field:/name"_s));
    }

    void onlyWhatIsRequiredIsLeft()
    {
        open(requiredLevels(6));
        m_form->openFind();
        click(u"findRequired"_s);
        QTRY_VERIFY(find<QLabel>(u"findCount"_s)->text().startsWith(u"1 of 7 ·"_s));
        settle();
        QVERIFY(isShown(u"field:/l6/l5/l4/l3/l2/l1/leaf"_s));
        const QList<QWidget *> places = m_form->findChildren<QWidget *>();
        for (const QWidget *place : places) {
            const QString name = place->objectName().section(u'/', -1);
            QVERIFY2(!place->isVisible() || (!name.startsWith(u"name"_s) && name != u"more"_s),
                     qPrintable(place->objectName()));
        }
    }

    void whatIsAtFaultIsShownWithWhatIsSet()
    {
        open(Nested, R"({"name":"Ada"})");
        QTRY_COMPARE(m_form->knownIssues().size(), 1);
        m_form->openFind();
        click(u"findSet"_s);
        QTRY_COMPARE(find<QLabel>(u"findCount"_s)->text(), u"1 of 2 · 8 fields"_s);
        settle();
        QVERIFY(isShown(u"field:/id"_s) && isShown(u"field:/name"_s));
        QVERIFY(!isShown(u"place:/address"_s));
        // What becomes so meanwhile joins it.
        m_form->typeText(R"({"id":1,"address":{}})", json::parse(R"({"id":1,"address":{}})"));
        QTRY_VERIFY(isShown(u"field:/address/street"_s));
        QVERIFY(!isShown(u"field:/address/zip"_s));
        QVERIFY(isShown(u"field:/name"_s));
    }

    void whatIsEditedStaysVisible()
    {
        open(Nested, R"({"id":1,"name":"Ada"})");
        m_form->openFind();
        click(u"findSet"_s);
        QTRY_COMPARE(find<QLabel>(u"findCount"_s)->text(), u"1 of 2 · 8 fields"_s);
        settle();
        QVERIFY(!isShown(u"place:/address"_s));
        find<QWidget>(u"field:/id"_s)->setFocus();
        press(Qt::Key_Backspace);
        // It is missing then.
        QTRY_COMPARE(m_form->knownIssues().size(), 1);
        QTRY_COMPARE(find<QLabel>(u"findCount"_s)->text(), u"1 of 2 · 8 fields"_s);
        QVERIFY(isShown(u"field:/id"_s));
        QCOMPARE(m_form->value(), R"({"name":"Ada"})");
    }

    void reachesFieldsThatAreNotDrawn()
    {
        open(manyFields(800));
        QVERIFY(!find<QWidget>(u"field:/field799"_s));
        // A large form has its line always.
        QWidget *edit = find<QWidget>(u"findEdit"_s);
        QVERIFY(edit->isVisible());
        QVERIFY(!isShown(u"findClose"_s));
        type(u"findEdit"_s, u"field79"_s);
        QTRY_COMPARE(find<QLabel>(u"findCount"_s)->text(), u"1 of 11 · 800 fields"_s);
        settle();
        QVERIFY(isShown(u"field:/field799"_s));
        QVERIFY(!isShown(u"field:/field1"_s));
        // Of the others, none was drawn for it.
        QVERIFY(m_form->fieldCount() < 150);
        press(Qt::Key_Return);
        press(Qt::Key_Return, Qt::ShiftModifier);
        press(Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(find<QLabel>(u"findCount"_s)->text(), u"11 of 11 · 800 fields"_s);
        QCOMPARE(QApplication::focusWidget(), edit);
        press(Qt::Key_Down);
        QTRY_COMPARE(QApplication::focusWidget(), find<QWidget>(u"field:/field799"_s));
        QTest::keyClicks(QApplication::focusWidget(), u"x"_s);
        QCOMPARE(m_form->value(), R"({"field799":"x"})");
        press(Qt::Key_Escape);
        settle();
        QVERIFY(isShown(u"field:/field1"_s));
        QVERIFY(edit->isVisible());
        QCOMPARE(find<QLineEdit>(u"findEdit"_s)->text(), QString());
    }

    void opensWhatIsCollapsed()
    {
        QByteArray rows;
        for (int i = 0; i < 1000; ++i)
            rows += (i > 0 ? ",{\"age\":" : "{\"age\":") + QByteArray::number(i) + '}';
        const QByteArray value = R"({"people":[)"_ba + rows.left(rows.size() - 1) + R"(,"nick name":"x"}]})";
        open(Nested, value);
        find<QWidget>(u"field:/id"_s)->setFocus();
        press(Qt::Key_F, Qt::ControlModifier);
        click(u"findSet"_s);
        type(u"findEdit"_s, u"nick"_s);
        QTRY_VERIFY(find<QLabel>(u"findCount"_s)->text().startsWith(u"1 of 1 ·"_s));
        settle();
        QVERIFY(isShown(u"field:/people/999/nick name"_s));
        QVERIFY(!isShown(u"field:/people/999/age"_s));
        QVERIFY(!isShown(u"place:/people/0"_s));
        QCOMPARE(m_form->value(), value);
    }

    void aNewRowIsVisible()
    {
        open(Nested, R"({"people":[{"age":1}]})");
        m_form->openFind();
        type(u"findEdit"_s, u"age"_s);
        QTRY_VERIFY(find<QLabel>(u"findCount"_s)->text().startsWith(u"1 of 1 ·"_s));
        click(u"add:/people"_s);
        settle();
        QVERIFY(isShown(u"field:/people/1/age"_s));
        QVERIFY(isShown(u"field:/people/1/nick name"_s));
    }

    void aProblemIsShownThoughItIsHidden()
    {
        open(Nested, R"({"name":"Ada"})");
        m_form->openFind();
        type(u"findEdit"_s, u"name"_s);
        QTRY_VERIFY(find<QLabel>(u"findCount"_s)->text().startsWith(u"1 of 1 ·"_s));
        settle();
        QVERIFY(!isShown(u"field:/id"_s));
        m_form->focusPlace(*json::Pointer::fromString(u"/id"));
        settle();
        QTRY_COMPARE(QApplication::focusWidget(), find<QWidget>(u"field:/id"_s));
    }

    void aMissingGroupLeadsToWhatItRequires()
    {
        open(requiredLevels(6));
        QTRY_COMPARE(m_form->knownIssues().size(), 1);
        QVERIFY(!isShown(u"field:/l6/l5/l4/l3/l2/l1/leaf"_s));
        m_form->focusIssue(m_form->knownIssues().constFirst());
        settle();
        QTRY_COMPARE(QApplication::focusWidget(), find<QWidget>(u"field:/l6/l5/l4/l3/l2/l1/leaf"_s));
    }

    void anotherValueIsSearched()
    {
        open(Nested, R"({"name":"Ada"})");
        m_form->openFind();
        click(u"findSet"_s);
        QTRY_VERIFY(find<QLabel>(u"findCount"_s)->text().startsWith(u"1 of 2 ·"_s));
        m_form->setValue(json::parse(R"({"id":1,"address":{"zip":"1"}})"));
        QTRY_VERIFY(find<QLabel>(u"findCount"_s)->text().startsWith(u"1 of 4 ·"_s));
        settle();
        QVERIFY(isShown(u"field:/address/zip"_s));
        QVERIFY(!isShown(u"field:/name"_s));
    }
};

SONDE_TEST(TestFieldFind)
#include "tst_fieldfind.moc"
