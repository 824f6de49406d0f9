// Saved calls made one after the other: what is expected, what is handed on, and what is kept secret.
// SPDX-License-Identifier: Apache-2.0
#include "core/savedcalls/callsuitereport.h"
#include "tests/e2e/driver.h"
#include "tests/support/testregistry.h"

#include <QSignalSpy>
#include <QTest>
#include <QXmlStreamReader>

using namespace Qt::StringLiterals;
using namespace sonde;
using Status = CallStep::Status;

namespace {

// A keychain with one secret, under "key-1".
class OneSecret final : public SecretStore {
public:
    explicit OneSecret(const QByteArray &value) { m_memory.setValue(u"key-1"_s, value); }
    void read(const QString &name, QObject *context, const ReadDone &done) override
    {
        m_memory.read(name, context, done);
    }
    void write(const QString &, const QByteArray &, QObject *, const Done &) override {}
    void remove(const QString &, QObject *, const Done &) override {}

private:
    MemorySecretStore m_memory;
};

}  // namespace

class tst_CallSuite : public QObject {
    Q_OBJECT
private:
    struct Made {
        Made(const QList<QByteArray> &texts, const ConnectionOptions &options = {}, const QStringList &switches = {})
            : driver(test::demoServer(switches), options)
        {
            QList<SavedCall> calls;
            for (const QByteArray &text : texts)
                calls.append(*SavedCall::parse(text, u"/f/c%1.call.json"_s.arg(calls.size())));
            suite = std::make_unique<CallSuite>(calls, &driver.connection());
        }
        bool run()
        {
            if (!driver.open())
                return false;
            suite->start();
            return driver.waitUntil([this] { return !suite->isRunning(); });
        }
        QByteArray reasons(qsizetype index) const { return describe(suite->steps()[index]).join(u'\n').toUtf8(); }
        QString status(qsizetype index) const { return toString(suite->steps()[index].status); }
        QByteArray recorded() const
        {
            QByteArray all;
            const Session &session = driver.session();
            for (qsizetype row = 0; row < session.size(); ++row)
                all += session.bytes(row) + '\n';
            return all;
        }

        test::Driver driver;
        std::unique_ptr<CallSuite> suite;
    };

    static ConnectionOptions withSecret(const QByteArray &value)
    {
        ConnectionOptions options;
        options.profile.secrets = std::make_shared<SecretVault>(std::make_unique<OneSecret>(value));
        return options;
    }

private Q_SLOTS:
    void expectations_data()
    {
        QTest::addColumn<QByteArray>("call");
        QTest::addColumn<QString>("status");
        QTest::addColumn<QByteArray>("reason");
        const auto row = [](const char *name, const QByteArray &call, Status status, const QByteArray &reason) {
            QTest::newRow(name) << call << toString(status) << reason;
        };
        const QByteArray add = R"("tool":"add","arguments":{"a":1,"b":2})";
        row("a result", "{" + add + "}", Status::Passed, {});
        row("the result",
            "{" + add + R"(,"expect":{"result":{"structuredContent":{"sum":3.0},)" +
                R"("content":[{"text":"3","type":"text"}]}}})",
            Status::Passed, {});
        row("another result",
            "{" + add + R"(,"expect":{"result":{"structuredContent":{"sum":4},)" +
                R"("content":[{"text":"3","type":"text"}]}}})",
            Status::Failed, "/structuredContent/sum");
        row("an ignored difference",
            "{" + add + R"(,"expect":{"result":{"structuredContent":{"sum":4},)" +
                R"("content":[{"text":"3","type":"text"}]},"ignore":[{"pointer":"/structuredContent"}]}})",
            Status::Passed, {});
        row("a tool error", R"({"tool":"fail","expect":{"outcome":"tool-error"}})", Status::Passed, {});
        row("a tool error instead", R"({"tool":"fail"})", Status::Failed, "Expected a result, got a tool error: ");
        row("a result instead", "{" + add + R"(,"expect":{"outcome":"tool-error"}})", Status::Failed,
            "Expected a tool error, got a result");
        row("a protocol error", R"({"tool":"protocol-error","expect":{"outcome":"protocol-error"}})", Status::Passed,
            {});
        row("a protocol error instead", R"({"tool":"protocol-error"})", Status::Error,
            "Expected a result, got a protocol error: -");
        row("another error",
            R"({"tool":"protocol-error","expect":{"outcome":"protocol-error","error":{"code":1,"message":"m"}}})",
            Status::Error, "/code");
        row("slow", R"({"tool":"slow","arguments":{"seconds":0.05},"expect":{"maxDurationMs":1}})", Status::Failed,
            "expected at most 1 ms");
        row("fast", "{" + add + R"(,"expect":{"maxDurationMs":20000}})", Status::Passed, {});
        row("an unset variable", R"({"tool":"echo","arguments":{"value":"${env:SONDE_NO_SUCH_VARIABLE}"}})",
            Status::Failed, "SONDE_NO_SUCH_VARIABLE is not set");
        row("no keychain", R"({"tool":"echo","arguments":{"value":"${keychain:key-1}"}})", Status::Error,
            "no keychain");
    }
    void expectations()
    {
        QFETCH(QByteArray, call);
        QFETCH(QString, status);
        QFETCH(QByteArray, reason);
        Made made({call});
        QVERIFY2(made.run(), made.driver.describe().constData());
        QVERIFY2(made.status(0) == status, made.reasons(0).constData());
        QVERIFY2(made.reasons(0).contains(reason), made.reasons(0).constData());
        if (status == u"passed"_s)
            QCOMPARE(made.reasons(0), QByteArray());
    }

