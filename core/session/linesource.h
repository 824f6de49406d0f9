// The lines of a file, one after the other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/sessionfile.h"

#include <QByteArrayView>

namespace sonde {

// Reads in large blocks up to the size that the file had at the beginning. A line too long to be one is passed over.
class LineSource {
public:
    LineSource(const SessionFile &file, qint64 start);

    bool next();
    qint64 offset() const { return m_lineOffset; }
    qint64 length() const { return m_length; }      // with the newline if there is one
    QByteArrayView line() const { return m_line; }  // without it; empty when too long
    bool isTerminated() const { return m_isTerminated; }
    bool isTooLong() const { return m_isTooLong; }
    qint64 end() const { return m_fileOffset + m_end; }  // how far the file could be read

private:
    bool fill();
    void found(qsizetype end, bool terminated);

    const SessionFile &m_file;
    const qint64 m_size;
    QByteArray m_buffer;
    qint64 m_fileOffset;      // of the buffer's first byte
    qsizetype m_begin = 0;    // of the line being looked for
    qsizetype m_scanned = 0;  // no newline between m_begin and here
    qsizetype m_end = 0;
    qint64 m_dropped = 0;  // bytes of a line too long that are not kept any more
    QByteArrayView m_line;
    qint64 m_lineOffset = 0;
    qint64 m_length = 0;
    bool m_isTerminated = false;
    bool m_isTooLong = false;
};

}  // namespace sonde
