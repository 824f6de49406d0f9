// Says on the desktop that Sonde needs the user.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QString>

class QDBusConnection;
class QDBusMessage;

namespace sonde::app {

// One notification at a time, through org.freedesktop.Notifications. Never waits for the bus; without one nothing
// happens. GUI thread.
class DesktopNotification : public QObject {
    Q_OBJECT
public:
    // bus: the name of a QDBusConnection; empty: that of the session.
    explicit DesktopNotification(QObject *parent = nullptr, const QString &bus = {});

    void show(const QString &title, const QString &text);  // replaces the one before; plain text
    void close();

Q_SIGNALS:
    void clicked();

private:
    QDBusConnection connection() const;
    Q_SLOT void onAction(const QDBusMessage &action);

    const QString m_bus;
    bool m_listens = false;
    bool m_isWanted = false;  // shown, or on its way to be
    uint m_id = 0;            // of the one that is shown; 0: none
};

}  // namespace sonde::app
