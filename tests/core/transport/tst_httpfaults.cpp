// Faults of HTTP servers: each one a named error with its evidence, and the connection goes on.
// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/methods.h"
#include "core/transport/http/httpexchange.h"
#include "tests/core/transport/httpfixture.h"
#include "tests/support/testcertificate.h"
#include "tests/support/testregistry.h"

#include <QElapsedTimer>
#include <QScopeGuard>
#include <QSslServer>
#include <QTimer>

using namespace sonde;
using namespace sonde::test;
using Kind = WireEvent::Kind;
using Request = FakeHttpServer::Request;
using Peer = FakeHttpServer::Peer;

class HttpFaultsTest : public QObject {
    Q_OBJECT
private:
    struct Response {
        int status;
        FakeHttpServer::Headers headers;
        QByteArray body;
    };

private Q_SLOTS:
    // A call is never sent twice by itself.
    void aCallWhoseConnectionIsCutGoesOutOnce_data()
    {
        QTest::addColumn<bool>("isReused");
        QTest::addColumn<bool>("inOrder");
        QTest::newRow("first request of a connection, cut") << false << false;
        QTest::newRow("first request of a connection, closed") << false << true;
        QTest::newRow("connection used before, cut") << true << false;
        QTest::newRow("connection used before, closed") << true << true;
    }
    void aCallWhoseConnectionIsCutGoesOutOnce()
    {
        QFETCH(bool, isReused);
        QFETCH(bool, inOrder);
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            if (methodOf(request) != methods::CallTool)
                peer.json(resultFor(request));
            else if (inOrder)
                peer.hangUp();
            else
                peer.cut();
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        if (isReused) {
            QVERIFY(!h.call(1, u"ping"));
            QTRY_COMPARE(h.probe->received.size(), 1);
        }
        QVERIFY(!h.call(2));
        QTRY_VERIFY(h.failure());
        int calls = 0;
        for (const Request &request : server.requests())
            calls += methodOf(request) == methods::CallTool ? 1 : 0;
        QCOMPARE(calls, 1);
        QCOMPARE(h.probe->failed.size(), 1);
        QVERIFY2(h.failure()->message.contains(QStringLiteral("closed the connection")),
                 qPrintable(h.failure()->message));
        QVERIFY(!h.call(3, u"ping"));
        QTRY_COMPARE(h.probe->received.size(), isReused ? 2 : 1);
    }

