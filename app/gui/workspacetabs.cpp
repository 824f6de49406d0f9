// The workspace's other half: tabs, keys, timeline, end.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/mainwindow.h"
#include "app/gui/settings.h"
#include "app/gui/workspace.h"
#include "core/protocol/visibletext.h"
#include "ui/dialogs/gotopalette.h"
#include "ui/panels/callpanel.h"
#include "ui/panels/offertree.h"
#include "ui/panels/serverpanel.h"
#include "ui/panels/sessionpanel.h"
#include "ui/panels/welcomepanel.h"
#include "ui/result/outcometext.h"
#include "ui/theme/keys.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/timelinepanel.h"

#include <QActionGroup>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <algorithm>
#include <functional>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace keys = ui::keys;

namespace {

constexpr int ShutDownMs = 3000;  // then what still runs is killed
constexpr int MessageMs = 8000;   // how long the status line says what was done

using OfferKind = ui::OfferRef::Kind;

QString kindName(OfferKind kind)
{
    switch (kind) {
        case OfferKind::Tool:
            return Workspace::tr("tool");
        case OfferKind::Resource:
            return Workspace::tr("resource");
        case OfferKind::Template:
            return Workspace::tr("template");
        case OfferKind::Prompt:
            return Workspace::tr("prompt");
        case OfferKind::Info:
        case OfferKind::None:
            break;
    }
    return Workspace::tr("server");
}

// What the palette leads to: a server, something it offers, or what is to be done.
struct GotoTarget {
    int item = 0;  // its id: two servers can have the same name
    ui::OfferRef ref;
    std::function<void()> command;
};

}  // namespace

void Workspace::wireWindow()
{
    MainWindow *w = m_window;
    connect(w->serverList, &ui::ServerListView::startRequested, this, [this](const QModelIndex &i) { start(i.row()); });
    connect(w->serverList, &ui::ServerListView::stopRequested, this, [this](const QModelIndex &i) { stop(i.row()); });
    connect(w->serverList, &QListView::customContextMenuRequested, this, &Workspace::serverMenu);
    connect(w->serverList->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex &now) {
                if (now.isValid() && now.row() != rowOf(m_current))
                    goToServer(now.row());
            });
    // One that is selected already, while the centre shows something else.
    connect(w->serverList, &QListView::clicked, this, [this](const QModelIndex &index) { goToServer(index.row()); });
    connect(w->serverList, &QListView::doubleClicked, this, [this](const QModelIndex &index) {
        Item *item = m_items[size_t(index.row())].get();
        if (!item->connection || item->connection->state() == Connection::State::Disconnected)
            start(index.row());
        showPage(*item);
    });
    connect(w->serverList, &QListView::activated, this,
            [this](const QModelIndex &index) { showPage(*m_items[size_t(index.row())]); });
    connect(w->offers, &ui::OfferTree::activated, this, [this](const ui::OfferRef &ref) {
        if (m_current && m_current->connection)
            openTab(m_current->connection.get(), ref)->focusForm();
    });
    connect(w->addServer, &QPushButton::clicked, this, &Workspace::addServer);
    connect(w->openSession, &QPushButton::clicked, this, &Workspace::chooseSession);
    connect(w->goTo, &QPushButton::clicked, this, &Workspace::goTo);
    connect(w->replay, &QPushButton::clicked, this, [this] { askToReplay({}); });
    connect(w->compare, &QPushButton::clicked, this, [this] { compare(rowOf(m_current)); });
    connect(w->welcome, &ui::WelcomePanel::connectRequested, this, &Workspace::addAndConnect);
    connect(w->welcome, &ui::WelcomePanel::demoRequested, this, &Workspace::startDemo);
    connect(w->welcome, &ui::WelcomePanel::sessionRequested, this, &Workspace::openSessionFile);
    connect(w->welcome, &ui::WelcomePanel::shown, this, &Workspace::showRecentSessions);
    connect(w->welcome, &ui::WelcomePanel::allSessionsRequested, this, &Workspace::chooseSession);
    connect(w->tabs, &QTabWidget::tabCloseRequested, this, &Workspace::closeTab);
    connect(w->tabs, &QTabWidget::currentChanged, this, &Workspace::onTabChanged);
    connect(w->timeline, &ui::TimelinePanel::sendRequested, this, &Workspace::sendAgain);
    connect(w->timeline, &ui::TimelinePanel::editAndSendRequested, this, &Workspace::editAndSend);
    connect(w->timeline, &ui::TimelinePanel::replayRequested, this, [this] { askToReplay({}, true); });
    connect(w->timeline, &ui::TimelinePanel::exportRequested, this, &Workspace::exportShown);
    connect(w->timeline, &ui::TimelinePanel::keptFiltersChanged, this, [this] {
        m_window->store(*m_settings);
        m_settings->save();
    });
    connect(w, &MainWindow::closing, this, &Workspace::shutDown);

    using Mode = ui::ThemeController::Mode;
    auto *menu = new QMenu(w->theme);
    auto *group = new QActionGroup(menu);
    const QString saved = m_settings->text(u"window/theme"_s);
    const auto addMode = [&](const QString &text, Mode mode, const QString &key) {
        QAction *action = menu->addAction(text);
        action->setCheckable(true);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, mode, key] {
            m_theme->setMode(mode);
            m_window->showTheme(mode);
            m_settings->set(u"window/theme"_s, key);
            m_settings->save();
        });
        if (saved == key || (saved.isEmpty() && mode == Mode::System)) {
            action->setChecked(true);
            m_theme->setMode(mode);
            m_window->showTheme(mode);
        }
    };
    addMode(tr("As the system"), Mode::System, u"system"_s);
    addMode(tr("Light"), Mode::Light, u"light"_s);
    addMode(tr("Dark"), Mode::Dark, u"dark"_s);
    w->theme->setMenu(menu);
    w->restore(*m_settings);
}

