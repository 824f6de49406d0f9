// The list of servers and its actions: start, stop, add, edit, remove.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/losses.h"
#include "app/gui/secretkeeper.h"
#include "app/gui/workspace.h"
#include "core/doctor/doctorline.h"

#include <QObject>
#include <QPointer>
#include <functional>
#include <optional>
#include <utility>

class QPoint;

namespace sonde::ui {
class ServerDialog;
}

namespace sonde::app {

class MainWindow;

// Does not own its arguments.
class ServerController : public QObject {
    Q_OBJECT
public:
    ServerController(Workspace *workspace, SecretKeeper *secrets, MainWindow *window, QObject *parent = nullptr);

    // What would be lost with the tabs of a server; the questions before it is removed or restarted say so.
    void setLosses(std::function<Losses(const WorkspaceItem &)> losses) { m_losses = std::move(losses); }
    // Connects to the demo server; demoStarted() then opens its first tool.
    void startDemo();
    // What was typed or pasted: a new server, unless the list has it.
    void connectTyped(const ServerSpec &spec);
    void connectServer(const QString &name);
    // A command line or URL typed by the user. folder: working directory of a command; empty: the home folder.
    void connectLine(const QString &line, const QString &folder = {});
    void askForServer();
    void edit(WorkspaceItem *item);
    void rename(WorkspaceItem &item);
    void duplicate(const WorkspaceItem &item);  // without starting it
    void remove(WorkspaceItem &item);
    void restart(WorkspaceItem &item);  // asks first if calls are running
    // Asks first where that takes a person, and starts it again. certificate: the fingerprint of the one that was not
    // trusted.
    void apply(WorkspaceItem *item, Remedy remedy, const QString &certificate);

Q_SIGNALS:
    void pageRequested(sonde::app::WorkspaceItem *item);
    void replayRequested(const QString &recording);
    void compareRequested(sonde::app::WorkspaceItem *item);
    void copyRequested(sonde::app::WorkspaceItem *item);    // as mcpServers JSON
    void exportRequested(sonde::app::WorkspaceItem *item);  // with others
    void demoStarted(sonde::Connection *connection);

private:
    using Typed = SecretKeeper::Secrets;  // into a dialog: the server, and which of its values are secret

    void addAndConnect(const Typed &typed);
    void forgetSecrets(const ServerSpec &gone);
    Losses lossesOf(const WorkspaceItem &item) const { return m_losses ? m_losses(item) : Losses(); }
    static QString cancelledText(const Losses &losses);  // empty: no call is running
    // typed: the first content of the dialog; none: what was typed before it was cancelled, or the server as it is.
    void showAddDialog(const std::optional<Typed> &typed = {});
    void showEditDialog(const ServerSpec &before, const std::optional<Typed> &typed = {});
    void sayFailed(const QString &title, const Error &error, const ServerSpec &kept, const Typed &typed,
                   const std::function<void()> &showAgain);
    void refreshList();
    void showOnWelcome();
    void showCurrent();
    void showMenu(const QPoint &position);

    Workspace *m_workspace;
    MainWindow *m_window;
    SecretKeeper *m_secrets;
    QPointer<ui::ServerDialog> m_draft;  // of a server that was not added; the window owns it
    QStringList m_latest;                // servers of the last sessions
    QList<ServerSpec> m_pending;         // as they were typed; the keychain does not have their secrets yet
    std::function<Losses(const WorkspaceItem &)> m_losses;
};

}  // namespace sonde::app
