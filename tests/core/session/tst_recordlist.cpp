// The rows of a session, which its copies share.
// SPDX-License-Identifier: Apache-2.0
#include "core/session/recordlist.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace sonde;

namespace {

constexpr qsizetype ManyRows = 20 * RecordList::BlockRows + 100;

RecordInfo rowNumbered(qsizetype row)
{
    RecordInfo info;
    info.fileOffset = row * 300;
    info.timeNs = row + 7;
    info.partner = quint32(row);
    info.outcome = row % 3 == 0 ? RowOutcome::Ok : RowOutcome::Pending;
    info.isLate = row % 2 == 1;
    return info;
}

bool isSame(const RecordInfo &left, const RecordInfo &right)
{
    return left.fileOffset == right.fileOffset && left.timeNs == right.timeNs && left.partner == right.partner &&
           left.outcome == right.outcome && left.isLate == right.isLate;
}

void fill(RecordList &list, qsizetype rows)
{
    while (list.size() < rows)
        list.append(rowNumbered(list.size()));
}

// -1: all of them are what they should be.
qsizetype firstWrong(const RecordList &list)
{
    for (qsizetype row = 0; row < list.size(); ++row) {
        if (!isSame(list[row], rowNumbered(row)))
            return row;
    }
    return -1;
}

}  // namespace

class RecordListTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rowsChange()
    {
        RecordList list;
        fill(list, ManyRows);
        const qsizetype block = RecordList::BlockRows;
        for (const qsizetype row : {qsizetype(0), block - 1, block, ManyRows / 2, ManyRows - 1}) {
            RecordInfo info = list[row];
            info.outcome = RowOutcome::ToolError;
            list.set(row, info);
            QCOMPARE(list[row].outcome, RowOutcome::ToolError);
            list.set(row, rowNumbered(row));
        }
        QCOMPARE(firstWrong(list), -1);
        list.clear();
        QCOMPARE(list.size(), 0);
        fill(list, 5);
        QCOMPARE(firstWrong(list), -1);
    }

    void aCopyStaysAsItWas()
    {
        RecordList list;
        fill(list, ManyRows - 100);
        const RecordList copy = list;
        fill(list, 2 * ManyRows);
        for (qsizetype row = 0; row < ManyRows; row += 1000) {
            RecordInfo info;
            info.timeNs = -1;
            list.set(row, info);
        }
        list.clear();
        QCOMPARE(copy.size(), ManyRows - 100);
        QCOMPARE(firstWrong(copy), -1);
    }
};

SONDE_TEST(RecordListTest)
#include "tst_recordlist.moc"
