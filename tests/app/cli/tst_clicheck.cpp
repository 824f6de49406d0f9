// sonde-cli check, end to end: where each server stops, what its messages break, and the exit codes.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/clirun.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <sys/stat.h>

#include <csignal>

using namespace Qt::StringLiterals;
using sonde::test::cliProgram;
using sonde::test::CliRun;
using sonde::test::readFile;
using sonde::test::runCli;
namespace json = sonde::json;

namespace {

json::Value stepNamed(const json::Value &server, const QString &name)
{
    for (const json::Value &step : server[u"steps"]) {
        if (step[u"step"].string() == name)
            return step;
    }
    return {};
}

}  // namespace

class tst_CliCheck : public QObject {
    Q_OBJECT
private:
    // A server of 2025-11-25 that answers tools/list with this, a result or an error, and does something before that.
    QString server(const QString &name, const QByteArray &list, const QByteArray &before = "true") const
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly))
            return {};
        file.write(
            "#!/bin/sh\nwhile read -r line; do\n"
            "id=$(printf '%s' \"$line\" | sed 's/.*\"id\":\\(\"[^\"]*\"\\|[0-9]*\\).*/\\1/')\n"
            "case \"$line\" in\n"
            "*'\"initialize\"'*) first=$line; "
            "body='\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
            "\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}' ;;\n"
            "*tools/list*) " +
            before + "; body='" + list +
            "' ;;\n*'\"id\"'*) body='\"error\":{\"code\":-32601,\"message\":\"no such method\"}' ;;\n*) continue "
            ";;\nesac\n"
            "printf '{\"jsonrpc\":\"2.0\",\"id\":%s,%s}\\n' \"$id\" \"$body\"\ndone\n");
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return file.fileName();
    }
    QString rightServer() const
    {
        return server(u"right"_s, "\"result\":{\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"}}]}");
    }
    QString wrongServer() const
    {
        return server(u"wrong"_s, "\"result\":{\"tools\":[{\"name\":\"a\"},{\"name\":\"b\"}]}");
    }
    QString failingServer() const
    {
        return server(u"failing"_s, "\"error\":{\"code\":-32603,\"message\":\"out of order\"}");
    }

    QTemporaryDir m_folder;

