// The palette that leads to servers, their entries, and commands.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/workspace.h"
#include "ui/panels/offermodel.h"

#include <QObject>
#include <functional>

namespace sonde::app {

class MainWindow;

// Does not own its arguments.
class GotoController : public QObject {
    Q_OBJECT
public:
    GotoController(Workspace *workspace, MainWindow *window, QObject *parent = nullptr);

    // Adds an entry below servers and their entries. keys: as shown in the entry; may be empty.
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
