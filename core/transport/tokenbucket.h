// A rate with a burst: room for so much at first, and for more as time passes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>
#include <algorithm>

namespace sonde {

class TokenBucket {
public:
    TokenBucket(qint64 burst, qint64 nsPerToken) : m_burst(burst), m_nsPerToken(nsPerToken), m_room(burst) {}

    // The room at that time, never more than the burst. Time does not go back.
    qint64 roomAt(qint64 nowNs)
    {
        const qint64 gained = m_lastNs > 0 ? (nowNs - m_lastNs) / m_nsPerToken : 0;
        m_lastNs = m_lastNs > 0 ? m_lastNs + gained * m_nsPerToken : nowNs;
        m_room = std::min(m_burst, m_room + gained);
        return m_room;
    }
    void take(qint64 tokens) { m_room -= tokens; }

private:
    qint64 m_burst;
    qint64 m_nsPerToken;
    qint64 m_room;
    qint64 m_lastNs = 0;
};

}  // namespace sonde
