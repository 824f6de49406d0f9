// Tabs that are closed, in several ways, and come back as they were.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/actions.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/testregistry.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QMessageBox>
#include <QTabBar>
#include <QTabWidget>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Patience;
using sonde::test::TestWindow;

namespace {

QStringList tabNames(TestWindow &desk)
{
    QStringList names;
    for (int i = 0; i < desk.window().tabs->count(); ++i)
        names << desk.window().tabs->tabText(i);
    return names;
}

bool chooseInTabMenu(TestWindow &desk, int index, const QString &entry)
{
    QTabBar *bar = desk.window().tabs->tabBar();
    const QPoint place = bar->tabRect(index).center();
    bool chosen = false;
    test::WhenMenu menu([&](QMenu *shown) { chosen = test::chooseInMenu(shown, entry); });
    QContextMenuEvent event(QContextMenuEvent::Mouse, place, bar->mapToGlobal(place));
    QApplication::sendEvent(bar, &event);
    desk.window().activateWindow();
    return chosen && QTest::qWaitForWindowActive(&desk.window(), Patience);
}

}  // namespace

class TestClosedTabs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void aTabComesBackWithWhatWasTypedAndReceived()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.enter(u"/a"_s, u"1"_s));
        QVERIFY(desk.enter(u"/b"_s, u"2"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY(desk.enter(u"/b"_s, u"not a number"_s));
        QVERIFY(desk.open(u"echo"_s));
        QVERIFY(desk.enter(u"/value"_s, u"hello"_s));
        const QStringList before = tabNames(desk);
        desk.press(Qt::Key_W, Qt::ControlModifier);
        desk.press(Qt::Key_W, Qt::ControlModifier);
        QCOMPARE(tabNames(desk).size(), before.size() - 2);
        // The last one first.
        desk.press(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(desk.panel());
        QCOMPARE(desk.panel()->ref().key, u"add"_s);
        QCOMPARE(desk.badge(), u"✓ OK"_s);
        QVERIFY2(desk.panel()->arguments().contains("not a number"), desk.panel()->arguments().constData());
        desk.press(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(desk.panel()->ref().key, u"echo"_s);
        QVERIFY(desk.panel()->arguments().contains("hello"));
        QVERIFY(!desk.window().actions->reopenTab->isEnabled());
        QVERIFY(desk.call(u"✓ OK"_s));  // it still works
        QVERIFY(desk.close());
    }

    void pagesComeBackAndThoseOfRemovedServersDoNot()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        const QString own = desk.add(test::demoProgram());
        QVERIFY(!own.isEmpty());
        QVERIFY(desk.open(u"echo"_s));
        desk.press(Qt::Key_W, Qt::ControlModifier);
        QVERIFY(desk.window().actions->reopenTab->isEnabled());
        test::WhenDialog question([](QDialog *shown) { test::clickButton(shown, u"Remove"_s); });
        desk.window().actions->removeServer->trigger();
        QVERIFY(question.hasRun());
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(desk.serverRow(own) < 0);
        QVERIFY(!desk.window().actions->reopenTab->isEnabled());
        desk.window().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&desk.window(), Patience));
        // The page of the demo server.
        desk.window().actions->serverInfo->trigger();
        const QStringList before = tabNames(desk);
        desk.press(Qt::Key_W, Qt::ControlModifier);
        QVERIFY(tabNames(desk) != before);
        desk.window().actions->reopenTab->trigger();
        QCOMPARE(tabNames(desk).size(), before.size());
        QVERIFY(desk.close());
    }

    void theMenuOfATabClosesOthers()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"echo"_s));
        QVERIFY(desk.enter(u"/value"_s, u"x"_s));
        const int echo = desk.window().tabs->currentIndex();
        QVERIFY(chooseInTabMenu(desk, echo, u"Duplicate"_s));
        QCOMPARE(desk.window().tabs->currentIndex(), echo + 1);
        QVERIFY(desk.panel()->arguments().contains("\"x\""));
        QCOMPARE(tabNames(desk).last(), u"echo · 2"_s);
        QVERIFY(chooseInTabMenu(desk, echo, u"Close to the right"_s));
        QCOMPARE(tabNames(desk).size(), echo + 1);
        QVERIFY(chooseInTabMenu(desk, echo, u"Close others"_s));
        QCOMPARE(tabNames(desk), QStringList{u"echo"_s});
        QVERIFY(chooseInTabMenu(desk, 0, u"Close"_s));
        QCOMPARE(tabNames(desk), QStringList{u"Welcome"_s});
        QVERIFY(chooseInTabMenu(desk, 0, u"Reopen closed tab"_s));
        QCOMPARE(desk.panel()->ref().key, u"echo"_s);
        // By the keyboard it is the menu of the current tab.
        test::WhenMenu menu([](QMenu *shown) { QVERIFY(test::chooseInMenu(shown, u"Close"_s)); });
        QContextMenuEvent byKey(QContextMenuEvent::Keyboard, QPoint(1, 1), QPoint(1, 1));
        QApplication::sendEvent(desk.window().tabs->tabBar(), &byKey);
        QVERIFY(menu.hasRun());
        QVERIFY(!desk.panel());
        QVERIFY(desk.close());
    }

    void theMiddleButtonClosesATab()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"echo"_s));
        QTabBar *bar = desk.window().tabs->tabBar();
        const int echo = bar->currentIndex();
        const QStringList before = tabNames(desk);
        QVERIFY(echo > 0);
        // Moved away, it closes nothing.
        QTest::mousePress(bar, Qt::MiddleButton, {}, bar->tabRect(echo).center());
        QTest::mouseRelease(bar, Qt::MiddleButton, {}, bar->tabRect(0).center());
        QCOMPARE(tabNames(desk), before);
        QTest::mouseClick(bar, Qt::MiddleButton, {}, bar->tabRect(echo).center());
        QCOMPARE(tabNames(desk).size(), before.size() - 1);
        QVERIFY(!tabNames(desk).contains(u"echo"_s));
        desk.press(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(tabNames(desk), before);
        QVERIFY(desk.close());
    }

    void whatWasTypedIsNamedBeforeItsServerIsRemoved()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        const QString own = desk.add(test::demoProgram());
        QVERIFY(!own.isEmpty());
        QVERIFY(desk.open(u"echo"_s));
        const auto asked = [&desk] {
            QString text;
            const test::WhenDialog question([&text](QDialog *shown) {
                text = static_cast<QMessageBox *>(shown)->text();
                test::clickButton(shown, u"Cancel"_s);
            });
            desk.window().actions->removeServer->trigger();
            desk.window().activateWindow();
            (void)QTest::qWaitForWindowActive(&desk.window(), Patience);
            return text;
        };
        const QString lost = u"1 tab with arguments that you entered closes too and cannot be reopened."_s;
        QVERIFY2(!asked().contains(lost), "Nothing was typed");
        QVERIFY(desk.enter(u"/value"_s, u"hello"_s));
        QVERIFY(asked().endsWith(lost));
        QVERIFY(desk.panel()->arguments().contains("hello"));
        QVERIFY(desk.call(u"✓ OK"_s));  // the session has it now
        QVERIFY(!asked().contains(lost));
        QVERIFY(desk.close());
    }

    void closingSeveralAsksOnceAboutTheirCalls()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        for (int i = 0; i < 2; ++i) {
            QVERIFY(desk.open(u"slow"_s));
            if (i == 1)
                QVERIFY(chooseInTabMenu(desk, desk.window().tabs->currentIndex(), u"Duplicate"_s));
            QVERIFY(desk.enter(u"/seconds"_s, u"600"_s));
            desk.press(Qt::Key_Return, Qt::ControlModifier);
            QTRY_VERIFY_WITH_TIMEOUT(desk.panel()->isRunning(), Patience);
        }
        const QStringList before = tabNames(desk);
        for (const auto &answer : {u"Keep open"_s, u"Cancel calls and close"_s}) {
            QCOMPARE(tabNames(desk), before);
            test::WhenDialog question([&answer](QDialog *shown) { QVERIFY(test::clickButton(shown, answer)); });
            QVERIFY(chooseInTabMenu(desk, 0, u"Close others"_s));
            QVERIFY(question.hasRun());
        }
        QCOMPARE(tabNames(desk).size(), 1);
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestClosedTabs)

#include "tst_closedtabs.moc"
