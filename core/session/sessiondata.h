// What is known of a session, and the way from a row back to its line.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/linestore.h"
#include "core/session/recordline.h"
#include "core/session/rownumbers.h"
#include "core/session/session.h"
#include "core/session/sessionfile.h"
#include "core/session/sessionheader.h"
#include "core/session/sessionindex.h"

#include <optional>

namespace sonde {

// Shared by the session with what records or reads it, on the session's thread.
class SessionData {
public:
    qsizetype rowOf(quint32 number) const;  // -1: none that is shown
    // Without its newline. The last line read is kept, since a row is shown by asking for one thing after the other.
    QByteArrayView line(qsizetype row) const;
    void forgetLine() { m_lineOffset = 0; }                     // the file has changed there
    std::optional<RecordLine> recordLine(qsizetype row) const;  // of a large one without its payload
    // What another thread may read while this session goes on.
    SessionData snapshot(bool grows) const;

    SessionHeader header;
    QString path;
    std::shared_ptr<SessionFile> file;  // null in memory
    LineStore memory;                   // what is not in the file
    std::shared_ptr<RecordList> records = std::make_shared<RecordList>();
    SessionIndex index;
    RowNumbers numbers;
    QHash<quint32, QByteArray> outlines;  // of large messages, by their numbers
    QList<DamagedRange> damage;
    Error error;
    quint32 lastNumber = 0;
    qint64 totalBytes = 0;
    qsizetype messageCount = 0;

private:
    QByteArrayView beginning(const RecordInfo &info) const;

    mutable qint64 m_lineOffset = 0;
    mutable QByteArray m_line;
    mutable QByteArray m_beginning;
};

}  // namespace sonde
