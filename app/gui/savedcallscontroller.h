// Saved calls: the folders with their files, their place in the tree, their tabs, and runs of many of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/tabkeeper.h"
#include "app/gui/workspace.h"
#include "core/savedcalls/callfolders.h"
#include "ui/panels/offermodel.h"

#include <QObject>
#include <QPointer>
#include <functional>

class QPoint;

namespace sonde::ui {
class CallPanel;
class SavedCallsPanel;
struct NewSavedCall;
}  // namespace sonde::ui

namespace sonde::app {

class MainWindow;
class Settings;

// Does not own its arguments; a run belongs to its tab.
class SavedCallsController : public QObject, public TabKeeper {
    Q_OBJECT
public:
    SavedCallsController(Workspace *workspace, MainWindow *window, Settings *settings, QObject *parent = nullptr);

    const CallFolders &folders() const { return m_folders; }
    // What fits the server: its own calls and those of none. Those that it has no tool for have a problem.
    QList<ui::OfferedCall> callsFor(const Connection &connection) const;

    void follow(ui::CallPanel *panel);  // a tab that was opened
    // Asks where to; server: whose call it is; empty: of any.
    void save(const ui::NewSavedCall &made, const QString &server);
    void saveRecorded(qsizetype row);  // of the session in the timeline

    void addFolder();
    // Shows the calls in exports of other programs, and asks which are saved, and where.
    void importCalls(const QStringList &files = {});
    void run(const QString &path);
    void runFolder(const QString &folder);  // on the current server
    void repeat(const QObject *about);      // a notice of the window before, if it was about a connection
    void runCurrent();                      // the folder of the current tab, the only one, or one that is asked for

    bool store(const QWidget *page, TabState *tab, TabContents *contents) const override;
    // With contents only: without, it waits for its server, and makeNotRun() makes its page then, which is no tab yet.
    QWidget *restore(const TabState &tab, const TabContents *contents) override;
    ui::SavedCallsPanel *makeNotRun(const TabState &tab, Connection *connection);

Q_SIGNALS:
    void openRequested(sonde::Connection *connection, const sonde::ui::OfferRef &ref);
    void runRequested(sonde::Connection *connection, const sonde::ui::OfferRef &ref);

private:
    void setFolders(const QStringList &folders);
    void saveImportedCalls(const QList<SavedCall> &chosen, const QString &folder);
    void follow(const QString &folder);
    void showInTree();
    QList<ui::OfferAction> actionsFor(const QList<ui::OfferedCall> &calls) const;
    void followCurrent();
    void onFilesChanged();
    void onActionActivated(const QString &id);
    void showMenu(const ui::OfferRef &ref, const QPoint &place);
    void showFolderMenu(const QPoint &place);
    void onServerRenamed(const QString &from, const QString &to);
    void changeFiles(const QStringList &paths, const std::function<bool(SavedCall &)> &change);
    void rename(const QString &path);
    void moveTo(const QString &path, const QString &name);
    void renameReferences(const QString &path, const QString &from, const QString &to);
    void remove(const QString &path);
    QList<SavedCall> callsOf(const QString &folder, const Connection &connection, QStringList *leftOut = nullptr) const;
    void runOn(Connection *connection, const QString &folder, const QList<SavedCall> &calls);
    void offerStart(Connection *connection);
    void confirm(Connection *connection, const QList<SavedCall> &calls, const std::function<void()> &run);
    ui::SavedCallsPanel *panelFor(Connection *connection, const QString &folder, const QList<SavedCall> &calls);
    ui::SavedCallsPanel *makePanel(Connection *connection, const QString &server, const QString &folder,
                                   const QList<SavedCall> &calls);
    void addPanel(ui::SavedCallsPanel *panel);
    void runAgain(ui::SavedCallsPanel *panel, const QList<SavedCall> &only);
    void writeExpectation(ui::SavedCallsPanel *panel, const SavedCall &call);
    void onRemoved(const QList<const WorkspaceItem *> &items);
    QList<ui::CallPanel *> tabsOf(const QString &path) const;

    Workspace *m_workspace;
    MainWindow *m_window;
    Settings *m_settings;
    CallFolders m_folders;
    QPointer<Catalog> m_catalog;  // that is followed
};

}  // namespace sonde::app
