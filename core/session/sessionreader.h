// Finds the records in a session's file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/linesource.h"
#include "core/session/rownumbers.h"
#include "core/session/session.h"
#include "core/session/sessionheader.h"
#include "core/session/sessionindex.h"

#include <functional>

namespace sonde {

// What reading on has brought. Totals and lists without "new" are those of all batches so far.
struct ReadBatch {
    struct Change {
        qsizetype row = 0;  // of an earlier batch
        LinkChange link;
    };
    std::vector<RecordInfo> newRows;
    std::vector<Change> changes;
    QList<QByteArray> newNames;
    RowNumbers numbers;
    QList<DamagedRange> damage;
    quint32 lastNumber = 0;
    qint64 totalBytes = 0;
    qsizetype messageCount = 0;
};

// Takes every record whose checksum fits, in the order of their numbers, and lists the rest as damage. Belongs to no
// thread.
class SessionReader {
public:
    // False: nobody wants to know any more. Also asked with nothing, where there is nothing yet.
    using Sink = std::function<bool(ReadBatch &&batch)>;

    explicit SessionReader(std::shared_ptr<SessionFile> file);
    Error readHeader();
    const SessionHeader &header() const { return m_header; }
    bool isBeingWritten() const { return m_isBeingWritten; }

    // Whether the numbers rise, which is told from the beginnings of the lines. May err for damaged files only.
    bool seemsInOrder() const;
    // False when a number does not rise, as after blocks of the file changed places: all that was handed out is void.
    // With `keepGoing` such records are damage instead.
    bool readInOrder(const Sink &sink, bool keepGoing = false);
    // In two passes.
    void readSorted(const Sink &sink);

private:
    struct Place {
        quint32 number = 0;
        qint64 offset = 0;
        quint32 length = 0;
    };

    bool take(QByteArrayView line, const Place &place);
    void noteGap(const Place &place);
    void noteDamage(qint64 offset, qint64 length, const QString &reason);
    void apply(const std::vector<LinkChange> &changes);
    bool handOver(const Sink &sink);
    void handOverLast(const Sink &sink);
    void reset();

    std::shared_ptr<SessionFile> m_file;
    const bool m_isBeingWritten;
    SessionHeader m_header;
    qint64 m_start = 0;  // of the first record
    QList<DamagedRange> m_headerDamage;
    bool m_isDamagedSince = false;  // since the last good record
    SessionIndex m_index;
    ReadBatch m_batch;
    qsizetype m_rowsBefore = 0;  // in batches that were handed over
    qsizetype m_namesBefore = 0;
    QByteArray m_bytes;
    std::vector<LinkChange> m_changes;
};

}  // namespace sonde
