// What is kept where, and that nothing is answered before the call has returned.
// SPDX-License-Identifier: Apache-2.0
#include "core/secrets/secretstore.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

class TestSecretVault : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void valuesLast()
    {
        auto memory = std::make_unique<MemorySecretStore>();
        const MemorySecretStore &lasting = *memory;
        SecretVault vault(std::move(memory));
        QCOMPARE(read(vault, u"a"_s), SecretStore::Value());
        write(vault, u"a"_s, "1");
        QCOMPARE(read(vault, u"a"_s), SecretStore::Value("1"));
        QVERIFY(lasting.contains(u"a"_s));
        vault.keepForSession(u"a"_s, "2");
        QCOMPARE(read(vault, u"a"_s), SecretStore::Value("2"));
        QCOMPARE(lasting.value(u"a"_s), SecretStore::Value("1"));
        write(vault, u"a"_s, "3");
        QCOMPARE(read(vault, u"a"_s), SecretStore::Value("3"));
        vault.keepForSession(u"a"_s, "4");
        remove(vault, u"a"_s);
        QCOMPARE(read(vault, u"a"_s), SecretStore::Value());
        QVERIFY(!lasting.contains(u"a"_s));
    }

    void nobodyIsToldWhoIsGone()
    {
        MemorySecretStore store;
        bool isTold = false;
        {
            QObject context;
            store.read(u"a"_s, &context, [&](const auto &) { isTold = true; });
            QVERIFY(!isTold);
        }
        write(store, u"b"_s, "1");
        QVERIFY(!isTold);
    }

    void severalAreReadUntilOneIsMissing()
    {
        const auto store = std::make_shared<MemorySecretStore>();
        store->setValue(u"a"_s, "1");
        store->setValue(u"b"_s, "2");
        QHash<QString, QString> found;
        std::optional<Error> ended;
        const SecretsRead done = [&](const QHash<QString, QString> &values, const Error &error) {
            found = values;
            ended = error;
        };
        readSecrets(store, {u"a"_s, u"b"_s}, this, done);
        QVERIFY(!ended);
        QTRY_VERIFY(ended);
        QVERIFY(!*ended);
        QCOMPARE(found.size(), 2);
        QCOMPARE(found.value(u"b"_s), u"2"_s);
        ended.reset();
        readSecrets(store, {u"a"_s, u"gone"_s, u"b"_s}, this, done);
        QTRY_VERIFY(ended);
        QVERIFY2(ended->message.contains(u"“gone”"_s), qPrintable(ended->message));
        QVERIFY(!ended->hint.isEmpty());
        QCOMPARE(found.keys(), QStringList{u"a"_s});
    }

private:
    SecretStore::Value read(SecretStore &store, const QString &name)
    {
        std::optional<SecretStore::Value> found;
        store.read(name, this, [&](const Result<SecretStore::Value> &value) { found = *value; });
        return QTest::qWaitFor([&] { return found.has_value(); }) ? *found : SecretStore::Value("no answer");
    }
    void write(SecretStore &store, const QString &name, const QByteArray &value)
    {
        bool isDone = false;
        store.write(name, value, this, [&](const Error &) { isDone = true; });
        QTRY_VERIFY(isDone);
    }
    void remove(SecretStore &store, const QString &name)
    {
        bool isDone = false;
        store.remove(name, this, [&](const Error &) { isDone = true; });
        QTRY_VERIFY(isDone);
    }
};

SONDE_TEST(TestSecretVault)
#include "tst_secretvault.moc"
