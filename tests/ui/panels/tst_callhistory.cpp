// How many previous calls a tab keeps.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "ui/panels/callhistory.h"

#include <QTest>

using namespace sonde;
using namespace sonde::ui;

class TestCallHistory : public QObject {
    Q_OBJECT

private:
    static PastCall callOf(qint64 bytes, const QByteArray &arguments = {})
    {
        PastCall call;
        call.arguments = arguments;
        call.outcome.bytes = bytes;
        return call;
    }

private Q_SLOTS:
    void theOldestGo_data()
    {
        QTest::addColumn<qint64>("megabytes");
        QTest::addColumn<int>("kept");
        QTest::newRow("small") << qint64(0) << 100;
        QTest::newRow("large") << qint64(20) << 3;
        QTest::newRow("one too large is kept with the one before it") << qint64(100) << 2;
    }
    void theOldestGo()
    {
        QFETCH(qint64, megabytes);
        CallHistoryModel model;
        for (int i = 0; i < 150; ++i)
            model.add(callOf(megabytes * 1024 * 1024, QByteArray::number(i)));
        QTEST(model.rowCount(), "kept");
        QCOMPARE(model.at(0).arguments, QByteArray("149"));
        QCOMPARE(model.at(1).arguments, QByteArray("148"));
    }

    void callsWithoutArguments()
    {
        CallHistoryModel model;
        model.add(callOf(0, "{}"));
        QCOMPARE(model.index(0).data().toString(), QStringLiteral("(no arguments)"));
        model.setNoArgumentsText(QStringLiteral("Read"));
        QCOMPARE(model.index(0).data().toString(), QStringLiteral("Read"));
    }
};

SONDE_TEST(TestCallHistory)
#include "tst_callhistory.moc"
