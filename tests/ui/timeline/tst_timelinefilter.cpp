// The filter line of the timeline under somebody who types: what applies meanwhile, and what is said.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/files.h"
#include "tests/support/handmadesession.h"
#include "tests/support/testregistry.h"
#include "tests/ui/timeline/sessionfeed.h"
#include "ui/theme/readingorder.h"
#include "ui/theme/theme.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/timelinepanel.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace sonde::ui {

using test::SessionFeed;

class TestTimelineFilter : public QObject {
    Q_OBJECT

private:
    enum Segment { Calls, Messages, Stderr, All };

    struct Fixture {
        TimelinePanel panel;
        QTableView *table = panel.findChild<QTableView *>(u"timelineTable"_s);
        QLineEdit *filter = panel.findChild<QLineEdit *>(u"timelineFilter"_s);
        QLabel *problem = panel.findChild<QLabel *>(u"timelineFilterProblem"_s);

        explicit Fixture(Session *session)
        {
            panel.resize(1140, 320);
            choose(All);
            panel.setSession(session, true);
            panel.show();
        }
        int rows() const { return table->model()->rowCount(); }
        void choose(Segment segment)
        {
            QTest::mouseClick(panel.findChild<SegmentedControl *>(u"timelineViews"_s)->button(segment), Qt::LeftButton);
        }
        bool focusFilter()
        {
            panel.activateWindow();
            panel.focusFilter();
            return QTest::qWaitFor([this] { return filter->hasFocus(); });
        }
        void type(const QString &text) { QTest::keyClicks(filter, text); }
        // What stands in place of rows.
        QString emptyWords() const
        {
            QStringList words;
            for (const QLabel *label : table->parentWidget()->findChild<EmptyState *>()->findChildren<QLabel *>())
                words << label->text();
            return table->isVisible() ? QString() : words.join(u" / "_s);
        }
    };

    // Three calls, stderr besides.
    static void fill(Session &session)
    {
        SessionFeed feed(&session);
        feed.exchange(1, "search", "\"result\":{}");
        feed.exchange(2, "search", "\"result\":{\"isError\":true}");
        feed.exchange(3, "add", "\"result\":{}");
        feed.other(WireEvent::Kind::Stderr, "started");
        session.flush();
    }

private Q_SLOTS:
    void halfAFilterIsNoFilter()
    {
        Session session;
        fill(session);
        Fixture f(&session);
        QTRY_COMPARE(f.rows(), 7);
        QVERIFY(f.focusFilter());
        // A word by itself is a filter; as the beginning of a comparison it is none.
        f.type(u"outcome"_s);
        QTRY_COMPARE(f.rows(), 0);
        f.type(u" == banana"_s);
        QTRY_COMPARE(f.rows(), 7);
        QVERIFY(f.problem->isVisible());
        QVERIFY2(f.problem->text().contains(u"Not applied; all rows shown"_s), qPrintable(f.problem->text()));
        f.filter->selectAll();
        f.type(u"outcome == ok"_s);
        QTRY_COMPARE(f.rows(), 4);
        QVERIFY(!f.problem->isVisible());
    }

    void whatWasMeantStaysWhileMoreIsTyped()
    {
        Session session;
        fill(session);
        Fixture f(&session);
        QVERIFY(f.focusFilter());
        f.type(u"tool == search"_s);
        QTRY_COMPARE(f.rows(), 4);
        QTest::keyClick(f.filter, Qt::Key_Return);  // meant
        QVERIFY(f.focusFilter());
        QTest::keyClick(f.filter, Qt::Key_End);
        f.type(u" and outcome"_s);  // as a word: no row has it
        QTRY_COMPARE(f.rows(), 0);
        f.type(u" =="_s);
        QTRY_COMPARE(f.rows(), 4);
        QVERIFY2(f.problem->text().contains(u"still filtering by tool == search"_s), qPrintable(f.problem->text()));
        f.type(u" ok"_s);
        QTRY_COMPARE(f.rows(), 2);
    }

    void emptyingTheLineEndsTheFilter()
    {
        Session session;
        fill(session);
        Fixture f(&session);
        f.filter->setText(u"tool == search"_s);
        QTRY_COMPARE(f.rows(), 4);
        QVERIFY(f.focusFilter());
        while (!f.filter->text().isEmpty())
            QTest::keyClick(f.filter, Qt::Key_Backspace);
        QTRY_COMPARE(f.rows(), 7);
        f.type(u"outcome =="_s);
        QTRY_COMPARE(f.rows(), 7);
    }

    void wordsTakenFromTheListAreStillBeingTyped()
    {
        Session session;
        fill(session);
        Fixture f(&session);
        QVERIFY(f.focusFilter());
        const auto popup = [] { return qobject_cast<QAbstractItemView *>(QApplication::activePopupWidget()); };
        f.type(u"outc"_s);
        QTRY_VERIFY(popup());
        // Under the word, not behind it.
        const int wordStart = f.filter->mapToGlobal(QPoint(0, 0)).x();
        QVERIFY2(popup()->geometry().left() < wordStart + 3 * Grid, qPrintable(QString::number(popup()->x())));
        QTest::keyClick(popup(), Qt::Key_Down);
        QTest::keyClick(popup(), Qt::Key_Return);
        QTRY_COMPARE(f.filter->text(), u"outcome "_s);
        f.type(u"== "_s);
        QTRY_COMPARE(f.rows(), 7);
        QVERIFY2(f.problem->text().contains(u"all rows shown"_s), qPrintable(f.problem->text()));
    }

