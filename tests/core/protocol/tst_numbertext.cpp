// Numbers for people are written alike everywhere.
// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/numbertext.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

class TestNumberText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void digitsStandInGroups()
    {
        QCOMPARE(grouped(0), u"0"_s);
        QCOMPARE(grouped(999), u"999"_s);
        QCOMPARE(grouped(-999), u"-999"_s);
        QCOMPARE(grouped(1204), u"1\u2009204"_s);
        QCOMPARE(grouped(-123456), u"-123\u2009456"_s);
        QCOMPARE(grouped(1234567), u"1\u2009234\u2009567"_s);
    }
};

SONDE_TEST(TestNumberText)
#include "tst_numbertext.moc"
