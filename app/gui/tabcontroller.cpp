// SPDX-License-Identifier: Apache-2.0
#include "app/gui/tabcontroller.h"

#include "app/gui/confirm.h"
#include "app/gui/mainwindow.h"
#include "app/gui/signinvisit.h"
#include "app/gui/waitingtab.h"
#include "app/gui/warningbar.h"
#include "core/authorization/oauth.h"
#include "core/connection/secretarguments.h"
#include "core/protocol/visibletext.h"
#include "core/server/specsecrets.h"
#include "ui/panels/callpanel.h"
#include "ui/panels/offertree.h"
#include "ui/panels/openaddressdialog.h"
#include "ui/panels/recordedcallpanel.h"
#include "ui/panels/savedcallspanel.h"
#include "ui/panels/serverpanel.h"
#include "ui/panels/serverstatus.h"
#include "ui/panels/sessionpanel.h"
#include "ui/panels/taskspanel.h"
#include "ui/panels/welcomepanel.h"
#include "ui/replay/replaypanel.h"
#include "ui/requests/requestpanel.h"
#include "ui/result/resultview.h"
#include "ui/timeline/timelinepanel.h"

#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QTabBar>
#include <QTabWidget>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

using OfferKind = ui::OfferRef::Kind;

QString kindName(OfferKind kind)
{
    switch (kind) {
        case OfferKind::Tool:
            return TabController::tr("tool");
        case OfferKind::Resource:
            return TabController::tr("resource");
        case OfferKind::Template:
            return TabController::tr("template");
        case OfferKind::Prompt:
            return TabController::tr("prompt");
        case OfferKind::Info:
        case OfferKind::None:
            break;
    }
    return TabController::tr("server");
}

// That end with this page: nobody could cancel them any more.
qsizetype callsEndingWith(const QWidget *page)
{
    if (const auto *call = qobject_cast<const ui::CallPanel *>(page))
        return call->isRunning() && !call->isTaskRunning() ? 1 : 0;
    if (const auto *replay = qobject_cast<const ui::ReplayPanel *>(page))
        return replay->callsLeft();
    const auto *suite = qobject_cast<const ui::SavedCallsPanel *>(page);
    return suite ? suite->callsLeft() : 0;
}

constexpr char IsEdited[] = "isEdited";  // property of a call's page: edited since the last call

bool isFilledIn(const ui::CallDraft &draft)
{
    return !draft.text.isEmpty() && draft.text != "{}"_ba;
}

bool hasEdits(const QWidget *page)
{
    if (const auto *waiting = qobject_cast<const WaitingTab *>(page))
        return isFilledIn(waiting->tab().draft);
    const auto *call = qobject_cast<const ui::CallPanel *>(page);
    return call && call->property(IsEdited).toBool() && !call->isAsInFile();
}

QString unsavedText(const ui::CallPanel &call)
{
    return TabController::tr("The arguments of “%1” are not saved in its file.").arg(call.name());
}

// Whether the user lets this page go. False also where what is filled in could not be saved.
bool mayLeave(ui::CallPanel *call, MainWindow *window)
{
    if (!call || !call->isUnsaved())
        return true;
    QMessageBox box(QMessageBox::Question, TabController::tr("Close tab"), unsavedText(*call), QMessageBox::NoButton,
                    window);
    box.setObjectName(u"unsavedCall"_s);
    box.setTextFormat(Qt::PlainText);
    QPushButton *saves = box.addButton(TabController::tr("Save"), QMessageBox::AcceptRole);
    const QPushButton *discards = box.addButton(TabController::tr("Discard"), QMessageBox::DestructiveRole);
    QPushButton *keeps = box.addButton(TabController::tr("Cancel"), QMessageBox::RejectRole);
    box.setDefaultButton(saves);
    box.setEscapeButton(keeps);
    const QPointer<ui::CallPanel> guard = call;
    box.exec();
    if (box.clickedButton() != saves || !guard)
        return box.clickedButton() == discards;
    if (call->saveToFile())
        return true;
    window->bringForward(call);
    return false;
}

const Connection *connectionOf(const QWidget *page)
{
    if (const auto *call = qobject_cast<const ui::CallPanel *>(page))
        return call->connection();
    const auto *suite = qobject_cast<const ui::SavedCallsPanel *>(page);
    return suite ? suite->connection() : nullptr;
}

}  // namespace

TabController::TabController(Workspace *workspace, MainWindow *window, QObject *parent)
    : QObject(parent), m_workspace(workspace), m_window(window), m_marks(window->tabs)
{
    connect(&m_marks, &TabMarks::changed, &m_naming, qOverload<>(&QTimer::start));
    // Once for all the tabs of a server that tell of a change in one turn.
    m_naming.setSingleShot(true);
    m_naming.setInterval(0);
    connect(&m_naming, &QTimer::timeout, this, &TabController::nameTabs);
    m_workspace->setAwaits([this](const WorkspaceItem &item) {
        const QList<WaitingTab *> waiting = m_window->tabs->findChildren<WaitingTab *>();
        return std::any_of(waiting.begin(), waiting.end(),
                           [&item](const WaitingTab *tab) { return tab->item() == item.id; });
    });
    connect(m_workspace, &Workspace::chosen, this, &TabController::onChosen);
    connect(m_workspace, &Workspace::itemChanged, this, &TabController::onItemChanged);
    connect(m_workspace, &Workspace::listChanged, &m_naming, qOverload<>(&QTimer::start));
    connect(m_workspace, &Workspace::removed, this, &TabController::onRemoved);
    connect(m_window->tabs, &QTabWidget::tabCloseRequested, this,
            [this](int index) { closePages({m_window->tabs->widget(index)}); });
    connect(m_window->tabs, &QTabWidget::currentChanged, this, &TabController::onTabChanged);
}

