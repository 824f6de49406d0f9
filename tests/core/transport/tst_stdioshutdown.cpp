// The end of a server's processes: asked for, suffered, and after Sonde's own sudden death.
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/transport/stdiofixture.h"
#include "tests/support/files.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QProcess>

#include <csignal>

#include <unistd.h>

using namespace sonde;
using namespace sonde::test;
using Kind = WireEvent::Kind;

class StdioShutdownTest : public QObject {
    Q_OBJECT
private:
    static StdioOptions quick()
    {
        StdioOptions options;
        options.stopStepMs = 150;
        return options;
    }
    static QStringList signalsSent(const TransportProbe &probe)
    {
        QStringList sent;
        for (const WireEvent &event : probe.of(Kind::State)) {
            const json::Value facts = json::parse(event.facts);
            if (facts[u"what"].string() == QLatin1String("signalled"))
                sent += facts[u"signal"].string();
        }
        return sent;
    }
    static qint64 toldPid(const TransportProbe &probe, const char *method)
    {
        return probe.told(QString::fromLatin1(method)).toInteger().value_or(0);
    }
    static int openFiles() { return int(QDir(QStringLiteral("/proc/self/fd")).entryList().size()); }
    static int children()
    {
        QFile file(QStringLiteral("/proc/self/task/%1/children").arg(::getpid()));
        return file.open(QIODevice::ReadOnly) ? int(file.readAll().split(' ').size()) - 1 : -1;
    }

private Q_SLOTS:
    void thePoliteServerGetsNoSignal()
    {
        Stdio s({QStringLiteral("flood:1"), QStringLiteral("waiteof"), QStringLiteral("flood:1"),
                 QStringLiteral("exit:0")});
        QTRY_COMPARE(s.probe->received.size(), 1);
        s.transport->close();
        QCOMPARE(s.transport->state(), Transport::State::Closing);
        QTRY_VERIFY(s.probe->closed);
        QCOMPARE(signalsSent(*s.probe), QStringList());
        QCOMPARE(s.probe->of(Kind::Message).size(), 2);  // its last words are recorded
        QVERIFY(s.probe->facts(Kind::State, QStringLiteral("stdin closed")).exists());
    }

    void theOneThatStaysGetsTerm()
    {
        Stdio s({QStringLiteral("flood:1"), QStringLiteral("hang")}, quick());
        QTRY_COMPARE(s.probe->received.size(), 1);
        s.transport->close();
        QTRY_VERIFY(s.probe->closed);
        QVERIFY(s.probe->closed->kind == Error::Kind::None);
        QCOMPARE(signalsSent(*s.probe), QStringList{QStringLiteral("SIGTERM")});
        QCOMPARE(s.probe->facts(Kind::State, QStringLiteral("exited"))[u"name"].string(), QStringLiteral("SIGTERM"));
    }

    void theStubbornOneGetsKill()
    {
        Stdio s({QStringLiteral("ignore:15"), QStringLiteral("flood:1"), QStringLiteral("hang")}, quick());
        QTRY_COMPARE(s.probe->received.size(), 1);
        s.transport->close();
        QTRY_VERIFY(s.probe->closed);
        QCOMPARE(signalsSent(*s.probe), (QStringList{QStringLiteral("SIGTERM"), QStringLiteral("SIGKILL")}));
    }

