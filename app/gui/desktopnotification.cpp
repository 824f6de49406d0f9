// SPDX-License-Identifier: Apache-2.0
#include "app/gui/desktopnotification.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QVariantMap>

#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

QString notificationsService()
{
    return u"org.freedesktop.Notifications"_s;
}

QString notificationsPath()
{
    return u"/org/freedesktop/Notifications"_s;
}

QDBusMessage notificationsCall(const QString &method)
{
    return QDBusMessage::createMethodCall(notificationsService(), notificationsPath(), notificationsService(), method);
}

}  // namespace

DesktopNotification::DesktopNotification(QObject *parent, const QString &bus) : QObject(parent), m_bus(bus) {}

// Only when there is something to say: to connect to the bus takes time at the start.
QDBusConnection DesktopNotification::connection() const
{
    return m_bus.isEmpty() ? QDBusConnection::sessionBus() : QDBusConnection(m_bus);
}

void DesktopNotification::show(const QString &title, const QString &text)
{
    QDBusConnection bus = connection();
    if (!bus.isConnected())
        return;
    if (!m_listens)
        m_listens = bus.connect(notificationsService(), notificationsPath(), notificationsService(), u"ActionInvoked"_s,
                                this, SLOT(onAction(QDBusMessage)));
    QDBusMessage call = notificationsCall(u"Notify"_s);
    // The text of a notification may be read as markup, its title is not.
    call << u"Sonde"_s << m_id << u"io.github.sonde.Sonde"_s << title << text.toHtmlEscaped()
         << QStringList{u"default"_s, tr("Show")} << QVariantMap{{u"desktop-entry"_s, u"io.github.sonde.Sonde"_s}}
         << -1;
    m_isWanted = true;
    auto *pending = new QDBusPendingCallWatcher(bus.asyncCall(call), this);
    connect(pending, &QDBusPendingCallWatcher::finished, this, [this, pending] {
        const QDBusPendingReply<uint> reply = *pending;
        pending->deleteLater();
        if (reply.isError())
            return;
        m_id = reply.value();
        if (!m_isWanted)
            close();
    });
}

void DesktopNotification::close()
{
    m_isWanted = false;
    if (m_id == 0)
        return;
    QDBusMessage call = notificationsCall(u"CloseNotification"_s);
    call << std::exchange(m_id, 0);
    connection().asyncCall(call);
}

void DesktopNotification::onAction(const QDBusMessage &action)
{
    if (m_id != 0 && action.arguments().value(0).toUInt() == m_id)
        Q_EMIT clicked();
}

}  // namespace sonde::app
