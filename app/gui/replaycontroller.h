// Replays: the dialog before one, and its tab.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/tabkeeper.h"
#include "app/gui/workspace.h"

#include <QHash>
#include <QObject>
#include <memory>
#include <optional>

namespace sonde {
struct ReplayPlan;
}

namespace sonde::ui {
class ReplayPanel;
}

namespace sonde::app {

class MainWindow;

// Does not own its arguments; a replay belongs to its tab.
class ReplayController : public QObject, public TabKeeper {
    Q_OBJECT
public:
    ReplayController(Workspace *workspace, MainWindow *window, QObject *parent = nullptr);

    // recording: preselected; empty: the session in the timeline. selected: preselects its selected rows.
    void ask(const QString &recording = {}, bool selected = false);
    // Their servers end with the window; their recordings are closed properly.
    void stopAll();

    bool store(const QWidget *page, TabState *tab, TabContents *contents) const override;
    QWidget *restore(const TabState &tab, const TabContents *contents) override;  // not run

Q_SIGNALS:
    // Of a step, see ui::ReplayPanel. server: of the list, that was recorded; empty: it is not there.
    void saveCallRequested(const sonde::Message &request, const sonde::Message &response, const QString &server);
    void replayed(const QString &recording);  // to its end

private:
    bool askToApprove(const ReplayPlan &plan);
    void open(const ReplayPlan &plan);
    ReplayPlan planOf(const ReplayState &state) const;
    Place listedServer(const ReplayPlan &plan) const;
    std::optional<Error> problemBeforeRun(const ReplayPlan &plan);
    ui::ReplayPanel *add(std::shared_ptr<ReplayRun> run);

    Workspace *m_workspace;
    MainWindow *m_window;
    QHash<const QObject *, ReplayState> m_withoutServer;  // by their panels, restored where the server is not there
};

}  // namespace sonde::app
