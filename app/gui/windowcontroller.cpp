// SPDX-License-Identifier: Apache-2.0
#include "app/gui/windowcontroller.h"

#include "app/gui/actions.h"
#include "app/gui/confirm.h"
#include "app/gui/exporting.h"
#include "app/gui/mainwindow.h"
#include "app/gui/manual.h"
#include "app/gui/menubar.h"
#include "app/gui/settings.h"
#include "app/gui/warningbar.h"
#include "ui/dialogs/aboutdialog.h"
#include "ui/dialogs/sessionsdialog.h"
#include "ui/panels/callpanel.h"
#include "ui/panels/offertree.h"
#include "ui/panels/welcomepanel.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/timelinepanel.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::app {

using Page = ui::PreferencesDialog::Page;

WindowController::WindowController(MainWindow *window, ui::ThemeController *theme, Settings *settings,
                                   const Profile &profile, QObject *parent)
    : QObject(parent),
      m_window(window),
      m_settings(settings),
      m_workspace(profile),
      m_storage(&m_workspace.store(), &m_workspace.library(), window->notice),
      m_icons(&m_workspace, settings),
      m_arguments(profile.arguments),
      m_secrets(profile.secrets, window),
      m_servers(&m_workspace, &m_secrets, window),
      m_tabs(&m_workspace, window),
      m_requests(&m_workspace, window),
      m_preferences({window, theme, settings, &m_workspace, &m_storage, &m_requests}),
      m_view(&m_workspace, window),
      m_savedCalls(&m_workspace, window, settings),
      m_uses(window),
      m_replays(&m_workspace, window),
      m_comparisons(&m_workspace, window),
      m_sending(&m_workspace, window),
      m_imports(&m_workspace, &m_secrets, window),
      m_goto(&m_workspace, window, settings),
      m_tabMenu(&m_tabs, window),
      m_offerMenu(&m_workspace, &m_tabs, window),
      m_edits(window->actions, window),
      m_states(&m_workspace, &m_tabs, window)
{
    connectControllers();
    connectWindow();
    window->restore(*settings);
    connectActions();
    m_storage.loadServers();
    m_workspace.followStore();
}

WindowController::~WindowController()
{
    // From here on, end signals would reach controllers that are partly destroyed.
    m_tabs.disconnect();
    m_workspace.disconnect();
}

