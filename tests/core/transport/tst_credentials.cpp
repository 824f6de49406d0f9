// What a request says about who it is from: asked for before it goes, and again when the server does not accept it.
// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/methods.h"
#include "tests/core/transport/httpfixture.h"
#include "tests/support/heldcredentials.h"
#include "tests/support/testregistry.h"

#include <QSignalSpy>

using namespace sonde;
using namespace sonde::test;
using namespace Qt::StringLiterals;
using Request = FakeHttpServer::Request;
using Peer = FakeHttpServer::Peer;

class TestCredentials : public QObject {
    Q_OBJECT
private:
    // Whoever comes without one of these tokens is refused.
    static FakeHttpServer::Handler guarded(const QList<QByteArray> &tokens)
    {
        return [tokens](const Request &request, const Peer &peer) {
            if (!tokens.contains(request.header("Authorization").mid(7)))
                return peer.response(401,
                                     {{"WWW-Authenticate", "Bearer resource_metadata=\"https://h/m\", scope=\"a b\""},
                                      {"Content-Type", "application/json"}},
                                     R"({"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"log in"}})");
            if (request.method == "GET")
                return peer.beginEvents();
            if (methodOf(request) == methods::Initialize)
                return peer.json(resultFor(request), {{"Mcp-Session-Id", "session-1"}});
            if (Message::parse(request.body).kind() == Message::Kind::Request)
                return peer.json(resultFor(request));
            peer.response(request.method == "DELETE" ? 200 : 202, {}, {});
        };
    }
    static HttpOptions askingOf(const std::shared_ptr<HeldCredentials> &source)
    {
        HttpOptions options;
        options.credentials = source;
        return options;
    }
    static qsizetype requestsIn(const Http &http) { return http.probe->of(WireEvent::Kind::HttpRequest).size(); }

