// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http/httpfetch.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/testregistry.h"

#include <QHostInfo>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTcpSocket>
#include <QTest>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <memory>
#include <vector>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::FakeHttpServer;

namespace {

constexpr qint64 MaxDownload = 1'000;

HttpFetch::Request fileAt(const QUrl &url)
{
    HttpFetch::Request request;
    request.url = url;
    request.accept = "image/png";
    request.maxBytes = MaxDownload;
    return request;
}

bool finishes(HttpFetch &fetch)
{
    QSignalSpy finished(&fetch, &HttpFetch::finished);
    fetch.start();
    return finished.isEmpty() && finished.wait(test::Patience);
}

}  // namespace

class TestHttpFetch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fetchesWithoutSayingWhoAsks()
    {
        FakeHttpServer server([](const FakeHttpServer::Request &, const FakeHttpServer::Peer &peer) {
            peer.response(200, {{"Set-Cookie", "a=b"}}, "bytes");
        });
        for (int i = 0; i < 2; ++i) {
            HttpFetch fetch(fileAt(server.url(u"/icon.png"_s)));
            QVERIFY(finishes(fetch));
            QVERIFY2(!fetch.error(), qPrintable(fetch.error().message));
            QCOMPARE(fetch.body(), "bytes"_ba);
        }
        const FakeHttpServer::Request request = server.requests().last();
        QCOMPARE(request.method, "GET"_ba);
        QCOMPARE(request.path, "/icon.png"_ba);
        QCOMPARE(request.header("Accept"), "image/png"_ba);
        for (const auto &name : {"Cookie", "Authorization", "Mcp-Session-Id", "Referer", "Origin"})
            QVERIFY2(!request.has(name), name);
    }

    void whatIsNoFileGivesNone_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<int>("bytes");
        QTest::newRow("not found") << 404 << 5;
        QTest::newRow("redirect to http") << 302 << 0;
        QTest::newRow("redirect that repeats the request") << 307 << 0;
        QTest::newRow("too large") << 200 << int(MaxDownload + 1);
        QTest::newRow("no content") << 204 << 0;
    }
    void whatIsNoFileGivesNone()
    {
        QFETCH(int, status);
        QFETCH(int, bytes);
        FakeHttpServer other([](const FakeHttpServer::Request &, const FakeHttpServer::Peer &peer) {
            peer.response(200, {}, "elsewhere");
        });
        FakeHttpServer server([&](const FakeHttpServer::Request &, const FakeHttpServer::Peer &peer) {
            peer.response(status, {{"Location", other.url(u"/icon.png"_s).toEncoded()}}, QByteArray(bytes, 'x'));
        });
        HttpFetch fetch(fileAt(server.url()));
        QVERIFY(finishes(fetch));
        QCOMPARE(bool(fetch.error()), bytes > MaxDownload || http::isRedirect(status));
        QCOMPARE(fetch.status(), status);
        QVERIFY(fetch.body() != "elsewhere");
        QVERIFY(fetch.error() || fetch.statusError());
        QVERIFY(other.requests().isEmpty());
    }

    void exactlyTheLimitIsAllowed()
    {
        FakeHttpServer server([](const FakeHttpServer::Request &, const FakeHttpServer::Peer &peer) {
            peer.response(200, {}, QByteArray(MaxDownload, 'x'));
        });
        HttpFetch fetch(fileAt(server.url()));
        QVERIFY(finishes(fetch));
        QCOMPARE(fetch.body().size(), MaxDownload);
    }

    void postsWithWhatItIsGiven()
    {
        FakeHttpServer server([](const FakeHttpServer::Request &, const FakeHttpServer::Peer &peer) {
            peer.response(400, {{"X-Reason", "test"}}, "{\"error\":\"invalid_grant\"}");
        });
        HttpFetch fetch({"POST", server.url(u"/token"_s), {{"DPoP", "proof"}}, "a=b", "text/plain"});
        QSignalSpy reported(&fetch, &HttpFetch::reported);
        QVERIFY(finishes(fetch));
        QVERIFY(!fetch.error());
        QCOMPARE(fetch.status(), 400);
        QCOMPARE(http::valueOf(fetch.headers(), "x-reason"), "test"_ba);
        QCOMPARE(fetch.body(), "{\"error\":\"invalid_grant\"}"_ba);
        QCOMPARE(reported.size(), 2);
        const FakeHttpServer::Request request = server.requests().last();
        QCOMPARE(request.method, "POST"_ba);
        QCOMPARE(request.body, "a=b"_ba);
        QCOMPARE(request.header("Content-Type"), "text/plain"_ba);
        QCOMPARE(request.header("DPoP"), "proof"_ba);
        QCOMPARE(request.header("Accept"), "application/json"_ba);
    }

    // Nobody takes connections there, and nobody refuses them: the address that comes next is tried beside it.
    void anAddressThatLeadsNowhereIsNotWaitedFor()
    {
        FakeHttpServer server(
            [](const FakeHttpServer::Request &, const FakeHttpServer::Peer &peer) { peer.response(200, {}, "bytes"); });
        const QHostInfo local = QHostInfo::fromName(u"localhost"_s);
        if (local.addresses().size() < 2 || local.addresses().first() != QHostAddress::LocalHostIPv6)
            QSKIP("localhost has no IPv6 address here");
        sockaddr_in6 where = {};
        where.sin6_family = AF_INET6;
        where.sin6_addr = in6addr_loopback;
        where.sin6_port = htons(server.port());
        const auto *address = reinterpret_cast<const sockaddr *>(&where);
        const int full = ::socket(AF_INET6, SOCK_STREAM, 0);
        const auto close = qScopeGuard([full] { ::close(full); });
        if (::bind(full, address, sizeof where) != 0 || ::listen(full, 0) != 0)
            QSKIP("no IPv6 here");
        std::vector<std::unique_ptr<QTcpSocket>> waiting;
        for (int i = 0; i < 3; ++i) {
            waiting.push_back(std::make_unique<QTcpSocket>());
            waiting.back()->connectToHost(QHostAddress::LocalHostIPv6, server.port());
        }
        QTRY_COMPARE(waiting.front()->state(), QAbstractSocket::ConnectedState);
        QUrl url = server.url(u"/icon.png"_s);
        url.setHost(u"localhost"_s);
        HttpFetch::Request request = fileAt(url);
        request.addressPolicy = {true, QHostAddress(QHostAddress::LocalHost), {}};
        HttpFetch fetch(request);
        QVERIFY(finishes(fetch));
        QVERIFY2(!fetch.error(), qPrintable(fetch.error().message));
        QCOMPARE(fetch.peer(), QHostAddress(QHostAddress::LocalHost));
    }

    void aBrokenConnectionFails()
    {
        FakeHttpServer server([](const FakeHttpServer::Request &, const FakeHttpServer::Peer &peer) { peer.cut(); });
        HttpFetch cut(fileAt(server.url()));
        QVERIFY(finishes(cut));
        QVERIFY(cut.error());
        HttpFetch nothing(fileAt(QUrl(u"ftp://example.com/"_s)));
        QVERIFY(finishes(nothing));
        QVERIFY(nothing.error());
    }
};

SONDE_TEST(TestHttpFetch)
#include "tst_httpfetch.moc"
