// The line that offers to connect again what was connected the last time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/closablebanner.h"

#include <QMenu>

namespace sonde::app {

struct WorkspaceItem;
class Workspace;

// Hidden while there is nothing to offer. A server leaves the line once it is started or removed. Does not own the
// workspace.
class ReconnectBar : public ClosableBanner {
    Q_OBJECT
public:
    explicit ReconnectBar(QWidget *parent = nullptr);

    void offer(Workspace *workspace, const QList<int> &servers);  // by the ids of their items
    QList<int> servers() const { return m_servers; }

Q_SIGNALS:
    void reconnectRequested(sonde::app::WorkspaceItem *item);

private:
    void refresh();
    void reconnect(int server);
    Workspace *m_workspace = nullptr;
    QList<int> m_servers;
    QPushButton *m_all;
    QPushButton *m_one;
    QMenu m_menu;
};

}  // namespace sonde::app
