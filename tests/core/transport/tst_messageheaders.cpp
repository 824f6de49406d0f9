// Headers of one message only: what they are on the wire, in the record, and to the messages after it.
// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/methods.h"
#include "tests/core/transport/httpfixture.h"
#include "tests/support/testregistry.h"

#include <QMap>

using namespace sonde;
using namespace sonde::test;
using namespace Qt::StringLiterals;
using Kind = WireEvent::Kind;
using Request = FakeHttpServer::Request;
using Peer = FakeHttpServer::Peer;
using HeaderMap = QMap<QByteArray, QByteArray>;  // names in lower case

class MessageHeadersTest : public QObject {
    Q_OBJECT
private:
    static HeaderMap sentIn(const Request &request)
    {
        HeaderMap map;
        for (const auto &[name, value] : request.headers) {
            if (map.contains(name.toLower()))
                qWarning("%s came twice", name.constData());
            map.insert(name.toLower(), value);
        }
        return map;
    }
    static HeaderMap recordedIn(const WireEvent &event)
    {
        HeaderMap map;
        for (const json::Value &pair : json::parse(event.facts)[u"headers"])
            map.insert(pair.at(0).string().toLower().toUtf8(), pair.at(1).string().toUtf8());
        return map;
    }
    static Error send(const Http &http, int id, const MessageHeaders &headers)
    {
        return http.transport->send(Message::request(RequestId(id), u"tools/call"), {{}, headers});
    }
    // A session has begun, and everything that Sonde sends by itself goes with a message.
    static bool begins(const Http &http, const FakeHttpServer &server)
    {
        if (!QTest::qWaitFor([&] { return http.probe->opened == 1; }, Patience) || http.call(1, methods::Initialize) ||
            !QTest::qWaitFor([&] { return http.probe->received.size() == 1; }, Patience))
            return false;
        http.transport->setRevision(Revision::R20251125);
        return server.requests().size() == 1;
    }
    static FakeHttpServer::Handler orderly()
    {
        return [](const Request &request, const Peer &peer) {
            if (methodOf(request) == methods::Initialize)
                peer.json(resultFor(request), {{"Mcp-Session-Id", "session-1"}});
            else
                peer.json(resultFor(request));
        };
    }
    static HttpOptions ownHeaders()
    {
        HttpOptions options;
        options.headers = {{"Authorization", "Bearer of-the-server"}, {"X-Team", "a"}};
        return options;
    }

private Q_SLOTS:
    void theServerSeesExactlyThese()
    {
        FakeHttpServer server(orderly());
        Http h(server.url(), ownHeaders());
        QVERIFY(begins(h, server));
        const QByteArray host = "127.0.0.1:" + QByteArray::number(server.port());
        const HeaderMap own{{"host", host},
                            {"connection", "Keep-Alive"},
                            {"content-type", "application/json"},
                            {"accept", "application/json, text/event-stream"},
                            {"accept-encoding", "identity"},
                            {"accept-language", "*"},
                            {"user-agent", "Sonde/" SONDE_VERSION},
                            {"mcp-protocol-version", "2025-11-25"},
                            {"mcp-session-id", "session-1"},
                            {"authorization", "Bearer of-the-server"},
                            {"x-team", "a"}};
        QSet<QByteArray> names;
        for (const QByteArray &name : h.transport->headerNames())
            names.insert(name.toLower());
        QSet<QByteArray> expectedNames(own.keyBegin(), own.keyEnd());
        QCOMPARE(names, expectedNames - QSet<QByteArray>({"host", "connection"}));

        QVERIFY(!send(h, 2,
                      {{"X-New", "1, \xC3\xBC"},
                       {"ACCEPT", "text/plain"},
                       {"Mcp-Session-Id", "another"},
                       {"mcp-protocol-version", "1999-01-01"},
                       {"Host", "elsewhere.example"},
                       {"Connection", "close"},
                       {"Authorization", ""},
                       {"Content-Type", ""},
                       {"X-Team", ""},
                       {"X-Nobody-Has", ""}}));
        QTRY_COMPARE(h.probe->received.size(), 2);
        HeaderMap expected = own;
        for (const char *name : {"authorization", "content-type", "x-team"})
            expected.remove(name);
        expected.insert({{"x-new", "1, \xC3\xBC"},
                         {"accept", "text/plain"},
                         {"mcp-session-id", "another"},
                         {"mcp-protocol-version", "1999-01-01"},
                         {"host", "elsewhere.example"},
                         {"connection", "close"}});
        Request request = server.requests().last();
        expected.insert("content-length", QByteArray::number(request.body.size()));
        QCOMPARE(sentIn(request), expected);
        QCOMPARE(recordedIn(h.probe->of(Kind::HttpRequest).last()), expected);
        QCOMPARE(server.requests().size(), 2);

        // The one after it is as they always are.
        QVERIFY(!h.call(3));
        QTRY_COMPARE(h.probe->received.size(), 3);
        request = server.requests().last();
        expected = own;
        expected.insert("content-length", QByteArray::number(request.body.size()));
        QCOMPARE(sentIn(request), expected);
        QCOMPARE(recordedIn(h.probe->of(Kind::HttpRequest).last()), expected);
    }