// Connections between controllers.
void WindowController::connectControllers()
{
    connect(&m_workspace, &Workspace::failed, this, &WindowController::showError);
    connect(&m_workspace, &Workspace::finished, this, &WindowController::finished);
    connect(&m_workspace, &Workspace::recordingBegan, &m_storage, &StorageWarnings::watch);
    connect(&m_workspace, &Workspace::notRecorded, this,
            [this](const Error &reason) { m_storage.sayNotSaved({tr("sessions")}, reason); });
    connect(&m_arguments, &ArgumentMemory::notSaved, this,
            [this](const Error &reason) { m_storage.sayNotSaved({tr("arguments")}, reason); });
    connect(&m_storage, &StorageWarnings::limitRequested, this,
            [this] { m_preferences.open(Page::Recording, m_window); });
    connect(&m_storage, &StorageWarnings::changed, &m_view, &CurrentView::updateStatus);

    const auto replay = [this](const QString &recording) { m_replays.ask(recording); };
    connect(&m_servers, &ServerController::pageRequested, &m_tabs,
            [this](WorkspaceItem *item) { m_tabs.showPage(*item); });
    connect(&m_workspace, &Workspace::personNeeded, &m_tabs,
            [this](WorkspaceItem *item) { m_tabs.showWaiting(*item); });
    connect(&m_servers, &ServerController::demoStarted, &m_tabs, &TabController::openFirstTool);
    connect(&m_servers, &ServerController::compareRequested, &m_comparisons, &CompareController::ask);
    connect(&m_servers, &ServerController::replayRequested, &m_replays, replay);
    connect(&m_servers, &ServerController::copyRequested, &m_imports,
            [this](WorkspaceItem *item) { m_imports.copy(*item); });
    m_servers.setRunningCalls([this](const Connection *connection) { return callsToLose(connection); });
    connect(&m_servers, &ServerController::exportRequested, &m_imports,
            [this](WorkspaceItem *item) { m_imports.exportServers(item->spec.name); });

    connect(&m_tabs, &TabController::opened, &m_arguments, &ArgumentMemory::follow);
    connect(&m_tabs, &TabController::opened, this, [this](ui::CallPanel *panel) {
        panel->setMode(m_settings->text(setting::ArgumentsMode));
        connect(panel, &ui::CallPanel::modeChanged, this,
                [this, panel] { m_settings->set(setting::ArgumentsMode, panel->mode()); });
    });
    connect(&m_tabs, &TabController::opened, &m_savedCalls, &SavedCallsController::follow);
    connect(&m_tabs, &TabController::opened, &m_uses, &UseController::follow);
    connect(&m_uses, &UseController::openRequested, &m_tabs,
            [this](Connection *connection, const ui::OfferRef &ref) { m_tabs.open(connection, ref)->focusForm(); });
    connect(&m_tabs, &TabController::opened, &m_savedCalls, [this](ui::CallPanel *panel) {
        connect(panel, &ui::CallPanel::saveAsRequested, &m_savedCalls,
                [this, panel](const ui::NewSavedCall &made) { m_savedCalls.save(made, panel->connection()); });
    });
    connect(&m_replays, &ReplayController::saveCallRequested, &m_savedCalls,
            [this](const Message &request, const Message &response) {
                if (const std::optional<ui::NewSavedCall> made = ui::savedCallOf(request, response))
                    m_savedCalls.save(*made, nullptr);
            });
    connect(&m_savedCalls, &SavedCallsController::openRequested, &m_tabs,
            [this](Connection *connection, const ui::OfferRef &ref) { m_tabs.open(connection, ref)->focusForm(); });
    connect(&m_savedCalls, &SavedCallsController::runRequested, &m_tabs,
            [this](Connection *connection, const ui::OfferRef &ref) { m_tabs.open(connection, ref)->call(); });
    connect(&m_tabs, &TabController::editRequested, &m_servers, &ServerController::edit);
    connect(&m_tabs, &TabController::remedyRequested, &m_servers, &ServerController::apply);
    connect(&m_tabs, &TabController::compareRequested, &m_comparisons, &CompareController::ask);
    connect(&m_tabs, &TabController::replayRequested, &m_replays, replay);

    connect(&m_requests, &RequestController::focusLeft, &m_tabs, &TabController::focusPage);

    m_goto.setSavedCalls([this](const Connection &connection) { return m_savedCalls.callsFor(connection); });
    connect(&m_goto, &GotoController::offerChosen, &m_tabs,
            [this](Connection *connection, const ui::OfferRef &ref) { m_tabs.open(connection, ref)->focusForm(); });
    connect(&m_goto, &GotoController::aboutToOpen, &m_edits, &EditActions::update);
    connect(&m_goto, &GotoController::sessionChosen, &m_workspace, &Workspace::openSessionFile);
    connect(&m_goto, &GotoController::serverChosen, &m_tabs, [this](WorkspaceItem *item) {
        m_workspace.setCurrent(*item);
        m_tabs.showPage(*item);
    });
}

