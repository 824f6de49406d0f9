// What the window remembers between starts: sizes, columns, theme. No servers and no secrets.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QSettings>
#include <QString>
#include <QVariant>
#include <memory>

namespace sonde::app {

class Settings {
public:
    Settings();  // $XDG_CONFIG_HOME/sonde/window.ini, mode 0600; in memory only without a home, and where that is no
                 // file

    QByteArray bytes(const QString &key) const { return value(key).toByteArray(); }
    QString text(const QString &key) const { return value(key).toString(); }
    void set(const QString &key, const QVariant &value);
    void save();

private:
    QVariant value(const QString &key) const;
    QString m_path;
    std::unique_ptr<QSettings> m_settings;  // null: m_memory in its place
    QVariantMap m_memory;
};

}  // namespace sonde::app