    // What every HTTP request needs: recorded as it went. Nothing adds any of the others in their place.
    void someCannotBeLeftOut()
    {
        FakeHttpServer server(orderly());
        Http h(server.url());
        QVERIFY(begins(h, server));
        const QList<QByteArray> needed{"Host", "Connection"};
        MessageHeaders headers;
        for (const QByteArray &name : needed) {
            QVERIFY(isIndispensableHeader(name.toLower()));
            headers.append({name, {}});
        }
        for (const QByteArray &name : h.transport->headerNames()) {
            if (!isIndispensableHeader(name))
                headers.append({name, {}});
        }
        QVERIFY(!send(h, 2, headers));
        QTRY_COMPARE(h.probe->received.size(), 2);
        const HeaderMap sent = sentIn(server.requests().last());
        QSet<QByteArray> expected{"content-length"};
        for (const QByteArray &name : needed)
            expected.insert(name.toLower());
        QCOMPARE(QSet<QByteArray>(sent.keyBegin(), sent.keyEnd()), expected);
        QCOMPARE(recordedIn(h.probe->of(Kind::HttpRequest).last()), sent);
    }

    void aNameGoesOutOnceAndIsRecordedOnce()
    {
        FakeHttpServer server(orderly());
        HttpOptions options;
        options.headers = {{"X-Twice", "first"}, {"x-twice", "second"}};
        Http h(server.url(), options);
        QVERIFY(begins(h, server));
        QCOMPARE(server.requests().first().header("X-Twice"), QByteArray("second"));
        QCOMPARE(recordedIn(h.probe->of(Kind::HttpRequest).first()), sentIn(server.requests().first()));
        QVERIFY(!h.probe->of(Kind::HttpRequest).first().facts.contains("first"));
    }

