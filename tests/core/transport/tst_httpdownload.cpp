// SPDX-License-Identifier: Apache-2.0
#include "core/transport/httpdownload.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/testregistry.h"

#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::FakeHttpServer;

namespace {

constexpr qint64 MaxDownload = 1'000;

bool comesDown(HttpDownload &download)
{
    QSignalSpy finished(&download, &HttpDownload::finished);
    download.start();
    return finished.isEmpty() && finished.wait(test::Patience);
}

}  // namespace

class TestHttpDownload : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fetchesWithoutSayingWhoAsks()
    {
        FakeHttpServer server([](const FakeHttpServer::Request &, const FakeHttpServer::Peer &peer) {
            peer.response(200, {{"Set-Cookie", "a=b"}}, "bytes");
        });
        for (int i = 0; i < 2; ++i) {
            HttpDownload download(server.url(u"/icon.png"_s), "image/png", MaxDownload);
            QVERIFY(comesDown(download));
            QVERIFY2(!download.error(), qPrintable(download.error().message));
            QCOMPARE(download.body(), "bytes"_ba);
        }
        const FakeHttpServer::Request request = server.requests().last();
        QCOMPARE(request.method, "GET"_ba);
        QCOMPARE(request.path, "/icon.png"_ba);
        QCOMPARE(request.header("Accept"), "image/png"_ba);
        for (const auto &name : {"Cookie", "Authorization", "Mcp-Session-Id", "Referer", "Origin"})
            QVERIFY2(!request.has(name), name);
    }

    void whatIsNoFileFails_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<int>("bytes");
        QTest::newRow("not found") << 404 << 5;
        QTest::newRow("redirect to http") << 302 << 0;
        QTest::newRow("redirect that repeats the request") << 307 << 0;
        QTest::newRow("too large") << 200 << int(MaxDownload + 1);
        QTest::newRow("no content") << 204 << 0;
    }
    void whatIsNoFileFails()
    {
        QFETCH(int, status);
        QFETCH(int, bytes);
        FakeHttpServer other([](const FakeHttpServer::Request &, const FakeHttpServer::Peer &peer) {
            peer.response(200, {}, "elsewhere");
        });
        FakeHttpServer server([&](const FakeHttpServer::Request &, const FakeHttpServer::Peer &peer) {
            peer.response(status, {{"Location", other.url(u"/icon.png"_s).toEncoded()}}, QByteArray(bytes, 'x'));
        });
        HttpDownload download(server.url(), "image/png", MaxDownload);
        QVERIFY(comesDown(download));
        QVERIFY(download.error());
        QVERIFY(download.body().isEmpty());
        QVERIFY(other.requests().isEmpty());
    }

    void exactlyTheLimitIsAllowed()
    {
        FakeHttpServer server([](const FakeHttpServer::Request &, const FakeHttpServer::Peer &peer) {
            peer.response(200, {}, QByteArray(MaxDownload, 'x'));
        });
        HttpDownload download(server.url(), "image/png", MaxDownload);
        QVERIFY(comesDown(download));
        QCOMPARE(download.body().size(), MaxDownload);
    }

    void aBrokenConnectionFails()
    {
        FakeHttpServer server([](const FakeHttpServer::Request &, const FakeHttpServer::Peer &peer) { peer.cut(); });
        HttpDownload cut(server.url(), "image/png", MaxDownload);
        QVERIFY(comesDown(cut));
        QVERIFY(cut.error());
        HttpDownload nothing(QUrl(u"ftp://example.com/"_s), "image/png", MaxDownload);
        QVERIFY(comesDown(nothing));
        QVERIFY(nothing.error());
    }
};

SONDE_TEST(TestHttpDownload)
#include "tst_httpdownload.moc"
