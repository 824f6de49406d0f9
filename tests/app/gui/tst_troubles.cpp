// In the middle of it: a restart while a call runs, a call without end, a full disk, a response to be kept.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/gui/testwindow.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/files.h"
#include "ui/panels/callhistory.h"
#include "ui/panels/serverlist.h"
#include "ui/panels/welcomepanel.h"
#include "ui/theme/widgets.h"

#include <signal.h>
#include <sys/resource.h>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFileDialog>
#include <QImage>
#include <QLineEdit>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QTabWidget>
#include <QTemporaryDir>
#include <algorithm>
#include <memory>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace std::chrono_literals;
using sonde::test::Patience;
using sonde::test::TestWindow;

namespace {

// No file of this process grows beyond this: what a full disk is to it.
class FileLimit {
public:
    explicit FileLimit(rlim_t bytes)
    {
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit narrow{bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &narrow);
    }
    ~FileLimit() { lift(); }
    void lift() { ::setrlimit(RLIMIT_FSIZE, &m_before); }

private:
    rlimit m_before{};
};

// A server with one tool, whose response stream can be resumed and never ends.
void answerUntilACall(const test::FakeHttpServer::Request &request, const test::FakeHttpServer::Peer &peer)
{
    const json::Document message = json::Document::parse(request.body);
    const QString method = message.root()[u"method"].string();
    const auto result = [&](const QByteArray &json, const test::FakeHttpServer::Headers &headers = {}) {
        peer.json(R"({"jsonrpc":"2.0","id":)" + message.root()[u"id"].bytes() + R"(,"result":)" + json + '}', headers);
    };
    if (request.method != "POST") {
        peer.response(405, {}, {});
    } else if (method == u"initialize") {
        result(
            R"({"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"fake","version":"1"}})",
            {{"Mcp-Session-Id", "s1"}});
    } else if (method == u"tools/list") {
        result(R"({"tools":[{"name":"echo","inputSchema":{"type":"object"}}]})");
    } else if (method == u"tools/call") {
        const json::Value token = message.root()[u"params"][u"_meta"][u"progressToken"];
        peer.beginEvents();
        peer.event(R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1,"progressToken":)" +
                       token.bytes() + "}}",
                   "1");
    } else if (method == u"server/discover") {
        peer.json(R"({"jsonrpc":"2.0","id":)" + message.root()[u"id"].bytes() +
                  R"(,"error":{"code":-32601,"message":"no"}})");
    } else {
        peer.accept();
    }
}

}  // namespace