    void keysLeadToTheRows()
    {
        Session session;
        fill(session);
        Fixture f(&session);
        QTRY_COMPARE(f.rows(), 7);
        QVERIFY(f.focusFilter());
        f.type(u"search"_s);
        QTRY_COMPARE(f.rows(), 4);
        QTest::keyClick(f.filter, Qt::Key_Return);
        QTRY_VERIFY(f.table->hasFocus());
        QCOMPARE(f.table->currentIndex().row(), 3);  // the newest is followed
        QTest::keyClick(f.table, Qt::Key_Up);
        QCOMPARE(f.table->currentIndex().row(), 2);
        QVERIFY(f.focusFilter());
        QTest::keyClick(f.filter, Qt::Key_Down);
        QTRY_VERIFY(f.table->hasFocus());
        QCOMPARE(f.table->currentIndex().row(), 2);  // back to where one was
        QVERIFY(f.focusFilter());
        f.type(u"outcome =="_s);
        QTest::keyClick(f.filter, Qt::Key_Return);
        QVERIFY(f.filter->hasFocus());  // there is something to mend first
    }

    void tabGoesThroughTheBarInItsOrder()
    {
        Session session;
        fill(session);
        Fixture f(&session);
        QTRY_COMPARE(f.rows(), 7);
        QVERIFY(f.focusFilter());
        int left = f.filter->mapTo(&f.panel, QPoint(0, 0)).x();
        for (const QString &name : {u"timelineFilterMenu"_s, u"segment3"_s, u"timelineStatistics"_s,
                                    u"timelineFollow"_s, u"timelineExport"_s}) {
            QVERIFY(focusNextIn(&f.panel, true));  // what Tab does in the main window
            QWidget *stop = QApplication::focusWidget();
            QVERIFY(stop);
            QCOMPARE(stop->objectName(), name);
            const int at = stop->mapTo(&f.panel, QPoint(0, 0)).x();
            QVERIFY2(at > left, qPrintable(name));
            left = at;
        }
    }

    void emptyListsSayWhatHelps()
    {
        Session session;
        SessionFeed feed(&session);
        Fixture f(&session);
        QVERIFY2(f.emptyWords().contains(u"No messages yet"_s), qPrintable(f.emptyWords()));
        feed.toServer(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        session.flush();
        QTRY_COMPARE(f.rows(), 1);
        f.filter->setText(u"nowhere"_s);
        QTRY_COMPARE(f.emptyWords(), u"No matching records / Change the filter, or clear it."_s);
        f.choose(Messages);
        QTRY_COMPARE(f.emptyWords(), u"No matches in this view / Change the filter, or choose All."_s);
        f.filter->clear();
        f.choose(Stderr);
        QTRY_COMPARE(f.emptyWords(), u"No stderr output / Other records are listed under All."_s);
        f.choose(Calls);
        QTRY_COMPARE(f.emptyWords(),
                     u"No calls / Call a tool, read a resource or get a prompt. Other records are listed under All."_s);
    }

    void recordedSessionsAreSpokenOfAsSuch()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"s.mcpsession"_s);
        test::writeFile(path, test::HandmadeSession().text());
        const Result<std::unique_ptr<Session>> opened = Session::open(path);
        QVERIFY(opened);
        Fixture f(opened->get());
        QCOMPARE(f.emptyWords(), u"Empty session / It contains no records."_s);
    }

    void aSessionThatIsBeingReadIsNotCalledEmpty()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"s.mcpsession"_s);
        test::writeFile(path, test::HandmadeSession().text());
        const Result<std::unique_ptr<Session>> opened = Session::openInBatches(path);
        QVERIFY(opened && (*opened)->isLoading());
        Fixture f(opened->get());
        QVERIFY2(f.emptyWords().startsWith(u"Loading the session"_s), qPrintable(f.emptyWords()));
        QTRY_COMPARE(f.emptyWords(), u"Empty session / It contains no records."_s);
    }

    void savingFiltersIsSignalled()
    {
        Session session;
        fill(session);
        Fixture f(&session);
        QSignalSpy changed(&f.panel, &TimelinePanel::savedFiltersChanged);
        QMenu *menu = f.panel.findChild<QToolButton *>(u"timelineFilterMenu"_s)->menu();
        const auto keep = [menu] {
            QMetaObject::invokeMethod(menu, "aboutToShow");
            for (QAction *action : menu->actions()) {
                if (action->text() == u"Save filter"_s && action->isEnabled()) {
                    action->trigger();
                    return true;
                }
            }
            return false;
        };
        f.filter->setText(u"tool == "_s);
        QVERIFY(!keep());  // a faulty one is nothing to keep
        f.filter->setText(u"tool == add"_s);
        QVERIFY(keep());
        QCOMPARE(changed.size(), 1);
        Fixture later(&session);
        QSignalSpy restored(&later.panel, &TimelinePanel::savedFiltersChanged);
        later.panel.restoreState(f.panel.saveState());
        QCOMPARE(restored.size(), 0);  // nothing that had to be written
    }
};

}  // namespace sonde::ui

using TestTimelineFilter = sonde::ui::TestTimelineFilter;
SONDE_TEST(TestTimelineFilter)
#include "tst_timelinefilter.moc"
