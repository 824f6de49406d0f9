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
#include "ui/panels/welcomepanel.h"
#include "ui/result/outcometext.h"
#include "ui/theme/keys.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/timelinepanel.h"

#include <QActionGroup>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QTabWidget>
#include <functional>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace keys = ui::keys;

namespace {

constexpr int ShutDownMs = 3000;  // then what still runs is killed

// What the palette leads to: a server, something it offers, or what is to be done.
struct GotoTarget {
    QString server;
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
                    select(now.row());
            });
    connect(w->serverList, &QListView::doubleClicked, this, [this](const QModelIndex &index) {
        Item *item = m_items[size_t(index.row())].get();
        if (item->connection && item->connection->state() != Connection::State::Disconnected)
            openInfo(item->connection.get());
        else
            start(index.row());
    });
    connect(w->serverList, &QListView::activated, this, [this](const QModelIndex &index) {
        if (Connection *connection = m_items[size_t(index.row())]->connection.get())
            openInfo(connection);
    });
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
    });
    key(keys::Export, [this] { exportShown(false); });
    key(keys::Replay, [this] { askToReplay({}); });
    key(keys::Compare, [this] { compare(rowOf(m_current)); });
    key(keys::Statistics, [this] { m_window->timeline->showStatistics(); });
    key(keys::Restart, [this] { restart(rowOf(m_current)); });
    key(keys::CloseTab, [this] { closeTab(m_window->tabs->currentIndex()); });
    key(keys::Quit, [this] { m_window->close(); });
    const auto step = [this](int by) {
        const int count = m_window->tabs->count();
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
    return qobject_cast<ui::CallPanel *>(m_window->tabs->currentWidget());
}

ui::CallPanel *Workspace::openTab(Connection *connection, const ui::OfferRef &ref)
{
    QTabWidget *tabs = m_window->tabs;
    for (int i = 0; i < tabs->count(); ++i) {
        auto *panel = qobject_cast<ui::CallPanel *>(tabs->widget(i));
        if (panel && panel->connection() == connection && panel->ref() == ref) {
            tabs->setCurrentIndex(i);
            return panel;
        }
    }
    auto *panel = new ui::CallPanel(ref, connection);
    const int index = m_window->addPage(panel, panel->title(), ref.key + u"\n"_s + connection->spec().name);
    connect(panel, &ui::CallPanel::titleChanged, m_window,
            [this, panel](const QString &title) { m_window->namePage(panel, title); });
    connect(panel, &ui::CallPanel::resourceActivated, this, [this, panel](const QString &uri) {
        if (Connection *c = panel->connection())
            openTab(c, {ui::OfferRef::Kind::Resource, uri});
    });
    // Without a page of its own coming to the front: the person is in the middle of something.
    connect(panel, &ui::CallPanel::restartRequested, connection, &Connection::restart);
    connect(panel, &ui::CallPanel::runningChanged, this, [this] {
        const ui::CallPanel *shown = currentPanel();
        m_cancel->setEnabled(shown && shown->isRunning());
    });
    rememberArguments(panel);
    tabs->setCurrentIndex(index);
    // Reading is safe and what one opens a resource for.
    if (ref.kind == ui::OfferRef::Kind::Resource && connection->state() == Connection::State::Connected)
        panel->call();
    return panel;
}

void Workspace::openInfo(Connection *connection)
{
    QTabWidget *tabs = m_window->tabs;
    for (int i = 0; i < tabs->count(); ++i) {
        auto *panel = qobject_cast<ui::ServerPanel *>(tabs->widget(i));
        if (panel && panel->connection() == connection) {
            tabs->setCurrentIndex(i);
            return;
        }
    }
    auto *panel = new ui::ServerPanel(connection);
    connect(panel, &ui::ServerPanel::editRequested, this, [this, connection] { edit(rowOf(itemOf(connection))); });
    connect(panel, &ui::ServerPanel::restartRequested, this,
            [this, connection] { restart(rowOf(itemOf(connection))); });
    connect(panel, &ui::ServerPanel::pingRequested, this, [this, connection] {
        connect(connection->ping(), &Call::finished, this, [this](const Outcome &outcome) {
            refreshList();
            if (outcome.kind != Outcome::Kind::Ok)
                showError(tr("Ping was not answered"), outcome.error);
        });
    });
    const Item *item = itemOf(connection);
    panel->setEditable(item && !item->isBuiltIn);
    tabs->setCurrentIndex(
        m_window->addPage(panel, visibleLine(connection->spec().name, 40), connection->spec().line()));
}