TabController::~TabController()
{
    m_workspace->setAwaits({});
    m_window->tabs->disconnect(this);
    while (m_window->tabs->count() > 0) {
        QWidget *page = m_window->tabs->widget(0);
        m_window->tabs->removeTab(0);
        page->setParent(nullptr);  // see FormContext::discard()
        delete page;
    }
}

bool TabController::owns(const WorkspaceItem &item, const QWidget *page) const
{
    if (const auto *tasks = qobject_cast<const ui::TasksPanel *>(page))
        return item.connection && tasks->connection() == item.connection.get();
    if (const auto *waiting = qobject_cast<const WaitingTab *>(page))
        return waiting->item() == item.id;
    if (const auto *recorded = qobject_cast<const ui::RecordedCallPanel *>(page))
        return item.offers && recorded->offers() == item.offers.get();
    const auto *call = qobject_cast<const ui::CallPanel *>(page);
    return call ? item.connection && call->connection() == item.connection.get()
                : page && m_pages.value(item.id).data() == page;
}

WorkspaceItem *TabController::itemOfPage(const QWidget *page) const
{
    for (const auto &item : m_workspace->items()) {
        if (owns(*item, page))
            return item.get();
    }
    return nullptr;
}

ui::CallPanel *TabController::currentPanel() const
{
    return m_window->hidesTabs() ? nullptr : qobject_cast<ui::CallPanel *>(m_window->tabs->currentWidget());
}

bool TabController::hasRunningCalls() const
{
    const QList<ui::CallPanel *> panels = m_window->tabs->findChildren<ui::CallPanel *>();
    return losses().calls() > 0 ||
           std::any_of(panels.begin(), panels.end(), [](const ui::CallPanel *panel) { return panel->isRunning(); });
}

Losses TabController::losses(const WorkspaceItem *item) const
{
    Losses losses;
    for (int i = 0; i < m_window->tabs->count(); ++i) {
        const QWidget *page = m_window->tabs->widget(i);
        const bool isConcerned =
            !item || owns(*item, page) || (item->connection && connectionOf(page) == item->connection.get());
        if (!isConcerned)
            continue;
        // Runs of many make one call after the other.
        if (const qsizetype calls = callsEndingWith(page); calls > 0) {
            ++losses.running;
            losses.waiting += calls - 1;
        }
        if (hasEdits(page))
            ++losses.edited;
    }
    return losses;
}

ui::CallPanel *TabController::openTab(Connection *connection, const ui::OfferRef &ref)
{
    QTabWidget *tabs = m_window->tabs;
    for (int i = 0; i < tabs->count(); ++i) {
        auto *panel = qobject_cast<ui::CallPanel *>(tabs->widget(i));
        if (panel && panel->connection() == connection && panel->ref() == ref)
            return panel;
        auto *waiting = qobject_cast<WaitingTab *>(tabs->widget(i));
        if (waiting && waiting->tab().ref == ref && m_workspace->itemOf(connection) == itemOfPage(waiting))
            return qobject_cast<ui::CallPanel *>(endWaiting(waiting));
    }
    return nullptr;
}

ui::CallPanel *TabController::open(Connection *connection, const ui::OfferRef &ref)
{
    ui::CallPanel *panel = openTab(connection, ref);
    if (!panel)
        return openAnother(connection, ref);
    m_marks.keep(panel);
    m_window->bringForward(panel);
    return panel;
}

ui::CallPanel *TabController::openAnother(Connection *connection, const ui::OfferRef &ref)
{
    ui::CallPanel *panel = makePanel(connection, ref);
    addCall(panel);
    return show(panel);
}

ui::CallPanel *TabController::preview(Connection *connection, const ui::OfferRef &ref)
{
    if (ui::CallPanel *panel = openTab(connection, ref)) {
        m_window->bringForward(panel);
        return panel;
    }
    QWidget *former = m_marks.preview();
    ui::CallPanel *panel = makePanel(connection, ref);
    if (former)
        placeInsteadOf(former, panel);
    else
        addCall(panel);
    m_marks.setPreview(panel);
    return show(panel);
}

ui::CallPanel *TabController::makePanel(Connection *connection, const ui::OfferRef &ref)
{
    auto *panel = new ui::CallPanel(ref, connection);
    connect(panel, &ui::CallPanel::renamed, &m_naming, qOverload<>(&QTimer::start));
    connect(panel, &ui::CallPanel::resourceActivated, this, [this, panel](const QString &uri) {
        if (Connection *c = panel->connection())
            open(c, {OfferKind::Resource, uri});
    });
    // Without bringing a page to the front: the user is busy with another one.
    connect(panel, &ui::CallPanel::restartRequested, connection, &Connection::restart);
    connect(panel, &ui::CallPanel::runningChanged, this, &TabController::cancellableChanged);
    connect(panel, &ui::CallPanel::edited, this, [this, panel] {
        panel->setProperty(IsEdited, true);
        m_marks.keep(panel);
    });
    connect(panel, &ui::CallPanel::called, panel, [panel] { panel->setProperty(IsEdited, false); });
    followInput(connection, panel->result());
    Q_EMIT opened(panel);
    return panel;
}

ui::CallPanel *TabController::show(ui::CallPanel *panel)
{
    m_window->bringForward(panel);
    begin(panel);
    return panel;
}

