// The demo server's misbehaviour: every switch does what its help says.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/demo/demoprocess.h"
#include "tests/support/testregistry.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

using namespace Qt::StringLiterals;

namespace {

const QString NewestRevision = u"2025-11-25"_s;
const QByteArray Add = R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":)"
                       R"({"a":1,"b":2}}})";
const QByteArray Ping = R"({"jsonrpc":"2.0","id":"ping","method":"ping"})";

}  // namespace

class tst_DemoFaults : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void explainsItself()
    {
        sonde::test::DemoProcess server({u"--help"_s});
        QCOMPARE(server.waitForEnd(), 0);
        const QByteArray help = server.process().readAllStandardOutput();
        for (const char *name : {"--http [PORT]",
                                 "--http+sse [PORT]",
                                 "--page-size N",
                                 "--revision REV",
                                 "--slow-start MS",
                                 "--exit-before-handshake CODE",
                                 "--stderr-then-exit",
                                 "--junk-on-stdout",
                                 "--huge-line BYTES",
                                 "--flood N",
                                 "--ignore-sigterm",
                                 "--never-respond METHOD",
                                 "--missing-method METHOD",
                                 "--crash-on-call",
                                 "--exit-on-call CODE",
                                 "--bad-json",
                                 "--wrong-id",
                                 "--duplicate-response",
                                 "--late",
                                 "--http-status CODE",
                                 "--always-stream",
                                 "--drop-streams",
                                 "--forget-session-after N"})
            QVERIFY2(help.contains(QByteArray("\n  ") + name + ' ') || help.contains(QByteArray("\n  ") + name + '\n'),
                     name);
    }

    void refusesWrongSwitches_data()
    {
        QTest::addColumn<QStringList>("switches");
        QTest::addColumn<QByteArray>("words");
        QTest::newRow("unknown") << QStringList{u"--frob"_s} << "unknown argument '--frob'"_ba;
        QTest::newRow("no value") << QStringList{u"--flood"_s} << "--flood needs a value"_ba;
        QTest::newRow("no number") << QStringList{u"--flood"_s, u"many"_s} << "'many' is not a valid value"_ba;
        QTest::newRow("no port") << QStringList{u"--http"_s, u"70000"_s} << "'70000' is not a valid value"_ba;
        QTest::newRow("stray") << QStringList{u"stray"_s} << "unknown argument 'stray'"_ba;
    }
    void refusesWrongSwitches()
    {
        QFETCH(QStringList, switches);
        QFETCH(QByteArray, words);
        sonde::test::DemoProcess server(switches);
        QCOMPARE(server.waitForEnd(), 4);
        QVERIFY(server.process().readAllStandardError().contains(words));
        QVERIFY(server.process().readAllStandardOutput().isEmpty());
    }

    void exitsEarly()
    {
        sonde::test::DemoProcess coded({u"--exit-before-handshake"_s, u"7"_s});
        QCOMPARE(coded.waitForEnd(), 7);
        sonde::test::DemoProcess worded({u"--stderr-then-exit"_s});
        QCOMPARE(worded.waitForEnd(), 1);
        QVERIFY(worded.process().readAllStandardError().contains("No such file or directory"));
    }

    void diesDuringACall()
    {
        sonde::test::DemoProcess crashing({u"--crash-on-call"_s});
        crashing.handshake(NewestRevision);
        crashing.send(Add);
        crashing.waitForEnd();
        QCOMPARE(crashing.process().exitStatus(), QProcess::CrashExit);
        sonde::test::DemoProcess exiting({u"--exit-on-call"_s, u"9"_s});
        exiting.handshake(NewestRevision);
        exiting.send(Add);
        QCOMPARE(exiting.waitForEnd(), 9);
    }

    void writesJunkBetweenMessages()
    {
        sonde::test::DemoProcess server({u"--junk-on-stdout"_s});
        QVERIFY(QJsonDocument::fromJson(server.readLine()).isNull());
        const QJsonObject logLine = server.read();
        QVERIFY(!logLine.isEmpty() && !logLine.contains("jsonrpc"_L1));
        server.send(Ping);
        QVERIFY(QJsonDocument::fromJson(server.readLine()).isNull());
        QVERIFY(server.read().contains("result"_L1));
    }

    void keepsSilentOrRefuses()
    {
        sonde::test::DemoProcess silent({u"--never-respond"_s, u"tools/list"_s});
        silent.handshake(NewestRevision);
        silent.send(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})");
        silent.send(Ping);
        QCOMPARE(silent.read().value("id"_L1).toString(), u"ping"_s);

        sonde::test::DemoProcess missing({u"--missing-method"_s, u"resources/templates/list"_s});
        QVERIFY(missing.handshake(NewestRevision)["result"_L1]["capabilities"_L1].toObject().contains("resources"_L1));
        missing.send(R"({"jsonrpc":"2.0","id":2,"method":"resources/templates/list"})");
        QCOMPARE(missing.read()["error"_L1]["code"_L1].toInt(), -32601);
    }

    void sendsHugeLinesAndFloods()
    {
        sonde::test::DemoProcess huge({u"--huge-line"_s, u"3000000"_s});
        huge.handshake(NewestRevision);
        const QByteArray line = huge.readLine();
        QCOMPARE(line.size(), 3'000'000);
        QVERIFY(QJsonDocument::fromJson(line).isObject());

        sonde::test::DemoProcess flooding({u"--flood"_s, u"1000"_s});
        flooding.handshake(NewestRevision);
        flooding.send(Ping);
        int count = 0;
        while (flooding.read().value("method"_L1) == "notifications/message"_L1)
            ++count;
        QCOMPARE(count, 1000);
    }

    void spoilsResponses()
    {
        sonde::test::DemoProcess broken({u"--bad-json"_s});
        broken.handshake(NewestRevision);
        broken.send(Add);
        QVERIFY(QJsonDocument::fromJson(broken.readLine()).isNull());
        broken.send(Ping);
        QVERIFY(broken.read().contains("result"_L1));

        sonde::test::DemoProcess wrong({u"--wrong-id"_s});
        wrong.handshake(NewestRevision);
        wrong.send(Add);
        QVERIFY(wrong.read().value("id"_L1) != 2);

        sonde::test::DemoProcess twice({u"--duplicate-response"_s});
        twice.handshake(NewestRevision);
        twice.send(Add);
        const QByteArray first = twice.readLine();
        QCOMPARE(twice.readLine(), first);
    }

    void responsesLate()
    {
        sonde::test::DemoProcess server({u"--late"_s});
        server.handshake(NewestRevision);
        server.send(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"slow","arguments":)"
                    R"({"seconds":0.05}}})");
        server.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})");
        QCOMPARE(server.read().value("id"_L1).toInt(), 7);
    }

    void startsSlowly()
    {
        QElapsedTimer clock;
        clock.start();
        sonde::test::DemoProcess server({u"--slow-start"_s, u"300"_s});
        server.send(Ping);
        QVERIFY(server.read().contains("result"_L1));
        QVERIFY(clock.elapsed() >= 300);
    }

    void ignoresTheEnd()
    {
        sonde::test::DemoProcess server({u"--ignore-sigterm"_s});
        server.handshake(NewestRevision);
        server.process().terminate();
        server.send(Ping);
        QVERIFY(server.read().contains("result"_L1));
        server.process().closeWriteChannel();
        server.process().terminate();
        QVERIFY(!server.process().waitForFinished(200));
        server.process().kill();
        QVERIFY(server.process().waitForFinished());
    }
};

SONDE_TEST(tst_DemoFaults)
#include "tst_demofaults.moc"
