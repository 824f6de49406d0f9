// The first tab: one line to connect with, recorded sessions, the demo server.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/server/hostconfig.h"
#include "core/server/serverspec.h"
#include "core/session/sessionlibrary.h"

#include <QWidget>

class QLineEdit;
class QVBoxLayout;

namespace sonde::ui {

class PrimaryButton;
class TextLabel;

class WelcomePanel : public QWidget {
    Q_OBJECT
public:
    explicit WelcomePanel(QWidget *parent = nullptr);
    static constexpr qsizetype SessionsShown = 4;
    void setSessions(const QList<SessionEntry> &sessions);  // newest first; no more than SessionsShown are shown
    static constexpr qsizetype HostsShown = 4;
    void setFound(const QList<HostConfig> &found);  // on this computer; no more than HostsShown hosts are named
    void focusLine();

Q_SIGNALS:
    void connectRequested(const sonde::ServerSpec &spec);
    void sessionRequested(const QString &path);
    void allSessionsRequested();
    void importRequested();
    void demoRequested();
    void shown();  // its list may be out of date

protected:
    void showEvent(QShowEvent *event) override;

private:
    void updatePreview();
    void connectNow();
    QLineEdit *m_line;
    TextLabel *m_preview;
    PrimaryButton *m_connect;
    TextLabel *m_found;
    QVBoxLayout *m_sessions;
};

}  // namespace sonde::ui
