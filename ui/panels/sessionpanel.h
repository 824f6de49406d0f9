// The page of an open recorded session: where it comes from, and actions for it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/calls/sessionsummary.h"

#include <QPointer>
#include <QWidget>

namespace sonde::ui {

class FactRows;
class TextLabel;

class SessionPanel : public QWidget {
    Q_OBJECT
public:
    explicit SessionPanel(QWidget *parent = nullptr);
    void setSession(Session *session);  // not owned

Q_SIGNALS:
    void replayRequested();
    void compareRequested();
    void closeRequested();

private:
    void refresh();
    void summarize();
    QPointer<Session> m_session;
    std::optional<SessionSummary> m_summary;  // once it is read
    QPointer<QObject> m_reading;
    TextLabel *m_title;
    TextLabel *m_subtitle;
    FactRows *m_rows;
};

}  // namespace sonde::ui
