// sonde-cli: the five outcomes in its exit code, and what it refuses to do.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/clirun.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

#include <csignal>

using namespace Qt::StringLiterals;
using sonde::test::askDemo;
using sonde::test::CliRun;
using sonde::test::runCli;

class tst_CliExitCodes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void tellsTheOutcomesApart_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QStringList>("switches");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("outcome");
        QTest::addColumn<QByteArray>("error");  // a part of what people read on standard error
        const QStringList add{u"call"_s, u"add"_s, u"a=1"_s, u"b=2"_s};
        QTest::newRow("ok") << add << QStringList() << 0 << u"ok"_s << ""_ba;
        QTest::newRow("tool error") << QStringList{u"call"_s, u"fail"_s} << QStringList() << 1 << u"tool-error"_s
                                    << "Tool error"_ba;
        QTest::newRow("protocol error") << QStringList{u"call"_s, u"protocol-error"_s, u"code=-32603"_s}
                                        << QStringList() << 2 << u"protocol-error"_s << "Protocol error -32603"_ba;
        QTest::newRow("no such resource") << QStringList{u"read"_s, u"demo://nowhere"_s} << QStringList() << 2
                                          << u"protocol-error"_s << "Resource not found"_ba;
        QTest::newRow("no such prompt") << QStringList{u"prompt"_s, u"nothing"_s} << QStringList() << 2
                                        << u"protocol-error"_s << "There is no prompt"_ba;
        QTest::newRow("timeout") << QStringList{u"call"_s, u"slow"_s, u"seconds=60"_s, u"--timeout"_s, u"0.3"_s}
                                 << QStringList() << 3 << u"no-response"_s << "No response"_ba;
        QTest::newRow("server died") << add << QStringList{u"--exit-on-call"_s, u"0"_s} << 3 << u"no-response"_s
                                     << "No response"_ba;
        QTest::newRow("server crashed") << add << QStringList{u"--crash-on-call"_s} << 3 << u"no-response"_s
                                        << "No response"_ba;
        QTest::newRow("not started") << add << QStringList{u"--stderr-then-exit"_s} << 3 << u"no-response"_s
                                     << "No such file or directory"_ba;
        QTest::newRow("silent") << QStringList{u"info"_s, u"--timeout"_s, u"0.3"_s}
                                << QStringList{u"--never-respond"_s, u"initialize"_s} << 3 << u"no-response"_s
                                << "No response"_ba;
    }
    void tellsTheOutcomesApart()
    {
        QFETCH(QStringList, words);
        QFETCH(QStringList, switches);
        QFETCH(int, code);
        QFETCH(QString, outcome);
        QFETCH(QByteArray, error);
        const CliRun run = askDemo(words, switches);
        QVERIFY2(run.exitCode == code, run.describe().constData());
        QVERIFY2(run.err.contains(error), run.describe().constData());
        QCOMPARE(run.err.isEmpty(), code == 0);
        const CliRun machine = askDemo(words + QStringList{u"--json"_s}, switches);
        QVERIFY2(machine.exitCode == code, machine.describe().constData());
        QCOMPARE(machine.out.count('\n'), 1);
        QVERIFY2(machine.json()[u"outcome"].string() == outcome, machine.describe().constData());
        QCOMPARE(machine.result().isObject(), code <= 1);
        QCOMPARE(machine.json()[u"error"].isObject(), code > 1);
    }

    void protocolErrorsKeepTheirData()
    {
        const QStringList words{u"call"_s, u"protocol-error"_s, u"data:={\"field\":\"a\",\"n\":1.0}"_s};
        const CliRun run = askDemo(words);
        QVERIFY2(run.err.contains("\"field\": \"a\""), run.describe().constData());
        const CliRun machine = askDemo(words + QStringList{u"--json"_s});
        QCOMPARE(machine.json()[u"error"][u"data"].bytes(), R"({"field":"a","n":1.0})"_ba);
        QCOMPARE(machine.json()[u"error"][u"kind"].string(), u"remote"_s);
    }

    void refusesWrongUse_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("error");
        const auto row = [](const char *name, const QStringList &words, const char *error) {
            QTest::newRow(name) << words << QByteArray(error);
        };
        const QStringList server{u"--"_s, sonde::test::demoProgram()};
        row("nothing", {}, "expected a verb");
        row("no such verb", QStringList{u"frob"_s} + server, "unknown verb 'frob'");
        row("no server", {u"info"_s}, "no server");
        row("two servers", QStringList{u"info"_s, u"--url"_s, u"http://127.0.0.1:1/"_s} + server,
            "more than one server");
        row("no command", {u"info"_s, u"--"_s}, "expected a command after --");
        row("no such option", QStringList{u"info"_s, u"--frob"_s} + server, "unknown option '--frob'");
        row("no value", QStringList{u"info"_s, u"--timeout"_s} + server, "--timeout needs a value");
        row("empty value", QStringList{u"info"_s, u"--record"_s, QString()} + server, "--record needs a value");
        row("empty value after =", QStringList{u"read"_s, u"demo://a"_s, u"--save="_s} + server,
            "--save needs a value");
        row("header for a command", QStringList{u"info"_s, u"--header"_s, u"A: b"_s} + server,
            "--header requires a URL");
        row("folder for an address", {u"info"_s, u"--cwd"_s, u"/tmp"_s, u"--url"_s, u"http://127.0.0.1:1/"_s},
            "require a command");
        row("bad timeout", QStringList{u"info"_s, u"--timeout"_s, u"soon"_s} + server,
            "'soon' is not a positive number of seconds");
        row("bad header", {u"info"_s, u"--url"_s, u"http://127.0.0.1:1/"_s, u"--header"_s, u"nothing"_s},
            "'nothing' is not of the form 'NAME: VALUE'");
        row("bad environment", QStringList{u"info"_s, u"--env"_s, u"nothing"_s} + server,
            "'nothing' is not of the form NAME=VALUE");
        row("no such list", QStringList{u"list"_s, u"toys"_s} + server, "unknown list 'toys'");
        row("no tool", QStringList{u"call"_s} + server, "expected the name of a tool");
        row("no address", QStringList{u"read"_s} + server, "expected the URI of a resource");
        row("no assignment", QStringList{u"call"_s, u"add"_s, u"a"_s} + server, "'a' is neither KEY=VALUE");
        row("bad JSON", QStringList{u"call"_s, u"add"_s, u"a:={"_s} + server, "is not JSON");
        row("no number", QStringList{u"call"_s, u"add"_s, u"a=one"_s} + server, "a: 'one' is not of type number");
        row("twice", QStringList{u"call"_s, u"add"_s, u"a=1"_s, u"a=2"_s} + server, "'a' is given more than once");
        row("no such file", QStringList{u"call"_s, u"add"_s, u"--args"_s, u"/nowhere/x.json"_s} + server,
            "/nowhere/x.json cannot be read");
        row("arguments of info", QStringList{u"info"_s, u"x"_s} + server, "unexpected argument 'x'");
        row("file for read", QStringList{u"read"_s, u"demo://x"_s, u"--args"_s, u"-"_s} + server,
            "--args is allowed only with");
        row("params that are none", QStringList{u"call"_s, u"--params"_s, u"[1]"_s} + server, "must be a JSON object");
        row("params of info", QStringList{u"info"_s, u"--params"_s, u"{}"_s} + server, "--params is allowed only with");
        row("params and a name", QStringList{u"call"_s, u"add"_s, u"--params"_s, u"{}"_s} + server,
            "--params replaces");
        row("no folder", QStringList{u"read"_s, u"demo://x"_s, u"--save"_s, u"/nowhere"_s} + server,
            "folder /nowhere does not exist");
        row("nothing to save", QStringList{u"list"_s, u"--save"_s, u"/tmp"_s} + server, "--save is allowed only with");
        row("files that --json would not write",
            QStringList{u"read"_s, u"demo://x"_s, u"--save"_s, u"/tmp"_s, u"--json"_s} + server,
            "cannot be used with --json");
        row("no such variable", QStringList{u"read"_s, u"demo://{a}"_s, u"b=1"_s} + server,
            "the template has no variable 'b'");
        row("bad address", {u"info"_s, u"--url"_s, u"not a valid URL"_s}, "");
    }
    void refusesWrongUse()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, error);
        const CliRun run = runCli(words);
        QVERIFY2(run.exitCode == 4, run.describe().constData());
        QVERIFY2(run.err.contains("sonde-cli: ") && run.err.contains(error), run.describe().constData());
        // With --json the same is in the envelope.
        QVERIFY2(run.out.isEmpty() || run.json()[u"outcome"].string() == u"usage-error"_s, run.describe().constData());
    }

    void saysItsVersion()
    {
        static const QRegularExpression version(u"\\Asonde-cli "_s +
                                                QRegularExpression::escape(QStringLiteral(SONDE_VERSION)) +
                                                u"( \\([0-9a-f]{7,}\\))?\n\\z"_s);
        QVERIFY(version.match(QString::fromUtf8(runCli({u"--version"_s}).out)).hasMatch());
    }

    void anUnknownOptionIsToldWhatTheVerbTakes()
    {
        const CliRun own = runCli({u"mock"_s, u"a"_s, u"--frob"_s});
        QVERIFY2(own.exitCode == 4 && own.err.contains("mock takes only --timing, --http and --json"),
                 own.describe().constData());
        const CliRun other = runCli({u"stats"_s, u"a"_s, u"--filter"_s, u"x"_s});
        QVERIFY2(
            other.exitCode == 4 && other.err.contains("--filter is allowed only with list, replay, log and export"),
            other.describe().constData());
        QVERIFY2(other.err.contains("Try sonde-cli stats --help."), other.describe().constData());
    }

    void saysWhatCameInsteadOfAnResponse()
    {
        const QStringList words{u"call"_s, u"add"_s, u"a=1"_s, u"b=2"_s, u"--timeout"_s, u"3"_s};
        const CliRun run = askDemo(words, {u"--wrong-id"_s});
        QVERIFY2(run.exitCode == 3, run.describe().constData());
        QVERIFY2(run.err.contains("Finding: "), run.describe().constData());
        const CliRun machine = askDemo(words + QStringList{u"--json"_s}, {u"--wrong-id"_s});
        QVERIFY2(machine.json()[u"findings"].size() == 1, machine.describe().constData());
    }

    void namesTheListThatIsMissing()
    {
        const CliRun run =
            askDemo({u"list"_s, u"--timeout"_s, u"3"_s}, {u"--never-respond"_s, u"resources/templates/list"_s});
        QVERIFY2(run.exitCode == 3, run.describe().constData());
        QVERIFY2(run.err.contains("Templates could not be listed"), run.describe().constData());
        QVERIFY2(run.out.contains("Tools (") && !run.out.contains("Templates (0)"), run.describe().constData());
    }

    void aProgramThatIsNotThereIsNamed()
    {
        const CliRun run = runCli({u"info"_s, u"--"_s, u"no-such-program-anywhere"_s});
        QVERIFY2(run.exitCode == 3, run.describe().constData());
        QVERIFY2(run.err.contains("no-such-program-anywhere"), run.describe().constData());
        QVERIFY2(run.err.contains("/usr/bin"), run.describe().constData());  // the PATH that was searched
    }

    void variablesStandInFrontOfTheCommand()
    {
        const CliRun run = runCli({u"info"_s, u"--"_s, u"WHO=a b"_s, u"/bin/sh"_s, u"-c"_s, u"echo \"[$WHO]\" >&2"_s});
        QVERIFY2(run.exitCode == 3, run.describe().constData());
        QVERIFY2(run.err.contains("[a b]"), run.describe().constData());
    }

    void interruptsEndInOrder_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QStringList>("switches");
        QTest::addColumn<int>("signal");
        const QStringList progress{u"call"_s, u"progress"_s, u"steps=10000"_s};
        QTest::newRow("during a call") << progress << QStringList() << SIGINT;
        QTest::newRow("terminated during a call") << progress << QStringList() << SIGTERM;
        QTest::newRow("during the handshake")
            << QStringList{u"info"_s} << QStringList{u"--never-respond"_s, u"initialize"_s, u"--junk-on-stdout"_s}
            << SIGINT;
        QTest::newRow("terminated during the handshake")
            << QStringList{u"info"_s} << QStringList{u"--never-respond"_s, u"initialize"_s} << SIGTERM;
        QTest::newRow("while tools are listed") << QStringList{u"call"_s, u"add"_s, u"a=1"_s, u"b=2"_s}
                                                << QStringList{u"--never-respond"_s, u"tools/list"_s} << SIGINT;
    }
    void interruptsEndInOrder()
    {
        QFETCH(QStringList, words);
        QFETCH(QStringList, switches);
        QFETCH(int, signal);
        // The server's own output is the sign that it runs: it is written through to a file by the shell.
        QProcess cli;
        cli.start(sonde::test::cliProgram(),
                  words + QStringList{u"--json"_s, u"--revision=2025-11-25"_s, u"--"_s, sonde::test::demoProgram()} +
                      switches);
        QVERIFY(cli.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(childOf(cli.processId()) > 0, sonde::test::Patience);
        const qint64 child = childOf(cli.processId());
        QTRY_VERIFY_WITH_TIMEOUT(handlesSignals(cli.processId()), sonde::test::Patience);
        ::kill(pid_t(cli.processId()), signal);
        QVERIFY(cli.waitForFinished(20'000));
        QCOMPARE(cli.exitStatus(), QProcess::NormalExit);
        QCOMPARE(cli.exitCode(), 128 + signal);
        const QByteArray out = cli.readAllStandardOutput();
        const auto printed = sonde::json::parse(out.trimmed());
        QVERIFY2(printed[u"outcome"].string() == u"interrupted"_s, out.constData());
        QVERIFY2(printed[u"error"].isObject(), out.constData());
        QVERIFY2(out.contains("Cancelled by you") == (signal == SIGINT), out.constData());
        QTRY_VERIFY(::kill(pid_t(child), 0) != 0);  // no orphan
    }

    // Whichever two they are.
    void aSecondSignalEndsAtOnce_data()
    {
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("second");
        QTest::newRow("twice Ctrl-C") << SIGINT << SIGINT;
        QTest::newRow("Ctrl-C, then kill") << SIGINT << SIGTERM;
        QTest::newRow("kill, then Ctrl-C") << SIGTERM << SIGINT;
    }
    void aSecondSignalEndsAtOnce()
    {
        QFETCH(int, first);
        QFETCH(int, second);
        // A server that takes its time to end: its input is closed and SIGTERM sent in vain.
        QProcess cli;
        cli.setReadChannel(QProcess::StandardError);
        cli.start(sonde::test::cliProgram(),
                  {u"info"_s, u"--"_s, sonde::test::builtProgram(QStringLiteral("fake-stdio-server")), u"ignore:15"_s,
                   u"hang"_s});
        QVERIFY(cli.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(childOf(cli.processId()) > 0, sonde::test::Patience);
        QTRY_VERIFY_WITH_TIMEOUT(handlesSignals(cli.processId()), sonde::test::Patience);
        ::kill(pid_t(cli.processId()), first);
        QVERIFY(cli.waitForReadyRead(20'000));
        ::kill(pid_t(cli.processId()), second);
        QVERIFY(cli.waitForFinished(20'000));
        QCOMPARE(cli.exitStatus(), QProcess::CrashExit);
        QCOMPARE(cli.exitCode(), second);
    }

private:
    static QByteArray procFile(qint64 pid, const char *name)
    {
        QFile file(u"/proc/%1/%2"_s.arg(pid).arg(QLatin1StringView(name)));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static qint64 childOf(qint64 pid)
    {
        const QByteArray name = "task/" + QByteArray::number(pid) + "/children";
        return procFile(pid, name.constData()).split(' ').first().toLongLong();
    }
    static bool handlesSignals(qint64 pid)
    {
        for (const QByteArray &line : procFile(pid, "status").split('\n')) {
            if (line.startsWith("SigCgt:"))
                return line.mid(7).trimmed().toULongLong(nullptr, 16) & (1ULL << (SIGINT - 1));
        }
        return false;
    }
};

SONDE_TEST(tst_CliExitCodes)
#include "tst_cliexitcodes.moc"
