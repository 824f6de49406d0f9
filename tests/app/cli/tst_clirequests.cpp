// sonde-cli: request, ping, complete, subscribe, log-level and the revision.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/clirun.h"
#include "tests/support/files.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"
#include "tests/support/wrongmessages.h"

#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using sonde::test::askDemo;
using sonde::test::CliRun;
using sonde::test::HttpDemo;
using sonde::test::readFile;
using sonde::test::runCli;
using sonde::test::writeFile;

namespace {

// A server that takes and says these lines after its handshake.
QStringList serverSaying(const QStringList &steps)
{
    return QStringList{u"--"_s, sonde::test::builtProgram(QStringLiteral("fake-stdio-server")), u"readline"_s,
                       u"say:{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\","
                       "\"capabilities\":{\"logging\":{},\"resources\":{\"subscribe\":true}},"
                       "\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}"_s,
                       u"readline"_s} +
           steps;
}

QString sayResult(int id, const QString &result)
{
    return u"say:{\"jsonrpc\":\"2.0\",\"id\":%1,\"result\":%2}"_s.arg(id).arg(result);
}

const QString Updated =
    u"say:{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\"a:b\"}}"_s;

// A server of 2026-07-28: after the response to server/discover it does these steps.
QStringList statelessServerSaying(const QStringList &steps)
{
    return QStringList{u"--revision"_s,
                       u"2026-07-28"_s,
                       u"--"_s,
                       sonde::test::builtProgram(QStringLiteral("fake-stdio-server")),
                       u"readline"_s,
                       u"say:{\"jsonrpc\":\"2.0\",\"id\":\"server-discover-probe\",\"result\":{"
                       "\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],\"ttlMs\":0,"
                       "\"cacheScope\":\"private\",\"capabilities\":{\"resources\":{\"subscribe\":true}}}}"_s} +
           steps;
}

// A notification of the subscription that request 1 opened.
QString sayOnStream(const QString &method, const QString &members)
{
    return u"say:{\"jsonrpc\":\"2.0\",\"method\":\"notifications/%1\",\"params\":{%2,\"_meta\":{"
           "\"io.modelcontextprotocol/subscriptionId\":1}}}"_s.arg(method, members);
}

QString contents(const QString &text)
{
    return u"{\"contents\":[{\"uri\":\"a:b\",\"text\":\"%1\"}]}"_s.arg(text);
}

QString logMessage(const QString &text)
{
    return u"say:{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"error\","
           "\"logger\":\"l\",\"data\":\"%1\"}}"_s.arg(text);
}

}  // namespace

