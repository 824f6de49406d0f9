// The timeline in each of its views, while the lines of the list are clicked in every order.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/gui/testwindow.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"
#include "ui/panels/serverlist.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/table/timelinemodel.h"

#include <QAbstractItemView>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Patience;
using sonde::test::TestWindow;

class TestViewsAndServers : public QObject {
    Q_OBJECT

    static bool chooseView(const TestWindow &desk, int view)
    {
        const auto *views = desk.find<ui::SegmentedControl>(u"timelineViews"_s);
        QTest::mouseClick(views->button(view), Qt::LeftButton);
        return views->current() == view;
    }

    static bool clickLine(TestWindow &desk, int row)
    {
        return test::clickRow(desk.window().serverList, desk.window().servers->index(row));
    }

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    // A view asks its model even then.
    void copyingWithoutACurrentRow()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QTest::failOnWarning(QRegularExpression(u"index|Index"_s));
        const auto views = desk.window().findChildren<QAbstractItemView *>();
        QVERIFY(views.size() > 5);
        for (QAbstractItemView *view : views) {
            view->setCurrentIndex({});
            QTest::keyClick(view, Qt::Key_C, Qt::ControlModifier);
        }
        QVERIFY(desk.close());
    }

    void anyLineAfterAnyOther()
    {
        QString recording;
        {
            TestWindow desk;
            QVERIFY(desk.openDemo());
            recording = desk.session()->path();
            QVERIFY(desk.close());
        }
        QDir().mkpath(QFileInfo(TestWindow::configPath({})).path());
        test::writeFile(TestWindow::configPath(u"servers.json"_s),
                        R"({"mcpServers": {"never": {"command": "no-such"}}})");
        TestWindow desk;
        QVERIFY(desk.openDemo());
        desk.workspace().openSessionFile(recording);
        const int demo = desk.serverRow(app::Workspace::demoSpec().name);
        const int never = desk.serverRow(u"never"_s);
        const int opened = desk.window().servers->rowCount() - 1;
        QVERIFY(demo >= 0 && never >= 0 && demo != opened && never != opened);
        const QList<int> lines{demo, never, opened};
        for (int view = 0; view < 4; ++view) {
            QVERIFY(chooseView(desk, view));
            for (int triple = 0; triple < 27; ++triple) {
                for (const int line : {triple / 9, triple / 3 % 3, triple % 3}) {
                    QVERIFY(clickLine(desk, lines[line]));
                    QCOMPARE(desk.session() == nullptr, lines[line] == never);
                    // Whether the demo server writes to stderr does not matter here.
                    QTRY_VERIFY(view == 2 || (desk.timelineModel()->rowCount() == 0) == (lines[line] == never));
                }
            }
        }
        QVERIFY(desk.close());
    }

    void aLineIsRemovedInEveryView()
    {
        for (int view = 0; view < 4; ++view) {
            TestWindow::clear();
            TestWindow desk;
            QVERIFY(desk.openDemo());
            const QString gone = desk.add(test::demoProgram());
            QVERIFY(!gone.isEmpty());
            QVERIFY(chooseView(desk, view));
            test::WhenDialog dialog([](QDialog *shown) { test::clickButton(shown, u"Remove"_s); });
            QVERIFY(desk.chooseInServerMenu(desk.serverRow(gone), u"Remove"_s));
            QVERIFY(dialog.hasRun());
            QCOMPARE(desk.serverRow(gone), -1);
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            QVERIFY(desk.clickServer(app::Workspace::demoSpec().name));
            QVERIFY(desk.session());
            QTRY_VERIFY(view == 2 || desk.timelineModel()->rowCount() > 0);
            QVERIFY(desk.close());
        }
    }
};

SONDE_TEST(TestViewsAndServers)
#include "tst_viewsandservers.moc"