void Workspace::wireShortcuts()
{
    const auto key = [this](QKeyCombination combination, auto action) {
        auto *shortcut = new QShortcut(combination, m_window);
        connect(shortcut, &QShortcut::activated, this, action);
        return shortcut;
    };
    key(keys::GoTo, [this] { goTo(); });
    key(keys::AddServer, [this] { addServer(); });
    key(keys::OpenSession, [this] { chooseSession(); });
    key(keys::FilterOffers, [this] { m_window->offers->focusFilter(); });
    key(keys::FilterTimeline, [this] {
        m_window->timeline->show();  // replays and comparisons hide it
        m_window->timeline->focusFilter();
    });
    key(keys::MaximiseTimeline, [this] {
        if (m_window->timeline->isHidden())
            m_window->timeline->show();
        else
            m_window->toggleTimeline();
        updateCancel();
    });
    key(keys::Export, [this] { exportShown(false); });
    key(keys::Replay, [this] { askToReplay({}); });
    key(keys::Compare, [this] { compare(rowOf(m_current)); });
    key(keys::Statistics, [this] { m_window->timeline->showStatistics(); });
    key(keys::Restart, [this] { restart(rowOf(m_current)); });
    // Nothing is done to a tab that cannot be seen.
    key(keys::CloseTab, [this] {
        if (!m_window->hidesTabs())
            closeTab(m_window->tabs->currentIndex());
    });
    key(keys::Quit, [this] { m_window->close(); });
    const auto step = [this](int by) {
        const int count = m_window->tabs->count();
        m_window->showTabs();
        if (count > 0)
            m_window->tabs->setCurrentIndex((m_window->tabs->currentIndex() + by + count) % count);
    };
    key(keys::NextTab, [step] { step(1); });
    key(keys::PreviousTab, [step] { step(-1); });
    for (const int enter : {Qt::Key_Return, Qt::Key_Enter}) {
        key(Qt::CTRL | Qt::Key(enter), [this] {
            if (ui::CallPanel *panel = currentPanel())
                panel->call();
        });
    }
    key(keys::OlderCall, [this] {
        if (ui::CallPanel *panel = currentPanel())
            panel->stepHistory(-1);
    });
    key(keys::NewerCall, [this] {
        if (ui::CallPanel *panel = currentPanel())
            panel->stepHistory(1);
    });
    // Only while something can be cancelled: Escape means other things elsewhere.
    m_cancel = key(Qt::Key_Escape, [this] {
        if (ui::CallPanel *panel = currentPanel())
            panel->cancel();
    });
    m_cancel->setEnabled(false);
}

ui::CallPanel *Workspace::currentPanel() const
{
    return m_window->hidesTabs() ? nullptr : qobject_cast<ui::CallPanel *>(m_window->tabs->currentWidget());
}

void Workspace::updateCancel()
{
    const ui::CallPanel *shown = currentPanel();
    m_cancel->setEnabled(shown && shown->isRunning());
}

void Workspace::bringForward(QWidget *page)
{
    m_window->showTabs();
    m_window->tabs->setCurrentWidget(page);
}

