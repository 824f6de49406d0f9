// Sends messages of the timeline again, unchanged or edited.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/workspace.h"
#include "ui/dialogs/senddialog.h"

#include <QHash>
#include <QObject>
#include <functional>

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
    // send: at once, or when the user has agreed to a call that may destroy something.
    void confirm(Connection *connection, const QByteArray &message, const std::function<void()> &send);
    void watch(Connection *connection, Call *call, qsizetype before);

    Workspace *m_workspace;
    MainWindow *m_window;
    QHash<QByteArray, ui::SendDraft> m_drafts;  // of this run, by the message that was edited
};

}  // namespace sonde::app