    void aResultIsUsedInALaterCall()
    {
        Made made({R"({"name":"first","tool":"add","arguments":{"a":1.5,"b":2}})",
                   R"({"tool":"add","arguments":{"a":"${calls.first.result/structuredContent/sum}","b":1},)"
                   R"("expect":{"result":{"structuredContent":{"sum":4.5},"content":[{"type":"text","text":"4.5"}]}}})",
                   R"({"tool":"echo","arguments":{"value":"sum: ${calls.first.result/structuredContent/sum}"}})",
                   R"({"tool":"echo","arguments":{"value":"${calls.first.result/token}"}})"});
        QVERIFY2(made.run(), made.driver.describe().constData());
        QVERIFY2(made.status(1) == u"passed"_s, made.reasons(1).constData());
        QVERIFY2(made.recorded().contains(R"({"a":3.5,"b":1})"), made.recorded().constData());
        QVERIFY2(made.recorded().contains(R"({"value":"sum: 3.5"})"), made.recorded().constData());
        QCOMPARE(made.status(3), u"failed"_s);
        for (const char *part :
             {"${calls.first.result/token}", "the saved call 'first' has no /token", "content, structuredContent"})
            QVERIFY2(made.reasons(3).contains(part), made.reasons(3).constData());
    }

    void oneThatFailsStopsNothingUnlessAsked()
    {
        const QList<QByteArray> calls{R"({"tool":"fail"})", R"({"tool":"add","arguments":{"a":1,"b":2}})"};
        Made all(calls);
        QVERIFY2(all.run(), all.driver.describe().constData());
        QCOMPARE(all.status(1), u"passed"_s);
        Made stopped(calls);
        stopped.suite->setStopsOnFailure(true);
        QVERIFY2(stopped.run(), stopped.driver.describe().constData());
        QCOMPARE(stopped.status(1), u"skipped"_s);
        QVERIFY(!stopped.recorded().contains(R"("name":"add")" + QByteArray(R"(,"arguments")")));
    }

    void stoppingCancelsTheCallUnderWay()
    {
        Made made({R"({"tool":"slow","arguments":{"seconds":60}})", R"({"tool":"fail"})"});
        QVERIFY2(made.driver.open(), made.driver.describe().constData());
        made.suite->start();
        QVERIFY(made.driver.waitUntil([&made] { return made.recorded().contains("\"slow\""); }));
        made.suite->stop();
        QVERIFY(made.driver.waitUntil([&made] { return !made.suite->isRunning(); }));
        QCOMPARE(made.status(0), u"error"_s);
        QCOMPARE(made.status(1), u"skipped"_s);
    }

    void aLostConnectionFailsTheRest()
    {
        Made made({R"({"tool":"fail"})", R"({"tool":"fail"})"}, {}, {u"--exit-on-call"_s, u"1"_s});
        QVERIFY2(made.run(), made.driver.describe().constData());
        QCOMPARE(made.suite->count(Status::Error), 2);
        QVERIFY2(made.reasons(1).startsWith("No response: "), made.reasons(1).constData());
    }

    // As when the server is removed: nothing of the connection is used any more.
    void anAbandonedSuiteEndsAtOnce()
    {
        Made made({R"({"tool":"fail"})", R"({"tool":"slow","arguments":{"seconds":60}})", R"({"tool":"fail"})"});
        QVERIFY2(made.driver.open(), made.driver.describe().constData());
        made.suite->start();
        QVERIFY(made.driver.waitUntil([&made] { return made.recorded().contains("\"seconds\":60"); }));
        QSignalSpy finished(made.suite.get(), &CallSuite::finished);
        made.suite->abandon(Error::local(u"The server was removed."_s));
        QCOMPARE(finished.size(), 1);
        QVERIFY(!made.suite->isRunning());
        QCOMPARE(made.status(0), u"failed"_s);
        QCOMPARE(made.status(1), u"error"_s);
        QCOMPARE(made.reasons(1), "No response: The server was removed."_ba);
        QCOMPARE(made.status(2), u"skipped"_s);
        QCOMPARE(made.reasons(2), "Not run: The server was removed."_ba);
        made.suite->abandon(Error::local(u"again"_s));
        QCOMPARE(finished.size(), 1);
    }

