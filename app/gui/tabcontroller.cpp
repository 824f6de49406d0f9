// SPDX-License-Identifier: Apache-2.0
#include "app/gui/tabcontroller.h"

#include "app/gui/confirm.h"
#include "app/gui/mainwindow.h"
#include "app/gui/signinvisit.h"
#include "app/gui/warningbar.h"
#include "core/authorization/oauth.h"
#include "core/protocol/visibletext.h"
#include "core/server/specsecrets.h"
#include "ui/panels/callpanel.h"
#include "ui/panels/offertree.h"
#include "ui/panels/openaddressdialog.h"
#include "ui/panels/serverpanel.h"
#include "ui/panels/sessionpanel.h"
#include "ui/panels/taskspanel.h"
#include "ui/panels/welcomepanel.h"
#include "ui/requests/requestpanel.h"
#include "ui/result/resultview.h"
#include "ui/timeline/timelinepanel.h"

#include <QApplication>
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

}  // namespace

TabController::TabController(Workspace *workspace, MainWindow *window, QObject *parent)
    : QObject(parent), m_workspace(workspace), m_window(window)
{
    // Once for all the tabs of a server that tell of a change in one turn.
    m_naming.setSingleShot(true);
    m_naming.setInterval(0);
    connect(&m_naming, &QTimer::timeout, this, &TabController::nameTabs);
    connect(m_workspace, &Workspace::chosen, this, &TabController::onChosen);
    connect(m_workspace, &Workspace::itemChanged, this, &TabController::onItemChanged);
    connect(m_workspace, &Workspace::removed, this, &TabController::onRemoved);
    connect(m_window->tabs, &QTabWidget::tabCloseRequested, this,
            [this](int index) { closePages({m_window->tabs->widget(index)}); });
    connect(m_window->tabs, &QTabWidget::currentChanged, this, &TabController::onTabChanged);
}

TabController::~TabController()
{
    m_window->tabs->disconnect(this);
    while (m_window->tabs->count() > 0) {
        QWidget *page = m_window->tabs->widget(0);
        m_window->tabs->removeTab(0);
        delete page;
    }
}