class tst_CliRequests : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anyRequestPrintsItsResult()
    {
        const CliRun run = askDemo({u"request"_s, u"tools/call"_s, u"--params"_s,
                                    uR"({"name":"add","arguments":{"a":2,"b":40}})"_s, u"--json"_s});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        QVERIFY2(run.result()[u"content"].isArray(), run.describe().constData());
        const CliRun people = askDemo({u"request"_s, u"prompts/list"_s});
        QVERIFY2(people.exitCode == 0 && people.out.contains("\"summarize\""), people.describe().constData());
    }

    void anUnknownMethodIsAProtocolError()
    {
        const sonde::test::WrongMessages wrong("a method that the user made up");
        const CliRun run = askDemo({u"request"_s, u"no/such"_s});
        QVERIFY2(run.exitCode == 2 && run.err.contains("-32601"), run.describe().constData());
    }

    void pingSaysHowLongItTook_data()
    {
        QTest::addColumn<QString>("revision");
        QTest::newRow("with a handshake") << u"2025-11-25"_s;
        QTest::newRow("without one, and without ping") << u"2026-07-28"_s;
    }
    void pingSaysHowLongItTook()
    {
        QFETCH(QString, revision);
        const CliRun run = askDemo({u"ping"_s, u"--revision"_s, revision});
        QVERIFY2(run.exitCode == 0 && run.out.startsWith("Responded in "), run.describe().constData());
    }

    void completeListsSuggestions()
    {
        const CliRun all = askDemo({u"complete"_s, u"style"_s, u"--prompt"_s, u"summarize"_s});
        QVERIFY2(all.exitCode == 0 && all.out.count('\n') > 1, all.describe().constData());
        const QByteArray first = all.out.left(all.out.indexOf('\n'));
        const CliRun one =
            askDemo({u"complete"_s, u"style"_s, QString::fromUtf8(first), u"topic=x"_s, u"--prompt"_s, u"summarize"_s});
        QVERIFY2(one.exitCode == 0 && one.out == first + '\n', one.describe().constData());
        const CliRun city =
            askDemo({u"complete"_s, u"city"_s, u"--template"_s, u"demo://weather/{city}{?unit}"_s, u"--json"_s});
        QVERIFY2(city.exitCode == 0 && city.result()[u"completion"][u"values"].size() > 1, city.describe().constData());
    }

    void otherArgumentsAreSentAsContext()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"r.mcpsession"_s);
        QCOMPARE(
            askDemo({u"complete"_s, u"style"_s, u"topic=tea"_s, u"--prompt"_s, u"summarize"_s, u"--record"_s, path})
                .exitCode,
            0);
        const QByteArray recorded = readFile(path);
        QVERIFY2(recorded.contains(R"(\"context\":{\"arguments\":{\"topic\":\"tea\"}})"), recorded.constData());
        const CliRun old = askDemo({u"complete"_s, u"style"_s, u"topic=tea"_s, u"--prompt"_s, u"summarize"_s,
                                    u"--revision"_s, u"2025-03-26"_s});
        QVERIFY2(old.exitCode == 0 && old.err.contains("were not sent"), old.describe().constData());
    }

    void theRevisionIsProposed_data()
    {
        QTest::addColumn<QString>("revision");
        for (const char *revision : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
            QTest::newRow(revision) << QString::fromLatin1(revision);
    }
    void theRevisionIsProposed()
    {
        QFETCH(QString, revision);
        const CliRun run = askDemo({u"info"_s, u"--revision"_s, revision, u"--json"_s});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        QCOMPARE(run.result()[u"protocolVersion"].string(), revision);
    }

    void anAutomaticRevisionAsksTheServer()
    {
        const CliRun run = askDemo({u"info"_s, u"--revision"_s, u"automatic"_s});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
    }

    void theTransportIsTheOneThatIsNamed()
    {
        HttpDemo server;
        const QString url = server.start({u"--http+sse"_s, u"0"_s});
        QVERIFY(!url.isEmpty());
        const CliRun sse = runCli({u"info"_s, u"--transport"_s, u"sse"_s, u"--url"_s, url});
        QVERIFY2(sse.exitCode == 0 && sse.out.contains("HTTP+SSE"), sse.describe().constData());
        const CliRun streamable = runCli({u"info"_s, u"--transport"_s, u"streamable-http"_s, u"--url"_s, url});
        QVERIFY2(streamable.exitCode == 3, streamable.describe().constData());
        // Of diff it is about each side that is a URL.
        const QStringList sides{u"diff"_s, url, sonde::test::demoProgram(), u"--revision"_s, u"2025-11-25"_s};
        const CliRun same = runCli(sides + QStringList{u"--transport"_s, u"sse"_s, u"--json"_s});
        QVERIFY2(same.exitCode == 0 && same.json()[u"outcome"].string() == u"ok", same.describe().constData());
        const CliRun failed = runCli(sides + QStringList{u"--transport"_s, u"streamable-http"_s});
        QVERIFY2(failed.exitCode == 3, failed.describe().constData());
        const CliRun wrong = runCli({u"diff"_s, sides.at(2), sides.at(2), u"--transport"_s, u"sse"_s});
        QVERIFY2(wrong.exitCode == 4 && wrong.err.contains("--transport requires a URL"), wrong.describe().constData());
    }

    void someOfThePages()
    {
        const QStringList switches{u"--page-size"_s, u"2"_s};
        const CliRun words = askDemo({u"list"_s, u"tools"_s, u"--pages"_s, u"3"_s}, switches);
        QVERIFY2(words.exitCode == 0 && words.out.startsWith("Tools (6 loaded, more on the server)\n"),
                 words.describe().constData());
        const CliRun json = askDemo({u"list"_s, u"tools"_s, u"prompts"_s, u"--pages"_s, u"2"_s, u"--json"_s}, switches);
        QCOMPARE(json.result()[u"tools"].size(), 4);
        QCOMPARE(json.result()[u"prompts"].size(), 3);
        QCOMPARE(json.result()[u"moreOnServer"].bytes(), "[\"tools\"]"_ba);
        const CliRun all = askDemo({u"list"_s, u"tools"_s, u"--json"_s}, switches);
        QVERIFY(all.result()[u"tools"].size() > 6 && !all.result().contains(u"moreOnServer"));
    }

    void aSubscriptionPrintsEachUpdate()
    {
        const QStringList server = serverSaying({u"readline"_s, sayResult(2, u"{}"_s), Updated, u"readline"_s,
                                                 sayResult(3, contents(u"one"_s)), Updated, u"readline"_s,
                                                 sayResult(4, contents(u"two"_s)), u"waiteof"_s});
        const CliRun run = runCli(QStringList{u"subscribe"_s, u"a:b"_s, u"--count"_s, u"2"_s} + server);
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        QVERIFY2(run.out == "[a:b]\none\n[a:b]\ntwo\n", run.describe().constData());
        QVERIFY2(run.err.contains("Subscribed."), run.describe().constData());
        const CliRun machine =
            runCli(QStringList{u"subscribe"_s, u"a:b"_s, u"--count"_s, u"2"_s, u"--json"_s} + server);
        QVERIFY2(machine.exitCode == 0, machine.describe().constData());
        const QList<sonde::json::Value> lines = machine.jsonLines();
        QCOMPARE(lines.size(), 3);  // two updates and the end
        QCOMPARE(lines.at(0)[u"event"].toInteger(), 1);
        QCOMPARE(lines.at(1)[u"event"].toInteger(), 2);
        QCOMPARE(lines.at(1)[u"result"][u"contents"].at(0)[u"text"].string(), u"two"_s);
        QVERIFY(!lines.at(2).contains(u"event"));
    }

    void aSubscriptionThatFailsOrEndsIsToldByTheCode()
    {
        const CliRun refused = runCli(
            QStringList{u"subscribe"_s, u"a:b"_s} +
            serverSaying({u"readline"_s,
                          u"say:{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32002,\"message\":\"none\"}}"_s,
                          u"waiteof"_s}));
        QVERIFY2(refused.exitCode == 2 && refused.err.contains("none"), refused.describe().constData());
        const CliRun gone = runCli(QStringList{u"subscribe"_s, u"a:b"_s} +
                                   serverSaying({u"readline"_s, sayResult(2, u"{}"_s), u"exit:3"_s}));
        QVERIFY2(gone.exitCode == 3, gone.describe().constData());
        const CliRun tooFew =
            runCli(QStringList{u"subscribe"_s, u"a:b"_s, u"--count"_s, u"1"_s, u"--for"_s, u"0.05"_s} +
                   serverSaying({u"readline"_s, sayResult(2, u"{}"_s), u"waiteof"_s}));
        QVERIFY2(tooFew.exitCode == 3, tooFew.describe().constData());
    }

    void aStatelessSubscriptionPrintsEachUpdate()
    {
        const QString updated = sayOnStream(u"resources/updated"_s, u"\"uri\":\"a:b\""_s);
        const QStringList start{
            u"readline"_s,
            sayOnStream(u"subscriptions/acknowledged"_s, u"\"notifications\":{\"resourceSubscriptions\":[\"a:b\"]}"_s),
            updated, u"readline"_s, sayResult(2, contents(u"one"_s))};
        const QStringList subscribe{u"subscribe"_s, u"a:b"_s, u"a:c"_s, u"--count"_s, u"2"_s};
        const CliRun run = runCli(
            subscribe + statelessServerSaying(start + QStringList{updated, u"readline"_s,
                                                                  sayResult(3, contents(u"two"_s)), u"waiteof"_s}));
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        QVERIFY2(run.out == "[a:b]\none\n[a:b]\ntwo\n", run.describe().constData());
        // What the server left out is said.
        QVERIFY2(run.err.contains("Subscribed.") && run.err.contains("Not subscribed to a:c"),
                 run.describe().constData());
        QVERIFY2(!run.err.contains("does not declare"), run.describe().constData());
        const CliRun ended = runCli(
            subscribe +
            statelessServerSaying(start + QStringList{sayResult(1, u"{\"resultType\":\"complete\"}"_s), u"waiteof"_s}));
        QVERIFY2(ended.exitCode == 3 && ended.err.contains("ended the subscription"), ended.describe().constData());
        const CliRun revoked = runCli(
            subscribe +
            statelessServerSaying(
                start +
                QStringList{u"say:{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32000,\"message\":\"revoked\"}}"_s,
                            u"waiteof"_s}));
        QVERIFY2(revoked.exitCode == 2 && revoked.err.contains("revoked"), revoked.describe().constData());
        const CliRun refused = runCli(
            subscribe + statelessServerSaying(
                            {u"readline"_s,
                             u"say:{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"none\"}}"_s,
                             u"waiteof"_s}));
        QVERIFY2(refused.exitCode == 2 && refused.err.contains("none"), refused.describe().constData());
    }

    void aReadThatFailsDoesNotEndTheSubscription()
    {
        const QStringList subscribe{u"subscribe"_s, u"a:b"_s, u"--count"_s, u"2"_s};
        const CliRun run = runCli(subscribe + serverSaying({u"readline"_s, sayResult(2, u"{}"_s), Updated,
                                                            u"readline"_s, sayResult(3, u"5"_s), Updated, u"readline"_s,
                                                            sayResult(4, contents(u"two"_s)), u"waiteof"_s}));
        QVERIFY2(run.exitCode == 3 && run.out == "[a:b]\ntwo\n", run.describe().constData());
        QVERIFY2(run.err.contains("a:b was updated, but could not be read."), run.describe().constData());
        const CliRun gone = runCli(
            subscribe + serverSaying({u"readline"_s, sayResult(2, u"{}"_s), Updated, u"readline"_s, u"exit:3"_s}));
        QVERIFY2(gone.exitCode == 3 && gone.err.count("exited with code 3") == 1, gone.describe().constData());
    }

    void aSubscriptionThatIsLostAtTheEndIsToldByTheCode()
    {
        HttpDemo server;
        const QString url = server.start({u"--http"_s, u"0"_s, u"--drop-streams"_s});
        QVERIFY(!url.isEmpty());
        const CliRun run = runCli({u"subscribe"_s, u"demo://live/clock"_s, u"--for"_s, u"0.8"_s, u"--revision"_s,
                                   u"2026-07-28"_s, u"--url"_s, url});
        QVERIFY2(run.exitCode == 3 && run.err.contains("The subscription was lost: "), run.describe().constData());
        QVERIFY2(run.err.contains("Subscribing again in 1 s."), run.describe().constData());
    }

    void theLastUpdateBeforeTheEndIsPrinted()
    {
        const QString acknowledged =
            sayOnStream(u"subscriptions/acknowledged"_s, u"\"notifications\":{\"resourceSubscriptions\":[\"a:b\"]}"_s);
        const QStringList subscribe{u"subscribe"_s, u"a:b"_s};
        const CliRun ended =
            runCli(subscribe + statelessServerSaying({u"readline"_s, acknowledged,
                                                      sayOnStream(u"resources/updated"_s, u"\"uri\":\"a:b\""_s),
                                                      sayOnStream(u"resources/updated"_s, u"\"uri\":\"x:y\""_s),
                                                      sayResult(1, u"{\"resultType\":\"complete\"}"_s), u"readline"_s,
                                                      sayResult(2, contents(u"last"_s)), u"waiteof"_s}));
        QVERIFY2(ended.exitCode == 0 && ended.out == "[a:b]\nlast\n", ended.describe().constData());
        QVERIFY2(ended.err.contains("ended the subscription"), ended.describe().constData());
        QVERIFY2(ended.err.contains("Finding: ") && ended.err.contains("x:y"), ended.describe().constData());
        const CliRun revoked =
            runCli(subscribe +
                   statelessServerSaying(
                       {u"readline"_s, acknowledged, sayOnStream(u"resources/updated"_s, u"\"uri\":\"a:b\""_s),
                        u"say:{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32000,\"message\":\"revoked\"}}"_s,
                        u"readline"_s, sayResult(2, contents(u"last"_s)), u"waiteof"_s}));
        QVERIFY2(revoked.exitCode == 2 && revoked.out == "[a:b]\nlast\n" && revoked.err.contains("revoked"),
                 revoked.describe().constData());
        // Nothing is subscribed again on a server that is gone.
        const CliRun gone = runCli(subscribe + statelessServerSaying({u"readline"_s, acknowledged, u"exit:3"_s}));
        QVERIFY2(gone.exitCode == 3 && gone.err.contains("exited with code 3"), gone.describe().constData());
        QVERIFY2(!gone.err.contains("Subscribing again"), gone.describe().constData());
    }

    void logMessagesArePrinted()
    {
        const QStringList server = serverSaying(
            {u"readline"_s, sayResult(2, u"{}"_s), logMessage(u"first"_s), logMessage(u"second"_s), u"exit:0"_s});
        const CliRun run = runCli(QStringList{u"log-level"_s, u"warning"_s, u"--verbose"_s} + server);
        QVERIFY2(run.out == "[error] l: first\n[error] l: second\n", run.describe().constData());
        QVERIFY2(run.exitCode == 3 && run.err.contains("Log level set to warning."), run.describe().constData());
        const CliRun timed = askDemo({u"log-level"_s, u"debug"_s, u"--for"_s, u"0.01"_s});
        QVERIFY2(timed.exitCode == 0, timed.describe().constData());
    }

    void aLogLevelOfEachRequestIsForTheLinesAfterIt()
    {
        const QByteArray lines =
            "call log data=before\nlog-level warning\ncall log data=low\ncall log level=error data=high\n";
        const CliRun run = askDemo({u"run"_s, u"-"_s, u"--verbose"_s, u"--revision"_s, u"2026-07-28"_s}, {}, lines);
        QVERIFY2(run.exitCode == 0 && run.err.contains("Log level warning is sent with each request."),
                 run.describe().constData());
        QVERIFY2(run.err.contains("[error]") && run.err.contains("high"), run.describe().constData());
        QVERIFY2(!run.err.contains("before") && !run.err.contains("low\n"), run.describe().constData());
    }

    void aScriptIsOneConnectionAndOneRecording()
    {
        QTemporaryDir folder;
        const QString script = folder.filePath(u"calls"_s);
        writeFile(script,
                  "# two calls\n\ncall add a=1 b=2\n  read 'demo://text/greeting'\n"
                  "request tools/call --params '{\"name\":\"add\",\"arguments\":{\"a\":4,\"b\":5}}'\n");
        const QString recorded = folder.filePath(u"r.mcpsession"_s);
        const CliRun run = askDemo({u"run"_s, script, u"--record"_s, recorded});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        const qsizetype first = run.out.indexOf("3\n");
        const qsizetype last = run.out.indexOf("\"sum\": 9");
        QVERIFY2(first >= 0 && first < last, run.describe().constData());
        const QByteArray said = readFile(recorded);
        QCOMPARE(said.count(R"(\"method\":\"initialize\")"), 1);
        QCOMPARE(said.count(R"(\"method\":\"tools/call\")"), 2);
        const CliRun machine = askDemo({u"run"_s, u"-"_s, u"--json"_s}, {}, "call add a=1 b=2\nping\nlist prompts\n");
        QVERIFY2(machine.exitCode == 0, machine.describe().constData());
        const QList<sonde::json::Value> objects = machine.jsonLines();
        QCOMPARE(objects.size(), 4);  // of each line, and of the whole
        for (qsizetype i = 0; i < 3; ++i)
            QCOMPARE(objects.at(i)[u"line"].toInteger(), i + 1);
        QCOMPARE(objects.at(1)[u"verb"].string(), u"ping"_s);
        QCOMPARE(objects.at(3)[u"verb"].string(), u"run"_s);
        QVERIFY(!objects.at(3).contains(u"line"));
    }

    void aLineThatFailsEndsTheScriptUnlessItKeepsGoing()
    {
        const sonde::test::WrongMessages wrong("a method that the user made up");
        const QByteArray lines = "request no/such\ncall add a=1 b=2\nping\n";
        const CliRun run = askDemo({u"run"_s, u"-"_s}, {}, lines);
        QVERIFY2(run.exitCode == 2 && run.out.isEmpty() && run.err.contains("-, line 1 failed."),
                 run.describe().constData());
        const CliRun all = askDemo({u"run"_s, u"-"_s, u"--keep-going"_s}, {}, lines);
        QVERIFY2(all.exitCode == 2 && all.out.contains("Responded in "), all.describe().constData());
    }

    void theFindingsOfAScriptAreEachPrintedOnce()
    {
        const sonde::test::WrongMessages wrong("a method that the user made up");
        const QStringList junk{u"--junk-on-stdout"_s};
        for (const QByteArray &lines : {"request no/such\nping\n"_ba, "log-level info --for 0.05\nping\n"_ba}) {
            const CliRun run = askDemo({u"run"_s, u"-"_s}, junk, lines);
            QVERIFY2(run.err.count("not JSON-RPC messages") == 1, run.describe().constData());
        }
    }

    void aScriptEndsWithItsConnection()
    {
        const CliRun run = runCli(QStringList{u"run"_s, u"-"_s, u"--keep-going"_s} +
                                      serverSaying({u"readline"_s, sayResult(2, u"{}"_s), u"readline"_s, u"exit:0"_s}),
                                  "ping\nping\nping\n");
        QVERIFY2(run.exitCode == 3 && run.out.count("Responded in") == 1, run.describe().constData());
        QVERIFY2(run.err.contains("-, line 2 failed.\nThe lines after line 2 were not run.\n") &&
                     run.err.count("exited with code 0") == 1 && !run.err.contains("line 3"),
                 run.describe().constData());
    }

    void scriptsAreCheckedBeforeTheServerIsStarted_data()
    {
        QTest::addColumn<QByteArray>("lines");
        QTest::addColumn<QByteArray>("why");
        const auto row = [](const char *name, const QByteArray &lines, const QByteArray &why) {
            QTest::newRow(name) << lines << why;
        };
        row("empty", "# nothing\n", "- has no lines to run");
        row("unknown verb", "ping\n\njump\n", "-, line 3: unknown verb 'jump'");
        row("unclosed quote", "call 'a\n", "-, line 1: ");
        row("server", "ping --url http://localhost\n", "-, line 1: --url is an option of run itself");
        row("command", "ping -- program\n", "-, line 1: -- is an option of run itself");
        row("help", "ping -h\n", "-, line 1: -h is an option of run itself");
        row("of one verb", "list --pages 1\n", "-, line 1: --pages cannot be used in a script");
        row("script", "run other\n", "-, line 1: run cannot be used in a script");
        row("environment", "A=b ping\n", "-, line 1: unknown verb 'A=b'");
        row("operand", "ping\nread\n", "-, line 2: expected the URI of a resource");
        row("template", "read a:{b} c=d\n", "-, line 1: the template has no variable 'c'");
    }
    void scriptsAreCheckedBeforeTheServerIsStarted()
    {
        QFETCH(QByteArray, lines);
        QFETCH(QByteArray, why);
        const CliRun run = runCli({u"run"_s, u"-"_s, u"--"_s, u"/no/such/program"_s}, lines);
        QVERIFY2(run.exitCode == 4 && run.err.contains(why), run.describe().constData());
    }

    void wrongUse_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("why");
        const auto row = [](const char *name, const QStringList &words, const QByteArray &why) {
            QTest::newRow(name) << words << why;
        };
        row("no method", {u"request"_s}, "expected a method");
        row("no method but params", {u"request"_s, u"--params"_s, u"{}"_s}, "expected a method");
        row("notification", {u"request"_s, u"notifications/x"_s}, "is a notification");
        row("two methods", {u"request"_s, u"a"_s, u"b"_s}, "unexpected argument 'b'");
        row("ping what", {u"ping"_s, u"a"_s}, "unexpected argument 'a'");
        row("complete what", {u"complete"_s, u"a"_s}, "either --prompt NAME or --template URI");
        row("complete both", {u"complete"_s, u"a"_s, u"--prompt"_s, u"p"_s, u"--template"_s, u"t"_s},
            "either --prompt NAME or --template URI");
        row("json to complete", {u"complete"_s, u"a"_s, u"b:=1"_s, u"--prompt"_s, u"p"_s}, "use b=VALUE");
        row("no level", {u"log-level"_s}, "expected a log level: one of debug");
        row("unknown level", {u"log-level"_s, u"loud"_s}, "unknown log level 'loud'");
        row("no resource", {u"subscribe"_s}, "expected the URI of a resource");
        row("no count", {u"subscribe"_s, u"a:b"_s, u"--count"_s, u"0"_s}, "'0' is not a positive number of updates");
        row("count of call", {u"call"_s, u"a"_s, u"--count"_s, u"1"_s}, "--count is allowed only with subscribe");
        row("transport of a command", {u"ping"_s, u"--transport"_s, u"sse"_s}, "--transport requires a URL");
        row("pages of a call", {u"call"_s, u"a"_s, u"--pages"_s, u"1"_s}, "--pages is allowed only with list");
        row("no page", {u"list"_s, u"--pages"_s, u"0"_s}, "'0' is not a positive number of pages");
        row("transport", {u"ping"_s, u"--transport"_s, u"pigeon"_s}, "unknown transport 'pigeon'");
        row("without what", {u"ping"_s, u"--without"_s, u"roots,fish"_s}, "unknown capability 'fish'; use elicitation");
        row("no script", {u"run"_s}, "expected a script");
        row("script that is missing", {u"run"_s, u"/no/such/file"_s}, "/no/such/file cannot be read");
        row("keep going", {u"ping"_s, u"--keep-going"_s}, "--keep-going is allowed only with run");
        row("one input for two", {u"run"_s, u"-"_s, u"--responses"_s, u"ask"_s}, "already read as a file");
        row("revision", {u"info"_s, u"--revision"_s, u"2025-01-01"_s}, "unknown revision '2025-01-01'");
    }
    void wrongUse()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, why);
        const CliRun run = askDemo(words);
        QVERIFY2(run.exitCode == 4 && run.err.contains(why), run.describe().constData());
    }

    void capabilitiesCanBeSwitchedOff_data()
    {
        QTest::addColumn<QString>("revision");
        QTest::newRow("2025-11-25") << u"2025-11-25"_s;
        QTest::newRow("2026-07-28") << u"2026-07-28"_s;
    }
    void capabilitiesCanBeSwitchedOff()
    {
        QFETCH(QString, revision);
        const QTemporaryDir folder;
        const auto declared = [&](const QStringList &options) {
            const QString path = folder.filePath(u"%1.mcpsession"_s.arg(options.size()));
            const CliRun run = askDemo(
                QStringList{u"ping"_s, u"--revision"_s, revision, u"--roots"_s, folder.path(), u"--record"_s, path} +
                options);
            return run.exitCode == 0 ? readFile(path) : run.describe();
        };
        const bool isStateless = revision == "2026-07-28"_L1;
        const QByteArray all = declared({});
        QVERIFY2(all.contains(R"(\"elicitation\":{\"form\":{},\"url\":{}})") && all.contains(R"(\"sampling\":{})") &&
                     all.contains(R"(\"roots\":{})"),
                 all.constData());
        QVERIFY2(all.contains(isStateless ? "io.modelcontextprotocol/clientInfo" : R"(\"clientInfo\")"),
                 all.constData());
        const QByteArray some = declared({u"--without=elicitation.url,sampling"_s});
        QVERIFY2(some.contains(R"(\"elicitation\":{\"form\":{}})") && !some.contains(R"(\"sampling\")"),
                 some.constData());
        const QByteArray none = declared({u"--without"_s, u"elicitation, sampling,roots,tasks,clientInfo"_s});
        for (const char *absent :
             {R"(\"elicitation\")", R"(\"sampling\")", R"(\"roots\")", "modelcontextprotocol/clientInfo"})
            QVERIFY2(!none.contains(absent), none.constData());
        QVERIFY2(none.contains(isStateless ? R"(clientCapabilities\":{})" : R"(\"capabilities\":{})"),
                 none.constData());
    }

    void aTransportThatTheRevisionDoesNotHave()
    {
        const CliRun run = runCli({u"info"_s, u"--revision"_s, u"2026-07-28"_s, u"--transport"_s, u"sse"_s, u"--url"_s,
                                   u"http://127.0.0.1:9/sse"_s});
        QVERIFY2(run.exitCode == 4 && run.err.contains("does not work over HTTP+SSE"), run.describe().constData());
    }
};

SONDE_TEST(tst_CliRequests)
#include "tst_clirequests.moc"
