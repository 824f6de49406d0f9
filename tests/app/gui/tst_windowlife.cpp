// Light and dark, sizes, sockets, the end.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/endprogram.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"
#include "ui/replay/ignorerulesdialog.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/filter/filtermenu.h"
#include "ui/timeline/timelinepanel.h"

#include <unistd.h>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QProcess>
#include <QScreen>
#include <QSettings>
#include <QSplitter>
#include <QTableWidget>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Patience;
using sonde::test::TestWindow;

namespace {

// Inodes of the sockets that this process holds.
QSet<QByteArray> ownSockets()
{
    QSet<QByteArray> inodes;
    const QDir folder(u"/proc/self/fd"_s);
    for (const QString &entry : folder.entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot)) {
        char target[256];
        const ssize_t length =
            ::readlink(QFile::encodeName(folder.filePath(entry)).constData(), target, sizeof(target));
        const QByteArray name(target, qMax<ssize_t>(length, 0));
        if (name.startsWith("socket:["))
            inodes.insert(name.mid(8).chopped(1));
    }
    return inodes;
}

// Sockets of ours that wait for somebody to connect, or take datagrams: lines of /proc/net.
QStringList listening()
{
    const QSet<QByteArray> own = ownSockets();
    QStringList found;
    for (const char *table : {"tcp", "tcp6", "udp", "udp6"}) {
        QFile file(u"/proc/self/net/"_s + QLatin1StringView(table));
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const bool isTcp = table[0] == 't';
        const QList<QByteArray> lines = file.readAll().split('\n');
        for (const QByteArray &line : lines.mid(1)) {
            const QList<QByteArray> words = line.simplified().split(' ');
            if (words.size() > 9 && own.contains(words[9]) && (!isTcp || words[3] == "0A"))
                found << QLatin1StringView(table) + u' ' + QString::fromLatin1(words[1]);
        }
    }
    return found;
}

// Processes whose parent we are, and that are not over.
QStringList childProcesses()
{
    QFile file(u"/proc/self/task/%1/children"_s.arg(::getpid()));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QStringList names;
    for (const QByteArray &pid : file.readAll().simplified().split(' ')) {
        QFile status(u"/proc/%1/comm"_s.arg(QString::fromLatin1(pid)));
        if (!pid.isEmpty() && status.open(QIODevice::ReadOnly))
            names << QString::fromUtf8(status.readAll().trimmed());
    }
    return names;
}

QString placeOf(const QWidget *widget)
{
    return QString::fromLatin1(widget->metaObject()->className()) + u' ' + widget->objectName();
}

// What lies over its neighbour in the same layout, or is cut off by what holds it.
QStringList overlapping(QWidget *window)
{
    QStringList found;
    for (QWidget *parent : window->findChildren<QWidget *>()) {
        if (!parent->layout() || !parent->isVisible() || parent->inherits("QStackedWidget") || parent->isWindow())
            continue;
        QList<QWidget *> shown;
        for (QObject *child : parent->children()) {
            auto *widget = qobject_cast<QWidget *>(child);
            if (widget && widget->isVisible() && !widget->isWindow() && !widget->size().isEmpty())
                shown << widget;
        }
        for (qsizetype i = 0; i < shown.size(); ++i) {
            if (!parent->rect().contains(shown[i]->geometry()))
                found << placeOf(shown[i]) + u" is cut off by "_s + placeOf(parent);
            for (qsizetype j = 0; j < i; ++j) {
                if (shown[i]->geometry().intersects(shown[j]->geometry()))
                    found << placeOf(shown[i]) + u" lies over "_s + placeOf(shown[j]) + u" in "_s + placeOf(parent);
            }
        }
    }
    return found;
}

QColor backgroundOf(QWidget &window)
{
    return window.grab(QRect(window.width() / 2, 4, 1, 1)).toImage().pixelColor(0, 0);
}

}  // namespace

