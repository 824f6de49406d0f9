// A window comes back as it was left: closed, killed, or with a file that cannot be read.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/actions.h"
#include "app/gui/reconnectbar.h"
#include "app/gui/statefile.h"
#include "core/files/filelimits.h"
#include "core/json/builder.h"
#include "core/server/serverstore.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/files.h"
#include "tests/support/handmadesession.h"
#include "ui/json/textview.h"
#include "ui/panels/offertree.h"
#include "ui/panels/recordedcallpanel.h"
#include "ui/panels/sessionpanel.h"
#include "ui/timeline/timelinepanel.h"

#include <QClipboard>
#include <QDialog>
#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <optional>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::app::Place;
using sonde::app::StateFile;
using sonde::app::TabState;
using sonde::app::WindowState;
using sonde::test::Patience;
using sonde::test::TestWindow;

namespace {

QString stateText()
{
    return QString::fromUtf8(test::readFile(TestWindow::dataPath(u"window-1.json"_s)));
}

QStringList tabs(TestWindow &desk)
{
    QStringList names;
    for (int i = 0; i < desk.window().tabs->count(); ++i)
        names << desk.window().tabs->tabText(i);
    return names;
}

QString noticeText(TestWindow &desk)
{
    const auto *notice = desk.find<QWidget>(u"notice"_s);
    return notice->isVisible() ? notice->accessibleName() + u' ' + notice->accessibleDescription() : QString();
}

// As a window before has left it.
void write(WindowState state)
{
    state.hasEnded = true;
    if (const Error error = StateFile().save(state))
        qFatal("%s", qUtf8Printable(error.message));
}

TabState call(const Place &place, const QString &tool, const QByteArray &arguments)
{
    TabState tab;
    tab.kind = TabState::Kind::Call;
    tab.place = place;
    tab.ref = {ui::OfferRef::Kind::Tool, tool, {}};
    tab.draft = {arguments, u"form"_s};
    return tab;
}

QByteArray withSecrets(const QByteArray &text)
{
    return R"({"text":")" + text + R"(","secret":"hunter2","password":"hunter3"})";
}

// By another program.
void addServer(const QString &name)
{
    ServerStore store(TestWindow::configPath(u"servers.json"_s));
    ServerSpec spec = *ServerSpec::fromLine(test::demoProgram());
    spec.name = name;
    if (store.load() || store.add(spec))
        qFatal("the server cannot be added");
}

// Its file.
QString writeSession(const QString &name = u"recorded"_s)
{
    const StateFile folder;  // makes it
    const QString path = TestWindow::dataPath(name + u".mcpsession"_s);
    QDir().mkpath(QFileInfo(path).path());
    const auto request = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{}}})"_ba;
    test::writeFile(path, test::HandmadeSession().sent(request).text());
    return path;
}

}  // namespace

