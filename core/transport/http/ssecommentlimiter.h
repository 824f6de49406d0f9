// How many comments of a stream of server-sent events go into the record: all of them, until they are a flood.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/tokenbucket.h"

#include <utility>

namespace sonde {

// Comments keep a connection alive and say nothing. After the first ones, one now and then shows that they still come;
// the others are counted.
class SseCommentLimiter {
public:
    static constexpr qint64 Burst = 100;
    static constexpr qint64 NsPerComment = 10'000'000'000;  // servers send one every 15 s or so

    // Whether one that came at that time is to be recorded.
    bool allow(qint64 nowNs)
    {
        ++m_count;
        if (m_bucket.roomAt(nowNs) == 0) {
            m_hasLeftOut = true;
            return false;
        }
        m_bucket.take(1);
        return true;
    }
    qint64 count() const { return m_count; }
    // Whether there are some among these that were not recorded, since this was asked last.
    bool takeHasLeftOut() { return std::exchange(m_hasLeftOut, false); }

private:
    TokenBucket m_bucket{Burst, NsPerComment};
    qint64 m_count = 0;
    bool m_hasLeftOut = false;
};

}  // namespace sonde
