// An export of a session to a file, or a preview of what it would redact.
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

// Takes as long as reading the whole session: call it on a worker. It opens the session file itself, since a Session
// belongs to its thread; with the session in the window it shares only the file, which only grows, or the snapshot. The
// target is written completely or not at all. After stop() it ends soon.
ExportReport runExport(const ExportJob &job);

}  // namespace sonde::ui
