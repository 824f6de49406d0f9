// Form and JSON beside each other in a tab.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/gui/testwindow.h"
#include "tests/support/testregistry.h"
#include "ui/form/jsoneditor.h"
#include "ui/form/schemaform.h"
#include "ui/json/textview.h"
#include "ui/panels/callpanel.h"
#include "ui/panels/problemline.h"
#include "ui/theme/widgets.h"

#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QSplitter>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::TestWindow;

class TestBothSides : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void bothAreEditedAndCalled()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        choose(desk, u"Both"_s);
        auto *form = desk.panel()->findChild<ui::SchemaForm *>(u"form"_s);
        QPlainTextEdit *text = editor(desk)->edit();
        QVERIFY(form->isVisible() && text->isVisible());
        QVERIFY(desk.enter(u"/a"_s, u"1"_s));
        QCOMPARE(text->toPlainText(), u"{\n  \"a\": 1\n}"_s);
        text->setFocus();
        text->moveCursor(QTextCursor::End);
        QTest::keyClick(text, Qt::Key_Left);
        QTest::keyClick(text, Qt::Key_Left);
        QTest::keyClicks(text, u", \"b\": 2"_s);
        QCOMPARE(form->value(), R"({"a":1,"b":2})");
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY(desk.resultText().contains(u'3'));
        QVERIFY(desk.close());
    }

    void whileTheJsonIsBrokenTheFormWaits()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.enter(u"/a"_s, u"1"_s));
        choose(desk, u"Both"_s);
        auto *form = desk.panel()->findChild<ui::SchemaForm *>(u"form"_s);
        const auto *blocked = desk.panel()->findChild<ui::TextLabel *>(u"formBlocked"_s);
        QPlainTextEdit *text = editor(desk)->edit();
        QVERIFY(!blocked->isVisible());
        text->setFocus();
        QTest::keyClick(text, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(text, u"{\"a\": 7,"_s);
        QVERIFY(blocked->isVisible() && blocked->text().contains(u"line 1, column 9"_s));
        QVERIFY(!form->isEnabled());
        QCOMPARE(form->value(), R"({"a":1})");
        const auto *modes = desk.panel()->findChild<ui::SegmentedControl *>(u"modeSwitch"_s);
        choose(desk, u"Form"_s);
        QCOMPARE(modes->current(), 1);  // it would hide what is typed
        QCOMPARE(text->toPlainText(), u"{\"a\": 7,"_s);
        text->setFocus();
        QTest::keyClick(text, Qt::Key_Backspace);
        QTest::keyClicks(text, u"}"_s);
        QVERIFY(!blocked->isVisible() && form->isEnabled());
        QCOMPARE(form->value(), R"({"a":7})");
        QVERIFY(desk.close());
    }

    void whatIsSaidIsAboutTheJson()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"every-field-kind"_s));
        choose(desk, u"Both"_s);
        auto *problems = desk.panel()->findChild<ui::ProblemLine *>(u"problems"_s);
        QPlainTextEdit *text = editor(desk)->edit();
        const auto write = [text](const QString &json) {
            text->setFocus();
            text->selectAll();
            text->insertPlainText(json);
        };
        write(
            uR"({"text": "", "color": "red", "version": "v1", "serial": 1, "day": "x", "mail": "x", "people": [{}]})"_s);
        QTRY_COMPARE(problems->sentence(), u"1 problem: people, item 1, name · 2 remarks · you can still send it"_s);
        QTest::mouseClick(problems, Qt::LeftButton);
        const auto focus = [&desk] { return desk.window().focusWidget()->objectName(); };
        QTRY_COMPARE(focus(), u"field:/people/0/name"_s);
        // It can be sent, and the form does not have it.
        write(u"[1]"_s);
        QTRY_COMPARE(problems->sentence(), u"1 problem: must be an object · you can still send it"_s);
        QTest::mouseClick(problems, Qt::LeftButton);
        QTRY_VERIFY(text->hasFocus());
        write(u"{}"_s);
        QTRY_VERIFY2(problems->sentence().startsWith(u"5 problems: text, color, "_s), qPrintable(problems->sentence()));
        QVERIFY(desk.close());
    }

    void theWayOfEditingIsRemembered()
    {
        {
            TestWindow desk;
            QVERIFY(desk.openDemo());
            choose(desk, u"Both"_s);
            ui::CallPanel *other = desk.open(u"echo"_s);
            QVERIFY(other);
            QCOMPARE(other->mode(), u"both"_s);
            QVERIFY(desk.close());
        }
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QCOMPARE(desk.panel()->mode(), u"both"_s);
        QVERIFY(editor(desk)->edit()->isVisible());
        QVERIFY(desk.close());
    }

    void jsonIsAboveTheResultWhereThereIsNoRoomBesideTheForm()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        desk.window().resize(1000, 700);
        const auto *form = desk.panel()->findChild<ui::SchemaForm *>(u"form"_s);
        QCoreApplication::processEvents();
        const int height = form->height();
        choose(desk, u"Both"_s);
        const auto *results = desk.panel()->findChild<QSplitter *>(u"jsonAndResult"_s);
        QVERIFY(results->isAncestorOf(editor(desk)));
        QTRY_COMPARE(form->height(), height);  // as much as without JSON
        QTRY_VERIFY(editor(desk)->height() >= 80 && editor(desk)->width() >= 280);
        editor(desk)->edit()->setFocus();
        desk.window().resize(1440, 900);
        const auto *sides = desk.panel()->findChild<QSplitter *>(u"formAndJson"_s);
        QTRY_VERIFY(sides->isAncestorOf(editor(desk)) && editor(desk)->isVisible());
        QVERIFY(editor(desk)->edit()->hasFocus());
        QCOMPARE(sides->orientation(), Qt::Horizontal);
        desk.window().resize(1000, 700);
        QTRY_VERIFY(results->isAncestorOf(editor(desk)));
        choose(desk, u"JSON"_s);
        QVERIFY(!results->isAncestorOf(editor(desk)) && editor(desk)->isVisible());
        QVERIFY(desk.close());
    }

    void bothHasItsRoomHoweverItIsReached()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        desk.window().resize(1440, 900);
        const auto side = [&desk] { return desk.panel()->findChild<QWidget *>(u"formSide"_s)->width(); };
        choose(desk, u"Both"_s);
        const int form = side();
        choose(desk, u"JSON"_s);
        const int alone = side();
        QVERIFY(alone < form);
        choose(desk, u"Both"_s);
        QCOMPARE(side(), form);
        QVERIFY(desk.open(u"every-field-kind"_s));
        QTRY_COMPARE(side(), form);
        for (const auto &[mode, width] :
             {std::pair(u"JSON"_s, alone), {u"Form"_s, alone}, {u"Both"_s, form}, {u"Form"_s, alone}}) {
            choose(desk, mode);
            QCOMPARE(side(), width);
        }
        QVERIFY(desk.close());
    }

    void theHalfWithTheFocusIsSearched()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        choose(desk, u"Both"_s);
        QVERIFY(desk.enter(u"/a"_s, u"12"_s));
        auto *form = desk.panel()->findChild<ui::SchemaForm *>(u"form"_s);
        QPlainTextEdit *text = editor(desk)->edit();
        text->setFocus();
        desk.press(Qt::Key_F, Qt::ControlModifier);
        auto *inText = editor(desk)->findChild<QLineEdit *>(u"findEdit"_s);
        QTRY_VERIFY(inText->hasFocus());
        desk.type(u"12"_s);
        QTRY_COMPARE(editor(desk)->findChild<QLabel *>(u"findCount"_s)->text(), u"1 of 1"_s);
        desk.press(Qt::Key_Escape);
        QTRY_VERIFY(text->hasFocus());
        QCOMPARE(text->textCursor().selectedText(), u"12"_s);
        form->findChild<QWidget *>(u"field:/a"_s)->setFocus();
        desk.press(Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY(form->findChild<QLineEdit *>(u"findEdit"_s)->hasFocus());
        QVERIFY(!inText->isVisible());
        QVERIFY(desk.close());
    }

    void theSchemaIsShownOnRequest()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.click(u"showSchema"_s));
        auto *window = desk.panel()->findChild<QWidget *>(u"schemaWindow"_s);
        QVERIFY(window && window->isVisible());
        const auto *text = window->findChild<ui::TextView *>(u"schemaText"_s);
        QVERIFY(text->text().contains("\"First number\""));
        QPointer<QWidget> closed(window);
        QTest::keyClick(window, Qt::Key_Escape);
        QTRY_VERIFY(!closed);
        QVERIFY(desk.close());
    }

private:
    static void choose(const TestWindow &desk, const QString &mode)
    {
        const auto *modes = desk.panel()->findChild<ui::SegmentedControl *>(u"modeSwitch"_s);
        for (int i = 0; i < 3; ++i) {
            if (modes->button(i)->text() == mode)
                QTest::mouseClick(modes->button(i), Qt::LeftButton);
        }
        QCoreApplication::processEvents();
    }

    static ui::JsonEditor *editor(const TestWindow &desk)
    {
        return desk.panel()->findChild<ui::JsonEditor *>(u"jsonArguments"_s);
    }
};

SONDE_TEST(TestBothSides)
#include "tst_bothsides.moc"