void WindowController::connectWindow()
{
    MainWindow *w = m_window;
    connect(w->offers, &ui::OfferTree::activated, &m_tabs, [this](const ui::OfferRef &ref) {
        if (Connection *connection = m_workspace.currentConnection())
            m_tabs.open(connection, ref)->focusForm();
    });
    connect(w->welcome, &ui::WelcomePanel::connectRequested, &m_servers, &ServerController::connectTyped);
    connect(w->welcome, &ui::WelcomePanel::demoRequested, &m_servers, &ServerController::startDemo);
    connect(w->welcome, &ui::WelcomePanel::sessionRequested, &m_workspace, &Workspace::openSessionFile);
    connect(w->welcome, &ui::WelcomePanel::shown, this, &WindowController::showRecentSessions);
    connect(w->welcome, &ui::WelcomePanel::shown, &m_imports, &ImportController::look);
    connect(w->welcome, &ui::WelcomePanel::importRequested, &m_imports, [this] { m_imports.ask(); });
    connect(w->welcome, &ui::WelcomePanel::allSessionsRequested, this, &WindowController::chooseSession);
    connect(w->timeline, &ui::TimelinePanel::sendRequested, &m_sending, &SendController::sendAgain);
    connect(w->timeline, &ui::TimelinePanel::editAndSendRequested, &m_sending, &SendController::editAndSend);
    connect(w->timeline, &ui::TimelinePanel::saveCallRequested, &m_savedCalls, &SavedCallsController::saveRecorded);
    connect(w->timeline, &ui::TimelinePanel::replayRequested, &m_replays, [this] { m_replays.ask({}, true); });
    connect(w->timeline, &ui::TimelinePanel::exportRequested, this, &WindowController::exportShown);
    connect(w->timeline, &ui::TimelinePanel::savedFiltersChanged, this, [this] {
        m_window->store(*m_settings);
        m_settings->save();
    });
    connect(w->menus, &MenuBar::menuAboutToShow, &m_edits, &EditActions::update);
    connect(w, &MainWindow::closing, this, &WindowController::askToQuit);
}

void WindowController::connectActions()
{
    const Actions &actions = *m_window->actions;
    const auto on = [this](QAction *action, auto act) { connect(action, &QAction::triggered, this, act); };
    on(actions.goTo, [this] { m_goto.open(); });
    on(actions.addServer, [this] { m_servers.askForServer(); });
    on(actions.openSession, [this] { chooseSession(); });
    on(actions.replay, [this] { m_replays.ask(); });
    on(actions.compare, [this] { m_comparisons.ask(m_workspace.current()); });
    on(actions.importServers, [this] { m_imports.ask(); });
    on(actions.exportServers, [this] { m_imports.exportServers(); });
    on(actions.goToRequest, [this] { m_requests.goToRequest(); });
    on(actions.sessionLimit, [this] { m_preferences.open(Page::Recording, m_window); });
    on(actions.preferences, [this] { m_preferences.open(Page::General, m_window); });
    on(actions.shortcuts, [this] { m_preferences.open(Page::Keys, m_window); });
    on(actions.manual, [this] { showManual(m_window); });
    on(actions.about, [this] { ui::AboutDialog(m_window).exec(); });
    on(actions.statistics, [this] { m_window->timeline->showStatistics(); });
    on(actions.exportSession, [this] { exportShown(false); });
    on(actions.filterOffers, [this] { m_window->offers->focusFilter(); });
    on(actions.filterTimeline, [this] {
        m_window->timeline->show();  // replays and comparisons hide it
        m_window->timeline->focusFilter();
    });
    on(actions.maximiseTimeline, [this] {
        if (m_window->timeline->isHidden())
            m_window->timeline->show();
        else
            m_window->toggleTimeline();
        m_states.update();
    });
    on(actions.openMenu, [this] { m_window->menus->open(); });
    on(actions.reopenTab, [this] { m_tabs.reopen(); });
    on(actions.closeTab, [this] { m_tabs.closeCurrent(); });
    on(actions.quit, [this] { m_window->close(); });
    on(actions.nextTab, [this] { m_tabs.step(1); });
    on(actions.previousTab, [this] { m_tabs.step(-1); });
    const auto onCall = [this, on](QAction *action, auto act) {
        on(action, [this, act] {
            if (ui::CallPanel *panel = m_tabs.currentPanel())
                act(panel);
        });
    };
    onCall(actions.call, [](ui::CallPanel *panel) { panel->call(); });
    onCall(actions.olderCall, [](ui::CallPanel *panel) { panel->stepHistory(-1); });
    onCall(actions.newerCall, [](ui::CallPanel *panel) { panel->stepHistory(1); });
    onCall(actions.cancelCall, [](ui::CallPanel *panel) { panel->cancel(); });
    connectServerActions();
}

