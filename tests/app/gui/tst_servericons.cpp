// Icons of a server in the list of what it offers, in tabs and on its page.
// SPDX-License-Identifier: Apache-2.0
#include "core/transport/process/commandline.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"
#include "ui/json/textview.h"
#include "ui/panels/offericons.h"
#include "ui/panels/serverpanel.h"

#include <QAbstractButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabWidget>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::TestWindow;

namespace {

const char IconPixel[] =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

QString serverWithIcons()
{
    const QString data = QString::fromLatin1(R"({"src":"data:image/png;base64,)") + QLatin1String(IconPixel) + u"\"}"_s;
    const QString remote = QString::fromLatin1(R"({"src":"https:\/\/icons.invalid\/a.png"})");
    QString instructions;
    for (int i = 0; i < 300; ++i)
        instructions += QString::number(i) + u" Use the tools in this order. <b>Really.</b>\\u000a"_s;
    return joinCommandLine(
        {test::builtProgram(QStringLiteral("fake-stdio-server")), u"readline"_s,
         u"say:{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"_s +
             u"\"serverInfo\":{\"name\":\"painter\",\"version\":\"1\",\"icons\":["_s + data +
             u"]},\"instructions\":\""_s + instructions + u"\"}}"_s,
         u"readline"_s, u"readline"_s,
         u"say:{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[{\"name\":\"near\",\"inputSchema\":{},\"icons\":["_s +
             data + u"]},{\"name\":\"far\",\"inputSchema\":{},\"icons\":["_s + remote +
             u"]},{\"name\":\"bad\",\"inputSchema\":{},\"icons\":[{\"src\":\"javascript:alert(1)\"}]}]}}"_s,
         u"waiteof"_s});
}

// The tab of the server's page, brought to the front.
ui::ServerPanel *pageOfServer(TestWindow &desk)
{
    QTabWidget *tabs = desk.window().tabs;
    for (int i = 0; i < tabs->count(); ++i) {
        if (auto *page = qobject_cast<ui::ServerPanel *>(tabs->widget(i))) {
            tabs->setCurrentIndex(i);
            return page;
        }
    }
    return nullptr;
}

}  // namespace

class TestServerIcons : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void remoteOnesAreLoadedOnDemand()
    {
        TestWindow desk;
        const QSignalSpy wanted(ui::OfferIcons::shared(), &ui::OfferIcons::wanted);
        desk.servers().connectLine(serverWithIcons());
        QVERIFY(desk.open(u"near"_s));
        const auto *icon = desk.panel()->findChild<QWidget *>(u"subjectIcon"_s);
        QTRY_VERIFY(icon->isVisible());
        QVERIFY(desk.open(u"bad"_s));
        QVERIFY(!desk.panel()->findChild<QWidget *>(u"subjectIcon"_s)->isVisible());
        QVERIFY(desk.open(u"far"_s));
        const auto *farIcon = desk.panel()->findChild<QWidget *>(u"subjectIcon"_s);
        QVERIFY(!farIcon->isVisible());
        QVERIFY(wanted.isEmpty());

        const QString name = desk.panel()->connection()->spec().name;
        const auto page = [&desk] { return pageOfServer(desk); };
        QVERIFY(page());
        QTRY_VERIFY(page()->findChild<QWidget *>(u"serverIcon"_s)->isVisible());
        auto *button = page()->findChild<QAbstractButton *>(u"remoteIcons"_s);
        QTRY_VERIFY(button->isVisible());
        QVERIFY2(button->text().contains(u"icons.invalid"_s), qPrintable(button->text()));
        QVERIFY(wanted.isEmpty());
        QVERIFY(desk.click(u"remoteIcons"_s));
        QTRY_COMPARE(wanted.size(), 1);
        QVERIFY2(button->text().startsWith(u"Stop"_s), qPrintable(button->text()));
        QVERIFY(!farIcon->isVisible());  // there is no such host
        QVERIFY(desk.close());

        // It is remembered.
        TestWindow again;
        QVERIFY(ui::OfferIcons::shared()->isRemoteAllowed(name, u"icons.invalid"_s));
        QVERIFY(again.close());
    }

    void longInstructionsScroll()
    {
        TestWindow desk;
        desk.servers().connectLine(serverWithIcons());
        QVERIFY(desk.open(u"near"_s));
        const auto page = [&desk] { return pageOfServer(desk); };
        QVERIFY(page());
        auto *instructions = page()->findChild<ui::TextView *>(u"instructions"_s);
        QTRY_VERIFY(instructions->isVisible());
        QVERIFY(instructions->text().contains("<b>Really.</b>"));
        QTRY_VERIFY(instructions->verticalScrollBar()->maximum() > 0);
        QVERIFY(instructions->height() >= 200);
        instructions->setFocus();
        QTest::keyClick(instructions, Qt::Key_End, Qt::ControlModifier);
        QTRY_COMPARE(instructions->verticalScrollBar()->value(), instructions->verticalScrollBar()->maximum());
        QTest::keyClick(instructions, Qt::Key_A, Qt::ControlModifier);
        QVERIFY(instructions->selectedText().size() > 1'000);
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestServerIcons)
#include "tst_servericons.moc"
