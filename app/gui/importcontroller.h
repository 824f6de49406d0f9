// Servers of other hosts: looks for them, imports them, and exports those of the list.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/secretkeeper.h"
#include "app/gui/workspace.h"
#include "core/server/hostconfig.h"

#include <QObject>
#include <QPointer>

namespace sonde::app {

class MainWindow;

// Does not own its arguments. Nothing that is imported or dropped is started.
class ImportController : public QObject {
    Q_OBJECT
public:
    ImportController(Workspace *workspace, SecretKeeper *secrets, MainWindow *window, QObject *parent = nullptr);

    void look();  // on a worker; the start page shows what was found
    void ask(const QStringList &files = {}, const QString &text = {});
    void copy(const WorkspaceItem &item);          // as mcpServers JSON, with placeholders for secrets
    void exportServers(const QString &name = {});  // empty: all

Q_SIGNALS:
    void callsDropped(const QStringList &files);  // exports of other programs, not lists of servers

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QList<ServerSpec> servers() const;
    void onDropped(const QStringList &files);
    struct Import;
    void add(const QList<HostServer> &chosen);
    void report(const Import &import);
    const ServerSpec *inList(const HostServer &server) const;
    void fillIn(const ServerSpec &known, const HostServer &server);

    Workspace *m_workspace;
    SecretKeeper *m_secrets;
    MainWindow *m_window;
    QList<HostConfig> m_found;
    QPointer<QObject> m_looking;
};

}  // namespace sonde::app
