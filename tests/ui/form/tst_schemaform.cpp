// The form as a person meets it: mouse, keys, what is shown and what is sent.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fallbacks.h"
#include "tests/support/testregistry.h"
#include "tests/ui/form/formfixture.h"
#include "ui/form/schemaform.h"
#include "ui/theme/widgets.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QCompleter>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;
using sonde::test::fallbacksOf;
using sonde::test::FormFixture;
using sonde::ui::FormIssue;
using sonde::ui::SchemaForm;
using sonde::ui::TextLabel;
namespace json = sonde::json;

class TestSchemaForm : public QObject, FormFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { end(); }

    void nothingIsSentUntouched();
    void noArguments();
    void textAndEmptyText();
    void multiLineText();
    void exactNumbers_data();
    void exactNumbers();
    void numberEmptiedIsNotSent();
    void textInANumberIsSentAsText();
    void booleanHasThreeStates();
    void requiredBoolean();
    void choiceByKeyboard();
    void longChoiceIsSearched();
    void emptyChoice();
    void constantIsSent();
    void constantOfASentObject();
    void presenceSwitch();
    void defaultIsSentWhenChosen();
    void nullSwitch();
    void nestedObject();
    void listOfText();
    void listOfObjects();
    void mapRows();
    void aNameDecidesWhatItsRowTakes();
    void aNewRowOfBooleansHasNoneChosen();
    void aTreeOpensOneLevelByItself();
    void aRowIsRemovedOnceByADoubleClick();
    void unionBranches();
    void freeJson();
    void placeAsJsonAndBack();
    void wrongTypesAreKept();
    void unknownMembersAreShown();
    void duplicatesStay();
    void secretIsMasked();
    void wheelLeavesChoicesAlone();
    void ctrlEnterSubmits();
    void tabOrder();
    void tabReachesEachInput();
    void longDescription();
    void serverTextIsPlain();
    void issueUnderTheField();
    void remoteIssueGoesWithTheEdit();
    void recursiveSchema();
    void manyFields();
    void manyItems();
    void longTextIsKept();
    void notAnObject();
    void everyControlIsNamed();
};

void TestSchemaForm::nothingIsSentUntouched()
{
    open(R"({"type":"object","required":["a"],"properties":{"a":{"type":"string"},"b":{"type":"integer","default":3},
        "c":{"type":"array","items":{"type":"string"}},"d":{"type":"object","properties":{"e":{"type":"string"}}},
        "f":{"type":"boolean"},"g":{"enum":["x","y"]}}})");
    QCOMPARE(m_form->value(), "{}");
    m_form->setValue(json::parse("{}"));
    QCOMPARE(m_form->value(), "{}");
    QVERIFY(find<QLineEdit>(u"field:/b"_s)->placeholderText().contains(u"3"_s));
}

// Beside a button that adds a property nothing says that there can be none.
void TestSchemaForm::noArguments()
{
    const auto text = [this] { return m_form->findChild<TextLabel *>(u"noArguments"_s)->text(); };
    open(R"({"type":"object","additionalProperties":false})");
    QCOMPARE(text(), u"This tool takes no arguments."_s);
    open(R"({"type":"object"})");
    QCOMPARE(text(), u"This tool declares no arguments; you can add your own."_s);
}

void TestSchemaForm::textAndEmptyText()
{
    open(R"({"type":"object","properties":{"q":{"type":"string"}}})");
    QSignalSpy changed(m_form.get(), &SchemaForm::changed);
    type(u"field:/q"_s, u"ab"_s);
    QCOMPARE(m_form->value(), R"({"q":"ab"})");
    QCOMPARE(changed.size(), 2);
    auto *edit = find<QPlainTextEdit>(u"field:/q"_s);
    QTest::keyClick(edit, Qt::Key_Backspace);
    QTest::keyClick(edit, Qt::Key_Backspace);
    QCOMPARE(m_form->value(), R"({"q":""})");
    choose(u"presence:/q"_s, u"not-sent"_s);
    QCOMPARE(m_form->value(), "{}");
}

void TestSchemaForm::multiLineText()
{
    open(R"({"type":"object","properties":{"path":{"type":"string"},"body":{"type":"string"}}})");
    type(u"field:/path"_s, u"a"_s);
    auto *path = find<QPlainTextEdit>(u"field:/path"_s);
    QTest::keyClick(path, Qt::Key_Return);  // no line end by accident
    QTest::keyClick(path, Qt::Key_Return, Qt::ShiftModifier);
    QTest::keyClicks(path, u"b"_s);
    type(u"field:/body"_s, u"x"_s);
    auto *body = find<QPlainTextEdit>(u"field:/body"_s);
    QTest::keyClick(body, Qt::Key_Return);
    QTest::keyClicks(body, u"y"_s);
    QCOMPARE(m_form->value(), R"({"path":"a\nb","body":"x\ny"})");
    const int before = path->height();
    for (int i = 0; i < 4; ++i)
        QTest::keyClick(path, Qt::Key_Return, Qt::ShiftModifier);
    QTRY_VERIFY(path->height() > before);
    // A no-break space typed by nobody stays one when something else is typed.
    m_form->setValue(json::parse("{\"path\":\"a\u00a0b\u2028\"}"));
    path = find<QPlainTextEdit>(u"field:/path"_s);
    path->moveCursor(QTextCursor::End);
    QTest::keyClicks(path, u"c"_s);
    QCOMPARE(m_form->value(), "{\"path\":\"a\u00a0b\u2028c\"}");
}

