// SPDX-License-Identifier: Apache-2.0
#include "app/gui/actions.h"
#include "core/protocol/message.h"
#include "core/protocol/methods.h"
#include "tests/pictures/camera.h"
#include "tests/pictures/desk.h"
#include "tests/pictures/scenes.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/files.h"
#include "ui/dialogs/gotopalette.h"
#include "ui/dialogs/preferencesdialog.h"
#include "ui/panels/savedcallspanel.h"
#include "ui/panels/serverlist.h"
#include "ui/requests/requestpanel.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/calls/statisticswindow.h"

#include <QDir>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabWidget>
#include <QTableView>
#include <QTreeView>

using namespace Qt::StringLiterals;

namespace sonde::pictures {
namespace {

using test::FakeHttpServer;
using test::Patience;
using test::WhenDialog;

bool shoot(Camera &camera, Desk &desk)
{
    camera.take(&desk.window(), desk.theme());
    return desk.close();
}

// A line is typed that says what the server is.
bool startLine(Desk &desk, const QString &arguments)
{
    desk.servers().connectLine(QDir::homePath() + u"/bin/weather-server "_s + arguments);
    return desk.serverRow(u"weather-server"_s) >= 0;
}

bool showWelcome(Camera &camera)
{
    Desk desk;
    return shoot(camera, desk);
}

// As after some days: servers that were used, and sessions of them.
bool showWelcomeAgain(Camera &camera)
{
    {
        Desk before;
        if (!before.connectTo(u"weather"_s) || !before.work() || !before.close())
            return false;
    }
    Desk desk;
    return shoot(camera, desk);
}

bool showConnectLine(Camera &camera)
{
    Desk desk;
    auto *line = desk.find<QLineEdit>(u"connectLine"_s);
    line->setFocus();
    QTest::keyClicks(line, u"npx -y @modelcontextprotocol/server-filesystem \"/srv/shared files\""_s);
    return shoot(camera, desk);
}

bool showStarting(Camera &camera)
{
    Desk desk;
    if (!startLine(desk, u"--slow-start 600000"_s) || !desk.isVisible(u"cancelStart"_s))
        return false;
    return shoot(camera, desk);
}

bool showStopped(Camera &camera)
{
    Desk desk;
    if (!desk.connectTo(u"weather"_s) || !desk.open(u"add"_s) || !desk.enter(u"/a"_s, u"0.1"_s) ||
        !desk.enter(u"/b"_s, u"0.2"_s) || !desk.call(u"✓ OK"_s))
        return false;
    desk.window().actions->stop->trigger();
    const auto isStopped = [&desk] {
        const QModelIndex index = desk.window().servers->index(desk.serverRow(u"weather"_s));
        return !index.data(ui::ServerListModel::CanStopRole).toBool();
    };
    if (!QTest::qWaitFor(isStopped, Patience))
        return false;
    camera.take(&desk.window(), desk.theme(), u"tab"_s);
    if (!desk.showPage())
        return false;
    camera.take(&desk.window(), desk.theme());
    return desk.close();
}

bool showCrashed(Camera &camera)
{
    Desk desk;
    if (!startLine(desk, u"--crash-on-call"_s) || !desk.isConnected(u"weather-server"_s) ||
        !QTest::qWaitFor([&desk] { return desk.isListed() && desk.offered().contains(u"slow"_s); }, Patience) ||
        !desk.open(u"slow"_s))
        return false;
    desk.press(Qt::Key_Return, Qt::ControlModifier);
    if (!QTest::qWaitFor([&desk] { return desk.badge().startsWith(u"⊘"_s); }, Patience))
        return false;
    camera.take(&desk.window(), desk.theme(), u"tab"_s);
    if (!desk.showPage())
        return false;
    camera.take(&desk.window(), desk.theme());
    return desk.close();
}

bool showMissingProgram(Camera &camera)
{
    Desk desk;
    desk.servers().connectLine(u"uvx mcp-server-that-is-not-there --verbose"_s);
    if (!desk.isVisible(u"doctorRows"_s))
        return false;
    return shoot(camera, desk);
}

bool showUnreachable(Camera &camera)
{
    Desk desk;
    desk.servers().connectLine(u"http://127.0.0.1:9/mcp"_s);
    if (!desk.isVisible(u"doctorRows"_s))
        return false;
    return shoot(camera, desk);
}

bool showLaunchDetails(Camera &camera)
{
    Desk desk;
    if (!desk.connectTo(u"weather"_s) || !desk.showPage() || !desk.click(u"showLaunch"_s))
        return false;
    return shoot(camera, desk);
}

// An HTTP server that answers like this in 2026-07-28.
using Offers = QByteArray (*)(const QString &method);

FakeHttpServer::Handler answering(Offers offers)
{
    return [offers](const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer) {
        const Message message = Message::parse(request.body);
        peer.json(R"({"jsonrpc":"2.0","id":)" + message.id().toJson() +
                  R"(,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private",)" + offers(message.method()) +
                  "}}");
    };
}

QByteArray manyTools(const QString &method)
{
    if (method == methods::Discover)
        return R"("supportedVersions":["2026-07-28"],"capabilities":{"tools":{}})";
    if (method != methods::ListTools)
        return R"("content":[{"type":"text","text":"done"}])";
    QByteArray tools;
    for (int i = 0; i < 2000; ++i) {
        const QByteArray number = QByteArray::number(i);
        tools += i > 0 ? "," : "";
        tools += R"({"name":"warehouse_inventory_management_reconcile_counted_quantities_)" + number +
                 R"(","description":"Compares what was counted with what is booked, and books the difference.",)"
                 R"("inputSchema":{"type":"object","properties":{"location_identifier_of_the_counted_place":)"
                 R"({"type":"string","description":"As printed on the label, with its check digit."},)"
                 R"("counted_quantity":{"type":"integer","minimum":0}},"required":["counted_quantity"]}})";
    }
    return "\"tools\":[" + tools + ']';
}

