// What every verb prints with --json: one envelope of one schema, which strict parsers accept.
// SPDX-License-Identifier: Apache-2.0
#include "core/schema/schema.h"
#include "tests/app/cli/clirun.h"
#include "tests/support/files.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QProcess>
#include <QSet>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

using namespace Qt::StringLiterals;
using sonde::json::Value;
using sonde::test::askDemo;
using sonde::test::cliProgram;
using sonde::test::CliRun;
using sonde::test::demoProgram;
using sonde::test::readFile;
using sonde::test::runCli;
using sonde::test::writeFile;

namespace {

// A server with one tool, whose result is that text, with the escapes of fake-stdio-server.
QStringList serverAnswering(const QString &result)
{
    return {u"--"_s,
            sonde::test::builtProgram(u"fake-stdio-server"_s),
            u"readline"_s,
            u"say:{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
            "\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}"_s,
            u"readline"_s,
            u"readline"_s,
            u"raw:{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":"_s + result + u"}\\n"_s,
            u"waiteof"_s};
}

}  // namespace

class tst_CliJson : public QObject {
    Q_OBJECT
private:
    QByteArray problemOf(const CliRun &run) const
    {
        const QList<Value> objects = run.exitCode >= 0 ? envelopes(run) : QList<Value>();
        if (objects.isEmpty())
            return "nothing was printed";
        for (const Value &object : objects) {
            for (const sonde::schema::Issue &issue : m_schema.validate(object))
                return (issue.instance.toString() + u' ' + issue.message).toUtf8();
        }
        return {};
    }

    // One object on several lines, or one per line.
    static QList<Value> envelopes(const CliRun &run)
    {
        const sonde::json::Document whole = sonde::json::Document::parse(run.out.trimmed());
        return whole.isValid() ? QList<Value>{whole.root()} : run.jsonLines();
    }

