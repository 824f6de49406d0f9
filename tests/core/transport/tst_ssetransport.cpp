// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/methods.h"
#include "core/transport/http/ssetransport.h"
#include "tests/core/transport/httpfixture.h"
#include "tests/support/heldcredentials.h"
#include "tests/support/testregistry.h"

#include <QSignalSpy>

using namespace sonde;
using namespace sonde::test;

class SseTransportTest : public QObject {
    Q_OBJECT
private:
    using Request = FakeHttpServer::Request;
    using Peer = FakeHttpServer::Peer;
    using Kind = WireEvent::Kind;

    // A server of HTTP+SSE: accepts each message, and answers requests on the stream.
    struct Server {
        explicit Server(QByteArray named = "/messages?session=7") : endpoint(std::move(named))
        {
            http.setHandler([this](const Request &request, const Peer &peer) { respond(request, peer); });
        }
        void respond(const Request &request, const Peer &peer)
        {
            if (request.method == "GET") {
                stream = std::make_unique<Peer>(peer);
                peer.beginEvents();
                if (!endpoint.isEmpty())
                    peer.piece("event: endpoint\ndata: " + endpoint + "\n\n");
            } else if (onPost) {
                onPost(request, peer);
            } else {
                peer.response(202, {{"Content-Type", "text/plain"}}, "Accepted");
                if (Message::parse(request.body).kind() == Message::Kind::Request)
                    tell(resultFor(request));
            }
        }
        void tell(const QByteArray &message) const { stream->piece("event: message\ndata: " + message + "\n\n"); }

        FakeHttpServer http;
        QByteArray endpoint;
        FakeHttpServer::Handler onPost;
        std::unique_ptr<Peer> stream;
    };

    struct Client {
        explicit Client(const QUrl &url, HttpOptions options = {})
        {
            options.url = url;
            transport = std::make_unique<SseTransport>(options);
            probe = std::make_unique<TransportProbe>(transport.get());
            transport->open();
        }
        Error call(int id, QStringView method = u"tools/call") const
        {
            return transport->send(Message::request(RequestId(id), method));
        }

        std::unique_ptr<SseTransport> transport;
        std::unique_ptr<TransportProbe> probe;
    };

private Q_SLOTS:
    void theWholeConversation()
    {
        Server server;
        HttpOptions options;
        options.headers = {{"X-Key", "value"}};
        Client c(server.http.url(QStringLiteral("/sse")), options);
        QCOMPARE(c.probe->opened, 0);
        QTRY_COMPARE(c.probe->opened, 1);
        QVERIFY(!c.call(1, methods::Initialize));
        QTRY_COMPARE(c.probe->received.size(), 1);
        c.transport->setRevision(Revision::R20241105);
        QVERIFY(!c.transport->send(Message::notification(methods::Initialized)));
        QVERIFY(!c.call(2));
        QTRY_COMPARE(c.probe->received.size(), 2);
        QCOMPARE(server.http.requests("GET").size(), 1);
        QCOMPARE(server.http.requests("GET").first().header("Accept"), QByteArray("text/event-stream"));
        const QList<Request> posts = server.http.requests("POST");
        QCOMPARE(posts.size(), 3);
        QCOMPARE(methodOf(posts.at(1)), methods::Initialized.toString());
        for (const Request &post : posts) {
            QCOMPARE(post.path, QByteArray("/messages?session=7"));
            QCOMPARE(post.header("Content-Type"), QByteArray("application/json"));
            QCOMPARE(post.header("X-Key"), QByteArray("value"));
            QVERIFY(!post.has("MCP-Protocol-Version"));
        }
        QCOMPARE(c.probe->of(Kind::HttpRequest).size(), 4);
        QCOMPARE(c.probe->of(Kind::HttpResponse).size(), 4);
        const json::Value event = c.probe->facts(Kind::Sse);
        QCOMPARE(event[u"event"].string(), QStringLiteral("endpoint"));

        c.transport->close();
        QTRY_VERIFY(c.probe->closed);
        QVERIFY(c.probe->closed->kind == Error::Kind::None);
        QVERIFY(c.probe->failed.isEmpty());
        QVERIFY(server.http.requests("DELETE").isEmpty());
        QTRY_COMPARE(server.http.openConnections(), 0);
    }

