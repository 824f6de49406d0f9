// Says on the desktop that Sonde needs the user.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

class QDBusMessage;

namespace sonde::app {

// One notification at a time, through org.freedesktop.Notifications. Never waits for the bus; without one nothing
// happens. GUI thread.
class DesktopNotification : public QObject {
    Q_OBJECT
public:
    explicit DesktopNotification(QObject *parent = nullptr);

    void show(const QString &title, const QString &text);  // replaces the one before; plain text
    void close();

Q_SIGNALS:
    void clicked();

private:
    Q_SLOT void onAction(const QDBusMessage &action);

    bool m_listens = false;
    bool m_isWanted = false;  // shown, or on its way to be
    uint m_id = 0;            // of the one that is shown; 0: none
};

}  // namespace sonde::app
