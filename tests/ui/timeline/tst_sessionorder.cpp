// The timeline shows one session after another, in every view and in any order.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "tests/ui/timeline/callscript.h"
#include "tests/ui/timeline/sessionfeed.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/table/timelinemodel.h"
#include "ui/timeline/timelinepanel.h"

#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QTest>
#include <memory>

using namespace Qt::StringLiterals;

namespace sonde::ui {

class TestSessionOrder : public QObject {
    Q_OBJECT

    // None: nothing was started yet. Removed: gone while it is shown, as with its server.
    enum Kind { None, Live, Recording, Removed, Kinds };

    static std::unique_ptr<Session> filled(int calls)
    {
        auto session = std::make_unique<Session>();
        test::SessionFeed feed(session.get());
        for (int i = 0; i < calls; ++i)
            feed.exchange(i, i % 2 == 0 ? "even" : "odd", "\"result\":{}");
        feed.stderrLines(3);
        session->flush();
        return session;
    }

    struct Stage {
        std::unique_ptr<Session> live = filled(5);
        test::CallScript script;
        std::unique_ptr<Session> removed;

        Stage() { script.longCall().retriedCall().twoAtOnce().other(WireEvent::Kind::Stderr, "hello"); }
        Session *session(Kind kind)
        {
            if (kind == Removed && !removed)
                removed = filled(6);
            return kind == Live ? live.get() : kind == Recording ? script.session() : removed.get();
        }
    };

    struct Screen {
        TimelinePanel panel;
        QTableView *table = panel.findChild<QTableView *>(u"timelineTable"_s);
        TimelineModel *model = qobject_cast<TimelineModel *>(table->model());
        const QLabel *count = panel.findChild<QLabel *>(u"timelineCount"_s);

        Screen(int view, const QString &filter)
        {
            panel.resize(1140, 320);
            panel.show();
            QTest::mouseClick(panel.findChild<SegmentedControl *>(u"timelineViews"_s)->button(view), Qt::LeftButton);
            panel.findChild<QLineEdit *>(u"timelineFilter"_s)->setText(filter);
        }
        void show(Kind kind, Stage &stage)
        {
            panel.setSession(kind == None ? nullptr : stage.session(kind), kind == Live);
            if (kind == Removed)
                stage.removed.reset();
        }
        QString shown() const { return u"%1 in %2 rows"_s.arg(count->text()).arg(model->rowCount()); }
    };

    // Shown first and alone.
    static QString expected(Kind kind, int view, const QString &filter, Stage &stage)
    {
        Screen screen(view, filter);
        if (kind != None && kind != Removed)
            screen.show(kind, stage);
        const bool isRead = QTest::qWaitFor(
            [&screen] { return screen.model->calls()->isComplete() && !screen.model->isFiltering(); }, 5000);
        return isRead ? screen.shown() : u"still reading"_s;
    }

private Q_SLOTS:
    void everyViewShowsAnySessionAfterAnyOther_data()
    {
        QTest::addColumn<int>("view");
        QTest::addColumn<QString>("filter");
        const QStringList views{u"calls"_s, u"messages"_s, u"stderr"_s, u"all"_s};
        for (int view = 0; view < views.size(); ++view) {
            QTest::addRow("%s", qPrintable(views[view])) << view << QString();
            QTest::addRow("%s filtered", qPrintable(views[view])) << view << u"method == tools/call"_s;
        }
    }

    void everyViewShowsAnySessionAfterAnyOther()
    {
        QFETCH(const int, view);
        QFETCH(const QString, filter);
        Stage stage;
        QStringList alone;
        for (int kind = 0; kind < Kinds; ++kind)
            alone << expected(Kind(kind), view, filter, stage);
        QVERIFY2(alone[Live] != alone[None] && alone[Recording] != alone[Live], qPrintable(alone.join(u'|')));
        Screen screen(view, filter);
        for (int triple = 0; triple < Kinds * Kinds * Kinds; ++triple) {
            for (const int kind : {triple / (Kinds * Kinds), triple / Kinds % Kinds, triple % Kinds}) {
                screen.show(Kind(kind), stage);
                QTRY_COMPARE(screen.shown(), alone[kind]);
            }
        }
    }

    // What was begun in one session ends with it.
    void oneCallAloneAndRowsBeingExpandedAreLeftBehind()
    {
        for (int pair = 0; pair < Kinds * Kinds; ++pair) {
            for (const bool isOnlyOne : {true, false}) {
                Stage stage;
                Screen screen(0, {});
                const auto before = Kind(pair / Kinds);
                const auto after = Kind(pair % Kinds);
                if (before == after)
                    continue;
                screen.panel.setSession(before == None ? nullptr : stage.session(before), false);
                QTRY_VERIFY(before == None || screen.model->rowCount() > 0);
                if (isOnlyOne && before != None)
                    screen.model->setOnlyCallOf(screen.model->sessionRow(screen.model->index(0, 0)));
                else
                    screen.model->setAllExpanded(true);
                screen.show(before, stage);
                screen.show(after, stage);
                QTRY_COMPARE(screen.count->text(), after == Live        ? u"5 calls"_s
                                                   : after == Recording ? u"4 calls"_s
                                                                        : u"0"_s);
            }
        }
    }
};

}  // namespace sonde::ui

using TestSessionOrder = sonde::ui::TestSessionOrder;
SONDE_TEST(TestSessionOrder)
#include "tst_sessionorder.moc"
