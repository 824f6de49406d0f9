// The workspace's replays: what is asked before one, and the tab it gets.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/mainwindow.h"
#include "app/gui/workspace.h"
#include "core/protocol/visibletext.h"
#include "ui/compare/comparepanel.h"
#include "ui/dialogs/replaydialog.h"
#include "ui/replay/replaypanel.h"
#include "ui/result/outcometext.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/timelinepanel.h"

#include <QFileInfo>
#include <QTabWidget>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

constexpr qsizetype MaxRecordings = 100;

// The requests to the server that these rows are, or answer.
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

void Workspace::askToReplay(const QString &recording, bool selected)
{
    ui::ReplayDialog::Choices choices;
    choices.folder = m_library.folder();
    const auto offer = [&choices](const QString &path, const QString &server, const QString &text) {
        const bool isThere = std::any_of(choices.recordings.begin(), choices.recordings.end(),
                                         [&path](const auto &each) { return each.path == path; });
        if (!path.isEmpty() && !isThere)
            choices.recordings.append({path, server, text});
    };
    if (m_shownSession && !m_shownSession->path().isEmpty()) {
        m_shownSession->flush();
        choices.shown = m_shownSession;
        choices.shownPath = m_shownSession->path();
        const QList<qsizetype> rows = m_window->timeline->selectedRows();
        choices.selectedRows = requestsOf(*m_shownSession, rows);
        choices.startsSelected = selected || rows.size() > 1;  // one is where somebody has just looked
        const QString name = m_shownSession->serverName();
        offer(m_shownSession->path(), name,
              m_shownSession->isLive()
                  ? tr("%1, this session up to now").arg(name)
                  : tr("%1, this session of %2").arg(name, ui::dateTimeText(m_shownSession->createdAt())));
    }
    const QList<SessionEntry> entries = m_library.entries();
    for (const SessionEntry &entry : entries.first(qMin(entries.size(), MaxRecordings))) {
        if (entry.problem.isEmpty())
            offer(entry.path, entry.serverName,
                  (entry.isReplay ? tr("%1, replayed %2") : u"%1, %2"_s)
                      .arg(entry.serverName, ui::dateTimeText(entry.createdAt)));
    }
    for (const auto &item : m_items) {
        if (item->kind == ui::ServerItem::Kind::Server)
            choices.servers.append(item->spec);
    }
    ui::ReplayDialog dialog(choices, m_window);
    if (!recording.isEmpty())
        dialog.chooseRecording(recording);
    if (dialog.exec() == QDialog::Accepted)
        openReplay(dialog.plan());
}

void Workspace::openReplay(const ui::ReplayPlan &plan)
{
    auto *panel = new ui::ReplayPanel(plan, m_library);
    m_window->addPage(panel, panel->title(), plan.recordingPath + u"\n"_s + plan.server.line());
    connect(panel, &ui::ReplayPanel::recordingReplaced, this, &Workspace::readAgain);
    bringForward(panel);
    panel->setFocus();
    panel->start();
}

void Workspace::readAgain(const QString &recording)
{
    const QFileInfo replaced(recording);
    for (const auto &item : m_items) {
        if (!item->session || QFileInfo(item->session->path()) != replaced)
            continue;
        Result<std::unique_ptr<Session>> opened = Session::openInBatches(item->session->path());
        if (!opened) {
            showError(tr("The session %1 cannot be opened").arg(visibleLine(recording)), opened.error());
            continue;
        }
        // Shown until the new one is.
        const std::unique_ptr<Session> before = std::exchange(item->session, std::move(opened).value());
        item->spec.name = item->session->serverName();
        refreshPage(*item);
        nameTabs();
        refreshList();
        if (item.get() == m_current)
            showCurrent();
    }
}

// A replay lists what the timeline would, and a comparison has nothing to do with it: while one is looked at, it has
// the whole height.
void Workspace::makeRoomFor(const QWidget *page)
{
    if (!m_window->hidesTabs())
        m_window->timeline->setVisible(!qobject_cast<const ui::ReplayPanel *>(page) &&
                                       !qobject_cast<const ui::ComparePanel *>(page));
}

// Their servers end with the window; what has been recorded gets its end.
void Workspace::stopReplays()
{
    for (ui::ReplayPanel *panel : m_window->tabs->findChildren<ui::ReplayPanel *>())
        panel->stop();
}

}  // namespace sonde::app
