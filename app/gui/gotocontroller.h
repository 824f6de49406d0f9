// The palette that leads to a server, to something it offers, or to a command.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/workspace.h"
#include "ui/panels/offermodel.h"

#include <QObject>
#include <functional>

namespace sonde::app {

class MainWindow;

// Owns nothing that it is given.
class GotoController : public QObject {
    Q_OBJECT
public:
    GotoController(Workspace *workspace, MainWindow *window, QObject *parent = nullptr);

    // One more entry, below servers and offers. keys: as the entry shows them; may be empty.
    void addCommand(const QString &text, const QString &keys, const QString &iconName, std::function<void()> run);
    void open();

Q_SIGNALS:
    void serverChosen(sonde::app::WorkspaceItem *item);
    void offerChosen(sonde::Connection *connection, const sonde::ui::OfferRef &ref);

private:
    struct Command {
        QString text;
        QString keys;
        QString iconName;
        std::function<void()> run;
    };

    Workspace *m_workspace;
    MainWindow *m_window;
    QList<Command> m_commands;
};

}  // namespace sonde::app
