// SPDX-License-Identifier: Apache-2.0
#include "app/gui/windowcontroller.h"

#include "app/gui/actions.h"
#include "app/gui/exporting.h"
#include "app/gui/mainwindow.h"
#include "app/gui/manual.h"
#include "app/gui/menubar.h"
#include "app/gui/reconnectbar.h"
#include "app/gui/servernews.h"
#include "app/gui/settings.h"
#include "app/gui/warningbar.h"
#include "ui/dialogs/aboutdialog.h"
#include "ui/panels/callpanel.h"
#include "ui/panels/offertree.h"
#include "ui/panels/savedcallspanel.h"
#include "ui/panels/welcomepanel.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/timelinepanel.h"

#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::app {

using Page = ui::PreferencesDialog::Page;
using Kept = StorageWarnings::Kept;

WindowController::WindowController(Workspace *workspace, MainWindow *window, ui::ThemeController *theme,
                                   Settings *settings, QObject *parent)
    : QObject(parent),
      m_window(window),
      m_settings(settings),
      m_workspace(workspace),
      m_storage(&workspace->store(), &workspace->library(), window->notice),
      m_icons(m_workspace, settings),
      m_arguments(workspace),
      m_secrets(workspace->profile().secrets, window),
      m_servers(m_workspace, &m_secrets, window),
      m_tabs(m_workspace, window),
      m_requests(m_workspace, window),
      m_sessions(m_workspace, window),
      m_preferences({window, theme, settings, m_workspace, &m_storage, &m_requests, &m_sessions}),
      m_view(m_workspace, window),
      m_savedCalls(m_workspace, window, settings),
      m_uses(window),
      m_replays(m_workspace, window),
      m_comparisons(m_workspace, window),
      m_last({m_workspace, &m_tabs, &m_view, window, settings}),
      m_sending(m_workspace, window),
      m_imports(m_workspace, &m_secrets, window),
      m_goto(m_workspace, window, settings),
      m_walk(m_workspace, window),
      m_tabMenu(&m_tabs, window),
      m_offerMenu(m_workspace, &m_tabs, window),
      m_edits(window->actions, window),
      m_states(m_workspace, &m_tabs, window)
{
    connectControllers();
    connectWindow();
    window->restore(*settings);
    new ManualController(window, settings);
    new ServerNews(m_workspace, window);
    connectActions();
    m_storage.loadServers();
}

WindowController::~WindowController()
{
    // From here on, end signals would reach controllers that are partly destroyed.
    m_tabs.disconnect();
    m_workspace->disconnect(this);
}

