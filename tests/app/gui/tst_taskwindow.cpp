// Tools that run as tasks, with real servers in the real window: in the tab, in the list, and after a restart of Sonde.
// SPDX-License-Identifier: Apache-2.0
#include "core/connection/taskstore.h"
#include "core/protocol/methods.h"
#include "core/transport/process/commandline.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"
#include "ui/panels/serverpanel.h"
#include "ui/panels/tasklistmodel.h"
#include "ui/panels/taskspanel.h"
#include "ui/result/resultview.h"
#include "ui/theme/widgets.h"

#include <QCheckBox>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QTabBar>
#include <QTabWidget>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::demoProgram;
using sonde::test::Patience;
using sonde::test::TestWindow;

namespace {

QString serverOf2025()
{
    return joinCommandLine({demoProgram(), u"--revision"_s, u"2025-11-25"_s});
}

class TaskWindow : public TestWindow {
public:
    // The tool's tab, with that argument.
    ui::CallPanel *openTool(const QString &seconds)
    {
        ui::CallPanel *panel = open(u"run-as-task"_s);
        return panel && enter(u"/seconds"_s, seconds) ? panel : nullptr;
    }
    // The last request of this kind, as it was sent.
    QByteArray lastSent(QStringView method)
    {
        session()->flush();
        for (qsizetype row = session()->size() - 1; row >= 0; --row) {
            const RecordInfo &record = session()->at(row);
            if (record.kind == WireEvent::Kind::Message && record.direction == Direction::ToServer &&
                session()->name(record.method) == method)
                return session()->bytes(row);
        }
        return {};
    }
    QString shownText(QWidget *in, const QString &name)
    {
        for (const auto *label : in->findChildren<QLabel *>(name)) {
            if (label->isVisible())
                return label->text();
        }
        return {};
    }
    QString status(QWidget *in)
    {
        for (const auto *badge : in->findChildren<ui::Badge *>(u"taskStatus"_s)) {
            if (badge->isVisible())
                return badge->text();
        }
        return {};
    }
    // From the server's own tab.
    ui::TasksPanel *openTasks()
    {
        QTabWidget *tabs = window().tabs;
        for (int i = 0; i < tabs->count(); ++i) {
            if (qobject_cast<ui::ServerPanel *>(tabs->widget(i)))
                QTest::mouseClick(tabs->tabBar(), Qt::LeftButton, {}, tabs->tabBar()->tabRect(i).center());
        }
        return click(u"showTasks"_s) ? qobject_cast<ui::TasksPanel *>(tabs->currentWidget()) : nullptr;
    }
};

}  // namespace

class TestTaskWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void aToolRunsAsATaskInItsTab()
    {
        TaskWindow desk;
        QVERIFY(!desk.add(serverOf2025()).isEmpty());
        ui::CallPanel *other = desk.open(u"echo"_s);
        QVERIFY(other && !other->findChild<QCheckBox *>(u"runAsTask"_s)->isVisible());  // which cannot
        ui::CallPanel *panel = desk.openTool(u"0.5"_s);
        QVERIFY(panel);
        auto *asTask = panel->findChild<QCheckBox *>(u"runAsTask"_s);
        QVERIFY(asTask->isVisible() && asTask->isEnabled() && !asTask->isChecked());
        QVERIFY(desk.call(u"✓ OK"_s));
        QCOMPARE(desk.countOf(u"tasks/get"_s, Direction::ToServer), 0);

        auto *ttl = panel->findChild<QLineEdit *>(u"taskTtl"_s);
        QVERIFY(!ttl->isVisible());
        QVERIFY(desk.click(u"runAsTask"_s));
        QVERIFY(ttl->isVisible());
        ttl->setFocus();
        desk.type(u"9x0.5"_s);
        QCOMPARE(ttl->text(), u"90.5"_s);
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY(panel->isTaskRunning());
        QCOMPARE(json::parse(desk.lastSent(methods::CallTool))[u"params"][u"task"].bytes(), "{\"ttl\":90500}"_ba);
        QTRY_VERIFY2(desk.status(panel).contains(u"working"_s), qPrintable(desk.status(panel)));
        QVERIFY(desk.shownText(panel, u"taskTimes"_s).contains(u"since"_s));
        QVERIFY(desk.shownText(panel, u"taskTimes"_s).contains(u"kept until"_s));
        QVERIFY(!desk.shownText(panel, u"taskNext"_s).isEmpty());
        QVERIFY(desk.endsWith(u"✓ OK"_s));
        QVERIFY2(desk.resultText().contains(u"0.5 seconds"_s), qPrintable(desk.resultText()));
        QVERIFY(desk.countOf(u"tasks/get"_s, Direction::ToServer) > 0);
        QCOMPARE(desk.countOf(u"tasks/result"_s, Direction::ToServer), 1);

        // Nothing entered: the server decides.
        QVERIFY(desk.enter(u"/seconds"_s, u"60"_s));
        ttl->setFocus();
        desk.press(Qt::Key_A, Qt::ControlModifier);
        desk.press(Qt::Key_Delete);
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY(panel->isTaskRunning());
        QCOMPARE(json::parse(desk.lastSent(methods::CallTool))[u"params"][u"task"].bytes(), "{}"_ba);

        // It would go on without the window: nothing is cancelled with its server.
        QString asked;
        test::WhenDialog removal([&asked](QDialog *shown) {
            for (const QLabel *label : shown->findChildren<QLabel *>())
                asked += label->text();
            shown->reject();
        });
        QVERIFY(desk.chooseInServerMenu(desk.serverRow(desk.workspace().current()->spec.name), u"Remove"_s));
        QVERIFY(removal.hasRun());
        QVERIFY2(asked.contains(u"from the list"_s) && !asked.contains(u"cancelled"_s), qPrintable(asked));

        // The lines can break within the ID, which is copied as it is.
        auto *times = panel->findChild<QLabel *>(u"taskTimes"_s);
        const QString id = panel->task();
        QTRY_COMPARE(times->text().contains(id.left(id.indexOf(u'-') + 1) + u'\u200b'), true);
        QContextMenuEvent menuEvent(QContextMenuEvent::Mouse, {}, times->mapToGlobal(QPoint()));
        QCoreApplication::sendEvent(times, &menuEvent);
        auto *menu = times->findChild<QMenu *>(u"taskTimesMenu"_s);
        menu->actions().constFirst()->trigger();
        menu->close();
        QVERIFY2(QGuiApplication::clipboard()->text().contains(id), qPrintable(QGuiApplication::clipboard()->text()));
        QVERIFY(desk.close());
    }

    void aToolThatRequiresItHasNoChoice()
    {
        TaskWindow desk;
        const QString line =
            joinCommandLine({sonde::test::builtProgram(u"conformance-server"_s), u"--revision"_s, u"2025-11-25"_s});
        desk.servers().connectLine(line);
        QTRY_VERIFY(desk.offered().contains(u"failing_job"_s) && desk.isListed());
        ui::CallPanel *panel = desk.open(u"failing_job"_s);
        QVERIFY(panel);
        auto *asTask = panel->findChild<QCheckBox *>(u"runAsTask"_s);
        QVERIFY(asTask->isVisible() && asTask->isChecked() && !asTask->isEnabled());
        QVERIFY(desk.call(u"▲ Tool error"_s));
        QCOMPARE(desk.countOf(u"tasks/result"_s, Direction::ToServer), 1);
        QVERIFY(desk.close());
    }

    void cancelInTheTabCancelsTheTask()
    {
        TaskWindow desk;
        QVERIFY(!desk.add(serverOf2025()).isEmpty());
        ui::CallPanel *panel = desk.openTool(u"600"_s);
        QVERIFY(panel && desk.click(u"runAsTask"_s));
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY(panel->isTaskRunning());
        QVERIFY(desk.click(u"cancel"_s));
        QTRY_VERIFY(!panel->isRunning());
        QCOMPARE(desk.countOf(u"tasks/cancel"_s, Direction::ToServer), 1);
        QCOMPARE(desk.countOf(u"notifications/cancelled"_s, Direction::ToServer), 0);
        ui::TasksPanel *tasks = desk.openTasks();
        QVERIFY(tasks);
        auto *list = tasks->findChild<ui::TaskListView *>();
        QTRY_COMPARE(list->model()->rowCount(), 1);
        QTRY_VERIFY(static_cast<ui::TaskListModel *>(list->model())->at(0).status == TaskState::Status::Cancelled);
        QVERIFY(desk.close());
    }

    // A tab can be closed: the task is in the list, where its result appears.
    void theListShowsResults()
    {
        TaskWindow desk;
        QVERIFY(!desk.add(serverOf2025()).isEmpty());
        ui::CallPanel *panel = desk.openTool(u"1.5"_s);
        QVERIFY(panel && desk.click(u"runAsTask"_s));
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY(panel->isTaskRunning());
        desk.press(Qt::Key_W, Qt::ControlModifier);
        QCOMPARE(desk.countOf(u"tasks/cancel"_s, Direction::ToServer), 0);

        ui::TasksPanel *tasks = desk.openTasks();
        QVERIFY(tasks);
        auto *list = tasks->findChild<ui::TaskListView *>();
        QTRY_COMPARE(list->model()->rowCount(), 1);
        QTRY_VERIFY(list->height() < 3 * ui::rowHeight());  // its result gets the rest
        QVERIFY(sonde::test::clickRow(list, list->model()->index(0, 0)));
        QVERIFY2(desk.status(tasks).contains(u"working"_s), qPrintable(desk.status(tasks)));
        auto *result = tasks->findChild<ui::ResultView *>(u"result"_s);
        QTRY_COMPARE(result->outcome().kind, Outcome::Kind::Ok);
        QVERIFY(result->outcome().result()[u"content"].isArray());
        QVERIFY(desk.shownText(tasks, u"taskFacts"_s).contains(u"since"_s));
        QCOMPARE(desk.openTasks(), tasks);  // the same tab again
        QCOMPARE(desk.window().findChildren<ui::TasksPanel *>().size(), 1);
        QVERIFY(desk.close());
    }

    void aRestartOfSondeLosesNoTask()
    {
        QProcess server;
        server.start(demoProgram(), {u"--http"_s});
        QString address;
        QTRY_VERIFY([&] {
            static const QRegularExpression pattern(u"http://[^\\s]+"_s);
            const QString said = QString::fromUtf8(server.readAllStandardError() + server.readAllStandardOutput());
            if (const auto match = pattern.match(said); match.hasMatch())
                address = match.captured();
            return !address.isEmpty();
        }());
        ServerSpec spec = *ServerSpec::fromLine(address);
        spec.name = u"far"_s;
        spec.revision = Revision::R20260728;
        {
            TaskWindow desk;
            desk.restoreLast();
            QVERIFY(desk.workspace().add(spec));
            desk.workspace().start(*desk.workspace().serverNamed(u"far"_s));
            QVERIFY(desk.isConnected(u"far"_s));
            QTRY_VERIFY(desk.offered().contains(u"run-as-task"_s) && desk.isListed());
            ui::CallPanel *panel = desk.openTool(u"2"_s);
            QVERIFY(panel);
            QVERIFY(!panel->findChild<QCheckBox *>(u"runAsTask"_s)->isVisible());  // the server decides
            desk.press(Qt::Key_Return, Qt::ControlModifier);
            QTRY_VERIFY(panel->isTaskRunning());
            QVERIFY(desk.close());
        }
        QCOMPARE(Profile::ofUser().tasks->tasksOf(spec).size(), 1);
        TaskWindow desk;
        desk.restoreLast();
        QVERIFY(!desk.workspace().serverNamed(u"far"_s)->connection);
        QVERIFY(desk.click(u"reconnect"_s));
        QVERIFY(desk.isConnected(u"far"_s));
        // In the tab that has started it.
        QTRY_VERIFY_WITH_TIMEOUT(desk.panel() && desk.panel()->ref().key == u"run-as-task"_s, Patience);
        QTRY_COMPARE(desk.panel()->result()->outcome().kind, Outcome::Kind::Ok);
        ui::TasksPanel *tasks = desk.openTasks();
        QVERIFY(tasks);
        auto *list = tasks->findChild<ui::TaskListView *>();
        QCOMPARE(list->model()->rowCount(), 1);
        QCOMPARE(list->model()->index(0, 0).data().toString(), u"run-as-task"_s);
        QVERIFY(sonde::test::clickRow(list, list->model()->index(0, 0)));
        auto *result = tasks->findChild<ui::ResultView *>(u"result"_s);
        QTRY_COMPARE(result->outcome().kind, Outcome::Kind::Ok);
        QVERIFY(desk.close());
        server.kill();
        server.waitForFinished();
    }
};

SONDE_TEST(TestTaskWindow)
#include "tst_taskwindow.moc"
