// What the desktop wishes of all programs: colours, contrast, motion.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDBusConnection>
#include <QObject>

namespace sonde::ui {

struct DesktopWishes {
    bool isDark = false;
    bool wantsContrast = false;
    bool reducesMotion = false;

    bool operator==(const DesktopWishes &) const = default;
};

// As the settings portal on this bus tells them, which Qt 6.4 does not ask: now, and whenever it says that they have
// changed. Never waits for the bus. Where there is no portal, or it has no preference, usual stays.
class DesktopSettings : public QObject {
    Q_OBJECT
public:
    DesktopSettings(const QDBusConnection &bus, const DesktopWishes &usual, QObject *parent);

Q_SIGNALS:
    void told(const sonde::ui::DesktopWishes &wishes);  // after each response; may be the same again

private Q_SLOTS:
    void onSettingChanged(const QString &settings);

private:  // NOLINT(readability-redundant-access-specifiers)
    void ask();
    QDBusConnection m_bus;
    DesktopWishes m_usual;
};

}  // namespace sonde::ui