bool TabController::owns(const WorkspaceItem &item, const QWidget *page) const
{
    if (const auto *tasks = qobject_cast<const ui::TasksPanel *>(page))
        return item.connection && tasks->connection() == item.connection.get();
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

QList<ui::CallPanel *> TabController::running(const Connection *connection) const
{
    QList<ui::CallPanel *> panels;
    for (int i = 0; i < m_window->tabs->count(); ++i) {
        auto *panel = qobject_cast<ui::CallPanel *>(m_window->tabs->widget(i));
        if (panel && panel->isRunning() && (!connection || panel->connection() == connection))
            panels.append(panel);
    }
    return panels;
}

ui::CallPanel *TabController::open(Connection *connection, const ui::OfferRef &ref)
{
    QTabWidget *tabs = m_window->tabs;
    for (int i = 0; i < tabs->count(); ++i) {
        auto *panel = qobject_cast<ui::CallPanel *>(tabs->widget(i));
        if (panel && panel->connection() == connection && panel->ref() == ref) {
            m_window->bringForward(panel);
            return panel;
        }
    }
    return openAnother(connection, ref);
}

ui::CallPanel *TabController::openAnother(Connection *connection, const ui::OfferRef &ref)
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
    followInput(connection, panel->result());
    addCall(panel);
    Q_EMIT opened(panel);
    m_window->bringForward(panel);
    // Reading is safe, and the reason to open a resource.
    if (ref.kind == OfferKind::Resource && connection->state() == Connection::State::Connected &&
        !panel->showFreshRead())
        panel->call();
    return panel;
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

void TabController::reopen()
{
    while (const std::optional<ClosedTabs::Tab> tab = m_closed.takeLast()) {
        WorkspaceItem *item = m_workspace->itemWithId(tab->item);
        Connection *connection = item ? item->connection.get() : nullptr;
        if (tab->panel) {  // and so its connection is there
            addCall(tab->panel);
            m_window->bringForward(tab->panel);
        } else if (item && tab->ref.kind == OfferKind::None && !tab->isTasks) {
            showPage(*item);
        } else if (connection && tab->isTasks) {
            showTasks(connection);
        } else if (connection) {
            open(connection, tab->ref);
        } else {
            continue;
        }
        focusPage();
        break;
    }
    Q_EMIT tabsChanged();
}

void TabController::showTasks(Connection *connection)
{
    QTabWidget *tabs = m_window->tabs;
    for (int i = 0; i < tabs->count(); ++i) {
        if (auto *shown = qobject_cast<ui::TasksPanel *>(tabs->widget(i)); shown && shown->connection() == connection)
            return m_window->bringForward(shown);
    }
    auto *panel = new ui::TasksPanel(connection);
    m_window->addPage(panel, tr("Tasks"), {});
    nameTabs();
    connect(panel, &ui::TasksPanel::resourceActivated, this, [this, panel](const QString &uri) {
        if (Connection *c = panel->connection())
            open(c, {OfferKind::Resource, uri});
    });
    followInput(connection, panel->result());
    m_window->bringForward(panel);
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
        m_window->timeline->show();  // replays and comparisons hide it
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

void TabController::choosePage(WorkspaceItem &item)
{
    QWidget *page = m_pages.value(item.id);
    if (!page) {
        page = makePage(item);
        m_pages.insert(item.id, page);
        m_window->addPage(page, item.spec.name, {});
        refreshPage(item);
        nameTabs();
    }
    m_window->tabs->setCurrentWidget(page);
    // The page of a server that was only viewed.
    for (const auto &other : m_workspace->items()) {
        QWidget *shown = m_pages.value(other->id);
        if (other.get() != &item && shown && !other->connection && !other->session)
            removeTab(shown);
    }
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
            m_workspace->restart(*shown);
    });
    connect(panel, &ui::ServerPanel::detectRequested, this, [panel] {
        if (panel->connection())
            panel->connection()->detectAgain();
    });
    connect(panel, &ui::ServerPanel::cancelRequested, this, [panel] {
        if (panel->connection())
            panel->connection()->close();
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
    if (auto *server = qobject_cast<ui::ServerPanel *>(page))
        server->setServer(item.spec, item.connection.get());
    else if (auto *session = qobject_cast<ui::SessionPanel *>(page))
        session->setSession(item.session.get());
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
        m_window->namePage(tab.page, (call ? call->mark() : QString()) + parts.join(u" · "_s),
                           tab.key + u'\n' + server);
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

void TabController::closePages(const QList<QPointer<QWidget>> &pages)
{
    // Nobody could cancel these calls any more.
    const auto ends = [](const ui::CallPanel *call) { return call && call->isRunning() && !call->isTaskRunning(); };
    QStringList ending;
    for (const QPointer<QWidget> &page : pages) {
        if (const auto *call = qobject_cast<ui::CallPanel *>(page); ends(call))
            ending << call->name();
    }
    const bool closesOne = pages.size() == 1;
    if (!ending.isEmpty() &&
        !confirm(m_window, closesOne ? tr("Close tab") : tr("Close tabs"),
                 ending.size() == 1
                     ? tr("“%1” is still running. Closing its tab cancels the call.").arg(ending.first())
                     : tr("%1 calls are still running. Closing their tabs cancels them.").arg(ending.size()),
                 ending.size() == 1 ? tr("Cancel call and close") : tr("Cancel calls and close"), tr("Keep open")))
        return;
    bool closesCurrent = false;
    for (const QPointer<QWidget> &page : pages) {
        if (!page || m_window->tabs->indexOf(page) < 0)
            continue;
        closesCurrent = closesCurrent || page == m_window->tabs->currentWidget();
        auto *call = qobject_cast<ui::CallPanel *>(page);
        if (call && call->isTaskRunning()) {
            m_window->tell(
                tr("%1 continues as a task: see Tasks on the server's page.").arg(visibleLine(call->name(), 80)));
        } else if (ends(call)) {
            call->cancel();
            m_window->tell(tr("%1 was cancelled because its tab was closed.").arg(visibleLine(call->name(), 80)));
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
    if (!item)
        return false;
    ClosedTabs::Tab tab{item->id, {}, qobject_cast<ui::TasksPanel *>(page) != nullptr, nullptr};
    if (auto *call = qobject_cast<ui::CallPanel *>(page)) {
        tab.ref = call->ref();
        // A resource is read anew, and nobody subscribes to what cannot be seen.
        if (tab.ref.kind != OfferKind::Resource && !call->isTaskRunning())
            tab.panel = call;
    }
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
        m_window->offers->select(call ? call->ref() : ui::OfferRef());
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
    }
    nameTabs();
}

}  // namespace sonde::app
