// The menu bar: what is in it, when it can do something, and how it is hidden and found again.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/actions.h"
#include "app/gui/menubar.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/testregistry.h"
#include "ui/dialogs/aboutdialog.h"
#include "ui/form/fieldfindbar.h"
#include "ui/form/jsoneditor.h"
#include "ui/panels/serverlist.h"
#include "ui/theme/translations.h"
#include "ui/theme/widgets.h"

#include <QClipboard>
#include <QFile>
#include <QLineEdit>
#include <QMenu>
#include <QTabWidget>
#include <QTableView>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::app::Actions;
using sonde::test::Patience;
using sonde::test::TestWindow;

namespace {

QMenu *openMenu()
{
    return qobject_cast<QMenu *>(QApplication::activePopupWidget());
}

bool isAwayAndBack(TestWindow &desk)
{
    desk.window().activateWindow();
    return QTest::qWaitForWindowActive(&desk.window(), Patience);
}

// What a person sees, and does, with the keyboard alone.
bool chooseByKeys(TestWindow &desk, int menu, const QString &text)
{
    desk.press(Qt::Key_F10);
    for (int i = 0; i < menu && openMenu(); ++i)
        QTest::keyClick(openMenu(), Qt::Key_Right);
    QMenu *shown = openMenu();
    const bool chosen = shown && test::chooseInMenu(shown, text);
    return isAwayAndBack(desk) && chosen;
}

bool isHiddenBar(TestWindow &desk)
{
    return QTest::qWaitFor([&desk] { return desk.window().menus->isHidden(); }, Patience);
}

}  // namespace

