// The network settings of one server: its proxy, whom it trusts, and who Sonde is to it.
// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http/httpfetch.h"
#include "core/transport/network.h"
#include "tests/core/transport/tunnelproxy.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/testcertificate.h"
#include "tests/support/testregistry.h"

#include <QNetworkProxyFactory>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::test;
using Request = FakeHttpServer::Request;
using Peer = FakeHttpServer::Peer;

namespace {

std::unique_ptr<HttpFetch> fetched(const QUrl &url, const http::NetworkOptions &network)
{
    HttpFetch::Request request;
    request.url = url;
    request.network = network;
    auto fetch = std::make_unique<HttpFetch>(request);
    QSignalSpy finished(fetch.get(), &HttpFetch::finished);
    fetch->start();
    if (!finished.wait(test::Patience))
        qWarning("not finished");
    return fetch;
}

const FakeHttpServer::Handler saysYes = [](const Request &, const Peer &peer) { peer.json("\"yes\""); };

// What the desktop's settings would say, after a while.
class SlowSystem final : public QNetworkProxyFactory {
public:
    explicit SlowSystem(quint16 port) : m_port(port) {}
    QList<QNetworkProxy> queryProxy(const QNetworkProxyQuery &) override
    {
        queriedFrom = QThread::currentThread();
        return {QNetworkProxy(QNetworkProxy::HttpProxy, u"127.0.0.1"_s, m_port)};
    }
    static inline QThread *queriedFrom = nullptr;

private:
    const quint16 m_port;
};

}  // namespace

