// The lines of a session's rows, for whoever goes through many of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/session.h"

#include <QByteArrayView>

namespace sonde {

// Rows asked for one after the other are read from the file in blocks. Reads rather than maps: a file that somebody
// else cuts short must cost rows, not the program. The session outlives it.
class SessionLines {
public:
    explicit SessionLines(const Session *session) : m_session(session) {}

    // Without its newline. Stays as it is until the next call. Empty when it cannot be read.
    QByteArrayView line(qsizetype row);

private:
    const Session *m_session;
    QByteArray m_block;
    qint64 m_offset = 0;  // of the block in the file
    qsizetype m_next = 0;
};

}  // namespace sonde