class TestMenuBar : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void whileItHasTheFocusKeysOfTextsAreThoseOfItsMenus()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"slow"_s));
        QVERIFY(desk.enter(u"/seconds"_s, u"1"_s));
        desk.window().menus->setFocus();
        QTest::failOnWarning(QRegularExpression(u"Ambiguous"_s));
        desk.press(Qt::Key_F, Qt::ControlModifier);
        const auto *bar = desk.panel()->findChild<ui::FieldFindBar *>();
        QTRY_VERIFY(bar && bar->isAncestorOf(QApplication::focusWidget()));
        // What the widget does not take ends there.
        desk.window().serverList->setFocus();
        for (const auto key : {Qt::Key_V, Qt::Key_A, Qt::Key_C, Qt::Key_F}) {
            desk.window().menus->setFocus();
            desk.press(key, Qt::ControlModifier);
        }
        QVERIFY(desk.close());
    }

    void everyActionIsThereOnceWithItsKey()
    {
        TestWindow desk;
        const app::MainWindow &window = desk.window();
        QStringList titles;
        QSet<QAction *> shown;
        const QList<QAction *> menus = window.menus->actions();
        for (const QAction *menu : menus) {
            titles << QString(menu->text()).remove(u'&');
            const QList<QAction *> entries = menu->menu()->actions();
            for (QAction *entry : entries) {
                const QList<QAction *> below = entry->menu() ? entry->menu()->actions() : QList<QAction *>{entry};
                shown.unite(QSet<QAction *>(below.begin(), below.end()));
            }
        }
        QCOMPARE(titles.join(u' '), u"File Edit View Server Session Tools Help"_s);
        QSet<QString> names;
        QHash<QKeySequence, QString> keys;
        const QList<QAction *> all = window.actions->all();
        const QList<QAction *> owned = window.actions->findChildren<QAction *>();
        QCOMPARE(QSet<QAction *>(all.begin(), all.end()), QSet<QAction *>(owned.begin(), owned.end()));
        for (QAction *action : all) {
            QVERIFY2(shown.contains(action), qPrintable(action->text()));
            QVERIFY2(!names.contains(action->text()), qPrintable(action->text()));
            names.insert(action->text());
            QVERIFY2(QFile::exists(u":/icons/%1.svg"_s.arg(action->data().toString())), qPrintable(action->text()));
            if (Actions::hasFixedKeys(action))
                continue;
            const QList<QKeySequence> own = action->shortcuts();
            for (const QKeySequence &sequence : own) {
                QVERIFY2(!keys.contains(sequence), qPrintable(sequence.toString() + keys.value(sequence)));
                keys.insert(sequence, action->text());
            }
        }
        QVERIFY(desk.close());
    }

    void everyEntryHasItsOwnMnemonic_data()
    {
        QTest::addColumn<QString>("language");
        for (const ui::Language &language : ui::Translations::all())
            QTest::newRow(qPrintable(language.code)) << language.code;
    }

    void everyEntryHasItsOwnMnemonic()
    {
        QFETCH(QString, language);
        const ui::Translations translations(language);
        TestWindow desk;
        QList<const QWidget *> menus{desk.window().menus};
        while (!menus.isEmpty()) {
            QSet<QKeySequence> used;
            const QList<QAction *> entries = menus.takeFirst()->actions();
            for (const QAction *entry : entries) {
                if (entry->isSeparator())
                    continue;
                const QKeySequence mnemonic = QKeySequence::mnemonic(entry->text());
                QVERIFY2(!mnemonic.isEmpty() && !used.contains(mnemonic), qPrintable(entry->text()));
                used.insert(mnemonic);
                if (entry->menu())
                    menus.append(entry->menu());
            }
        }
        QVERIFY(desk.close());
    }

    // In what has the focus; elsewhere it filters what the server offers.
    void findIsOneCommand()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"slow"_s));
        const Actions &actions = *desk.window().actions;
        QVERIFY(actions.filterOffers->shortcuts().isEmpty());
        QVERIFY(desk.enter(u"/seconds"_s, u"1"_s));
        actions.find->trigger();
        const auto *bar = desk.panel()->findChild<ui::FieldFindBar *>();
        QTRY_VERIFY(bar && bar->isAncestorOf(QApplication::focusWidget()));
        // Anywhere in the tab, it is about what is filled in there.
        const auto *modes = desk.panel()->findChild<ui::SegmentedControl *>(u"modeSwitch"_s);
        modes->button(0)->setFocus();
        desk.press(Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY(bar->isAncestorOf(QApplication::focusWidget()));
        desk.press(Qt::Key_Escape);
        QTest::mouseClick(modes->button(2), Qt::LeftButton);
        modes->button(2)->setFocus();
        desk.press(Qt::Key_F, Qt::ControlModifier);
        const auto *json = desk.panel()->findChild<ui::JsonEditor *>(u"jsonArguments"_s);
        QTRY_VERIFY(json->findChild<QLineEdit *>(u"findEdit"_s)->hasFocus());
        desk.press(Qt::Key_Escape);
        desk.window().serverList->setFocus();
        actions.find->trigger();
        QTRY_COMPARE(QApplication::focusWidget()->objectName(), u"offerFilter"_s);
        desk.window().serverList->setFocus();
        desk.press(Qt::Key_F, Qt::ControlModifier);
        QTRY_COMPARE(QApplication::focusWidget()->objectName(), u"offerFilter"_s);
        desk.find<QTableView>(u"timelineTable"_s)->setFocus();
        desk.press(Qt::Key_F, Qt::ControlModifier);
        QTRY_COMPARE(QApplication::focusWidget()->objectName(), u"timelineFilter"_s);
        QVERIFY(desk.close());
    }

    void actionsAreEnabledWhereTheyCanDoSomething()
    {
        TestWindow desk;
        const Actions &actions = *desk.window().actions;
        for (const QAction *action : {actions.call, actions.cancelCall, actions.stop, actions.refreshLists,
                                      actions.ping, actions.reopenTab, actions.editServer, actions.removeServer,
                                      actions.exportSession, actions.closeSession, actions.goToRequest})
            QVERIFY2(!action->isEnabled(), qPrintable(action->text()));
        QCOMPARE(Actions::nameOf(actions.restart), u"Start server"_s);
        QVERIFY(desk.openDemo());
        for (const QAction *action :
             {actions.call, actions.stop, actions.refreshLists, actions.ping, actions.exportSession})
            QVERIFY2(action->isEnabled(), qPrintable(action->text()));
        QVERIFY(!actions.editServer->isEnabled());  // it is built in
        QCOMPARE(Actions::nameOf(actions.restart), u"Restart server"_s);
        actions.maximiseTimeline->trigger();
        QVERIFY(!actions.call->isEnabled() && !actions.closeTab->isEnabled());
        QVERIFY(actions.maximiseTimeline->isChecked());
        actions.maximiseTimeline->trigger();
        QVERIFY(actions.call->isEnabled());
        actions.stop->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(Actions::nameOf(actions.restart), u"Start server"_s, Patience);
        QVERIFY(!actions.stop->isEnabled() && !actions.refreshLists->isEnabled());
        QVERIFY(desk.close());
    }

    // In the form and in the JSON beside it, which have the same steps.
    void undoIsOfferedOnlyWhereThereIsAStep()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"weather"_s));
        const Actions &actions = *desk.window().actions;
        const auto offered = [&desk, &actions] {
            Q_EMIT desk.window().menus->menuAboutToShow();
            return QList<bool>{actions.undo->isEnabled(), actions.redo->isEnabled()};
        };
        QCOMPARE(offered(), (QList<bool>{false, false}));
        QVERIFY(desk.enter(u"/city"_s, u"x"_s));
        QCOMPARE(offered(), (QList<bool>{true, false}));
        actions.undo->trigger();
        QCOMPARE(offered(), (QList<bool>{false, true}));
        QCOMPARE(desk.panel()->arguments(), "{}"_ba);
        desk.panel()->setMode(u"json"_s);
        desk.panel()->focusForm();
        QCOMPARE(offered(), (QList<bool>{false, true}));
        actions.redo->trigger();
        QCOMPARE(desk.panel()->arguments().contains("\"x\""), true);
        QCOMPARE(offered(), (QList<bool>{true, false}));
        QVERIFY(desk.close());
    }

    void itIsUsedByKeysAlone()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.enter(u"/a"_s, u"12"_s));
        QTRY_VERIFY(QApplication::focusWidget() && QApplication::focusWidget()->objectName() == u"field:/a");
        auto *field = desk.panel()->findChild<QLineEdit *>(u"field:/a"_s);
        QVERIFY(field);
        // What the menu does is what the key does, in the field that had the focus.
        QVERIFY(chooseByKeys(desk, 1, u"Select all"_s));
        QTRY_COMPARE(field->selectedText(), u"12"_s);
        QVERIFY(chooseByKeys(desk, 1, u"Copy"_s));
        QTRY_COMPARE(QGuiApplication::clipboard()->text(), u"12"_s);
        QVERIFY(chooseByKeys(desk, 1, u"Undo"_s));
        QTRY_VERIFY(desk.panel()->arguments() != R"({"a":12})");
        QVERIFY(chooseByKeys(desk, 1, u"Redo"_s));
        QTRY_COMPARE(desk.panel()->arguments(), QByteArray(R"({"a":12})"));
        // Alt and the letter of a menu open it.
        QVERIFY(isAwayAndBack(desk));
        desk.press(Qt::Key_S, Qt::AltModifier);
        QTRY_VERIFY(openMenu());
        QVERIFY(test::chooseInMenu(openMenu(), u"Stop server"_s));
        QTRY_VERIFY_WITH_TIMEOUT(desk.serverDetail(app::Workspace::demoSpec().name).contains(u"stopped"), Patience);
        QVERIFY(desk.close());
    }

    void hiddenItIsFoundAgain()
    {
        {
            TestWindow desk;
            QVERIFY(desk.openDemo());
            // The first time it says how it comes back, and may stay.
            for (const auto &answer : {u"Keep"_s, u"Hide"_s}) {
                QVERIFY(desk.window().menus->isVisible());
                test::WhenDialog question([&answer](QDialog *shown) { QVERIFY(test::clickButton(shown, answer)); });
                desk.press(Qt::Key_M, Qt::ControlModifier);
                QVERIFY(question.hasRun());
                QVERIFY(isAwayAndBack(desk));
            }
            QVERIFY(desk.window().menus->isHidden());
            QVERIFY(!desk.window().actions->showMenuBar->isChecked());
            // Alt alone opens it, and F10; afterwards it is hidden again.
            desk.press(Qt::Key_F10);
            QVERIFY(openMenu() && desk.window().menus->isVisible());
            QTest::keyClick(openMenu(), Qt::Key_Escape);
            QTRY_VERIFY(!openMenu());
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
            QVERIFY(isHiddenBar(desk));
            QVERIFY(isAwayAndBack(desk));
            QTest::keyPress(&desk.window(), Qt::Key_Alt);
            QTest::keyRelease(&desk.window(), Qt::Key_Alt);
            QVERIFY(openMenu());
            QVERIFY(test::chooseInMenu(openMenu(), u"Close tab"_s));
            QVERIFY(isHiddenBar(desk));
            // Alt with another key is that key.
            QVERIFY(isAwayAndBack(desk));
            QTest::keyPress(&desk.window(), Qt::Key_Alt);
            QTest::keyClick(&desk.window(), Qt::Key_Up);
            QTest::keyRelease(&desk.window(), Qt::Key_Alt);
            QVERIFY(!openMenu() && desk.window().menus->isHidden());
            QVERIFY(desk.close());
        }
        TestWindow next;
        QVERIFY(next.window().menus->isHidden());
        next.press(Qt::Key_M, Qt::ControlModifier);
        QVERIFY(next.window().menus->isVisible());
        next.press(Qt::Key_M, Qt::ControlModifier);  // without a question
        QVERIFY(next.window().menus->isHidden());
        QVERIFY(next.close());
    }

    void aboutNamesVersionsAndLicences()
    {
        TestWindow desk;
        test::WhenDialog about([](QDialog *shown) {
            QStringList texts;
            for (const QLabel *label : shown->findChildren<QLabel *>())
                texts << label->text();
            const QString all = texts.join(u'\n');
            for (const auto &word : {QStringLiteral(SONDE_VERSION), QString::fromLatin1(qVersion()), u"Apache"_s,
                                     u"LGPL-3.0-only"_s, u"OpenSSL"_s, u"libdeflate"_s, u"toml++"_s, u"QtKeychain"_s})
                QVERIFY2(all.contains(word), qPrintable(word));
            QVERIFY(test::clickButton(shown, u"Copy versions"_s));
            QCOMPARE(QGuiApplication::clipboard()->text(), ui::AboutDialog::versions());
        });
        desk.window().actions->about->trigger();
        QVERIFY(about.hasRun());
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestMenuBar)

#include "tst_menubar.moc"