void TestSchemaForm::exactNumbers_data()
{
    QTest::addColumn<QString>("text");
    for (const char *text : {"9007199254740993", "1e-7", "1.0", "-0", "123456789012345678901234567890.5", "1E400"})
        QTest::newRow(text) << QString::fromLatin1(text);
}

void TestSchemaForm::exactNumbers()
{
    QFETCH(QString, text);
    open(R"({"type":"object","properties":{"n":{"type":"number"},"i":{"type":"integer"}}})");
    type(u"field:/n"_s, text);
    QCOMPARE(m_form->value(), QByteArray(R"({"n":)" + text.toLatin1() + '}'));
    const QByteArray both = QByteArray(R"({"i":)" + text.toLatin1() + R"(,"n":)" + text.toLatin1() + '}');
    m_form->setValue(json::parse(both));
    QCOMPARE(find<QLineEdit>(u"field:/i"_s)->text(), text);
    QCOMPARE(m_form->value(), both);
}

void TestSchemaForm::numberEmptiedIsNotSent()
{
    open(R"({"type":"object","properties":{"n":{"type":"number"},"z":{"type":"string"}}})", R"({"n":1,"z":"s"})");
    QTest::keyClick(find<QLineEdit>(u"field:/n"_s), Qt::Key_Backspace);
    QCOMPARE(m_form->value(), R"({"z":"s"})");
    type(u"field:/n"_s, u"2"_s);
    QCOMPARE(m_form->value(), R"({"n":2,"z":"s"})");
}

void TestSchemaForm::textInANumberIsSentAsText()
{
    open(R"({"type":"object","properties":{"n":{"type":"integer"}}})");
    type(u"field:/n"_s, u"12x"_s);
    QCOMPARE(m_form->value(), R"({"n":"12x"})");
    QTRY_VERIFY(!issueAt(u"/n"_s).isEmpty());
    const QList<FormIssue> issues = m_form->issues();
    QVERIFY(!issues.isEmpty());
    QCOMPARE(issues.constFirst().place.toString(), u"/n"_s);
}

void TestSchemaForm::booleanHasThreeStates()
{
    open(R"({"type":"object","properties":{"b":{"type":"boolean"}}})");
    auto *notSent = find<QAbstractButton>(u"presence:/b"_s);
    QVERIFY(notSent->isChecked());
    click(u"true:/b"_s);
    QCOMPARE(m_form->value(), R"({"b":true})");
    click(u"false:/b"_s);
    QCOMPARE(m_form->value(), R"({"b":false})");
    click(u"presence:/b"_s);
    QCOMPARE(m_form->value(), "{}");
}

void TestSchemaForm::requiredBoolean()
{
    open(R"({"type":"object","required":["b"],"properties":{"b":{"type":["boolean","null"]}}})");
    QCOMPARE(m_form->value(), "{}");
    click(u"null:/b"_s);
    QCOMPARE(m_form->value(), R"({"b":null})");
}

void TestSchemaForm::choiceByKeyboard()
{
    open(R"({"type":"object","properties":{"c":{"enum":["one",2.0,"three"]}}})");
    auto *combo = find<QComboBox>(u"field:/c"_s);
    QCOMPARE(combo->currentIndex(), -1);
    combo->setFocus();
    QTest::keyClick(combo, Qt::Key_Down);
    QCOMPARE(m_form->value(), R"({"c":"one"})");
    QTest::keyClick(combo, Qt::Key_Down);
    QCOMPARE(m_form->value(), R"({"c":2.0})");
    m_form->setValue(json::parse(R"({"c":2})"));
    QCOMPARE(find<QComboBox>(u"field:/c"_s)->currentIndex(), 1);
    QCOMPARE(m_form->value(), R"({"c":2})");
}

void TestSchemaForm::longChoiceIsSearched()
{
    QByteArray values;
    for (int i = 0; i < 126; ++i)
        values += (i ? ",\"platform-" : "\"platform-") + QByteArray::number(i) + '"';
    open(R"({"type":"object","properties":{"c":{"enum":[)" + values + "]}}}");
    auto *combo = find<QComboBox>(u"field:/c"_s);
    QVERIFY(combo->isEditable());
    QTest::keyClicks(combo->lineEdit(), u"form-77"_s);
    QCOMPARE(combo->completer()->completionCount(), 1);
    QCOMPARE(combo->completer()->currentCompletion(), u"platform-77"_s);
    auto *popup = QApplication::activePopupWidget();
    QVERIFY(popup);
    QTest::keyClick(popup, Qt::Key_Down);
    QTest::keyClick(popup, Qt::Key_Return);
    QCOMPARE(m_form->value(), R"({"c":"platform-77"})");
}

