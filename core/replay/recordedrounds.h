// Calls whose server asked for input by a response, and all their rounds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/calls/operations.h"
#include "core/replay/recordedserverrequests.h"

namespace sonde {

struct RecordedRounds {
    QList<RecordedCall> calls;                    // each with the response of its last round
    QList<RecordedServerRequest> serverRequests;  // the entries of the others, and what was sent for them
};

// Which request goes on with which call is what the operations say, which have read all of the recording. Where several
// calls wait for the same, it goes on with the first of them. calls: what recordedCalls() found.
// Spec (2026-07-28): basic/patterns/mrtr.
RecordedRounds joinRounds(const Session &recording, const Operations &operations, const QList<RecordedCall> &calls);

}  // namespace sonde