    static void parseWithJq(const CliRun &run)
    {
        const QString jq = QStandardPaths::findExecutable(u"jq"_s);
        if (jq.isEmpty())
            QSKIP("jq is not installed");
        QProcess process;
        process.start(jq, {u"-e"_s, u"-c"_s, u".outcome"_s});
        process.write(run.out);
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished());
        QVERIFY2(process.exitCode() == 0, (process.readAllStandardError() + run.describe()).constData());
    }

    struct Row {
        const char *name;
        QStringList words;
        QString outcome;  // empty: any
        int code;         // -1: any
    };
    QList<Row> rows() const
    {
        const QStringList demo{u"--"_s, demoProgram()};
        const QStringList none{u"--"_s, u"/no/such/program"_s};
        const QString missing = m_folder.filePath(u"missing"_s);
        QList<Row> rows;
        const auto row = [&rows](const char *name, const QStringList &words, const QString &outcome, int code) {
            rows.append({name, words, outcome, code});
        };
        const QString ok = u"ok"_s;
        const QString usage = u"usage-error"_s;
        const QString lost = u"no-response"_s;
        const QString refused = u"protocol-error"_s;
        row("info", QStringList{u"info"_s} + demo, ok, 0);
        row("info, not started", QStringList{u"info"_s} + none, lost, 3);
        row("list", QStringList{u"list"_s} + demo, ok, 0);
        row("list, wrong", QStringList{u"list"_s, u"nothing"_s} + demo, usage, 4);
        row("list, failed",
            QStringList{u"list"_s, u"tools"_s, u"--timeout"_s, u"1"_s} + demo +
                QStringList{u"--never-respond"_s, u"tools/list"_s},
            lost, 3);
        row("call", QStringList{u"call"_s, u"add"_s, u"a=1"_s, u"b=2"_s} + demo, ok, 0);
        row("call, tool error", QStringList{u"call"_s, u"fail"_s} + demo, u"tool-error"_s, 1);
        row("call, findings", QStringList{u"call"_s, u"structured-wrong"_s} + demo, ok, 0);
        row("call, strict", QStringList{u"call"_s, u"structured-wrong"_s, u"--strict"_s} + demo, u"findings"_s, 1);
        row("call, protocol error", QStringList{u"call"_s, u"protocol-error"_s, u"data:={\"x\":\"\\ud800\"}"_s} + demo,
            refused, 2);
        row("call, not sent", QStringList{u"call"_s, u"add"_s, u"--strict"_s} + demo, usage, 4);
        row("describe", QStringList{u"describe"_s, u"add"_s} + demo, ok, 0);
        row("describe, unknown", QStringList{u"describe"_s, u"ad"_s} + demo, usage, 4);
        row("find, none", {u"find"_s, u"nothing"_s}, u"not-found"_s, 1);
        row("validate", {u"validate"_s, m_folder.filePath(u"schema.json"_s), m_folder.filePath(u"number.json"_s)}, ok,
            0);
        row("validate, not valid",
            {u"validate"_s, m_folder.filePath(u"schema.json"_s), m_folder.filePath(u"mcp.json"_s)}, u"not-valid"_s, 1);
        row("validate, missing", {u"validate"_s, missing, missing}, usage, 4);
        row("servers", {u"servers"_s}, ok, 0);
        row("servers, unknown", {u"servers"_s, u"show"_s, u"nobody"_s}, usage, 4);
        row("help", {u"help"_s}, usage, 4);
        row("completion", {u"completion"_s, u"bash"_s}, usage, 4);
        row("read", QStringList{u"read"_s, u"demo://text/greeting"_s} + demo, ok, 0);
        row("read, refused", QStringList{u"read"_s, u"demo://nothing"_s} + demo, refused, 2);
        row("prompt", QStringList{u"prompt"_s, u"greeting"_s} + demo, ok, 0);
        row("prompt, refused", QStringList{u"prompt"_s, u"nothing"_s} + demo, refused, 2);
        row("request", QStringList{u"request"_s, u"tools/list"_s} + demo, ok, 0);
        row("request, wrong", QStringList{u"request"_s, u"notifications/x"_s} + demo, usage, 4);
        row("ping", QStringList{u"ping"_s} + demo, ok, 0);
        row("ping, not started", QStringList{u"ping"_s} + none, lost, 3);
        row("complete", QStringList{u"complete"_s, u"topic"_s, u"M"_s, u"--prompt"_s, u"summarize"_s} + demo, ok, 0);
        row("complete, wrong", QStringList{u"complete"_s, u"topic"_s} + demo, usage, 4);
        row("subscribe", QStringList{u"subscribe"_s, u"demo://live/clock"_s, u"--for"_s, u"0.2"_s} + demo, ok, 0);
        row("subscribe, wrong", QStringList{u"subscribe"_s} + demo, usage, 4);
        row("log-level", QStringList{u"log-level"_s, u"debug"_s, u"--for"_s, u"0.05"_s} + demo, ok, 0);
        row("log-level, wrong", QStringList{u"log-level"_s, u"shouting"_s} + demo, usage, 4);
        row("tasks", QStringList{u"tasks"_s} + demo, ok, 0);
        row("tasks, unknown", QStringList{u"tasks"_s, u"get"_s, u"x"_s} + demo, refused, 2);
        row("run", QStringList{u"run"_s, m_folder.filePath(u"script"_s)} + demo, ok, 0);
        row("run, wrong", QStringList{u"run"_s, m_folder.filePath(u"bad-script"_s)} + demo, usage, 4);
        row("run, saved calls", QStringList{u"run"_s, m_folder.filePath(u"add.call.json"_s)} + demo, ok, 0);
        row("run, an expectation not met", QStringList{u"run"_s, m_folder.filePath(u"fail.call.json"_s)} + demo,
            u"failed"_s, 1);
        row("replay", QStringList{u"replay"_s, m_session} + demo, ok, 0);
        row("replay, changed",
            QStringList{u"replay"_s, m_session, u"--revision=2025-11-25"_s} + demo +
                QStringList{u"--revision"_s, u"2024-11-05"_s},
            u"changed"_s, 1);
        row("mock, over stdio", {u"mock"_s, m_session}, usage, 4);
        row("diff", {u"diff"_s, m_session, m_session}, ok, 0);
        row("diff, breaking", {u"diff"_s, m_session, QString(u'\'' + demoProgram() + u"' --revision 2024-11-05"_s)},
            u"breaking"_s, 2);
        row("diff, wrong", {u"diff"_s, m_session}, usage, 4);
        row("check", QStringList{u"check"_s} + serverAnswering(u"{}"_s), {}, -1);
        row("check, not started", QStringList{u"check"_s} + none, lost, 3);
        row("login, no server", {u"login"_s}, usage, 4);
        row("login, not over HTTP", QStringList{u"login"_s} + demo, {}, -1);
        row("logout", {u"logout"_s, u"--url"_s, u"http://127.0.0.1:1/mcp"_s}, ok, 0);
        row("logout, wrong", QStringList{u"logout"_s} + demo, usage, 4);
        row("export", {u"export"_s, m_session, u"--format"_s, u"har"_s, u"-o"_s, m_folder.filePath(u"out"_s)}, ok, 0);
        row("export, preview", {u"export"_s, m_session, u"--format"_s, u"html"_s, u"--preview"_s}, ok, 0);
        row("export, to standard output", {u"export"_s, m_session, u"--format"_s, u"jsonl"_s}, usage, 4);
        row("log", {u"log"_s, m_session}, ok, 0);
        row("log, none match", {u"log"_s, m_session, u"--filter"_s, u"tool == nothing"_s}, ok, 0);
        row("log, missing", {u"log"_s, missing}, {}, -1);
        row("stats", {u"stats"_s, m_session}, ok, 0);
        row("stats, missing", {u"stats"_s, missing}, {}, -1);
        row("import", {u"import"_s, m_folder.filePath(u"mcp.json"_s), u"--list"_s}, ok, 0);
        row("import-calls", {u"import-calls"_s, m_folder.filePath(u"postman.json"_s), m_folder.filePath(u"calls"_s)},
            ok, 0);
        row("import-calls, none",
            {u"import-calls"_s, m_folder.filePath(u"empty.json"_s), m_folder.filePath(u"calls"_s)}, {}, 1);
        row("import-calls, missing", {u"import-calls"_s, missing, m_folder.path()}, u"usage-error"_s, 4);
        row("import, missing", {u"import"_s, missing}, {}, -1);
        row("export-servers", {u"export-servers"_s}, ok, 0);
        row("export-servers, unknown", {u"export-servers"_s, u"nobody"_s}, {}, -1);
        row("unknown verb", {u"no-such-verb"_s}, usage, 4);
        row("unknown option", QStringList{u"ping"_s, u"--no-such-option"_s} + demo, usage, 4);
        return rows;
    }

