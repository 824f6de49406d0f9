// Faults of stdio servers: each one a named error or a mark in the record, never the end of anything else.
// SPDX-License-Identifier: Apache-2.0
#include "core/transport/process/stderrratelimiter.h"
#include "tests/core/transport/stdiofixture.h"
#include "tests/support/testregistry.h"

#include <QCryptographicHash>
#include <QTimer>

#include <csignal>

using namespace sonde;
using namespace sonde::test;
using Kind = WireEvent::Kind;

class StdioFaultsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aCrashNamesTheSignalAndTheLastWords_data()
    {
        QTest::addColumn<int>("number");
        QTest::addColumn<QString>("name");
        QTest::newRow("segv") << SIGSEGV << "SIGSEGV";
        QTest::newRow("abort") << SIGABRT << "SIGABRT";
        QTest::newRow("kill") << SIGKILL << "SIGKILL";
    }
    void aCrashNamesTheSignalAndTheLastWords()
    {
        QFETCH(int, number);
        QFETCH(QString, name);
        Stdio s({QStringLiteral("say:{\"jsonrpc\":\"2.0\",\"method\":\"up\"}"), QStringLiteral("readline"),
                 QStringLiteral("err:about to fall"), QStringLiteral("signal:%1").arg(number)});
        QTRY_COMPARE(s.probe->received.size(), 1);
        QVERIFY(!s.transport->send(Message::request(RequestId(1), u"tools/call")));
        QTRY_VERIFY(s.probe->closed);
        QCOMPARE(s.probe->closings, 1);
        QVERIFY(s.probe->closed->kind == Error::Kind::Transport);
        QCOMPARE(s.probe->closed->code, 128 + number);
        QVERIFY2(s.probe->closed->message.contains(QStringLiteral("signal %1 (%2").arg(number).arg(name)),
                 qPrintable(s.probe->closed->message));
        QVERIFY(s.probe->closed->detail.contains(QStringLiteral("about to fall")));
        const json::Value exited = s.probe->facts(Kind::State, QStringLiteral("exited"));
        QCOMPARE(exited[u"signal"].toInteger(), std::optional<qint64>(number));
        QVERIFY(s.transport->send(Message::request(RequestId(2), u"ping")).kind == Error::Kind::Transport);
    }

    void aResponseThatIsTooDeepIsNoFaultOfTheServer()
    {
        constexpr int depth = 5000;
        const QString deep = QString(depth, u'[') + QString(depth, u']');
        Stdio s({QStringLiteral("readline"),
                 QStringLiteral("say:{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":") + deep + QStringLiteral("}}"),
                 QStringLiteral("waiteof")});
        QTRY_COMPARE(s.probe->opened, 1);
        QVERIFY(!s.transport->send(Message::request(RequestId(1), u"tools/call")));
        QTRY_COMPARE(s.probe->failed.size(), 1);
        QCOMPARE(s.probe->failed.first().first, RequestId(1));
        QCOMPARE(s.probe->failed.first().second.message,
                 QStringLiteral("The response is nested deeper than 1024 levels, the limit of Sonde."));
    }

    void anEarlyExitSaysSo_data()
    {
        QTest::addColumn<int>("code");
        for (const int code : {0, 1, 127})
            QTest::addRow("%d", code) << code;
    }
    void anEarlyExitSaysSo()
    {
        QFETCH(int, code);
        Stdio s({QStringLiteral("err:cannot find module x"), QStringLiteral("exit:%1").arg(code)});
        QTRY_VERIFY(s.probe->closed);
        QVERIFY(s.probe->closed->message.contains(QStringLiteral("code %1 before").arg(code)));
        QCOMPARE(s.probe->closed->code, code);
        QCOMPARE(s.probe->closed->hint.isEmpty(), code != 127);
        QVERIFY(s.probe->closed->detail.contains(QStringLiteral("cannot find module x")));
        QVERIFY(s.probe->closed->detail.contains(QStringLiteral("fake-stdio-server")));
        QVERIFY(s.probe->closed->detail.contains(QStringLiteral("Working directory: /")));
    }

    void anExitInUseSaysSoAndLosesNothing()
    {
        Stdio s({QStringLiteral("flood:20000"), QStringLiteral("exit:3")});
        QTRY_VERIFY(s.probe->closed);
        QCOMPARE(s.probe->received.size(), 20000);
        QCOMPARE(s.probe->closed->message, QStringLiteral("The server exited with code 3."));
    }

    void garbageAmongMessagesEndsNothing()
    {
        QStringList steps;
        for (int i = 0; i < 20; ++i)
            steps << QStringLiteral("say:garbage %1").arg(i) << QStringLiteral("flood:1");
        Stdio s(steps << QStringLiteral("echo"));
        QTRY_COMPARE(s.probe->received.size(), 20);
        QCOMPARE(s.probe->of(Kind::Junk).size(), 20);
        QCOMPARE(s.transport->state(), Transport::State::Open);
        QVERIFY(!s.transport->send(Message::request(RequestId(7), u"ping")));
        QTRY_COMPARE(s.probe->received.size(), 21);
    }

    void piecesOfALineAreAssembled()
    {
        QStringList steps;
        const QString message = QStringLiteral("{\"jsonrpc\":\"2.0\",\"method\":\"slow\",\"params\":{\"value\":1}}\\n");
        for (qsizetype i = 0; i < message.size(); ++i) {
            if (message.at(i) == QLatin1Char('\\')) {
                steps << QStringLiteral("raw:") + message.mid(i, 2);
                ++i;
            } else {
                steps << QStringLiteral("raw:") + message.mid(i, 1);
            }
        }
        steps.insert(10, QStringLiteral("readline"));  // a pause in the middle, as long as we like
        Stdio s(steps << QStringLiteral("waiteof"));
        QTRY_COMPARE(s.probe->opened, 1);
        QVERIFY(s.probe->received.isEmpty());
        QVERIFY(!s.transport->send(Message::notification(u"go")));
        QTRY_COMPARE(s.probe->received.size(), 1);
        QCOMPARE(s.probe->received.first().method(), QStringLiteral("slow"));
    }

    void aLineBeyondTheLimitFailsItsCallOnly()
    {
        StdioOptions options;
        options.maxMessageBytes = 100'000;
        Stdio s({QStringLiteral("big:300000"), QStringLiteral("noise:250000"), QStringLiteral("big:100000"),
                 QStringLiteral("echo")},
                options);
        QTRY_COMPARE(s.probe->received.size(), 1);
        QCOMPARE(s.probe->received.first().raw().size(), 100'000 - 0);
        QCOMPARE(s.probe->failed.size(), 2);
        QCOMPARE(s.probe->failed.at(0).first, RequestId(1));  // read from its first bytes
        QVERIFY(s.probe->failed.at(1).first.isNone());
        QVERIFY(s.probe->failed.at(0).second.message.contains(QStringLiteral("limit")));
        const WireEvent partial = s.probe->of(Kind::Partial).value(0);
        QCOMPARE(partial.wireLength, 300'000);
        QVERIFY(partial.bytes.size() < 100'000);
        const QByteArray head = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"text\":\"";
        const QByteArray whole = head + QByteArray(300'000 - head.size() - 3, 'a') + "\"}}";
        QCOMPARE(json::parse(partial.facts)[u"sha256"].string().toLatin1(),
                 QCryptographicHash::hash(whole, QCryptographicHash::Sha256).toHex());
        QVERIFY(!s.transport->send(Message::request(RequestId(7), u"ping")));
        QTRY_COMPARE(s.probe->received.size(), 2);
    }

    void aHundredMegabyteLineArrivesWhole()
    {
        Stdio s({QStringLiteral("big:100000000"), QStringLiteral("waiteof")});
        QTRY_COMPARE_WITH_TIMEOUT(s.probe->received.size(), 1, 60'000);
        QCOMPARE(s.probe->received.first().raw().size(), 100'000'000);
        QCOMPARE(s.probe->received.first().id(), RequestId(1));
    }

    void oddBytesAreKeptAsTheyCame_data()
    {
        QTest::addColumn<QString>("step");
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("invalid utf-8") << QStringLiteral("say:\\xff\\xfe junk") << QByteArray("\xff\xfe junk");
        QTest::newRow("overlong") << QStringLiteral("say:{\"a\":\"\\xc0\\xaf\"}") << QByteArray("{\"a\":\"\xc0\xaf\"}");
        QTest::newRow("surrogate") << QStringLiteral("say:\\xed\\xa0\\x80") << QByteArray("\xed\xa0\x80");
        QTest::newRow("nul") << QStringLiteral("say:a\\x00b") << QByteArray("a\0b", 3);
        QTest::newRow("bom") << QStringLiteral("say:\\xef\\xbb\\xbf{}") << QByteArray("\xef\xbb\xbf{}");
    }
    void oddBytesAreKeptAsTheyCame()
    {
        QFETCH(QString, step);
        QFETCH(QByteArray, bytes);
        Stdio s({step, QStringLiteral("flood:1"), QStringLiteral("waiteof")});
        QTRY_COMPARE(s.probe->received.size(), 1);
        QCOMPARE(s.probe->of(Kind::Junk).value(0).bytes, bytes);
    }

    void aServerThatDoesNotReadIsNamed()
    {
        StdioOptions options;
        options.maxQueuedBytes = 1024 * 1024;
        options.stopStepMs = 100;
        Stdio s({QStringLiteral("hang")}, options);
        QTRY_COMPARE(s.probe->opened, 1);
        const QByteArray big = "{\"text\":\"" + QByteArray(100'000, 'x') + "\"}";
        Error error;
        int taken = 0;
        while (!(error = s.transport->send(Message::request(RequestId(taken), u"tools/call", big))) && taken < 100)
            ++taken;
        QVERIFY(taken >= 10 && taken < 15);
        QVERIFY2(error.message.contains(QStringLiteral("not reading")), qPrintable(error.message));
        QCOMPARE(s.probe->facts(Kind::Note, QStringLiteral("not sent"))[u"method"].string(),
                 QStringLiteral("tools/call"));
        QCOMPARE(s.probe->of(Kind::Message).size(), taken);
        s.transport->close();
        QTRY_VERIFY(s.probe->closed);
    }

    void oneMessageBeyondTheQueueLimitStillGoes()
    {
        StdioOptions options;
        options.maxQueuedBytes = 100'000;
        Stdio s({QStringLiteral("echo")}, options);
        QTRY_COMPARE(s.probe->opened, 1);
        QVERIFY(
            !s.transport->send(Message::request(RequestId(1), u"x", "{\"t\":\"" + QByteArray(500'000, 'y') + "\"}")));
        QTRY_COMPARE(s.probe->received.size(), 1);
    }

    void oneMessageBeyondTheLimitOfOneIsRefused()
    {
        StdioOptions options;
        options.maxQueuedBytes = 100'000;
        options.maxSentBytes = 1'000'000;
        Stdio s({QStringLiteral("echo")}, options);
        QTRY_COMPARE(s.probe->opened, 1);
        const QByteArray params = "{\"t\":\"" + QByteArray(1'000'000, 'y') + "\"}";
        const Error error = s.transport->send(Message::request(RequestId(1), u"tools/call", params));
        QVERIFY2(error.message.contains(QStringLiteral("exceeds the limit")), qPrintable(error.message));
        QVERIFY(!error.hint.isEmpty());
        QCOMPARE(s.probe->of(Kind::Message).size(), 0);  // what did not go out is not recorded as sent
        QVERIFY(s.probe->facts(Kind::Note, QStringLiteral("not sent")).exists());
        QVERIFY(!s.transport->send(Message::request(RequestId(2), u"ping")));
        QTRY_COMPARE(s.probe->received.size(), 1);
    }

    // As it stands in the options of every server.
    void theLimitOfOneMessageIsSixtyFourMebibytes()
    {
        Stdio s({QStringLiteral("hang")});
        QTRY_COMPARE(s.probe->opened, 1);
        const QByteArray params = "{\"t\":\"" + QByteArray(64 * 1024 * 1024, 'y') + "\"}";
        const Error error = s.transport->send(Message::request(RequestId(1), u"tools/call", params));
        QVERIFY2(error.message.contains(QStringLiteral("exceeds the limit")), qPrintable(error.message));
    }

    void refusedMessagesAreCountedRatherThanListedForEver()
    {
        StdioOptions options;
        options.maxQueuedBytes = 1000;
        Stdio s({QStringLiteral("hang")}, options);
        QTRY_COMPARE(s.probe->opened, 1);
        const Message message = Message::notification(u"x", "{\"t\":\"" + QByteArray(100'000, 'y') + "\"}");
        while (!s.transport->send(message)) {
        }
        for (int i = 1; i < 12'000; ++i)
            QVERIFY(s.transport->send(message));
        QCOMPARE(s.probe->of(Kind::Note).size(), 102);
        QCOMPARE(s.probe->facts(Kind::Note, QStringLiteral("not sent"))[u"count"].toInteger().value_or(0), 10'000);
    }

    void closedInputFailsWhatWasNotRead()
    {
        Stdio s(
            {QStringLiteral("readline"), QStringLiteral("closein"), QStringLiteral("flood:1"), QStringLiteral("hang")});
        QTRY_COMPARE(s.probe->opened, 1);
        QVERIFY(!s.transport->send(Message::request(RequestId(1), u"a")));
        QTRY_COMPARE(s.probe->received.size(), 1);
        QVERIFY(!s.transport->send(Message::request(RequestId(2), u"b")));
        QTRY_COMPARE(s.probe->failed.size(), 1);
        QCOMPARE(s.probe->failed.first().first, RequestId(2));
        const Error error = s.transport->send(Message::request(RequestId(3), u"c"));
        for (const Error &each : {s.probe->failed.first().second, error})
            QVERIFY2(each.message.contains(QStringLiteral("standard input")), qPrintable(each.message));
        QCOMPARE(s.transport->state(), Transport::State::Open);  // it may still talk
    }

    // Two ends of the same beginning: something is left unread.
    void anExitExplainsWhatItLeftUnread()
    {
        Stdio s({QStringLiteral("readline"), QStringLiteral("err:out of memory"), QStringLiteral("exit:3")});
        QTRY_COMPARE(s.probe->opened, 1);
        QVERIFY(!s.transport->send(Message::notification(u"go")));
        QVERIFY(
            !s.transport->send(Message::request(RequestId(1), u"x", "{\"t\":\"" + QByteArray(1'000'000, 'y') + "\"}")));
        QTRY_VERIFY(s.probe->closed);
        QVERIFY2(s.probe->closed->message.contains(QStringLiteral("code 3")), qPrintable(s.probe->closed->message));
        QVERIFY(s.probe->closed->detail.contains(QStringLiteral("out of memory")));
        QVERIFY(s.probe->failed.isEmpty());
    }
    void aServerThatLivesOnSaysNothingOfWhatItLeftUnread()
    {
        Stdio s({QStringLiteral("readline"), QStringLiteral("closein"), QStringLiteral("hang")});
        QTRY_COMPARE(s.probe->opened, 1);
        QVERIFY(!s.transport->send(Message::notification(u"go")));
        QVERIFY(
            !s.transport->send(Message::request(RequestId(1), u"x", "{\"t\":\"" + QByteArray(1'000'000, 'y') + "\"}")));
        QTRY_COMPARE(s.probe->failed.size(), 1);
        QCOMPARE(s.probe->failed.first().first, RequestId(1));
        QVERIFY(s.probe->failed.first().second.message.contains(QStringLiteral("standard input")));
        QCOMPARE(s.transport->state(), Transport::State::Open);
    }

    void anResponseWithoutItsVersionFailsItsCall_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<int>("failures");
        QTest::newRow("missing") << QStringLiteral("{\"id\":1,\"result\":{}}") << 1;
        QTest::newRow("1.0") << QStringLiteral("{\"jsonrpc\":\"1.0\",\"id\":1,\"error\":{\"code\":1}}") << 1;
        QTest::newRow("neither result nor error") << QStringLiteral("{\"jsonrpc\":\"2.0\",\"id\":1}") << 1;
        QTest::newRow("a log line") << QStringLiteral("{\"id\":1,\"level\":\"info\"}") << 0;
        QTest::newRow("a request") << QStringLiteral("{\"id\":1,\"method\":\"x\",\"result\":{}}") << 0;
    }
    void anResponseWithoutItsVersionFailsItsCall()
    {
        QFETCH(QString, line);
        QFETCH(int, failures);
        Stdio s({QStringLiteral("say:") + line, QStringLiteral("flood:1"), QStringLiteral("waiteof")});
        QTRY_COMPARE(s.probe->received.size(), 1);
        QCOMPARE(s.probe->failed.size(), failures);
        if (failures > 0)
            QCOMPARE(s.probe->failed.first().first, RequestId(1));
        QCOMPARE(s.probe->of(Kind::Junk).size(), 1);
    }

    void aStderrFloodIsDrained()
    {
        Stdio s({QStringLiteral("errflood:20000000"), QStringLiteral("err:the end"), QStringLiteral("flood:1"),
                 QStringLiteral("waiteof")});
        QTRY_COMPARE_WITH_TIMEOUT(s.probe->received.size(), 1, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(s.transport->stderrTail().value(s.transport->stderrTail().size() - 1),
                                  QStringLiteral("the end"), 60'000);
        QVERIFY(s.transport->stderrTail().size() <= 200);

        // The record is spared most of it, and says so where it was.
        QCOMPARE(s.probe->facts(Kind::Note)[u"what"].string(), QStringLiteral("stderr too much"));
        s.transport->close();
        QTRY_VERIFY_WITH_TIMEOUT(s.probe->closed, 60'000);
        qint64 recorded = 0;
        const QList<WireEvent> lines = s.probe->of(Kind::Stderr);
        for (const WireEvent &line : lines)
            recorded += line.wireLength;
        QVERIFY(recorded > 15'000'000 && recorded < 19'000'000);
        qint64 leftOutLines = 0;
        qint64 leftOutBytes = 0;
        const QList<WireEvent> notes = s.probe->of(Kind::Note);
        for (const WireEvent &note : notes) {
            const json::Value facts = json::parse(note.facts);
            leftOutLines += facts[u"lines"].toInteger().value_or(0);
            leftOutBytes += facts[u"bytes"].toInteger().value_or(0);
        }
        QCOMPARE(lines.size() + leftOutLines, 200'001);
        QCOMPARE(recorded + leftOutBytes, 200'000 * 99 + 7);
    }

    void aStderrFloodIsRecordedInRuns()
    {
        constexpr qint64 second = 1'000'000'000;
        constexpr qint64 line = 100;
        StderrRateLimiter limiter;
        qint64 admitted = 0;
        while (limiter.allow(line, line, second))
            admitted += line;
        QVERIFY(admitted <= StderrRateLimiter::BurstBytes && admitted > StderrRateLimiter::BurstBytes - line);
        QCOMPARE(limiter.takeLeftOut().lines, 1);

        // A thousand lines a second for a minute: each run is worth reading, and all of them are no flood.
        int runs = 0;
        bool isOpen = false;
        admitted = 0;
        for (qint64 i = 1; i <= 60'000; ++i) {
            const bool isAdmitted = limiter.allow(line, 2 * line, second + i * second / 1000);
            runs += isAdmitted && !isOpen ? 1 : 0;
            isOpen = isAdmitted;
            admitted += isAdmitted ? line : 0;
        }
        QCOMPARE(runs, 3);
        QVERIFY(admitted >= 3 * StderrRateLimiter::RunBytes && admitted < 60 * 4'000);
        QCOMPARE(limiter.leftOut().lines, 60'000 - admitted / line);
        QCOMPARE(limiter.leftOut().bytes, limiter.leftOut().lines * 2 * line);
        QVERIFY(limiter.allow(line, line, 3600 * 24 * second));
    }

    // What is not read stays in the pipe, and the server waits for it: our memory does not grow.
    void aFloodingServerIsHeldBack()
    {
        SONDE_NEEDS_PROCESS_GROUPS("QProcess reads ahead without a limit.");
        constexpr int messages = 500'000;
        Stdio s({QStringLiteral("flood:%1").arg(messages), QStringLiteral("waiteof")});
        std::shared_ptr<void> held;
        connect(s.transport.get(), &Transport::received, this, [&] {
            if (s.probe->received.size() <= 1)
                held = s.transport->holdReading();
        });
        QTRY_VERIFY(held);
        const auto written = [&] {
            QFile io(QStringLiteral("/proc/%1/io").arg(s.transport->processId()));
            const QByteArray text = io.open(QIODevice::ReadOnly) ? io.readAll() : QByteArray();
            const qsizetype at = text.indexOf("wchar: ");
            return at < 0 ? -1 : text.mid(at + 7, text.indexOf('\n', at) - at - 7).toLongLong();
        };
        // It has stopped when many turns of our event loop see no more of it.
        qint64 last = 0;
        int unchanged = 0;
        QTRY_VERIFY_WITH_TIMEOUT((unchanged = written() == std::exchange(last, written()) ? unchanged + 1 : 0) >= 20,
                                 60'000);
        QVERIFY2(last > 0 && last < 4'000'000, qPrintable(QString::number(last)));
        QVERIFY(s.probe->received.size() < messages / 10);
        held.reset();
        QTRY_COMPARE_WITH_TIMEOUT(s.probe->received.size(), messages, 60'000);
    }

    // A flood must not keep timers, and with them the window, waiting.
    void theEventLoopTurnsDuringAFlood()
    {
        Stdio s({QStringLiteral("flood:100000"), QStringLiteral("exit:0")});
        int ticks = 0;
        QTimer timer;
        connect(&timer, &QTimer::timeout, this, [&] { ++ticks; });
        timer.start(0);
        QTRY_VERIFY_WITH_TIMEOUT(s.probe->closed, 60'000);
        QCOMPARE(s.probe->received.size(), 100'000);
        for (int i = 0; i < 100'000; i += 9'999)
            QCOMPARE(s.probe->received.at(i).params()[u"value"].toInteger(), std::optional<qint64>(i));
        QVERIFY2(ticks > 20, qPrintable(QString::number(ticks)));
    }
};

SONDE_TEST(StdioFaultsTest)
#include "tst_stdiofaults.moc"
