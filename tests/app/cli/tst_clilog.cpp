// sonde-cli log: what was recorded, read back without a server.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/clirun.h"
#include "tests/support/files.h"
#include "tests/support/handmadesession.h"
#include "tests/support/testregistry.h"

#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using sonde::json::Value;
using sonde::test::askDemo;
using sonde::test::CliRun;
using sonde::test::readFile;
using sonde::test::runCli;
using sonde::test::writeFile;

class CliLogTest : public QObject {
    Q_OBJECT

private:
    CliRun log(const QStringList &options) { return runCli(QStringList{u"log"_s, m_file} + options); }

    static QList<Value> objects(const CliRun &run)
    {
        QList<Value> values;
        for (const Value &record : run.result()[u"records"])
            values.append(record);
        return values;
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_file = m_dir.filePath(u"recorded"_s);
        const CliRun run = askDemo({u"call"_s, u"add"_s, u"a=20"_s, u"b=22"_s, u"--record"_s, m_file});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
    }

    void everyRow()
    {
        const CliRun people = log({});
        QVERIFY2(people.exitCode == 0, people.describe().constData());
        QVERIFY(people.out.contains("request initialize  [ok, "));
        QVERIFY(people.out.contains("request tools/call add  [ok, "));
        const CliRun machine = log({u"--json"_s});
        QCOMPARE(machine.exitCode, 0);
        // Each record has its line, between the beginning and the end of the object.
        QCOMPARE(machine.out.count('\n'), people.out.count('\n') + 2);
        const QList<Value> rows = objects(machine);
        QCOMPARE(rows.size(), people.out.count('\n'));
        for (qsizetype i = 0; i < rows.size(); ++i)
            QCOMPARE(rows.at(i)[u"record"].toInteger(), std::optional<qint64>(i + 1));
        QCOMPARE(rows.last()[u"kind"].string(), u"end"_s);
    }

    void filtered()
    {
        const QList<Value> rows = objects(log({u"--json"_s, u"--filter"_s, u"tool == add"_s}));
        QCOMPARE(rows.size(), 2);
        QCOMPARE(rows.at(0)[u"kind"].string(), u"request"_s);
        QCOMPARE(rows.at(0)[u"direction"].string(), u"out"_s);
        QCOMPARE(rows.at(0)[u"message"][u"params"][u"arguments"][u"a"].numberText(), QByteArray("20"));
        QCOMPARE(rows.at(0)[u"partner"].toInteger(), rows.at(1)[u"record"].toInteger());
        QCOMPARE(rows.at(1)[u"outcome"].string(), u"ok"_s);
        QVERIFY(rows.at(1)[u"durationMs"].toDouble() > 0);
        QCOMPARE(objects(log({u"--json"_s, u"--filter"_s, u"/params/arguments/a > 20.5"_s})).size(), 0);
        QCOMPARE(objects(log({u"--json"_s, u"--filter"_s, u"/params/arguments/b > 20.5"_s})).size(), 1);
        QCOMPARE(log({u"--filter"_s, u"no such word anywhere"_s}).exitCode, 0);
    }

