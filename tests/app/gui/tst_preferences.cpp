// Preferences: each change counts, is remembered, and can be taken back; keys and their conflicts.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/actions.h"
#include "app/gui/menubar.h"
#include "core/connection/argumentstore.h"
#include "core/connection/toolmemory.h"
#include "tests/app/gui/cuttexts.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/testregistry.h"
#include "ui/dialogs/preferencesdialog.h"
#include "ui/panels/serverlist.h"
#include "ui/theme/keys.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QTableView>
#include <QTreeWidget>
#include <algorithm>
#include <chrono>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Patience;
using sonde::test::TestWindow;
using Page = sonde::ui::PreferencesDialog::Page;

namespace {

// Ctrl+, opens them.
void inPreferences(TestWindow &desk, const std::function<void(QDialog *)> &use)
{
    test::WhenDialog dialog([&use](QDialog *shown) {
        QCOMPARE(shown->objectName(), u"preferencesDialog"_s);
        shown->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(shown, Patience));
        use(shown);
    });
    desk.press(Qt::Key_Comma, Qt::ControlModifier);
    QVERIFY(dialog.hasRun());
    desk.window().activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&desk.window(), Patience));
}

void showPage(QDialog *dialog, Page page)
{
    dialog->findChild<QListWidget *>(u"preferencePages"_s)->setCurrentRow(int(page));
}

void setNumber(QDialog *dialog, const QString &name, const QString &number)
{
    auto *spin = dialog->findChild<QDoubleSpinBox *>(name);
    QVERIFY(spin);
    spin->setFocus();
    QTest::keyClick(spin, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(spin, number);
    spin->interpretText();  // as leaving it does
}

void selectCommand(QDialog *dialog, const QString &words)
{
    auto *filter = dialog->findChild<QLineEdit *>(u"shortcutFilter"_s);
    filter->clear();
    QTest::keyClicks(filter, words);
}

QString keysMessage(QDialog *dialog)
{
    return dialog->findChild<QLabel *>(u"shortcutMessage"_s)->text();
}

}  // namespace

