// sonde-cli run with saved calls, end to end against the demo server.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/clirun.h"
#include "tests/support/files.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <csignal>
#include <memory>

using namespace Qt::StringLiterals;
using sonde::test::askDemo;
using sonde::test::cliProgram;
using sonde::test::CliRun;
using sonde::test::demoProgram;
using sonde::test::readFile;
using sonde::test::runCli;
using sonde::test::writeFile;
namespace json = sonde::json;

namespace {

const QByteArray PostmanExport =
    "{\"info\":{\"name\":\"c\"},\"item\":[{\"name\":\"Sum\",\"request\":{\"body\":{\"mode\":\""
    "raw\",\"raw\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":1,\\\"method\\\":\\\"tools/call\\\",\\\""
    "params\\\":{\\\"name\\\":\\\"add\\\",\\\"arguments\\\":{\\\"a\\\":1,\\\"b\\\":2}}}\"}}},{\"nam"
    "e\":\"List\",\"request\":{\"body\":{\"mode\":\"raw\",\"raw\":\"{\\\"jsonrpc\\\":\\\"2.0\\\","
    "\\\"id\\\":1,\\\"method\\\":\\\"tools/list\\\"}\"}}}]}";

}  // namespace

class tst_CliSavedCalls : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }

    void theCodesTellTheOutcomes_data()
    {
        QTest::addColumn<QByteArray>("call");
        QTest::addColumn<QStringList>("switches");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("outcome");
        const auto row = [](const char *name, const QByteArray &call, const QStringList &switches, int code,
                            const QString &outcome) { QTest::newRow(name) << call << switches << code << outcome; };
        const QByteArray add = R"({"tool":"add","arguments":{"a":1,"b":2})";
        row("as expected", add + "}", {}, 0, u"ok"_s);
        row("an expected tool error", R"({"tool":"fail","expect":{"outcome":"tool-error"}})", {}, 0, u"ok"_s);
        row("a tool error", R"({"tool":"fail"})", {}, 1, u"failed"_s);
        row("another result", add + R"(,"expect":{"result":{"content":[]}}})", {}, 1, u"failed"_s);
        row("too slow", R"({"tool":"slow","arguments":{"seconds":0.05},"expect":{"maxDurationMs":1}})", {}, 1,
            u"failed"_s);
        row("a JSON-RPC error", R"({"tool":"protocol-error"})", {}, 2, u"protocol-error"_s);
        row("an expected one", R"({"tool":"protocol-error","expect":{"outcome":"protocol-error"}})", {}, 0, u"ok"_s);
        row("died", add + "}", {u"--exit-on-call"_s, u"1"_s}, 3, u"no-response"_s);
        row("not started", add + "}", {u"--stderr-then-exit"_s}, 3, u"no-response"_s);
    }
    void theCodesTellTheOutcomes()
    {
        QFETCH(QByteArray, call);
        QFETCH(QStringList, switches);
        QFETCH(int, code);
        QFETCH(QString, outcome);
        const QString path = file("one.call.json", call);
        const CliRun run = askDemo({u"run"_s, path}, switches);
        QVERIFY2(run.exitCode == code, run.describe().constData());
        const CliRun machine = askDemo({u"run"_s, path, u"--json"_s}, switches);
        QVERIFY2(machine.exitCode == code, machine.describe().constData());
        QCOMPARE(machine.json()[u"outcome"].string(), outcome);
        QCOMPARE(machine.out.count('\n'), 1);
    }

    void mistakesSendNothing_data()
    {
        QTest::addColumn<QList<QByteArray>>("calls");
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("why");
        const auto row = [](const char *name, const QList<QByteArray> &calls, const QStringList &options,
                            const QByteArray &why) { QTest::newRow(name) << calls << options << why; };
        const QByteArray fail = R"({"tool":"fail"})";
        row("no tool", {fail, "{}"}, {}, "1.call.json, line 1: 'tool' is missing");
        row("a variable", {fail, R"({"tool":"echo","arguments":{"value":"${env:SONDE_UNSET}"}})"}, {},
            "1.call.json: the environment variable SONDE_UNSET is not set");
        row("a later result", {R"({"tool":"echo","arguments":{"value":"${calls.1.result/a}"}})", fail}, {},
            "which is not run before it");
        row("one name twice", {R"({"tool":"fail","name":"1"})", fail}, {}, "both named '1'");
        row("a destructive tool", {fail, R"({"tool":"delete-everything"})"}, {}, "Add --yes to call it");
        row("a report in no folder", {fail}, {u"--junit"_s, u"/nowhere/x.xml"_s}, "/nowhere");
        row("content to save", {fail}, {u"--save"_s, u"/"_s}, "--save is for scripts");
        row("both ways", {fail}, {u"--keep-going"_s, u"--stop-on-failure"_s}, "give only one of");
    }
    void mistakesSendNothing()
    {
        QFETCH(QList<QByteArray>, calls);
        QFETCH(QStringList, options);
        QFETCH(QByteArray, why);
        for (qsizetype i = 0; i < calls.size(); ++i)
            file(QByteArray::number(i) + ".call.json", calls[i]);
        const QString session = m_folder->filePath(u"s.mcpsession"_s);
        const CliRun run = askDemo(QStringList{u"run"_s, m_folder->path(), u"--record"_s, session} + options);
        QVERIFY2(run.exitCode == 4 && run.err.contains(why), run.describe().constData());
        QVERIFY(!readFile(session).contains("\\\"tools/call\\\""));
        const CliRun machine = askDemo(QStringList{u"run"_s, m_folder->path(), u"--json"_s} + options);
        QCOMPARE(machine.json()[u"outcome"].string(), u"usage-error"_s);
    }

    void scriptsAndCallsAreToldApart()
    {
        const QString call = file("looks-like.txt", "\n {\"tool\":\"add\",\"arguments\":{\"a\":1,\"b\":2}}");
        const CliRun one = askDemo({u"run"_s, call});
        QVERIFY2(one.exitCode == 0 && one.out.contains("1 passed"), one.describe().constData());
        const CliRun input = askDemo({u"run"_s, u"-"_s}, {}, R"({"tool":"fail"})");
        QVERIFY2(input.exitCode == 1 && input.out.contains("1 failed"), input.describe().constData());
        const QString script = file("script", "ping\n");
        QCOMPARE(askDemo({u"run"_s, script}).exitCode, 0);
        const CliRun both = askDemo({u"run"_s, call, script});
        QVERIFY2(both.exitCode == 4 && both.err.contains("is a script"), both.describe().constData());
        const CliRun report = askDemo({u"run"_s, script, u"--junit"_s, m_folder->filePath(u"x.xml"_s)});
        QVERIFY2(report.exitCode == 4 && report.err.contains("--junit"), report.describe().constData());
        QTemporaryDir empty;
        const CliRun none = askDemo({u"run"_s, empty.path()});
        QVERIFY2(none.exitCode == 4 && none.err.contains("contains no saved calls"), none.describe().constData());
    }

    void aSuiteIsRunAndReported()
    {
        file("1-first.call.json", R"({"name":"first","tool":"add","arguments":{"a":1.50,"b":2}})");
        file("2-use.call.json",
             R"({"tool":"add","arguments":{"b":1,"a":"${calls.first.result/structuredContent/sum}"},)"
             R"("expect":{"result":{"structuredContent":{"sum":4.5},"content":[{"type":"text","text":"4.5"}]}}})");
        file("3-fails.call.json", R"({"tool":"fail"})");
        file("4-after.call.json", R"({"tool":"add","arguments":{"a":1,"b":2}})");
        const QString session = m_folder->filePath(u"s.mcpsession"_s);
        const QString xmlPath = m_folder->filePath(u"report.xml"_s);
        const CliRun run =
            askDemo({u"run"_s, m_folder->path(), u"--json"_s, u"--record"_s, session, u"--junit"_s, xmlPath});
        QVERIFY2(run.exitCode == 1, run.describe().constData());
        QCOMPARE(run.result()[u"counts"].bytes(), R"({"passed":3,"failed":1,"error":0,"skipped":0})"_ba);
        QStringList names;
        for (const json::Value &call : run.result()[u"calls"])
            names.append(call[u"name"].string());
        QCOMPARE(names, (QStringList{u"first"_s, u"2-use"_s, u"3-fails"_s, u"4-after"_s}));
        const CliRun log = runCli({u"log"_s, session, u"--json"_s});
        QVERIFY2(log.out.contains(R"("arguments":{"a":1.50,"b":2})"), log.out.constData());
        QVERIFY2(log.out.contains(R"("arguments":{"b":1,"a":3.5})"), log.out.constData());
        const QByteArray xml = readFile(xmlPath);
        QCOMPARE(xml.count("<testcase "), 4);
        QCOMPARE(xml.count("<failure "), 1);
        QVERIFY2(xml.contains("failures=\"1\" errors=\"0\" skipped=\"0\""), xml.constData());

        const CliRun stopped = askDemo({u"run"_s, m_folder->path(), u"--stop-on-failure"_s});
        QVERIFY2(stopped.exitCode == 1 && stopped.out.contains("2 passed, 1 failed, 0 errors, 1 skipped"),
                 stopped.describe().constData());
    }

    void aReportReplacesNoCallAndNoRecording()
    {
        const QByteArray text = R"({"tool":"fail"})";
        const QString call = file("one.call.json", text);
        const CliRun run = askDemo({u"run"_s, m_folder->path(), u"--junit"_s, call});
        QVERIFY2(run.exitCode == 4 && run.err.contains("is a saved call"), run.describe().constData());
        QCOMPARE(readFile(call), text);
        const QString session = m_folder->filePath(u"s.mcpsession"_s);
        const CliRun both = askDemo({u"run"_s, call, u"--record"_s, session, u"--junit"_s, session});
        QVERIFY2(both.exitCode == 4 && both.err.contains("is recorded in"), both.describe().constData());
        QCOMPARE(runCli({u"log"_s, session}).exitCode, 0);
    }

    void acceptingMakesTheResponseTheExpectation()
    {
        const QString sum = file(
            "1.call.json", R"({"note":1,"tool":"add","arguments":{"b":2.0,"a":1},"expect":{"x":2,"result":null}})");
        const QString fails = file("2.call.json", R"({"tool":"fail"})");
        const QString refused = file("3.call.json", R"({"tool":"protocol-error","expect":{"result":{}}})");
        const QByteArray slow = R"({"tool":"slow","arguments":{"seconds":0.05},"expect":{"maxDurationMs":1}})";
        const QString late = file("4.call.json", slow);
        const CliRun run = askDemo({u"run"_s, m_folder->path(), u"--accept"_s});
        QVERIFY2(run.exitCode == 2 && run.err.count("Accepted: ") == 3, run.describe().constData());
        QCOMPARE(readFile(late), slow);
        const json::Value kept = json::parse(readFile(sum));
        QCOMPARE(kept[u"arguments"][u"b"].numberText(), "2.0"_ba);
        QVERIFY(kept.contains(u"note") && kept[u"expect"].contains(u"x"));
        QCOMPARE(kept[u"expect"][u"result"][u"structuredContent"][u"sum"].toInteger(), 3);
        QCOMPARE(json::parse(readFile(fails))[u"expect"][u"outcome"].string(), u"tool-error"_s);
        QVERIFY(!json::parse(readFile(fails))[u"expect"].contains(u"result"));
        QVERIFY(json::parse(readFile(refused))[u"expect"][u"error"].contains(u"code"));
        const CliRun again = askDemo({u"run"_s, sum, fails, refused});
        QVERIFY2(again.exitCode == 0, again.describe().constData());
        const CliRun input = askDemo({u"run"_s, u"-"_s, u"--accept"_s}, {}, R"({"tool":"fail"})");
        QVERIFY2(input.exitCode == 4 && input.err.contains("--accept needs files"), input.describe().constData());
    }

    void theServerOfTheFilesIsUsed()
    {
        const QString config = QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + u"/sonde"_s;
        QVERIFY(QDir().mkpath(config));
        writeFile(config + u"/servers.json"_s,
                  "{\"mcpServers\":{\"mine\":{\"command\":\"" + demoProgram().toUtf8() + "\"}}}");
        const QString mine = file("1.call.json", R"({"server":"mine","tool":"add","arguments":{"a":1,"b":2}})");
        const CliRun run = runCli({u"run"_s, mine, u"--yes"_s, u"--json"_s});
        QVERIFY2(run.exitCode == 0 && run.json()[u"server"].string() == u"mine", run.describe().constData());
        const QString any = file("2.call.json", R"({"tool":"add","arguments":{"a":1,"b":2}})");
        QCOMPARE(runCli({u"run"_s, mine, any, u"--yes"_s}).exitCode, 0);
        const CliRun nowhere = runCli({u"run"_s, mine, u"--yes"_s, u"--cwd"_s, u"/no/such/folder"_s});
        QVERIFY2(nowhere.exitCode == 4 && nowhere.err.contains("/no/such/folder"), nowhere.describe().constData());
        const CliRun none = runCli({u"run"_s, any});
        QVERIFY2(none.exitCode == 4 && none.err.contains("no server: give"), none.describe().constData());
        const QString other = file("3.call.json", R"({"server":"other","tool":"fail"})");
        const CliRun two = runCli({u"run"_s, mine, other, u"--yes"_s});
        QVERIFY2(two.exitCode == 4 && two.err.contains("'mine'") && two.err.contains("'other'"),
                 two.describe().constData());
        const CliRun unknown = runCli({u"run"_s, other, u"--yes"_s});
        QVERIFY2(unknown.exitCode == 4 && unknown.err.contains("There is no server 'other'"),
                 unknown.describe().constData());
        QCOMPARE(askDemo({u"run"_s, mine, other}).exitCode, 1);  // "fail" fails
        QVERIFY(QFile::remove(config + u"/servers.json"_s));
    }

    void secretsAreInNothingThatIsKept()
    {
        const QByteArray secret = "Zq91-harbour-Xt7";
        const QString call =
            file("one.call.json",
                 R"({"tool":"echo","arguments":{"value":"x ${env:SONDE_TEST_SECRET}"},"expect":{"result":{}}})");
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"SONDE_TEST_SECRET"_s, QString::fromLatin1(secret));
        const QString session = m_folder->filePath(u"s.mcpsession"_s);
        const QString xml = m_folder->filePath(u"report.xml"_s);
        const QStringList server{u"--"_s, demoProgram()};
        const CliRun machine =
            runCli(QStringList{u"run"_s, call, u"--json"_s, u"--record"_s, session, u"--junit"_s, xml} + server, {}, {},
                   environment);
        QVERIFY2(machine.exitCode == 1 && machine.out.contains("\"outcome\":\"ok\""), machine.describe().constData());
        const CliRun people = runCli(QStringList{u"run"_s, call} + server, {}, {}, environment);
        QVERIFY2(people.out.contains("/content"), people.describe().constData());
        QVERIFY(readFile(session).contains("tools/call"));
        for (const QByteArray &text :
             {machine.out, machine.err, people.out, people.err, readFile(session), readFile(xml)})
            QVERIFY2(!text.contains(secret), text.constData());
    }

    void aMistypedMemberIsTold()
    {
        const QString call =
            file("one.call.json", R"({"tool":"add","arguments":{"a":1,"b":2},"expects":{"outcome":"tool-error"}})");
        const CliRun run = askDemo({u"run"_s, call, u"--json"_s});
        QVERIFY2(run.exitCode == 0 && run.err.contains("Warning: "), run.describe().constData());
        QCOMPARE(run.json()[u"findings"].at(0)[u"code"].string(), u"saved-call"_s);
        QVERIFY2(run.finding().contains(u"/expects"), run.describe().constData());
        QCOMPARE(askDemo({u"run"_s, call, u"--strict"_s}).exitCode, 1);
    }

    void findingsAreAboutTheirCalls()
    {
        file("1.call.json", R"({"tool":"add","arguments":{"a":1,"b":2}})");
        file("2.call.json", R"({"tool":"structured-wrong"})");
        const CliRun run = askDemo({u"run"_s, m_folder->path(), u"--json"_s});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        QCOMPARE(run.json()[u"findings"].at(0)[u"pointer"].string(), u"/result/calls/1"_s);
        QVERIFY2(run.finding().startsWith(u"2: "_s), run.describe().constData());
    }

    void ctrlCBeforeTheFirstCallSendsNone()
    {
        const QString session = m_folder->filePath(u"s.mcpsession"_s);
        QProcess process;
        process.start(cliProgram(), {u"run"_s, file("1.call.json", R"({"tool":"fail"})"), u"--record"_s, session,
                                     u"--"_s, demoProgram(), u"--never-respond"_s, u"tools/list"_s});
        QVERIFY(process.waitForStarted());
        QTRY_VERIFY(readFile(session).contains("tools/list"));
        ::kill(pid_t(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 130);
        QVERIFY(!readFile(session).contains("tools/call"));
    }

    void ctrlCEndsTheSuite()
    {
        file("1.call.json", R"({"tool":"slow","arguments":{"seconds":60}})");
        file("2.call.json", R"({"tool":"fail"})");
        QProcess process;
        process.start(cliProgram(), {u"run"_s, m_folder->path(), u"--json"_s, u"--verbose"_s, u"--record"_s,
                                     m_folder->filePath(u"s.mcpsession"_s), u"--"_s, demoProgram()});
        QVERIFY(process.waitForStarted());
        QTRY_VERIFY(readFile(m_folder->filePath(u"s.mcpsession"_s)).contains("slow\\\",\\\"arguments"));
        ::kill(pid_t(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished());
        const QByteArray out = process.readAllStandardOutput();
        QVERIFY2(process.exitCode() == 130, out.constData());
        const json::Value envelope = json::parse(out.trimmed());
        QCOMPARE(envelope[u"outcome"].string(), u"interrupted"_s);
        QCOMPARE(envelope[u"result"][u"counts"][u"skipped"].toInteger(), 1);
    }

    void callsOfOtherProgramsAreImported()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(u"c.json"_s);
        writeFile(file, PostmanExport);
        const CliRun run = runCli({u"import-calls"_s, file, folder.path()});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        QCOMPARE(run.out, folder.filePath(u"Sum.call.json"_s).toUtf8() + '\n');
        QVERIFY2(run.err.contains("tools/list is not a tool call"), run.describe().constData());
        const CliRun made = runCli({u"run"_s, folder.filePath(u"Sum.call.json"_s), u"--"_s, demoProgram()});
        QVERIFY2(made.exitCode == 0, made.describe().constData());
        const CliRun again = runCli({u"import-calls"_s, file, folder.path(), u"--json"_s});
        QCOMPARE(json::parse(again.out)[u"result"][u"calls"].at(0)[u"name"].string(), u"Sum-2"_s);
        writeFile(file, "[]");
        QCOMPARE(runCli({u"import-calls"_s, file, folder.path()}).exitCode, 1);
        writeFile(file, "{}");
        QCOMPARE(runCli({u"import-calls"_s, file, folder.path()}).exitCode, 4);
        QCOMPARE(runCli({u"import-calls"_s, file, folder.filePath(u"nowhere"_s)}).exitCode, 4);
        QCOMPARE(runCli({u"import-calls"_s, file}).exitCode, 4);
    }

private:
    QString file(const QByteArray &name, const QByteArray &text)
    {
        const QString path = m_folder->filePath(QString::fromLatin1(name));
        writeFile(path, text);
        return path;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

SONDE_TEST(tst_CliSavedCalls)
#include "tst_clisavedcalls.moc"
