// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/desktopsettings.h"

#include <QDBusMessage>
#include <QDBusMetaType>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QMap>
#include <QVariantMap>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

using PortalSettings = QMap<QString, QVariantMap>;

constexpr QLatin1StringView PortalObject("/org/freedesktop/portal/desktop");
constexpr QLatin1StringView PortalInterface("org.freedesktop.portal.Settings");
constexpr QLatin1StringView AppearanceSettings("org.freedesktop.appearance");
constexpr QLatin1StringView InterfaceSettings("org.gnome.desktop.interface");
constexpr int PortalTimeout = 2000;  // ms

DesktopWishes wishesIn(const PortalSettings &settings, DesktopWishes usual)
{
    const QVariantMap appearance = settings.value(AppearanceSettings);
    const uint scheme = appearance.value(u"color-scheme"_s).toUInt();  // 0 no preference, 1 dark, 2 light
    if (scheme != 0)
        usual.isDark = scheme == 1;
    usual.wantsContrast = appearance.value(u"contrast"_s).toUInt() == 1;
    usual.reducesMotion = usual.reducesMotion || appearance.value(u"reduced-motion"_s).toUInt() == 1 ||
                          !settings.value(InterfaceSettings).value(u"enable-animations"_s, true).toBool();
    return usual;
}

}  // namespace

DesktopSettings::DesktopSettings(const QDBusConnection &bus, const DesktopWishes &usual, QObject *parent)
    : QObject(parent), m_bus(bus), m_usual(usual)
{
    if (!m_bus.isConnected())
        return;
    qDBusRegisterMetaType<PortalSettings>();
    // Of any sender: for one with a name Qt would wait until the bus says who that is.
    m_bus.connect({}, PortalObject, PortalInterface, u"SettingChanged"_s, this, SLOT(onSettingChanged(QString)));
    ask();
}

void DesktopSettings::onSettingChanged(const QString &settings)
{
    if (settings == AppearanceSettings || settings == InterfaceSettings)
        ask();
}

// All of them: there are few, and what one signal says may be outdated by the next.
void DesktopSettings::ask()
{
    QDBusMessage message = QDBusMessage::createMethodCall(u"org.freedesktop.portal.Desktop"_s, PortalObject,
                                                          PortalInterface, u"ReadAll"_s);
    message << QStringList{AppearanceSettings, InterfaceSettings};
    auto *watcher = new QDBusPendingCallWatcher(m_bus.asyncCall(message, PortalTimeout), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher *done) {
        done->deleteLater();
        const QDBusPendingReply<PortalSettings> reply = *done;
        if (!reply.isError())
            Q_EMIT told(wishesIn(reply.value(), m_usual));
    });
}

}  // namespace sonde::ui
