// Go to anything, and the context menu of what a server offers: with real servers and sessions.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/gui/testwindow.h"
#include "tests/support/testregistry.h"
#include "ui/dialogs/gotopalette.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QTabWidget>
#include <QTreeView>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Patience;
using sonde::test::TestWindow;

namespace {

constexpr int DetailRole = Qt::UserRole + 1;

// What Ctrl+K lists for these words: "text@detail". enter: chooses the first of them.
QStringList found(TestWindow &desk, const QString &words, bool enter = false)
{
    QStringList lines;
    desk.press(Qt::Key_K, Qt::ControlModifier);
    auto *palette = desk.window().findChild<ui::GotoPalette *>();
    if (!palette)
        return {u"there is no palette"_s};
    auto *line = palette->findChild<QLineEdit *>(u"gotoLine"_s);
    QTest::keyClicks(line, words);
    const auto *list = palette->findChild<QListWidget *>(u"gotoList"_s);
    for (int i = 0; i < list->count(); ++i)
        lines << list->item(i)->text() + u'@' + list->item(i)->data(DetailRole).toString();
    QTest::keyClick(line, enter ? Qt::Key_Return : Qt::Key_Escape);
    if (!QTest::qWaitFor([&desk] { return !desk.window().findChild<ui::GotoPalette *>(); }, Patience))
        return {u"the palette stays"_s};
    desk.window().activateWindow();
    (void)QTest::qWaitForWindowActive(&desk.window(), Patience);
    return lines;
}

bool chooseInOfferMenu(TestWindow &desk, const QString &offer, const QString &entry)
{
    auto *tree = desk.find<QTreeView>(u"offerTree"_s);
    const QModelIndexList places = tree->model()->match(tree->model()->index(0, 0), Qt::DisplayRole, offer, 1,
                                                        Qt::MatchExactly | Qt::MatchRecursive);
    if (places.isEmpty())
        return false;
    tree->scrollTo(places.first());
    const QPoint place = tree->visualRect(places.first()).center();
    bool chosen = false;
    test::WhenMenu menu([&](QMenu *shown) { chosen = test::chooseInMenu(shown, entry); });
    // As the window system sends it: the viewport's events become those of the view.
    QContextMenuEvent event(QContextMenuEvent::Mouse, place, tree->viewport()->mapToGlobal(place));
    QApplication::sendEvent(tree->viewport(), &event);
    desk.window().activateWindow();
    return chosen && QTest::qWaitForWindowActive(&desk.window(), Patience);
}

}  // namespace

