// Where moments lie on a line on which the long pauses between calls are cut short.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/operations/operations.h"

#include <QString>
#include <vector>

namespace sonde::ui {

// A person who calls a tool twice in an hour wants to see both calls, not the hour. Lengths within a call are true:
// only time in which nothing at all ran is shortened. The length of the line is rounded up and kept as long as it
// fits, so that bars keep their lengths while one scrolls.
class TimeScale {
public:
    struct Tick {
        double at = 0;
        QString text;
        bool operator==(const Tick &) const = default;
    };

    // spans in any order; before: what is shown now.
    static TimeScale covering(std::vector<TimeSpan> spans, const TimeScale &before);

    bool isEmpty() const { return m_knots.empty(); }
    double at(qint64 ns) const;                                     // 0 to 1
    std::vector<Tick> ticks(int most) const;                        // at most that many, the first one at 0
    const std::vector<double> &pauses() const { return m_pauses; }  // where one was shortened, 0 to 1
    bool operator==(const TimeScale &) const = default;

private:
    struct Knot {
        qint64 ns = 0;
        double place = 0;  // in nanoseconds of the line
        bool operator==(const Knot &) const = default;
    };
    std::vector<Knot> m_knots;
    std::vector<double> m_pauses;
    double m_length = 0;  // in nanoseconds
};

}  // namespace sonde::ui
