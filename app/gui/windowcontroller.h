// Creates the controllers of a workspace and its window and connects them with each other and the window.
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
#include "app/gui/laststate.h"
#include "app/gui/offermenu.h"
#include "app/gui/preferencescontroller.h"
#include "app/gui/replaycontroller.h"
#include "app/gui/requestcontroller.h"
#include "app/gui/savedcallscontroller.h"
#include "app/gui/secretkeeper.h"
#include "app/gui/sendcontroller.h"
#include "app/gui/servercontroller.h"
#include "app/gui/sessionscontroller.h"
#include "app/gui/storagewarnings.h"
#include "app/gui/tabcontroller.h"
#include "app/gui/tabmenu.h"
#include "app/gui/usecontroller.h"
#include "app/gui/walkcontroller.h"
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
    WindowController(Workspace *workspace, MainWindow *window, ui::ThemeController *theme, Settings *settings,
                     QObject *parent = nullptr);
    ~WindowController() override;

    ServerController &servers() { return m_servers; }
    RequestController &requests() { return m_requests; }
    bool hasRunningCalls() const { return m_tabs.hasRunningCalls(); }
    bool isKeepingSecrets() const { return m_secrets.isBusy(); }
    bool isClosing() const { return m_isClosing; }
    void restoreLast();  // what was open the last time; from then on the state is kept
    void shutDown();     // without a question; ends in Workspace::finished()

    // For a window that takes the place of this one over the same workspace.
    struct Handover {
        LastState::Handover last;
        QList<RequestController::Rule> rules;
        StorageWarnings::NotSaved notSaved;
    };
    Handover handOver();
    void takeOver(Handover handover);
    void focusPage() { m_tabs.focusPage(); }  // once the window is shown

Q_SIGNALS:
    void languageChanged();  // another one was chosen; the window is still in the former

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
    bool mayQuit();  // asks where something would be lost

    MainWindow *m_window;
    Settings *m_settings;
    // The order matters: later members use earlier ones, and are destroyed first.
    Workspace *m_workspace;
    StorageWarnings m_storage;
    IconController m_icons;
    ArgumentMemory m_arguments;
    SecretKeeper m_secrets;
    ServerController m_servers;
    TabController m_tabs;
    RequestController m_requests;
    SessionsController m_sessions;
    PreferencesController m_preferences;
    CurrentView m_view;
    SavedCallsController m_savedCalls;
    UseController m_uses;
    ReplayController m_replays;
    CompareController m_comparisons;
    LastState m_last;
    SendController m_sending;
    ImportController m_imports;
    GotoController m_goto;
    WalkController m_walk;
    TabMenu m_tabMenu;
    OfferMenu m_offerMenu;
    EditActions m_edits;
    ActionStates m_states;
    bool m_isClosing = false;
};

}  // namespace sonde::app
