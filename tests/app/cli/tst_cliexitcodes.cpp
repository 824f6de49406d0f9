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
        QTest::newRow("no such tool") << QStringList{u"call"_s, u"nothing"_s} << QStringList() << 2
                                      << u"protocol-error"_s << "does not list a tool 'nothing'"_ba;
        QTest::newRow("no such resource") << QStringList{u"read"_s, u"demo://nowhere"_s} << QStringList() << 2
                                          << u"protocol-error"_s << "Resource not found"_ba;
        QTest::newRow("no such prompt") << QStringList{u"prompt"_s, u"nothing"_s} << QStringList() << 2
                                        << u"protocol-error"_s << "There is no prompt"_ba;
        QTest::newRow("timeout") << QStringList{u"call"_s, u"slow"_s, u"seconds=60"_s, u"--timeout"_s, u"0.3"_s}
                                 << QStringList() << 3 << u"no-answer"_s << "No response"_ba;
        QTest::newRow("server died") << add << QStringList{u"--exit-on-call"_s, u"0"_s} << 3 << u"no-answer"_s
                                     << "No response"_ba;
        QTest::newRow("server crashed") << add << QStringList{u"--crash-on-call"_s} << 3 << u"no-answer"_s
                                        << "No response"_ba;
        QTest::newRow("not started") << add << QStringList{u"--stderr-then-exit"_s} << 3 << u"no-answer"_s
                                     << "No such file or directory"_ba;
        QTest::newRow("silent") << QStringList{u"info"_s, u"--timeout"_s, u"0.3"_s}
                                << QStringList{u"--never-respond"_s, u"initialize"_s} << 3 << u"no-answer"_s
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
        QCOMPARE(machine.json().contains(u"result"), code <= 1);
        QCOMPARE(machine.json().contains(u"error"), code > 1);
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
        row("recording where nothing can be written",
            QStringList{u"info"_s, u"--record"_s, u"/proc/session"_s} + server, "/proc/session");
        row("bad timeout", QStringList{u"info"_s, u"--timeout"_s, u"soon"_s} + server, "'soon' is not a number");
        row("bad header", {u"info"_s, u"--url"_s, u"http://127.0.0.1:1/"_s, u"--header"_s, u"nothing"_s},
            "'nothing' is not of the form 'NAME: VALUE'");
        row("bad environment", QStringList{u"info"_s, u"--env"_s, u"nothing"_s} + server,
            "'nothing' is not of the form NAME=VALUE");
        row("no such list", QStringList{u"list"_s, u"toys"_s} + server, "unknown list 'toys'");
        row("no tool", QStringList{u"call"_s} + server, "expected a name");
        row("no address", QStringList{u"read"_s} + server, "expected a resource URI");
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
        QVERIFY(run.out.isEmpty());
    }

    void explainsItself()
    {
        const CliRun help = runCli({u"--help"_s});
        QCOMPARE(help.exitCode, 0);
        for (const char *text : {"  info ",
                                 "  list ",
                                 "  call TOOL",
                                 "  read URI",
                                 "  prompt NAME",
                                 "--url URL",
                                 "--server NAME",
                                 "--header",
                                 "--env",
                                 "--cwd",
                                 "--timeout",
                                 "--json",
                                 "--args FILE",
                                 "--params JSON",
                                 "--record FILE",
                                 "--save FOLDER",
                                 "  0  OK",
                                 "  1  tool error",
                                 "  2  protocol error",
                                 "  3  no response",
                                 "  4  usage error",
                                 "--responses FILE"})
            QVERIFY2(help.out.contains(text), text);
        QCOMPARE(runCli({u"--version"_s}).out, QByteArray("sonde-cli " SONDE_VERSION "\n"));
    }

    // Each verb with its own options, all of which are in the manual.
    void explainsEachVerb()
    {
        static const QRegularExpression verbRow(u"^  ([a-z-]+)(?: |$)"_s, QRegularExpression::MultilineOption);
        static const QRegularExpression optionRow(u"^  (?:-\\w, )?(--[a-z-]+)"_s, QRegularExpression::MultilineOption);
        QFile page(QStringLiteral(SONDE_SOURCE_DIR "/packaging/sonde-cli.1"));
        QVERIFY(page.open(QIODevice::ReadOnly));
        const QString manual = QString::fromUtf8(page.readAll()).remove(u'\\');
        const QString overview = QString::fromUtf8(runCli({u"--help"_s}).out);
        auto verbs = verbRow.globalMatch(overview.section(u"Verbs:"_s, 1).section(u"Server:"_s, 0, 0));
        int count = 0;
        while (verbs.hasNext()) {
            const QString verb = verbs.next().captured(1);
            const CliRun help = runCli({verb, u"--help"_s});
            QVERIFY2(help.exitCode == 0 && help.err.isEmpty(), help.describe().constData());
            QVERIFY2(help.out.startsWith("Usage: sonde-cli " + verb.toUtf8()), help.describe().constData());
            QVERIFY2(help.out.contains("Examples:\n  sonde-cli "), help.describe().constData());
            QVERIFY2(manual.contains(verb), qPrintable(verb));
            auto options = optionRow.globalMatch(QString::fromUtf8(help.out));
            while (options.hasNext()) {
                const QString option = options.next().captured(1);
                QVERIFY2(manual.contains(option), qPrintable(verb + u' ' + option));
            }
            ++count;
        }
        QVERIFY(count > 20);
    }

    void anUnknownOptionIsToldWhatTheVerbTakes()
    {
        const CliRun own = runCli({u"mock"_s, u"a"_s, u"--frob"_s});
        QVERIFY2(own.exitCode == 4 && own.err.contains("mock takes --timing and --http"), own.describe().constData());
        const CliRun other = runCli({u"stats"_s, u"a"_s, u"--filter"_s, u"x"_s});
        QVERIFY2(other.exitCode == 4 && other.err.contains("--filter is allowed only with replay, export and log"),
                 other.describe().constData());
        QVERIFY2(other.err.contains("Try sonde-cli stats --help."), other.describe().constData());
    }

    void completesWords_data()
    {
        QTest::addColumn<QStringList>("words");  // the last one is to be completed
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<QByteArray>("offered");
        QTest::newRow("verb") << QStringList{QString()} << "words"_ba
                              << "export-servers"_ba;
        QTest::newRow("option") << QStringList{u"replay"_s, u"--"_s} << "words"_ba
                                << "--allow-destructive"_ba;
        QTest::newRow("choice") << QStringList{u"export"_s, u"s"_s, u"--format"_s, QString()} << "words"_ba
                                << "markdown"_ba;
        QTest::newRow("argument") << QStringList{u"list"_s, QString()} << "words"_ba
                                  << "templates"_ba;
        QTest::newRow("file") << QStringList{u"log"_s, QString()} << "files"_ba
                              << ""_ba;
        QTest::newRow("folder") << QStringList{u"info"_s, u"--cwd"_s, QString()} << "folders"_ba
                                << ""_ba;
        QTest::newRow("command") << QStringList{u"info"_s, u"--"_s, QString()} << "files"_ba
                                 << ""_ba;
    }
    void completesWords()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, kind);
        QFETCH(QByteArray, offered);
        QProcess cli;  // not runCli(), which adds an option
        cli.start(sonde::test::cliProgram(), QStringList{u"completion"_s, u"bash"_s, u"--"_s} + words);
        QVERIFY(cli.waitForFinished());
        QCOMPARE(cli.exitCode(), 0);
        const QList<QByteArray> lines = cli.readAllStandardOutput().trimmed().split('\n');
        QCOMPARE(lines.constFirst(), kind);
        QVERIFY2(offered.isEmpty() || lines.contains(offered), lines.join(' ').constData());
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
        QTest::newRow("during a call") << QStringList{u"call"_s, u"progress"_s, u"steps=10000"_s} << QStringList();
        QTest::newRow("during the handshake")
            << QStringList{u"info"_s} << QStringList{u"--never-respond"_s, u"initialize"_s, u"--junk-on-stdout"_s};
        QTest::newRow("while tools are listed") << QStringList{u"call"_s, u"add"_s, u"a=1"_s, u"b=2"_s}
                                                << QStringList{u"--never-respond"_s, u"tools/list"_s};
    }
    void interruptsEndInOrder()
    {
        QFETCH(QStringList, words);
        QFETCH(QStringList, switches);
        // The server's own output is the sign that it runs: it is written through to a file by the shell.
        QProcess cli;
        cli.start(sonde::test::cliProgram(),
                  words + QStringList{u"--json"_s, u"--revision=2025-11-25"_s, u"--"_s, sonde::test::demoProgram()} +
                      switches);
        QVERIFY(cli.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(childOf(cli.processId()) > 0, sonde::test::Patience);
        const qint64 child = childOf(cli.processId());
        QTRY_VERIFY_WITH_TIMEOUT(handlesSignals(cli.processId()), sonde::test::Patience);
        ::kill(pid_t(cli.processId()), SIGINT);
        QVERIFY(cli.waitForFinished(20'000));
        QCOMPARE(cli.exitStatus(), QProcess::NormalExit);
        QCOMPARE(cli.exitCode(), 3);
        const QByteArray out = cli.readAllStandardOutput();
        QVERIFY2(sonde::json::parse(out.trimmed())[u"outcome"].string() == u"no-answer"_s, out.constData());
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
        cli.start(sonde::test::cliProgram(),
                  {u"info"_s, u"--json"_s, u"--"_s, sonde::test::builtProgram(QStringLiteral("fake-stdio-server")),
                   u"ignore:15"_s, u"hang"_s});
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
