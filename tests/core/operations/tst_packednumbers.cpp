// Numbers come out of little memory as they went in.
// SPDX-License-Identifier: Apache-2.0
#include "core/operations/operationtables.h"
#include "core/operations/packednumbers.h"
#include "tests/support/testregistry.h"

#include <QRandomGenerator>
#include <QTest>

using namespace sonde;

class PackedNumbersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void asAnOrdinaryListWouldBe_data()
    {
        QTest::addColumn<quint32>("from");
        QTest::addColumn<quint32>("span");
        QTest::newRow("two of them") << 70'000U << 1U;
        QTest::newRow("seven, with none three bits each") << 70'000U << 6U;
        QTest::newRow("one more") << 70'000U << 7U;
        QTest::newRow("two bytes each") << 5U << 0xFFFEU;
        QTest::newRow("just more than that") << 5U << 0xFFFFU;
        QTest::newRow("all there are") << 0U << 0xFFFFFFFEU;
    }

    void asAnOrdinaryListWouldBe()
    {
        QFETCH(quint32, from);
        QFETCH(quint32, span);
        QRandomGenerator random(7);
        PackedNumbers packed;
        std::vector<quint32> plain;
        const auto number = [&] {
            switch (random.bounded(5)) {
                case 0:
                    return PackedNumbers::Nothing;
                case 1:
                    return from;
                case 2:
                    return from + span;
                default:
                    return from + random.generate() % span;
            }
        };
        for (int i = 0; i < 5000; ++i) {
            plain.push_back(number());
            packed.append(plain.back());
            const size_t at = random.bounded(quint32(plain.size()));
            plain[at] = number();
            packed.set(at, plain[at]);
        }
        QCOMPARE(packed.size(), plain.size());
        for (size_t i = 0; i < plain.size(); ++i)
            QCOMPARE(packed[i], plain[i]);
    }

    void everyNumberInTurn()
    {
        PackedNumbers packed;
        packed.append(PackedNumbers::Nothing);
        QCOMPARE(packed[0], PackedNumbers::Nothing);
        for (const quint32 number : {9U, 0U, 254U, 255U, 0xFFFFU, 0x10000U, PackedNumbers::Nothing, 0xFFFFFFFEU, 1U}) {
            packed.set(0, number);
            QCOMPARE(packed[0], number);
        }
    }

    void madeOfMany()
    {
        std::vector<quint32> plain(PackedBlock::Capacity, PackedBlock::Nothing);
        QCOMPARE(PackedBlock(plain)[17], PackedBlock::Nothing);
        plain[17] = 40'000;
        plain[200] = 40'001;
        const PackedBlock packed{std::span<const quint32>(plain)};
        for (size_t i = 0; i < plain.size(); ++i)
            QCOMPARE(packed[i], plain[i]);
        PackedBlock fewer{std::span<const quint32>(plain).first(18)};
        fewer.set(255, 7);
        QCOMPARE(fewer[17], 40'000U);
        QCOMPARE(fewer[18], PackedBlock::Nothing);
        QCOMPARE(fewer[255], 7U);
    }

    // Of a call that goes on all the time beside many short ones, over all the distances that there are.
    void chainsGoForthAndBack()
    {
        RecordLinks links;
        OperationTable operations;
        for (quint32 row = 0; row < 70'000; ++row)
            links.append();
        const quint32 operation = operations.add(40'000, true);
        links.set(40'000, operation, RecordRole::Request, LinkReason::None);
        quint32 before = 40'000;
        for (const quint32 row : {39'999U, 0U, 40'001U, 40'002U, 41'000U, 69'999U}) {
            links.set(row, operation, RecordRole::Transport, LinkReason::InBatch);
            links.setNext(operations.lastRow(operation), row);
            operations.setLastRow(operation, row);
            QCOMPARE(links.next(before), row);
            QCOMPARE(operations.lastRow(operation), row);
            QCOMPARE(links.next(row), RecordLinks::nothing);
            QCOMPARE(links.operation(row), operation);
            QCOMPARE(links.role(row), RecordRole::Transport);
            QCOMPARE(links.reason(row), LinkReason::InBatch);
            before = row;
        }
        QCOMPARE(links.operation(1), RecordLinks::nothing);
        QVERIFY(operations.at(operation).isOpen);
        operations.end(operation, 69'999, RowOutcome::NoResponse);
        operations.setTask(operation);
        QVERIFY(!operations.setChanged(operation, true));  // it is new
        QVERIFY(operations.setChanged(operation, false));
        const Operation ended = operations.at(operation);
        QCOMPARE(ended.outcome, RowOutcome::NoResponse);
        QVERIFY(!ended.isOpen && ended.isTask && ended.isLocal && !ended.hasSteps);
        QCOMPARE(operations.endRow(operation), 69'999U);
        QCOMPARE(operations.firstByteRow(operation), OperationTable::nothing);
        QCOMPARE(ended.currentRow, 40'000U);
        operations.setCurrentRow(operation, 41'000);
        QCOMPARE(operations.at(operation).currentRow, 41'000U);
    }
};

SONDE_TEST(PackedNumbersTest)
#include "tst_packednumbers.moc"
