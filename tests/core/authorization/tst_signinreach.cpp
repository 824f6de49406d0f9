// Where the metadata of a public server may lead a sign-in.
// SPDX-License-Identifier: Apache-2.0
#include "core/authorization/oauth.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::test;

class TestSignInReach : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // The proxy stands for the way to a public server, which names an authorization server on this computer.
    void s9_aPublicServerCannotLeadTheSignInToThisComputer_data()
    {
        QTest::addColumn<QString>("host");
        QTest::addColumn<bool>("isAllowed");
        QTest::newRow("address") << u"127.0.0.1"_s << false;
        QTest::newRow("name") << u"localhost"_s << false;
        QTest::newRow("allowed") << u"localhost"_s << true;
    }
    void s9_aPublicServerCannotLeadTheSignInToThisComputer()
    {
        QFETCH(QString, host);
        QFETCH(bool, isAllowed);
        FakeHttpServer here;
        FakeHttpServer proxy;
        const QByteArray issuer = "http://" + host.toLatin1() + ':' + QByteArray::number(here.port());
        int asked = 0;
        proxy.setHandler([&](const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer) {
            if (!request.path.startsWith("http://mcp.example/")) {
                ++asked;
                return peer.response(404, {}, {});
            }
            peer.json("{\"resource\":\"http://mcp.example/mcp\",\"authorization_servers\":[\"" + issuer + "\"]}");
        });
        OAuth::Options options;
        options.network.proxy = u"http://127.0.0.1:%1"_s.arg(proxy.port());
        if (isAllowed)
            options.network.allowedHosts = {host};
        const QUrl endpoint(u"http://mcp.example/mcp"_s);
        OAuth source(endpoint, {}, options);
        CredentialSource::Refusal refusal;
        refusal.status = 401;
        std::optional<Result<CredentialSource::Headers>> result;
        source.provide({"POST", endpoint, refusal},
                       [&result](const Result<CredentialSource::Headers> &given) { result = given; });
        QTRY_VERIFY(result.has_value());
        QVERIFY(!result->ok());
        QCOMPARE(result->error().hint.contains(u"allowed hosts"_s), !isAllowed);
        QCOMPARE(asked > 0, isAllowed);
        QCOMPARE(here.connections(), 0);
    }
};

SONDE_TEST(TestSignInReach)
#include "tst_signinreach.moc"
