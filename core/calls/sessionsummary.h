// What a list of sessions says of each: calls, failures, findings, duration.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/calls/callstatistics.h"

#include <atomic>
#include <memory>
#include <optional>

namespace sonde {

// As the calls of the timeline and the call statistics count them.
struct SessionSummary {
    qint64 calls = 0;
    qint64 toolErrors = 0;
    qint64 protocolErrors = 0;
    qint64 unanswered = 0;
    qint64 findings = 0;
    qint64 messages = 0;
    qint64 durationNs = 0;  // up to the last record
    qint64 damaged = 0;     // parts that cannot be read
    bool isEnded = false;   // in order: its last record says so

    qint64 failures() const { return toolErrors + protocolErrors + unanswered; }
    bool operator==(const SessionSummary &) const = default;

    static SessionSummary of(const Session &session);
    // Reads the whole file, on whatever thread. Ends soon, with an Error, once stop is true.
    static Result<SessionSummary> read(const QString &path, const std::shared_ptr<const std::atomic_bool> &stop = {});
};

}  // namespace sonde
