// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "tests/ui/timeline/sessionfeed.h"
#include "ui/json/jsontreeview.h"
#include "ui/json/textview.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/details/recordwindow.h"
#include "ui/timeline/table/timelinedelegate.h"
#include "ui/timeline/table/timelinemodel.h"
#include "ui/timeline/timelinepanel.h"

#include <QApplication>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QThreadPool>
#include <QToolButton>
#include <QWheelEvent>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

using test::SessionFeed;

class TestTimelinePanel : public QObject {
    Q_OBJECT

private:
    // A panel of usual size over a session in memory.
    struct Fixture {
        Session session;
        SessionFeed feed{&session};
        TimelinePanel panel;
        QTableView *table = panel.findChild<QTableView *>(u"timelineTable"_s);
        QAbstractButton *follow = panel.findChild<QAbstractButton *>(u"timelineFollow"_s);
        QLineEdit *filter = panel.findChild<QLineEdit *>(u"timelineFilter"_s);
        TextView *bytes = panel.findChild<TextView *>(u"recordBytes"_s);
        JsonTreeView *tree = panel.findChild<JsonTreeView *>(u"recordTree"_s);

        explicit Fixture(bool canSend = true)
        {
            panel.resize(1140, 320);
            panel.findChild<SegmentedControl *>(u"timelineViews"_s)->setCurrent(3);
            panel.setSession(&session, canSend);
            panel.show();
        }

        void lines(int count) { feed.stderrLines(count); }

        bool atTail() const { return table->verticalScrollBar()->value() == table->verticalScrollBar()->maximum(); }

        void clickRow(int row)
        {
            QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                              table->visualRect(table->model()->index(row, 3)).center());
        }

        void clickSegment(const QString &group, int segment)
        {
            QTest::mouseClick(panel.findChild<SegmentedControl *>(group)->button(segment), Qt::LeftButton);
        }

        QString countText() const { return panel.findChild<QLabel *>(u"timelineCount"_s)->text(); }
    };

