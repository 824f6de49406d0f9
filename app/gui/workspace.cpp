// SPDX-License-Identifier: Apache-2.0
#include "app/gui/workspace.h"

#include "app/gui/mainwindow.h"
#include "app/gui/notice.h"
#include "app/gui/settings.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "ui/dialogs/sessionsdialog.h"
#include "ui/panels/callpanel.h"
#include "ui/panels/offertree.h"
#include "ui/panels/welcomepanel.h"
#include "ui/result/outcometext.h"
#include "ui/theme/keys.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/timelinepanel.h"

#include <QCoreApplication>
#include <QLocale>
#include <QTabWidget>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

constexpr int StatusIntervalMs = 250;  // how often the status line may change

}  // namespace

ServerSpec Workspace::demoSpec()
{
    ServerSpec spec;
    spec.name = tr("Demo server");
    spec.command = QCoreApplication::applicationDirPath() + u"/sonde-demo-server"_s;
    return spec;
}

Workspace::Workspace(MainWindow *window, ui::ThemeController *theme, Settings *settings, QObject *parent)
    : QObject(parent),
      m_window(window),
      m_theme(theme),
      m_settings(settings),
      m_storage(&m_store, &m_library, settings, window->notice)
{
    m_statusTimer.setSingleShot(true);
    m_statusTimer.setInterval(StatusIntervalMs);
    connect(&m_statusTimer, &QTimer::timeout, this, &Workspace::updateStatus);
    auto demo = newItem();
    demo->spec = demoSpec();
    demo->isBuiltIn = true;
    m_items.push_back(std::move(demo));
    wireWindow();
    wireShortcuts();
    connect(&m_storage, &StorageNotices::changed, this, &Workspace::updateStatus);
    m_storage.loadServers();
    syncServers();
    connect(&m_store, &ServerStore::changed, this, &Workspace::syncServers);
    select(0);
}

Workspace::~Workspace()
{
    // Ends are told to whoever watches: nobody here any more, while the members go one by one.
    m_window->tabs->disconnect(this);
    if (m_shownSession)
        m_shownSession->disconnect(this);
    for (const auto &item : m_items) {
        if (item->connection)
            item->connection->disconnect(this);
    }
    // Tabs and timeline look at connections and sessions: they go first.
    m_window->timeline->setSession(nullptr, false);
    m_window->offers->setCatalog(nullptr);
    while (m_window->tabs->count() > 0) {
        QWidget *page = m_window->tabs->widget(0);
        m_window->tabs->removeTab(0);
        delete page;
    }
}

std::unique_ptr<Workspace::Item> Workspace::newItem()
{
    return std::make_unique<Item>(++m_lastItemId);
}

// Makes the items follow the store without touching what runs.
void Workspace::syncServers()
{
    // The list is complete again before anybody is told: who hears of a change looks servers up in it.
    const int row = rowOf(m_current);
    std::vector<std::unique_ptr<Item>> before = std::exchange(m_items, {});
    const auto take = [&before](auto matches) {
        for (auto item = before.begin(); item != before.end(); ++item) {
            if (!matches(**item))
                continue;
            std::unique_ptr<Item> taken = std::move(*item);
            before.erase(item);
            return taken;
        }
        return std::unique_ptr<Item>();
    };
    for (const ServerSpec &spec : m_store.servers()) {
        auto item = take([&spec](const Item &candidate) {
            return candidate.kind == ui::ServerItem::Kind::Server && !candidate.isBuiltIn &&
                   candidate.spec.name == spec.name;
        });
        if (!item)
            item = newItem();
        item->spec = spec;
        if (item->connection)
            item->connection->setSpec(spec);
        m_items.push_back(std::move(item));
    }
    while (auto builtIn = take([](const Item &item) { return item.isBuiltIn; }))
        m_items.push_back(std::move(builtIn));
    while (auto session = take([](const Item &item) { return item.kind == ui::ServerItem::Kind::Session; }))
        m_items.push_back(std::move(session));
    leave(std::move(before), row);
}

