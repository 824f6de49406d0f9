// The details of a row in a separate window.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/session.h"

#include <QPointer>
#include <QWidget>

namespace sonde::ui {

class CallIndex;
class RecordDetails;

// "tools/call echo · #23"
QString rowTitle(const Session &session, qsizetype row);

// Keeps its row whatever is selected elsewhere, and shows the response when it arrives. Esc closes and deletes it; it
// is also deleted with its session.
class RecordWindow : public QWidget {
    Q_OBJECT
public:
    RecordWindow(Session *session, qsizetype row, bool preferResponse, QWidget *parent);
    const Session *session() const { return m_session; }
    void setCalls(CallIndex *calls);  // as RecordDetails has it
    void setCanSend(bool canSend);

Q_SIGNALS:
    void sendRequested(const QByteArray &message);
    void editAndSendRequested(const QByteArray &message, const QByteArray &httpRequest);

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    QPointer<Session> m_session;
    RecordDetails *m_details;
};

}  // namespace sonde::ui