private Q_SLOTS:
    void challenges_data()
    {
        QTest::addColumn<QByteArrayList>("headers");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char *name, const QByteArrayList &headers, const QString &expected) {
            QTest::newRow(name) << headers << expected;
        };
        row("none", {}, u""_s);
        row("empty", {" , ,"}, u""_s);
        row("scheme alone", {"Bearer"}, u"Bearer()"_s);
        row("parameters", {R"(Bearer realm="x", scope="a b")"}, u"Bearer(realm=x;scope=a b)"_s);
        row("blanks", {"bearer  realm = \"x\" ,\tscope\t=a ,"}, u"bearer(realm=x;scope=a)"_s);
        row("escapes", {"Bearer realm=\"a\\\"b\\\\c, d=e\""}, u"Bearer(realm=a\"b\\c, d=e)"_s);
        row("several in one header", {R"(Basic realm="r", Bearer scope=s, error="e", DPoP algs="ES256")"},
            u"Basic(realm=r) Bearer(scope=s;error=e) DPoP(algs=ES256)"_s);
        row("several headers", {"Basic realm=r", "Bearer scope=s"}, u"Basic(realm=r) Bearer(scope=s)"_s);
        row("token68", {"Negotiate YWJj==, Bearer a=b"}, u"Negotiate(YWJj==) Bearer(a=b)"_s);
        row("schemes without anything", {"Negotiate, NTLM, Bearer x=y"}, u"Negotiate() NTLM() Bearer(x=y)"_s);
        row("URL without quotes", {"Bearer resource_metadata=https://h/p?q"},
            u"Bearer(resource_metadata=https://h/p?q)"_s);
        row("not ended", {"Bearer realm=\"x"}, u"Bearer(realm=x)"_s);
        row("ends with a backslash", {"Bearer realm=\"x\\"}, u"Bearer(realm=x)"_s);
        row("broken item", {"Bearer a=b, \"c, d=e\" f, g=h"}, u"Bearer(a=b;g=h)"_s);
        row("parameter of nothing", {"=x, a=b, Bearer c=d"}, u"Bearer(c=d)"_s);
    }
    void challenges()
    {
        QFETCH(QByteArrayList, headers);
        QFETCH(QString, expected);
        CredentialSource::Headers list{{"Content-Type", "Basic realm=no"}};
        for (const QByteArray &value : headers)
            list.append({"www-authenticate", value});
        QStringList all;
        for (const AuthChallenge &challenge : authChallenges(list)) {
            QByteArrayList parts;
            for (const auto &[name, value] : challenge.parameters)
                parts.append(name + '=' + value);
            if (!challenge.token68.isEmpty())
                parts.append(challenge.token68);
            all.append(QString::fromUtf8(challenge.scheme + '(' + parts.join(';') + ')'));
        }
        QCOMPARE(all.join(u' '), expected);
    }
    void namesInAChallengeHaveNoCase()
    {
        const QList<AuthChallenge> challenges = authChallenges({{"WWW-Authenticate", "BEARER Scope=x, scope=y"}});
        QCOMPARE(challenges.size(), 1);
        QVERIFY(challenges[0].isOf("Bearer"));
        QCOMPARE(challenges[0].parameter("SCOPE"), QByteArray("x"));
        QVERIFY(challenges[0].parameter("realm").isNull());
    }

    // A proof of possession is for one request and one URL (RFC 9449, section 4.2).
    void aRedirectedRequestCarriesNewOnes()
    {
        FakeHttpServer server([](const Request &request, const Peer &peer) {
            if (request.path == "/mcp")
                peer.response(307, {{"Location", "/v2/mcp"}}, {});
            else
                peer.json(resultFor(request));
        });
        const auto source = std::make_shared<HeldCredentials>();
        for (const QByteArray proof : {"one", "two"})
            source->once.append(CredentialSource::Headers{{"Authorization", "DPoP token"}, {"DPoP", proof}});
        Http h(server.url(), askingOf(source));
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1, methods::Initialize));
        QTRY_COMPARE(h.probe->received.size(), 1);
        QCOMPARE(server.requests().size(), 2);
        QCOMPARE(server.requests().at(0).header("DPoP"), QByteArray("one"));
        QCOMPARE(server.requests().at(1).header("DPoP"), QByteArray("two"));
        QCOMPARE(server.requests().at(1).header("Authorization"), QByteArray("DPoP token"));
        QCOMPARE(source->asked.at(1).url, server.url(u"/v2/mcp"_s));
        QCOMPARE(source->asked.at(1).verb, QByteArray("POST"));
    }

    void everyRequestCarriesThem()
    {
        FakeHttpServer server(guarded({"one"}));
        const auto source = std::make_shared<HeldCredentials>();
        source->next = HeldCredentials::bearer("one");
        Http h(server.url(), askingOf(source));
        QSignalSpy awaited(h.transport.get(), &Transport::credentialsAwaited);
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1, methods::Initialize));
        QTRY_COMPARE(h.probe->received.size(), 1);
        QVERIFY(!h.transport->send(Message::notification(methods::Initialized)));
        h.transport->sessionReady();
        QTRY_COMPARE(server.requests("GET").size(), 1);
        h.transport->close();
        QTRY_VERIFY(h.probe->closed);
        QCOMPARE(server.requests("DELETE").size(), 1);
        for (const Request &request : server.requests())
            QCOMPARE(request.header("Authorization"), QByteArray("Bearer one"));
        QCOMPARE(source->asked.size(), 4);
        QCOMPARE(source->asked[0].verb, QByteArray("POST"));
        QCOMPARE(source->asked[0].url, server.url());
        QVERIFY(!source->asked[0].refusal);
        QCOMPARE(awaited.size(), 0);
    }

    void requestsWaitUntilTheyAreThere()
    {
        FakeHttpServer server(guarded({"one"}));
        const auto source = std::make_shared<HeldCredentials>();
        Http h(server.url(), askingOf(source));
        QSignalSpy awaited(h.transport.get(), &Transport::credentialsAwaited);
        int given = 0;
        connect(h.transport.get(), &Transport::credentialsAwaited, this,
                [&](CredentialWait *wait) { connect(wait, &CredentialWait::given, this, [&given] { ++given; }); });
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QCOMPARE(awaited.size(), 0);  // not from within send()
        QVERIFY(!h.call(2));
        QTRY_COMPARE(awaited.size(), 2);
        QCOMPARE(awaited[0][0].value<CredentialWait *>()->id(), RequestId(1));
        QVERIFY(!awaited[0][0].value<CredentialWait *>()->refusal());
        QCOMPARE(requestsIn(h), 0);
        QVERIFY(server.requests().isEmpty());
        source->give(HeldCredentials::bearer("one"));
        QTRY_COMPARE(h.probe->received.size(), 2);
        QCOMPARE(given, 2);
        QCOMPARE(h.probe->facts(WireEvent::Kind::State, u"credentials awaited"_s)[u"stream"].toInteger(), 2);
    }

    void aRefusedRequestIsSentAgain()
    {
        FakeHttpServer server(guarded({"two"}));
        const auto source = std::make_shared<HeldCredentials>();
        source->next = HeldCredentials::bearer("one");
        Http h(server.url(), askingOf(source));
        QSignalSpy awaited(h.transport.get(), &Transport::credentialsAwaited);
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        source->next.reset();
        QTRY_COMPARE(awaited.size(), 1);
        QVERIFY(awaited[0][0].value<CredentialWait *>()->refusal().message.contains(u"HTTP 401: log in"));
        QCOMPARE(source->asked.size(), 2);
        const CredentialSource::Refusal &refusal = *source->asked[1].refusal;
        QCOMPARE(refusal.status, 401);
        QCOMPARE(refusal.count, 1);
        QCOMPARE(refusal.challenges.size(), 1);
        QCOMPARE(refusal.challenges[0].parameter("resource_metadata"), QByteArray("https://h/m"));
        QCOMPARE(refusal.challenges[0].parameter("scope"), QByteArray("a b"));
        QVERIFY(refusal.credentials == HeldCredentials::bearer("one"));
        QVERIFY(refusal.error.kind == Error::Kind::Auth);
        QVERIFY(h.probe->received.isEmpty());  // what came with the 401 is no response
        source->give(HeldCredentials::bearer("two"));
        QTRY_COMPARE(h.probe->received.size(), 1);
        QVERIFY(h.probe->failed.isEmpty());
        QCOMPARE(server.requests().size(), 2);
        QCOMPARE(server.requests()[0].body, server.requests()[1].body);
        QCOMPARE(server.requests()[1].header("Authorization"), QByteArray("Bearer two"));
        QCOMPARE(requestsIn(h), 2);
        QCOMPARE(h.probe->of(WireEvent::Kind::HttpResponse).size(), 2);
        QVERIFY(h.probe->of(WireEvent::Kind::HttpResponse)[0].bytes.contains("log in"));
    }

    void theStreamOfTheServerWaitsAsWell()
    {
        FakeHttpServer server(guarded({"one"}));
        const auto source = std::make_shared<HeldCredentials>();
        source->once = {HeldCredentials::bearer("one"), HeldCredentials::bearer("expired")};
        Http h(server.url(), askingOf(source));
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1, methods::Initialize));
        QTRY_COMPARE(h.probe->received.size(), 1);
        h.transport->sessionReady();
        QTRY_COMPARE(source->waiting.size(), 1);
        QCOMPARE(server.requests("GET").size(), 1);
        source->give(HeldCredentials::bearer("one"));
        QTRY_COMPARE(server.requests("GET").size(), 2);
        QVERIFY(h.probe->failed.isEmpty());
    }

    void theSourceCanGiveUp()
    {
        FakeHttpServer server([](const Request &, const Peer &peer) {
            peer.response(403, {{"WWW-Authenticate", R"(Bearer error="insufficient_scope")"}}, "no");
        });
        const auto source = std::make_shared<HeldCredentials>();
        source->next = HeldCredentials::bearer("one");
        Http h(server.url(), askingOf(source));
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        source->next = Error::local(u"Nobody signed in."_s);
        QTRY_VERIFY(h.failure());
        QCOMPARE(h.failure()->message, u"Nobody signed in."_s);
        QCOMPARE(source->asked[1].refusal->status, 403);
        QCOMPARE(source->asked[1].refusal->challenges[0].parameter("error"), QByteArray("insufficient_scope"));
        QCOMPARE(server.requests().size(), 1);
        QVERIFY(h.transport->state() == Transport::State::Open);

        // Before anything was sent.
        QVERIFY(!h.call(2));
        QVERIFY(h.probe->failed.size() == 1);  // not from within send()
        QTRY_COMPARE(h.probe->failed.size(), 2);
        QCOMPARE(server.requests().size(), 1);
    }

    void aServerThatNeverAcceptsEndsTheRequest()
    {
        FakeHttpServer server(guarded({}));
        const auto source = std::make_shared<HeldCredentials>();
        source->next = HeldCredentials::bearer("one");
        HttpOptions options = askingOf(source);
        options.maxRefusals = 3;
        Http h(server.url(), options);
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(7));
        QTRY_VERIFY(h.failure());
        QVERIFY(h.failure()->kind == Error::Kind::Auth);
        QCOMPARE(h.failure()->code, 401);
        QCOMPARE(server.requests().size(), 4);
        QCOMPARE(source->asked.last().refusal->count, 3);
    }

    void anAuthorizationHeaderByHandStands_data()
    {
        QTest::addColumn<bool>("isForAll");
        QTest::newRow("of the server") << true;
        QTest::newRow("of one message") << false;
    }
    void anAuthorizationHeaderByHandStands()
    {
        QFETCH(bool, isForAll);
        FakeHttpServer server(guarded({}));
        const auto source = std::make_shared<HeldCredentials>();
        HttpOptions options = askingOf(source);
        if (isForAll)
            options.headers = {{"authorization", "Bearer mine"}};
        Http h(server.url(), options);
        QTRY_COMPARE(h.probe->opened, 1);
        OutgoingHeaders own;
        if (!isForAll)
            own.typed = {{"authorization", "Bearer mine"}};
        QVERIFY(!h.transport->send(Message::request(RequestId(7), u"tools/call"), own));
        QTRY_VERIFY(h.failure());
        QVERIFY(h.failure()->kind == Error::Kind::Auth);
        QVERIFY(source->asked.isEmpty());
        QCOMPARE(server.requests().size(), 1);
        QCOMPARE(server.requests()[0].header("Authorization"), QByteArray("Bearer mine"));
    }

    void whatIsGivenUpMeanwhileIsNotSent_data()
    {
        QTest::addColumn<bool>("isRefused");
        QTest::newRow("before it was sent") << false;
        QTest::newRow("after it was refused") << true;
    }
    void whatIsGivenUpMeanwhileIsNotSent()
    {
        QFETCH(bool, isRefused);
        FakeHttpServer server(guarded({"one"}));
        const auto source = std::make_shared<HeldCredentials>();
        if (isRefused)
            source->next = HeldCredentials::bearer("expired");
        Http h(server.url(), askingOf(source));
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        source->next.reset();
        QTRY_COMPARE(source->waiting.size(), 1);
        QVERIFY(!h.transport->abandon(RequestId(1)));  // no cancellation is needed
        QCOMPARE(h.probe->facts(WireEvent::Kind::Note, u"not sent"_s)[u"reason"].string(),
                 u"Cancelled while waiting for credentials."_s);
        source->give(HeldCredentials::bearer("one"));
        QVERIFY(!h.call(2));
        source->give(HeldCredentials::bearer("one"));
        QTRY_COMPARE(h.probe->received.size(), 1);
        QCOMPARE(server.requests().size(), isRefused ? 2 : 1);
        QVERIFY(h.probe->failed.isEmpty());
    }

    void closingDoesNotWaitForThem()
    {
        FakeHttpServer server(guarded({"one"}));
        const auto source = std::make_shared<HeldCredentials>();
        source->next = HeldCredentials::bearer("one");
        Http h(server.url(), askingOf(source));
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1, methods::Initialize));
        QTRY_COMPARE(h.probe->received.size(), 1);
        source->next.reset();
        QVERIFY(!h.call(2));
        QVERIFY(!h.transport->send(Message::notification(u"notifications/x")));
        QTRY_COMPARE(source->waiting.size(), 2);
        h.transport->close();
        QTRY_VERIFY(h.probe->closed);  // a DELETE that nobody gives credentials for is not sent
        QVERIFY(!*h.probe->closed);
        QCOMPARE(server.requests().size(), 1);
        int unsent = 0;
        for (const WireEvent &event : h.probe->of(WireEvent::Kind::Note))
            unsent += event.eventCode == EventCode::NotSent ? 1 : 0;
        QCOMPARE(unsent, 2);
        source->give(HeldCredentials::bearer("one"));  // too late for all three
        h.transport->open();
        QTRY_COMPARE(h.probe->opened, 2);
        QCOMPARE(server.requests().size(), 1);
    }

    void theTransportMayGoWhileTheyAreAwaited()
    {
        FakeHttpServer server(guarded({"one"}));
        const auto source = std::make_shared<HeldCredentials>();
        {
            Http h(server.url(), askingOf(source));
            QTRY_COMPARE(h.probe->opened, 1);
            QVERIFY(!h.call(1));
            QCOMPARE(source->waiting.size(), 1);
        }
        source->give(HeldCredentials::bearer("one"));
        QVERIFY(server.requests().isEmpty());
    }
};

SONDE_TEST(TestCredentials)
#include "tst_credentials.moc"
