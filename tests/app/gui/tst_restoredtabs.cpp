// Tabs that are more than a call come back at the next start: nothing is started, called or lost.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/actions.h"
#include "app/gui/statefile.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/files.h"
#include "tests/support/handmadesession.h"
#include "ui/compare/comparepanel.h"
#include "ui/json/textview.h"
#include "ui/panels/offertree.h"
#include "ui/panels/recordedcallpanel.h"
#include "ui/panels/savedcallspanel.h"
#include "ui/panels/taskspanel.h"
#include "ui/replay/replaypanel.h"

#include <QFile>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QTabWidget>
#include <QTableWidget>
#include <QTemporaryDir>
#include <algorithm>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::app::Place;
using sonde::app::StateFile;
using sonde::app::TabState;
using sonde::app::WindowState;
using sonde::test::Patience;
using sonde::test::TestWindow;

namespace {

constexpr char IgnoreTwo[] = R"({"ignore":[{"pointer":"/structuredContent"},{"pointer":"/_meta"}]})";

Place demoPlace()
{
    return {app::Workspace::demoSpec().name, true, {}};
}

WindowState kept()
{
    const auto state = WindowState::fromJson(test::readFile(TestWindow::dataPath(u"window-1.json"_s)));
    return state ? *state : WindowState();
}

// As a window before has left it.
void leave(const QList<TabState> &tabs, const QStringList &sessions = {})
{
    WindowState state;
    state.hasEnded = true;
    state.tabs = tabs;
    state.currentTab = int(tabs.size()) - 1;
    state.sessions = sessions;
    if (const Error error = StateFile().save(state))
        qFatal("%s", qUtf8Printable(error.message));
}

// With one call of the tool for each sum.
QString session(const QString &name, const QList<std::pair<int, int>> &sums)
{
    test::HandmadeSession made;
    made.sent(
        "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
        "\"capabilities\":{},\"clientInfo\":{\"name\":\"n\",\"version\":\"1\"}}}");
    made.received(
        "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":"
        "{\"tools\":{}},\"serverInfo\":{\"name\":\"n\",\"version\":\"1\"}}}");
    int id = 0;
    for (const auto &[a, b] : sums) {
        const QByteArray number = QByteArray::number(++id);
        made.sent("{\"jsonrpc\":\"2.0\",\"id\":" + number +
                  ",\"method\":\"tools/call\",\"params\":{\"name\":\"add\",\"arguments\":{\"a\":" +
                  QByteArray::number(a) + ",\"b\":" + QByteArray::number(b) + "}}}");
        made.received("{\"jsonrpc\":\"2.0\",\"id\":" + number +
                      ",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"" + QByteArray::number(a + b) +
                      "\"}]}}");
    }
    const StateFile folder;  // makes it
    const QString path = TestWindow::dataPath(name);
    test::writeFile(path, made.text());
    return path;
}

TabState replayOf(const QString &path, const Place &server)
{
    TabState tab;
    tab.kind = TabState::Kind::Replay;
    tab.replay.session = path;
    tab.replay.server = server;
    tab.replay.name = server.isBuiltIn ? app::Workspace::demoSpec().name : u"typed"_s;
    tab.replay.calls = u"all"_s;
    tab.replay.destructive = u"skip"_s;
    return tab;
}

template <typename Page>
Page *current(TestWindow &desk)
{
    return qobject_cast<Page *>(desk.window().tabs->currentWidget());
}

QString textsOf(const QWidget *widget)
{
    QStringList texts;
    for (const QLabel *label : widget->findChildren<QLabel *>()) {
        if (label->isVisible())
            texts << label->text();
    }
    return texts.join(u'\n');
}

bool isStarted(TestWindow &desk)
{
    return std::ranges::any_of(desk.workspace().items(), [](const auto &item) { return item->connection != nullptr; });
}

}  // namespace