    void statusesAreNamedAndTheirBodiesShown_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("said");
        for (const int status : {400, 405, 406, 409, 415, 422, 429, 500, 502, 503})
            QTest::addRow("%d", status) << status << QStringLiteral("HTTP %1").arg(status);
        QTest::addRow("404") << 404 << QStringLiteral("HTTP 404");
    }
    void statusesAreNamedAndTheirBodiesShown()
    {
        QFETCH(int, status);
        QFETCH(QString, said);
        const QByteArray body = "<b>reason</b>" + QByteArray(5000, '.');
        FakeHttpServer server([&](const Request &, const Peer &peer) {
            peer.response(status, {{"Content-Type", "text/html"}}, body);
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(h.failure());
        QVERIFY2(h.failure()->message.contains(said), qPrintable(h.failure()->message));
        QCOMPARE(h.failure()->code, status);
        QVERIFY(h.failure()->detail.startsWith(QStringLiteral("<b>reason</b>...")));
        QVERIFY(h.failure()->detail.size() <= 2049);
        QCOMPARE(h.probe->of(Kind::HttpResponse).first().bytes, body);
        QCOMPARE(server.requests().size(), 1);  // nothing is tried again by itself
        QCOMPARE(h.transport->state(), Transport::State::Open);
    }

    void aJsonRpcErrorInABadStatusIsTheResponse()
    {
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            const RequestId id = Message::parse(request.body).id();
            peer.response(400, {{"Content-Type", "application/json"}},
                          Message::errorResponse(id, -32602, u"bad city").raw());
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_COMPARE(h.probe->received.size(), 1);
        QCOMPARE(h.probe->received.first().toError().code, -32602);
        QVERIFY(h.probe->failed.isEmpty());
    }

    // Nothing else will come on this connection: no reason to wait for the timeout.
    void aBodyThatIsNoResponseFailsAtOnce_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::newRow("a batch, which the revision does not have")
            << QByteArray("[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}]");
        QTest::newRow("no version") << QByteArray("{\"id\":1,\"result\":{}}");
        QTest::newRow("an id alone") << QByteArray("{\"id\":1}");
        QTest::newRow("another id") << QByteArray("{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{}}");
    }
    void aBodyThatIsNoResponseFailsAtOnce()
    {
        QFETCH(QByteArray, body);
        FakeHttpServer server([&](const Request &, const Peer &peer) { peer.json(body); });
        Http h(server.url());
        h.transport->setRevision(Revision::R20250618);
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(h.failure());
        QCOMPARE(h.probe->failed.size(), 1);
        QCOMPARE(h.probe->failed.first().first, RequestId(1));
    }

    void aJsonRpcErrorForNobodyIsShownWithTheStatus()
    {
        FakeHttpServer server([&](const Request &, const Peer &peer) {
            peer.response(
                400, {{"Content-Type", "application/json"}},
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32000,\"message\":\"Missing session\"}}");
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(h.failure());
        QCOMPARE(h.failure()->message, QStringLiteral("The server returned HTTP 400: Missing session"));
        QVERIFY(h.probe->received.isEmpty());
    }

    void challengesAreShown_data()
    {
        QTest::addColumn<int>("status");
        QTest::newRow("401") << 401;
        QTest::newRow("403") << 403;
    }
    void challengesAreShown()
    {
        QFETCH(int, status);
        FakeHttpServer server([&](const Request &, const Peer &peer) {
            peer.response(status,
                          {{"WWW-Authenticate", "Basic realm=\"x\""}, {"WWW-Authenticate", "Bearer scope=\"a b\""}},
                          "who?");
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(h.failure());
        QVERIFY(h.failure()->kind == Error::Kind::Auth);
        QCOMPARE(h.failure()->code, status);
        QVERIFY(h.failure()->detail.contains(QStringLiteral("Bearer scope=\"a b\"")));
        QVERIFY(h.failure()->detail.contains(QStringLiteral("who?")));
        QCOMPARE(server.requests().size(), 1);
    }

    void wrongResponsesAreNamed_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("type");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QString>("said");
        QTest::newRow("login page") << 200 << QByteArray("text/html; charset=utf-8") << QByteArray("<html>Log in")
                                    << "text/html";
        QTest::newRow("no type") << 200 << QByteArray() << QByteArray("{}") << "no Content-Type";
        QTest::newRow("bogus type") << 200 << QByteArray("x bogus") << QByteArray("data: x\n\n") << "x bogus";
        QTest::newRow("like a stream") << 200 << QByteArray("text/x-bogus") << QByteArray("data: x\n\n")
                                       << "text/x-bogus";
        QTest::newRow("202 to a call") << 202 << QByteArray() << QByteArray() << "HTTP 202";
        QTest::newRow("202 with a body") << 202 << QByteArray("application/json") << QByteArray("{}") << "HTTP 202";
        QTest::newRow("empty") << 200 << QByteArray("application/json") << QByteArray() << "empty body";
        QTest::newRow("blank") << 200 << QByteArray("application/json") << QByteArray(" \n") << "empty body";
        QTest::newRow("not JSON") << 200 << QByteArray("application/json") << QByteArray("oops") << "does not match";
        QTest::newRow("not JSON-RPC") << 200 << QByteArray("application/json") << QByteArray("{\"a\":1}")
                                      << "does not match";
        QTest::newRow("other id") << 200 << QByteArray("application/json")
                                  << QByteArray("{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}") << "does not match";
    }
    void wrongResponsesAreNamed()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, type);
        QFETCH(QByteArray, body);
        QFETCH(QString, said);
        FakeHttpServer server([&](const Request &, const Peer &peer) {
            peer.response(status,
                          type.isEmpty() ? FakeHttpServer::Headers() : FakeHttpServer::Headers{{"Content-Type", type}},
                          body);
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(h.failure());
        QVERIFY(h.failure()->kind == Error::Kind::Protocol);
        QVERIFY2(h.failure()->message.contains(said), qPrintable(h.failure()->message));
        QCOMPARE(h.probe->failed.size(), 1);
        bool isRecorded = body.trimmed().isEmpty();
        for (const WireEvent &event : std::as_const(h.probe->events))
            isRecorded = isRecorded || event.bytes == body;
        QVERIFY(isRecorded);
    }

    void anResponseThatBreaksJsonRpcFailsItsCallOnce()
    {
        FakeHttpServer server([&](const Request &, const Peer &peer) {
            peer.json("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{},\"error\":{\"code\":1,\"message\":\"x\"}}");
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(h.failure() || !h.probe->received.isEmpty());
        QCOMPARE(h.probe->failed.size() + h.probe->received.size(), 1);
    }

    void aLostSessionEndsTheConnection()
    {
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            if (methodOf(request) == methods::Initialize)
                peer.json(resultFor(request), {{"Mcp-Session-Id", "s"}});
            else if (request.method == "POST")
                peer.response(
                    404, {{"Content-Type", "application/json"}},
                    "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32001,\"message\":\"Session not found\"}}");
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1, methods::Initialize));
        QTRY_COMPARE(h.probe->received.size(), 1);
        QVERIFY(!h.call(2));
        QTRY_VERIFY(h.probe->closed);
        QVERIFY2(h.probe->closed->message.contains(QStringLiteral("Session lost")),
                 qPrintable(h.probe->closed->message));
        QCOMPARE(h.probe->closed->code, 404);
        QVERIFY(h.probe->closed->detail.contains(QStringLiteral("Session not found")));
        QCOMPARE(server.requests("DELETE").size(), 0);
        QCOMPARE(h.transport->state(), Transport::State::Closed);
    }

    void anUnknownMethodWith404IsNoLostSession()
    {
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            if (methodOf(request) == methods::Initialize)
                return peer.json(resultFor(request), {{"Mcp-Session-Id", "s"}});
            const RequestId id = Message::parse(request.body).id();
            peer.response(404, {{"Content-Type", "application/json"}}, Message::errorResponse(id, -32601, u"no").raw());
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1, methods::Initialize));
        QTRY_COMPARE(h.probe->received.size(), 1);
        QVERIFY(!h.call(2));
        QTRY_COMPARE(h.probe->received.size(), 2);
        QVERIFY(!h.probe->closed);
    }

    // Five codes, three verbs, four targets: the foreign server hears nothing at all.
    void redirectsLeadNowhereElse()
    {
        int foreign = 0;
        FakeHttpServer other([&](const Request &, const Peer &peer) {
            ++foreign;
            peer.accept();
        });
        for (const int status : {301, 302, 303, 307, 308}) {
            QByteArray location;
            FakeHttpServer server([&](const Request &request, const Peer &peer) {
                if (request.method == "POST" && methodOf(request) == methods::Initialize && request.path == "/mcp")
                    peer.json(resultFor(request), {{"Mcp-Session-Id", "s"}});
                else
                    peer.response(status, {{"Location", location}}, {});
            });
            QUrl otherHost = other.url();
            otherHost.setHost(QStringLiteral("localhost"));
            QUrl secure = server.url();
            secure.setScheme(QStringLiteral("https"));
            for (const QUrl &target : {other.url(), otherHost, secure}) {
                location = target.toEncoded();
                HttpOptions options;
                options.headers = {{"Authorization", "Bearer secret"}};
                Http h(server.url(), options);
                QTRY_COMPARE(h.probe->opened, 1);
                QVERIFY(!h.call(1, methods::Initialize));
                QTRY_COMPARE(h.probe->received.size(), 1);
                QVERIFY(!h.call(2));
                QTRY_VERIFY(h.failure());
                QVERIFY2(h.failure()->message.contains(QString::fromLatin1(location)),
                         qPrintable(h.failure()->message));
                QCOMPARE(h.failure()->code, status);
                h.transport->sessionReady();
                QTRY_COMPARE(h.probe->failed.size(), 2);
                h.transport->close();  // DELETE is redirected too
                QTRY_VERIFY(h.probe->closed);
                QCOMPARE(h.probe->of(Kind::HttpResponse).size(), 4);
            }
        }
        QCOMPARE(other.connections(), 0);
        QCOMPARE(foreign, 0);
    }

    void redirectsWithinTheOriginAreFollowed_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<bool>("isFollowed");
        for (const int status : {301, 302, 303})
            QTest::addRow("%d", status) << status << false;
        for (const int status : {307, 308})
            QTest::addRow("%d", status) << status << true;
    }
    void redirectsWithinTheOriginAreFollowed()
    {
        QFETCH(int, status);
        QFETCH(bool, isFollowed);
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            if (request.path == "/mcp")
                peer.response(status, {{"Location", "/mcp/?x=1"}}, "moved");
            else
                peer.json(resultFor(request));
        });
        HttpOptions options;
        options.headers = {{"X-Key", "mine"}};
        Http h(server.url(), options);
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(h.failure() || !h.probe->received.isEmpty());
        QCOMPARE(h.probe->received.size(), isFollowed ? 1 : 0);
        QCOMPARE(server.requests().size(), isFollowed ? 2 : 1);
        QCOMPARE(h.probe->of(Kind::HttpRequest).size(), isFollowed ? 2 : 1);
        QCOMPARE(h.probe->of(Kind::HttpResponse).size(), isFollowed ? 2 : 1);
        if (!isFollowed)
            return;
        QCOMPARE(server.requests().at(1).method, QByteArray("POST"));
        QCOMPARE(server.requests().at(1).path, QByteArray("/mcp/?x=1"));
        QCOMPARE(server.requests().at(1).body, server.requests().at(0).body);
        QCOMPARE(server.requests().at(1).header("X-Key"), QByteArray("mine"));
    }

    void redirectsToOtherSchemesAreNamed()
    {
        FakeHttpServer server([](const Request &, const Peer &peer) {
            peer.response(302, {{"Location", "file:///etc/passwd"}}, {});
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(h.failure());
        QVERIFY2(h.failure()->message.contains(QStringLiteral("file:///etc/passwd")), qPrintable(h.failure()->message));
        QVERIFY(!h.failure()->message.contains(QStringLiteral("without saying")));
    }

    void aServerOfTheOlderTransportIsRecognised_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<bool>("isOld");
        for (const int status : {400, 404, 405, 406, 415, 501})
            QTest::addRow("%d", status) << status << QByteArray("event: endpoint\ndata: /messages?id=1\n\n") << true;
        QTest::newRow("CR LF") << 404 << QByteArray("event:endpoint\r\ndata: /m\r\n\r\n") << true;
        QTest::newRow("behind a comment") << 404 << QByteArray(": hello\n\nevent: endpoint\ndata: /m\n\n") << true;
        QTest::newRow("in a comment") << 404 << QByteArray(": event: endpoint\n\ndata: {}\n\n") << false;
        QTest::newRow("another stream") << 404 << QByteArray("data: {}\n\n") << false;
        QTest::newRow("no stream") << 404 << QByteArray() << false;
    }
    void aServerOfTheOlderTransportIsRecognised()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, first);
        QFETCH(bool, isOld);
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            if (request.method == "POST" || first.isEmpty())
                return peer.response(status, {{"Content-Type", "text/html"}}, "Cannot POST /sse");
            peer.beginEvents();
            peer.piece(first);
        });
        Http h(server.url(QStringLiteral("/sse")));
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1, methods::Initialize));
        QTRY_VERIFY(h.failure());
        QCOMPARE(h.probe->failed.first().first, RequestId(1));
        QCOMPARE(h.failure()->code, status);
        QCOMPARE(h.failure()->message.contains(QStringLiteral("HTTP+SSE")), isOld);
        QVERIFY2(h.failure()->detail.contains(QStringLiteral("Cannot POST")), qPrintable(h.failure()->detail));
        // Only the handshake is explained like this.
        QVERIFY(!h.call(2));
        QTRY_COMPARE(h.probe->failed.size(), 2);
        QCOMPARE(server.requests("GET").size(), 1);
    }

    void aServerOfALaterRevisionIsExplained()
    {
        FakeHttpServer server([](const Request &, const Peer &peer) {
            peer.response(400, {{"Content-Type", "application/json"}},
                          "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32020,\"message\":\"Mismatch\"}}");
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(h.failure());
        QVERIFY2(h.failure()->hint.contains(QStringLiteral("2026-07-28")), qPrintable(h.failure()->hint));
    }

    void redirectLoopsEnd()
    {
        FakeHttpServer server([&](const Request &, const Peer &peer) {
            peer.response(307, {{"Location", "/mcp"}}, {});
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(h.failure());
        QVERIFY(h.failure()->message.contains(QStringLiteral("Too many redirects")));
        QCOMPARE(server.requests().size(), 6);  // the first and five hops
    }

    void aRefusedConnectionIsNamed()
    {
        QUrl url;
        {
            const FakeHttpServer gone;
            url = gone.url();
        }
        Http h(url);
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(h.failure());
        QVERIFY2(h.failure()->message.contains(QStringLiteral("refused")), qPrintable(h.failure()->message));
        QVERIFY(h.failure()->message.contains(QStringLiteral("127.0.0.1:%1").arg(url.port())));
        QVERIFY(!h.failure()->hint.isEmpty());
    }

    void anUnknownHostIsNamed()
    {
        Http h(QUrl(QStringLiteral("http://no-such-host.invalid/mcp")));
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY_WITH_TIMEOUT(h.failure(), 20'000);
        QVERIFY2(h.failure()->message.contains(QStringLiteral("no-such-host.invalid")),
                 qPrintable(h.failure()->message));
    }

    void urlsThatAreNoneAreRefused_data()
    {
        QTest::addColumn<QString>("url");
        for (const char *url : {"", "ftp://host/", "file:///etc/passwd", "http://", "just words", "//host/mcp"})
            QTest::newRow(url) << QString::fromLatin1(url);
    }
    void urlsThatAreNoneAreRefused()
    {
        QFETCH(QString, url);
        Http h{QUrl(url)};
        QTRY_VERIFY(h.probe->closed);
        QVERIFY(h.probe->closed->kind == Error::Kind::Local);
        QCOMPARE(h.probe->opened, 0);
    }

    void noTlsAtThatPortIsNamed()
    {
        FakeHttpServer server([](const Request &, const Peer &) {});
        QUrl url = server.url();
        url.setScheme(QStringLiteral("https"));
        Http h(url);
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        server.cutAll();
        QTRY_VERIFY(server.openConnections() > 0 || h.failure());
        server.cutAll();
        QTRY_VERIFY(h.failure());
        QVERIFY(h.failure()->kind == Error::Kind::Transport);
        QVERIFY2(h.failure()->message.contains(QStringLiteral("TLS")), qPrintable(h.failure()->message));
    }

    // Reading may go on again at any time, so before the head of a response has been looked at, too.
    void readingEarlyTakesNothingFromTheBody()
    {
        const QByteArray body(200'000, 'x');
        FakeHttpServer server([&](const Request &, const Peer &peer) {
            peer.response(200, {}, body);
            QElapsedTimer clock;
            clock.start();
            while (clock.elapsed() < 3) {  // until the reader's time has come as well
            }
        });
        HttpPool pool(server.url(), {}, nullptr);
        HttpExchange::Request request;
        request.verb = "GET";
        request.url = server.url();
        HttpExchange exchange(&pool, request);
        QByteArray received;
        QTimer reader;  // its turn comes between the arrival of bytes and the look at them
        qsizetype early = 0;
        connect(&reader, &QTimer::timeout, &exchange, [&] {
            const bool isEarly = !exchange.hasHeaders();
            received += exchange.read(65536);
            if (isEarly)
                early = received.size();
        });
        reader.start(1);
        exchange.start();
        QTRY_VERIFY(exchange.isAtEnd());
        QVERIFY(!exchange.error());
        QCOMPARE(exchange.status(), 200);
        QCOMPARE(received.size(), body.size());
        QCOMPARE(early, 0);
    }

    // The system may take every piece of it at once, so that nothing is left for it to tell of.
    void largeRequestsArriveWhole()
    {
        FakeHttpServer server([](const Request &request, const Peer &peer) { peer.json(resultFor(request)); });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        int count = 0;
        for (const int size : {200'000, 300'000, 400'000, 600'000, 3'000'000}) {
            const QByteArray params = "{\"t\":\"" + QByteArray(size, 'x') + "\"}";
            QVERIFY(!h.transport->send(Message::request(RequestId(size), u"tools/call", params)));
            ++count;
            QTRY_COMPARE(h.probe->received.size(), count);
            QVERIFY2(server.requests().last().body.contains(params), qPrintable(QString::number(size)));
        }
    }

    // A server that refuses a large request need not read it first.
    void aResponseBeforeTheEndOfTheRequestCounts()
    {
        QTcpServer server;
        QVERIFY(server.listen(QHostAddress::LocalHost));
        connect(&server, &QTcpServer::newConnection, &server, [&] {
            QTcpSocket *socket = server.nextPendingConnection();
            socket->setReadBufferSize(1024);
            connect(socket, &QIODevice::readyRead, socket, [socket] {
                socket->disconnect();
                socket->write("HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
                socket->flush();
                socket->close();
            });
        });
        Http h(QUrl(QStringLiteral("http://127.0.0.1:%1/mcp").arg(server.serverPort())));
        QTRY_COMPARE(h.probe->opened, 1);
        const QByteArray params = "{\"t\":\"" + QByteArray(20'000'000, 'x') + "\"}";
        QVERIFY(!h.transport->send(Message::request(RequestId(1), u"tools/call", params)));
        QTRY_VERIFY(h.failure());
        QVERIFY2(h.failure()->code == 413 || h.failure()->hint.contains(QStringLiteral("larger")),
                 qPrintable(h.failure()->message));
    }

    void aServersPatienceWithIdleConnectionsIsKept_data()
    {
        QTest::addColumn<QByteArray>("keepAlive");
        QTest::addColumn<int>("connections");
        QTest::newRow("none said") << QByteArray() << 1;
        QTest::newRow("long") << QByteArray("max=100, timeout=60") << 1;
        QTest::newRow("over at once") << QByteArray("timeout=0") << 2;
        QTest::newRow("no number") << QByteArray("timeout=soon") << 1;
    }
    void aServersPatienceWithIdleConnectionsIsKept()
    {
        QFETCH(QByteArray, keepAlive);
        QFETCH(int, connections);
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            peer.json(resultFor(request), keepAlive.isEmpty() ? FakeHttpServer::Headers()
                                                              : FakeHttpServer::Headers{{"Keep-Alive", keepAlive}});
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        for (int i = 1; i <= 2; ++i) {
            QVERIFY(!h.call(i));
            QTRY_COMPARE(h.probe->received.size(), i);
        }
        QCOMPARE(server.connections(), connections);
    }

    void aSelfSignedCertificateIsNamed()
    {
        const QSslConfiguration configuration =
            TestCertificate(u"/CN=elsewhere.example", u"DNS:elsewhere.example").server();
        if (configuration.isNull())
            QSKIP("needs openssl to make a certificate");
        QSslServer server;
        server.setSslConfiguration(configuration);
        QVERIFY(server.listen(QHostAddress::LocalHost));
        Http h(QUrl(QStringLiteral("https://127.0.0.1:%1/mcp").arg(server.serverPort())));
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(h.failure());
        QVERIFY2(h.failure()->message.contains(QStringLiteral("TLS")), qPrintable(h.failure()->message));
        QVERIFY2(h.failure()->detail.contains(QStringLiteral("elsewhere.example")), qPrintable(h.failure()->detail));
        QVERIFY(h.failure()->message.contains(QStringLiteral("itself")) ||
                h.failure()->message.contains(QStringLiteral("another host")));
    }

    // Every way in which a body can end, and more of it than one read brings.
    void aTrustedServerIsReadOverTls_data()
    {
        QTest::addColumn<QString>("how");
        QTest::addColumn<int>("size");
        for (const char *how : {"length", "stream", "until close"}) {
            QTest::addRow("%s", how) << QString::fromLatin1(how) << 10;
            QTest::addRow("%s, large", how) << QString::fromLatin1(how) << 5'000'000;
        }
    }
    void aTrustedServerIsReadOverTls()
    {
        QFETCH(QString, how);
        QFETCH(int, size);
        const QSslConfiguration tls = TestCertificate(u"/CN=localhost", u"IP:127.0.0.1").server();
        if (tls.isNull())
            QSKIP("needs openssl to make a certificate");
        const QSslConfiguration before = QSslConfiguration::defaultConfiguration();
        QSslConfiguration trusting = before;
        trusting.addCaCertificates(tls.localCertificateChain());
        QSslConfiguration::setDefaultConfiguration(trusting);
        const auto restore = qScopeGuard([&] { QSslConfiguration::setDefaultConfiguration(before); });
        FakeHttpServer server(tls, [&](const Request &request, const Peer &peer) {
            const QByteArray body = resultFor(request, "{\"t\":\"" + QByteArray(size, 'x') + "\"}");
            if (how == QLatin1String("length"))
                return peer.json(body);
            if (how == QLatin1String("stream")) {
                peer.beginEvents();
                peer.event(body);
                return peer.endEvents();
            }
            peer.raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + body);
            peer.hangUp();
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        for (int i = 1; i <= 3; ++i) {
            QVERIFY(!h.call(i));
            QTRY_VERIFY(h.probe->received.size() == i || h.failure());
            QVERIFY2(!h.failure(), h.failure() ? qPrintable(h.failure()->message + h.failure()->detail) : "");
            QVERIFY(h.probe->received.last().raw().size() > size);
        }
    }

    void aServerThatNeverBeginsToResponseRunsIntoTheDeadline()
    {
        FakeHttpServer server([](const Request &, const Peer &) {});
        HttpOptions options;
        options.headerTimeoutMs = 100;
        Http h(server.url(), options);
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));  // a call may take as long as its caller wants
        QVERIFY(!h.transport->send(Message::notification(u"n")));
        QTRY_VERIFY(h.failure());
        QVERIFY(h.probe->failed.first().first.isNone());
        QVERIFY(h.failure()->kind == Error::Kind::Timeout);
        QVERIFY2(h.failure()->message.contains(QStringLiteral("0.1 s")), qPrintable(h.failure()->message));
        QCOMPARE(h.probe->failed.size(), 1);
    }

    void aBodyThatStopsInTheMiddleRunsIntoTheDeadline()
    {
        FakeHttpServer server([](const Request &, const Peer &peer) {
            peer.raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"jsonrpc\"");
        });
        HttpOptions options;
        options.bodyIdleMs = 100;
        Http h(server.url(), options);
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(h.failure());
        QVERIFY(h.failure()->kind == Error::Kind::Timeout);
        QCOMPARE(h.probe->of(Kind::Partial).value(0).bytes, QByteArray("{\"jsonrpc\""));
        QVERIFY(h.probe->received.isEmpty());
    }

    void aCutBodyIsNoMessage()
    {
        FakeHttpServer server([](const Request &, const Peer &peer) {
            // Whole JSON, but announced longer: what is missing may have mattered.
            peer.raw(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n"
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
            peer.hangUp();
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(h.failure());
        QVERIFY(h.probe->received.isEmpty());
        QCOMPARE(h.probe->of(Kind::Partial).size(), 1);
    }

    void aSilentStreamIsNoFault()
    {
        std::unique_ptr<Peer> calling;
        FakeHttpServer server([&](const Request &, const Peer &peer) {
            calling = std::make_unique<Peer>(peer);
            peer.beginEvents();
        });
        HttpOptions options;
        options.bodyIdleMs = 50;
        options.headerTimeoutMs = 50;
        Http h(server.url(), options);
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_COMPARE(h.probe->of(Kind::HttpResponse).size(), 1);
        QTimer later;
        later.setSingleShot(true);
        later.start(200);
        QTRY_VERIFY(!later.isActive());
        calling->event("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
        QTRY_COMPARE(h.probe->received.size(), 1);
        QVERIFY(h.probe->failed.isEmpty());
    }

    void tooLongResponsesFailTheirCallOnly_data()
    {
        QTest::addColumn<bool>("asStream");
        QTest::newRow("json") << false;
        QTest::newRow("stream") << true;
    }
    void tooLongResponsesFailTheirCallOnly()
    {
        QFETCH(bool, asStream);
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            const QByteArray result = resultFor(request, methodOf(request) == methods::CallTool
                                                             ? "{\"t\":\"" + QByteArray(500'000, 'x') + "\"}"
                                                             : QByteArray("{}"));
            if (asStream)
                peer.response(200, {{"Content-Type", "text/event-stream"}}, "data: " + result + "\n\n");
            else
                peer.json(result);
        });
        HttpOptions options;
        options.maxMessageBytes = 100'000;
        Http h(server.url(), options);
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(h.failure());
        QVERIFY(h.failure()->message.contains(QStringLiteral("limit")));
        QCOMPARE(h.probe->failed.first().first, RequestId(1));
        QVERIFY(h.probe->of(Kind::Partial).first().bytes.size() <= 100'000);
        QVERIFY(h.probe->of(Kind::Partial).first().wireLength > 100'000);
        QVERIFY(!h.call(2, u"ping"));
        QTRY_COMPARE(h.probe->received.size(), 1);
    }

    // Nothing but the response can be in a body of JSON: the limit holds whatever it claims to be.
    void aTooLongBodyOfAnotherMessageEndsToo()
    {
        bool isCut = false;
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            if (methodOf(request) != methods::CallTool)
                return peer.json(resultFor(request));
            peer.raw(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n"
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\",\"params\":{\"x\":\"");
            auto *clock = new QTimer(this);
            connect(clock, &QTimer::timeout, this, [&isCut, clock, peer] {
                if (peer.isConnected())
                    return peer.raw(QByteArray(64 * 1024, 'x'));
                isCut = true;
                clock->deleteLater();
            });
            clock->start(0);
        });
        HttpOptions options;
        options.maxMessageBytes = 200'000;
        Http h(server.url(), options);
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(h.failure());
        QVERIFY(h.failure()->message.contains(QStringLiteral("limit")));
        QTRY_VERIFY(isCut);
        QCOMPARE(h.probe->of(Kind::Partial).size(), 1);
        QVERIFY(!h.call(2, u"ping"));
        QTRY_COMPARE(h.probe->received.size(), 1);
    }

    // A body that would become gigabytes is never unpacked, whatever packs it.
    void s18_compressionThatWasNotAskedForIsNamed_data()
    {
        QTest::addColumn<QByteArray>("coding");
        for (const char *coding :
             {"gzip", "deflate", "br", "zstd", "compress", "x-gzip", "gzip, gzip", "GZIP", "br, gzip"})
            QTest::newRow(coding) << QByteArray(coding);
    }
    void s18_compressionThatWasNotAskedForIsNamed()
    {
        QFETCH(QByteArray, coding);
        FakeHttpServer server([&](const Request &, const Peer &peer) {
            peer.response(200, {{"Content-Type", "application/json"}, {"Content-Encoding", coding}},
                          QByteArray::fromHex("1f8b0800"));
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(h.failure());
        QVERIFY2(h.failure()->message.contains(QString::fromLatin1(coding)), qPrintable(h.failure()->message));
    }

    void endlessHeadersEndTheRequest_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("lines") << QByteArray("X-Endless: 0123456789012345678901234567890123456789\r\n");
        QTest::newRow("one line") << QByteArray(1000, 'x');
        QTest::newRow("interim responses") << QByteArray("HTTP/1.1 103 Early Hints\r\n\r\n");
    }
    void endlessHeadersEndTheRequest()
    {
        QFETCH(QByteArray, line);
        FakeHttpServer server([&](const Request &, const Peer &peer) { peer.endlessHeaders(line); });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(h.failure());
        QVERIFY2(h.failure()->message.contains(QStringLiteral("limit")), qPrintable(h.failure()->message));
        QVERIFY(h.failure()->message.contains(QStringLiteral("1.00 MiB")));
        QTRY_COMPARE(server.openConnections(), 0);
        QCOMPARE(h.transport->state(), Transport::State::Open);
    }

    void headersThatGoOnSlowlyEndAtTheDeadline_data()
    {
        QTest::addColumn<bool>("isCall");
        QTest::newRow("notification") << false;
        QTest::newRow("call") << true;
    }
    void headersThatGoOnSlowlyEndAtTheDeadline()
    {
        QFETCH(bool, isCall);
        FakeHttpServer server([](const Request &, const Peer &peer) { peer.endlessHeaders("X-Slow: 1\r\n", 10); });
        HttpOptions options;
        options.headerTimeoutMs = 200;
        Http h(server.url(), options);
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!(isCall ? h.call(1) : h.transport->send(Message::notification(u"n"))));
        QTRY_VERIFY(h.failure());
        QVERIFY(h.failure()->kind == Error::Kind::Timeout);
        QVERIFY2(h.failure()->message.contains(QStringLiteral("headers")), qPrintable(h.failure()->message));
        QTRY_COMPARE(server.openConnections(), 0);
        QCOMPARE(h.transport->state(), Transport::State::Open);
    }

    // A call may take as long as it takes, and an interim response is not its head.
    void interimResponsesStartNoDeadline()
    {
        std::unique_ptr<Peer> calling;
        FakeHttpServer server([&](const Request &, const Peer &peer) {
            if (calling)
                return peer.endlessHeaders("X-Slow: 1\r\n", 10);
            calling = std::make_unique<Peer>(peer);
            peer.raw("HTTP/1.1 102 Processing\r\n\r\n");
        });
        HttpOptions options;
        options.headerTimeoutMs = 50;
        Http h(server.url(), options);
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(calling);
        QVERIFY(!h.call(2));
        QTRY_VERIFY(h.failure());  // one that began later is over
        calling->json("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
        QTRY_COMPARE(h.probe->received.size(), 1);
        QCOMPARE(h.probe->failed.size(), 1);
        QCOMPARE(h.probe->failed.first().first, RequestId(2));
    }

    // With a server that never stops sending: nothing waits for it.
    void endlessHeadersDoNotHoldUpTheEnd()
    {
        bool hasBegun = false;
        FakeHttpServer server([&](const Request &, const Peer &peer) {
            hasBegun = true;
            peer.endlessHeaders("X-Slow: 1\r\n", 1);
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(hasBegun);
        QElapsedTimer clock;
        clock.start();
        h.transport.reset();
        QVERIFY2(clock.elapsed() < 4000, qPrintable(QString::number(clock.elapsed())));
        QTRY_COMPARE(server.openConnections(), 0);
    }

    // What breaks HTTP is called by its name.
    void brokenResponsesAreNamed_data()
    {
        QTest::addColumn<QByteArray>("response");
        QTest::addColumn<QString>("said");
        QTest::newRow("another protocol") << QByteArray("SSH-2.0-OpenSSH_9.2\r\n") << "not HTTP";
        QTest::newRow("a status that is no number") << QByteArray("HTTP/1.1 2x0 OK\r\n\r\n") << "not HTTP";
        QTest::newRow("an interim response only") << QByteArray("HTTP/1.1 199 Wait\r\n\r\n") << "closed the connection";
        QTest::newRow("nothing") << QByteArray("") << "closed the connection";
        QTest::newRow("half a head") << QByteArray("HTTP/1.1 200 OK\r\nContent-Ty") << "closed the connection";
        const QByteArray head("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n");
        QTest::newRow("a chunk without a size")
            << QByteArray(head + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n") << "chunked encoding";
        QTest::newRow("a chunk too long")
            << QByteArray(head + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}{}\r\n0\r\n\r\n") << "chunked encoding";
        QTest::newRow("a negative chunk")
            << QByteArray(head + "Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n") << "chunked encoding";
        QTest::newRow("a chunk beyond any number")
            << QByteArray(head + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}\r\n")
            << "chunked encoding";
        QTest::newRow("chunks cut off") << QByteArray(head + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n")
                                        << "closed the connection";
        QTest::newRow("two lengths") << QByteArray(head + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}")
                                     << "Content-Length";
        QTest::newRow("a negative length") << QByteArray(head + "Content-Length: -2\r\n\r\n{}") << "Content-Length";
        QTest::newRow("compressed transfer")
            << QByteArray(head + "Transfer-Encoding: gzip, chunked\r\n\r\n") << "Transfer-Encoding";
    }
    void brokenResponsesAreNamed()
    {
        QFETCH(QByteArray, response);
        QFETCH(QString, said);
        FakeHttpServer server([&](const Request &, const Peer &peer) {
            peer.raw(response);
            peer.hangUp();
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(h.failure());
        QVERIFY2(h.failure()->message.contains(said), qPrintable(h.failure()->message));
        QVERIFY(!h.failure()->message.contains(QStringLiteral("empty body")));
        QVERIFY(!h.failure()->detail.contains(QStringLiteral("Unknown error")));
        QCOMPARE(h.probe->failed.size(), 1);
        QCOMPARE(server.requests().size(), 1);
    }

    void oddButValidResponsesAreRead_data()
    {
        QTest::addColumn<QByteArray>("head");
        QTest::addColumn<bool>("inChunks");
        QTest::newRow("no reason") << QByteArray("HTTP/1.1 200\r\n") << true;
        QTest::newRow("HTTP/1.0") << QByteArray("HTTP/1.0 200 OK\r\n") << false;
        QTest::newRow("line feeds only") << QByteArray("HTTP/1.1 200 OK\nX-A: 1\n") << false;
        QTest::newRow("a blank line before it") << QByteArray("\r\nHTTP/1.1 200 OK\r\n") << false;
        QTest::newRow("interim responses before it")
            << QByteArray("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 199 x\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\n") << true;
        QTest::newRow("a folded value") << QByteArray("HTTP/1.1 200 OK\r\nX-A: 1\r\n two\r\n") << true;
        QTest::newRow("the same length twice") << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 36\r\n") << false;
    }
    void oddButValidResponsesAreRead()
    {
        QFETCH(QByteArray, head);
        QFETCH(bool, inChunks);
        for (const bool dripped : {false, true}) {
            FakeHttpServer server([&](const Request &request, const Peer &peer) {
                const QByteArray body = resultFor(request);
                QCOMPARE(body.size(), 36);
                const QByteArray whole =
                    inChunks ? head + "Content-Type: application/json\r\nTransfer-Encoding: Chunked\r\n\r\n" +
                                   "5;name=\"v\"\r\n" + body.left(5) + "\r\n1F\r\n" + body.mid(5) +
                                   "\r\n0\r\nX-Trailer: 1\r\n\r\n"
                             : head + "Content-Type: application/json\r\nContent-Length: 36\r\n\r\n" + body;
                if (dripped)
                    peer.drip(whole);
                else
                    peer.raw(whole);
            });
            Http h(server.url());
            QTRY_COMPARE(h.probe->opened, 1);
            for (int i = 1; i <= 2; ++i) {
                QVERIFY(!h.call(i));
                QTRY_COMPARE(h.probe->received.size(), i);
            }
            QVERIFY(h.probe->failed.isEmpty());
            QCOMPARE(server.connections(), head.contains("1.0") ? 2 : 1);
        }
    }

    void responsesThatAreNoHttpAreNamed()
    {
        FakeHttpServer server([](const Request &, const Peer &peer) {
            peer.raw("SSH-2.0-OpenSSH_9.2\r\n\r\n");
            peer.hangUp();
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(h.failure());
        QVERIFY(h.failure()->kind == Error::Kind::Transport);
        QCOMPARE(server.requests().size(), 1);
    }
};

SONDE_TEST(HttpFaultsTest)
#include "tst_httpfaults.moc"
