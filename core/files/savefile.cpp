// SPDX-License-Identifier: Apache-2.0
#include "core/files/savefile.h"

#include <QSaveFile>

namespace sonde {

QString commitFile(QSaveFile &file)
{
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