void TestSchemaForm::emptyChoice()
{
    open(R"({"type":"object","properties":{"c":{"type":"string","enum":[]}}})");
    QTest::keyClicks(find<QComboBox>(u"field:/c"_s)->lineEdit(), u"x"_s);
    QCOMPARE(m_form->value(), R"({"c":"x"})");
}

void TestSchemaForm::constantIsSent()
{
    open(R"({"type":"object","required":["v"],"properties":{"v":{"const":"2.0"},"w":{"const":1}}})");
    QCOMPARE(m_form->value(), R"({"v":"2.0"})");
    QCOMPARE(find<QLabel>(u"field:/v"_s)->text(), u"2.0"_s);
    choose(u"presence:/w"_s, u"value"_s);
    QCOMPARE(m_form->value(), R"({"v":"2.0","w":1})");
}

void TestSchemaForm::constantOfASentObject()
{
    open(R"({"type":"object","properties":{"o":{"type":"object","required":["k"],
        "properties":{"k":{"const":"x"},"t":{"type":"string"}}}}})");
    QCOMPARE(m_form->value(), "{}");
    click(u"open:/o"_s);
    type(u"field:/o/t"_s, u"1"_s);
    QCOMPARE(m_form->value(), R"({"o":{"k":"x","t":"1"}})");
    QVERIFY(find<QPlainTextEdit>(u"field:/o/t"_s)->hasFocus());
}

void TestSchemaForm::presenceSwitch()
{
    open(R"({"type":"object","properties":{"a":{"type":"string"},"n":{"type":"integer"}}})", R"({"a":"keep","n":1.0})");
    QCOMPARE(find<QAbstractButton>(u"presence:/a"_s)->text(), u"Set ▾"_s);
    choose(u"presence:/a"_s, u"not-sent"_s);
    QCOMPARE(m_form->value(), R"({"n":1.0})");
    QCOMPARE(find<QAbstractButton>(u"presence:/a"_s)->text(), u"Omitted ▾"_s);
    choose(u"presence:/a"_s, u"value"_s);
    QCOMPARE(m_form->value(), R"({"a":"keep","n":1.0})");
    // Another text means: not sent yet, and no number is made up.
    m_form->setValue(json::parse("{}"));
    choose(u"presence:/n"_s, u"value"_s);
    QCOMPARE(m_form->value(), "{}");
    QTRY_VERIFY(find<QLineEdit>(u"field:/n"_s)->hasFocus());
    choose(u"presence:/a"_s, u"value"_s);
    QCOMPARE(m_form->value(), R"({"a":""})");
}

void TestSchemaForm::defaultIsSentWhenChosen()
{
    open(R"({"type":"object","properties":{"n":{"type":"number","default":1.50}}})");
    choose(u"presence:/n"_s, u"default"_s);
    QCOMPARE(m_form->value(), R"({"n":1.50})");
}

void TestSchemaForm::nullSwitch()
{
    open(R"({"type":"object","properties":{"s":{"anyOf":[{"type":"string"},{"type":"null"}]},
        "o":{"type":["object","null"],"properties":{"x":{"type":"string"}}}}})",
         R"({"s":null,"o":{"x":"1"}})");
    QCOMPARE(m_form->value(), R"({"s":null,"o":{"x":"1"}})");
    QVERIFY(fallbacksOf(*m_form).isEmpty());
    type(u"field:/s"_s, u"t"_s);
    QCOMPARE(m_form->value(), R"({"s":"t","o":{"x":"1"}})");
    choose(u"presence:/s"_s, u"Null"_s);
    choose(u"presence:/o"_s, u"Null"_s);
    QCOMPARE(m_form->value(), R"({"s":null,"o":null})");
    choose(u"presence:/o"_s, u"value"_s);
    QCOMPARE(m_form->value(), R"({"s":null,"o":{"x":"1"}})");
}

void TestSchemaForm::nestedObject()
{
    open(R"({"type":"object","required":["r"],"properties":{"r":{"type":"object","required":["x"],
        "properties":{"x":{"type":"string"},"deep":{"type":"object","properties":{"y":{"type":"integer"}}}}}}})");
    type(u"field:/r/x"_s, u"a"_s);
    QVERIFY(!find<QWidget>(u"field:/r/deep/y"_s));
    click(u"open:/r/deep"_s);
    type(u"field:/r/deep/y"_s, u"5"_s);
    QCOMPARE(m_form->value(), R"({"r":{"x":"a","deep":{"y":5}}})");
    click(u"open:/r/deep"_s);
    QVERIFY(!find<QWidget>(u"field:/r/deep/y"_s)->isVisible());
    QCOMPARE(m_form->value(), R"({"r":{"x":"a","deep":{"y":5}}})");
}

void TestSchemaForm::listOfText()
{
    open(R"({"type":"object","properties":{"tags":{"type":"array","items":{"type":"string"}}}})");
    click(u"add:/tags"_s);
    QTRY_VERIFY(find<QPlainTextEdit>(u"field:/tags/0"_s)->hasFocus());
    type(u"field:/tags/0"_s, u"a"_s);
    click(u"add:/tags"_s);
    type(u"field:/tags/1"_s, u"b"_s);
    click(u"add:/tags"_s);
    QCOMPARE(m_form->value(), R"({"tags":["a","b"]})");
    click(u"remove:/tags/1"_s);
    QCOMPARE(m_form->value(), R"({"tags":["a"]})");
    type(u"field:/tags/1"_s, u"c"_s);
    QCOMPARE(m_form->value(), R"({"tags":["a","c"]})");
    choose(u"presence:/tags"_s, u"not-sent"_s);
    QCOMPARE(m_form->value(), "{}");
}