// Connections between controllers.
void WindowController::connectControllers()
{
    connect(m_workspace, &Workspace::failed, this, &WindowController::showError);
    connect(&m_preferences, &PreferencesController::languageChanged, this, &WindowController::languageChanged);
    connect(m_workspace, &Workspace::recordingBegan, &m_storage, &StorageWarnings::watch);
    connect(m_workspace, &Workspace::notRecorded, this,
            [this](const Error &reason) { m_storage.sayNotSaved({Kept::Sessions}, reason); });
    connect(&m_arguments, &ArgumentMemory::notSaved, this,
            [this](const Error &reason) { m_storage.sayNotSaved({Kept::Arguments}, reason); });
    connect(&m_arguments, &ArgumentMemory::saved, this, [this] { m_storage.forgetNotSaved(Kept::Arguments); });
    connect(&m_storage, &StorageWarnings::saveAgainRequested, &m_arguments, &ArgumentMemory::saveAgain);
    connect(&m_last, &LastState::notSaved, this,
            [this](const Error &reason) { m_storage.sayNotSaved({Kept::OpenTabs}, reason); });
    connect(&m_last, &LastState::saved, this, [this] { m_storage.forgetNotSaved(Kept::OpenTabs); });
    connect(&m_storage, &StorageWarnings::saveAgainRequested, &m_last, &LastState::saveNow);
    connect(&m_last, &LastState::repeatRequested, &m_storage, &StorageWarnings::repeat);
    connect(&m_last, &LastState::repeatRequested, &m_savedCalls, &SavedCallsController::repeat);
    const auto reconnect = [this](WorkspaceItem *item) { m_workspace->reconnect(*item); };
    connect(&m_tabs, &TabController::reconnectRequested, m_workspace, reconnect);
    connect(m_window->reconnect, &ReconnectBar::reconnectRequested, m_workspace, reconnect);
    connect(m_window->reconnect, &ReconnectBar::focusLeft, &m_tabs, &TabController::focusPage);
    connect(m_window->notice, &WarningBar::focusLeft, &m_tabs, &TabController::focusPage);
    connect(&m_storage, &StorageWarnings::limitRequested, this,
            [this] { m_preferences.open(Page::Recording, m_window); });
    connect(&m_storage, &StorageWarnings::changed, &m_view, &CurrentView::updateStatus);

    m_tabs.setKeepers({&m_replays, &m_comparisons, &m_savedCalls});
    m_tabs.setSuiteMaker(
        [this](const TabState &tab, Connection *connection) { return m_savedCalls.makeNotRun(tab, connection); });
    const auto replay = [this](const QString &recording) { m_replays.ask(recording); };
    connect(&m_servers, &ServerController::pageRequested, &m_tabs,
            [this](WorkspaceItem *item) { m_tabs.showPage(*item); });
    connect(m_workspace, &Workspace::personNeeded, &m_tabs, [this](WorkspaceItem *item) { m_tabs.showWaiting(*item); });
    connect(&m_servers, &ServerController::demoStarted, &m_tabs, &TabController::openFirstTool);
    connect(&m_servers, &ServerController::compareRequested, &m_comparisons, &CompareController::ask);
    connect(&m_servers, &ServerController::replayRequested, &m_replays, replay);
    connect(&m_servers, &ServerController::copyRequested, &m_imports,
            [this](WorkspaceItem *item) { m_imports.copy(*item); });
    m_servers.setLosses([this](const WorkspaceItem &item) { return m_tabs.losses(&item); });
    connect(&m_servers, &ServerController::exportRequested, &m_imports,
            [this](WorkspaceItem *item) { m_imports.exportServers(item->spec.name); });

    connect(&m_sessions, &SessionsController::replayRequested, &m_replays, replay);
    connect(&m_sessions, &SessionsController::limitsRequested, this,
            [this](QWidget *parent) { m_preferences.open(Page::Recording, parent); });

    connect(&m_tabs, &TabController::opened, &m_arguments, &ArgumentMemory::follow);
    connect(&m_tabs, &TabController::opened, this, [this](ui::CallPanel *panel) {
        panel->setMode(m_settings->text(setting::ArgumentsMode));
        connect(panel, &ui::CallPanel::modeChanged, this,
                [this, panel] { m_settings->set(setting::ArgumentsMode, panel->mode()); });
    });
    for (const auto signal : {&TabController::opened, &TabController::reopened})
        connect(&m_tabs, signal, &m_savedCalls, qOverload<ui::CallPanel *>(&SavedCallsController::follow));
    connect(&m_tabs, &TabController::opened, &m_uses, &UseController::follow);
    connect(&m_uses, &UseController::openRequested, &m_tabs,
            [this](Connection *connection, const ui::OfferRef &ref) { m_tabs.open(connection, ref)->focusForm(); });
    connect(&m_tabs, &TabController::opened, &m_savedCalls, [this](ui::CallPanel *panel) {
        connect(panel, &ui::CallPanel::saveAsRequested, &m_savedCalls, [this, panel](const ui::NewSavedCall &made) {
            m_savedCalls.save(made, panel->connection() ? m_workspace->keptName(*panel->connection()) : QString());
        });
    });
    connect(&m_replays, &ReplayController::saveCallRequested, &m_savedCalls,
            [this](const Message &request, const Message &response, const QString &server) {
                if (const std::optional<ui::NewSavedCall> made = ui::savedCallOf(request, response))
                    m_savedCalls.save(*made, server);
            });
    connect(&m_savedCalls, &SavedCallsController::openRequested, &m_tabs,
            [this](Connection *connection, const ui::OfferRef &ref) { m_tabs.open(connection, ref)->focusForm(); });
    connect(&m_savedCalls, &SavedCallsController::runRequested, &m_tabs,
            [this](Connection *connection, const ui::OfferRef &ref) { m_tabs.open(connection, ref)->call(); });
    connect(&m_tabs, &TabController::editRequested, &m_servers, &ServerController::edit);
    connect(&m_tabs, &TabController::restartRequested, &m_servers,
            [this](WorkspaceItem *item) { m_servers.restart(*item); });
    connect(&m_tabs, &TabController::remedyRequested, &m_servers, &ServerController::apply);
    connect(&m_tabs, &TabController::compareRequested, &m_comparisons, &CompareController::ask);
    connect(&m_tabs, &TabController::replayRequested, &m_replays, replay);

    connect(&m_requests, &RequestController::focusLeft, &m_tabs, &TabController::focusPage);

    connect(&m_walk, &WalkController::pageRequested, &m_tabs, [this](WorkspaceItem *item) { m_tabs.showPage(*item); });
    connect(&m_walk, &WalkController::offerChosen, &m_tabs,
            [this](Connection *connection, const ui::OfferRef &ref) { m_tabs.open(connection, ref)->focusForm(); });
    connect(&m_walk, &WalkController::replayRequested, &m_replays, replay);
    connect(&m_replays, &ReplayController::replayed, &m_walk, &WalkController::onReplayed);

    m_goto.setSavedCalls([this](const Connection &connection) { return m_savedCalls.callsFor(connection); });
    connect(&m_goto, &GotoController::offerChosen, &m_tabs,
            [this](Connection *connection, const ui::OfferRef &ref) { m_tabs.open(connection, ref)->focusForm(); });
    connect(&m_goto, &GotoController::runChosen, &m_tabs,
            [this](Connection *connection, const ui::OfferRef &ref) { m_tabs.open(connection, ref)->call(); });
    connect(&m_imports, &ImportController::callsDropped, &m_savedCalls, &SavedCallsController::importCalls);
    connect(&m_goto, &GotoController::aboutToOpen, &m_edits, &EditActions::update);
    connect(&m_goto, &GotoController::sessionChosen, m_workspace, &Workspace::openSessionFile);
    connect(&m_goto, &GotoController::serverChosen, &m_tabs, [this](WorkspaceItem *item) {
        m_workspace->setCurrent(*item);
        m_tabs.showPage(*item);
    });
}

