// Signed tokens. That others accept them is what the conformance suite shows.
// SPDX-License-Identifier: Apache-2.0
#include "core/authorization/pkce.h"
#include "core/authorization/signingkey.h"
#include "tests/support/testregistry.h"

#include <QSet>
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

    void keysThatDoNotFit()
    {
        QVERIFY(!SigningKey::fromPem("no key", "ES256"));
        QVERIFY(!SigningKey::fromPem({}, "RS256"));
        const QByteArray publicHalf =
            "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n"
            "-----END PUBLIC KEY-----\n";
        const Result<SigningKey> key = SigningKey::fromPem(publicHalf, "ES256");
        QVERIFY(!key);
        QVERIFY2(key.error().message.contains(u"cannot be read"_s), qPrintable(key.error().message));
    }
};

SONDE_TEST(TestSigningKey)
#include "tst_signingkey.moc"