void TestSchemaForm::listOfObjects()
{
    open(R"({"type":"object","properties":{"l":{"type":"array","items":{"type":"object","required":["k"],
        "properties":{"k":{"const":1},"t":{"type":"string"}}}}}})",
         R"({"l":[{"t":"first","zz":1.0,"k":1},{"k":1.0}]})");
    QCOMPARE(m_form->value(), R"({"l":[{"t":"first","zz":1.0,"k":1},{"k":1.0}]})");
    click(u"down:/l/0"_s);
    QCOMPARE(m_form->value(), R"({"l":[{"k":1.0},{"t":"first","zz":1.0,"k":1}]})");
    QVERIFY(!find<QAbstractButton>(u"down:/l/1"_s)->isEnabled());
    click(u"add:/l"_s);
    type(u"field:/l/2/t"_s, u"new"_s);
    click(u"remove:/l/0"_s);
    QCOMPARE(m_form->value(), R"({"l":[{"t":"first","zz":1.0,"k":1},{"k":1,"t":"new"}]})");
}

void TestSchemaForm::mapRows()
{
    open(R"({"type":"object","properties":{"labels":{"type":"object","additionalProperties":{"type":"string"}}}})",
         R"({"labels":{"b":"1","a":"2"}})");
    QVERIFY(fallbacksOf(*m_form).isEmpty());
    click(u"add:/labels"_s);
    settle();
    QTest::keyClicks(QApplication::focusWidget(), u"team"_s);
    type(u"field:/labels/team"_s, u"north"_s);
    QCOMPARE(m_form->value(), R"({"labels":{"b":"1","a":"2","team":"north"}})");
    type(u"key:/labels/a"_s, u"x"_s);
    click(u"remove:/labels/b"_s);
    QCOMPARE(m_form->value(), R"({"labels":{"ax":"2","team":"north"}})");
}

void TestSchemaForm::aNameDecidesWhatItsRowTakes()
{
    open(R"({"type":"object","additionalProperties":false,"properties":{"limits":{"type":"object",
        "patternProperties":{"^cpu":{"type":"integer"},"^mem":{"type":"string"}},"additionalProperties":false}}})");
    click(u"add:/limits"_s);
    settle();
    QTest::keyClicks(QApplication::focusWidget(), u"cpu"_s);
    type(u"field:/limits/cpu"_s, u"7"_s);
    click(u"add:/limits"_s);
    settle();
    QTest::keyClicks(QApplication::focusWidget(), u"mem"_s);
    type(u"field:/limits/mem"_s, u"8"_s);
    QCOMPARE(m_form->value(), R"({"limits":{"cpu":7,"mem":"8"}})");
    // What was typed stays, and is said to be wrong there.
    auto *key = find<QLineEdit>(u"key:/limits/mem"_s);
    key->setFocus();
    key->selectAll();
    QTest::keyClicks(key, u"cpus"_s);
    QCOMPARE(m_form->value(), R"({"limits":{"cpu":7,"cpus":"8"}})");
    QTRY_COMPARE(m_form->issues().size(), 1);
    QCOMPARE(QApplication::focusWidget(), key);
}

void TestSchemaForm::aNewRowOfBooleansHasNoneChosen()
{
    open(R"({"type":"object","properties":{"flags":{"type":"array","items":{"type":"boolean"}}}})");
    click(u"add:/flags"_s);
    click(u"add:/flags"_s);
    settle();
    QAbstractButton *first = nullptr;
    int values = 0;
    for (auto *button : m_form->findChildren<QAbstractButton *>()) {
        if (button->text() != u"true"_s && button->text() != u"false"_s)
            continue;
        QVERIFY(!button->isChecked());
        first = first ? first : button;
        ++values;
    }
    QCOMPARE(values, 4);
    QCOMPARE(m_form->value(), "{}");
    first->setFocus();
    QTest::keyClick(first, Qt::Key_Space);
    QVERIFY(first->isChecked());
    QCOMPARE(m_form->value(), R"({"flags":[true]})");
}

void TestSchemaForm::aTreeOpensOneLevelByItself()
{
    open(R"({"$defs":{"n":{"anyOf":[{"type":"object","title":"Sum","properties":{"left":{"$ref":"#/$defs/n"}},
        "required":["left"]},{"type":"number","title":"Number"}]}},
        "type":"object","properties":{"e":{"$ref":"#/$defs/n"}},"required":["e"]})");
    QVERIFY(find<QWidget>(u"open:/e"_s));
    const auto *inner = find<QAbstractButton>(u"open:/e/left"_s);
    QVERIFY(inner);
    QVERIFY(!find<QWidget>(u"open:/e/left/left"_s));
    click(u"open:/e/left"_s);
    QVERIFY(find<QWidget>(u"open:/e/left/left"_s));
}