void WindowController::connectWindow()
{
    MainWindow *w = m_window;
    connect(w->offers, &ui::OfferTree::previewed, &m_tabs, [this](const ui::OfferRef &ref) {
        if (Connection *connection = m_workspace->currentConnection()) {
            ui::CallPanel *panel = m_tabs.preview(connection, ref);
            // The tree has keys for what is done with its file.
            if (ref.savedCall.isEmpty())
                panel->focusForm();
        } else if (const WorkspaceItem *item = m_workspace->current(); item && item->offers) {
            m_tabs.openRecorded(*item, ref, TabController::Opening::Preview);
        }
    });
    connect(w->offers, &ui::OfferTree::activated, &m_tabs, [this](const ui::OfferRef &ref) {
        if (Connection *connection = m_workspace->currentConnection())
            m_tabs.open(connection, ref)->focusForm();
        else if (const WorkspaceItem *item = m_workspace->current(); item && item->offers)
            m_tabs.openRecorded(*item, ref, TabController::Opening::Kept);
    });
    connect(w->welcome, &ui::WelcomePanel::connectRequested, &m_servers, &ServerController::connectTyped);
    connect(w->welcome, &ui::WelcomePanel::demoRequested, &m_servers, &ServerController::startDemo);
    connect(w->welcome, &ui::WelcomePanel::walkRequested, &m_walk, &WalkController::showWalk);
    connect(w->welcome, &ui::WelcomePanel::askRequested, &m_walk, [this] {
        m_walk.open({ui::OfferRef::Kind::Tool, u"ask-form"_s});
    });
    connect(w->welcome, &ui::WelcomePanel::sessionRequested, m_workspace, &Workspace::openSessionFile);
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
    on(actions.compare, [this] { m_comparisons.ask(m_workspace->current()); });
    on(actions.importServers, [this] { m_imports.ask(); });
    on(actions.importCalls, [this] { m_savedCalls.importCalls(); });
    on(actions.exportServers, [this] { m_imports.exportServers(); });
    on(actions.runSavedCalls, [this] { m_savedCalls.runCurrent(); });
    on(actions.goToRequest, [this] { m_requests.goToRequest(); });
    on(actions.sessionLimit, [this] { m_preferences.open(Page::Recording, m_window); });
    on(actions.preferences, [this] { m_preferences.open(Page::General, m_window); });
    on(actions.shortcuts, [this] { m_preferences.open(Page::Keys, m_window); });
    on(actions.about, [this] { ui::AboutDialog(m_window).exec(); });
    on(actions.statistics, [this] { m_window->timeline->showStatistics(); });
    on(actions.exportSession, [this] { exportShown(false); });
    on(actions.filterOffers, [this] { m_window->offers->focusFilter(); });
    on(actions.filterTimeline, [this] {
        m_window->showTimeline();
        m_window->timeline->focusFilter();
    });
    on(actions.maximiseTimeline, [this] {
        if (m_window->timeline->isHidden())
            m_window->showTimeline();
        else
            m_window->toggleTimeline();
        m_states.update();
    });
    on(actions.openMenu, [this] { m_window->menus->open(); });
    on(actions.reopenTab, [this] { m_tabs.reopen(); });
    on(actions.closeTab, [this] { m_tabs.closeCurrent(); });
    on(actions.pinTab, [this] { m_tabs.togglePinned(); });
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
    onCall(actions.copyArguments, [](ui::CallPanel *panel) { panel->copyAs(false); });
    onCall(actions.copyCommand, [](ui::CallPanel *panel) { panel->copyAs(true); });
    onCall(actions.cancelCall, [](ui::CallPanel *panel) { panel->cancel(); });
    connectServerActions();
}

