// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "tests/ui/timeline/callscript.h"
#include "tests/ui/timeline/sessionfeed.h"
#include "ui/timeline/calls/statisticsmodel.h"
#include "ui/timeline/calls/statisticswindow.h"
#include "ui/timeline/timelinepanel.h"

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QTest>

using namespace Qt::StringLiterals;

namespace sonde::ui {

using test::CallScript;
using test::SessionFeed;

class TestStatisticsWindow : public QObject {
    Q_OBJECT

private:
    // As a person gets there: by the button of the timeline.
    struct Fixture {
        TimelinePanel panel;
        QDialog *window = nullptr;
        QTableView *table = nullptr;

        explicit Fixture(Session *session)
        {
            panel.resize(1140, 320);
            panel.setSession(session, false);
            panel.show();
            QTest::mouseClick(panel.findChild<QAbstractButton *>(u"timelineStatistics"_s), Qt::LeftButton);
            window = panel.findChild<QDialog *>(u"callStatistics"_s);
            table = window->findChild<QTableView *>(u"statisticsTable"_s);
        }
        QString cell(int row, StatisticsModel::Column column) const
        {
            return table->model()->index(row, int(column)).data().toString();
        }
        QStringList column(StatisticsModel::Column column) const
        {
            QStringList texts;
            for (int row = 0; row < table->model()->rowCount(); ++row)
                texts.append(cell(row, column));
            return texts;
        }
        void sortBy(StatisticsModel::Column column)
        {
            QHeaderView *header = table->horizontalHeader();
            QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                              {header->sectionViewportPosition(int(column)) + 10, header->height() / 2});
        }
    };

    static CallScript &filled(CallScript &script)
    {
        script.longCall().retriedCall();
        for (int i = 0; i < 10; ++i)
            script.at(5000 + i * 100).call(100 + i, "echo").at(5010 + i * 101).result(100 + i);
        return script;
    }

private Q_SLOTS:
    void oneRowForEachTool()
    {
        CallScript script;
        Fixture f(filled(script).session());
        QTRY_COMPARE(f.table->model()->rowCount(), 3);
        QVERIFY(!f.window->isModal());
        QCOMPARE(f.column(StatisticsModel::Column::Target),
                 (QStringList{u"echo"_s, u"ask-me"_s, u"book"_s}));  // the most called first
        QCOMPARE(f.cell(0, StatisticsModel::Column::Method), u"tools/call"_s);
        QCOMPARE(f.cell(0, StatisticsModel::Column::Calls), u"10"_s);
        QCOMPARE(f.cell(0, StatisticsModel::Column::P50), u"14.0"_s);
        QCOMPARE(f.cell(0, StatisticsModel::Column::P99), u"19.0"_s);
        QCOMPARE(f.cell(0, StatisticsModel::Column::Failed), QString());
        QCOMPARE(f.cell(2, StatisticsModel::Column::Failed), u"▲ 1"_s);
        QCOMPARE(
            f.table->model()->index(2, int(StatisticsModel::Column::Failed)).data(Qt::AccessibleTextRole).toString(),
            u"Tool errors: 1, protocol errors: 0, no response: 0"_s);
        QCOMPARE(f.cell(1, StatisticsModel::Column::P50), u"200.0"_s);  // of 600 ms
        QCOMPARE(f.cell(1, StatisticsModel::Column::Waited), u"400 ms"_s);
        QCOMPARE(f.cell(1, StatisticsModel::Column::FirstByte), u"50.0"_s);
        QVERIFY(f.window->findChild<QLabel *>(u"statisticsSummary"_s)->text().startsWith(u"12 calls"_s));
    }

    // Neither requests of the server nor the question whether it knows discovery are calls, each request of a batch is.
    // Where the timeline lists other requests as well, it counts them and says so.
    void theTimelineCountsTheSameCalls()
    {
        Session session;
        SessionFeed feed(&session);
        Fixture f(&session);
        const auto *count = f.panel.findChild<QLabel *>(u"timelineCount"_s);
        const auto *summary = f.window->findChild<QLabel *>(u"statisticsSummary"_s);
        feed.exchange(1, "a", "\"result\":{}");
        feed.toServer(R"([{"jsonrpc":"2.0","id":2,"method":"ping"},{"jsonrpc":"2.0","id":3,"method":"ping"}])");
        session.flush();
        QTRY_COMPARE(count->text(), u"3 calls"_s);
        feed.fromServer(R"({"jsonrpc":"2.0","id":"s1","method":"roots/list"})");
        feed.toServer(R"({"jsonrpc":"2.0","id":"s1","result":{"roots":[]}})");
        session.flush();
        QTRY_COMPARE(count->text(), u"4 requests"_s);
        QTRY_VERIFY2(summary->text().startsWith(u"3 calls"_s), qPrintable(summary->text()));
    }

    void sortsByNumbers()
    {
        CallScript script;
        Fixture f(filled(script).session());
        QTRY_COMPARE(f.table->model()->rowCount(), 3);
        f.sortBy(StatisticsModel::Column::P50);
        const QStringList once = f.column(StatisticsModel::Column::P50);
        f.sortBy(StatisticsModel::Column::P50);
        QStringList twice = f.column(StatisticsModel::Column::P50);
        QVERIFY(once != twice);
        std::reverse(twice.begin(), twice.end());
        QCOMPARE(once, twice);
        QVERIFY(once.indexOf(u"14.0"_s) != 1);  // as numbers 14 < 100 < 200; as texts too, but not reversed in between
        f.sortBy(StatisticsModel::Column::Target);
        QVERIFY(f.column(StatisticsModel::Column::Target).first() == u"ask-me"_s ||
                f.column(StatisticsModel::Column::Target).last() == u"ask-me"_s);
    }

