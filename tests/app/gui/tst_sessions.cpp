// The library of recorded sessions: what the list says of each, names and notes, limits, the search, recorded calls.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/actions.h"
#include "app/gui/recentfiles.h"
#include "core/session/sessionlibrary.h"
#include "core/session/sessionnotes.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/files.h"
#include "tests/support/handmadesession.h"
#include "tests/support/testregistry.h"
#include "ui/dialogs/sessionsdialog.h"
#include "ui/dialogs/sessionsmodel.h"
#include "ui/panels/recordedcallpanel.h"
#include "ui/panels/serverlist.h"
#include "ui/panels/sessionpanel.h"
#include "ui/panels/welcomepanel.h"
#include "ui/result/outcometext.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/filter/filterline.h"
#include "ui/timeline/timelinepanel.h"

#include <QDir>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QThreadPool>
#include <QToolButton>
#include <algorithm>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Patience;
using sonde::test::TestWindow;

namespace {

using Model = ui::SessionsModel;

const QByteArray initialized =
    R"({"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}}}})";
const QByteArray listed =
    R"({"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"search","inputSchema":{}},{"name":"idle"}]}})";
const QByteArray failed =
    R"({"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"no such index"}],"isError":true}})";

QByteArray call(int id, const QByteArray &query)
{
    QByteArray text =
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"good"}}})";
    return text.replace("\"id\":1", "\"id\":" + QByteArray::number(id)).replace("good", query);
}

// A handshake, the tools, a call that worked and one that failed.
QByteArray searches(const QByteArray &last = "bad")
{
    return test::HandmadeSession()
        .sent(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{}})")
        .received(initialized)
        .sent(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})")
        .received(listed)
        .sent(call(2, "good"))
        .received(R"({"jsonrpc":"2.0","id":2,"result":{"content":[]}})")
        .sent(call(3, last))
        .at(90'000'000'000)
        .received(failed)
        .add(WireEvent::Kind::End, Direction::Local, {})
        .text();
}

constexpr int RowOfFailure = 6;

// As GTK and an editor have written it.
const QByteArray recentFiles =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<xbel version=\"1.0\" xmlns:bookmark=\"http://www.freedesktop.org/standards/desktop-bookmarks\"\n"
    " xmlns:mime=\"http://www.freedesktop.org/standards/shared-mime-info\">\n"
    "<bookmark href=\"file:///a%20b.mcpsession\" kept=\"yes\" added=\"2020-01-01T00:00:00Z\" "
    "modified=\"2020-01-01T00:00:00Z\"\n"
    " visited=\"2020-01-01T00:00:00Z\"><info><metadata owner=\"http://freedesktop.org\"><mime:mime-type "
    "type=\"text/plain\"/>\n"
    "<bookmark:applications><bookmark:application name=\"Editor\" exec=\"'edit %u'\" modified=\"x\" count=\"7\"/>\n"
    "</bookmark:applications><bookmark:private/></metadata></info></bookmark>\n"
    "<bookmark href=\"file:///other.txt\" added=\"x\" modified=\"x\" visited=\"x\"/></xbel>";

QString cell(const QTableView *table, int row, int column)
{
    return table->model()->index(row, column).data().toString();
}

}  // namespace

