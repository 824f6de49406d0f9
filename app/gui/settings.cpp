// SPDX-License-Identifier: Apache-2.0
#include "app/gui/settings.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

QString settingsPath()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + u"/sonde/window.ini"_s;
}

}  // namespace

Settings::Settings() : m_settings(settingsPath(), QSettings::IniFormat) {}

void Settings::save()
{
    QDir().mkpath(QFileInfo(settingsPath()).path());
    m_settings.sync();
    // QSettings writes with the umask's permissions.
    QFile::setPermissions(settingsPath(), QFile::ReadOwner | QFile::WriteOwner);
}

}  // namespace sonde::app
