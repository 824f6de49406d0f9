// Creates the workspace and its controllers and connects them with each other and the window.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/actionstates.h"
#include "app/gui/argumentmemory.h"
#include "app/gui/comparecontroller.h"
#include "app/gui/currentview.h"
#include "app/gui/editactions.h"
#include "app/gui/gotocontroller.h"
#include "app/gui/iconcontroller.h"
#include "app/gui/importcontroller.h"
#include "app/gui/offermenu.h"
#include "app/gui/preferencescontroller.h"
#include "app/gui/replaycontroller.h"
#include "app/gui/requestcontroller.h"
#include "app/gui/savedcallscontroller.h"
#include "app/gui/secretkeeper.h"
#include "app/gui/sendcontroller.h"
#include "app/gui/servercontroller.h"
#include "app/gui/storagewarnings.h"
#include "app/gui/tabcontroller.h"
#include "app/gui/tabmenu.h"
#include "app/gui/usecontroller.h"
#include "app/gui/workspace.h"

#include <QObject>

namespace sonde::ui {
class ThemeController;
}

namespace sonde::app {

class MainWindow;
class Settings;

// Controllers know the workspace and the widgets, but not each other: their requests to each other are signals that are
// connected here. Arguments outlive this. GUI thread.
class WindowController : public QObject {
    Q_OBJECT
public:
    WindowController(MainWindow *window, ui::ThemeController *theme, Settings *settings, const Profile &profile,
                     QObject *parent = nullptr);
    ~WindowController() override;

    Workspace &workspace() { return m_workspace; }
    ServerController &servers() { return m_servers; }
    void shutDown();  // without a question; ends in finished()

Q_SIGNALS:
    void finished();  // everything was closed in order: the program may end

private:
    void connectControllers();
    void connectWindow();
    void connectActions();
    void chooseSession();
    void showRecentSessions();
    void showError(const QString &title, const Error &error);
    void exportShown(bool selected);
    void connectServerActions();
    void refreshLists();
    void askToQuit();
    // How many calls would be lost with it; null: with all of them.
    qsizetype callsToLose(const Connection *connection = nullptr) const;

    MainWindow *m_window;
    Settings *m_settings;
    // The order matters: later members use earlier ones, and are destroyed first.
    Workspace m_workspace;
    StorageWarnings m_storage;
    IconController m_icons;
    ArgumentMemory m_arguments;
    SecretKeeper m_secrets;
    ServerController m_servers;
    TabController m_tabs;
    RequestController m_requests;
    PreferencesController m_preferences;
    CurrentView m_view;
    SavedCallsController m_savedCalls;
    UseController m_uses;
    ReplayController m_replays;
    CompareController m_comparisons;
    SendController m_sending;
    ImportController m_imports;
    GotoController m_goto;
    TabMenu m_tabMenu;
    OfferMenu m_offerMenu;
    EditActions m_edits;
    ActionStates m_states;
    bool m_isClosing = false;
};

}  // namespace sonde::app