void Workspace::closeTab(int index)
{
    QTabWidget *tabs = m_window->tabs;
    QWidget *page = tabs->widget(index);
    if (!page)
        return;
    tabs->removeTab(index);
    if (page == m_window->welcome)
        page->setParent(m_window);
    else
        page->deleteLater();
    if (page == m_window->welcome)
        page->hide();
    if (tabs->count() == 0)
        tabs->addTab(m_window->welcome, tr("Welcome"));
}

void Workspace::closeTabsOf(const Connection *connection)
{
    if (!connection)
        return;
    QTabWidget *tabs = m_window->tabs;
    for (int i = tabs->count() - 1; i >= 0; --i) {
        const auto *call = qobject_cast<ui::CallPanel *>(tabs->widget(i));
        const auto *info = qobject_cast<ui::ServerPanel *>(tabs->widget(i));
        if ((call && call->connection() == connection) || (info && info->connection() == connection))
            closeTab(i);
    }
}

void Workspace::onTabChanged(int index)
{
    QWidget *page = m_window->tabs->widget(index);
    const auto *call = qobject_cast<ui::CallPanel *>(page);
    const auto *info = qobject_cast<ui::ServerPanel *>(page);
    m_cancel->setEnabled(call && call->isRunning());
    makeRoomFor(page);
    Connection *connection = call ? call->connection() : info ? info->connection() : nullptr;
    if (Item *item = itemOf(connection)) {
        if (item != m_current)
            select(rowOf(item));
        if (call)
            m_window->offers->select(call->ref());
    }
}

void Workspace::goTo()
{
    QList<ui::GotoEntry> entries;
    for (const auto &item : m_items) {
        if (item->kind != ui::ServerItem::Kind::Server)
            continue;
        const QString server = item->spec.name;
        entries.append({server, tr("server"), u"server"_s, QVariant::fromValue(GotoTarget{server, {}, {}})});
        if (!item->connection)
            continue;
        const Catalog &catalog = *item->connection->catalog();
        const auto add = [&entries, &server](const QString &text, const QString &iconName, ui::OfferRef ref) {
            entries.append({text, server, iconName, QVariant::fromValue(GotoTarget{server, std::move(ref), {}})});
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
        entries.append({text, ui::keyText(combination), iconName, QVariant::fromValue(GotoTarget{{}, {}, command})});
    };
    addCommand(tr("Replay…"), u"play"_s, keys::Replay, [this] { askToReplay({}); });
    addCommand(tr("Compare…"), u"compare"_s, keys::Compare, [this] { compare(rowOf(m_current)); });
    entries.append({tr("Recording limit…"), {}, u"history"_s, QVariant::fromValue(GotoTarget{{}, {}, [this] {
                                                                                                 askForLimit(m_window);
                                                                                             }})});
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
            if (item->kind != ui::ServerItem::Kind::Server || item->spec.name != target.server)
                continue;
            select(rowOf(item.get()));
            if (target.ref.kind != ui::OfferRef::Kind::None && item->connection)
                openTab(item->connection.get(), target.ref)->focusForm();
            else if (item->connection)
                openInfo(item->connection.get());
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
    if (!session->isLive()) {
        m_window->recording->setTone(ui::Tone::NoAnswer);
        m_window->recording->setText(tr("Session %1").arg(file));
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
