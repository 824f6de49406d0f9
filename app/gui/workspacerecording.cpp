// The workspace's recordings: whether they can be written, and how much of them.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/mainwindow.h"
#include "app/gui/notice.h"
#include "app/gui/settings.h"
#include "app/gui/workspace.h"
#include "core/protocol/visibletext.h"
#include "ui/dialogs/recordinglimitdialog.h"
#include "ui/result/outcometext.h"

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

const QString limitKey = u"recording/limitGB"_s;

}  // namespace

void Workspace::readLimit()
{
    if (const double gigabytes = m_settings->text(limitKey).toDouble(); gigabytes > 0)
        m_library.setRecordingLimit(qint64(gigabytes * 1e9));
}

void Workspace::watchLimit(Session *session)
{
    const auto offer = [this, session] {
        // What is in memory only has a limit of its own.
        if (!session->path().isEmpty() && !session->error())
            m_window->notice->offer(tr("Change limit…"), session, [this] { askForLimit(m_window); });
        updateStatus();
    };
    connect(session, &Session::limitNear, this, [this, session, offer] {
        showError(tr("The recording of %1 is close to its limit: %2 of %3")
                      .arg(visibleLine(session->serverName(), 40), ui::sizeText(session->recorded()),
                           ui::sizeText(session->limit())),
                  Error::local(tr("Beyond it, calls are still recorded. Notifications, standard error and other output "
                                  "that the server sends unasked are counted, not stored.")));
        offer();
    });
    connect(session, &Session::limitReached, this, [this, session, offer] {
        showError(tr("The recording of %1 has reached its limit of %2")
                      .arg(visibleLine(session->serverName(), 40), ui::sizeText(session->limit())),
                  Error::local(tr("Calls are still recorded. Notifications, standard error and other output that the "
                                  "server sends unasked are counted from here on, not stored.")));
        offer();
    });
}

void Workspace::askForLimit(QWidget *parent)
{
    ui::RecordingLimitDialog dialog(m_library.recordingLimit(), m_library.freeBytes(), parent);
    if (dialog.exec() != QDialog::Accepted)
        return;
    m_library.setRecordingLimit(dialog.bytes());
    m_settings->set(limitKey, QString::number(double(dialog.bytes()) / 1e9));
    m_settings->save();
    for (const auto &item : m_items) {
        if (!item->connection)
            continue;
        Session *session = item->connection->session();
        session->setLimit(dialog.bytes());
        m_window->notice->withdraw(session);
    }
    updateStatus();
}

}  // namespace sonde::app
