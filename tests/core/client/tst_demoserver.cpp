// SPDX-License-Identifier: Apache-2.0
#include "core/client/catalog.h"
#include "core/client/connector.h"
#include "core/protocol/methods.h"
#include "core/transport/process/stdiotransport.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QSignalSpy>
#include <QTest>
#include <algorithm>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace sonde;

// The client against a real process that shares no code with it.
class TestDemoServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup()
    {
        m_catalog.reset();
        m_client.reset();
        m_transport.reset();
    }

    void everyRevision_data()
    {
        QTest::addColumn<QString>("revision");
        for (const Revision revision : statefulRevisions())
            QTest::newRow(qPrintable(toString(revision))) << toString(revision);
    }
    void everyRevision()
    {
        QFETCH(QString, revision);
        const Error error = connectTo({u"--revision"_s, revision, u"--page-size"_s, u"2"_s});
        QVERIFY2(!error, qPrintable(error.message));
        QCOMPARE(m_client->dialect().name(), revision);

        QSignalSpy loaded(m_catalog.get(), &Catalog::loaded);
        m_catalog->load(m_capabilities);
        QTRY_COMPARE(loaded.size(), 1);
        for (const Catalog::List list : {Catalog::List::Tools, Catalog::List::Resources,
                                         Catalog::List::ResourceTemplates, Catalog::List::Prompts}) {
            QCOMPARE(m_catalog->status(list).state, Catalog::State::Ready);
            // One tool carries a lone surrogate on purpose.
            const QString findings = m_catalog->status(list).findings.join(u'|');
            QVERIFY2(list == Catalog::List::Tools ? findings.contains(u"surrogate"_s) : findings.isEmpty(),
                     qPrintable(findings));
        }
        QVERIFY(m_catalog->status(Catalog::List::Tools).pages > 5);
        QVERIFY(m_catalog->tool(u"echo"));
        QCOMPARE(m_findings, QStringList());
    }

    void outcomes_data()
    {
        QTest::addColumn<QByteArray>("params");
        QTest::addColumn<Outcome::Kind>("kind");
        QTest::newRow("ok") << R"({"name":"echo","arguments":{"value":[1.0]}})"_ba << Outcome::Kind::Ok;
        QTest::newRow("tool error") << R"({"name":"fail","arguments":{}})"_ba << Outcome::Kind::ToolError;
        QTest::newRow("protocol error") << R"({"name":"protocol-error","arguments":{}})"_ba
                                        << Outcome::Kind::ProtocolError;
    }
    void outcomes()
    {
        QFETCH(QByteArray, params);
        QFETCH(Outcome::Kind, kind);
        QVERIFY(!connectTo({}));
        const Outcome outcome = outcomeOf(m_client->request(methods::CallTool, params));
        QCOMPARE(outcome.kind, kind);
        QVERIFY(outcome.durationNs > 0);
        QCOMPARE(outcome.bytes, outcome.message.raw().size());
        QCOMPARE(m_findings, QStringList());
    }

    void aBigResponseIsParsedOnAWorker()
    {
        QVERIFY(!connectTo({}));
        const Outcome outcome =
            outcomeOf(m_client->request(methods::CallTool, R"({"name":"big","arguments":{"bytes":3000000}})"));
        QCOMPARE(outcome.kind, Outcome::Kind::Ok);
        QVERIFY(outcome.message.isParsed());
        QVERIFY(outcome.bytes > 3'000'000);
    }

    void pingsBothWays()
    {
        QVERIFY(!connectTo({}));
        QCOMPARE(outcomeOf(m_client->request(methods::Ping)).kind, Outcome::Kind::Ok);
        QSignalSpy requested(m_client.get(), &Client::serverRequested);
        QCOMPARE(outcomeOf(m_client->request(methods::CallTool, R"({"name":"ping-back","arguments":{}})")).kind,
                 Outcome::Kind::Ok);
        QCOMPARE(requested.size(), 1);
        QCOMPARE(outcomeOf(m_client->request(methods::SetLogLevel, R"({"level":"debug"})")).kind, Outcome::Kind::Ok);
    }

    void showsProgress()
    {
        QVERIFY(!connectTo({}));
        Call *call = m_client->request(methods::CallTool, R"({"name":"progress","arguments":{"intervalMs":1}})");
        QSignalSpy progressed(call, &Call::progressed);
        QCOMPARE(outcomeOf(call).kind, Outcome::Kind::Ok);
        QVERIFY(progressed.size() > 1);
        QCOMPARE(m_findings, QStringList());
    }

    void aLateResponseAfterCancel()
    {
        QVERIFY(!connectTo({u"--late"_s}));
        CallOptions options;
        options.askForProgress = false;
        Call *call = m_client->request(methods::CallTool, R"({"name":"slow","arguments":{"seconds":0.05}})", options);
        QSignalSpy finished(call, &Call::finished);
        call->cancel(u"tired"_s);
        QTRY_COMPARE(finished.size(), 1);
        QTRY_COMPARE(m_findings.size(), 1);
        QVERIFY2(m_findings.constFirst().startsWith(u"Response to a cancelled request"_s),
                 qPrintable(m_findings.constFirst()));
        QCOMPARE(finished.size(), 1);
    }

    void aCrashEndsEveryCall()
    {
        QVERIFY(!connectTo({u"--crash-on-call"_s}));
        QList<Outcome> outcomes;
        for (int i = 0; i < 3; ++i) {
            Call *call = m_client->request(methods::CallTool, R"({"name":"echo","arguments":{"value":1}})");
            connect(call, &Call::finished, this, [&](const Outcome &outcome) { outcomes.append(outcome); });
        }
        QTRY_COMPARE(outcomes.size(), 3);
        for (const Outcome &outcome : std::as_const(outcomes)) {
            QCOMPARE(outcome.kind, Outcome::Kind::NoResponse);
            QCOMPARE(toString(outcome.error.kind), toString(Error::Kind::Transport));
        }
        // Those that it did not live to read may say so instead.
        QVERIFY(std::any_of(outcomes.cbegin(), outcomes.cend(),
                            [](const Outcome &outcome) { return outcome.error.message.contains(u"signal 6"_s); }));
    }

    void strangeResponses_data()
    {
        QTest::addColumn<QString>("fault");
        QTest::addColumn<QString>("finding");
        QTest::newRow("twice") << u"--duplicate-response"_s << u"Duplicate"_s;
        QTest::newRow("another id") << u"--wrong-id"_s << u"Unmatched"_s;
    }
    void strangeResponses()
    {
        QFETCH(QString, fault);
        QFETCH(QString, finding);
        QVERIFY(!connectTo({fault}));
        m_client->request(methods::CallTool, R"({"name":"echo","arguments":{"value":1}})");
        QTRY_COMPARE(m_findings.size(), 1);
        QVERIFY2(m_findings.constFirst().startsWith(finding), qPrintable(m_findings.constFirst()));
    }

    void anExitBeforeTheHandshake()
    {
        const Error error = connectTo({u"--exit-before-handshake"_s, u"3"_s});
        QCOMPARE(toString(error.kind), toString(Error::Kind::Transport));
        QCOMPARE(error.code, 3);
        QVERIFY2(error.message.contains(u"exited with code 3"_s), qPrintable(error.message));
    }

    void aMissingMethodIsAnEmptyList()
    {
        QVERIFY(!connectTo(
            {u"--missing-method"_s, u"resources/templates/list"_s, u"--never-respond"_s, u"prompts/list"_s}));
        m_catalog->load(m_capabilities);
        QTRY_COMPARE(m_catalog->status(Catalog::List::Tools).state, Catalog::State::Ready);
        QTRY_COMPARE(m_catalog->status(Catalog::List::ResourceTemplates).state, Catalog::State::Ready);
        QCOMPARE(m_catalog->status(Catalog::List::ResourceTemplates).findings.size(), 1);
        QCOMPARE(m_catalog->status(Catalog::List::Prompts).state, Catalog::State::Loading);
    }