private Q_SLOTS:
    void nothingWrong()
    {
        const CliRun run = runCli({u"check"_s, u"--json"_s, u"--"_s, rightServer()});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        const json::Value server = run.result()[u"servers"].at(0);
        QCOMPARE(server[u"outcome"].string(), u"ok"_s);
        QVERIFY(run.json()[u"findings"].isEmpty());
        QCOMPARE(server[u"checkedMessages"].toInteger(), 5);  // initialize, initialized, tools/list and two responses
        for (const QString &step : {u"program"_s, u"start"_s, u"handshake"_s, u"lists"_s})
            QVERIFY2(stepNamed(server, step)[u"state"].string() == u"ok", run.describe().constData());
        QCOMPARE(stepNamed(server, u"lists"_s)[u"text"].string(), u"tools 1"_s);
    }

    void messagesThatBreakTheirRevision()
    {
        const CliRun run = runCli({u"check"_s, u"--json"_s, u"--"_s, wrongServer()});
        QVERIFY2(run.exitCode == 1, run.describe().constData());
        const json::Value server = run.result()[u"servers"].at(0);
        QCOMPARE(server[u"outcome"].string(), u"findings"_s);
        const json::Value finding = run.json()[u"findings"].at(0);
        QCOMPARE(finding[u"method"].string(), u"tools/list"_s);
        QCOMPARE(finding[u"sender"].string(), u"server"_s);
        QCOMPARE(finding[u"text"].string(), u"'result.tools[0].inputSchema' is missing."_s);
        QCOMPARE(finding[u"count"].toInteger(), 2);
        const CliRun people = runCli({u"check"_s, u"--"_s, wrongServer()});
        QVERIFY2(people.out.contains("tools/list from the server"), people.describe().constData());
        QVERIFY2(people.out.contains(", 2 times): 'result.tools[0].inputSchema' is missing."),
                 people.describe().constData());
    }

    // Whatever list and call report, check reports as well, and the other way round.
    void findingsAreThoseOfEveryVerb_data()
    {
        QTest::addColumn<QByteArray>("sent");  // before the response to tools/list
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("ID") << R"({"jsonrpc":"2.0","id":{},"method":"ping"})"_ba
                            << "No response sent: the request's ID is neither an integer nor a string."_ba;
        QTest::newRow("roots") << R"({"jsonrpc":"2.0","id":7,"method":"roots/list"})"_ba
                               << "The client did not declare 'roots'."_ba;
        QTest::newRow("tasks") << R"({"jsonrpc":"2.0","id":7,"method":"tasks/get","params":{"taskId":"x"}})"_ba
                               << "The client did not declare 'tasks'."_ba;
        QTest::newRow("unknown") << R"({"jsonrpc":"2.0","id":7,"method":"foo/bar"})"_ba
                                 << "Revision 2025-11-25 has no such request"_ba;
        QTest::newRow("direction") << R"({"jsonrpc":"2.0","id":7,"method":"tools/list"})"_ba
                                   << "Servers do not send tools/list in revision 2025-11-25."_ba;
        QTest::newRow("unmatched") << R"({"jsonrpc":"2.0","id":987654321,"result":{}})"_ba
                                   << "987654321"_ba;
        QTest::newRow("notification")
            << R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"loud","data":1}})"_ba
            << "'params.level' must be"_ba;
    }
    void findingsAreThoseOfEveryVerb()
    {
        QFETCH(QByteArray, sent);
        QFETCH(QByteArray, text);
        const QString program =
            server(u"talking"_s, "\"result\":{\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"}}]}",
                   "echo '" + sent + "'; printf ''");
        const CliRun check = runCli({u"check"_s, u"--"_s, program});
        QVERIFY2(check.exitCode == 1 && check.out.contains(text), check.describe().constData());
        QCOMPARE(check.out.count(text), 1);
        for (const QStringList &verb : {QStringList{u"list"_s}, QStringList{u"call"_s, u"a"_s}}) {
            const CliRun run = runCli(verb + QStringList{u"--"_s, program});
            QVERIFY2(run.err.count(text) == 1, run.describe().constData());
        }
    }

    // What the server wrote with its response to initialize was written before it could read notifications/initialized.
    void requestBeforeInitialized()
    {
        const QString program = m_folder.filePath(u"early"_s);
        QFile file(program);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            "#!/bin/sh\nread -r line; printf '%s\\n%s\\n' "
            "'{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
            "\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}' "
            "'{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[],"
            "\"maxTokens\":1}}'\nexec cat >/dev/null\n");
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        const CliRun info = runCli({u"info"_s, u"--"_s, program});
        QVERIFY2(info.err.contains("sampling/createMessage, revision 2025-11-25: Before notifications/initialized"),
                 info.describe().constData());
        const CliRun check = runCli({u"check"_s, u"--"_s, program});
        QVERIFY2(
            check.exitCode == 1 && check.out.contains("Before notifications/initialized a server may send no request"),
            check.describe().constData());
    }

    // More than are checked at the end of a connection.
    void everyMessageOfAFlood()
    {
        const QByteArray message = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"";
        const QString flooding =
            server(u"flooding"_s, "\"result\":{\"tools\":[]}",
                   "i=0; while [ $i -lt 6000 ]; do echo '" + message +
                       "info\",\"data\":1}}'; i=$((i+1)); done; echo '" + message + "loud\",\"data\":1}}'");
        const CliRun run = runCli({u"check"_s, u"--json"_s, u"--"_s, flooding});
        QVERIFY2(run.exitCode == 1, run.describe().constData());
        const json::Value server = run.result()[u"servers"].at(0);
        QCOMPARE(server[u"checkedMessages"].toInteger(), 6006);
        QCOMPARE(run.json()[u"findings"].size(), 1);
        QVERIFY(run.finding().startsWith(u"'params.level' must be"_s));
    }

    void listThatFails()
    {
        const CliRun run = runCli({u"check"_s, u"--"_s, failingServer()});
        QVERIFY2(run.exitCode == 2, run.describe().constData());
        QVERIFY2(run.out.contains("Stopped at tools/list (code -32603): out of order"), run.describe().constData());
    }

    // A server may offer some of its tools only to clients that can do what these need.
    void sameToolsAsEveryVerbSees()
    {
        const QString tool = u"{\"name\":\"%1\",\"inputSchema\":{\"type\":\"object\"}}"_s;
        const QString asking =
            server(u"asking"_s, "\"result\":{\"tools\":[" + tool.arg(u"a"_s).toUtf8() + "'\"$more\"']}",
                   "case \"$first\" in *'\"elicitation\"'*'\"sampling\"'*) more=',"_ba + tool.arg(u"b"_s).toUtf8() +
                       "' ;; esac");
        const CliRun list = runCli({u"list"_s, u"--json"_s, u"--"_s, asking});
        QVERIFY2(list.out.contains("\"b\""), list.describe().constData());
        const CliRun check = runCli({u"check"_s, u"--"_s, asking});
        QVERIFY2(check.exitCode == 0 && check.out.contains("tools 2"), check.describe().constData());
        const CliRun diff = runCli({u"diff"_s, asking, asking, u"--json"_s});
        QVERIFY2(diff.exitCode == 0, diff.describe().constData());
    }

    void programThatExits()
    {
        const CliRun run = runCli({u"check"_s, u"--"_s, u"/bin/sh"_s, u"-c"_s, u"echo broken >&2; exit 3"_s});
        QVERIFY2(run.exitCode == 3, run.describe().constData());
        QVERIFY2(run.out.contains("Stopped at Start (code 3): "), run.describe().constData());
        QVERIFY2(run.out.contains("\xE2\x94\x82 broken"), run.describe().constData());
    }

    // Each by its own words; the exit code is that of the worst.
    void severalServers()
    {
        const CliRun run = runCli({u"check"_s, u"--json"_s, rightServer(), wrongServer(), u"/no/such/program"_s});
        QVERIFY2(run.exitCode == 3, run.describe().constData());
        const json::Value servers = run.result()[u"servers"];
        QCOMPARE(servers.size(), 3);
        QCOMPARE(servers.at(0)[u"outcome"].string(), u"ok"_s);
        QCOMPARE(servers.at(1)[u"outcome"].string(), u"findings"_s);
        QCOMPARE(servers.at(2)[u"outcome"].string(), u"no-response"_s);
        QCOMPARE(servers.at(2)[u"stopped"][u"step"].string(), u"Program"_s);
    }

    void junit()
    {
        const QString path = m_folder.filePath(u"junit.xml"_s);
        const CliRun run = runCli({u"check"_s, u"--junit"_s, path, wrongServer(), u"/no/such/program"_s});
        QVERIFY2(run.exitCode == 3, run.describe().constData());
        QXmlStreamReader xml(readFile(path));
        QStringList suites;
        QStringList problems;
        while (!xml.atEnd()) {
            if (xml.readNext() != QXmlStreamReader::StartElement)
                continue;
            if (xml.name() == u"testsuite")
                suites.append(
                    u"%1/%2"_s.arg(xml.attributes().value(u"failures"_s), xml.attributes().value(u"errors"_s)));
            if (xml.name() == u"failure" || xml.name() == u"error")
                problems.append(xml.name().toString());
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QCOMPARE(suites, (QStringList{u"1/0"_s, u"0/1"_s}));
        QCOMPARE(problems, (QStringList{u"failure"_s, u"error"_s}));
    }

    // What was never reached has not passed.
    void junitOfAServerThatWasNotReached()
    {
        const QString path = m_folder.filePath(u"unreached.xml"_s);
        const CliRun run = runCli({u"check"_s, u"--junit"_s, path, u"--"_s, u"/no/such/program"_s});
        QVERIFY2(run.exitCode == 3, run.describe().constData());
        const QByteArray report = readFile(path);
        QXmlStreamReader xml(report);
        QString step;
        QHash<QString, QString> elements;  // of each test case
        QHash<QString, QString> bodies;
        int skipped = -1;
        while (!xml.atEnd()) {
            if (xml.readNext() != QXmlStreamReader::StartElement)
                continue;
            if (xml.name() == u"testsuite") {
                skipped = xml.attributes().value(u"skipped"_s).toInt();
            } else if (xml.name() == u"testcase") {
                step = xml.attributes().value(u"name"_s).toString();
            } else if (xml.name() == u"error" || xml.name() == u"skipped" || xml.name() == u"failure") {
                elements.insert(step, xml.name().toString());
                bodies.insert(step, xml.readElementText());
            }
        }
        QVERIFY2(!xml.hasError(), report.constData());
        QCOMPARE(elements.value(u"Program"_s), u"error"_s);
        QVERIFY2(bodies.value(u"Program"_s).contains(u"/no/such/program"_s), report.constData());
        QCOMPARE(elements.value(u"Messages"_s), u"skipped"_s);
        QCOMPARE(elements.value(u"Handshake"_s), u"skipped"_s);
        QCOMPARE(skipped, int(std::count(elements.cbegin(), elements.cend(), u"skipped"_s)));
    }

    // The step about its output has one.
    void warningsFailWithStrict()
    {
        const QString path = m_folder.filePath(u"warning.xml"_s);
        const QString noisy = server(u"noisy"_s, "\"result\":{\"tools\":[]}", "echo noise");
        const CliRun run = runCli({u"check"_s, u"--json"_s, u"--junit"_s, path, u"--"_s, noisy});
        const QByteArray report = readFile(path);
        QVERIFY2(run.out.contains("\"code\":\"step\""), run.describe().constData());
        QVERIFY2(report.contains("<system-out>\xE2\x96\xB2 ") && report.count("<failure") == 1, report.constData());
        const CliRun strict = runCli({u"check"_s, u"--strict"_s, u"--junit"_s, path, u"--"_s, noisy});
        QCOMPARE(strict.exitCode, 1);
        // Each finding once, where a job's log shows what failed it.
        QVERIFY2(strict.err.count("  \xE2\x97\x86 ") == 2 && !strict.out.contains("\xE2\x97\x86"),
                 strict.describe().constData());
        const QByteArray strictReport = readFile(path);
        QVERIFY2(!strictReport.contains("<system-out>") && strictReport.count("<failure") == 2,
                 strictReport.constData());
    }

    // As a device is not, which this stands for: /dev/null would become a file.
    void junitReplacesNothingButFiles()
    {
        const QString pipe = m_folder.filePath(u"pipe"_s);
        QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
        const CliRun run = runCli({u"check"_s, u"--junit"_s, pipe, u"--"_s, rightServer()});
        QVERIFY2(run.exitCode == 3 && run.err.contains("not an ordinary file"), run.describe().constData());
        QVERIFY(QFileInfo::exists(pipe) && !QFileInfo(pipe).isFile());
    }

    // What a test reporter could not read is made visible.
    void junitOfHostileText()
    {
        const QString path = m_folder.filePath(u"hostile.xml"_s);
        const QString text = u"]]> <a&b> \u001b[31m \u0001 \uFFFE \uFFFF \u202e \""_s;
        QFile script(m_folder.filePath(u"hostile"_s));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write("cat >&2 <<'END'\n" + text.toUtf8() + "\xFF\xC0\nEND\nexit 1\n");
        script.close();
        const CliRun run = runCli({u"check"_s, u"--junit"_s, path, u"--"_s, u"/bin/sh"_s, script.fileName(), text});
        QVERIFY2(run.exitCode == 3, run.describe().constData());
        QXmlStreamReader xml(readFile(path));
        QString all;
        while (!xml.atEnd()) {
            xml.readNext();
            all += xml.text();
            for (const QXmlStreamAttribute &attribute : xml.attributes())
                all += attribute.value();
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QVERIFY2(all.contains(u"]]> <a&b> ‹ESC›[31m"_s), qPrintable(all));
        QVERIFY(all.contains(u"‹U+202E›"_s));
    }

    // Nothing of it is run or contacted, and what would be is shown.
    void serverThatNobodyApproved()
    {
        const QString trace = m_folder.filePath(u"trace"_s);
        QVERIFY(QDir(m_folder.path()).mkpath(u"planted"_s));
        QFile program(m_folder.filePath(u"planted/node"_s));
        QVERIFY(program.open(QIODevice::WriteOnly));
        program.write("#!/bin/sh\ntouch '" + trace.toUtf8() + "'\n");
        program.close();
        program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        const QString config = m_folder.filePath(u"config"_s);
        QVERIFY(QDir().mkpath(config + u"/sonde"_s));
        QFile servers(config + u"/sonde/servers.json"_s);
        QVERIFY(servers.open(QIODevice::WriteOnly));
        servers.write("{\"mcpServers\":{\"planted\":{\"command\":\"" + program.fileName().toUtf8() + "\"}}}");
        servers.close();
        QProcess cli;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"XDG_CONFIG_HOME"_s, config);
        cli.setProcessEnvironment(environment);
        cli.setStandardInputFile(QProcess::nullDevice());
        cli.start(cliProgram(), {u"check"_s, u"--server"_s, u"planted"_s});
        QVERIFY(cli.waitForFinished());
        const QByteArray out = cli.readAllStandardOutput();
        const QByteArray err = cli.readAllStandardError();
        QVERIFY2(cli.exitCode() == 3, (out + err).constData());
        QVERIFY2(err.contains(program.fileName().toUtf8()), err.constData());
        QVERIFY2(out.contains("Stopped at Approve: ") && out.contains("--yes"), out.constData());
        QVERIFY(!QFile::exists(trace));
    }

    void secretsAreNotPrinted()
    {
        const QByteArray secret = "sk-ant-api03-0123456789abcdefghijABCDEFGHIJ0123456789abcdefghij";
        const CliRun run = runCli({u"check"_s, u"--json"_s, u"--"_s, u"/bin/sh"_s, u"-c"_s,
                                   u"echo \"$1\" >&2; exit 3"_s, u"--api-key"_s, QString::fromLatin1(secret)});
        QVERIFY2(!run.out.contains(secret), run.describe().constData());
    }

    void againAndAgain()
    {
        QProcess cli;
        cli.start(cliProgram(), {u"check"_s, u"--every"_s, u"0.05"_s, wrongServer()});
        QByteArray out;
        QTRY_VERIFY((out += cli.readAllStandardOutput()).count("1 finding: ") >= 3);
        QCOMPARE(out.count("Handshake"), 1);  // what is as before is one line
        ::kill(pid_t(cli.processId()), SIGINT);
        QVERIFY(cli.waitForFinished());
        QCOMPARE(cli.exitStatus(), QProcess::NormalExit);
        QCOMPARE(cli.exitCode(), 1);
    }

    // Of a script its neighbours count as well, but not what a package manager has put there.
    void againWhenAFileChanges()
    {
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkpath(u"lib/node_modules"_s));
        const QString script = folder.filePath(u"server.sh"_s);
        const QByteArray start = "exec '" + sonde::test::demoProgram().toUtf8() + "'\n";
        sonde::test::writeFile(script, start);
        QProcess cli;
        cli.setWorkingDirectory(folder.path());
        cli.start(cliProgram(), {u"check"_s, u"--watch"_s, u"--"_s, u"/bin/sh"_s, u"server.sh"_s});
        QByteArray out;
        QByteArray err;
        const auto hasRounds = [&](int count) {
            out += cli.readAllStandardOutput();
            err += cli.readAllStandardError();
            return err.count("Ctrl+C to stop.") >= count;
        };
        QTRY_VERIFY2_WITH_TIMEOUT(hasRounds(1), (out + err).constData(), 30'000);
        QVERIFY2(!err.contains("Changed: ") && !out.contains("Stopped at "), (out + err).constData());
        sonde::test::writeFile(script, "exit 3\n");
        QTRY_VERIFY2_WITH_TIMEOUT(hasRounds(2), (out + err).constData(), 30'000);
        QVERIFY2(err.contains("\nChanged: server.sh\n") && out.contains("Stopped at "), (out + err).constData());
        sonde::test::writeFile(folder.filePath(u"lib/node_modules/x.js"_s), "1");
        sonde::test::writeFile(folder.filePath(u"lib/part.sh"_s), "1");
        QTRY_VERIFY2_WITH_TIMEOUT(hasRounds(3), (out + err).constData(), 30'000);
        QVERIFY2(err.contains("\nChanged: lib/part.sh\n") && !err.contains("x.js"), err.constData());
        ::kill(pid_t(cli.processId()), SIGINT);
        QVERIFY(cli.waitForFinished());
        QCOMPARE(cli.exitStatus(), QProcess::NormalExit);
        QCOMPARE(cli.exitCode(), 3);
    }

    void wrongUse_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("no server") << QStringList{u"check"_s} << "no server"_ba;
        QTest::newRow("both") << QStringList{u"check"_s, u"a"_s, u"--"_s, u"b"_s} << "give either one server"_ba;
        QTest::newRow("unknown name") << QStringList{u"check"_s, u"--server"_s, u"nobody"_s} << "no server 'nobody'"_ba;
        QTest::newRow("every") << QStringList{u"ping"_s, u"--every"_s, u"1"_s}
                               << "--every is allowed only with check"_ba;
        QTest::newRow("watch a URL") << QStringList{u"check"_s, u"--watch"_s, u"--url"_s, u"https://example.com"_s}
                                     << "no file to watch"_ba;
        QTest::newRow("watch and every") << QStringList{u"check"_s, u"--watch"_s, u"--every"_s, u"1"_s, u"--"_s, u"b"_s}
                                         << "only one of --every and --watch"_ba;
        QTest::newRow("record") << QStringList{u"check"_s, u"--record"_s, u"x"_s, u"--"_s, u"b"_s}
                                << "--record cannot be used"_ba;
    }
    void wrongUse()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, text);
        QProcess cli;
        cli.start(cliProgram(), words);
        QVERIFY(cli.waitForFinished());
        QCOMPARE(cli.exitCode(), 4);
        const QByteArray said = cli.readAllStandardError();
        QVERIFY2(said.contains(text), said.constData());
    }
};

SONDE_TEST(tst_CliCheck)
#include "tst_clicheck.moc"