// Of the current server.
void WindowController::connectServerActions()
{
    const Actions &actions = *m_window->actions;
    const auto on = [this](QAction *action, auto act) {
        connect(action, &QAction::triggered, this, [this, act] {
            if (WorkspaceItem *item = m_workspace->current())
                act(*item);
        });
    };
    on(actions.restart, [this](WorkspaceItem &item) { m_servers.restart(item); });
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
    const Connection *connection = m_workspace->currentConnection();
    if (!connection)
        return;
    for (const List list : {List::Tools, List::Resources, List::ResourceTemplates, List::Prompts}) {
        if (connection->catalog()->status(list).state != Catalog::State::NotOffered)
            connection->catalog()->refresh(list);
    }
}

void WindowController::chooseSession()
{
    m_sessions.choose();
    showRecentSessions();
}

void WindowController::showRecentSessions()
{
    m_window->welcome->setSessions(m_workspace->library().recent(2 * ui::WelcomePanel::SessionsShown),
                                   SessionNotes::ofUser().all());
}

void WindowController::exportShown(bool selected)
{
    app::exportShown(m_workspace->shownSession(), m_window->timeline, selected, m_window);
}

void WindowController::showError(const QString &title, const Error &error)
{
    m_window->notice->say(title, error);
}

void WindowController::askToQuit()
{
    if (m_isClosing || mayQuit())
        shutDown();
}

// Asked once more after an export, which may be of one session among others that are not saved.
bool WindowController::mayQuit()
{
    for (;;) {
        const Losses losses = m_tabs.losses();
        const QStringList unsaved = m_storage.unsaved();
        QStringList texts;
        if (losses.waiting > 0)
            texts << tr("%1 calls are running or waiting. Quitting cancels them.").arg(losses.calls());
        else if (losses.running > 0)
            texts << ui::counted(losses.running, tr("1 call is running. Quitting cancels it."),
                                 tr("%1 calls are running. Quitting cancels them."));
        if (!unsaved.isEmpty())
            texts << tr("Not saved, only kept in memory: %1. Quitting discards it.").arg(unsaved.join(tr(", ")));
        if (texts.isEmpty())
            return true;
        QMessageBox box(QMessageBox::Question, tr("Quit Sonde"), texts.join(u"\n\n"_s), QMessageBox::NoButton,
                        m_window);
        box.setTextFormat(Qt::PlainText);
        const QPushButton *quits = box.addButton(tr("Quit"), QMessageBox::DestructiveRole);
        QPushButton *keeps = box.addButton(tr("Keep running"), QMessageBox::RejectRole);
        const QList<QPointer<Session>> sessions = m_storage.unsavedSessions();
        const QPushButton *exports =
            sessions.isEmpty()
                ? nullptr
                : box.addButton(Actions::nameOf(m_window->actions->exportSession), QMessageBox::ActionRole);
        box.setDefaultButton(keeps);
        box.setEscapeButton(keeps);
        box.exec();
        if (!exports || box.clickedButton() != exports)
            return box.clickedButton() == quits;
        for (const QPointer<Session> &session : sessions)
            exportSession(session, m_window);
    }
}

WindowController::Handover WindowController::handOver()
{
    return {m_last.handOver(), m_requests.rules(), m_storage.notSaved()};
}

void WindowController::takeOver(Handover handover)
{
    m_requests.setRules(handover.rules);
    m_workspace->beginAgain();
    m_storage.setNotSaved(handover.notSaved);
    m_last.takeOver(std::move(handover.last));
}

void WindowController::restoreLast()
{
    // With no list of servers their tabs would be lost.
    if (!m_workspace->store().load())
        m_last.restore();
}

void WindowController::shutDown()
{
    if (std::exchange(m_isClosing, true))
        return;
    m_last.saveAtEnd();
    m_window->store(*m_settings);
    m_settings->save();
    m_window->hide();
    m_replays.stopAll();
    m_workspace->close();
}

}  // namespace sonde::app
