// One record of a session: what the list keeps in memory, and what a line of the file says.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/wireevent.h"

namespace sonde {

// How the exchange that a row belongs to came out, as far as the records tell.
enum class RowOutcome : quint8 {
    None,  // not an exchange: a notification, a line of stderr
    Pending,
    Ok,
    ToolError,
    ProtocolError,
    NoResponse,
    InputRequired,  // the response asks for something before the server goes on
    NotSupported    // of server/discover when a connection begins: the server has a handshake instead
};

// Small, since there can be millions. Names are numbers in the session's table.
// Why nobody waits for a response any more.
enum class GiveUp : quint8 { Unanswered, Cancelled, Lost };

struct RecordInfo {
    qint64 fileOffset = -1;  // of the record's line; negative while it is only in memory
    qint64 timeNs = 0;       // since the session's start, monotonic
    qint64 wireLength = 0;   // bytes on the wire
    quint32 lineLength = 0;  // in the file, with its newline
    quint32 method = 0;      // method of the message, or of the request it answers; 0: none
    quint32 target = 0;      // tool, prompt or URI named by the request; 0: none
    quint32 partner = 0;     // number of the record it answers or is answered by; 0: none
    quint16 connection = 0;
    WireEvent::Kind kind = WireEvent::Kind::Note;
    Direction direction = Direction::Local;
    Message::Kind messageKind = Message::Kind::Invalid;
    RowOutcome outcome = RowOutcome::None;
    quint8 terminator = 0;
    bool hasProblems : 1 = false;    // broken JSON-RPC, or one of our notes
    bool isLost : 1 = false;         // a request without a response because its connection or stream broke
    bool isLate : 1 = false;         // a response that came after its request had been given up
    bool needsDecoding : 1 = false;  // its line is not as Sonde writes text: it cannot be searched in place
    bool isPlain : 1 = false;        // a message in the usual clothes: see MessageFields::isPlain
};
static_assert(sizeof(RecordInfo) == 48);

}  // namespace sonde