class TestRestoredTabs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void aRecordedCallComesBackWithItsSession()
    {
        const QString path = session(u"sums.mcpsession"_s, {{1, 2}, {20, 22}});
        leave({}, {path});
        qsizetype row = -1;
        {
            TestWindow desk;
            desk.restoreLast();
            QTRY_VERIFY(desk.workspace().current()->offers && desk.workspace().current()->offers->isRead());
            Q_EMIT desk.window().offers->activated({ui::OfferRef::Kind::Tool, u"add"_s, {}});
            QVERIFY(current<ui::RecordedCallPanel>(desk));
            auto *calls = desk.find<QTableWidget>(u"recordedCalls"_s);
            QVERIFY(test::clickRow(calls, calls->model()->index(1, 0)));  // the older one
            row = current<ui::RecordedCallPanel>(desk)->row();
            QVERIFY(desk.close());
        }
        TestWindow desk;
        desk.restoreLast();
        auto *panel = current<ui::RecordedCallPanel>(desk);
        QVERIFY(panel);
        QTRY_COMPARE(panel->arguments(), R"({"a":1,"b":2})"_ba);
        QCOMPARE(panel->row(), row);
        QTRY_VERIFY2(desk.window().tabs->tabText(desk.window().tabs->currentIndex()).startsWith(u"add"_s),
                     qPrintable(desk.window().tabs->tabText(desk.window().tabs->currentIndex())));
        QVERIFY(!isStarted(desk));
        QVERIFY(desk.close());
    }

    void aComparisonIsMadeAnewOnceBothSidesAreThere()
    {
        const QString path = session(u"before.mcpsession"_s, {});
        TabState tab;
        tab.kind = TabState::Kind::Comparison;
        tab.sides = {app::SideState{{{}, false, path}, u"before"_s},
                     app::SideState{demoPlace(), app::Workspace::demoSpec().name}};
        leave({tab});
        {
            TestWindow desk;
            desk.restoreLast();
            QVERIFY(current<ui::ComparePanel>(desk));
            QTRY_VERIFY2(textsOf(current<ui::ComparePanel>(desk)).contains(u"Connect to it"_s),
                         qPrintable(textsOf(current<ui::ComparePanel>(desk))));
            QVERIFY(!isStarted(desk));
            desk.workspace().reconnect(*desk.workspace().demo());
            const auto *list = current<ui::ComparePanel>(desk)->findChild<QListView *>(u"compareList"_s);
            QTRY_VERIFY_WITH_TIMEOUT(list->isVisible() && list->model()->rowCount() > 5, Patience);
            QVERIFY(desk.close());
        }
        QCOMPARE(kept().tabs.first().sides, tab.sides);
        // One side is gone: the tab says so, and stays.
        QVERIFY(QFile::remove(path));
        TestWindow desk;
        desk.restoreLast();
        QVERIFY(current<ui::ComparePanel>(desk));
        QTRY_VERIFY2(textsOf(current<ui::ComparePanel>(desk)).contains(u"“before” cannot be compared"_s),
                     qPrintable(textsOf(current<ui::ComparePanel>(desk))));
        QVERIFY(desk.close());
        QCOMPARE(kept().tabs.first().sides, tab.sides);
    }

    void aReplayIsPreparedAndNotRun()
    {
        const QString path = session(u"sums.mcpsession"_s, {{1, 2}});
        test::writeFile(TestWindow::dataPath(u"sums.rules.json"_s), IgnoreTwo);
        const TabState tab = replayOf(path, demoPlace());
        leave({tab});
        TestWindow desk;
        desk.restoreLast();
        auto *panel = current<ui::ReplayPanel>(desk);
        QVERIFY(panel);
        QVERIFY2(textsOf(panel).contains(u"Restored, but not run"_s), qPrintable(textsOf(panel)));
        QCOMPARE(panel->run().rules().rules().size(), 2);
        QVERIFY(!panel->isRunning() && !panel->run().replayer());
        QVERIFY(desk.click(u"replayRun"_s));
        QVERIFY2(!textsOf(panel).contains(u"Restored, but not run"_s), qPrintable(textsOf(panel)));
        QTRY_VERIFY_WITH_TIMEOUT(panel->run().state() == ReplayRun::State::Finished, Patience);
        QVERIFY2(!panel->run().problem(), qPrintable(panel->run().problem().message));
        QVERIFY(!panel->run().steps().isEmpty());
        // Its report comes back as long as the window is open.
        const ReplayRun *run = &panel->run();
        desk.window().actions->closeTab->trigger();
        QVERIFY(!current<ui::ReplayPanel>(desk));
        desk.window().actions->reopenTab->trigger();
        QVERIFY(current<ui::ReplayPanel>(desk));
        QCOMPARE(&current<ui::ReplayPanel>(desk)->run(), run);
        QVERIFY(desk.close());
        QCOMPARE(kept().tabs.last().replay, tab.replay);  // behind the welcome page
    }

    void aReplayWhoseFilterTellsASecretIsNotKept()
    {
        const QString path = session(u"sums.mcpsession"_s, {{1, 2}});
        const QStringList filters{u"'Authorization: Bearer vT7pQ2mX9kL4wRz8'"_s, u"\"/params/x\" == Wq5nY8cJ3hB6tZ1d"_s,
                                  u"tool == add"_s};
        QList<TabState> tabs;
        for (const QString &filter : filters) {
            tabs.append(replayOf(path, demoPlace()));
            tabs.last().replay.calls = u"matching"_s;
            tabs.last().replay.filter = filter;
        }
        leave(tabs);
        TestWindow desk;
        ServerSpec spec = *ServerSpec::fromLine(test::demoProgram());
        spec.environment = {{u"API_TOKEN"_s, u"Wq5nY8cJ3hB6tZ1d"_s}};
        QVERIFY(desk.workspace().add(spec));
        desk.restoreLast();
        QVERIFY(desk.close());
        QStringList left;
        for (const TabState &tab : kept().tabs)
            left << tab.replay.filter;
        left.removeAll({});
        QCOMPARE(left, filters.last(1));
    }

    // The file of the state may come from anywhere, too.
    void theServerOfAReplayIsShownBeforeItIsStarted()
    {
        TabState tab = replayOf(session(u"sums.mcpsession"_s, {{1, 2}}), {});
        ServerSpec spec = *ServerSpec::fromLine(test::demoProgram() + u" --page-size 4"_s);
        tab.replay.entry = spec.toJson();
        TabState unknown = tab;
        unknown.replay.entry.clear();
        leave({unknown, tab});
        TestWindow desk;
        desk.restoreLast();
        auto *panel = current<ui::ReplayPanel>(desk);
        QVERIFY(panel);
        QString shown;
        test::WhenDialog question([&shown](QDialog *asked) {
            shown = QString::fromUtf8(asked->findChild<ui::TextView *>(u"launchLines"_s)->text());
            asked->reject();
        });
        QVERIFY(desk.click(u"replayRun"_s));
        QVERIFY2(question.hasRun() && shown.contains(u"--page-size"_s), qPrintable(shown));
        QCOMPARE(panel->run().state(), ReplayRun::State::Idle);
        desk.window().tabs->setCurrentIndex(0);
        QVERIFY(desk.click(u"replayRun"_s));
        QVERIFY2(textsOf(desk.window().tabs->currentWidget()).contains(u"choose a server"_s),
                 qPrintable(textsOf(desk.window().tabs->currentWidget())));
        QVERIFY(desk.close());
        QCOMPARE(kept().tabs.value(0).replay, unknown.replay);
        QCOMPARE(kept().tabs.value(1).replay, tab.replay);
    }

    void savedCallsWaitForTheirServerAndAreNotRun()
    {
        const QTemporaryDir folder;
        test::writeFile(folder.filePath(u"sum.call.json"_s), R"({"tool":"add","arguments":{"a":1,"b":2}})");
        app::Settings settings;
        settings.set(app::setting::SavedCallFolders, QStringList{folder.path()});
        settings.save();
        TabState tab;
        tab.kind = TabState::Kind::SavedCalls;
        tab.place = demoPlace();
        tab.folder = folder.path();
        leave({tab});
        TestWindow desk;
        desk.restoreLast();
        QVERIFY(!isStarted(desk) && !current<ui::SavedCallsPanel>(desk));
        QVERIFY(desk.click(u"reconnect"_s));
        QTRY_VERIFY_WITH_TIMEOUT(current<ui::SavedCallsPanel>(desk), Patience);
        auto *panel = current<ui::SavedCallsPanel>(desk);
        QVERIFY2(textsOf(panel).contains(u"Restored, but not run"_s) && !panel->suite(), qPrintable(textsOf(panel)));
        QCOMPARE(panel->findChild<QAbstractItemView *>(u"savedCallsTable"_s)->model()->rowCount(), 1);
        QVERIFY(desk.click(u"replayRun"_s));
        QTRY_VERIFY_WITH_TIMEOUT(panel->suite() && !panel->isRunning(), Patience);
        QCOMPARE(panel->suite()->count(CallStep::Status::Passed), 1);
        QVERIFY(desk.close());
        QCOMPARE(kept().tabs.first().folder, tab.folder);
    }

    void aTaskThatTheServerDoesNotKnowIsSaid()
    {
        TabState tab;
        tab.kind = TabState::Kind::Tasks;
        tab.place = demoPlace();
        tab.task = u"gone"_s;
        leave({tab});
        TestWindow desk;
        desk.restoreLast();
        QVERIFY(!isStarted(desk));
        QVERIFY(desk.click(u"reconnect"_s));
        QTRY_VERIFY_WITH_TIMEOUT(current<ui::TasksPanel>(desk), Patience);
        QTRY_VERIFY2_WITH_TIMEOUT(textsOf(current<ui::TasksPanel>(desk)).contains(u"no longer knows this task"_s),
                                  qPrintable(textsOf(current<ui::TasksPanel>(desk))), Patience);
        QVERIFY(desk.close());
        QCOMPARE(kept().tabs.first().task, tab.task);
    }
};

SONDE_TEST(TestRestoredTabs)
#include "tst_restoredtabs.moc"
