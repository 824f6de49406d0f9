// sonde-cli replay, mock and diff, end to end against the demo server.
// SPDX-License-Identifier: Apache-2.0
#include "core/session/session.h"
#include "tests/app/cli/clirun.h"
#include "tests/support/files.h"
#include "tests/support/handmadesession.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QFile>
#include <QHostAddress>
#include <QProcess>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>
#include <QXmlStreamReader>

#include <csignal>

using namespace Qt::StringLiterals;
using sonde::Session;
using sonde::test::askDemo;
using sonde::test::cliProgram;
using sonde::test::CliRun;
using sonde::test::demoProgram;
using sonde::test::HandmadeSession;
using sonde::test::readFile;
using sonde::test::runCli;
using sonde::test::writeFile;
namespace json = sonde::json;

class tst_CliReplay : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
        m_session = m_folder->filePath(u"s.mcpsession"_s);
    }

    void theCodesTellTheOutcomes_data()
    {
        QTest::addColumn<QStringList>("recorded");
        QTest::addColumn<QStringList>("recordedWith");
        QTest::addColumn<QStringList>("switches");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("outcome");
        const QStringList list{u"list"_s};
        const QStringList add{u"call"_s, u"add"_s, u"a=1"_s, u"b=2"_s};
        const QStringList prompt{u"prompt"_s, u"greeting"_s};
        QTest::newRow("same") << add << QStringList() << QStringList() << 0 << u"ok"_s;
        QTest::newRow("a tool error again")
            << QStringList{u"call"_s, u"fail"_s} << QStringList() << QStringList() << 0 << u"ok"_s;
        QTest::newRow("a protocol error again")
            << QStringList{u"read"_s, u"demo://nowhere"_s} << QStringList() << QStringList() << 0 << u"ok"_s;
        QTest::newRow("another revision")
            << list << QStringList() << QStringList{u"--revision"_s, u"2024-11-05"_s} << 1 << u"changed"_s;
        QTest::newRow("an error now") << prompt << QStringList() << QStringList{u"--missing-method"_s, u"prompts/get"_s}
                                      << 2 << u"protocol-error"_s;
        QTest::newRow("a result now") << prompt << QStringList{u"--missing-method"_s, u"prompts/get"_s} << QStringList()
                                      << 1 << u"changed"_s;
        QTest::newRow("died") << add << QStringList() << QStringList{u"--exit-on-call"_s, u"1"_s} << 3
                              << u"no-response"_s;
        QTest::newRow("not started") << add << QStringList() << QStringList{u"--stderr-then-exit"_s} << 3
                                     << u"no-response"_s;
    }
    void theCodesTellTheOutcomes()
    {
        QFETCH(QStringList, recorded);
        QFETCH(QStringList, recordedWith);
        QFETCH(QStringList, switches);
        QFETCH(int, code);
        QFETCH(QString, outcome);
        record(recorded, recordedWith);
        const CliRun run = askDemo({u"replay"_s, m_session}, switches);
        QVERIFY2(run.exitCode == code, run.describe().constData());
        const CliRun machine = askDemo({u"replay"_s, m_session, u"--json"_s}, switches);
        QVERIFY2(machine.exitCode == code, machine.describe().constData());
        QVERIFY2(machine.json()[u"outcome"].string() == outcome, machine.describe().constData());
        QCOMPARE(machine.out.count('\n'), 1);
    }

    // What a server says before it exits is evidence, and part of a report.
    void reportsOfAServerThatDoesNotStartHoldNoSecrets()
    {
        record({u"list"_s});
        const QByteArray token = "ghp_0123456789abcdefABCDEFghijklmnopqrst";
        for (const QStringList &format : {QStringList(), QStringList(u"--json"_s)}) {
            const CliRun run =
                runCli(QStringList{u"replay"_s, m_session} + format +
                       QStringList{u"--"_s, u"/bin/sh"_s, u"-c"_s,
                                   u"echo 'no access with "_s + QString::fromUtf8(token) + u"' >&2; exit 7"_s});
            QCOMPARE(run.exitCode, 3);
            QVERIFY2((run.out + run.err).contains("no access with"), run.describe().constData());
            QVERIFY2(!(run.out + run.err).contains(token), run.describe().constData());
        }
    }

    void rulesBesideTheSessionHold()
    {
        record({u"list"_s});
        const QStringList switches{u"--revision"_s, u"2024-11-05"_s};
        QCOMPARE(askDemo({u"replay"_s, m_session}, switches).exitCode, 1);
        const QByteArray rules = "{\"ignore\":[{\"pointer\":\"/**\",\"method\":\"initialize\"}]}";
        const QString elsewhere = m_folder->filePath(u"elsewhere.json"_s);
        writeFile(elsewhere, rules);
        const CliRun given = askDemo({u"replay"_s, m_session, u"--rules"_s, elsewhere}, switches);
        QVERIFY2(!given.out.contains("/protocolVersion"), given.describe().constData());
        writeFile(m_folder->filePath(u"s.rules.json"_s), rules);
        const CliRun beside = askDemo({u"replay"_s, m_session}, switches);
        QCOMPARE(beside.out, given.out);
        QCOMPARE(beside.exitCode, given.exitCode);
        writeFile(m_folder->filePath(u"s.rules.json"_s), "{\"ignored\":1}");
        const CliRun broken = askDemo({u"replay"_s, m_session}, switches);
        QVERIFY2(broken.exitCode == 4 && broken.err.contains("contains no rules"), broken.describe().constData());
    }

    void destructiveToolsAreNotRunUnasked()
    {
        record({u"call"_s, u"delete-everything"_s, u"confirm=true"_s, u"--yes"_s});
        const QString second = m_folder->filePath(u"second.mcpsession"_s);
        const CliRun run = askDemo({u"replay"_s, m_session, u"--record"_s, second});
        QVERIFY2(run.exitCode == 4 && run.err.contains("--allow-destructive"), run.describe().constData());
        QVERIFY2(run.out.contains("skipped delete-everything") || run.out.contains("skipped tools/call"),
                 run.describe().constData());
        QVERIFY(!readFile(second).contains("\\\"tools/call\\\""));
        const CliRun allowed = askDemo({u"replay"_s, m_session, u"--allow-destructive"_s});
        QVERIFY2(allowed.exitCode == 0 && allowed.out.contains("0 skipped"), allowed.describe().constData());
    }

    void acceptingMakesTheNewResponsesTheRecording()
    {
        const QStringList switches{u"--missing-method"_s, u"prompts/get"_s};
        record({u"prompt"_s, u"greeting"_s});
        const QByteArray before = readFile(m_session);
        QCOMPARE(askDemo({u"replay"_s, m_session}, switches).exitCode, 2);
        QCOMPARE(readFile(m_session), before);
        const CliRun accepted = askDemo({u"replay"_s, m_session, u"--accept"_s}, switches);
        QVERIFY2(accepted.exitCode == 2 && accepted.err.contains("Accepted"), accepted.describe().constData());
        QVERIFY(readFile(m_session) != before);
        QCOMPARE(askDemo({u"replay"_s, m_session}, switches).exitCode, 0);
        // The old one is kept and named; nothing else is left lying about.
        const QStringList kept = QDir(m_folder->path()).entryList({u"s.before-*.mcpsession"_s}, QDir::Files);
        QCOMPARE(kept.size(), 1);
        QCOMPARE(readFile(m_folder->filePath(kept.first())), before);
        QVERIFY2(accepted.err.contains(kept.first().toUtf8()), accepted.describe().constData());
        QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files).size(), 2);
    }

    void aDamagedRecordingIsReplayedButNotReplaced()
    {
        record({u"call"_s, u"add"_s, u"a=1"_s, u"b=2"_s});
        const QByteArray whole = readFile(m_session);
        const QByteArray cut = whole.first(whole.lastIndexOf('\n', whole.size() - 2) - 20);
        writeFile(m_session, cut);
        const CliRun run = askDemo({u"replay"_s, m_session, u"--accept"_s});
        QVERIFY2(run.exitCode == 4 && run.err.contains("is damaged at byte") && run.err.contains("would be lost"),
                 run.describe().constData());
        QVERIFY2(run.out.isEmpty(), run.describe().constData());
        QCOMPARE(readFile(m_session), cut);
        QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files), QStringList{u"s.mcpsession"_s});
        const CliRun without = askDemo({u"replay"_s, m_session});
        QVERIFY2(without.err.contains("is damaged at byte") && without.out.contains("same"),
                 without.describe().constData());
    }

    void nothingIsAcceptedWhenCallsWereLeftOut()
    {
        record({u"call"_s, u"delete-everything"_s, u"confirm=true"_s, u"--yes"_s});
        const QByteArray before = readFile(m_session);
        const CliRun run = askDemo({u"replay"_s, m_session, u"--accept"_s});
        QVERIFY2(run.exitCode == 4 && run.err.contains("Not accepted"), run.describe().constData());
        QCOMPARE(readFile(m_session), before);
        QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files), QStringList{u"s.mcpsession"_s});
    }

    void aFilterChoosesTheCalls()
    {
        record({u"call"_s, u"add"_s, u"a=1"_s, u"b=2"_s});
        const CliRun run = askDemo({u"replay"_s, m_session, u"--filter"_s, u"tool == add"_s});
        QVERIFY2(run.exitCode == 0 && run.out.contains("1 same, 0 changed, 0 failed, 0 skipped"),
                 run.describe().constData());
        QVERIFY2(!run.out.contains("initialize"), run.describe().constData());
        // Rows are counted alike wherever they are told.
        const CliRun machine = askDemo({u"replay"_s, m_session, u"--filter"_s, u"tool == add"_s, u"--json"_s});
        const CliRun log =
            runCli({u"log"_s, m_session, u"--filter"_s, u"tool == add and kind == request"_s, u"--json"_s});
        QVERIFY2(log.result()[u"records"].at(0)[u"record"].toInteger(), log.describe().constData());
        QCOMPARE(machine.result()[u"steps"].at(0)[u"record"].toInteger(),
                 log.result()[u"records"].at(0)[u"record"].toInteger());
        const CliRun none = askDemo({u"replay"_s, m_session, u"--filter"_s, u"tool == nobody"_s});
        QVERIFY2(none.exitCode == 4 && none.err.contains("match the filter"), none.describe().constData());
        const CliRun broken = askDemo({u"replay"_s, m_session, u"--filter"_s, u"tool =="_s});
        QVERIFY2(broken.exitCode == 4 && broken.err.contains("invalid filter"), broken.describe().constData());
    }

    void junitIsWritten()
    {
        record({u"prompt"_s, u"greeting"_s});
        const QString path = m_folder->filePath(u"report.xml"_s);
        const CliRun run =
            askDemo({u"replay"_s, m_session, u"--junit"_s, path}, {u"--missing-method"_s, u"prompts/get"_s});
        QVERIFY2(run.exitCode == 2, run.describe().constData());
        QXmlStreamReader xml(readFile(path));
        QMap<QString, int> elements;
        while (!xml.atEnd()) {
            if (xml.readNext() == QXmlStreamReader::StartElement)
                ++elements[xml.name().toString()];
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QCOMPARE(elements.value(u"testsuite"_s), 1);
        QVERIFY(elements.value(u"testcase"_s) >= 2);
        QCOMPARE(elements.value(u"error"_s), 1);
        QCOMPARE(elements.value(u"failure"_s), 0);
    }

    void mocksOverStdio()
    {
        record({u"call"_s, u"add"_s, u"a=1"_s, u"b=2"_s});
        const QStringList mock{u"--"_s, cliProgram(), u"mock"_s, m_session};
        const CliRun same = runCli(QStringList{u"call"_s, u"add"_s, u"a=1"_s, u"b=2"_s} + mock);
        QVERIFY2(same.exitCode == 0 && same.out.contains('3'), same.describe().constData());
        const CliRun other = runCli(QStringList{u"call"_s, u"add"_s, u"a=1"_s, u"b=3"_s} + mock);
        QVERIFY2(other.exitCode == 2 && other.err.contains("The session contains no response to tools/call"),
                 other.describe().constData());
        const CliRun replayed = runCli(QStringList{u"replay"_s, m_session} + mock);
        QVERIFY2(replayed.exitCode == 0, replayed.describe().constData());
    }

    // How long the client waited, as it recorded that itself.
    void theMockEndsInOrderWhenItsClientHasGone()
    {
        record({u"list"_s});
        QProcess shell;
        shell.start(u"/bin/sh"_s,
                    {u"-c"_s, u"{ \"$0\" mock \"$1\"; echo ended with $? >&2; } | :"_s, cliProgram(), m_session});
        QVERIFY(shell.waitForStarted());
        // The first ones may be written before the reader has gone.
        QByteArray said;
        const QByteArray ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
        QVERIFY(QTest::qWaitFor(
            [&] {
                shell.write(ping);
                said += shell.readAllStandardError();
                return said.contains('\n');
            },
            20'000));
        QCOMPARE(said, "ended with 0\n"_ba);
        QVERIFY(shell.state() == QProcess::NotRunning || shell.waitForFinished(20'000));
    }

    void theMockSaysThatALineIsTooLong()
    {
        record({u"list"_s});
        QProcess mock;
        mock.start(cliProgram(), {u"mock"_s, m_session});
        QVERIFY(mock.waitForStarted());
        const QByteArray piece(1024 * 1024, 'x');
        for (int i = 0; i < 257 && mock.state() == QProcess::Running; ++i) {
            mock.write(piece);
            while (mock.bytesToWrite() > 0 && mock.waitForBytesWritten(20'000)) {
            }
        }
        QVERIFY(mock.state() == QProcess::NotRunning || mock.waitForFinished(20'000));
        QCOMPARE(mock.exitStatus(), QProcess::NormalExit);
        QCOMPARE(mock.exitCode(), 3);
        const QByteArray said = mock.readAllStandardError();
        QVERIFY2(said.contains("longer than the limit of 268.4 MB"), said.constData());
    }

    void theRecordedTimeIsTakenOnlyWhenAsked()
    {
        constexpr qint64 SpanNs = 2'000'000'000;
        HandmadeSession recording;
        recording.sent(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{}}})");
        recording.received(
            R"({"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)"
            R"("serverInfo":{"name":"s","version":"1"}}})");
        recording.sent(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
        recording.at(SpanNs).received(R"({"jsonrpc":"2.0","id":1,"result":{"tools":[]}})");
        writeFile(m_session, recording.text());
        for (const bool timed : {true, false}) {
            QStringList words{u"replay"_s, m_session, u"--record"_s, m_folder->filePath(timed ? u"t"_s : u"u"_s)};
            words << u"--"_s << cliProgram() << u"mock"_s << m_session;
            if (timed)
                words << u"--timing"_s;
            const CliRun run = runCli(words);
            QVERIFY2(run.exitCode == 0, run.describe().constData());
            const auto made = Session::open(words[3]);
            QVERIFY(made);
            qint64 tookNs = -1;
            for (qsizetype row = 0; row < (*made)->size(); ++row) {
                if ((*made)->name((*made)->at(row).method) == u"tools/list"_s)
                    tookNs = (*made)->durationNs(row);
            }
            // A request is stamped when it has been written: on a busy machine the other side is ahead by then.
            QVERIFY2(tookNs >= 0 && (tookNs >= SpanNs / 2) == timed, qPrintable(QString::number(tookNs)));
        }
    }

    void s12_mocksOverHttpLoudlyAndOnThisMachineOnly()
    {
        record({u"call"_s, u"add"_s, u"a=1"_s, u"b=2"_s});
        QProcess mock;
        QByteArray said;
        const QString url = serveOverHttp(mock, &said);
        QVERIFY2(said.contains("WARNING"), said.constData());
        QVERIFY2(url.startsWith(u"http://127.0.0.1:"_s), said.constData());
        const CliRun run = runCli({u"replay"_s, m_session, u"--url"_s, url});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        // A page in a browser would come under another name.
        const CliRun foreign = runCli({u"info"_s, u"--url"_s, url, u"--header"_s, u"Origin: http://evil.example"_s});
        QVERIFY2(foreign.exitCode == 3, foreign.describe().constData());
        ::kill(pid_t(mock.processId()), SIGINT);
        QVERIFY(mock.waitForFinished(20'000));
        QCOMPARE(mock.exitCode(), 0);
    }

    // Revision 2025-03-26: answered in one batch with others, the calls are told apart everywhere.
    void callsAnsweredInABatchAreToldApart()
    {
        const auto call = [](int id, const QByteArray &tool) {
            const QByteArray head = "{\"jsonrpc\":\"2.0\",\"id\":" + QByteArray::number(id);
            return head + ",\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool + "\"}}";
        };
        HandmadeSession recording;
        recording.sent(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{}}})");
        recording.received(
            R"({"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-03-26","capabilities":{"tools":{}},)"
            R"("serverInfo":{"name":"s","version":"1"}}})");
        recording.sent(call(1, "good")).sent(call(2, "bad")).sent(call(3, "none"));
        recording.at(5'000'000).received(
            R"([{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"no"}},)"
            R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"fine"}]}},)"
            R"({"jsonrpc":"2.0","id":2,"result":{"content":[],"isError":true}}])");
        writeFile(m_session, recording.text());
        const CliRun log = runCli({u"log"_s, m_session});
        QVERIFY2(log.out.contains("[ok") && log.out.contains("[tool-error") && log.out.contains("[protocol-error"),
                 log.describe().constData());
        const CliRun stats = runCli({u"stats"_s, m_session, u"--json"_s});
        QMap<QString, QStringList> counts;
        for (const json::Value &each : stats.result()[u"calls"]) {
            for (const QStringView outcome : {u"ok", u"toolErrors", u"protocolErrors", u"noResponse", u"open"})
                counts[each[u"target"].string()] += QString::fromUtf8(each[outcome].slice());
        }
        QCOMPARE(counts[u"good"_s].join(u' '), u"1 0 0 0 0"_s);
        QCOMPARE(counts[u"bad"_s].join(u' '), u"0 1 0 0 0"_s);
        QCOMPARE(counts[u"none"_s].join(u' '), u"0 0 1 0 0"_s);
        const QStringList allow{u"replay"_s, m_session, u"--allow-destructive"_s};
        const CliRun stdio = runCli(allow + QStringList{u"--"_s, cliProgram(), u"mock"_s, m_session});
        QVERIFY2(stdio.exitCode == 0 && stdio.out.contains("4 same"), stdio.describe().constData());
        QProcess mock;
        QByteArray said;
        const QString url = serveOverHttp(mock, &said);
        const CliRun http = runCli(allow + QStringList{u"--url"_s, url});
        QVERIFY2(http.exitCode == 0 && http.out.contains("4 same"), http.describe().constData());
        // Asked in a batch as well.
        const QByteArray begun =
            post(url, {}, R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{}}})");
        const qsizetype at = begun.indexOf("Mcp-Session-Id: ");
        QVERIFY2(at > 0, begun.constData());
        const QByteArray responses = post(url, begun.mid(at, begun.indexOf('\r', at) - at) + "\r\n",
                                          '[' + call(7, "bad") + ',' + call(8, "good") + ']');
        QVERIFY2(responses.contains(R"("id":7,"result":{"content":[],"isError":true})") &&
                     responses.contains(R"("id":8,"result":{"content":[{"type":"text","text":"fine"}]})"),
                 responses.constData());
        ::kill(pid_t(mock.processId()), SIGINT);
        QVERIFY(mock.waitForFinished(20'000));
    }

    void diffs_data()
    {
        QTest::addColumn<QString>("switches");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("outcome");
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("same") << u""_s << 0 << u"ok"_s << "Same offering"_ba;
        QTest::newRow("pages make no difference") << u" --page-size 3"_s << 0 << u"ok"_s << "Same offering"_ba;
        QTest::newRow("launch settings") << u" --page-size 3"_s << 0 << u"ok"_s << "differs      environment"_ba;
        QTest::newRow("older") << u" --revision 2024-11-05"_s << 2 << u"breaking"_s << "BREAKING"_ba;
    }
    void diffs()
    {
        QFETCH(QString, switches);
        QFETCH(int, code);
        QFETCH(QString, outcome);
        QFETCH(QByteArray, text);
        record({u"list"_s});
        const QString server = quotedDemo();
        const CliRun run = runCli({u"diff"_s, m_session, server + switches});
        QVERIFY2(run.exitCode == code && run.out.contains(text), run.describe().constData());
        const CliRun live = runCli({u"diff"_s, server, server + switches, u"--json"_s});
        QVERIFY2(live.exitCode == code && live.json()[u"outcome"].string() == outcome, live.describe().constData());
    }

    // Without a handshake, too: what server/discover says is compared in its place.
    void diffsWithoutHandshake()
    {
        record({u"list"_s, u"--revision"_s, u"automatic"_s});
        const QStringList automatic{u"diff"_s, u"--revision"_s, u"automatic"_s, m_session};
        const CliRun same = runCli(automatic + QStringList{quotedDemo(), u"--json"_s});
        QVERIFY2(same.exitCode == 0 && same.json()[u"outcome"].string() == u"ok"_s, same.describe().constData());
        const CliRun older = runCli(automatic + QStringList{quotedDemo() + u" --revision 2025-11-25"_s});
        QVERIFY2(older.exitCode == 2 && older.out.contains("Protocol revision  2026-07-28 → 2025-11-25"),
                 older.describe().constData());
        QVERIFY2(!older.out.contains("Server name") && !older.out.contains("Client name"),
                 older.describe().constData());
    }

    void diffComparesTwoSessions()
    {
        record({u"list"_s});
        const QString first = m_folder->filePath(u"first.mcpsession"_s);
        QVERIFY(QFile::rename(m_session, first));
        record({u"list"_s}, {u"--revision"_s, u"2024-11-05"_s});
        const CliRun run = runCli({u"diff"_s, first, m_session, u"--json"_s});
        QVERIFY2(run.exitCode == 2, run.describe().constData());
        QStringList parts;
        for (const json::Value &change : run.result()[u"changes"]) {
            if (!parts.contains(change[u"part"].string()))
                parts << change[u"part"].string();
            QVERIFY(change[u"part"].string() != u"environment"_s || change[u"impact"].string() == u"unknown"_s);
        }
        QVERIFY2(
            parts.contains(u"environment"_s) && parts.contains(u"handshake"_s) && parts.contains(u"capabilities"_s),
            run.describe().constData());
        QCOMPARE(runCli({u"diff"_s, first, first}).exitCode, 0);
    }

    void diffSaysWhatIsDamaged()
    {
        record({u"list"_s});
        const QString whole = m_folder->filePath(u"whole.mcpsession"_s);
        QVERIFY(QFile::copy(m_session, whole));
        const QByteArray bytes = readFile(m_session);
        writeFile(m_session, bytes.first(bytes.lastIndexOf('\n', bytes.size() - 2) - 20));
        for (const QStringList &format : {QStringList(), QStringList(u"--json"_s)}) {
            const CliRun run = runCli(QStringList{u"diff"_s, whole, m_session} + format);
            const QByteArray told = format.isEmpty() ? run.err : run.finding().toUtf8();
            QVERIFY2(told.contains((m_session + u" is damaged at byte"_s).toUtf8()), run.describe().constData());
            QVERIFY2(!told.contains((whole + u" is damaged"_s).toUtf8()), run.describe().constData());
            QCOMPARE(run.exitCode, 0);
        }
    }

    // A list that was recorded in part says nothing about what breaks.
    void diffSaysWhatIsNotKnown()
    {
        const auto record = [this](const QString &name, const QByteArray &rest) {
            HandmadeSession recording;
            recording.sent(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{}}})");
            recording.received(
                R"({"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)"
                R"("serverInfo":{"name":"s","version":")" +
                name.toUtf8() + R"("}}})");
            recording.sent(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
            recording.received(R"({"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a"}])" + rest + "}}");
            const QString path = m_folder->filePath(name + u".mcpsession"_s);
            writeFile(path, recording.text());
            return path;
        };
        const QStringList sides{record(u"part"_s, R"(,"nextCursor":"2")"), record(u"whole"_s, {})};
        const CliRun run = runCli(QStringList(u"diff"_s) + sides);
        QVERIFY2(run.exitCode == 3, run.describe().constData());
        QVERIFY2(run.out.contains("Unknown whether this can break clients of A") &&
                     run.err.contains("Tools: not listed completely on one side"),
                 run.describe().constData());
        const CliRun json = runCli(QStringList(u"diff"_s) + sides + QStringList(u"--json"_s));
        QVERIFY2(json.exitCode == 3 && json.json()[u"error"][u"text"].string().startsWith(u"Unknown whether"),
                 json.describe().constData());
    }

    void diffTakesNoBadSessionForAProgram()
    {
        record({u"list"_s});
        QTemporaryDir folder;
        const QString empty = folder.filePath(u"empty.mcpsession"_s);
        const QString text = folder.filePath(u"notes.txt"_s);
        for (const QString &path : {empty, text}) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(path == text ? "notes" : "");
            file.close();
            const CliRun run = runCli({u"diff"_s, m_session, path});
            QVERIFY2(run.exitCode == 4, run.describe().constData());
            QVERIFY2(run.err.contains("Not a Sonde session file"), run.describe().constData());
            QVERIFY2(run.err.contains(path.toUtf8()), run.describe().constData());
        }
        const CliRun missing = runCli({u"diff"_s, folder.filePath(u"none.mcpsession"_s), m_session});
        QVERIFY2(missing.exitCode == 4, missing.describe().constData());
        QVERIFY2(missing.err.contains("No such file"), missing.describe().constData());
        // A command may well end in the name of a session.
        const CliRun mock =
            runCli({u"diff"_s, u"'%1' mock '%2'"_s.arg(sonde::test::cliProgram(), m_session), m_session});
        QVERIFY2(mock.exitCode == 0, mock.describe().constData());
    }

    // What was not read cannot be called the same.
    void diffSaysWhichListsFailed()
    {
        const auto reply = [](const char *rest) {
            return u" 'say:{\"jsonrpc\":\"2.0\","_s + QLatin1String(rest) + u"}'"_s;
        };
        const QString failing =
            u"'%1' readline"_s.arg(sonde::test::builtProgram(QStringLiteral("fake-stdio-server"))) +
            reply(
                "\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
                "\"serverInfo\":{\"name\":\"n\",\"version\":\"1\"}}") +
            u" readline readline"_s + reply("\"id\":2,\"error\":{\"code\":-32603,\"message\":\"out of order\"}") +
            u" waiteof"_s;
        for (const QStringList &sides : {QStringList{failing, failing}, QStringList{quotedDemo(), failing}}) {
            const CliRun run = runCli(QStringList(u"diff"_s) + sides);
            QVERIFY2(run.exitCode == 3 && run.out.isEmpty(), run.describe().constData());
            QVERIFY2(run.err.contains("tools/list failed: out of order"), run.describe().constData());
        }
    }

    // It declares tools, and does not know their list: that is no list without tools.
    void diffSaysWhichListsAreNotImplemented()
    {
        record({u"list"_s});
        const QString failing =
            u"'%1' readline"_s.arg(sonde::test::builtProgram(QStringLiteral("fake-stdio-server"))) +
            u" 'say:{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\","_s +
            u"\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"n\",\"version\":\"1\"}}}' readline readline"_s +
            u" 'say:{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32601,\"message\":\"what?\"}}' waiteof"_s;
        const CliRun run = runCli({u"diff"_s, m_session, failing});
        QVERIFY2(run.exitCode == 3 && !run.out.contains("BREAKING"), run.describe().constData());
        QVERIFY2(run.err.contains("tools/list failed") && run.err.contains("-32601"), run.describe().constData());
    }

    void diffSaysWhichSideIsNotThere()
    {
        const CliRun run = runCli({u"diff"_s, u"no-such-program-anywhere"_s, quotedDemo()});
        QVERIFY2(run.exitCode == 4 && run.err.contains("no-such-program-anywhere"), run.describe().constData());
    }

    void refusesWrongUse_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("error");
        const auto row = [](const char *name, const QStringList &words, const char *error) {
            QTest::newRow(name) << words << QByteArray(error);
        };
        const QStringList server{u"--"_s, demoProgram()};
        const QString file = u"/nowhere/s.mcpsession"_s;
        row("replay nothing", QStringList{u"replay"_s} + server, "expected a session file");
        row("replay no file", QStringList{u"replay"_s, file} + server, "/nowhere/s.mcpsession");
        row("replay no server", {u"replay"_s, file}, "no server");
        row("replay two files", QStringList{u"replay"_s, file, file} + server, "unexpected argument");
        row("accept and record",
            QStringList{u"replay"_s, file, u"--accept"_s, u"--record"_s, u"/tmp/never.mcpsession"_s} + server,
            "--accept already records");
        row("accept some", QStringList{u"replay"_s, file, u"--accept"_s, u"--filter"_s, u"tool == add"_s} + server,
            "--accept needs all calls");
        row("filter for info", QStringList{u"info"_s, u"--filter"_s, u"x"_s} + server,
            "--filter is allowed only with list, replay, log and export");
        row("rules for info", QStringList{u"info"_s, u"--rules"_s, u"x"_s} + server,
            "--rules is allowed only with replay");
        row("accept for info", QStringList{u"info"_s, u"--accept"_s} + server,
            "--accept is allowed only with run and replay");
        row("no folder for the report", QStringList{u"replay"_s, file, u"--junit"_s, u"/nowhere/x.xml"_s} + server,
            "folder /nowhere does not exist");
        row("mock nothing", {u"mock"_s}, "expected a session file");
        row("mock a server", QStringList{u"mock"_s, file} + server, "does not connect to one");
        row("mock no file", {u"mock"_s, file}, "/nowhere/s.mcpsession");
        row("bad port", {u"mock"_s, file, u"--http=99999"_s}, "'99999' is not a port");
        row("http for info", QStringList{u"info"_s, u"--http"_s} + server, "--http is allowed only with mock");
        row("mock with a folder", {u"mock"_s, file, u"--cwd"_s, u"/"_s}, "--cwd cannot be used with this verb");
        row("diff with a header", {u"diff"_s, u"a"_s, u"b"_s, u"--header"_s, u"X: y"_s},
            "cannot be used with this verb");
        row("diff with a variable", {u"diff"_s, u"a"_s, u"b"_s, u"--env"_s, u"X=y"_s}, "cannot be used with this verb");
        row("diff with all", {u"diff"_s, u"a"_s, u"b"_s, u"--inherit-env"_s}, "cannot be used with this verb");
        row("diff one side", {u"diff"_s, file}, "expected two sides");
        row("diff three sides", {u"diff"_s, u"a"_s, u"b"_s, u"c"_s}, "expected two sides");
        row("diff a command", QStringList{u"diff"_s, u"a"_s, u"b"_s} + server, "two sides after diff");
        row("diff no such server", {u"diff"_s, u"--server"_s, u"nobody"_s, u"a"_s}, "There is no server 'nobody'");
    }
    void refusesWrongUse()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, error);
        const CliRun run = runCli(words);
        QVERIFY2(run.exitCode == 4, run.describe().constData());
        QVERIFY2(run.err.contains("sonde-cli: ") && run.err.contains(error), run.describe().constData());
        QVERIFY(run.out.isEmpty());
    }

    void interruptsEndAReplayInOrder()
    {
        record({u"call"_s, u"slow"_s, u"seconds=0"_s});
        QProcess cli;
        cli.start(cliProgram(),
                  QStringList{u"replay"_s, m_session, u"--"_s, demoProgram(), u"--never-respond"_s, u"tools/call"_s});
        QByteArray said;
        while (!said.contains("tools/list")) {
            QVERIFY2(cli.waitForReadyRead(20'000), said.constData());
            said += cli.readAllStandardOutput();
        }
        ::kill(pid_t(cli.processId()), SIGINT);
        QVERIFY(cli.waitForFinished(20'000));
        QCOMPARE(cli.exitStatus(), QProcess::NormalExit);
        QCOMPARE(cli.exitCode(), 130);
    }

private:
    static QString quotedDemo() { return u"\"%1\""_s.arg(demoProgram()); }

    void record(const QStringList &words, const QStringList &switches = {})
    {
        QFile::remove(m_session);
        const CliRun run = askDemo(words + QStringList{u"--record"_s, m_session}, switches);
        QVERIFY2(QFile::exists(m_session), run.describe().constData());
    }

    // The session as a server; its address. It is gone with the process.
    QString serveOverHttp(QProcess &mock, QByteArray *said)
    {
        mock.setReadChannel(QProcess::StandardError);
        mock.start(cliProgram(), {u"mock"_s, m_session, u"--http"_s});
        while ((!said->contains("listening on ") || !said->endsWith('\n')) && mock.waitForReadyRead(20'000))
            *said += mock.readAllStandardError();
        return QString::fromLatin1(said->mid(said->indexOf("listening on ") + 13)).trimmed();
    }

    // The whole answer, head and chunks.
    static QByteArray post(const QString &url, const QByteArray &headers, const QByteArray &body)
    {
        QTcpSocket socket;
        socket.connectToHost(QHostAddress::LocalHost, quint16(QUrl(url).port()));
        socket.write("POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:" + QByteArray::number(QUrl(url).port()) +
                     "\r\nContent-Type: application/json\r\n" + headers +
                     "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body);
        QByteArray response;
        while (!response.endsWith("\r\n0\r\n\r\n") && socket.waitForReadyRead(20'000))
            response += socket.readAll();
        return response;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_session;
};

SONDE_TEST(tst_CliReplay)
#include "tst_clireplay.moc"