// Tabs of what is no longer in the list go. Where the current one does, the page of the line comes that took the row.
void Workspace::leave(std::vector<std::unique_ptr<Item>> gone, int row)
{
    QTabWidget *tabs = m_window->tabs;
    bool losesTab = false;
    bool losesCurrent = !m_current;
    for (const auto &item : gone) {
        losesTab = losesTab || item->owns(tabs->currentWidget());
        losesCurrent = losesCurrent || item.get() == m_current;
    }
    if (losesCurrent)
        m_current = nullptr;
    refreshList();
    if (losesCurrent)
        select(qBound(0, row, int(m_items.size()) - 1));
    if (losesTab)
        choosePage(*m_current);
    for (const auto &item : gone) {
        for (int i = tabs->count() - 1; i >= 0; --i) {
            if (item->owns(tabs->widget(i)))
                removeTab(tabs->widget(i));
        }
    }
    for (const auto &item : m_items)
        refreshPage(*item);
    for (int i = 0; i < tabs->count(); ++i) {
        if (auto *call = qobject_cast<ui::CallPanel *>(tabs->widget(i)))
            call->refresh();
    }
    nameTabs();
    showCurrent();
}

ui::ServerItem Workspace::describe(const Item &item) const
{
    ui::ServerItem line;
    line.kind = item.kind;
    line.name = item.spec.name;
    if (item.kind == ui::ServerItem::Kind::Session) {
        line.detail =
            tr("recorded %1").arg(QLocale().toString(item.session->createdAt().toLocalTime(), u"yyyy-MM-dd HH:mm"_s));
        line.canStart = false;
        return line;
    }
    const QString transport = item.spec.kind == ServerSpec::Kind::Http ? tr("HTTP") : tr("stdio");
    line.detail =
        item.isBuiltIn ? tr("%1 · not started · built in").arg(transport) : tr("%1 · not started").arg(transport);
    const Connection *connection = item.connection.get();
    if (!connection)
        return line;
    switch (connection->state()) {
        case Connection::State::Connected:
            line.tone = ui::Tone::Ok;
            line.canStart = false;
            line.canStop = true;
            if (connection->trouble()) {
                line.tone = ui::Tone::ProtocolError;
                line.isFailure = true;
                line.detail = connection->statusText();
                break;
            }
            line.detail = tr("%1 · %2").arg(connection->transportName(), connection->serverInfo().protocolVersion);
            if (connection->latencyNs() >= 0)
                line.detail += u" · "_s + ui::durationText(connection->latencyNs());
            if (item.isBuiltIn)
                line.detail += tr(" · built in");
            break;
        case Connection::State::Connecting:
        case Connection::State::Closing:
            line.tone = ui::Tone::Accent;
            line.canStart = false;
            line.canStop = connection->state() == Connection::State::Connecting;
            line.detail = connection->statusText();
            break;
        case Connection::State::Disconnected:
            if (connection->error()) {
                line.tone = ui::Tone::ProtocolError;
                line.isFailure = true;
                line.detail = connection->statusText();
            } else {
                line.detail = tr("%1 · stopped").arg(transport);
            }
            break;
    }
    return line;
}

void Workspace::refreshList()
{
    QList<ui::ServerItem> lines;
    for (const auto &item : m_items)
        lines.append(describe(*item));
    m_window->servers->setItems(lines);
    m_window->serverList->updateGeometry();
    m_window->serverCount->setText(QString::number(lines.size()));
    const int row = rowOf(m_current);
    if (row >= 0)
        m_window->serverList->setCurrentIndex(m_window->servers->index(row));
}

Session *Workspace::Item::shownSession() const
{
    return session ? session.get() : connection ? connection->session() : nullptr;
}

bool Workspace::Item::owns(const QWidget *shown) const
{
    const auto *call = qobject_cast<const ui::CallPanel *>(shown);
    return call ? connection && call->connection() == connection.get() : shown && shown == page;
}

Workspace::Item *Workspace::current()
{
    return m_current;
}

Workspace::Item *Workspace::itemOf(const Connection *connection) const
{
    for (const auto &item : m_items) {
        if (connection && item->connection.get() == connection)
            return item.get();
    }
    return nullptr;
}

// Which line of the list a tab speaks of; null: none, or several.
Workspace::Item *Workspace::itemOfPage(const QWidget *page) const
{
    for (const auto &item : m_items) {
        if (item->owns(page))
            return item.get();
    }
    return nullptr;
}

int Workspace::rowOf(const Item *item) const
{
    for (size_t row = 0; row < m_items.size(); ++row) {
        if (m_items[row].get() == item)
            return int(row);
    }
    return -1;
}

void Workspace::select(int row)
{
    if (row < 0 || row >= int(m_items.size()))
        return;
    m_current = m_items[size_t(row)].get();
    m_window->serverList->setCurrentIndex(m_window->servers->index(row));
    showCurrent();
}

void Workspace::goToServer(int row)
{
    if (row < 0 || row >= int(m_items.size()))
        return;
    select(row);
    if (itemOfPage(m_window->tabs->currentWidget()) != m_current)
        choosePage(*m_current);
}

