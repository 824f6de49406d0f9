// sonde-cli import and export-servers: lists of servers in, out, and nothing started.
// SPDX-License-Identifier: Apache-2.0
#include "core/files/userfolder.h"
#include "tests/app/cli/clirun.h"
#include "tests/support/files.h"
#include "tests/support/privatekeychain.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using sonde::test::CliRun;
using sonde::test::runCli;

class tst_CliImport : public QObject {
    Q_OBJECT
private:
    static QString sample(const QString &name)
    {
        return QStringLiteral(SONDE_SOURCE_DIR "/tests/core/server/files/") + name;
    }

private Q_SLOTS:
    void init() { QDir(sonde::userFolder(sonde::UserFolder::Config)).removeRecursively(); }
    void cleanupTestCase() { init(); }

    void theListSaysAllAndAddsNothing()
    {
        const CliRun run = runCli({u"import"_s, sample(u"claude_desktop_config.json"_s), u"--list"_s});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        QVERIFY2(run.out.contains("Argument 4:         /home/ada/my projects\n"), run.describe().constData());
        QVERIFY2(!(run.out + run.err).contains("canary"), run.describe().constData());
        QCOMPARE(runCli({u"export-servers"_s}).json()[u"mcpServers"].size(), 0);
    }

    void whatIsImportedIsInTheListAndComesOutAgain()
    {
        QTemporaryDir folder;
        const QString trace = folder.filePath(u"started"_s);
        const QString file = folder.filePath(u"mcp.json"_s);
        sonde::test::writeFile(file, "{\"mcpServers\":{\"a\":{\"command\":\"/usr/bin/touch\",\"args\":[\"" +
                                         trace.toUtf8() +
                                         "\"],\"env\":{\"API_TOKEN\":\"canary-1234567890\"},"
                                         "\"x-own\":[1.50]},"
                                         "\"off\":{\"command\":\"y\",\"disabled\":true}}}");
        const CliRun first = runCli({u"import"_s, file});
        QVERIFY2(first.exitCode == 0 && first.out == "Added: a\n", first.describe().constData());
        QVERIFY2(first.err.contains("Left out: off. Disabled"), first.describe().constData());
        // There is no keychain here: the secret is in no file, which is said.
        QVERIFY2(first.err.contains("The secrets of a were not saved"), first.describe().constData());
        QVERIFY(!sonde::test::readFile(sonde::userFolder(sonde::UserFolder::Config) + u"/servers.json"_s)
                     .contains("canary-1234567890"));
        QVERIFY(runCli({u"import"_s, file}).err.contains("Already in the list: a"));
        QCOMPARE(runCli({u"import"_s, file, u"off"_s}).out, "Added: off\n"_ba);
        QVERIFY2(!QFile::exists(trace), "Importing starts nothing");

        const CliRun masked = runCli({u"export-servers"_s, u"a"_s});
        const sonde::json::Value written = masked.json();
        const sonde::json::Value entry = written[u"mcpServers"][u"a"];
        QCOMPARE(entry[u"env"][u"API_TOKEN"].string(), u"<API_TOKEN>"_s);
        QCOMPARE(entry[u"x-own"].at(0).numberText(), "1.50"_ba);
        const QString out = folder.filePath(u"out.json"_s);
        // A file that lacks what was asked for is of no use.
        const CliRun unread = runCli({u"export-servers"_s, u"--include-secrets"_s, u"-o"_s, out});
        QVERIFY2(unread.exitCode == 3 && !unread.err.isEmpty(), unread.describe().constData());
        QVERIFY(!QFile::exists(out));
        QCOMPARE(runCli({u"export-servers"_s, u"-o"_s, out}).exitCode, 0);
        QVERIFY(sonde::test::readFile(out).contains("<API_TOKEN>"));
        QCOMPARE(QFile::permissions(out) & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
    }

    void noSecretOfAnotherHostGetsIntoTheList_data()
    {
        QTest::addColumn<QString>("file");
        for (const QFileInfo &file : QDir(sample({})).entryInfoList(QDir::Files))
            QTest::newRow(qPrintable(file.fileName())) << file.filePath();
    }
    void noSecretOfAnotherHostGetsIntoTheList()
    {
        QFETCH(QString, file);
        const CliRun run = runCli({u"import"_s, file});
        QVERIFY2(run.exitCode == 0 && run.out.contains("Added: "), run.describe().constData());
        const QByteArray list =
            sonde::test::readFile(sonde::userFolder(sonde::UserFolder::Config) + u"/servers.json"_s).toLower();
        QVERIFY2(list.contains("mcpservers") && !list.contains("canary"), list.constData());
    }

    void secretsThatWereLeftOutAreSavedByTheNextImport()
    {
        if (const QString why = sonde::test::PrivateKeychain::whyNot(); !why.isEmpty())
            QSKIP(qPrintable(why));
        sonde::test::PrivateKeychain keychain;
        const QString file = keychain.path(u"mcp.json"_s);
        sonde::test::writeFile(file,
                               "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"env\":{\"LANG\":\"C\","
                               "\"API_TOKEN\":\"canary-1234567890\"}}}}");
        const auto run = [&keychain](const QStringList &arguments) {
            return runCli(arguments, {}, {}, keychain.environment());
        };
        const CliRun locked = run({u"import"_s, file});
        QVERIFY2(locked.err.contains("The secrets of a were not saved"), locked.describe().constData());
        QVERIFY(keychain.startKeyring());
        const CliRun again = run({u"import"_s, file});
        QVERIFY2(again.err.contains("Already in the list: a") && again.out == "Added the missing secrets of a\n",
                 again.describe().constData());
        const CliRun out = run({u"export-servers"_s, u"--include-secrets"_s});
        QCOMPARE(out.json()[u"mcpServers"][u"a"][u"env"][u"API_TOKEN"].string(), u"canary-1234567890"_s);
        // What is there is not written again.
        sonde::test::writeFile(file,
                               "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"env\":{\"LANG\":\"C\","
                               "\"API_TOKEN\":\"other-1234567890\"}}}}");
        const CliRun third = run({u"import"_s, file});
        QVERIFY2(third.exitCode == 0 && third.out.isEmpty(), third.describe().constData());
        QVERIFY(run({u"export-servers"_s, u"--include-secrets"_s}).out.contains("canary-1234567890"));
    }

    void aCommandOnStandardInputIsUnderstood()
    {
        const CliRun run = runCli({u"import"_s, u"-"_s}, "claude mcp add --env K=v files -- npx -y 'a b'\n");
        QVERIFY2(run.out == "Added: files\n", run.describe().constData());
        const CliRun other = runCli({u"import"_s, u"-"_s}, "claude mcp add files -- other\n");
        QVERIFY2(other.out == "Added: files, as “files 2”\n"_ba, other.describe().constData());
    }

    void machinesGetPlaceholdersToo()
    {
        const CliRun run = runCli({u"import"_s, sample(u"server.json"_s), u"--list"_s, u"--json"_s});
        QVERIFY2(run.exitCode == 0 && !run.out.contains("canary"), run.describe().constData());
        const sonde::json::Value json = run.result();
        QCOMPARE(json[u"sources"].at(0)[u"servers"].size(), 7);
    }

    void errors()
    {
        QCOMPARE(runCli({u"import"_s}).exitCode, 4);
        QCOMPARE(runCli({u"import"_s, u"--wrong"_s}).exitCode, 4);
        const CliRun folder = runCli({u"import"_s, u"/"_s});
        QVERIFY2(folder.exitCode == 4 && folder.err.contains("a folder"), folder.describe().constData());
        const CliRun broken = runCli({u"import"_s, u"-"_s}, "{\n\"mcpServers\": nope}");
        QVERIFY2(broken.exitCode == 4 && broken.err.contains("line 2, column 15"), broken.describe().constData());
        QCOMPARE(runCli({u"export-servers"_s, u"nobody"_s}).exitCode, 4);
    }
};

SONDE_TEST(tst_CliImport)
#include "tst_cliimport.moc"
