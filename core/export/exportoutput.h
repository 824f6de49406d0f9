// What an export is written to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"

#include <QByteArray>
#include <QString>

class QIODevice;

namespace sonde {

// Nothing more is written after the first error.
class ExportOutput {
public:
    explicit ExportOutput(QIODevice *device) : m_device(device) {}  // null: only counts

    void put(const QByteArray &bytes);
    void put(const QString &text) { put(text.toUtf8()); }
    Error error() const { return m_error; }

    void addWritten() { ++m_count; }
    qsizetype count() const { return m_count; }  // messages, exchanges or records

private:
    QIODevice *m_device;
    Error m_error;
    qsizetype m_count = 0;
};

}  // namespace sonde
