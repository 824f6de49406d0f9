// The first tab: one line to connect with, the last servers and sessions, what was found, and what to try.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/server/hostconfig.h"
#include "core/server/serverspec.h"
#include "core/session/sessionlibrary.h"
#include "core/session/sessionnotes.h"
#include "ui/panels/serverlist.h"

#include <QWidget>

class QGridLayout;
class QLineEdit;
class QVBoxLayout;

namespace sonde::ui {

class PrimaryButton;
class TextLabel;

class WelcomePanel : public QWidget {
    Q_OBJECT
public:
    explicit WelcomePanel(QWidget *parent = nullptr);
    static constexpr qsizetype ServersShown = 4;
    void setServers(const QList<ServerItem> &servers);  // latest first; no more than ServersShown are shown
    static constexpr qsizetype SessionsShown = 4;
    // Newest first; no more than SessionsShown are shown, by the names that they have in the notes.
    void setSessions(const QList<SessionEntry> &sessions, const QHash<QString, SessionNote> &notes = {});
    static constexpr qsizetype HostsShown = 4;
    void setFound(const QList<HostConfig> &found);  // on this computer; no more than HostsShown hosts are named
    void focusLine();

Q_SIGNALS:
    void connectRequested(const sonde::ServerSpec &spec);
    void sessionRequested(const QString &path);
    void allSessionsRequested();
    void importRequested();
    void serverRequested(const QString &name);
    void demoRequested();
    void walkRequested();  // through the demo server
    void askRequested();   // see how it asks the user
    void shown();          // its list may be out of date

protected:
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    void fillServers(const QList<ServerItem> &former);
    void placeCards();
    void updatePreview();
    void connectNow();
    QLineEdit *m_line;
    TextLabel *m_preview;
    PrimaryButton *m_connect;
    QGridLayout *m_grid;
    QList<QWidget *> m_cards;  // that of the servers first
    QList<ServerItem> m_shownServers;
    QVBoxLayout *m_servers;
    TextLabel *m_found;
    QVBoxLayout *m_sessions;
};

}  // namespace sonde::ui
