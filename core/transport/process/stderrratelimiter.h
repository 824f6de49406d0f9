// How much of a server's standard error goes into the record: all of it, until it is a flood.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/tokenbucket.h"

#include <algorithm>
#include <utility>

namespace sonde {

// A program that writes for ever would fill the disk with nothing that anybody reads. After the first bytes, or later
// when more comes than there is time for, lines are left out and counted, until there is room for a run of them again.
class StderrRateLimiter {
public:
    static constexpr qint64 BurstBytes = 16 * 1024 * 1024;
    static constexpr qint64 NsPerByte = 250'000;   // 4,000 bytes a second
    static constexpr qint64 RunBytes = 64 * 1024;  // as long as the longest line

    struct LeftOut {
        qint64 lines = 0;
        qint64 bytes = 0;
    };

    // Whether a line that came at that time is to be recorded; if not, it counts as left out.
    // kept: how many bytes of it would be; length: how many it has.
    bool allow(qint64 kept, qint64 length, qint64 nowNs)
    {
        m_isOpen = m_bucket.roomAt(nowNs) >= (m_isOpen ? kept : std::max(kept, RunBytes));
        if (m_isOpen) {
            m_bucket.take(kept);
        } else {
            ++m_leftOut.lines;
            m_leftOut.bytes += length;
        }
        return m_isOpen;
    }
    const LeftOut &leftOut() const { return m_leftOut; }
    LeftOut takeLeftOut() { return std::exchange(m_leftOut, {}); }

private:
    TokenBucket m_bucket{BurstBytes, NsPerByte};
    bool m_isOpen = true;
    LeftOut m_leftOut;
};

}  // namespace sonde
