// SPDX-License-Identifier: Apache-2.0
#include "app/gui/actionstates.h"

#include "app/gui/actions.h"
#include "app/gui/mainwindow.h"
#include "app/gui/tabcontroller.h"
#include "app/gui/workspace.h"
#include "ui/panels/callpanel.h"
#include "ui/requests/requestpanel.h"

#include <QTabWidget>

namespace sonde::app {

ActionStates::ActionStates(const Workspace *workspace, const TabController *tabs, MainWindow *window, QObject *parent)
    : QObject(parent), m_workspace(workspace), m_tabs(tabs), m_window(window)
{
    connect(workspace, &Workspace::currentChanged, this, &ActionStates::update);
    connect(workspace, &Workspace::listChanged, this, &ActionStates::update);
    connect(workspace, &Workspace::itemChanged, this, &ActionStates::update);
    connect(tabs, &TabController::cancellableChanged, this, &ActionStates::updateTabs);
    connect(tabs, &TabController::tabsChanged, this, &ActionStates::updateTabs);
    connect(window, &MainWindow::partsChanged, this, &ActionStates::updateTabs);
    update();
}

void ActionStates::update()
{
    updateServer();
    updateTabs();
}

void ActionStates::updateServer()
{
    using State = Connection::State;
    const Actions &actions = *m_window->actions;
    const WorkspaceItem *item = m_workspace->current();
    const bool isServer = item && item->isServer();
    const bool isOwn = isServer && !item->isBuiltIn;
    const Connection *connection = m_workspace->currentConnection();
    const State state = connection ? connection->state() : State::Disconnected;
    const bool isConnected = state == State::Connected;
    actions.restart->setEnabled(isServer);
    actions.restart->setText(state == State::Disconnected ? tr("&Start server")
                             : item->spec.startsProcess() ? tr("&Restart server")
                                                          : tr("&Reconnect to server"));
    actions.stop->setEnabled(isConnected || state == State::Connecting);
    actions.serverInfo->setEnabled(isServer);
    actions.refreshLists->setEnabled(isConnected);
    actions.ping->setEnabled(isConnected);
    actions.runSavedCalls->setEnabled(connection != nullptr);
    actions.showTasks->setEnabled(isConnected && connection->taskSupport().calls);
    for (QAction *action :
         {actions.editServer, actions.renameServer, actions.duplicateServer, actions.copyServer, actions.removeServer})
        action->setEnabled(isOwn);
    actions.exportServers->setEnabled(m_workspace->hasOwnServers());
    const bool hasSession = m_workspace->shownSession();
    actions.statistics->setEnabled(hasSession);
    actions.exportSession->setEnabled(hasSession);
    actions.closeSession->setEnabled(item && !isServer);
}

void ActionStates::updateTabs()
{
    const Actions &actions = *m_window->actions;
    const ui::CallPanel *panel = m_tabs->currentPanel();
    actions.call->setEnabled(panel);
    actions.copyArguments->setEnabled(panel && panel->ref().kind != ui::OfferRef::Kind::Resource);
    actions.copyCommand->setEnabled(panel);
    actions.olderCall->setEnabled(panel);
    actions.newerCall->setEnabled(panel);
    actions.cancelCall->setEnabled(panel && panel->isRunning());
    const int count = m_window->tabs->count();
    actions.closeTab->setEnabled(!m_window->hidesTabs() && count > 0);
    actions.pinTab->setEnabled(m_tabs->canPin());
    actions.pinTab->setChecked(m_tabs->marks().isPinned(m_window->tabs->currentWidget()));
    actions.reopenTab->setEnabled(m_tabs->canReopen());
    actions.nextTab->setEnabled(count > 1 || m_window->hidesTabs());
    actions.previousTab->setEnabled(count > 1 || m_window->hidesTabs());
    actions.goToRequest->setEnabled(!m_window->requests->isEmpty());
    actions.maximiseTimeline->setChecked(m_window->hidesTabs());
}

}  // namespace sonde::app