// Of the current server.
void WindowController::connectServerActions()
{
    const Actions &actions = *m_window->actions;
    const auto on = [this](QAction *action, auto act) {
        connect(action, &QAction::triggered, this, [this, act] {
            if (WorkspaceItem *item = m_workspace.current())
                act(*item);
        });
    };
    on(actions.restart, [this](WorkspaceItem &item) { m_workspace.restart(item); });
    on(actions.stop, [](const WorkspaceItem &item) {
        if (item.connection)
            item.connection->close();
    });
    on(actions.serverInfo, [this](WorkspaceItem &item) { m_tabs.showPage(item); });
    on(actions.refreshLists, [this](const WorkspaceItem &) { refreshLists(); });
    on(actions.ping, [this](const WorkspaceItem &item) {
        if (item.connection)
            m_tabs.ping(item.connection.get());
    });
    on(actions.showTasks, [this](const WorkspaceItem &item) {
        if (item.connection)
            m_tabs.showTasks(item.connection.get());
    });
    on(actions.editServer, [this](WorkspaceItem &item) { m_servers.edit(&item); });
    on(actions.renameServer, [this](WorkspaceItem &item) { m_servers.rename(item); });
    on(actions.duplicateServer, [this](const WorkspaceItem &item) { m_servers.duplicate(item); });
    on(actions.copyServer, [this](const WorkspaceItem &item) { m_imports.copy(item); });
    on(actions.removeServer, [this](WorkspaceItem &item) { m_servers.remove(item); });
    on(actions.closeSession, [this](WorkspaceItem &item) { m_servers.remove(item); });
}

void WindowController::refreshLists()
{
    using List = Catalog::List;
    const Connection *connection = m_workspace.currentConnection();
    if (!connection)
        return;
    for (const List list : {List::Tools, List::Resources, List::ResourceTemplates, List::Prompts}) {
        if (connection->catalog()->status(list).state != Catalog::State::NotOffered)
            connection->catalog()->refresh(list);
    }
}

void WindowController::chooseSession()
{
    ui::SessionsDialog dialog(m_workspace.library(), m_window);
    connect(&dialog, &ui::SessionsDialog::exportRequested, this,
            [&dialog](const QString &path, const QString &name) { exportFile(path, name, &dialog); });
    connect(&dialog, &ui::SessionsDialog::limitRequested, this,
            [this, &dialog] { m_preferences.open(Page::Recording, &dialog); });
    const bool opened = dialog.exec() == QDialog::Accepted;
    showRecentSessions();
    if (opened && dialog.wantsReplay())
        m_replays.ask(dialog.chosenPath());
    else if (opened)
        m_workspace.openSessionFile(dialog.chosenPath());
}

void WindowController::showRecentSessions()
{
    m_window->welcome->setSessions(m_workspace.library().recent(2 * ui::WelcomePanel::SessionsShown));
}

void WindowController::exportShown(bool selected)
{
    app::exportShown(m_workspace.shownSession(), m_window->timeline, selected, m_window);
}

void WindowController::showError(const QString &title, const Error &error)
{
    m_window->notice->say(title, error);
}

// A task goes on at its server, and is taken up at the next start.
qsizetype WindowController::callsToLose(const Connection *connection) const
{
    const QList<ui::CallPanel *> panels = m_tabs.running(connection);
    return std::count_if(panels.begin(), panels.end(),
                         [](const ui::CallPanel *panel) { return !panel->isTaskRunning(); });
}

void WindowController::askToQuit()
{
    const qsizetype running = callsToLose();
    const QString text = ui::counted(running, tr("1 call is running. Quitting cancels it."),
                                     tr("%1 calls are running. Quitting cancels them."));
    if (m_isClosing || running == 0 || confirm(m_window, tr("Quit Sonde"), text, tr("Quit"), tr("Keep running")))
        shutDown();
}

void WindowController::shutDown()
{
    if (std::exchange(m_isClosing, true))
        return;
    m_window->store(*m_settings);
    m_settings->save();
    m_window->hide();
    m_replays.stopAll();
    m_workspace.close();
}

}  // namespace sonde::app
