// What the window remembers between starts: sizes, columns, theme. No servers and no secrets.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QSettings>
#include <QVariant>

namespace sonde::app {

class Settings {
public:
    Settings();  // $XDG_CONFIG_HOME/sonde/window.ini, mode 0600

    QByteArray bytes(const QString &key) const { return m_settings.value(key).toByteArray(); }
    QString text(const QString &key) const { return m_settings.value(key).toString(); }
    void set(const QString &key, const QVariant &value) { m_settings.setValue(key, value); }
    void save();

private:
    QSettings m_settings;
};

}  // namespace sonde::app