class TestGoto : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void aWholeNameComesBeforeWhatWasUsedLast()
    {
        ui::GotoEntry recent{u"first try"_s, {}, {}, 1, u"echo"_s};
        recent.recency = 100;
        ui::GotoPalette palette({recent, {u"echo"_s, {}, {}, 2, {}}});
        QTest::keyClicks(palette.findChild<QLineEdit *>(u"gotoLine"_s), u"echo"_s);
        const auto *list = palette.findChild<QListWidget *>(u"gotoList"_s);
        QCOMPARE(list->count(), 2);
        QCOMPARE(list->item(0)->text(), u"echo"_s);
    }

    void actionsServersAndSessionsAreFound()
    {
        {
            TestWindow first;
            QVERIFY(first.openDemo());
            QVERIFY(first.close());
        }
        TestWindow desk;
        QVERIFY(desk.openDemo());
        // An action with its key; one that can do nothing is not there.
        QCOMPARE(found(desk, u"tab next"_s).first(), u"Next tab@Ctrl+Tab"_s);
        QVERIFY(found(desk, u"edit server"_s).filter(u"Edit server"_s).isEmpty());
        QVERIFY2(found(desk, u"recorded demo"_s).first().startsWith(u"Demo server@recorded session · "_s),
                 qPrintable(found(desk, u"recorded demo"_s).join(u'\n')));
        // A tool of a server, by the names of both.
        const QString own = desk.add(test::demoProgram());
        QVERIFY(!own.isEmpty());
        const QStringList ownEcho = found(desk, u"echo "_s + own);
        QCOMPARE(ownEcho.first().section(u" · "_s, 0, 0), u"echo@"_s + own);
        // The current server's first, then that of the other one.
        QCOMPARE(found(desk, u"echo"_s).first().section(u" · "_s, 0, 0), u"echo@"_s + own);
        QVERIFY(desk.clickServer(app::Workspace::demoSpec().name));
        QVERIFY(found(desk, u"echo"_s, true).first().startsWith(u"echo@Demo server"_s));
        QVERIFY(desk.clickServer(own));
        QCOMPARE(found(desk, u"echo"_s).first().section(u" · "_s, 0, 0), u"echo@"_s + own);
        QVERIFY(found(desk, {}).first().startsWith(u"echo@Demo server"_s));  // what was chosen last
        QVERIFY(desk.close());
    }

    void whatWasChosenLatelyComesFirst()
    {
        {
            TestWindow desk;
            QVERIFY(desk.openDemo());
            QVERIFY(!found(desk, {}).first().startsWith(u"progress@"_s));
            found(desk, u"progress"_s, true);
            QTRY_COMPARE(desk.panel()->ref().key, u"progress"_s);
            QVERIFY(found(desk, {}).first().startsWith(u"progress@"_s));
            found(desk, u"previous tab"_s, true);
            QVERIFY(found(desk, {}).first().startsWith(u"Previous tab@"_s));
            QVERIFY(found(desk, {}).value(1).startsWith(u"progress@"_s));
            QVERIFY(desk.close());
        }
        TestWindow next;
        QVERIFY(next.openDemo());
        QVERIFY2(found(next, {}).first().startsWith(u"Previous tab@"_s), qPrintable(found(next, {}).first()));
        // A session that was recorded opens.
        found(next, u"recorded session"_s, true);
        QTRY_VERIFY(next.session() && !next.session()->isLive());
        QVERIFY(next.close());
    }

    void theMenuOfAToolCopiesOpensAndFilters()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        const auto copied = [] { return QGuiApplication::clipboard()->text(); };
        QVERIFY(chooseInOfferMenu(desk, u"echo"_s, u"Open"_s));
        QCOMPARE(desk.panel()->ref().key, u"echo"_s);
        QVERIFY(desk.enter(u"/value"_s, u"it's"_s));
        const int tabs = desk.window().tabs->count();
        QVERIFY(chooseInOfferMenu(desk, u"echo"_s, u"Open in another tab"_s));
        QCOMPARE(desk.window().tabs->count(), tabs + 1);
        QCOMPARE(desk.panel()->ref().key, u"echo"_s);
        QVERIFY(chooseInOfferMenu(desk, u"echo"_s, u"Copy name"_s));
        QCOMPARE(copied(), u"echo"_s);
        QVERIFY(chooseInOfferMenu(desk, u"echo"_s, u"Copy input schema"_s));
        QVERIFY2(copied().startsWith(u'{') && copied().contains(u"\"value\""), qPrintable(copied()));
        // With what is filled in in its tab.
        QVERIFY(chooseInOfferMenu(desk, u"echo"_s, u"Copy as sonde-cli command"_s));
        QVERIFY2(copied().startsWith(u"sonde-cli call"_s) && copied().contains(u"it"), qPrintable(copied()));
        QVERIFY(chooseInOfferMenu(desk, u"add"_s, u"Copy as sonde-cli command"_s));  // an example
        QVERIFY2(copied().contains(u" add"), qPrintable(copied()));
        QVERIFY(chooseInOfferMenu(desk, u"add"_s, u"Filter the timeline for it"_s));
        QCOMPARE(desk.find<QLineEdit>(u"timelineFilter"_s)->text(), u"tool == \"add\""_s);
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestGoto)

#include "tst_goto.moc"
