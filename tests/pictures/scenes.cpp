// SPDX-License-Identifier: Apache-2.0
#include "tests/pictures/scenes.h"

#include "app/gui/actions.h"
#include "core/server/serverspec.h"
#include "tests/pictures/camera.h"
#include "tests/pictures/desk.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/files.h"
#include "ui/compare/comparepanel.h"
#include "ui/dialogs/gotopalette.h"
#include "ui/dialogs/manualwindow.h"
#include "ui/dialogs/preferencesdialog.h"
#include "ui/diff/differencemodel.h"
#include "ui/panels/serverlist.h"
#include "ui/replay/replaypanel.h"
#include "ui/requests/requestpanel.h"
#include "ui/theme/widgets.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QPushButton>
#include <QRadioButton>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace sonde::pictures {
namespace {

using test::FakeHttpServer;
using test::Patience;
using test::WhenDialog;

bool playMain(Camera &camera)
{
    Desk desk;
    if (!desk.connectTo(u"weather"_s) || !desk.work())
        return false;
    auto *table = desk.find<QTableView>(u"timelineTable"_s);
    if (desk.rowOf(u"structured-report") < 0)
        return false;
    test::clickRow(table, table->model()->index(desk.rowOf(u"fail"), 3));
    camera.take(&desk.window(), desk.theme());
    return desk.close();
}

bool playServer(Camera &camera)
{
    Desk desk;
    if (!desk.connectTo(u"weather"_s) || !desk.showPage())
        return false;
    camera.take(&desk.window(), desk.theme());
    return desk.close();
}

bool playDoctor(Camera &camera)
{
    Desk desk;
    desk.servers().connectServer(u"notes"_s);
    if (!desk.isVisible(u"doctorRows"_s))
        return false;
    camera.take(&desk.window(), desk.theme());
    return desk.close();
}

bool playApproval(Camera &camera)
{
    Desk desk;
    desk.asksForApproval();
    const app::WorkspaceItem *notes = desk.workspace().serverNamed(u"notes"_s);
    ServerSpec spec = notes->spec;
    spec.arguments = {u"--folder"_s, QDir::homePath() + u"/notes"_s};
    if (desk.workspace().change(u"notes"_s, spec))
        return false;
    desk.workspace().approve(spec);
    // As another program might change it.
    spec.arguments = {u"--folder"_s, QDir::homePath(), u"--upload"_s, u"https://notes.example.com"_s};
    if (desk.workspace().change(u"notes"_s, spec))
        return false;
    desk.servers().connectServer(u"notes"_s);
    if (!desk.isVisible(u"approveStart"_s))
        return false;
    camera.take(&desk.window(), desk.theme());
    return desk.close();
}

bool playImport(Camera &camera)
{
    const QString folder = QDir::homePath() + u"/.cursor"_s;
    QDir().mkpath(folder);
    const QString path = folder + u"/mcp.json"_s;
    test::writeFile(path,
                    "{\"mcpServers\":{\"issues\":{\"url\":\"https://issues.example.com/mcp\",\"headers\":"
                    "{\"X-Team\":\"core\"}},\"files\":{\"command\":\"npx\",\"args\":[\"-y\","
                    "\"@modelcontextprotocol/server-filesystem\",\"/srv/shared files\"],\"env\":"
                    "{\"LOG_LEVEL\":\"debug\"}}}}");
    Desk desk;
    const auto *found = desk.find<QLabel>(u"foundHosts"_s);
    if (!QTest::qWaitFor([found] { return found->text().contains(u"Cursor"_s); }, Patience))
        return false;
    const WhenDialog dialog([&](QDialog *shown) {
        shown->resize(920, 560);
        camera.take(shown, desk.theme());
        shown->reject();
    });
    const bool isOpened = desk.pressButton(u"importServers"_s) && dialog.hasRun();
    QFile::remove(path);
    return isOpened && desk.close();
}

// Chooses the server of that name.
void choose(QDialog *dialog, const QString &list, const QString &name)
{
    auto *view = dialog->findChild<QListWidget *>(list);
    for (int row = 0; row < view->count(); ++row) {
        if (view->item(row)->text().trimmed().section(u"   "_s, 0, 0) == name)
            view->setCurrentRow(row);
    }
}

bool playCompare(Camera &camera)
{
    Desk desk;
    if (!desk.connectTo(u"weather-next"_s) || !desk.connectTo(u"weather"_s))
        return false;
    const WhenDialog dialog([](QDialog *shown) {
        choose(shown, u"compareLeftList"_s, u"weather"_s);
        choose(shown, u"compareRightList"_s, u"weather-next"_s);
        QTest::mouseClick(shown->findChild<QPushButton *>(u"compareStart"_s), Qt::LeftButton);
    });
    QTest::mouseClick(desk.window().compare, Qt::LeftButton);
    const auto *panel = qobject_cast<ui::ComparePanel *>(desk.window().tabs->currentWidget());
    if (!dialog.hasRun() || !panel || !QTest::qWaitFor([panel] { return !panel->isComparing(); }, Patience))
        return false;
    camera.take(&desk.window(), desk.theme());
    return desk.close();
}

bool playReplay(Camera &camera)
{
    Desk desk;
    if (!desk.connectTo(u"weather"_s) || !desk.work())
        return false;
    const WhenDialog dialog([](QDialog *shown) {
        auto *servers = shown->findChild<QComboBox *>(u"replayServer"_s);
        servers->setCurrentIndex(servers->findText(u"weather"_s));
        shown->findChild<QRadioButton *>(u"replayAll"_s)->click();
        QTest::mouseClick(shown->findChild<QPushButton *>(u"replayOk"_s), Qt::LeftButton);
    });
    QTest::mouseClick(desk.window().replay, Qt::LeftButton);
    const auto *panel = qobject_cast<ui::ReplayPanel *>(desk.window().tabs->currentWidget());
    if (!dialog.hasRun() || !panel || !QTest::qWaitFor([panel] { return !panel->isRunning(); }, Patience))
        return false;
    auto *steps = panel->findChild<QTableView *>(u"replaySteps"_s);
    for (int row = 0; row < steps->model()->rowCount(); ++row) {
        if (steps->model()->index(row, 1).data().toString().contains(u"resources/read"_s))
            test::clickRow(steps, steps->model()->index(row, 1));
    }
    camera.take(&desk.window(), desk.theme());
    return desk.close();
}

// A call that waits for a response to what its server requests.
bool playRequest(Camera &camera, const QString &tool)
{
    Desk desk;
    if (!desk.connectTo(u"weather"_s) || !desk.open(tool))
        return false;
    desk.press(Qt::Key_Return, Qt::ControlModifier);
    const ui::RequestPanel *panel = desk.window().requests;
    if (!QTest::qWaitFor([panel] { return panel->openCount() == 1; }, Patience))
        return false;
    camera.take(&desk.window(), desk.theme());
    return desk.close();
}

bool playElicitation(Camera &camera)
{
    return playRequest(camera, u"ask-form"_s);
}

bool playSampling(Camera &camera)
{
    return playRequest(camera, u"ask-model"_s);
}

bool playUrl(Camera &camera)
{
    return playRequest(camera, u"ask-url"_s);
}

bool playTask(Camera &camera)
{
    Desk desk;
    if (!desk.connectTo(u"weather-next"_s))
        return false;
    ui::CallPanel *panel = desk.open(u"run-as-task"_s);
    if (!panel || !desk.enter(u"/seconds"_s, u"600"_s) || !desk.click(u"runAsTask"_s))
        return false;
    desk.press(Qt::Key_Return, Qt::ControlModifier);
    if (!QTest::qWaitFor([panel] { return panel->isTaskRunning(); }, Patience) || !desk.isVisible(u"taskStatus"_s))
        return false;
    camera.take(&desk.window(), desk.theme());
    return desk.close();
}

bool playSubscription(Camera &camera)
{
    Desk desk;
    if (!desk.connectTo(u"weather"_s) || !desk.open(u"clock"_s) || !desk.endsWith(u"✓ OK"_s) ||
        !desk.click(u"subscribeButton"_s) || !desk.isVisible(u"watchStatus"_s))
        return false;
    const auto status = [&desk] { return desk.panel()->findChild<QLabel *>(u"watchStatus"_s)->text(); };
    QTabWidget *tabs = desk.window().tabs;
    const int clock = tabs->currentIndex();
    if (!QTest::qWaitFor([&] { return status().contains(u"Live"_s); }, Patience) || !desk.open(u"touch-resource"_s) ||
        !desk.call(u"✓ OK"_s))
        return false;
    tabs->setCurrentIndex(clock);
    const auto *mode = desk.panel()->findChild<ui::SegmentedControl *>(u"versionMode"_s);
    if (!QTest::qWaitFor([mode] { return mode->isVisible(); }, Patience))
        return false;
    QCoreApplication::processEvents();  // it is laid out in the next turn
    QTest::mouseClick(mode->button(1), Qt::LeftButton);
    camera.take(&desk.window(), desk.theme());
    return desk.close();
}

bool playDestructive(Camera &camera)
{
    Desk desk;
    if (!desk.connectTo(u"weather"_s))
        return false;
    ui::CallPanel *panel = desk.open(u"delete-everything"_s);
    if (!panel)
        return false;
    panel->setArguments("{\"confirm\":true}");
    panel->call();
    if (!desk.isVisible(u"confirmCall"_s))
        return false;
    camera.take(&desk.window(), desk.theme());
    return desk.close();
}

bool playForm(Camera &camera)
{
    Desk desk;
    if (!desk.connectTo(u"weather"_s))
        return false;
    ui::CallPanel *panel = desk.open(u"every-field-kind"_s);
    if (!panel)
        return false;
    panel->setArguments(R"({"text":"Readings, weekly","color":"green","version":"v1","serial":9007199254740993,)"
                        R"("ratio":1.5,"tags":["north","staging"],"people":[{"name":"Ada","mail":"ada at home"}]})");
    auto *problems = panel->findChild<QWidget *>(u"problems"_s);
    if (!problems || !QTest::qWaitFor([problems] { return problems->isVisible(); }, Patience))
        return false;
    QTest::mouseClick(problems, Qt::LeftButton);
    if (!QTest::qWaitFor([&desk] { return desk.window().focusWidget()->objectName() == u"field:/ratio"; }, Patience))
        return false;
    camera.take(&desk.window(), desk.theme());
    return desk.close();
}

// A server that asks for a sign-in; what it says about itself is enough to get as far as the browser.
void askForSignIn(const FakeHttpServer &server, const FakeHttpServer::Request &request,
                  const FakeHttpServer::Peer &peer)
{
    const QByteArray origin = server.url(QString()).toEncoded();
    if (request.path == "/mcp") {
        peer.response(401,
                      {{"WWW-Authenticate",
                        "Bearer resource_metadata=\"" + origin + "/.well-known/oauth-protected-resource/mcp\""}},
                      {});
    } else if (request.path == "/.well-known/oauth-protected-resource/mcp") {
        peer.json("{\"resource\":\"" + origin + "/mcp\",\"authorization_servers\":[\"" + origin +
                  "\"],\"scopes_supported\":[\"notes:read\",\"notes:write\"]}");
    } else if (request.path == "/.well-known/oauth-authorization-server") {
        peer.json(
            "{\"issuer\":\"" + origin + "\",\"authorization_endpoint\":\"" + origin +
            "/authorize\",\"token_endpoint\":\"" + origin + "/token\",\"registration_endpoint\":\"" + origin +
            "/register\",\"response_types_supported\":[\"code\"],\"code_challenge_methods_supported\":[\"S256\"]}");
    } else if (request.path == "/register") {
        peer.json("{\"client_id\":\"sonde-on-this-desk\"}");
    } else {
        peer.response(404, {}, {});
    }
}

bool playSignIn(Camera &camera)
{
    FakeHttpServer server;
    server.setHandler([&server](const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer) {
        askForSignIn(server, request, peer);
    });
    Desk desk;
    desk.servers().connectLine(server.url().toString());
    if (!desk.isVisible(u"openSignInPage"_s))
        return false;
    camera.take(&desk.window(), desk.theme());
    return desk.close();
}

// What fills the form of every-field-kind.
constexpr auto FilledForm =
    R"({"text":"Readings, weekly","color":"green","version":"v1","serial":9007199254740993,"ratio":0.25,)"
    R"("tags":["north","staging"],"people":[{"name":"Ada","age":36,"mail":"ada@example.com"},)"
    R"({"name":"Grace","age":45,"mail":"grace@example.com"},{"name":"Katherine","age":40},)"
    R"({"name":"Radia","mail":"radia@example.com"}]})";

bool playBoth(Camera &camera)
{
    Desk desk;
    if (!desk.connectTo(u"weather"_s))
        return false;
    ui::CallPanel *panel = desk.open(u"every-field-kind"_s);
    if (!panel)
        return false;
    panel->setArguments(FilledForm);
    panel->setMode(u"both"_s);
    camera.take(&desk.window(), desk.theme());
    return desk.close();
}

bool playResultTable(Camera &camera)
{
    Desk desk;
    if (!desk.connectTo(u"weather"_s))
        return false;
    ui::CallPanel *panel = desk.open(u"echo"_s);
    if (!panel)
        return false;
    panel->setArguments(R"({"value":[{"station":"Oslo","celsius":-4.5,"humidity":81,"at":"2026-01-31T06:00:00Z"},)"
                        R"({"station":"Bergen","celsius":3.1,"humidity":92,"at":"2026-01-31T06:00:00Z"},)"
                        R"({"station":"Tromsø","celsius":-9.8,"humidity":74,"at":"2026-01-31T06:10:00Z"},)"
                        R"({"station":"Trondheim","celsius":-1.25,"humidity":88,"at":"2026-01-31T06:10:00Z"}]})");
    if (!desk.call(u"✓ OK"_s) || !desk.choose(u"blockViews"_s, u"Table"_s))
        return false;
    camera.take(&desk.window(), desk.theme());
    return desk.close();
}

bool playTimeline(Camera &camera)
{
    Desk desk;
    if (!desk.connectTo(u"weather"_s) || !desk.work())
        return false;
    desk.window().actions->maximiseTimeline->trigger();
    auto *table = desk.find<QTableView>(u"timelineTable"_s);
    if (desk.rowOf(u"structured-report") < 0)
        return false;
    test::clickRow(table, table->model()->index(desk.rowOf(u"progress"), 3));
    QTest::keyClick(table, Qt::Key_Right);
    camera.take(&desk.window(), desk.theme());
    return desk.close();
}

bool playEdit(Camera &camera)
{
    Desk desk;
    if (!desk.connectTo(u"weather"_s) || !desk.open(u"add"_s) || !desk.enter(u"/a"_s, u"0.1"_s) ||
        !desk.enter(u"/b"_s, u"0.2"_s) || !desk.call(u"✓ OK"_s))
        return false;
    auto *table = desk.find<QTableView>(u"timelineTable"_s);
    if (desk.rowOf(u"add") < 0)
        return false;
    test::clickRow(table, table->model()->index(desk.rowOf(u"add"), 3));
    const WhenDialog dialog([&](QDialog *shown) {
        shown->resize(760, 520);
        camera.take(shown, desk.theme());
        shown->reject();
    });
    auto *edit = desk.find<QToolButton>(u"editAndSend"_s);
    if (!edit || !QTest::qWaitFor([edit] { return edit->isEnabled(); }, Patience))
        return false;
    edit->click();
    return dialog.hasRun() && desk.close();
}

bool playPalette(Camera &camera)
{
    Desk desk;
    if (!desk.connectTo(u"weather"_s))
        return false;
    desk.window().actions->goTo->trigger();
    auto *palette = desk.window().findChild<ui::GotoPalette *>();
    if (!palette)
        return false;
    QTest::keyClicks(palette->findChild<QLineEdit *>(u"gotoLine"_s), u"re"_s);
    camera.take(palette, desk.theme());
    palette->close();
    return desk.close();
}

bool playAppearance(Camera &camera)
{
    Desk desk;
    const WhenDialog dialog([&](QDialog *shown) {
        auto *preferences = qobject_cast<ui::PreferencesDialog *>(shown);
        preferences->showPage(ui::PreferencesDialog::Page::Appearance);
        camera.take(shown, desk.theme());
        shown->reject();
    });
    desk.window().actions->preferences->trigger();
    return dialog.hasRun() && desk.close();
}

bool playKeys(Camera &camera)
{
    Desk desk;
    return desk.takeDialog(camera, desk.window().actions->shortcuts) && desk.close();
}

bool playManual(Camera &camera)
{
    Desk desk;
    desk.window().actions->manual->trigger();
    auto *manual = desk.window().findChild<ui::ManualWindow *>();
    if (!manual)
        return false;
    manual->showPlace(u"manual/timeline.md"_s);
    QTest::keyClicks(manual->findChild<QLineEdit *>(u"manualSearch"_s), u"waterfall"_s);
    QTest::keyClick(manual->findChild<QLineEdit *>(u"manualSearch"_s), Qt::Key_Return);
    camera.take(manual, desk.theme());
    manual->close();
    return desk.close();
}

bool playSessions(Camera &camera)
{
    for (const auto &name : {u"weather"_s, u"weather-next"_s}) {
        Desk before;
        if (!before.connectTo(name) || !before.work() || !before.close())
            return false;
    }
    Desk desk;
    return desk.takeDialog(camera, desk.window().actions->openSession) && desk.close();
}

}  // namespace

QList<Scene> scenes()
{
    return {{u"main"_s, playMain},
            {u"elicitation"_s, playElicitation},
            {u"form"_s, playForm},
            {u"replay"_s, playReplay},
            {u"compare"_s, playCompare},
            {u"doctor"_s, playDoctor},
            {u"approval"_s, playApproval},
            {u"server"_s, playServer},
            {u"import"_s, playImport},
            {u"signin"_s, playSignIn},
            {u"destructive"_s, playDestructive},
            {u"sampling"_s, playSampling},
            {u"url"_s, playUrl},
            {u"task"_s, playTask},
            {u"subscription"_s, playSubscription},
            {u"both"_s, playBoth},
            {u"result-table"_s, playResultTable},
            {u"timeline"_s, playTimeline},
            {u"edit"_s, playEdit},
            {u"palette"_s, playPalette},
            {u"preferences"_s, playAppearance},
            {u"keys"_s, playKeys},
            {u"manual"_s, playManual},
            {u"sessions"_s, playSessions}};
}

}  // namespace sonde::pictures
