// The rows of a session: the newest in memory, the older ones in a file, which nobody can tell by looking at them.
// SPDX-License-Identifier: Apache-2.0
#include "core/session/recordlist.h"
#include "tests/support/testregistry.h"

#include <sys/resource.h>
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

using namespace Qt::StringLiterals;
using namespace sonde;

namespace {

constexpr qsizetype ManyRows = 3 * RecordList::RowsInMemory;

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
    void oldRowsAreInTheFile()
    {
        QTemporaryDir folder;
        RecordList list;
        list.setFolder(folder.path());
        fill(list, RecordList::RowsInMemory);
        QCOMPARE(list.inFile(), 0);  // most sessions never need it
        fill(list, ManyRows);
        QVERIFY(list.inFile() >= ManyRows - RecordList::RowsInMemory - 2 * RowFile::BlockRows);
        QCOMPARE(firstWrong(list), -1);
        // It has no name, so that nothing stays behind whatever happens.
        QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), QStringList());
        list.clear();
        QCOMPARE(list.size(), 0);
        fill(list, 5);
        QCOMPARE(firstWrong(list), -1);
    }

    void rowsChangeWhereverTheyAre()
    {
        QTemporaryDir folder;
        RecordList list;
        list.setFolder(folder.path());
        fill(list, ManyRows);
        const qsizetype inFile = list.inFile();
        for (const qsizetype row : {qsizetype(0), qsizetype(1023), qsizetype(1024), ManyRows / 2, ManyRows - 1}) {
            RecordInfo info = list[row];
            info.outcome = RowOutcome::ToolError;
            list.set(row, info);
            QCOMPARE(list[row].outcome, RowOutcome::ToolError);
            list.set(row, rowNumbered(row));
        }
        QCOMPARE(firstWrong(list), -1);
        QCOMPARE(list.inFile(), inFile);
    }

    void aCopyStaysAsItWas()
    {
        QTemporaryDir folder;
        RecordList list;
        list.setFolder(folder.path());
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

    // A limit on the size of files is to this process what a full disk is.
    void withoutRoomTheyStayInMemory_data()
    {
        QTest::addColumn<rlim_t>("most");
        QTest::newRow("none") << rlim_t(0);
        QTest::newRow("for some") << rlim_t(1'000'000);
    }

    void withoutRoomTheyStayInMemory()
    {
        QFETCH(rlim_t, most);
        QTemporaryDir folder;
        RecordList list;
        list.setFolder(folder.path());
        ::signal(SIGXFSZ, SIG_IGN);
        rlimit before{};
        ::getrlimit(RLIMIT_FSIZE, &before);
        const rlimit narrow{most, before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &narrow);
        fill(list, ManyRows);
        const RecordInfo first = list[0];
        list.set(0, rowNumbered(5));
        const bool isChanged = isSame(list[0], rowNumbered(5));
        list.set(0, first);
        ::setrlimit(RLIMIT_FSIZE, &before);
        QVERIFY(isChanged);
        QVERIFY(list.inFile() * qsizetype(sizeof(RecordInfo)) <= qsizetype(most));
        QCOMPARE(firstWrong(list), -1);
    }

    void withoutAFolderTheyStayInMemory()
    {
        RecordList list;
        list.setFolder(u"/proc/nowhere"_s);
        fill(list, ManyRows);
        QCOMPARE(list.inFile(), 0);
        QCOMPARE(firstWrong(list), -1);
    }
};

SONDE_TEST(RecordListTest)

#include "tst_recordlist.moc"
