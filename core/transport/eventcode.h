// What a record of a state or a note tells, and what was wrong with bytes that are no message.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace sonde {

// Written as `what` among the facts of a record: the words belong to the format of session files.
enum class EventCode : quint8 {
    None,
    // The connection and its process.
    Spawned,
    Exited,
    Signalled,
    StdinClosed,
    StdinClosedByServer,
    StdoutClosedByServer,
    Closed,
    StreamDropped,
    TransportChanged,  // from Streamable HTTP to HTTP+SSE, or back
    // Requests.
    StreamEnded,  // by us, which cancels its request
    GaveUp,       // nobody waits for the response any more
    NotSent,
    SessionIdIgnored,
    CredentialsAwaited,  // the request is sent, or sent again, once they are there
    // Limits.
    LimitReached,
    LeftOut,
    StderrTooMuch,
    StderrLeftOut,
    // Bytes.
    EmptyLine,
    TooLong,
    OutOfMemory,
    UnfinishedLine,
    UnfinishedEvent,
    CutBody,
};

QString toString(EventCode eventCode);
// Of a state: nothing comes over its connection any more.
bool endsConnection(EventCode eventCode);
// None for a word that this version does not know.
EventCode eventCodeOf(QStringView word);

}  // namespace sonde
