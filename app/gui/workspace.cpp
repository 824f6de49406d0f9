// SPDX-License-Identifier: Apache-2.0
#include "app/gui/workspace.h"

#include "core/authorization/oauth.h"
#include "core/authorization/tokenstore.h"
#include "core/connection/signout.h"
#include "core/connection/toolmemory.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "core/server/approval.h"
#include "core/server/hostconfig.h"
#include "core/session/sessionnotes.h"
#include "ui/theme/widgets.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QTimer>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

// Less where ServerSpec::undeclaredCapabilities says so.
constexpr char ClientCapabilities[] =
    R"({"roots":{"listChanged":true},"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}}})";

constexpr auto DemoKey = "Demo server"_L1;
constexpr int ShutDownMs = 3000;  // then what still runs is killed

// What the side bar lists of a recording. It is known some time after the recording is there.
void readOffers(WorkspaceItem &item, Workspace *workspace)
{
    item.offers = std::make_unique<ui::RecordedOffers>(item.session.get());
    QObject::connect(item.offers.get(), &ui::RecordedOffers::read, workspace, [workspace, offers = item.offers.get()] {
        if (workspace->current() && workspace->current()->offers.get() == offers)
            Q_EMIT workspace->currentChanged();
    });
}

template <typename Matches>
WorkspaceItem *firstItem(const Workspace::Items &items, Matches matches)
{
    const auto found = std::find_if(items.begin(), items.end(), [&](const auto &item) { return matches(*item); });
    return found == items.end() ? nullptr : found->get();
}

}  // namespace

ServerSpec Workspace::demoSpec()
{
    ServerSpec spec;
    spec.name = tr("Demo server");
    spec.command = QCoreApplication::applicationDirPath() + u"/sonde-demo-server"_s;
    return spec;
}

QString Workspace::keptName(const Connection &connection) const
{
    const WorkspaceItem *item = itemOf(&connection);
    return item && item->isBuiltIn ? QString(DemoKey) : connection.spec().name;
}

Workspace::Workspace(const Profile &profile) : m_profile(profile)
{
    auto builtIn = newItem();
    builtIn->spec = demoSpec();
    builtIn->isBuiltIn = true;
    builtIn->walk = std::make_unique<ui::GuidedWalk>();
    m_items.push_back(std::move(builtIn));
}

Workspace::~Workspace()
{
    // No end signals while the members are being destroyed.
    for (const auto &item : m_items) {
        if (item->connection)
            item->connection->disconnect(this);
    }
}

std::unique_ptr<WorkspaceItem> Workspace::newItem()
{
    return std::make_unique<WorkspaceItem>(++m_lastItemId);
}

WorkspaceItem *Workspace::itemAt(int row) const
{
    return row >= 0 && row < int(m_items.size()) ? m_items[size_t(row)].get() : nullptr;
}

WorkspaceItem *Workspace::itemWithId(int id) const
{
    return firstItem(m_items, [id](const WorkspaceItem &item) { return item.id == id; });
}

WorkspaceItem *Workspace::itemOf(const Connection *connection) const
{
    return firstItem(
        m_items, [connection](const WorkspaceItem &item) { return connection && item.connection.get() == connection; });
}

WorkspaceItem *Workspace::serverNamed(const QString &name) const
{
    return firstItem(m_items, [&name](const WorkspaceItem &item) { return item.isServer() && item.spec.name == name; });
}

WorkspaceItem *Workspace::serverLike(const ServerSpec &spec) const
{
    return firstItem(m_items, [&spec](const WorkspaceItem &item) {
        ServerSpec like = item.spec;  // a line says no more
        like.environment = spec.environment;
        like.headers = spec.headers;
        return item.isServer() && !item.isBuiltIn && item.spec.line() == spec.line() &&
               item.spec.workingDirectory == spec.workingDirectory && isSameServer(item.spec, like);
    });
}

WorkspaceItem *Workspace::demo() const
{
    return firstItem(m_items, [](const WorkspaceItem &item) { return item.isBuiltIn; });
}

bool Workspace::hasOwnServers() const
{
    return firstItem(m_items, [](const WorkspaceItem &item) { return item.isServer() && !item.isBuiltIn; });
}