void Workspace::showCurrent()
{
    Item *item = current();
    Connection *connection = item ? item->connection.get() : nullptr;
    Session *session = item ? item->shownSession() : nullptr;
    m_window->offers->setCatalog(connection ? connection->catalog() : nullptr);
    if (item && item->kind == ui::ServerItem::Kind::Session)
        m_window->offers->setEmptyText(tr("A recorded session"), tr("Its messages are in the timeline."));
    else if (connection && connection->state() == Connection::State::Connecting)
        m_window->offers->setEmptyText(connection->statusText(), connection->resolvedTarget());
    else if (connection && connection->error())
        m_window->offers->setEmptyText(tr("Not connected"), connection->statusText());
    else if (connection && connection->state() == Connection::State::Connected)
        m_window->offers->setEmptyText(tr("Nothing offered"),
                                       tr("The server declares no tools, resources or prompts."));
    else
        m_window->offers->setEmptyText(tr("Not started"), tr("Press ▶ or Enter to start it."));

    const bool canSend = connection && connection->state() == Connection::State::Connected;
    if (m_shownSession && m_shownSession != session)
        m_shownSession->disconnect(this);
    if (session && m_shownSession != session) {
        const auto soon = [this] {
            if (!m_statusTimer.isActive())
                m_statusTimer.start();
        };
        connect(session, &Session::appended, this, soon);
    }
    m_shownSession = session;
    m_window->timeline->setSession(session, canSend);
    m_window->timeline->setTitle(item ? item->spec.name : QString());
    updateStatus();
}

Connection *Workspace::ensureConnection(Item &item)
{
    if (item.connection)
        return item.connection.get();
    ConnectionOptions options;
    options.ifSessionTaken = Session::IfTaken::NumberIt;
    options.recordingLimit = m_library.recordingLimit();
    if (const Error error = m_library.ensureFolder())
        m_storage.sayNotSaved({tr("sessions")}, error);
    else
        options.sessionPath = m_library.newPath(item.spec.name, QDateTime::currentDateTime());
    item.connection = std::make_unique<Connection>(item.spec, options);
    Connection *connection = item.connection.get();
    connect(connection, &Connection::stateChanged, this, [this, connection] { onStateChanged(connection); });
    connect(connection->catalog(), &Catalog::changed, this, [this, connection] { openFirstTool(connection); });
    m_storage.watch(connection->session());
    refreshPage(item);
    return connection;
}

void Workspace::onStateChanged(Connection *connection)
{
    refreshList();
    Item *item = itemOf(connection);
    if (m_isClosing) {
        maybeFinish();
        return;
    }
    if (!item)
        return;
    if (item == m_current)
        showCurrent();
    if (connection->state() == Connection::State::Disconnected)
        item->opensFirstTool = false;
}

// Of the demo, as soon as it is known: that is what was asked for, unless somebody has gone elsewhere since.
void Workspace::openFirstTool(Connection *connection)
{
    Item *item = itemOf(connection);
    const bool isConnected = connection->state() == Connection::State::Connected;
    if (!item || !item->opensFirstTool || !isConnected || connection->catalog()->tools().isEmpty())
        return;
    item->opensFirstTool = false;
    if (m_window->tabs->currentWidget() == item->page && !m_window->hidesTabs())
        openTab(connection, {ui::OfferRef::Kind::Tool, connection->catalog()->tools().first().name})->focusForm();
}

void Workspace::start(int row)
{
    if (row < 0 || row >= int(m_items.size()))
        return;
    Item &item = *m_items[size_t(row)];
    Connection *connection = item.kind == ui::ServerItem::Kind::Server ? ensureConnection(item) : nullptr;
    goToServer(row);
    if (connection)
        connection->open();
}

void Workspace::stop(int row)
{
    if (row >= 0 && row < int(m_items.size()) && m_items[size_t(row)]->connection)
        m_items[size_t(row)]->connection->close();
}

void Workspace::restart(int row)
{
    if (row < 0 || row >= int(m_items.size()))
        return;
    // Whatever is looked at stays: a tool's tab, or a comparison that waits for the server to come back.
    if (Connection *connection = m_items[size_t(row)]->connection.get())
        connection->restart();
    else
        start(row);
}

void Workspace::startDemo()
{
    for (size_t row = 0; row < m_items.size(); ++row) {
        if (!m_items[row]->isBuiltIn)
            continue;
        m_items[row]->opensFirstTool = true;
        m_window->showTabs();
        start(int(row));
        openFirstTool(m_items[row]->connection.get());  // it may run already
    }
}

