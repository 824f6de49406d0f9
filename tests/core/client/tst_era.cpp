// Which era a server speaks: the table of verdicts, and what the connector makes of each.
// SPDX-License-Identifier: Apache-2.0
#include "core/client/connector.h"
#include "core/protocol/methods.h"
#include "tests/support/faketransport.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace sonde;
using namespace sonde::test;

using Kind = EraVerdict::Kind;
using Era = Connector::Options::Era;

namespace {

Outcome discovered(const QByteArray &result)
{
    Outcome outcome;
    outcome.kind = Outcome::Kind::Ok;
    outcome.message = Message::parse(R"({"jsonrpc":"2.0","id":1,"result":)" + result + '}');
    return outcome;
}

Outcome refusedProbe(int code, const QByteArray &data = "null")
{
    Outcome outcome;
    outcome.kind = Outcome::Kind::ProtocolError;
    outcome.message = Message::parse(R"({"jsonrpc":"2.0","id":1,"error":{"code":)" + QByteArray::number(code) +
                                     R"(,"message":"no","data":)" + data + "}}");
    outcome.error = outcome.message.toError();
    return outcome;
}

Outcome lostProbe(Error::Kind kind, int status = 0, const QByteArray &data = "null")
{
    Outcome outcome;
    outcome.error = {kind,
                     status,
                     u"lost"_s,
                     {},
                     {},
                     json::parse(data),
                     status == 0 ? Error::Reason::Other : Error::Reason::HttpStatus};
    return outcome;
}

}  // namespace

