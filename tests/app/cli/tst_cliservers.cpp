// sonde-cli servers, find, --config, --header-file and ${env:NAME}: servers by their names, and secrets off the command
// line.
// SPDX-License-Identifier: Apache-2.0
#include "core/files/userfolder.h"
#include "core/json/builder.h"
#include "core/protocol/message.h"
#include "tests/app/cli/clirun.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/files.h"
#include "tests/support/privatekeychain.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::CliRun;
using sonde::test::FakeHttpServer;
using sonde::test::readFile;
using sonde::test::runCli;
using sonde::test::writeFile;

namespace {

QString listFile()
{
    return userFolder(UserFolder::Config) + u"/servers.json"_s;
}

// Without blocking the server, which is in this process.
CliRun runBeside(const QStringList &arguments, const QProcessEnvironment &environment)
{
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(test::cliProgram(), arguments);
    process.closeWriteChannel();
    CliRun run;
    const bool isOver = QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, 60'000);
    run.out = process.readAllStandardOutput();
    run.err = process.readAllStandardError();
    if (isOver && process.exitStatus() == QProcess::NormalExit)
        run.exitCode = process.exitCode();
    return run;
}

}  // namespace

class TestCliServers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QDir(userFolder(UserFolder::Config)).removeRecursively(); }
    void cleanupTestCase() { init(); }

    void aServerIsAddedShownRenamedAndRemoved()
    {
        const CliRun none = runCli({u"servers"_s});
        QVERIFY2(none.exitCode == 0 && none.out.isEmpty() && none.err.contains("No servers are saved"),
                 none.describe().constData());
        const CliRun added = runCli({u"servers"_s, u"add"_s, u"demo"_s, u"--"_s, test::demoProgram()});
        QVERIFY2(added.exitCode == 0 && added.out == "Added: demo\n", added.describe().constData());
        // Who typed it has seen it: nothing is asked.
        const CliRun info = runCli({u"info"_s, u"--server"_s, u"demo"_s});
        QVERIFY2(info.exitCode == 0 && info.out.contains("sonde-demo-server"), info.describe().constData());

        const CliRun list = runCli({u"servers"_s, u"list"_s});
        QVERIFY2(list.out == "demo  " + test::demoProgram().toUtf8() + '\n', list.describe().constData());
        const CliRun show = runCli({u"servers"_s, u"show"_s, u"demo"_s});
        QVERIFY2(show.out.startsWith("demo\n") && show.out.contains("\nApproved\n"), show.describe().constData());
        const json::Value shown = runCli({u"servers"_s, u"show"_s, u"demo"_s, u"--json"_s}).result();
        QCOMPARE(shown[u"approval"].string(), u"approved"_s);
        QCOMPARE(shown[u"entry"][u"command"].string(), test::demoProgram());

        QCOMPARE(runCli({u"servers"_s, u"rename"_s, u"demo"_s, u"other"_s}).out, "Renamed: demo is now other\n"_ba);
        QCOMPARE(runCli({u"ping"_s, u"--server"_s, u"other"_s}).exitCode, 0);  // it starts what it started before
        QCOMPARE(runCli({u"servers"_s, u"remove"_s, u"other"_s}).out, "Removed: other\n"_ba);
        QCOMPARE(runCli({u"servers"_s, u"--json"_s}).result()[u"servers"].size(), 0);
    }

    void misuseIsSaid()
    {
        const QStringList server{u"--"_s, test::demoProgram()};
        QCOMPARE(runCli(QStringList{u"servers"_s, u"add"_s, u"a"_s} + server).exitCode, 0);
        const CliRun taken = runCli(QStringList{u"servers"_s, u"add"_s, u"a"_s} + server);
        QVERIFY2(taken.exitCode == 4 && taken.err.contains("a"), taken.describe().constData());
        for (const QStringList &words :
             {QStringList{u"add"_s, u"b"_s}, QStringList{u"show"_s}, QStringList{u"show"_s, u"none"_s},
              QStringList{u"remove"_s, u"none"_s}, QStringList{u"rename"_s, u"a"_s}, QStringList{u"list"_s, u"a"_s},
              QStringList{u"destroy"_s, u"a"_s},
              QStringList{u"show"_s, u"a"_s, u"--url"_s, u"https://example.com"_s}}) {
            const CliRun run = runCli(QStringList{u"servers"_s} + words);
            QVERIFY2(run.exitCode == 4 && !run.err.isEmpty(), (words.join(u' ').toUtf8() + run.describe()).constData());
        }
        QCOMPARE(runCli({u"servers"_s, u"--json"_s}).result()[u"servers"].size(), 1);
    }

    // Somebody else has written the file.
    void aServerIsApproved()
    {
        QVERIFY(QDir().mkpath(userFolder(UserFolder::Config)));
        writeFile(listFile(), "{\"mcpServers\":{\"one\":{\"command\":" + json::quoted(test::demoProgram()) + "}}}");
        const CliRun list = runCli({u"servers"_s});
        QVERIFY2(list.out.contains("[not approved]"), list.describe().constData());
        const CliRun refused = runCli({u"servers"_s, u"approve"_s, u"one"_s});
        QVERIFY2(refused.exitCode == 4 && refused.err.contains("--yes") &&
                     refused.err.contains("Program: " + test::demoProgram().toUtf8()),
                 refused.describe().constData());
        QCOMPARE(runCli({u"ping"_s, u"--server"_s, u"one"_s}).exitCode, 4);
        QCOMPARE(runCli({u"servers"_s, u"approve"_s, u"one"_s, u"--yes"_s}).out, "Approved: one\n"_ba);
        QCOMPARE(runCli({u"ping"_s, u"--server"_s, u"one"_s}).exitCode, 0);
        QCOMPARE(runCli({u"servers"_s, u"approve"_s, u"one"_s}).out, "Already approved: one\n"_ba);
    }

    void secretsGoToTheKeychain()
    {
        if (const QString why = test::PrivateKeychain::whyNot(); !why.isEmpty())
            QSKIP(qPrintable(why));
        test::PrivateKeychain keychain;
        QVERIFY(keychain.startKeyring());
        const auto run = [&keychain](const QStringList &arguments) {
            return runCli(arguments, {}, {}, keychain.environment());
        };
        const CliRun added = run({u"servers"_s, u"add"_s, u"k"_s, u"--env"_s, u"API_TOKEN=canary-1234567890"_s,
                                  u"--env"_s, u"OTHER_TOKEN=${env:OTHER}"_s, u"--"_s, test::demoProgram()});
        QVERIFY2(added.exitCode == 0 && !(added.out + added.err).contains("canary"), added.describe().constData());
        const CliRun out = run({u"export-servers"_s, u"--include-secrets"_s});
        const json::Value environment = out.json()[u"mcpServers"][u"k"][u"env"];
        QVERIFY2(environment[u"API_TOKEN"].string() == u"canary-1234567890"_s, out.describe().constData());
        QCOMPARE(environment[u"OTHER_TOKEN"].string(), u"${env:OTHER}"_s);  // no value of its own
        const CliRun show = run({u"servers"_s, u"show"_s, u"k"_s});
        QVERIFY2(!show.out.contains("canary") && show.out.contains("${env:OTHER}"), show.describe().constData());
        QCOMPARE(run({u"servers"_s, u"remove"_s, u"k"_s}).exitCode, 0);
    }

    void aVariableTakesThePlaceOfItsName()
    {
        FakeHttpServer server(sonde::test::respondWithoutOffers);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"SONDE_TEST_TOKEN"_s, u"canary-1234567890 &x"_s);
        QTemporaryDir folder;
        const QString session = folder.filePath(u"s.mcpsession"_s);
        const QStringList ping{u"ping"_s,     u"--revision=2025-11-25"_s,
                               u"--record"_s, session,
                               u"--header"_s, u"X-Key: a ${env:SONDE_TEST_TOKEN}"_s,
                               u"--url"_s,    server.url(u"/mcp"_s).toString() + u"?key=${env:SONDE_TEST_TOKEN}"_s};
        const CliRun run = runBeside(ping, environment);
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        const FakeHttpServer::Request &first = server.requests().constFirst();
        QCOMPARE(first.header("X-Key"), "a canary-1234567890 &x"_ba);
        QVERIFY2(first.path.endsWith("?key=canary-1234567890%20%26x"), first.path.constData());
        QVERIFY2(!readFile(session).contains("canary"), "a value out of the environment is not recorded");

        environment.remove(u"SONDE_TEST_TOKEN"_s);
        QVERIFY(QFile::remove(session));
        const CliRun unset = runBeside(ping, environment);
        QVERIFY2(unset.exitCode == 3 && unset.err.contains("SONDE_TEST_TOKEN is not set"),
                 unset.describe().constData());
    }

    void aVariableCannotBreakAHeader()
    {
        FakeHttpServer server(sonde::test::respondWithoutOffers);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"SONDE_TEST_TOKEN"_s, u"a\r\nX-Evil: 1"_s);
        const CliRun run = runBeside(
            {u"ping"_s, u"--header"_s, u"X-Key: ${env:SONDE_TEST_TOKEN}"_s, u"--url"_s, server.url().toString()},
            environment);
        QVERIFY2(run.exitCode == 3 && run.err.contains("X-Key"), run.describe().constData());
        QVERIFY(server.requests().isEmpty());
    }

    void aProgramGetsVariablesToo()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath(u"got"_s);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"SONDE_TEST_TOKEN"_s, u"canary-1234567890"_s);
        const CliRun run =
            runCli({u"info"_s, u"--env"_s, u"COPY=${env:SONDE_TEST_TOKEN}"_s, u"--"_s, u"/bin/sh"_s, u"-c"_s,
                    u"echo \"$COPY $1\" >\"$2\"; exit 9"_s, u"sh"_s, u"${env:SONDE_TEST_TOKEN}"_s, file},
                   {}, {}, environment);
        QVERIFY2(readFile(file) == "canary-1234567890 canary-1234567890\n", run.describe().constData());
    }

    void headersComeFromAFile()
    {
        FakeHttpServer server(sonde::test::respondWithoutOffers);
        QTemporaryDir folder;
        const QString file = folder.filePath(u"headers"_s);
        writeFile(file, "# for the test\n\nAuthorization: Bearer canary-1234567890\r\nX-More: 1\n");
        const QStringList url{u"--url"_s, server.url().toString()};
        const QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        const CliRun run = runBeside(QStringList{u"ping"_s, u"--header-file"_s, file} + url, environment);
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        QCOMPARE(server.requests().constFirst().header("Authorization"), "Bearer canary-1234567890"_ba);
        QCOMPARE(server.requests().constFirst().header("X-More"), "1"_ba);
        writeFile(file, "X-Good: 1\ncanary-1234567890\n");
        const CliRun wrong = runBeside(QStringList{u"ping"_s, u"--header-file"_s, file} + url, environment);
        QVERIFY2(wrong.exitCode == 4 && wrong.err.contains("line 2") && !wrong.err.contains("canary"),
                 wrong.describe().constData());
        QCOMPARE(runBeside(QStringList{u"ping"_s, u"--header-file"_s, file + u"-none"_s} + url, environment).exitCode,
                 4);
    }

    // Nothing is imported, and nothing is started unseen.
    void aHostsFileIsUsedAsItIs()
    {
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkpath(u".vscode"_s));
        const QString file = folder.filePath(u".vscode/mcp.json"_s);
        writeFile(file, "{\"servers\":{\"demo\":{\"type\":\"stdio\",\"command\":" + json::quoted(test::demoProgram()) +
                            "},\"asks\":{\"command\":\"x\",\"env\":{\"K\":\"${input:token}\"}}}}");
        const QStringList server{u"--config"_s, file, u"--server"_s, u"demo"_s};
        const CliRun refused = runCli(QStringList{u"ping"_s} + server);
        QVERIFY2(refused.exitCode == 4 && refused.err.contains("--yes"), refused.describe().constData());
        QCOMPARE(runCli(QStringList{u"ping"_s, u"--yes"_s} + server).exitCode, 0);
        QCOMPARE(runCli(QStringList{u"ping"_s} + server).exitCode, 0);
        const CliRun check = runCli(QStringList{u"check"_s} + server);
        QVERIFY2(check.exitCode != 4 && check.out.contains("demo"), check.describe().constData());
        QCOMPARE(runCli({u"servers"_s, u"--json"_s}).result()[u"servers"].size(), 0);

        // A saved server of the same name is another one.
        QCOMPARE(runCli({u"servers"_s, u"add"_s, u"demo"_s, u"--"_s, test::demoProgram(), u"--late"_s}).exitCode, 0);
        QCOMPARE(runCli(QStringList{u"ping"_s} + server).exitCode, 0);
        QCOMPARE(runCli({u"ping"_s, u"--server"_s, u"demo"_s}).exitCode, 0);

        const CliRun unread = runCli({u"ping"_s, u"--config"_s, file, u"--server"_s, u"asks"_s});
        QVERIFY2(unread.exitCode == 4 && unread.err.contains("${input:token}"), unread.describe().constData());
        const CliRun unknown = runCli({u"ping"_s, u"--config"_s, file, u"--server"_s, u"none"_s});
        QVERIFY2(unknown.exitCode == 4 && unknown.err.contains("demo, asks"), unknown.describe().constData());
        QCOMPARE(runCli({u"ping"_s, u"--config"_s, file}).exitCode, 4);
        QCOMPARE(runCli({u"ping"_s, u"--config"_s, file + u"-none"_s, u"--server"_s, u"demo"_s}).exitCode, 4);
    }

    void aServersOwnTimeoutCountsUnlessOneIsGiven()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath(u"servers.json"_s);
        const QByteArray start = "{\"command\":" + json::quoted(test::demoProgram()) + ",\"timeouts\":";
        writeFile(file, "{\"mcpServers\":{\"short\":" + start + "{\"request\":0.2}},\"long\":" + start +
                            "{\"request\":70}}}}");
        const QStringList call{u"call"_s, u"slow"_s, u"seconds=60"_s, u"--yes"_s, u"--config"_s, file, u"--server"_s};
        const CliRun own = runCli(call + QStringList{u"short"_s});
        QVERIFY2(own.exitCode == 3 && own.err.contains("for 0.2 s"), own.describe().constData());
        const CliRun given = runCli(call + QStringList{u"long"_s, u"--timeout"_s, u"0.3"_s});
        QVERIFY2(given.exitCode == 3 && given.err.contains("for 0.3 s"), given.describe().constData());
    }

    void listIsFiltered()
    {
        const CliRun run = test::askDemo({u"list"_s, u"tools"_s, u"--filter"_s, u"ADDS exactly"_s});
        QVERIFY2(run.exitCode == 0 && run.out.startsWith("Tools (1 of ") && run.out.contains("\n  add "),
                 run.describe().constData());
        QCOMPARE(run.out.count('\n'), 2);
        const CliRun machine = test::askDemo({u"list"_s, u"--filter"_s, u"greeting"_s, u"--json"_s});
        const json::Value result = machine.result();
        QVERIFY2(result[u"tools"].isEmpty() && result[u"resources"].size() == 1, machine.describe().constData());
    }

    void findLooksIntoAllServers()
    {
        QCOMPARE(runCli({u"find"_s, u"add"_s}).exitCode, 1);  // there is no server
        for (const QString &name : {u"one"_s, u"two"_s})
            QCOMPARE(runCli({u"servers"_s, u"add"_s, name, u"--"_s, test::demoProgram()}).exitCode, 0);
        QCOMPARE(runCli({u"servers"_s, u"add"_s, u"gone"_s, u"--"_s, u"/bin/false"_s}).exitCode, 0);
        QByteArray list = readFile(listFile());
        const qsizetype start = list.indexOf("\"mcpServers\"");
        list.insert(list.indexOf('{', start) + 1, "\"stranger\":{\"command\":\"/bin/false\",\"args\":[\"x\"]},");
        writeFile(listFile(), list);

        const CliRun found = runCli({u"find"_s, u"adds EXACTLY"_s});
        QVERIFY2(found.exitCode == 0, found.describe().constData());
        QVERIFY2(found.out.contains("one  tool  add  Adds exactly") && found.out.contains("two  tool  add  "),
                 found.describe().constData());
        QVERIFY2(found.err.contains("gone could not be searched: ") && found.err.contains("stranger is not approved"),
                 found.describe().constData());
        const CliRun nothing = runCli({u"find"_s, u"no such thing anywhere"_s});
        QVERIFY2(nothing.exitCode == 1 && nothing.out.isEmpty(), nothing.describe().constData());
        const CliRun machine = runCli({u"find"_s, u"demo://text/greeting"_s, u"--json"_s});
        const json::Value result = machine.result();
        QVERIFY2(machine.exitCode == 0 && result[u"matches"].size() == 2, machine.describe().constData());
        QCOMPARE(result[u"matches"].at(0)[u"kind"].string(), u"resource"_s);
        QCOMPARE(result[u"servers"].size(), 4);
    }
};

SONDE_TEST(TestCliServers)
#include "tst_cliservers.moc"
