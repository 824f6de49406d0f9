// The guided tour through the demo server: each step is ticked once it has been done, and its button leads there.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/actions.h"
#include "tests/app/gui/requestdesk.h"
#include "ui/dialogs/replaydialog.h"
#include "ui/panels/guidedwalk.h"
#include "ui/panels/welcomepanel.h"
#include "ui/timeline/timelinepanel.h"

#include <QLabel>
#include <QLineEdit>
#include <QTabWidget>
#include <QTableView>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Patience;
using Kind = ui::WalkStep::Kind;

class TestGuidedWalk : public QObject {
    Q_OBJECT

private:
    static const ui::GuidedWalk &walk(test::RequestWindow &desk) { return *desk.workspace().demo()->walk; }

    static bool isDone(test::RequestWindow &desk, Kind kind)
    {
        return walk(desk).steps().at(qsizetype(kind)).state == Step::State::Done;
    }

    static bool showsPage(test::RequestWindow &desk)
    {
        desk.window().actions->serverInfo->trigger();
        return QTest::qWaitFor([&desk] { return page(desk)->isVisible(); }, Patience);
    }

    static QWidget *page(test::RequestWindow &desk) { return desk.window().findChild<QWidget *>(u"walk"_s); }

    static QString progress(test::RequestWindow &desk)
    {
        return page(desk)->findChild<QLabel *>(u"walkCount"_s)->text();
    }

    static bool lead(test::RequestWindow &desk, Kind kind)
    {
        return showsPage(desk) && desk.click(u"walkStepLink%1"_s.arg(int(kind)));
    }

private Q_SLOTS:
    void init() { test::TestWindow::clear(); }

    void stepsAreTickedOnceTheyAreDone()
    {
        test::RequestWindow desk;
        QTest::mouseClick(desk.window().welcome->findChild<QAbstractButton *>(u"takeWalk"_s), Qt::LeftButton);
        QVERIFY(desk.isConnected(app::Workspace::demoSpec().name));
        QTRY_VERIFY_WITH_TIMEOUT(desk.isListed(), Patience);
        QVERIFY(page(desk)->isVisible());
        QCOMPARE(progress(desk), u"0 of 8 steps done"_s);

        QVERIFY(lead(desk, Kind::FixArgument));
        QCOMPARE(desk.test::TestWindow::panel()->ref().key, u"add"_s);
        QVERIFY(desk.enter(u"/a"_s, u"1"_s));
        QVERIFY(desk.call(u"▲ Tool error"_s));
        QTRY_VERIFY(isDone(desk, Kind::SeeToolError));
        QVERIFY(!isDone(desk, Kind::CallTool) && !isDone(desk, Kind::FixArgument));
        QVERIFY(desk.enter(u"/b"_s, u"2"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        QTRY_VERIFY(isDone(desk, Kind::CallTool) && isDone(desk, Kind::FixArgument));

        QVERIFY(lead(desk, Kind::RespondToServer));
        QCOMPARE(desk.test::TestWindow::panel()->ref().key, u"ask-form"_s);
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(desk.waitsForPerson(1));
        QVERIFY(!isDone(desk, Kind::RespondToServer));
        QVERIFY(desk.fill(u"/name"_s, u"Ada"_s));
        QVERIFY(desk.pressButton(u"requestAccept"_s));
        QTRY_VERIFY_WITH_TIMEOUT(isDone(desk, Kind::RespondToServer), Patience);

        QVERIFY(lead(desk, Kind::ReadResource));
        QTRY_VERIFY_WITH_TIMEOUT(isDone(desk, Kind::ReadResource), Patience);

        QVERIFY(!isDone(desk, Kind::LookAtMessage) && !isDone(desk, Kind::FilterTimeline));
        QVERIFY(lead(desk, Kind::LookAtMessage));
        QTRY_VERIFY(isDone(desk, Kind::LookAtMessage));
        QVERIFY(lead(desk, Kind::FilterTimeline));
        QVERIFY(!isDone(desk, Kind::FilterTimeline));
        desk.type(u"tool == add"_s);
        QTRY_VERIFY(isDone(desk, Kind::FilterTimeline));

        test::WhenDialog dialog([](QDialog *replay) {
            QTest::mouseClick(replay->findChild<QAbstractButton *>(u"replayOk"_s), Qt::LeftButton);
        });
        QVERIFY(lead(desk, Kind::ReplaySession));
        QVERIFY(dialog.hasRun());
        QTRY_VERIFY_WITH_TIMEOUT(isDone(desk, Kind::ReplaySession), Patience);
        QVERIFY(showsPage(desk));
        QCOMPARE(progress(desk), u"all 8 steps done"_s);

        // From the beginning: what was done before does not count again.
        QVERIFY(desk.click(u"restartWalk"_s));
        QCOMPARE(progress(desk), u"0 of 8 steps done"_s);
        QVERIFY(lead(desk, Kind::SeeToolError));
        QVERIFY(desk.call(u"▲ Tool error"_s));
        QTRY_COMPARE(walk(desk).doneCount(), 1);
        QVERIFY(isDone(desk, Kind::SeeToolError));
        QVERIFY(desk.close());
    }

    // Also before the server runs. Nothing is opened for somebody who has gone elsewhere meanwhile.
    void aStepLeadsThereOnceTheServerRuns()
    {
        test::RequestWindow desk;
        QTest::mouseClick(desk.window().welcome->findChild<QAbstractButton *>(u"seeRequest"_s), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(desk.test::TestWindow::panel(), Patience);
        QCOMPARE(desk.test::TestWindow::panel()->ref().key, u"ask-form"_s);
        desk.press(Qt::Key_W, Qt::ControlModifier);
        QVERIFY(showsPage(desk));
        desk.workspace().demo()->connection->close();
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().demo()->connection->state() == Connection::State::Disconnected,
                                 Patience);
        QVERIFY(lead(desk, Kind::CallTool));
        QTRY_VERIFY_WITH_TIMEOUT(desk.test::TestWindow::panel(), Patience);
        QCOMPARE(desk.test::TestWindow::panel()->ref().key, u"add"_s);
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestGuidedWalk)
#include "tst_guidedwalk.moc"