int Workspace::rowOf(const WorkspaceItem *item) const
{
    for (size_t row = 0; row < m_items.size(); ++row) {
        if (m_items[row].get() == item)
            return int(row);
    }
    return -1;
}

Connection *Workspace::currentConnection() const
{
    return m_current ? m_current->connection.get() : nullptr;
}

Session *Workspace::shownSession() const
{
    return m_current ? m_current->shownSession() : nullptr;
}

void Workspace::setCurrent(WorkspaceItem &item)
{
    m_current = &item;
    Q_EMIT currentChanged();
}

void Workspace::choose(WorkspaceItem &item)
{
    setCurrent(item);
    Q_EMIT chosen(&item);
}

void Workspace::followStore()
{
    syncServers();
    connect(m_profile.servers.get(), &ServerStore::changed, this, &Workspace::syncServers);
    m_profile.servers->follow();
}

void Workspace::beginAgain()
{
    WorkspaceItem *builtIn = demo();
    builtIn->spec.name = demoSpec().name;
    builtIn->walk->translate();
    if (builtIn->connection)
        builtIn->connection->setSpec(builtIn->spec);
    Q_EMIT listChanged();
    for (const auto &item : m_items) {
        Q_EMIT itemChanged(item.get());
        if (item->connection)
            Q_EMIT recordingBegan(item->connection->session());
    }
    Q_EMIT currentChanged();
}

void Workspace::refresh()
{
    Q_EMIT listChanged();
}

// Another program has removed it from the file, but it has been started here, or tabs wait for it: what was typed and
// recorded stays until the person removes it.
bool Workspace::isKept(const WorkspaceItem &item) const
{
    return item.isServer() && !item.isBuiltIn && item.spec.name != m_removing &&
           (item.connection || (m_awaits && m_awaits(item)));
}

// Updates the items from the store without affecting running servers.
void Workspace::syncServers()
{
    // The list is complete before any signal: receivers look servers up in it.
    const int row = rowOf(m_current);
    Items before = std::exchange(m_items, {});
    const auto take = [&before](auto matches) {
        for (auto item = before.begin(); item != before.end(); ++item) {
            if (!matches(**item))
                continue;
            std::unique_ptr<WorkspaceItem> taken = std::move(*item);
            before.erase(item);
            return taken;
        }
        return std::unique_ptr<WorkspaceItem>();
    };
    for (const ServerSpec &spec : m_profile.servers->servers()) {
        auto item = take([&spec](const WorkspaceItem &candidate) {
            return candidate.isServer() && !candidate.isBuiltIn && candidate.spec.name == spec.name;
        });
        if (!item)
            item = newItem();
        item->spec = spec;
        if (item->connection) {
            item->connection->setSpec(spec);
            giveTimeouts(item->connection.get());
        }
        m_items.push_back(std::move(item));
    }
    while (auto kept = take([this](const WorkspaceItem &item) { return isKept(item); }))
        m_items.push_back(std::move(kept));
    while (auto builtIn = take([](const WorkspaceItem &item) { return item.isBuiltIn; }))
        m_items.push_back(std::move(builtIn));
    while (auto session = take([](const WorkspaceItem &item) { return !item.isServer(); }))
        m_items.push_back(std::move(session));
    leave(before, row);
}

// If the current item is removed, the item that takes its row becomes current.
void Workspace::leave(const Items &gone, int row)
{
    QList<const WorkspaceItem *> leaving;
    for (const auto &item : gone)
        leaving.append(item.get());
    const bool losesCurrent = !m_current || leaving.contains(m_current);
    if (losesCurrent)
        m_current = nullptr;
    Q_EMIT listChanged();
    if (losesCurrent)
        setCurrent(*m_items[size_t(qBound(0, row, int(m_items.size()) - 1))]);
    Q_EMIT removed(leaving);
    Q_EMIT currentChanged();
    forgetSignInsLeft();
}