ui::CallPanel *Workspace::openTab(Connection *connection, const ui::OfferRef &ref)
{
    QTabWidget *tabs = m_window->tabs;
    for (int i = 0; i < tabs->count(); ++i) {
        auto *panel = qobject_cast<ui::CallPanel *>(tabs->widget(i));
        if (panel && panel->connection() == connection && panel->ref() == ref) {
            bringForward(panel);
            return panel;
        }
    }
    auto *panel = new ui::CallPanel(ref, connection);
    m_window->addPage(panel, panel->name(), {});
    nameTabs();
    connect(panel, &ui::CallPanel::renamed, this, &Workspace::nameTabs);
    connect(panel, &ui::CallPanel::resourceActivated, this, [this, panel](const QString &uri) {
        if (Connection *c = panel->connection())
            openTab(c, {ui::OfferRef::Kind::Resource, uri});
    });
    // Without a page of its own coming to the front: the person is in the middle of something.
    connect(panel, &ui::CallPanel::restartRequested, connection, &Connection::restart);
    connect(panel, &ui::CallPanel::runningChanged, this, &Workspace::updateCancel);
    rememberArguments(panel);
    bringForward(panel);
    // Reading is safe and what one opens a resource for.
    if (ref.kind == ui::OfferRef::Kind::Resource && connection->state() == Connection::State::Connected)
        panel->call();
    return panel;
}

void Workspace::showPage(Item &item)
{
    m_window->showTabs();
    choosePage(item);
}

void Workspace::choosePage(Item &item)
{
    QTabWidget *tabs = m_window->tabs;
    if (!item.page) {
        item.page = makePage(item);
        m_window->addPage(item.page, item.spec.name, {});
        refreshPage(item);
        nameTabs();
    }
    tabs->setCurrentWidget(item.page);
    // The page of a server that was only looked at.
    for (const auto &other : m_items) {
        if (other.get() != &item && other->page && !other->connection && !other->session)
            removeTab(other->page);
    }
}

QWidget *Workspace::makePage(Item &item)
{
    // The line of the list may have moved when one of the buttons is pressed.
    const auto row = [this](const QWidget *page) { return rowOf(itemOfPage(page)); };
    if (item.kind == ui::ServerItem::Kind::Session) {
        auto *panel = new ui::SessionPanel;
        connect(panel, &ui::SessionPanel::replayRequested, this, [this, panel] {
            if (const Item *shown = itemOfPage(panel))
                askToReplay(shown->session->path());
        });
        connect(panel, &ui::SessionPanel::compareRequested, this, [this, panel, row] { compare(row(panel)); });
        connect(panel, &ui::SessionPanel::closeRequested, this, [this, panel, row] { remove(row(panel)); });
        return panel;
    }
    auto *panel = new ui::ServerPanel;
    panel->setEditable(!item.isBuiltIn);
    connect(panel, &ui::ServerPanel::editRequested, this, [this, panel, row] { edit(row(panel)); });
    connect(panel, &ui::ServerPanel::restartRequested, this, [this, panel, row] { restart(row(panel)); });
    connect(panel, &ui::ServerPanel::cancelRequested, this, [this, panel, row] { stop(row(panel)); });
    connect(panel, &ui::ServerPanel::pingRequested, this, [this, panel] {
        if (!panel->connection())
            return;
        connect(panel->connection()->ping(), &Call::finished, this, [this](const Outcome &outcome) {
            refreshList();
            if (outcome.kind != Outcome::Kind::Ok)
                showError(tr("Ping was not answered"), outcome.error);
        });
    });
    return panel;
}

void Workspace::refreshPage(const Item &item)
{
    if (auto *server = qobject_cast<ui::ServerPanel *>(item.page))
        server->setServer(item.spec, item.connection.get());
    else if (auto *session = qobject_cast<ui::SessionPanel *>(item.page))
        session->setSession(item.session.get());
}

