// SPDX-License-Identifier: Apache-2.0
#include "app/gui/replaycontroller.h"

#include "app/gui/mainwindow.h"
#include "core/server/approval.h"
#include "core/server/specsecrets.h"
#include "ui/dialogs/approvaldialog.h"
#include "ui/dialogs/replaydialog.h"
#include "ui/replay/replaypanel.h"
#include "ui/result/outcometext.h"
#include "ui/timeline/timelinepanel.h"

#include <QFileInfo>
#include <QTabWidget>
#include <algorithm>
#include <memory>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

constexpr qsizetype MaxRecordings = 100;

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
    if (dialog.isServerRecorded() && !isApproved(&plan))
        return;
    open(plan);
}

// A recording may come from anywhere, and name any program. Only what was shown is started.
bool ReplayController::isApproved(ReplayPlan *plan)
{
    const QList<LaunchLine> lines = launchLines(plan->server);
    ui::ApprovalDialog dialog(lines, plan->server.startsProcess(), QFileInfo(plan->recordingPath).fileName(), m_window);
    if (dialog.exec() != QDialog::Accepted)
        return false;
    plan->profile.approvals = std::make_shared<ApprovalStore>(QString());
    return !plan->profile.approvals->approve(plan->server.name, lines);
}

void ReplayController::open(const ReplayPlan &plan)
{
    ReplayPlan whole = plan;
    whole.profile = m_workspace->profileFor(plan.server);
    if (plan.profile.approvals)
        whole.profile.approvals = plan.profile.approvals;
    auto *panel = new ui::ReplayPanel(whole, m_workspace->library());
    // Lists the same as the timeline.
    m_window->addPage(panel, panel->title(), plan.recordingPath + u"\n"_s + shownTarget(plan.server),
                      MainWindow::PageHeight::Whole);
    connect(panel, &ui::ReplayPanel::recordingReplaced, m_workspace, &Workspace::readAgain);
    connect(panel, &ui::ReplayPanel::saveCallRequested, this, &ReplayController::saveCallRequested);
    m_window->bringForward(panel);
    panel->setFocus();
    panel->start();
}

void ReplayController::stopAll()
{
    for (ui::ReplayPanel *panel : m_window->tabs->findChildren<ui::ReplayPanel *>())
        panel->stop();
}

}  // namespace sonde::app
