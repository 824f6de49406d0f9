// sonde-cli: what each verb prints, for people and for machines.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "tests/app/cli/clirun.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QFile>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

using namespace Qt::StringLiterals;
using sonde::test::askDemo;
using sonde::test::CliRun;
using sonde::test::HttpDemo;
using sonde::test::readFile;
using sonde::test::runCli;

class tst_CliVerbs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void infoSaysWhoItIs()
    {
        const CliRun run = askDemo({u"info"_s});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        QVERIFY2(run.out.contains("sonde-demo-server 0."), run.describe().constData());
        QVERIFY(run.out.contains("2025-11-25"));
        QVERIFY(run.out.contains("stdio"));
        QVERIFY(run.out.contains(sonde::test::demoProgram().toUtf8()));
        QVERIFY(run.out.contains("resources (subscribe, listChanged)"));
        QVERIFY(run.out.contains("Everything here is harmless."));

        const CliRun machine = askDemo({u"info"_s, u"--json"_s});
        QCOMPARE(machine.exitCode, 0);
        QCOMPARE(machine.result()[u"protocolVersion"].string(), u"2025-11-25"_s);
        QCOMPARE(machine.result()[u"serverInfo"][u"name"].string(), u"sonde-demo-server"_s);
        QVERIFY(machine.result()[u"capabilities"][u"tools"].isObject());
        QCOMPARE(machine.out.count('\n'), 1);
    }

    void listShowsEverythingOrSomeOfIt()
    {
        const CliRun all = askDemo({u"list"_s});
        QVERIFY2(all.exitCode == 0, all.describe().constData());
        for (const char *text :
             {"Tools (", "add ", "[read-only]", "[destructive]", "Resources (", "demo://text/greeting", "Templates (2)",
              "demo://weather/{city}{?unit}", "Prompts (3)", "summarize topic [style]"})
            QVERIFY2(all.out.contains(text), text);
        const CliRun some = askDemo({u"list"_s, u"prompts"_s});
        QVERIFY(some.out.startsWith("Prompts (3)\n"));
        QVERIFY(!some.out.contains("Tools"));

        const CliRun machine = askDemo({u"list"_s, u"tools"_s, u"--json"_s});
        QCOMPARE(machine.exitCode, 0);
        QCOMPARE(machine.result()[u"tools"].at(0)[u"name"].string(), u"add"_s);
        QVERIFY(!machine.result().contains(u"prompts"));
        QVERIFY(machine.out.contains("9223372036854775807"));  // as the server wrote it
    }

    void listSaysWhatIsMissing()
    {
        const CliRun run = askDemo({u"list"_s}, {u"--missing-method"_s, u"resources/templates/list"_s});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        QVERIFY(run.out.contains("Templates (0)"));
        QVERIFY2(run.err.contains("Finding:"), run.describe().constData());
        const CliRun silent = askDemo({u"list"_s, u"--timeout"_s, u"3"_s}, {u"--never-respond"_s, u"resources/list"_s});
        QVERIFY2(silent.exitCode == 3, silent.describe().constData());
        QVERIFY(silent.out.contains("Tools (") && silent.out.contains("Prompts (3)"));
    }

    void callShowsEveryKindOfContent()
    {
        const CliRun run = askDemo({u"call"_s, u"every-content-kind"_s});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        QVERIFY(run.out.startsWith("Plain text with ünïcödé"));
        QVERIFY2(run.out.contains("[image/png, ") && run.out.contains("use --save FOLDER to keep it]"),
                 run.describe().constData());
        QVERIFY(run.out.contains("[audio/wav, 8.0 kB;"));
        QVERIFY(run.out.contains("[link to demo://text/notes.md: notes.md, text/markdown, "));
        QVERIFY(run.out.contains("[demo://data/readings.json, application/json]\n{\"station\""));
        QVERIFY(run.out.contains("[demo://data/all-bytes, application/octet-stream, 256 B;"));
    }

    void callSavesBytes()
    {
        QTemporaryDir folder;
        const CliRun run = askDemo({u"call"_s, u"every-content-kind"_s, u"--save"_s, folder.path()});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        QCOMPARE(readFile(folder.filePath(u"all-bytes"_s)).size(), 256);
        QCOMPARE(QDir(folder.path()).entryList({u"*.png"_s, u"*.wav"_s}).size(), 2);
        // Nothing is overwritten.
        QVERIFY(askDemo({u"call"_s, u"every-content-kind"_s, u"--save"_s, folder.path()}).exitCode == 0);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 6);
    }

    void callPrintsResultsExactlyForMachines()
    {
        const CliRun run = askDemo({u"call"_s, u"add"_s, u"a=9007199254740993"_s, u"b=0.10"_s, u"--json"_s});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        QCOMPARE(run.json()[u"outcome"].string(), u"ok"_s);
        QVERIFY(run.json()[u"durationMs"].toDouble() > 0);
        QCOMPARE(run.result().bytes(), R"({"content":[{"type":"text","text":"9007199254740993.1"}],)"
                                       R"("structuredContent":{"sum":9007199254740993.1}})"_ba);
        QVERIFY(run.json()[u"findings"].isArray());
    }

    void callTellsOfWrongStructure()
    {
        const CliRun run = askDemo({u"call"_s, u"structured-wrong"_s});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        QVERIFY2(run.err.contains("Finding: ") && run.err.contains("/humidity"), run.describe().constData());
        const CliRun machine = askDemo({u"call"_s, u"structured-wrong"_s, u"--json"_s});
        QCOMPARE(machine.json()[u"findings"].size(), 2);
        QVERIFY(askDemo({u"call"_s, u"structured-report"_s}).err.isEmpty());
    }

    void serverTextCannotSteerTheTerminal()
    {
        for (const QStringList &words : {QStringList{u"call"_s, u"hostile-text"_s}, QStringList{u"list"_s},
                                         QStringList{u"call"_s, u"fail"_s, u"reason:=\"\\u001b[31m\""_s}}) {
            const CliRun run = askDemo(words);
            for (const QByteArray &text : {run.out, run.err}) {
                QVERIFY(!text.contains('\x1b') && !text.contains('\a') && !text.contains('\0'));
                QVERIFY(!text.contains("\u202e"));
            }
        }
        const CliRun machine = askDemo({u"call"_s, u"hostile-text"_s, u"--json"_s});
        QVERIFY(machine.out.contains("\\u001b[31m"));  // as it was received: escaped
    }

    void readPrintsTheTextAlone()
    {
        const CliRun run = askDemo({u"read"_s, u"demo://text/greeting"_s});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        QCOMPARE(run.out, "Good day.\nThis text came from a server.\n"_ba);
        const CliRun weather =
            askDemo({u"read"_s, u"demo://weather/{city}{?unit}"_s, u"city=Zürich West"_s, u"unit=kelvin"_s});
        QCOMPARE(weather.out, "Zürich West: 7 degrees kelvin, some clouds.\n"_ba);
        const CliRun path = askDemo({u"read"_s, u"demo://files{/path*}"_s, u"path=a"_s, u"path=b c"_s});
        QCOMPARE(path.out, "{\"path\":[\"a\",\"b c\"]}\n"_ba);
        const CliRun picture = askDemo({u"read"_s, u"demo://media/wave.png"_s});
        QVERIFY(picture.out.startsWith("[demo://media/wave.png, image/png, "));
        const CliRun machine = askDemo({u"read"_s, u"demo://text/greeting"_s, u"--json"_s});
        QCOMPARE(machine.result()[u"contents"].at(0)[u"uri"].string(), u"demo://text/greeting"_s);
    }

    void promptPrintsItsMessages()
    {
        const CliRun run = askDemo({u"prompt"_s, u"summarize"_s, u"topic=42"_s, u"style=poetic"_s});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        QCOMPARE(run.out, "user:\nSummarize 42 in a poetic way.\n"_ba);
        const CliRun gallery = askDemo({u"prompt"_s, u"gallery"_s});
        QVERIFY(gallery.out.contains("[image/png, ") && gallery.out.contains("assistant:\n"));
    }

    void worksOverHttp()
    {
        HttpDemo server;
        const QString url = server.start();
        QVERIFY(!url.isEmpty());
        const CliRun run =
            runCli({u"call"_s, u"add"_s, u"a=1"_s, u"b=2"_s, u"--url"_s, url, u"--header"_s, u"X-Trace: abc"_s});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        QVERIFY(run.out.startsWith("3\n"));
        QTemporaryDir folder;
        const QString path = folder.filePath(u"one.mcpsession"_s);
        QCOMPARE(runCli({u"info"_s, u"--url"_s, url, u"--header"_s, u"X-Trace: a:b"_s, u"--record"_s, path}).exitCode,
                 0);
        const QByteArray recorded = readFile(path);
        QVERIFY(recorded.contains("X-Trace") && recorded.contains("a:b"));
        server.stop();
        QCOMPARE(runCli({u"info"_s, u"--url"_s, url}).exitCode, 3);
    }

    void aServerThatLetsEverybodyInNeedsNoSignIn()
    {
        HttpDemo server;
        const QString url = server.start();
        QVERIFY(!url.isEmpty());
        const CliRun run = runCli({u"login"_s, u"--url"_s, url});
        QVERIFY2(run.exitCode == 0 && run.out == "This server needs no sign-in.\n", run.describe().constData());
        // A program has nobody to sign in to.
        const CliRun program = askDemo({u"login"_s});
        QVERIFY2(program.exitCode == 4, program.describe().constData());
    }

    void knowsTheServersOfTheWindow()
    {
        const QString folder = QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + u"/sonde"_s;
        QVERIFY(QDir().mkpath(folder));
        QFile file(folder + u"/servers.json"_s);
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QByteArray entry = sonde::json::quoted(sonde::test::demoProgram());
        file.write("{\"mcpServers\":{\"my demo\":{\"command\":" + entry + "}}}");
        file.close();
        const QStringList call{u"call"_s, u"add"_s, u"a=1"_s, u"b=2"_s, u"--server"_s, u"my demo"_s};
        // Nobody has seen what the file says.
        const CliRun refused = runCli(call);
        QVERIFY2(refused.exitCode == 4 && refused.err.contains("--yes"), refused.describe().constData());
        QVERIFY2(refused.err.contains("Program: " + sonde::test::demoProgram().toUtf8()),
                 refused.describe().constData());
        QCOMPARE(runCli(call + QStringList{u"--yes"_s}).exitCode, 0);
        const CliRun run = runCli(call);
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        const CliRun unknown = runCli({u"info"_s, u"--server"_s, u"other"_s});
        QCOMPARE(unknown.exitCode, 4);
        QVERIFY2(unknown.err.contains("'other'") && unknown.err.contains("my demo"), unknown.describe().constData());
    }

    void startsTheServerWhereItIsToldTo()
    {
        QTemporaryDir folder;
        QVERIFY(QFile::link(sonde::test::demoProgram(), folder.filePath(u"server"_s)));
        const QStringList call{u"call"_s, u"add"_s, u"a=1"_s, u"b=2"_s};
        const CliRun there = runCli(call + QStringList{u"--cwd"_s, folder.path(), u"--"_s, u"./server"_s});
        QVERIFY2(there.exitCode == 0, there.describe().constData());
        const CliRun here = runCli(call + QStringList{u"--"_s, u"./server"_s}, {}, folder.path());
        QVERIFY2(here.exitCode == 0, here.describe().constData());
    }

    void passesTheEnvironment()
    {
        const CliRun run = runCli({u"info"_s, u"--env"_s, u"SONDE_TEST_WORD=quince"_s, u"--"_s, u"/bin/sh"_s, u"-c"_s,
                                   u"echo \"the word is $SONDE_TEST_WORD\" >&2; exit 5"_s});
        QVERIFY2(run.exitCode == 3, run.describe().constData());
        QVERIFY2(run.err.contains("the word is quince"), run.describe().constData());
    }

    void recordsTheSession()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"one.mcpsession"_s);
        const CliRun run = askDemo({u"call"_s, u"add"_s, u"a=1"_s, u"b=2"_s, u"--record"_s, path});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains("tools/call"));
        QCOMPARE(file.permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
        const CliRun again = askDemo({u"info"_s, u"--record"_s, path});
        QCOMPARE(again.exitCode, 4);
        QVERIFY(again.err.contains("exists"));
    }

    void showsLogsWhenAsked()
    {
        const QStringList words{u"call"_s, u"log"_s, u"level=warning"_s, u"data:={\"n\":1.0}"_s};
        const CliRun quiet = askDemo(words);
        QVERIFY2(quiet.exitCode == 0 && quiet.err.isEmpty(), quiet.describe().constData());
        const CliRun verbose = askDemo(words + QStringList{u"--verbose"_s});
        QVERIFY2(verbose.err.contains("[warning] demo: {\"n\":1.0}"), verbose.describe().constData());
        QCOMPARE(verbose.out, quiet.out);
    }
};

SONDE_TEST(tst_CliVerbs)
#include "tst_cliverbs.moc"