// Calls that the user makes from now on keep a preview.
void TabController::begin(ui::CallPanel *panel)
{
    // Reading is safe, and the reason to open a resource.
    const bool isShown = m_window->tabs->currentWidget() == panel;
    if (isShown && panel->ref().kind == OfferKind::Resource &&
        panel->connection()->state() == Connection::State::Connected && panel->pastCalls().isEmpty() &&
        !panel->showFreshRead())
        panel->call();
    const auto keep = [this, panel] { m_marks.keep(panel); };
    connect(panel, &ui::CallPanel::called, this, keep);
    if (!panel->ref().savedCall.isEmpty())
        connect(panel, &ui::CallPanel::runningChanged, this, keep);
}

// Nothing was typed or called there.
void TabController::placeInsteadOf(QWidget *former, QWidget *page)
{
    QTabWidget *tabs = m_window->tabs;
    const int index = tabs->indexOf(former);
    const bool isPinned = m_marks.isPinned(former);
    if (tabs->indexOf(page) < 0)
        m_window->addPage(page, {}, {});
    if (tabs->currentWidget() == former)
        tabs->setCurrentWidget(page);
    tabs->tabBar()->moveTab(tabs->indexOf(page), index);
    if (auto *call = qobject_cast<ui::CallPanel *>(former); call && call->isRunning())
        call->cancel();
    removeTab(former);
    m_marks.setPinned(page, isPinned);
}

bool TabController::store(const QWidget *page, TabState *tab, TabContents *contents) const
{
    const auto *waiting = qobject_cast<const WaitingTab *>(page);
    if (waiting)
        *tab = waiting->tab();
    tab->isPinned = m_marks.isPinned(page);
    tab->isPreview = m_marks.preview() == page;
    for (const TabKeeper *keeper : m_keepers) {
        if (keeper->store(page, tab, contents))
            return true;
    }
    if (page == m_window->welcome) {
        tab->kind = TabState::Kind::Welcome;
        return true;
    }
    const WorkspaceItem *item = itemOfPage(page);
    if (!item)
        return false;
    tab->place = Place::of(*item);
    if (const auto *call = qobject_cast<const ui::CallPanel *>(page)) {
        tab->kind = TabState::Kind::Call;
        tab->ref = call->ref();
        tab->title = call->name();
        tab->task = call->task();
    } else if (const auto *recorded = qobject_cast<const ui::RecordedCallPanel *>(page)) {
        tab->kind = TabState::Kind::RecordedCall;
        tab->ref = recorded->ref();
        tab->row = recorded->row();
    } else if (const auto *tasks = qobject_cast<const ui::TasksPanel *>(page)) {
        tab->kind = TabState::Kind::Tasks;
        tab->task = tasks->task();
    } else if (!waiting) {
        tab->kind = TabState::Kind::Page;
    }
    return true;
}

QWidget *TabController::restore(const TabState &tab, const TabContents *contents)
{
    QWidget *page = nullptr;
    for (TabKeeper *keeper : std::as_const(m_keepers)) {
        if (!page)
            page = keeper->restore(tab, contents);
    }
    WorkspaceItem *item = tab.place.in(*m_workspace);
    if (!page && tab.kind == TabState::Kind::Welcome)
        page = m_window->welcome;
    else if (!page && item)
        page = restorePage(tab, contents, *item);
    return page ? mark(page, tab) : nullptr;
}

QWidget *TabController::restorePage(const TabState &tab, const TabContents *contents, WorkspaceItem &item)
{
    using Kind = TabState::Kind;
    if (tab.kind == Kind::Page)
        return ensurePage(item);
    if (tab.kind == Kind::RecordedCall && item.offers) {
        ui::RecordedCallPanel *panel = addRecorded(item, tab.ref);
        panel->select(tab.row);
        return panel;
    }
    if (!item.isServer())
        return nullptr;
    Connection *connection = contents ? item.connection.get() : nullptr;
    if (connection && tab.kind == Kind::Call) {
        ui::CallPanel *panel = restoreCall(tab, *contents, connection);
        addCall(panel);
        begin(panel);
        return panel;
    }
    if (connection && tab.kind == Kind::Tasks)
        return addTasks(connection, tab.task);
    const bool canWait = tab.kind == Kind::Call || tab.kind == Kind::Tasks || tab.kind == Kind::SavedCalls;
    return canWait ? addWaiting(tab, item) : nullptr;
}

ui::CallPanel *TabController::restoreCall(const TabState &tab, const TabContents &contents, Connection *connection)
{
    ui::CallPanel *panel = makePanel(connection, tab.ref);
    panel->restore(tab.draft);
    panel->setProperty(IsEdited, isFilledIn(tab.draft));
    if (contents.steps)
        panel->setUndoSteps(*contents.steps);
    panel->setPastCalls(contents.past);
    return panel;
}

QWidget *TabController::mark(QWidget *page, const TabState &tab)
{
    m_window->tabs->tabBar()->moveTab(m_window->tabs->indexOf(page), m_window->tabs->count() - 1);
    if (tab.isPreview)
        m_marks.setPreview(page);
    m_marks.setPinned(page, tab.isPinned);
    return page;
}

