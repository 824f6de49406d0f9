// Tabs of several servers: who may change the current one, what they are called, and what is left when a server goes.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/gui/testwindow.h"
#include "tests/support/testregistry.h"
#include "ui/panels/collapsibletext.h"
#include "ui/panels/offertree.h"
#include "ui/panels/serverlist.h"
#include "ui/panels/serverpanel.h"
#include "ui/panels/sessionpanel.h"
#include "ui/panels/welcomepanel.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/timelinepanel.h"

#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTreeView>
#include <csignal>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Patience;
using sonde::test::TestWindow;

namespace {

const QString DemoName = app::Workspace::demoSpec().name;

QWidget *currentPage(TestWindow &desk)
{
    return desk.window().tabs->currentWidget();
}

// Of the server whose page is shown; empty where the current tab is no server's page.
QString pageServer(TestWindow &desk)
{
    const auto *page = qobject_cast<ui::ServerPanel *>(currentPage(desk));
    return page ? page->findChild<ui::TextLabel *>(u"serverTitle"_s)->text().section(u" · "_s, 0, 0) : QString();
}

QString tabTitle(TestWindow &desk)
{
    return desk.window().tabs->tabText(desk.window().tabs->currentIndex());
}

// Without a window manager nobody activates the window when a dialog or a menu is gone.
bool isActiveAgain(TestWindow &desk)
{
    desk.window().activateWindow();
    return QTest::qWaitForWindowActive(&desk.window(), Patience);
}

bool isCalling(TestWindow &desk)
{
    if (!isActiveAgain(desk) || !desk.open(u"slow"_s) || !desk.enter(u"/seconds"_s, u"600"_s))
        return false;
    desk.press(Qt::Key_Return, Qt::ControlModifier);
    return QTest::qWaitFor(
        [&desk] { return desk.panel()->isRunning() && desk.countOf(u"tools/call"_s, Direction::ToServer) > 0; },
        Patience);
}

bool removes(TestWindow &desk, const QString &name)
{
    test::WhenDialog serverRequest([](QDialog *shown) { test::clickButton(shown, u"Remove"_s); });
    if (!desk.chooseInServerMenu(desk.serverRow(name), u"Remove"_s) || !serverRequest.hasRun())
        return false;
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    return desk.serverRow(name) < 0 && isActiveAgain(desk);
}

// Renames it in its dialog.
bool renames(TestWindow &desk, const QString &from, const QString &to)
{
    test::WhenDialog dialog([&to](QDialog *shown) {
        auto *label = shown->findChild<QLineEdit *>(u"serverName"_s);
        QTest::keyClick(label, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(label, to);
        QTest::keyClick(label, Qt::Key_Return);
    });
    return desk.chooseInServerMenu(desk.serverRow(from), u"Edit"_s) && dialog.hasRun() && desk.serverRow(to) >= 0 &&
           isActiveAgain(desk);
}

bool isOver(TestWindow &desk, const QString &name, const QString &word)
{
    return QTest::qWaitFor([&] { return desk.serverDetail(name).contains(word); }, Patience);
}

}  // namespace

class TestTabs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void serversGoWhateverIsOpen_data()
    {
        QTest::addColumn<QString>("current");
        QTest::addColumn<bool>("laterFirst");
        for (const char *current : {"page", "tool", "call that runs", "other server's page", "other server's tool",
                                    "welcome", "page of one that failed"}) {
            QTest::addRow("%s, first server first", current) << QString::fromLatin1(current) << false;
            QTest::addRow("%s, last server first", current) << QString::fromLatin1(current) << true;
        }
    }

