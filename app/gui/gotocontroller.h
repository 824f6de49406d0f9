// The palette that leads to servers, their entries, sessions, and commands.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/workspace.h"
#include "ui/panels/offermodel.h"

#include <QObject>
#include <QStringList>
#include <functional>

namespace sonde::ui {
struct GotoEntry;
}

namespace sonde::app {

class MainWindow;
class Settings;

// What was chosen lately comes first, then what the current server offers. Does not own its arguments.
class GotoController : public QObject {
    Q_OBJECT
public:
    GotoController(Workspace *workspace, MainWindow *window, Settings *settings, QObject *parent = nullptr);

    // Beside what the servers offer.
    void setSavedCalls(std::function<QList<ui::OfferedCall>(const Connection &)> callsFor);
    void open();

Q_SIGNALS:
    void aboutToOpen();  // what actions can do is asked for after this
    void serverChosen(sonde::app::WorkspaceItem *item);
    void offerChosen(sonde::Connection *connection, const sonde::ui::OfferRef &ref);
    void runChosen(sonde::Connection *connection, const sonde::ui::OfferRef &ref);  // a saved call
    void sessionChosen(const QString &path);

private:
    struct Target;
    using Entries = QList<ui::GotoEntry>;
    void addItem(Entries &entries, const WorkspaceItem &item) const;
    void addSessions(Entries &entries) const;
    void addActions(Entries &entries) const;
    void choose(const Target &target);
    void run(const Target &target);
    ui::GotoEntry entryFor(const Target &target, const QString &text, const QString &detail, const QString &iconName,
                           const QString &title = {}) const;
    void remember(const QString &key);

    Workspace *m_workspace;
    MainWindow *m_window;
    Settings *m_settings;
    std::function<QList<ui::OfferedCall>(const Connection &)> m_savedCallsFor;
    QStringList m_recent;  // keys of targets, the last one first
};

}  // namespace sonde::app
