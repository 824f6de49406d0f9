// Replays: the dialog before one, and its tab.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/workspace.h"

#include <QObject>

namespace sonde {
struct ReplayPlan;
}

namespace sonde::app {

class MainWindow;

// Does not own its arguments; a replay belongs to its tab.
class ReplayController : public QObject {
    Q_OBJECT
public:
    ReplayController(Workspace *workspace, MainWindow *window, QObject *parent = nullptr);

    // recording: preselected; empty: the session in the timeline. selected: preselects its selected rows.
    void ask(const QString &recording = {}, bool selected = false);
    // Their servers end with the window; their recordings are closed properly.
    void stopAll();

Q_SIGNALS:
    // Of a step, see ui::ReplayPanel.
    void saveCallRequested(const sonde::Message &request, const sonde::Message &response);

private:
    bool isApproved(ReplayPlan *plan);
    void open(const ReplayPlan &plan);

    Workspace *m_workspace;
    MainWindow *m_window;
};

}  // namespace sonde::app
