// What sonde-cli asks a person at a terminal.
// SPDX-License-Identifier: Apache-2.0
#include "core/files/userfolder.h"
#include "core/json/builder.h"
#include "tests/app/cli/clirun.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QProcess>
#include <QTest>

#include <fcntl.h>
#include <unistd.h>
#include <cstdlib>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::CliRun;

class TestCliTerminal : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
        if (m_terminal < 0)
            QSKIP("this system has no pseudo-terminals");
        QVERIFY(::grantpt(m_terminal) == 0 && ::unlockpt(m_terminal) == 0);
    }
    void cleanup() { ::close(m_terminal); }

    void aToolThatMayDestroyNeedsYes()
    {
        const QStringList call{u"call"_s, u"delete-everything"_s, u"confirm=true"_s};
        const QStringList server{u"--"_s, test::demoProgram()};
        const CliRun refused = run(call + server);
        QVERIFY2(refused.exitCode == 4 && refused.err.contains("--yes"), refused.describe().constData());
        QVERIFY2(refused.out.isEmpty(), refused.describe().constData());
        const QString params = u"{\"name\":\"delete-everything\",\"arguments\":{\"confirm\":true}}"_s;
        QCOMPARE(run(QStringList{u"request"_s, u"tools/call"_s, u"--params"_s, params} + server).exitCode, 4);
        QCOMPARE(run(call + QStringList{u"--yes"_s} + server).exitCode, 0);
        // Others, and scripts, are called as they always were.
        QCOMPARE(run({u"call"_s, u"add"_s, u"a=1"_s, u"b=2"_s, u"--"_s, test::demoProgram()}).exitCode, 0);
        QCOMPARE(test::runCli(call + server).exitCode, 0);
    }

    void s3_aSavedServerIsAskedFor()
    {
        const QString folder = userFolder(UserFolder::Config);
        QVERIFY(QDir(folder).removeRecursively() && QDir().mkpath(folder));
        const auto write = [&folder](const QByteArray &argument) {
            test::writeFile(folder + u"/servers.json"_s,
                            "{\"mcpServers\":{\"one\":{\"command\":" + json::quoted(test::demoProgram()) +
                                ",\"args\":[" + argument + "]}}}");
        };
        write({});
        const QStringList info{u"info"_s, u"--server"_s, u"one"_s};
        const CliRun declined = run(info, "n\n");
        QVERIFY2(declined.exitCode == 4 && declined.err.contains("Start it? [y/N]"), declined.describe().constData());
        QCOMPARE(run(info, "\n").exitCode, 4);
        QCOMPARE(run(info, "y\n").exitCode, 0);
        QCOMPARE(run(info).exitCode, 0);
        // Somebody has edited the file.
        write("\"--stateful\\u001b[2K\"");
        const CliRun changed = run(info, "n\n");
        QCOMPARE(changed.exitCode, 4);
        QVERIFY2(changed.err.contains("has changed since it was approved"), changed.describe().constData());
        QVERIFY2(changed.err.contains("+ Argument 1: --stateful\u2039ESC\u203a[2K"), changed.describe().constData());
    }

private:
    // With the terminal as its standard input, at which this is typed.
    CliRun run(const QStringList &arguments, const QByteArray &typed = {})
    {
        QProcess process;
        process.setStandardInputFile(QString::fromLocal8Bit(::ptsname(m_terminal)));
        process.start(test::cliProgram(), arguments);
        CliRun run;
        const bool isTyped = typed.isEmpty() || ::write(m_terminal, typed.constData(), size_t(typed.size())) > 0;
        const bool isOver = isTyped && QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, 60'000);
        run.out = process.readAllStandardOutput();
        run.err = process.readAllStandardError();
        if (isOver && process.exitStatus() == QProcess::NormalExit)
            run.exitCode = process.exitCode();
        return run;
    }

    int m_terminal = -1;
};

SONDE_TEST(TestCliTerminal)
#include "tst_cliterminal.moc"
