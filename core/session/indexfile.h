// What reading a session's file once has found, kept beside it so that a large one need not be read again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"
#include "core/session/recordlist.h"
#include "core/session/rownumbers.h"

#include <optional>

namespace sonde {

class SessionFile;

// Belongs to no thread. The rows must not change while they are written.
struct IndexFile {
    std::shared_ptr<RecordList> rows;
    QList<QByteArray> names;
    RowNumbers numbers;
    quint32 lastNumber = 0;
    qint64 totalBytes = 0;
    qint64 messageCount = 0;

    // Deleting such a file is always safe.
    static QString pathOf(const QString &sessionPath) { return sessionPath + QStringLiteral(".index"); }
    // A small file is read in less time than a person notices.
    static bool isWorthwhile(const SessionFile &file);
    // Nothing when there is none, or when it is damaged, of another version, or not about what the file holds now.
    static std::optional<IndexFile> read(const SessionFile &file);
    // Mode 0600, whole or not at all. The file must not grow any more and must be free of damage.
    Error write(const SessionFile &file) const;
};

}  // namespace sonde
