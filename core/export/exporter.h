// A session, or rows of it, in forms that others can read, with a second look for what must not leave.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/exportinput.h"

class QIODevice;

namespace sonde {

// Masking takes place in memory: nothing unmasked is ever handed to the device. The session must outlive it.
class Exporter {
public:
    Exporter(const Session *session, ExportOptions options) : m_input(session, std::move(options)) {}

    // What write() will mask, and what was masked when it was recorded. Reads everything that will be written.
    QList<MaskedSecret> preview();
    // A file that is the session's own is refused, before anything is written.
    Error write(QIODevice *device);
    // What the last write() masked.
    QList<MaskedSecret> masked() const { return m_input.masked(); }
    // Of what was written: messages, exchanges or records.
    qsizetype count() const { return m_count; }

private:
    bool leadsToSession(const QIODevice *device) const;

    ExportInput m_input;
    qsizetype m_count = 0;
};

}  // namespace sonde