Connection *Workspace::ensureConnection(WorkspaceItem &item)
{
    if (item.connection)
        return item.connection.get();
    ConnectionOptions options;
    options.ifSessionTaken = Session::IfTaken::NumberIt;
    options.recordingLimit = m_library.recordingLimit();
    options.capabilities = ClientCapabilities;
    options.followLists = true;
    options.checkMessages = true;
    options.profile = profileFor(item.spec);
    if (const Error error = m_library.ensureFolder())
        Q_EMIT notRecorded(error);
    else
        options.sessionPath = m_library.newPath(item.spec.name, QDateTime::currentDateTime());
    item.connection = std::make_unique<Connection>(item.spec, options);
    Connection *connection = item.connection.get();
    connection->toolMemory()->setAsksUnmarked(m_asksUnmarked);
    giveTimeouts(connection);
    connect(connection, &Connection::stateChanged, this, [this, connection] { onStateChanged(connection); });
    connect(connection, &Connection::approvalNeeded, this, [this, connection] {
        if (WorkspaceItem *owner = itemOf(connection))
            Q_EMIT personNeeded(owner);
    });
    connect(connection, &Connection::signInChanged, this, [this, connection] {
        connect(connection->signIn(), &OAuth::pageReady, this, [this, connection] {
            if (WorkspaceItem *owner = itemOf(connection))
                Q_EMIT personNeeded(owner);
        });
    });
    Q_EMIT recordingBegan(connection->session());
    Q_EMIT itemChanged(&item);
    return connection;
}

void Workspace::onStateChanged(Connection *connection)
{
    Q_EMIT listChanged();
    forgetSignInsLeft();
    if (m_isClosing)
        maybeFinish();
    else if (m_current && m_current->connection.get() == connection)
        Q_EMIT currentChanged();
}

void Workspace::start(WorkspaceItem &item)
{
    Connection *connection = item.isServer() ? ensureConnection(item) : nullptr;
    choose(item);
    if (connection)
        connection->open();
}

void Workspace::reconnect(WorkspaceItem &item)
{
    if (item.isServer())
        ensureConnection(item)->open();
}

void Workspace::restart(WorkspaceItem &item)
{
    // The current page stays: a tool's tab, or a comparison that waits for the server to come back.
    if (item.connection)
        item.connection->restart();
    else
        start(item);
}

Result<QString> Workspace::add(ServerSpec spec)
{
    const QString wish = spec.name;
    QStringList taken;  // also by those that are no longer in the file
    for (const auto &item : m_items) {
        if (item->isServer())
            taken.append(item->spec.name);
    }
    spec.name = m_profile.servers->freeName(wish, taken);
    Error error = m_profile.servers->add(spec);
    // Another instance of Sonde may have used that name since the list was read.
    while (error && !m_profile.servers->load() && m_profile.servers->server(spec.name)) {
        spec.name = m_profile.servers->freeName(wish, taken);
        error = m_profile.servers->add(spec);
    }
    if (error)
        return error;
    return spec.name;
}

void Workspace::setAsksUnmarked(bool asks)
{
    m_asksUnmarked = asks;
    for (const auto &item : m_items) {
        if (item->connection)
            item->connection->toolMemory()->setAsksUnmarked(asks);
    }
}

void Workspace::setTimeouts(const ServerTimeouts &timeouts)
{
    m_timeouts.take(timeouts);
    for (const auto &item : m_items) {
        if (item->connection)
            giveTimeouts(item->connection.get());
    }
}

void Workspace::giveTimeouts(Connection *connection) const
{
    ServerTimeouts timeouts = m_timeouts;
    timeouts.take(connection->spec().timeouts);
    connection->setTimeouts(timeouts);
}

Profile Workspace::profileFor(const ServerSpec &spec) const
{
    const WorkspaceItem *saved = firstItem(m_items, [&spec](const WorkspaceItem &item) {
        return item.isServer() && !item.isBuiltIn && item.spec == spec;
    });
    Profile profile = m_profile;
    if (!saved)
        profile.approvals.reset();
    return profile;
}

bool Workspace::isApproved(const ServerSpec &spec) const
{
    return !m_profile.approvals->question(spec.name, launchLines(spec));
}

void Workspace::approve(const ServerSpec &spec)
{
    (void)m_profile.approvals->approve(spec.name, launchLines(spec));  // what is not remembered is asked
}

Error Workspace::change(const QString &name, const ServerSpec &spec)
{
    const ServerSpec *known = m_profile.servers->server(name);
    return known ? change(ServerSpec(*known), spec) : m_profile.servers->replace(name, spec);
}