    // Another program's session is not masked, and ours is only from where a secret was known.
    void secretsAreMasked()
    {
        using sonde::Direction;
        using sonde::WireEvent;
        const QByteArray token = "ghp_0123456789abcdefABCDEFghijklmnopqrst";
        const QByteArray password = "Lk29xQ7pbRw";
        sonde::test::HandmadeSession made;
        made.add(WireEvent::Kind::Open, Direction::Local, {},
                 R"({"transport":"stdio","argv":["x","--password","PASS"],"variables":[["A_TOKEN","short"]]})"_ba
                     .replace("PASS", password))
            .add(WireEvent::Kind::Stderr, Direction::FromServer, "starting with " + password)
            .add(WireEvent::Kind::Stderr, Direction::FromServer, QByteArray(780, '.') + ' ' + token)
            .sent(R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"x:y?token=TOKEN"}})"_ba.replace(
                "TOKEN", token))
            .received(R"({"jsonrpc":"2.0","id":1,"result":{"contents":[],"pin":"4711","api_key":1234567}})");
        const QString file = m_dir.filePath(u"foreign"_s);
        writeFile(file, made.text());
        for (const QStringList &words : {QStringList{u"log"_s, file}, QStringList{u"log"_s, file, u"--json"_s},
                                         QStringList{u"stats"_s, file}, QStringList{u"stats"_s, file, u"--json"_s}}) {
            const CliRun run = runCli(words);
            QVERIFY2(run.exitCode == 0 && run.out.contains("resources/read"), run.describe().constData());
            for (const QByteArray &secret : {token.first(12), password, "4711"_ba, "1234567"_ba, "\"short\""_ba})
                QVERIFY2(!run.out.contains(secret), run.describe().constData());
        }
        QCOMPARE(objects(runCli({u"log"_s, file, u"--json"_s})).size(), 5);
    }

    void wrongUse_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<int>("exitCode");
        const QString file = m_dir.filePath(u"recorded"_s);
        QTest::addRow("no file") << QStringList{u"log"_s} << QByteArray("expected a session file") << 4;
        QTest::addRow("absent") << QStringList{u"log"_s, file + u'x'} << QByteArray("could not be opened") << 4;
        QTest::addRow("no session") << QStringList{u"log"_s, sonde::test::cliProgram()} << QByteArray("session") << 4;
        QTest::addRow("bad filter") << QStringList{u"log"_s, file, u"--filter"_s, u"ping and foo == 1"_s}
                                    << QByteArray("\n  ping and foo == 1\n           ^^^\n") << 4;
        QTest::addRow("bad filter of export") << QStringList{u"export"_s, file, u"--format=jsonl"_s, u"--filter=(a"_s}
                                              << QByteArray("\n  (a\n  ^\n") << 4;
        QTest::addRow("no filter") << QStringList{u"log"_s, file, u"--filter"_s} << QByteArray("needs a value") << 4;
        QTest::addRow("two files") << QStringList{u"log"_s, file, file} << QByteArray("unexpected argument") << 4;
        QTest::addRow("elsewhere") << QStringList{u"stats"_s, file, u"--filter"_s, u"a"_s}
                                   << QByteArray("unknown option '--filter'") << 4;
    }

    void wrongUse()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, said);
        const CliRun run = runCli(arguments);
        QTEST(run.exitCode, "exitCode");
        QVERIFY2(run.err.contains(said), run.describe().constData());
        QVERIFY(run.out.isEmpty());
    }

    void exportsFilteredRows()
    {
        const CliRun run = runCli({u"export"_s, m_file, u"--format"_s, u"jsonl"_s, u"--filter"_s, u"tool == add"_s});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        QCOMPARE(run.out.count('\n'), 2);
        QVERIFY(run.out.contains("tools/call") && !run.out.contains("initialize"));
    }

    void damageIsSaid()
    {
        QByteArray bytes = readFile(m_file);
        bytes[bytes.size() / 2] = '\x01';
        const QString damaged = m_dir.filePath(u"damaged"_s);
        writeFile(damaged, bytes);
        const CliRun run = runCli({u"log"_s, damaged});
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(run.err.contains("The record is damaged."), run.describe().constData());
        QCOMPARE(run.out.count('\n'), log({}).out.count('\n') - 1);
        // What follows keeps its number.
        const QList<Value> rows = objects(runCli({u"log"_s, u"--json"_s, damaged}));
        const QList<Value> all = objects(log({u"--json"_s}));
        QCOMPARE(rows.size(), all.size() - 1);
        QCOMPARE(rows.last()[u"record"].toInteger(), all.last()[u"record"].toInteger());
    }

private:
    QTemporaryDir m_dir;
    QString m_file;
};

SONDE_TEST(CliLogTest)
#include "tst_clilog.moc"
