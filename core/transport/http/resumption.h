// Where a stream of events has got to, and how long to wait before it is resumed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/http/sseparser.h"

#include <QByteArray>
#include <algorithm>
#include <cmath>
#include <optional>

namespace sonde {

// Spec: basic/transports, "Resumability and Redelivery". A client must wait as long as `retry` says, which may be next
// to nothing. So the waits grow as long as no message comes.
class Resumption {
public:
    const QByteArray &lastEventId() const { return m_lastEventId; }
    std::optional<qint64> retryMs() const { return m_retryMs; }
    int attempts() const { return m_attempts; }  // since something new came

    // isOfCall: a server may let a call poll, so that a new id is progress. Another stream could go on like that for
    // ever.
    void onEvent(const SseParser::Event &event, bool isOfCall)
    {
        if (event.isComment)
            return;
        if (event.retryMs)
            m_retryMs = event.retryMs;
        if (!event.hasId || event.id == m_lastEventId)
            return;
        m_lastEventId = event.id;
        m_attempts = 0;
        if (isOfCall)
            m_pauses = 0;
    }
    void onProgress() { m_attempts = m_pauses = 0; }

    // Before the next attempt, which it counts. minReconnectMs: in the long run, where the server asks for less.
    qint64 nextWaitMs(int minReconnectMs)
    {
        const double first = m_retryMs ? FirstShortWaitMs : FirstWaitMs;
        const double last = m_retryMs ? double(minReconnectMs) : MaxWaitMs;
        const auto own = qint64(std::min(first * std::pow(WaitGrowth, m_pauses++), last));
        ++m_attempts;
        return std::max(own, std::min(m_retryMs.value_or(0), MaxRetryMs));
    }

private:
    static constexpr double FirstWaitMs = 1000;
    static constexpr double FirstShortWaitMs = 10;
    static constexpr double WaitGrowth = 1.5;
    static constexpr double MaxWaitMs = 30'000;
    static constexpr qint64 MaxRetryMs = 5 * 60 * 1000;

    QByteArray m_lastEventId;
    std::optional<qint64> m_retryMs;
    int m_attempts = 0;
    int m_pauses = 0;  // since a message came: each is longer than the one before
};

}  // namespace sonde
