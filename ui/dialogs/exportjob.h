// One export of a session to a file, or the preview of what it would mask.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/exporter.h"
#include "core/session/sessionsnapshot.h"

namespace sonde::ui {

struct ExportJob {
    QString path;              // of the session's file
    SessionSnapshot snapshot;  // of one that is not all in a file; in place of the path
    ExportOptions options;
    QString target;  // empty: only the preview
};

struct ExportReport {
    QList<MaskedSecret> masked;
    Error error;
    qsizetype count = 0;  // of what was, or would be, written: messages, exchanges or records
    qint64 size = 0;      // of the target
};

// Takes as long as reading everything: call it on a worker. It opens the session's file for itself, because a Session
// belongs to the thread that made it; nothing is shared with the one in the window but the file, which only grows, or
// the snapshot. The target is there whole or not at all. Stopped, it ends soon, wherever it is.
ExportReport runExport(const ExportJob &job);

}  // namespace sonde::ui
