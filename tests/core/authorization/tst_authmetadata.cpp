// The documents that say who guards a server.
// SPDX-License-Identifier: Apache-2.0
#include "core/authorization/authmetadata.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

namespace {

QByteArray quoted(QByteArray text)
{
    return text.replace('\'', '"');
}

QStringList texts(const QList<QUrl> &urls)
{
    QStringList list;
    for (const QUrl &url : urls)
        list.append(url.toString());
    return list;
}

}  // namespace

class TestAuthMetadata : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void places()
    {
        QCOMPARE(texts(resourceMetadataUrls(QUrl(u"https://h.example:8443/a/mcp?x=1"_s))),
                 (QStringList{u"https://h.example:8443/.well-known/oauth-protected-resource/a/mcp"_s,
                              u"https://h.example:8443/.well-known/oauth-protected-resource"_s}));
        QCOMPARE(texts(resourceMetadataUrls(QUrl(u"https://h.example/"_s))),
                 QStringList{u"https://h.example/.well-known/oauth-protected-resource"_s});
        QCOMPARE(texts(authorizationServerUrls(u"https://as.example/t1/"_s)),
                 (QStringList{u"https://as.example/.well-known/oauth-authorization-server/t1"_s,
                              u"https://as.example/.well-known/openid-configuration/t1"_s,
                              u"https://as.example/t1/.well-known/openid-configuration"_s}));
        QCOMPARE(texts(authorizationServerUrls(u"https://as.example"_s)),
                 (QStringList{u"https://as.example/.well-known/oauth-authorization-server"_s,
                              u"https://as.example/.well-known/openid-configuration"_s}));
        QCOMPARE(canonicalResource(QUrl(u"HTTPS://H.example/mcp/#top"_s)), u"https://h.example/mcp"_s);
    }

    void resources_data()
    {
        QTest::addColumn<QString>("resource");
        QTest::addColumn<bool>("isOurs");
        QTest::newRow("itself") << u"https://h.example/api/mcp"_s << true;
        QTest::newRow("above") << u"https://h.example/api"_s << true;
        QTest::newRow("the origin") << u"https://h.example"_s << true;
        QTest::newRow("the origin with its slash") << u"https://h.example/"_s << true;
        QTest::newRow("the port in full") << u"https://h.example:443/api"_s << true;
        QTest::newRow("beside") << u"https://h.example/api/mc"_s << false;
        QTest::newRow("below") << u"https://h.example/api/mcp/x"_s << false;
        QTest::newRow("another host") << u"https://evil.example/api/mcp"_s << false;
        QTest::newRow("another scheme") << u"http://h.example/api/mcp"_s << false;
        QTest::newRow("another port") << u"https://h.example:8443/api"_s << false;
        QTest::newRow("none") << QString() << false;
    }
    void resources()
    {
        QFETCH(QString, resource);
        QFETCH(bool, isOurs);
        const QByteArray document =
            quoted("{'authorization_servers':['https://as.example'],'resource':'" + resource.toUtf8() + "'}");
        QCOMPARE(
            readProtectedResource(document, QUrl(u"https://h.example/api/mcp"_s), QUrl(u"https://h.example/m"_s)).ok(),
            isOurs);
    }

    void aResourceNeedsSomebodyToGuardIt()
    {
        for (const QByteArray &document :
             {quoted("{'resource':'https://h.example'}"),
              quoted("{'resource':'https://h.example','authorization_servers':[7]}"), "[]"_ba, "no JSON"_ba, ""_ba})
            QVERIFY2(!readProtectedResource(document, QUrl(u"https://h.example/mcp"_s), QUrl(u"https://h.example/m"_s)),
                     document.constData());
    }

    void servers_data()
    {
        QTest::addColumn<QByteArray>("document");
        QTest::addColumn<bool>("isUsable");
        const QByteArray issuer = "'issuer':'https://as.example/t'";
        const QByteArray token = ",'token_endpoint':'https://as.example/token'";
        QTest::newRow("usable") << issuer + token << true;
        QTest::newRow("on this computer") << issuer + ",'token_endpoint':'http://127.0.0.1:8080/token'" << true;
        QTest::newRow("another issuer") << "'issuer':'https://as.example/t2'" + token << false;
        QTest::newRow("an issuer with a slash") << "'issuer':'https://as.example/t/'" + token << false;
        QTest::newRow("no issuer") << token.mid(1) << false;
        QTest::newRow("no token endpoint") << issuer << false;
        QTest::newRow("in the clear") << issuer + ",'token_endpoint':'http://as.example/token'" << false;
        QTest::newRow("no address") << issuer + ",'token_endpoint':'/token'" << false;
        QTest::newRow("a page in the clear")
            << issuer + token + ",'authorization_endpoint':'http://as.example/authorize'" << false;
        QTest::newRow("a page that runs")
            << issuer + token + ",'authorization_endpoint':'javascript:alert(1)'" << false;
        QTest::newRow("a registration elsewhere")
            << issuer + token + ",'registration_endpoint':'ftp://as.example/'" << false;
    }
    void servers()
    {
        QFETCH(QByteArray, document);
        QFETCH(bool, isUsable);
        QCOMPARE(readAuthorizationServer('{' + quoted(document) + '}', u"https://as.example/t"_s).ok(), isUsable);
    }

    void trustworthy_data()
    {
        QTest::addColumn<QString>("url");
        QTest::addColumn<bool>("is");
        QTest::newRow("https") << u"https://as.example/x"_s << true;
        QTest::newRow("localhost") << u"http://localhost:1/x"_s << true;
        QTest::newRow("::1") << u"http://[::1]:1/x"_s << true;
        QTest::newRow("a name that begins like it") << u"http://localhost.example/x"_s << false;
        QTest::newRow("http") << u"http://as.example/x"_s << false;
        QTest::newRow("user info") << u"https://localhost@evil.example/x"_s << false;
        QTest::newRow("a file") << u"file:///etc/passwd"_s << false;
        QTest::newRow("nothing") << QString() << false;
    }
    void trustworthy()
    {
        QFETCH(QString, url);
        QTEST(isTrustworthy(QUrl(url)), "is");
    }
};

SONDE_TEST(TestAuthMetadata)
#include "tst_authmetadata.moc"
