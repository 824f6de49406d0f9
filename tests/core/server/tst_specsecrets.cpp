// Which values of a server's description belong in the keychain, and how they get there.
// SPDX-License-Identifier: Apache-2.0
#include "core/secrets/secretreference.h"
#include "core/server/specsecrets.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

class TestSpecSecrets : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void valuesMoveAndComeBack()
    {
        ServerSpec spec = withVariable(u"typed-1234567890"_s);
        QHash<QString, QString> values;
        const ServerSpec kept = withKeychainReferences(spec, secretPlaces(spec), &values);
        QCOMPARE(values.size(), 1);
        QCOMPARE(kept.environment.first().second, secretReference(values.cbegin().key()));
        QCOMPARE(keychainNames(kept), QStringList{values.cbegin().key()});
        QCOMPARE(withKeychainValues(kept, values).environment, spec.environment);
    }

    // The person has typed a prefix in front of a value that the keychain has already.
    void whatIsKeptIsNotKeptAgain()
    {
        for (const QString &text : {u"${keychain:n-1}"_s, u"Bearer ${keychain:n-1}"_s, u"Api-Key ${keychain:n-1}"_s}) {
            const ServerSpec spec = withVariable(text);
            QHash<QString, QString> values;
            const ServerSpec kept =
                withKeychainReferences(spec, {{SecretPlace::Where::Environment, u"API_TOKEN"_s}}, &values);
            QVERIFY2(values.isEmpty(), qPrintable(text));
            QCOMPARE(kept.environment.first().second, text);
        }
    }

    // Gemini CLI and others write a variable of the shell without braces.
    void aVariableOfTheShellIsNoSecret()
    {
        for (const QString &text : {u"Bearer $API_KEY"_s, u"$API_KEY"_s, u"Bearer ${API_KEY}"_s})
            QVERIFY2(secretPlaces(withVariable(text)).isEmpty(), qPrintable(text));
        for (const QString &text : {u"$ecret-1234567890"_s, u"Bearer $2b$10$abcdefghij"_s, u"Bearer x$API_KEY"_s})
            QCOMPARE(secretPlaces(withVariable(text)).size(), 1);
    }

    // Whoever publishes a server may call it a secret, and a path may look like a key.
    void whatWouldBeLoadedIsNoSecret()
    {
        ServerSpec spec = withVariable(u"typed-1234567890"_s);
        spec.environment.append({u"NODE_OPTIONS"_s, u"--require=./x1/evil.js"_s});
        spec.environment.append({u"X_PLUGINS"_s, u"node_modules/x1Ab2Cd3Ef4/evil-plugin.js"_s});
        spec.environment.append({u"DATABASE"_s, u"postgres://me:pass-1234567@db.example.com"_s});
        const QList<SecretPlace> expected{{SecretPlace::Where::Environment, u"API_TOKEN"_s},
                                          {SecretPlace::Where::Environment, u"DATABASE"_s}};
        QCOMPARE(secretPlaces(spec, {u"NODE_OPTIONS"_s}), expected);
    }

    // Only what is an option or a path and nothing else looks like a key by mistake.
    void aTokenBehindAnOptionOrInAPathIsSecret()
    {
        const QString token = u"ghp_16C7e42F292c6912E7710c838347Ae178B4a"_s;
        const QString key =
            u"-----BEGIN PRIVATE KEY-----\nMIIBVgIBADANBgkqhkiG9w0BAQEFAASCAUAwggE8AgEAAkEAq7BFUpkG\n"
            "-----END PRIVATE KEY-----"_s;
        ServerSpec spec = withVariable({});
        for (const QString &value :
             {u"--api-key "_s + token, u"--api-key="_s + token, u"--password=Summer-Winter2024-Autumn"_s,
              u"-k"_s + u' ' + token, u"/run/tool --key "_s + token, u"./tool "_s + token,
              u"dir/"_s + token + u".txt"_s, key}) {
            spec.environment = {{u"ARGS"_s, value}};
            QCOMPARE(secretPlaces(spec), QList<SecretPlace>({{SecretPlace::Where::Environment, u"ARGS"_s}}));
        }
        for (const QString &value : {u"--max-old-space-size=4096"_s, u"/usr/lib/x1Ab2Cd3Ef4Gh5Ij6/plugin2"_s,
                                     u"./x1Ab2Cd3Ef4Gh5Ij6/plugin2.js"_s}) {
            spec.environment = {{u"ARGS"_s, value}};
            QVERIFY2(secretPlaces(spec).isEmpty(), qPrintable(value));
        }
    }

    // However long the words in front of it are.
    void passwordsOfAddressesAreFound()
    {
        const QString word = QString(u"a."_s).repeated(50'000);
        for (const QString &start : {u"postgres"_s, word, word + u" 3a"_s}) {
            const PartlyShown parts = partlyShown(start + u"://me:x7@h/p "_s + word, false, u"(secret)"_s);
            QCOMPARE(parts.hidden, QStringList{u"x7"_s});
            QVERIFY(parts.shown.startsWith(start + u"://me:(secret)@h/p "_s));
        }
    }

    // JSON can hold one, and the program gets what stands around it.
    void halfASurrogatePairHidesNoSecret()
    {
        for (const char16_t unit : {char16_t(0xd83d), char16_t(0xde42)}) {
            const QString half{QChar(unit)};
            const PartlyShown url =
                partlyShown(half + u" https://me:x7"_s + half + u"@h/p?api_key=k1"_s + half, false, u"(secret)"_s);
            QCOMPARE(url.hidden, (QStringList{u"x7"_s + half, u"k1"_s + half}));
            QCOMPARE(url.shown, half + u" https://me:(secret)@h/p?api_key=(secret)"_s);
            const PartlyShown proxy = partlyShown(u"me:x7"_s + half + u"@host:80"_s, false, u"(secret)"_s);
            QCOMPARE(proxy.hidden, QStringList{u"x7"_s + half});
            QCOMPARE(proxy.shown, u"me:(secret)@host:80"_s);
        }
    }

    // A description that comes from elsewhere cannot name what it did not put there.
    void aSignInIsNoSecretOfAServer()
    {
        const ServerSpec spec = withVariable(u"${keychain:sign-in https://notes.example/mcp}"_s);
        QVERIFY(keychainNames(spec).isEmpty());
        const QHash<QString, QString> values{{u"sign-in https://notes.example/mcp"_s, u"tokens"_s}};
        QCOMPARE(withKeychainValues(spec, values).environment, spec.environment);
    }

private:
    static ServerSpec withVariable(const QString &value)
    {
        ServerSpec spec;
        spec.name = u"one"_s;
        spec.command = u"tool"_s;
        spec.environment = {{u"API_TOKEN"_s, value}};
        return spec;
    }
};

SONDE_TEST(TestSpecSecrets)
#include "tst_specsecrets.moc"
