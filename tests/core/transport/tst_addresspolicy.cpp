// Where requests may be led: spellings of addresses, redirects. The names begin with those of the threats.
// SPDX-License-Identifier: Apache-2.0
#include "core/transport/addresspolicy.h"
#include "core/transport/http/authorizedrequest.h"
#include "core/transport/http/httpfetch.h"
#include "core/transport/http/httprequests.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/testcertificate.h"
#include "tests/support/testregistry.h"

#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::test;
using http::AddressScope;
using Request = FakeHttpServer::Request;
using Peer = FakeHttpServer::Peer;

namespace {

const QHostAddress PublicAddress(u"93.184.216.34"_s);

bool ends(HttpFetch &fetch)
{
    QSignalSpy finished(&fetch, &HttpFetch::finished);
    fetch.start();
    return finished.isEmpty() && finished.wait(test::Patience);
}

}  // namespace

class TestAddressPolicy : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void scopes_data()
    {
        QTest::addColumn<QString>("address");
        QTest::addColumn<int>("scope");
        const std::pair<AddressScope, QStringList> all[] = {
            {AddressScope::Public,
             {u"1.1.1.1"_s, u"93.184.216.34"_s, u"11.0.0.1"_s, u"172.32.0.1"_s, u"172.15.255.255"_s, u"192.167.1.1"_s,
              u"169.253.1.1"_s, u"100.128.0.1"_s, u"126.255.255.255"_s, u"128.0.0.1"_s, u"2606:4700::1111"_s,
              u"::ffff:1.1.1.1"_s, u"2002:101:101::1"_s, u"64:ff9b::101:101"_s, u"2001:4860:4860::8888"_s}},
            {AddressScope::Private,
             {u"10.0.0.1"_s, u"10.255.255.255"_s, u"172.16.0.1"_s, u"172.31.255.255"_s, u"192.168.0.1"_s,
              u"100.64.0.1"_s, u"100.127.255.255"_s, u"198.19.0.1"_s, u"fc00::1"_s, u"fd12:3456::1"_s, u"fec0::1"_s,
              u"::ffff:10.0.0.1"_s, u"2002:a00:1::1"_s, u"64:ff9b::a00:1"_s, u"64:ff9b:1::1"_s, u"::10.0.0.1"_s}},
            {AddressScope::LinkLocal,
             {u"169.254.169.254"_s, u"fe80::1"_s, u"febf::1"_s, u"::ffff:a9fe:a9fe"_s, u"2002:a9fe:a9fe::"_s,
              u"64:ff9b::a9fe:a9fe"_s}},
            {AddressScope::Loopback,
             {u"127.0.0.1"_s, u"127.255.255.254"_s, u"0.0.0.0"_s, u"0.1.2.3"_s, u"::1"_s, u"::"_s,
              u"::ffff:127.0.0.1"_s, u"::127.0.0.1"_s, u"::ffff:0:127.0.0.1"_s, u"2002:7f00:1::1"_s,
              u"64:ff9b::7f00:1"_s, u"2001:0:4136:e378:8000:63bf:80ff:fffe"_s, u"fe80::5efe:127.0.0.1"_s}},
            {AddressScope::Reserved,
             {u"224.0.0.1"_s, u"255.255.255.255"_s, u"240.0.0.1"_s, u"192.0.2.1"_s, u"198.51.100.1"_s, u"203.0.113.1"_s,
              u"ff02::1"_s, u"2001:db8::1"_s, u"4000::1"_s, u"::ffff:224.0.0.1"_s}}};
        for (const auto &[scope, addresses] : all) {
            for (const QString &address : addresses)
                QTest::addRow("%s", qPrintable(address)) << address << int(scope);
        }
    }
    void scopes()
    {
        QFETCH(QString, address);
        QFETCH(int, scope);
        QVERIFY(!QHostAddress(address).isNull());
        QCOMPARE(int(http::scopeOf(QHostAddress(address))), scope);
    }

    void whatIsAsNearMayBeLedTo()
    {
        const QHostAddress loopback(QHostAddress::LocalHost);
        const QHostAddress house(u"192.168.0.7"_s);
        const QHostAddress far(u"1.1.1.1"_s);
        QVERIFY(!http::AddressPolicy{}.check(u"h"_s, loopback));  // it was named by the person
        for (const QHostAddress &from : {QHostAddress(), PublicAddress, house, loopback})
            QVERIFY(!(http::AddressPolicy{true, from, {}}.check(u"h"_s, far)));
        QVERIFY((http::AddressPolicy{true, {}, {}}.check(u"h"_s, house)));
        QVERIFY((http::AddressPolicy{true, PublicAddress, {}}.check(u"h"_s, house)));
        QVERIFY(!(http::AddressPolicy{true, house, {}}.check(u"h"_s, house)));
        QVERIFY((http::AddressPolicy{true, house, {}}.check(u"h"_s, loopback)));
        QVERIFY(!(http::AddressPolicy{true, loopback, {}}.check(u"h"_s, house)));
        QVERIFY((http::AddressPolicy{true, loopback, {}}.check(u"h"_s, QHostAddress(u"224.0.0.1"_s))));
    }

    // Nothing is connected to: neither this computer, where somebody listens, nor another address that is not public.
    void s9_publicServerCannotLeadToPrivateAddresses_data()
    {
        QTest::addColumn<QString>("host");
        const QStringList hosts{
            // This computer.
            u"127.0.0.1"_s, u"127.1"_s, u"127.0.1"_s, u"127.0.0.01"_s, u"127.0.0.2"_s, u"127.255.255.254"_s,
            u"0x7f.1"_s, u"0x7f.0.0.1"_s, u"0x7F000001"_s, u"0x7f.0x0.0x0.0x1"_s, u"2130706433"_s, u"017700000001"_s,
            u"0177.0.0.1"_s, u"0177.1"_s, u"127.0.0.1."_s, u"0"_s, u"0.0.0.0"_s, u"0x0"_s, u"localhost"_s,
            u"LOCALHOST"_s, u"localhost."_s, u"localhost%2e"_s, u"user:password@127.0.0.1"_s, u"[::1]"_s,
            u"[0:0:0:0:0:0:0:1]"_s, u"[::]"_s, u"[::ffff:127.0.0.1]"_s, u"[::ffff:7f00:1]"_s,
            u"[0:0:0:0:0:ffff:7f00:0001]"_s, u"[::127.0.0.1]"_s, u"[::7f00:1]"_s, u"[::ffff:0:127.0.0.1]"_s,
            u"[64:ff9b::127.0.0.1]"_s, u"[64:ff9b::7f00:1]"_s, u"[2002:7f00:1::]"_s, u"[2002:7f00:1::1]"_s,
            u"[2001:0:4136:e378:8000:63bf:80ff:fffe]"_s, u"[fe80::5efe:127.0.0.1]"_s, u"\uff11\uff12\uff17.0.0.1"_s,
            u"127\u30020\u30020\u30021"_s, u"\u2460\u2461\u2466.0.0.1"_s,
            // Metadata of clouds.
            u"169.254.169.254"_s, u"169.254.43518"_s, u"0xA9FEA9FE"_s, u"2852039166"_s, u"025177524776"_s,
            u"0251.0376.0251.0376"_s, u"169.254.169.254."_s, u"[::ffff:169.254.169.254]"_s, u"[::ffff:a9fe:a9fe]"_s,
            u"[64:ff9b::a9fe:a9fe]"_s, u"[2002:a9fe:a9fe::]"_s, u"[fd00:ec2::254]"_s, u"[fe80::a9fe:a9fe]"_s,
            // Networks of houses and companies.
            u"10.0.0.1"_s, u"10.1"_s, u"0xa.1"_s, u"0x0a000001"_s, u"167772161"_s, u"012.0.0.1"_s, u"012.1"_s,
            u"10.0.0.1."_s, u"[::ffff:10.0.0.1]"_s, u"[::ffff:a00:1]"_s, u"[64:ff9b::a00:1]"_s, u"[2002:a00:1::]"_s,
            u"[64:ff9b:1::a00:1]"_s, u"[fc00::1]"_s, u"[fec0::1]"_s, u"192.168.0.1"_s, u"0300.0250.1"_s,
            u"172.31.255.255"_s, u"100.64.0.1"_s, u"[ff02::1]"_s};
        for (const QString &host : hosts)
            QTest::addRow("%s", qPrintable(host)) << host;
    }
    void s9_publicServerCannotLeadToPrivateAddresses()
    {
        QFETCH(QString, host);
        FakeHttpServer here([](const Request &, const Peer &peer) { peer.json("{}"); });
        QTcpServer everywhere;  // of IPv6, too
        int connections = 0;
        if (everywhere.listen(QHostAddress::LocalHostIPv6, here.port()))
            connect(&everywhere, &QTcpServer::newConnection, this, [&connections] { ++connections; });
        HttpFetch::Request request;
        request.url = QUrl(u"http://%1:%2/secrets"_s.arg(host).arg(here.port()));
        for (const QHostAddress &from : {QHostAddress(), PublicAddress}) {
            request.addressPolicy = {true, from, {}};
            HttpFetch fetch(request);
            QVERIFY(ends(fetch));
            // Some spellings are no host at all for this system.
            QVERIFY2(
                fetch.error().hint.contains(u"allowed hosts"_s) || fetch.error().reason == Error::Reason::HostNotFound,
                qPrintable(fetch.error().message));
        }
        // What was named by hand was not asked, where a spelling means what listens here.
        QCOMPARE(here.connections(), 0);
        QCOMPARE(connections, 0);
    }

    void s9_thePersonMayNameAndAllowThem()
    {
        FakeHttpServer here([](const Request &, const Peer &peer) { peer.json("{}"); });
        HttpFetch::Request request;
        request.url = QUrl(u"http://localhost:%1/"_s.arg(here.port()));
        for (const http::AddressPolicy &reach :
             {http::AddressPolicy{}, http::AddressPolicy{true, PublicAddress, {u"LOCALHOST."_s}},
              http::AddressPolicy{true, QHostAddress(QHostAddress::LocalHost), {}}}) {
            request.addressPolicy = reach;
            HttpFetch fetch(request);
            QVERIFY(ends(fetch));
            QVERIFY2(!fetch.error(), qPrintable(fetch.error().message));
            QCOMPARE(fetch.peer(), QHostAddress(QHostAddress::LocalHost));
        }
        request.addressPolicy = {true, PublicAddress, {u"127.0.0.1"_s}};
        request.network.allowedHosts = {u"localhost"_s};
        HttpFetch fetch(request);
        QVERIFY(ends(fetch));
        QCOMPARE(fetch.status(), 200);
        QCOMPARE(here.connections(), 4);
    }

    // A proxy resolves names by itself; what tells of itself where it is is not asked of it.
    void s9_aProxyIsNotAskedForThisComputer()
    {
        FakeHttpServer proxy([](const Request &, const Peer &peer) { peer.json("{}"); });
        HttpFetch::Request request;
        request.network.proxy = u"http://127.0.0.1:%1"_s.arg(proxy.port());
        request.addressPolicy = {true, {}, {}};
        for (const QString &host : {u"127.0.0.1"_s, u"localhost"_s, u"a.localhost."_s, u"[::1]"_s, u"0x7f.1"_s,
                                    u"169.254.169.254"_s, u"10.0.0.1"_s}) {
            for (const QString &scheme : {u"http"_s, u"https"_s}) {
                request.url = QUrl(scheme + u"://"_s + host + u"/"_s);
                HttpFetch fetch(request);
                QVERIFY(ends(fetch));
                QVERIFY2(fetch.error().hint.contains(u"allowed hosts"_s), qPrintable(fetch.error().message));
            }
        }
        QCOMPARE(proxy.connections(), 0);
        request.url = QUrl(u"http://example.com/"_s);
        HttpFetch fetch(request);
        QVERIFY(ends(fetch));
        QCOMPARE(proxy.connections(), 1);
    }

    void s11_redirectsCarryNothingToAnotherOrigin_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("verb");
        QTest::addColumn<QString>("target");
        for (const int status : {301, 302, 303, 307, 308}) {
            for (const char *verb : {"GET", "POST", "DELETE"}) {
                for (const char *target : {"same origin", "other port", "other host", "https to http"})
                    QTest::addRow("%d %s %s", status, verb, target)
                        << status << QByteArray(verb) << QString::fromLatin1(target);
            }
        }
    }
    void s11_redirectsCarryNothingToAnotherOrigin()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, verb);
        QFETCH(QString, target);
        static const TestCertificate certificate(u"/CN=localhost", u"IP:127.0.0.1");
        const bool isTls = target == u"https to http";
        if (isTls && certificate.isNull())
            QSKIP("needs openssl to make a certificate");
        FakeHttpServer other([](const Request &, const Peer &peer) { peer.json("{}"); });
        QByteArray location = "/moved";
        const auto respond = [&](const Request &request, const Peer &peer) {
            if (request.path == "/moved")
                peer.json("{}");
            else
                peer.response(status, {{"Location", location}}, {});
        };
        FakeHttpServer plain(respond);
        FakeHttpServer secure(certificate.server(), respond);
        const FakeHttpServer &origin = isTls ? secure : plain;
        QUrl elsewhere = other.url();
        if (target == u"other host")
            elsewhere.setHost(u"localhost"_s);
        if (target != u"same origin")
            location = elsewhere.toEncoded();

        HttpOptions options;
        options.url = origin.url();
        options.headers = {{"Authorization", "Bearer token"}, {"X-Api-Key", "key"}, {"Cookie", "a=b"}};
        options.network.acceptedCertificate = http::fingerprintText(http::fingerprintOf(certificate.certificate()));
        HttpRequests requests;
        QVERIFY(!requests.set(options));
        HttpPool pool(requests.url(), requests.network(), nullptr);
        AuthorizedRequest::Request request = requests.make(verb, requests.url(), {});
        request.body = verb == "POST" ? "{\"secret\":1}"_ba : QByteArray();
        AuthorizedRequest exchange(&pool, request);
        QSignalSpy finished(&exchange, &AuthorizedRequest::finished);
        QSignalSpy arrived(&exchange, &AuthorizedRequest::headersArrived);
        exchange.start();
        const bool isFollowed = target == u"same origin" && status >= 307;
        QTRY_VERIFY(!finished.isEmpty() || !arrived.isEmpty());
        QCOMPARE(bool(exchange.error()), !isFollowed);
        QCOMPARE(other.connections(), 0);
        QCOMPARE(origin.requests().size(), isFollowed ? 2 : 1);
        if (!isFollowed)
            QVERIFY2(exchange.error().message.contains(QString::fromLatin1(location)),
                     qPrintable(exchange.error().message));
        else
            QCOMPARE(origin.requests().at(1).header("Authorization"), "Bearer token"_ba);
    }
};

SONDE_TEST(TestAddressPolicy)
#include "tst_addresspolicy.moc"
