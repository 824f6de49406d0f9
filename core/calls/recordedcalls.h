// The requests of a session, each with its response, also in batches: what replay and mock work through.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/session.h"

namespace sonde {

// Rows of the session; what they say is read when it is needed.
struct RecordedCall {
    qsizetype row = -1;
    qsizetype responseRow = -1;  // -1: none
    // Where the row is a batch: the element of it.
    Message request{};
    Message response{};
    bool isDiscovery = false;  // server/discover, before anything else was asked in its connection
};

// What the client asked, or the server, in order; the requests of a batch one by one.
QList<RecordedCall> recordedCalls(const Session &session, Direction asked = Direction::ToServer);

Message requestOf(const Session &session, const RecordedCall &call);
Message responseOf(const Session &session, const RecordedCall &call);  // Invalid: none
// What the request in this row was answered, also where that came in a batch with others. Invalid: nothing (yet).
Message responseTo(const Session &session, qsizetype row);
// As RecordInfo::method and target.
QString methodOf(const Session &session, const RecordedCall &call);
QString targetOf(const Session &session, const RecordedCall &call);

}  // namespace sonde