QWidget *TabController::addWaiting(const TabState &tab, const WorkspaceItem &item)
{
    auto *waiting = new WaitingTab(item.id, item.spec.name, tab);
    connect(waiting, &WaitingTab::reconnectRequested, this, [this, waiting] {
        if (WorkspaceItem *of = itemOfPage(waiting))
            Q_EMIT reconnectRequested(of);
    });
    // Not in the middle of what the connection tells others.
    const auto arrive = [this, guard = QPointer(waiting)] {
        if (guard)
            (void)endWaiting(guard);
    };
    connect(waiting, &WaitingTab::arrived, this, arrive, Qt::QueuedConnection);
    m_window->addPage(waiting, waiting->name(), {});
    waiting->setConnection(item.connection.get());
    nameTabs();
    return waiting;
}

QWidget *TabController::endWaiting(WaitingTab *waiting)
{
    const WorkspaceItem *item = itemOfPage(waiting);
    if (!item || !item->connection || m_window->tabs->indexOf(waiting) < 0)
        return nullptr;
    Connection *connection = item->connection.get();
    const QWidget *focus = m_window->focusWidget();  // also while another window is in front
    const bool hadFocus = focus == waiting || waiting->isAncestorOf(focus);
    const bool wasPreview = m_marks.preview() == waiting;
    const TabState tab = waiting->tab();
    ui::CallPanel *call = nullptr;
    QWidget *page = nullptr;
    if (tab.kind == TabState::Kind::SavedCalls && m_suiteMaker) {
        page = m_suiteMaker(tab, connection);
    } else if (tab.kind == TabState::Kind::Tasks) {
        page = makeTasks(connection, tab.task);
    } else {
        page = call = restoreCall(tab, {}, connection);
    }
    placeInsteadOf(waiting, page);
    if (const auto *suite = qobject_cast<const ui::SavedCallsPanel *>(page))
        m_window->namePage(page, suite->title(), suite->source());
    if (wasPreview)
        m_marks.setPreview(page);
    if (call)
        begin(call);
    if (call && !tab.task.isEmpty())
        call->showTask(tab.task);
    if (hadFocus)
        focusPage();
    return page;
}

void TabController::openRecorded(const WorkspaceItem &item, const ui::OfferRef &ref, Opening opening)
{
    QTabWidget *tabs = m_window->tabs;
    for (int i = 0; i < tabs->count(); ++i) {
        auto *panel = qobject_cast<ui::RecordedCallPanel *>(tabs->widget(i));
        if (!panel || panel->offers() != item.offers.get() || panel->ref() != ref)
            continue;
        if (opening == Opening::Kept)
            m_marks.keep(panel);
        m_window->bringForward(panel);
        return panel->focusCalls();
    }
    QWidget *former = opening == Opening::Preview ? m_marks.preview() : nullptr;
    ui::RecordedCallPanel *panel = addRecorded(item, ref);
    if (former)
        placeInsteadOf(former, panel);
    if (opening == Opening::Preview)
        m_marks.setPreview(panel);
    nameTabs();
    m_window->bringForward(panel);
    panel->focusCalls();
}

ui::RecordedCallPanel *TabController::addRecorded(const WorkspaceItem &item, const ui::OfferRef &ref)
{
    auto *panel = new ui::RecordedCallPanel(ref, item.offers.get());
    connect(panel, &ui::RecordedCallPanel::renamed, &m_naming, qOverload<>(&QTimer::start));
    connect(panel, &ui::RecordedCallPanel::rowRequested, m_window->timeline, [this](qsizetype row) {
        m_window->showTimeline();
        m_window->timeline->showRow(row);
    });
    connect(panel, &ui::RecordedCallPanel::serversRequested, this,
            [this, panel](QMenu *menu) { addServers(menu, *panel); });
    connect(panel->result(), &ui::ResultView::resourceActivated, this, [this, panel](const QString &uri) {
        if (const WorkspaceItem *of = itemOfPage(panel))
            openRecorded(*of, {OfferKind::Resource, uri}, Opening::Kept);
    });
    followInput(nullptr, panel->result());
    m_window->addPage(panel, panel->name(), {});
    nameTabs();
    return panel;
}

// On which a recorded call can be made again: its arguments are filled in, and nothing is sent.
void TabController::addServers(QMenu *menu, const ui::RecordedCallPanel &panel)
{
    for (const auto &item : m_workspace->items()) {
        if (!item->isServer())
            continue;
        Connection *connection = item->connection.get();
        const bool isConnected = connection && connection->state() == Connection::State::Connected;
        const QString name = visibleLine(item->spec.name, 60).replace(u'&', u"&&"_s);
        QAction *action = menu->addAction(isConnected ? name : tr("%1 (not connected)").arg(name));
        action->setEnabled(isConnected);
        const auto fill = [this, server = QPointer(connection), recorded = QPointer(&panel)] {
            if (!server || !recorded)
                return;
            ui::CallPanel *call = openAnother(server, recorded->ref());
            const QByteArray arguments = recorded->arguments();
            const QByteArray kept = withoutMasked(json::parse(arguments));
            if (!kept.isEmpty())
                call->setArguments(kept);
            if (kept != arguments)
                call->noteLeftOut(WaitingTab::tr("Secrets and very long values were not saved. Enter them again."));
            call->focusForm();
        };
        connect(action, &QAction::triggered, this, fill);
    }
}

void TabController::addCall(ui::CallPanel *panel)
{
    m_window->addPage(panel, panel->name(), {});
    nameTabs();
}

void TabController::duplicate(const ui::CallPanel &panel)
{
    if (Connection *connection = panel.connection()) {
        const QByteArray arguments = panel.arguments();
        ui::CallPanel *copy = openAnother(connection, panel.ref());
        if (!arguments.isEmpty())
            copy->setArguments(arguments);
        copy->focusForm();
    }
}