private:
    // Empty when the client is ready.
    Error connectTo(const QStringList &arguments)
    {
        m_findings.clear();
        StdioOptions options;
        options.program = test::builtProgram(QStringLiteral("sonde-demo-server"));
        options.arguments = arguments;
        options.inheritEnvironment = true;  // sanitizers are told by it what to do
        m_transport = std::make_unique<StdioTransport>(options);
        m_client = std::make_unique<Client>(m_transport.get());
        m_catalog = std::make_unique<Catalog>(m_client.get());
        connect(m_client.get(), &Client::findingAdded, this,
                [this](const QString &finding) { m_findings.append(finding); });
        Connector connector(m_client.get(), {});
        std::optional<Error> end;
        connect(&connector, &Connector::finished, this, [&](const Error &error) { end = error; });
        connector.start();
        if (!QTest::qWaitFor([&] { return end.has_value(); }, 20'000))
            return Error::local(u"The connector did not end."_s);
        m_capabilities = connector.serverInfo().capabilities;
        return *end;
    }

    Outcome outcomeOf(Call *call)
    {
        std::optional<Outcome> end;
        connect(call, &Call::finished, this, [&end](const Outcome &outcome) { end = outcome; });
        if (!QTest::qWaitFor([&end] { return end.has_value(); }, 20'000)) {
            delete call;
            return {};
        }
        return *end;
    }

    std::unique_ptr<StdioTransport> m_transport;
    std::unique_ptr<Client> m_client;
    std::unique_ptr<Catalog> m_catalog;
    json::Value m_capabilities;
    QStringList m_findings;
};

SONDE_TEST(TestDemoServer)
#include "tst_demoserver.moc"
