// Shows the current item of the list: its offering, its messages, the status line.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/workspace.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

namespace sonde {
class Subscriptions;
class ToolMemory;
}  // namespace sonde

namespace sonde::app {

class MainWindow;

// Does not own its arguments.
class CurrentView : public QObject {
    Q_OBJECT
public:
    CurrentView(Workspace *workspace, MainWindow *window, QObject *parent = nullptr);
    ~CurrentView() override;

    void updateStatus();

private:
    void show();
    void showOffers(const WorkspaceItem *item);
    void followLive(Connection *connection);

    Workspace *m_workspace;
    MainWindow *m_window;
    QPointer<Session> m_session;  // whose growth is followed
    QPointer<Subscriptions> m_subscriptions;
    QPointer<ToolMemory> m_toolMemory;
    QTimer m_statusTimer;
};

}  // namespace sonde::app
