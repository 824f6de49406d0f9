// A list of rows that is shorter than what it says.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "ui/timeline/table/rowlist.h"

#include <QRandomGenerator>
#include <QTest>
#include <algorithm>

using namespace sonde::ui;
using Rows = std::vector<quint32>;

class RowListTest : public QObject {
    Q_OBJECT

private:
    static Rows spelledOut(const RowList &list) { return {list.begin(), list.end()}; }

private Q_SLOTS:
    void allRowsTakeNoMemory()
    {
        RowList list;
        list.insert(0, {0, 1, 2});
        list.insert(3, {3, 4});
        QCOMPARE(list.size(), size_t(5));
        QCOMPARE(list.listedCount(), size_t(0));
        QCOMPARE(spelledOut(list), (Rows{0, 1, 2, 3, 4}));
        list.insert(5, {5, 7, 8});
        QCOMPARE(list.listedCount(), size_t(2));
        QCOMPARE(spelledOut(list), (Rows{0, 1, 2, 3, 4, 5, 7, 8}));
        list.erase(2, 1);
        QCOMPARE(spelledOut(list), (Rows{0, 1, 3, 4, 5, 7, 8}));
        list.clear();
        QVERIFY(list.empty());
        list.insert(0, {0});
        QCOMPARE(list.listedCount(), size_t(0));
    }

    void rowsComeAnywhere()
    {
        RowList list;
        Rows rows{5};
        list.insert(0, rows);
        for (quint32 i = 0; i < 3000; ++i) {
            list.insert(1, {10 * i});
            rows.insert(rows.begin() + 1, 10 * i);
        }
        QCOMPARE(spelledOut(list), rows);
        list.erase(0, 2900);
        rows.erase(rows.begin(), rows.begin() + 2900);
        QCOMPARE(spelledOut(list), rows);
        list.erase(0, list.size());
        QVERIFY(list.empty());
        list.insert(0, {7});
        QCOMPARE(spelledOut(list), Rows{7});
    }

    void asAnOrdinaryListWouldBe_data()
    {
        QTest::addColumn<int>("rounds");
        QTest::addColumn<int>("atOnce");
        QTest::newRow("short ones") << 200 << 5;
        QTest::newRow("long ones") << 5 << 2000;
    }

    void asAnOrdinaryListWouldBe()
    {
        QFETCH(int, rounds);
        QFETCH(int, atOnce);
        QRandomGenerator random(7);
        for (int round = 0; round < rounds; ++round) {
            RowList list;
            Rows rows;
            quint32 next = 0;
            for (int step = 0; step < 30; ++step) {
                if (rows.empty() || random.bounded(3) > 0) {
                    Rows more;
                    for (int i = random.bounded(atOnce); i >= 0; --i) {
                        more.push_back(next++);
                        next += random.bounded(6) == 0 ? 1 : 0;
                    }
                    const size_t at = random.bounded(4) > 0 ? rows.size() : random.bounded(quint32(rows.size() + 1));
                    list.insert(at, more);
                    rows.insert(rows.begin() + qptrdiff(at), more.begin(), more.end());
                } else {
                    const size_t at = random.bounded(quint32(rows.size()));
                    const size_t count = std::min(size_t(random.bounded(atOnce)), rows.size() - at);
                    list.erase(at, count);
                    rows.erase(rows.begin() + qptrdiff(at), rows.begin() + qptrdiff(at + count));
                }
                QCOMPARE(list.size(), rows.size());
                QCOMPARE(spelledOut(list), rows);
                if (!rows.empty())
                    QCOMPARE(list.back(), rows.back());
            }
            std::sort(rows.begin(), rows.end());
            list.clear();
            list.insert(0, rows);
            for (quint32 wanted = 0; wanted <= next; ++wanted)
                QCOMPARE(std::lower_bound(list.begin(), list.end(), wanted) - list.begin(),
                         std::lower_bound(rows.begin(), rows.end(), wanted) - rows.begin());
        }
    }
};

SONDE_TEST(RowListTest)
#include "tst_rowlist.moc"