void TestSchemaForm::aRowIsRemovedOnceByADoubleClick()
{
    open(R"({"type":"object","properties":{"l":{"type":"array","items":{"type":"string"}},
        "m":{"type":"object","additionalProperties":{"type":"string"}}}})",
         R"({"l":["a"],"m":{"k":"1"}})");
    // No turn of the event loop in between: what was removed is still there.
    for (const QString &name : {u"remove:/l/0"_s, u"remove:/m/k"_s}) {
        settle();
        auto *remove = find<QAbstractButton>(name);
        QVERIFY2(remove, qPrintable(name));
        remove->click();
        remove->click();
    }
    QCOMPARE(m_form->value(), R"({"l":[],"m":{}})");
}

void TestSchemaForm::unionBranches()
{
    open(R"({"type":"object","required":["s"],"properties":{"s":{"oneOf":[
        {"type":"object","required":["kind","q"],"properties":{"kind":{"const":"sql"},"q":{"type":"string"}}},
        {"type":"object","required":["kind"],"properties":{"kind":{"const":"url"},"u":{"type":"string"}}}]}}})",
         R"({"s":{"kind":"url","u":"x","zz":1e5}})");
    QVERIFY(find<QAbstractButton>(u"branch:1:/s"_s)->isChecked());
    type(u"field:/s/u"_s, u"y"_s);
    QCOMPARE(m_form->value(), R"({"s":{"kind":"url","u":"xy","zz":1e5}})");
    click(u"branch:0:/s"_s);
    QCOMPARE(m_form->value(), R"({"s":{"kind":"sql"}})");
    type(u"field:/s/q"_s, u"select"_s);
    QCOMPARE(m_form->value(), R"({"s":{"kind":"sql","q":"select"}})");
    click(u"branch:1:/s"_s);
    QCOMPARE(m_form->value(), R"({"s":{"kind":"url","u":"xy","zz":1e5}})");
}

void TestSchemaForm::freeJson()
{
    open(R"({"type":"object","properties":{"any":{},"o":{"type":"object"}}})", R"({"any":[1.0,{"a":1e2}]})");
    QVERIFY(fallbacksOf(*m_form).isEmpty());
    type(u"field:/o"_s, uR"({"x": 1.0})"_s);
    QCOMPARE(m_form->value(), R"({"any":[1.0,{"a":1e2}],"o":{"x":1.0}})");
    auto *edit = find<QPlainTextEdit>(u"field:/o"_s);
    QTest::keyClick(edit, Qt::Key_Backspace);
    QCOMPARE(m_form->value(), R"({"any":[1.0,{"a":1e2}],"o":"{\"x\": 1.0"})");
    QTRY_VERIFY(!issueAt(u"/o"_s).isEmpty());
    edit->selectAll();
    QTest::keyClick(edit, Qt::Key_Delete);
    QCOMPARE(m_form->value(), R"({"any":[1.0,{"a":1e2}]})");
}

void TestSchemaForm::placeAsJsonAndBack()
{
    const QByteArray value = R"({"o":{"b":1.0,"zz":null,"a":"x"}})";
    open(
        R"({"type":"object","properties":{"o":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"number"}}}}})",
        value);
    choose(u"presence:/o"_s, u"json"_s);
    QCOMPARE(m_form->value(), value);
    QVERIFY(fallbacksOf(*m_form).isEmpty());
    auto *edit = find<QPlainTextEdit>(u"field:/o"_s);
    QVERIFY(edit);
    edit->moveCursor(QTextCursor::End);
    edit->moveCursor(QTextCursor::PreviousBlock);
    edit->moveCursor(QTextCursor::EndOfBlock);
    QTest::keyClicks(edit, u", \"new\": 2"_s);
    QCOMPARE(m_form->value(), R"({"o":{"b":1.0,"zz":null,"a":"x","new":2}})");
    choose(u"presence:/o"_s, u"json"_s);
    type(u"field:/o/a"_s, u"y"_s);
    QCOMPARE(m_form->value(), R"({"o":{"b":1.0,"zz":null,"a":"xy","new":2}})");
}

void TestSchemaForm::wrongTypesAreKept()
{
    const QByteArray value = R"({"i":"seven","s":1.0,"l":{"0":1},"o":[],"b":null,"e":{"x":1},"c":"other"})";
    open(R"({"type":"object","properties":{"i":{"type":"integer"},"s":{"type":"string"},
        "l":{"type":"array","items":{"type":"string"}},"o":{"type":"object","properties":{"x":{}}},
        "b":{"type":"boolean"},"e":{"enum":[1,2]},"c":{"const":"fixed"}}})",
         value);
    QCOMPARE(m_form->value(), value);
    QCOMPARE(fallbacksOf(*m_form).size(), 7);
    QCOMPARE(find<QPlainTextEdit>(u"field:/i"_s)->toPlainText(), u"\"seven\""_s);
    // Put right in place, and drawn again when asked for.
    auto *edit = find<QPlainTextEdit>(u"field:/i"_s);
    edit->selectAll();
    QTest::keyClicks(edit, u"7"_s);
    choose(u"presence:/i"_s, u"json"_s);
    QCOMPARE(find<QLineEdit>(u"field:/i"_s)->text(), u"7"_s);
    QCOMPARE(fallbacksOf(*m_form).size(), 6);
}

