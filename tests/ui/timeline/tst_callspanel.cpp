// The view of calls under mouse and keys: expanding, waterfall, one call alone.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "tests/ui/timeline/callscript.h"
#include "tests/ui/timeline/sessionfeed.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/table/timelinedelegate.h"
#include "ui/timeline/table/timelinemodel.h"
#include "ui/timeline/timelinepanel.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QTableView>
#include <QTest>

using namespace Qt::StringLiterals;

namespace sonde::ui {

using Column = TimelineModel::Column;
using test::CallScript;
using test::SessionFeed;

class TestCallsPanel : public QObject {
    Q_OBJECT

private:
    struct Fixture {
        TimelinePanel panel;
        QTableView *table = panel.findChild<QTableView *>(u"timelineTable"_s);
        TimelineModel *model = qobject_cast<TimelineModel *>(table->model());
        QWidget *onlyCall = panel.findChild<QWidget *>(u"onlyCall"_s);

        explicit Fixture(Session *session, int segment = 0)
        {
            panel.resize(1140, 320);
            panel.setSession(session, true);
            panel.show();
            choose(segment);
        }

        void choose(int segment)
        {
            QTest::mouseClick(panel.findChild<SegmentedControl *>(u"timelineViews"_s)->button(segment), Qt::LeftButton);
        }
        int segment() const { return panel.findChild<SegmentedControl *>(u"timelineViews"_s)->current(); }
        QRect cell(int row, Column column) const { return table->visualRect(model->index(row, int(column))); }
        void clickArrow(int row)
        {
            QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                              TimelineDelegate::arrowRect(cell(row, Column::Method)).center());
        }
        void clickRow(int row)
        {
            QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell(row, Column::Method).center());
        }
        bool trigger(const QString &text)
        {
            const QModelIndex at = table->currentIndex();
            Q_EMIT table->customContextMenuRequested(cell(at.row(), Column::Method).center());
            const QList<QMenu *> menus = panel.findChildren<QMenu *>(u"timelineMenu"_s);
            for (QAction *action : menus.last()->actions()) {
                if (action->text() == text && action->isEnabled()) {
                    action->trigger();
                    menus.last()->close();
                    return true;
                }
            }
            menus.last()->close();
            return false;
        }
        QList<qsizetype> rows() const { return test::rowsOf(*model); }
    };

    static CallScript &filled(CallScript &script) { return script.longCall().retriedCall().twoAtOnce(); }

    // Each with two steps.
    static void fillWithSteps(SessionFeed &feed, int calls)
    {
        for (int i = 0; i < calls; ++i) {
            const QByteArray id = QByteArray::number(i);
            feed.toServer(R"({"jsonrpc":"2.0","id":)" + id +
                          R"(,"method":"tools/call","params":{"name":"t","_meta":{"progressToken":)" + id + "}}}");
            for (int step = 0; step < 2; ++step)
                feed.fromServer(
                    R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1,"progressToken":)" +
                    id + "}}");
            feed.fromServer(R"({"jsonrpc":"2.0","result":{},"id":)" + id + '}');
        }
        feed.session()->flush();
    }

    static QString describe(const TimeScale &scale)
    {
        return u"%1 pauses, %2 at the end"_s.arg(scale.pauses().size()).arg(scale.at(200 * 60000 * CallScript::Ms));
    }

