// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "ui/diff/linedifference.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <vector>

using namespace Qt::StringLiterals;

namespace sonde::ui {

class TestLineDifference : public QObject {
    Q_OBJECT

private:
    // "+new", "-old", " equal", one for each line of the text.
    static QByteArray marked(const LineDifference &difference)
    {
        QByteArray result;
        qsizetype offset = 0;
        for (const QByteArray &line : difference.text.split('\n')) {
            const auto change = std::find_if(
                difference.changes.begin(), difference.changes.end(),
                [&](const auto &each) { return offset >= each.offset && offset <= each.offset + each.length; });
            const bool isEnd = offset == difference.text.size();
            if (!isEnd)
                result += (change == difference.changes.end() ? " " : change->isAdded ? "+" : "-") + line + '\n';
            offset += line.size() + 1;
        }
        return result;
    }

    // Dynamic programming, slow and plain.
    static qsizetype longestCommon(const QList<QByteArray> &left, const QList<QByteArray> &right)
    {
        std::vector<std::vector<qsizetype>> best(size_t(left.size() + 1), std::vector<qsizetype>(right.size() + 1, 0));
        for (size_t i = 0; i < size_t(left.size()); ++i) {
            for (size_t j = 0; j < size_t(right.size()); ++j)
                best[i + 1][j + 1] = left[qsizetype(i)] == right[qsizetype(j)]
                                         ? best[i][j] + 1
                                         : std::max(best[i][j + 1], best[i + 1][j]);
        }
        return best.back().back();
    }

private Q_SLOTS:
    void shown_data()
    {
        QTest::addColumn<QByteArray>("older");
        QTest::addColumn<QByteArray>("newer");
        QTest::addColumn<QByteArray>("shown");
        QTest::newRow("equal") << "a\nb\n"_ba
                               << "a\nb"_ba
                               << ""_ba;
        QTest::newRow("both empty") << ""_ba
                                    << ""_ba
                                    << ""_ba;
        QTest::newRow("from nothing") << ""_ba
                                      << "a\nb"_ba
                                      << "+a\n+b\n"_ba;
        QTest::newRow("to nothing") << "a\n"_ba
                                    << ""_ba
                                    << "-a\n"_ba;
        QTest::newRow("changed") << "a\nb\nc\n"_ba
                                 << "a\nx\nc\n"_ba
                                 << " a\n-b\n+x\n c\n"_ba;
        QTest::newRow("in front") << "a\nb\n"_ba
                                  << "x\na\nb\n"_ba
                                  << "+x\n a\n b\n"_ba;
        QTest::newRow("behind") << "a\n"_ba
                                << "a\nb\n"_ba
                                << " a\n+b\n"_ba;
        QTest::newRow("empty lines") << "a\n\n\n"_ba
                                     << "a\n\n"_ba
                                     << " a\n \n-\n"_ba;
        QTest::newRow("long stretches") << "1\n2\n3\n4\n5\n6\n7\n8\n9\n"_ba
                                        << "1\n2\n3\n4\n5\n6\n7\n8\n9\nx\n"_ba
                                        << " … 6 equal lines\n 7\n 8\n 9\n+x\n"_ba;
        QTest::newRow("between two changes") << "a\n1\n2\n3\n4\n5\n6\n7\n8\nb\n"_ba
                                             << "1\n2\n3\n4\n5\n6\n7\n8\n"_ba
                                             << "-a\n 1\n 2\n 3\n … 2 equal lines\n 6\n 7\n 8\n-b\n"_ba;
    }
    void shown()
    {
        QFETCH(QByteArray, older);
        QFETCH(QByteArray, newer);
        const LineDifference difference = differenceOfLines(older, newer);
        QTEST(marked(difference), "shown");
    }

    // Every difference has the fewest lines that are possible.
    void fewestLines()
    {
        QRandomGenerator random(7);
        for (int round = 0; round < 2000; ++round) {
            const auto make = [&] {
                QList<QByteArray> lines;
                for (quint32 i = random.bounded(14U); i > 0; --i)
                    lines.append(QByteArray(1, char('a' + random.bounded(3))));
                return lines;
            };
            const QList<QByteArray> older = make();
            const QList<QByteArray> newer = make();
            const LineDifference difference = differenceOfLines(older.join('\n'), newer.join('\n'));
            QCOMPARE(difference.added - difference.removed, newer.size() - older.size());
            QCOMPARE(difference.added + difference.removed,
                     older.size() + newer.size() - 2 * longestCommon(older, newer));
        }
    }

    // Texts that have nothing in common, and more lines than are compared exactly.
    void veryDifferentTextsAreShownWhole()
    {
        QByteArray older;
        QByteArray newer;
        for (int i = 0; i < 20'000; ++i) {
            older += "old " + QByteArray::number(i) + '\n';
            newer += "new " + QByteArray::number(i) + '\n';
        }
        const LineDifference difference = differenceOfLines("same\n" + older, "same\n" + newer);
        QCOMPARE(difference.removed, 20'000);
        QCOMPARE(difference.added, 20'000);
        QCOMPARE(difference.text, "same\n" + older + newer);
    }
};

}  // namespace sonde::ui

using sonde::ui::TestLineDifference;
SONDE_TEST(TestLineDifference)
#include "tst_linedifference.moc"