void Workspace::connectServer(const QString &name)
{
    for (size_t row = 0; row < m_items.size(); ++row) {
        if (m_items[row]->kind == ui::ServerItem::Kind::Server && m_items[row]->spec.name == name) {
            m_window->showTabs();
            start(int(row));
            return;
        }
    }
    showError(tr("There is no server called “%1”").arg(name),
              Error::local(tr("Add it with %1.").arg(ui::keyText(ui::keys::AddServer))));
}

void Workspace::addAndConnect(ServerSpec spec)
{
    // The same line again means the same server.
    for (const auto &item : m_items) {
        if (item->kind == ui::ServerItem::Kind::Server && !item->isBuiltIn && item->spec.line() == spec.line() &&
            item->spec.environment == spec.environment && item->spec.workingDirectory == spec.workingDirectory) {
            start(rowOf(item.get()));
            return;
        }
    }
    const QString wish = spec.name;
    spec.name = m_store.freeName(wish, {demoSpec().name});
    Error error = m_store.add(spec);
    // Another Sonde may have taken that name since the list was read.
    while (error && !m_store.load() && m_store.server(spec.name)) {
        spec.name = m_store.freeName(wish, {demoSpec().name});
        error = m_store.add(spec);
    }
    if (error) {
        showError(tr("The server could not be added"), error);
        return;
    }
    connectServer(spec.name);
}

void Workspace::chooseSession()
{
    ui::SessionsDialog dialog(m_library, m_window);
    connect(&dialog, &ui::SessionsDialog::exportRequested, this,
            [this, &dialog](const QString &path, const QString &name) { exportFile(path, name, &dialog); });
    connect(&dialog, &ui::SessionsDialog::limitRequested, this, [this, &dialog] { m_storage.askForLimit(&dialog); });
    const bool opened = dialog.exec() == QDialog::Accepted;
    showRecentSessions();
    if (opened && dialog.wantsReplay())
        askToReplay(dialog.chosenPath());
    else if (opened)
        openSessionFile(dialog.chosenPath());
}

void Workspace::showRecentSessions()
{
    m_window->welcome->setSessions(m_library.recent(2 * ui::WelcomePanel::SessionsShown));
}

void Workspace::openSessionFile(const QString &path)
{
    for (const auto &item : m_items) {
        const Session *session = item->shownSession();
        if (session && session->path() == path) {
            goToServer(rowOf(item.get()));
            return;
        }
    }
    // A recording can hold a million rows: they come while the window is used.
    Result<std::unique_ptr<Session>> opened = Session::openInBatches(path);
    if (!opened) {
        showError(tr("The session %1 cannot be opened").arg(visibleLine(path)), opened.error());
        return;
    }
    auto item = newItem();
    item->kind = ui::ServerItem::Kind::Session;
    item->session = std::move(opened).value();
    item->spec.name = item->session->serverName();
    Session *session = item->session.get();
    m_items.push_back(std::move(item));
    refreshList();
    goToServer(int(m_items.size()) - 1);
    if (session->isLoading())
        connect(session, &Session::loaded, this, [this, session] { reportDamage(*session); });
    else
        reportDamage(*session);
}

void Workspace::reportDamage(const Session &session)
{
    const QList<DamagedRange> &damage = session.damage();
    if (damage.isEmpty())
        return;
    constexpr qsizetype mostNamed = 12;
    QStringList reasons;
    QHash<QString, QStringList> places;
    for (const DamagedRange &range : damage.first(qMin(damage.size(), mostNamed))) {
        if (!reasons.contains(range.reason))
            reasons.append(range.reason);
        places[range.reason].append(QString::number(range.offset));
    }
    QStringList sentences{
        ui::counted(damage.size(), tr("1 range could not be read."), tr("%1 ranges could not be read.")) +
        tr(" The rest is shown.")};
    for (const QString &reason : std::as_const(reasons)) {
        const QStringList &offsets = places[reason];
        const QString form = offsets.size() == 1 ? tr("At byte %1: %2") : tr("At bytes %1: %2");
        sentences += form.arg(offsets.join(u", "_s), reason);
    }
    if (damage.size() > mostNamed)
        sentences += tr("And %1 more, which sonde-cli log names.").arg(grouped(damage.size() - mostNamed));
    showError(tr("Parts of this session are damaged"), Error::local(sentences.join(u' ')));
}

void Workspace::showError(const QString &title, const Error &error)
{
    m_window->notice->say(title, error);
}

}  // namespace sonde::app
