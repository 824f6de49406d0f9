// Results of resources/read that may be shown again without asking the server.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/cachehint.h"
#include "core/client/call.h"

#include <deque>

namespace sonde {

// Of one connection, so that a result for one authorization is never shown to another. The oldest go when all of them
// become too many or too large.
class ReadCache {
public:
    // Nothing is kept of what failed, took more than one round, or may not be used again.
    void keep(const Call &call, const Outcome &outcome);
    const Outcome *find(const QString &uri, const QDateTime &now) const;  // until the next call of another function
    void invalidate(const QString &changedUri);                           // and what this is a part of
    void clear() { m_kept.clear(); }

    static constexpr size_t MaxResults = 100;
    static constexpr qint64 MaxBytes = qint64(32) * 1024 * 1024;

private:
    struct Kept {
        QString uri;
        CacheHint hint;
        Outcome outcome;
    };
    void forget(const QString &uri);
    std::deque<Kept> m_kept;  // the newest last
};

}  // namespace sonde
