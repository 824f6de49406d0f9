// What sonde-cli asks a person at a terminal.
// SPDX-License-Identifier: Apache-2.0
#include "core/files/userfolder.h"
#include "core/json/builder.h"
#include "tests/app/cli/clirun.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <csignal>
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

    // In every way to call it.
    void aDestructiveToolIsAskedFor_data()
    {
        QTest::addColumn<QStringList>("words");
        const QString params = u"{\"name\":\"delete-everything\",\"arguments\":{\"confirm\":true}}"_s;
        QVERIFY(m_folder.isValid());
        const QString script = m_folder.filePath(u"script"_s);
        test::writeFile(script, "call delete-everything confirm=true\n");
        QTest::newRow("call") << QStringList{u"call"_s, u"delete-everything"_s, u"confirm=true"_s};
        QTest::newRow("call with params") << QStringList{u"call"_s, u"--params"_s, params};
        QTest::newRow("request") << QStringList{u"request"_s, u"tools/call"_s, u"--params"_s, params};
        QTest::newRow("run") << QStringList{u"run"_s, script};
    }
    void aDestructiveToolIsAskedFor()
    {
        QFETCH(QStringList, words);
        const QStringList server{u"--"_s, test::demoProgram()};
        const QByteArray done = "There was nothing to delete";
        const CliRun declined = run(words + server, "n\n");
        QVERIFY2(declined.exitCode == 4 && !declined.out.contains(done), declined.describe().constData());
        QVERIFY2(declined.err.contains("Call it? [y/N]"), declined.describe().constData());
        const CliRun agreed = run(words + server, "y\n");
        QVERIFY2(agreed.exitCode == 0, agreed.describe().constData());
        const CliRun unasked = run(words + QStringList{u"--yes"_s} + server);
        QVERIFY2(unasked.exitCode == 0 && !unasked.err.contains("[y/N]"), unasked.describe().constData());
        QCOMPARE(unasked.out, agreed.out);
        // Nobody can be asked in a pipe.
        const CliRun refused = test::runCli(words + server);
        QVERIFY2(refused.exitCode == 4 && refused.out.isEmpty(), refused.describe().constData());
        QVERIFY2(refused.err.contains("Add --yes to call it."), refused.describe().constData());
        const CliRun allowed = test::runCli(words + QStringList{u"--yes"_s} + server);
        QVERIFY2(allowed.exitCode == 0, allowed.describe().constData());
    }

    void otherToolsAreNotAskedFor()
    {
        const CliRun add = run({u"call"_s, u"add"_s, u"a=1"_s, u"b=2"_s, u"--"_s, test::demoProgram()});
        QVERIFY2(add.exitCode == 0 && !add.err.contains("[y/N]"), add.describe().constData());
    }

    void anInterruptedQuestionCallsNothing()
    {
        QProcess process;
        process.setStandardInputFile(QString::fromLocal8Bit(::ptsname(m_terminal)));
        process.start(test::cliProgram(),
                      {u"call"_s, u"delete-everything"_s, u"confirm=true"_s, u"--"_s, test::demoProgram()});
        QByteArray said;
        QTRY_VERIFY_WITH_TIMEOUT((said += process.readAllStandardError()).contains("[y/N]"), test::Patience);
        ::kill(pid_t(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(20'000));
        QCOMPARE(process.exitCode(), 130);
        QVERIFY(process.readAllStandardOutput().isEmpty());
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

    void approvingIsAskedFor()
    {
        const QString folder = userFolder(UserFolder::Config);
        QVERIFY(QDir(folder).removeRecursively() && QDir().mkpath(folder));
        test::writeFile(folder + u"/servers.json"_s,
                        "{\"mcpServers\":{\"one\":{\"command\":" + json::quoted(test::demoProgram()) + "}}}");
        const QStringList approve{u"servers"_s, u"approve"_s, u"one"_s};
        const CliRun declined = run(approve, "n\n");
        QVERIFY2(declined.exitCode == 4 && declined.err.contains("Approve it? [y/N]"), declined.describe().constData());
        const CliRun approved = run(approve, "y\n");
        QVERIFY2(approved.exitCode == 0 && approved.out == "Approved: one\n", approved.describe().constData());
        QCOMPARE(run({u"ping"_s, u"--server"_s, u"one"_s}).exitCode, 0);
    }

    void listsAreAsWideAsTheTerminal()
    {
        const QByteArray narrow = shown({u"list"_s, u"tools"_s, u"--"_s, test::demoProgram()}, 50, {});
        QVERIFY2(narrow.contains("Tools"), narrow.constData());
        for (const QByteArray &line : withoutColours(narrow).split('\n'))
            QVERIFY2(QString::fromUtf8(line).trimmed().size() <= 50 || !line.trimmed().contains(' '),  // a long name
                     line.constData());
        const QByteArray wide = shown({u"list"_s, u"tools"_s, u"--"_s, test::demoProgram()}, 200, {});
        QVERIFY2(wide.count('\n') < narrow.count('\n'), wide.constData());
        // COLUMNS counts for more than the terminal.
        const QByteArray told = shown({u"list"_s, u"tools"_s, u"--"_s, test::demoProgram()}, 50, {u"COLUMNS=200"_s});
        QCOMPARE(told, wide);
    }

    void coloursAreOnlyForATerminal_data()
    {
        QTest::addColumn<QStringList>("variables");
        QTest::addColumn<QString>("option");
        QTest::addColumn<bool>("hasColours");
        QTest::newRow("terminal") << QStringList() << QString() << true;
        QTest::newRow("NO_COLOR") << QStringList{u"NO_COLOR=1"_s} << QString() << false;
        QTest::newRow("NO_COLOR counts for more")
            << QStringList{u"NO_COLOR=1"_s, u"CLICOLOR_FORCE=1"_s} << QString() << false;
        QTest::newRow("dumb") << QStringList{u"TERM=dumb"_s} << QString() << false;
        QTest::newRow("forced") << QStringList{u"TERM=dumb"_s, u"CLICOLOR_FORCE=1"_s} << QString() << true;
        QTest::newRow("JSON") << QStringList{u"CLICOLOR_FORCE=1"_s} << u"--json"_s << false;
    }
    void coloursAreOnlyForATerminal()
    {
        QFETCH(QStringList, variables);
        QFETCH(QString, option);
        QFETCH(bool, hasColours);
        QStringList words{u"list"_s, u"tools"_s};
        if (!option.isEmpty())
            words.append(option);
        const QByteArray out = shown(words + QStringList{u"--"_s, test::demoProgram()}, 80, variables);
        QVERIFY2(!out.isEmpty() && out.contains('\x1b') == hasColours, out.constData());
    }

private:
    static QByteArray withoutColours(const QByteArray &text)
    {
        static const QRegularExpression colour(u"\x1b\\[[0-9;]*m"_s);
        return QString::fromUtf8(text).remove(colour).toUtf8();
    }

    // What it prints to a terminal of that width.
    QByteArray shown(const QStringList &arguments, int columns, const QStringList &variables)
    {
        winsize size{};
        size.ws_col = ushort(columns);
        size.ws_row = 24;
        if (::ioctl(m_terminal, TIOCSWINSZ, &size) != 0)
            return {};
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const auto &name : {u"NO_COLOR"_s, u"CLICOLOR_FORCE"_s, u"COLUMNS"_s})
            environment.remove(name);
        environment.insert(u"TERM"_s, u"xterm"_s);
        for (const QString &variable : variables)
            environment.insert(variable.section(u'=', 0, 0), variable.section(u'=', 1));
        process.setProcessEnvironment(environment);
        // As long as one end is open here, what was printed stays there to be read.
        const QString name = QString::fromLocal8Bit(::ptsname(m_terminal));
        const int held = ::open(name.toLocal8Bit().constData(), O_RDWR | O_NOCTTY);
        process.setStandardOutputFile(name);
        process.start(test::cliProgram(), arguments);
        ::fcntl(m_terminal, F_SETFL, O_NONBLOCK);
        QByteArray out;
        const auto read = [&] {
            char buffer[4096];
            for (ssize_t count = 0; (count = ::read(m_terminal, buffer, sizeof buffer)) > 0;)
                out.append(buffer, count);
        };
        (void)QTest::qWaitFor(
            [&] {
                read();
                return process.state() == QProcess::NotRunning;
            },
            60'000);
        read();
        ::close(held);
        return out.replace("\r\n", "\n");
    }

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

    QTemporaryDir m_folder;
    int m_terminal = -1;
};

SONDE_TEST(TestCliTerminal)
#include "tst_cliterminal.moc"