Error Workspace::change(const ServerSpec &shown, const ServerSpec &spec)
{
    const QString former = shown.name;
    WorkspaceItem *item = serverNamed(former);
    const ServerSpec *known = m_profile.servers->server(former);
    const ServerSpec before = known ? *known : shown;
    if (item)
        item->spec.name = spec.name;  // so that the item is recognised when the store tells of the change
    if (const Error error = m_profile.servers->replace(shown, spec)) {
        if (item)
            item->spec.name = former;
        (void)m_profile.servers->load();  // another program may have taken the name
        return error;
    }
    if (spec.name != former) {
        m_profile.renameServer(former, spec.name);
        if (item && item->connection)
            item->connection->toolMemory()->setServer(spec.name);
        Q_EMIT serverRenamed(former, spec.name);
    }
    forgetSignIn(before);
    return {};
}

Error Workspace::remove(const QString &name)
{
    const ServerSpec *known = m_profile.servers->server(name);
    const WorkspaceItem *kept = known ? nullptr : serverNamed(name);
    const ServerSpec gone = known ? *known : kept ? kept->spec : ServerSpec();  // the name may go with its item
    m_removing = gone.name;
    const Error error = kept ? Error() : m_profile.servers->remove(name);
    if (kept)
        syncServers();
    m_removing.clear();
    if (error)
        return error;
    m_profile.forgetServer(gone.name);
    forgetSignIn(gone);
    return {};
}

// Unless a server of the list, which may have other headers, has the same. A connection goes on with the description
// that it was started with, and so with its tokens: they go when it has ended.
void Workspace::forgetSignIn(const ServerSpec &gone)
{
    const QString signIn = OAuth::nameFor(gone.url, gone.oauth);
    const QList<ServerSpec> &left = m_profile.servers->servers();
    const bool isShared = std::any_of(left.begin(), left.end(), [&signIn](const ServerSpec &spec) {
        return !spec.startsProcess() && OAuth::nameFor(spec.url, spec.oauth) == signIn;
    });
    if (gone.startsProcess() || isShared || !m_profile.tokens->mayHave(signIn)) {
        Q_EMIT signedOut(gone);
        return;
    }
    const bool isInUse = firstItem(m_items, [&signIn](const WorkspaceItem &item) {
        return item.connection && item.connection->state() != Connection::State::Disconnected &&
               item.connection->signIn() && item.connection->signIn()->name() == signIn;
    });
    if (isInUse) {
        m_signInsLeft.append(gone);
        return;
    }
    m_profile.tokens->setDemandedScopes(signIn, {});
    ++m_signOuts;
    auto *signOut = new SignOut(gone, m_profile, this);
    connect(signOut, &SignOut::finished, this, [this, signOut, gone](const Error &error) {
        signOut->deleteLater();
        --m_signOuts;
        Q_EMIT signedOut(gone);
        const QString name = visibleLine(gone.name, 80);
        if (error)
            Q_EMIT failed(tr("The sign-in of “%1” is still in the keychain").arg(name), error);
        else if (const Error &valid = signOut->revocationError())
            Q_EMIT failed(tr("The tokens of “%1” were not revoked").arg(name), valid);
        if (m_isClosing)
            maybeFinish();
    });
    signOut->start();
}

void Workspace::forgetSignInsLeft()
{
    const QList<ServerSpec> left = std::exchange(m_signInsLeft, {});
    for (const ServerSpec &gone : left)
        forgetSignIn(gone);
}

QString Workspace::nameProblem(const QString &name) const
{
    return serverNamed(name) ? tr("A server with this name already exists.") : QString();
}

void Workspace::openSessionFile(const QString &path)
{
    if (restoreSessionFiles({path}))
        Q_EMIT sessionOpened(path);
}

bool Workspace::restoreSessionFiles(const QStringList &paths)
{
    WorkspaceItem *last = nullptr;
    const size_t before = m_items.size();
    for (const QString &path : paths) {
        WorkspaceItem *open = firstItem(m_items, [&path](const WorkspaceItem &item) {
            const Session *session = item.shownSession();
            return session && session->path() == path;
        });
        if (WorkspaceItem *shown = open ? open : addSession(path))
            last = shown;
    }
    const bool hasOpened = m_items.size() > before;
    if (hasOpened)
        readSessionNames();
    if (last)
        choose(*last);
    return hasOpened;
}

