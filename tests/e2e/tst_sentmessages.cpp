// All that Sonde has sent in all other tests of this run, against the official schemas of the protocol.
// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/messagecheck.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QTest>

class tst_SentMessages : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void allAreValid()
    {
        if (const QString why = sonde::test::whyNoMessageCheck(); !why.isEmpty())
            QSKIP(why.toUtf8().constData());
        const QString folder = sonde::test::programFolder() + QStringLiteral("/../messages");
        if (!QFileInfo::exists(folder))
            QSKIP("no message was sent");
        const sonde::test::MessageCheck check = sonde::test::checkMessages(folder);
        qInfo("%s", check.text.trimmed().split('\n').constLast().constData());
        QVERIFY2(check.exitCode == 0, check.text.constData());
    }
};

SONDE_TEST(tst_SentMessages)
#include "tst_sentmessages.moc"
