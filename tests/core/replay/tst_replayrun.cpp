// One replay as the command line makes it, on a connection that is not its own, and as the window does, all by itself.
// SPDX-License-Identifier: Apache-2.0
#include "core/replay/replayrun.h"
#include "tests/core/replay/replayfixture.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Driver;
using sonde::test::Patience;
using sonde::test::tell;
using Status = ReplayStep::Status;

class tst_ReplayRun : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath(u"s.mcpsession"_s);
        Driver driver(test::demoServer(), test::quiet(m_path));
        QVERIFY2(driver.openOnly(), driver.describe().constData());
        driver.callTool(u"echo"_s, R"({"text":"Hello"})");
        driver.callTool(u"add"_s, R"({"a":1,"b":2})");
        driver.callTool(u"delete-everything"_s, R"({"confirm":true})");
        QVERIFY(driver.close());
    }

    void somebodyElsesConnectionStaysOpen()
    {
        ReplayRun run(plan());
        QVERIFY(!run.read());
        QVERIFY(run.hasCalls());
        QCOMPARE(run.steps().size(), 0);
        Driver driver(test::demoServer(), run.connectionOptions());
        QVERIFY2(replay(run, driver), driver.describe().constData());
        QVERIFY2(run.replayer()->count(Status::Same) == run.steps().size(), tell(*run.replayer()).constData());
        QCOMPARE(run.steps().size(), 4);
        QVERIFY(driver.connection().state() == Connection::State::Connected);
    }

    // Nothing was made that is worth keeping; but who asked for this file decides about it.
    void somebodyElsesRecordingStays()
    {
        ReplayPlan few = plan();
        few.calls = ReplayPlan::Calls::Matching;
        few.filter = Filter::parse(u"tool == delete-everything"_s).filter;
        QVERIFY(!few.filter.matchesAll());
        few.destructive = Replayer::Destructive::Skip;
        ReplayRun run(few);
        QVERIFY(!run.read());
        const QString made = m_folder->filePath(u"new.mcpsession"_s);
        ConnectionOptions options = run.connectionOptions();
        options.sessionPath = made;
        Driver driver(test::demoServer(), options);
        QVERIFY2(replay(run, driver), driver.describe().constData());
        QCOMPARE(run.steps().size(), 1);
        QVERIFY(run.steps().first().wasForbidden);
        QVERIFY(!run.acceptProblem().isEmpty());
        QVERIFY(driver.close());
        QVERIFY(QFile::exists(made));
    }

    void theConnectionMayGoFirst()
    {
        ReplayRun run(plan());
        QVERIFY(!run.read());
        {
            Driver driver(test::demoServer({u"--never-respond"_s, u"tools/call"_s}), run.connectionOptions());
            QVERIFY2(driver.openOnly(), driver.describe().constData());
            run.startOn(&driver.connection());
            QVERIFY(run.isActive());
        }
        QTRY_VERIFY(!run.isActive());
        QVERIFY(run.replayer()->isUnanswered() || run.replayer()->count(Status::Skipped) > 0);
    }

    void rulesCanBeSomewhereElse()
    {
        ReplayPlan other = plan();
        other.rulesPath = m_folder->filePath(u"mine.json"_s);
        ReplayRun missing(other);
        QVERIFY(missing.read());
        QVERIFY(missing.recording());  // it is the rules that cannot be read
        test::writeFile(other.rulesPath, R"({"ignore":[{"pointer":"/content"}]})");
        ReplayRun run(other);
        QVERIFY(!run.read());
        QCOMPARE(run.rules().rules().size(), 1);
        ReplayRules none;
        QVERIFY(!run.setRules(none, -1));
        QVERIFY(!QFile::exists(ReplayRules::pathBeside(m_path)));
        QVERIFY(!test::readFile(other.rulesPath).contains("/content"));
    }

    void withoutARecordingThereIsNothingToRead()
    {
        ReplayPlan nowhere = plan();
        nowhere.recordingPath = m_folder->filePath(u"none.mcpsession"_s);
        ReplayRun run(nowhere);
        QVERIFY(run.read());
        QVERIFY(!run.recording());
        QVERIFY(!run.hasCalls());
    }

    void theNewRecordingTakesThePlaceOfTheOld()
    {
        const QByteArray before = test::readFile(m_path);
        ReplayRun run(plan());
        QVERIFY(!run.read());
        ConnectionOptions options = run.connectionOptions();
        options.sessionPath = m_folder->filePath(u"new.mcpsession"_s);
        Driver driver(test::demoServer(), options);
        QVERIFY(!run.acceptProblem().isEmpty());
        QVERIFY2(replay(run, driver), driver.describe().constData());
        QCOMPARE(run.acceptProblem(), QString());
        QSignalSpy accepted(&run, &ReplayRun::accepted);
        run.accept();
        QVERIFY(run.isAccepting());
        QVERIFY(accepted.wait(Patience));
        QVERIFY(!accepted.first().first().value<Error>());
        QVERIFY(!run.isAccepting());
        QCOMPARE(test::readFile(run.previousPath()), before);
        QVERIFY(test::readFile(m_path) != before);
        QVERIFY(!QFile::exists(options.sessionPath));
        QVERIFY(!run.acceptProblem().isEmpty());  // once is enough
    }

    void allByItself()
    {
        ReplayPlan whole = plan();
        whole.server = test::demoServer();
        const SessionLibrary library(m_folder->filePath(u"library"_s));
        ReplayRun run(whole, library);
        qsizetype read = -1;
        qsizetype readBeforeSteps = -1;
        run.setOnRead([&read](const QList<ReplayStep> &steps, const Session &) -> std::function<void()> {
            return [&read, count = steps.size()] { read = count; };
        });
        connect(&run, &ReplayRun::stepsReset, this, [&] { readBeforeSteps = run.steps().isEmpty() ? -1 : read; });
        run.start();
        QTRY_VERIFY(!run.isActive() && run.acceptProblem().isEmpty());
        QCOMPARE(readBeforeSteps, 4);
        QVERIFY2(run.replayer()->count(Status::Same) == 4, tell(*run.replayer()).constData());
        QCOMPARE(library.entries().size(), 1);
        QCOMPARE(library.entries().first().path, run.newRecordingPath());
    }

private:
    ReplayPlan plan() const
    {
        ReplayPlan plan;
        plan.recordingPath = m_path;
        plan.destructive = Replayer::Destructive::Allow;
        return plan;
    }

    static bool replay(ReplayRun &run, Driver &driver)
    {
        if (!driver.openOnly())
            return false;
        run.startOn(&driver.connection());
        return driver.waitUntil([&run] { return run.state() == ReplayRun::State::Finished; });
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

SONDE_TEST(tst_ReplayRun)
#include "tst_replayrun.moc"
