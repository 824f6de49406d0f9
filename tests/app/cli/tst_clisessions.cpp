// sonde-cli export and stats, on sessions recorded from the demo server a moment ago.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/clirun.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using sonde::test::askDemo;
using sonde::test::CliRun;
using sonde::test::HttpDemo;
using sonde::test::readFile;
using sonde::test::runCli;

class tst_CliSessions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        const CliRun piped = askDemo(
            {u"call"_s, u"echo"_s, u"value:=\"CANARY<script>alert(1)</script>\""_s, u"--record"_s, path(u"pipe"_s)});
        QVERIFY2(QFile::exists(path(u"pipe"_s)), piped.describe().constData());
        HttpDemo server;
        const QString url = server.start();
        QVERIFY(!url.isEmpty());
        const CliRun http = runCli({u"call"_s, u"add"_s, u"a=1"_s, u"b=2"_s, u"--url"_s, url, u"--header"_s,
                                    u"Authorization: Bearer CANARY-bearer-1"_s, u"--record"_s, path(u"http"_s)});
        QVERIFY2(http.exitCode == 0, http.describe().constData());
    }

    void statsSayHowLong()
    {
        const CliRun people = runCli({u"stats"_s, path(u"http"_s)});
        QVERIFY2(people.exitCode == 0, people.describe().constData());
        QVERIFY2(people.out.contains("tools/call add") && people.out.contains("p99 ms"), people.describe().constData());
        const CliRun machine = runCli({u"stats"_s, path(u"http"_s), u"--json"_s});
        QCOMPARE(machine.exitCode, 0);
        QCOMPARE(machine.out.count('\n'), 1);
        bool found = false;
        for (const sonde::json::Value call : machine.result()[u"calls"]) {
            if (call[u"method"].string() != u"tools/call"_s)
                continue;
            found = true;
            QCOMPARE(call[u"target"].string(), u"add"_s);
            QCOMPARE(call[u"count"].toInteger().value_or(0), 1);
            QCOMPARE(call[u"ok"].toInteger().value_or(0), 1);
            const double p50 = call[u"durationMs"][u"p50"].toDouble(-1);
            QVERIFY(p50 >= 0 && call[u"durationMs"][u"p99"].toDouble() == p50);
            QVERIFY(call[u"firstByteMs"][u"p50"].toDouble(-1) >= 0);
        }
        QVERIFY2(found, machine.describe().constData());
    }

    void everyFormatIsWritten()
    {
        for (const QString &session : {u"pipe"_s, u"http"_s}) {
            for (const QString &format : {u"jsonl"_s, u"har"_s, u"markdown"_s, u"html"_s}) {
                const CliRun run = runCli({u"export"_s, path(session), u"--format"_s, format});
                QVERIFY2(run.exitCode == 0 && !run.out.isEmpty(), run.describe().constData());
                QVERIFY2(!run.out.contains("CANARY-bearer-1"), run.describe().constData());
                const QString out = m_folder.filePath(session + u'.' + format);
                QCOMPARE(runCli({u"export"_s, path(session), u"--format="_s + format, u"-o"_s, out}).exitCode, 0);
                const QByteArray written = readFile(out);
                QVERIFY(!written.contains("CANARY-bearer-1") && !written.isEmpty());
                if (format != u"html"_s || session == u"http"_s)
                    continue;
                QVERIFY(!written.contains("<script") && written.contains("CANARY&lt;script&gt;"));
            }
        }
    }

    void linesAndExchangesAreReal()
    {
        const CliRun lines = runCli({u"export"_s, path(u"pipe"_s), u"--format"_s, u"jsonl"_s});
        QStringList methods;
        for (const QByteArray &line : lines.out.split('\n')) {
            if (line.isEmpty())
                continue;
            const sonde::json::Document document = sonde::json::Document::parse(line);
            QVERIFY(document.isValid() && document.root()[u"message"].isObject());
            methods.append(document.root()[u"method"].string());
        }
        QCOMPARE(methods.value(0), u"initialize"_s);
        QVERIFY(methods.contains(u"tools/call"_s));

        const CliRun har = runCli({u"export"_s, path(u"http"_s), u"--format"_s, u"har"_s});
        bool found = false;
        for (const sonde::json::Value entry : har.json()[u"log"][u"entries"]) {
            if (!entry[u"request"][u"postData"][u"text"].string().contains(u"tools/call"_s))
                continue;
            found = true;
            QCOMPARE(entry[u"response"][u"status"].toInteger().value_or(0), 200);
            QVERIFY(entry[u"response"][u"content"][u"text"].string().contains(u"\"3\""_s));
            QVERIFY(entry[u"request"][u"url"].string().startsWith(u"http:"_s));
        }
        QVERIFY2(found, har.describe().constData());
        QVERIFY2(har.err.contains("authorization") && har.err.contains("redacted while recording"),
                 har.describe().constData());
    }

    void aFilterChoosesWholeExchanges()
    {
        const auto entries = [this](const QString &filter) {
            const CliRun run = runCli({u"export"_s, path(u"http"_s), u"--format"_s, u"har"_s, u"--filter"_s, filter});
            return run.json()[u"log"][u"entries"];
        };
        // The response alone names its request and both heads too.
        for (const QString &filter : {u"method == tools/call"_s, u"method == tools/call and dir == in"_s}) {
            QCOMPARE(entries(filter).size(), 1);
            const sonde::json::Value entry = entries(filter).at(0);
            QVERIFY(entry[u"request"][u"postData"][u"text"].string().contains(u"tools/call"_s));
            QVERIFY(entry[u"response"][u"content"][u"text"].string().contains(u"\"3\""_s));
        }
        const CliRun none =
            runCli({u"export"_s, path(u"http"_s), u"--format"_s, u"har"_s, u"--filter"_s, u"method == nothing"_s});
        QVERIFY2(none.exitCode == 0 && none.err.contains("No HTTP exchanges match the filter"),
                 none.describe().constData());
    }

    // Bodies have no line ends of ours: their length is what Content-Length says.
    void bodiesAreRecordedAsTheyWere()
    {
        const QByteArray text = readFile(path(u"http"_s));
        QVERIFY(text.contains("\"k\":\"msg\"") && !text.contains("\"nl\":1"));
    }

    void thePreviewWritesNothing()
    {
        const QString out = m_folder.filePath(u"never"_s);
        const CliRun run = runCli({u"export"_s, path(u"pipe"_s), u"--format"_s, u"html"_s, u"--preview"_s,
                                   u"--secret"_s, u"CANARY"_s, u"-o"_s, out});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        QVERIFY2(run.out.contains("secret:") && run.out.contains("specified by you, 6 bytes"),
                 run.describe().constData());
        QVERIFY(!run.out.contains("CANARY") && !QFile::exists(out));
        const CliRun written =
            runCli({u"export"_s, path(u"pipe"_s), u"--format"_s, u"html"_s, u"--secret"_s, u"CANARY"_s});
        QVERIFY(!written.out.contains("CANARY"));
    }

    // What is written takes the place of what was there; a recording is not to be lost to it.
    void recordingsAreNotReplaced()
    {
        const QString recording = path(u"pipe"_s);
        const QByteArray before = readFile(recording);
        const CliRun exported = runCli({u"export"_s, recording, u"--format"_s, u"html"_s, u"-o"_s, recording});
        QVERIFY2(exported.exitCode == 4 && exported.err.contains("the session itself"),
                 exported.describe().constData());
        const CliRun reported = askDemo({u"replay"_s, recording, u"--junit"_s, recording});
        QVERIFY2(reported.exitCode == 4 && reported.err.contains("the session itself"),
                 reported.describe().constData());
        QCOMPARE(readFile(recording), before);
        const QString made = path(u"made"_s);
        const CliRun both = askDemo({u"replay"_s, recording, u"--record"_s, made, u"--junit"_s, made});
        QVERIFY2(both.exitCode == 4 && both.err.contains("is recorded in"), both.describe().constData());
        QVERIFY(readFile(made).startsWith("{\"mcpsession\":"));
    }

    void saysWhatIsWrong()
    {
        const QString good = path(u"pipe"_s);
        const auto code = [](const QStringList &words) { return runCli(words).exitCode; };
        QCOMPARE(code({u"export"_s, good}), 4);
        QCOMPARE(code({u"export"_s, good, u"--format"_s, u"pdf"_s}), 4);
        QCOMPARE(code({u"export"_s, u"--format"_s, u"har"_s}), 4);
        QCOMPARE(code({u"export"_s, good, good, u"--format"_s, u"har"_s}), 4);
        QCOMPARE(code({u"export"_s, good, u"--format"_s}), 4);
        QCOMPARE(code({u"export"_s, good, u"--format"_s, u"har"_s, u"--secret"_s, u"abc"_s}), 4);
        QCOMPARE(code({u"stats"_s}), 4);
        QCOMPARE(code({u"stats"_s, good, u"--format"_s, u"har"_s}), 4);
        QCOMPARE(code({u"stats"_s, m_folder.filePath(u"absent"_s)}), 4);
        QCOMPARE(code({u"export"_s, good, u"--format"_s, u"html"_s, u"-o"_s, u"/proc/none/x.html"_s}), 4);
        const CliRun none = runCli({u"export"_s, good, u"--format"_s, u"har"_s});
        QCOMPARE(none.exitCode, 0);
        QVERIFY(none.err.contains("no HTTP exchanges"));
        QVERIFY(runCli({u"export"_s, u"--help"_s}).out.contains("--format har"));
        QVERIFY(runCli({u"stats"_s, u"--help"_s}).out.contains("stats FILE"));
    }

private:
    QString path(const QString &name) const { return m_folder.filePath(name + u".mcpsession"_s); }

    QTemporaryDir m_folder;
};

SONDE_TEST(tst_CliSessions)
#include "tst_clisessions.moc"
