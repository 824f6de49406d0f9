// Signed tokens. That others accept them is what the conformance suite shows.
// SPDX-License-Identifier: Apache-2.0
#include "core/authorization/pkce.h"
#include "core/authorization/signingkey.h"
#include "tests/support/testregistry.h"

#include <QProcess>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

class TestSigningKey : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // The example of RFC 7636, appendix B.
    void challenge()
    {
        QCOMPARE(codeChallenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
                 "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"_ba);
        QSet<QByteArray> tokens;
        for (int i = 0; i < 100; ++i)
            tokens.insert(randomToken());
        QCOMPARE(tokens.size(), 100);
        QCOMPARE(tokens.begin()->size(), 43);
    }

    void aNewKeySigns()
    {
        const Result<SigningKey> key = SigningKey::make();
        QVERIFY(key);
        const Result<QByteArray> token = key->sign("\"typ\":\"dpop+jwt\",", "{\"jti\":\"1\"}");
        QVERIFY(token);
        const QByteArrayList parts = token->split('.');
        QCOMPARE(parts.size(), 3);
        QCOMPARE(QByteArray::fromBase64(parts[0], Base64Url), "{\"typ\":\"dpop+jwt\",\"alg\":\"ES256\"}"_ba);
        QCOMPARE(QByteArray::fromBase64(parts[1], Base64Url), "{\"jti\":\"1\"}"_ba);
        QCOMPARE(QByteArray::fromBase64(parts[2], Base64Url).size(), 64);
        QVERIFY(key->publicJwk() != SigningKey::make()->publicJwk());
        QVERIFY(!key->publicJwk().contains("\"d\""));
    }

    void aKeyCanBeKept()
    {
        const Result<SigningKey> key = SigningKey::make();
        QVERIFY(key);
        const Result<SigningKey> again = SigningKey::fromPem(key->toPem(), "ES256");
        QVERIFY(again);
        QCOMPARE(again->publicJwk(), key->publicJwk());
    }

    // What we sign, OpenSSL's own program takes.
    void rs256()
    {
        const QByteArray pem = openssl({u"genpkey"_s, u"-algorithm"_s, u"RSA"_s});
        const Result<SigningKey> key = SigningKey::fromPem(pem, "RS256");
        QVERIFY2(key, pem.constData());
        const Result<QByteArray> token = key->sign("\"typ\":\"JWT\",", "{\"iss\":\"me\"}");
        QVERIFY(token);
        const qsizetype dot = token->lastIndexOf('.');
        QCOMPARE(QByteArray::fromBase64(token->left(token->indexOf('.')), Base64Url),
                 "{\"typ\":\"JWT\",\"alg\":\"RS256\"}"_ba);
        write(u"public"_s, openssl({u"pkey"_s, u"-pubout"_s}, pem));
        write(u"signature"_s, QByteArray::fromBase64(token->mid(dot + 1), Base64Url));
        const QStringList verify{u"dgst"_s,         u"-sha256"_s,    u"-verify"_s,
                                 path(u"public"_s), u"-signature"_s, path(u"signature"_s)};
        QCOMPARE(openssl(verify, token->left(dot)), "Verified OK\n"_ba);
        QVERIFY(openssl(verify, token->left(dot - 1)) != "Verified OK\n"_ba);
    }

    void keysThatDoNotFit_data()
    {
        QTest::addColumn<QStringList>("options");  // of openssl genpkey
        QTest::addColumn<bool>("isPublic");
        QTest::addColumn<QByteArray>("algorithm");
        QTest::addColumn<QString>("expected");
        const QStringList rsa{u"-algorithm"_s, u"RSA"_s};
        const auto ec = [](const QString &curve) {
            return QStringList{u"-algorithm"_s, u"EC"_s, u"-pkeyopt"_s, u"ec_paramgen_curve:"_s + curve};
        };
        QTest::newRow("RSA for ES256") << rsa << false << "ES256"_ba << u"cannot be used with ES256"_s;
        QTest::newRow("EC for RS256") << ec(u"P-256"_s) << false << "RS256"_ba << u"cannot be used with RS256"_s;
        QTest::newRow("another curve") << ec(u"P-384"_s) << false << "ES256"_ba << u"cannot be used with ES256"_s;
        QTest::newRow("a public key") << ec(u"P-256"_s) << true << "ES256"_ba << u"This is a public key"_s;
        QTest::newRow("a public RSA key") << rsa << true << "RS256"_ba << u"This is a public key"_s;
        QTest::newRow("with a passphrase")
            << QStringList{u"-algorithm"_s, u"RSA"_s, u"-aes128"_s, u"-pass"_s, u"pass:x"_s} << false << "RS256"_ba
            << u"has a passphrase"_s;
        QTest::newRow("another algorithm") << ec(u"P-256"_s) << false << "HS256"_ba << u"cannot be used with HS256"_s;
    }
    void textThatIsNoKey_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("expected");
        QTest::newRow("nonsense") << "nonsense"_ba << u"is not PEM"_s;
        QTest::newRow("nothing") << QByteArray() << u"is not PEM"_s;
        QTest::newRow("nonsense in PEM") << "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"_ba
                                         << u"cannot be read"_s;
        QTest::newRow("a certificate") << "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"_ba
                                       << u"This is a certificate"_s;
    }
    void textThatIsNoKey()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, expected);
        const Result<SigningKey> key = SigningKey::fromPem(text, "ES256");
        QVERIFY(!key);
        QVERIFY2(key.error().message.contains(expected), qPrintable(key.error().message));
    }

    void keysThatDoNotFit()
    {
        QFETCH(QStringList, options);
        QFETCH(bool, isPublic);
        QFETCH(QByteArray, algorithm);
        QFETCH(QString, expected);
        QByteArray pem = openssl(QStringList{u"genpkey"_s} + options);
        QVERIFY(pem.contains("PRIVATE KEY"));
        if (isPublic)
            pem = openssl({u"pkey"_s, u"-pubout"_s}, pem);
        const Result<SigningKey> key = SigningKey::fromPem(pem, algorithm);
        QVERIFY(!key);
        QVERIFY2(key.error().message.contains(expected), qPrintable(key.error().message));
    }

private:
    static QByteArray openssl(const QStringList &arguments, const QByteArray &input = {})
    {
        QProcess process;
        process.start(u"openssl"_s, arguments);
        process.write(input);
        process.closeWriteChannel();
        return process.waitForFinished() ? process.readAllStandardOutput() : QByteArray();
    }
    QString path(const QString &name) const { return m_folder.filePath(name); }
    void write(const QString &name, const QByteArray &content) const
    {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }

    QTemporaryDir m_folder;
};

SONDE_TEST(TestSigningKey)
#include "tst_signingkey.moc"