void TestSchemaForm::unknownMembersAreShown()
{
    open(R"({"type":"object","properties":{"b":{"type":"string"},"a":{"type":"string"}}})",
         R"({"x":{"deep":[1.0]},"a":"1","y":2e0})");
    QVERIFY(fallbacksOf(*m_form).isEmpty());
    QVERIFY(find<QPlainTextEdit>(u"field:/x"_s)->isVisible());
    type(u"field:/b"_s, u"new"_s);
    QCOMPARE(m_form->value(), R"({"x":{"deep":[1.0]},"b":"new","a":"1","y":2e0})");
    click(u"remove:/y"_s);
    QCOMPARE(m_form->value(), R"({"x":{"deep":[1.0]},"b":"new","a":"1"})");
}

void TestSchemaForm::duplicatesStay()
{
    open(R"({"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}}})",
         R"({"a":1,"b":2,"a":3.0})");
    QCOMPARE(find<QLineEdit>(u"field:/a"_s)->text(), u"3.0"_s);
    type(u"field:/b"_s, u"2"_s);
    QCOMPARE(m_form->value(), R"({"a":1,"b":22,"a":3.0})");
}

void TestSchemaForm::secretIsMasked()
{
    open(R"({"type":"object","properties":{"apiKey":{"type":"string"}}})", R"({"apiKey":"geheim"})");
    auto *edit = find<QLineEdit>(u"field:/apiKey"_s);
    QCOMPARE(edit->echoMode(), QLineEdit::Password);
    click(u"reveal:/apiKey"_s);
    QCOMPARE(edit->echoMode(), QLineEdit::Normal);
    QTest::keyClicks(edit, u"1"_s);
    QCOMPARE(m_form->value(), R"({"apiKey":"geheim1"})");
}

void TestSchemaForm::wheelLeavesChoicesAlone()
{
    open(R"({"type":"object","properties":{"c":{"enum":["a","b"]}}})", R"({"c":"a"})");
    auto *combo = find<QComboBox>(u"field:/c"_s);
    combo->setFocus();
    QWheelEvent wheel(QPointF(5, 5), combo->mapToGlobal(QPointF(5, 5)), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(combo, &wheel);
    QCOMPARE(m_form->value(), R"({"c":"a"})");
}

void TestSchemaForm::ctrlEnterSubmits()
{
    open(R"({"type":"object","properties":{"body":{"type":"string"},"n":{"type":"integer"},"any":{},
        "c":{"enum":["a","b"]},"apiKey":{"type":"string"},"b":{"type":"boolean"}}})");
    QSignalSpy submitted(m_form.get(), &SchemaForm::submitted);
    int expected = 0;
    for (const QString &name : {u"field:/body"_s, u"field:/n"_s, u"field:/any"_s, u"field:/c"_s, u"field:/apiKey"_s,
                                u"presence:/n"_s, u"true:/b"_s}) {
        for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter}) {
            auto *widget = find<QWidget>(name);
            widget->setFocus();
            QTest::keyClick(widget, key, Qt::ControlModifier);
            QCOMPARE(submitted.size(), ++expected);
        }
    }
    QCOMPARE(m_form->value(), "{}");
}

void TestSchemaForm::tabOrder()
{
    open(R"({"type":"object","required":["a"],"properties":{"a":{"type":"string"},"b":{"type":"integer"},
        "c":{"type":"object","properties":{"d":{"type":"string"}}},
        "e":{"type":"object","properties":{"f":{"type":"string"}}}}})",
         R"({"c":{}})");
    m_form->focusFirstField();
    QStringList visited;
    for (int i = 0; i < 4; ++i) {
        visited.append(QApplication::focusWidget()->objectName());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    // What is closed can be opened; what is open has values to go on to.
    QCOMPARE(visited, QStringList({u"field:/a"_s, u"field:/b"_s, u"field:/c/d"_s, u"open:/e"_s}));
    // Alt with an arrow also leads to the small buttons, and Tab on from there.
    m_form->focusFirstField();
    QTRY_COMPARE(QApplication::focusWidget()->objectName(), u"field:/a"_s);
    visited.clear();
    for (int i = 0; i < 6; ++i) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Right, Qt::AltModifier);
        visited.append(QApplication::focusWidget()->objectName());
    }
    for (const QString &name : {u"presence:/b"_s, u"field:/b"_s, u"presence:/c"_s, u"open:/c"_s, u"field:/c/d"_s})
        QVERIFY2(visited.contains(name), qPrintable(visited.join(u' ')));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(QApplication::focusWidget()->objectName(), visited.at(visited.size() - 2));
}