class TestTroubles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void aRestartEndsTheCallAndNothingElse()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"slow"_s));
        QVERIFY(desk.enter(u"/seconds"_s, u"0"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY(desk.enter(u"/seconds"_s, u"600"_s));
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QTRY_COMPARE(desk.countOf(u"tools/call"_s, Direction::ToServer), 2);
        ui::CallPanel *panel = desk.panel();
        const QString name = app::Workspace::demoSpec().name;
        const qint64 firstProcess = panel->connection()->processId();
        test::WhenDialog question([](QDialog *shown) { QVERIFY(test::clickButton(shown, u"Restart"_s)); });
        desk.press(Qt::Key_F5);
        QVERIFY(question.hasRun());
        QTRY_VERIFY(!panel->isRunning());
        QTRY_VERIFY2(desk.badge().startsWith(u"⊘"_s), qPrintable(desk.badge()));
        QVERIFY2(!desk.bannerTitle().isEmpty(), "it is not said what became of the call");
        QTRY_VERIFY(panel->connection()->processId() > 0 && panel->connection()->processId() != firstProcess);
        QVERIFY(desk.isConnected(name));
        desk.window().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&desk.window(), Patience));
        // The same tab, with what was typed and what was called before.
        QCOMPARE(desk.panel(), panel);
        QCOMPARE(panel->arguments(), QByteArray("{\"seconds\":600}"));
        auto *history = panel->findChild<ui::CallHistoryView *>();
        QCOMPARE(history->model()->rowCount(), 2);
        QVERIFY(desk.enter(u"/seconds"_s, u"0"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        QCOMPARE(history->model()->rowCount(), 3);
        QVERIFY(desk.close());
    }

    void nothingIsSentToAServerThatHasEnded()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"slow"_s));
        QVERIFY(desk.enter(u"/seconds"_s, u"0"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        ui::CallPanel *panel = desk.panel();
        const QString name = app::Workspace::demoSpec().name;
        ::kill(pid_t(panel->connection()->processId()), SIGKILL);
        QTRY_VERIFY_WITH_TIMEOUT(panel->connection()->state() == Connection::State::Disconnected, Patience);
        const qsizetype recorded = desk.session()->size();
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        auto *unsent = panel->findChild<QWidget *>(u"unsent"_s);
        QVERIFY(unsent->isVisible());
        QCOMPARE(unsent->accessibleName(), u"⊘ Not sent: the server is not running."_s);
        QVERIFY2(unsent->accessibleDescription().contains(u"SIGKILL"_s), qPrintable(unsent->accessibleDescription()));
        // No call, so no response: neither in the list nor in the recording.
        QVERIFY(!panel->isRunning());
        QCOMPARE(desk.badge(), u"✓ OK"_s);
        QCOMPARE(panel->findChild<ui::CallHistoryView *>()->model()->rowCount(), 1);
        QCOMPARE(desk.session()->size(), recorded);
        QVERIFY(desk.click(u"unsentRestart"_s));
        QVERIFY(desk.isConnected(name));
        QTRY_VERIFY(!unsent->isVisible());
        QCOMPARE(desk.panel(), panel);
        QVERIFY(desk.call(u"✓ OK"_s));
        QCOMPARE(panel->findChild<ui::CallHistoryView *>()->model()->rowCount(), 2);
        QVERIFY(desk.close());
    }

    void anHttpServerThatIsGoneIsNotGreen()
    {
        QProcess server;
        server.setProcessChannelMode(QProcess::MergedChannels);
        server.start(test::demoProgram(), {u"--http"_s});
        QVERIFY(server.waitForStarted());
        QByteArray said;
        QTRY_VERIFY_WITH_TIMEOUT((said += server.readAll()).contains("/mcp"), Patience);
        TestWindow desk;
        const QString name =
            desk.add(QString::fromUtf8(said.mid(said.indexOf("http://"))).section(u'\n', 0, 0).trimmed());
        QVERIFY(!name.isEmpty());
        QVERIFY2(desk.serverDetail(name).startsWith(u"HTTP · 20"_s), qPrintable(desk.serverDetail(name)));
        QVERIFY(desk.open(u"every-content-kind"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        server.kill();
        QVERIFY(server.waitForFinished());
        QVERIFY(desk.call(u"⊘ Connection lost"_s));
        QTRY_COMPARE(desk.serverDetail(name), u"connection refused"_s);
        QVERIFY(desk.window().servers->items().at(desk.serverRow(name)).isFailure);
        // It can still be stopped, and a call may find the server back.
        QVERIFY(desk.window().servers->items().at(desk.serverRow(name)).canStop);
        QVERIFY(desk.close());
    }

    void anHttpServerThatDiesInACallIsNotGreen_data()
    {
        QTest::addColumn<QString>("revision");
        QTest::addColumn<QString>("tool");
        for (const QString &revision : {u"2026-07-28"_s, u"2025-11-25"_s}) {
            for (const QString &tool : {u"slow"_s, u"progress"_s})
                QTest::addRow("%s, %s", qPrintable(revision), qPrintable(tool)) << revision << tool;
        }
    }

    void anHttpServerThatDiesInACallIsNotGreen()
    {
        QFETCH(QString, revision);
        QFETCH(QString, tool);
        QProcess server;
        server.setProcessChannelMode(QProcess::MergedChannels);
        server.start(test::demoProgram(), {u"--http"_s, u"--revision"_s, revision});
        QVERIFY(server.waitForStarted());
        QByteArray said;
        QTRY_VERIFY_WITH_TIMEOUT((said += server.readAll()).contains("/mcp"), Patience);
        TestWindow desk;
        const QString name =
            desk.add(QString::fromUtf8(said.mid(said.indexOf("http://"))).section(u'\n', 0, 0).trimmed());
        QVERIFY(!name.isEmpty());
        QVERIFY(desk.open(tool));
        if (tool == u"slow"_s) {
            QVERIFY(desk.enter(u"/seconds"_s, u"600"_s));
        } else {
            QVERIFY(desk.enter(u"/steps"_s, u"1000"_s));
            QVERIFY(desk.enter(u"/intervalMs"_s, u"50"_s));
        }
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QTRY_COMPARE(desk.countOf(u"tools/call"_s, Direction::ToServer), 1);
        if (tool == u"progress"_s)
            QTRY_VERIFY(desk.countOf(u"notifications/progress"_s, Direction::FromServer) > 2);
        server.kill();
        QVERIFY(server.waitForFinished());
        const qsizetype heard = desk.session()->size();
        const auto isFailure = [&] { return desk.window().servers->items().at(desk.serverRow(name)).isFailure; };
        QTRY_VERIFY2(isFailure(), qPrintable(desk.serverDetail(name)));
        // As soon as the connections broke off, and not when everything was tried in vain.
        int attempts = 0;
        for (qsizetype row = heard; row < desk.session()->size(); ++row)
            attempts += desk.session()->at(row).kind == WireEvent::Kind::HttpRequest ? 1 : 0;
        QVERIFY2(attempts <= 1, qPrintable(QString::number(attempts)));
        QTRY_VERIFY2(desk.badge() != u"… running"_s, qPrintable(desk.badge()));
        QVERIFY(desk.endsWith(u"⊘ Connection lost"_s));
        QTRY_COMPARE(desk.serverDetail(name), u"connection refused"_s);  // the next attempt knows more
        QVERIFY(desk.clickServer(name));
        QCOMPARE(desk.find<ui::TextLabel>(u"serverStatus"_s)->text(), u"Connection refused"_s);
        QVERIFY(desk.close());
    }

    void aCallOfAServerThatIsGoneSaysSoWhenItIsStartedAgain()
    {
        auto server = std::make_unique<test::FakeHttpServer>(answerUntilACall);
        TestWindow desk;
        const QString name = desk.add(server->url().toString());
        QVERIFY(!name.isEmpty());
        QVERIFY(desk.open(u"echo"_s));
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QTRY_COMPARE(desk.countOf(u"notifications/progress"_s, Direction::FromServer), 1);
        QCOMPARE(desk.badge(), u"… running"_s);
        server.reset();
        QTRY_COMPARE(desk.badge(), u"… resuming"_s);
        const auto *elapsed = desk.panel()->findChild<QLabel *>(u"elapsed"_s);
        QTRY_VERIFY2(elapsed->text().contains(u"connection"_s), qPrintable(elapsed->text()));
        desk.press(Qt::Key_F5);
        QVERIFY(desk.endsWith(u"⊘ Cancelled"_s));
        QCOMPARE(desk.bannerTitle(), u"Connection lost during the call."_s);
        QVERIFY(desk.close());
    }

    void theFocusStaysWithTheCall()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"every-content-kind"_s));  // nothing to fill in
        auto *button = desk.panel()->findChild<QAbstractButton *>(u"callButton"_s);
        QTRY_COMPARE(QApplication::focusWidget(), button);
        QVERIFY(desk.call(u"✓ OK"_s));
        QTRY_COMPARE(QApplication::focusWidget(), button);
        QVERIFY(desk.open(u"greeting"_s));  // read by itself
        QVERIFY(desk.endsWith(u"✓ OK"_s));
        button = desk.panel()->findChild<QAbstractButton *>(u"callButton"_s);
        QTRY_COMPARE(QApplication::focusWidget(), button);
        QVERIFY(desk.close());
    }

    void aCallWithoutEndTimesOut()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"slow"_s));
        desk.panel()->connection()->setTimeouts({.request = 300ms});
        QVERIFY(desk.enter(u"/seconds"_s, u"600"_s));
        QVERIFY(desk.call(u"⊘ Timed out"_s));
        QTRY_COMPARE(desk.countOf(u"notifications/cancelled"_s, Direction::ToServer), 1);
        QCOMPARE(desk.panel()->arguments(), QByteArray("{\"seconds\":600}"));
        // The server lives on, and so does the tab.
        desk.panel()->connection()->setTimeouts({.request = 60s});
        QVERIFY(desk.enter(u"/seconds"_s, u"0"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY(desk.close());
    }

    void whatWasReadCanBeSaved_data()
    {
        QTest::addColumn<QString>("resource");
        QTest::newRow("bytes") << u"all-bytes"_s;
        QTest::newRow("image") << u"wave.png"_s;
    }

    void whatWasReadCanBeSaved()
    {
        QFETCH(QString, resource);
        QTemporaryDir folder;
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(resource));
        QVERIFY(desk.endsWith(u"✓ OK"_s));
        QVERIFY(desk.click(u"saveAs"_s));
        auto *dialog = desk.panel()->findChild<QFileDialog *>(u"saveDialog"_s);
        QVERIFY(dialog);
        QTRY_VERIFY(dialog->isVisible());
        auto *line = dialog->findChild<QLineEdit *>(u"fileNameEdit"_s);
        QVERIFY2(!line->text().isEmpty(), "no name is suggested");
        const QString path = folder.filePath(line->text());
        line->setText(path);  // typed, it would be completed in a window of its own
        auto *save = dialog->findChild<QDialogButtonBox *>(u"buttonBox"_s)->button(QDialogButtonBox::Save);
        QTest::mouseClick(save, Qt::LeftButton);
        QTRY_VERIFY2(QFile::exists(path), qPrintable(path));
        const QByteArray saved = test::readFile(path);
        if (resource == u"all-bytes"_s) {
            QCOMPARE(saved.size(), 256);
            for (int i = 0; i < 256; ++i)
                QCOMPARE(uchar(saved[i]), uchar(i));
        } else {
            QVERIFY(!QImage::fromData(saved, "PNG").isNull());
        }
        const auto isSaid = [&desk] {
            const auto notes = desk.panel()->findChildren<ui::TextLabel *>(u"captionNote"_s);
            return std::any_of(notes.begin(), notes.end(), [](const ui::TextLabel *note) {
                return note->isVisible() && note->text().contains(u"Saved to"_s);
            });
        };
        QTRY_VERIFY2(isSaid(), "it is not said where it was saved");
        QVERIFY(desk.close());
    }

    void aFullDiskIsSaidAndTriedAgain()
    {
        QString path;
        qsizetype rows = 0;
        {
            TestWindow desk;
            QVERIFY(desk.openDemo());
            auto *notice = desk.find<QWidget>(u"notice"_s);
            auto *remedy = desk.find<QAbstractButton>(u"noticeRemedy"_s);
            QVERIFY(!notice->isVisible());
            QVERIFY(desk.open(u"big"_s));
            QVERIFY(desk.enter(u"/bytes"_s, u"2000000"_s));
            FileLimit limit(1'000'000);
            QVERIFY(desk.call(u"✓ OK"_s));  // the call does not suffer
            QTRY_VERIFY(notice->isVisible() && remedy->isVisible());
            QVERIFY2(notice->accessibleName().contains(u"can no longer be written"_s),
                     qPrintable(notice->accessibleName()));
            QTRY_VERIFY2(desk.window().recording->text().contains(u"in memory only"_s),
                         qPrintable(desk.window().recording->text()));
            QVERIFY(desk.session()->error());
            // Too early: it stays.
            QTest::mouseClick(remedy, Qt::LeftButton);
            QTRY_VERIFY(notice->isVisible() && remedy->isVisible());
            QVERIFY(desk.session()->error());

            limit.lift();
            QTest::mouseClick(remedy, Qt::LeftButton);
            QTRY_VERIFY(!notice->isVisible());
            QVERIFY(!desk.session()->error());
            QTRY_VERIFY2(desk.window().recording->text().contains(u"Recording to"_s),
                         qPrintable(desk.window().recording->text()));
            path = desk.session()->path();
            rows = desk.session()->size();
            QVERIFY(desk.close());
        }
        const Result<std::unique_ptr<Session>> session = Session::open(path);
        QVERIFY(session);
        QVERIFY((*session)->size() >= rows);
        bool hasResponse = false;
        for (qsizetype row = 0; row < (*session)->size(); ++row)
            hasResponse = hasResponse || (*session)->bytes(row).size() > 2'000'000;
        QVERIFY(hasResponse);
    }

    void whatIsOnlyInMemoryIsNamedBeforeTheEnd()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"big"_s));
        QVERIFY(desk.enter(u"/bytes"_s, u"2000000"_s));
        FileLimit limit(1'000'000);
        QVERIFY(desk.call(u"✓ OK"_s));
        QTRY_VERIFY(desk.session()->error());
        QString asked;
        bool canExport = false;
        {
            const test::WhenDialog question([&](QDialog *shown) {
                asked = static_cast<QMessageBox *>(shown)->text();
                const QList<QAbstractButton *> buttons = static_cast<QMessageBox *>(shown)->buttons();
                canExport = std::any_of(buttons.begin(), buttons.end(), [](const QAbstractButton *button) {
                    return button->text() == u"Export session…"_s;
                });
                QTest::keyClick(shown, Qt::Key_Return);  // it is not "Quit" by default
            });
            desk.window().close();
        }
        const QString name = desk.session()->serverName();
        QCOMPARE(asked, u"Not saved, only kept in memory: the session of “%1”. Quitting discards it."_s.arg(name));
        QVERIFY(canExport);
        QVERIFY(desk.window().isVisible() && !desk.hasFinished());
        // Once there is room, it is saved, and nothing is asked.
        limit.lift();
        const test::WhenDialog question([](QDialog *shown) { shown->reject(); });
        desk.window().close();
        QTRY_VERIFY_WITH_TIMEOUT(desk.hasFinished(), Patience);
        QVERIFY(!question.hasRun());
    }

    void aRecordingThatIsFullIsSaidAndCanGoOn()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        auto *notice = desk.find<QWidget>(u"notice"_s);
        auto *remedy = desk.find<QAbstractButton>(u"noticeRemedy"_s);
        const auto says = [&](const QString &text) {
            return notice->isVisible() && notice->accessibleName().contains(text);
        };
        const auto status = [&] { return desk.window().recording->text(); };
        Session *session = desk.session();
        session->setLimit(session->recorded() * 5 / 4);
        QVERIFY(desk.open(u"progress"_s));
        QVERIFY(desk.enter(u"/steps"_s, u"200"_s));
        QVERIFY(desk.enter(u"/intervalMs"_s, u"0"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        QTRY_VERIFY2(says(u"limit"_s), qPrintable(notice->accessibleName()));
        for (int i = 0; i < 100 && session->leftOut().records() == 0; ++i)
            QVERIFY(desk.call(u"✓ OK"_s));
        QTRY_VERIFY2(says(u"has reached its limit"_s), qPrintable(notice->accessibleName()));
        QTRY_VERIFY2(status().contains(u"calls only"_s) && status().contains(u"not stored"_s), qPrintable(status()));
        // The calls themselves are all there.
        const int calls = desk.countOf(u"tools/call"_s, Direction::ToServer);
        QVERIFY(desk.call(u"✓ OK"_s));
        QTRY_COMPARE(desk.countOf(u"tools/call"_s, Direction::ToServer), calls + 1);

        test::WhenDialog dialog([](QDialog *shown) {
            auto *limit = shown->findChild<QDoubleSpinBox *>(u"recordingLimit"_s);
            QCOMPARE(limit->value(), 2.0);
            limit->setValue(3.5);
            QVERIFY(test::clickButton(shown, u"Close"_s));
        });
        QTest::mouseClick(remedy, Qt::LeftButton);
        QVERIFY(dialog.hasRun());
        QVERIFY(!notice->isVisible());
        QTRY_VERIFY2(status().contains(u"Recording to"_s), qPrintable(status()));
        QVERIFY(session->limit() > 1'000'000);
        QVERIFY(desk.close());

        // And is known at the next start.
        TestWindow next;
        QVERIFY(next.openDemo());
        QVERIFY(test::readFile(TestWindow::configPath(u"window.ini"_s)).contains("limitGB=3.5"));
        QVERIFY(next.close());
    }

    void welcomeKnowsTheLatestSession()
    {
        TestWindow desk;
        const auto listed = [&desk] {
            QStringList texts;
            for (const QToolButton *button : desk.window().welcome->findChildren<QToolButton *>())
                texts << button->text();
            return texts.join(u'\n');
        };
        QVERIFY2(!listed().contains(app::Workspace::demoSpec().name), qPrintable(listed()));
        QVERIFY(desk.openDemo());
        desk.window().tabs->setCurrentWidget(desk.window().welcome);
        QTRY_VERIFY2(listed().contains(app::Workspace::demoSpec().name), qPrintable(listed()));
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestTroubles)
#include "tst_troubles.moc"
