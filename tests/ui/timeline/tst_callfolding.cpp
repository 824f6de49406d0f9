// All calls of a long list are folded or unfolded in the background, while it stays of use.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "tests/ui/timeline/sessionfeed.h"
#include "ui/timeline/timelinemodel.h"

#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;

namespace sonde::ui {

using Fold = TimelineModel::Fold;
using View = TimelineModel::View;
using test::SessionFeed;

class TestCallFolding : public QObject {
    Q_OBJECT

private:
    // So many that they are not folded in one go. The first one stays open, each has one step.
    struct Fixture {
        static constexpr int Calls = 10'000;
        std::unique_ptr<Session> session = std::make_unique<Session>();
        SessionFeed feed{session.get()};
        TimelineModel model;
        int sent = 0;

        Fixture()
        {
            add(Calls);
            model.setSession(session.get());
            model.setView(View::Calls);
            while (model.isFiltering())
                QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        }

        void add(int count)
        {
            for (int i = 0; i < count; ++i, ++sent) {
                const QByteArray id = QByteArray::number(sent);
                feed.toServer(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"tools/call","params":{"name":"t)" +
                              QByteArray::number(sent % 10) + R"(","_meta":{"progressToken":)" + id + "}}}");
                progress(sent);
                if (sent > 0)
                    feed.fromServer(R"({"jsonrpc":"2.0","result":{},"id":)" + id + '}');
                if (i % 1000 == 0)
                    session->flush();
            }
            session->flush();
        }
        void progress(int call)
        {
            feed.fromServer(
                R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1,"progressToken":)" +
                QByteArray::number(call) + "}}");
            session->flush();
        }
        static qsizetype rowOf(int call) { return call == 0 ? 0 : 3 * call - 1; }
        // Up to that many calls.
        QList<qsizetype> folded(int calls = Calls) const
        {
            QList<qsizetype> rows;
            for (int i = 0; i < calls; ++i)
                rows.append(rowOf(i));
            return rows;
        }
        QList<qsizetype> unfolded(int calls = Calls) const
        {
            QList<qsizetype> rows;
            for (int i = 0; i < calls; ++i)
                rows << rowOf(i) << rowOf(i) + 1;
            return rows;
        }
        QList<qsizetype> rows() const
        {
            QList<qsizetype> rows;
            for (int i = 0; i < model.rowCount(); ++i)
                rows.append(model.sessionRow(model.index(i, 0)));
            return rows;
        }
        Fold foldOf(int call) const { return model.fold(model.indexOfRow(rowOf(call))); }
    };