    void whatCannotBeAHeaderIsRefused_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QString>("said");
        QTest::newRow("line feed") << "X-A"_ba
                                   << "1\nInjected: 2"_ba << u"“X-A” contains a line feed (LF) at character 2"_s;
        QTest::newRow("cr lf") << "X-A"_ba
                               << "\xC3\xBC\r\nInjected: 2"_ba
                               << u"“X-A” contains a carriage return (CR) at character 2"_s;
        QTest::newRow("nul") << "X-A"_ba << QByteArray("1\0002", 3) << u"“X-A” contains a NUL at character 2"_s;
        QTest::newRow("control") << "X-A"_ba
                                 << "\x1b[1m"_ba << u"the control character 0x1b at character 1"_s;
        QTest::newRow("delete") << "X-A"_ba
                                << "a\x7f"_ba << u"0x7f at character 2"_s;
        QTest::newRow("space in the name") << "X A"_ba
                                           << "1"_ba << u"“X A” is not a valid header name (header 2)"_s;
        QTest::newRow("colon in the name") << "X:A"_ba
                                           << "1"_ba << u"(header 2)"_s;
        QTest::newRow("line feed in the name") << "X\nA"_ba
                                               << "1"_ba << u"(header 2)"_s;
        QTest::newRow("umlaut in the name") << "X-\xC3\xBC"_ba
                                            << "1"_ba << u"(header 2)"_s;
        QTest::newRow("line feed in a name left out") << "X\r\nA"_ba
                                                      << ""_ba << u"(header 2)"_s;
        QTest::newRow("no name") << ""_ba
                                 << "1"_ba << u"Header 2 has a value but no name"_s;
        QTest::newRow("twice") << "x-first"_ba
                               << "1"_ba << u"Duplicate header “x-first” (header 2)"_s;
        QTest::newRow("length") << "content-length"_ba
                                << "1"_ba << u"“content-length” cannot be set"_s;
        QTest::newRow("chunks") << "Transfer-Encoding"_ba
                                << "chunked"_ba << u"“Transfer-Encoding” cannot be set"_s;
    }
    void whatCannotBeAHeaderIsRefused()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, value);
        QFETCH(QString, said);
        FakeHttpServer server(orderly());
        Http h(server.url());
        QVERIFY(begins(h, server));
        const Error error = send(h, 2, {{"X-First", "secret-of-the-first"}, {name, value}});
        QVERIFY(error.kind == Error::Kind::Local);
        QVERIFY2(error.message.contains(said), qPrintable(error.message));
        QVERIFY(!error.hint.isEmpty());
        QVERIFY(h.probe->of(Kind::Note).last().facts.contains("not sent"));
        QVERIFY(!h.probe->of(Kind::Note).last().facts.contains("secret-of-the-first"));
        // Nothing of it goes out, and the connection goes on.
        QVERIFY(!h.call(3));
        QTRY_COMPARE(h.probe->received.size(), 2);
        QCOMPARE(server.requests().size(), 2);
        QVERIFY(!server.requests().last().has("X-First"));
    }

    void aRedirectTakesThemNowhereElse_data()
    {
        QTest::addColumn<int>("status");
        for (const int status : {301, 302, 303, 307, 308})
            QTest::addRow("%d", status) << status;
    }
    void aRedirectTakesThemNowhereElse()
    {
        QFETCH(int, status);
        int foreign = 0;
        FakeHttpServer other([&](const Request &, const Peer &peer) {
            ++foreign;
            peer.accept();
        });
        QByteArray location = other.url().toEncoded();
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            if (request.path == "/mcp")
                peer.response(status, {{"Location", location}}, {});
            else
                peer.json(resultFor(request));
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        // A name in Host does not make another origin the same one.
        const QByteArray foreignHost = "127.0.0.1:" + QByteArray::number(other.port());
        const MessageHeaders headers{{"Authorization", "Bearer only-here"}, {"Host", foreignHost}, {"Accept", ""}};
        QVERIFY(!send(h, 1, headers));
        QTRY_VERIFY(h.failure());
        QVERIFY2(h.failure()->message.contains(QString::fromLatin1(location)), qPrintable(h.failure()->message));
        QCOMPARE(other.connections(), 0);
        QCOMPARE(foreign, 0);

        // Within the origin they go along where the request does.
        location = "/moved";
        QVERIFY(!send(h, 2, headers));
        const bool isFollowed = status == 307 || status == 308;
        QTRY_COMPARE(h.probe->received.size() + h.probe->failed.size(), 2);
        QCOMPARE(h.probe->received.size(), isFollowed ? 1 : 0);
        QCOMPARE(server.requests().size(), isFollowed ? 3 : 2);
        if (isFollowed)
            QCOMPARE(sentIn(server.requests().at(2)), sentIn(server.requests().at(1)));
        QCOMPARE(other.connections(), 0);
    }

    // A wrong session id is the first thing to try; it must not end the session that there is.
    void anotherSessionIdEndsNothing()
    {
        FakeHttpServer server([](const Request &request, const Peer &peer) {
            const QByteArray id = request.header("Mcp-Session-Id");
            if (methodOf(request) == methods::Initialize)
                peer.json(resultFor(request), {{"Mcp-Session-Id", id.isNull() ? "session-1" : "session-2"}});
            else
                peer.response(id == "session-1" ? 200 : 404, {{"Content-Type", "application/json"}},
                              resultFor(request));
        });
        Http h(server.url());
        QVERIFY(begins(h, server));
        QVERIFY(!send(h, 2, {{"Mcp-Session-Id", "wrong"}}));
        QTRY_VERIFY(h.probe->received.size() + h.probe->failed.size() == 2);
        QVERIFY(!h.probe->closed);
        // Nor does a second handshake begin another.
        QVERIFY(!h.transport->send(Message::request(RequestId(3), methods::Initialize), {{}, {{"X-Again", "1"}}}));
        QTRY_COMPARE(h.probe->received.size() + h.probe->failed.size(), 3);
        QVERIFY(!h.call(4));
        QTRY_COMPARE(h.probe->received.size() + h.probe->failed.size(), 4);
        QCOMPARE(server.requests().last().header("Mcp-Session-Id"), QByteArray("session-1"));
        QVERIFY(!h.probe->closed);
    }

    void aStreamIsResumedWithSondesOwn()
    {
        QByteArray response;
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            if (methodOf(request) == methods::Initialize)
                return peer.json(resultFor(request), {{"Mcp-Session-Id", "session-1"}});
            peer.beginEvents();
            if (request.method == "POST") {
                response = resultFor(request);
                peer.piece("id: ev-1\nretry: 20\ndata:\n\n");
            } else {
                peer.event(response, "ev-2");
            }
            peer.endEvents();
        });
        Http h(server.url());
        QVERIFY(begins(h, server));
        QVERIFY(!send(h, 2, {{"Accept", "text/event-stream, */*"}, {"X-Once", "1"}}));
        QTRY_COMPARE(h.probe->received.size(), 2);
        const Request resumed = server.requests("GET").first();
        QCOMPARE(resumed.header("Accept"), QByteArray("text/event-stream"));
        QVERIFY(!resumed.has("X-Once"));
    }

    // Without a Content-Type it goes another way through Qt, which must not send it twice either.
    void aCutConnectionSendsItOnce()
    {
        FakeHttpServer server([](const Request &, const Peer &peer) { peer.cut(); });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!send(h, 1, {{"Content-Type", ""}}));
        QTRY_VERIFY(h.failure());
        QCOMPARE(server.requests("POST").size(), 1);
        QVERIFY(!server.requests().first().has("Content-Type"));
    }

    void theyWaitForTheHandshakeToo()
    {
        QList<Peer> waiting;
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            if (methodOf(request) == methods::Initialized)
                waiting.append(peer);
            else
                peer.json(resultFor(request));
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.transport->send(Message::notification(methods::Initialized)));
        QVERIFY(!send(h, 2, {{"X-Held", "1"}, {"Accept", ""}}));
        QTRY_COMPARE(waiting.size(), 1);
        waiting.first().accept();
        QTRY_COMPARE(h.probe->received.size(), 1);
        QCOMPARE(server.requests().last().header("X-Held"), QByteArray("1"));
        QVERIFY(!server.requests().last().has("Accept"));
    }

    void compressionThatWasAskedForIsNotBlamedOnTheServer()
    {
        FakeHttpServer server([](const Request &, const Peer &peer) {
            peer.json("\x1f\x8b", {{"Content-Encoding", "gzip"}});
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!send(h, 1, {{"Accept-Encoding", "gzip"}}));
        QTRY_VERIFY(h.failure());
        QVERIFY2(!h.failure()->message.contains(u"asked not to"), qPrintable(h.failure()->message));
        QVERIFY(h.failure()->hint.contains(u"identity"));
    }
};

SONDE_TEST(MessageHeadersTest)
#include "tst_messageheaders.moc"