// Each by its own name, and by more where several tabs would have the same.
void Workspace::nameTabs()
{
    struct Tab {
        QWidget *page;
        const Item *item;
        OfferKind kind;
        QString key;
        QString name;
    };
    QTabWidget *tabs = m_window->tabs;
    std::vector<Tab> all;
    for (int i = 0; i < tabs->count(); ++i) {
        QWidget *page = tabs->widget(i);
        const Item *item = itemOfPage(page);
        if (!item)
            continue;
        const auto *call = qobject_cast<const ui::CallPanel *>(page);
        if (call)
            all.push_back({page, item, call->ref().kind, call->ref().key, call->name()});
        else
            all.push_back({page, item, OfferKind::Info, item->spec.line(), visibleLine(item->spec.name, 40)});
    }
    for (const Tab &tab : all) {
        const QString server = visibleLine(tab.item->spec.name, 40);
        QStringList parts{tab.name};
        const auto hasTwin = [&](auto differs) {
            return std::any_of(all.begin(), all.end(),
                               [&](const Tab &other) { return other.name == tab.name && differs(other); });
        };
        if (hasTwin([&tab](const Tab &other) { return other.item == tab.item && other.kind != tab.kind; }))
            parts << kindName(tab.kind);
        if (tab.item->session)
            parts << describe(*tab.item).detail;  // "recorded 2026-11-22 09:30"
        else if (tab.kind != OfferKind::Info && hasTwin([&tab](const Tab &other) { return other.item != tab.item; }))
            parts << server;
        m_window->namePage(tab.page, parts.join(u" · "_s), tab.key + u'\n' + server);
    }
}

// By a person.
void Workspace::closeTab(int index)
{
    QTabWidget *tabs = m_window->tabs;
    QWidget *page = tabs->widget(index);
    if (!page)
        return;
    const bool isCurrent = page == tabs->currentWidget();
    if (auto *call = qobject_cast<ui::CallPanel *>(page); call && call->isRunning()) {
        // Nobody could cancel it any more.
        call->cancel();
        m_window->statusBar()->showMessage(tr("%1 was cancelled: its tab was closed.").arg(call->name()), MessageMs);
    }
    removeTab(page);
    if (isCurrent)
        focusPage();
}

void Workspace::removeTab(QWidget *page)
{
    QTabWidget *tabs = m_window->tabs;
    if (Item *item = itemOfPage(page); item && item->page == page)
        item->page = nullptr;
    tabs->removeTab(tabs->indexOf(page));
    if (page == m_window->welcome) {
        page->setParent(m_window);
        page->hide();
    } else {
        page->deleteLater();
    }
    if (tabs->count() == 0)
        tabs->addTab(m_window->welcome, tr("Welcome"));
    nameTabs();
}

// To where one goes on with the keyboard.
void Workspace::focusPage()
{
    QWidget *page = m_window->tabs->currentWidget();
    if (ui::CallPanel *call = currentPanel())
        call->focusForm();
    else if (page == m_window->welcome)
        m_window->welcome->focusLine();
    else
        m_window->tabs->tabBar()->setFocus();
}

void Workspace::onTabChanged(int index)
{
    QWidget *page = m_window->tabs->widget(index);
    const auto *call = qobject_cast<ui::CallPanel *>(page);
    updateCancel();
    makeRoomFor(page);
    if (Item *item = itemOfPage(page)) {
        if (item != m_current)
            select(rowOf(item));
        m_window->offers->select(call ? call->ref() : ui::OfferRef());
    }
}