void TabController::setClosed(const QList<ClosedTabs::Tab> &tabs)
{
    for (const ClosedTabs::Tab &tab : tabs)
        m_closed.add(tab);
    Q_EMIT tabsChanged();
}

void TabController::reopen()
{
    while (const std::optional<ClosedTabs::Tab> tab = m_closed.takeLast()) {
        QWidget *page = reopenTab(*tab);
        if (!page)
            continue;
        m_window->bringForward(page);
        if (tab->state.isPinned)
            m_marks.setPinned(page, true);
        focusPage();
        break;
    }
    Q_EMIT tabsChanged();
}

// What is open already is not opened again, but what is typed there stays.
QWidget *TabController::reopenTab(const ClosedTabs::Tab &tab)
{
    using Kind = TabState::Kind;
    const TabState &state = tab.state;
    WorkspaceItem *item = m_workspace->itemWithId(tab.item);
    Connection *connection = item ? item->connection.get() : nullptr;
    if (tab.panel) {  // and so its connection is there
        addCall(tab.panel);
        Q_EMIT reopened(tab.panel);
        return tab.panel;
    }
    if (item && state.kind == Kind::Page) {
        showPage(*item);
        return m_pages.value(item->id);
    }
    if (connection && state.kind == Kind::Tasks) {
        showTasks(connection);
        return m_window->tabs->currentWidget();
    }
    if (connection && state.kind == Kind::Call) {
        const bool hasDraft = !state.draft.text.isEmpty() && state.ref.kind != OfferKind::Resource;
        ui::CallPanel *panel = hasDraft ? openAnother(connection, state.ref) : open(connection, state.ref);
        if (hasDraft)
            panel->restore(state.draft);
        if (hasDraft && tab.contents.steps)
            panel->setUndoSteps(*tab.contents.steps);
        if (hasDraft && !tab.contents.past.isEmpty())
            panel->setPastCalls(tab.contents.past);
        return panel;
    }
    if (item && item->offers && state.kind == Kind::RecordedCall) {
        openRecorded(*item, state.ref, Opening::Kept);
        return m_window->tabs->currentWidget();
    }
    TabState now = state;
    if (item)
        now.place = Place::of(*item);  // as it is called now
    return restore(now, &tab.contents);
}

void TabController::showTasks(Connection *connection)
{
    QTabWidget *tabs = m_window->tabs;
    for (int i = 0; i < tabs->count(); ++i) {
        if (auto *shown = qobject_cast<ui::TasksPanel *>(tabs->widget(i)); shown && shown->connection() == connection)
            return m_window->bringForward(shown);
    }
    m_window->bringForward(addTasks(connection, {}));
}

ui::TasksPanel *TabController::addTasks(Connection *connection, const QString &task)
{
    ui::TasksPanel *panel = makeTasks(connection, task);
    m_window->addPage(panel, tr("Tasks"), {});
    nameTabs();
    return panel;
}

ui::TasksPanel *TabController::makeTasks(Connection *connection, const QString &task)
{
    auto *panel = new ui::TasksPanel(connection);
    panel->selectTask(task);
    connect(panel, &ui::TasksPanel::resourceActivated, this, [this, panel](const QString &uri) {
        if (Connection *c = panel->connection())
            open(c, {OfferKind::Resource, uri});
    });
    followInput(connection, panel->result());
    return panel;
}

// A call that waits for the user says so, and leads to the server's request.
void TabController::followInput(Connection *connection, ui::ResultView *result)
{
    ui::RequestPanel *requests = m_window->requests;
    result->setInputCheck(
        [requests, connection](const Call &call) { return requests->isWaitedForBy(connection, call); });
    connect(result, &ui::ResultView::requestShown, requests,
            [requests, connection](const Call *call) { requests->showRequestOf(connection, *call); });
    connect(result, &ui::ResultView::timelineFilterRequested, m_window->timeline, [this](const QString &filter) {
        m_window->showTimeline();
        m_window->timeline->setFilter(filter);
    });
    connect(result, &ui::ResultView::linkActivated, m_window, [this](const QString &address) {
        (new ui::OpenAddressDialog(address, m_window, tr("This link comes from the server. Open it in your browser?")))
            ->open();
    });
}

void TabController::openFirstTool(Connection *connection)
{
    if (connection->state() == Connection::State::Disconnected)
        return;
    m_awaited = connection;
    connect(connection->catalog(), &Catalog::changed, this, &TabController::openAwaitedTool, Qt::UniqueConnection);
    connect(connection, &Connection::stateChanged, this, &TabController::onAwaitedStateChanged, Qt::UniqueConnection);
    openAwaitedTool();  // it may run already
}

void TabController::openAwaitedTool()
{
    if (!m_awaited || m_awaited->state() != Connection::State::Connected || m_awaited->catalog()->tools().isEmpty())
        return;
    Connection *connection = m_awaited;
    m_awaited = nullptr;
    const WorkspaceItem *item = m_workspace->itemOf(connection);
    if (item && m_pages.value(item->id) == m_window->tabs->currentWidget() && !m_window->hidesTabs())
        open(connection, {OfferKind::Tool, connection->catalog()->tools().first().name})->focusForm();
}

void TabController::onAwaitedStateChanged()
{
    if (m_awaited && m_awaited->state() == Connection::State::Disconnected)
        m_awaited = nullptr;
}

void TabController::showPage(WorkspaceItem &item)
{
    m_window->showTabs();
    choosePage(item);
}