    void aCallThatExpectsSomethingElseIsJudgedAgain()
    {
        Made made({R"({"tool":"add","arguments":{"a":1,"b":2},"expect":{"result":{"structuredContent":{"sum":4},)"
                   R"("content":[{"type":"text","text":"3"}]}}})"});
        QVERIFY2(made.run(), made.driver.describe().constData());
        QCOMPARE(made.status(0), u"failed"_s);
        SavedCall call = made.suite->steps()[0].call;
        QVERIFY(!call.expect.ignore.add({ReplayRule::Kind::Anything, u"/structuredContent/sum"_s, {}, {}, {}}));
        made.suite->replaceCall(0, call);
        QVERIFY2(made.status(0) == u"passed"_s, made.reasons(0).constData());
        QCOMPARE(made.suite->steps()[0].ignored, 1);
    }

    void secretsAreMaskedInTheRecordingAndTheReports_data()
    {
        QTest::addColumn<QByteArray>("secret");
        QTest::addColumn<QByteArray>("arguments");
        const QByteArray plain = "Gk7-plain-Zq91xT";
        QTest::newRow("keychain") << plain << R"({"value":"${keychain:key-1}"})"_ba;
        QTest::newRow("keychain, within a text") << plain << R"({"value":"x ${keychain:key-1} y"})"_ba;
        QTest::newRow("variable") << plain << R"({"value":"${env:SONDE_TEST_SECRET}"})"_ba;
        QTest::newRow("short, within a text") << "pin7"_ba
                                              << R"({"value":{"plain":"x ${keychain:key-1}"}})"_ba;
        QTest::newRow("short, under its name") << "pin7"_ba
                                               << R"({"value":{"plain":"${keychain:key-1}"}})"_ba;
    }
    void secretsAreMaskedInTheRecordingAndTheReports()
    {
        QFETCH(QByteArray, secret);
        QFETCH(QByteArray, arguments);
        qputenv("SONDE_TEST_SECRET", secret);
        Made made({"{\"tool\":\"echo\",\"arguments\":" + arguments + R"(,"expect":{"result":{}}})"},
                  withSecret(secret));
        QVERIFY2(made.run(), made.driver.describe().constData());
        qunsetenv("SONDE_TEST_SECRET");
        QVERIFY2(made.suite->steps()[0].outcome == Outcome::Kind::Ok, made.reasons(0).constData());
        QCOMPARE(made.status(0), u"failed"_s);  // so that the reports show the result
        QVERIFY(made.recorded().contains("\"echo\""));
        for (const QByteArray &text :
             {made.recorded(), made.reasons(0), callSuiteJson(*made.suite), callSuiteJUnit(*made.suite, u"s"_s)}) {
            const bool isReport = text != made.recorded();
            if (secret.size() > 8 || !isReport)
                QVERIFY2(!text.contains(secret), text.constData());
        }
    }

    // The name of its member masks it in the first call; in the second nothing else does.
    void aMaskedResultIsMaskedWhereItIsUsed()
    {
        Made made({R"({"name":"login","tool":"echo","arguments":{"value":{"password":"pin7"}}})",
                   "{\"tool\":\"echo\",\"arguments\":{\"value\":{\"who\":"
                   "\"${calls.login.result/content/0/text#/password}\"}}}"});
        QVERIFY2(made.run(), made.driver.describe().constData());
        QVERIFY2(made.suite->count(Status::Passed) == 2, made.reasons(1).constData());
        QVERIFY2(made.recorded().contains("\"who\""), made.recorded().constData());
        QVERIFY2(!made.recorded().contains("pin7"), made.recorded().constData());
    }

    void reports()
    {
        Made made({R"({"tool":"add","arguments":{"a":1,"b":2}})", R"({"name":"<fails>","tool":"fail"})",
                   R"({"tool":"protocol-error"})"});
        QVERIFY2(made.run(), made.driver.describe().constData());
        const json::Value report = json::parse(callSuiteJson(*made.suite));
        QCOMPARE(report[u"counts"].bytes(), R"({"passed":1,"failed":1,"error":1,"skipped":0})"_ba);
        const json::Value failed = report[u"calls"].at(1);
        QCOMPARE(failed[u"name"].string(), u"<fails>"_s);
        QCOMPARE(failed[u"file"].string(), u"/f/c1.call.json"_s);
        QCOMPARE(failed[u"status"].string(), u"failed"_s);
        QCOMPARE(failed[u"outcome"].string(), u"tool-error"_s);
        QVERIFY(failed[u"durationMs"].toDouble() > 0);
        QXmlStreamReader xml(callSuiteJUnit(*made.suite, u"demo"_s));
        QStringList elements;
        while (!xml.atEnd()) {
            if (xml.readNext() == QXmlStreamReader::StartElement)
                elements.append(u"%1 %2"_s.arg(xml.name(), xml.attributes().value(u"name"_s)));
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QCOMPARE(elements, (QStringList{u"testsuites "_s, u"testsuite demo"_s, u"testcase c0"_s, u"testcase <fails>"_s,
                                        u"failure "_s, u"testcase c2"_s, u"error "_s}));
    }
};

SONDE_TEST(tst_CallSuite)
#include "tst_callsuite.moc"
