// sonde-cli with tools that run as tasks, and the tasks of a server.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/clirun.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QProcess>
#include <QRegularExpression>
#include <QTest>
#include <memory>

using namespace Qt::StringLiterals;
using sonde::test::askDemo;
using sonde::test::CliRun;
using sonde::test::runCli;

namespace {

CliRun askOf2025(QStringList arguments, const QStringList &switches = {}, const QByteArray &input = {})
{
    arguments += {u"--revision"_s, u"2025-11-25"_s};
    return askDemo(arguments, switches, input);
}

// The server of the conformance suite has tools that only run as tasks.
CliRun askSuiteServer(const QStringList &arguments)
{
    return runCli(arguments + QStringList{u"--revision"_s, u"2025-11-25"_s, u"--"_s,
                                          sonde::test::builtProgram(u"conformance-server"_s)});
}

// A server that outlives the runs of sonde-cli.
class FarServer {
public:
    FarServer()
    {
        m_process.start(sonde::test::demoProgram(), {u"--http"_s});
        (void)QTest::qWaitFor(
            [this] {
                static const QRegularExpression pattern(u"http://[^\\s]+"_s);
                const QString said =
                    QString::fromUtf8(m_process.readAllStandardError() + m_process.readAllStandardOutput());
                if (const auto match = pattern.match(said); match.hasMatch())
                    m_address = match.captured();
                return !m_address.isEmpty();
            },
            sonde::test::Patience);
    }
    ~FarServer()
    {
        m_process.kill();
        m_process.waitForFinished();
    }
    CliRun run(QStringList arguments)
    {
        arguments += {u"--revision"_s, u"2026-07-28"_s, u"--url"_s, m_address};
        return runCli(arguments);
    }
    const QString &address() const { return m_address; }

private:
    QProcess m_process;
    QString m_address;
};

}  // namespace

