// All calls of a long list are folded or unfolded in the background, while it stays of use.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "tests/ui/timeline/sessionfeed.h"
#include "ui/timeline/calls/callfolding.h"
#include "ui/timeline/table/timelinemodel.h"

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
    // Calls of one step each. The first one stays open.
    struct Recording {
        std::unique_ptr<Session> session = std::make_unique<Session>();
        SessionFeed feed{session.get()};
        int sent = 0;

        explicit Recording(int calls) { add(calls); }

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
        static QList<qsizetype> folded(int calls)
        {
            QList<qsizetype> rows;
            for (int i = 0; i < calls; ++i)
                rows.append(rowOf(i));
            return rows;
        }
        static QList<qsizetype> unfolded(int calls)
        {
            QList<qsizetype> rows;
            for (int i = 0; i < calls; ++i)
                rows << rowOf(i) << rowOf(i) + 1;
            return rows;
        }
    };

    // So many that they are hardly folded in one go.
    struct Fixture : Recording {
        static constexpr int Calls = 5'000;
        TimelineModel model;

        Fixture() : Recording(Calls)
        {
            model.setSession(session.get());
            model.setView(View::Calls);
            while (model.isFiltering())
                QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
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

    // Refolds a list in the smallest slices there are, so that all machines make the same ones.
    struct Slices {
        Operations operations;
        CallFolding folding;
        RowList list;

        Slices(const Session &session, const QList<qsizetype> &rows) : operations(&session)
        {
            operations.advance();
            folding.setOperations(&operations);
            list.insert(0, {rows.begin(), rows.end()});
        }
        bool advance(Refolding &refolding) const { return refolding.advance(list, operations, -1); }
        // Says how many slices it took.
        int finish(Refolding &refolding)
        {
            int slices = 1;
            while (!advance(refolding))
                ++slices;
            list = refolding.takeRows();
            return slices;
        }
        QList<qsizetype> shown() const { return {list.begin(), list.end()}; }
    };

private Q_SLOTS:
    void slicesMakeAWholeList()
    {
        Recording r(1000);
        const qsizetype many = r.session->size();
        for (int i = 0; i < 1000; ++i)
            r.progress(0);
        Slices s(*r.session, r.folded(r.sent));
        QList<qsizetype> expected = r.unfolded(r.sent);
        for (int i = 0; i < 1000; ++i)
            expected.insert(2 + i, many + i);
        Refolding unfolding(s.folding, true);
        QVERIFY(s.finish(unfolding) > 10);
        QCOMPARE(s.shown(), expected);
        QVERIFY(unfolding.folding().isUnfolded(1));
        Refolding folding(unfolding.folding(), false);
        QVERIFY(s.finish(folding) > 10);
        QCOMPARE(s.shown(), r.folded(r.sent));
        QVERIFY(!folding.folding().isUnfolded(1));
    }

    void whatIsFoldedBetweenSlicesStaysSo()
    {
        const Recording r(1000);
        Slices s(*r.session, r.folded(r.sent));
        Refolding unfolding(s.folding, true);
        QVERIFY(!s.advance(unfolding));
        s.list.insert(8, {quint32(r.rowOf(7) + 1)});
        unfolding.set(7, true);
        QVERIFY(!s.advance(unfolding));
        QVERIFY(!s.advance(unfolding));
        s.list.erase(8, 1);
        unfolding.set(7, false);
        s.finish(unfolding);
        QList<qsizetype> expected = r.unfolded(r.sent);
        expected.removeOne(r.rowOf(7) + 1);
        QCOMPARE(s.shown(), expected);
        QVERIFY(!unfolding.folding().isUnfolded(7) && unfolding.folding().isUnfolded(8));
    }

    void allAreUnfoldedAtOnceAndFoldedAgain()
    {
        Fixture f;
        QSignalSpy resets(&f.model, &QAbstractItemModel::modelReset);
        QSignalSpy insertions(&f.model, &QAbstractItemModel::rowsInserted);
        f.model.setAllUnfolded(true);
        QTRY_VERIFY(!f.model.isFiltering());
        QCOMPARE(f.rows(), f.unfolded(f.sent));
        QCOMPARE(f.foldOf(1), Fold::Unfolded);
        f.model.setAllUnfolded(false);
        QTRY_VERIFY(!f.model.isFiltering());
        QCOMPARE(f.rows(), f.folded(f.sent));
        QCOMPARE(f.foldOf(1), Fold::Folded);
        QCOMPARE(resets.size(), 2);
        QCOMPARE(insertions.size(), 0);
    }

    void callsComeMeanwhile()
    {
        Fixture f;
        f.model.setAllUnfolded(true);
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
        QTRY_COMPARE(model.rowCount(), 2 * Fixture::Calls);
        QCOMPARE(model.sessionRow(model.index(2 * Fixture::Calls - 1, 0)), Fixture::rowOf(Fixture::Calls - 1) + 1);
    }

    void oneIsFoldedMeanwhile()
    {
        Fixture f;
        f.model.setAllUnfolded(true);
        const auto call = [&f] { return f.model.indexOfRow(f.rowOf(7)); };
        f.model.setUnfolded(call(), true);
        QCOMPARE(f.model.sessionRow(call().siblingAtRow(call().row() + 1)), f.rowOf(7) + 1);
        f.model.setUnfolded(call(), false);
        QTRY_VERIFY(!f.model.isFiltering());
        QCOMPARE(f.model.rowCount(), 2 * Fixture::Calls - 1);
        QCOMPARE(f.foldOf(7), Fold::Folded);
        QCOMPARE(f.foldOf(8), Fold::Unfolded);
    }

    void itIsTakenBack()
    {
        Fixture f;
        f.model.setAllUnfolded(true);
        f.model.setAllUnfolded(false);
        QTRY_VERIFY(!f.model.isFiltering());
        QCOMPARE(f.rows(), f.folded(f.sent));
    }

    void anotherViewOrFilterEndsIt()
    {
        Fixture f;
        f.model.setAllUnfolded(true);
        f.model.setView(View::Everything);
        QTRY_COMPARE(f.model.rowCount(), int(f.session->size()));
        QTRY_VERIFY(!f.model.isFiltering());
        f.model.setView(View::Calls);
        QTRY_COMPARE(f.rows(), f.unfolded(f.sent));  // as it was asked for
        f.model.setAllUnfolded(false);
        f.model.setFilter(Filter::parse(u"tool == t7"_s).filter);
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
        f.session.reset();
        QCOMPARE(f.model.rowCount(), 0);
        QVERIFY(!f.model.isFiltering());
    }
};

}  // namespace sonde::ui

using TestCallFolding = sonde::ui::TestCallFolding;
SONDE_TEST(TestCallFolding)
#include "tst_callfolding.moc"
