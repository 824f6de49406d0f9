// SPDX-License-Identifier: Apache-2.0
#include "app/gui/laststate.h"

#include "app/gui/actions.h"
#include "app/gui/argumentmemory.h"
#include "app/gui/currentview.h"
#include "app/gui/mainwindow.h"
#include "app/gui/reconnectbar.h"
#include "app/gui/settings.h"
#include "app/gui/tabcontroller.h"
#include "app/gui/waitingtab.h"
#include "app/gui/warningbar.h"
#include "core/json/stringcodec.h"
#include "core/protocol/visibletext.h"
#include "core/redact/redactor.h"
#include "ui/form/schemaform.h"
#include "ui/timeline/timelinepanel.h"

#include <QFileInfo>
#include <QTabBar>
#include <QTabWidget>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

constexpr int SaveAfterMs = 3000;

bool isRecording(const Session &session)
{
    return session.isLive() && !session.path().isEmpty();
}

// By its form alone.
QByteArray maskedWithoutSession(const QByteArray &json)
{
    QByteArray masked = json;
    QList<RedactionMark> marks;
    Redactor({}).redactPayload(masked, marks);
    return masked;
}

// As in the address of a resource to which a result leads: what the recording masks is kept nowhere else.
bool holdsSecret(const WorkspaceItem &item, const QStringList &texts)
{
    const Session *session = item.shownSession();
    const QStringList secrets = item.spec.secrets();
    return std::any_of(texts.cbegin(), texts.cend(), [session, &secrets](const QString &text) {
        const QByteArray json = json::quoted(text);
        return (session && session->masked(json) != json) || maskedWithoutSession(json) != json ||
               std::any_of(secrets.cbegin(), secrets.cend(),
                           [&text](const QString &secret) { return text.contains(secret); });
    });
}

// What a replay sends and filters by comes from any of them.
bool holdsSecretOfAny(const Workspace &workspace, const QStringList &texts)
{
    return std::any_of(workspace.items().begin(), workspace.items().end(),
                       [&texts](const auto &item) { return holdsSecret(*item, texts); });
}

}  // namespace

LastState::LastState(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts)
{
    m_soon.setSingleShot(true);
    m_soon.setInterval(SaveAfterMs);
    connect(&m_soon, &QTimer::timeout, this, [this] { save(false); });
}

LastState::~LastState() = default;

bool LastState::isWanted() const
{
    return m_parts.settings->isOn(setting::Reopens);
}

void LastState::restore()
{
    m_file = std::make_unique<StateFile>();
    const StateFile::Found found = m_file->read();
    followChanges();  // before there are tabs, whose edits would be missed
    if (isWanted())
        show(found.state);
    if (found.problem)
        m_parts.window->notice->say(tr("What was open last time cannot be restored"), found.problem);
    else if (found.hasCrashed)
        sayCrashed(found.state.recordings);
    save(false);
}

void LastState::show(const WindowState &state)
{
    QStringList sessions = state.sessions;
    sessions.removeIf([](const QString &path) { return !QFileInfo(path).isFile(); });
    m_parts.workspace->restoreSessionFiles(sessions);
    for (const LookState &look : state.looks) {
        if (const WorkspaceItem *item = look.place.in(*m_parts.workspace))
            m_parts.view->setLook(*item, {look.filter, look.view});
    }
    showTabs(state);
    QList<int> servers;
    for (const Place &place : state.connected) {
        const WorkspaceItem *item = place.in(*m_parts.workspace);
        if (item && item->isServer() && !item->connection)
            servers.append(item->id);
    }
    m_parts.window->reconnect->offer(m_parts.workspace, servers);
}

// All of them at the right of those that the start has made, which go unless they were open, too.
void LastState::showTabs(const WindowState &state, const Contents &contents)
{
    if (state.tabs.isEmpty())
        return;
    QTabWidget *tabs = m_parts.window->tabs;
    QList<QPointer<QWidget>> former;
    for (int i = 0; i < tabs->count(); ++i)
        former.append(tabs->widget(i));
    QWidget *current = nullptr;
    for (qsizetype i = 0; i < state.tabs.size(); ++i) {
        const TabState &tab = state.tabs.at(i);
        const auto found = contents.constFind(i);
        QWidget *page = m_parts.tabs->restore(tab, found == contents.cend() ? nullptr : &*found);
        if (!page && !tab.place.server.isEmpty())
            m_unplaced.append(tab);
        former.removeAll(page);
        if (i == state.currentTab)
            current = page;
    }
    if (former.size() < tabs->count())
        m_parts.tabs->dropPages(former);
    if (WorkspaceItem *item = state.current.in(*m_parts.workspace))
        m_parts.workspace->setCurrent(*item);
    if (current)
        tabs->setCurrentWidget(current);
    m_parts.tabs->focusPage();
}