private Q_SLOTS:
    void initTestCase()
    {
        const sonde::json::Document schema =
            sonde::json::Document::parse(readFile(QStringLiteral(SONDE_SOURCE_DIR "/docs/json.schema.json")));
        QVERIFY(schema.isValid());
        m_schema = sonde::schema::Schema(schema.root());
        m_session = m_folder.filePath(u"s.mcpsession"_s);
        QCOMPARE(askDemo({u"call"_s, u"add"_s, u"a=1"_s, u"b=2"_s, u"--record"_s, m_session}).exitCode, 0);
        writeFile(m_folder.filePath(u"script"_s), "ping\ncall add a=1 b=2\n");
        writeFile(m_folder.filePath(u"bad-script"_s), "ping\nno-such-verb\n");
        writeFile(m_folder.filePath(u"add.call.json"_s), R"({"tool":"add","arguments":{"a":1,"b":2}})");
        writeFile(m_folder.filePath(u"fail.call.json"_s), R"({"tool":"fail"})");
        writeFile(m_folder.filePath(u"schema.json"_s), R"({"type":"integer"})");
        writeFile(m_folder.filePath(u"number.json"_s), "1");
        writeFile(m_folder.filePath(u"mcp.json"_s), R"({"mcpServers":{"a":{"command":"x"}}})");
        QVERIFY(QDir(m_folder.path()).mkdir(u"calls"_s));
        writeFile(m_folder.filePath(u"empty.json"_s), "[]");
        writeFile(
            m_folder.filePath(u"postman.json"_s),
            "{\"info\":{\"name\":\"c\"},\"item\":[{\"name\":\"Sum\",\"request\":{\"body\":{\"mode\":\"raw\",\"raw\":"
            "\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":1,\\\"method\\\":\\\"tools/call\\\",\\\"params\\\":{"
            "\\\"name\\\":\\\"add\\\"}}\"}}}]}");
    }

    void everyVerb_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("outcome");
        QTest::addColumn<int>("code");
        for (const Row &row : rows())
            QTest::newRow(row.name) << row.words << row.outcome << row.code;
    }
    void everyVerb()
    {
        QFETCH(QStringList, words);
        QFETCH(QString, outcome);
        QFETCH(int, code);
        words.insert(1, u"--json"_s);
        const CliRun run = runCli(words);
        const QByteArray problem = problemOf(run);
        QVERIFY2(problem.isEmpty(), (problem + '\n' + run.describe()).constData());
        const Value last = envelopes(run).last();
        QVERIFY2(outcome.isEmpty() || last[u"outcome"].string() == outcome, run.describe().constData());
        QVERIFY2(code < 0 || run.exitCode == code, run.describe().constData());
        QVERIFY2(last[u"verb"].isNull() || last[u"verb"].string() == words.first(), run.describe().constData());
        if (last[u"outcome"].string() == u"usage-error")
            QVERIFY2(run.err.startsWith("sonde-cli: ") || run.err.contains("\nsonde-cli: "),
                     run.describe().constData());
        parseWithJq(run);
    }

    // A verb that is added is added to the table above and to the document.
    void noVerbIsLeftOut()
    {
        const QStringList verbs = sonde::test::verbsOfHelp();
        QVERIFY2(verbs.size() > 25, qPrintable(verbs.join(u' ')));
        const QByteArray document = readFile(QStringLiteral(SONDE_SOURCE_DIR "/docs/json.md"));
        QSet<QString> covered;
        for (const Row &row : rows())
            covered.insert(row.words.first());
        const QSet<QString> withoutJson{u"help"_s, u"completion"_s};
        for (const QString &verb : verbs) {
            QVERIFY2(document.contains('`' + verb.toLatin1() + '`'), qPrintable(verb));
            QVERIFY2(covered.contains(verb) || withoutJson.contains(verb), qPrintable(verb));
        }
    }

    void aMockOverHttpSaysWhereItIs()
    {
        QProcess mock;
        mock.start(cliProgram(), {u"mock"_s, m_session, u"--http"_s, u"--json"_s});
        CliRun run;
        QTRY_VERIFY((run.out += mock.readAllStandardOutput()).endsWith('\n'));
        ::kill(pid_t(mock.processId()), SIGINT);
        QVERIFY(mock.waitForFinished());
        run.out += mock.readAllStandardOutput();
        run.exitCode = mock.exitCode();
        QCOMPARE(problemOf(run), QByteArray());
        QCOMPARE(run.jsonLines().size(), 2);
        QVERIFY(run.jsonLines().first()[u"result"][u"url"].string().startsWith(u"http://127.0.0.1:"_s));
    }

    void aLoneSurrogateIsReplacedAndFound()
    {
        const QString content =
            u"{\"content\":[{\"type\":\"text\",\"text\":\"a\\x5Cud800b\",\"n\":1e400,"
            "\"m\":9007199254740993}]}"_s;
        const CliRun run = runCli(QStringList{u"call"_s, u"x"_s, u"--json"_s} + serverAnswering(content));
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        QCOMPARE(problemOf(run), QByteArray());
        const Value block = run.result()[u"content"].at(0);
        QCOMPARE(block[u"text"].string(), u"a\uFFFDb"_s);
        QCOMPARE(block[u"n"].numberText(), "1e400"_ba);
        QCOMPARE(block[u"m"].numberText(), "9007199254740993"_ba);
        QVERIFY2(!run.out.contains("ud800"), run.describe().constData());
        bool isFound = false;
        for (const Value &finding : run.json()[u"findings"]) {
            isFound = isFound || (finding[u"code"].string() == u"replaced-characters" &&
                                  finding[u"pointer"].string() == u"/result/content/0/text");
        }
        QVERIFY2(isFound, run.describe().constData());
        parseWithJq(run);
    }

    void rawIsWhatCame()
    {
        const QString result = u"{ \"content\": [{\"type\":\"text\",\"text\":\"a\\x5Cud800b\"}] }"_s;
        const CliRun run = runCli(QStringList{u"call"_s, u"x"_s, u"--raw"_s} + serverAnswering(result));
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        QCOMPARE(run.out, R"({"jsonrpc":"2.0","id":2,"result":{ "content": [{"type":"text","text":"a\ud800b"}] }})"
                          "\n"_ba);
        const CliRun refused = askDemo({u"call"_s, u"protocol-error"_s, u"--raw"_s});
        QVERIFY2(refused.exitCode == 2 && refused.out.contains("\"error\""), refused.describe().constData());
        QCOMPARE(askDemo({u"call"_s, u"add"_s, u"--raw"_s, u"--json"_s}).exitCode, 4);
        QCOMPARE(askDemo({u"list"_s, u"--raw"_s}).exitCode, 4);
    }

    void findingsFailWithStrict()
    {
        const QStringList words{u"call"_s, u"structured-wrong"_s, u"--strict"_s};
        const CliRun people = askDemo(words);
        QVERIFY2(people.exitCode == 1 && people.err.contains("Finding: "), people.describe().constData());
        const CliRun machine = askDemo(words + QStringList{u"--json"_s});
        QVERIFY2(machine.exitCode == 1 && machine.err.contains("Finding: "), machine.describe().constData());
        QCOMPARE(machine.json()[u"outcome"].string(), u"findings"_s);
        const Value finding = machine.json()[u"findings"].at(0);
        QCOMPARE(finding[u"code"].string(), u"output-schema"_s);
        QVERIFY2(finding[u"pointer"].string().startsWith(u"/result/structuredContent/"),
                 machine.describe().constData());
        QVERIFY2(finding[u"record"].toInteger().value_or(0) > 0, machine.describe().constData());
        QCOMPARE(askDemo({u"call"_s, u"add"_s, u"a=1"_s, u"b=2"_s, u"--strict"_s}).exitCode, 0);
        const CliRun script = askDemo({u"run"_s, u"-"_s, u"--strict"_s, u"--json"_s}, {},
                                      "call add a=1 b=2\ncall structured-wrong\nping\n");
        QVERIFY2(script.exitCode == 1 && script.jsonLines().size() == 3, script.describe().constData());
        QCOMPARE(script.jsonLines().at(1)[u"outcome"].string(), u"findings"_s);
        QCOMPARE(script.jsonLines().at(2)[u"outcome"].string(), u"findings"_s);
    }

    void argumentsAreCheckedBeforeTheyAreSent_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("warning");
        QTest::addColumn<QString>("pointer");
        QTest::newRow("missing") << QStringList{u"call"_s, u"add"_s, u"a=1"_s} << "“b” is required"_ba << u"/b"_s;
        QTest::newRow("not allowed") << QStringList{u"call"_s, u"add"_s, u"a=1"_s, u"b=2"_s, u"c=3"_s}
                                     << "“c” is not allowed here"_ba << u"/c"_s;
        QTest::newRow("undeclared") << QStringList{u"call"_s, u"slow"_s, u"seconds=0"_s, u"second=1"_s}
                                    << "“second” is not an argument of this tool"_ba << u"/second"_s;
        QTest::newRow("out of range") << QStringList{u"call"_s, u"progress"_s, u"steps=1"_s, u"intervalMs=-1"_s}
                                      << "“intervalMs” must be at least 0"_ba << u"/intervalMs"_s;
        QTest::newRow("not among the choices")
            << QStringList{u"call"_s, u"log"_s, u"level=loud"_s} << "“level” must be one of"_ba << u"/level"_s;
        QTest::newRow("near miss") << QStringList{u"call"_s, u"log"_s, u"level=eror"_s}
                                   << "“level” must be one of debug, info, notice, warning, error, critical, alert or "
                                      "emergency (did you mean “error”?)"_ba
                                   << u"/level"_s;
        QTest::newRow("another format") << QStringList{u"call"_s, u"touch-resource"_s, u"uri=nowhere"_s}
                                        << "“uri” should be a URI such as https://example.com/"_ba << u"/uri"_s;
        QTest::newRow("an item") << QStringList{u"call"_s,
                                                u"every-field-kind"_s,
                                                u"text=x"_s,
                                                u"color=red"_s,
                                                u"version=v1"_s,
                                                u"serial=1"_s,
                                                u"people:=[{\"name\":\"x\"},{}]"_s}
                                 << "“people, item 2, name” is required"_ba << u"/people/1/name"_s;
        QTest::newRow("params") << QStringList{u"call"_s, u"--params"_s,
                                               u"{\"name\":\"add\",\"arguments\":{\"a\":1}}"_s}
                                << "“b” is required"_ba << u"/b"_s;
        QTest::newRow("prompt, missing") << QStringList{u"prompt"_s, u"summarize"_s} << "“topic” is required"_ba
                                         << u"/topic"_s;
        QTest::newRow("prompt, undeclared") << QStringList{u"prompt"_s, u"summarize"_s, u"topic=x"_s, u"stile=y"_s}
                                            << "“stile” is not an argument of this prompt"_ba << u"/stile"_s;
        QTest::newRow("template, missing")
            << QStringList{u"read"_s, u"demo://weather/{city}{?unit}"_s, u"unit=kelvin"_s} << "“city” has no value"_ba
            << u"/city"_s;
    }
    void argumentsAreCheckedBeforeTheyAreSent()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, warning);
        QFETCH(QString, pointer);
        const QByteArray sent = words.first() == u"call"     ? "request tools/call"_ba
                                : words.first() == u"prompt" ? "request prompts/get"_ba
                                                             : "request resources/read"_ba;
        for (const bool isStrict : {false, true}) {
            QTemporaryDir folder;
            const QString session = folder.filePath(u"s"_s);
            QStringList options{u"--json"_s, u"--record"_s, session};
            if (isStrict)
                options.append(u"--strict"_s);
            const CliRun run = askDemo(words + options);
            QVERIFY2(run.err.contains("Warning: " + warning), run.describe().constData());
            const Value finding = run.json()[u"findings"].at(0);
            QVERIFY2(finding[u"text"].string().toUtf8().startsWith(warning), run.describe().constData());
            QCOMPARE(finding[u"code"].string(), u"arguments"_s);
            QCOMPARE(finding[u"pointer"].string(), pointer);
            QCOMPARE(run.exitCode == 4, isStrict);
            QCOMPARE(runCli({u"log"_s, session}).out.contains(sent), !isStrict);
        }
    }

private:
    QTemporaryDir m_folder;
    QString m_session;
    sonde::schema::Schema m_schema;
};

SONDE_TEST(tst_CliJson)
#include "tst_clijson.moc"
