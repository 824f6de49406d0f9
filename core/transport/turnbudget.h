// How much may be handled before the event loop gets its turn back.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QElapsedTimer>

namespace sonde {

// A flood from a server must leave the window usable: its reader stops when this is spent, and goes on in the next
// turn. What is left stays in the pipe or socket, where it holds the server back.
class TurnBudget {
public:
    static constexpr qint64 MaxBytes = 256 * 1024;
    static constexpr qint64 MaxMs = 2;
    // To read the clock costs as much as a tenth of a small message: it is read again after this much.
    static constexpr qint64 BytesPerReading = 1024;

    explicit TurnBudget(qint64 maxMs = MaxMs) : m_maxMs(maxMs) { m_clock.start(); }
    void spend(qint64 bytes) { m_bytes += bytes; }
    bool isSpent() const { return m_bytes >= MaxBytes || m_clock.hasExpired(m_maxMs); }
    // The same, after one of many small parts.
    bool isSpentAfter(qint64 bytes)
    {
        m_unchecked += bytes;
        if (m_unchecked < BytesPerReading)
            return false;
        m_unchecked = 0;
        return isSpent();
    }

private:
    QElapsedTimer m_clock;
    qint64 m_maxMs;
    qint64 m_bytes = 0;
    qint64 m_unchecked = 0;
};

}  // namespace sonde
