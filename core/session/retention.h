// Which recorded sessions are beyond what a person wants to keep.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/sessionlibrary.h"

#include <functional>

namespace sonde {

// 0: no limit.
struct RetentionRules {
    qint64 maxDays = 0;
    qint64 maxBytes = 0;
    qint64 maxSessions = 0;

    bool isEmpty() const { return maxDays <= 0 && maxBytes <= 0 && maxSessions <= 0; }
    bool operator==(const RetentionRules &) const = default;
};

// Oldest first; only proposed, nothing is deleted here. Neither what stays (because it is pinned or open), nor a
// session that is being recorded, nor a file that is no session, is ever among them. What stays counts towards the
// limits.
QList<SessionEntry> beyondRetention(const QList<SessionEntry> &entries, const RetentionRules &rules,
                                    const std::function<bool(const SessionEntry &)> &stays,
                                    const QDateTime &now = QDateTime::currentDateTimeUtc());

}  // namespace sonde
