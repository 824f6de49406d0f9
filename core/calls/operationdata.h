// What is kept of each record and of each operation of a session.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/calls/operations.h"

#include <QHash>
#include <deque>
#include <vector>

namespace sonde {

// Where a record belongs. The records of an operation are a chain, in the order in which they were linked.
struct RecordLink {
    static constexpr quint32 nothing = 0xFFFFFFFF;

    quint32 operation = nothing;
    RecordRole role = RecordRole::None;
    LinkReason reason = LinkReason::None;
    quint32 next = nothing;  // row of the chain; nothing: none yet
};

struct OperationEntry : Operation {
    quint32 lastRow = 0;                         // of its chain
    quint32 endRow = RecordLink::nothing;        // nothing: it is open
    quint32 firstByteRow = RecordLink::nothing;  // nothing: none yet
    bool isChanged = true;                       // since Operations::takeChanged()
};

// Both lists grow by a chunk at a time: one more moves none of the others.
struct OperationData {
    static constexpr quint32 nothing = RecordLink::nothing;

    std::deque<RecordLink> links;  // by rows of the session
    std::deque<OperationEntry> operations;
    qsizetype calls = 0;   // see Operations::callCount()
    qsizetype others = 0;  // requests that are no calls
    std::vector<quint32> changed;
    QHash<quint32, std::vector<TimeSpan>> waits;  // for a person, that are over
    QHash<quint32, std::vector<BatchedCall>> batched;
    QHash<quint32, std::vector<quint32>> laterRequests;  // of operations: rows of retries and polls
    QHash<quint32, std::vector<qsizetype>> candidates;   // of rows: see Operations::candidates()
};

// See Operations::isStep().
bool isStepRole(RecordRole role, bool isLate);

}  // namespace sonde