QByteArray nothing(const QString &method)
{
    if (method == methods::Discover)
        return R"("supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"resources":{},"prompts":{}})";
    return R"("tools":[],"resources":[],"resourceTemplates":[],"prompts":[])";
}

bool showManyTools(Camera &camera)
{
    const FakeHttpServer server(answering(manyTools));
    Desk desk;
    desk.servers().connectLine(server.url().toString());
    if (!QTest::qWaitFor([&desk] { return desk.offered().size() >= 2000; }, Patience) ||
        !desk.open(u"warehouse_inventory_management_reconcile_counted_quantities_7"_s))
        return false;
    camera.take(&desk.window(), desk.theme());
    auto *line = desk.find<QLineEdit>(u"offerFilter"_s);
    line->setFocus();
    QTest::keyClicks(line, u"ies_199"_s);
    camera.take(&desk.window(), desk.theme(), u"filtered"_s);
    line->clear();
    QTest::keyClicks(line, u"nothing like it"_s);
    camera.take(&desk.window(), desk.theme(), u"none"_s);
    return desk.close();
}

bool showEmptyLists(Camera &camera)
{
    const FakeHttpServer server(answering(nothing));
    Desk desk;
    desk.servers().connectLine(server.url().toString());
    if (!QTest::qWaitFor([&desk] { return desk.isListed(); }, Patience) || !desk.showPage())
        return false;
    return shoot(camera, desk);
}

// One tool of each kind of result, as it is shown after a call.
bool showResult(Camera &camera, const QString &tool, const QByteArray &arguments, const QString &segment = {})
{
    Desk desk;
    if (!desk.connectTo(u"weather"_s))
        return false;
    ui::CallPanel *panel = desk.open(tool);
    if (!panel)
        return false;
    if (!arguments.isEmpty())
        panel->setArguments(arguments);
    desk.press(Qt::Key_Return, Qt::ControlModifier);
    if (!QTest::qWaitFor([&desk] { return !desk.badge().isEmpty(); }, Patience))
        return false;
    if (!segment.isEmpty() && !desk.choose(u"resultSegments"_s, segment))
        return false;
    return shoot(camera, desk);
}

