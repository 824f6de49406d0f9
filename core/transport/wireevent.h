// What happened on the wire, as it is written down: the one currency between transports, recorder and timeline.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/message.h"
#include "core/transport/eventfacts.h"

#include <QByteArray>
#include <QMetaType>

namespace sonde {

enum class Direction : quint8 { ToServer, FromServer, Local };

struct WireEvent {
    enum class Kind : quint8 {
        Open,          // a connection begins; facts: transport, program and argv, or URL
        Message,       // one whole JSON-RPC message; `message` is set
        Partial,       // bytes that never became whole: a last line without its end, a cut body
        Junk,          // a line or body that is not JSON-RPC
        Stderr,        // one line of the process's standard error
        HttpRequest,   // facts: stream, method, url, headers; bytes only when they are not a message of their own
        HttpResponse,  // facts: stream, status, reason, headers, ms; bytes: a body that is not JSON-RPC
        Sse,           // facts: stream, event, id, retry: an SSE event that carries no message
        State,         // process or connection changed; facts: pid, exit code, signal and the like
        User,          // something the person did
        Note,          // a finding of ours: a limit reached, a late or unmatched response
        Redact,
        End  // the session was closed in order
    };

    Kind kind = Kind::Note;
    EventCode eventCode = EventCode::None;  // of State and Note; the facts say more
    Direction direction = Direction::Local;
    qint64 monotonicNs = 0;  // monotonicNs() when it happened; stamped by the tap
    QByteArray bytes;        // exact payload, framing excluded. Equal to message.raw() for Message
    QByteArray facts;        // EventFacts of what the kind says, as JSON; or empty
    qint64 wireLength = 0;   // bytes on the wire, framing excluded; larger than bytes.size() when cut
    quint8 terminator = 0;   // 0, 1 (LF) or 2 (CR LF) bytes after it
    Message message;
};

}  // namespace sonde

Q_DECLARE_METATYPE(sonde::WireEvent)