class TestSessions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        TestWindow::clear();
        m_folder = std::make_unique<QTemporaryDir>();
        test::writeFile(m_folder->filePath(u"a.mcpsession"_s), searches());
    }

    void theListSaysWhatHappened()
    {
        test::writeFile(m_folder->filePath(u"b.mcpsession"_s), test::HandmadeSession().sent(call(1, "x")).text());
        test::writeFile(m_folder->filePath(u"c.mcpsession"_s), "nonsense");
        ui::SessionsDialog dialog((SessionLibrary(m_folder->path())));
        dialog.show();
        const auto *table = dialog.findChild<QTableView *>(u"sessionTable"_s);
        const auto row = [table](const QString &file) {
            for (int i = 0; i < table->model()->rowCount(); ++i) {
                if (table->model()->index(i, 0).data(Model::SearchRole).toString().contains(file))
                    return i;
            }
            return -1;
        };
        QTRY_COMPARE(cell(table, row(u"a.mcpsession"_s), Model::Calls), u"4"_s);
        const int a = row(u"a.mcpsession"_s);
        QCOMPARE(cell(table, a, Model::Failures), u"▲ 1"_s);
        QCOMPARE(table->model()->index(a, Model::Failures).data(Qt::AccessibleTextRole).toString(), u"1 tool error"_s);
        QCOMPARE(cell(table, a, Model::Duration), u"1:30"_s);
        QCOMPARE(cell(table, a, Model::State), QString());
        QTRY_COMPARE(cell(table, row(u"b.mcpsession"_s), Model::State), u"interrupted"_s);
        QCOMPARE(cell(table, row(u"b.mcpsession"_s), Model::Failures), u"⊘ 1"_s);
        QVERIFY(cell(table, row(u"c.mcpsession"_s), Model::State).contains(u"Not a Sonde session"));
    }

    // By keyboard alone; a session's file is not written to.
    void namesAndNotesAreKept()
    {
        const QByteArray before = test::readFile(m_folder->filePath(u"a.mcpsession"_s));
        const auto notes = std::make_shared<SessionNotes>(m_folder->filePath(u"notes.json"_s));
        {
            ui::SessionsDialog dialog(SessionLibrary(m_folder->path()), nullptr, notes);
            dialog.show();
            auto *table = dialog.findChild<QTableView *>(u"sessionTable"_s);
            auto *filter = dialog.findChild<QLineEdit *>(u"sessionFilter"_s);
            QTest::keyClick(filter, Qt::Key_F2);
            auto *editor = table->findChild<QLineEdit *>();
            QVERIFY(editor);
            QTest::keyClicks(editor, u"Before the fix"_s);
            QTest::keyClick(editor, Qt::Key_Return);
            QTRY_VERIFY(cell(table, 0, Model::Name).contains(u"Before the fix"));
            QVERIFY(dialog.isVisible());  // Enter belongs to the name
            QTest::keyClicks(dialog.findChild<QPlainTextEdit *>(u"sessionNotes"_s), u"slow index"_s);
            QTest::mouseClick(dialog.findChild<QPushButton *>(u"sessionPin"_s), Qt::LeftButton);
            dialog.reject();
        }
        ui::SessionsDialog dialog(SessionLibrary(m_folder->path()), nullptr, notes);
        dialog.show();
        const auto *table = dialog.findChild<QTableView *>(u"sessionTable"_s);
        QCOMPARE(cell(table, 0, Model::Name), u"★ Before the fix · slow index"_s);
        QCOMPARE(dialog.findChild<QPlainTextEdit *>(u"sessionNotes"_s)->toPlainText(), u"slow index"_s);
        QTest::keyClicks(dialog.findChild<QLineEdit *>(u"sessionFilter"_s), u"index before"_s);
        QCOMPARE(table->model()->rowCount(), 1);
        QCOMPARE(test::readFile(m_folder->filePath(u"a.mcpsession"_s)), before);
    }

    // The dialog stays open and says why; closed again as they are, they wait for the next time.
    void notesThatCannotBeSavedAreNotLost()
    {
        const QString folder = m_folder->filePath(u"notes"_s);
        test::writeFile(folder, "in the way");
        const auto notes = std::make_shared<SessionNotes>(folder + u"/notes.json"_s);
        ui::SessionsDialog dialog(SessionLibrary(m_folder->path()), nullptr, notes);
        dialog.show();
        auto *text = dialog.findChild<QPlainTextEdit *>(u"sessionNotes"_s);
        const auto *message = dialog.findChild<QLabel *>(u"sessionsMessage"_s);
        QVERIFY(message && !message->isVisible());
        QTest::keyClicks(text, u"slow index"_s);
        dialog.reject();
        QVERIFY(dialog.isVisible());
        QVERIFY2(message->isVisible() && message->text().contains(folder), qPrintable(message->text()));
        dialog.reject();
        QVERIFY(!dialog.isVisible());

        dialog.refresh();
        dialog.show();
        QVERIFY(message->isVisible());
        QCOMPARE(text->toPlainText(), u"slow index"_s);
        QVERIFY(QFile::remove(folder));
        dialog.reject();
        QVERIFY(!dialog.isVisible() && message->isHidden());
        QCOMPARE(notes->all().begin()->text, u"slow index"_s);
    }

    void namesAreShownInTheWindow()
    {
        const SessionLibrary library;
        QVERIFY(!library.ensureFolder());
        const QString path = library.folder() + u"/a.mcpsession"_s;
        test::writeFile(path, searches());
        const auto call = [&path](const QString &name) {
            return !SessionNotes::ofUser().set(SessionLibrary::entryOf(path).id, {name, {}, false});
        };
        QVERIFY(call(u"Before the fix"_s));
        TestWindow desk;
        const QList<QToolButton *> buttons = desk.window().welcome->findChildren<QToolButton *>();
        QVERIFY(std::any_of(buttons.begin(), buttons.end(), [](const QToolButton *button) {
            return button->accessibleName().startsWith(u"Before the fix");
        }));
        desk.workspace().openSessionFile(path);
        const auto names = [&desk] {
            QStringList all;
            for (const ui::ServerItem &item : desk.window().servers->items())
                all << item.name;
            return all;
        };
        QVERIFY2(names().contains(u"Before the fix"_s), qPrintable(names().join(u'\n')));
        // By another window.
        QVERIFY(call(u"After the fix"_s));
        test::WhenDialog dialog([](QDialog *shown) { shown->reject(); });
        desk.press(Qt::Key_O, Qt::ControlModifier);
        QVERIFY(dialog.hasRun());
        QVERIFY2(names().contains(u"After the fix"_s), qPrintable(names().join(u'\n')));
        QVERIFY(desk.close());
    }

    // But not those of a session of which there is another copy.
    void notesGoWithTheSession()
    {
        const QString copy = m_folder->filePath(u"copy.mcpsession"_s);
        QVERIFY(QFile::copy(m_folder->filePath(u"a.mcpsession"_s), copy));
        const auto notes = std::make_shared<SessionNotes>(m_folder->filePath(u"notes.json"_s));
        const QString id = SessionLibrary::entryOf(copy).id;
        QVERIFY(!notes->set(id, {u"Before the fix"_s, {}, false}));
        QVERIFY(!notes->set(u"elsewhere"_s, {u"Moved away"_s, {}, false}));
        ui::SessionsDialog dialog(SessionLibrary(m_folder->path()), nullptr, notes);
        dialog.show();
        const auto removeFirst = [&dialog] {
            test::WhenDialog shown([](QDialog *question) { test::clickButton(question, u"Delete"_s); });
            QTest::mouseClick(dialog.findChild<QPushButton *>(u"sessionRemove"_s), Qt::LeftButton);
        };
        removeFirst();
        QCOMPARE(notes->noteOf(id).name, u"Before the fix"_s);
        QTest::keyClicks(dialog.findChild<QPlainTextEdit *>(u"sessionNotes"_s), u"typed last"_s);
        removeFirst();
        QVERIFY(SessionLibrary(m_folder->path()).entries().isEmpty());
        QCOMPARE(notes->all().keys(), QStringList{u"elsewhere"_s});
    }

    // Nothing goes before the list was shown and confirmed.
    void limitsPropose()
    {
        test::writeFile(m_folder->filePath(u"open.mcpsession"_s), searches());
        ui::SessionsDialog dialog((SessionLibrary(m_folder->path())));
        dialog.show();
        const auto *banner = dialog.findChild<QWidget *>(u"retention"_s);
        QVERIFY(!banner->isVisible());
        dialog.setRetention({.maxSessions = 1}, {m_folder->filePath(u"open.mcpsession"_s)});
        QVERIFY(banner->isVisible());
        const auto review = [&dialog](const QString &button) {
            QStringList proposed;
            test::WhenDialog shown([&](QDialog *list) {
                const auto *table = list->findChild<QTableWidget *>(u"retentionTable"_s);
                for (int i = 0; i < table->rowCount(); ++i)
                    proposed << table->item(i, 1)->text();
                test::clickButton(list, button);
            });
            QTest::mouseClick(dialog.findChild<QPushButton *>(u"reviewRetention"_s), Qt::LeftButton);
            return proposed;
        };
        QCOMPARE(review(u"Cancel"_s), QStringList{u"demo server"_s});
        QVERIFY(QFile::exists(m_folder->filePath(u"a.mcpsession"_s)));
        review(u"Delete"_s);
        QVERIFY(!QFile::exists(m_folder->filePath(u"a.mcpsession"_s)));
        QVERIFY(QFile::exists(m_folder->filePath(u"open.mcpsession"_s)));
        QVERIFY(!banner->isVisible());
    }

    // Neither a link, nor what is open by another path, nor what another window has pinned since the list was read.
    void limitsLeaveWhatIsInUse()
    {
        const QString file = m_folder->filePath(u"notes.json"_s);
        const QString folder = m_folder->filePath(u"sessions"_s);
        const QString alias = m_folder->filePath(u"alias"_s);
        QVERIFY(QDir().mkdir(folder) && QFile::link(folder, alias));
        test::writeFile(folder + u"/open.mcpsession"_s, searches());
        QVERIFY(QFile::link(m_folder->filePath(u"a.mcpsession"_s), folder + u"/link.mcpsession"_s));
        ui::SessionsDialog dialog(SessionLibrary(folder), nullptr, std::make_shared<SessionNotes>(file));
        dialog.show();
        const auto *banner = dialog.findChild<QWidget *>(u"retention"_s);
        dialog.setRetention({.maxBytes = 1}, {});
        QVERIFY(banner->isVisible());
        dialog.setRetention({.maxBytes = 1}, {alias + u"/open.mcpsession"_s});
        QVERIFY(!banner->isVisible());

        dialog.setRetention({.maxBytes = 1}, {});
        const QString id = SessionLibrary::entryOf(folder + u"/open.mcpsession"_s).id;
        test::WhenDialog shown([&](QDialog *list) {
            QCOMPARE(list->findChild<QTableWidget *>(u"retentionTable"_s)->rowCount(), 1);
            QVERIFY(!SessionNotes(file).set(id, {u"Kept"_s, {}, true}));
            test::clickButton(list, u"Delete"_s);
        });
        QTest::mouseClick(dialog.findChild<QPushButton *>(u"reviewRetention"_s), Qt::LeftButton);
        QVERIFY(shown.hasRun());
        QVERIFY(QFile::exists(folder + u"/open.mcpsession"_s));
        QVERIFY(!banner->isVisible());
    }

    // What was read of the session before is not shown with the next one.
    void thePageOfTheNextSession()
    {
        const QString path = m_folder->filePath(u"a.mcpsession"_s);
        const Result<std::unique_ptr<Session>> before = Session::open(path);
        const Result<std::unique_ptr<Session>> next = Session::openInBatches(path);
        QVERIFY(before && next && (*next)->isLoading());
        ui::SessionPanel page;
        const auto saysCalls = [&page] {
            const QList<QLabel *> labels = page.findChildren<QLabel *>();
            return std::any_of(labels.begin(), labels.end(),
                               [](const QLabel *label) { return label->text() == u"Calls"; });
        };
        page.setSession(before->get());
        QThreadPool::globalInstance()->waitForDone();
        bool saidTooEarly = false;
        connect(next->get(), &Session::loaded, &page, [&] { saidTooEarly = saysCalls(); });
        page.setSession(next->get());
        QTRY_VERIFY(saysCalls());
        QVERIFY(!saidTooEarly);
        // The size of the file whose path stands above it.
        const QList<QLabel *> labels = page.findChildren<QLabel *>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [&path](const QLabel *label) {
            return label->text() == ui::sizeText(QFileInfo(path).size());
        }));
        // Nor is the same one read again, such as when another server is removed.
        page.setSession(next->get());
        QVERIFY(saysCalls());
    }

    // A row that the search found opens its session there.
    void searchOpensTheRow()
    {
        const SessionLibrary library;
        QVERIFY(!library.ensureFolder());
        test::writeFile(library.folder() + u"/a.mcpsession"_s, searches());
        TestWindow desk;
        auto *views = desk.find<ui::SegmentedControl>(u"timelineViews"_s);
        views->setCurrent(0);  // the calls, which are not read yet when it opens
        test::WhenDialog dialog([](QDialog *shown) {
            QTest::mouseClick(shown->findChild<ui::SegmentedControl *>(u"sessionsSwitch"_s)->button(1), Qt::LeftButton);
            auto *line = shown->findChild<ui::FilterLine *>(u"searchFilter"_s);
            QVERIFY(shown->focusWidget() == line);
            QTest::keyClicks(line, u"tool == search and outcome ~ error"_s);
            QTest::keyClick(line, Qt::Key_Return);
            const auto *table = shown->findChild<QTableView *>(u"searchTable"_s);
            QTRY_COMPARE(table->model()->rowCount(), 1);
            QCOMPARE(cell(table, 0, 2), u"tools/call search"_s);
            QVERIFY(cell(table, 0, 3).contains(u"Tool error"));
            QTest::keyClick(line, Qt::Key_Return);  // on to the rows
            QVERIFY(shown->focusWidget() == table);
            QTest::mouseClick(shown->findChild<QPushButton *>(u"sessionOpen"_s), Qt::LeftButton);
        });
        desk.press(Qt::Key_O, Qt::ControlModifier);
        QVERIFY(dialog.hasRun());
        QVERIFY(desk.session());
        QTRY_VERIFY(desk.window().timeline->selectedRows().contains(RowOfFailure));
        QCOMPARE(views->current(), 0);
        // Which the desktop's list of recent files has, too.
        QTRY_VERIFY(test::readFile(app::recentFilesPath()).contains("a.mcpsession"));
        QVERIFY(desk.close());
    }

    // Closed while the limits are shown over it, the list ends only with them.
    void theListIsShownOnceAtATime()
    {
        TestWindow desk;
        QTest::failOnWarning(QRegularExpression(u"Recursive call"_s));
        bool wasShownAgain = true;
        test::WhenDialog list([&](QDialog *sessions) {
            test::WhenDialog limits([&](QDialog *preferences) {
                QVERIFY(preferences != sessions);
                sessions->reject();
                desk.window().actions->openSession->trigger();
                wasShownAgain = sessions->isVisible();
                preferences->reject();
            });
            QTest::mouseClick(sessions->findChild<QPushButton *>(u"sessionLimit"_s), Qt::LeftButton);
            QVERIFY(limits.hasRun());
        });
        desk.press(Qt::Key_O, Qt::ControlModifier);
        QVERIFY(list.hasRun());
        QVERIFY(!wasShownAgain);
        test::WhenDialog again([](QDialog *sessions) { sessions->reject(); });
        desk.press(Qt::Key_O, Qt::ControlModifier);
        QVERIFY(again.hasRun());
        QVERIFY(desk.close());
    }

    void recordedCallsNeedNoServer()
    {
        TestWindow desk;
        desk.workspace().openSessionFile(m_folder->filePath(u"a.mcpsession"_s));
        QTRY_VERIFY(desk.offered().contains(u"search"_s));
        QVERIFY(!desk.open(u"search"_s));  // no tab that could call it
        auto *panel = qobject_cast<ui::RecordedCallPanel *>(desk.window().tabs->currentWidget());
        QVERIFY(panel);
        auto *calls = panel->findChild<QTableWidget *>(u"recordedCalls"_s);
        QCOMPARE(calls->rowCount(), 2);
        QTRY_COMPARE(panel->arguments(), R"({"query":"bad"})");
        const auto *badge = panel->findChild<ui::Badge *>(u"outcomeBadge"_s);
        QTRY_COMPARE(badge->text(), u"▲ Tool error"_s);
        QTest::keyClick(calls, Qt::Key_Down);
        QTRY_COMPARE(panel->arguments(), R"({"query":"good"})");
        QTest::mouseClick(panel->findChild<QToolButton *>(u"recordedShow"_s), Qt::LeftButton);
        QCOMPARE(desk.window().timeline->selectedRows().value(0), 4);

        // One that was listed and not called says so.
        QVERIFY(!desk.open(u"idle"_s));
        panel = qobject_cast<ui::RecordedCallPanel *>(desk.window().tabs->currentWidget());
        QVERIFY(panel && panel->findChild<QWidget *>(u"recordedEmpty"_s)->isVisible());

        // They go with their session.
        QVERIFY(desk.chooseInServerMenu(1, u"Close session"_s));
        for (int i = 0; i < desk.window().tabs->count(); ++i)
            QVERIFY(!qobject_cast<ui::RecordedCallPanel *>(desk.window().tabs->widget(i)));
        QVERIFY(desk.close());
    }

    // The file that is open is replaced, as by a replay of it.
    void recordedCallsFollowTheirFile()
    {
        const QString path = m_folder->filePath(u"a.mcpsession"_s);
        TestWindow desk;
        desk.workspace().openSessionFile(path);
        QTRY_VERIFY(desk.offered().contains(u"search"_s));
        QVERIFY(!desk.open(u"search"_s));
        auto *panel = qobject_cast<ui::RecordedCallPanel *>(desk.window().tabs->currentWidget());
        QVERIFY(panel);
        QTRY_COMPARE(panel->arguments(), R"({"query":"bad"})");
        const int count = desk.window().tabs->count();
        test::writeFile(path, searches("other"));
        desk.workspace().readAgain(path);
        QTRY_COMPARE(panel->arguments(), R"({"query":"other"})");
        QVERIFY(!desk.open(u"search"_s));
        QCOMPARE(desk.window().tabs->currentWidget(), panel);
        QCOMPARE(desk.window().tabs->count(), count);
        const QPointer<QWidget> closed = panel;
        QVERIFY(desk.chooseInServerMenu(1, u"Close session"_s));
        QVERIFY(desk.window().tabs->indexOf(closed) < 0);
        QVERIFY(desk.close());
    }

    // But not what was masked, which nobody would see in a field for secrets.
    void callAgainFillsInTheArguments()
    {
        const QString path = m_folder->filePath(u"masked.mcpsession"_s);
        test::writeFile(path, searches("bad\",\"apiKey\":\"\xE2\x80\xB9"
                                       "apikey:1a2b3c4d\xE2\x80\xBA"));
        TestWindow desk;
        QVERIFY(desk.openDemo());
        desk.workspace().openSessionFile(path);
        QTRY_VERIFY(desk.offered().contains(u"search"_s));
        QVERIFY(!desk.open(u"search"_s));
        const auto *panel = qobject_cast<ui::RecordedCallPanel *>(desk.window().tabs->currentWidget());
        QVERIFY(panel);
        auto *again = panel->findChild<QToolButton *>(u"recordedAgain"_s);
        QTRY_VERIFY(again->isEnabled());
        test::WhenMenu menu([](QMenu *servers) { QVERIFY(test::chooseInMenu(servers, u"Demo server"_s)); });
        QTest::mouseClick(again, Qt::LeftButton);
        QVERIFY(menu.hasRun());
        QVERIFY(desk.panel());
        QCOMPARE(desk.panel()->arguments(), R"({"query":"bad"})");
        QVERIFY(desk.panel()->findChild<QWidget *>(u"argumentsLeftOut"_s)->isVisible());
        QVERIFY(!desk.panel()->isRunning());
        QVERIFY(desk.close());
    }

    void recentFilesOfOthersStay()
    {
        const QDateTime now = QDateTime::fromString(u"2026-11-28T12:00:00Z"_s, Qt::ISODate);
        const auto with = [&now](const QByteArray &list, const QString &path) {
            return app::withRecentFile(list, path, u"application/x-mcpsession"_s, now);
        };
        const Result<QByteArray> once = with(recentFiles, u"/a b.mcpsession"_s);
        QVERIFY(once);
        const Result<QByteArray> twice = with(*once, u"/a b.mcpsession"_s);
        QVERIFY(twice);
        for (const QByteArray &text : {*once, *twice}) {
            QCOMPARE(text.count("<bookmark href"), 2);
            QCOMPARE(text.count("name=\"Sonde\""), 1);
            QCOMPARE(text.count("name=\"Editor\""), 1);
            QVERIFY(text.contains("added=\"2020-01-01T00:00:00Z\" modified=\"2026-11-28T12:00:00.000Z\""));
            QVERIFY(text.contains("private") && text.contains("kept=\"yes\""));
        }
        QVERIFY2(once->contains("count=\"1\"") && twice->contains("count=\"2\""), twice->constData());
        // Another program has written nothing but its name.
        QCOMPARE(with(recentFiles, u"/other.txt"_s)->count("name=\"Sonde\""), 1);
        const Result<QByteArray> first = with({}, u"/new.mcpsession"_s);
        QVERIFY(first);
        QVERIFY(first->contains("file:///new.mcpsession"));
        QCOMPARE(with(*first, u"/second.mcpsession"_s)->count("<bookmark href"), 2);
        QVERIFY(!with("<xbel><bookmark", u"/x"_s));
        QVERIFY(!with("<html></html>", u"/x"_s));
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
};

SONDE_TEST(TestSessions)
#include "tst_sessions.moc"
