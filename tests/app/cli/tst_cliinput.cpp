// The files that sonde-cli reads: pipes that end, pipes that do not, devices, and Sonde's own in a bad state.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/clirun.h"
#include "tests/support/files.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <thread>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Patience;

class TestCliInput : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void sondesOwnFilesThatAreNone_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("isPipe");
        QTest::newRow("servers: pipe") << u"servers.json"_s << true;
        QTest::newRow("servers: device") << u"servers.json"_s << false;
        QTest::newRow("approvals: pipe") << u"approvals.json"_s << true;
        QTest::newRow("approvals: device") << u"approvals.json"_s << false;
    }
    void sondesOwnFilesThatAreNone()
    {
        QFETCH(QString, name);
        QFETCH(bool, isPipe);
        const QString config = m_folder->filePath(u"sonde"_s);
        QVERIFY(QDir().mkpath(config));
        test::writeFile(config + u"/servers.json"_s,
                        "{\"mcpServers\":{\"one\":{\"command\":\"" + test::demoProgram().toUtf8() + "\"}}}");
        const QString path = config + u'/' + name;
        QFile::remove(path);
        if (isPipe)
            QVERIFY(::mkfifo(path.toLocal8Bit().constData(), 0600) == 0);
        else
            QVERIFY(QFile::link(u"/dev/zero"_s, path));
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"XDG_CONFIG_HOME"_s, m_folder->path());
        const test::CliRun run = test::runCli({u"list"_s, u"--server"_s, u"one"_s}, {}, {}, environment);
        if (name == u"servers.json") {
            QVERIFY2(run.exitCode == 4, run.describe().constData());
            QVERIFY2(run.err.contains("servers.json cannot be read"), run.describe().constData());
        } else {  // nothing was approved
            QVERIFY2(run.exitCode > 0 && run.err.contains("not approved"), run.describe().constData());
        }
    }

    void optionsThatNameADevice_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("args") << QStringList{u"call"_s, u"echo"_s, u"--args"_s, u"/dev/zero"_s};
        QTest::newRow("responses") << QStringList{u"list"_s, u"--responses"_s, u"/dev/zero"_s};
        QTest::newRow("script") << QStringList{u"run"_s, u"/dev/zero"_s};
    }
    void optionsThatNameADevice()
    {
        QFETCH(QStringList, arguments);
        const test::CliRun run = test::askDemo(arguments);
        QVERIFY2(run.exitCode == 4, run.describe().constData());
        QVERIFY2(run.err.contains("/dev/zero cannot be read: it is a device"), run.describe().constData());
    }

    void standardInputWithoutEnd()
    {
        QProcess cli;
        cli.setStandardInputFile(u"/dev/zero"_s);
        cli.start(test::cliProgram(), {u"call"_s, u"echo"_s, u"--args"_s, u"-"_s, u"--"_s, test::demoProgram()});
        QVERIFY(cli.waitForFinished(Patience));
        QCOMPARE(cli.exitCode(), 4);
        const QByteArray said = cli.readAllStandardError();
        QVERIFY2(said.contains("Standard input is larger than 64 MiB"), said.constData());
    }

    // As <(…) of a shell makes it.
    void aPipeIsReadToItsEnd()
    {
        const QString path = pipe();
        std::thread writer([path] { test::writeFile(path, R"({"value":"from a pipe"})"); });
        const test::CliRun run = test::askDemo({u"call"_s, u"echo"_s, u"--args"_s, path});
        writer.join();
        QVERIFY2(run.exitCode == 0 && run.out.contains("from a pipe"), run.describe().constData());
    }

    void killEndsTheWaitForAPipe_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("args") << QStringList{u"call"_s, u"echo"_s, u"--args"_s};
        QTest::newRow("responses") << QStringList{u"list"_s, u"--responses"_s};
        QTest::newRow("script") << QStringList{u"run"_s};
        QTest::newRow("import") << QStringList{u"import"_s};
    }
    void killEndsTheWaitForAPipe()
    {
        QFETCH(QStringList, arguments);
        const bool isImport = arguments.first() == u"import";
        const QString path = pipe();
        QProcess cli;
        arguments << (isImport ? u"-"_s : path);
        if (!isImport)
            arguments << u"--"_s << test::demoProgram();
        cli.start(test::cliProgram(), arguments);
        QVERIFY(cli.waitForStarted(Patience));
        if (!isImport) {
            // As soon as it has opened the pipe, this one opens too; nothing is ever written.
            const int end = ::open(path.toLocal8Bit().constData(), O_WRONLY | O_CLOEXEC);
            QVERIFY(end >= 0);
            ::kill(pid_t(cli.processId()), SIGTERM);
            QVERIFY(cli.waitForFinished(Patience));
            ::close(end);
        } else {
            ::kill(pid_t(cli.processId()), SIGTERM);
            QVERIFY(cli.waitForFinished(Patience));
        }
        QCOMPARE(cli.exitStatus(), QProcess::CrashExit);
        QCOMPARE(cli.exitCode(), int(SIGTERM));
    }

private:
    QString pipe() const
    {
        const QString path = m_folder->filePath(u"pipe"_s);
        if (::mkfifo(path.toLocal8Bit().constData(), 0600) != 0)
            qFatal("no pipe");
        return path;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

SONDE_TEST(TestCliInput)
#include "tst_cliinput.moc"
