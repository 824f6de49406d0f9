// The tabs: pages of servers and recordings, calls, their names, and their items in the list.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/closedtabs.h"
#include "app/gui/losses.h"
#include "app/gui/tabkeeper.h"
#include "app/gui/tabmarks.h"
#include "app/gui/workspace.h"
#include "core/doctor/doctorline.h"
#include "ui/panels/offermodel.h"

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <functional>

class QMenu;

namespace sonde::ui {
class CallPanel;
class RecordedCallPanel;
class ResultView;
class SavedCallsPanel;
class TasksPanel;
}  // namespace sonde::ui

namespace sonde::app {

class MainWindow;
class WaitingTab;

// Keeps tabs and the current item in sync. Other pages (replays, comparisons) are named by their controllers. Does not
// own its arguments; its destructor removes all tabs.
class TabController : public QObject {
    Q_OBJECT
public:
    TabController(Workspace *workspace, MainWindow *window, QObject *parent = nullptr);
    ~TabController() override;

    ui::CallPanel *open(Connection *connection, const ui::OfferRef &ref);  // brings one forward that is open already
    ui::CallPanel *openAnother(Connection *connection, const ui::OfferRef &ref);  // in a tab of its own
    // To look at it: in the place of what was previewed before, until it is opened, edited or called.
    ui::CallPanel *preview(Connection *connection, const ui::OfferRef &ref);
    // The calls of a recorded session, which need no server.
    enum class Opening { Preview, Kept };
    void openRecorded(const WorkspaceItem &item, const ui::OfferRef &ref, Opening opening);
    // Of the tabs of other controllers.
    void setKeepers(const QList<TabKeeper *> &keepers) { m_keepers = keepers; }
    using SuiteMaker = std::function<ui::SavedCallsPanel *(const TabState &tab, Connection *connection)>;
    void setSuiteMaker(const SuiteMaker &maker) { m_suiteMaker = maker; }  // of saved calls that waited
    // All that tells this page from others; of a call without what is filled in. contents: null where nobody wants
    // them. False: it cannot come back.
    bool store(const QWidget *page, TabState *tab, TabContents *contents) const;
    // What was open the last time, behind the tabs that are there, which stay as they are. Where that needs a server,
    // it waits for it, unless there are contents: then another window had it over the same workspace. Null: its server
    // or session is not in the list.
    QWidget *restore(const TabState &tab, const TabContents *contents);
    QList<ClosedTabs::Tab> takeClosed() { return m_closed.takeAll(); }
    void setClosed(const QList<ClosedTabs::Tab> &tabs);
    WorkspaceItem *itemOfPage(const QWidget *page) const;  // null: of none, or of several
    TabMarks &marks() { return m_marks; }
    const TabMarks &marks() const { return m_marks; }
    void duplicate(const ui::CallPanel &panel);
    // Opens the first tool of a new connection as soon as it is known, unless the user has moved on.
    void openFirstTool(Connection *connection);
    void showPage(WorkspaceItem &item);
    // Where a start waits for the person, or a request for the sign-in. After a sign-in the tab that was current comes
    // back.
    void showWaiting(WorkspaceItem &item);
    void showTasks(Connection *connection);
    void ping(Connection *connection);
    void closeCurrent();
    bool canPin() const;  // the current tab
    void togglePinned();
    void dropPages(const QList<QPointer<QWidget>> &pages);   // without keeping anything of them
    void closePages(const QList<QPointer<QWidget>> &pages);  // by the user, who is asked where calls run
    bool canReopen() const { return !m_closed.isEmpty(); }
    void reopen();      // what was closed last, as it was
    void step(int by);  // to a neighbour
    void focusPage();   // to where the keyboard is needed next
    // What would end with the tabs of this server or, where it is null, with all tabs. A task goes on at its server,
    // and is taken up at the next start.
    Losses losses(const WorkspaceItem *item = nullptr) const;
    bool hasRunningCalls() const;         // tasks included
    ui::CallPanel *currentPanel() const;  // null while the tabs are hidden: the keys call what can be seen

Q_SIGNALS:
    void tabsChanged();  // there are more or fewer, open or closed
    void opened(sonde::ui::CallPanel *panel);
    void reopened(sonde::ui::CallPanel *panel);
    void cancellableChanged();  // whether the current panel has a call that runs
    void reconnectRequested(sonde::app::WorkspaceItem *item);
    void editRequested(sonde::app::WorkspaceItem *item);
    void restartRequested(sonde::app::WorkspaceItem *item);
    void remedyRequested(sonde::app::WorkspaceItem *item, sonde::Remedy remedy, const QString &certificate);
    void compareRequested(sonde::app::WorkspaceItem *item);
    void replayRequested(const QString &recording);

private:
    bool owns(const WorkspaceItem &item, const QWidget *page) const;  // that tab speaks of it
    void choosePage(WorkspaceItem &item);  // without bringing the tabs back while the timeline has the whole height
    void followInput(Connection *connection, ui::ResultView *result);
    QWidget *makePage(WorkspaceItem &item);
    QWidget *ensurePage(WorkspaceItem &item);
    ui::CallPanel *makePanel(Connection *connection, const ui::OfferRef &ref);
    ui::CallPanel *show(ui::CallPanel *panel);
    void begin(ui::CallPanel *panel);
    ui::CallPanel *openTab(Connection *connection, const ui::OfferRef &ref);  // null: there is none
    void addServers(QMenu *menu, const ui::RecordedCallPanel &panel);
    void placeInsteadOf(QWidget *former, QWidget *page);
    QWidget *mark(QWidget *page, const TabState &tab);
    QWidget *addWaiting(const TabState &tab, const WorkspaceItem &item);
    QWidget *reopenTab(const ClosedTabs::Tab &tab);
    QWidget *endWaiting(WaitingTab *waiting);
    QWidget *restorePage(const TabState &tab, const TabContents *contents, WorkspaceItem &item);
    ui::CallPanel *restoreCall(const TabState &tab, const TabContents &contents, Connection *connection);
    ui::RecordedCallPanel *addRecorded(const WorkspaceItem &item, const ui::OfferRef &ref);
    ui::TasksPanel *makeTasks(Connection *connection, const QString &task);
    ui::TasksPanel *addTasks(Connection *connection, const QString &task);
    QWidget *makeSessionPage();
    void refreshPage(const WorkspaceItem &item);
    void nameTabs();
    void addCall(ui::CallPanel *panel);
    void removeTab(QWidget *page);
    void takeTab(QWidget *page);
    bool keep(QWidget *page);  // for reopen(); false: there is nothing to keep of the page itself
    void onChosen(WorkspaceItem *item);
    void onItemChanged(WorkspaceItem *item);
    void onRemoved(const QList<const WorkspaceItem *> &items);
    void onTabChanged(int index);
    void openAwaitedTool();
    void onAwaitedStateChanged();

    Workspace *m_workspace;
    MainWindow *m_window;
    QHash<int, QPointer<QWidget>> m_pages;  // by the item's id; those that were shown once
    QPointer<QWidget> m_viewed;             // page of a server that was not started, and is only looked at
    QList<TabKeeper *> m_keepers;
    SuiteMaker m_suiteMaker;
    TabMarks m_marks;
    ClosedTabs m_closed;
    QPointer<Connection> m_awaited;  // whose first tool is to be opened
    QTimer m_naming;
};

}  // namespace sonde::app
