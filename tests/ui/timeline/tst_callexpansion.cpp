// All calls of a long list are expanded or collapsed in the background, while the list stays usable.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "tests/ui/timeline/sessionfeed.h"
#include "ui/timeline/calls/callexpansion.h"
#include "ui/timeline/table/timelinemodel.h"

#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;

namespace sonde::ui {

using Expansion = TimelineModel::Expansion;
using View = TimelineModel::View;
using test::SessionFeed;

class TestCallExpansion : public QObject {
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
        static QList<qsizetype> collapsed(int calls)
        {
            QList<qsizetype> rows;
            for (int i = 0; i < calls; ++i)
                rows.append(rowOf(i));
            return rows;
        }
        static QList<qsizetype> expanded(int calls)
        {
            QList<qsizetype> rows;
            for (int i = 0; i < calls; ++i)
                rows << rowOf(i) << rowOf(i) + 1;
            return rows;
        }
    };

    // Too many for one slice.
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

        QList<qsizetype> rows() const { return test::rowsOf(model); }
        Expansion expansionOf(int call) const { return model.expansion(model.indexOfRow(rowOf(call))); }
    };

    // Expands or collapses a list in the smallest slices there are, so that all machines make the same ones.
    struct Slices {
        Operations operations;
        CallExpansion expansion;
        CallExpansion::Rows list;

        Slices(const Session &session, const QList<qsizetype> &rows) : operations(&session)
        {
            operations.advance();
            expansion.setOperations(&operations);
            list.assign(rows.begin(), rows.end());
        }
        bool advance(BulkExpansion &bulk) const { return bulk.advance(list, operations, -1); }
        // Says how many slices it took.
        int finish(BulkExpansion &bulk)
        {
            int slices = 1;
            while (!advance(bulk))
                ++slices;
            list = bulk.takeRows();
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
        Slices s(*r.session, r.collapsed(r.sent));
        QList<qsizetype> expected = r.expanded(r.sent);
        for (int i = 0; i < 1000; ++i)
            expected.insert(2 + i, many + i);
        BulkExpansion expanding(s.expansion, true);
        QVERIFY(s.finish(expanding) > 10);
        QCOMPARE(s.shown(), expected);
        QVERIFY(expanding.expansion().isExpanded(1));
        BulkExpansion collapsing(expanding.expansion(), false);
        QVERIFY(s.finish(collapsing) > 10);
        QCOMPARE(s.shown(), r.collapsed(r.sent));
        QVERIFY(!collapsing.expansion().isExpanded(1));
    }

    void callsCollapsedBetweenSlicesStayCollapsed()
    {
        const Recording r(1000);
        Slices s(*r.session, r.collapsed(r.sent));
        BulkExpansion expanding(s.expansion, true);
        QVERIFY(!s.advance(expanding));
        s.list.insert(s.list.begin() + 8, quint32(r.rowOf(7) + 1));
        expanding.set(7, true);
        QVERIFY(!s.advance(expanding));
        QVERIFY(!s.advance(expanding));
        s.list.erase(s.list.begin() + 8);
        expanding.set(7, false);
        s.finish(expanding);
        QList<qsizetype> expected = r.expanded(r.sent);
        expected.removeOne(r.rowOf(7) + 1);
        QCOMPARE(s.shown(), expected);
        QVERIFY(!expanding.expansion().isExpanded(7) && expanding.expansion().isExpanded(8));
    }

    void allCallsExpandAtOnceAndCollapseAgain()
    {
        Fixture f;
        QSignalSpy resets(&f.model, &QAbstractItemModel::modelReset);
        QSignalSpy insertions(&f.model, &QAbstractItemModel::rowsInserted);
        f.model.setAllExpanded(true);
        QTRY_VERIFY(!f.model.isFiltering());
        QCOMPARE(f.rows(), f.expanded(f.sent));
        QCOMPARE(f.expansionOf(1), Expansion::Expanded);
        f.model.setAllExpanded(false);
        QTRY_VERIFY(!f.model.isFiltering());
        QCOMPARE(f.rows(), f.collapsed(f.sent));
        QCOMPARE(f.expansionOf(1), Expansion::Collapsed);
        QCOMPARE(resets.size(), 2);
        QCOMPARE(insertions.size(), 0);
    }

    void callsComeMeanwhile()
    {
        Fixture f;
        f.model.setAllExpanded(true);
        f.add(3);
        const qsizetype late = f.session->size();
        f.progress(0);
        f.progress(Fixture::Calls - 1);
        QTRY_VERIFY(f.model.calls()->isComplete());
        QList<qsizetype> expected = f.expanded(f.sent);
        expected.insert(2 * Fixture::Calls, late + 1);
        expected.insert(2, late);
        QTRY_COMPARE(f.rows(), expected);
        f.model.setAllExpanded(false);
        f.progress(0);
        f.add(1);
        QTRY_COMPARE(f.model.rowCount(), Fixture::Calls + 4);
        QTRY_VERIFY(!f.model.isFiltering());
        QCOMPARE(f.expansionOf(0), Expansion::Collapsed);
        QCOMPARE(f.expansionOf(Fixture::Calls + 2), Expansion::Collapsed);
    }

    void callsExpandBeforeTheyAreRead()
    {
        Fixture f;
        TimelineModel model;
        model.setSession(f.session.get());
        model.setView(View::Calls);
        model.setAllExpanded(true);
        QTRY_COMPARE(model.rowCount(), 2 * Fixture::Calls);
        QCOMPARE(model.sessionRow(model.index(2 * Fixture::Calls - 1, 0)), Fixture::rowOf(Fixture::Calls - 1) + 1);
    }

    void oneCollapsesMeanwhile()
    {
        Fixture f;
        f.model.setAllExpanded(true);
        const auto call = [&f] { return f.model.indexOfRow(f.rowOf(7)); };
        f.model.setExpanded(call(), true);
        QCOMPARE(f.model.sessionRow(call().siblingAtRow(call().row() + 1)), f.rowOf(7) + 1);
        f.model.setExpanded(call(), false);
        QTRY_VERIFY(!f.model.isFiltering());
        QCOMPARE(f.model.rowCount(), 2 * Fixture::Calls - 1);
        QCOMPARE(f.expansionOf(7), Expansion::Collapsed);
        QCOMPARE(f.expansionOf(8), Expansion::Expanded);
    }

    void itIsTakenBack()
    {
        Fixture f;
        f.model.setAllExpanded(true);
        f.model.setAllExpanded(false);
        QTRY_VERIFY(!f.model.isFiltering());
        QCOMPARE(f.rows(), f.collapsed(f.sent));
    }

    void anotherViewOrFilterEndsIt()
    {
        Fixture f;
        f.model.setAllExpanded(true);
        f.model.setView(View::Everything);
        QTRY_COMPARE(f.model.rowCount(), int(f.session->size()));
        QTRY_VERIFY(!f.model.isFiltering());
        f.model.setView(View::Calls);
        QTRY_COMPARE(f.rows(), f.expanded(f.sent));  // as it was asked for
        f.model.setAllExpanded(false);
        f.model.setFilter(Filter::parse(u"tool == t7"_s).filter);
        QTRY_VERIFY(!f.model.isFiltering());
        QCOMPARE(f.model.rowCount(), Fixture::Calls / 10);
        QCOMPARE(f.model.sessionRow(f.model.index(1, 0)), Fixture::rowOf(17));
        f.model.setAllExpanded(true);
        QTRY_COMPARE(f.model.rowCount(), Fixture::Calls / 5);
        QCOMPARE(f.model.sessionRow(f.model.index(2, 0)), Fixture::rowOf(17));
        QCOMPARE(f.model.sessionRow(f.model.index(3, 0)), Fixture::rowOf(17) + 1);
    }

    void theSessionGoesMeanwhile()
    {
        Fixture f;
        f.model.setAllExpanded(true);
        f.session.reset();
        QCOMPARE(f.model.rowCount(), 0);
        QVERIFY(!f.model.isFiltering());
    }
};

}  // namespace sonde::ui

using TestCallExpansion = sonde::ui::TestCallExpansion;
SONDE_TEST(TestCallExpansion)
#include "tst_callexpansion.moc"
