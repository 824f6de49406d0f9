// SPDX-License-Identifier: Apache-2.0
#include "core/export/exportoutput.h"

#include <QCoreApplication>
#include <QIODevice>

namespace sonde {

void ExportOutput::put(const QByteArray &bytes)
{
    if (!m_device || m_error || bytes.isEmpty())
        return;
    if (m_device->write(bytes) != bytes.size())
        m_error = Error::local(
            QCoreApplication::translate("sonde::Exporter", "Not written: %1").arg(m_device->errorString()));
}

}  // namespace sonde
