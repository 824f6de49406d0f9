// SPDX-License-Identifier: Apache-2.0
#include "core/files/userfolder.h"

#include "core/files/texts.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <cerrno>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

constexpr QFileDevice::Permissions OwnFolder = QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner;
constexpr QFileDevice::Permissions OfOthers = QFileDevice::ReadGroup | QFileDevice::WriteGroup | QFileDevice::ExeGroup |
                                              QFileDevice::ReadOther | QFileDevice::WriteOther | QFileDevice::ExeOther;

}  // namespace

QString userFolder(UserFolder which)
{
    const bool isConfig = which == UserFolder::Config;
    // Without a home Qt takes the root folder for it.
    if (!qgetenv(isConfig ? "XDG_CONFIG_HOME" : "XDG_DATA_HOME").startsWith('/') && !qgetenv("HOME").startsWith('/'))
        return {};
    return QStandardPaths::writableLocation(isConfig ? QStandardPaths::GenericConfigLocation
                                                     : QStandardPaths::GenericDataLocation) +
           u"/sonde"_s;
}

Error noUserFolder()
{
    return Error::local(FilesText::tr("No home directory: HOME is not set."),
                        FilesText::tr("Set HOME and start Sonde again."));
}

Error makeUserFolder(UserFolder which)
{
    const QString folder = userFolder(which);
    return folder.isEmpty() ? noUserFolder() : makePrivateFolder(folder);
}

static bool isUserFolder(const QString &path)
{
    return path == QDir::cleanPath(userFolder(UserFolder::Config)) ||
           path == QDir::cleanPath(userFolder(UserFolder::Data));
}

// Folder by folder, since QDir::mkpath() makes what everybody may read.
Error makePrivateFolder(const QString &path)
{
    QStringList missing;
    for (QDir dir(path); !dir.exists(); dir.setPath(QFileInfo(dir.absolutePath()).path())) {
        missing.prepend(dir.absolutePath());
        if (dir.isRoot())
            break;
    }
    for (const QString &folder : std::as_const(missing)) {
        if (!QDir().mkdir(folder, OwnFolder) && errno != EEXIST)
            return Error::local(
                FilesText::tr("The folder '%1' could not be created: %2").arg(folder, qt_error_string(errno)));
    }
    if (!QFileInfo(path).isDir())
        return Error::local(FilesText::tr("'%1' is not a folder.").arg(path));
    if (isUserFolder(QDir::cleanPath(path)) && (QFileInfo(path).permissions() & OfOthers))
        (void)QFile::setPermissions(path, OwnFolder);
    return {};
}

}  // namespace sonde