void TabController::showWaiting(WorkspaceItem &item)
{
    QWidget *left = m_window->tabs->currentWidget();
    showPage(item);
    QWidget *page = m_pages.value(item.id);
    OAuth *signIn = item.connection ? item.connection->signIn() : nullptr;
    if (!signIn || signIn->page().isEmpty())
        return;
    qobject_cast<ui::ServerPanel *>(page)->showSignIn();
    if (left == page)
        return;
    auto *visit = new SignInVisit(signIn, left, page, m_window->tabs);
    connect(visit, &SignInVisit::returned, this, [this, page](QWidget *from) {
        // Somebody may be typing in another part of the window.
        const QWidget *focus = QApplication::focusWidget();
        const bool takesFocus =
            !focus || focus == page || page->isAncestorOf(focus) || focus == m_window->tabs->tabBar();
        m_window->bringForward(from);
        if (takesFocus)
            focusPage();
    });
}

QWidget *TabController::ensurePage(WorkspaceItem &item)
{
    if (QWidget *page = m_pages.value(item.id))
        return page;
    QWidget *page = makePage(item);
    m_pages.insert(item.id, page);
    m_window->addPage(page, item.spec.name, {});
    refreshPage(item);
    nameTabs();
    return page;
}

void TabController::choosePage(WorkspaceItem &item)
{
    const bool isNew = !m_pages.value(item.id);
    QWidget *page = ensurePage(item);
    m_window->tabs->setCurrentWidget(page);
    if (m_viewed == page)
        return;
    const WorkspaceItem *viewed = itemOfPage(m_viewed);
    if (viewed && !viewed->connection && !m_marks.isPinned(m_viewed))
        removeTab(m_viewed);
    m_viewed = isNew && item.isServer() && !item.connection ? page : nullptr;
}

QWidget *TabController::makePage(WorkspaceItem &item)
{
    if (!item.isServer())
        return makeSessionPage();
    auto *panel = new ui::ServerPanel;
    panel->setEditable(!item.isBuiltIn);
    connect(panel, &ui::ServerPanel::editRequested, this, [this, panel] {
        if (WorkspaceItem *shown = itemOfPage(panel))
            Q_EMIT editRequested(shown);
    });
    connect(panel, &ui::ServerPanel::remedyRequested, this, [this, panel](Remedy remedy, const QString &certificate) {
        if (WorkspaceItem *shown = itemOfPage(panel))
            Q_EMIT remedyRequested(shown, remedy, certificate);
    });
    connect(panel, &ui::ServerPanel::restartRequested, this, [this, panel] {
        if (WorkspaceItem *shown = itemOfPage(panel))
            Q_EMIT restartRequested(shown);
    });
    connect(panel, &ui::ServerPanel::detectRequested, this, [panel] {
        if (panel->connection())
            panel->connection()->detectAgain();
    });
    connect(panel, &ui::ServerPanel::cancelRequested, this, [panel] {
        if (panel->connection())
            panel->connection()->close();
    });
    // Nothing has been sent yet, so there is nothing in the timeline.
    connect(panel, &ui::ServerPanel::approvalChanged, this, [this, panel](bool isAsked) {
        m_window->setPageHeight(panel, isAsked ? MainWindow::PageHeight::Whole : MainWindow::PageHeight::Shared);
    });
    connect(panel, &ui::ServerPanel::approvalNotRemembered, this, [this](const Error &error) {
        m_window->notice->say(tr("Started, but the approval could not be saved"), error);
    });
    connect(panel, &ui::ServerPanel::tasksRequested, this, [this, panel] {
        if (panel->connection())
            showTasks(panel->connection());
    });
    connect(panel, &ui::ServerPanel::pingRequested, this, [this, panel] {
        if (panel->connection())
            ping(panel->connection());
    });
    return panel;
}

QWidget *TabController::makeSessionPage()
{
    auto *panel = new ui::SessionPanel;
    connect(panel, &ui::SessionPanel::replayRequested, this, [this, panel] {
        if (const WorkspaceItem *shown = itemOfPage(panel))
            Q_EMIT replayRequested(shown->session->path());
    });
    connect(panel, &ui::SessionPanel::compareRequested, this, [this, panel] {
        if (WorkspaceItem *shown = itemOfPage(panel))
            Q_EMIT compareRequested(shown);
    });
    connect(panel, &ui::SessionPanel::closeRequested, this, [this, panel] {
        if (WorkspaceItem *shown = itemOfPage(panel))
            m_workspace->closeSession(*shown);
    });
    return panel;
}

void TabController::ping(Connection *connection)
{
    connect(connection->ping(), &Call::finished, this, [this](const Outcome &outcome) {
        m_workspace->refresh();
        if (outcome.kind != Outcome::Kind::Ok)
            m_window->notice->say(tr("No response to ping"), outcome.error);
    });
}

void TabController::refreshPage(const WorkspaceItem &item)
{
    QWidget *page = m_pages.value(item.id);
    if (auto *server = qobject_cast<ui::ServerPanel *>(page)) {
        server->setWalk(item.walk.get());
        server->setServer(item.spec, item.connection.get());
    } else if (auto *session = qobject_cast<ui::SessionPanel *>(page)) {
        session->setSession(item.session.get());
    }
}

