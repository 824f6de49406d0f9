// The tabs: pages of servers and recordings, calls, their names, and their items in the list.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/closedtabs.h"
#include "app/gui/workspace.h"
#include "core/doctor/doctorline.h"
#include "ui/panels/offermodel.h"

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QTimer>

namespace sonde::ui {
class CallPanel;
class ResultView;
}  // namespace sonde::ui

namespace sonde::app {

class MainWindow;

// Keeps tabs and the current item in sync. Other pages (replays, comparisons) are named by their controllers. Does not
// own its arguments; its destructor removes all tabs.
class TabController : public QObject {
    Q_OBJECT
public:
    TabController(Workspace *workspace, MainWindow *window, QObject *parent = nullptr);
    ~TabController() override;

    ui::CallPanel *open(Connection *connection, const ui::OfferRef &ref);  // brings one forward that is open already
    ui::CallPanel *openAnother(Connection *connection, const ui::OfferRef &ref);  // in a tab of its own
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
    void closePages(const QList<QPointer<QWidget>> &pages);  // by the user, who is asked where calls run
    bool canReopen() const { return !m_closed.isEmpty(); }
    void reopen();      // what was closed last, as it was
    void step(int by);  // to a neighbour
    void focusPage();   // to where the keyboard is needed next
    // The tabs whose calls are open, of this connection or, where it is null, of all.
    QList<ui::CallPanel *> running(const Connection *connection = nullptr) const;
    ui::CallPanel *currentPanel() const;  // null while the tabs are hidden: the keys call what can be seen

Q_SIGNALS:
    void tabsChanged();  // there are more or fewer, open or closed
    void opened(sonde::ui::CallPanel *panel);
    void cancellableChanged();  // whether the current panel has a call that runs
    void editRequested(sonde::app::WorkspaceItem *item);
    void remedyRequested(sonde::app::WorkspaceItem *item, sonde::Remedy remedy, const QString &certificate);
    void compareRequested(sonde::app::WorkspaceItem *item);
    void replayRequested(const QString &recording);

private:
    bool owns(const WorkspaceItem &item, const QWidget *page) const;  // that tab speaks of it
    WorkspaceItem *itemOfPage(const QWidget *page) const;             // null: of none, or of several
    void choosePage(WorkspaceItem &item);  // without bringing the tabs back while the timeline has the whole height
    void followInput(Connection *connection, ui::ResultView *result);
    QWidget *makePage(WorkspaceItem &item);
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
    ClosedTabs m_closed;
    QPointer<Connection> m_awaited;  // whose first tool is to be opened
    QTimer m_naming;
};

}  // namespace sonde::app
