// Servers behind the system's proxy.
// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http/ssetransport.h"
#include "tests/core/transport/httpfixture.h"
#include "tests/support/testregistry.h"

#include <QNetworkProxyFactory>
#include <QTcpServer>

using namespace sonde;
using namespace sonde::test;
using Request = FakeHttpServer::Request;
using Peer = FakeHttpServer::Peer;

namespace {

// What the desktop's settings would say.
class SystemProxy final : public QNetworkProxyFactory {
public:
    explicit SystemProxy(QNetworkProxy proxy) : m_proxy(std::move(proxy)) {}
    static void set(quint16 port, const QString &user = {}, const QString &password = {})
    {
        setApplicationProxyFactory(new SystemProxy(
            QNetworkProxy(QNetworkProxy::HttpProxy, QStringLiteral("127.0.0.1"), port, user, password)));
    }
    QList<QNetworkProxy> queryProxy(const QNetworkProxyQuery &) override { return {m_proxy}; }

private:
    QNetworkProxy m_proxy;
};

}  // namespace

class HttpProxyTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { QNetworkProxyFactory::setApplicationProxyFactory(nullptr); }

    void aProxyIsToldTheWholeUrl()
    {
        FakeHttpServer proxy([](const Request &request, const Peer &peer) { peer.json(resultFor(request)); });
        SystemProxy::set(proxy.port(), QStringLiteral("ada"), QStringLiteral("pass word"));
        Http h(QUrl(QStringLiteral("http://mcp.example:8080/mcp?x=1")));
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_COMPARE(h.probe->received.size(), 1);
        const Request request = proxy.requests().first();
        QCOMPARE(request.path, QByteArray("http://mcp.example:8080/mcp?x=1"));
        QCOMPARE(request.header("Host"), QByteArray("mcp.example:8080"));
        QCOMPARE(request.header("Proxy-Authorization"), "Basic " + QByteArray("ada:pass word").toBase64());
    }

    void anEventStreamComesThroughAProxy()
    {
        std::unique_ptr<Peer> stream;
        FakeHttpServer proxy([&](const Request &request, const Peer &peer) {
            if (request.method == "GET") {
                stream = std::make_unique<Peer>(peer);
                peer.beginEvents();
                peer.piece("event: endpoint\ndata: /messages?id=1\n\n");
            } else {
                peer.accept();
                stream->event(resultFor(request));
            }
        });
        SystemProxy::set(proxy.port(), QStringLiteral("ada"), QStringLiteral("pass word"));
        HttpOptions options;
        options.url = QUrl(QStringLiteral("http://mcp.example:8080/sse"));
        SseTransport transport(options);
        TransportProbe probe(&transport);
        transport.open();
        QTRY_COMPARE(probe.opened, 1);
        QVERIFY(!transport.send(Message::request(RequestId(1), u"tools/call")));
        QTRY_COMPARE(probe.received.size(), 1);
        QCOMPARE(proxy.requests().size(), 2);
        QCOMPARE(proxy.requests()[0].path, QByteArray("http://mcp.example:8080/sse"));
        QCOMPARE(proxy.requests()[1].path, QByteArray("http://mcp.example:8080/messages?id=1"));
        for (const Request &request : proxy.requests())
            QCOMPARE(request.header("Proxy-Authorization"), "Basic " + QByteArray("ada:pass word").toBase64());
    }

    void loopbackNeedsNoProxy()
    {
        FakeHttpServer proxy([](const Request &, const Peer &peer) { peer.response(502, {}, {}); });
        FakeHttpServer server([](const Request &request, const Peer &peer) { peer.json(resultFor(request)); });
        SystemProxy::set(proxy.port());
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_COMPARE(h.probe->received.size(), 1);
        QVERIFY(proxy.requests().isEmpty());
    }

    void tlsGoesThroughATunnel()
    {
        FakeHttpServer proxy([](const Request &, const Peer &peer) { peer.response(403, {}, {}); });
        SystemProxy::set(proxy.port());
        Http h(QUrl(QStringLiteral("https://mcp.example/mcp")));
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(h.failure());
        QCOMPARE(proxy.requests().first().method, QByteArray("CONNECT"));
        QCOMPARE(proxy.requests().first().path, QByteArray("mcp.example:443"));
        QVERIFY2(h.failure()->message.contains(QStringLiteral("proxy")), qPrintable(h.failure()->message));
    }

    void aProxyThatAsksForAPasswordSaysSo_data()
    {
        QTest::addColumn<QUrl>("url");
        QTest::newRow("http") << QUrl(QStringLiteral("http://mcp.example/mcp"));
        QTest::newRow("https") << QUrl(QStringLiteral("https://mcp.example/mcp"));
    }
    void aProxyThatAsksForAPasswordSaysSo()
    {
        QFETCH(QUrl, url);
        FakeHttpServer proxy([](const Request &, const Peer &peer) {
            peer.response(407, {{"Proxy-Authenticate", "Basic realm=\"office\""}}, {});
        });
        SystemProxy::set(proxy.port());
        Http h(url);
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(h.failure());
        QVERIFY2(h.failure()->hint.contains(QStringLiteral("http_proxy=")), qPrintable(h.failure()->message));
    }

    void aProxyThatIsNotThereIsNamed_data() { aProxyThatAsksForAPasswordSaysSo_data(); }
    void aProxyThatIsNotThereIsNamed()
    {
        QFETCH(QUrl, url);
        quint16 port = 0;
        {
            QTcpServer gone;
            QVERIFY(gone.listen(QHostAddress::LocalHost));
            port = gone.serverPort();
        }
        SystemProxy::set(port);
        Http h(url);
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(h.failure());
        QVERIFY2(h.failure()->message.contains(QStringLiteral("proxy")), qPrintable(h.failure()->message));
    }
};

SONDE_TEST(HttpProxyTest)
#include "tst_httpproxy.moc"