bool showEveryContent(Camera &camera)
{
    Desk desk;
    if (!desk.connectTo(u"weather"_s) || !desk.open(u"every-content-kind"_s))
        return false;
    desk.press(Qt::Key_Return, Qt::ControlModifier);
    if (!QTest::qWaitFor([&desk] { return !desk.badge().isEmpty(); }, Patience))
        return false;
    camera.take(&desk.window(), desk.theme());
    auto *page = desk.panel()->findChild<QScrollArea *>(u"resultPage"_s);
    for (const int part : {1, 2, 3}) {
        page->verticalScrollBar()->setValue(page->verticalScrollBar()->maximum() * part / 3);
        camera.take(&desk.window(), desk.theme(), u"scrolled%1"_s.arg(part));
    }
    return desk.close();
}

bool showStructured(Camera &camera)
{
    return showResult(camera, u"structured-report"_s, R"({"station":"Oslo"})", u"Structured"_s);
}

bool showStructuredWrong(Camera &camera)
{
    return showResult(camera, u"structured-wrong"_s, {});
}

bool showError(Camera &camera)
{
    return showResult(camera, u"protocol-error"_s, {});
}

bool showToolError(Camera &camera)
{
    return showResult(camera, u"fail"_s, {});
}

bool showBigResult(Camera &camera)
{
    return showResult(camera, u"big"_s, {});
}

bool showHostileText(Camera &camera)
{
    return showResult(camera, u"hostile-text"_s, {});
}

bool showLongName(Camera &camera)
{
    Desk desk;
    if (!desk.connectTo(u"weather"_s))
        return false;
    for (const QString &name : desk.offered()) {
        if (name.size() == 128)
            return desk.open(name) && desk.call(u"✓ OK"_s) && shoot(camera, desk);
    }
    return false;
}

bool showRunning(Camera &camera)
{
    Desk desk;
    if (!desk.connectTo(u"weather"_s))
        return false;
    ui::CallPanel *panel = desk.open(u"progress"_s);
    if (!panel)
        return false;
    panel->setArguments(R"({"steps":100,"intervalMs":60000})");
    desk.press(Qt::Key_Return, Qt::ControlModifier);
    if (!desk.isVisible(u"elapsed"_s))
        return false;
    return shoot(camera, desk);
}

// Pages of the other things that a server offers.
bool showOffer(Camera &camera, const QString &name, const QByteArray &arguments = {})
{
    Desk desk;
    if (!desk.connectTo(u"weather"_s))
        return false;
    ui::CallPanel *panel = desk.open(name);
    if (!panel)
        return false;
    if (!arguments.isEmpty()) {
        panel->setArguments(arguments);
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        if (!QTest::qWaitFor([&desk] { return !desk.badge().isEmpty(); }, Patience))
            return false;
    }
    return shoot(camera, desk);
}

bool showImage(Camera &camera)
{
    return showOffer(camera, u"wave.png"_s);
}

bool showTemplate(Camera &camera)
{
    return showOffer(camera, u"weather"_s, R"({"city":"Oslo"})");
}

bool showPrompt(Camera &camera)
{
    return showOffer(camera, u"summarize"_s, R"({"topic":"Snow in the north, rain in the south."})");
}

bool showEmptyTool(Camera &camera)
{
    return showOffer(camera, u"every-field-kind"_s);
}

bool showPrevious(Camera &camera)
{
    Desk desk;
    if (!desk.connectTo(u"weather"_s) || !desk.open(u"add"_s))
        return false;
    for (const QString &number : {u"0.1"_s, u"0.2"_s, u"0.30"_s, u"4e400"_s}) {
        if (!desk.enter(u"/a"_s, number) || !desk.enter(u"/b"_s, u"2"_s) || !desk.call(u"✓ OK"_s))
            return false;
    }
    return shoot(camera, desk);
}

