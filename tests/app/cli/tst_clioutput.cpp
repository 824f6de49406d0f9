// sonde-cli: what it says of servers that break the rules, and of output that cannot be written.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/clirun.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using sonde::test::askDemo;
using sonde::test::CliRun;
using sonde::test::runCli;

class tst_CliOutput : public QObject {
    Q_OBJECT

    static QString fakeServer() { return sonde::test::builtProgram(QStringLiteral("fake-stdio-server")); }

    // A server that shakes hands, and does then what the script says.
    static QStringList serverWith(const QString &capabilities, const QStringList &script)
    {
        return QStringList{u"--"_s, fakeServer(), u"readline"_s,
                           u"say:{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\","_s +
                               capabilities + u"\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}"_s,
                           u"readline"_s} +
               script;
    }

    // A server with tools that gives its first tools/call this result.
    static QStringList serverAnswering(const QString &result)
    {
        return serverWith(
            u"\"capabilities\":{\"tools\":{}},"_s,
            {u"readline"_s,
             u"say:{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[{\"name\":\"x\",\"inputSchema\":{\"type\":\"object\"}}]}}"_s,
             u"readline"_s, u"say:{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":"_s + result + u'}', u"waiteof"_s});
    }

    static CliRun runInto(const QString &output, const QStringList &words)
    {
        QProcess process;
        process.setStandardOutputFile(output);
        process.start(sonde::test::cliProgram(), words);
        process.closeWriteChannel();
        CliRun run;
        if (process.waitForFinished(60'000) && process.exitStatus() == QProcess::NormalExit)
            run.exitCode = process.exitCode();
        run.err = process.readAllStandardError();
        return run;
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_session = m_folder.filePath(u"s.mcpsession"_s);
        const CliRun run = askDemo({u"call"_s, u"structured-wrong"_s, u"--record"_s, m_session});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
    }

    void outputThatCannotBeWrittenIsSaid_data()
    {
        QTest::addColumn<QStringList>("words");
        const QStringList demo{u"--"_s, sonde::test::demoProgram()};
        QTest::newRow("list") << QStringList{u"list"_s} + demo;
        QTest::newRow("list as JSON") << QStringList{u"list"_s, u"--json"_s} + demo;
        QTest::newRow("info") << QStringList{u"info"_s} + demo;
        QTest::newRow("call") << QStringList{u"call"_s, u"add"_s, u"a=1"_s, u"b=2"_s} + demo;
        QTest::newRow("call as JSON") << QStringList{u"call"_s, u"fail"_s, u"--json"_s} + demo;
        QTest::newRow("large") << QStringList{u"call"_s, u"big"_s, u"bytes=300000"_s} + demo;
        QTest::newRow("prompt") << QStringList{u"prompt"_s, u"greeting"_s} + demo;
        QTest::newRow("read") << QStringList{u"read"_s, u"demo://readme"_s, u"--json"_s} + demo;
        QTest::newRow("replay") << QStringList{u"replay"_s, m_session} + demo;
        QTest::newRow("replay as JSON") << QStringList{u"replay"_s, m_session, u"--json"_s} + demo;
        QTest::newRow("diff") << QStringList{u"diff"_s, m_session, sonde::test::demoProgram()};
        QTest::newRow("log") << QStringList{u"log"_s, m_session};
        QTest::newRow("log as JSON") << QStringList{u"log"_s, m_session, u"--json"_s};
        QTest::newRow("stats") << QStringList{u"stats"_s, m_session};
        QTest::newRow("export") << QStringList{u"export"_s, m_session, u"--format"_s, u"markdown"_s};
        QTest::newRow("help") << QStringList{u"--help"_s};
        QTest::newRow("help of export") << QStringList{u"export"_s, u"--help"_s};
    }
    void outputThatCannotBeWrittenIsSaid()
    {
        QFETCH(QStringList, words);
        const CliRun run = runInto(u"/dev/full"_s, words);
        QVERIFY2(run.exitCode == 3, run.describe().constData());
        QVERIFY2(run.err.contains("No space left on device"), run.describe().constData());
    }

    // As a program that SIGPIPE ends.
    void aReaderThatHasEnoughIsNoFailure_data() { outputThatCannotBeWrittenIsSaid_data(); }
    void aReaderThatHasEnoughIsNoFailure()
    {
        QFETCH(QStringList, words);
        int ends[2];
        QVERIFY(::pipe2(ends, O_CLOEXEC) == 0);
        ::close(ends[0]);
        QProcess process;
        process.setChildProcessModifier([output = ends[1]] { ::dup2(output, STDOUT_FILENO); });
        process.start(sonde::test::cliProgram(), words);
        ::close(ends[1]);
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 141);
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(!said.contains("pipe"), said.constData());
    }

    void aMockWhoseOutputCannotBeWrittenSaysSo()
    {
        QProcess process;
        process.setStandardOutputFile(u"/dev/full"_s);
        process.start(sonde::test::cliProgram(), {u"mock"_s, m_session});
        process.write("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n");
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 3);
        QVERIFY(process.readAllStandardError().contains("No space left on device"));
    }

    void aLogMessageNeedsNoLogger()
    {
        const CliRun run = runCli(
            QStringList{u"ping"_s, u"--verbose"_s} +
            serverWith(u"\"capabilities\":{\"logging\":{}},"_s,
                       {u"readline"_s,
                        u"say:{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":"_s +
                            u"\"notice\",\"data\":\"hello\"}}"_s,
                        u"say:{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}"_s, u"waiteof"_s}));
        QVERIFY2(run.exitCode == 0 && run.err == "[notice] hello\n", run.describe().constData());
    }

    void signingOutPrintsJson()
    {
        const CliRun run = runCli({u"logout"_s, u"--json"_s, u"--url"_s, u"http://127.0.0.1:1/mcp"_s});
        QVERIFY2(run.exitCode == 0 && run.result()[u"wasSignedIn"].isBool(), run.describe().constData());
        QVERIFY(!run.result()[u"wasSignedIn"].toBool());
    }

    void aClosedStandardOutputIsSaid()
    {
        QProcess process;
        process.start(u"/bin/sh"_s, {u"-c"_s, u"exec \"$0\" info -- \"$1\" >&-"_s, sonde::test::cliProgram(),
                                     sonde::test::demoProgram()});
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 3);
        QVERIFY(process.readAllStandardError().contains("Bad file descriptor"));
    }

    void watchingEndsWhereOutputCannotBeWritten_data()
    {
        const QString message =
            u"say:{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":1}}"_s;
        const QString updated =
            u"say:{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\"a:b\"}}"_s;
        const QString read = u"say:{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"contents\":[]}}"_s;
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QStringList>("steps");
        QTest::newRow("log-level") << QStringList{u"log-level"_s, u"info"_s} << QStringList{message};
        QTest::newRow("subscribe") << QStringList{u"subscribe"_s, u"a:b"_s, u"--json"_s}
                                   << QStringList{updated, u"readline"_s, read};
    }
    void watchingEndsWhereOutputCannotBeWritten()
    {
        QFETCH(QStringList, words);
        QFETCH(QStringList, steps);
        const QStringList server{u"--"_s,
                                 sonde::test::builtProgram(QStringLiteral("fake-stdio-server")),
                                 u"readline"_s,
                                 u"say:{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\","
                                 "\"capabilities\":{\"logging\":{},\"resources\":{\"subscribe\":true}},"
                                 "\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}"_s,
                                 u"readline"_s,
                                 u"readline"_s,
                                 u"say:{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}"_s};
        const CliRun run = runInto(u"/dev/full"_s, words + QStringList{u"--revision"_s, u"2025-11-25"_s} + server +
                                                       steps + QStringList{u"waiteof"_s});
        QVERIFY2(run.exitCode == 3 && run.err.contains("No space left on device"), run.describe().constData());
    }

    void oddTextsAreReadStrictlyAndShownSafely_data()
    {
        QTest::addColumn<QString>("text");  // of a result, with the escapes of fake-stdio-server
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<int>("exitCode");
        QTest::newRow("invalid UTF-8") << u"a\\xFFb"_s << "Byte 0xff is not valid UTF-8"_ba << 3;
        QTest::newRow("overlong") << u"a\\xC0\\xAFb"_s << "Byte 0xc0 is not valid UTF-8"_ba << 3;
        QTest::newRow("NUL") << u"a\\x00b"_s << "Unexpected NUL byte"_ba << 3;
        QTest::newRow("lone surrogate") << u"a\\x5Cud800b"_s << "Unpaired surrogate"_ba << 0;
        QTest::newRow("escaped NUL") << u"a\\x5Cu0000b"_s << "‹NUL›"_ba << 0;
        QTest::newRow("duplicate key") << u"a\",\"text\":\"b"_s << "Duplicate key 'text'"_ba << 0;
        QTest::newRow("range") << u"a\",\"n\":1e400,\"m\":\""_s << "Number outside the range"_ba << 0;
        QTest::newRow("CR LF and empty lines") << u"a\"}]}}\\r\\n\\n\\r\\n{\"x\":[{\"y\":{\"z\":\""_s << "a"_ba << 0;
    }
    void oddTextsAreReadStrictlyAndShownSafely()
    {
        QFETCH(QString, text);
        QFETCH(QByteArray, said);
        QFETCH(int, exitCode);
        const CliRun run = runCli(
            {u"call"_s, u"a"_s, u"--"_s, sonde::test::builtProgram(QStringLiteral("fake-stdio-server")), u"readline"_s,
             u"say:{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
             "\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}"_s,
             u"readline"_s, u"readline"_s,
             u"raw:{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\""_s + text +
                 u"\"}]}}\\n"_s,
             u"waiteof"_s});
        QVERIFY2(run.exitCode == exitCode, run.describe().constData());
        QVERIFY2((run.out + run.err).contains(said), run.describe().constData());
        QVERIFY(!run.out.contains('\0') && !run.err.contains('\0'));
    }

    void aByteOrderMarkIsNamed()
    {
        const CliRun run =
            runCli({u"ping"_s, u"--"_s, sonde::test::builtProgram(QStringLiteral("fake-stdio-server")), u"readline"_s,
                    u"say:\uFEFF{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\","
                    "\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}"_s,
                    u"waiteof"_s});
        QVERIFY2(run.exitCode == 3 && run.err.contains("begins with a byte order mark"), run.describe().constData());
        QVERIFY2(!run.err.contains("Logs belong"), run.describe().constData());
    }

    // What the server sent is said as what it is.
    void responsesThatViolateJsonRpc_data()
    {
        QTest::addColumn<QString>("response");
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<QByteArray>("notSaid");
        QTest::newRow("error without a code") << u"{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"message\":\"no\"}}"_s
                                              << "Protocol error: no\nThe error has no 'code'."_ba
                                              << "error 0"_ba;
        QTest::newRow("code in a string")
            << u"{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":\"E1\",\"message\":\"no\"}}"_s
            << "Protocol error: no\nThe error's 'code' is not an integer: \"E1\""_ba
            << "error 0"_ba;
        QTest::newRow("no version") << u"{\"id\":2,\"result\":{}}"_s << "violates JSON-RPC: 'jsonrpc' is missing."_ba
                                    << "standard error"_ba;
        QTest::newRow("another version") << u"{\"jsonrpc\":\"1.0\",\"id\":2,\"result\":{}}"_s
                                         << "violates JSON-RPC: 'jsonrpc' is not \"2.0\"."_ba
                                         << "standard error"_ba;
        QTest::newRow("neither result nor error")
            << u"{\"jsonrpc\":\"2.0\",\"id\":2}"_s
            << "violates JSON-RPC: None of 'method', 'result' and 'error' is present."_ba
            << "standard error"_ba;
    }
    void responsesThatViolateJsonRpc()
    {
        QFETCH(QString, response);
        QFETCH(QByteArray, said);
        QFETCH(QByteArray, notSaid);
        const CliRun run = runCli(
            {u"ping"_s, u"--"_s, sonde::test::builtProgram(QStringLiteral("fake-stdio-server")), u"readline"_s,
             u"say:{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
             "\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}"_s,
             u"readline"_s, u"readline"_s, u"say:"_s + response, u"waiteof"_s});
        QVERIFY2(run.exitCode == 2 || run.exitCode == 3, run.describe().constData());
        QVERIFY2(run.err.contains(said), run.describe().constData());
        QVERIFY2(!run.err.contains(notSaid), run.describe().constData());
    }

    void junkOnStandardOutputIsSaid()
    {
        for (const QStringList &words : {QStringList{u"call"_s, u"add"_s, u"a=1"_s, u"b=2"_s}, QStringList{u"info"_s},
                                         QStringList{u"list"_s}, QStringList{u"replay"_s, m_session}}) {
            const CliRun run = askDemo(words, {u"--junk-on-stdout"_s});
            QVERIFY2(run.exitCode == 0, run.describe().constData());
            QVERIFY2(run.err.contains(" lines to standard output that are not JSON-RPC messages. "
                                      "The first: sonde-demo-server is starting"),
                     run.describe().constData());
        }
        const CliRun machine = askDemo({u"call"_s, u"add"_s, u"a=1"_s, u"b=2"_s, u"--json"_s}, {u"--junk-on-stdout"_s});
        QVERIFY2(machine.finding().contains(u"not JSON-RPC"_s), machine.describe().constData());
        QVERIFY(askDemo({u"info"_s}).err.isEmpty());
    }

    void aServerThatOnlyWritesJunkFailsWithItShownAndExplained_data()
    {
        QTest::addColumn<QStringList>("script");
        QTest::addColumn<QByteArray>("shown");
        QTest::addColumn<QByteArray>("explained");
        QTest::newRow("banner") << QStringList{u"say:Listening on stdio"_s, u"hang"_s} << "Listening on stdio"_ba
                                << "Logs belong on standard error"_ba;
        QTest::newRow("banner, then the end")
            << QStringList{u"say:usage: server FILE"_s, u"exit:2"_s} << "usage: server FILE"_ba
            << "Logs belong on standard error"_ba;
        QTest::newRow("indented") << QStringList{u"say:{"_s, u"say:  \"jsonrpc\": \"2.0\","_s, u"say:  \"id\": 1"_s,
                                                 u"say:}"_s, u"hang"_s}
                                  << "  \"id\": 1"_ba
                                  << "over several lines (indented JSON)"_ba;
        QTest::newRow("framed with headers")
            << QStringList{u"say:Content-Length: 12"_s, u"say:{}"_s, u"hang"_s} << "Content-Length: 12"_ba
            << "Language Server Protocol"_ba;
    }
    void aServerThatOnlyWritesJunkFailsWithItShownAndExplained()
    {
        QFETCH(QStringList, script);
        QFETCH(QByteArray, shown);
        QFETCH(QByteArray, explained);
        const CliRun run = runCli(QStringList{u"info"_s, u"--timeout"_s, u"1"_s, u"--"_s, fakeServer()} + script);
        QVERIFY2(run.exitCode == 3, run.describe().constData());
        QVERIFY2(run.err.contains(shown), run.describe().constData());
        QCOMPARE(run.err.count(explained), 1);
    }

    void aProgramThatRepeatsItsInputIsNoServer()
    {
        const CliRun run = runCli({u"info"_s, u"--timeout"_s, u"5"_s, u"--"_s, u"cat"_s});
        QVERIFY2(run.exitCode == 3, run.describe().constData());
        QVERIFY2(run.err.contains("echoes its input"), run.describe().constData());
        QVERIFY2(!run.err.contains("-32601"), run.describe().constData());
    }

    void whatIsWrongWithTheHandshakeIsSaid()
    {
        const QStringList server = serverWith({}, {u"waiteof"_s});
        const CliRun run = runCli(QStringList{u"info"_s} + server);
        QVERIFY2(run.exitCode == 0 && run.err.contains("Response to initialize: 'capabilities'"),
                 run.describe().constData());
        const CliRun machine = runCli(QStringList{u"info"_s, u"--json"_s} + server);
        QVERIFY2(machine.finding().contains(u"'capabilities'"_s), machine.describe().constData());
    }

    void aListThatFailedIsNotAListWithoutTheTool()
    {
        const QStringList server = serverWith(
            u"\"capabilities\":{\"tools\":{}},"_s,
            {u"readline"_s, u"say:{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32000,\"message\":\"busy\"}}"_s,
             u"readline"_s, u"say:{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"content\":[]}}"_s, u"waiteof"_s});
        const CliRun run = runCli(QStringList{u"call"_s, u"x"_s} + server);
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        QVERIFY2(run.err.contains("could not be listed") && run.err.contains("busy"), run.describe().constData());
        QVERIFY2(!run.err.contains("does not list"), run.describe().constData());
    }

    void whatEndsAtOnceIsNotSaidToBeAskedForAgain()
    {
        const CliRun run = runCli(QStringList{u"list"_s, u"tools"_s, u"--timeout"_s, u"0.5"_s} +
                                  serverWith(u"\"capabilities\":{\"tools\":{}},"_s, {u"waiteof"_s}));
        QVERIFY2(run.exitCode == 3, run.describe().constData());
        QVERIFY2(!run.err.contains("again in"), run.describe().constData());
    }

    void everyResultIsPrinted_data()
    {
        QTest::addColumn<QString>("result");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("task") << u"{\"task\":{\"taskId\":\"t-1\",\"status\":\"working\"}}"_s << 0 << "t-1"_ba;
        QTest::newRow("string content") << u"{\"content\":\"just text\"}"_s << 0 << "just text"_ba;
        QTest::newRow("toolResult") << u"{\"toolResult\":\"of old\"}"_s << 0 << "of old"_ba;
        QTest::newRow("string content beside structured")
            << u"{\"content\":\"just text\",\"structuredContent\":{}}"_s << 0 << "just text"_ba;
        QTest::newRow("empty") << u"{\"content\":[]}"_s << 0 << "Empty content"_ba;
        QTest::newRow("null") << u"null"_s << 3 << "null, not an object"_ba;
        QTest::newRow("a list") << u"[1]"_s << 3 << "an array, not an object"_ba;
    }
    void everyResultIsPrinted()
    {
        QFETCH(QString, result);
        QFETCH(int, code);
        QFETCH(QByteArray, text);
        const CliRun run = runCli(QStringList{u"call"_s, u"x"_s} + serverAnswering(result));
        QVERIFY2(run.exitCode == code, run.describe().constData());
        QVERIFY2((run.out + run.err).contains(text), run.describe().constData());
    }

    void whatIsNoResourceOrPromptIsPrintedAsItIs()
    {
        for (const QStringList &words : {QStringList{u"read"_s, u"a:b"_s}, QStringList{u"prompt"_s, u"p"_s}}) {
            const CliRun run =
                runCli(words + serverWith(u"\"capabilities\":{},"_s,
                                          {u"readline"_s,
                                           u"say:{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"text\":\"as it is\"}}"_s,
                                           u"waiteof"_s}));
            QVERIFY2(run.exitCode == 0 && run.out.contains("as it is"), run.describe().constData());
        }
    }

    // Made once, and told alike wherever the call is looked at.
    void aWrongStructureIsFoundInLogAndReplay()
    {
        const QByteArray finding = "structuredContent does not match outputSchema: /celsius must be a number";
        const CliRun log = runCli({u"log"_s, m_session});
        QVERIFY2(log.out.contains(finding), log.describe().constData());
        const CliRun rows = runCli({u"log"_s, m_session, u"--json"_s, u"--filter"_s,
                                    u"method == tools/call and kind == result and problem == true"_s});
        QVERIFY2(rows.out.contains("\"finding\":true"), rows.describe().constData());
        const CliRun replay = askDemo({u"replay"_s, m_session});
        QVERIFY2(replay.exitCode == 0 && replay.out.contains(finding), replay.describe().constData());
        QVERIFY(askDemo({u"replay"_s, m_session, u"--json"_s}).out.contains(finding));
    }

private:
    QTemporaryDir m_folder;
    QString m_session;
};

SONDE_TEST(tst_CliOutput)
#include "tst_clioutput.moc"
