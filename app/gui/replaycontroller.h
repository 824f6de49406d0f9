// Replays: what is asked before one, and the tab it gets.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/workspace.h"

#include <QObject>

namespace sonde {
struct ReplayPlan;
}

namespace sonde::app {

class MainWindow;

// Owns nothing that it is given; a replay belongs to its tab.
class ReplayController : public QObject {
    Q_OBJECT
public:
    ReplayController(Workspace *workspace, MainWindow *window, QObject *parent = nullptr);

    // recording: preselected; empty: the session in the timeline. selected: its selected rows are preselected, too.
    void ask(const QString &recording = {}, bool selected = false);
    // Their servers end with the window; what has been recorded gets its end.
    void stopAll();

private:
    void open(const ReplayPlan &plan);

    Workspace *m_workspace;
    MainWindow *m_window;
};

}  // namespace sonde::app