void LastState::sayCrashed(const QStringList &savedSessions)
{
    WarningBar *notice = m_parts.window->notice;
    QStringList saved = savedSessions;
    saved.removeIf([](const QString &path) { return !QFileInfo(path).isFile(); });
    m_savedSessions = saved;
    const QString title = tr("Sonde did not exit properly last time");
    if (saved.isEmpty()) {
        notice->say(title, Error::local(tr("No session was being recorded.")));
        return;
    }
    const QString name = visibleLine(QFileInfo(saved.first()).fileName(), 80);
    const qsizetype more = saved.size() - 1;
    notice->say(title, Error::local(more == 0 ? tr("The session is saved: %1").arg(name)
                                              : tr("The sessions are saved: %1 and %2 more").arg(name).arg(more)));
    if (more > 0) {
        notice->offer(Actions::nameOf(m_parts.window->actions->openSession), this, [this] {
            m_parts.window->notice->withdraw(this);
            m_parts.window->actions->openSession->trigger();
        });
        return;
    }
    notice->offer(tr("Open"), this, [this, path = saved.first()] {
        m_parts.window->notice->withdraw(this);
        m_parts.window->showTabs();
        m_parts.workspace->openSessionFile(path);
    });
}

void LastState::followChanges()
{
    const auto soon = [this] {
        if (!m_soon.isActive())
            m_soon.start();
    };
    // At once: it is what is left where the program is killed.
    connect(
        m_parts.workspace, &Workspace::recordingBegan, this, [this] { save(false); }, Qt::QueuedConnection);
    connect(m_parts.workspace, &Workspace::listChanged, this, soon);
    connect(m_parts.workspace, &Workspace::currentChanged, this, soon);
    connect(m_parts.tabs, &TabController::tabsChanged, this, soon);
    connect(m_parts.tabs, &TabController::opened, this, [this, soon](ui::CallPanel *panel) {
        const auto changed = [this, soon, panel] {
            m_drafts.remove(panel);
            soon();
        };
        connect(panel, &ui::CallPanel::edited, this, changed);
        connect(panel, &ui::CallPanel::argumentsChanged, this, changed);
        connect(panel, &ui::CallPanel::modeChanged, this, changed);
        connect(panel, &ui::CallPanel::called, this, changed);
        connect(panel, &QObject::destroyed, this, changed);
        soon();
    });
    connect(m_parts.window->tabs, &QTabWidget::currentChanged, this, soon);
    connect(m_parts.window->tabs->tabBar(), &QTabBar::tabMoved, this, soon);
    connect(m_parts.window->timeline, &ui::TimelinePanel::lookChanged, this, soon);
}

void LastState::save(bool hasEnded)
{
    if (!m_file)
        return;
    WindowState state = stateNow();
    state.hasEnded = hasEnded;
    if (const Error error = m_file->save(state))
        Q_EMIT notSaved(error);
    else
        Q_EMIT saved();
}

void LastState::saveAtEnd()
{
    m_soon.stop();
    m_drafts.clear();  // whatever has changed them
    save(true);
    m_file.reset();
}

LastState::Handover LastState::handOver()
{
    m_soon.stop();
    Handover handover;
    handover.state = stateNow(&handover.contents);
    handover.closed = m_parts.tabs->takeClosed();
    handover.reconnectable = m_parts.window->reconnect->servers();
    if (m_parts.window->notice->isAbout(this))
        handover.savedSessions = m_savedSessions;
    handover.noticeAbout = m_parts.window->notice->about();
    if (!handover.noticeAbout)
        handover.notice = m_parts.window->notice->said();
    handover.file = std::move(m_file);
    return handover;
}

