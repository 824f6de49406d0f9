// A replay in its tab, by mouse and keys: a recording of the demo server against a demo server.
// SPDX-License-Identifier: Apache-2.0
#include "core/replay/replayrun.h"
#include "tests/support/files.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"
#include "tests/support/turns.h"
#include "tests/ui/replay/demorecording.h"
#include "ui/diff/differencemodel.h"
#include "ui/json/textview.h"
#include "ui/replay/ignorerulesdialog.h"
#include "ui/replay/replaypanel.h"
#include "ui/theme/widgets.h"

#include <QAbstractButton>
#include <QApplication>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::ui;
using sonde::test::Alter;
using sonde::test::DemoCall;
using sonde::test::recordDemo;
using Status = ReplayStep::Status;

namespace {

constexpr int Patience = 30'000;            // ms; only ever spent by a test that fails
constexpr int LongPatience = 4 * Patience;  // many rows, and sanitizers

const QList<DemoCall> Calls{{u"echo"_s, R"({"value":"hello"})"},
                            {u"add"_s, R"({"a":1,"b":2})"},
                            {u"delete-everything"_s, R"({"confirm":true})"},
                            {u"delete-everything"_s, R"({"confirm":true})"},
                            {u"fail"_s, "{}"}};

// As if the server had counted otherwise then.
QByteArray countedWrong(QByteArray text)
{
    return text.replace("\"sum\":3", "\"sum\":4");
}

}  // namespace

