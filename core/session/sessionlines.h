// The lines of a session's rows, for going through many of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/bytesearch.h"
#include "core/session/session.h"

#include <QByteArrayView>

namespace sonde {

// Rows asked for one after the other are read from the file in blocks. Reads rather than maps: a file that somebody
// else cuts short must cost rows, not the program. The session outlives it.
class SessionLines {
public:
    explicit SessionLines(const Session *session) : m_session(session) {}

    // Without its newline. Stays as it is until the next call for another row. Empty when it cannot be read.
    QByteArrayView line(qsizetype row);

    // What one word was looked for in, kept by the search.
    struct Search {
        quint64 block = 0;
        qsizetype from = 0;  // no hit from here on
        qsizetype hit = 0;   // before this one; places in the block
    };
    // Whether the word, which holds no line break, occurs in the line. The lines of a block are searched all at once.
    bool holds(qsizetype row, const CaseInsensitiveMatcher &word, Search &search);

private:
    const Session *m_session;
    QByteArray m_block;
    quint64 m_number = 0;  // of the block: another one, another number
    qint64 m_offset = 0;   // of the block in the file
    qsizetype m_last = -1;
};

}  // namespace sonde
