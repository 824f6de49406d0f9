// Everything that is open: connections, sessions, tabs. All connect()s between the window's parts are made here.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/storagenotices.h"
#include "core/connection/argumentstore.h"
#include "core/connection/connection.h"
#include "core/connection/serverstore.h"
#include "core/session/sessionlibrary.h"
#include "ui/dialogs/senddialog.h"
#include "ui/panels/offermodel.h"
#include "ui/panels/serverlist.h"

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <memory>
#include <vector>

class QShortcut;

namespace sonde::ui {
class CallPanel;
struct CompareChoice;
struct ReplayPlan;
class ThemeController;
}  // namespace sonde::ui

namespace sonde::app {

class MainWindow;
class Settings;

class Workspace : public QObject {
    Q_OBJECT
public:
    Workspace(MainWindow *window, ui::ThemeController *theme, Settings *settings, QObject *parent = nullptr);
    ~Workspace() override;

    // The server that comes with Sonde.
    static ServerSpec demoSpec();

    // Connects to the demo server and opens its first tool.
    void startDemo();
    // Adds a server that is not in the list yet, and connects.
    void addAndConnect(ServerSpec spec);
    void connectServer(const QString &name);
    // A command line or an address, as a person types it. folder: that a command runs in; empty: the home folder.
    void connectLine(const QString &line, const QString &folder = {});
    void openSessionFile(const QString &path);

Q_SIGNALS:
    void finished();  // everything was closed in order: the program may end

private:
    // One line of the server list: a configured server, started or not, or a recording.
    struct Item {
        explicit Item(int number) : id(number) {}
        Session *shownSession() const;           // in the timeline; null: there is none yet
        bool owns(const QWidget *shown) const;   // that tab speaks of it
        const int id;  // of no other one in this window
        ui::ServerItem::Kind kind = ui::ServerItem::Kind::Server;
        ServerSpec spec;
        bool isBuiltIn = false;
        std::unique_ptr<Connection> connection;  // made at the first start
        std::unique_ptr<Session> session;        // of a recording
        QPointer<QWidget> page;                  // in a tab, once it was shown
        bool opensFirstTool = false;             // once it is connected and its page is still looked at
    };

    std::unique_ptr<Item> newItem();
    QString nameProblem(const QString &name) const;  // why a server cannot be called that; empty: it can
    void wireWindow();
    void wireShortcuts();
    void syncServers();
    void refreshList();
    ui::ServerItem describe(const Item &item) const;
    Item *current();
    Item *itemOf(const Connection *connection) const;
    Item *itemOfPage(const QWidget *page) const;
    int rowOf(const Item *item) const;
    void select(int row);      // list, offers and timeline; the tab is of that line or of none
    void goToServer(int row);  // a person's choice: also the tab, where the current one is of another line
    void showPage(Item &item);
    void choosePage(Item &item);  // without bringing the tabs back while the timeline has the whole height
    void refreshPage(const Item &item);
    void showCurrent();

    void start(int row);
    void stop(int row);
    void restart(int row);
    void edit(int row);
    void remove(int row);
    void serverMenu(const QPoint &position);
    void addServer();
    void chooseSession();
    void showRecentSessions();
    void goTo();
    Connection *ensureConnection(Item &item);
    void onStateChanged(Connection *connection);
    void openFirstTool(Connection *connection);
    void leave(std::vector<std::unique_ptr<Item>> gone, int row);

    ui::CallPanel *openTab(Connection *connection, const ui::OfferRef &ref);
    void rememberArguments(ui::CallPanel *panel);
    QWidget *makePage(Item &item);
    void closeTab(int index);
    void removeTab(QWidget *page);
    void nameTabs();
    void focusPage();
    ui::CallPanel *currentPanel() const;  // null while the tabs are hidden: the keys call what can be seen
    void bringForward(QWidget *page);
    void updateCancel();
    void onTabChanged(int index);

    // recording: preselected; empty: the session in the timeline. selected: its selected rows are preselected, too.
    void askToReplay(const QString &recording, bool selected = false);
    void openReplay(const ui::ReplayPlan &plan);
    void makeRoomFor(const QWidget *page);
    void stopReplays();
    void readAgain(const QString &recording);  // its file is another one now
    void compare(int row);                     // asks what with, proposing that line of the list
    void openComparison(const ui::CompareChoice &left, const ui::CompareChoice &right);

    void sendAgain(const QByteArray &message);
    void editAndSend(const QByteArray &message, const QByteArray &httpRequest);
    void exportShown(bool selected);
    void exportFile(const QString &path, const QString &serverName, QWidget *parent);
    void watchSent(Connection *connection, Call *call, qsizetype before);
    void updateStatus();
    void showError(const QString &title, const Error &error);
    void reportDamage(const Session &session);
    void shutDown();
    void maybeFinish();

    MainWindow *m_window;
    ui::ThemeController *m_theme;
    Settings *m_settings;
    ServerStore m_store;
    ArgumentStore m_arguments;
    SessionLibrary m_library;
    StorageNotices m_storage;
    std::vector<std::unique_ptr<Item>> m_items;
    Item *m_current = nullptr;
    int m_lastItemId = 0;
    QPointer<Session> m_shownSession;
    QHash<QByteArray, ui::SendDraft> m_drafts;  // of this run, by the message that was edited
    QTimer m_statusTimer;
    QShortcut *m_cancel = nullptr;
    bool m_isClosing = false;
};

}  // namespace sonde::app
