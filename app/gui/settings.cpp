// SPDX-License-Identifier: Apache-2.0
#include "app/gui/settings.h"

#include "core/files/filelimits.h"
#include "core/files/readfile.h"
#include "core/files/userfolder.h"

#include <QFile>

using namespace Qt::StringLiterals;

namespace sonde::app {

Settings::Settings()
{
    const QString folder = userFolder(UserFolder::Config);
    if (folder.isEmpty())
        return;
    m_path = folder + u"/window.ini"_s;
    // QSettings would wait for a pipe, and read a device without end.
    const Error problem = problemOfFile(m_path, filelimits::WindowSettings);
    if (problem || problemOfFile(m_path + u".lock"_s, filelimits::Lock)) {
        m_path.clear();
        return;
    }
    m_settings = std::make_unique<QSettings>(m_path, QSettings::IniFormat);
}

QVariant Settings::value(const QString &key) const
{
    return m_settings ? m_settings->value(key) : m_memory.value(key);
}

double Settings::number(const NumberSetting &setting) const
{
    bool isNumber = false;
    const double number = value(setting.key).toString().toDouble(&isNumber);
    const bool isUsable = isNumber && number >= setting.range.least && number <= setting.range.most;
    return isUsable ? number : setting.range.usual;
}

bool Settings::isOn(const SwitchSetting &setting) const
{
    const QString word = text(setting.key);
    return word == u"yes" || (setting.isUsuallyOn && word != u"no");
}

void Settings::set(const NumberSetting &setting, double number)
{
    set(setting.key, QString::number(number));
}

void Settings::set(const SwitchSetting &setting, bool isOn)
{
    set(setting.key, isOn ? u"yes"_s : u"no"_s);
}

void Settings::remove(const QString &key)
{
    m_memory.remove(key);
    if (m_settings)
        m_settings->remove(key);
}

void Settings::set(const QString &key, const QVariant &value)
{
    if (!m_settings) {
        m_memory.insert(key, value);
        return;
    }
    // QSettings writes later by itself, and creates folders that everybody can read.
    (void)makeUserFolder(UserFolder::Config);
    m_settings->setValue(key, value);
}

void Settings::save()
{
    if (!m_settings)
        return;
    m_settings->sync();
    // QSettings writes with the umask's permissions.
    QFile::setPermissions(m_path, QFile::ReadOwner | QFile::WriteOwner);
}

}  // namespace sonde::app
