// Sends messages of the timeline again, unchanged or edited.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/workspace.h"
#include "ui/dialogs/senddialog.h"

#include <QHash>
#include <QObject>

namespace sonde::app {

class MainWindow;

// Uses the connection of the current item. Does not own its arguments.
class SendController : public QObject {
    Q_OBJECT
public:
    SendController(Workspace *workspace, MainWindow *window, QObject *parent = nullptr);

    void sendAgain(const QByteArray &message);
    void editAndSend(const QByteArray &message, const QByteArray &httpRequest);

private:
    void watch(Connection *connection, Call *call, qsizetype before);

    Workspace *m_workspace;
    MainWindow *m_window;
    QHash<QByteArray, ui::SendDraft> m_drafts;  // of this run, by the message that was edited
};

}  // namespace sonde::app
