// Fetches the icons of servers for which the user allowed it, and remembers which these are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QQueue>
#include <QUrl>

namespace sonde::app {

class Settings;
class Workspace;

class IconController : public QObject {
    Q_OBJECT
public:
    IconController(Workspace *workspace, Settings *settings, QObject *parent = nullptr);

private:
    void fetchOn();
    struct Wanted {
        QUrl url;
        QString server;
    };
    Workspace *m_workspace;
    QQueue<Wanted> m_waiting;
    int m_running = 0;
};

}  // namespace sonde::app