    void messagesOfTheServerArrive()
    {
        Server server;
        Client c(server.http.url());
        QTRY_COMPARE(c.probe->opened, 1);
        server.tell(Message::request(RequestId(9), u"ping").raw());
        server.stream->piece("event: other\ndata: {}\n\n: comment\n\ndata: " +
                             Message::notification(u"notifications/message").raw() + "\n\n");
        QTRY_COMPARE(c.probe->received.size(), 2);
        QVERIFY(!c.transport->send(Message::response(RequestId(9), "{}")));
        QTRY_COMPARE(server.http.requests("POST").size(), 1);
        QVERIFY(c.probe->failed.isEmpty());
    }

    void endpointsOfTheSameOriginAreUsed_data()
    {
        QTest::addColumn<QByteArray>("endpoint");
        QTest::addColumn<QByteArray>("path");
        QTest::newRow("relative") << QByteArray("messages?id=1") << QByteArray("/api/messages?id=1");
        QTest::newRow("path") << QByteArray("/messages?id=1") << QByteArray("/messages?id=1");
        QTest::newRow("query") << QByteArray("?id=1") << QByteArray("/api/sse?id=1");
        QTest::newRow("whole") << QByteArray("WHOLE/m") << QByteArray("/m");
    }
    void endpointsOfTheSameOriginAreUsed()
    {
        QFETCH(QByteArray, endpoint);
        QFETCH(QByteArray, path);
        Server server;
        server.endpoint = endpoint.replace("WHOLE", server.http.url(QString()).toEncoded());
        Client c(server.http.url(QStringLiteral("/api/sse")));
        QTRY_COMPARE(c.probe->opened, 1);
        QVERIFY(!c.call(1));
        QTRY_COMPARE(c.probe->received.size(), 1);
        QCOMPARE(server.http.requests("POST").first().path, path);
    }

    void otherEndpointsAreRefused_data()
    {
        QTest::addColumn<QByteArray>("endpoint");
        QTest::addColumn<QString>("reason");
        QTest::newRow("host") << QByteArray("http://example.com/m") << "another origin";
        QTest::newRow("port") << QByteArray("http://127.0.0.1:1/m") << "another origin";
        QTest::newRow("host without scheme") << QByteArray("//example.com/m") << "another origin";
        QTest::newRow("TLS") << QByteArray("https://127.0.0.1/m") << "another origin";
        QTest::newRow("file") << QByteArray("file:///etc/passwd") << "not a URL";
        QTest::newRow("no URL") << QByteArray("http://[") << "not a URL";
        QTest::newRow("blank") << QByteArray(" ") << "not a URL";
    }
    void otherEndpointsAreRefused()
    {
        QFETCH(QByteArray, endpoint);
        QFETCH(QString, reason);
        Server server(endpoint);
        Client c(server.http.url());
        QTRY_VERIFY(c.probe->closed);
        QVERIFY2(c.probe->closed->message.contains(reason), qPrintable(c.probe->closed->message));
        QCOMPARE(c.probe->opened, 0);
        QCOMPARE(server.http.requests().size(), 1);
    }

    void theStreamBeginsWithTheEndpoint_data()
    {
        QTest::addColumn<QByteArray>("begin");
        QTest::newRow("message") << QByteArray("data: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\n").repeated(20);
        QTest::newRow("other event") << QByteArray("event: hello\ndata: x\n\n").repeated(20);
    }
    void theStreamBeginsWithTheEndpoint()
    {
        QFETCH(QByteArray, begin);
        Server server{QByteArray()};
        Client c(server.http.url());
        QTRY_VERIFY(server.stream);
        server.stream->piece(begin + "event: endpoint\ndata: /m\n\n");
        QTRY_VERIFY(c.probe->closed);
        QVERIFY(c.probe->closed->message.contains(QStringLiteral("did not begin")));
        QCOMPARE(c.probe->opened, 0);
        QCOMPARE(c.probe->closings, 1);
        // It can be opened again, and what ended the first time has no effect on the second.
        server.endpoint = "/m";
        c.transport->open();
        QTRY_COMPARE(c.probe->opened, 1);
        QCOMPARE(c.probe->closings, 1);
    }