class TestNetwork : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (m_authority.isNull())
            QSKIP("needs openssl to make certificates");
    }

    void proxyTexts_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("type");  // -1: the system's, -2: an error
        QTest::newRow("none given") << u""_s << -1;
        QTest::newRow("system") << u"system"_s << -1;
        QTest::newRow("none") << u"none"_s << int(QNetworkProxy::NoProxy);
        QTest::newRow("http") << u"http://proxy.example:3128"_s << int(QNetworkProxy::HttpProxy);
        QTest::newRow("http, slash") << u"http://proxy.example:3128/"_s << int(QNetworkProxy::HttpProxy);
        QTest::newRow("socks5") << u"socks5://[::1]:1080"_s << int(QNetworkProxy::Socks5Proxy);
        for (const char *bad : {"http://proxy.example", "proxy.example:3128", "https://proxy.example:443", "http://:80",
                                "socks5://h:1/x", "http://h:1?x", "file:///x", "http://h:99999", "x y"})
            QTest::newRow(bad) << QString::fromLatin1(bad) << -2;
    }
    void proxyTexts()
    {
        QFETCH(QString, text);
        QFETCH(int, type);
        const Result<std::optional<QNetworkProxy>> proxy = http::proxyFromText(text);
        QCOMPARE(proxy.ok(), type != -2);
        if (!proxy)
            QVERIFY(proxy.error().message.contains(u"is not a proxy"_s) && !proxy.error().hint.isEmpty());
        else if (type == -1)
            QVERIFY(!proxy->has_value());
        else
            QCOMPARE(int(proxy->value().type()), type);
    }

    void fingerprintsAreReadAsTheyAreShown()
    {
        const QByteArray sha256 = http::fingerprintOf(m_server.certificate());
        const QString shown = http::fingerprintText(sha256);
        QCOMPARE(shown.size(), 95);
        QCOMPARE(http::fingerprintFromText(shown), sha256);
        QCOMPARE(http::fingerprintFromText(QString(shown).remove(u':').toLower()), sha256);
        for (const QString &bad : {shown.chopped(1), shown + u'0', QString(shown).replace(0, 1, u'G'), QString()})
            QVERIFY(http::fingerprintFromText(bad).isEmpty());
    }

    void aServerOfAnUnknownAuthorityIsRefusedInWords()
    {
        FakeHttpServer server(m_server.server(), saysYes);
        const auto fetch = fetched(server.url(), {});
        QCOMPARE(fetch->error().reason, Error::Reason::TlsFailed);
        const QString detail = fetch->error().detail;
        const QString fingerprint = http::fingerprintText(http::fingerprintOf(m_server.certificate()));
        for (const QString &part : {u"Subject: CN=billing.example"_s, u"Issuer: CN=Test authority"_s, u"127.0.0.1"_s,
                                    m_server.certificate().expiryDate().toString(Qt::ISODate), fingerprint})
            QVERIFY2(detail.contains(part), qPrintable(detail));
        QVERIFY2(fetch->error().hint.contains(fingerprint), qPrintable(fetch->error().hint));
        QVERIFY(server.requests().isEmpty());
    }

    void anAuthorityOfTheServersOwnIsTrusted()
    {
        FakeHttpServer server(m_server.server(), saysYes);
        http::NetworkOptions network;
        network.caFile = m_authority.file();
        const auto fetch = fetched(server.url(), network);
        QVERIFY2(!fetch->error(), qPrintable(fetch->error().message + fetch->error().detail));
        QCOMPARE(fetch->body(), "\"yes\""_ba);
        // It stands beside those of the system, which Qt goes on looking up, and is nobody else's.
        QVERIFY(fetched(server.url(), {})->error());
        const TestCertificate other(u"/CN=Other authority", u"DNS:other");
        network.caFile = other.file();
        QCOMPARE(fetched(server.url(), network)->error().reason, Error::Reason::TlsFailed);
        // It does not make up for the wrong name.
        const TestCertificate elsewhere(u"/CN=elsewhere", u"DNS:elsewhere.example", &m_authority);
        FakeHttpServer wrong(elsewhere.server(), saysYes);
        network.caFile = m_authority.file();
        const auto refused = fetched(wrong.url(), network);
        QVERIFY2(refused->error().message.contains(u"another host"_s), qPrintable(refused->error().message));
    }

    void exactlyTheAcceptedCertificateIsAccepted()
    {
        const TestCertificate mine(u"/CN=mine", u"DNS:elsewhere.example");
        const TestCertificate twin(u"/CN=mine", u"DNS:elsewhere.example");
        FakeHttpServer server(mine.server(), saysYes);
        FakeHttpServer impostor(twin.server(), saysYes);
        http::NetworkOptions network;
        network.acceptedCertificate = http::fingerprintText(http::fingerprintOf(mine.certificate()));
        const auto fetch = fetched(server.url(), network);
        QVERIFY2(!fetch->error(), qPrintable(fetch->error().message + fetch->error().detail));
        const auto refused = fetched(impostor.url(), network);
        QCOMPARE(refused->error().reason, Error::Reason::TlsFailed);
        QVERIFY2(refused->error().hint.contains(u"not the certificate that is accepted"_s),
                 qPrintable(refused->error().hint));
        QVERIFY(impostor.requests().isEmpty());
    }

    void aClientCertificateIsShownToTheServer()
    {
        const TestCertificate client(u"/CN=ada", u"email:ada@example.com", &m_authority);
        QSslConfiguration asking = m_server.server();
        asking.setPeerVerifyMode(QSslSocket::VerifyPeer);
        asking.setCaCertificates({m_authority.certificate()});
        FakeHttpServer server(asking, saysYes);
        http::NetworkOptions network;
        network.caFile = m_authority.file();
        const auto refused = fetched(server.url(), network);
        QVERIFY2(refused->error().hint.contains(u"client certificate"_s),
                 qPrintable(refused->error().message + refused->error().detail));
        QVERIFY(server.requests().isEmpty());
        network.clientCertificate = client.file();
        network.clientKey = client.keyFile();
        const auto fetch = fetched(server.url(), network);
        QVERIFY2(!fetch->error(), qPrintable(fetch->error().message + fetch->error().detail));
        QCOMPARE(fetch->body(), "\"yes\""_ba);
        // Nobody else gets to see it.
        HttpFetch::Request led;
        led.url = server.url();
        led.network = network;
        led.addressPolicy = {true, QHostAddress(QHostAddress::LocalHost), {}};
        HttpFetch elsewhere(led);
        QSignalSpy finished(&elsewhere, &HttpFetch::finished);
        elsewhere.start();
        QVERIFY(finished.wait(test::Patience));
        QVERIFY(elsewhere.error());
        QCOMPARE(server.requests().size(), 1);
    }

    void filesThatCannotBeUsedAreNamed()
    {
        QTemporaryDir folder;
        const QString empty = folder.filePath(u"empty.pem"_s);
        QFile file(empty);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        const QString missing = folder.filePath(u"missing.pem"_s);
        const http::NetworkOptions bad[] = {{{}, missing, {}, {}, {}, {}},
                                            {{}, empty, {}, {}, {}, {}},
                                            {{}, {}, missing, {}, {}, {}},
                                            {{}, {}, empty, {}, {}, {}},
                                            {{}, {}, m_server.file(), missing, {}, {}},
                                            {{}, {}, m_server.file(), empty, {}, {}},
                                            {{}, {}, m_server.file(), {}, {}, {}},
                                            {{}, {}, {}, m_server.keyFile(), {}, {}},
                                            {{}, {}, {}, {}, u"AB:CD"_s, {}},
                                            {u"gopher://x:1"_s, {}, {}, {}, {}, {}}};
        FakeHttpServer server(saysYes);
        for (const http::NetworkOptions &options : bad) {
            QVERIFY(!http::Network::from(options).ok());
            QVERIFY(fetched(server.url(), options)->error().kind == Error::Kind::Local);
        }
        QCOMPARE(server.connections(), 0);
    }

    void tlsGoesThroughTheProxyOfTheServer_data()
    {
        QTest::addColumn<QString>("scheme");
        QTest::addColumn<bool>("hasPassword");
        QTest::newRow("CONNECT") << u"http"_s << false;
        QTest::newRow("CONNECT with a password") << u"http"_s << true;
        QTest::newRow("SOCKS5") << u"socks5"_s << false;
        QTest::newRow("SOCKS5 with a password") << u"socks5"_s << true;
    }
    void tlsGoesThroughTheProxyOfTheServer()
    {
        QFETCH(QString, scheme);
        QFETCH(bool, hasPassword);
        FakeHttpServer server(m_server.server(), saysYes);
        TunnelProxy proxy(scheme == u"socks5", hasPassword ? "ada:pass word" : "");
        http::NetworkOptions network;
        network.caFile = m_authority.file();
        network.proxy = scheme + u"://"_s + (hasPassword ? u"ada:pass%20word@"_s : QString()) + u"127.0.0.1:"_s +
                        QString::number(proxy.port());
        const auto fetch = fetched(server.url(), network);
        QVERIFY2(!fetch->error(), qPrintable(fetch->error().message + fetch->error().detail));
        QCOMPARE(fetch->body(), "\"yes\""_ba);
        QCOMPARE(proxy.targets(), QList<QByteArray>{"127.0.0.1:" + QByteArray::number(server.port())});
        QVERIFY(fetch->peer().isNull());  // who is behind a proxy is not known
        // The record shows no password of the proxy to the server.
        QVERIFY(!server.requests().first().has("Proxy-Authorization"));
    }

    void httpGoesThroughTheProxyOfTheServer()
    {
        FakeHttpServer server(saysYes);
        TunnelProxy socks(true, {});
        http::NetworkOptions network;
        network.proxy = u"socks5://127.0.0.1:%1"_s.arg(socks.port());
        QCOMPARE(fetched(server.url(), network)->body(), "\"yes\""_ba);
        QCOMPARE(socks.targets().size(), 1);
        FakeHttpServer whole(saysYes);
        network.proxy = u"http://127.0.0.1:%1"_s.arg(whole.port());
        QCOMPARE(fetched(server.url(), network)->status(), 200);
        QCOMPARE(whole.requests().first().path, server.url().toEncoded());
        QCOMPARE(server.requests().size(), 1);
    }

    void aProxyThatIsNotThereIsNamed()
    {
        quint16 port = 0;
        {
            TunnelProxy gone(false, {});
            port = gone.port();
        }
        FakeHttpServer server(saysYes);
        for (const QString &scheme : {u"http"_s, u"socks5"_s}) {
            http::NetworkOptions network;
            network.proxy = u"%1://127.0.0.1:%2"_s.arg(scheme).arg(port);
            const auto fetch = fetched(server.url(), network);
            QVERIFY2(fetch->error().message.contains(u"proxy"_s), qPrintable(fetch->error().message));
        }
        QCOMPARE(server.connections(), 0);
    }

    void theSystemIsAskedForItsProxyOnAnotherThread()
    {
        FakeHttpServer proxy(saysYes);
        QNetworkProxyFactory::setApplicationProxyFactory(new SlowSystem(proxy.port()));
        const auto fetch = fetched(QUrl(u"http://mcp.example/mcp"_s), {});
        http::NetworkOptions direct;
        direct.proxy = u"none"_s;
        FakeHttpServer server(saysYes);
        const auto unproxied = fetched(server.url(), direct);
        QNetworkProxyFactory::setApplicationProxyFactory(nullptr);
        QCOMPARE(fetch->body(), "\"yes\""_ba);
        QCOMPARE(proxy.requests().size(), 1);
        QVERIFY(SlowSystem::queriedFrom && SlowSystem::queriedFrom != thread());
        QCOMPARE(unproxied->status(), 200);
    }

private:
    const TestCertificate m_authority{u"/CN=Test authority", u"DNS:authority"};
    const TestCertificate m_server{u"/CN=billing.example", u"IP:127.0.0.1", &m_authority};
};

SONDE_TEST(TestNetwork)
#include "tst_network.moc"