private Q_SLOTS:
    void followsTheTailUntilScrolledUp()
    {
        Fixture f;
        f.lines(200);
        QTRY_COMPARE(f.table->model()->rowCount(), 200);
        QTRY_VERIFY(f.atTail());
        QVERIFY(f.table->verticalScrollBar()->maximum() > 0);
        f.lines(50);
        QTRY_COMPARE(f.table->model()->rowCount(), 250);
        QTRY_VERIFY(f.atTail());

        f.table->verticalScrollBar()->triggerAction(QAbstractSlider::SliderPageStepSub);
        QVERIFY(!f.follow->isChecked());
        const int place = f.table->verticalScrollBar()->value();
        f.lines(50);
        QTRY_COMPARE(f.table->model()->rowCount(), 300);
        QCoreApplication::processEvents();
        QCOMPARE(f.table->verticalScrollBar()->value(), place);  // the row being read has not moved

        f.table->verticalScrollBar()->triggerAction(QAbstractSlider::SliderToMaximum);
        QVERIFY(f.follow->isChecked());
        f.lines(50);
        QTRY_COMPARE(f.table->model()->rowCount(), 350);
        QTRY_VERIFY(f.atTail());
    }

    // At the top is a whole row, at the end too, however it was reached and whatever the height.
    void rowsAreWholeAtTheEnd()
    {
        Fixture f;
        f.lines(200);
        QTRY_VERIFY(f.table->model()->rowCount() == 200 && f.atTail());
        const int row = f.table->verticalHeader()->defaultSectionSize();
        const auto last = [&f] { return f.table->visualRect(f.table->model()->index(199, 3)); };
        for (const int height : {320, 325, 331, 342}) {
            f.panel.resize(1140, height);
            QTRY_VERIFY(f.atTail());
            QCOMPARE(f.table->rowViewportPosition(f.table->rowAt(0)), 0);
            QVERIFY(last().bottom() < f.table->viewport()->height());
            QVERIFY(f.table->viewport()->height() - last().bottom() <= row);
        }
        f.clickRow(199);
        QTest::keyClick(f.table, Qt::Key_Home, Qt::ControlModifier);
        QVERIFY(!f.follow->isChecked());
        QTest::keyClick(f.table, Qt::Key_End, Qt::ControlModifier);
        QVERIFY(f.follow->isChecked());
        QCOMPARE(f.table->rowViewportPosition(f.table->rowAt(0)), 0);
    }

    void detailsTakeRoomOnceARowIsSelected()
    {
        Fixture f;
        f.lines(3);
        QTRY_COMPARE(f.table->model()->rowCount(), 3);
        QVERIFY(!f.bytes->isVisible());
        QCOMPARE(f.table->width(), f.panel.width());
        f.clickRow(1);
        QVERIFY(f.bytes->isVisible());
        QTRY_VERIFY(f.table->width() < f.panel.width());
        QCOMPARE(f.bytes->text(), "line 1"_ba);
        Session other;
        f.panel.setSession(&other, false);
        QVERIFY(!f.bytes->isVisible());
        f.panel.setSession(&f.session, true);
        QVERIFY(f.bytes->isVisible());
    }

    void detailsCloseAndComeBack()
    {
        Fixture f;
        f.lines(3);
        QTRY_COMPARE(f.table->model()->rowCount(), 3);
        f.clickRow(1);
        QTRY_VERIFY(f.table->width() < f.panel.width());
        QTest::mouseClick(f.panel.findChild<QAbstractButton *>(u"detailsClose"_s), Qt::LeftButton);
        QVERIFY(!f.bytes->isVisible());
        QTRY_COMPARE(f.table->width(), f.panel.width());
        QVERIFY(f.panel.selectedRows().isEmpty());
        f.clickRow(1);
        QVERIFY(f.bytes->isVisible());
        QTest::keyClick(f.table, Qt::Key_Escape);
        QVERIFY(!f.bytes->isVisible());
        f.lines(1);
        QTRY_COMPARE(f.table->model()->rowCount(), 4);
        QVERIFY(!f.bytes->isVisible());
        QTest::keyClick(f.table, Qt::Key_Up);
        QVERIFY(f.bytes->isVisible());
        QCOMPARE(f.bytes->text(), "line 0"_ba);
    }

    void aClickBelowTheRowsSelectsNothing()
    {
        Fixture f;
        f.lines(3);
        QTRY_COMPARE(f.table->model()->rowCount(), 3);
        f.panel.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&f.panel));
        const QRect last = f.table->visualRect(f.table->model()->index(2, 3));
        QTest::mouseClick(f.table->viewport(), Qt::LeftButton, {}, last.center() + QPoint(0, 2 * last.height()));
        QVERIFY(f.table->hasFocus() && f.table->currentIndex().isValid());
        QVERIFY(!f.bytes->isVisible());
        f.clickRow(2);
        QVERIFY(f.bytes->isVisible());
    }

    void aDoubleClickOpensAWindow()
    {
        Fixture f;
        f.lines(3);
        QTRY_COMPARE(f.table->model()->rowCount(), 3);
        const QPoint place = f.table->visualRect(f.table->model()->index(1, 3)).center();
        QTest::mouseDClick(f.table->viewport(), Qt::RightButton, {}, place);
        QVERIFY(!f.panel.findChild<RecordWindow *>());
        QTest::mouseDClick(f.table->viewport(), Qt::LeftButton, {}, place);
        const auto *window = f.panel.findChild<RecordWindow *>();
        QVERIFY(window);
        QCOMPARE(window->findChild<TextView *>(u"recordBytes"_s)->text(), "line 1"_ba);
        QVERIFY(!window->findChild<QAbstractButton *>(u"detailsClose"_s)->isVisible());
    }

    void wheelStopsFollowing()
    {
        Fixture f;
        f.lines(200);
        QTRY_VERIFY(f.table->model()->rowCount() == 200 && f.atTail());
        QWheelEvent wheel({50, 50}, f.table->viewport()->mapToGlobal(QPointF(50, 50)), {}, {0, 120}, Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(f.table->viewport(), &wheel);
        QVERIFY(!f.atTail());
        QVERIFY(!f.follow->isChecked());
    }

    void selectingARowDoesNotEndFollow()
    {
        Fixture f;
        f.lines(200);
        QTRY_VERIFY(f.table->model()->rowCount() == 200 && f.atTail());
        f.clickRow(195);
        QTRY_COMPARE(f.bytes->text(), "line 195"_ba);
        QVERIFY(f.follow->isChecked());
        f.lines(100);
        QTRY_COMPARE(f.table->model()->rowCount(), 300);
        QTRY_VERIFY(f.atTail());
        QCOMPARE(f.bytes->text(), "line 195"_ba);
        // A key that takes the newest row out of sight is scrolling up.
        f.clickRow(299);
        QTest::keyClick(f.table, Qt::Key_Up);
        QVERIFY(f.follow->isChecked());
        QTest::keyClick(f.table, Qt::Key_PageUp);
        QTest::keyClick(f.table, Qt::Key_PageUp);
        QVERIFY(!f.follow->isChecked());
        const int place = f.table->verticalScrollBar()->value();
        f.lines(100);
        QTRY_COMPARE(f.table->model()->rowCount(), 400);
        QCoreApplication::processEvents();
        QCOMPARE(f.table->verticalScrollBar()->value(), place);
        QTest::keyClick(f.table, Qt::Key_End, Qt::ControlModifier);
        QVERIFY(f.follow->isChecked());
    }

    void tabIntoTheRowsFollowsOn()
    {
        Fixture f;
        f.lines(200);
        QTRY_VERIFY(f.table->model()->rowCount() == 200 && f.atTail());
        f.panel.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&f.panel));
        f.table->setFocus(Qt::TabFocusReason);
        QTRY_VERIFY(f.table->hasFocus());
        QVERIFY(f.follow->isChecked());
        QVERIFY(f.atTail());
        f.lines(50);
        QTRY_COMPARE(f.table->model()->rowCount(), 250);
        QTRY_VERIFY(f.atTail());
    }

    void eachSessionIsFoundAsItWasLeft()
    {
        Fixture f;
        Session other;
        SessionFeed(&other).stderrLines(200, "other");
        f.lines(200);
        QTRY_VERIFY(f.table->model()->rowCount() == 200 && f.atTail());
        f.table->verticalScrollBar()->triggerAction(QAbstractSlider::SliderPageStepSub);
        const int top = f.table->rowAt(0);
        f.clickRow(top + 2);
        QTRY_COMPARE(f.bytes->text(), "line " + QByteArray::number(top + 2));
        const int place = f.table->verticalScrollBar()->value();
        QVERIFY(!f.follow->isChecked());

        f.panel.setSession(&other, true);
        QTRY_COMPARE(f.table->model()->rowCount(), 200);
        QVERIFY(f.follow->isChecked());
        QTRY_VERIFY(f.atTail());
        f.clickRow(199);
        QTRY_COMPARE(f.bytes->text(), "other 199"_ba);

        f.lines(20);
        f.panel.setSession(&f.session, true);
        QTRY_COMPARE(f.table->model()->rowCount(), 220);
        QTRY_COMPARE(f.table->verticalScrollBar()->value(), place);
        QVERIFY(!f.follow->isChecked());
        QCOMPARE(f.panel.selectedRows(), QList<qsizetype>{top + 2});
        QTRY_COMPARE(f.bytes->text(), "line " + QByteArray::number(top + 2));

        f.panel.setSession(&other, true);
        QTRY_VERIFY(f.table->model()->rowCount() == 200 && f.atTail());
        QVERIFY(f.follow->isChecked());
        QCOMPARE(f.panel.selectedRows(), QList<qsizetype>{199});
        QTRY_COMPARE(f.bytes->text(), "other 199"_ba);
    }

    void aResultThatHoldsNothingIsNotOk()
    {
        Fixture f;
        for (const char *result : {"null", "[]", "1", "{\"content\":[]}"})
            f.feed.exchange(int(f.session.size()), "t", "\"result\":" + QByteArray(result));
        f.feed.toServer(R"({"jsonrpc":"2.0","id":100,"method":"ping"})");
        f.feed.fromServer(R"({"jsonrpc":"2.0","id":100,"result":null})");
        f.session.flush();
        for (const int row : {0, 2, 4}) {
            QCOMPARE(f.session.at(row).outcome, RowOutcome::NoResponse);
            QCOMPARE(f.session.at(row + 1).outcome, RowOutcome::NoResponse);
        }
        QCOMPARE(f.session.at(6).outcome, RowOutcome::Ok);
        QCOMPARE(f.session.at(8).outcome, RowOutcome::Ok);  // it has worked
        // And so in the list of calls.
        QTRY_COMPARE(f.table->model()->rowCount(), 10);
        f.clickSegment(u"timelineViews"_s, 0);
        QTRY_COMPARE(f.table->model()->rowCount(), 5);
        QStringList outcomes;
        for (int row = 0; row < 5; ++row) {
            QStringList cells;
            for (int column = 0; column < f.table->model()->columnCount(); ++column)
                cells << f.table->model()->index(row, column).data().toString();
            outcomes << (cells.join(u'|').contains(u"OK"_s) ? u"OK"_s : u"-"_s);
        }
        QCOMPARE(outcomes, (QStringList{u"-"_s, u"-"_s, u"-"_s, u"OK"_s, u"OK"_s}));
    }

    // Away again before its rows are there.
    void aSessionLeftInPassingIsFoundAsItWas()
    {
        Fixture f;
        Session other;
        SessionFeed(&other).stderrLines(200, "other");
        f.lines(20'000);
        QTRY_VERIFY_WITH_TIMEOUT(f.table->model()->rowCount() == 20'000 && f.atTail(), 30'000);
        f.filter->setText(u"line"_s);
        QTRY_VERIFY_WITH_TIMEOUT(f.table->model()->rowCount() == 20'000, 30'000);
        f.table->verticalScrollBar()->setValue(f.table->verticalScrollBar()->maximum() / 2);
        f.clickRow(f.table->rowAt(0) + 2);
        const QList<qsizetype> selected = f.panel.selectedRows();
        const int place = f.table->verticalScrollBar()->value();
        f.panel.setSession(&other, true);
        f.panel.setSession(&f.session, true);
        f.panel.setSession(&other, true);
        f.panel.setSession(&f.session, true);
        QTRY_VERIFY_WITH_TIMEOUT(f.table->model()->rowCount() == 20'000, 30'000);
        QTRY_COMPARE(f.table->verticalScrollBar()->value(), place);
        QCOMPARE(f.panel.selectedRows(), selected);
    }

    void aClickBesideTheRowsChangesNothing()
    {
        Fixture f;
        f.lines(3);
        QTRY_COMPARE(f.table->model()->rowCount(), 3);
        f.clickRow(1);
        QTRY_COMPARE(f.bytes->text(), "line 1"_ba);
        QTest::mouseClick(f.table->viewport(), Qt::LeftButton, {},
                          f.table->viewport()->rect().bottomLeft() + QPoint(20, -5));
        QCOMPARE(f.panel.selectedRows(), QList<qsizetype>{1});
        QCOMPARE(f.bytes->text(), "line 1"_ba);
    }

    void followSurvivesResizing()
    {
        Fixture f;
        f.lines(300);
        QTRY_VERIFY(f.table->model()->rowCount() == 300 && f.atTail());
        f.panel.resize(900, 200);
        QTRY_VERIFY(f.atTail());
        QVERIFY(f.follow->isChecked());
    }

    void floodLeavesTheWindowUsable()
    {
        constexpr int Count = 100000;
        Fixture f;
        int batches = 0;
        connect(f.table->model(), &QAbstractItemModel::rowsInserted, this, [&batches] { ++batches; });
        int turns = 0;
        for (int sent = 0; sent < Count; ++turns) {
            for (int i = 0; i < 1000; ++i, ++sent)
                f.feed.fromServer(R"({"jsonrpc":"2.0","method":"notifications/message","params":{"data":)" +
                                  QByteArray::number(sent) + "}}");
            f.session.flush();
            QCoreApplication::processEvents();
            if (turns == 50) {
                // In the middle of it a click is answered.
                f.clickSegment(u"timelineViews"_s, 0);
                QCOMPARE(f.table->model()->rowCount(), 0);
                f.clickSegment(u"timelineViews"_s, 3);
            }
        }
        QTRY_COMPARE_WITH_TIMEOUT(f.table->model()->rowCount(), Count, 30000);
        // One for each turn at most, and those that fill the list again after the change of view.
        QVERIFY2(batches < 4 * turns, qPrintable(QString::number(batches)));
        QTRY_VERIFY(f.atTail());
        f.clickRow(Count - 1);
        QCOMPARE(f.tree->model()->rowCount(), 3);
    }

    void partnersAreLinked()
    {
        Fixture f;
        f.lines(1);
        f.feed.exchange(1, "echo", "\"result\":{\"content\":[]}");
        f.session.flush();
        QTRY_COMPARE(f.table->model()->rowCount(), 3);
        f.clickRow(1);
        auto *delegate = qobject_cast<TimelineDelegate *>(f.table->itemDelegate());
        QCOMPARE(delegate->partner(), qsizetype(2));
        QCOMPARE(f.bytes->text(), f.session.bytes(1));
        f.clickSegment(u"detailSegments"_s, 0);  // the response, from the request's row
        QCOMPARE(f.bytes->text(), f.session.bytes(2));
        f.clickRow(2);
        QCOMPARE(delegate->partner(), qsizetype(1));
        f.clickRow(0);
        QCOMPARE(delegate->partner(), qsizetype(-1));
        QCOMPARE(f.bytes->text(), "line 0"_ba);
    }

    void responseArrivesWhileItsRequestIsShown()
    {
        Fixture f;
        f.feed.toServer(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
        f.session.flush();
        QTRY_COMPARE(f.table->model()->rowCount(), 1);
        f.clickRow(0);
        auto *segments = f.panel.findChild<SegmentedControl *>(u"detailSegments"_s);
        QVERIFY(segments->button(0)->isHidden());
        f.feed.fromServer(R"({"jsonrpc":"2.0","id":1,"result":{}})");
        f.session.flush();
        QTRY_VERIFY(!segments->button(0)->isHidden());
        QTRY_COMPARE(qobject_cast<TimelineDelegate *>(f.table->itemDelegate())->partner(), qsizetype(1));
    }

    void selectingANodeMarksItsBytes()
    {
        Fixture f;
        const QByteArray request = R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[10,{"b":"é"}]}})";
        f.feed.toServer(request);
        f.session.flush();
        QTRY_COMPARE(f.table->model()->rowCount(), 1);
        f.clickRow(0);
        const auto marked = [&f] {
            const auto [offset, length] = f.bytes->markedRange();
            return f.bytes->text().mid(offset, length);
        };
        QTRY_VERIFY(f.table->width() < f.panel.width());
        f.bytes->grab();
        const QImage before = f.bytes->grab().toImage();
        f.tree->setCurrentIndex(f.tree->model()->index(2, 0));
        QCOMPARE(marked(), "\"ping\""_ba);
        QCOMPARE(f.bytes->markedRange().first, request.indexOf("\"ping\""));
        QVERIFY(f.bytes->grab().toImage() != before);
        const QModelIndex params = f.tree->model()->index(3, 0);
        f.tree->setCurrentIndex(params);
        QCOMPARE(marked(), R"({"a":[10,{"b":"é"}]})"_ba);
        f.tree->expand(params);
        const QModelIndex list = f.tree->model()->index(0, 0, params);
        f.tree->expand(list);
        f.tree->setCurrentIndex(f.tree->model()->index(0, 0, list));
        QCOMPARE(marked(), "10"_ba);
        QCOMPARE(f.bytes->markedRange().first, request.indexOf("10,"));
        f.tree->setCurrentIndex({});
        QCOMPARE(f.bytes->markedRange().second, 0);
    }

    void bytesThatAreNoTextAreHex()
    {
        Fixture f;
        f.feed.other(WireEvent::Kind::Junk, "\xff\xfe\x00 junk"_ba);
        f.session.flush();
        QTRY_COMPARE(f.table->model()->rowCount(), 1);
        f.clickRow(0);
        QVERIFY2(f.bytes->text().startsWith("00000000  ff fe 00 20"), f.bytes->text().constData());
    }

    void largeMessagesAreParsedInTheBackground()
    {
        Fixture f;
        const QByteArray large = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"data\":\"" +
                                 QByteArray(500000, 'x') + "\"}}";
        f.feed.fromServer(large);
        f.lines(1);
        QTRY_COMPARE(f.table->model()->rowCount(), 2);
        f.clickRow(0);
        QVERIFY(f.bytes->text().size() < 100);
        QTRY_COMPARE(f.bytes->text().size(), large.size());
        QVERIFY(f.tree->model()->rowCount() > 0);
        // Another row chosen meanwhile: the late tree must not take its place.
        f.clickRow(1);
        f.clickRow(0);
        f.clickRow(1);
        QThreadPool::globalInstance()->waitForDone();
        QCoreApplication::processEvents();
        QCOMPARE(f.bytes->text(), "line 0"_ba);
    }

    void sendAgainGivesTheExactBytes()
    {
        Fixture f;
        const QByteArray odd =
            R"({"id":1,  "jsonrpc":"2.0","method":"tools/call","params":{"name":"a","arguments":{"n":1.0}}})";
        f.feed.toServer(odd);
        f.feed.fromServer(R"({"jsonrpc":"2.0","id":1,"result":{}})");
        f.lines(1);
        QTRY_COMPARE(f.table->model()->rowCount(), 3);
        QSignalSpy sent(&f.panel, &TimelinePanel::sendRequested);
        QSignalSpy edited(&f.panel, &TimelinePanel::editAndSendRequested);
        f.clickRow(1);  // from the response's row as well
        QTest::mouseClick(f.panel.findChild<QAbstractButton *>(u"sendAgain"_s), Qt::LeftButton);
        QCOMPARE(sent.value(0).value(0).toByteArray(), odd);
        QTest::mouseClick(f.panel.findChild<QAbstractButton *>(u"editAndSend"_s), Qt::LeftButton);
        QCOMPARE(edited.value(0).value(0).toByteArray(), odd);
        f.clickRow(2);
        QVERIFY(!f.panel.findChild<QAbstractButton *>(u"sendAgain"_s)->isVisible());
        f.panel.setSession(&f.session, false);
        f.clickRow(0);
        QVERIFY(!f.panel.findChild<QAbstractButton *>(u"sendAgain"_s)->isEnabled());
    }

    void contextMenuCopies()
    {
        Fixture f;
        f.feed.exchange(1, "echo", "\"result\":{\"n\":1.0}");
        f.session.flush();
        QTRY_COMPARE(f.table->model()->rowCount(), 2);
        Q_EMIT f.table->customContextMenuRequested(f.table->visualRect(f.table->model()->index(1, 3)).center());
        auto *menu = f.panel.findChild<QMenu *>(u"timelineMenu"_s);
        QVERIFY(menu);
        QStringList names;
        for (QAction *action : menu->actions()) {
            names.append(action->text());
            if (action->text() == u"Copy as JSON"_s || action->text() == u"Go to request"_s)
                action->trigger();
        }
        QCOMPARE(QGuiApplication::clipboard()->text().toUtf8(), f.session.bytes(1));
        QCOMPARE(f.table->currentIndex().row(), 0);
        QVERIFY(names.contains(u"Send again"_s) && names.contains(u"Edit and send…"_s));
        menu->close();
    }

    void filterCountsAndKeepsTheSelection()
    {
        Fixture f;
        f.lines(40);
        QTRY_COMPARE(f.table->model()->rowCount(), 40);
        f.clickRow(38);
        f.panel.focusFilter();
        QTRY_VERIFY(f.filter->hasFocus());
        QTest::keyClicks(f.filter, u"line 3"_s);
        QTRY_COMPARE(f.table->model()->rowCount(), 13);
        QTRY_COMPARE(f.countText(), u"13 of 40"_s);
        QCOMPARE(f.table->currentIndex().row(), 11);  // still line 38
        f.filter->setText(u"line 24"_s);
        QTRY_COMPARE(f.table->model()->rowCount(), 1);
        QCOMPARE(f.bytes->text(), "line 38"_ba);  // hidden, but still what is looked at
        f.filter->clear();
        QTRY_COMPARE(f.table->currentIndex().row(), 38);
        f.filter->setText(u"nothing at all"_s);
        QTRY_VERIFY(!f.table->isVisible());
        QCOMPARE(f.countText(), u"0 of 40"_s);
    }

    // Of a result, whose messages are not among the lines of stderr.
    void aFilterFromElsewhereAppliesToAllRows()
    {
        Fixture f;
        f.lines(40);
        QTRY_COMPARE(f.table->model()->rowCount(), 40);
        f.clickSegment(u"timelineViews"_s, 2);
        f.panel.setFilter(u"\"line 24\""_s);
        QCOMPARE(f.filter->text(), u"\"line 24\""_s);
        QTRY_COMPARE(f.table->model()->rowCount(), 1);
        QCOMPARE(f.panel.findChild<SegmentedControl *>(u"timelineViews"_s)->current(), 3);
        f.clickSegment(u"timelineViews"_s, 1);
        f.panel.setFilter(u"id == 1"_s);
        QCOMPARE(f.panel.findChild<SegmentedControl *>(u"timelineViews"_s)->current(), 1);  // has messages
    }

    void filterSaysWhatIsWrongAndKeepsTheLast()
    {
        Fixture f;
        f.lines(40);
        QTRY_COMPARE(f.table->model()->rowCount(), 40);
        const auto *problem = f.panel.findChild<QLabel *>(u"timelineFilterProblem"_s);
        const QColor plain = f.filter->palette().color(QPalette::Base);
        QVERIFY(!problem->isVisible());
        f.filter->setText(u"kind == stderr and 'line 7'"_s);
        QTRY_COMPARE(f.table->model()->rowCount(), 1);
        QCOMPARE(f.filter->palette().color(QPalette::Base), softColor(Tone::Ok));
        f.filter->setText(u"kind == stderr and foo < 7"_s);
        QCOMPARE(f.filter->palette().color(QPalette::Base), softColor(Tone::ProtocolError));
        QVERIFY(problem->isVisible());
        QVERIFY2(problem->text().contains(u"At character 20: Unknown field “foo”"_s), qPrintable(problem->text()));
        QVERIFY(!f.filter->accessibleDescription().isEmpty());
        QCOMPARE(f.table->model()->rowCount(), 1);  // what was in force before
        f.filter->clear();
        QVERIFY(!problem->isVisible());
        QCOMPARE(f.filter->palette().color(QPalette::Base), plain);
        QTRY_COMPARE(f.table->model()->rowCount(), 40);
    }

    void filterCompletesWords()
    {
        Fixture f;
        f.feed.exchange(1, "get-sum", "\"result\":{}");
        f.session.flush();
        f.panel.focusFilter();
        QTRY_VERIFY(f.filter->hasFocus());
        const auto popup = [] { return qobject_cast<QAbstractItemView *>(QApplication::activePopupWidget()); };
        QTest::keyClicks(f.filter, u"to"_s);
        QTRY_VERIFY(popup());
        QTest::keyClick(popup(), Qt::Key_Down);
        QTest::keyClick(popup(), Qt::Key_Return);
        QTRY_COMPARE(f.filter->text(), u"tool "_s);
        QTest::keyClicks(f.filter, u"== "_s);
        QVERIFY(!popup());  // nothing is offered unasked before a word begins
        QTest::keyClick(f.filter, Qt::Key_Space, Qt::ControlModifier);
        QTRY_VERIFY(popup());
        QCOMPARE(popup()->model()->index(0, 0).data().toString(), u"get-sum"_s);
        QTest::keyClick(popup(), Qt::Key_Escape);
        QTRY_VERIFY(!popup());
        QCOMPARE(f.filter->text(), u"tool == "_s);
        QTest::keyClicks(f.filter, u"get-sum"_s);
        QTRY_COMPARE(f.table->model()->rowCount(), 2);
    }

    void filtersAreSavedAndHighlight()
    {
        Fixture f;
        f.lines(10);
        QTRY_COMPARE(f.table->model()->rowCount(), 10);
        QMenu *menu = f.panel.findChild<QToolButton *>(u"timelineFilterMenu"_s)->menu();
        // What a person would click, by its words; empty when it cannot be clicked.
        const auto trigger = [](QMenu *root, const QStringList &path) {
            QMetaObject::invokeMethod(root, "aboutToShow");
            QMenu *at = root;
            for (const QString &text : path) {
                const QList<QAction *> actions = at->actions();
                const auto found = std::find_if(actions.begin(), actions.end(), [&](const QAction *action) {
                    return action->text() == text && action->isEnabled();
                });
                if (found == actions.end())
                    return false;
                if (text == path.last())
                    (*found)->trigger();
                at = (*found)->menu();
            }
            return true;
        };
        QVERIFY(!trigger(menu, {u"Save filter"_s}));  // there is none
        f.filter->setText(u"'line 7'"_s);
        QVERIFY(trigger(menu, {u"Save filter"_s}));
        QVERIFY(trigger(menu, {u"Highlight matching rows"_s, u"Red"_s}));
        f.filter->setText(u"broken ("_s);
        f.filter->clear();
        QTRY_COMPARE(f.table->model()->rowCount(), 10);
        const auto colorAt = [](const Fixture &of, int row) {
            return of.table->model()->index(row, 3).data(TimelineModel::HighlightRole).toInt();
        };
        QCOMPARE(colorAt(f, 7), int(Tone::ProtocolError));
        QCOMPARE(colorAt(f, 6), -1);

        Fixture later;
        later.lines(10);
        QTRY_COMPARE(later.table->model()->rowCount(), 10);
        later.panel.restoreState(f.panel.saveState());
        QCOMPARE(colorAt(later, 7), int(Tone::ProtocolError));
        QMenu *laterMenu = later.panel.findChild<QToolButton *>(u"timelineFilterMenu"_s)->menu();
        QVERIFY(trigger(laterMenu, {u"'line 7'"_s}));
        QTRY_COMPARE(later.table->model()->rowCount(), 1);
        QVERIFY(trigger(laterMenu, {u"Remove highlight"_s, u"'line 7'"_s}));
        QCOMPARE(colorAt(later, 0), -1);
        QVERIFY(trigger(laterMenu, {u"Delete"_s, u"'line 7'"_s}));
        QVERIFY(!trigger(laterMenu, {u"'line 7'"_s}));
    }

    void showRowFindsItBehindAFilter()
    {
        Fixture f;
        f.lines(100);
        QTRY_COMPARE(f.table->model()->rowCount(), 100);
        f.filter->setText(u"no such line"_s);
        f.panel.showRow(17);
        QTRY_COMPARE(f.table->currentIndex().row(), 17);
        QVERIFY(f.filter->text().isEmpty());
        QVERIFY(!f.follow->isChecked());
        QVERIFY(f.table->viewport()->rect().contains(f.table->visualRect(f.table->currentIndex()).center()));
        QCOMPARE(f.bytes->text(), "line 17"_ba);
    }

    void showRowScrollsInNarrowPlacesToo()
    {
        Fixture f;
        f.panel.resize(700, 300);
        f.lines(100);
        QTRY_VERIFY(f.table->model()->rowCount() == 100 && f.atTail());
        f.clickRow(99);
        QTRY_VERIFY(f.table->isColumnHidden(0));
        f.panel.showRow(17);
        QCOMPARE(f.table->currentIndex().row(), 17);
        QTRY_VERIFY(f.table->viewport()->rect().contains(f.table->visualRect(f.table->currentIndex()).center()));
    }

    void factsAreListed()
    {
        Fixture f;
        f.feed.other(WireEvent::Kind::HttpResponse, {}, R"({"status":404,"headers":[["Content-Type","text/html"]]})");
        f.session.flush();
        QTRY_COMPARE(f.table->model()->rowCount(), 1);
        f.clickRow(0);
        auto *facts = f.panel.findChild<TextView *>(u"recordFacts"_s);
        QVERIFY(facts->isVisible());  // there is nothing else to show
        QVERIFY(facts->text().contains("Content-Type") && facts->text().contains("HTTP response"));
    }

    void stateIsRestored()
    {
        Fixture first;
        first.table->horizontalHeader()->resizeSection(1, 180);
        first.clickSegment(u"timelineViews"_s, 1);
        Fixture second;
        first.table->horizontalHeader()->resizeSection(5, 45);  // saved when durations had less room
        second.panel.restoreState(first.panel.saveState());
        QCOMPARE(second.table->horizontalHeader()->sectionSize(1), 180);
        QVERIFY(second.table->columnWidth(5) > QFontMetrics(monoFont()).horizontalAdvance(u"106 234"_s));
        QCOMPARE(second.panel.findChild<SegmentedControl *>(u"timelineViews"_s)->current(), 1);
        second.panel.restoreState("nonsense");
        second.panel.restoreState({});
        QCOMPARE(second.table->horizontalHeader()->sectionSize(1), 180);
    }

    void narrowPlacesKeepMethodAndOutcome()
    {
        Fixture f;
        f.lines(3);
        f.panel.resize(700, 300);
        QCoreApplication::processEvents();
        QVERIFY(!f.table->isColumnHidden(3) && !f.table->isColumnHidden(4));
        QVERIFY(f.table->columnWidth(3) > 100);
        // The filter has a row of its own where it could not be read beside the rest.
        const auto *filter = f.panel.findChild<QWidget *>(u"timelineFilter"_s);
        const auto *views = f.panel.findChild<QWidget *>(u"timelineViews"_s);
        f.panel.resize(520, 300);
        QTRY_VERIFY(filter->width() > 16 * Grid && views->y() > filter->geometry().bottom());
        f.panel.resize(1600, 300);
        QTRY_VERIFY(views->y() < filter->geometry().bottom());
        QCoreApplication::processEvents();
        const int waterfall = int(TimelineModel::Column::Waterfall);  // of calls only
        for (int column = 0; column < f.table->model()->columnCount(); ++column)
            QCOMPARE(f.table->isColumnHidden(column), column == waterfall);
    }

    void sessionMayGoFirst()
    {
        TimelinePanel panel;
        auto session = std::make_unique<Session>();
        SessionFeed(session.get()).exchange(1, "a", "\"result\":{}");
        session->flush();
        panel.setSession(session.get(), true);
        panel.show();
        panel.showRow(1);
        session.reset();
        QTest::keyClick(panel.findChild<QTableView *>(u"timelineTable"_s), Qt::Key_Down);
        panel.grab();
        QVERIFY(!panel.findChild<QAbstractButton *>(u"sendAgain"_s)->isVisible());
    }

    void everyControlCanBeNamed()
    {
        Fixture f;
        f.feed.exchange(1, "a", "\"result\":{}");
        f.session.flush();
        QTRY_COMPARE(f.table->model()->rowCount(), 2);
        f.clickRow(0);
        for (const QAbstractButton *button : f.panel.findChildren<QAbstractButton *>()) {
            if (button->isVisible() && !button->objectName().startsWith(u"qt_"_s))
                QVERIFY2(!button->accessibleName().isEmpty() && !button->objectName().isEmpty(),
                         qPrintable(button->text()));
        }
        for (const QWidget *named : {static_cast<QWidget *>(f.table), static_cast<QWidget *>(f.filter),
                                     static_cast<QWidget *>(f.bytes), static_cast<QWidget *>(f.tree)})
            QVERIFY(!named->accessibleName().isEmpty());
    }
};

}  // namespace sonde::ui

using TestTimelinePanel = sonde::ui::TestTimelinePanel;
SONDE_TEST(TestTimelinePanel)
#include "tst_timelinepanel.moc"
