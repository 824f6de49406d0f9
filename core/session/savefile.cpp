// SPDX-License-Identifier: Apache-2.0
#include "core/session/savefile.h"

#include <QSaveFile>

namespace sonde {

QString commitFile(QSaveFile &file)
{
    const bool isWritten = file.error() == QFileDevice::NoError && file.flush();
    const QString reason = isWritten ? QString() : file.errorString();
    if (file.commit() && isWritten)
        return {};
    return isWritten ? file.errorString() : reason;
}

}  // namespace sonde
