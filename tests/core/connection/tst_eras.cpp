// How a connection finds out which era its server speaks, with servers of both kinds over stdio and HTTP.
// SPDX-License-Identifier: Apache-2.0
#include "core/calls/callstatistics.h"
#include "core/calls/operations.h"
#include "core/connection/connection.h"
#include "core/protocol/methods.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/testregistry.h"

#include <QTemporaryDir>
#include <QTest>

using namespace sonde;
using namespace sonde::test;
using namespace Qt::StringLiterals;

namespace {

constexpr int EraTimeoutMs = 20'000;

QByteArray quotesOf(QByteArray text)
{
    return text.replace('\'', '"');
}

const QByteArray Discovered = quotesOf(
    "'result':{'resultType':'complete','supportedVersions':['2026-07-28'],'ttlMs':0,'cacheScope':'private',"
    "'capabilities':{'tools':{}},'_meta':{'io.modelcontextprotocol/serverInfo':{'name':'new','version':'1'}}}");
const QByteArray Initialized =
    quotesOf("'result':{'protocolVersion':'2025-11-25','capabilities':{},'serverInfo':{'name':'old','version':'1'}}");
const QByteArray Unknown = quotesOf("'error':{'code':-32601,'message':'Method not found'}");
const QByteArray Listed = quotesOf(
    "'result':{'resultType':'complete','ttlMs':0,'cacheScope':'private','tools':["
    "{'name':'good','inputSchema':{'type':'object','properties':{'a':{'type':'string','x-mcp-header':'A'}}}},"
    "{'name':'bad','inputSchema':{'type':'object','properties':{'a':{'type':'string','x-mcp-header':''}}}}]}");

// The id of the request in the shell, between the quotes of says().
const QByteArray SameId = "'\"$id\"'";

// A server of stdio in the shell: what it does on each method.
ServerSpec shellServer(const QString &onDiscover, const QString &onInitialize)
{
    ServerSpec spec;
    spec.name = u"shell"_s;
    spec.command = u"/bin/sh"_s;
    spec.revision = std::nullopt;
    spec.arguments = {
        u"-c"_s,
        u"while read -r line; do id=${line#*'\"id\":'}; id=${id%%,*}; case \"$line\" in *server/discover*) "_s +
            onDiscover + u";; *'\"initialize\"'*) "_s + onInitialize + u";; esac; done"_s};
    return spec;
}

QString says(const QByteArray &id, const QByteArray &members)
{
    return u"echo '{\"jsonrpc\":\"2.0\",\"id\":"_s + QString::fromUtf8(id + ',' + members) + u"}'"_s;
}

const QByteArray ProbeId = "\"server-discover-probe\"";

bool comesToAnEnd(Connection &connection)
{
    using State = Connection::State;
    connection.open();
    return QTest::qWaitFor(
               [&] { return connection.state() == State::Connected || connection.state() == State::Disconnected; },
               EraTimeoutMs) &&
           connection.state() == State::Connected;
}

int sentCount(const Connection &connection, const QByteArray &method)
{
    int count = 0;
    connection.session()->flush();
    for (qsizetype row = 0; row < connection.session()->size(); ++row) {
        const RecordInfo &record = connection.session()->at(row);
        if (record.direction == Direction::ToServer && record.kind == WireEvent::Kind::Message &&
            connection.session()->bytes(row).contains("\"method\":\"" + method + '"'))
            ++count;
    }
    return count;
}

// Of the first server/discover.
RowOutcome discoveryOutcome(const Connection &connection)
{
    const Session &session = *connection.session();
    for (qsizetype row = 0; row < session.size(); ++row) {
        if (session.at(row).direction == Direction::ToServer && session.at(row).kind == WireEvent::Kind::Message &&
            session.name(session.at(row).method) == methods::Discover)
            return session.at(row).outcome;
    }
    return RowOutcome::None;
}

QByteArray error(int code, const QByteArray &data = "null")
{
    return quotesOf("'error':{'code':" + QByteArray::number(code) + ",'message':'no','data':" + data + '}');
}

Step::State stateOf(const Connection &connection, StartStep::Kind kind)
{
    for (const StartStep &step : connection.startSteps()) {
        if (step.kind == kind)
            return step.state;
    }
    return Step::State::Waiting;
}

}  // namespace