// Each tab has its name, and more if several tabs would have the same.
void TabController::nameTabs()
{
    struct Tab {
        QWidget *page;
        const WorkspaceItem *item;
        OfferKind kind;
        QString key;
        QString name;
        bool isSaved = false;
    };
    QTabWidget *tabs = m_window->tabs;
    std::vector<Tab> all;
    for (int i = 0; i < tabs->count(); ++i) {
        QWidget *page = tabs->widget(i);
        const WorkspaceItem *item = itemOfPage(page);
        if (!item)
            continue;
        const auto *call = qobject_cast<const ui::CallPanel *>(page);
        if (call)
            all.push_back({page, item, call->ref().kind,
                           call->ref().savedCall.isEmpty() ? call->ref().key : call->ref().savedCall, call->name(),
                           !call->ref().savedCall.isEmpty()});
        else if (const auto *waiting = qobject_cast<const WaitingTab *>(page))
            all.push_back({page, item, waiting->tab().ref.kind, waiting->tab().ref.key, waiting->name(),
                           !waiting->tab().ref.savedCall.isEmpty()});
        else if (const auto *recorded = qobject_cast<const ui::RecordedCallPanel *>(page))
            all.push_back({page, item, recorded->ref().kind, recorded->ref().key, recorded->name()});
        else if (qobject_cast<const ui::TasksPanel *>(page))
            all.push_back({page, item, OfferKind::None, shownTarget(item->spec), tr("Tasks")});
        else
            all.push_back({page, item, OfferKind::Info, shownTarget(item->spec), visibleLine(item->spec.name, 40)});
    }
    for (const Tab &tab : all) {
        const QString server = visibleLine(tab.item->spec.name, 40);
        QStringList parts{tab.name};
        const auto hasTwin = [&](auto differs) {
            return std::any_of(all.begin(), all.end(),
                               [&](const Tab &other) { return other.name == tab.name && differs(other); });
        };
        if (hasTwin([&tab](const Tab &other) {
                return other.item == tab.item && (other.kind != tab.kind || other.isSaved != tab.isSaved);
            }))
            parts << (tab.isSaved ? tr("saved call") : kindName(tab.kind));
        if (!tab.item->isServer())
            parts << tab.item->recordedText();
        else if (tab.kind != OfferKind::Info && hasTwin([&tab](const Tab &other) { return other.item != tab.item; }))
            parts << server;
        const auto *call = qobject_cast<const ui::CallPanel *>(tab.page);
        const auto isSame = [&tab](const Tab &other) {
            return other.item == tab.item && other.kind == tab.kind && other.key == tab.key;
        };
        if (const auto number = std::count_if(std::as_const(all).data(), &tab, isSame); call && number > 0)
            parts << QString::number(number + 1);
        QString tip = tab.key + u'\n' + server;
        QString mark = call ? call->mark() : QString();
        const Connection *connection = tab.item->connection.get();
        if (connection && connection->state() == Connection::State::Disconnected) {
            const ui::ServerStatus status = ui::statusOf(connection);
            mark = ui::sign(status.tone) + u' ';
            tip += u'\n' + visibleLine(status.sentence());
        }
        if (tab.page == m_marks.preview())
            tip += u'\n' + tr("Preview: double-click the tab to keep it");
        if (call && call->isUnsaved()) {
            mark += u'*';
            tip += u'\n' + unsavedText(*call);
        }
        m_window->namePage(tab.page, mark + parts.join(u" · "_s), tip);
    }
    Q_EMIT tabsChanged();
}

void TabController::closeCurrent()
{
    // Hidden tabs are not changed.
    if (!m_window->hidesTabs())
        closePages({m_window->tabs->currentWidget()});
}

void TabController::step(int by)
{
    const int count = m_window->tabs->count();
    m_window->showTabs();
    if (count > 0)
        m_window->tabs->setCurrentIndex((m_window->tabs->currentIndex() + by + count) % count);
}

bool TabController::canPin() const
{
    const QWidget *page = m_window->tabs->currentWidget();
    return !m_window->hidesTabs() && page && page != m_window->welcome;
}

void TabController::togglePinned()
{
    QWidget *page = m_window->tabs->currentWidget();
    if (canPin())
        m_marks.setPinned(page, !m_marks.isPinned(page));
}

void TabController::dropPages(const QList<QPointer<QWidget>> &pages)
{
    for (const QPointer<QWidget> &page : pages) {
        if (m_window->tabs->indexOf(page) >= 0)
            removeTab(page);
    }
}

void TabController::closePages(const QList<QPointer<QWidget>> &pages)
{
    const auto nameOf = [](const QWidget *page) {
        const auto *call = qobject_cast<const ui::CallPanel *>(page);
        return visibleLine(call ? call->name() : page->accessibleName(), 80);
    };
    QStringList ending;
    qsizetype calls = 0;
    for (const QPointer<QWidget> &page : pages) {
        if (const qsizetype count = callsEndingWith(page); count > 0) {
            ending << nameOf(page);
            calls += count;
        }
    }
    const bool closesOne = pages.size() == 1;
    const bool isReplay = ending.size() == 1 && std::any_of(pages.begin(), pages.end(), [](const QWidget *page) {
                              return qobject_cast<const ui::ReplayPanel *>(page) && callsEndingWith(page) > 0;
                          });
    const QString question =
        isReplay            ? tr("“%1” is still running. Closing its tab stops the replay.").arg(ending.first())
        : ending.size() > 1 ? tr("%1 calls are still running. Closing their tabs cancels them.").arg(calls)
        : calls > 1 ? tr("“%1” is still running. Closing its tab cancels the calls that are left.").arg(ending.first())
        : calls == 1 ? tr("“%1” is still running. Closing its tab cancels the call.").arg(ending.first())
                     : QString();
    if (calls > 0 && !confirm(m_window, closesOne ? tr("Close tab") : tr("Close tabs"), question,
                              isReplay     ? tr("Stop replay and close")
                              : calls == 1 ? tr("Cancel call and close")
                                           : tr("Cancel calls and close"),
                              tr("Keep open")))
        return;
    for (const QPointer<QWidget> &page : pages) {
        if (!mayLeave(qobject_cast<ui::CallPanel *>(page), m_window))
            return;
    }
    bool closesCurrent = false;
    for (const QPointer<QWidget> &page : pages) {
        if (!page || m_window->tabs->indexOf(page) < 0)
            continue;
        closesCurrent = closesCurrent || page == m_window->tabs->currentWidget();
        auto *call = qobject_cast<ui::CallPanel *>(page);
        if (call && call->isTaskRunning()) {
            m_window->tell(
                tr("%1 continues as a task: see Tasks on the server's page.").arg(visibleLine(call->name(), 80)));
        } else if (callsEndingWith(page) > 0) {
            if (call)
                call->cancel();
            m_window->tell(tr("%1 was cancelled because its tab was closed.").arg(nameOf(page)));
        }
        if (keep(page))
            takeTab(page);
        else
            removeTab(page);
    }
    if (closesCurrent)
        focusPage();
}

