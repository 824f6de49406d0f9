// Fetches the icons of servers for which the user allowed it, and remembers which these are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QQueue>
#include <QUrl>

namespace sonde::app {

class Settings;

class IconController : public QObject {
    Q_OBJECT
public:
    explicit IconController(Settings *settings, QObject *parent = nullptr);

private:
    void fetchOn();
    QQueue<QUrl> m_waiting;
    int m_running = 0;
};

}  // namespace sonde::app
