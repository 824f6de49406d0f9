// A real keychain on a bus of its own, and keychains that are not there or do not respond.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/privatekeychain.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusVirtualObject>
#include <QProcess>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

// Takes every call and answers none.
class SilentService final : public QDBusVirtualObject {
public:
    QString introspect(const QString &) const override { return {}; }
    bool handleMessage(const QDBusMessage &message, const QDBusConnection &) override
    {
        message.setDelayedReply(true);
        ++calls;
        return true;
    }
    int calls = 0;
};

// The bus and the keychain are processes of their own, and so is whoever asks: nothing of this computer is touched.
class TestKeychain : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (const QString why = test::PrivateKeychain::whyNot(); !why.isEmpty())
            QSKIP(qPrintable(why));
    }

    void thereIsNoBus()
    {
        const QString said = probe({u"30000"_s, u"write"_s, u"a"_s, u"00"_s});
        QVERIFY2(said.startsWith(u"error: The keychain cannot be used. ("_s), qPrintable(said));
        QVERIFY2(said.contains(u"GNOME Keyring"_s), qPrintable(said));
        QVERIFY(probe({u"30000"_s, u"read"_s, u"a"_s}).startsWith(u"error: "_s));
    }

    void itDoesNotRespond()
    {
        QVERIFY(m_keychain.startBus());
        SilentService silent;
        QDBusConnection bus = QDBusConnection::connectToBus(m_keychain.busAddress(), u"silent"_s);
        QVERIFY(bus.isConnected());
        QVERIFY(bus.registerVirtualObject(u"/"_s, &silent, QDBusConnection::SubPath));
        QVERIFY(bus.registerService(u"org.freedesktop.secrets"_s));
        const QString said = probe({u"300"_s, u"read"_s, u"a"_s});
        QVERIFY2(said.startsWith(u"error: The keychain did not respond in time."_s), qPrintable(said));
        QVERIFY(silent.calls > 0);
        QVERIFY(bus.unregisterService(u"org.freedesktop.secrets"_s));
        QDBusConnection::disconnectFromBus(u"silent"_s);
    }

    void valuesAreKept()
    {
        QVERIFY(m_keychain.startKeyring());
        QCOMPARE(probe({u"30000"_s, u"read"_s, u"a"_s}), u"none"_s);
        // Any bytes, and an empty value is not none.
        const QString value = QString::fromLatin1(QByteArray("gr\xc3\xbc\x00\xff\n", 7).toHex());
        QCOMPARE(probe({u"30000"_s, u"write"_s, u"a"_s, value}), u"done"_s);
        QCOMPARE(probe({u"30000"_s, u"read"_s, u"a"_s}), u"value: "_s + value);
        QCOMPARE(probe({u"30000"_s, u"write"_s, u"a"_s, u"31"_s}), u"done"_s);
        QCOMPARE(probe({u"30000"_s, u"read"_s, u"a"_s}), u"value: 31"_s);
        QCOMPARE(probe({u"30000"_s, u"read"_s, u"b"_s}), u"none"_s);
        QCOMPARE(probe({u"30000"_s, u"remove"_s, u"a"_s}), u"done"_s);
        QCOMPARE(probe({u"30000"_s, u"read"_s, u"a"_s}), u"none"_s);
        QCOMPARE(probe({u"30000"_s, u"remove"_s, u"a"_s}), u"done"_s);
    }

private:
    QString probe(const QStringList &arguments)
    {
        QProcess process;
        process.setProcessEnvironment(m_keychain.environment());
        process.start(test::builtProgram(QStringLiteral("keychain-probe")), arguments);
        const bool isOver = QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, 60'000);
        return isOver ? QString::fromUtf8(process.readAllStandardOutput().trimmed()) : u"still running"_s;
    }

    test::PrivateKeychain m_keychain;
};

SONDE_TEST(TestKeychain)
#include "tst_keychain.moc"
