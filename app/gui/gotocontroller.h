// The palette that leads to servers, their entries, and commands.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/workspace.h"
#include "ui/panels/offermodel.h"

#include <QObject>

namespace sonde::app {

class MainWindow;

// Does not own its arguments.
class GotoController : public QObject {
    Q_OBJECT
public:
    GotoController(Workspace *workspace, MainWindow *window, QObject *parent = nullptr);

    void open();

Q_SIGNALS:
    void serverChosen(sonde::app::WorkspaceItem *item);
    void offerChosen(sonde::Connection *connection, const sonde::ui::OfferRef &ref);

private:
    Workspace *m_workspace;
    MainWindow *m_window;
};

}  // namespace sonde::app