class TestEra : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void table_data()
    {
        QTest::addColumn<Outcome>("outcome");
        QTest::addColumn<Kind>("stdio");
        QTest::addColumn<Kind>("http");
        const auto both = [](const char *row, const Outcome &outcome, Kind kind) {
            QTest::newRow(row) << outcome << kind << kind;
        };
        both("listed", discovered(R"({"supportedVersions":["2025-11-25","2026-07-28"]})"), Kind::Stateless);
        both("only older ones listed", discovered(R"({"supportedVersions":["2025-06-18"]})"), Kind::Stateful);
        both("none of ours listed", discovered(R"({"supportedVersions":["2027-01-01"]})"), Kind::Failed);
        both("another result", discovered("{}"), Kind::Stateful);
        both("refused twice although listed", refusedProbe(-32022, R"({"supported":["2026-07-28"]})"), Kind::Failed);
        both("a newer one", refusedProbe(-32022, R"({"supported":["2027-01-01","2025-11-25"]})"), Kind::Failed);
        both("an older one", refusedProbe(-32022, R"({"supported":["2025-11-25"]})"), Kind::Stateful);
        both("no list", refusedProbe(-32022), Kind::Stateful);
        both("an unusable list", refusedProbe(-32022, R"({"supported":[1]})"), Kind::Stateful);
        both("header mismatch", refusedProbe(-32020), Kind::Failed);
        both("missing capability", refusedProbe(-32021), Kind::Failed);
        for (const int code : {-32601, -32602, -32000, -32603, -32001, 7})
            both(QByteArray::number(code).constData(), refusedProbe(code), Kind::Stateful);
        both("a response that is none", lostProbe(Error::Kind::Protocol), Kind::Stateful);
        QTest::newRow("silence") << lostProbe(Error::Kind::Timeout) << Kind::Stateful << Kind::Failed;
        QTest::newRow("exit, outage") << lostProbe(Error::Kind::Transport) << Kind::Stateful << Kind::Failed;
        QTest::newRow("401") << lostProbe(Error::Kind::Auth, 401) << Kind::Failed << Kind::Failed;
        for (const int status : {400, 404, 405, 406, 415})
            QTest::newRow(qPrintable(u"HTTP %1"_s.arg(status)))
                << lostProbe(Error::Kind::Transport, status) << Kind::Stateful << Kind::Stateful;
        QTest::newRow("HTTP 400 without an ID")
            << lostProbe(Error::Kind::Transport, 400, R"({"supported":["2027-01-01"]})") << Kind::Stateful
            << Kind::Failed;
        Outcome mismatch = lostProbe(Error::Kind::Transport, 400);
        mismatch.error.bodyCode = errorcodes::HeaderMismatch;
        QTest::newRow("header mismatch without an ID") << mismatch << Kind::Stateful << Kind::Failed;
        // Of a proxy, which passes nothing on to the server.
        QTest::newRow("HTTP 407") << lostProbe(Error::Kind::Transport, 407) << Kind::Stateful << Kind::Failed;
        QTest::newRow("HTTP 503") << lostProbe(Error::Kind::Transport, 503) << Kind::Stateful << Kind::Failed;
    }
    void table()
    {
        QFETCH(Outcome, outcome);
        QTEST(judgeDiscovery(outcome, false).kind, "stdio");
        QTEST(judgeDiscovery(outcome, true).kind, "http");
        QVERIFY(!judgeDiscovery(outcome, true).reason.isEmpty());
    }

    void init()
    {
        m_transport = std::make_unique<FakeTransport>();
        m_client = std::make_unique<Client>(m_transport.get());
        make(Era::Automatic);
    }
    void cleanup()
    {
        m_connector.reset();
        m_client.reset();
        m_transport.reset();
    }

    void aStatelessServer()
    {
        m_connector->start();
        const Message probe = m_transport->expectSent(methods::Discover);
        QCOMPARE(m_connector->step(), Connector::Step::Probing);
        QCOMPARE(probe.id().toJson(), R"("server-discover-probe")"_ba);
        const json::Value meta = probe.params()[u"_meta"];
        QCOMPARE(meta[u"io.modelcontextprotocol/protocolVersion"].string(), u"2026-07-28"_s);
        QCOMPARE(meta[u"io.modelcontextprotocol/clientCapabilities"].bytes(), R"({"roots":{}})"_ba);
        QCOMPARE(meta[u"io.modelcontextprotocol/clientInfo"][u"name"].string(), u"sonde"_s);
        // Nothing is written back to what a server sends meanwhile.
        m_transport->inject(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
        QVERIFY(m_transport->sendsNothing());
        m_transport->response(probe, R"({"resultType":"complete","supportedVersions":["2026-07-28"],
            "capabilities":{"tools":{}},"instructions":"Be kind.","ttlMs":0,"cacheScope":"private",
            "_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo","version":"2"}}})");
        QTRY_COMPARE(m_connector->step(), Connector::Step::Ready);
        QCOMPARE(m_connector->serverInfo().protocolVersion, u"2026-07-28"_s);
        QCOMPARE(m_connector->serverInfo().implementation.name, u"demo"_s);
        QCOMPARE(m_connector->serverInfo().instructions, u"Be kind."_s);
        QVERIFY(m_transport->history().contains(u"revision 2026-07-28"_s));
        QVERIFY(m_transport->sendsNothing());
        m_client->request(u"tools/list");
        QVERIFY(m_transport->expectSent(u"tools/list").params().contains(u"_meta"));
    }

    void aStatefulServer()
    {
        m_connector->start();
        m_transport->responseError(m_transport->expectSent(methods::Discover), -32601, u"Method not found"_s);
        const Message request = m_transport->expectSent(methods::Initialize);
        QCOMPARE(request.id().toJson(), "1"_ba);
        QVERIFY(!request.params().contains(u"_meta"));
        m_transport->response(request, R"({"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{}})");
        QTRY_COMPARE(m_connector->step(), Connector::Step::Ready);
        QCOMPARE(m_connector->verdict()->kind, Kind::Stateful);
        QCOMPARE(m_connector->verdict()->reason, u"The server does not support server/discover."_s);  // no error
    }

    void aServerThatExits()
    {
        m_connector->start();
        m_transport->expectSent(methods::Discover);
        m_transport->closeWithError({Error::Kind::Transport, 1, u"exited"_s, {}, {}, {}});
        QVERIFY(m_connector->isReopening());
        const Message request = m_transport->expectSent(methods::Initialize);
        QCOMPARE(m_transport->history().count(u"open"_s), 2);
        m_transport->response(request, R"({"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{}})");
        QTRY_COMPARE(m_connector->step(), Connector::Step::Ready);
        QVERIFY(m_errors.isEmpty());
    }

    void aSilentServer()
    {
        m_connector->start();
        m_transport->expectSent(methods::Discover);
        QTRY_COMPARE(m_transport->sentCount(), 1);  // without a cancellation in between
        m_transport->expectSent(methods::Initialize);
    }

    void oneRetryOfTheRevision()
    {
        m_connector->start();
        const Message first = m_transport->expectSent(methods::Discover);
        const QByteArray data = R"({"supported":["2026-07-28"],"requested":"2026-07-28"})";
        m_transport->responseError(first, -32022, u"no"_s, data);
        const Message second = m_transport->expectSent(methods::Discover);
        QVERIFY(second.id() != first.id());
        m_transport->responseError(second, -32022, u"no"_s, data);
        QTRY_COMPARE(m_errors.size(), 1);
        QCOMPARE(m_errors.constFirst().code, -32022);
        QVERIFY(m_transport->sendsNothing());
    }

    // However a server turns its offers round, it is asked a few times and then the error says what was wrong.
    void revisionLoops_data()
    {
        QTest::addColumn<QByteArrayList>("offers");  // of the responses to server/discover
        QTest::addColumn<QByteArray>("handshake");   // what initialize gets, if it comes to that
        QTest::addColumn<int>("requests");
        QTest::addColumn<QString>("words");
        const QByteArray same = R"({"supported":["2026-07-28"]})";
        const QByteArray newer = R"({"supported":["2027-01-01","2028-01-01"]})";
        const QByteArray older = R"({"supported":["2025-11-25"]})";
        const QByteArray refusesAll = R"("error":{"code":-32022,"message":"never","data":{"supported":[]}})";
        QTest::newRow("the same again") << QByteArrayList{same, same} << QByteArray() << 2 << u"although it lists it"_s;
        QTest::newRow("only newer ones") << QByteArrayList{newer} << QByteArray() << 1 << u"2027-01-01, 2028-01-01"_s;
        QTest::newRow("the same, then newer ones")
            << QByteArrayList{same, newer} << QByteArray() << 2 << u"2027-01-01"_s;
        QTest::newRow("the same, then older ones, then the first")
            << QByteArrayList{same, older}
            << R"("error":{"code":-32022,"message":"never","data":{"supported":["2026-07-28"]}})"_ba << 3 << u"never"_s;
        QTest::newRow("none at all") << QByteArrayList{R"({"supported":[]})"} << refusesAll << 2 << u"never"_s;
        QTest::newRow("no list") << QByteArrayList{R"({"supported":"2026-07-28"})"} << refusesAll << 2 << u"never"_s;
        QTest::newRow("older ones, then another")
            << QByteArrayList{older} << R"("result":{"protocolVersion":"2099-01-01"})"_ba << 2 << u"2099-01-01"_s;
        QTest::newRow("older ones, then the stateless one")
            << QByteArrayList{older} << R"("result":{"protocolVersion":"2026-07-28"})"_ba << 2 << u"2026-07-28"_s;
    }
    void revisionLoops()
    {
        QFETCH(QByteArrayList, offers);
        QFETCH(QByteArray, handshake);
        QFETCH(QString, words);
        for (const bool overHttp : {false, true}) {
            init();
            make(Era::Automatic, overHttp);
            m_connector->start();
            QList<RequestId> ids;
            for (const QByteArray &offer : std::as_const(offers)) {
                const Message probe = m_transport->expectSent(methods::Discover);
                QVERIFY(!ids.contains(probe.id()));
                ids.append(probe.id());
                m_transport->responseError(probe, -32022, u"no"_s, offer);
            }
            if (!handshake.isEmpty()) {
                const Message request = m_transport->expectSent(methods::Initialize);
                QVERIFY(!ids.contains(request.id()));
                ids.append(request.id());
                m_transport->inject(R"({"jsonrpc":"2.0","id":)" + request.id().toJson() + ',' + handshake + '}');
            }
            QTRY_COMPARE(m_errors.size(), 1);
            QVERIFY2(m_errors.constFirst().message.contains(words), qPrintable(m_errors.constFirst().message));
            QTEST(int(ids.size()), "requests");
            QVERIFY(m_transport->sendsNothing());
            QCOMPARE(m_connector->step(), Connector::Step::Failed);
            cleanup();
        }
        init();
    }

    void longListsAreCut_data()
    {
        QTest::addColumn<QByteArray>("response");
        QTest::addColumn<bool>("isError");
        QByteArray many;
        for (int i = 0; i < 5000; ++i)
            many += (i == 0 ? "\"2030-" : ",\"2030-") + QByteArray::number(i) + '"';
        const QByteArray lengthy = '"' + QByteArray(500'000, 'x') + '"';
        QTest::newRow("many") << many << false;
        QTest::newRow("a long one") << lengthy << false;
        QTest::newRow("many, in an error") << many << true;
    }
    void longListsAreCut()
    {
        QFETCH(QByteArray, response);
        QFETCH(bool, isError);
        m_connector->start();
        const Message probe = m_transport->expectSent(methods::Discover);
        if (isError)
            m_transport->responseError(probe, -32022, u"no"_s, R"({"supported":[)" + response + "]}");
        else
            m_transport->response(probe, R"({"supportedVersions":[)" + response + "]}");
        QTRY_COMPARE(m_errors.size(), 1);
        QVERIFY2(m_errors.constFirst().message.size() < 500, qPrintable(m_errors.constFirst().message.left(1000)));
    }

    void aDiscoveryWithoutCapabilitiesIsAFinding()
    {
        m_connector->start();
        m_transport->response(m_transport->expectSent(methods::Discover),
                              R"({"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":[],)"
                              R"("ttlMs":0,"cacheScope":"private"})");
        QTRY_COMPARE(m_connector->step(), Connector::Step::Ready);
        QCOMPARE(m_connector->findings().size(), 1);
        QVERIFY(m_connector->findings().constFirst().contains(u"'capabilities'"_s));
    }

    void pinned()
    {
        make(Era::Stateless);
        m_connector->start();
        m_transport->responseError(m_transport->expectSent(methods::Discover), -32601, u"Method not found"_s);
        QTRY_COMPARE(m_errors.size(), 1);
        QCOMPARE(m_errors.constFirst().code, -32601);
        QVERIFY(m_transport->sendsNothing());
    }

private:
    void make(Era era, bool overHttp = false)
    {
        Connector::Options options;
        options.era = era;
        options.overHttp = overHttp;
        options.capabilities = R"({"roots":{"listChanged":true}})";
        options.probeTimeout = 3ms;
        if (qstrcmp(QTest::currentTestFunction(), "aSilentServer") != 0)
            options.probeTimeout = 60s;
        m_errors.clear();
        m_connector = std::make_unique<Connector>(m_client.get(), options);
        connect(m_connector.get(), &Connector::finished, this, [this](const Error &error) {
            if (error)
                m_errors.append(error);
        });
    }

    std::unique_ptr<FakeTransport> m_transport;
    std::unique_ptr<Client> m_client;
    std::unique_ptr<Connector> m_connector;
    QList<Error> m_errors;
};

SONDE_TEST(TestEra)
#include "tst_era.moc"