void TestSchemaForm::tabReachesEachInput()
{
    open(
        "{\"type\":\"object\",\"required\":[\"a\",\"b\",\"c\",\"d\",\"e\"],\"properties\":{"
        "\"a\":{\"type\":\"number\"},\"b\":{\"type\":\"number\"},\"c\":{\"type\":\"boolean\"},"
        "\"d\":{\"type\":\"string\",\"format\":\"password\"},\"e\":{\"enum\":[\"x\",\"y\"]}}}");
    m_form->focusFirstField();
    QStringList visited;
    for (int i = 0; i < 6; ++i) {
        visited.append(QApplication::focusWidget()->objectName());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    // A choice is entered at what is on, here that nothing is sent; the arrows move on.
    for (const QString &name : {u"field:/a"_s, u"field:/b"_s, u"presence:/c"_s, u"field:/d"_s, u"field:/e"_s})
        QVERIFY2(visited.contains(name), qPrintable(visited.join(u' ')));
    for (const QString &name : {u"presence:/a"_s, u"menu-button:/c"_s})
        QVERIFY2(!visited.contains(name), qPrintable(visited.join(u' ')));
}

void TestSchemaForm::longDescription()
{
    const QByteArray words = QByteArray("word ").repeated(400).trimmed();
    open(R"({"type":"object","properties":{"a":{"type":"string","description":")" + words + R"("}}})");
    const int before = find<QWidget>(u"place:/a"_s)->sizeHint().height();
    click(u"more"_s);
    QTRY_VERIFY(find<QWidget>(u"place:/a"_s)->sizeHint().height() > 2 * before);
}

void TestSchemaForm::serverTextIsPlain()
{
    open(R"({"type":"object","properties":{"<b>x</b>":{"type":"string","title":"<i>t</i>",
        "description":"<img src=\"file:///etc/passwd\"> \u202e reversed"}}})");
    const QList<QLabel *> labels = m_form->findChildren<QLabel *>();
    bool sawMark = false;
    for (const QLabel *label : labels) {
        QCOMPARE(label->textFormat(), Qt::PlainText);
        QVERIFY(!label->text().contains(QChar(0x202e)));
        sawMark = sawMark || label->text().contains(u"202E"_s);
    }
    QVERIFY(sawMark);
}

void TestSchemaForm::issueUnderTheField()
{
    open(R"({"type":"object","required":["a"],"properties":{"a":{"type":"string"},
        "limit":{"type":"integer","minimum":1,"maximum":1000}}})");
    QVERIFY(issueAt(u"/a"_s).isEmpty());  // a fresh form is not red
    QList<FormIssue> issues = m_form->issues();
    QCOMPARE(issues.size(), 1);
    QCOMPARE(issues.constFirst().place.toString(), u"/a"_s);
    type(u"field:/limit"_s, u"5000"_s);
    QTRY_VERIFY2(issueAt(u"/limit"_s).contains(u"1000"_s), qPrintable(issueAt(u"/limit"_s)));
    QTest::keyClick(find<QLineEdit>(u"field:/limit"_s), Qt::Key_Backspace);
    QTRY_VERIFY(issueAt(u"/limit"_s).isEmpty());
    QTest::keyClick(find<QLineEdit>(u"field:/limit"_s), Qt::Key_Return, Qt::ControlModifier);
    QTRY_VERIFY(!issueAt(u"/a"_s).isEmpty());
}

void TestSchemaForm::remoteIssueGoesWithTheEdit()
{
    open(R"({"type":"object","properties":{"o":{"type":"object","properties":{"a":{"type":"string"}}}}})",
         R"({"o":{"a":"x"}})");
    m_form->setRemoteIssues({{json::Pointer({u"o"_s, u"a"_s}), u"is taken"_s}});
    QTRY_VERIFY(issueAt(u"/o/a"_s).contains(u"is taken"_s));
    type(u"field:/o/a"_s, u"y"_s);
    QTRY_VERIFY(issueAt(u"/o/a"_s).isEmpty());
    // Items are counted as people do, also those that are not in the form.
    open(R"({"type":"object","properties":{"l":{"type":"array","items":{"type":"object",)"
         R"("properties":{"0":{"type":"string"}}}}}})");
    m_form->setRemoteIssues({{json::Pointer({u"l"_s, u"0"_s, u"0"_s}), u"is taken"_s}});
    QTRY_VERIFY2(issueAt(u"/l"_s).contains(u"item 1, 0"_s), qPrintable(issueAt(u"/l"_s)));
}

void TestSchemaForm::recursiveSchema()
{
    open(
        R"({"type":"object","required":["tree"],"properties":{"tree":{"type":"object","required":["name"],"properties":{
        "name":{"type":"string"},"left":{"$ref":"#/properties/tree"},
        "children":{"type":"array","items":{"$ref":"#/properties/tree"}}}}}})",
        R"({"tree":{"name":"a","children":[{"name":"b","children":[{"name":"c","children":[]}]}]}})");
    QVERIFY(fallbacksOf(*m_form).isEmpty());
    click(u"open:/tree/left"_s);
    click(u"open:/tree/left/left"_s);
    type(u"field:/tree/left/left/name"_s, u"n"_s);
    QCOMPARE(
        m_form->value(),
        R"({"tree":{"name":"a","left":{"left":{"name":"n"}},"children":[{"name":"b","children":[{"name":"c","children":[]}]}]}})");
    // Deeper than anybody nests by hand: closed below some depth, and kept.
    const QByteArray deep = QByteArray(R"({"name":"d","children":[)").repeated(300) + QByteArray("]}").repeated(300);
    m_form->setValue(json::parse("{\"tree\":" + deep + '}'));
    settle();
    QCOMPARE(m_form->value(), "{\"tree\":" + deep + '}');
    QVERIFY(m_form->fieldCount() < 50);
    // Required for ever: drawn as far as makes sense.
    open(R"({"type":"object","required":["n"],"properties":{"n":{"$ref":"#"}}})");
    QVERIFY(m_form->fieldCount() < 50);
}