class TestWindowLife : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void themeByMenuIsRemembered()
    {
        {
            TestWindow desk;
            for (const auto &[entry, dark] :
                 {std::pair(u"Dark"_s, true), std::pair(u"Light"_s, false), std::pair(u"Dark"_s, true)}) {
                test::WhenMenu menu([entry = entry](QMenu *shown) { test::chooseInMenu(shown, entry); });
                QTest::mouseClick(desk.window().theme, Qt::LeftButton);
                QVERIFY(menu.hasRun());
                QCOMPARE(ui::isDark(), dark);
                QTRY_COMPARE(backgroundOf(desk.window()).lightness() < 128, dark);
                // In the file, rather than in this process only.
                QVERIFY(test::readFile(TestWindow::configPath(u"window.ini"_s))
                            .contains(dark ? "theme=dark" : "theme=light"));
            }
            QVERIFY(desk.close());
        }
        {
            TestWindow desk;
            QCOMPARE(desk.theme().mode(), ui::ThemeController::Mode::Dark);
            QVERIFY(ui::isDark());
            desk.theme().setMode(ui::ThemeController::Mode::Light);
            QVERIFY(desk.close());
        }
        const QFileInfo file(TestWindow::configPath(u"window.ini"_s));
        QVERIFY(file.exists());
        QCOMPARE(file.permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
    }

    void sizesAreRemembered()
    {
        QList<int> horizontal;
        QList<int> vertical;
        QList<int> timeline;
        {
            TestWindow desk;
            desk.window().resize(1111, 777);
            QVERIFY(desk.openDemo());
            auto *side = desk.find<QSplitter>(u"horizontalSplitter"_s);
            auto *rows = desk.find<QSplitter>(u"verticalSplitter"_s);
            auto *details = desk.find<QSplitter>(u"timelineSplitter"_s);
            QTRY_COMPARE(desk.window().width(), 1111);
            side->setSizes({333, side->width() - 333});
            QTest::mousePress(rows->handle(1), Qt::LeftButton);
            QTest::mouseMove(rows->handle(1), QPoint(0, 300 - rows->sizes().constFirst()));
            QTest::mouseRelease(rows->handle(1), Qt::LeftButton);
            details->setSizes({400, details->width() - 400});
            QCoreApplication::processEvents();
            horizontal = side->sizes();
            vertical = rows->sizes();
            QVERIFY(vertical.constFirst() < vertical.constLast());
            timeline = details->sizes();
            QVERIFY(desk.close());
        }
        TestWindow desk;
        QVERIFY(desk.openDemo());
        const QSize room = desk.window().screen()->availableSize();
        if (desk.window().width() < 1111 && room.width() < 1111)
            QSKIP("Newer versions of Qt keep a window within its screen, which is too small here.");
        QTRY_COMPARE(desk.window().size(), QSize(1111, 777));
        QTRY_COMPARE(desk.find<QSplitter>(u"horizontalSplitter"_s)->sizes(), horizontal);
        QTRY_COMPARE(desk.find<QSplitter>(u"verticalSplitter"_s)->sizes(), vertical);
        QTRY_COMPARE(desk.find<QSplitter>(u"timelineSplitter"_s)->sizes(), timeline);
        QVERIFY(desk.close());
    }

    void theFirstWindowFitsTheScreen()
    {
        const QMargins frame(4, 40, 4, 4);
        QCOMPARE(app::MainWindow::firstSize({1440, 900}, frame), QSize(1432, 856));
        QCOMPARE(app::MainWindow::firstSize({1366, 740}, frame), QSize(1358, 696));
        QCOMPARE(app::MainWindow::firstSize({3840, 2160}, frame), QSize(1440, 900));
    }

    void nothingOverlapsInTheSmallestWindow()
    {
        TestWindow desk;
        desk.window().resize(desk.window().minimumSize());
        // One look decides each time: a window that is still being laid out may be right at one look and not at the
        // next.
        QString overlaps;
        const auto settles = [&desk, &overlaps] {
            return QTest::qWaitFor(
                [&] {
                    QCoreApplication::processEvents();
                    overlaps = overlapping(&desk.window()).join(u'\n');
                    return overlaps.isEmpty();
                },
                Patience);
        };
        QVERIFY2(settles(), qPrintable(overlaps));
        QVERIFY(desk.openDemo());
        QCOMPARE(desk.window().size(), desk.window().minimumSize());
        QVERIFY2(settles(), qPrintable(overlaps));
        for (const QString &tool : {u"every-field-kind"_s, u"every-content-kind"_s, u"fail"_s, u"structured-wrong"_s}) {
            QVERIFY(desk.open(tool));
            QVERIFY2(settles(), qPrintable(tool + u'\n' + overlaps));
            for (int call = 0; call < 2; ++call) {  // the second one shows the list of previous calls
                desk.press(Qt::Key_Return, Qt::ControlModifier);
                QTRY_VERIFY_WITH_TIMEOUT(!desk.panel()->isRunning(), Patience);
            }
            QVERIFY2(settles(), qPrintable(tool + u'\n' + overlaps));
        }
        QVERIFY(desk.open(u"weather"_s));
        QVERIFY2(settles(), qPrintable(overlaps));
        desk.servers().connectLine(u"no-such-program-here"_s);
        QTRY_COMPARE(desk.serverDetail(u"no-such-program-here"_s), u"command not found"_s);
        QVERIFY2(settles(), qPrintable(overlaps));
        QCOMPARE(desk.window().size(), desk.window().minimumSize());
        QVERIFY(desk.close());
    }

    void savedFiltersNeedNoOrderlyEnd()
    {
        TestWindow desk;
        auto *filter = desk.find<QLineEdit>(u"timelineFilter"_s);
        filter->setText(u"tool == kept"_s);
        test::WhenMenu menu([](QMenu *shown) { test::chooseInMenu(shown, u"Save filter"_s); });
        QTest::mouseClick(desk.find<QToolButton>(u"timelineFilterMenu"_s), Qt::LeftButton);
        QVERIFY(menu.hasRun());
        // What stands in the file, rather than in this process.
        const QTemporaryDir folder;
        QVERIFY(QFile::copy(TestWindow::configPath(u"window.ini"_s), folder.filePath(u"copy.ini"_s)));
        const QSettings written(folder.filePath(u"copy.ini"_s), QSettings::IniFormat);
        ui::TimelinePanel panel;
        panel.restoreState(written.value(u"window/timeline"_s).toByteArray());
        QCOMPARE(panel.findChild<ui::FilterMenu *>()->saved(), QStringList{u"tool == kept"_s});
        const QFileInfo file(TestWindow::configPath(u"window.ini"_s));
        QCOMPARE(file.permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
        QVERIFY(desk.close());
    }

    void statisticsComeByKeyAndByName()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        const auto isShown = [&desk] {
            const auto *shown = desk.window().findChild<QDialog *>(u"callStatistics"_s);
            return shown && shown->isVisible();
        };
        desk.press(Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(isShown());
        desk.window().findChild<QDialog *>(u"callStatistics"_s)->close();
        desk.window().activateWindow();
        test::WhenDialog palette([](QDialog *shown) {
            auto *line = shown->findChild<QLineEdit *>(u"gotoLine"_s);
            QTest::keyClicks(line, u"statistics"_s);
            QTest::keyClick(line, Qt::Key_Return);
        });
        desk.press(Qt::Key_K, Qt::ControlModifier);
        QTRY_VERIFY(palette.hasRun());
        QTRY_VERIFY(isShown());
        QVERIFY(desk.close());
    }

    void s1_nobodyCanConnectToUs()
    {
        QProcess server;
        server.setProgram(test::demoProgram());
        server.setArguments({u"--http"_s});
        server.start();
        QVERIFY(server.waitForStarted());
        QString address;
        QTRY_VERIFY2_WITH_TIMEOUT(
            [&] {
                address += QString::fromUtf8(server.readAllStandardError());
                return address.contains(u"/mcp"_s);
            }(),
            qPrintable(server.errorString()), Patience);
        address = address.mid(address.indexOf(u"http://"_s));
        address = address.left(address.indexOf(u"/mcp"_s) + 4);

        TestWindow desk;
        QCOMPARE(listening(), QStringList());
        QVERIFY(!desk.add(address).isEmpty());
        QVERIFY2(!ownSockets().isEmpty(), "the connection itself is not seen: this test looks in the wrong place");
        QCOMPARE(listening(), QStringList());
        QVERIFY(desk.open(u"fail"_s));
        QVERIFY(desk.call(u"▲ Tool error"_s));
        QCOMPARE(listening(), QStringList());
        QVERIFY(desk.close());
        server.terminate();
        QVERIFY(server.waitForFinished());
    }

    void theEndIsOrderlyWithACallOpen_data()
    {
        QTest::addColumn<QString>("switches");
        QTest::newRow("ordinary") << QString();
        QTest::newRow("stubborn") << u" --ignore-sigterm"_s;
    }

    void theEndIsOrderlyWithACallOpen()
    {
        QFETCH(QString, switches);
        QString path;
        {
            TestWindow desk;
            desk.servers().connectLine(test::demoProgram() + switches);
            QVERIFY(desk.isConnected(u"sonde-demo-server"_s));
            QTRY_VERIFY2(desk.offered().contains(u"echo"_s), "nothing is offered");
            QVERIFY(desk.open(u"slow"_s));
            QVERIFY(desk.enter(u"/seconds"_s, u"600"_s));
            desk.press(Qt::Key_Return, Qt::ControlModifier);
            QTRY_COMPARE(desk.countOf(u"tools/call"_s, Direction::ToServer), 1);
            path = desk.session()->path();
            QVERIFY(!childProcesses().isEmpty());
            QElapsedTimer clock;
            clock.start();
            QVERIFY(desk.close());
            QVERIFY(!desk.window().isVisible());
            qInfo("closed after %lld ms", clock.elapsed());
        }
        QTRY_VERIFY2_WITH_TIMEOUT(childProcesses().isEmpty(), qPrintable(childProcesses().join(u' ')), Patience);
        const Result<std::unique_ptr<Session>> session = Session::open(path);
        QVERIFY(session);
        const Session &recorded = **session;
        QCOMPARE(recorded.at(recorded.size() - 1).kind, WireEvent::Kind::End);
        QVERIFY(recorded.damage().isEmpty());
        bool hasCall = false;
        for (qsizetype row = 0; row < recorded.size(); ++row) {
            if (recorded.name(recorded.at(row).method) != "tools/call"_L1)
                continue;
            hasCall = true;
            QCOMPARE(recorded.at(row).outcome, RowOutcome::NoResponse);
        }
        QVERIFY(hasCall);
    }

    void closingWhileItStartsLeavesNothing()
    {
        {
            TestWindow desk;
            desk.servers().connectLine(test::demoProgram() + u" --slow-start 60000"_s);
            QTRY_VERIFY(!childProcesses().isEmpty());
            QVERIFY(desk.close());
        }
        QTRY_VERIFY2_WITH_TIMEOUT(childProcesses().isEmpty(), qPrintable(childProcesses().join(u' ')), Patience);
    }

    // Such as when the system stops the program while a rule is half written.
    void theEndAsksNothing()
    {
        ui::IgnoreRulesDialog dialog({}, u"/x"_s);
        dialog.show();
        dialog.addDraft({});
        auto *table = dialog.findChild<QTableWidget *>(u"ruleTable"_s);
        table->item(0, 2)->setText(u"no pointer"_s);
        QTimer::singleShot(0, &dialog, &app::endProgram);
        QCoreApplication::exec();
        QVERIFY(!dialog.isVisible());
        QVERIFY(!dialog.findChild<QMessageBox *>(u"ruleQuestion"_s));
    }
};

SONDE_TEST(TestWindowLife)
#include "tst_windowlife.moc"