void LastState::takeOver(Handover handover)
{
    m_file = std::move(handover.file);
    if (m_file)
        followChanges();  // before there are tabs, whose edits would be missed
    for (const LookState &look : handover.state.looks) {
        if (const WorkspaceItem *item = look.place.in(*m_parts.workspace))
            m_parts.view->setLook(*item, {look.filter, look.view});
    }
    showTabs(handover.state, handover.contents);
    m_parts.tabs->setClosed(handover.closed);
    m_parts.window->reconnect->offer(m_parts.workspace, handover.reconnectable);
    sayAgain(handover);
}

// Unless the new window has said it by itself, in its language and with a remedy.
void LastState::sayAgain(const Handover &handover)
{
    WarningBar *notice = m_parts.window->notice;
    const auto &[title, text] = handover.notice;
    if (!handover.savedSessions.isEmpty())
        sayCrashed(handover.savedSessions);
    else if (handover.noticeAbout && notice->isHidden())
        Q_EMIT repeatRequested(handover.noticeAbout);
    else if (!title.isEmpty() && notice->isHidden())
        notice->say(title, Error::local(text));
}

WindowState LastState::stateNow(Contents *contents)
{
    WindowState state;
    const WorkspaceItem *current = m_parts.workspace->current();
    const QList<int> offered = m_parts.window->reconnect->servers();
    for (const auto &item : m_parts.workspace->items()) {
        const Session *session = item->shownSession();
        if (item->connection && session && isRecording(*session))
            state.recordings.insert(item.get() == current ? 0 : state.recordings.size(), session->path());
        if (!isWanted() && !contents)
            continue;
        if (item->session && !item->session->path().isEmpty())
            state.sessions.append(item->session->path());
        const bool isConnected = item->connection && item->connection->state() != Connection::State::Disconnected;
        // One that is still offered was connected, too.
        if (isConnected || offered.contains(item->id))
            state.connected.append(Place::of(*item));
        const ui::TimelineLook look = m_parts.view->lookOf(*item);
        const bool keepsFilter = contents || !holdsSecret(*item, {look.filter});
        if (look != ui::TimelineLook())
            state.looks.append({Place::of(*item), keepsFilter ? look.filter : QString(), look.view});
    }
    if (!isWanted() && !contents)
        return state;
    if (current)
        state.current = Place::of(*current);
    addTabs(&state, contents);
    return state;
}

void LastState::addTabs(WindowState *state, Contents *contents)
{
    const QTabWidget *tabs = m_parts.window->tabs;
    for (int i = 0; i < tabs->count() && state->tabs.size() < WindowState::MaxTabs; ++i) {
        const QWidget *page = tabs->widget(i);
        TabState tab;
        TabContents content;
        if (!m_parts.tabs->store(page, &tab, contents ? &content : nullptr))
            continue;
        const WorkspaceItem *item = tab.place.in(*m_parts.workspace);
        const QStringList texts{tab.ref.key, tab.title, tab.replay.filter};
        if (!contents && (item ? holdsSecret(*item, texts) : holdsSecretOfAny(*m_parts.workspace, texts)))
            continue;
        const auto *call = qobject_cast<const ui::CallPanel *>(page);
        if (call && contents) {
            tab.draft = call->draft();
            content.steps = call->form().steps();
            content.past = call->pastCalls();
        } else if (call) {
            addDraft(*call, &tab);
        }
        if (contents && !qobject_cast<const WaitingTab *>(page))
            contents->insert(state->tabs.size(), content);
        if (i == tabs->currentIndex())
            state->currentTab = int(state->tabs.size());
        state->tabs.append(tab);
    }
    state->tabs.append(m_unplaced.first(qMin(m_unplaced.size(), WindowState::MaxTabs - state->tabs.size())));
}

void LastState::addDraft(const ui::CallPanel &panel, TabState *tab)
{
    if (!m_drafts.contains(&panel)) {
        KeptDraft draft;
        draft.kept = ArgumentMemory::keptDraft(panel, WindowState::MaxDraft, &draft.hasLeftOut);
        // The file has it, and may be another one by then.
        const bool isAsInFile = panel.isAsInFile();
        if (isAsInFile || (!panel.ref().savedCall.isEmpty() && draft.hasLeftOut))
            draft.kept.text.clear();
        draft.hasLeftOut = draft.hasLeftOut && !isAsInFile;
        m_drafts.insert(&panel, draft);
    }
    const KeptDraft draft = m_drafts.value(&panel);
    tab->draft = draft.kept;
    tab->hasLeftOut = draft.hasLeftOut;
}

}  // namespace sonde::app