bool showViews(Camera &camera)
{
    Desk desk;
    if (!desk.connectTo(u"weather"_s) || !desk.work() || desk.rowOf(u"structured-report") < 0)
        return false;
    auto *views = desk.find<ui::SegmentedControl>(u"timelineViews"_s);
    auto *table = desk.find<QTableView>(u"timelineTable"_s);
    desk.window().actions->maximiseTimeline->trigger();
    constexpr int standardError = 2;  // the demo server is silent there
    for (int view = 0; view < 4; ++view) {
        views->setCurrent(view);
        const auto hasRows = [table] { return table->model()->rowCount() > 0; };
        if (view != standardError && !QTest::qWaitFor(hasRows, Patience))
            return false;
        if (hasRows())
            test::clickRow(table, table->model()->index(table->model()->rowCount() / 2, 3));
        camera.take(&desk.window(), desk.theme(), u"%1"_s.arg(view));
    }
    auto *filter = desk.find<QLineEdit>(u"timelineFilter"_s);
    filter->setFocus();
    QTest::keyClicks(filter, u"tool == \"add\" and mss > 5"_s);
    camera.take(&desk.window(), desk.theme(), u"wrong"_s);
    filter->clear();
    QTest::keyClicks(filter, u"tool == \"nothing\""_s);
    camera.take(&desk.window(), desk.theme(), u"none"_s);
    return desk.close();
}

bool showStatistics(Camera &camera)
{
    Desk desk;
    if (!desk.connectTo(u"weather"_s) || !desk.work())
        return false;
    desk.window().actions->statistics->trigger();
    ui::StatisticsWindow *window = nullptr;
    const auto isThere = [&] {
        for (QWidget *top : QApplication::topLevelWidgets()) {
            if (auto *found = qobject_cast<ui::StatisticsWindow *>(top); found && found->isVisible())
                window = found;
        }
        return window != nullptr;
    };
    if (!QTest::qWaitFor(isThere, Patience))
        return false;
    camera.take(window, desk.theme());
    window->close();
    return desk.close();
}

bool showRequest(Camera &camera, const QString &tool)
{
    Desk desk;
    if (!desk.connectTo(u"weather"_s) || !desk.open(tool))
        return false;
    desk.press(Qt::Key_Return, Qt::ControlModifier);
    const ui::RequestPanel *panel = desk.window().requests;
    if (!QTest::qWaitFor([panel] { return panel->openCount() > 0; }, Patience))
        return false;
    return shoot(camera, desk);
}

bool showAskTwice(Camera &camera)
{
    return showRequest(camera, u"ask-twice"_s);
}

bool showAskEverything(Camera &camera)
{
    return showRequest(camera, u"ask-everything"_s);
}

bool showTasks(Camera &camera)
{
    Desk desk;
    if (!desk.connectTo(u"weather-next"_s))
        return false;
    desk.window().actions->showTasks->trigger();
    if (!desk.isVisible(u"tasksNote"_s))
        return false;
    camera.take(&desk.window(), desk.theme(), u"none"_s);
    ui::CallPanel *panel = desk.open(u"run-as-task"_s);
    if (!panel || !desk.enter(u"/seconds"_s, u"600"_s) || !desk.click(u"runAsTask"_s))
        return false;
    desk.press(Qt::Key_Return, Qt::ControlModifier);
    if (!QTest::qWaitFor([panel] { return panel->isTaskRunning(); }, Patience))
        return false;
    desk.window().actions->showTasks->trigger();
    if (!desk.isVisible(u"tasksNote"_s))
        return false;
    return shoot(camera, desk);
}