    void serversGoWhateverIsOpen()
    {
        QFETCH(QString, current);
        QFETCH(bool, laterFirst);
        TestWindow desk;
        QVERIFY(desk.openDemo());
        const QString first = desk.add(test::demoProgram());
        const QString second = desk.add(test::demoProgram() + u" --page-size 3"_s);
        QVERIFY(!first.isEmpty() && !second.isEmpty());
        for (const QString &name : {first, second}) {
            QVERIFY(desk.clickServer(name));
            QVERIFY(desk.open(u"echo"_s));
            QVERIFY(isCalling(desk));
        }
        QStringList order{first, second};
        if (laterFirst)
            std::reverse(order.begin(), order.end());
        QVERIFY(desk.clickServer(DemoName));
        if (current == u"page"_s || current == u"tool"_s || current == u"call that runs"_s)
            QVERIFY(desk.clickServer(order.first()));
        if (current == u"tool"_s)
            QVERIFY(desk.open(u"echo"_s));
        if (current == u"call that runs"_s)
            QVERIFY(desk.open(u"slow"_s)->isRunning());
        if (current == u"other server's tool"_s)
            QVERIFY(desk.open(u"add"_s));
        if (current == u"welcome"_s)
            desk.window().tabs->setCurrentWidget(desk.window().welcome);
        if (current == u"page of one that failed"_s) {
            QVERIFY(desk.add(u"no-such-program-here"_s).isEmpty());
            QVERIFY(desk.clickServer(u"no-such-program-here"_s));
        }
        const QWidget *shown = currentPage(desk);
        const bool isOfTheFirst = current == u"page"_s || current == u"tool"_s || current == u"call that runs"_s;

        for (const QString &name : order) {
            QVERIFY(removes(desk, name));
            // No tab of it, and nothing that could be called by mistake.
            for (int i = 0; i < desk.window().tabs->count(); ++i) {
                if (const auto *call = qobject_cast<ui::CallPanel *>(desk.window().tabs->widget(i)))
                    QVERIFY(call->connection() && call->connection()->spec().name != name);
            }
            if (isOfTheFirst)
                QVERIFY2(!pageServer(desk).isEmpty(), qPrintable(tabTitle(desk)));
            else
                QCOMPARE(currentPage(desk), shown);
        }
        QVERIFY(desk.isConnected(DemoName));
        QVERIFY(desk.clickServer(DemoName));
        QVERIFY(desk.open(u"add"_s));
        QVERIFY(desk.enter(u"/a"_s, u"1"_s));
        QVERIFY(desk.enter(u"/b"_s, u"2"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY(desk.close());
    }

    void serversStopAndStartWhileACallRuns()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        const QString name = desk.add(test::demoProgram());
        QVERIFY(isCalling(desk));
        const QWidget *shown = currentPage(desk);
        QVERIFY(renames(desk, name, u"renamed"_s));
        QVERIFY(desk.panel()->isRunning());
        {
            test::WhenDialog question([](QDialog *asked) { test::clickButton(asked, u"Restart"_s); });
            QVERIFY(desk.chooseInServerMenu(desk.serverRow(u"renamed"_s), u"Restart"_s) && question.hasRun());
            QVERIFY(isActiveAgain(desk));
        }
        QTRY_VERIFY_WITH_TIMEOUT(!desk.panel()->isRunning(), Patience);
        QVERIFY(desk.isConnected(u"renamed"_s));
        QCOMPARE(currentPage(desk), shown);
        QTRY_VERIFY_WITH_TIMEOUT(desk.offered().contains(u"slow"_s), Patience);
        QVERIFY(isCalling(desk));
        QVERIFY(desk.chooseInServerMenu(desk.serverRow(u"renamed"_s), u"Stop"_s));
        QTRY_VERIFY_WITH_TIMEOUT(!desk.panel()->isRunning(), Patience);
        QVERIFY(isOver(desk, u"renamed"_s, u"stopped"_s));
        QCOMPARE(currentPage(desk), shown);
        QVERIFY(removes(desk, u"renamed"_s));
        QVERIFY(desk.close());
    }

    // Ctrl+Enter must not call what nobody has chosen.
    void onlyAPersonChangesTheCurrentTab_data()
    {
        QTest::addColumn<QString>("end");
        QTest::newRow("stopped") << u"stop"_s;
        QTest::newRow("crashed") << u"crash"_s;
        QTest::newRow("restarted") << u"restart"_s;
    }

    void onlyAPersonChangesTheCurrentTab()
    {
        QFETCH(QString, end);
        TestWindow desk;
        QVERIFY(desk.openDemo());
        ui::CallPanel *panel = desk.open(u"progress"_s);
        QVERIFY(panel);
        const int tabs = desk.window().tabs->count();
        if (end == u"stop"_s) {
            QVERIFY(desk.chooseInServerMenu(desk.serverRow(DemoName), u"Stop"_s));
            QVERIFY(isOver(desk, DemoName, u"stopped"_s));
        } else if (end == u"crash"_s) {
            QCOMPARE(::kill(pid_t(panel->connection()->processId()), SIGKILL), 0);
            QTRY_COMPARE_WITH_TIMEOUT(panel->connection()->state(), Connection::State::Disconnected, Patience);
        }
        QCOMPARE(desk.panel(), panel);
        desk.press(Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(panel->connection()->state() != Connection::State::Connected || end != u"restart"_s,
                                 Patience);
        QVERIFY(desk.isConnected(DemoName));
        QTRY_VERIFY_WITH_TIMEOUT(desk.isListed() && desk.offered().contains(u"add"_s), Patience);
        QCOMPARE(desk.panel(), panel);
        QCOMPARE(desk.window().tabs->count(), tabs);
        QVERIFY(desk.call(u"✓ OK"_s));
        QCOMPARE(desk.panel(), panel);
        // A list that changes leaves the tab of a tool that is gone, and the current one.
        QVERIFY(desk.open(u"toggle-tools"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        ui::CallPanel *gone = desk.open(u"now-you-see-me"_s);
        QVERIFY(gone);
        QVERIFY(desk.open(u"toggle-tools"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        QTRY_VERIFY_WITH_TIMEOUT(!desk.offered().contains(u"now-you-see-me"_s), Patience);
        QCOMPARE(desk.panel()->ref().key, u"toggle-tools"_s);
        QVERIFY(desk.window().tabs->indexOf(gone) >= 0);
        QVERIFY(desk.close());
    }

    void aServerThatIsSlowDoesNotTakeTheTab()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        desk.servers().connectLine(test::demoProgram() + u" --slow-start 700"_s);
        QCOMPARE(pageServer(desk), u"sonde-demo-server"_s);
        QVERIFY(desk.clickServer(DemoName));
        QVERIFY(desk.open(u"echo"_s));
        const Connection *demo = desk.panel()->connection();
        QVERIFY(desk.isConnected(u"sonde-demo-server"_s));
        QCOMPARE(desk.panel()->ref().key, u"echo"_s);
        // The demo, asked for from the first page: somebody is elsewhere when it is there.
        QVERIFY(desk.chooseInServerMenu(desk.serverRow(DemoName), u"Stop"_s));
        QVERIFY(isOver(desk, DemoName, u"stopped"_s));
        desk.servers().startDemo();
        QVERIFY(desk.clickServer(u"sonde-demo-server"_s));
        QVERIFY(desk.isConnected(DemoName));
        QTRY_COMPARE_WITH_TIMEOUT(demo->catalog()->status(Catalog::List::Tools).state, Catalog::State::Ready, Patience);
        QCOMPARE(pageServer(desk), u"sonde-demo-server"_s);
        QVERIFY(desk.close());
    }

    void listCentreAndTimelineSpeakOfTheSameServer()
    {
        TestWindow desk;
        QVERIFY(qobject_cast<ui::WelcomePanel *>(currentPage(desk)));
        // Also before the first start, with its button; and gone again when nobody looks at it.
        QVERIFY(desk.clickServer(DemoName));
        QCOMPARE(pageServer(desk), DemoName);
        QVERIFY(!desk.session());
        QVERIFY(desk.click(u"restartServer"_s));
        QVERIFY(desk.isConnected(DemoName));
        QCOMPARE(pageServer(desk), DemoName);
        const QString other = desk.add(test::demoProgram() + u" --page-size 3"_s);
        QCOMPARE(pageServer(desk), other);
        QVERIFY(desk.open(u"echo"_s));
        QCOMPARE(tabTitle(desk), u"echo"_s);
        const auto heading = [&desk] { return desk.window().timeline->findChild<ui::TextLabel *>()->text(); };
        QVERIFY2(heading().contains(other), qPrintable(heading()));

        QVERIFY(desk.clickServer(DemoName));
        QCOMPARE(pageServer(desk), DemoName);
        QVERIFY2(heading().contains(DemoName), qPrintable(heading()));
        ui::CallPanel *own = desk.open(u"echo"_s);
        QCOMPARE(own->findChild<ui::TextLabel *>(u"subjectServer"_s)->text().remove(u" ·"_s), DemoName);
        // Two of a name say whose they are, until one is left.
        QCOMPARE(tabTitle(desk), u"echo · "_s + DemoName);
        QStringList titles;
        for (int i = 0; i < desk.window().tabs->count(); ++i)
            titles << desk.window().tabs->tabText(i);
        QVERIFY2(titles.contains(u"echo · "_s + other), qPrintable(titles.join(u'\n')));
        // A rename reaches tabs, page and timeline.
        QVERIFY(renames(desk, other, u"staging"_s));
        titles.clear();
        for (int i = 0; i < desk.window().tabs->count(); ++i)
            titles << desk.window().tabs->tabText(i);
        QVERIFY2(titles.contains(u"echo · staging"_s) && titles.contains(u"staging"_s), qPrintable(titles.join(u'\n')));
        QVERIFY(desk.clickServer(u"staging"_s));
        QCOMPARE(pageServer(desk), u"staging"_s);
        QVERIFY2(heading().contains(u"staging"_s), qPrintable(heading()));
        QCOMPARE(desk.open(u"echo"_s)->findChild<ui::TextLabel *>(u"subjectServer"_s)->text().remove(u" ·"_s),
                 u"staging"_s);
        desk.press(Qt::Key_W, Qt::ControlModifier);
        QVERIFY(desk.clickServer(DemoName));
        QVERIFY(desk.open(u"echo"_s));
        QCOMPARE(tabTitle(desk), u"echo"_s);
        QVERIFY(desk.close());
    }

    void aRecordingHasAPageToo()
    {
        QString path;
        {
            TestWindow desk;
            QVERIFY(desk.openDemo());
            path = desk.session()->path();
            QVERIFY(desk.close());
        }
        TestWindow desk;
        QVERIFY(desk.openDemo());
        desk.workspace().openSessionFile(path);
        QVERIFY(qobject_cast<ui::SessionPanel *>(currentPage(desk)));
        QCOMPARE(desk.session()->path(), path);
        QVERIFY2(tabTitle(desk).contains(u"recorded"_s), qPrintable(tabTitle(desk)));
        QVERIFY(desk.clickServer(DemoName));
        QCOMPARE(pageServer(desk), DemoName);
        const int row = desk.window().servers->rowCount() - 1;
        QVERIFY(test::clickRow(desk.window().serverList, desk.window().servers->index(row)));
        QVERIFY(desk.click(u"closeSession"_s));
        QCOMPARE(desk.window().servers->rowCount(), row);
        QCOMPARE(pageServer(desk), DemoName);
        QVERIFY(desk.close());
    }

    void whatACrashedServerOfferedStaysListed()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        ui::CallPanel *panel = desk.open(u"echo"_s);
        const QStringList offered = desk.offered();
        QVERIFY2(desk.window().recording->text().contains(u"Recording to"_s),
                 qPrintable(desk.window().recording->text()));
        QCOMPARE(::kill(pid_t(panel->connection()->processId()), SIGKILL), 0);
        QTRY_COMPARE_WITH_TIMEOUT(panel->connection()->state(), Connection::State::Disconnected, Patience);
        QCOMPARE(desk.offered(), offered);
        const ui::OfferModel *model = desk.window().offers->model();
        QCOMPARE(model->index(0, 0).data(ui::OfferModel::OfferedRole).toBool(), false);
        QCOMPARE(model->index(0, 0).data(ui::OfferModel::NoteRole).toString(), u"not connected"_s);
        QVERIFY2(!desk.window().recording->text().contains(u"Recording to"_s),
                 qPrintable(desk.window().recording->text()));
        // They can be looked at and filled in; nothing is sent.
        QVERIFY(desk.open(u"add"_s));
        QVERIFY(desk.enter(u"/a"_s, u"1"_s));
        desk.press(Qt::Key_F5);
        QVERIFY(desk.isConnected(DemoName));
        QTRY_VERIFY_WITH_TIMEOUT(desk.isListed() && model->index(0, 0).data(ui::OfferModel::OfferedRole).toBool(),
                                 Patience);
        QVERIFY(desk.enter(u"/b"_s, u"2"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY(desk.close());
    }

    void aFilterIsOfOneServer()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        const QString other = desk.add(test::demoProgram());
        desk.window().offers->focusFilter();
        desk.type(u"zzz"_s);
        auto *tree = desk.find<QTreeView>(u"offerTree"_s);
        QVERIFY(!tree->isVisible());
        QVERIFY(desk.clickServer(DemoName));
        QVERIFY(tree->isVisible());
        QVERIFY(desk.open(u"echo"_s));
        QVERIFY(desk.clickServer(other));
        QVERIFY(!tree->isVisible());
        QVERIFY(desk.close());
    }

    void closingItsTabCancelsACall()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(isCalling(desk));
        const auto closes = [&desk](const QString &button) {
            QString text;
            test::WhenDialog question([&](QDialog *shown) {
                text = static_cast<QMessageBox *>(shown)->text();
                test::clickButton(shown, button);
            });
            desk.press(Qt::Key_W, Qt::ControlModifier);
            return text;
        };
        QCOMPARE(closes(u"Keep open"_s), u"“slow” is still running. Closing its tab cancels the call."_s);
        QVERIFY(desk.panel()->isRunning());
        QCOMPARE(desk.countOf(u"notifications/cancelled"_s, Direction::ToServer), 0);
        QVERIFY(!closes(u"Cancel call and close"_s).isEmpty());
        QTRY_COMPARE_WITH_TIMEOUT(desk.countOf(u"notifications/cancelled"_s, Direction::ToServer), 1, Patience);
        const QString said = desk.window().told->text();
        QVERIFY2(said.contains(u"slow"_s) && said.contains(u"cancelled"_s), qPrintable(said));
        // In the one status line, which goes on with what it said before.
        const QStatusBar *bar = desk.window().statusBar();
        const auto areApart = [&] {
            QList<QRect> places;
            for (const QLabel *label : bar->findChildren<QLabel *>()) {
                if (label->isVisible())
                    places.append({label->mapTo(bar, QPoint()), label->size()});
            }
            for (qsizetype i = 1; i < places.size(); ++i) {
                if (places.at(i).intersects(places.at(i - 1)))
                    return false;
            }
            return !places.isEmpty();
        };
        QVERIFY(bar->currentMessage().isEmpty() && desk.window().told->isVisible() && areApart());
        QVERIFY(desk.clickServer(DemoName));  // sets the labels anew
        QVERIFY(desk.window().told->isVisible() && areApart() && !desk.window().recording->isVisible());
        QVERIFY(desk.close());
    }

    void runningCallsAreNamedBeforeTheyAreLost()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        const QString other = desk.add(test::demoProgram());
        QVERIFY(isCalling(desk));
        QStringList said;
        const auto presses = [&said](const QString &button) {
            return [&said, button](QDialog *shown) {
                said << static_cast<QMessageBox *>(shown)->text();
                test::clickButton(shown, button);
            };
        };
        {
            test::WhenDialog question(presses(u"Keep running"_s));
            desk.press(Qt::Key_Q, Qt::ControlModifier);
        }
        {
            test::WhenDialog question(presses(u"Cancel"_s));
            QVERIFY(desk.chooseInServerMenu(desk.serverRow(other), u"Remove"_s));
        }
        QVERIFY(desk.window().isVisible());
        QVERIFY(desk.panel()->isRunning());
        {
            test::WhenDialog question(presses(u"Remove"_s));
            QVERIFY(desk.chooseInServerMenu(desk.serverRow(other), u"Remove"_s));
        }
        const QString remove = u"Remove “%1” from the list? Its recorded sessions are kept."_s.arg(other) +
                               u"\n\n1 call is running and will be cancelled."_s;
        QCOMPARE(said, (QStringList{u"1 call is running. Quitting cancels it."_s, remove, remove}));
        QCOMPARE(desk.serverRow(other), -1);
        // Nothing runs any more: nothing is asked.
        test::WhenDialog question(presses(u"Keep running"_s));
        desk.window().close();
        QTRY_VERIFY_WITH_TIMEOUT(desk.hasFinished(), Patience);
        QVERIFY(!question.hasRun());
    }

    void aServerThatHangsShowsItsOwnPage()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        desk.servers().connectLine(u"sh -c 'echo downloading >&2; exec sleep 600'"_s);
        const auto *page = qobject_cast<ui::ServerPanel *>(currentPage(desk));
        QVERIFY(page);
        const QString name = pageServer(desk);
        QVERIFY(desk.serverRow(name) >= 0 && name != DemoName);
        const auto *status = page->findChild<ui::TextLabel *>(u"serverStatus"_s);
        const auto says = [page](const QString &text) {
            const QList<QLabel *> labels = page->findChildren<QLabel *>();
            return std::any_of(labels.begin(), labels.end(), [page, &text](const QLabel *label) {
                return label->isVisibleTo(page) && label->text().contains(text);
            });
        };
        QTRY_VERIFY(says(u"exec sleep 600"_s));
        QTRY_VERIFY2_WITH_TIMEOUT(status->text().contains(u"server/discover"_s), qPrintable(status->text()), Patience);
        QTRY_VERIFY2_WITH_TIMEOUT(status->text().endsWith(u" 1 s"_s), qPrintable(status->text()), Patience);
        QTRY_VERIFY2_WITH_TIMEOUT(status->text().contains(u"handshake"_s), qPrintable(status->text()), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(page->connection()->stderrTail().contains(u"downloading"_s), Patience);
        QTRY_VERIFY(says(u"Waiting for the handshake"_s));
        QVERIFY(desk.click(u"cancelStart"_s));
        QTRY_COMPARE_WITH_TIMEOUT(page->connection()->state(), Connection::State::Disconnected, Patience);
        QTRY_VERIFY(says(u"Cancelled by you"_s));
        QCOMPARE(currentPage(desk), page);
        QVERIFY(page->findChild<QPushButton *>(u"restartServer"_s)->isVisible());
        QVERIFY(desk.close());
    }

    void aPageOpenedDuringTheStartHasItsClock()
    {
        TestWindow desk;
        desk.servers().connectLine(u"sh -c 'exec sleep 600'"_s);
        const QString name = pageServer(desk);
        QVERIFY(!name.isEmpty());
        desk.press(Qt::Key_W, Qt::ControlModifier);
        QVERIFY(pageServer(desk).isEmpty());
        QVERIFY(desk.clickServer(name));
        QCOMPARE(pageServer(desk), name);
        const auto *status = currentPage(desk)->findChild<ui::TextLabel *>(u"serverStatus"_s);
        QTRY_VERIFY2_WITH_TIMEOUT(status->text().endsWith(u" 1 s"_s), qPrintable(status->text()), Patience);
        // And the steps that were taken before it was opened.
        const QList<QLabel *> labels = currentPage(desk)->findChildren<QLabel *>();
        QVERIFY(std::any_of(labels.begin(), labels.end(),
                            [](const QLabel *label) { return label->text() == u"Find the server"_s; }));
        QVERIFY(desk.click(u"cancelStart"_s));
        QVERIFY(desk.close());
    }

    void tabsThatAreHiddenGetNoKeys()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.enter(u"/a"_s, u"1"_s));
        QVERIFY(desk.enter(u"/b"_s, u"2"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        ui::CallPanel *panel = desk.panel();
        const QByteArray sent = panel->arguments();
        QVERIFY(desk.enter(u"/b"_s, u"3"_s));
        const QByteArray typed = panel->arguments();
        const int calls = desk.countOf(u"tools/call"_s, Direction::ToServer);
        const int tabs = desk.window().tabs->count();
        desk.press(Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!desk.window().tabs->isVisible());
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        desk.press(Qt::Key_Up, Qt::AltModifier);
        desk.press(Qt::Key_W, Qt::ControlModifier);
        QVERIFY(!panel->isRunning());
        QCOMPARE(desk.countOf(u"tools/call"_s, Direction::ToServer), calls);
        QCOMPARE(panel->arguments(), typed);
        QVERIFY(typed != sent);
        QCOMPARE(desk.window().tabs->count(), tabs);
        // What is opened can be seen.
        QVERIFY(desk.open(u"echo"_s));
        QVERIFY(desk.window().tabs->isVisible() && desk.window().timeline->isVisible());
        QCOMPARE(desk.panel()->ref().key, u"echo"_s);
        desk.press(Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(desk.chooseInServerMenu(desk.serverRow(DemoName), u"Server info"_s));
        QVERIFY(desk.window().tabs->isVisible());
        QCOMPARE(pageServer(desk), DemoName);
        QVERIFY(desk.close());
    }

    void aLongDescriptionPressesOnNothing()
    {
        TestWindow desk;
        desk.window().resize(1000, 700);
        QVERIFY(desk.openDemo());
        const int minimum = desk.window().tabs->minimumSizeHint().height();
        ui::CallPanel *panel = desk.open(u"add"_s);
        auto *about = panel->findChild<ui::CollapsibleText *>(u"subjectDescription"_s);
        QVERIFY(about);
        about->setServerText(QString(u"line\n"_s).repeated(60));
        QCoreApplication::processEvents();
        auto *more = about->findChild<QToolButton *>(u"showMore"_s);
        QTRY_VERIFY(more->isVisible());
        const int lines = about->findChild<ui::TextLabel *>()->fontMetrics().lineSpacing();
        QTRY_VERIFY(about->findChild<ui::TextLabel *>()->height() < 4 * lines);
        QCOMPARE(about->findChild<ui::TextLabel *>()->text(), u"line\nline\nline…"_s);
        QTest::mouseClick(more, Qt::LeftButton);
        QTRY_VERIFY(about->findChild<ui::TextLabel *>()->height() >= 60 * lines);
        // It scrolls with the form; neither the window nor the timeline gives it room.
        QCOMPARE(desk.window().tabs->minimumSizeHint().height(), minimum);
        QVERIFY(desk.window().timeline->height() > 150);
        QVERIFY(about->visibleRegion().boundingRect().height() < 60 * lines);
        QVERIFY(desk.enter(u"/a"_s, u"1"_s));
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestTabs)
#include "tst_tabs.moc"
