// The side bar: how much of it the list of servers gets, and the filter of a long list.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "ui/panels/offertree.h"
#include "ui/panels/serverlist.h"
#include "ui/panels/sidebar.h"

#include <QLabel>
#include <QLineEdit>
#include <QSplitter>
#include <QTest>
#include <memory>

using namespace Qt::StringLiterals;
using namespace sonde::ui;

class TestSideBar : public QObject {
    Q_OBJECT

private:
    struct Fixture {
        ServerListModel model;
        ServerListView *list = new ServerListView;
        std::unique_ptr<SideBar> bar;
        explicit Fixture(int servers)
        {
            list->setModel(&model);
            bar = std::make_unique<SideBar>(list, new OfferTree);
            show(servers);
            bar->resize(280, 800);
            bar->show();
        }
        void show(int servers)
        {
            QList<ServerItem> items;
            for (int i = 0; i < servers; ++i)
                items.append({.name = i % 10 == 3 ? u"weather %1"_s.arg(i) : u"server %1"_s.arg(i),
                              .detail = u"stdio · not started"_s});
            model.setItems(items);
        }
        QLineEdit *filter() const { return bar->findChild<QLineEdit *>(u"serverFilter"_s); }
        QString count() const { return bar->findChild<QLabel *>(u"serverCount"_s)->text(); }
        QSplitter *splitter() const { return bar->findChild<QSplitter *>(u"sidebarSplitter"_s); }
    };

private Q_SLOTS:
    void theListGetsWhatItNeedsUpToHalf()
    {
        Fixture f(3);
        QTRY_COMPARE(f.list->height(), f.list->sizeHint().height());
        const int row = f.list->sizeHint().height() / 3;
        f.show(22);
        QTRY_VERIFY(f.list->height() > 6 * row);
        QCOMPARE(f.splitter()->sizes().value(0), f.splitter()->height() / 2);
        f.show(5);
        QTRY_COMPARE(f.list->height(), 5 * row);
        // Once the user has moved the splitter, it stays, also in the next window.
        QVERIFY(f.bar->saveState().isEmpty());
        QWidget *handle = f.splitter()->handle(1);
        const QPoint middle = handle->rect().center();
        QTest::mousePress(handle, Qt::LeftButton, {}, middle);
        QTest::mouseMove(handle, middle + QPoint(0, 200));
        QTest::mouseRelease(handle, Qt::LeftButton, {}, middle + QPoint(0, 200));
        const QList<int> moved = f.splitter()->sizes();
        QVERIFY(f.list->height() > 6 * row);
        f.show(2);
        QCOMPARE(f.splitter()->sizes(), moved);
        Fixture next(5);
        next.bar->restoreState(f.bar->saveState());
        QTRY_COMPARE(next.splitter()->sizes(), moved);
    }

    void aLongListHasAFilter()
    {
        Fixture f(SideBar::RowsWithoutFilter);
        QVERIFY(f.filter()->isHidden());
        QCOMPARE(f.count(), u"10"_s);
        f.show(22);
        QVERIFY(f.filter()->isVisible());
        f.list->setCurrentIndex(f.model.index(0));
        f.filter()->setFocus();
        QTest::keyClicks(f.filter(), u"WEA stdio"_s);
        QCOMPARE(f.count(), u"2 of 22"_s);
        QVERIFY(f.list->isRowHidden(0) && !f.list->isRowHidden(3) && !f.list->isRowHidden(13));
        QCOMPARE(f.list->sizeHint().height() * 11, Fixture(22).list->sizeHint().height());
        // What comes later is filtered too.
        f.show(24);
        QCOMPARE(f.count(), u"3 of 24"_s);
        QTest::keyClick(f.filter(), Qt::Key_Down);
        QCOMPARE(f.list->currentIndex().row(), 3);
        QTest::keyClick(f.list, Qt::Key_Down);
        QCOMPARE(f.list->currentIndex().row(), 13);
        QTest::keyClick(f.filter(), Qt::Key_Escape);
        QCOMPARE(f.count(), u"24"_s);
        QVERIFY(!f.list->isRowHidden(0));
    }
};

SONDE_TEST(TestSideBar)
#include "tst_sidebar.moc"
