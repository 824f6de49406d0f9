// Tabs for looking and tabs that are pinned.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/actions.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/testregistry.h"
#include "ui/theme/style.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QTabBar>
#include <QTabWidget>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Patience;
using sonde::test::TestWindow;

namespace {

// Those that are previews in parentheses.
QStringList shownTabs(TestWindow &desk)
{
    const QTabBar *bar = desk.window().tabs->tabBar();
    QStringList names;
    for (int i = 0; i < bar->count(); ++i)
        names << (bar->tabData(i).toInt() == ui::PreviewTab ? u"("_s + bar->tabText(i) + u")"_s : bar->tabText(i));
    return names;
}

bool chooseOf(TestWindow &desk, int index, const QString &entry)
{
    QTabBar *bar = desk.window().tabs->tabBar();
    const QPoint place = bar->tabRect(index).center();
    bool chosen = false;
    test::WhenMenu menu([&](QMenu *shown) { chosen = test::chooseInMenu(shown, entry); });
    QContextMenuEvent event(QContextMenuEvent::Mouse, place, bar->mapToGlobal(place));
    QApplication::sendEvent(bar, &event);
    return chosen;
}

}  // namespace

class TestPreviewTabs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void oneTabIsReusedUntilItIsKept()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        const QStringList first = shownTabs(desk);
        const auto with = [&first](const QStringList &more) { return first + more; };
        QVERIFY(desk.preview(u"echo"_s));
        QCOMPARE(shownTabs(desk), with({u"(echo)"_s}));
        QVERIFY(desk.preview(u"weather"_s));
        QCOMPARE(shownTabs(desk), with({u"(weather)"_s}));
        QCOMPARE(desk.panel()->name(), u"weather"_s);
        // Looking at what has a tab shows that one.
        QVERIFY(desk.preview(u"add"_s));
        QCOMPARE(shownTabs(desk), with({u"(weather)"_s}));
        // Editing keeps it, and so do calling, a double click and the palette.
        QVERIFY(desk.preview(u"weather"_s));
        QVERIFY(desk.enter(u"/city"_s, u"Bern"_s));
        QCOMPARE(shownTabs(desk), with({u"weather"_s}));
        QVERIFY(desk.preview(u"echo"_s));
        QVERIFY(desk.preview(u"fail"_s));
        QCOMPARE(shownTabs(desk), with({u"weather"_s, u"(fail)"_s}));
        QVERIFY(desk.call(u"▲ Tool error"_s));
        QCOMPARE(shownTabs(desk), with({u"weather"_s, u"fail"_s}));
        QVERIFY(desk.preview(u"echo"_s));
        QVERIFY(desk.open(u"echo"_s));
        QCOMPARE(shownTabs(desk), with({u"weather"_s, u"fail"_s, u"echo"_s}));
        QVERIFY(desk.preview(u"slow"_s));
        QTabBar *bar = desk.window().tabs->tabBar();
        QTest::mouseDClick(bar, Qt::LeftButton, {}, bar->tabRect(bar->currentIndex()).center());
        QCOMPARE(shownTabs(desk).last(), u"slow"_s);
        // What was replaced was not closed by the user; a preview that was closed is kept when it comes back.
        QVERIFY(!desk.window().actions->reopenTab->isEnabled());
        QVERIFY(desk.preview(u"structured-wrong"_s));
        desk.press(Qt::Key_W, Qt::ControlModifier);
        QCOMPARE(shownTabs(desk).last(), u"slow"_s);
        desk.press(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(shownTabs(desk).last(), u"structured-wrong"_s);
        QVERIFY(desk.close());
    }

    void pinnedTabsStayAtTheLeft()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"echo"_s));
        QVERIFY(desk.open(u"weather"_s));
        const qsizetype count = shownTabs(desk).size();
        QAction *pin = desk.window().actions->pinTab;
        pin->trigger();
        QCOMPARE(shownTabs(desk).first(), u"weather"_s);
        QVERIFY(pin->isChecked());
        QVERIFY(desk.open(u"echo"_s));
        QVERIFY(!pin->isChecked());
        QVERIFY(chooseOf(desk, desk.window().tabs->currentIndex(), u"Pin"_s));
        QCOMPARE(shownTabs(desk).first(2), (QStringList{u"weather"_s, u"echo"_s}));
        // Others are closed, these are not; a tab that is dragged between them goes behind them.
        QVERIFY(desk.open(u"fail"_s));
        QTabBar *bar = desk.window().tabs->tabBar();
        bar->moveTab(bar->currentIndex(), 0);
        QTest::mouseRelease(bar, Qt::LeftButton, {}, bar->tabRect(0).center());
        QTRY_COMPARE(shownTabs(desk).first(3), (QStringList{u"weather"_s, u"echo"_s, u"fail"_s}));
        QCOMPARE(shownTabs(desk).size(), count + 1);
        QVERIFY(chooseOf(desk, 2, u"Close others"_s));
        QCOMPARE(shownTabs(desk), (QStringList{u"weather"_s, u"echo"_s, u"fail"_s}));
        // One that is closed comes back pinned.
        QVERIFY(chooseOf(desk, 0, u"Close"_s));
        desk.window().actions->reopenTab->trigger();
        QCOMPARE(shownTabs(desk), (QStringList{u"echo"_s, u"weather"_s, u"fail"_s}));
        QVERIFY(chooseOf(desk, 0, u"Unpin"_s));
        QCOMPARE(shownTabs(desk), (QStringList{u"weather"_s, u"echo"_s, u"fail"_s}));
        QVERIFY(desk.close());
    }

    void theCurrentCallIsCopied()
    {
        TestWindow desk;
        QVERIFY(!desk.window().actions->copyCommand->isEnabled());
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"echo"_s));
        QVERIFY(desk.enter(u"/value"_s, u"\"x\""_s));
        desk.window().actions->copyArguments->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), u"{\"value\":\"x\"}"_s);
        desk.window().actions->copyCommand->trigger();
        const QString command = QGuiApplication::clipboard()->text();
        QVERIFY2(command.startsWith(u"sonde-cli "_s) && command.contains(u"echo"_s), qPrintable(command));
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestPreviewTabs)

#include "tst_previewtabs.moc"
