// Dates and times in a form: the calendar and the clock beside the text, by mouse and by keyboard.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/document.h"
#include "tests/support/testregistry.h"
#include "tests/ui/form/formfixture.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QCalendarWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTest>
#include <QTimeEdit>
#include <QToolButton>

using namespace Qt::StringLiterals;
using sonde::test::FormFixture;

class TestTimeEditor : public QObject, FormFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { end(); }

    void aDateIsPickedWithTheMouse()
    {
        openWith("date", R"({"at":"2026-03-31"})");
        clickDay(u"15"_s);
        QVERIFY(!popup());
        QCOMPARE(m_form->value(), R"({"at":"2026-03-15"})");
        expectFocusIn(u"field:/at"_s);
        press(Qt::Key_Tab);
        expectFocusIn(u"field:/n"_s);
        QVERIFY(m_form->undo());
        QCOMPARE(m_form->value(), R"({"at":"2026-03-31"})");
        QVERIFY(m_form->redo());
        QCOMPARE(m_form->value(), R"({"at":"2026-03-15"})");
    }

    void aDateIsPickedWithTheKeyboard()
    {
        openWith("date", R"({"at":"2026-03-31"})");
        find<QWidget>(u"field:/at"_s)->setFocus();
        press(Qt::Key_Down, Qt::AltModifier);
        QVERIFY(popup());
        press(Qt::Key_Right);
        press(Qt::Key_Return);
        QVERIFY(!popup());
        QCOMPARE(m_form->value(), R"({"at":"2026-04-01"})");
        expectFocusIn(u"field:/at"_s);
    }

    void escapeLeavesTheText()
    {
        openWith("date-time", R"({"at":"soon"})");
        find<QWidget>(u"field:/at"_s)->setFocus();
        press(Qt::Key_F4);
        QVERIFY(popup());
        press(Qt::Key_Right);
        press(Qt::Key_Escape);
        QVERIFY(!popup());
        QCOMPARE(m_form->value(), R"({"at":"soon"})");
        expectFocusIn(u"field:/at"_s);
        QTest::keyClicks(QApplication::focusWidget(), u"er"_s);
        QCOMPARE(m_form->value(), R"({"at":"sooner"})");
    }

    void aDateAndATimeArePickedTogether()
    {
        openWith("date-time", R"({"at":"2026-03-31T12:34:56.25+05:30"})");
        click(u"pick:/at"_s);
        QVERIFY(popup());
        QCOMPARE(popup()->findChild<QLabel *>(u"offset"_s)->text(), u"UTC+05:30"_s);
        QCOMPARE(popup()->findChild<QTimeEdit *>(u"clock"_s)->time(), QTime(12, 34, 56));
        press(Qt::Key_Left);  // the day before
        press(Qt::Key_Tab);
        QVERIFY(popup()->findChild<QTimeEdit *>(u"clock"_s)->hasFocus());
        press(Qt::Key_Up);  // the next hour
        QCOMPARE(m_form->value(), R"({"at":"2026-03-31T12:34:56.25+05:30"})");
        press(Qt::Key_Return);
        QVERIFY(!popup());
        QCOMPARE(m_form->value(), R"({"at":"2026-03-30T13:34:56+05:30"})");
        expectFocusIn(u"field:/at"_s);
        QVERIFY(m_form->undo());
        QCOMPARE(m_form->value(), R"({"at":"2026-03-31T12:34:56.25+05:30"})");
    }

    void okPicksWhatIsShown()
    {
        openWith("date-time", R"({"at":"2026-03-31T12:34:56.25Z"})");
        clickDay(u"15"_s);
        QVERIFY(popup());
        QTest::mouseClick(popup()->findChild<QToolButton *>(u"pick"_s), Qt::LeftButton);
        QVERIFY(!popup());
        QCOMPARE(m_form->value(), R"({"at":"2026-03-15T12:34:56.25Z"})");
    }

    void todayIsOneClickAway()
    {
        openWith("date", "{}");
        const QString before = QDate::currentDate().toString(Qt::ISODate);
        click(u"pick:/at"_s);
        QTest::mouseClick(popup()->findChild<QToolButton *>(u"now"_s), Qt::LeftButton);
        const QString value = sonde::json::parse(m_form->value())[u"at"].string();
        QVERIFY(value == before || value == QDate::currentDate().toString(Qt::ISODate));
    }

    void aTimeIsPicked()
    {
        openWith("time", R"({"at":"08:00:00Z"})");
        find<QWidget>(u"field:/at"_s)->setFocus();
        press(Qt::Key_Down, Qt::AltModifier);
        press(Qt::Key_Down);
        press(Qt::Key_Enter, Qt::KeypadModifier);
        QCOMPARE(m_form->value(), R"({"at":"07:00:00Z"})");
    }

    void whatWasTypedBeforeIsAStepOfItsOwn()
    {
        openWith("date", "{}");
        type(u"field:/at"_s, u"2026-03-31"_s);
        clickDay(u"15"_s);
        QCOMPARE(m_form->value(), R"({"at":"2026-03-15"})");
        QVERIFY(m_form->undo());
        QCOMPARE(m_form->value(), R"({"at":"2026-03-31"})");
        QVERIFY(m_form->undo());
        QCOMPARE(m_form->value(), "{}");
    }

    // Alt with an arrow moves a row.
    void inARowTheFunctionKeyOpens()
    {
        open(R"({"type":"object","properties":{"l":{"type":"array","items":{"type":"string","format":"date"}}}})",
             R"({"l":["2026-03-31","2026-01-01"]})");
        find<QWidget>(u"field:/l/0"_s)->setFocus();
        press(Qt::Key_Down, Qt::AltModifier);
        QVERIFY(!popup());
        QCOMPARE(m_form->value(), R"({"l":["2026-01-01","2026-03-31"]})");
        QVERIFY(find<QWidget>(u"pick:/l/1"_s)->toolTip().contains(u"F4"_s));
        find<QWidget>(u"field:/l/1"_s)->setFocus();
        press(Qt::Key_F4);
        press(Qt::Key_Left);
        press(Qt::Key_Return);
        QCOMPARE(m_form->value(), R"({"l":["2026-01-01","2026-03-30"]})");
    }

    void theFormMayGoWhileItIsOpen()
    {
        openWith("date", "{}");
        click(u"pick:/at"_s);
        QVERIFY(popup());
        m_form->setSchema(sonde::json::parse(R"({"type":"object","properties":{"x":{"type":"string"}}})"));
        settle();
        QVERIFY(!popup());
    }

    void theButtonSaysWhatItDoes()
    {
        openWith("date-time", "{}");
        const auto *button = find<QToolButton>(u"pick:/at"_s);
        QCOMPARE(button->accessibleName(), u"Pick a date and time"_s);
        QVERIFY(button->toolTip().contains(u"Alt+"_s));
        QVERIFY(button->accessibleDescription().contains(u"this computer's"_s));
        QVERIFY(!(button->focusPolicy() & Qt::TabFocus));
    }

    void aSecretHasNoCalendar()
    {
        open(R"({"type":"object","properties":{"at":{"type":"string","format":"date","writeOnly":true}}})",
             R"({"at":"2026-03-31"})");
        QVERIFY(!find<QWidget>(u"pick:/at"_s));
        QCOMPARE(find<QLineEdit>(u"field:/at"_s)->echoMode(), QLineEdit::Password);
    }

private:
    void openWith(const QByteArray &format, const QByteArray &value)
    {
        open(R"({"type":"object","properties":{"at":{"type":"string","format":")" + format +
                 R"("},"n":{"type":"string"}}})",
             value);
    }
    static QWidget *popup() { return QApplication::activePopupWidget(); }
    void clickDay(const QString &day) const
    {
        click(u"pick:/at"_s);
        QVERIFY(popup());
        auto *view = popup()->findChild<QAbstractItemView *>(u"qt_calendar_calendarview"_s);
        const QAbstractItemModel *model = view->model();
        for (int row = 1; row < model->rowCount(); ++row) {
            for (int column = 0; column < model->columnCount(); ++column) {
                const QModelIndex index = model->index(row, column);
                if (index.data().toString() == day && view->visualRect(index).isValid()) {
                    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(index).center());
                    return;
                }
            }
        }
        QFAIL("no such day");
    }
    void expectFocusIn(const QString &name) const
    {
        m_form->activateWindow();  // this platform has no window manager to give it back
        QTRY_VERIFY(QApplication::focusWidget());
        QTRY_COMPARE(QApplication::focusWidget()->objectName(), name);
    }
};

SONDE_TEST(TestTimeEditor)
#include "tst_timeeditor.moc"
