// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http/httppolicy.h"
#include "tests/support/testregistry.h"

#include <QDateTime>
#include <QTest>

using namespace sonde;
using namespace Qt::StringLiterals;

class HttpPolicyTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyByteOfANameAndAValueIsJudged()
    {
        const QByteArray marks("!#$%&'*+-.^_`|~");
        for (int c = 0; c < 256; ++c) {
            const QByteArray text(1, char(c));
            const bool alphanumeric = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            QCOMPARE(http::isToken(text), alphanumeric || marks.contains(char(c)));
            QCOMPARE(http::isHeaderValue("a" + text + "b"), c == 9 || (c >= 32 && c != 127));
            QCOMPARE(http::isSessionId(text), c >= 0x21 && c <= 0x7E);
        }
        QVERIFY(!http::isToken({}));
        QVERIFY(http::isHeaderValue({}));
        QVERIFY(!http::isSessionId({}));
    }

    void mediaTypes()
    {
        QCOMPARE(http::mediaType("Application/JSON; charset=utf-8"), QByteArray("application/json"));
        QCOMPARE(http::mediaType("text/event-stream;"), QByteArray("text/event-stream"));
        QCOMPARE(http::mediaType(" text/html "), QByteArray("text/html"));
        QCOMPARE(http::mediaType({}), QByteArray());
    }

    void origins()
    {
        const QUrl base(QStringLiteral("http://host/mcp"));
        QVERIFY(http::isSameOrigin(base, QUrl(QStringLiteral("http://host:80/other"))));
        QVERIFY(http::isSameOrigin(base, QUrl(QStringLiteral("http://HOST/"))));
        QVERIFY(!http::isSameOrigin(base, QUrl(QStringLiteral("https://host/mcp"))));
        QVERIFY(!http::isSameOrigin(base, QUrl(QStringLiteral("http://host:8080/mcp"))));
        QVERIFY(!http::isSameOrigin(base, QUrl(QStringLiteral("http://host.evil/mcp"))));
    }

    void redirectTargetsLoseCredentials()
    {
        const QUrl base(QStringLiteral("http://host/mcp"));
        const Result<QUrl> target = http::redirectTarget(base, 307, "http://user:pw@host/x#frag", 5);
        QVERIFY(target.ok());
        QCOMPARE(*target, QUrl(QStringLiteral("http://host/x")));
        for (const char *location :
             {"", "javascript:alert(1)", "file:///etc/passwd", "//evil/x", "http://host@evil/", "http://"})
            QVERIFY2(!http::redirectTarget(base, 307, location, 5).ok(), location);
        QVERIFY(!http::redirectTarget(base, 307, "/x", 0).ok());
    }

    void retryAfter_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<qint64>("seconds");
        QTest::newRow("seconds") << QByteArray("7") << qint64(7);
        QTest::newRow("date") << QByteArray("Sat, 21 Nov 2026 01:01:40 GMT") << qint64(100);
        QTest::newRow("past") << QByteArray("Sat, 21 Nov 2020 01:01:40 GMT") << qint64(0);
        QTest::newRow("ten years") << QByteArray("315360000") << qint64(315360000);
        QTest::newRow("beyond any number") << QByteArray("99999999999999999999999") << qint64(-1);
        QTest::newRow("garbage") << QByteArray("soon") << qint64(-1);
        QTest::newRow("negative") << QByteArray("-5") << qint64(-1);
        QTest::newRow("none") << QByteArray() << qint64(-1);
    }
    void retryAfter()
    {
        QFETCH(QByteArray, value);
        QFETCH(qint64, seconds);
        const QDateTime now = QDateTime::fromString(u"2026-11-21T01:00:00Z"_s, Qt::ISODate);
        QCOMPARE(http::retryAfter(value, now).value_or(-1), seconds);
    }

    // What the server asked, whatever one thinks of it.
    void retryAfterIsSaid_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QString>("hint");
        QTest::newRow("seconds") << QByteArray("7") << u"Retry after 7 seconds."_s;
        QTest::newRow("ten years") << QByteArray("315360000")
                                   << u"The server asks to retry after 315\u2009360\u2009000 seconds (10 years)."_s;
        QTest::newRow("beyond any number")
            << QByteArray("99999999999999999999999")
            << u"The server asks to retry later (Retry-After: 99999999999999999999999)."_s;
        QTest::newRow("words") << QByteArray("soon") << u"The server asks to retry later (Retry-After: soon)."_s;
        QTest::newRow("none") << QByteArray() << QString();
    }
    void retryAfterIsSaid()
    {
        QFETCH(QByteArray, value);
        QFETCH(QString, hint);
        QCOMPARE(http::statusError(429, {}, {{"Retry-After", value}}, {}).hint, hint);
    }

    void tlsReasonsAreInWords()
    {
        const QUrl url(QStringLiteral("https://host/mcp"));
        const auto text = [&](QSslError::SslError code) {
            return http::networkError(QAbstractSocket::SslHandshakeFailedError, QStringLiteral("x"), url,
                                      {{QSslError(code)}, QSslCertificate(), false})
                .message;
        };
        QVERIFY(text(QSslError::CertificateExpired).contains(QStringLiteral("expired")));
        QVERIFY(text(QSslError::HostNameMismatch).contains(QStringLiteral("another host")));
        QVERIFY(text(QSslError::SelfSignedCertificate).contains(QStringLiteral("self-signed")));
        QVERIFY(text(QSslError::UnableToGetLocalIssuerCertificate).contains(QStringLiteral("issuer")));
    }

    void aServerWithoutTls()
    {
        const Error error = http::networkError(QAbstractSocket::SslHandshakeFailedError,
                                               u"error:0A00010B:SSL routines::wrong version number"_s,
                                               QUrl(u"https://host:8080/mcp"_s), http::TlsEvidence());
        QCOMPARE(error.message, u"host:8080 does not speak TLS."_s);
        QVERIFY(error.reason != Error::Reason::TlsFailed);
        QVERIFY2(error.hint.contains(u"http://"), qPrintable(error.hint));
    }

    void aBodyIsShownUpToTwoKibibytes()
    {
        QCOMPARE(http::shownBody(QByteArray(2048, 'a')).size(), 2048);
        QCOMPARE(http::shownBody(QByteArray(2049, 'a')).size(), 2049);  // with the ellipsis
        QVERIFY(http::shownBody(QByteArray(2049, 'a')).endsWith(QChar(0x2026)));
    }
};

SONDE_TEST(HttpPolicyTest)
#include "tst_httppolicy.moc"