private Q_SLOTS:
    void allAreUnfoldedAtOnceAndFoldedAgain()
    {
        Fixture f;
        QSignalSpy resets(&f.model, &QAbstractItemModel::modelReset);
        QSignalSpy insertions(&f.model, &QAbstractItemModel::rowsInserted);
        f.model.setAllUnfolded(true);
        QTRY_VERIFY(!f.model.isFiltering());
        QCOMPARE(f.rows(), f.unfolded());
        QCOMPARE(f.foldOf(1), Fold::Unfolded);
        f.model.setAllUnfolded(false);
        QTRY_VERIFY(!f.model.isFiltering());
        QCOMPARE(f.rows(), f.folded());
        QCOMPARE(f.foldOf(1), Fold::Folded);
        QCOMPARE(resets.size(), 2);
        QCOMPARE(insertions.size(), 0);
    }

    void callsComeMeanwhile()
    {
        Fixture f;
        f.model.setAllUnfolded(true);
        QVERIFY(f.model.isFiltering());
        f.add(3);
        const qsizetype late = f.session->size();
        f.progress(0);
        f.progress(Fixture::Calls - 1);
        QTRY_VERIFY(f.model.calls()->isComplete());
        QList<qsizetype> expected = f.unfolded(f.sent);
        expected.insert(2 * Fixture::Calls, late + 1);
        expected.insert(2, late);
        QTRY_COMPARE(f.rows(), expected);
        f.model.setAllUnfolded(false);
        f.progress(0);
        f.add(1);
        QTRY_COMPARE(f.model.rowCount(), Fixture::Calls + 4);
        QTRY_VERIFY(!f.model.isFiltering());
        QCOMPARE(f.foldOf(0), Fold::Folded);
        QCOMPARE(f.foldOf(Fixture::Calls + 2), Fold::Folded);
    }

    void allAreUnfoldedBeforeTheyAreRead()
    {
        Fixture f;
        TimelineModel model;
        model.setSession(f.session.get());
        model.setView(View::Calls);
        model.setAllUnfolded(true);
        QVERIFY(model.isFiltering());
        QTRY_COMPARE(model.rowCount(), 2 * Fixture::Calls);
        QCOMPARE(model.sessionRow(model.index(2 * Fixture::Calls - 1, 0)), Fixture::rowOf(Fixture::Calls - 1) + 1);
    }

    void oneIsFoldedMeanwhile()
    {
        Fixture f;
        f.model.setAllUnfolded(true);
        if (f.model.rowCount() != Fixture::Calls)
            QSKIP("This machine unfolds all of them in one go.");
        QCOMPARE(f.foldOf(7), Fold::Folded);  // as it is shown still
        f.model.setUnfolded(f.model.index(7, 0), true);
        QCOMPARE(f.model.rowCount(), Fixture::Calls + 1);
        f.model.setUnfolded(f.model.index(7, 0), false);
        QCOMPARE(f.model.rowCount(), Fixture::Calls);
        QTRY_VERIFY(!f.model.isFiltering());
        QCOMPARE(f.model.rowCount(), 2 * Fixture::Calls - 1);
        QCOMPARE(f.foldOf(7), Fold::Folded);
        QCOMPARE(f.foldOf(8), Fold::Unfolded);
    }

    void itIsTakenBack()
    {
        Fixture f;
        f.model.setAllUnfolded(true);
        QVERIFY(f.model.isFiltering());
        f.model.setAllUnfolded(false);
        QTRY_VERIFY(!f.model.isFiltering());
        QCOMPARE(f.rows(), f.folded());
    }

    void anotherViewOrFilterEndsIt()
    {
        Fixture f;
        f.model.setAllUnfolded(true);
        QVERIFY(f.model.isFiltering());
        f.model.setView(View::Everything);
        QTRY_COMPARE(f.model.rowCount(), int(f.session->size()));
        QTRY_VERIFY(!f.model.isFiltering());
        f.model.setView(View::Calls);
        QTRY_COMPARE(f.rows(), f.unfolded());  // as it was asked for
        f.model.setAllUnfolded(false);
        f.model.setFilter(u"tool == t7"_s);
        QTRY_VERIFY(!f.model.isFiltering());
        QCOMPARE(f.model.rowCount(), Fixture::Calls / 10);
        QCOMPARE(f.model.sessionRow(f.model.index(1, 0)), Fixture::rowOf(17));
        f.model.setAllUnfolded(true);
        QTRY_COMPARE(f.model.rowCount(), Fixture::Calls / 5);
        QCOMPARE(f.model.sessionRow(f.model.index(2, 0)), Fixture::rowOf(17));
        QCOMPARE(f.model.sessionRow(f.model.index(3, 0)), Fixture::rowOf(17) + 1);
    }

    void theSessionGoesMeanwhile()
    {
        Fixture f;
        f.model.setAllUnfolded(true);
        QVERIFY(f.model.isFiltering());
        f.session.reset();
        QCOMPARE(f.model.rowCount(), 0);
        QVERIFY(!f.model.isFiltering());
    }
};

}  // namespace sonde::ui

using TestCallFolding = sonde::ui::TestCallFolding;
SONDE_TEST(TestCallFolding)
#include "tst_callfolding.moc"