    void grandchildrenDieWithTheGroup_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<bool>("leaderLeavesFirst");
        QTest::newRow("leader stays") << "spawn" << false;
        QTest::newRow("leader leaves") << "spawn" << true;
        QTest::newRow("stubborn, leader stays") << "spawnstubborn" << false;
        QTest::newRow("stubborn, leader leaves") << "spawnstubborn" << true;
    }
    void grandchildrenDieWithTheGroup()
    {
        SONDE_NEEDS_PROCESS_GROUPS("grandchildren are not followed.");
        QFETCH(QString, kind);
        QFETCH(bool, leaderLeavesFirst);
        Stdio s({kind, leaderLeavesFirst ? QStringLiteral("waiteof") : QStringLiteral("hang")}, quick());
        QTRY_COMPARE(s.probe->received.size(), 1);
        const qint64 leader = s.transport->processId();
        const qint64 grandchild = toldPid(*s.probe, "spawned");
        QVERIFY(isRunning(grandchild));
        s.transport->close();
        QTRY_VERIFY(s.probe->closed);
        QVERIFY(!isRunning(leader));
        QTRY_VERIFY(!isRunning(grandchild));
    }

    // The leader crashes by itself: the calls must fail now, and what it left behind must go, politely first.
    void whatACrashLeavesBehindIsBroughtDown()
    {
        SONDE_NEEDS_PROCESS_GROUPS("grandchildren are not followed.");
        Stdio s({QStringLiteral("spawnstubborn"), QStringLiteral("readline"), QStringLiteral("signal:11")}, quick());
        QTRY_COMPARE(s.probe->received.size(), 1);
        const qint64 grandchild = toldPid(*s.probe, "spawned");
        QVERIFY(!s.transport->send(Message::notification(u"go")));
        QTRY_VERIFY(s.probe->closed);
        QVERIFY(s.probe->closed->message.contains(QStringLiteral("signal 11")));
        QTRY_VERIFY(!isRunning(grandchild));
        QCOMPARE(signalsSent(*s.probe), (QStringList{QStringLiteral("SIGTERM"), QStringLiteral("SIGKILL")}));
    }

    // A child that still holds the pipes and never stops writing must not hide the exit.
    void theExitIsNoticedWhileAChildFloods_data()
    {
        QTest::addColumn<QString>("flood");
        QTest::newRow("standard output") << "spawnflood:1";
        QTest::newRow("stderr") << "spawnflood:2";
        QTest::newRow("both") << "spawnflood:3";
    }
    void theExitIsNoticedWhileAChildFloods()
    {
        QFETCH(QString, flood);
        Stdio s({flood, QStringLiteral("readline"), QStringLiteral("exit:3")}, quick());
        QTRY_COMPARE(s.probe->received.size(), 1);
        const qint64 child = toldPid(*s.probe, "spawned");
        QVERIFY(!s.transport->send(Message::notification(u"go")));
        QTRY_VERIFY_WITH_TIMEOUT(s.probe->closed, 20000);
        QCOMPARE(s.probe->closed->code, 3);
        QVERIFY(s.probe->closed->message.contains(QStringLiteral("exited with code 3")));
        QCOMPARE(s.probe->facts(Kind::State, QStringLiteral("exited"))[u"code"].toInteger().value_or(-1), 3);
        QTRY_VERIFY(!isRunning(child));
    }

    // What was written before the exit is read all the same, and nothing that comes later has to be.
    void lastWordsBeforeTheExitAreRead()
    {
        Stdio s({QStringLiteral("spawnflood:2"), QStringLiteral("readline"), QStringLiteral("flood:2000"),
                 QStringLiteral("exit:3")},
                quick());
        QTRY_COMPARE(s.probe->received.size(), 1);
        QVERIFY(!s.transport->send(Message::notification(u"go")));
        QTRY_VERIFY_WITH_TIMEOUT(s.probe->closed, 20000);
        QCOMPARE(s.probe->received.size(), 2001);
    }

    void closedOutputOfALivingServerIsAnError()
    {
        SONDE_NEEDS_PROCESS_GROUPS("QProcess does not tell that a running process closed its output.");
        Stdio s({QStringLiteral("pid"), QStringLiteral("readline"), QStringLiteral("closeout"), QStringLiteral("hang")},
                quick());
        QTRY_COMPARE(s.probe->received.size(), 1);
        const qint64 leader = s.transport->processId();
        QVERIFY(!s.transport->send(Message::notification(u"go")));
        QTRY_VERIFY(s.probe->closed);
        QVERIFY2(s.probe->closed->message.contains(QStringLiteral("standard output")),
                 qPrintable(s.probe->closed->message));
        QTRY_VERIFY(!isRunning(leader));
    }

    void closedOutputFollowedByTheExitIsAnExit()
    {
        Stdio s({QStringLiteral("flood:1"), QStringLiteral("closeout"), QStringLiteral("exit:5")});
        QTRY_VERIFY(s.probe->closed);
        QCOMPARE(s.probe->closed->code, 5);
    }

    void closingWhileItStartsIsClean()
    {
        Stdio s({QStringLiteral("hang")}, quick());
        s.transport->close();
        QTRY_VERIFY(s.probe->closed);
        QVERIFY(s.probe->closed->kind == Error::Kind::None);
        QCOMPARE(s.probe->opened, 0);

        StdioOptions options = quick();
        options.program = QStringLiteral("/no/such/program");
        Stdio broken({}, options);
        broken.transport->close();
        QTRY_VERIFY(broken.probe->closed);
        QVERIFY(broken.probe->closed->kind == Error::Kind::None);
    }

    void deletingItKillsEverything()
    {
        SONDE_NEEDS_PROCESS_GROUPS("grandchildren are not followed.");
        Stdio s({QStringLiteral("ignore:15"), QStringLiteral("spawnstubborn"), QStringLiteral("hang")});
        QTRY_COMPARE(s.probe->received.size(), 1);
        const qint64 leader = s.transport->processId();
        const qint64 grandchild = toldPid(*s.probe, "spawned");
        s.transport.reset();
        QVERIFY(!isRunning(leader));
        QTRY_VERIFY(!isRunning(grandchild));
    }

    void deletingItWhileItStartsLeavesNothing()
    {
        const int processes = children();
        for (int round = 0; round < 30; ++round) {
            Stdio s({QStringLiteral("hang")});
            if (round % 2)
                s.transport->close();
            s.transport.reset();
            QCOMPARE(children(), processes);
        }
    }

    void nothingIsLeftAfterManyRounds()
    {
        int files = 0;
        int processes = 0;
        for (int round = 0; round < 30; ++round) {
            {
                Stdio s({QStringLiteral("flood:3"), round % 3 ? QStringLiteral("waiteof") : QStringLiteral("exit:1")},
                        quick());
                QTRY_COMPARE(s.probe->received.size(), 3);
                s.transport->close();
                QTRY_VERIFY(s.probe->closed);
            }
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            if (round == 4) {
                files = openFiles();
                processes = children();
            }
        }
        QCOMPARE(openFiles(), files);
        QCOMPARE(children(), processes);
    }

    // A real process between us and the tree, killed as a crash or the system would: sh, a server, and its child.
    void s16_nothingSurvivesTheSuddenDeathOfSonde()
    {
        SONDE_NEEDS_PROCESS_GROUPS("there is no guard of the group.");
        const QString fake = test::builtProgram(QStringLiteral("fake-stdio-server"));
        QProcess holder;
        holder.start(test::builtProgram(QStringLiteral("transport-holder")),
                     {QStringLiteral("/bin/sh"), QStringLiteral("-c"),
                      // A shell that stays, below it a server that ignores polite signals and the end of its input.
                      QStringLiteral("'%1' ignore:15 ignore:1 pid spawnstubborn hang; exit 0").arg(fake)});
        QList<qint64> pids;
        QByteArray output;
        QTRY_VERIFY2((output += holder.readAllStandardOutput()).count('\n') >= 2,
                     holder.readAllStandardError().constData());
        for (const QByteArray &line : output.trimmed().split('\n'))
            pids += json::parse(line)[u"params"][u"value"].toInteger().value_or(0);
        const QByteArray fields = test::readFile(QStringLiteral("/proc/%1/stat").arg(pids.value(0)));
        const qint64 shell = fields.mid(fields.lastIndexOf(')') + 2).split(' ').value(1).toLongLong();
        pids += shell;
        QCOMPARE(pids.size(), 3);
        for (const qint64 pid : std::as_const(pids))
            QVERIFY(isRunning(pid));
        QList<qint64> own;  // the shell and the guard
        for (const QByteArray &child :
             test::readFile(QStringLiteral("/proc/%1/task/%1/children").arg(holder.processId())).trimmed().split(' '))
            own += child.toLongLong();
        QCOMPARE(own.size(), 2);

        holder.kill();  // SIGKILL
        QVERIFY(holder.waitForFinished());
        for (const qint64 pid : pids + own)
            QTRY_VERIFY2(!isRunning(pid), qPrintable(QString::number(pid)));
    }

    // The guard is of no use when it is killed first; it must not take the server with it either.
    void theGuardLeavesALivingServerAlone()
    {
        SONDE_NEEDS_PROCESS_GROUPS("there is no guard of the group.");
        Stdio s({QStringLiteral("echo")});
        QTRY_COMPARE(s.probe->opened, 1);
        int killed = 0;
        for (const QByteArray &child :
             test::readFile(QStringLiteral("/proc/%1/task/%1/children").arg(::getpid())).trimmed().split(' ')) {
            if (child.toLongLong() != s.transport->processId()) {
                ::kill(pid_t(child.toLongLong()), SIGTERM);
                ++killed;
            }
        }
        QCOMPARE(killed, 1);
        QVERIFY(!s.transport->send(Message::request(RequestId(1), u"ping")));
        QTRY_COMPARE(s.probe->received.size(), 1);
        s.transport->close();
        QTRY_VERIFY(s.probe->closed);
        QVERIFY(s.probe->closed->kind == Error::Kind::None);
    }
};

SONDE_TEST(StdioShutdownTest)
#include "tst_stdioshutdown.moc"