void TestSchemaForm::manyFields()
{
    QByteArray properties;
    QByteArray value;
    for (int i = 0; i < 2000; ++i) {
        const QByteArray name = "\"f" + QByteArray::number(i) + "\":";
        properties += (i ? "," : "") + name + R"({"type":"string"})";
        value += (i ? "," : "") + name + "\"v\"";
    }
    open("{\"type\":\"object\",\"properties\":{" + properties + "}}", '{' + value + '}');
    QVERIFY2(m_form->fieldCount() <= 201, qPrintable(QString::number(m_form->fieldCount())));
    QCOMPARE(m_form->value(), '{' + value + '}');
    m_form->focusPlace(json::Pointer({u"f250"_s}));
    auto *edit = find<QPlainTextEdit>(u"field:/f250"_s);
    QVERIFY(edit);
    QTRY_VERIFY(edit->hasFocus());
    QTRY_VERIFY(!edit->visibleRegion().isEmpty());
    QTest::keyClicks(edit, u"x"_s);
    QCOMPARE(m_form->value(), QByteArray('{' + value + '}').replace("\"f250\":\"v\"", "\"f250\":\"vx\""));
}

void TestSchemaForm::manyItems()
{
    QByteArray items;
    for (int i = 0; i < 5000; ++i)
        items += (i ? "," : "") + QByteArray::number(i) + ".0";
    const QByteArray value = "{\"l\":[" + items + "]}";
    open(R"({"type":"object","properties":{"l":{"type":"array","items":{"type":"number"}}}})", value);
    QVERIFY(m_form->fieldCount() <= 102);
    QCOMPARE(m_form->value(), value);
    click(u"more-items:/l"_s);
    settle();
    QVERIFY(find<QLineEdit>(u"field:/l/150"_s));
    click(u"remove:/l/0"_s);
    QCOMPARE(m_form->value(), QByteArray(value).replace("[0.0,", "["));
}

void TestSchemaForm::longTextIsKept()
{
    const QByteArray value = "{\"s\":\"" + QByteArray(1'000'000, 'x') + "\",\"cr\":\"a\\rb\"}";
    open(R"({"type":"object","properties":{"s":{"type":"string"},"cr":{"type":"string"}}})", value);
    QCOMPARE(m_form->value(), value);
    // A text box would turn the carriage return into a line feed; JSON shows it as an escape.
    QCOMPARE(find<QPlainTextEdit>(u"field:/cr"_s)->toPlainText(), uR"("a\rb")"_s);
}

void TestSchemaForm::notAnObject()
{
    for (const char *schema :
         {"{}", "true", "null", R"({"type":"object"})", R"({"type":"object","properties":{}})", "[]"}) {
        open(schema);
        QCOMPARE(m_form->value(), "{}");
        m_form->setValue(json::parse(R"({"a":1.0})"));
        QCOMPARE(m_form->value(), R"({"a":1.0})");
        m_form->setValue(json::parse("[1.0]"));
        QCOMPARE(m_form->value(), "[1.0]");
    }
    m_form->setSchema({});
    QCOMPARE(m_form->value(), "{}");
}

void TestSchemaForm::everyControlIsNamed()
{
    open(R"({"type":"object","required":["s"],"properties":{"s":{"type":"string"},"n":{"type":["integer","null"]},
        "b":{"type":"boolean"},"c":{"enum":["a","b"]},"o":{"type":"object","properties":{"x":{"type":"string"}}},
        "l":{"type":"array","items":{"type":"object","properties":{"y":{"type":"string"}}}},
        "m":{"type":"object","additionalProperties":{"type":"integer"}},
        "u":{"oneOf":[{"type":"string"},{"type":"object","properties":{"z":{"type":"string"}}}]},"any":{},
        "password":{"type":"string"}}})",
         R"({"o":{},"l":[{"y":"1"}],"m":{"k":1},"u":{"z":"1"},"extra":1})");
    const QList<QWidget *> widgets = m_form->findChildren<QWidget *>();
    for (const QWidget *widget : widgets) {
        if (widget->window() != m_form.get())
            continue;  // the list of a combo box
        const QString inside = widget->parentWidget()->objectName();
        if (widget->focusPolicy() == Qt::NoFocus || inside.startsWith(u"qt_"_s) ||
            qobject_cast<const QScrollBar *>(widget))
            continue;
        const QString what = QString::fromLatin1(widget->metaObject()->className()) + u' ' + widget->objectName();
        QVERIFY2(!widget->objectName().isEmpty(), qPrintable(what));
        QVERIFY2(!widget->accessibleName().isEmpty(), qPrintable(what));
    }
}

SONDE_TEST(TestSchemaForm)
#include "tst_schemaform.moc"