    void aServerThatNamesNoEndpointIsGivenUp()
    {
        Server server{QByteArray()};
        HttpOptions options;
        options.headerTimeoutMs = 200;
        Client c(server.http.url(), options);
        QTRY_VERIFY(c.probe->closed);
        QVERIFY(c.probe->closed->message.contains(QStringLiteral("in time")));
        QTRY_COMPARE(server.http.openConnections(), 0);
    }

    void whatIsNoStreamIsSaid_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("type");
        for (const int status : {400, 404, 405, 500})
            QTest::addRow("%d", status) << status << QByteArray("text/html");
        QTest::newRow("page") << 200 << QByteArray("text/html");
        QTest::newRow("JSON") << 200 << QByteArray("application/json");
    }
    void whatIsNoStreamIsSaid()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, type);
        FakeHttpServer server([&](const Request &, const Peer &peer) {
            peer.response(status, {{"Content-Type", type}}, "{}");
        });
        Client c(server.url());
        QTRY_VERIFY(c.probe->closed);
        QVERIFY(c.probe->closed->kind != Error::Kind::None);
        if (status != 200)
            QCOMPARE(c.probe->closed->code, status);
    }

    void theEndOfTheStreamIsTheEndOfTheConnection_data()
    {
        QTest::addColumn<bool>("isCut");
        QTest::newRow("in order") << false;
        QTest::newRow("reset") << true;
    }
    void theEndOfTheStreamIsTheEndOfTheConnection()
    {
        QFETCH(bool, isCut);
        Server server;
        server.onPost = [](const Request &, const Peer &peer) { peer.accept(); };
        Client c(server.http.url());
        QTRY_COMPARE(c.probe->opened, 1);
        QVERIFY(!c.call(1));
        QVERIFY(!c.call(2));
        QTRY_COMPARE(c.probe->of(Kind::HttpResponse).size(), 3);
        server.stream->piece("id: 5\nretry: 1\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,");
        if (isCut)
            server.stream->cut();
        else
            server.stream->endEvents();
        QTRY_VERIFY(c.probe->closed);
        QVERIFY(c.probe->closed->message.contains(QStringLiteral("ends the session")));
        QCOMPARE(server.http.requests("GET").size(), 1);
        QCOMPARE(c.probe->of(Kind::Partial).size(), 1);
        QVERIFY(c.call(3));
    }

    void aMessageThatIsNotAcceptedFailsAlone_data()
    {
        QTest::addColumn<int>("status");
        for (const int status : {400, 404, 409, 500, 503})
            QTest::addRow("%d", status) << status;
    }
    void aMessageThatIsNotAcceptedFailsAlone()
    {
        QFETCH(int, status);
        Server server;
        Client c(server.http.url());
        QTRY_COMPARE(c.probe->opened, 1);
        server.onPost = [status](const Request &, const Peer &peer) { peer.response(status, {}, "no"); };
        QVERIFY(!c.call(1));
        QTRY_COMPARE(c.probe->failed.size(), 1);
        QVERIFY(c.probe->failed.first().first == RequestId(1));
        QCOMPARE(c.probe->failed.first().second.code, status);
        server.onPost = {};
        QVERIFY(!c.call(2));
        QTRY_COMPARE(c.probe->received.size(), 1);
        QVERIFY(!c.probe->closed);
    }

    // The body says nothing, whatever it is: responses come on the stream.
    void anyBodyOfAnAcceptedMessageIsIgnored()
    {
        Server server;
        Client c(server.http.url());
        QTRY_COMPARE(c.probe->opened, 1);
        int count = 0;
        server.onPost = [&](const Request &request, const Peer &peer) {
            if (++count == 1) {
                peer.json(resultFor(request));
            } else if (count == 2) {
                peer.beginEvents();
                peer.event(resultFor(request));
                peer.endEvents();
            } else {
                peer.response(204, {}, {});
            }
        };
        for (int id = 1; id <= 3; ++id)
            QVERIFY(!c.call(id));
        QTRY_COMPARE(c.probe->of(Kind::HttpResponse).size(), 4);
        QVERIFY(c.probe->received.isEmpty());
        QVERIFY(c.probe->failed.isEmpty());
    }

    void everyRequestCarriesCredentials()
    {
        Server server;
        const auto source = std::make_shared<HeldCredentials>();
        source->next = HeldCredentials::bearer("one");
        HttpOptions options;
        options.credentials = source;
        Client c(server.http.url(), options);
        QTRY_COMPARE(c.probe->opened, 1);
        QVERIFY(!c.call(1));
        QTRY_COMPARE(c.probe->received.size(), 1);
        QCOMPARE(server.http.requests().size(), 2);
        for (const Request &request : server.http.requests())
            QCOMPARE(request.header("Authorization"), QByteArray("Bearer one"));
        QCOMPARE(source->asked.size(), 2);
        QCOMPARE(source->asked[0].verb, QByteArray("GET"));
        QCOMPARE(source->asked[1].url.path(), QStringLiteral("/messages"));
    }

    void aRefusedMessageWaitsForCredentials()
    {
        Server server;
        const auto source = std::make_shared<HeldCredentials>();
        source->once = {HeldCredentials::bearer("one"), HeldCredentials::bearer("expired")};
        HttpOptions options;
        options.credentials = source;
        Client c(server.http.url(), options);
        QSignalSpy awaited(c.transport.get(), &Transport::credentialsAwaited);
        QTRY_COMPARE(c.probe->opened, 1);
        server.onPost = [](const Request &, const Peer &peer) { peer.response(401, {}, {}); };
        QVERIFY(!c.call(1));
        QTRY_COMPARE(awaited.size(), 1);
        QCOMPARE(awaited[0][0].value<CredentialWait *>()->id(), RequestId(1));
        QCOMPARE(source->asked.last().refusal->status, 401);
        server.onPost = {};
        source->give(HeldCredentials::bearer("two"));
        QTRY_COMPARE(c.probe->received.size(), 1);
        QCOMPARE(server.http.requests().last().header("Authorization"), QByteArray("Bearer two"));

        // What is given up meanwhile is not sent, and needs no cancellation.
        QVERIFY(!c.call(2));
        QTRY_COMPARE(source->waiting.size(), 1);
        QVERIFY(!c.transport->abandon(RequestId(2)));
        source->give(HeldCredentials::bearer("two"));
        QCOMPARE(server.http.requests("POST").size(), 2);
        QVERIFY(c.probe->failed.isEmpty());
    }

    // Its id is the server's, and may be that of a request of ours.
    void aResponseThatWaitsForCredentialsHasNoIdOfOurs()
    {
        Server server;
        const auto source = std::make_shared<HeldCredentials>();
        source->once = {HeldCredentials::bearer("one")};
        HttpOptions options;
        options.credentials = source;
        Client c(server.http.url(), options);
        QSignalSpy awaited(c.transport.get(), &Transport::credentialsAwaited);
        QTRY_COMPARE(c.probe->opened, 1);
        QVERIFY(!c.transport->send(Message::response(RequestId(1), "{}")));
        QTRY_COMPARE(awaited.size(), 1);
        QVERIFY(awaited[0][0].value<CredentialWait *>()->id().isNone());
        QVERIFY(c.transport->abandon(RequestId(1)));
        source->give(HeldCredentials::bearer("one"));
        QTRY_COMPARE(server.http.requests("POST").size(), 1);
    }

    void headersOfOneMessage()
    {
        Server server;
        HttpOptions options;
        options.headers = {{"X-Team", "a"}};
        Client c(server.http.url(), options);
        QTRY_COMPARE(c.probe->opened, 1);
        const Message first = Message::request(RequestId(1), u"tools/call");
        QVERIFY(c.transport->send(first, {{}, {{"X Bad", "1"}}}));
        QVERIFY(!c.transport->send(first, {{}, {{"X-New", "1"}, {"X-Team", ""}, {"Accept", "text/plain"}}}));
        QTRY_COMPARE(c.probe->received.size(), 1);
        QVERIFY(!c.call(2));
        QTRY_COMPARE(c.probe->received.size(), 2);
        const QList<Request> posts = server.http.requests("POST");
        QCOMPARE(posts.size(), 2);
        QCOMPARE(posts[0].header("X-New"), QByteArray("1"));
        QCOMPARE(posts[0].header("Accept"), QByteArray("text/plain"));
        QVERIFY(!posts[0].has("X-Team"));
        QVERIFY(!posts[1].has("X-New"));
        QCOMPARE(posts[1].header("X-Team"), QByteArray("a"));
        QVERIFY(c.transport->headerNames().contains("X-Team"));
    }

    void anEndpointNamedTwiceStaysTheFirst()
    {
        Server server;
        Client c(server.http.url());
        QTRY_COMPARE(c.probe->opened, 1);
        server.stream->piece("event: endpoint\ndata: http://example.com/elsewhere\n\n");
        QTRY_COMPARE(c.probe->of(Kind::Sse).size(), 2);
        QVERIFY(!c.call(1));
        QTRY_COMPARE(c.probe->received.size(), 1);
        QCOMPARE(server.http.requests("POST").first().path, QByteArray("/messages?session=7"));
        QCOMPARE(c.probe->opened, 1);
    }

    void aStreamThatEndsAtOnceIsSaid()
    {
        FakeHttpServer http([](const Request &, const Peer &peer) {
            peer.beginEvents();
            peer.endEvents();
        });
        Client c(http.url());
        QTRY_VERIFY(c.probe->closed);
        QVERIFY(c.probe->closed->kind != Error::Kind::None);
        QCOMPARE(c.probe->opened, 0);
        QCOMPARE(http.requests().size(), 1);
    }

    // A line without an end is cut off at the limit, and what follows it is read.
    void anEndpointWithoutAnEndIsRefused()
    {
        Server server{QByteArray()};
        HttpOptions options;
        options.maxMessageBytes = 10'000;
        options.headerTimeoutMs = 2'000;
        Client c(server.http.url(), options);
        QTRY_VERIFY(server.stream);
        server.stream->piece("event: endpoint\ndata: /m?" + QByteArray(1'000'000, 'x'));
        QTRY_VERIFY(c.probe->closed);
        QVERIFY(c.probe->closed->kind != Error::Kind::None);
        QCOMPARE(c.probe->opened, 0);
        QVERIFY(server.http.requests("POST").isEmpty());
    }

    void aMessageIsRedirectedOnItsOriginOnly_data()
    {
        QTest::addColumn<QByteArray>("location");
        QTest::addColumn<bool>("isFollowed");
        QTest::newRow("same origin") << QByteArray("/moved") << true;
        QTest::newRow("another origin") << QByteArray("http://example.com/moved") << false;
    }
    void aMessageIsRedirectedOnItsOriginOnly()
    {
        QFETCH(QByteArray, location);
        QFETCH(bool, isFollowed);
        Server server;
        Client c(server.http.url());
        QTRY_COMPARE(c.probe->opened, 1);
        server.onPost = [&](const Request &request, const Peer &peer) {
            if (request.path != "/moved")
                return peer.response(307, {{"Location", location}}, {});
            peer.response(202, {}, "Accepted");
            server.tell(resultFor(request));
        };
        QVERIFY(!c.call(1));
        QTRY_COMPARE(c.probe->received.size() + c.probe->failed.size(), 1);
        QCOMPARE(c.probe->received.size(), isFollowed ? 1 : 0);
        QCOMPARE(server.http.requests("POST").size(), isFollowed ? 2 : 1);
        QVERIFY(!c.probe->closed);
    }

    void aRequestWaitsForTheHandshake()
    {
        Server server;
        Client c(server.http.url());
        QTRY_COMPARE(c.probe->opened, 1);
        std::unique_ptr<Peer> waiting;
        server.onPost = [&](const Request &, const Peer &peer) { waiting = std::make_unique<Peer>(peer); };
        QVERIFY(!c.transport->send(Message::notification(methods::Initialized)));
        QVERIFY(!c.call(1));
        QVERIFY(!c.call(2));
        QTRY_VERIFY(waiting);
        QVERIFY(!c.transport->abandon(RequestId(1)));
        QCOMPARE(server.http.requests("POST").size(), 1);
        server.onPost = {};
        waiting->accept();
        QTRY_COMPARE(c.probe->received.size(), 1);
        QVERIFY(c.probe->received.first().id() == RequestId(2));
        QCOMPARE(server.http.requests("POST").size(), 2);
        QVERIFY(c.transport->abandon(RequestId(2)));
    }

    void aResponseThatIsTooLongFailsItsCallAlone()
    {
        Server server;
        HttpOptions options;
        options.maxMessageBytes = 10'000;
        Client c(server.http.url(), options);
        QTRY_COMPARE(c.probe->opened, 1);
        server.onPost = [](const Request &, const Peer &peer) { peer.accept(); };
        QVERIFY(!c.call(1));
        QTRY_COMPARE(c.probe->of(Kind::HttpResponse).size(), 2);
        server.tell("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"x\":\"" + QByteArray(50'000, 'x') + "\"}}");
        QTRY_COMPARE(c.probe->failed.size(), 1);
        QVERIFY(c.probe->failed.first().first == RequestId(1));
        server.tell(Message::notification(u"notifications/message").raw());
        QTRY_COMPARE(c.probe->received.size(), 1);
        QVERIFY(!c.probe->closed);
    }

    // Only its first bytes are kept, and what follows it arrives.
    void anEventFarBeyondTheLimit_data()
    {
        QTest::addColumn<QByteArray>("piece");
        QTest::newRow("one line") << QByteArray(100'000, 'x');
        QTest::newRow("many lines") << QByteArray(100, 'x').append("\ndata: ").repeated(1'000);
    }
    void anEventFarBeyondTheLimit()
    {
        QFETCH(QByteArray, piece);
        Server server;
        HttpOptions options;
        options.maxMessageBytes = 1'000'000;
        Client c(server.http.url(), options);
        QTRY_COMPARE(c.probe->opened, 1);
        server.onPost = [](const Request &, const Peer &peer) { peer.accept(); };
        QVERIFY(!c.call(1));
        QTRY_COMPARE(c.probe->of(Kind::HttpResponse).size(), 2);
        server.stream->piece("data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"x\":\"");
        for (int i = 0; i < 100; ++i)
            server.stream->piece(piece);
        server.stream->piece("\"}}\n\n");
        server.tell(Message::notification(u"notifications/message").raw());
        QTRY_COMPARE(c.probe->received.size(), 1);
        QCOMPARE(c.probe->failed.size(), 1);
        const Error error = c.probe->failed.first().second;
        QVERIFY2(error.message.contains(QStringLiteral("exceeds the limit of")), qPrintable(error.message));
        QVERIFY(!error.hint.isEmpty());
        const QList<WireEvent> cut = c.probe->of(Kind::Partial);
        QCOMPARE(cut.size(), 1);
        QVERIFY(cut.first().wireLength >= 100 * 100'000);
        QVERIFY(cut.first().bytes.size() < 100'000);
        QCOMPARE(c.probe->facts(Kind::Partial)[u"limit"].toInteger(), 1'000'000);
        QVERIFY(!c.probe->closed);
    }

    void closingEndsAnOpeningThatHangs()
    {
        Server server{QByteArray()};
        Client c(server.http.url());
        QTRY_VERIFY(server.stream);
        c.transport->close();
        QTRY_VERIFY(c.probe->closed);
        QVERIFY(c.probe->closed->kind == Error::Kind::None);
        QTRY_COMPARE(server.http.openConnections(), 0);
    }
};

SONDE_TEST(SseTransportTest)
#include "tst_ssetransport.moc"