bool TabController::keep(QWidget *page)
{
    const WorkspaceItem *item = itemOfPage(page);
    ClosedTabs::Tab tab;
    tab.item = item ? item->id : 0;
    if (page == m_window->welcome || !store(page, &tab.state, &tab.contents))
        return false;
    tab.state.isPreview = false;
    auto *call = qobject_cast<ui::CallPanel *>(page);
    // A resource is read anew, and nobody subscribes to what cannot be seen.
    if (call && tab.state.ref.kind != OfferKind::Resource && !call->isTaskRunning())
        tab.panel = call;
    m_closed.add(tab);
    return tab.panel;
}

void TabController::removeTab(QWidget *page)
{
    takeTab(page);
    if (page != m_window->welcome)
        page->deleteLater();
}

// The page stays, without a parent.
void TabController::takeTab(QWidget *page)
{
    QTabWidget *tabs = m_window->tabs;
    m_marks.forget(page);
    m_pages.removeIf([page](QHash<int, QPointer<QWidget>>::iterator entry) { return entry->data() == page; });
    tabs->removeTab(tabs->indexOf(page));
    page->hide();
    page->setParent(page == m_window->welcome ? m_window : nullptr);
    if (tabs->count() == 0)
        tabs->addTab(m_window->welcome, tr("Welcome"));
    nameTabs();
}

void TabController::focusPage()
{
    QWidget *page = m_window->tabs->currentWidget();
    if (ui::CallPanel *call = currentPanel())
        call->focusForm();
    else if (auto *waiting = qobject_cast<WaitingTab *>(page))
        waiting->focusButton();
    else if (page == m_window->welcome)
        m_window->welcome->focusLine();
    else
        m_window->tabs->tabBar()->setFocus();
}

void TabController::onTabChanged(int index)
{
    QWidget *page = m_window->tabs->widget(index);
    const auto *call = qobject_cast<ui::CallPanel *>(page);
    Q_EMIT cancellableChanged();
    if (WorkspaceItem *item = itemOfPage(page)) {
        if (item != m_workspace->current())
            m_workspace->setCurrent(*item);
        const auto *waiting = qobject_cast<const WaitingTab *>(page);
        const auto *recorded = qobject_cast<const ui::RecordedCallPanel *>(page);
        m_window->offers->select(call       ? call->ref()
                                 : waiting  ? waiting->tab().ref
                                 : recorded ? recorded->ref()
                                            : ui::OfferRef());
    }
}

void TabController::onChosen(WorkspaceItem *item)
{
    if (itemOfPage(m_window->tabs->currentWidget()) != item)
        choosePage(*item);
}

void TabController::onItemChanged(WorkspaceItem *item)
{
    refreshPage(*item);
    for (int i = 0; i < m_window->tabs->count(); ++i) {
        auto *waiting = qobject_cast<WaitingTab *>(m_window->tabs->widget(i));
        if (waiting && waiting->item() == item->id)
            waiting->setConnection(item->connection.get());
        // Its session was read again.
        auto *recorded = qobject_cast<ui::RecordedCallPanel *>(m_window->tabs->widget(i));
        if (recorded && !recorded->offers() && item->offers)
            recorded->setOffers(item->offers.get());
    }
    nameTabs();
}

// If the current tab is closed, the page of the current item is shown.
void TabController::onRemoved(const QList<const WorkspaceItem *> &items)
{
    QTabWidget *tabs = m_window->tabs;
    const auto isGoing = [this, &items](const QWidget *page) {
        return std::any_of(items.begin(), items.end(), [&](const WorkspaceItem *item) { return owns(*item, page); });
    };
    if (isGoing(tabs->currentWidget()))
        choosePage(*m_workspace->current());
    for (int i = tabs->count() - 1; i >= 0; --i) {
        if (isGoing(tabs->widget(i)))
            removeTab(tabs->widget(i));
    }
    for (const WorkspaceItem *item : items)
        m_closed.forgetItem(item->id);
    for (const auto &item : m_workspace->items())
        refreshPage(*item);
    for (int i = 0; i < tabs->count(); ++i) {
        if (auto *call = qobject_cast<ui::CallPanel *>(tabs->widget(i)))
            call->refresh();
        if (auto *waiting = qobject_cast<WaitingTab *>(tabs->widget(i))) {
            if (const WorkspaceItem *of = itemOfPage(waiting))
                waiting->setServer(of->spec.name);
        }
    }
    nameTabs();
}

}  // namespace sonde::app
