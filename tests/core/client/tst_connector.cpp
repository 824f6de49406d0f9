// SPDX-License-Identifier: Apache-2.0
#include "core/client/connector.h"
#include "core/protocol/methods.h"
#include "tests/support/faketransport.h"
#include "tests/support/testregistry.h"

#include <QSignalSpy>
#include <QTest>
#include <QTimer>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace sonde;
using namespace sonde::test;

namespace {

QByteArray initializeResult(const QByteArray &revision)
{
    return R"({"protocolVersion":")" + revision +
           R"(","capabilities":{"tools":{"listChanged":true}},)"
           R"("serverInfo":{"name":"demo","version":"2"},"instructions":"Be kind."})";
}

}  // namespace

class TestConnector : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_transport = std::make_unique<FakeTransport>();
        m_client = std::make_unique<Client>(m_transport.get());
        make({});
    }

    void cleanup()
    {
        m_connector.reset();
        m_client.reset();
        m_transport.reset();
    }

    void everyRevision_data()
    {
        QTest::addColumn<Revision>("revision");
        for (const Revision revision : statefulRevisions())
            QTest::newRow(qPrintable(toString(revision))) << revision;
    }
    void everyRevision()
    {
        QFETCH(Revision, revision);
        const QString name = toString(revision);
        QSignalSpy steps(m_connector.get(), &Connector::stepChanged);
        m_connector->start();
        m_connector->start();  // one use
        QCOMPARE(m_connector->step(), Connector::Step::Opening);
        const Message request = m_transport->expectSent(methods::Initialize);
        QCOMPARE(m_connector->step(), Connector::Step::Handshake);
        QCOMPARE(request.params()[u"protocolVersion"].string(), u"2025-11-25"_s);
        QCOMPARE(request.params()[u"capabilities"].bytes(), "{}"_ba);
        QVERIFY(!request.params()[u"_meta"].exists());
        m_transport->response(request, initializeResult(name.toUtf8()));

        QTRY_COMPARE(m_connector->step(), Connector::Step::Ready);
        QCOMPARE(m_errors.size(), 1);
        QVERIFY(!m_errors.constFirst());
        QCOMPARE(m_transport->takeSent().raw(), R"({"jsonrpc":"2.0","method":"notifications/initialized"})"_ba);
        QVERIFY(m_transport->sendsNothing());
        // The revision is known before the first message that belongs to it.
        QCOMPARE(m_transport->history(), QStringList({u"open"_s, u"send initialize"_s, u"revision "_s + name,
                                                      u"send notifications/initialized"_s, u"ready"_s}));
        QCOMPARE(m_client->dialect().name(), name);
        QCOMPARE(m_connector->serverInfo().protocolVersion, name);
        QCOMPARE(m_connector->serverInfo().implementation.name, u"demo"_s);
        QCOMPARE(m_connector->serverInfo().instructions, u"Be kind."_s);
        QVERIFY(m_connector->serverInfo().capabilities[u"tools"].exists());
        QCOMPARE(m_connector->findings(), QStringList());
        QCOMPARE(steps.size(), 3);
        // What happens later is no longer its business.
        m_transport->closeWithError({Error::Kind::Transport, 1, u"gone"_s, {}, {}, {}});
        QCoreApplication::processEvents();
        QCOMPARE(m_errors.size(), 1);
        QTRY_COMPARE(m_connector->step(), Connector::Step::Ready);
    }

    void aTransportThatIsOpenAlready()
    {
        m_transport->openNow();
        m_connector->start();
        QCOMPARE(m_transport->sentCount(), 0);
        m_transport->response(m_transport->expectSent(methods::Initialize), initializeResult("2025-11-25"));
        QTRY_COMPARE(m_connector->step(), Connector::Step::Ready);
    }

    void proposesAndDeclaresWhatItIsTold()
    {
        Connector::Options options;
        options.proposed = Revision::R20250326;
        options.capabilities = R"({"roots":{}})";
        make(options);
        m_connector->start();
        const Message request = m_transport->expectSent(methods::Initialize);
        QCOMPARE(request.params()[u"protocolVersion"].string(), u"2025-03-26"_s);
        QCOMPARE(request.params()[u"capabilities"].bytes(), R"({"roots":{}})"_ba);
    }

    void sparseResponsesAreGoodEnough()
    {
        m_connector->start();
        m_transport->response(m_transport->expectSent(methods::Initialize), R"({"protocolVersion":"2025-06-18"})");
        QTRY_COMPARE(m_connector->step(), Connector::Step::Ready);
        QCOMPARE(m_connector->findings().size(), 2);
    }

    void noCommonRevision_data()
    {
        QTest::addColumn<QByteArray>("revision");
        QTest::newRow("unheard of") << "1999-01-01"_ba;
        QTest::newRow("without handshake") << "2026-07-28"_ba;
        QTest::newRow("nonsense") << "yes"_ba;
    }
    void noCommonRevision()
    {
        QFETCH(QByteArray, revision);
        m_connector->start();
        m_transport->response(m_transport->expectSent(methods::Initialize), initializeResult(revision));
        const Error error = failure();
        QCOMPARE(toString(error.kind), toString(Error::Kind::Protocol));
        QVERIFY(error.message.contains(QString::fromUtf8(revision)));
        for (const Revision ours : statefulRevisions())
            QVERIFY(error.message.contains(toString(ours)));
        QVERIFY(m_transport->sendsNothing());
        QTRY_COMPARE(m_transport->state(), Transport::State::Closed);
    }

    void noRevisionAtAll_data()
    {
        QTest::addColumn<QByteArray>("result");
        QTest::newRow("empty") << "{}"_ba;
        QTest::newRow("a number") << R"({"protocolVersion":1})"_ba;
        QTest::newRow("no object") << "[]"_ba;
    }
    void noRevisionAtAll()
    {
        QFETCH(QByteArray, result);
        m_connector->start();
        m_transport->response(m_transport->expectSent(methods::Initialize), result);
        const Error error = failure();
        QCOMPARE(toString(error.kind), toString(Error::Kind::Protocol));
        QVERIFY(error.message.contains(u"protocolVersion"_s));
        QCOMPARE(error.detail, QString::fromUtf8(result));
    }

    void refusalsAreShownAsTheyAre()
    {
        m_connector->start();
        m_transport->responseError(m_transport->expectSent(methods::Initialize), -32602,
                                   u"Unsupported <b>version</b>"_s,
                                   R"({"supported":["2026-07-28","2027-01-01"],"requested":"2025-11-25"})");
        const Error error = failure();
        QCOMPARE(toString(error.kind), toString(Error::Kind::Remote));
        QCOMPARE(error.code, -32602);
        QCOMPARE(error.message, u"Unsupported <b>version</b>"_s);
        QCOMPARE(error.data.bytes(), R"({"supported":["2026-07-28","2027-01-01"],"requested":"2025-11-25"})"_ba);
        QVERIFY(error.detail.contains(u"\"requested\": \"2025-11-25\""_s));
        QVERIFY2(error.hint.contains(u"2026-07-28, 2027-01-01"_s) && error.hint.contains(u"2024-11-05"_s),
                 qPrintable(error.hint));
        QVERIFY(m_transport->sendsNothing());
    }

    void serversWithoutTheHandshakeAreExplained_data()
    {
        QTest::addColumn<int>("code");
        for (const int code : {-32020, -32021, -32022, -32601})
            QTest::addRow("%d", code) << code;
    }
    void serversWithoutTheHandshakeAreExplained()
    {
        QFETCH(int, code);
        m_connector->start();
        m_transport->responseError(m_transport->expectSent(methods::Initialize), code, u"no"_s);
        const QString hint = failure().hint;
        QVERIFY2(hint.contains(u"2026-07-28") && hint.contains(u"Automatic"), qPrintable(hint));
    }
    void refusalsWithoutData()
    {
        m_connector->start();
        m_transport->responseError(m_transport->expectSent(methods::Initialize), -32603, u"no"_s);
        const Error error = failure();
        QCOMPARE(error.message, u"no"_s);
        QCOMPARE(error.detail, QString());
        QCOMPARE(error.hint, QString());
    }

    void anOpeningThatFailsTellsItsOwnStory()
    {
        m_transport->failOpening({Error::Kind::Transport, 0, u"'frob' was not found."_s, u"PATH: /bin"_s, {}, {}});
        m_connector->start();
        const Error error = failure();
        QCOMPARE(toString(error.kind), toString(Error::Kind::Transport));
        QCOMPARE(error.message, u"'frob' was not found."_s);
        QCOMPARE(error.detail, u"PATH: /bin"_s);
    }

    void anExitBeforeTheHandshakeSaysSo()
    {
        m_transport->setStderrTail({u"Error: no token"_s, u"  at main"_s});
        m_connector->start();
        m_transport->expectSent(methods::Initialize);
        m_transport->closeWithError({Error::Kind::Transport, 1, u"The server exited with code 1."_s, {}, {}, {}});
        const Error error = failure();
        QCOMPARE(toString(error.kind), toString(Error::Kind::Transport));
        QCOMPARE(error.code, 1);
        QVERIFY2(error.message.contains(u"exited with code 1"_s), qPrintable(error.message));
        QCOMPARE(error.detail, u"Error: no token\n  at main"_s);
    }

    void anExitSaysMoreThanTheBrokenPipeBeforeIt_data()
    {
        QTest::addColumn<bool>("exits");
        QTest::newRow("exits") << true;
        QTest::newRow("lives on") << false;
    }
    void anExitSaysMoreThanTheBrokenPipeBeforeIt()
    {
        QFETCH(bool, exits);
        m_transport->setProcessId(1);
        m_connector->start();
        const Message request = m_transport->expectSent(methods::Initialize);
        m_transport->failMessage(request.id(), {Error::Kind::Transport, 0, u"Broken pipe."_s, {}, {}, {}});
        QCOMPARE(m_errors.size(), 0);
        if (exits)
            m_transport->closeWithError({Error::Kind::Transport, 3, u"Exited with code 3."_s, {}, {}, {}});
        const Error error = failure();
        QVERIFY2(error.message.endsWith(exits ? u"Exited with code 3."_s : u"Broken pipe."_s),
                 qPrintable(error.message));
        QCOMPARE(error.code, exits ? 3 : 0);
        QTRY_COMPARE(m_transport->state(), Transport::State::Closed);
    }

    void noResponse()
    {
        Connector::Options options;
        options.handshakeTimeout = 3ms;
        make(options);
        m_transport->openNow();
        m_transport->setStderrTail({u"downloading"_s});
        m_connector->start();
        const Error error = failure();
        QCOMPARE(toString(error.kind), toString(Error::Kind::Timeout));
        QCOMPARE(error.detail, u"downloading"_s);
        m_transport->expectSent(methods::Initialize);
        QVERIFY(m_transport->sendsNothing());  // initialize is never cancelled
    }

    void aRevisionWithoutInitializeIsSaid()
    {
        m_connector->start();
        const Message request = m_transport->expectSent(methods::Initialize);
        m_transport->responseError(request, -32602, u"Unsupported"_s, R"({"supported":["2026-07-28"]})");
        const QString hint = failure().hint;
        QVERIFY2(hint.startsWith(u"The server supports revisions 2026-07-28; Sonde supports 2026-07-28, 2025-11-25"_s),
                 qPrintable(hint));
        QVERIFY2(hint.contains(u"2026-07-28 has no initialize"_s), qPrintable(hint));
        cleanup();
        init();
        m_connector->start();
        m_transport->response(m_transport->expectSent(methods::Initialize), initializeResult("2026-07-28"));
        const Error error = failure();
        QVERIFY2(error.message.startsWith(u"The server responded to initialize with revision 2026-07-28, which has no "
                                          "initialize."_s),
                 qPrintable(error.message));
        QVERIFY2(error.hint.contains(u"Automatic"_s), qPrintable(error.hint));
    }

    // It was not this server that was slow.
    void aTimeoutOfTheSignInIsSaidAsItIs()
    {
        m_connector->start();
        const Message request = m_transport->expectSent(methods::Initialize);
        const QString text = u"The authorization server's token endpoint did not respond within 30 s."_s;
        m_transport->failMessage(request.id(), {Error::Kind::Timeout, 0, text, {}, {}, {}});
        QCOMPARE(failure().message, text);
    }

    void anOpeningThatHangs()
    {
        Connector::Options options;
        options.handshakeTimeout = 3ms;
        make(options);
        m_transport->holdOpening();
        m_connector->start();
        QCOMPARE(toString(failure().kind), toString(Error::Kind::Timeout));
        QTRY_COMPARE(m_transport->state(), Transport::State::Closed);
    }

    void thePersonWhoSignsInHasTime()
    {
        m_transport->holdOpening();
        m_connector->start();
        const auto *deadline = m_connector->findChild<QTimer *>();
        QVERIFY(deadline->isActive());
        CredentialWait opening({}, {});
        Q_EMIT m_transport->credentialsAwaited(&opening);
        QVERIFY(!deadline->isActive());
        Q_EMIT opening.given();
        QVERIFY(deadline->isActive());
        m_transport->finishOpening();
        QVERIFY(!deadline->isActive());
        QCOMPARE(m_connector->step(), Connector::Step::Handshake);
        CredentialWait calling({}, {});
        Q_EMIT m_transport->credentialsAwaited(&calling);
        Q_EMIT calling.given();
        QVERIFY(!deadline->isActive());
    }

    void initializedIsNotTaken()
    {
        m_connector->start();
        const Message request = m_transport->expectSent(methods::Initialize);
        m_transport->refuseToSend({Error::Kind::Transport, 32, u"Broken pipe"_s, {}, {}, {}});
        m_transport->response(request, initializeResult("2025-11-25"));
        QVERIFY(failure().message.contains(u"Broken pipe"_s));
        QVERIFY(!m_transport->history().contains(u"ready"_s));
    }

    void slotsMayDeleteIt_data()
    {
        QTest::addColumn<bool>("good");
        QTest::newRow("ready") << true;
        QTest::newRow("failed") << false;
    }
    void slotsMayDeleteIt()
    {
        QFETCH(bool, good);
        connect(m_connector.get(), &Connector::stepChanged, this, [this](Connector::Step step) {
            if (step == Connector::Step::Ready || step == Connector::Step::Failed)
                m_connector.reset();
        });
        m_connector->start();
        m_transport->response(m_transport->expectSent(methods::Initialize),
                              good ? initializeResult("2025-11-25") : "{}");
        QTRY_VERIFY(!m_connector);
        m_client.reset();
    }

    void finishedMayDeleteEverything()
    {
        connect(m_connector.get(), &Connector::finished, this, [this] {
            m_connector.reset();
            m_client.reset();
        });
        m_connector->start();
        m_transport->response(m_transport->expectSent(methods::Initialize), initializeResult("2025-11-25"));
        QTRY_VERIFY(!m_client);
    }

    void withoutTransport()
    {
        m_connector.reset();
        m_client = std::make_unique<Client>(nullptr);
        make({});
        m_connector->start();
        QCOMPARE(toString(failure().kind), toString(Error::Kind::Local));
    }

private:
    void make(const Connector::Options &options)
    {
        m_errors.clear();
        m_connector = std::make_unique<Connector>(m_client.get(), options);
        connect(m_connector.get(), &Connector::finished, this, [this](const Error &error) { m_errors.append(error); });
    }

    // Waits for the end, which must be a failure.
    Error failure()
    {
        if (!QTest::qWaitFor([this] { return !m_errors.isEmpty(); }))
            return {};
        return m_connector->step() == Connector::Step::Failed && m_errors.size() == 1 ? m_errors.constFirst() : Error();
    }

    std::unique_ptr<FakeTransport> m_transport;
    std::unique_ptr<Client> m_client;
    std::unique_ptr<Connector> m_connector;
    QList<Error> m_errors;
};

SONDE_TEST(TestConnector)
#include "tst_connector.moc"
