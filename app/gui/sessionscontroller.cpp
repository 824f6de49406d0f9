// SPDX-License-Identifier: Apache-2.0
#include "app/gui/sessionscontroller.h"

#include "app/gui/exporting.h"
#include "app/gui/mainwindow.h"
#include "app/gui/recentfiles.h"
#include "core/protocol/worker.h"
#include "core/session/sessionnotes.h"
#include "ui/dialogs/sessionsdialog.h"
#include "ui/timeline/timelinepanel.h"

#include <QScopedValueRollback>

using namespace Qt::StringLiterals;

namespace sonde::app {

SessionsController::SessionsController(Workspace *workspace, MainWindow *window, QObject *parent)
    : QObject(parent), m_workspace(workspace), m_window(window)
{
    connect(m_workspace, &Workspace::sessionOpened, this, &SessionsController::addToRecentFiles);
}

SessionsController::~SessionsController()
{
    delete m_dialog;
}

void SessionsController::choose()
{
    if (m_isChoosing)
        return m_dialog->activateWindow();
    const QScopedValueRollback choosing(m_isChoosing, true);
    if (!m_dialog) {
        m_dialog = new ui::SessionsDialog(m_workspace->library(), m_window,
                                          std::make_shared<SessionNotes>(SessionNotes::ofUser()));
        ui::SessionsDialog *dialog = m_dialog;
        connect(dialog, &ui::SessionsDialog::exportRequested, this,
                [dialog](const QString &path, const QString &name) { exportFile(path, name, dialog); });
        connect(dialog, &ui::SessionsDialog::limitRequested, this, [this, dialog] {
            Q_EMIT limitsRequested(dialog);
            dialog->setRetention(m_rules, openPaths());
        });
    } else {
        m_dialog->refresh();
    }
    m_dialog->setRetention(m_rules, openPaths());
    const bool isAccepted = m_dialog->exec() == QDialog::Accepted;
    m_workspace->readSessionNames();  // which can be changed there
    if (!isAccepted)
        return;
    if (m_dialog->wantsReplay())
        Q_EMIT replayRequested(m_dialog->chosenPath());
    else
        open(m_dialog->chosenPath(), m_dialog->chosenRow());
}

QStringList SessionsController::openPaths() const
{
    QStringList paths;
    for (const auto &item : m_workspace->items()) {
        if (const Session *session = item->shownSession())
            paths << session->path();
    }
    return paths;
}

void SessionsController::open(const QString &path, qsizetype row)
{
    m_workspace->openSessionFile(path);
    Session *session = m_workspace->shownSession();
    if (row < 0 || !session || session->path() != path)
        return;
    const auto show = [this, session, row] {
        if (m_workspace->shownSession() != session)
            return;
        m_window->showTimeline();
        m_window->timeline->showRow(row);
    };
    if (session->isLoading())
        connect(session, &Session::loaded, this, show);
    else
        show();
}

void SessionsController::addToRecentFiles(const QString &path)
{
    if (!m_listsRecentFiles)
        return;
    // Where it cannot be saved there is no entry, which is not worth a message.
    runOnWorker(
        this, [path] { return addRecentFile(path, u"application/x-mcpsession"_s); },
        [](const std::optional<Error> &) {});
}

}  // namespace sonde::app
