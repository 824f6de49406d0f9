// On small screens, at each scale and with large fonts, the window and its dialogs stay within the screen.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/actions.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/testregistry.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLayout>
#include <QProcess>
#include <QScreen>
#include <QScrollArea>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::app::Actions;
using sonde::test::Patience;
using sonde::test::TestWindow;

namespace {

// Set in the process that measures.
constexpr char FontVariable[] = "SONDE_TEST_FONT";  // in points
constexpr char ScreenVariable[] = "SONDE_TEST_SCREEN";

// A screen of this size in the pixels of the device, for the offscreen platform.
QString screenFile(const QTemporaryDir &folder, const QSize &size)
{
    const QJsonObject screen{{u"name"_s, u"small"_s},
                             {u"x"_s, 0},
                             {u"y"_s, 0},
                             {u"width"_s, size.width()},
                             {u"height"_s, size.height()},
                             {u"logicalDpi"_s, 96},
                             {u"logicalBaseDpi"_s, 96},
                             {u"dpr"_s, 1}};
    QFile file(folder.filePath(u"screen.json"_s));
    if (file.open(QIODevice::WriteOnly))
        file.write(QJsonDocument(QJsonObject{{u"screens"_s, QJsonArray{screen}}}).toJson());
    return file.fileName();
}

QString textOf(const QSize &size)
{
    return u"%1x%2"_s.arg(size.width()).arg(size.height());
}

}  // namespace

class TestSmallScreens : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void allFits_data()
    {
        QTest::addColumn<QSize>("screen");
        QTest::addColumn<double>("scale");
        QTest::addColumn<int>("font");
        QTest::newRow("small") << QSize(800, 560) << 1.0 << 10;
        QTest::newRow("scale 1.5") << QSize(1440, 900) << 1.5 << 10;
        QTest::newRow("scale 2") << QSize(1440, 900) << 2.0 << 10;
        QTest::newRow("scale 3") << QSize(3840, 2160) << 3.0 << 10;
        QTest::newRow("large font") << QSize(1440, 900) << 1.0 << 20;
    }

    // The scale can be chosen only before a program starts.
    void allFits()
    {
        QFETCH(QSize, screen);
        QFETCH(double, scale);
        QFETCH(int, font);
        const QTemporaryDir folder;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"QT_SCALE_FACTOR"_s, QString::number(scale));
        environment.insert(QString::fromLatin1(FontVariable), QString::number(font));
        environment.insert(QString::fromLatin1(ScreenVariable), textOf(screen / scale));
        environment.insert(u"XDG_CONFIG_HOME"_s, folder.filePath(u"config"_s));
        environment.insert(u"XDG_DATA_HOME"_s, folder.filePath(u"data"_s));
        environment.insert(u"QT_QPA_PLATFORM"_s, u"offscreen:configfile="_s + screenFile(folder, screen));
        QProcess process;
        process.setProcessEnvironment(environment);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(QCoreApplication::applicationFilePath(), {u"tst_smallscreens"_s, u"measure"_s});
        QVERIFY(process.waitForFinished(3 * Patience));
        const QByteArray output = process.readAll();
        QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0, output.constData());
    }

    void measure()
    {
        if (!qEnvironmentVariableIsSet(FontVariable))
            QSKIP("runs in a process of its own");
        TestWindow desk;
        QCOMPARE(textOf(desk.window().screen()->size()), qEnvironmentVariable(ScreenVariable));
        desk.theme().setFontSize(qEnvironmentVariableIntValue(FontVariable));
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"every-field-kind"_s));
        QCoreApplication::processEvents();
        const QSize room = desk.window().screen()->availableSize();
        const QSize size = desk.window().size();
        QVERIFY2(room.expandedTo(size) == room,
                 qPrintable(u"window %1 on a screen of %2"_s.arg(textOf(size), textOf(room))));
        const QSize least = desk.window().centralWidget()->minimumSizeHint();
        QVERIFY2(size.expandedTo(least) == size,
                 qPrintable(u"the window needs %1 and has %2"_s.arg(textOf(least), textOf(size))));
        const Actions &actions = *desk.window().actions;
        for (QAction *action :
             {actions.addServer, actions.importServers, actions.exportServers, actions.openSession, actions.preferences,
              actions.shortcuts, actions.replay, actions.compare, actions.exportSession, actions.about, actions.goTo}) {
            const QString name = action->objectName();
            test::WhenDialog dialog([&](QDialog *shown) {
                QCoreApplication::processEvents();
                const QString told = u"%1: %2 on a screen of %3"_s.arg(name, textOf(shown->size()), textOf(room));
                QVERIFY2(room.expandedTo(shown->size()) == room, qPrintable(told));
                const QSize needed = shown->layout()->totalMinimumSize();
                QVERIFY2(shown->size().expandedTo(needed) == shown->size(),
                         qPrintable(told + u", needs "_s + textOf(needed)));
                for (const auto *buttons : shown->findChildren<QDialogButtonBox *>()) {
                    const bool isSeen = buttons->visibleRegion().boundingRect() == buttons->rect();
                    QVERIFY2(isSeen || !buttons->isVisible(), qPrintable(told + u": buttons out of sight"_s));
                }
                shown->reject();
            });
            if (!action->isEnabled())
                continue;
            action->trigger();
            QTRY_VERIFY2(dialog.hasRun() && !QApplication::activeModalWidget(), qPrintable(name));
        }
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestSmallScreens)
#include "tst_smallscreens.moc"