class tst_CliTasks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aToolRunsAsATask()
    {
        const CliRun run = askOf2025({u"call"_s, u"run-as-task"_s, u"seconds=0.3"_s, u"--ttl"_s, u"60"_s});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        QVERIFY2(run.out.contains("0.3 seconds"), run.describe().constData());
        QVERIFY2(run.err.contains("Running as task "), run.describe().constData());
        const CliRun machine = askOf2025({u"call"_s, u"run-as-task"_s, u"seconds=0.1"_s, u"--task"_s, u"--json"_s});
        QVERIFY2(machine.exitCode == 0, machine.describe().constData());
        QVERIFY(machine.result()[u"content"].isArray());
    }

    void withoutTheOptionItDoesNot()
    {
        const CliRun run = askOf2025({u"call"_s, u"run-as-task"_s, u"seconds=0"_s});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        QVERIFY2(!run.err.contains("task"), run.describe().constData());
    }

    void aToolThatCannotIsCalledWithout()
    {
        const CliRun run = askOf2025({u"call"_s, u"echo"_s, u"value=1"_s, u"--task"_s});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        QVERIFY2(run.err.contains("does not run as a task"), run.describe().constData());
    }

    void aToolThatRequiresItAlwaysDoes()
    {
        const CliRun run = askSuiteServer({u"call"_s, u"failing_job"_s});
        QVERIFY2(run.exitCode == 1, run.describe().constData());
        QVERIFY2(run.err.contains("Running as task "), run.describe().constData());
    }

    void whatTheServerAsksOfATaskIsAnswered()
    {
        const CliRun run = askSuiteServer({u"call"_s, u"confirm_delete"_s, u"filename=a"_s, u"--task"_s});
        QVERIFY2(run.exitCode == 0 || run.exitCode == 1, run.describe().constData());
        QVERIFY2(run.err.contains("Declined"), run.describe().constData());
    }

    void tasksAreKnownToTheNextRun()
    {
        FarServer server;
        QVERIFY(!server.address().isEmpty());
        const CliRun none = server.run({u"tasks"_s});
        QVERIFY2(none.exitCode == 0 && none.err.contains("does not list its tasks"), none.describe().constData());

        QProcess first;  // which is killed while the task is under way
        first.start(sonde::test::cliProgram(), {u"call"_s, u"run-as-task"_s, u"seconds=2"_s, u"--revision"_s,
                                                u"2026-07-28"_s, u"--url"_s, server.address()});
        QByteArray said;
        QVERIFY(QTest::qWaitFor(
            [&] {
                said += first.readAllStandardError();
                return said.contains("Running as task ") && said.endsWith('\n');
            },
            sonde::test::Patience));
        first.kill();
        first.waitForFinished();

        const CliRun list = server.run({u"tasks"_s, u"list"_s, u"--json"_s});
        QVERIFY2(list.exitCode == 0, list.describe().constData());
        QCOMPARE(list.result()[u"tasks"].size(), 1);
        QCOMPARE(list.result()[u"tasks"].at(0)[u"tool"].string(), u"run-as-task"_s);
        const QString id = list.result()[u"tasks"].at(0)[u"taskId"].string();
        QVERIFY(!id.isEmpty() && said.contains(id.toUtf8()));
        const CliRun state = server.run({u"tasks"_s, u"get"_s, id});
        QVERIFY2(state.exitCode == 0 && state.out.contains("\"status\""), state.describe().constData());
        const CliRun result = server.run({u"tasks"_s, u"result"_s, id});
        QVERIFY2(result.exitCode == 0 && result.out.contains("2 seconds"), result.describe().constData());
        const CliRun people = server.run({u"tasks"_s});
        QVERIFY2(people.out.contains(id.toUtf8() + "  completed  run-as-task"), people.describe().constData());
        const CliRun unknown = server.run({u"tasks"_s, u"result"_s, u"nothing"_s});
        QVERIFY2(unknown.exitCode == 2, unknown.describe().constData());
        const CliRun cancel = server.run({u"tasks"_s, u"cancel"_s, id});
        QVERIFY2(cancel.exitCode == 0, cancel.describe().constData());
    }

    void inAScript()
    {
        const CliRun run = askOf2025({u"run"_s, u"-"_s}, {},
                                     "call run-as-task seconds=0.1 --task\ntasks list\ntasks result nothing\n");
        QVERIFY2(run.exitCode == 2, run.describe().constData());
        QVERIFY2(run.out.contains("completed"), run.describe().constData());
    }

    void aServerWithoutTasks()
    {
        const auto server = [](const QString &revision, const QStringList &steps) {
            return QStringList{u"--revision"_s, revision, u"--"_s,
                               sonde::test::builtProgram(QStringLiteral("fake-stdio-server")), u"readline"_s} +
                   steps + QStringList{u"waiteof"_s};
        };
        const QString discovered =
            u"say:{\"jsonrpc\":\"2.0\",\"id\":\"server-discover-probe\",\"result\":{\"resultType\":\"complete\","
            "\"supportedVersions\":[\"2026-07-28\"],\"ttlMs\":0,\"cacheScope\":\"private\",\"capabilities\":{}}}"_s;
        const CliRun stateless = runCli(QStringList{u"tasks"_s} + server(u"2026-07-28"_s, {discovered}));
        QVERIFY2(stateless.exitCode == 3 && stateless.err.startsWith("The server does not declare tasks.\n"),
                 stateless.describe().constData());
        QVERIFY2(stateless.err.contains("Revision 2026-07-28 has no request that lists tasks."),
                 stateless.describe().constData());
        const QString unknown =
            u"say:{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32601,\"message\":\"none\"}}"_s;
        const QStringList handshake{
            u"say:{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
            "\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}"_s,
            u"readline"_s, u"readline"_s, unknown};
        const QList<QStringList> verbs{{u"tasks"_s}, {u"tasks"_s, u"get"_s, u"a"_s}, {u"tasks"_s, u"cancel"_s, u"a"_s}};
        for (const QStringList &verb : verbs) {
            const CliRun asked = runCli(verb + server(u"2025-11-25"_s, handshake));
            QVERIFY2(asked.exitCode == 2 && asked.err.contains("does not declare tasks. Sending the request anyway."),
                     asked.describe().constData());
        }
        const CliRun off = askOf2025({u"tasks"_s, u"get"_s, u"a"_s, u"--without"_s, u"tasks"_s});
        QVERIFY2(off.exitCode == 2 && off.err.contains("Tasks are switched off"), off.describe().constData());
    }

    void wrongUse_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("problem");
        QTest::newRow("no ID") << QStringList{u"tasks"_s, u"get"_s} << "ID of a task"_ba;
        QTest::newRow("unknown") << QStringList{u"tasks"_s, u"drop"_s, u"x"_s} << "'drop'"_ba;
        QTest::newRow("too much") << QStringList{u"tasks"_s, u"list"_s, u"x"_s} << "'x'"_ba;
        QTest::newRow("not a call") << QStringList{u"read"_s, u"--task"_s, u"a:b"_s} << "--task"_ba;
        QTest::newRow("with params") << QStringList{u"call"_s, u"--task"_s, u"--params"_s, u"{\"name\":\"a\"}"_s}
                                     << "--params"_ba;
        QTest::newRow("no time") << QStringList{u"call"_s, u"a"_s, u"--ttl"_s, u"soon"_s} << "soon"_ba;
    }
    void wrongUse()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, problem);
        const CliRun run = askDemo(words);
        QCOMPARE(run.exitCode, 4);
        QVERIFY2(run.err.contains(problem), run.describe().constData());
    }
};

SONDE_TEST(tst_CliTasks)
#include "tst_clitasks.moc"