bool showSavedCalls(Camera &camera)
{
    const QString folder = QDir::homePath() + u"/calls"_s;
    QDir().mkpath(folder);
    const std::pair<QString, QByteArray> files[] = {
        {u"sum of two"_s, R"({"tool":"add","arguments":{"a":1,"b":2},"expect":{"outcome":"ok"}})"},
        {u"sum is 4"_s,
         R"({"tool":"add","arguments":{"a":1,"b":2},"expect":{"result":{"structuredContent":{"sum":4}}}})"},
        {u"echo"_s, R"({"tool":"echo","arguments":{"value":"hello"}})"},
        {u"another build"_s, R"({"tool":"no_such_tool"})"},
        {u"broken"_s, "{"}};
    for (const auto &[name, text] : files)
        test::writeFile(folder + u'/' + name + u".call.json"_s, text);
    {
        app::Settings settings;
        settings.set(app::setting::SavedCallFolders, QStringList{folder});
        settings.save();
    }
    Desk desk;
    if (!desk.connectTo(u"weather"_s) ||
        !QTest::qWaitFor([&desk] { return desk.offered().contains(u"sum is 4"_s); }, Patience) ||
        !desk.open(u"sum is 4"_s))
        return false;
    auto *tree = desk.find<QTreeView>(u"offerTree"_s);
    tree->scrollToBottom();
    desk.press(Qt::Key_Return, Qt::ControlModifier);
    if (!QTest::qWaitFor([&desk] { return !desk.badge().isEmpty(); }, Patience) ||
        !desk.isVisible(u"savedCallVerdict"_s))
        return false;
    camera.take(&desk.window(), desk.theme(), u"one"_s);
    desk.open(u"Run all"_s);
    const auto hasEnded = [&desk] {
        const auto *panel = qobject_cast<ui::SavedCallsPanel *>(desk.window().tabs->currentWidget());
        return panel && panel->suite() && !panel->isRunning();
    };
    if (!QTest::qWaitFor(hasEnded, Patience))
        return false;
    return shoot(camera, desk);
}

// A session of the day before, opened.
bool recordSessions()
{
    for (const auto &name : {u"weather"_s, u"weather-next"_s}) {
        Desk before;
        if (!before.connectTo(name) || !before.work() || !before.close())
            return false;
    }
    return true;
}

bool showRecorded(Camera &camera)
{
    if (!recordSessions())
        return false;
    Desk desk;
    const WhenDialog dialog(
        [](QDialog *shown) { QTest::mouseClick(shown->findChild<QPushButton *>(u"sessionOpen"_s), Qt::LeftButton); });
    desk.window().actions->openSession->trigger();
    if (!dialog.hasRun() || !QTest::qWaitFor([&desk] { return desk.offered().contains(u"add"_s); }, Patience))
        return false;
    camera.take(&desk.window(), desk.theme(), u"page"_s);
    desk.open(u"structured-report"_s);
    return shoot(camera, desk);
}

bool showSessionSearch(Camera &camera)
{
    if (!recordSessions())
        return false;
    Desk desk;
    const WhenDialog dialog([&](QDialog *shown) {
        shown->findChild<ui::SegmentedControl *>(u"sessionsSwitch"_s)->setCurrent(1);
        camera.take(shown, desk.theme(), u"empty"_s);
        auto *line = shown->findChild<QLineEdit *>(u"searchFilter"_s);
        line->setFocus();
        QTest::keyClicks(line, u"tool == \"add\""_s);
        QTest::mouseClick(shown->findChild<QPushButton *>(u"searchStart"_s), Qt::LeftButton);
        camera.take(shown, desk.theme());
        shown->reject();
    });
    desk.window().actions->openSession->trigger();
    return dialog.hasRun() && desk.close();
}

bool showNoSessions(Camera &camera)
{
    Desk desk;
    return desk.takeDialog(camera, desk.window().actions->openSession) && desk.close();
}

// The dialog that a button of another dialog opens.
bool takeDialogOf(QDialog *shown, const QString &button, Camera &camera, Desk &desk, const QString &part = {})
{
    const WhenDialog inner([&](QDialog *asked) {
        camera.take(asked, desk.theme(), part);
        asked->reject();
    });
    shown->findChild<QAbstractButton *>(button)->click();
    if (!inner.hasRun())
        qWarning("%s opens no dialog", qUtf8Printable(button));
    return inner.hasRun();
}

// What is asked before sessions go.
bool showRetention(Camera &camera)
{
    if (!recordSessions())
        return false;
    {
        app::Settings settings;
        settings.set(app::setting::KeptSessions, 1);
        settings.save();
    }
    Desk desk;
    bool areTaken = false;
    const WhenDialog dialog([&](QDialog *shown) {
        areTaken = takeDialogOf(shown, u"reviewRetention"_s, camera, desk, u"review"_s) &&
                   takeDialogOf(shown, u"sessionRemove"_s, camera, desk);
        shown->reject();
    });
    desk.window().actions->openSession->trigger();
    return areTaken && desk.close();
}

