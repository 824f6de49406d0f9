// A session of the demo server, played back in the window against a demo server that was changed.
// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/numbertext.h"
#include "core/replay/replayrun.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/files.h"
#include "tests/support/handmadesession.h"
#include "tests/support/testregistry.h"
#include "ui/dialogs/replaydialog.h"
#include "ui/dialogs/savecalldialog.h"
#include "ui/diff/differencemodel.h"
#include "ui/json/textview.h"
#include "ui/panels/serverlist.h"
#include "ui/panels/sessionpanel.h"
#include "ui/replay/replaypanel.h"
#include "ui/result/outcometext.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/timelinepanel.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QRadioButton>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <memory>
#include <optional>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Patience;
using sonde::test::TestWindow;
using Status = ReplayStep::Status;

class TestReplayWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    // It may come from anywhere, and name any program.
    void theProgramOfARecordingIsAskedFor()
    {
        const QTemporaryDir folder;
        const QString trace = folder.filePath(u"started"_s);
        const QString path = folder.filePath(u"from elsewhere.mcpsession"_s);
        test::HandmadeSession recording;
        recording.add(WireEvent::Kind::Open, Direction::Local, {},
                      "{\"transport\":\"stdio\",\"program\":\"/usr/bin/touch\",\"argv\":[\"touch\",\"" +
                          trace.toUtf8() + "\"],\"cwd\":\"/tmp\"}");
        recording.sent(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
            "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"n\",\"version\":\"1\"}}}");
        recording.received(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":"
            "{\"tools\":{}},\"serverInfo\":{\"name\":\"n\",\"version\":\"1\"}}}");
        recording.sent("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}");
        recording.received("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[]}}");
        test::writeFile(path, recording.text());
        TestWindow desk;
        QVERIFY(desk.openDemo());
        for (const bool isStarted : {false, true}) {
            QStringList shown;
            std::unique_ptr<test::WhenDialog> question;
            const test::WhenDialog dialog([&](QDialog *replay) {
                question = std::make_unique<test::WhenDialog>([&](QDialog *asked) {
                    for (const QLabel *label : asked->findChildren<QLabel *>())
                        shown.append(label->text());
                    shown.append(QString::fromUtf8(asked->findChild<ui::TextView *>(u"launchLines"_s)->text()));
                    if (isStarted)
                        QTest::mouseClick(asked->findChild<QAbstractButton *>(u"approveStart"_s), Qt::LeftButton);
                    else
                        QTest::keyClick(asked, Qt::Key_Return);  // as one does who does not read
                });
                qobject_cast<ui::ReplayDialog *>(replay)->chooseRecording(path);
                QTest::mouseClick(replay->findChild<QAbstractButton *>(u"replayOk"_s), Qt::LeftButton);
            });
            QTest::mouseClick(desk.window().replay, Qt::LeftButton);
            QVERIFY(dialog.hasRun() && question && question->hasRun());
            QVERIFY2(shown.join(u'\n').contains(trace), qPrintable(shown.join(u'\n')));
            QCOMPARE(current(desk) != nullptr, isStarted);
            if (isStarted)
                QTRY_VERIFY(QFile::exists(trace));
            else
                QVERIFY(!QFile::exists(trace));
        }
        QVERIFY(desk.close());
    }

    void aChangedServerIsFoundOutAndTheRulesHold()
    {
        TestWindow desk;
        QVERIFY(work(desk));
        const int calls = desk.countOf(u"tools/call"_s, Direction::ToServer);
        QVERIFY(replay(desk, u"--page-size 4 --missing-method prompts/get"_s));
        QVERIFY(ends(desk));
        ui::ReplayPanel *panel = current(desk);
        QCOMPARE(desk.window().tabs->tabText(desk.window().tabs->currentIndex()).section(u" → "_s, 1),
                 u"sonde-demo-server"_s);
        QVERIFY(!desk.window().timeline->isVisible());
        desk.press(Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(desk.window().timeline->isVisible() && desk.window().tabs->isVisible());
        // The list of tools has pages now; the prompt has gone.
        QVERIFY2(of(panel, Status::Changed) > 0, qPrintable(tell(panel)));
        const ReplayStep *tools = stepOf(panel, u"tools/list"_s);
        QVERIFY(tools && tools->status == Status::Changed);
        // Each difference gets a rule, with the mouse, until nothing is left of this step.
        QVERIFY(select(panel, u"tools/list"_s));
        auto *table = panel->findChild<QTableView *>(u"replayDifferences"_s);
        const int differences = table->model()->rowCount();
        QVERIFY(differences > 0);
        for (int row = 0; row < differences; ++row) {
            if (static_cast<const ui::DifferenceModel *>(table->model())->isIgnored(row))
                continue;
            QVERIFY(ignore(panel, row, u"This path in responses of tools/list"_s));
        }
        QTRY_VERIFY2(tools->status == Status::Same, qPrintable(tell(panel)));
        // A step of it is saved as a call of the server that was recorded.
        const ReplayStep *call = stepOf(panel, u"tools/call"_s);
        QVERIFY(call);
        Q_EMIT panel->saveCallRequested(panel->run().recording()->message(call->call.row), call->recorded);
        auto *saving = desk.window().findChild<ui::SaveCallDialog *>();
        QTRY_VERIFY(saving && saving->isVisible());
        QCOMPARE(saving->call().server, app::Workspace::demoSpec().name);
        saving->reject();
        // The user's own connection has not been touched, nor what is recorded of it.
        QVERIFY(desk.clickServer(app::Workspace::demoSpec().name));
        QCOMPARE(desk.countOf(u"tools/call"_s, Direction::ToServer), calls);
        QVERIFY(desk.session()->isLive());
        // It is being recorded: not to be replaced.
        QVERIFY(!panel->findChild<QAbstractButton *>(u"replayAccept"_s)->isEnabled());
        QVERIFY(desk.close());
    }

    void destructiveToolsAreAskedAboutBesideTheWork()
    {
        TestWindow desk;
        QVERIFY(work(desk));
        QVERIFY(replay(desk, {}));
        ui::ReplayPanel *panel = current(desk);
        auto *serverRequest = panel->findChild<QWidget *>(u"replayQuestion"_s);
        QTRY_VERIFY_WITH_TIMEOUT(serverRequest->isVisible(), Patience);
        QVERIFY(!QApplication::activeModalWidget());
        desk.press(Qt::Key_R, Qt::AltModifier);
        QVERIFY(ends(desk));
        QVERIFY2(of(panel, Status::Same) == panel->run().steps().size(), qPrintable(tell(panel)));
        QVERIFY(desk.close());
    }

    void onlyWhatIsSelectedInTheTimeline()
    {
        TestWindow desk;
        QVERIFY(work(desk));
        auto *table = desk.find<QTableView>(u"timelineTable"_s);
        const QAbstractItemModel *model = table->model();
        QTRY_COMPARE_WITH_TIMEOUT(model->rowCount(), int(desk.session()->size()), Patience);
        int row = -1;
        for (int i = 0; i < model->rowCount(); ++i) {
            if (desk.session()->name(desk.session()->at(i).target) == u"add"_s)
                row = i;
        }
        QVERIFY(row >= 0);
        // The last row of that name is the response: it stands for its request.
        QVERIFY(test::clickRow(table, model->index(row, 3)));
        QVERIFY(replay(desk, {}, u"replaySelected"_s));
        QVERIFY(ends(desk));
        ui::ReplayPanel *panel = current(desk);
        QCOMPARE(panel->run().steps().size(), 1);
        QCOMPARE(panel->run().steps().first().target, u"add"_s);
        QVERIFY2(of(panel, Status::Same) == 1, qPrintable(tell(panel)));
        // A replay hides the timeline; shown nevertheless, it stays when the window gets another size.
        desk.window().resize(1200, 800);
        QVERIFY(!desk.window().timeline->isVisible());
        desk.window().timeline->show();
        desk.window().resize(1300, 820);
        QVERIFY(desk.window().timeline->isVisible());
        QVERIFY(desk.close());
    }

    void aReopenedRecordingBecomesTheBaseline()
    {
        QString path;
        {
            TestWindow desk;
            QVERIFY(work(desk));
            path = desk.session()->path();
            QVERIFY(desk.close());
        }
        TestWindow desk;
        // From the list of all recordings: asked for, and given up.
        bool isPreselected = false;
        std::optional<test::WhenDialog> next;
        test::WhenDialog list([&](QDialog *sessions) {
            next.emplace([&](QDialog *shown) {
                isPreselected = shown->findChild<QComboBox *>(u"replayRecording"_s)->toolTip().contains(path);
                QTest::keyClick(shown, Qt::Key_Escape);
            });
            QTest::mouseClick(sessions->findChild<QAbstractButton *>(u"sessionReplay"_s), Qt::LeftButton);
        });
        desk.press(Qt::Key_O, Qt::ControlModifier);
        QVERIFY(isPreselected);
        QVERIFY(!current(desk));
        desk.workspace().openSessionFile(path);
        QTRY_VERIFY(desk.session() && !desk.session()->isLoading());
        // By the menu of its line.
        test::WhenDialog dialog([this](QDialog *shown) { response(shown, {}, u"replayAll"_s); });
        QVERIFY(desk.chooseInServerMenu(int(desk.window().servers->items().size()) - 1, u"Replay"_s));
        QTRY_VERIFY(dialog.hasRun());
        ui::ReplayPanel *panel = current(desk);
        QVERIFY(panel);
        QTRY_VERIFY_WITH_TIMEOUT(panel->findChild<QWidget *>(u"replayQuestion"_s)->isVisible(), Patience);
        desk.press(Qt::Key_R, Qt::AltModifier);
        QVERIFY(ends(desk));
        auto *accept = panel->findChild<QAbstractButton *>(u"replayAccept"_s);
        QTRY_VERIFY2_WITH_TIMEOUT(accept->isEnabled(), qPrintable(accept->accessibleDescription()), Patience);
        QVERIFY(desk.click(u"replayAccept"_s));
        QVERIFY(desk.click(u"confirmAccept"_s));
        QTRY_VERIFY_WITH_TIMEOUT(!panel->run().previousPath().isEmpty(), Patience);
        QVERIFY(QFile::exists(panel->run().previousPath()));
        const Result<std::unique_ptr<Session>> baseline = Session::open(path);
        QVERIFY(baseline && (*baseline)->damage().isEmpty());
        // The line, the timeline and the status show what the file holds now.
        QTRY_VERIFY_WITH_TIMEOUT(desk.session() && !desk.session()->isLoading(), Patience);
        QCOMPARE(desk.session()->createdAt(), (*baseline)->createdAt());
        QCOMPARE(desk.session()->size(), (*baseline)->size());
        const QString counts = grouped((*baseline)->messageCount()) + u" messages"_s;
        QTRY_VERIFY2(desk.window().counts->text().startsWith(counts), qPrintable(desk.window().counts->text()));
        const auto *page = desk.window().findChild<ui::SessionPanel *>();
        QVERIFY(page);
        QStringList texts;
        for (const QLabel *label : page->findChildren<QLabel *>())
            texts << label->text();
        QVERIFY2(texts.contains(grouped((*baseline)->messageCount())) &&
                     texts.contains(ui::sizeText((*baseline)->fileSize())),
                 qPrintable(texts.join(u'\n')));
        QVERIFY(desk.close());
    }

    void theEndIsOrderlyInTheMiddle_data()
    {
        QTest::addColumn<bool>("closesTab");
        QTest::newRow("the tab") << true;
        QTest::newRow("the window") << false;
    }

    void theEndIsOrderlyInTheMiddle()
    {
        QFETCH(bool, closesTab);
        TestWindow desk;
        QVERIFY(work(desk));
        QVERIFY(replay(desk, u"--never-respond tools/call"_s));
        QTRY_VERIFY_WITH_TIMEOUT(of(current(desk), Status::Running) == 1, Patience);
        const QString recorded = current(desk)->run().newRecordingPath();
        if (closesTab) {
            QString asked;
            test::WhenDialog question([&asked](QDialog *shown) {
                asked = static_cast<QMessageBox *>(shown)->text();
                QVERIFY(test::clickButton(shown, u"Stop replay and close"_s));
            });
            desk.press(Qt::Key_W, Qt::ControlModifier);
            QVERIFY2(asked.contains(u"Closing its tab stops the replay."_s), qPrintable(asked));
            desk.window().activateWindow();
            QTRY_VERIFY(!desk.window().findChild<ui::ReplayPanel *>());
            QVERIFY(desk.window().timeline->isVisible());
        }
        QVERIFY(desk.close());
        const Result<std::unique_ptr<Session>> session = Session::open(recorded);
        QVERIFY(session && (*session)->damage().isEmpty());
    }

private:
    // The demo server, asked for this and that.
    static bool work(TestWindow &desk)
    {
        if (!desk.openDemo())
            return false;
        if (!desk.open(u"add"_s) || !desk.enter(u"/a"_s, u"1"_s) || !desk.enter(u"/b"_s, u"2"_s) ||
            !desk.call(u"✓ OK"_s))
            return false;
        if (!desk.open(u"delete-everything"_s))
            return false;
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        if (!desk.click(u"confirmCall"_s))
            return false;
        return QTest::qWaitFor([&desk] { return desk.countOf(u"tools/call"_s, Direction::FromServer) == 2; }, Patience);
    }

    void response(QDialog *dialog, const QString &switches, const QString &calls)
    {
        if (!switches.isEmpty()) {
            auto *servers = dialog->findChild<QComboBox *>(u"replayServer"_s);
            QTest::keyClick(servers, Qt::Key_End);
            QTest::keyClicks(dialog->findChild<QLineEdit *>(u"replayLine"_s), test::demoProgram() + u' ' + switches);
        }
        dialog->findChild<QRadioButton *>(calls)->click();
        QTest::mouseClick(dialog->findChild<QAbstractButton *>(u"replayOk"_s), Qt::LeftButton);
    }

    // The button at the top right, and what it asks. Without switches: against the server that was recorded.
    bool replay(TestWindow &desk, const QString &switches, const QString &calls = u"replayAll"_s)
    {
        test::WhenDialog dialog([&](QDialog *shown) { response(shown, switches, calls); });
        QTest::mouseClick(desk.window().replay, Qt::LeftButton);
        return dialog.hasRun() && current(desk);
    }

    static ui::ReplayPanel *current(TestWindow &desk)
    {
        return qobject_cast<ui::ReplayPanel *>(desk.window().tabs->currentWidget());
    }

    // Whatever is asked meanwhile is answered with yes.
    static bool ends(TestWindow &desk)
    {
        ui::ReplayPanel *panel = current(desk);
        return QTest::qWaitFor(
            [panel] {
                auto *yes = panel->findChild<QAbstractButton *>(u"askRun"_s);
                if (yes->isVisible())
                    QTest::mouseClick(yes, Qt::LeftButton);
                return !panel->isRunning();
            },
            Patience);
    }

    static qsizetype of(const ui::ReplayPanel *panel, Status status)
    {
        return panel->run().replayer() ? panel->run().replayer()->count(status) : 0;
    }

    static const ReplayStep *stepOf(const ui::ReplayPanel *panel, const QString &method)
    {
        for (const ReplayStep &step : panel->run().steps()) {
            if (step.method == method)
                return &step;
        }
        return nullptr;
    }

    static bool select(ui::ReplayPanel *panel, const QString &method)
    {
        auto *steps = panel->findChild<QTableView *>(u"replaySteps"_s);
        for (int row = 0; row < steps->model()->rowCount(); ++row) {
            if (steps->model()->index(row, 1).data().toString() == method)
                return test::clickRow(steps, steps->model()->index(row, 1));
        }
        return false;
    }

    static bool ignore(ui::ReplayPanel *panel, int row, const QString &entry)
    {
        auto *table = panel->findChild<QTableView *>(u"replayDifferences"_s);
        const QModelIndex place = table->model()->index(row, int(ui::DifferenceModel::Column::Note));
        table->scrollTo(place);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(place).center());
        auto *menu = panel->findChild<QMenu *>(u"ignoreMenu"_s);
        const bool chosen = menu && test::chooseInMenu(menu, entry);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        return chosen;
    }

    static QString tell(const ui::ReplayPanel *panel)
    {
        QStringList lines;
        for (const ReplayStep &step : panel->run().steps())
            lines << ui::stepBadge(step).text + u' ' + step.method + u' ' + step.target + u' ' + step.reason;
        return lines.join(u'\n');
    }
};

SONDE_TEST(TestReplayWindow)
#include "tst_replaywindow.moc"