    void copiesWhatIsShown()
    {
        CallScript script;
        Fixture f(filled(script).session());
        QTRY_COMPARE(f.table->model()->rowCount(), 3);
        QTest::mouseClick(f.window->findChild<QAbstractButton *>(u"statisticsCopy"_s), Qt::LeftButton);
        const QStringList lines = QGuiApplication::clipboard()->text().split(u'\n');
        QCOMPARE(lines.size(), 5);
        QVERIFY(lines.at(0).contains(u"p99"_s) && lines.at(1).contains(u"echo"_s));
        QCOMPARE(lines.at(1).indexOf(u"echo"_s), lines.at(2).indexOf(u"ask-me"_s));  // aligned
        QGuiApplication::clipboard()->clear();
        f.table->setFocus();
        QTest::keySequence(f.table, QKeySequence::Copy);
        QCOMPARE(QGuiApplication::clipboard()->text().split(u'\n'), lines);
    }

    void followsALiveSession()
    {
        Session session;
        SessionFeed feed(&session);
        Fixture f(&session);
        auto *copy = f.window->findChild<QAbstractButton *>(u"statisticsCopy"_s);
        QVERIFY(!f.table->isVisible() && !copy->isEnabled());  // says that there is nothing yet
        feed.exchange(1, "echo", "\"result\":{}");
        session.flush();
        QTRY_COMPARE(f.table->model()->rowCount(), 1);
        QVERIFY(f.table->isVisible() && copy->isEnabled());
        const QAbstractItemModelTester tester(f.table->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        f.table->selectRow(0);
        feed.exchange(2, "echo", "\"error\":{\"code\":-32602,\"message\":\"no\"}");
        session.flush();
        QTRY_COMPARE(f.cell(0, StatisticsModel::Column::Calls), u"2"_s);
        QCOMPARE(f.cell(0, StatisticsModel::Column::Failed), u"✕ 1"_s);
        QCOMPARE(f.table->currentIndex().row(), 0);
        f.window->close();
        feed.exchange(3, "other", "\"result\":{}");
        session.flush();
        QTest::mouseClick(f.panel.findChild<QAbstractButton *>(u"timelineStatistics"_s), Qt::LeftButton);
        QTRY_COMPARE(f.table->model()->rowCount(), 2);
        CallScript script;
        f.panel.setSession(script.session(), false);
        QTRY_COMPARE(f.table->model()->rowCount(), 0);
        QVERIFY(!f.table->isVisible());
    }

    void namesHaveTheRoomThatNumbersLeave()
    {
        Session session;
        SessionFeed feed(&session);
        feed.exchange(1, "trigger-long-running-operation", "\"result\":{}");
        feed.toServer(R"({"jsonrpc":"2.0","id":2,"method":"resources/templates/list"})");
        feed.fromServer(R"({"jsonrpc":"2.0","id":2,"result":{"resourceTemplates":[]}})");
        session.flush();
        Fixture f(&session);
        QTRY_COMPARE(f.table->model()->rowCount(), 2);
        const QFontMetrics metrics(f.table->font());
        for (const StatisticsModel::Column column :
             {StatisticsModel::Column::Method, StatisticsModel::Column::Target}) {
            const QStringList texts = f.column(column);
            for (const QString &text : texts)
                QTRY_VERIFY2(f.table->columnWidth(int(column)) > metrics.horizontalAdvance(text) + 8, qPrintable(text));
        }
        const auto scrolls = [&f] { return f.table->horizontalHeader()->length() > f.table->viewport()->width(); };
        QVERIFY(!scrolls());
        // In a window of 800, too; nobody was waited for.
        f.window->resize(792, 460);
        QTRY_VERIFY(f.table->viewport()->width() < 792);
        QVERIFY(!scrolls() && f.table->columnWidth(int(StatisticsModel::Column::Target)) > 100);
        QVERIFY(f.table->isColumnHidden(int(StatisticsModel::Column::Waited)));
    }

    void recordedSessionsAreSpokenOfAsSuch()
    {
        CallScript script;
        script.other(WireEvent::Kind::Stderr, "hello");
        Fixture f(script.session());
        QStringList words;
        for (const QLabel *label : f.window->findChildren<QLabel *>()) {
            if (label->isVisible())
                words << label->text();
        }
        QVERIFY2(words.contains(u"No calls in this session"_s), qPrintable(words.join(u'|')));
    }

    void manyCallsAreCountedInSlices()
    {
        constexpr int Calls = 10000;
        Session session;
        SessionFeed feed(&session);
        for (int i = 0; i < Calls; ++i)
            feed.exchange(i, "tool-" + QByteArray::number(i % 7), "\"result\":{}");
        session.flush();
        Fixture f(&session);
        QTRY_COMPARE_WITH_TIMEOUT(f.table->model()->rowCount(), 7, 60000);
        const auto sum = [&] {
            int calls = 0;
            for (int row = 0; row < f.table->model()->rowCount(); ++row)
                calls += f.table->model()
                             ->index(row, int(StatisticsModel::Column::Calls))
                             .data(StatisticsModel::SortRole)
                             .toInt();
            return calls;
        };
        QTRY_COMPARE_WITH_TIMEOUT(sum(), Calls, 60000);
    }
};

}  // namespace sonde::ui

using TestStatisticsWindow = sonde::ui::TestStatisticsWindow;
SONDE_TEST(TestStatisticsWindow)
#include "tst_statisticswindow.moc"
