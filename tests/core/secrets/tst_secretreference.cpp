// References to secrets within texts.
// SPDX-License-Identifier: Apache-2.0
#include "core/secrets/secretreference.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

class TestSecretReference : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesAreFound()
    {
        QCOMPARE(secretNamesIn(u"Bearer ${keychain:a-1} and ${keychain:b}"_s), (QStringList{u"a-1"_s, u"b"_s}));
        for (const QString &text :
             {u""_s, u"keychain:a"_s, u"${keychain:}"_s, u"${keychain:a"_s, u"${env:A}"_s, u"$${keychain}"_s,
              u"${keychain:a{b}"_s, u"${keychain:sign-in https://notes.example/mcp}"_s})
            QVERIFY2(secretNamesIn(text).isEmpty(), qPrintable(text));
    }

    void valuesTakeTheirPlaces()
    {
        const QHash<QString, QString> values{{u"a"_s, u"${keychain:b}"_s}, {u"b"_s, u"2"_s}};
        // A value that looks like a reference is none.
        QCOMPARE(withSecrets(u"x ${keychain:a} y ${keychain:b} z ${keychain:c}"_s, values),
                 u"x ${keychain:b} y 2 z ${keychain:c}"_s);
    }

    void newNamesAreTheirOwn()
    {
        const QString first = newSecretName(u"git{hub} TOKEN"_s);
        QVERIFY2(first.startsWith(u"git-hub-TOKEN-"_s), qPrintable(first));
        QVERIFY(first != newSecretName(u"git{hub} TOKEN"_s));
        QCOMPARE(secretNamesIn(secretReference(first)), QStringList{first});
    }
};

SONDE_TEST(TestSecretReference)
#include "tst_secretreference.moc"