bool showPreferences(Camera &camera)
{
    using Page = ui::PreferencesDialog::Page;
    Desk desk;
    const WhenDialog dialog([&](QDialog *shown) {
        auto *preferences = qobject_cast<ui::PreferencesDialog *>(shown);
        for (const auto &[page, name] : {std::pair(Page::General, u"general"_s), std::pair(Page::Limits, u"limits"_s),
                                         std::pair(Page::Recording, u"recording"_s),
                                         std::pair(Page::Privacy, u"privacy"_s), std::pair(Page::Keys, u"keys"_s)}) {
            preferences->showPage(page);
            camera.take(shown, desk.theme(), name);
        }
        shown->reject();
    });
    desk.window().actions->preferences->trigger();
    return dialog.hasRun() && desk.close();
}

bool showAbout(Camera &camera)
{
    Desk desk;
    return desk.takeDialog(camera, desk.window().actions->about) && desk.close();
}

bool showAddServer(Camera &camera)
{
    Desk desk;
    bool areTaken = true;
    const WhenDialog dialog([&](QDialog *shown) {
        camera.take(shown, desk.theme());
        shown->findChild<ui::SegmentedControl *>(u"serverKind"_s)->button(1)->click();
        camera.take(shown, desk.theme(), u"url"_s);
        for (const QString &part : {u"serverNetwork"_s, u"serverSignIn"_s, u"serverTimeouts"_s})
            areTaken = takeDialogOf(shown, part, camera, desk, part) && areTaken;
        for (auto *area : shown->findChildren<QScrollArea *>())
            area->verticalScrollBar()->setValue(area->verticalScrollBar()->maximum());
        camera.take(shown, desk.theme(), u"end"_s);
        shown->reject();
    });
    desk.window().actions->addServer->trigger();
    return dialog.hasRun() && areTaken && desk.close();
}

bool showEditServer(Camera &camera)
{
    Desk desk;
    if (!desk.connectTo(u"weather"_s))
        return false;
    return desk.takeDialog(camera, desk.window().actions->editServer) && desk.close();
}

bool showServerDialogs(Camera &camera)
{
    Desk desk;
    if (!desk.connectTo(u"weather-next"_s) || !desk.connectTo(u"weather"_s) || !desk.work())
        return false;
    const app::Actions &actions = *desk.window().actions;
    for (const auto &[action, name] :
         {std::pair(actions.exportServers, u"export"_s), std::pair(actions.importServers, u"import"_s),
          std::pair(actions.importCalls, u"calls"_s), std::pair(actions.exportSession, u"session"_s),
          std::pair(actions.replay, u"replay"_s), std::pair(actions.compare, u"compare"_s),
          std::pair(actions.removeServer, u"remove"_s), std::pair(actions.renameServer, u"rename"_s),
          std::pair(actions.sessionLimit, u"limit"_s)}) {
        if (!desk.takeDialog(camera, action, name))
            return false;
    }
    return desk.close();
}

bool showCallDialogs(Camera &camera)
{
    Desk desk;
    if (!desk.connectTo(u"weather"_s) || !desk.open(u"add"_s) || !desk.enter(u"/a"_s, u"0.1"_s) ||
        !desk.enter(u"/b"_s, u"0.2"_s) || !desk.call(u"✓ OK"_s))
        return false;
    if (!desk.takeDialog(camera, desk.panel()->findChild<QAction *>(u"saveCall"_s)) || !desk.click(u"showSchema"_s))
        return false;
    auto *schema = desk.panel()->findChild<QWidget *>(u"schemaWindow"_s);
    camera.take(schema, desk.theme(), u"schema"_s);
    schema->close();
    return desk.close();
}

bool showPaletteAll(Camera &camera)
{
    Desk desk;
    if (!desk.connectTo(u"weather"_s))
        return false;
    desk.window().actions->goTo->trigger();
    auto *palette = desk.window().findChild<ui::GotoPalette *>();
    if (!palette)
        return false;
    camera.take(palette, desk.theme());
    QTest::keyClicks(palette->findChild<QLineEdit *>(u"gotoLine"_s), u"zzzz"_s);
    camera.take(palette, desk.theme(), u"none"_s);
    palette->close();
    return desk.close();
}

