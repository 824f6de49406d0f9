// SPDX-License-Identifier: Apache-2.0
#include "core/files/savefile.h"

#include "core/files/texts.h"

#include <QFileInfo>
#include <QSaveFile>

namespace sonde {

Error saveFile(const QString &path, const QByteArray &bytes, ReadableBy readableBy)
{
    QSaveFile file(path);
    QString reason;
    if (file.open(QIODevice::WriteOnly)) {
        if (readableBy == ReadableBy::Owner)
            file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
        file.write(bytes);
        reason = commitFile(file);
    } else {
        reason = file.errorString();
    }
    return reason.isEmpty() ? Error() : Error::local(FilesText::tr("%1 cannot be written: %2.").arg(path, reason));
}

QString commitFile(QSaveFile &file)
{
    // The rename would put an ordinary file into the place of a device or a pipe, such as /dev/null.
    const QFileInfo place(file.fileName());
    if (place.exists() && !place.isFile()) {
        file.cancelWriting();
        file.commit();
        return FilesText::tr("not an ordinary file");
    }
    const bool isWritten = file.error() == QFileDevice::NoError && file.flush();
    const QString reason = file.errorString();
    // What flush() could not write is forgotten then, and the commit would put half a file into the place.
    if (!isWritten)
        file.cancelWriting();
    if (file.commit())
        return {};
    return isWritten ? file.errorString() : reason;
}

}  // namespace sonde