void Workspace::goTo()
{
    QList<ui::GotoEntry> entries;
    for (const auto &item : m_items) {
        if (item->kind != ui::ServerItem::Kind::Server)
            continue;
        const QString server = item->spec.name;
        entries.append({server, tr("server"), u"server"_s, QVariant::fromValue(GotoTarget{item->id, {}, {}})});
        if (!item->connection)
            continue;
        const Catalog &catalog = *item->connection->catalog();
        const auto add = [&entries, &server, &item](const QString &text, const QString &iconName, ui::OfferRef ref) {
            entries.append({text, server, iconName, QVariant::fromValue(GotoTarget{item->id, std::move(ref), {}})});
        };
        for (const Tool &tool : catalog.tools())
            add(tool.name, u"tool"_s, {ui::OfferRef::Kind::Tool, tool.name});
        for (const Resource &resource : catalog.resources())
            add(resource.name + u"  "_s + resource.uri, u"resource"_s, {ui::OfferRef::Kind::Resource, resource.uri});
        for (const ResourceTemplate &entry : catalog.resourceTemplates())
            add(entry.name + u"  "_s + entry.uriTemplate, u"template"_s,
                {ui::OfferRef::Kind::Template, entry.uriTemplate});
        for (const Prompt &prompt : catalog.prompts())
            add(prompt.name, u"prompt"_s, {ui::OfferRef::Kind::Prompt, prompt.name});
    }
    const auto addCommand = [&entries](const QString &text, const QString &iconName, QKeyCombination combination,
                                       const std::function<void()> &command) {
        entries.append({text, ui::keyText(combination), iconName, QVariant::fromValue(GotoTarget{0, {}, command})});
    };
    addCommand(tr("Replay…"), u"play"_s, keys::Replay, [this] { askToReplay({}); });
    addCommand(tr("Compare…"), u"compare"_s, keys::Compare, [this] { compare(rowOf(m_current)); });
    const GotoTarget limit{0, {}, [this] { m_storage.askForLimit(m_window); }};
    entries.append({tr("Recording limit…"), {}, u"history"_s, QVariant::fromValue(limit)});
    addCommand(tr("Statistics of calls"), u"statistics"_s, keys::Statistics,
               [this] { m_window->timeline->showStatistics(); });
    auto *palette = new ui::GotoPalette(entries, m_window);
    connect(palette, &ui::GotoPalette::chosen, this, [this](const QVariant &chosen) {
        const auto target = chosen.value<GotoTarget>();
        if (target.command) {
            target.command();
            return;
        }
        for (const auto &item : m_items) {
            if (item->id != target.item)
                continue;
            if (target.ref.kind != ui::OfferRef::Kind::None && item->connection) {
                openTab(item->connection.get(), target.ref)->focusForm();
            } else {
                select(rowOf(item.get()));
                showPage(*item);
            }
            return;
        }
    });
    const QPoint corner = m_window->goTo->mapToGlobal(QPoint(m_window->goTo->width() / 2 - palette->width() / 2, 0));
    palette->move(corner);
    palette->open();
}

void Workspace::updateStatus()
{
    const Session *session = m_shownSession;
    m_window->recording->setVisible(session != nullptr);
    m_window->counts->setVisible(session != nullptr);
    const Connection *connection = m_current ? m_current->connection.get() : nullptr;
    m_window->process->setVisible(connection && connection->processId() > 0);
    if (connection && connection->processId() > 0)
        m_window->process->setText(
            tr("%1: pid %2").arg(visibleLine(m_current->spec.name, 40)).arg(connection->processId()));
    if (!session)
        return;
    const QString file = session->path().section(u'/', -1);
    const bool isRunning = connection && connection->state() != Connection::State::Disconnected;
    if (!session->isLive()) {
        m_window->recording->setTone(ui::Tone::NoResponse);
        m_window->recording->setText(tr("Session %1").arg(file));
    } else if (!isRunning && !file.isEmpty() && !session->error()) {
        m_window->recording->setTone(ui::Tone::NoResponse);
        m_window->recording->setText(tr("Recorded in %1").arg(file));
    } else {
        const bool isInMemory = file.isEmpty() || session->error();
        const qint64 leftOut = session->leftOut().records();
        QString text = isInMemory ? tr("▲ Recording in memory only") : tr("● Recording to %1").arg(file);
        if (session->isFull())
            text = tr("▲ Recording calls only, limit of %1 reached").arg(ui::sizeText(session->limit()));
        if (leftOut > 0)
            text += tr(" · %1 not stored").arg(ui::counted(leftOut, tr("1 record"), tr("%1 records")));
        else if (session->recorded() >= session->limit() / 5 * 4)
            text += tr(" · %1 of %2").arg(ui::sizeText(session->recorded()), ui::sizeText(session->limit()));
        m_window->recording->setTone(isInMemory || session->isFull() ? ui::Tone::ToolError : ui::Tone::Ok);
        m_window->recording->setText(text);
    }
    m_window->recording->setToolTip(ui::plainToolTip(session->path()));
    m_window->counts->setText(tr("%1 · %2").arg(
        ui::counted(session->messageCount(), tr("1 message"), tr("%1 messages")), ui::sizeText(session->totalBytes())));
}

void Workspace::shutDown()
{
    if (m_isClosing)
        return;
    m_isClosing = true;
    m_window->store(*m_settings);
    m_settings->save();
    m_window->hide();
    stopReplays();
    for (const auto &item : m_items) {
        if (item->connection)
            item->connection->close();
    }
    QTimer::singleShot(ShutDownMs, this, &Workspace::finished);
    maybeFinish();
}

void Workspace::maybeFinish()
{
    if (!m_isClosing)
        return;
    for (const auto &item : m_items) {
        if (item->connection && item->connection->state() != Connection::State::Disconnected)
            return;
    }
    QTimer::singleShot(0, this, &Workspace::finished);
}

}  // namespace sonde::app