class TestLastState : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void whatWasTypedComesBackAndNothingIsStarted()
    {
        QString server;
        QStringList before;
        {
            TestWindow desk;
            desk.restoreLast();
            server = desk.add(test::demoProgram());
            QVERIFY(desk.open(u"echo"_s));
            QVERIFY(desk.enter(u"/value"_s, u"\"not called\""_s));
            QVERIFY(desk.open(u"add"_s));
            desk.panel()->setMode(u"json"_s);
            desk.panel()->focusForm();
            desk.press(Qt::Key_A, Qt::ControlModifier);
            QGuiApplication::clipboard()->setText(u"{ \"a\": 1.50, \"b\""_s);  // no JSON yet
            desk.press(Qt::Key_V, Qt::ControlModifier);
            desk.window().actions->pinTab->trigger();
            desk.window().timeline->setFilter(u"tool == add"_s);
            before = tabs(desk);
            QVERIFY(desk.close());
        }
        QCOMPARE(QFile::permissions(TestWindow::dataPath(u"window-1.json"_s)) & (QFile::ReadGroup | QFile::ReadOther),
                 QFile::Permissions());
        TestWindow desk;
        desk.restoreLast();
        QCOMPARE(tabs(desk), before);
        QVERIFY2(noticeText(desk).isEmpty(), qPrintable(noticeText(desk)));
        QVERIFY(!desk.workspace().serverNamed(server)->connection);
        const auto *arguments = desk.window().tabs->currentWidget()->findChild<ui::TextView *>(u"waitingArguments"_s);
        QVERIFY(arguments);
        QCOMPARE(arguments->text(), "{ \"a\": 1.50, \"b\""_ba);
        QVERIFY(desk.window().reconnect->isVisible());
        // Until it is asked for. By the keyboard, which stays in the tab.
        const QPointer<QWidget> waiting = desk.window().tabs->currentWidget();
        desk.press(Qt::Key_Space);
        QVERIFY(desk.workspace().serverNamed(server)->connection);
        if (waiting == desk.window().tabs->currentWidget())
            QCOMPARE(QApplication::focusWidget(), waiting.data());
        QTRY_VERIFY_WITH_TIMEOUT(desk.panel(), Patience);
        QVERIFY(desk.panel()->isAncestorOf(QApplication::focusWidget()));
        QVERIFY(!desk.window().reconnect->isVisible());
        QCOMPARE(desk.panel()->ref().key, u"add"_s);
        QCOMPARE(desk.panel()->mode(), u"json"_s);
        QCOMPARE(desk.panel()->draft().text, "{ \"a\": 1.50, \"b\""_ba);
        QCOMPARE(desk.window().timeline->look().filter, u"tool == add"_s);
        QTRY_VERIFY(desk.window().actions->pinTab->isChecked());
        QTRY_COMPARE(tabs(desk), before);
        QVERIFY(desk.open(u"echo"_s));
        QCOMPARE(desk.panel()->arguments(), "{\"value\":\"not called\"}"_ba);
        QCOMPARE(tabs(desk), before);
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY(desk.close());
    }

    // As at a start, where the server connects before the desktop has activated the window.
    void theFocusStaysInTheTabOfAWindowBehind()
    {
        WindowState last;
        last.tabs.append(call({{}, true, {}}, u"echo"_s, "{}"));
        write(last);
        TestWindow desk;
        desk.restoreLast();
        QWidget other;
        other.show();
        other.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&other));
        desk.workspace().reconnect(*desk.workspace().demo());
        QTRY_VERIFY_WITH_TIMEOUT(desk.panel(), Patience);
        desk.window().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&desk.window()));
        QTRY_VERIFY(desk.panel()->isAncestorOf(QApplication::focusWidget()));
        QVERIFY(desk.close());
    }

    void allServersAreReconnectedAtOnce()
    {
        WindowState last;
        for (const QString &name : {u"one"_s, u"two"_s}) {
            addServer(name);
            last.connected.append({name, false, {}});
        }
        write(last);
        {
            // The offer was not taken up: it is made again.
            TestWindow desk;
            desk.restoreLast();
            QVERIFY(desk.window().reconnect->isVisible());
            QVERIFY(desk.close());
        }
        TestWindow desk;
        desk.restoreLast();
        const QWidget *page = desk.window().tabs->currentWidget();
        auto *all = desk.find<QPushButton>(u"reconnectAll"_s);
        all->setFocus();
        QTest::keyClick(all, Qt::Key_Return);
        for (const Place &place : std::as_const(last.connected))
            QVERIFY(desk.isConnected(place.server));
        QVERIFY(!desk.window().reconnect->isVisible());
        QCOMPARE(desk.window().tabs->currentWidget(), page);
        // What is typed next does not land in the timeline.
        QVERIFY(page->isAncestorOf(QApplication::focusWidget()));
        QVERIFY(desk.close());
    }

    void secretsAreNotWritten()
    {
        {
            TestWindow desk;
            desk.restoreLast();
            QVERIFY(desk.openDemo());
            QVERIFY(desk.open(u"every-field-kind"_s));
            // Nobody has typed it: what is kept follows all the same.
            for (const auto &text : {"first"_ba, "kept"_ba}) {
                desk.panel()->setArguments(withSecrets(text));
                Q_EMIT desk.workspace().recordingBegan(desk.session());  // when it is saved at once
                QTRY_VERIFY2(stateText().contains(QString::fromUtf8(text)), qPrintable(stateText()));
            }
            // Of what was not kept nothing is filled in.
            desk.panel()->recall(R"({"text":"recalled"})");
            desk.panel()->restore({{}, u"form"_s});
            QVERIFY(desk.panel()->findChild<QWidget *>(u"recalled"_s)->isVisible());
            desk.panel()->setArguments(withSecrets("kept"));
            // Where a link of a result leads.
            Q_EMIT desk.panel()->findChild<ui::ResultView *>()->resourceActivated(
                u"https://files.example/x?access_token=vT7pQ2mX9kL4wRz8"_s);
            QTRY_COMPARE(desk.panel()->ref().kind, ui::OfferRef::Kind::Resource);
            QVERIFY(desk.open(u"every-field-kind"_s));
            QVERIFY(desk.close());
        }
        const QString text = stateText();
        QVERIFY2(text.contains(u"kept"_s), qPrintable(text));
        QVERIFY2(!text.contains(u"hunter"_s) && !text.contains(u"vT7pQ2"_s), qPrintable(text));
        TestWindow desk;
        desk.restoreLast();
        QVERIFY(desk.window().tabs->currentWidget()->findChild<QWidget *>(u"leftOut"_s));
        QVERIFY(desk.close());
    }

    // Unless they were edited: the file may be another one by then.
    void savedCallsKeepTheArgumentsOfTheirFile()
    {
        const QTemporaryDir folder;
        for (const QString &name : {u"seen"_s, u"edited"_s})
            test::writeFile(folder.filePath(name + u".call.json"_s), R"({"tool":"add","arguments":{"a":1,"b":2}})");
        app::Settings settings;
        settings.set(app::setting::SavedCallFolders, QStringList{folder.path()});
        settings.save();
        TestWindow desk;
        desk.restoreLast();
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"seen"_s));
        QVERIFY(desk.open(u"edited"_s));
        QVERIFY(desk.enter(u"/a"_s, u"7"_s));
        QVERIFY(desk.close());
        const auto state = WindowState::fromJson(stateText().toUtf8());
        QVERIFY(state);
        QHash<QString, QByteArray> kept;
        for (const TabState &tab : state->tabs)
            kept.insert(tab.title,
                        tab.draft.text.isEmpty() ? QByteArray() : json::compact(json::parse(tab.draft.text)));
        QVERIFY(kept.contains(u"seen"_s));
        QCOMPARE(kept.value(u"seen"_s), QByteArray());
        QCOMPARE(kept.value(u"edited"_s), R"({"a":7,"b":2})"_ba);
    }

    void aClosedTabComesBackBesideOneThatIsTyped()
    {
        WindowState last;
        last.tabs.append(call({{}, true, {}}, u"echo"_s, R"({"value":"before"})"));
        last.tabs.first().hasLeftOut = true;
        write(last);
        TestWindow desk;
        desk.restoreLast();
        desk.press(Qt::Key_W, Qt::ControlModifier);
        desk.press(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(desk.window().tabs->currentWidget()->findChild<QWidget *>(u"leftOut"_s));
        desk.press(Qt::Key_W, Qt::ControlModifier);
        QVERIFY(desk.openDemo());
        ui::CallPanel *open = desk.open(u"echo"_s);
        QVERIFY(desk.enter(u"/value"_s, u"\"now\""_s));
        desk.window().actions->reopenTab->trigger();
        QVERIFY(desk.panel() && desk.panel() != open);
        QCOMPARE(desk.panel()->arguments(), R"({"value":"before"})"_ba);
        QCOMPARE(open->arguments(), R"({"value":"now"})"_ba);
        QVERIFY(desk.close());
    }

    void whatWasTypedStaysWhenAnotherProgramRemovesTheServer()
    {
        addServer(u"theirs"_s);
        WindowState last;
        last.tabs.append(call({u"theirs"_s, false, {}}, u"echo"_s, R"({"value":"waits"})"));
        last.tabs.append(call({u"away"_s, false, {}}, u"echo"_s, R"({"value":"has no server"})"));
        write(last);
        TestWindow desk;
        desk.restoreLast();
        ServerStore other(TestWindow::configPath(u"servers.json"_s));
        QVERIFY(!other.load());
        QVERIFY(!other.remove(u"theirs"_s));
        addServer(u"another"_s);
        QTRY_VERIFY(desk.serverRow(u"another"_s) >= 0);
        QVERIFY(desk.serverRow(u"theirs"_s) >= 0);
        QCOMPARE(tabs(desk).size(), 1);
        QVERIFY(!desk.workspace().remove(u"theirs"_s));
        QCOMPARE(desk.serverRow(u"theirs"_s), -1);
        QVERIFY(desk.close());
        QVERIFY2(stateText().contains(u"has no server"_s), qPrintable(stateText()));
        QVERIFY(!stateText().contains(u"waits"_s));
    }

    void sessionsComeBackUnlessTheyAreGone()
    {
        const QString recorded = writeSession();
        WindowState last;
        last.sessions.append(recorded);
        last.tabs.append({TabState::Kind::Page, {{}, false, recorded}, {}, {}, {}, false, false, false});
        last.currentTab = 0;
        write(last);
        {
            TestWindow desk;
            const QSignalSpy opened(&desk.workspace(), &app::Workspace::sessionOpened);
            desk.restoreLast();
            QVERIFY(qobject_cast<ui::SessionPanel *>(desk.window().tabs->currentWidget()));
            QVERIFY(opened.isEmpty());  // not now, by the person
            Q_EMIT desk.window().offers->activated({ui::OfferRef::Kind::Tool, u"add"_s, {}});
            const auto isCall = [&desk] {
                return qobject_cast<ui::RecordedCallPanel *>(desk.window().tabs->currentWidget()) != nullptr;
            };
            QVERIFY(isCall());
            desk.press(Qt::Key_W, Qt::ControlModifier);
            QVERIFY(!isCall());
            desk.press(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
            QVERIFY(isCall());
            QVERIFY(desk.close());
        }
        QVERIFY(QFile::remove(recorded));
        TestWindow desk;
        desk.restoreLast();
        QCOMPARE(tabs(desk), QStringList{u"Welcome"_s});
        QVERIFY2(noticeText(desk).isEmpty(), qPrintable(noticeText(desk)));
        QVERIFY(desk.close());
    }

    // Their names are read once for all of them.
    void manySessionsComeBackTogether()
    {
        WindowState last;
        last.sessions.append(writeSession());
        for (const QString &name : {u"second"_s, u"third"_s}) {
            last.sessions.append(TestWindow::dataPath(name + u".mcpsession"_s));
            QVERIFY(QFile::copy(last.sessions.first(), last.sessions.last()));
        }
        last.tabs.append({TabState::Kind::Page, {{}, false, last.sessions.at(1)}, {}, {}, {}, false, false, false});
        write(last);
        TestWindow desk;
        const QSignalSpy listed(&desk.workspace(), &app::Workspace::listChanged);
        desk.restoreLast();
        QCOMPARE(listed.size(), 1);
        QCOMPARE(desk.window().servers->rowCount(), 4);  // with the demo server
        QCOMPARE(tabs(desk).size(), 1);
        QVERIFY(qobject_cast<ui::SessionPanel *>(desk.window().tabs->currentWidget()));
        QVERIFY(desk.close());
    }

    void nothingIsKeptWhereThatIsNotWanted()
    {
        TestWindow desk;
        desk.settings().set(app::setting::Reopens, false);
        desk.restoreLast();
        QVERIFY(desk.openDemo());
        QVERIFY(desk.enter(u"/a"_s, u"12345"_s));
        QVERIFY(desk.close());
        QVERIFY(stateText().contains(u"\"hasEnded\":true"_s));
        QVERIFY(!stateText().contains(u"12345"_s));
    }

    void damagedFilesAreKeptAside_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("reason");
        QTest::newRow("corrupt") << "\x01\xFF no JSON"_ba << u"damaged"_s;
        QTest::newRow("truncated") << R"({"version":1,"tabs":[{"kind":"call")"_ba << u"damaged"_s;
        QTest::newRow("newer") << R"({"version":99,"tabs":[]})"_ba << u"newer version of Sonde"_s;
        QTest::newRow("huge") << QByteArray() << u"larger"_s;
    }
    void damagedFilesAreKeptAside()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, reason);
        StateFile file;
        const QString path = TestWindow::dataPath(u"window-1.json"_s);
        test::writeFile(path, text);
        if (text.isEmpty())
            QVERIFY(QFile::resize(path, filelimits::WindowState + 1));
        const Error problem = file.read().problem;
        QVERIFY2(problem.message.contains(reason), qPrintable(problem.message));
        QVERIFY2(problem.hint.contains(path + u".unreadable"_s), qPrintable(problem.hint));
        if (!text.isEmpty())
            QCOMPARE(test::readFile(path + u".unreadable"_s), text);
        QVERIFY(!file.save({}));
        QVERIFY(QFile::exists(path));
    }

    void aDamagedFileIsSaid()
    {
        write({});
        test::writeFile(TestWindow::dataPath(u"window-1.json"_s), "no JSON");
        TestWindow desk;
        desk.restoreLast();
        QVERIFY2(noticeText(desk).contains(u"damaged"_s) && noticeText(desk).contains(u".unreadable"_s),
                 qPrintable(noticeText(desk)));
        QVERIFY(desk.close());
        QVERIFY(stateText().contains(u"\"hasEnded\":true"_s));
    }

    void theLongestDraftsAreLeftOutWhereAllAreTooMuch()
    {
        WindowState state;
        for (const int size : {10, 30, 20})
            state.tabs.append(call({{}, true, {}}, u"echo"_s, QByteArray(size, 'x')));
        const TabState shortest = state.tabs.first();
        state.leaveOutDrafts(35);
        QCOMPARE(state.tabs.at(0), shortest);
        for (const TabState &tab : {state.tabs.at(1), state.tabs.at(2)})
            QVERIFY(tab.draft.text.isEmpty() && tab.hasLeftOut);
        state.leaveOutDrafts(1000);  // more than there is
        QVERIFY(state.tabs.at(0).draft.text.isEmpty());
    }

    // Even where it was not the first that was opened; but not in place of one that was killed.
    void theWindowThatWasClosedLastComesBack()
    {
        for (const bool isKilled : {false, true}) {
            auto first = std::make_optional<StateFile>();
            auto second = std::make_optional<StateFile>();
            WindowState state;
            state.hasEnded = !isKilled;
            state.tabs.append(call({{}, true, {}}, u"first"_s, {}));
            QVERIFY(!first->save(state));
            first.reset();
            state.hasEnded = true;
            state.tabs.first().ref.key = u"second"_s;
            QVERIFY(!second->save(state));
            second.reset();
            const StateFile::Found found = StateFile().read();
            QCOMPARE(found.state.tabs.value(0).ref.key, isKilled ? u"first"_s : u"second"_s);
            QCOMPARE(QFile::exists(TestWindow::dataPath(u"window-2.json"_s)), isKilled);
        }
    }

    // It is as if the program was killed; meanwhile another window of the same home is no crash.
    void aCrashIsSaidOnce()
    {
        WindowState state;
        state.recordings.append(writeSession());
        auto running = std::make_optional<StateFile>();
        QVERIFY(!running->save(state));
        {
            TestWindow second;
            second.restoreLast();
            QVERIFY2(noticeText(second).isEmpty(), qPrintable(noticeText(second)));
            QCOMPARE(tabs(second), QStringList{u"Welcome"_s});
            QVERIFY(second.close());
        }
        running.reset();
        {
            TestWindow desk;
            desk.restoreLast();
            QVERIFY2(noticeText(desk).contains(u"did not exit properly"_s), qPrintable(noticeText(desk)));
            QVERIFY2(noticeText(desk).contains(u".mcpsession"_s), qPrintable(noticeText(desk)));
            QTest::mouseClick(desk.find<QPushButton>(u"noticeRemedy"_s), Qt::LeftButton);
            QVERIFY(qobject_cast<ui::SessionPanel *>(desk.window().tabs->currentWidget()));
            // Not in the first button of the window, when the one that had it is hidden.
            QVERIFY(desk.window().tabs->isAncestorOf(QApplication::focusWidget()));
            QVERIFY(desk.close());
        }
        TestWindow desk;
        desk.restoreLast();
        QVERIFY2(noticeText(desk).isEmpty(), qPrintable(noticeText(desk)));
        QVERIFY(desk.close());
    }

    void aCrashWithSeveralSessionsOffersTheList()
    {
        WindowState state;
        state.recordings = {writeSession(u"sessions/one"_s), writeSession(u"sessions/two"_s)};
        auto running = std::make_optional<StateFile>();
        QVERIFY(!running->save(state));
        running.reset();
        TestWindow desk;
        desk.restoreLast();
        QVERIFY2(noticeText(desk).contains(u"and 1 more"_s), qPrintable(noticeText(desk)));
        bool listsBoth = false;
        test::WhenDialog sessions([&listsBoth](QDialog *dialog) {
            const auto *table = dialog->findChild<QTableView *>(u"sessionTable"_s);
            listsBoth = table && QTest::qWaitFor([table] { return table->model()->rowCount() == 2; }, Patience);
            dialog->reject();
        });
        QTest::mouseClick(desk.find<QPushButton>(u"noticeRemedy"_s), Qt::LeftButton);
        QVERIFY(sessions.hasRun());
        QVERIFY(listsBoth);
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestLastState)

#include "tst_laststate.moc"
