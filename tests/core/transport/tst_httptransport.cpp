// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/methods.h"
#include "core/transport/http/ssecommentlimiter.h"
#include "tests/core/transport/httpfixture.h"
#include "tests/support/testregistry.h"

#include <QSignalSpy>
#include <QTimer>

using namespace sonde;
using namespace sonde::test;
using Kind = WireEvent::Kind;
using Request = FakeHttpServer::Request;
using Peer = FakeHttpServer::Peer;

class HttpTransportTest : public QObject {
    Q_OBJECT
private:
    // An orderly server with a session; unknown methods are answered with {}.
    static FakeHttpServer::Handler orderly()
    {
        return [](const Request &request, const Peer &peer) {
            if (request.method == "GET") {
                peer.beginEvents();
            } else if (request.method == "DELETE") {
                peer.response(200, {}, {});
            } else if (methodOf(request) == methods::Initialize) {
                peer.json(resultFor(request), {{"Mcp-Session-Id", "session-1"}});
            } else if (Message::parse(request.body).kind() == Message::Kind::Request) {
                peer.json(resultFor(request));
            } else {
                peer.accept();
            }
        };
    }
    // *waiting: whom to tell that notifications/initialized is accepted.
    static FakeHttpServer::Handler acceptingTheHandshakeLater(std::unique_ptr<Peer> *waiting)
    {
        return [waiting](const Request &request, const Peer &peer) {
            if (methodOf(request) == methods::Initialized)
                *waiting = std::make_unique<Peer>(peer);
            else
                orderly()(request, peer);
        };
    }
    static QMap<QString, QString> headersOf(const json::Value &facts)
    {
        QMap<QString, QString> map;
        for (const json::Value &pair : facts[u"headers"])
            map.insert(pair.at(0).string().toLower(), pair.at(1).string());
        return map;
    }

private Q_SLOTS:
    void theWholeConversation()
    {
        FakeHttpServer server(orderly());
        Http h(server.url());
        QCOMPARE(h.probe->opened, 0);
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(server.requests().isEmpty());

        QVERIFY(!h.call(1, methods::Initialize));
        QTRY_COMPARE(h.probe->received.size(), 1);
        const Request first = server.requests().first();
        QCOMPARE(first.method, QByteArray("POST"));
        QCOMPARE(first.header("Content-Type"), QByteArray("application/json"));
        QCOMPARE(first.header("Accept"), QByteArray("application/json, text/event-stream"));
        QVERIFY(!first.has("Mcp-Session-Id"));
        QVERIFY(!first.has("MCP-Protocol-Version"));

        h.transport->setRevision(Revision::R20250618);
        QVERIFY(!h.transport->send(Message::notification(methods::Initialized)));
        h.transport->sessionReady();
        QTRY_COMPARE(server.requests("GET").size(), 1);
        QVERIFY(!h.call(2));
        QTRY_COMPARE(h.probe->received.size(), 2);
        for (const Request &request : server.requests().mid(1)) {
            QCOMPARE(request.header("Mcp-Session-Id"), QByteArray("session-1"));
            QCOMPARE(request.header("MCP-Protocol-Version"), QByteArray("2025-06-18"));
            QCOMPARE(request.path, QByteArray("/mcp"));
        }
        QCOMPARE(server.requests("GET").first().header("Accept"), QByteArray("text/event-stream"));

        h.transport->close();
        QTRY_VERIFY(h.probe->closed);
        QVERIFY(h.probe->closed->kind == Error::Kind::None);
        QCOMPARE(server.requests("DELETE").size(), 1);
        QCOMPARE(server.requests("DELETE").first().header("Mcp-Session-Id"), QByteArray("session-1"));
        QVERIFY(h.probe->failed.isEmpty());
        QTRY_COMPARE(server.openConnections(), 0);
    }

