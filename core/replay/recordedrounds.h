// Calls that a server without a handshake answered with requests of its own, and all their rounds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/replay/recordedserverrequests.h"
#include "core/replay/recording.h"

namespace sonde {

struct RecordedRounds {
    QList<RecordedCall> calls;                    // each with the response of its last round
    QList<RecordedServerRequest> serverRequests;  // the entries of the others, and what was sent for them
};

// calls: what recordedCalls() found. Those of older revisions stay as they are, and none of their messages is read.
// Spec (2026-07-28): basic/patterns/mrtr.
RecordedRounds joinRounds(const Session &recording, const QList<RecordedCall> &calls);

}  // namespace sonde
