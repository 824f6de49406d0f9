// SPDX-License-Identifier: Apache-2.0
#include "app/gui/replaycontroller.h"

#include "app/gui/mainwindow.h"
#include "core/protocol/visibletext.h"
#include "core/replay/replayrun.h"
#include "core/server/approval.h"
#include "core/server/specsecrets.h"
#include "core/session/session.h"
#include "ui/dialogs/approvaldialog.h"
#include "ui/dialogs/replaydialog.h"
#include "ui/replay/replaypanel.h"
#include "ui/result/outcometext.h"
#include "ui/timeline/timelinepanel.h"

#include <QFileInfo>
#include <QTabWidget>
#include <algorithm>
#include <array>
#include <memory>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

constexpr qsizetype MaxRecordings = 100;
// As a state has them; in the order of their enumerators.
constexpr std::array CallNames{"all"_L1, "rows"_L1, "matching"_L1};
constexpr std::array DestructiveNames{"ask"_L1, "allow"_L1, "skip"_L1};

template <typename Enum, typename Names>
Enum enumeratorIn(const Names &names, const QString &name, Enum otherwise)
{
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? otherwise : Enum(found - names.begin());
}

bool isUnknownServer(const ServerSpec &server)
{
    return server.command.isEmpty() && server.url.isEmpty();
}

// The client requests that these rows are, or are responses to.
QList<qsizetype> requestsOf(const Session &session, const QList<qsizetype> &rows)
{
    QList<qsizetype> requests;
    for (const qsizetype row : rows) {
        for (const qsizetype candidate : {row, session.partnerOf(row)}) {
            if (candidate < 0 || requests.contains(candidate))
                continue;
            const RecordInfo &info = session.at(candidate);
            const bool asks = info.messageKind == Message::Kind::Request || info.messageKind == Message::Kind::Batch;
            if (info.kind == WireEvent::Kind::Message && asks && info.direction == Direction::ToServer)
                requests.append(candidate);
        }
    }
    return requests;
}

}  // namespace

ReplayController::ReplayController(Workspace *workspace, MainWindow *window, QObject *parent)
    : QObject(parent), m_workspace(workspace), m_window(window)
{}

void ReplayController::ask(const QString &recording, bool selected)
{
    Session *shown = m_workspace->shownSession();
    const SessionLibrary &library = m_workspace->library();
    ui::ReplayDialog::Choices choices;
    choices.folder = library.folder();
    const auto offer = [&choices](const QString &path, const QString &server, const QString &text) {
        const bool isThere = std::any_of(choices.recordings.begin(), choices.recordings.end(),
                                         [&path](const auto &each) { return each.path == path; });
        if (!path.isEmpty() && !isThere)
            choices.recordings.append({path, server, text});
    };
    if (shown && !shown->path().isEmpty()) {
        shown->flush();
        choices.shown = shown;
        choices.shownPath = shown->path();
        const QList<qsizetype> rows = m_window->timeline->selectedRows();
        choices.selectedRows = requestsOf(*shown, rows);
        choices.startsSelected = selected || rows.size() > 1;  // a single row is only the current one
        const QString name = shown->serverName();
        offer(shown->path(), name,
              shown->isLive() ? tr("%1, current session").arg(name)
                              : tr("%1, session of %2").arg(name, ui::dateTimeText(shown->createdAt())));
    }
    const QList<SessionEntry> entries = library.entries();
    for (const SessionEntry &entry : entries.first(qMin(entries.size(), MaxRecordings))) {
        if (entry.problem.isEmpty())
            offer(entry.path, entry.serverName,
                  (entry.isReplay ? tr("%1, replayed %2") : u"%1, %2"_s)
                      .arg(entry.serverName, ui::dateTimeText(entry.createdAt)));
    }
    for (const auto &item : m_workspace->items()) {
        if (item->isServer())
            choices.servers.append(item->spec);
    }
    ui::ReplayDialog dialog(choices, m_window);
    if (!recording.isEmpty())
        dialog.chooseRecording(recording);
    if (dialog.exec() != QDialog::Accepted)
        return;
    ReplayPlan plan = dialog.plan();
    if (dialog.isServerRecorded()) {
        plan.profile.approvals = std::make_shared<ApprovalStore>(QString());
        if (!askToApprove(plan))
            return;
    }
    open(plan);
}

// A recording may come from anywhere, and name any program. Only what was shown is started.
bool ReplayController::askToApprove(const ReplayPlan &plan)
{
    const QList<LaunchLine> lines = launchLines(plan.server);
    ui::ApprovalDialog dialog(lines, plan.server.startsProcess(), QFileInfo(plan.recordingPath).fileName(), m_window);
    return dialog.exec() == QDialog::Accepted && !plan.profile.approvals->approve(plan.server.name, lines);
}

void ReplayController::open(const ReplayPlan &plan)
{
    ReplayPlan whole = plan;
    whole.profile = m_workspace->profileFor(plan.server);
    if (plan.profile.approvals)
        whole.profile.approvals = plan.profile.approvals;
    ui::ReplayPanel *panel = add(std::make_shared<ReplayRun>(whole, m_workspace->library()));
    m_window->bringForward(panel);
    panel->setFocus();
    panel->start();
}

