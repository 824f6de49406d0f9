// What a session records at most, and what becomes of the rest.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/session.h"
#include "core/session/sessionindex.h"
#include "core/transport/wireevent.h"

namespace sonde {

// Below the limit everything is recorded; beyond it what belongs to a call, while what a server can send as much of as
// it likes, without anybody having asked for it, is counted. Bytes are those of the file. Does no recording itself.
class RecordingLimit {
public:
    void setWanted(qint64 bytes) { m_wanted = qMax<qint64>(bytes, 0); }
    // Where things are recorded from now on. free: on the disk of the file; -1 when that is not known.
    void moveToFile(qint64 fileSize, qint64 free);
    void moveToMemory();

    qint64 limit() const { return m_limit; }
    bool isBeyond(qint64 recorded, qint64 more) const { return recorded + more > m_limit; }
    bool isFull() const { return m_fill == Fill::Full; }
    LeftOut leftOut() const { return m_leftOut; }

    // Whether nobody asked for it, and so it is not to be recorded once the limit is passed.
    enum class Unasked { No, Notification, Other };
    Unasked unasked(const WireEvent &event, int connection, const SessionLinker &linker, qint64 recorded) const;
    // One of a batch. Of a batch all must be so, and be from the server where they are not among its elements.
    bool isUnasked(const SessionIndex::Element &element, Direction direction, int connection,
                   const SessionLinker &linker, qint64 recorded) const;
    void count(Unasked what, qint64 bytes);

    // The facts of a note that is to be recorded now; empty when there is nothing new to say.
    QByteArray takeReachedNote();  // that the limit is reached, once
    QByteArray takeLeftOutNote();  // what was counted since the last one
    enum class Fill { Room, Near, Full };
    Fill takeNews(qint64 recorded);  // what it has become since it was asked last; Room when nothing

private:
    void startOver() { m_fill = m_saidFill = Fill::Room; }

    qint64 m_wanted = Session::UsualLimit;
    qint64 m_limit = Session::UsualMemory;
    Fill m_fill = Fill::Room;
    Fill m_saidFill = Fill::Room;
    bool m_isNoted = false;
    LeftOut m_leftOut;
    LeftOut m_notedLeftOut;  // of these
};

}  // namespace sonde
