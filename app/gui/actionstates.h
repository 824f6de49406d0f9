// When each action can do something, and what it is called then.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

namespace sonde::app {

class MainWindow;
class TabController;
class Workspace;

// Follows the list of servers, the tabs and the parts of the window that are shown. Does not own its arguments.
class ActionStates : public QObject {
    Q_OBJECT
public:
    ActionStates(const Workspace *workspace, const TabController *tabs, MainWindow *window, QObject *parent = nullptr);

    void update();

private:
    void updateServer();
    void updateTabs();
    const Workspace *m_workspace;
    const TabController *m_tabs;
    MainWindow *m_window;
};

}  // namespace sonde::app
