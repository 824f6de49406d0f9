// What comes of a call, told apart in words: worked, tool error, protocol error, no response, finding.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/gui/testwindow.h"
#include "tests/support/testregistry.h"
#include "ui/result/resultview.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/table/timelinemodel.h"
#include "ui/timeline/table/timelinetext.h"

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Patience;
using sonde::test::TestWindow;

class TestOutcomes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void toldApart_data()
    {
        QTest::addColumn<QString>("tool");
        QTest::addColumn<QString>("badge");
        QTest::addColumn<QString>("banner");
        QTest::addColumn<QString>("text");
        QTest::newRow("worked") << u"every-content-kind"_s << u"✓ OK"_s << QString() << u"a second line."_s;
        QTest::newRow("tool error") << u"fail"_s << u"▲ Tool error"_s
                                    << u"The tool ran and reported a failure (isError: true)."_s
                                    << u"The disk is full."_s;
        QTest::newRow("protocol error") << u"protocol-error"_s << u"✕ -32603"_s << u"JSON-RPC error -32603"_s
                                        << u"on purpose"_s;
    }

    void toldApart()
    {
        QFETCH(QString, tool);
        QFETCH(QString, badge);
        QFETCH(QString, banner);
        QFETCH(QString, text);
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(tool));
        QVERIFY(desk.call(badge));
        QVERIFY2(banner.isEmpty() ? desk.bannerTitle().isEmpty() : desk.bannerTitle().startsWith(banner),
                 qPrintable(desk.bannerTitle()));
        QVERIFY2(desk.resultText().contains(text), qPrintable(desk.resultText()));
        QVERIFY2(desk.facts().contains(u"ms"_s), qPrintable(desk.facts()));
        QVERIFY(desk.close());
    }

    void aFindingStandsBesideTheResult()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"structured-wrong"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        auto *result = desk.panel()->findChild<ui::ResultView *>(u"result"_s);
        QVERIFY2(result->findings().size() >= 2, qPrintable(result->findings().join(u'\n')));
        const auto *badge = result->findChild<ui::Badge *>(u"structuredBadge"_s);
        QVERIFY(badge && badge->isVisible());
        QCOMPARE(badge->text(), u"◆ does not match outputSchema"_s);
        QVERIFY(desk.bannerTitle().isEmpty());
        QVERIFY2(desk.resultText().contains(u"warm"_s), qPrintable(desk.resultText()));
        // The timeline has it as well: at the call itself, and in words.
        const auto hasRow = [&desk](auto matches) {
            const auto *model = desk.timelineModel();
            for (int row = 0; row < model->rowCount(); ++row) {
                if (matches(model->index(row, 0)))
                    return true;
            }
            return false;
        };
        QTRY_VERIFY(hasRow([](const QModelIndex &index) {
            return index.data(ui::TimelineModel::TextRole).value<ui::RowText>().target == u"structured-wrong"_s &&
                   index.data(ui::TimelineModel::BadgeRole).toString() == u"✓ OK"_s &&
                   index.data(ui::TimelineModel::FindingRole).toBool();
        }));
        // The one beside it keeps its promise.
        QVERIFY(desk.open(u"structured-report"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        result = desk.panel()->findChild<ui::ResultView *>(u"result"_s);
        QVERIFY2(result->findings().isEmpty(), qPrintable(result->findings().join(u'\n')));
        QVERIFY(desk.close());
    }

    void whatIsMissingIsMarkedOnceItWasSent()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        const auto issue = [&desk](const QString &place) {
            const auto *label = desk.panel()->findChild<ui::TextLabel *>(u"issue:"_s + place);
            return label && label->isVisible() ? label->text() : QString();
        };
        QTRY_VERIFY_WITH_TIMEOUT(desk.panel()->findChild<QWidget *>(u"problems"_s)->isVisible(), Patience);
        QCOMPARE(issue(u"/a"_s) + issue(u"/b"_s), QString());  // not red before anybody has done anything
        QVERIFY(desk.chooseInServerMenu(0, u"Stop"_s));
        QTRY_VERIFY_WITH_TIMEOUT(desk.panel()->connection()->state() == Connection::State::Disconnected, Patience);
        QVERIFY(desk.click(u"callButton"_s));
        QTRY_VERIFY2(!issue(u"/a"_s).isEmpty() && !issue(u"/b"_s).isEmpty(), qPrintable(issue(u"/a"_s)));
        QVERIFY(desk.close());
    }

    void escapeCancels()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"slow"_s));
        QVERIFY(desk.enter(u"/seconds"_s, u"600"_s));
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(desk.panel()->isRunning());
        QCOMPARE(desk.badge(), u"… running"_s);
        QTRY_COMPARE(desk.countOf(u"tools/call"_s, Direction::ToServer), 1);
        desk.press(Qt::Key_Escape);
        QVERIFY(desk.endsWith(u"⊘ Cancelled"_s));
        QCOMPARE(desk.bannerTitle(), u"Cancelled by you."_s);
        QTRY_COMPARE(desk.countOf(u"notifications/cancelled"_s, Direction::ToServer), 1);
        // The tab goes on.
        QVERIFY(desk.enter(u"/seconds"_s, u"0"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY(desk.close());
    }

    void aRestartSaysThatItInterrupted()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"slow"_s));
        QVERIFY(desk.enter(u"/seconds"_s, u"600"_s));
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QTRY_COMPARE(desk.countOf(u"tools/call"_s, Direction::ToServer), 1);
        for (const auto &answer : {u"Keep running"_s, u"Restart"_s}) {
            QVERIFY(desk.panel()->isRunning());
            test::WhenDialog question([&answer](QDialog *shown) { QVERIFY(test::clickButton(shown, answer)); });
            desk.press(Qt::Key_F5);
            QVERIFY(question.hasRun());
        }
        QVERIFY(desk.endsWith(u"⊘ Cancelled"_s));
        QCOMPARE(desk.bannerTitle(), u"Interrupted: the server was restarted."_s);
        QVERIFY(desk.close());
    }

    void theCancelButtonDoesTheSame()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"progress"_s));
        QVERIFY(desk.enter(u"/steps"_s, u"1000"_s));
        QVERIFY(desk.enter(u"/intervalMs"_s, u"10"_s));
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        const auto *said = desk.panel()->findChild<QLabel *>(u"progressText"_s);
        QTRY_VERIFY2_WITH_TIMEOUT(said->text().contains(u"is done"_s), qPrintable(said->text()), Patience);
        QVERIFY(desk.click(u"cancel"_s));
        QVERIFY(desk.endsWith(u"⊘ Cancelled"_s));
        QVERIFY(desk.close());
    }

    void aServerThatDiesIsNoResponse_data()
    {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<QString>("words");
        QTest::newRow("signal") << u"--crash-on-call"_s << u"SIGABRT"_s;
        QTest::newRow("code") << u"--exit-on-call 3"_s << u"3"_s;
    }

    void aServerThatDiesIsNoResponse()
    {
        QFETCH(QString, arguments);
        QFETCH(QString, words);
        TestWindow desk;
        desk.servers().connectLine(test::demoProgram() + u' ' + arguments);
        QVERIFY(desk.isConnected(u"sonde-demo-server"_s));
        QTRY_VERIFY2(desk.offered().contains(u"echo"_s), "nothing is offered");
        QVERIFY(desk.open(u"fail"_s));
        QVERIFY(desk.call(u"⊘ Connection lost"_s));
        QCOMPARE(desk.bannerTitle(), u"No response: the connection was lost."_s);
        QTRY_VERIFY2(desk.serverDetail(u"sonde-demo-server"_s).contains(words),
                     qPrintable(desk.serverDetail(u"sonde-demo-server"_s)));
        // F5 brings it back, and the tab with it.
        desk.press(Qt::Key_F5);
        QVERIFY(desk.isConnected(u"sonde-demo-server"_s));
        QVERIFY(desk.close());
    }

    void brokenResponsesAreNoResponse()
    {
        TestWindow desk;
        desk.servers().connectLine(test::demoProgram() + u" --bad-json"_s);
        QVERIFY(desk.isConnected(u"sonde-demo-server"_s));
        QTRY_VERIFY2(desk.offered().contains(u"echo"_s), "nothing is offered");
        QVERIFY(desk.open(u"fail"_s));
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        // Half a message answers nothing: it is in the timeline, marked, and the call goes on until it is cancelled.
        const auto marked = [&desk] {
            for (qsizetype row = 0; row < desk.session()->size(); ++row) {
                if (desk.session()->at(row).direction == Direction::FromServer && desk.session()->at(row).hasProblems)
                    return true;
            }
            return false;
        };
        QTRY_VERIFY2(marked(), "the broken message is not marked in the session");
        if (desk.panel()->isRunning())
            desk.press(Qt::Key_Escape);
        QTRY_VERIFY2(!desk.panel()->isRunning(), "the call does not end");
        QVERIFY2(desk.badge().startsWith(u"⊘"_s), qPrintable(desk.badge()));
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestOutcomes)
#include "tst_outcomes.moc"
