// Lists and maps at typing speed: what the keys do, and that nothing is sent that nobody has chosen.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/document.h"
#include "tests/support/testregistry.h"
#include "tests/ui/form/formfixture.h"
#include "ui/form/inputs.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QCompleter>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTest>
#include <algorithm>

using namespace Qt::StringLiterals;
using sonde::test::FormFixture;

class TestFormHands : public QObject, FormFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { end(); }

    void anAddedRowIsSentWhenItHasAValue_data()
    {
        QTest::addColumn<QByteArray>("items");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QByteArray>("sent");
        QTest::newRow("number") << R"({"type":"number"})"_ba << u"7"_s << R"({"l":[7]})"_ba;
        QTest::newRow("integer with a default")
            << R"({"type":"integer","default":3})"_ba << u"7"_s << R"({"l":[7]})"_ba;
        QTest::newRow("string") << R"({"type":"string"})"_ba << u"7"_s << R"({"l":["7"]})"_ba;
        QTest::newRow("number or string")
            << R"({"anyOf":[{"type":"number"},{"type":"string"}]})"_ba << u"7"_s << R"({"l":[7]})"_ba;
    }
    void anAddedRowIsSentWhenItHasAValue()
    {
        QFETCH(QByteArray, items);
        QFETCH(QString, typed);
        QFETCH(QByteArray, sent);
        open(R"({"type":"object","properties":{"l":{"type":"array","items":)" + items + "}}}");
        click(u"add:/l"_s);
        QCOMPARE(m_form->value(), "{}");
        type(u"field:/l/0"_s, typed);
        QCOMPARE(m_form->value(), sent);
        QTest::keyClick(find<QWidget>(u"field:/l/0"_s), Qt::Key_Backspace);
        QVERIFY(!m_form->value().contains('7'));
        QVERIFY(find<QWidget>(u"field:/l/0"_s)->isVisible());
    }

    void anAddedChoiceIsNotChosen_data()
    {
        QTest::addColumn<QByteArray>("items");
        QTest::newRow("enum") << R"({"enum":["a","b"]})"_ba;
        QTest::newRow("boolean") << R"({"type":"boolean"})"_ba;
    }
    void anAddedChoiceIsNotChosen()
    {
        QFETCH(QByteArray, items);
        open(R"({"type":"object","properties":{"l":{"type":"array","items":)" + items + "}}}", R"({"l":[]})");
        click(u"add:/l"_s);
        QCOMPARE(m_form->value(), R"({"l":[]})");
    }

    void anAddedEntryIsSentWhenItHasAValue()
    {
        open(R"({"type":"object","properties":{"m":{"type":"object","additionalProperties":{"type":"number"}}}})");
        click(u"add:/m"_s);
        settle();
        QTest::keyClicks(QApplication::focusWidget(), u"k"_s);
        QCOMPARE(m_form->value(), "{}");
        type(u"field:/m/k"_s, u"1.50"_s);
        QCOMPARE(m_form->value(), R"({"m":{"k":1.50}})");
    }

    void enterAddsAnItem()
    {
        open(R"({"type":"object","properties":{"l":{"type":"array","items":{"type":"number"}}}})");
        find<QWidget>(u"add:/l"_s)->setFocus();
        press(Qt::Key_Return);
        for (const char digit : {'1', '2', '3'}) {
            QTest::keyClick(QApplication::focusWidget(), digit);
            press(Qt::Key_Return);
        }
        QCOMPARE(m_form->value(), R"({"l":[1,2,3]})");
        find<QWidget>(u"field:/l/0"_s)->setFocus();
        press(Qt::Key_Enter, Qt::KeypadModifier);
        QTest::keyClick(QApplication::focusWidget(), '9');
        QCOMPARE(m_form->value(), R"({"l":[1,9,2,3]})");
    }

    void enterGoesThroughAMap()
    {
        open(R"({"type":"object","properties":{"m":{"type":"object","additionalProperties":{"type":"number"}}}})");
        find<QWidget>(u"add:/m"_s)->setFocus();
        press(Qt::Key_Return);
        for (const char key : {'a', 'b'}) {
            QTest::keyClick(QApplication::focusWidget(), key);
            press(Qt::Key_Return);
            QTest::keyClick(QApplication::focusWidget(), '7');
            press(Qt::Key_Return);
        }
        QCOMPARE(m_form->value(), R"({"m":{"a":7,"b":7}})");
        QCOMPARE(QApplication::focusWidget(), find<QWidget>(u"key:/m/"_s));
    }

    void theKeysRemoveAndMove()
    {
        open(R"({"type":"object","properties":{"l":{"type":"array","items":{"type":"string"}}}})",
             R"({"l":["a","b","c"]})");
        find<QWidget>(u"field:/l/1"_s)->setFocus();
        press(Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(m_form->value(), R"({"l":["b","a","c"]})");
        press(Qt::Key_Down, Qt::AltModifier);
        press(Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(m_form->value(), R"({"l":["a","c","b"]})");
        press(Qt::Key_Backspace, Qt::ControlModifier);
        QCOMPARE(m_form->value(), R"({"l":["a","c"]})");
        QTRY_COMPARE(QApplication::focusWidget()->objectName(), u"field:/l/1"_s);
    }

    void manyLinesAreManyItems_data()
    {
        QTest::addColumn<QByteArray>("items");
        QTest::addColumn<QString>("pasted");
        QTest::addColumn<QByteArray>("sent");
        QTest::newRow("strings") << R"({"type":"string"})"_ba << u"one\ntwo\r\nthree\n"_s
                                 << R"({"l":["one","two","three"]})"_ba;
        QTest::newRow("numbers") << R"({"type":"integer"})"_ba << u"18446744073709551616\n 2\nx"_s
                                 << R"({"l":[18446744073709551616,2,"x"]})"_ba;
        QTest::newRow("one line") << R"({"type":"string"})"_ba << u"one"_s << R"({"l":["one"]})"_ba;
    }
    void manyLinesAreManyItems()
    {
        QFETCH(QByteArray, items);
        QFETCH(QString, pasted);
        QFETCH(QByteArray, sent);
        open(R"({"type":"object","properties":{"l":{"type":"array","items":)" + items + "}}}");
        click(u"add:/l"_s);
        QApplication::clipboard()->setText(pasted);
        find<QWidget>(u"field:/l/0"_s)->setFocus();
        press(Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(m_form->value(), sent);
        press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(m_form->value(), "{}");
    }

    void manyLinesInARowOfAUnion()
    {
        open(R"({"type":"object","properties":{"l":{"type":"array","items":{"type":["string","number"]}}}})");
        click(u"add:/l"_s);
        QApplication::clipboard()->setText(u"a\nb"_s);
        find<QWidget>(u"field:/l/0"_s)->setFocus();
        press(Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(m_form->value(), R"({"l":["a","b"]})");
    }

    // A long text is shown in part; lines go where the cursor is in all of it.
    void linesBehindALongText()
    {
        open(R"({"type":"object","properties":{"l":{"type":"array","items":{"type":"string"}}}})",
             "{\"l\":[\"" + QByteArray(50'000, 'x') + "\"]}");
        auto *edit = find<QPlainTextEdit>(u"field:/l/0"_s);
        QVERIFY(edit);
        edit->setFocus();
        edit->moveCursor(QTextCursor::End);
        QApplication::clipboard()->setText(u"\nA\nB"_s);
        press(Qt::Key_V, Qt::ControlModifier);
        const sonde::json::Value list = sonde::json::parse(m_form->value())[u"l"];
        QCOMPARE(list.size(), 3);
        QCOMPARE(list.at(0).string().size(), 50'000);
        QCOMPARE(list.at(2).string(), u"B"_s);
    }

    void aLongPasteMovesWithItsRow()
    {
        open(R"({"type":"object","properties":{"l":{"type":"array","items":{"type":"string"}}}})",
             R"({"l":["a","b"]})");
        QApplication::clipboard()->setText(QString(3'000'000, u'n'));
        auto *edit = find<QPlainTextEdit>(u"field:/l/0"_s);
        edit->setFocus();
        edit->selectAll();
        QTest::keyClick(edit, Qt::Key_V, Qt::ControlModifier);
        QTest::keyClick(edit, Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(sonde::json::parse(m_form->value())[u"l"].at(1).string().size(), 3'000'000);
        m_form->undo();
        QCOMPARE(sonde::json::parse(m_form->value())[u"l"].at(0).string().size(), 3'000'000);
    }

    void aTupleHasItsTitlesAndItsEnd()
    {
        open(R"({"type":"object","properties":{"at":{"type":"array","items":false,"prefixItems":[
            {"type":"number","title":"Latitude"},{"type":"number","title":"Longitude"}]}}})");
        click(u"add:/at"_s);
        type(u"field:/at/0"_s, u"1.5"_s);
        QCOMPARE(find<QWidget>(u"field:/at/0"_s)->accessibleName(), u"Latitude"_s);
        click(u"add:/at"_s);
        type(u"field:/at/1"_s, u"2"_s);
        QCOMPARE(m_form->value(), R"({"at":[1.5,2]})");
        QVERIFY(!find<QWidget>(u"add:/at"_s)->isVisible());
        // Enter goes to the next place, which keeps its value, and adds none behind the last one.
        find<QWidget>(u"field:/at/0"_s)->setFocus();
        press(Qt::Key_Return);
        QCOMPARE(QApplication::focusWidget()->objectName(), u"field:/at/1"_s);
        press(Qt::Key_Return);
        QVERIFY(!find<QWidget>(u"field:/at/2"_s));
        QCOMPARE(m_form->value(), R"({"at":[1.5,2]})");
        click(u"remove:/at/0"_s);
        QVERIFY(find<QWidget>(u"add:/at"_s)->isVisible());
    }

    void examplesAreOffered()
    {
        open(R"({"type":"object","properties":{"q":{"type":"string","examples":["first","a & b"]},
            "n":{"type":"array","items":{"type":"number"},"examples":[[1.0,2]]}}})");
        choose(u"presence:/q"_s, u"example:2"_s);
        choose(u"presence:/n"_s, u"example:1"_s);
        QCOMPARE(m_form->value(), R"({"q":"a & b","n":[1.0,2]})");
        m_form->undo();
        m_form->undo();
        QCOMPARE(m_form->value(), "{}");
    }

    void aMemberWithoutANameIsShown()
    {
        open(R"({"type":"object","properties":{"":{"type":"string"},"a":{"type":"string"}}})", R"({"":"x","a":"y"})");
        QVERIFY(find<QWidget>(u"field:/"_s) && find<QWidget>(u"field:/"_s)->isVisible());
        const QList<sonde::ui::ElidedText *> texts = m_form->findChildren<sonde::ui::ElidedText *>();
        QVERIFY(std::any_of(texts.begin(), texts.end(), [](const auto *text) { return text->text() == u"\"\""_s; }));
        QCOMPARE(m_form->value(), R"({"":"x","a":"y"})");
    }

    void theListOfChoicesClosesForACall()
    {
        open(R"({"type":"object","properties":{"many":{"enum":["k0","k1","k2","k3","k4","k5","k6","k7","k8","k9"]}}})");
        auto *combo = find<QComboBox>(u"field:/many"_s);
        combo->setFocus();
        QTest::keyClicks(QApplication::focusWidget(), u"k3"_s);
        QAbstractItemView *list = combo->completer()->popup();
        QTRY_VERIFY(list->isVisible());
        QKeyEvent shortcut(QEvent::ShortcutOverride, Qt::Key_Return, Qt::ControlModifier);
        QApplication::sendEvent(list, &shortcut);
        QVERIFY(!list->isVisible());
        QCOMPARE(m_form->value(), R"({"many":"k3"})");
    }

    void allLinesOfAShortTextAreInSight()
    {
        open(R"({"type":"object","properties":{"q":{"type":"string","format":"sql"}}})");
        m_form->setValue(sonde::json::parse(R"({"q":"select 1\nfrom x"})"));
        settle();
        auto *edit = find<QPlainTextEdit>(u"field:/q"_s);
        QCOMPARE(edit->toPlainText(), u"select 1\nfrom x"_s);
        QTRY_COMPARE(edit->verticalScrollBar()->value(), 0);
        QVERIFY(edit->cursorRect(QTextCursor(edit->document())).top() >= 0);
    }

    // What a value has been loaded for can be changed.
    void readOnlyIsShownAndNotSent()
    {
        const QByteArray schema =
            R"({"type":"object","required":["id"],"properties":{"id":{"type":"string","readOnly":true},
            "old":{"type":"string","deprecated":true}}})";
        open(schema);
        QVERIFY(find<QWidget>(u"field:/id"_s)->isVisible() && !find<QWidget>(u"field:/id"_s)->isEnabled());
        QVERIFY(find<QWidget>(u"field:/old"_s)->isEnabled());
        qsizetype said = 0;
        const QList<sonde::ui::ElidedText *> texts = m_form->findChildren<sonde::ui::ElidedText *>();
        for (const sonde::ui::ElidedText *shown : texts)
            said += shown->text().count(u"deprecated"_s);
        QCOMPARE(said, 1);
        QCOMPARE(m_form->value(), "{}");
        const auto hints = [this] {
            QStringList all;
            const QList<sonde::ui::ElidedText *> shown = m_form->findChildren<sonde::ui::ElidedText *>();
            for (const sonde::ui::ElidedText *text : shown)
                all << text->text();
            return all.join(u'\n');
        };
        QVERIFY2(hints().contains(u"read-only, not sent"_s), qPrintable(hints()));
        m_form->setValue(sonde::json::parse(R"({"id":"x"})"));
        settle();
        QVERIFY(find<QWidget>(u"field:/id"_s)->isEnabled());
        QVERIFY2(hints().contains(u"read-only"_s) && !hints().contains(u"not sent"_s), qPrintable(hints()));
        QCOMPARE(m_form->value(), R"({"id":"x"})");
    }

    void tabGoesFromASecretToTheNextValue()
    {
        open(R"({"type":"object","properties":{"token":{"type":"string","format":"password"},"n":{"type":"string"}}})");
        type(u"field:/token"_s, u"s"_s);
        press(Qt::Key_Tab);
        for (int i = 0; i < 2 && QApplication::focusWidget()->objectName() != u"field:/n"; ++i)
            press(Qt::Key_Tab);  // the menu of the field may be on the way, which shows that it has the focus
        QTest::keyClicks(QApplication::focusWidget(), u"v"_s);
        QCOMPARE(m_form->value(), R"({"token":"s","n":"v"})");
    }

    void theEyeLeavesTheFocusInTheSecret()
    {
        open(R"({"type":"object","properties":{"token":{"type":"string","format":"password"}}})");
        click(u"reveal:/token"_s);
        QTest::keyClicks(QApplication::focusWidget(), u"s"_s);
        QCOMPARE(m_form->value(), R"({"token":"s"})");
    }

    void whereAConstantComesFirstTheNextFieldIsTypedInto()
    {
        open(R"({"type":"object","properties":{"o":{"type":"object","required":["k"],"properties":{
            "k":{"const":"x"},"t":{"type":"string"}}}}})");
        choose(u"presence:/o"_s, u"value"_s);
        settle();
        QTRY_COMPARE(QApplication::focusWidget()->objectName(), u"field:/o/t"_s);
        QTest::keyClicks(QApplication::focusWidget(), u"v"_s);
        QCOMPARE(m_form->value(), R"({"o":{"k":"x","t":"v"}})");
    }
};

SONDE_TEST(TestFormHands)
#include "tst_formhands.moc"
