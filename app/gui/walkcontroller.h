// The guided tour through the demo server: leads to what a step is about, and sees what is done in the window.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/workspace.h"
#include "ui/panels/guidedwalk.h"
#include "ui/panels/offermodel.h"

#include <QObject>

namespace sonde::app {

class MainWindow;

// Does not own its arguments.
class WalkController : public QObject {
    Q_OBJECT
public:
    WalkController(Workspace *workspace, MainWindow *window, QObject *parent = nullptr);

    void showWalk();  // on the page of the demo server, which is started
    // As soon as the demo server, which is started for that, lists it; unless the user has moved on by then.
    void open(const ui::OfferRef &ref);
    void onReplayed(const QString &recording);

Q_SIGNALS:
    void pageRequested(sonde::app::WorkspaceItem *item);
    void offerChosen(sonde::Connection *connection, const sonde::ui::OfferRef &ref);
    void replayRequested(const QString &recording);

private:
    void leadTo(ui::WalkStep::Kind kind);
    void complete(ui::WalkStep::Kind kind);
    void follow(const WorkspaceItem *item);
    void openAwaited();

    Workspace *m_workspace;
    MainWindow *m_window;
    ui::OfferRef m_awaited;  // Kind::None: nothing
};

}  // namespace sonde::app