class TestEras : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stdio_data()
    {
        QTest::addColumn<ServerSpec>("spec");
        QTest::addColumn<QString>("server");
        QTest::addColumn<int>("handshakes");
        const QString shakes = says(SameId, Initialized);
        QTest::newRow("stateless") << shellServer(says(ProbeId, Discovered), u"exit 9"_s) << u"new"_s << 0;
        QTest::newRow("refused") << shellServer(says(ProbeId, Unknown), shakes) << u"old"_s << 1;
        QTest::newRow("refused without an ID") << shellServer(says("null", Unknown), shakes) << u"old"_s << 1;
        // In one write, so that both are read before anything else happens.
        const QString twice = u"x=$(%1); y=$(%2); printf '%s\\n%s\\n' \"$x\" \"$y\""_s;
        QTest::newRow("refused twice without an ID")
            << shellServer(twice.arg(says("null", Unknown), says("null", Unknown)), shakes) << u"old"_s << 1;
        QTest::newRow("refused with and without an ID")
            << shellServer(twice.arg(says(ProbeId, Unknown), says("null", Unknown)), shakes) << u"old"_s << 1;
        QTest::newRow("exit") << shellServer(u"exit 3"_s, shakes) << u"old"_s << 1;
        QTest::newRow("silence") << shellServer(u":"_s, shakes) << u"old"_s << 1;
    }
    void stdio()
    {
        QFETCH(ServerSpec, spec);
        QFETCH(int, handshakes);
        ConnectionOptions options;
        options.loadCatalog = false;
        if (qstrcmp(QTest::currentDataTag(), "silence") == 0)
            options.handshakeTimeout = std::chrono::milliseconds(4000);  // also for what follows
        Connection connection(spec, options);
        QVERIFY2(comesToAnEnd(connection), qPrintable(connection.statusText()));
        QTEST(connection.serverInfo().implementation.name, "server");
        QCOMPARE(connection.serverInfo().protocolVersion, handshakes == 0 ? u"2026-07-28"_s : u"2025-11-25"_s);
        QVERIFY(!connection.revisionReason().isEmpty());
        // It is the response that counts, not that time has passed.
        QCOMPARE(connection.revisionReason().contains(u"does not support"_s),
                 QByteArray(QTest::currentDataTag()).startsWith("refused"));
        QCOMPARE(stateOf(connection, StartStep::Kind::Probe), Step::State::Done);
        QCOMPARE(stateOf(connection, StartStep::Kind::AgreeOnRevision),
                 handshakes == 0 ? Step::State::Skipped : Step::State::Done);
        // The question is part of the recording, and the verdict is remembered.
        QCOMPARE(sentCount(connection, "server/discover"), 1);
        QCOMPARE(sentCount(connection, "initialize"), handshakes);
        if (handshakes > 0 && qstrcmp(QTest::currentDataTag(), "exit") != 0) {
            QCOMPARE(discoveryOutcome(connection), RowOutcome::NotSupported);
            Operations operations(connection.session());
            QVERIFY(operations.advance());
            CallStatisticsCollector statistics(connection.session(), &operations);
            QVERIFY(statistics.advance());
            for (const CallStatistics &each : statistics.result())
                QVERIFY(each.method != methods::Discover);
        }
        connection.close();
        QTRY_COMPARE(connection.state(), Connection::State::Disconnected);
        QVERIFY(comesToAnEnd(connection));
        QCOMPARE(sentCount(connection, "server/discover"), handshakes == 0 ? 2 : 1);
        if (handshakes == 0)
            return;
        connection.detectAgain();
        QTRY_COMPARE_WITH_TIMEOUT(sentCount(connection, "server/discover"), 2, test::Patience);
        QTRY_COMPARE_WITH_TIMEOUT(connection.state(), Connection::State::Connected, test::Patience);
        QCOMPARE(sentCount(connection, "initialize"), 3);
    }

    void clientInfoCanBeLeftOut()
    {
        for (const bool isTold : {true, false}) {
            ServerSpec spec = shellServer(says(ProbeId, Discovered), u"exit 9"_s);
            if (!isTold)
                spec.undeclaredCapabilities = {u"clientInfo"_s};
            ConnectionOptions options;
            options.loadCatalog = false;
            Connection connection(spec, options);
            QVERIFY2(comesToAnEnd(connection), qPrintable(connection.statusText()));
            connection.session()->flush();
            QByteArray sent;
            for (qsizetype row = 0; row < connection.session()->size(); ++row) {
                if (connection.session()->at(row).direction == Direction::ToServer)
                    sent += connection.session()->bytes(row);
            }
            QVERIFY(sent.contains("server/discover"));
            QCOMPARE(sent.contains("clientInfo"), isTold);
        }
    }

    void aVerdictThatFailsIsForgotten()
    {
        QTemporaryDir folder;
        // The first start of it wants the handshake, the others do not know it.
        const QString second = u"if [ -e "_s + folder.filePath(u"seen"_s) + u" ]; then "_s;
        ServerSpec spec =
            shellServer(second + says(ProbeId, Discovered) + u"; else "_s + says(ProbeId, Unknown) + u"; fi"_s,
                        second + says(SameId, Unknown) + u"; exit 1; else touch "_s + folder.filePath(u"seen"_s) +
                            u"; "_s + says(SameId, Initialized) + u"; fi"_s);
        ConnectionOptions options;
        options.loadCatalog = false;
        Connection connection(spec, options);
        QVERIFY2(comesToAnEnd(connection), qPrintable(connection.statusText()));
        QCOMPARE(connection.serverInfo().implementation.name, u"old"_s);
        connection.close();
        QTRY_COMPARE(connection.state(), Connection::State::Disconnected);
        QVERIFY2(comesToAnEnd(connection), qPrintable(connection.statusText()));
        QCOMPARE(connection.serverInfo().implementation.name, u"new"_s);
    }

    // The decision table of the specification's backward compatibility, each row over both transports where it exists.
    void decisions_data()
    {
        QTest::addColumn<bool>("overHttp");
        QTest::addColumn<int>("status");              // of HTTP; 0: hangs up, -1: never responds
        QTest::addColumn<QByteArrayList>("replies");  // to one probe after the other
        QTest::addColumn<QString>("server");
        QTest::addColumn<int>("handshakes");
        const auto http = [](const char *name, int status, const QByteArrayList &replies, const QString &server,
                             int handshakes) {
            QTest::addRow("%s, HTTP", name) << true << status << replies << server << handshakes;
        };
        const auto both = [&](const char *name, int status, const QByteArrayList &replies, const QString &server,
                              int handshakes) {
            QTest::addRow("%s, stdio", name) << false << 200 << replies << server << handshakes;
            http(name, status, replies, server, handshakes);
        };
        const auto lists = [](const QByteArray &revisions) {
            return quotesOf(
                "'result':{'resultType':'complete','ttlMs':0,'cacheScope':'private','capabilities':{},"
                "'supportedVersions':[" +
                revisions + "]}");
        };
        const auto supported = [&](const QByteArray &revisions) {
            return error(-32022, "{'supported':" + revisions + ",'requested':'2026-07-28'}");
        };
        const QString old = u"old"_s;
        both("ours among others", 200, {lists("'2024-11-05','2027-01-01','2026-07-28'")}, QString(), 0);
        both("only older ones", 200, {lists("'2025-06-18'")}, old, 1);
        both("only newer ones", 200, {lists("'2027-01-01'")}, QString(), 0);
        both("none", 200, {lists("")}, QString(), 0);
        both("refused, then accepted", 400, {supported("['2026-07-28']"), Discovered}, u"new"_s, 0);
        both("refused twice", 400, {supported("['2026-07-28']"), supported("['2026-07-28']")}, QString(), 0);
        both("refused for newer ones", 400, {supported("['2027-01-01','2025-11-25']")}, QString(), 0);
        both("refused for older ones", 400, {supported("['2025-11-25','2025-06-18']")}, old, 1);
        both("refused without a list", 400, {error(-32022)}, old, 1);
        both("refused with an unusable list", 400, {supported("[7,{}]")}, old, 1);
        both("header mismatch", 400, {error(-32020)}, QString(), 0);
        both("missing capability", 400, {error(-32021, "{'requiredCapabilities':{'sampling':{}}}")}, QString(), 0);
        for (const int code : {-32601, -32602, -32000, -32600, -32603, 42}) {
            both(qPrintable(u"error %1"_s.arg(code)), 200, {error(code)}, old, 1);
            http(qPrintable(u"error %1 with 400"_s.arg(code)), 400, {error(code)}, old, 1);
        }
        both("another result", 200, {quotesOf("'result':{}")}, old, 1);
        both("versions that are no list", 200, {quotesOf("'result':{'supportedVersions':'2026-07-28'}")}, old, 1);
        for (const int status : {400, 404, 405, 406, 415})
            http(qPrintable(u"HTTP %1"_s.arg(status)), status, {}, old, 1);
        for (const int status : {401, 403, 408, 429, 500, 501, 503})
            http(qPrintable(u"HTTP %1"_s.arg(status)), status, {}, QString(), 0);
        http("error -32603 with 503", 503, {error(-32603)}, QString(), 0);
        http("error -32000 with 429", 429, {error(-32000)}, QString(), 0);
        http("outage", 0, {}, QString(), 0);
        http("silence", -1, {}, QString(), 0);
    }
    void decisions()
    {
        QFETCH(bool, overHttp);
        QFETCH(int, status);
        QFETCH(QByteArrayList, replies);
        QFETCH(QString, server);
        QFETCH(int, handshakes);
        const bool isReady =
            handshakes > 0 || server == u"new"_s || QByteArray(QTest::currentDataTag()).startsWith("ours among others");
        int probes = 0;
        FakeHttpServer fake([&](const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer) {
            const Message message = Message::parse(request.body);
            const QByteArray head = R"({"jsonrpc":"2.0","id":)" + message.id().toJson() + ',';
            if (message.method() == methods::Initialize) {
                // What was asked before is forgotten.
                QVERIFY(!request.has("MCP-Protocol-Version") && !request.has("Mcp-Method"));
                return peer.json(head + Initialized + '}');
            }
            if (message.method() != methods::Discover)
                return peer.response(request.method == "GET" ? 405 : 202, {}, {});
            const QByteArray reply = replies.value(probes++);
            if (status == 0)
                peer.hangUp();
            else if (reply.isEmpty() && status > 0)
                peer.response(status, {}, {});
            else if (status > 0)
                peer.response(reply == Discovered ? 200 : status, {{"Content-Type", "application/json"}},
                              head + reply + '}');
        });
        ConnectionOptions options = withoutLists();
        if (status < 0)
            options.handshakeTimeout = std::chrono::milliseconds(200);
        const ServerSpec spec =
            overHttp ? address(fake)
                     : shellServer(u"n=$((n+1)); if [ $n = 1 ]; then "_s + says(SameId, replies.value(0)) +
                                       u"; else "_s + says(SameId, replies.value(1)) + u"; fi"_s,
                                   says(SameId, Initialized));
        Connection connection(spec, options);
        QCOMPARE(comesToAnEnd(connection), isReady);
        QCOMPARE(connection.serverInfo().implementation.name, server);
        QCOMPARE(sentCount(connection, "server/discover"), qMax(1, int(replies.size())));
        QCOMPARE(sentCount(connection, "initialize"), handshakes);
        QVERIFY(isReady || !connection.error().message.isEmpty());
        QVERIFY(!connection.revisionReason().isEmpty());
        // Having a handshake is no failure.
        const RowOutcome outcome = discoveryOutcome(connection);
        if (handshakes > 0)
            QVERIFY(outcome == RowOutcome::NotSupported || outcome == RowOutcome::Ok);
        if (replies.value(0) == error(-32020) || status >= 500)
            QVERIFY(outcome == RowOutcome::ProtocolError || outcome == RowOutcome::NoResponse);
    }

    // A stream that breaks off says nothing about the revision, and one of the new revision cannot be resumed.
    void aProbeThatBreaksOff()
    {
        FakeHttpServer fake([](const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer) {
            if (request.method != "POST")
                return peer.response(405, {}, {});
            peer.beginEvents();
            peer.piece("id: p1\ndata:\n\n");
            peer.hangUp();
        });
        Connection connection(address(fake), withoutLists());
        QVERIFY(!comesToAnEnd(connection));
        QCOMPARE(fake.requests().size(), 1);
    }

    // One that is pinned proposes its revision, and the server may choose another one.
    void whatTheServerChoseIsSaid()
    {
        ServerSpec spec = shellServer(says(SameId, Unknown), says(SameId, Initialized));
        spec.revision = Revision::R20250326;
        Connection connection(spec, withoutLists());
        QVERIFY2(comesToAnEnd(connection), qPrintable(connection.statusText()));
        QVERIFY2(connection.revisionReason().contains(u"2025-03-26"_s), qPrintable(connection.revisionReason()));
    }

    void http_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("discovery");
        QTest::addColumn<QString>("server");
        QTest::newRow("stateless") << 200 << Discovered << u"new"_s;
        QTest::newRow("refused") << 200 << Unknown << u"old"_s;
        QTest::newRow("refused with a status") << 404 << Unknown << u"old"_s;
        QTest::newRow("an older revision") << 400
                                           << quotesOf(
                                                  "'error':{'code':-32022,'message':'no','data':"
                                                  "{'supported':['2025-11-25'],'requested':'2026-07-28'}}")
                                           << u"old"_s;
        QTest::newRow("no JSON") << 400 << QByteArray() << u"old"_s;
        QTest::newRow("not allowed") << 405 << QByteArray() << u"old"_s;
        QTest::newRow("header mismatch") << 400 << quotesOf("'error':{'code':-32020,'message':'no'}") << QString();
        QTest::newRow("out of order") << 503 << QByteArray() << QString();
        QTest::newRow("forbidden") << 403 << QByteArray() << QString();
    }
    void http()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, discovery);
        QFETCH(QString, server);
        FakeHttpServer fake([&](const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer) {
            const Message message = Message::parse(request.body);
            const QByteArray head = R"({"jsonrpc":"2.0","id":)" + message.id().toJson() + ',';
            if (message.method() == methods::Discover)
                peer.response(status, {{"Content-Type", discovery.isEmpty() ? "text/html" : "application/json"}},
                              discovery.isEmpty() ? QByteArray("sorry") : head + discovery + '}');
            else if (message.method() == methods::Initialize)
                peer.json(head + Initialized + '}');
            else
                peer.response(request.method == "GET" ? 405 : 202, {}, {});
        });
        Connection connection(address(fake), withoutLists());
        QCOMPARE(comesToAnEnd(connection), !server.isEmpty());
        QCOMPARE(connection.serverInfo().implementation.name, server);
        const QList<FakeHttpServer::Request> &requests = fake.requests();
        QCOMPARE(requests.first().header("MCP-Protocol-Version"), QByteArray("2026-07-28"));
        QCOMPARE(requests.first().header("Mcp-Method"), QByteArray("server/discover"));
        for (const FakeHttpServer::Request &request : requests) {
            // The handshake knows nothing of what was asked before it.
            if (request.body.contains("\"initialize\""))
                QVERIFY(!request.has("MCP-Protocol-Version") && !request.has("Mcp-Method"));
        }
    }

    void aStatelessServerOverHttp()
    {
        QList<FakeHttpServer::Peer> slow;
        FakeHttpServer fake([&](const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer) {
            const Message message = Message::parse(request.body);
            const QByteArray head = R"({"jsonrpc":"2.0","id":)" + message.id().toJson() + ',';
            if (message.method() == methods::CallTool)
                slow.append(peer);
            else
                peer.json(head + (message.method() == methods::Discover ? Discovered : Listed) + '}',
                          {{"Mcp-Session-Id", "ignored"}});
        });
        Connection connection(address(fake), {});
        QVERIFY(comesToAnEnd(connection));
        QTRY_COMPARE(connection.catalog()->tools().size(), 2);
        QVERIFY(connection.whyNotCallable(*connection.catalog()->tool(u"good")).isEmpty());
        QVERIFY(!connection.whyNotCallable(*connection.catalog()->tool(u"bad")).isEmpty());

        std::optional<Outcome> outcome;
        const auto take = [&](const Outcome &each) { outcome = each; };
        connect(connection.callTool(u"bad"_s, "{}"), &Call::finished, this, take);
        QTRY_VERIFY(outcome);
        QCOMPARE(toString(outcome->error.kind), toString(Error::Kind::Local));
        QVERIFY(slow.isEmpty());

        // Closing the stream is the cancellation: no notification follows.
        outcome.reset();
        Call *call = connection.callTool(u"good"_s, quotesOf("{'a':'x'}"));
        connect(call, &Call::finished, this, take);
        QTRY_COMPARE(slow.size(), 1);
        QCOMPARE(fake.requests().last().header("Mcp-Param-A"), QByteArray("x"));
        QCOMPARE(fake.requests().last().header("Mcp-Name"), QByteArray("good"));
        QVERIFY(!fake.requests().last().has("Mcp-Session-Id"));
        call->cancel();
        QTRY_VERIFY(outcome);
        QTRY_VERIFY(!slow.first().isConnected());
        QCOMPARE(sentCount(connection, "notifications/cancelled"), 0);
        QVERIFY(fake.requests("GET").isEmpty());
        connection.close();
        QTRY_COMPARE(connection.state(), Connection::State::Disconnected);
        QVERIFY(fake.requests("DELETE").isEmpty());
    }

    // The server compares with a newer definition of the tool than was listed, until `refusals` are used up.
    void headersOfAnOldDefinition_data()
    {
        QTest::addColumn<QByteArray>("error");
        QTest::addColumn<int>("refusals");
        QTest::addColumn<bool>("isAnswered");
        QTest::addColumn<int>("lists");
        QTest::addColumn<int>("calls");
        const QByteArray named = quotesOf("{'code':-32020,'message':'The header Mcp-Param-B is missing'}");
        QTest::newRow("message") << named << 1 << true << 2 << 2;
        QTest::newRow("data") << quotesOf("{'code':-32020,'message':'no','data':{'header':'mcp-param-b'}}") << 1 << true
                              << 2 << 2;
        QTest::newRow("again") << named << 9 << false << 2 << 2;
        QTest::newRow("other header") << quotesOf("{'code':-32020,'message':'Mcp-Name is wrong'}") << 1 << false << 1
                                      << 1;
        QTest::newRow("other code") << quotesOf("{'code':-32602,'message':'Mcp-Param-B'}") << 1 << false << 1 << 1;
    }
    void headersOfAnOldDefinition()
    {
        QFETCH(QByteArray, error);
        QFETCH(int, refusals);
        int lists = 0;
        QList<QByteArray> headers;
        FakeHttpServer fake([&](const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer) {
            const Message message = Message::parse(request.body);
            const QByteArray head = R"({"jsonrpc":"2.0","id":)" + message.id().toJson() + ',';
            if (message.method() == methods::CallTool) {
                headers.append(request.header("Mcp-Param-A") + '|' + request.header("Mcp-Param-B"));
                if (headers.size() <= refusals)
                    peer.response(400, {{"Content-Type", "application/json"}}, head + "\"error\":" + error + '}');
                else
                    peer.json(head + quotesOf("'result':{'resultType':'complete','content':[]}}"));
            } else if (message.method() == methods::Discover) {
                peer.json(head + Discovered + '}');
            } else {
                QByteArray listed = Listed;
                peer.json(head + (++lists > 1 ? listed.replace("\"A\"", "\"B\"") : listed) + '}');
            }
        });
        Connection connection(address(fake), {});
        QVERIFY(comesToAnEnd(connection));
        QTRY_COMPARE(connection.catalog()->tools().size(), 2);

        std::optional<Outcome> outcome;
        connect(connection.callTool(u"good"_s, quotesOf("{'a':'x'}")), &Call::finished, this,
                [&](const Outcome &each) { outcome = each; });
        QTRY_VERIFY(outcome);
        QTEST(outcome->kind == Outcome::Kind::Ok, "isAnswered");
        QTEST(lists, "lists");
        QTEST(int(headers.size()), "calls");
        QCOMPARE(headers.first(), "x|"_ba);
        if (headers.size() > 1)
            QCOMPARE(headers.last(), "|x"_ba);
        QTEST(sentCount(connection, "tools/list"), "lists");
    }

    void settings_data()
    {
        QTest::addColumn<QByteArray>("entry");
        QTest::addColumn<QString>("revision");
        QTest::newRow("none") << quotesOf("{'command':'x'}") << QString();
        QTest::newRow("automatic") << quotesOf("{'command':'x','revision':'automatic'}") << QString();
        QTest::newRow("pinned") << quotesOf("{'command':'x','revision':'2026-07-28'}") << u"2026-07-28"_s;
    }
    void settings()
    {
        QFETCH(QByteArray, entry);
        Result<ServerSpec> spec = ServerSpec::fromJson(u"x"_s, json::parse(entry));
        QVERIFY(spec.ok());
        QTEST(spec->revision ? toString(*spec->revision) : QString(), "revision");
        QCOMPARE(spec->toJson(), entry);
        ServerSpec changed = *spec;
        changed.revision = Revision::R20241105;
        QCOMPARE(json::parse(changed.toJson())[u"revision"].string(), u"2024-11-05"_s);
        QVERIFY(!ServerSpec::fromJson(u"x"_s, json::parse(quotesOf("{'command':'x','revision':'2020'}"))).ok());
    }

private:
    static ServerSpec address(const FakeHttpServer &server)
    {
        ServerSpec spec;
        spec.name = u"fake"_s;
        spec.kind = ServerSpec::Kind::Http;
        spec.url = server.url();
        spec.revision = std::nullopt;
        return spec;
    }
    static ConnectionOptions withoutLists()
    {
        ConnectionOptions options;
        options.loadCatalog = false;
        return options;
    }
};

SONDE_TEST(TestEras)
#include "tst_eras.moc"