class TestReplayPanel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath(u"demo.mcpsession"_s);
    }
    void cleanup() { m_panel.reset(); }

    void differencesAreFoundAndIgnoredByClicking()
    {
        QVERIFY(recordDemo(m_path, Calls, countedWrong));
        open(Replayer::Destructive::Allow);
        QCOMPARE(m_panel->title(), u"Replay · demo → %1"_s.arg(test::demoServer().name));
        QVERIFY(ends());
        QVERIFY2(badge(Status::Changed) == u"≠ 1 changed"_s, qPrintable(tell()));
        QVERIFY2(badge(Status::Failed).isEmpty(), qPrintable(tell()));
        QVERIFY(facts().contains(u" steps · "_s));
        // What changed is shown without being looked for.
        QCOMPARE(label(u"replayTitle"_s), u"add"_s);
        QCOMPARE(label(u"replaySummary"_s), u"1 difference"_s);
        auto *table = find<QTableView>(u"replayDifferences"_s);
        QCOMPARE(cells(table), QStringList{u"/structuredContent/sum | 4 | 3 | Ignore ▾"_s});
        QVERIFY(find<TextView>(u"leftText"_s)->text().contains("\"sum\": 4"));
        QVERIFY(find<TextView>(u"rightText"_s)->text().contains("\"sum\": 3"));
        // A click on "ignore" and the first of what it offers.
        chooseIgnore(table, 0, u"This path in responses of add"_s);
        QTRY_COMPARE(badge(Status::Changed), QString());
        QCOMPARE(label(u"replaySummary"_s), u"1 ignored by rule"_s);
        QCOMPARE(cells(table), QStringList{u"/structuredContent/sum | 4 | 3 | rule: this path"_s});
        QCOMPARE(find<QAbstractButton>(u"replayRules"_s)->text(), u"Ignore rules 1"_s);
        const Result<ReplayRules> kept = ReplayRules::load(ReplayRules::pathBeside(m_path));
        QVERIFY(kept && kept->rules().size() == 1);
        // And back again, in the dialog.
        QTest::mouseClick(find<QAbstractButton>(u"replayRules"_s), Qt::LeftButton);
        auto *dialog = m_panel->findChild<IgnoreRulesDialog *>();
        QVERIFY(dialog);
        auto *rules = dialog->findChild<QTableView *>(u"ruleTable"_s);
        QTest::mouseClick(rules->viewport(), Qt::LeftButton, {},
                          rules->visualRect(rules->model()->index(0, 3)).center());
        QTest::mouseClick(dialog->findChild<QAbstractButton *>(u"ruleRemove"_s), Qt::LeftButton);
        QTRY_COMPARE(badge(Status::Changed), u"≠ 1 changed"_s);
        dialog->close();
    }

    void theKeyboardMakesRulesToo()
    {
        QVERIFY(recordDemo(m_path, Calls, countedWrong));
        open(Replayer::Destructive::Allow);
        QVERIFY(ends());
        auto *table = find<QTableView>(u"replayDifferences"_s);
        table->setFocus();
        QTest::keyClick(table, Qt::Key_Down);
        QTest::keyClick(table, Qt::Key_Return);
        QMenu *menu = m_panel->findChild<QMenu *>(u"ignoreMenu"_s);
        QVERIFY(menu);
        QTest::keyClick(menu, Qt::Key_Down);
        QTest::keyClick(menu, Qt::Key_Return);
        QTRY_COMPARE(badge(Status::Changed), QString());
    }

    void toolsThatMayChangeSomethingAreAskedAbout()
    {
        QVERIFY(recordDemo(m_path, Calls));
        open(Replayer::Destructive::Ask);
        QWidget *serverRequest = find<QWidget>(u"replayQuestion"_s);
        QTRY_VERIFY_WITH_TIMEOUT(serverRequest->isVisible(), Patience);
        QVERIFY2(serverRequest->accessibleName().startsWith(u"delete-everything may change"_s),
                 qPrintable(serverRequest->accessibleName()));
        QVERIFY2(serverRequest->accessibleDescription().contains(u"{\"confirm\":true}"_s),
                 qPrintable(serverRequest->accessibleDescription()));
        // The focus is where Enter does no harm, and Tab leads to the others.
        QCOMPARE(m_panel->focusWidget()->objectName(), u"askSkip"_s);
        QTest::keyClick(m_panel->focusWidget(), Qt::Key_Space);
        QTRY_VERIFY_WITH_TIMEOUT(serverRequest->isVisible() && count(Status::Skipped) == 1, Patience);
        QTest::mouseClick(find<QAbstractButton>(u"askRun"_s), Qt::LeftButton);
        QVERIFY(ends());
        QVERIFY(!serverRequest->isVisible());
        QCOMPARE(count(Status::Skipped), 1);
        // One was left out: no baseline, and the reason is said.
        auto *accept = find<QAbstractButton>(u"replayAccept"_s);
        QVERIFY(!accept->isEnabled());
        QVERIFY2(accept->accessibleDescription().contains(u"Not every call"_s),
                 qPrintable(accept->accessibleDescription()));
    }

    void aServerRequestInTheBackgroundTakesNoKeys()
    {
        QVERIFY(recordDemo(m_path, {{u"delete-everything"_s, R"({"confirm":true})"}}));
        QTabWidget tabs;
        auto *line = new QLineEdit;
        tabs.addTab(line, u"Tool"_s);
        open(Replayer::Destructive::Ask);
        tabs.addTab(m_panel.get(), u"Replay"_s);
        tabs.resize(1100, 700);
        tabs.show();
        QVERIFY(QTest::qWaitForWindowActive(&tabs));
        line->setFocus();
        QTRY_VERIFY_WITH_TIMEOUT(!find<QWidget>(u"replayQuestion"_s)->isHidden(), Patience);
        QCOMPARE(QApplication::focusWidget(), line);
        QTest::keyClicks(QApplication::focusWidget(), u"a b"_s);
        QCOMPARE(line->text(), u"a b"_s);
        // Who comes to it can answer at once.
        tabs.setCurrentWidget(m_panel.get());
        QTRY_COMPARE(QApplication::focusWidget()->objectName(), u"askSkip"_s);
        // Who has gone elsewhere in the window keeps the keys when the next question comes.
        tabs.tabBar()->setFocus();
        QTest::mouseClick(find<QAbstractButton>(u"replayRun"_s), Qt::LeftButton);
        QVERIFY(ends());
        QTest::mouseClick(find<QAbstractButton>(u"replayRun"_s), Qt::LeftButton);
        tabs.tabBar()->setFocus();
        QTRY_VERIFY_WITH_TIMEOUT(find<QWidget>(u"replayQuestion"_s)->isVisible(), Patience);
        QCOMPARE(QApplication::focusWidget(), tabs.tabBar());
        m_panel->stop();
        QVERIFY(ends());
        m_panel->setParent(nullptr);
    }

    void allOfThemCanGetAResponseAtOnce_data()
    {
        QTest::addColumn<QString>("button");
        QTest::addColumn<int>("skipped");
        QTest::newRow("run all") << u"askRunAll"_s << 0;
        QTest::newRow("skip all") << u"askSkipAll"_s << 2;
    }

    void allOfThemCanGetAResponseAtOnce()
    {
        QFETCH(QString, button);
        QFETCH(int, skipped);
        QVERIFY(recordDemo(m_path, Calls));
        open(Replayer::Destructive::Ask);
        QTRY_VERIFY_WITH_TIMEOUT(find<QWidget>(u"replayQuestion"_s)->isVisible(), Patience);
        QTest::mouseClick(find<QAbstractButton>(button), Qt::LeftButton);
        QVERIFY(ends());
        QCOMPARE(count(Status::Skipped), skipped);
    }

    void aServerThatDoesNotStartIsSaidInWords()
    {
        QVERIFY(recordDemo(m_path, Calls));
        ServerSpec spec;
        spec.name = u"nowhere"_s;
        spec.command = u"/no/such/program"_s;
        open(Replayer::Destructive::Ask, spec);
        QVERIFY(ends());
        auto *notice = find<QWidget>(u"replayNotice"_s);
        QVERIFY(notice->isVisible());
        QCOMPARE(notice->accessibleName(), u"The server did not start"_s);
        QVERIFY2(notice->accessibleDescription().contains(u"/no/such/program"_s),
                 qPrintable(notice->accessibleDescription()));
        QCOMPARE(count(Status::Failed), m_panel->run().steps().size());
        QCOMPARE(badge(Status::Failed), u"✕ %1 failed"_s.arg(m_panel->run().steps().size()));
        const ReplayStep &first = m_panel->run().steps().first();
        QCOMPARE(stepBadge(first).text, u"✕ not sent"_s);
        QVERIFY2(first.reason.startsWith(u"Not sent: the server did not start."_s) &&
                     first.reason.contains(u"/no/such/program"_s),
                 qPrintable(tell()));
        QVERIFY(!find<QAbstractButton>(u"replayAccept"_s)->isEnabled());
        QCOMPARE(find<QAbstractButton>(u"replayRun"_s)->text(), u"Run again"_s);
        // Of nothing no recording is kept.
        QCOMPARE(SessionLibrary(m_folder->filePath(u"library"_s)).entries().size(), 0);
    }

    void aServerThatDiesLeavesItsResponses()
    {
        QVERIFY(recordDemo(m_path, Calls));
        open(Replayer::Destructive::Allow, test::demoServer({u"--exit-on-call"_s, u"3"_s}));
        QVERIFY(ends());
        QVERIFY(count(Status::Same) > 2);
        QCOMPARE(count(Status::Failed), 1);
        QVERIFY(count(Status::Skipped) > 1);
        QTRY_VERIFY(find<QWidget>(u"replayNotice"_s)->isVisible());
        QCOMPARE(find<QWidget>(u"replayNotice"_s)->accessibleName(),
                 u"The connection to the server was lost during the replay"_s);
    }

    void stoppingResponsesTheServerRequest()
    {
        QVERIFY(recordDemo(m_path, {{u"delete-everything"_s, R"({"confirm":true})"}}));
        open(Replayer::Destructive::Ask);
        QTRY_VERIFY2_WITH_TIMEOUT(find<QWidget>(u"replayQuestion"_s)->isVisible(), qPrintable(tell()), Patience);
        m_panel->stop();
        QVERIFY(ends());
        QVERIFY(!find<QWidget>(u"replayQuestion"_s)->isVisible());
        QCOMPARE(count(Status::Skipped), 1);
    }

    void canBeStoppedAndRunAgain()
    {
        QVERIFY(recordDemo(m_path, Calls));
        open(Replayer::Destructive::Allow, test::demoServer({u"--never-respond"_s, u"tools/call"_s}));
        QTRY_VERIFY_WITH_TIMEOUT(count(Status::Running) == 1, Patience);
        QCOMPARE(find<QAbstractButton>(u"replayRun"_s)->text(), u"Stop"_s);
        find<QAbstractButton>(u"replayRun"_s)->setFocus();
        QTest::keyClick(m_panel.get(), Qt::Key_Escape);
        QVERIFY(ends());
        QCOMPARE(count(Status::Running), 0);
        QCOMPARE(count(Status::Waiting), 0);
        QTest::mouseClick(find<QAbstractButton>(u"replayRun"_s), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(count(Status::Running) == 1, Patience);
        QTest::mouseClick(find<QAbstractButton>(u"replayRun"_s), Qt::LeftButton);
        QVERIFY(ends());
    }

    // Whoever hears of a run may stop it at once.
    void stoppedAtWhateverItTells_data()
    {
        QTest::addColumn<bool>("isSteps");
        QTest::addColumn<ReplayRun::State>("state");
        QTest::newRow("reading begins") << true << ReplayRun::State::Loading;
        QTest::newRow("steps are there") << true << ReplayRun::State::Connecting;
        QTest::newRow("connecting") << false << ReplayRun::State::Connecting;
        QTest::newRow("running") << false << ReplayRun::State::Running;
    }

    void stoppedAtWhateverItTells()
    {
        QFETCH(bool, isSteps);
        QFETCH(ReplayRun::State, state);
        QVERIFY(recordDemo(m_path, Calls));
        ReplayRun run(planFor(Replayer::Destructive::Allow, test::demoServer()),
                      SessionLibrary(m_folder->filePath(u"library"_s)));
        bool isStopped = false;
        const auto stop = [&] {
            if (run.state() == state && !std::exchange(isStopped, true))
                run.stop();
        };
        if (isSteps)
            connect(&run, &ReplayRun::stepsReset, this, stop);
        else
            connect(&run, &ReplayRun::stateChanged, this, stop);
        run.start();
        QTRY_VERIFY_WITH_TIMEOUT(isStopped, Patience);
        QTRY_VERIFY_WITH_TIMEOUT(!run.isActive(), Patience);
        for (int turn = 0; turn < 20; ++turn)
            QCoreApplication::processEvents();
        QVERIFY(!run.isActive());
        const auto hasRun = [](const ReplayStep &step) { return step.hasRun() && step.method != u"initialize"; };
        QCOMPARE(std::count_if(run.steps().begin(), run.steps().end(), hasRun), 0);
    }

    void goingAwayInTheMiddleIsClean_data()
    {
        QTest::addColumn<QString>("moment");
        QTest::newRow("reading") << u"reading"_s;
        QTest::newRow("starting") << u"starting"_s;
        QTest::newRow("waiting") << u"waiting"_s;
        QTest::newRow("asking") << u"asking"_s;
        QTest::newRow("ended") << u"ended"_s;
    }

    void goingAwayInTheMiddleIsClean()
    {
        QFETCH(QString, moment);
        QVERIFY(recordDemo(m_path, Calls));
        const QStringList switches = moment == u"starting"_s  ? QStringList{u"--slow-start"_s, u"60000"_s}
                                     : moment == u"waiting"_s ? QStringList{u"--never-respond"_s, u"tools/call"_s}
                                                              : QStringList();
        open(moment == u"asking"_s ? Replayer::Destructive::Ask : Replayer::Destructive::Allow,
             test::demoServer(switches));
        if (moment == u"starting"_s)
            QTRY_VERIFY_WITH_TIMEOUT(m_panel->run().state() == ReplayRun::State::Connecting, Patience);
        else if (moment == u"waiting"_s)
            QTRY_VERIFY_WITH_TIMEOUT(count(Status::Running) == 1, Patience);
        else if (moment == u"asking"_s)
            QTRY_VERIFY_WITH_TIMEOUT(m_panel->run().askedStep() >= 0, Patience);
        else if (moment == u"ended"_s)
            QVERIFY(ends());
        m_panel.reset();
        QCoreApplication::processEvents();
    }

    void theNewResponsesBecomeTheBaseline()
    {
        QVERIFY(recordDemo(m_path, Calls, countedWrong));
        const QByteArray before = test::readFile(m_path);
        open(Replayer::Destructive::Allow);
        QVERIFY(ends());
        auto *accept = find<QAbstractButton>(u"replayAccept"_s);
        QTRY_VERIFY_WITH_TIMEOUT(accept->isEnabled(), Patience);
        // It says what it will do; Cancel, where the focus is, does nothing.
        QTest::mouseClick(accept, Qt::LeftButton);
        QWidget *confirm = find<QWidget>(u"replayConfirm"_s);
        QVERIFY(confirm->isVisible());
        QVERIFY(confirm->accessibleDescription().contains(m_path));
        QCOMPARE(m_panel->focusWidget()->objectName(), u"confirmCancel"_s);
        QTest::keyClick(m_panel->focusWidget(), Qt::Key_Space);
        QVERIFY(!confirm->isVisible());
        QCOMPARE(test::readFile(m_path), before);
        QTest::mouseClick(accept, Qt::LeftButton);
        QTest::mouseClick(find<QAbstractButton>(u"confirmAccept"_s), Qt::LeftButton);
        auto *notice = find<QWidget>(u"replayNotice"_s);
        QTRY_VERIFY_WITH_TIMEOUT(notice->accessibleName().startsWith(u"Accepted: "_s), Patience);
        QVERIFY(!accept->isEnabled());
        QVERIFY(test::readFile(m_path) != before);
        const QString kept = m_panel->run().previousPath();
        QVERIFY2(notice->accessibleDescription().contains(kept), qPrintable(kept));
        QCOMPARE(test::readFile(kept), before);
        // Against the new baseline nothing differs any more.
        QTest::mouseClick(find<QAbstractButton>(u"replayRun"_s), Qt::LeftButton);
        QVERIFY(ends());
        QVERIFY2(count(Status::Same) == m_panel->run().steps().size(), qPrintable(tell()));
    }

    void someOfTheCallsAreNoBaseline()
    {
        QVERIFY(recordDemo(m_path, Calls));
        ReplayPlan plan = planFor(Replayer::Destructive::Allow, test::demoServer());
        plan.calls = ReplayPlan::Calls::Matching;
        plan.filter = Filter::parse(u"tool == add"_s).filter;
        open(plan);
        QVERIFY(ends());
        QCOMPARE(m_panel->run().steps().size(), 1);
        QCOMPARE(count(Status::Same), 1);
        auto *accept = find<QAbstractButton>(u"replayAccept"_s);
        QVERIFY(!accept->isEnabled());
        QVERIFY(accept->accessibleDescription().startsWith(u"Only some of the calls"_s));
    }

    void noCallsIsSaid()
    {
        QVERIFY(recordDemo(m_path, Calls));
        ReplayPlan plan = planFor(Replayer::Destructive::Allow, test::demoServer());
        plan.calls = ReplayPlan::Calls::Matching;
        plan.filter = Filter::parse(u"tool == nobody"_s).filter;
        open(plan);
        QVERIFY(ends());
        QVERIFY(!find<QTableView>(u"replaySteps"_s)->isVisible());
        QCOMPARE(facts(), u"0 steps"_s);
    }

    void aDamagedRecordingIsReplayedAsFarAsItGoes()
    {
        QVERIFY(recordDemo(m_path, Calls));
        QByteArray bytes = test::readFile(m_path);
        const qsizetype at = bytes.indexOf("hello");
        QVERIFY(at > 0);
        bytes.replace(at, 5, "hEllo");
        test::writeFile(m_path, bytes);
        open(Replayer::Destructive::Allow);
        QVERIFY(ends());
        QVERIFY(find<QWidget>(u"replayNotice"_s)->accessibleDescription().contains(u"damaged at byte"_s));
        QVERIFY2(count(Status::Same) > 4, qPrintable(tell()));
        // What was lost would be gone for good.
        auto *accept = find<QAbstractButton>(u"replayAccept"_s);
        QVERIFY(!accept->isEnabled());
        QVERIFY2(accept->accessibleDescription().startsWith(u"The session is damaged"_s),
                 qPrintable(accept->accessibleDescription()));
    }

    // Reading it, showing its steps and stopping it leave the window free.
    void aHundredThousandCallsDoNotHoldUpTheWindow()
    {
        constexpr int Many = 100'000;
        recordMany(Many, m_path);
        test::Turns turns;
        open(Replayer::Destructive::Allow, test::demoServer({u"--never-respond"_s, u"tools/call"_s}));
        QVERIFY(m_panel->run().steps().isEmpty());  // read by and by
        QVERIFY2(turns.runUntil([this] { return !m_panel->run().steps().isEmpty(); }, LongPatience),
                 qPrintable(tell()));
        QCOMPARE(m_panel->run().steps().size(), Many + 1);
        QCOMPARE(find<QTableView>(u"replaySteps"_s)->model()->rowCount(), Many + 1);
        QVERIFY(
            turns.runUntil([this] { return m_panel->run().steps().at(1).status == Status::Running; }, LongPatience));
        m_panel->stop();
        QVERIFY(m_panel->isRunning());  // not all are called off at once
        QVERIFY(turns.runUntil([this] { return !m_panel->isRunning(); }, LongPatience));
        QCOMPARE(count(Status::Skipped), Many - 1);
        QTRY_VERIFY(badge(Status::Skipped).startsWith(u"99\u2009999 "));
    }

    // The step that one looks at comes first, and no report is made of half of them.
    void otherRulesReachManyStepsByAndBy()
    {
        constexpr int Many = 500;
        const QString now = m_folder->filePath(u"now.mcpsession"_s);
        recordMany(Many, now, R"({"content":[],"structuredContent":{"sum":3}})");
        recordMany(Many, m_path, R"({"content":[],"structuredContent":{"sum":4}})");
        ServerSpec mock;
        mock.name = u"mock"_s;
        mock.command = test::builtProgram(QStringLiteral("sonde-cli"));
        mock.arguments = QStringList{u"mock"_s, now};
        open(Replayer::Destructive::Allow, mock);
        QVERIFY(test::Turns().runUntil([this] { return !m_panel->isRunning(); }, LongPatience));
        QTRY_COMPARE(badge(Status::Changed), u"≠ 500 changed"_s);
        auto *report = find<QToolButton>(u"replayReport"_s);
        QVERIFY(report->isEnabled());
        chooseIgnore(find<QTableView>(u"replayDifferences"_s), 0, u"This path in responses of echo"_s);
        QCOMPARE(label(u"replaySummary"_s), u"1 ignored by rule"_s);
        QVERIFY(!report->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(report->isEnabled(), Patience);
        QCOMPARE(count(Status::Changed), 0);
        QTRY_COMPARE(badge(Status::Changed), QString());
    }

    void whatIsNoRecordingIsSaid()
    {
        test::writeFile(m_path, "nothing of the kind");
        open(Replayer::Destructive::Allow);
        QVERIFY(ends());
        QCOMPARE(find<QWidget>(u"replayNotice"_s)->accessibleName(), u"The session was not replayed"_s);
        m_panel->stop();
    }

    void rulesThatCannotBeReadAreNotGuessed()
    {
        QVERIFY(recordDemo(m_path, Calls));
        QFile rules(ReplayRules::pathBeside(m_path));
        QVERIFY(rules.open(QIODevice::WriteOnly) && rules.write("{\"ignored\":1}") > 0);
        rules.close();
        open(Replayer::Destructive::Allow);
        QVERIFY(ends());
        QVERIFY(find<QWidget>(u"replayNotice"_s)->accessibleDescription().contains(u"contains no rules"_s));
        QVERIFY(m_panel->run().steps().isEmpty());
    }

    void reportsAreSaved_data()
    {
        QTest::addColumn<bool>("asJson");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("holds");
        QTest::newRow("JUnit") << false << u"demo.junit.xml"_s << "<testsuite "_ba;
        QTest::newRow("JSON") << true << u"demo.replay.json"_s << "\"status\":\"changed\""_ba;
    }

    void reportsAreSaved()
    {
        QFETCH(bool, asJson);
        QFETCH(QString, name);
        QFETCH(QByteArray, holds);
        QVERIFY(recordDemo(m_path, Calls, countedWrong));
        open(Replayer::Destructive::Allow);
        QVERIFY(ends());
        auto *button = find<QToolButton>(u"replayReport"_s);
        if (asJson)
            button->menu()->actions().last()->trigger();
        else
            QTest::mouseClick(button, Qt::LeftButton, {}, QPoint(10, button->height() / 2));
        auto *dialog = m_panel->findChild<QFileDialog *>(u"saveDialog"_s);
        QVERIFY(dialog);
        QCOMPARE(QFileInfo(dialog->selectedFiles().value(0)).fileName(), name);
        const QString path = m_folder->filePath(name);
        dialog->selectFile(path);
        static_cast<QDialog *>(dialog)->accept();
        QTRY_VERIFY(QFile::exists(path));
        QVERIFY2(test::readFile(path).contains(holds), test::readFile(path).constData());
        QVERIFY(find<QWidget>(u"replayNotice"_s)->accessibleName().startsWith(u"Saved to"_s));
    }

    void stepsAreFiltered()
    {
        QVERIFY(recordDemo(m_path, Calls, countedWrong));
        open(Replayer::Destructive::Allow);
        QVERIFY(ends());
        auto *steps = find<QTableView>(u"replaySteps"_s);
        const int all = steps->model()->rowCount();
        auto *filter = find<QLineEdit>(u"replayFilter"_s);
        QTest::keyClicks(filter, u"tool == delete-everything"_s);
        QTRY_COMPARE(steps->model()->rowCount(), 2);
        // What is selected is shown on, and selected again when it comes back.
        QCOMPARE(label(u"replayTitle"_s), u"add"_s);
        filter->clear();
        QTRY_COMPARE(steps->model()->rowCount(), all);
        QVERIFY(steps->currentIndex().isValid());
        // A badge shows only its steps.
        QTest::mouseClick(find<QAbstractButton>(u"replayCount:changed"_s), Qt::LeftButton);
        QCOMPARE(steps->model()->rowCount(), 1);
        QTest::mouseClick(find<QAbstractButton>(u"replayCount:same"_s), Qt::LeftButton);
        QCOMPARE(steps->model()->rowCount(), all - 1);
        QTest::mouseClick(find<QAbstractButton>(u"replayCount:same"_s), Qt::LeftButton);
        QCOMPARE(steps->model()->rowCount(), all);
        // By keys from step to step.
        steps->setFocus();
        QTest::keyClick(steps, Qt::Key_Home, Qt::ControlModifier);
        QCOMPARE(label(u"replayTitle"_s), u"initialize"_s);
    }

private:
    ReplayPlan planFor(Replayer::Destructive destructive, const ServerSpec &server) const
    {
        ReplayPlan plan;
        plan.recordingPath = m_path;
        plan.server = server;
        plan.destructive = destructive;
        return plan;
    }

    // The handshake and that many calls of echo, each with its response.
    static void recordMany(int calls, const QString &path, const QByteArray &result = R"({"content":[]})")
    {
        const std::unique_ptr<Session> session = Session::create(path, u"demo"_s);
        const auto record = [&session](Direction direction, const QByteArray &id, const QByteArray &members) {
            WireEvent event;
            event.kind = WireEvent::Kind::Message;
            event.direction = direction;
            event.bytes = R"({"jsonrpc":"2.0","id":)" + id + ',' + members + '}';
            event.wireLength = event.bytes.size();
            event.message = Message::parse(event.bytes);
            session->append(event, 1);
        };
        record(Direction::ToServer, "0", R"("method":"initialize","params":{"capabilities":{}})");
        record(Direction::FromServer, "0", R"("result":{"protocolVersion":"2025-11-25","capabilities":{}})");
        for (int i = 1; i <= calls; ++i) {
            const QByteArray id = QByteArray::number(i);
            record(Direction::ToServer, id, R"("method":"tools/call","params":{"name":"echo","arguments":{}})");
            record(Direction::FromServer, id, "\"result\":" + result);
        }
        session->finish();
    }

    void open(const ReplayPlan &plan)
    {
        m_panel = std::make_unique<ReplayPanel>(plan, SessionLibrary(m_folder->filePath(u"library"_s)));
        m_panel->resize(1100, 700);
        m_panel->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
        find<QAbstractButton>(u"replayRun"_s)->setFocus();
        m_panel->start();
    }
    void open(Replayer::Destructive destructive, const ServerSpec &server = test::demoServer())
    {
        open(planFor(destructive, server));
    }

    bool ends()
    {
        return QTest::qWaitFor([this] { return !m_panel->isRunning(); }, Patience);
    }

    template <typename T>
    T *find(const QString &name) const
    {
        return m_panel->findChild<T *>(name);
    }
    QString label(const QString &name) const { return find<TextLabel>(name)->text(); }
    QString facts() const { return label(u"replayFacts"_s); }
    QString badge(Status status) const
    {
        const auto *button = find<QAbstractButton>(u"replayCount:"_s + toString(status));
        return button->isVisible() ? button->text() : QString();
    }
    qsizetype count(Status status) const
    {
        const ReplayRun &run = m_panel->run();
        return run.replayer() ? run.replayer()->count(status) : 0;
    }
    QString tell() const
    {
        QStringList lines{facts()};
        for (const ReplayStep &step : m_panel->run().steps())
            lines << stepBadge(step).text + u' ' + step.method + u' ' + step.target + u' ' + step.reason;
        return lines.join(u'\n');
    }

    static QStringList cells(const QTableView *table)
    {
        QStringList lines;
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            QStringList line;
            for (int column = 0; column < table->model()->columnCount(); ++column)
                line << table->model()->index(row, column).data().toString();
            lines << line.join(u" | "_s);
        }
        return lines;
    }

    void chooseIgnore(QTableView *table, int row, const QString &entry)
    {
        const QModelIndex place = table->model()->index(row, int(DifferenceModel::Column::Note));
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(place).center());
        auto *menu = m_panel->findChild<QMenu *>(u"ignoreMenu"_s);
        QVERIFY(menu);
        for (QAction *action : menu->actions()) {
            if (action->text() != entry)
                continue;
            QVERIFY(action->isEnabled());
            menu->setActiveAction(action);
            QTest::keyClick(menu, Qt::Key_Return);
            return;
        }
        QFAIL(qPrintable(u"there is no entry "_s + entry));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
    std::unique_ptr<ReplayPanel> m_panel;
};

SONDE_TEST(TestReplayPanel)
#include "tst_replaypanel.moc"