private Q_SLOTS:
    void mouseExpands()
    {
        CallScript script;
        Fixture f(filled(script).session());
        QCOMPARE(f.rows(), (QList<qsizetype>{1, 8, 12, 13}));
        f.clickArrow(0);
        QCOMPARE(f.rows(), (QList<qsizetype>{1, 2, 3, 4, 6, 8, 12, 13}));
        QVERIFY(!f.table->currentIndex().isValid());  // looking into it does not select it
        f.clickArrow(0);
        QCOMPARE(f.model->rowCount(), 4);
        f.clickArrow(2);  // nothing to expand: an ordinary click
        QCOMPARE(f.model->rowCount(), 4);
        QCOMPARE(f.table->currentIndex().row(), 2);
        QTest::mouseDClick(f.table->viewport(), Qt::LeftButton, {}, f.cell(1, Column::Time).center());
        QCOMPARE(f.rows(), (QList<qsizetype>{1, 8, 9, 10, 12, 13}));
    }

    void keysExpand()
    {
        CallScript script;
        Fixture f(filled(script).session());
        f.clickRow(0);
        const auto key = [&](Qt::Key which) { QTest::keyClick(f.table, which); };
        key(Qt::Key_Left);  // nothing to collapse
        QCOMPARE(f.table->currentIndex().row(), 0);
        key(Qt::Key_Right);
        QCOMPARE(f.model->rowCount(), 8);
        QCOMPARE(f.table->currentIndex().row(), 0);
        key(Qt::Key_Right);
        QCOMPARE(f.table->currentIndex().row(), 1);
        key(Qt::Key_Down);
        key(Qt::Key_Right);  // a step has nothing under it
        QCOMPARE(f.table->currentIndex().row(), 2);
        key(Qt::Key_Left);
        QCOMPARE(f.table->currentIndex().row(), 0);
        key(Qt::Key_Left);
        QCOMPARE(f.model->rowCount(), 4);
    }

    void expandingKeepsThePlace()
    {
        CallScript script;
        Fixture f(filled(script).session());
        f.clickArrow(0);
        f.clickRow(3);
        QCOMPARE(f.model->sessionRow(f.table->currentIndex()), qsizetype(4));
        f.clickArrow(0);
        QCOMPARE(f.table->currentIndex().row(), 0);
        f.panel.showRow(4);  // expands again
        QCOMPARE(f.model->sessionRow(f.table->currentIndex()), qsizetype(4));
        QCOMPARE(f.segment(), 0);
        f.choose(3);
        QCOMPARE(f.model->sessionRow(f.table->currentIndex()), qsizetype(4));
        f.clickRow(5);  // the person's answer
        f.choose(0);
        QCOMPARE(f.model->sessionRow(f.table->currentIndex()), qsizetype(4));  // its server request stands for it
    }

    void menuExpandsAll()
    {
        CallScript script;
        Fixture f(filled(script).session());
        f.clickRow(0);
        QVERIFY(f.trigger(u"Expand all calls"_s));
        QTRY_COMPARE(f.model->rowCount(), 10);
        QVERIFY(f.trigger(u"Collapse"_s));
        QCOMPARE(f.model->rowCount(), 6);
        QVERIFY(!f.trigger(u"Collapse"_s));
        QVERIFY(f.trigger(u"Expand"_s));
        QVERIFY(f.trigger(u"Collapse all calls"_s));
        QTRY_COMPARE(f.model->rowCount(), 4);
        f.choose(3);
        QVERIFY(!f.trigger(u"Expand all calls"_s));
    }

    void waterfallIsDrawnInCallsOnly()
    {
        CallScript script;
        Fixture f(filled(script).session());
        const int column = int(Column::Waterfall);
        QVERIFY(!f.table->isColumnHidden(column));
        const auto colorsIn = [&](int row) {
            const QRect rect = f.cell(row, Column::Waterfall);
            const QImage image = f.table->viewport()->grab(rect).toImage();
            QSet<QRgb> found;
            for (int x = 0; x < image.width(); ++x)
                found.insert(image.pixel(x, image.height() / 2));
            return found;
        };
        QVERIFY(colorsIn(0).contains(colors().asks.rgb()));  // waited for a person
        QVERIFY(colorsIn(0).contains(colors().ok.rgb()));
        QVERIFY(colorsIn(1).contains(colors().toolError.rgb()));
        QVERIFY(!colorsIn(2).contains(colors().asks.rgb()));
        f.clickArrow(0);
        QVERIFY(colorsIn(1).contains(colors().accent.rgb()));  // the moment of its progress
        QVERIFY(colorsIn(3).contains(colors().asks.rgb()));
        f.choose(1);
        QVERIFY(f.table->isColumnHidden(column));
        f.choose(0);
        QVERIFY(!f.table->isColumnHidden(column));
    }

    void waterfallIsTheLastToMakeRoom()
    {
        CallScript script;
        Fixture f(filled(script).session());
        const auto isShown = [&f](Column column) { return !f.table->isColumnHidden(int(column)); };
        const auto width = [&f](Column column) { return f.table->columnWidth(int(column)); };
        f.clickRow(0);              // which shows the details beside the rows
        f.panel.resize(1140, 300);  // as in a window of 1440
        QTRY_VERIFY(isShown(Column::Size));
        QVERIFY(isShown(Column::Waterfall) && isShown(Column::Time) && isShown(Column::Number));
        const int wide = width(Column::Waterfall);
        f.panel.resize(740, 300);  // of 1000
        QTRY_VERIFY(!isShown(Column::Time));
        QVERIFY(isShown(Column::Waterfall) && isShown(Column::Outcome) && isShown(Column::Duration));
        QVERIFY2(width(Column::Waterfall) < wide && width(Column::Waterfall) >= 8 * Grid,
                 qPrintable(QString::number(width(Column::Waterfall))));
        QVERIFY(width(Column::Method) > 10 * Grid);
        f.panel.resize(420, 300);
        QTRY_VERIFY(!isShown(Column::Duration));
        QVERIFY(isShown(Column::Waterfall));
        f.panel.resize(1140, 300);
        QTRY_COMPARE(width(Column::Waterfall), wide);
        QVERIFY(isShown(Column::Size));
    }

    void callsAreCounted()
    {
        Session session;
        SessionFeed feed(&session);
        Fixture f(&session);
        const auto *count = f.panel.findChild<QLabel *>(u"timelineCount"_s);
        feed.toServer(
            R"({"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":0}}})");
        for (int i = 0; i < 3; ++i)
            feed.fromServer(
                R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":0,"progress":1}})");
        session.flush();
        QTRY_COMPARE(count->text(), u"1 call"_s);
        f.clickArrow(0);
        QCOMPARE(f.model->rowCount(), 4);
        QCOMPARE(count->text(), u"1 call"_s);  // however many rows it expands to
        feed.exchange(1, "b", "\"result\":{}");
        session.flush();
        QTRY_COMPARE(count->text(), u"2 calls"_s);
        f.panel.findChild<QLineEdit *>(u"timelineFilter"_s)->setText(u"tool == a"_s);
        QTRY_COMPARE(count->text(), u"1 of 2 calls"_s);
        // What comes and is hidden counts as well.
        feed.exchange(2, "b", "\"result\":{}");
        session.flush();
        QTRY_COMPARE(count->text(), u"1 of 3 calls"_s);
        f.clickArrow(0);
        QCOMPARE(f.model->rowCount(), 1);
        QCOMPARE(count->text(), u"1 of 3 calls"_s);
        f.choose(3);
        QTRY_COMPARE(count->text(), u"1 of 8"_s);
        feed.other(WireEvent::Kind::Stderr, "more");
        session.flush();
        QTRY_COMPARE(count->text(), u"1 of 9"_s);
    }

    void scaleFollowsWhatIsInSight()
    {
        CallScript script;
        for (int i = 0; i < 200; ++i)
            script.at(i * 60000).call(i, "t").at(i * 60000 + (i < 100 ? 10 : 2000)).result(i);
        Fixture f(script.session());
        QTRY_COMPARE(f.model->rowCount(), 200);  // while they are listed, the last one seems to be open
        auto *delegate = qobject_cast<TimelineDelegate *>(f.table->itemDelegate());
        f.table->verticalScrollBar()->triggerAction(QAbstractSlider::SliderToMinimum);
        const QString fast = delegate->scale().ticks(4).back().text;
        QVERIFY2(fast.endsWith(u"ms"_s), qPrintable(fast));
        f.table->verticalScrollBar()->triggerAction(QAbstractSlider::SliderSingleStepAdd);
        const TimeScale before = delegate->scale();
        f.table->verticalScrollBar()->triggerAction(QAbstractSlider::SliderSingleStepSub);
        QCOMPARE(delegate->scale().ticks(4), before.ticks(4));  // calm
        f.table->verticalScrollBar()->triggerAction(QAbstractSlider::SliderToMaximum);
        QTRY_VERIFY(delegate->scale().ticks(4).back().text.endsWith(u" s"_s));
        QTRY_VERIFY2(delegate->scale().pauses().size() > 3, qPrintable(describe(delegate->scale())));
    }

    // Its scale grows with the clock: each painting must not ask for the next.
    void anOpenCallIsPaintedByTheClockAlone()
    {
        struct Paints final : QObject {
            bool eventFilter(QObject *, QEvent *event) override
            {
                count += event->type() == QEvent::Paint ? 1 : 0;
                return false;
            }
            int count = 0;
        };
        Session session;
        SessionFeed feed(&session);
        Fixture f(&session);
        feed.toServer(R"({"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"a"}})");
        session.flush();
        QTRY_COMPARE(f.model->rowCount(), 1);
        Paints paints;
        f.table->viewport()->installEventFilter(&paints);
        QVERIFY(!QTest::qWaitFor([&paints] { return paints.count > 5; }, 150));
    }

    void onlyThisCallAndBack()
    {
        CallScript script;
        Fixture f(filled(script).session(), 3);
        QVERIFY(!f.onlyCall->isVisible());
        QTRY_VERIFY(f.model->calls()->isComplete());
        f.clickRow(3);
        QVERIFY(f.trigger(u"Show only this call"_s));
        QTRY_COMPARE(f.rows(), (QList<qsizetype>{1, 2, 3, 4, 6}));
        QCOMPARE(f.segment(), 0);
        QCOMPARE(f.model->sessionRow(f.table->currentIndex()), qsizetype(3));
        QVERIFY(f.onlyCall->isVisible());
        QCOMPARE(f.panel.findChild<QLabel *>(u"onlyCallText"_s)->text(), u"Only call #2 tools/call ask-me"_s);
        QTest::mouseClick(f.panel.findChild<QAbstractButton *>(u"onlyCallClose"_s), Qt::LeftButton);
        QVERIFY(!f.onlyCall->isVisible());
        QCOMPARE(f.segment(), 3);
        QTRY_COMPARE(f.model->rowCount(), 17);
        QCOMPARE(f.model->sessionRow(f.table->currentIndex()), qsizetype(3));
        f.panel.showRow(14);  // a log message that belongs to none
        QVERIFY(!f.trigger(u"Show only this call"_s));
        f.panel.showRow(12);
        QVERIFY(f.trigger(u"Show only this call"_s));
        QTRY_COMPARE(f.rows(), QList<qsizetype>{12});
        QVERIFY(f.trigger(u"Show all calls"_s));
        QTRY_COMPARE(f.model->rowCount(), 17);
        QVERIFY(f.trigger(u"Show only this call"_s));
        f.panel.showRow(1);  // elsewhere
        QVERIFY(!f.onlyCall->isVisible());
        QCOMPARE(f.model->sessionRow(f.table->currentIndex()), qsizetype(1));
    }

    void rowsAboveDoNotMoveWhatIsRead()
    {
        Session session;
        SessionFeed feed(&session);
        Fixture f(&session);
        feed.toServer(
            R"({"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":0}}})");
        const auto progress = [&] {
            feed.fromServer(
                R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":0,"progress":1}})");
            session.flush();
        };
        progress();
        for (int i = 1; i < 100; ++i)
            feed.exchange(i, "b", "\"result\":{}");
        session.flush();
        QTRY_COMPARE(f.model->rowCount(), 100);
        f.table->verticalScrollBar()->triggerAction(QAbstractSlider::SliderToMinimum);
        f.clickArrow(0);
        QCOMPARE(f.model->rowCount(), 101);
        f.table->verticalScrollBar()->triggerAction(QAbstractSlider::SliderPageStepAdd);
        f.table->verticalScrollBar()->triggerAction(QAbstractSlider::SliderPageStepAdd);
        const QPoint at(100, 30);
        const qsizetype read = f.model->sessionRow(f.table->indexAt(at));
        QVERIFY(read > 4);
        for (int i = 0; i < 5; ++i)
            progress();
        QTRY_COMPARE(f.model->rowCount(), 106);
        QTRY_COMPARE(f.model->sessionRow(f.table->indexAt(at)), read);
    }

    void expandingAllKeepsThePlace()
    {
        Session session;
        SessionFeed feed(&session);
        Fixture f(&session);
        fillWithSteps(feed, 200);
        QTRY_COMPARE(f.model->rowCount(), 200);
        const auto everything = [&](bool expanded) {
            f.model->setAllExpanded(expanded);
            QTRY_COMPARE(f.model->rowCount(), expanded ? 600 : 200);
        };
        f.table->verticalScrollBar()->triggerAction(QAbstractSlider::SliderPageStepSub);
        f.table->setFocus();
        const QPoint top(100, 23);  // in a whole row
        const qsizetype read = f.model->sessionRow(f.table->indexAt(top));
        QVERIFY(read > 0);
        everything(true);
        QCOMPARE(f.model->sessionRow(f.table->indexAt(top)), read);
        everything(false);
        QCOMPARE(f.model->sessionRow(f.table->indexAt(top)), read);
        QVERIFY(!f.table->selectionModel()->hasSelection());

        // Three calls of which the last is the current one, further down.
        const int place = f.table->indexAt(top).row() + 2;
        f.clickRow(place);
        QTest::mouseClick(f.table->viewport(), Qt::LeftButton, Qt::ShiftModifier,
                          f.cell(place + 2, Column::Method).center());
        const int height = f.cell(place + 2, Column::Method).top();
        const QList<qsizetype> selected = f.panel.selectedRows();
        QCOMPARE(selected.size(), 3);
        everything(true);
        QCOMPARE(f.model->sessionRow(f.table->currentIndex()), selected.last());
        QCOMPARE(f.table->visualRect(f.table->currentIndex()).top(), height);
        const QList<qsizetype> withSteps{selected[0],     selected[0] + 1, selected[0] + 2, selected[1],
                                         selected[1] + 1, selected[1] + 2, selected[2]};
        QCOMPARE(f.panel.selectedRows(), withSteps);
        everything(false);
        QCOMPARE(f.panel.selectedRows(), selected);
        QCOMPARE(f.model->sessionRow(f.table->currentIndex()), selected.last());
        QCOMPARE(f.table->visualRect(f.table->currentIndex()).top(), height);
        QVERIFY(f.table->hasFocus());

        // A step is stood for by its call, and comes back.
        everything(true);
        const int step = f.table->currentIndex().row() + 1;
        f.clickRow(step);
        const qsizetype details = f.model->sessionRow(f.table->currentIndex());
        everything(false);
        QCOMPARE(f.panel.selectedRows(), QList<qsizetype>{selected.last()});
        everything(true);
        QCOMPARE(f.model->sessionRow(f.table->currentIndex()), details);
    }

    void expandingAllFollowsTheNewest()
    {
        Session session;
        SessionFeed feed(&session);
        Fixture f(&session);
        fillWithSteps(feed, 200);
        QTRY_COMPARE(f.model->rowCount(), 200);
        const auto isAtTail = [&] {
            const QScrollBar *bar = f.table->verticalScrollBar();
            return bar->maximum() > 0 && bar->value() == bar->maximum();
        };
        QTRY_VERIFY(isAtTail());
        f.model->setAllExpanded(true);
        QTRY_COMPARE(f.model->rowCount(), 600);
        QTRY_VERIFY(isAtTail());
        f.model->setAllExpanded(false);
        QTRY_COMPARE(f.model->rowCount(), 200);
        QTRY_VERIFY(isAtTail());
    }

    void expandingDoesNotEndFollow()
    {
        Session session;
        SessionFeed feed(&session);
        Fixture f(&session);
        for (int i = 0; i < 200; ++i)
            feed.exchange(i, "b", "\"result\":{}");
        for (int i = 0; i < 2; ++i) {
            const QByteArray id = QByteArray::number(1000 + i);
            feed.toServer(R"({"jsonrpc":"2.0","id":)" + id +
                          R"(,"method":"tools/call","params":{"name":"t","_meta":{"progressToken":)" + id + "}}}");
            for (int step = 0; step < 100; ++step)
                feed.fromServer(
                    R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1,"progressToken":)" +
                    id + "}}");
            feed.fromServer(R"({"jsonrpc":"2.0","result":{},"id":)" + id + '}');
        }
        session.flush();
        QTRY_COMPARE(f.model->rowCount(), 202);
        const QScrollBar *bar = f.table->verticalScrollBar();
        QTRY_VERIFY(bar->maximum() > 0 && bar->value() == bar->maximum());
        auto *follow = f.panel.findChild<QAbstractButton *>(u"timelineFollow"_s);
        QVERIFY(follow && follow->isChecked());
        const int before = bar->value();
        f.table->setCurrentIndex(f.model->index(200, 0));
        QTest::keyClick(f.table, Qt::Key_Right);
        QTRY_VERIFY(f.model->rowCount() > 300);
        QCOMPARE(bar->value(), before);  // what was expanded is in sight
        QVERIFY(bar->value() < bar->maximum());
        QVERIFY(follow->isChecked());
        feed.exchange(5000, "b", "\"result\":{}");
        session.flush();
        QTRY_COMPARE(bar->value(), bar->maximum());
    }

    void followsNewCalls()
    {
        Session session;
        SessionFeed feed(&session);
        Fixture f(&session);
        for (int i = 0; i < 200; ++i)
            feed.exchange(i, "b", "\"result\":{}");
        session.flush();
        QTRY_COMPARE(f.model->rowCount(), 200);
        QTRY_COMPARE(f.table->verticalScrollBar()->value(), f.table->verticalScrollBar()->maximum());
        QVERIFY(f.table->verticalScrollBar()->maximum() > 0);
    }

    // Calls are read in slices: the one that was selected may come long after the first ones are shown.
    void whatWasSelectedComesIntoSight()
    {
        Session session;
        SessionFeed feed(&session);
        fillWithSteps(feed, 20000);
        session.flush();
        Fixture f(&session, 3);
        QTRY_COMPARE(f.model->rowCount(), int(session.size()));
        const qsizetype row = session.size() / 2 + 1;
        f.panel.showRow(row);
        QCOMPARE(f.model->sessionRow(f.table->currentIndex()), row);
        f.choose(0);
        QTRY_COMPARE_WITH_TIMEOUT(f.model->rowCount(), 20000, 3 * test::Patience);
        const QModelIndex place = f.table->currentIndex();
        QCOMPARE(place.row(), f.model->indexStandingFor(row).row());
        QVERIFY(place.isValid());
        QTRY_VERIFY(f.table->viewport()->rect().contains(f.table->visualRect(place.siblingAtColumn(0))));
    }

    void emptyPlacesSayWhatToDo()
    {
        CallScript script;
        script.other(WireEvent::Kind::Stderr, "hello");
        Fixture f(script.session());
        QStringList texts;
        for (const QLabel *label : f.panel.findChildren<QLabel *>()) {
            if (label->isVisible())
                texts.append(label->text());
        }
        QVERIFY2(texts.contains(u"No calls"_s), qPrintable(texts.join(u'|')));
    }
};

}  // namespace sonde::ui

using TestCallsPanel = sonde::ui::TestCallsPanel;
SONDE_TEST(TestCallsPanel)
#include "tst_callspanel.moc"