class TestPreferences : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void timeoutsCountAtOnceAndAreRemembered()
    {
        const auto timeouts = [](TestWindow &desk) {
            const ConnectionOptions &options = desk.workspace().currentConnection()->options();
            return QList<qint64>{options.callOptions.timeout.count(), options.callOptions.maxTotal.count(),
                                 options.handshakeTimeout.count()};
        };
        {
            TestWindow desk;
            QVERIFY(desk.openDemo());
            QCOMPARE(timeouts(desk), QList<qint64>({60'000, 600'000, 60'000}));
            inPreferences(desk, [&](QDialog *shown) {
                showPage(shown, Page::Limits);
                setNumber(shown, u"requestTimeout"_s, u"5"_s);
                QCOMPARE(timeouts(desk)[0], 5'000);
                setNumber(shown, u"totalTimeout"_s, u"0"_s);
                setNumber(shown, u"connectTimeout"_s, u"7"_s);
                QCOMPARE(shown->findChild<QDoubleSpinBox *>(u"totalTimeout"_s)->text(), u"No limit"_s);
            });
            QCOMPARE(timeouts(desk), QList<qint64>({5'000, 0, 7'000}));
            QVERIFY(desk.close());
        }
        TestWindow next;
        QVERIFY(next.openDemo());
        QCOMPARE(timeouts(next), QList<qint64>({5'000, 0, 7'000}));
        inPreferences(next, [](QDialog *shown) {
            showPage(shown, Page::Limits);
            QVERIFY(test::clickButton(shown, u"Reset page"_s));
            QCOMPARE(shown->findChild<QDoubleSpinBox *>(u"requestTimeout"_s)->value(), 60.0);
        });
        QCOMPARE(timeouts(next), QList<qint64>({60'000, 600'000, 60'000}));
        QVERIFY(next.close());
    }

    void aCallEndsWithTheTimeoutThatWasChosen()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        inPreferences(desk, [](QDialog *shown) {
            showPage(shown, Page::Limits);
            setNumber(shown, u"requestTimeout"_s, u"1"_s);
        });
        QVERIFY(desk.open(u"slow"_s));
        QVERIFY(desk.enter(u"/seconds"_s, u"600"_s));
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(desk.endsWith(u"⊘ Timed out"_s));
        QVERIFY(desk.close());
    }

    void switchesAndThemes()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        inPreferences(desk, [&desk](QDialog *shown) {
            showPage(shown, Page::General);
            shown->findChild<QCheckBox *>(u"showsMenuBar"_s)->click();
            QVERIFY(desk.window().menus->isHidden());
            showPage(shown, Page::Appearance);
            auto *theme = shown->findChild<QComboBox *>(u"themeChoice"_s);
            theme->setFocus();
            QTest::keyClick(theme, Qt::Key_End);
            QCOMPARE(desk.theme().mode(), ui::ThemeController::Mode::HighContrast);
            QVERIFY(desk.window().actions->themeHighContrast->isChecked());
            shown->findChild<QCheckBox *>(u"reducesMotion"_s)->click();
            QVERIFY(ui::reducesMotion());
            setNumber(shown, u"fontSize"_s, u"16"_s);
            QCOMPARE(ui::rowHeight(), 37);
            QTRY_COMPARE(desk.window().font().pointSizeF(), 16.0);
            showPage(shown, Page::Privacy);
            shown->findChild<QCheckBox *>(u"asksUnmarked"_s)->click();
        });
        QVERIFY(desk.close());
        TestWindow next;
        QCOMPARE(next.theme().mode(), ui::ThemeController::Mode::HighContrast);
        QVERIFY(next.window().menus->isHidden());
        QVERIFY(ui::reducesMotion());
        QCOMPARE(ui::rowHeight(), 37);
        next.window().actions->themeLight->trigger();
        inPreferences(next, [](QDialog *shown) {
            showPage(shown, Page::Appearance);
            QVERIFY(test::clickButton(shown, u"Reset page"_s));
            QCOMPARE(ui::rowHeight(), 23);
            QVERIFY(!ui::reducesMotion());
            shown->findChild<QComboBox *>(u"themeChoice"_s)->setCurrentIndex(1);
            QVERIFY(shown->findChild<QCheckBox *>(u"asksUnmarked"_s)->isChecked());
            QCOMPARE(shown->findChild<QComboBox *>(u"themeChoice"_s)->currentText(), u"Light"_s);
        });
        QVERIFY(next.close());
    }

    void compactRowsAreLowerAndNothingIsCut()
    {
        const auto heights = [](TestWindow &desk) {
            auto *offers = desk.find<QTreeView>(u"offerTree"_s);
            return QList<int>{
                desk.find<QTableView>(u"timelineTable"_s)->verticalHeader()->defaultSectionSize(),
                offers->visualRect(offers->model()->index(0, 0)).height(),
                desk.window().serverList->visualRect(desk.window().servers->index(0)).height(),
                desk.panel()->findChild<QWidget *>(u"field:/a"_s)->height(),
            };
        };
        const auto choose = [](QDialog *shown, const QString &density) {
            showPage(shown, Page::Appearance);
            shown->findChild<QComboBox *>(u"densityChoice"_s)->setCurrentText(density);
        };
        const auto areLower = [](const QList<int> &now, const QList<int> &before) {
            return std::equal(now.begin(), now.end(), before.begin(), [](int a, int b) { return a < b; });
        };
        QList<int> before;
        QList<int> compact;
        {
            TestWindow desk;
            QVERIFY(desk.openDemo());
            before = heights(desk);
            inPreferences(desk, [&](QDialog *shown) { choose(shown, u"Compact"_s); });
            QTRY_VERIFY(areLower(heights(desk), before));
            compact = heights(desk);
            QVERIFY(compact[0] >= desk.window().fontMetrics().height());
            const QStringList cut = test::cutTexts(desk.panel());
            QVERIFY2(cut.isEmpty(), qPrintable(cut.join(u'\n')));
            QVERIFY(desk.close());
        }
        TestWindow next;
        QVERIFY(next.openDemo());
        QTRY_COMPARE(heights(next), compact);
        inPreferences(next, [&](QDialog *shown) { choose(shown, u"Comfortable"_s); });
        QTRY_COMPARE(heights(next), before);
        QVERIFY(next.close());
    }

    void rememberedArgumentsAreForgottenWhenTheyAreNamed()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.enter(u"/a"_s, u"1"_s));
        QVERIFY(desk.enter(u"/b"_s, u"2"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        inPreferences(desk, [&desk](QDialog *shown) {
            showPage(shown, Page::Privacy);
            const auto *label = shown->findChild<QLabel *>(u"rememberedArguments"_s);
            QCOMPARE(label->text(), u"Of 1 tool"_s);
            test::WhenDialog question([](QDialog *asked) { QVERIFY(test::clickButton(asked, u"Forget"_s)); });
            QVERIFY(test::clickButton(shown, u"Forget all…"_s));
            QVERIFY(question.hasRun());
            QCOMPARE(label->text(), u"None"_s);
            QCOMPARE(desk.workspace().profile().arguments->count(), 0);
        });
        QVERIFY(desk.close());
    }

    void theSizeLimitOfSessionsIsEditedAtOnce()
    {
        TestWindow desk;
        test::WhenDialog dialog([](QDialog *shown) {
            const auto *limit = shown->findChild<QDoubleSpinBox *>(u"recordingLimit"_s);
            QTRY_VERIFY(limit->isAncestorOf(QApplication::focusWidget()) || limit->hasFocus());
        });
        desk.window().actions->sessionLimit->trigger();
        QVERIFY(dialog.hasRun());
        QVERIFY(desk.close());
    }

    void keysAreChangedAndConflictsSaid()
    {
        const auto keysOf = [](const QAction *action) { return action->shortcut().toString(); };
        {
            TestWindow desk;
            QVERIFY(desk.openDemo());
            const app::Actions &actions = *desk.window().actions;
            inPreferences(desk, [&](QDialog *shown) {
                showPage(shown, Page::Keys);
                auto *edit = shown->findChild<QKeySequenceEdit *>(u"shortcutKeys"_s);
                auto *reassign = shown->findChild<QPushButton *>(u"reassignShortcut"_s);
                const auto press = [edit](const QKeySequence &keys) { edit->setKeySequence(keys); };
                selectCommand(shown, u"ping server"_s);
                press(QKeySequence(u"Ctrl+Alt+P"_s));
                QCOMPARE(keysOf(actions.ping), u"Ctrl+Alt+P"_s);
                // What another command has is not taken before the person agrees.
                press(QKeySequence(u"Ctrl+K"_s));
                QVERIFY2(keysMessage(shown).contains(u"already used by “Go to”"), qPrintable(keysMessage(shown)));
                QVERIFY(reassign->isVisible());
                QCOMPARE(keysOf(actions.ping), u"Ctrl+Alt+P"_s);
                QCOMPARE(keysOf(actions.goTo), u"Ctrl+K"_s);
                QTest::mouseClick(reassign, Qt::LeftButton);
                QCOMPARE(keysOf(actions.ping), u"Ctrl+K"_s);
                QCOMPARE(keysOf(actions.goTo), QString());
                // What fields and menus need is never free.
                press(QKeySequence(u"P"_s));
                QVERIFY2(keysMessage(shown).contains(u"text fields"), qPrintable(keysMessage(shown)));
                press(QKeySequence(u"Ctrl+C"_s));
                QVERIFY2(keysMessage(shown).contains(u"always “Copy”"), qPrintable(keysMessage(shown)));
                press(QKeySequence(u"Alt+F"_s));
                QVERIFY2(keysMessage(shown).contains(u"menu File"), qPrintable(keysMessage(shown)));
                QVERIFY(!reassign->isVisible());
                QCOMPARE(keysOf(actions.ping), u"Ctrl+K"_s);
                // Those of fields are shown, and not changed.
                selectCommand(shown, u"select all"_s);
                QVERIFY(!edit->isEnabled());
                selectCommand(shown, u"call tools ctrl+return"_s);
                QCOMPARE(shown->findChild<QTreeWidget *>(u"shortcutList"_s)->currentItem()->text(0), u"Call"_s);
                press(QKeySequence(u"Alt+Return"_s));
                QCOMPARE(actions.call->shortcuts().size(), 2);  // Enter of the keypad is the same key
                selectCommand(shown, u"replay"_s);
                QVERIFY(test::clickButton(shown, u"Clear"_s));
            });
            QCOMPARE(keysOf(actions.replay), QString());
            QCOMPARE(ui::keyText(ui::keys::Replay), QString());
            QVERIFY(!desk.find<QPushButton>(u"replay"_s)->toolTip().contains(u"Ctrl"));
            QVERIFY(desk.close());
        }
        TestWindow next;
        const app::Actions &actions = *next.window().actions;
        QCOMPARE(keysOf(actions.ping), u"Ctrl+K"_s);
        QCOMPARE(keysOf(actions.goTo), QString());
        QCOMPARE(keysOf(actions.replay), QString());
        QCOMPARE(keysOf(actions.call), u"Alt+Enter"_s);
        inPreferences(next, [&](QDialog *shown) {
            showPage(shown, Page::Keys);
            // The default of one is what another has now.
            selectCommand(shown, u"go to"_s);
            QVERIFY(test::clickButton(shown, u"Restore default"_s));
            QVERIFY2(keysMessage(shown).contains(u"Ping server"), qPrintable(keysMessage(shown)));
            QVERIFY(test::clickButton(shown, u"Reset page"_s));
        });
        QCOMPARE(keysOf(actions.ping), QString());
        QCOMPARE(keysOf(actions.goTo), u"Ctrl+K"_s);
        QCOMPARE(actions.call->shortcuts().size(), 2);
        QCOMPARE(keysOf(actions.replay), QKeySequence(ui::keys::Replay).toString());
        QVERIFY(next.close());
    }
};

SONDE_TEST(TestPreferences)

#include "tst_preferences.moc"