ui::ReplayPanel *ReplayController::add(std::shared_ptr<ReplayRun> run)
{
    auto *panel = new ui::ReplayPanel(std::move(run));
    const ReplayPlan &plan = panel->run().plan();
    // Lists the same as the timeline.
    m_window->addPage(panel, panel->title(), plan.recordingPath + u"\n"_s + shownTarget(plan.server),
                      MainWindow::PageHeight::Whole);
    panel->setBeforeRun([this, panel] { return problemBeforeRun(panel->run().plan()); });
    connect(panel, &ui::ReplayPanel::recordingReplaced, m_workspace, &Workspace::readAgain);
    connect(panel, &ui::ReplayPanel::saveCallRequested, this,
            [this, panel](const Message &request, const Message &response) {
                const Session *recording = panel->run().recording();
                const QString server = recording ? recording->serverName() : QString();
                Q_EMIT saveCallRequested(request, response, m_workspace->serverNamed(server) ? server : QString());
            });
    // The end is told again when the server has gone and when the responses are accepted.
    const auto onStateChanged = [this, running = &panel->run(), last = panel->run().state()]() mutable {
        const ReplayRun::State before = std::exchange(last, running->state());
        if (last == ReplayRun::State::Finished && before != last && !running->problem())
            Q_EMIT replayed(running->plan().recordingPath);
    };
    panel->run().disconnect(this);  // of a tab that was closed
    connect(&panel->run(), &ReplayRun::stateChanged, this, onStateChanged);
    return panel;
}

// Empty: it is none of the list, but was typed, or is the one that the session names.
Place ReplayController::listedServer(const ReplayPlan &plan) const
{
    for (const auto &item : m_workspace->items()) {
        ServerSpec listed = item->spec;
        if (item->isBuiltIn)
            listed.name = plan.server.name;  // in another language
        if (item->isServer() && listed == plan.server)
            return Place::of(*item);
    }
    // It was changed or removed meanwhile: only those of the list have these approvals.
    return plan.profile.approvals == m_workspace->profile().approvals ? Place{plan.server.name, false, {}} : Place();
}

bool ReplayController::store(const QWidget *page, TabState *tab, TabContents *contents) const
{
    const auto *panel = qobject_cast<const ui::ReplayPanel *>(page);
    if (!panel)
        return false;
    const ReplayPlan &plan = panel->run().plan();
    ReplayState state;
    state.session = plan.recordingPath;
    state.name = plan.server.name;
    state.server = listedServer(plan);
    if (!state.server.isServer() && plan.server.secrets().isEmpty())
        state.entry = plan.server.toJson();
    state.calls = CallNames.at(size_t(plan.calls));
    state.rows = QList<qint64>(plan.rows.cbegin(), plan.rows.cend());
    state.filter = plan.filter.text();
    state.destructive = DestructiveNames.at(size_t(plan.destructive));
    tab->kind = TabState::Kind::Replay;
    tab->replay = m_withoutServer.value(panel, state);
    if (contents && !panel->isRunning())
        contents->replay = panel->sharedRun();
    return true;
}

QWidget *ReplayController::restore(const TabState &tab, const TabContents *contents)
{
    if (tab.kind != TabState::Kind::Replay)
        return nullptr;
    std::shared_ptr<ReplayRun> run = contents ? contents->replay : nullptr;
    if (!run) {
        run = std::make_shared<ReplayRun>(planOf(tab.replay), m_workspace->library());
        (void)run->loadRules();  // what is wrong with them is said when it is run
    }
    ui::ReplayPanel *panel = add(std::move(run));
    if (isUnknownServer(panel->run().plan().server)) {
        m_withoutServer.insert(panel, tab.replay);
        connect(panel, &QObject::destroyed, this, [this](const QObject *gone) { m_withoutServer.remove(gone); });
    }
    return panel;
}

ReplayPlan ReplayController::planOf(const ReplayState &state) const
{
    ReplayPlan plan;
    plan.recordingPath = state.session;
    const WorkspaceItem *item = state.server.isServer() ? state.server.in(*m_workspace) : nullptr;
    const Result<ServerSpec> other = ServerSpec::fromJson(state.name, json::parse(state.entry));
    if (item)
        plan.server = item->spec;
    else if (!state.entry.isEmpty() && other)
        plan.server = *other;
    else
        plan.server.name = state.name;
    plan.profile = m_workspace->profileFor(plan.server);
    if (!item)  // nobody has typed it now
        plan.profile.approvals = std::make_shared<ApprovalStore>(QString());
    // Never more than was chosen.
    const Filter::Parsed filter = Filter::parse(state.filter);
    plan.filter = filter.filter;
    plan.rows = QList<qsizetype>(state.rows.cbegin(), state.rows.cend());
    plan.calls =
        filter.problem ? ReplayPlan::Calls::Rows : enumeratorIn(CallNames, state.calls, ReplayPlan::Calls::Rows);
    plan.destructive = enumeratorIn(DestructiveNames, state.destructive, Replayer::Destructive::Ask);
    return plan;
}

// Each is started as it was described then, or not at all.
std::optional<Error> ReplayController::problemBeforeRun(const ReplayPlan &plan)
{
    if (isUnknownServer(plan.server))
        return Error::local(tr("“%1” is not in the list of servers, and how it is started was not saved.")
                                .arg(visibleLine(plan.server.name, 60)),
                            tr("Replay the session again and choose a server."));
    const bool isListed = !plan.profile.approvals || plan.profile.approvals == m_workspace->profile().approvals;
    if (isListed || !plan.profile.approvals->question(plan.server.name, launchLines(plan.server)))
        return std::nullopt;
    return askToApprove(plan) ? std::nullopt : std::optional(Error());
}

void ReplayController::stopAll()
{
    for (ui::ReplayPanel *panel : m_window->tabs->findChildren<ui::ReplayPanel *>())
        panel->stop();
}

}  // namespace sonde::app
