// Shows the current item of the list: its offering, its messages, the status line.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/workspace.h"
#include "ui/timeline/timelinepanel.h"

#include <QHash>
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

    // Each item has its own filter and view in the timeline.
    ui::TimelineLook lookOf(const WorkspaceItem &item) const;
    void setLook(const WorkspaceItem &item, const ui::TimelineLook &look);

private:
    void show();
    void changeLook(const WorkspaceItem *item);
    void showOffers(const WorkspaceItem *item);
    void followLive(Connection *connection);

    Workspace *m_workspace;
    MainWindow *m_window;
    QPointer<Session> m_session;  // whose growth is followed
    QPointer<Subscriptions> m_subscriptions;
    QPointer<ToolMemory> m_toolMemory;
    QHash<int, ui::TimelineLook> m_looks;  // by the item's id, while another one is shown
    int m_shownItem = 0;
    QTimer m_statusTimer;
};

}  // namespace sonde::app
