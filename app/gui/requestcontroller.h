// What servers ask: into the panel, to a rule of the user, or, for roots, from the server's description.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/desktopnotification.h"
#include "app/gui/requestorigins.h"
#include "app/gui/workspace.h"
#include "ui/requests/requestmodel.h"

#include <QObject>
#include <QPointer>

class QMenu;

namespace sonde::app {

class MainWindow;

// Responds for every connection of the workspace. A replay has a connection of its own and responds itself.
class RequestController : public QObject {
    Q_OBJECT
public:
    RequestController(Workspace *workspace, MainWindow *window, QObject *parent = nullptr);
    ~RequestController() override;

    void goToRequest();                                         // the focus moves there
    void setNotifies(bool notifies) { m_notifies = notifies; }  // on the desktop

    // The same response to all requests with this key, until the server stops.
    struct Rule {
        QPointer<Connection> connection;
        QByteArray key;
        QByteArray result;
        QString server;
        int used = 0;
    };
    const QList<Rule> &rules() const { return m_rules; }
    void setRules(const QList<Rule> &rules);

Q_SIGNALS:
    void focusLeft();  // nothing is asked any more, and the focus was in the panel

private:
    void respondFor(Connection *connection);
    void onRequest(Connection *connection, InputRequest *request);
    void respondWithRoots(Connection *connection, InputRequest *request);
    void onSpecChanged(Connection *connection);
    void notify(const QString &server);
    void forgetRules(const Connection *connection);
    void updateRules();

    Workspace *m_workspace;
    MainWindow *m_window;
    DesktopNotification m_notification;
    RequestOrigins m_origins;
    bool m_notifies = true;
    bool m_hasNotified = false;  // since the window was in front
    QList<Rule> m_rules;
    QMenu *m_menu;
    QHash<const QObject *, QList<std::pair<QString, QString>>> m_roots;  // as each server knows them
};

}  // namespace sonde::app