WorkspaceItem *Workspace::addSession(const QString &path)
{
    // A recording can have a million rows: they are loaded while the window is in use.
    Result<std::unique_ptr<Session>> opened = Session::openInBatches(path);
    if (!opened) {
        Q_EMIT failed(tr("The session %1 cannot be opened").arg(visibleLine(path)), opened.error());
        return nullptr;
    }
    auto item = newItem();
    item->session = std::move(opened).value();
    item->spec.name = item->session->serverName();
    Session *session = item->session.get();
    readOffers(*item, this);
    m_items.push_back(std::move(item));
    if (session->isLoading())
        connect(session, &Session::loaded, this, [this, session] { reportDamage(*session); });
    else
        reportDamage(*session);
    return m_items.back().get();
}

void Workspace::readSessionNames()
{
    const QHash<QString, SessionNote> notes = SessionNotes::ofUser().all();
    for (const auto &item : m_items) {
        if (item->session)
            item->givenName = notes.value(SessionLibrary::entryOf(item->session->path()).id).name;
    }
    Q_EMIT listChanged();
}

void Workspace::closeSession(WorkspaceItem &item)
{
    const int row = rowOf(&item);
    Items gone;
    gone.push_back(std::move(m_items[size_t(row)]));
    m_items.erase(m_items.begin() + row);
    leave(gone, row);
}

void Workspace::readAgain(const QString &recording)
{
    const QFileInfo replaced(recording);
    for (const auto &item : m_items) {
        if (!item->session || QFileInfo(item->session->path()) != replaced)
            continue;
        Result<std::unique_ptr<Session>> opened = Session::openInBatches(item->session->path());
        if (!opened) {
            Q_EMIT failed(tr("The session %1 cannot be opened").arg(visibleLine(recording)), opened.error());
            continue;
        }
        // The old one is shown until the new one is.
        const std::unique_ptr<Session> before = std::exchange(item->session, std::move(opened).value());
        item->spec.name = item->session->serverName();
        readOffers(*item, this);
        Q_EMIT itemChanged(item.get());
        Q_EMIT listChanged();
        if (item.get() == m_current)
            Q_EMIT currentChanged();
    }
}

void Workspace::reportDamage(const Session &session)
{
    const QList<DamagedRange> &damage = session.damage();
    if (damage.isEmpty())
        return;
    constexpr qsizetype maxNamed = 12;
    QStringList reasons;
    QHash<QString, QStringList> places;
    for (const DamagedRange &range : damage.first(qMin(damage.size(), maxNamed))) {
        if (!reasons.contains(range.reason))
            reasons.append(range.reason);
        places[range.reason].append(QString::number(range.offset));
    }
    QStringList sentences{ui::counted(damage.size(), tr("1 part is damaged and was skipped."),
                                      tr("%1 parts are damaged and were skipped.")) +
                          tr(" The rest is shown.")};
    for (const QString &reason : std::as_const(reasons)) {
        const QStringList &offsets = places[reason];
        const QString form = offsets.size() == 1 ? tr("At byte %1: %2") : tr("At bytes %1: %2");
        sentences += form.arg(offsets.join(u", "_s), reason);
    }
    if (damage.size() > maxNamed)
        sentences += tr("%1 more; sonde-cli log lists them.").arg(grouped(damage.size() - maxNamed));
    Q_EMIT failed(tr("Parts of this session are damaged"), Error::local(sentences.join(u' ')));
}

void Workspace::close()
{
    if (m_isClosing)
        return;
    m_isClosing = true;
    for (const auto &item : m_items) {
        if (item->connection)
            item->connection->close();
    }
    QTimer::singleShot(ShutDownMs, this, &Workspace::finished);
    maybeFinish();
}

void Workspace::maybeFinish()
{
    for (const auto &item : m_items) {
        if (item->connection && item->connection->state() != Connection::State::Disconnected)
            return;
    }
    if (m_signOuts == 0)
        QTimer::singleShot(0, this, &Workspace::finished);
}

}  // namespace sonde::app
