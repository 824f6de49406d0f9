// A time scale on which long pauses between calls are shortened.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/calls/operations.h"

#include <QString>
#include <vector>

namespace sonde::ui {

// Two calls an hour apart should both be visible, not the hour. Durations within a call are to scale: only time in
// which nothing ran is shortened. The length is rounded up and kept as long as it fits, so that bars do not change
// while scrolling.
class TimeScale {
public:
    struct Tick {
        double at = 0;
        QString text;
        bool operator==(const Tick &) const = default;
    };

    // spans: in any order; before: the current scale.
    static TimeScale covering(std::vector<TimeSpan> spans, const TimeScale &before);

    bool isEmpty() const { return m_points.empty(); }
    double at(qint64 ns) const;                                     // 0 to 1
    std::vector<Tick> ticks(int maxCount) const;                    // at most that many, the first one at 0
    const std::vector<double> &pauses() const { return m_pauses; }  // where one was shortened, 0 to 1
    bool operator==(const TimeScale &) const = default;

private:
    struct ScalePoint {
        qint64 ns = 0;
        double place = 0;  // in nanoseconds of the line
        bool operator==(const ScalePoint &) const = default;
    };
    std::vector<ScalePoint> m_points;
    std::vector<double> m_pauses;
    double m_length = 0;  // in nanoseconds
};

}  // namespace sonde::ui