    // Whatever went over the wire stands in the record, header for header.
    void theRecordIsTrue()
    {
        FakeHttpServer server(orderly());
        HttpOptions options;
        options.headers = {{"X-Key", "value"}, {"Authorization", "Bearer abc"}};
        Http h(server.url(), options);
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1, methods::Initialize));
        QTRY_COMPARE(h.probe->received.size(), 1);
        h.transport->sessionReady();
        QTRY_COMPARE(server.requests().size(), 2);
        h.transport->close();
        QTRY_VERIFY(h.probe->closed);
        QCOMPARE(server.requests().size(), 3);
        const QList<WireEvent> recorded = h.probe->of(Kind::HttpRequest);
        QCOMPARE(recorded.size(), 3);
        for (qsizetype i = 0; i < 3; ++i) {
            const json::Value facts = json::parse(recorded.at(i).facts);
            QCOMPARE(facts[u"method"].string().toLatin1(), server.requests().at(i).method);
            QCOMPARE(facts[u"url"].string(), server.url().toString());
            QMap<QString, QString> sent;
            for (const auto &[name, value] : server.requests().at(i).headers)
                sent.insert(QString::fromLatin1(name).toLower(), QString::fromLatin1(value));
            QCOMPARE(headersOf(facts), sent);
            QCOMPARE(sent.value(QStringLiteral("authorization")), QStringLiteral("Bearer abc"));
            QCOMPARE(sent.value(QStringLiteral("user-agent")), QStringLiteral("Sonde/" SONDE_VERSION));
            QCOMPARE(sent.value(QStringLiteral("accept-encoding")), QStringLiteral("identity"));
        }
        const WireEvent response = h.probe->of(Kind::HttpResponse).first();
        const json::Value facts = json::parse(response.facts);
        QCOMPARE(facts[u"status"].toInteger(), std::optional<qint64>(200));
        QCOMPARE(facts[u"stream"].toInteger(), std::optional<qint64>(1));
        QVERIFY(facts[u"ms"].isNumber());
        QCOMPARE(headersOf(facts).value(QStringLiteral("mcp-session-id")), QStringLiteral("session-1"));
        // The message and its response carry the number of the exchange.
        for (const WireEvent &event : h.probe->of(Kind::Message))
            QCOMPARE(json::parse(event.facts)[u"stream"].toInteger(), std::optional<qint64>(1));
    }

    void anResponseMayComeAsAStream_data()
    {
        QTest::addColumn<QString>("how");
        for (const char *how : {"whole", "dripped", "crlf", "cr", "no length", "odd type"})
            QTest::newRow(how) << QString::fromLatin1(how);
    }
    void anResponseMayComeAsAStream()
    {
        QFETCH(QString, how);
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            QByteArray events =
                "\xEF\xBB\xBF: hi\n\nevent: message\ndata: " + Message::notification(methods::Progress).raw() +
                "\n\nevent: other\ndata: x\n\ndata: " + resultFor(request) + "\n\n";
            if (how == QLatin1String("crlf"))
                events.replace('\n', "\r\n");
            if (how == QLatin1String("cr"))
                events.replace('\n', '\r');
            if (how == QLatin1String("whole") || how == QLatin1String("crlf") || how == QLatin1String("cr")) {
                peer.beginEvents();
                peer.piece(events);
                peer.endEvents();
            } else if (how == QLatin1String("dripped")) {
                peer.drip("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: " +
                          QByteArray::number(events.size()) + "\r\n\r\n" + events);
            } else if (how == QLatin1String("no length")) {
                peer.raw("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + events);
                peer.hangUp();
            } else {
                peer.response(200, {{"content-type", "Text/Event-Stream ; charset=windows-1252"}}, events);
            }
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_COMPARE(h.probe->received.size(), 2);
        QVERIFY(h.probe->received.at(0).kind() == Message::Kind::Notification);
        QCOMPARE(h.probe->received.at(1).id(), RequestId(1));
        QVERIFY(h.probe->failed.isEmpty());
        const QList<WireEvent> others = h.probe->of(Kind::Sse);
        QCOMPARE(others.size(), 2);
        QCOMPARE(json::parse(others.at(0).facts)[u"comment"].string(), QStringLiteral(" hi"));
        QCOMPARE(json::parse(others.at(1).facts)[u"event"].string(), QStringLiteral("other"));
    }

    void aFloodOfCommentsIsNotRecorded()
    {
        FakeHttpServer server([](const Request &, const Peer &peer) {
            peer.beginEvents();
            peer.piece(QByteArray(": ping\n").repeated(20'000));
            peer.event("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
            peer.endEvents();
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_COMPARE(h.probe->received.size(), 1);
        // One more for each ten seconds that it takes.
        QVERIFY2(h.probe->of(Kind::Sse).size() < 200, qPrintable(QString::number(h.probe->of(Kind::Sse).size())));
        QVERIFY(h.probe->of(Kind::Sse).size() >= SseCommentLimiter::Burst);
    }

    void requestsOfTheServerComeOnTheGetStream()
    {
        std::unique_ptr<Peer> listening;
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            if (request.method == "GET") {
                listening = std::make_unique<Peer>(peer);
                peer.beginEvents();
            } else {
                orderly()(request, peer);
            }
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        h.transport->sessionReady();
        QTRY_VERIFY(listening);
        listening->event(Message::request(RequestId(QStringLiteral("q")), methods::ListRoots).raw());
        QTRY_COMPARE(h.probe->received.size(), 1);
        QVERIFY(!h.transport->send(Message::response(h.probe->received.first().id(), "{\"roots\":[]}")));
        QTRY_COMPARE(server.requests("POST").size(), 1);
        QVERIFY(h.probe->failed.isEmpty());
    }

    void theGetStreamIsOptional_data()
    {
        QTest::addColumn<int>("status");
        for (const int status : {400, 404, 405})
            QTest::addRow("%d", status) << status;
    }
    void theGetStreamIsOptional()
    {
        QFETCH(int, status);
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            if (request.method == "GET")
                peer.response(status, {}, "no");
            else
                orderly()(request, peer);
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1, methods::Initialize));
        QTRY_COMPARE(h.probe->received.size(), 1);
        h.transport->sessionReady();
        QTRY_COMPARE(h.probe->of(Kind::HttpResponse).size(), 2);
        QCOMPARE(h.probe->of(Kind::HttpResponse).last().bytes, QByteArray("no"));
        QVERIFY(!h.call(2));
        QTRY_COMPARE(h.probe->received.size(), 2);
        QVERIFY(h.probe->failed.isEmpty());
        QCOMPARE(server.requests("GET").size(), 1);
    }

    // Some servers of Streamable HTTP still say that they speak 2024-11-05.
    void theGetStreamIsOpenedWhereverThereAreSessions_data()
    {
        QTest::addColumn<int>("revision");
        QTest::addColumn<int>("streams");
        for (const Revision revision : statefulRevisions())
            QTest::addRow("%s", qPrintable(toString(revision))) << int(revision) << 1;
        for (const Revision revision : statelessRevisions())
            QTest::addRow("%s", qPrintable(toString(revision))) << int(revision) << 0;
    }
    void theGetStreamIsOpenedWhereverThereAreSessions()
    {
        QFETCH(int, revision);
        QFETCH(int, streams);
        FakeHttpServer server(orderly());
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        h.transport->setRevision(Revision(revision));
        h.transport->sessionReady();
        QVERIFY(!h.call(1));
        QTRY_COMPARE(h.probe->received.size(), 1);
        QTRY_COMPARE(server.requests("GET").size(), streams);
    }

    void theGetStreamCanBeSwitchedOff()
    {
        FakeHttpServer server(orderly());
        HttpOptions options;
        options.openGetStream = false;
        Http h(server.url(), options);
        QTRY_COMPARE(h.probe->opened, 1);
        h.transport->sessionReady();
        QVERIFY(!h.call(1));
        QTRY_COMPARE(h.probe->received.size(), 1);
        QCOMPARE(server.requests("GET").size(), 0);
    }

    // The next request must not overtake notifications/initialized, nor the GET stream.
    void nothingGoesBeforeTheHandshakeIsAccepted()
    {
        std::unique_ptr<Peer> waiting;
        FakeHttpServer server(acceptingTheHandshakeLater(&waiting));
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.transport->send(Message::notification(methods::Initialized)));
        h.transport->sessionReady();
        QVERIFY(!h.call(1));
        QVERIFY(!h.call(2));
        QTRY_VERIFY(waiting);
        QCOMPARE(server.requests().size(), 1);
        waiting->accept();
        QTRY_COMPARE(h.probe->received.size(), 2);
        QTRY_COMPARE(server.requests("GET").size(), 1);
        QStringList verbs;  // the stream for what the server sends is opened before it gets requests
        for (const WireEvent &event : h.probe->of(Kind::HttpRequest))
            verbs.append(json::parse(event.facts)[u"method"].string());
        QCOMPARE(verbs.join(QLatin1Char(' ')), QStringLiteral("POST GET POST POST"));
        QMap<QByteArray, qint64> sent;  // the numbers in the record are those of the exchanges
        for (const WireEvent &event : h.probe->of(Kind::Message)) {
            const qint64 stream = json::parse(event.facts)[u"stream"].toInteger().value_or(0);
            if (event.direction == Direction::ToServer)
                sent.insert(event.message.id().toJson(), stream);
            else
                QCOMPARE(stream, sent.value(event.message.id().toJson()));
        }
    }

    void notificationsAreAcceptedInEveryCommonWay_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("body");
        QTest::newRow("202") << 202 << QByteArray();
        QTest::newRow("202 with text") << 202 << QByteArray("Accepted");
        QTest::newRow("200 with {}") << 200 << QByteArray("{}");
        QTest::newRow("204") << 204 << QByteArray();
    }
    void notificationsAreAcceptedInEveryCommonWay()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, body);
        FakeHttpServer server([&](const Request &, const Peer &peer) {
            if (status == 204)
                peer.raw("HTTP/1.1 204 No Content\r\n\r\n");
            else
                peer.response(status, {{"Content-Type", "application/json"}}, body);
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.transport->send(Message::notification(u"notifications/x")));
        QTRY_COMPARE(h.probe->of(Kind::HttpResponse).size(), 1);
        QCOMPARE(h.probe->of(Kind::HttpResponse).first().bytes, body);
        QVERIFY(h.probe->failed.isEmpty());
        QVERIFY(h.probe->received.isEmpty());
    }

    // A message that a person may see when the server hangs: 24 calls, and the cancel of one, all at once.
    void callsNeverWaitForEachOther()
    {
        QList<Peer> hanging;
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            if (methodOf(request) == methods::CallTool)
                hanging += peer;
            else
                peer.accept();
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        for (int i = 1; i <= 24; ++i)
            QVERIFY(!h.call(i));
        QTRY_COMPARE(hanging.size(), 24);
        QVERIFY(!h.transport->send(Message::notification(methods::Cancelled, "{\"requestId\":1}")));
        QTRY_COMPARE(server.requests().size(), 25);
        for (qsizetype i = 0; i < 24; ++i)
            hanging.at(i).json(resultFor(server.requests().at(i)));
        QTRY_COMPARE(h.probe->received.size(), 24);
        QVERIFY(h.probe->failed.isEmpty());
    }

    void nothingIsDeliveredWhileReadingIsPaused_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("body");
        QTest::newRow("result") << 200 << QByteArray("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
        QTest::newRow("error") << 400
                               << QByteArray(
                                      "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,\"message\":\"m\"}}");
    }
    void nothingIsDeliveredWhileReadingIsPaused()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, body);
        FakeHttpServer server([&](const Request &, const Peer &peer) {
            peer.response(status, {{"Content-Type", "application/json"}}, body);
        });
        Http h(server.url());
        Http other(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QTRY_COMPARE(other.probe->opened, 1);
        std::shared_ptr<void> hold = h.transport->holdReading();
        QVERIFY(!h.call(1));
        QTRY_COMPARE(server.requests().size(), 1);
        for (int i = 1; i <= 5; ++i) {  // what came first has come long since
            QVERIFY(!other.call(1));
            QTRY_COMPARE(other.probe->received.size(), i);
        }
        QVERIFY(h.probe->received.isEmpty());
        hold.reset();
        QTRY_COMPARE(h.probe->received.size(), 1);
        QVERIFY(h.probe->failed.isEmpty());
    }

    void connectionsAreUsedAgain()
    {
        FakeHttpServer server(orderly());
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        for (int i = 1; i <= 20; ++i) {
            QVERIFY(!h.call(i));
            QTRY_COMPARE(h.probe->received.size(), i);
        }
        QVERIFY2(server.connections() <= 2, qPrintable(QString::number(server.connections())));
    }

    void cookiesAreNeitherKeptNorSent()
    {
        FakeHttpServer server([](const Request &request, const Peer &peer) {
            peer.json(resultFor(request), {{"Set-Cookie", "a=1; Path=/"}, {"Set-Cookie", "b=2"}});
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_COMPARE(h.probe->received.size(), 1);
        QVERIFY(!h.call(2));
        QTRY_COMPARE(h.probe->received.size(), 2);
        for (const Request &request : server.requests())
            QVERIFY(!request.has("Cookie"));
        int cookies = 0;
        for (const json::Value &pair : json::parse(h.probe->of(Kind::HttpResponse).first().facts)[u"headers"])
            cookies += pair.at(0).string().toLower() == QLatin1String("set-cookie") ? 1 : 0;
        QCOMPARE(cookies, 2);
    }

    void headersThatCannotBeSentAreRefused_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("value");
        QTest::newRow("line feed") << QByteArray("X-A") << QByteArray("1\nInjected: 2");
        QTest::newRow("cr lf") << QByteArray("X-A") << QByteArray("1\r\nInjected: 2");
        QTest::newRow("nul") << QByteArray("X-A") << QByteArray("1\0002", 3);
        QTest::newRow("name with space") << QByteArray("X A") << QByteArray("1");
        QTest::newRow("name with colon") << QByteArray("X:A") << QByteArray("1");
        QTest::newRow("empty name") << QByteArray() << QByteArray("1");
        for (const char *name : {"content-type", "Accept", "HOST", "Mcp-Session-Id", "MCP-Protocol-Version",
                                 "Last-Event-ID", "Content-Length", "Transfer-Encoding", "Mcp-Param-City"})
            QTest::newRow(name) << QByteArray(name) << QByteArray("x");
    }
    void headersThatCannotBeSentAreRefused()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, value);
        FakeHttpServer server(orderly());
        HttpOptions options;
        options.headers = {{name, value}};
        Http h(server.url(), options);
        QVERIFY(!h.probe->closed);
        QTRY_VERIFY(h.probe->closed);
        QVERIFY(h.probe->closed->kind == Error::Kind::Local);
        QVERIFY(h.probe->closed->message.contains(QString::fromLatin1(name)));
        QCOMPARE(server.connections(), 0);
    }

    void credentialsInTheUrlBecomeAHeader()
    {
        FakeHttpServer server(orderly());
        QUrl url = server.url();
        url.setUserInfo(QStringLiteral("me:p%40ss"));
        Http h(url);
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_COMPARE(h.probe->received.size(), 1);
        QCOMPARE(server.requests().first().header("Authorization"), "Basic " + QByteArray("me:p@ss").toBase64());
        for (const WireEvent &event : std::as_const(h.probe->events))
            QVERIFY(!event.facts.contains("p%40ss") && !event.facts.contains("p@ss"));
    }

    void aSessionIdComesWithTheHandshakeOnly()
    {
        FakeHttpServer server([](const Request &request, const Peer &peer) {
            const bool isHandshake = methodOf(request) == methods::Initialize;
            peer.json(resultFor(request), {{"Mcp-Session-Id", isHandshake ? "good" : "other"}});
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1, methods::Initialize));
        QTRY_COMPARE(h.probe->received.size(), 1);
        for (int i = 2; i < 4; ++i) {
            QVERIFY(!h.call(i));
            QTRY_COMPARE(h.probe->received.size(), i);
            QCOMPARE(server.requests().last().header("Mcp-Session-Id"), QByteArray("good"));
        }
    }

    void aBadSessionIdIsNotSentBack()
    {
        FakeHttpServer server([](const Request &request, const Peer &peer) {
            peer.json(resultFor(request), {{"Mcp-Session-Id", "with space"}});
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1, methods::Initialize));
        QTRY_COMPARE(h.probe->received.size(), 1);
        QVERIFY(!h.call(2));
        QTRY_COMPARE(h.probe->received.size(), 2);
        QVERIFY(!server.requests().last().has("Mcp-Session-Id"));
        QVERIFY(h.probe->facts(Kind::Note, QStringLiteral("session id ignored")).exists());
    }

    // What is recorded as sent has left: closing waits for it.
    void closingLetsWhatIsOnItsWayArrive()
    {
        std::unique_ptr<Peer> waiting;
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            if (methodOf(request) == methods::Initialized)
                waiting = std::make_unique<Peer>(peer);
            else if (methodOf(request) != methods::CallTool)
                orderly()(request, peer);
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1, methods::Initialize));
        QTRY_COMPARE(h.probe->received.size(), 1);
        QVERIFY(!h.transport->send(Message::notification(methods::Initialized)));
        QVERIFY(!h.call(2));
        h.transport->close();
        QTRY_VERIFY(waiting);
        QVERIFY(!h.probe->closed);
        waiting->accept();
        QTRY_VERIFY(h.probe->closed);
        QTRY_COMPARE(server.requests().size(), 4);
        QCOMPARE(methodOf(server.requests().at(1)), methods::Initialized);
        QCOMPARE(methodOf(server.requests("POST").last()), methods::CallTool);
        QCOMPARE(server.requests("DELETE").size(), 1);
        QVERIFY(!h.probe->facts(Kind::Note, QStringLiteral("not sent")).exists());
    }

    void aCancellationArrivesBeforeTheEnd()
    {
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            if (methodOf(request) != methods::CallTool)
                orderly()(request, peer);
        });
        for (int i = 1; i <= 5; ++i) {
            Http h(server.url());
            QTRY_COMPARE(h.probe->opened, 1);
            QVERIFY(!h.call(1));
            QTRY_COMPARE(server.requests().size(), 2 * i - 1);
            QVERIFY(!h.transport->send(Message::notification(methods::Cancelled, "{\"requestId\":1}")));
            h.transport->close();
            QTRY_VERIFY(h.probe->closed);
            QCOMPARE(server.requests().size(), 2 * i);
            QCOMPARE(methodOf(server.requests().last()), methods::Cancelled);
        }
    }

    // A server that accepts nothing does not hold up the end, and the record says what never left.
    void closingDoesNotWaitForEver()
    {
        FakeHttpServer server([](const Request &, const Peer &) {});
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.transport->send(Message::notification(methods::Initialized)));
        QVERIFY(!h.call(2));
        h.transport->close();
        QTRY_VERIFY(h.probe->closed);
        QVERIFY(h.probe->closed->kind == Error::Kind::None);
        QCOMPARE(server.requests().size(), 1);
        QCOMPARE(h.probe->facts(Kind::Note, QStringLiteral("not sent"))[u"method"].string(),
                 QStringLiteral("tools/call"));
        for (const WireEvent &event : h.probe->of(Kind::Message))
            QCOMPARE(event.message.method(), methods::Initialized);
    }

    // The server has never heard of it, and never will.
    void aRequestCancelledBehindTheHandshakeIsNotSent()
    {
        std::unique_ptr<Peer> waiting;
        FakeHttpServer server(acceptingTheHandshakeLater(&waiting));
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.transport->send(Message::notification(methods::Initialized)));
        QVERIFY(!h.call(1));
        QVERIFY(!h.call(2));
        QVERIFY(!h.transport->abandon(RequestId(1)));
        QTRY_VERIFY(waiting);
        waiting->accept();
        QTRY_COMPARE(h.probe->received.size(), 1);
        QCOMPARE(h.probe->received.first().id(), RequestId(2));
        QCOMPARE(server.requests().size(), 2);
        QCOMPARE(h.probe->facts(Kind::Note, QStringLiteral("not sent"))[u"method"].string(),
                 QStringLiteral("tools/call"));
        QList<QByteArray> sent;  // as recorded
        for (const WireEvent &event : h.probe->of(Kind::Message)) {
            if (event.direction == Direction::ToServer)
                sent += event.bytes;
        }
        QCOMPARE(sent, QList<QByteArray>({server.requests().at(0).body, server.requests().at(1).body}));
    }

    void noSessionMeansNoDelete()
    {
        FakeHttpServer server([](const Request &request, const Peer &peer) { peer.json(resultFor(request)); });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_COMPARE(h.probe->received.size(), 1);
        h.transport->close();
        QVERIFY(!h.probe->closed);
        QTRY_VERIFY(h.probe->closed);
        QCOMPARE(server.requests("DELETE").size(), 0);
    }

    void closingEndsEvenWhenTheServerIgnoresIt()
    {
        FakeHttpServer server([](const Request &request, const Peer &peer) {
            if (request.method == "POST")
                peer.json(resultFor(request), {{"Mcp-Session-Id", "s"}});
        });
        HttpOptions options;
        options.headerTimeoutMs = 100;
        Http h(server.url(), options);
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1, methods::Initialize));
        QTRY_COMPARE(h.probe->received.size(), 1);
        h.transport->close();
        QTRY_VERIFY(h.probe->closed);
        QVERIFY(h.probe->closed->kind == Error::Kind::None);
        QCOMPARE(h.probe->closings, 1);
        QCOMPARE(server.requests("DELETE").size(), 1);
    }

    void canBeOpenedAgain()
    {
        FakeHttpServer server(orderly());
        Http h(server.url());
        for (int round = 1; round <= 3; ++round) {
            QTRY_COMPARE(h.probe->opened, round);
            QVERIFY(!h.call(1, methods::Initialize));
            QTRY_COMPARE(h.probe->received.size(), round);
            QVERIFY(!server.requests("POST").last().has("Mcp-Session-Id"));
            h.transport->close();
            QTRY_COMPARE(h.probe->closings, round);
            h.transport->open();
        }
    }

    void aSlotMayDeleteTheTransport_data()
    {
        QTest::addColumn<QString>("when");
        for (const char *when : {"opened", "received", "failed", "closed"})
            QTest::newRow(when) << QString::fromLatin1(when);
    }
    void aSlotMayDeleteTheTransport()
    {
        QFETCH(QString, when);
        FakeHttpServer server([](const Request &request, const Peer &peer) {
            peer.beginEvents();
            peer.event(Message::notification(u"n").raw());
            peer.event(Message::notification(u"n").raw());
            if (methodOf(request) == u"good")
                peer.event(resultFor(request));
            peer.endEvents();
        });
        Http h(server.url());
        bool deleted = false;
        const auto die = [&] {
            deleted = true;
            h.transport.reset();
        };
        if (when == QLatin1String("opened"))
            connect(h.transport.get(), &Transport::opened, this, die);
        QTRY_COMPARE(h.probe->opened, 1);
        if (when == QLatin1String("received"))
            connect(h.transport.get(), &Transport::received, this, die);
        else if (when == QLatin1String("failed"))
            connect(h.transport.get(), &Transport::failed, this, die);
        else if (when == QLatin1String("closed"))
            connect(h.transport.get(), &Transport::closed, this, die);
        if (h.transport) {
            QVERIFY(!h.call(1, u"bad"));
            if (when == QLatin1String("closed"))
                h.transport->close();
        }
        QTRY_VERIFY(deleted);
        QTRY_COMPARE(server.openConnections(), 0);
    }

    void aFloodOfEventsLeavesTimeForOthers()
    {
        constexpr int count = 20'000;
        FakeHttpServer server([](const Request &request, const Peer &peer) {
            QByteArray events;
            for (int i = 0; i < count; ++i)
                events +=
                    "data: " + Message::notification(u"flood", "{\"value\":" + QByteArray::number(i) + "}").raw() +
                    "\n\n";
            peer.response(200, {{"Content-Type", "text/event-stream"}},
                          events + "data: " + resultFor(request) + "\n\n");
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        int ticks = 0;
        QTimer timer;
        connect(&timer, &QTimer::timeout, this, [&] { ++ticks; });
        QVERIFY(!h.call(1));
        timer.start(0);
        QTRY_COMPARE_WITH_TIMEOUT(h.probe->received.size(), count + 1, 60'000);
        QCOMPARE(h.probe->received.at(count - 1).params()[u"value"].toInteger(), std::optional<qint64>(count - 1));
        QVERIFY2(ticks > 10, qPrintable(QString::number(ticks)));
    }

    void bigResponsesArriveWhole_data()
    {
        QTest::addColumn<bool>("asStream");
        QTest::newRow("json") << false;
        QTest::newRow("stream") << true;
    }
    void bigResponsesArriveWhole()
    {
        QFETCH(bool, asStream);
        const QByteArray text(12'000'000, 'z');
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            const QByteArray result = resultFor(request, "{\"text\":\"" + text + "\"}");
            if (asStream)
                peer.response(200, {{"Content-Type", "text/event-stream"}}, "data: " + result + "\n\n");
            else
                peer.json(result);
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_COMPARE_WITH_TIMEOUT(h.probe->received.size(), 1, 60'000);
        QVERIFY(h.probe->received.first().raw().size() > text.size());
        QVERIFY(h.probe->received.first().kind() == Message::Kind::Result);
    }
};

SONDE_TEST(HttpTransportTest)
#include "tst_httptransport.moc"
