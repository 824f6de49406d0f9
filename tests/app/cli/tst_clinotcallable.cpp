// sonde-cli list and call with a tool whose header annotation breaks the rules.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/clirun.h"
#include "tests/support/badtoolserver.h"
#include "tests/support/testregistry.h"

#include <QTest>
#include <QThread>

#include <memory>

using namespace Qt::StringLiterals;
using sonde::test::BadToolServer;
using sonde::test::CliRun;
using sonde::test::runCli;

namespace {

// The server runs on this thread, so the command line is waited for on another one.
CliRun runBeside(const QStringList &arguments)
{
    CliRun run;
    const std::unique_ptr<QThread> thread(QThread::create([&] { run = runCli(arguments); }));
    thread->start();
    while (!thread->isFinished())
        QTest::qWait(5);
    thread->wait();
    return run;
}

}  // namespace

class TestCliNotCallable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void list()
    {
        const BadToolServer server;
        const QString address = server.url().toString();
        const CliRun run = runBeside({u"list"_s, u"tools"_s, u"--revision"_s, u"2026-07-28"_s, u"--url"_s, address});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        QVERIFY2(run.out.contains("[not callable]"), run.describe().constData());
        QVERIFY2((run.out + run.err).contains("The tool bad cannot be called over HTTP: "), run.describe().constData());
        QVERIFY2(!(run.out + run.err).contains("The tool good"), run.describe().constData());

        const CliRun json =
            runBeside({u"list"_s, u"tools"_s, u"--json"_s, u"--revision"_s, u"2026-07-28"_s, u"--url"_s, address});
        QCOMPARE(json.result()[u"tools"].size(), 2);
        QVERIFY2(json.finding().startsWith(u"The tool bad cannot be called over HTTP: "_s),
                 json.describe().constData());
    }

    void check()
    {
        const BadToolServer server;
        const CliRun run =
            runBeside({u"check"_s, u"--revision"_s, u"2026-07-28"_s, u"--url"_s, server.url().toString()});
        QVERIFY2(run.exitCode == 1, run.describe().constData());
        QVERIFY2(run.out.contains("tools/list: The tool bad cannot be called over HTTP: "), run.describe().constData());
        QVERIFY2(!run.out.contains("The tool good"), run.describe().constData());
    }

    void call_data()
    {
        QTest::addColumn<QStringList>("verb");
        QTest::newRow("call") << QStringList{u"call"_s, u"%1"_s};
        QTest::newRow("request") << QStringList{u"request"_s, u"tools/call"_s, u"--params"_s, u"{\"name\":\"%1\"}"_s};
    }
    void call()
    {
        QFETCH(QStringList, verb);
        const BadToolServer server;
        const QStringList where{u"--revision"_s, u"2026-07-28"_s, u"--url"_s, server.url().toString()};
        const auto verbFor = [&verb](const QString &tool) {
            return QStringList(verb.mid(0, verb.size() - 1)) << verb.last().arg(tool);
        };
        const CliRun bad = runBeside(verbFor(u"bad"_s) + where);
        QVERIFY2(bad.exitCode != 0, bad.describe().constData());
        QVERIFY2(bad.err.contains("The tool bad cannot be called over HTTP: "), bad.describe().constData());
        QCOMPARE(server.calls(), 0);
        const CliRun good = runBeside(verbFor(u"good"_s) + where);
        QVERIFY2(good.exitCode == 0, good.describe().constData());
        QCOMPARE(server.calls(), 1);
    }
};

SONDE_TEST(TestCliNotCallable)
#include "tst_clinotcallable.moc"
