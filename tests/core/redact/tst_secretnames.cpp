// Names that say that a value is secret are found wherever names stand, and what stands behind them is masked.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "core/redact/redactor.h"
#include "core/redact/secretnames.h"
#include "tests/support/sessionscript.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace sonde;
using namespace sonde::test;
using namespace Qt::StringLiterals;

namespace {

QByteArray maskedText(QByteArray text)
{
    Redactor redactor("key");
    QList<RedactionMark> marks;
    redactor.redactPayload(text, marks);
    return text;
}

// As a server says it: the text of a result.
QByteArray maskedAsResult(const QString &text)
{
    return maskedText(R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":)" + json::quoted(text) +
                      R"(}],"isError":false}})");
}

}  // namespace

class SecretNamesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // A form shows dots for a name, and a recording masks it: by one and the same judgement.
    void formAndRecordingAgree_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("isSecret");
        const auto row = [](const char *name, bool isSecret) {
            QTest::newRow(name) << QString::fromUtf8(name) << isSecret;
        };
        for (const char *name :
             {"password", "secret_id", "password_old", "passwordNew", "clientSecretProd", "DB_PASSWORD_PROD", "pw",
              "pass_phrase", "pin_setup", "cookieJar", "jwtRaw", "Set-Cookie", "x-api-key", "credentials.json",
              "authorizationHeader", "PasswordlessHint", "bearer format"})
            row(name, true);
        for (const char *name : {"role_id",
                                 "nextPageToken",
                                 "max_tokens",
                                 "key",
                                 "code",
                                 "compass",
                                 "path",
                                 "p",
                                 "publicKey",
                                 "to\u212Aen",
                                 "session",
                                 "author",
                                 "otpauth",
                                 "myTotp2",
                                 "pinned",
                                 "tokenizer",
                                 "passwordPolicy",
                                 "passwordpolicy",
                                 "secretName",
                                 "secretsCount",
                                 "cookieConsent",
                                 "passwordMinLength",
                                 "credentials_file"})
            row(name, false);
    }
    void formAndRecordingAgree()
    {
        QFETCH(const QString, name);
        QFETCH(const bool, isSecret);
        QCOMPARE(isSecretName(name), isSecret);
        const QByteArray member = maskedText("{\"role\":\"r\"," + json::quoted(name) + ":\"canary\"}");
        QCOMPARE(!member.contains("canary"), isSecret);
        const QByteArray within =
            maskedAsResult(u"{\"role\":\"r\",%1:\"canary\"}"_s.arg(QString::fromUtf8(json::quoted(name))));
        QCOMPARE(!within.contains("canary"), isSecret);
    }

    // A line such as DB_PASSWORD_PROD=… in any text.
    void variablesInTexts()
    {
        for (const char *name : {"DB_PASSWORD_PROD", "SECRET_ID", "STRIPE_KEY_LIVE", "GITHUB_PAT", "SESSION_SALT_V1"}) {
            const QString line = u"export %1=canary9"_s.arg(QLatin1StringView(name));
            QVERIFY(isSecretName(QString::fromLatin1(name), NamePlace::Variable));
            QVERIFY2(!maskedAsResult(line).contains("canary"), name);
            QVERIFY2(!maskedText(line.toUtf8()).contains("canary"), name);
        }
    }
};

SONDE_TEST(SecretNamesTest)

#include "tst_secretnames.moc"