bool showDemo(Camera &camera)
{
    Desk desk;
    if (!desk.openDemo())
        return false;
    camera.take(&desk.window(), desk.theme(), u"tab"_s);
    if (!desk.showPage())
        return false;
    camera.take(&desk.window(), desk.theme());
    for (auto *area : desk.window().tabs->currentWidget()->findChildren<QScrollArea *>())
        area->verticalScrollBar()->setValue(area->verticalScrollBar()->maximum());
    camera.take(&desk.window(), desk.theme(), u"end"_s);
    return desk.close();
}

bool showMenus(Camera &camera)
{
    Desk desk;
    if (!desk.connectTo(u"weather"_s) || !desk.work())
        return false;
    const auto bars = desk.window().findChildren<QMenuBar *>();
    if (bars.isEmpty())
        return false;
    for (const QMenuBar *bar : bars) {
        for (QAction *entry : bar->actions()) {
            if (!entry->menu())
                continue;
            entry->menu()->popup(QPoint(0, 0));
            camera.take(entry->menu(), desk.theme(), entry->text().remove(u'&'));
            entry->menu()->hide();
        }
    }
    return desk.close();
}

bool showLongText(Camera &camera)
{
    Desk desk;
    if (!desk.connectTo(u"weather"_s))
        return false;
    ui::CallPanel *panel = desk.open(u"echo"_s);
    if (!panel)
        return false;
    panel->setArguments(
        R"({"value":{"stations":["Oslo","Bergen"],"limits":{"min":-40.5,"max":9007199254740993},)"
        R"("note":"A text that is long enough to need more than one line in the narrow half of a )"
        R"(window: readings are taken every ten minutes, and sent on the hour.","empty":[],"none":null}})");
    if (!desk.call(u"✓ OK"_s))
        return false;
    return shoot(camera, desk);
}

}  // namespace

QList<Scene> furtherScenes()
{
    return {{u"welcome"_s, showWelcome},
            {u"welcome-again"_s, showWelcomeAgain},
            {u"connect-line"_s, showConnectLine},
            {u"starting"_s, showStarting},
            {u"stopped"_s, showStopped},
            {u"crashed"_s, showCrashed},
            {u"missing-program"_s, showMissingProgram},
            {u"unreachable"_s, showUnreachable},
            {u"launch"_s, showLaunchDetails},
            {u"demo"_s, showDemo},
            {u"many-tools"_s, showManyTools},
            {u"empty-lists"_s, showEmptyLists},
            {u"empty-tool"_s, showEmptyTool},
            {u"long-name"_s, showLongName},
            {u"every-content"_s, showEveryContent},
            {u"structured"_s, showStructured},
            {u"structured-wrong"_s, showStructuredWrong},
            {u"error"_s, showError},
            {u"tool-error"_s, showToolError},
            {u"big-result"_s, showBigResult},
            {u"json-result"_s, showLongText},
            {u"hostile-text"_s, showHostileText},
            {u"running"_s, showRunning},
            {u"image"_s, showImage},
            {u"template"_s, showTemplate},
            {u"prompt"_s, showPrompt},
            {u"previous"_s, showPrevious},
            {u"views"_s, showViews},
            {u"statistics"_s, showStatistics},
            {u"ask-twice"_s, showAskTwice},
            {u"ask-everything"_s, showAskEverything},
            {u"tasks"_s, showTasks},
            {u"saved-calls"_s, showSavedCalls},
            {u"recorded"_s, showRecorded},
            {u"session-search"_s, showSessionSearch},
            {u"no-sessions"_s, showNoSessions},
            {u"retention"_s, showRetention},
            {u"preference-pages"_s, showPreferences},
            {u"about"_s, showAbout},
            {u"add-server"_s, showAddServer},
            {u"edit-server"_s, showEditServer},
            {u"server-dialogs"_s, showServerDialogs},
            {u"call-dialogs"_s, showCallDialogs},
            {u"go-to"_s, showPaletteAll},
            {u"menus"_s, showMenus}};
}

}  // namespace sonde::pictures
