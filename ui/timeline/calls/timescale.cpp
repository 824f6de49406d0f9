// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/calls/timescale.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace sonde::ui {

namespace {

struct TimeScaleText {
    Q_DECLARE_TR_FUNCTIONS(sonde::ui::TimeScale)
};

constexpr double ShortestLine = 1e6;
constexpr double MaxPause = 1.0 / 12;      // of the time in which something ran
constexpr double ShareOfPauses = 1.0 / 4;  // of that time, for all shortened ones together
constexpr double WidestPause = 1.0 / 24;   // the same for a single one
constexpr double MaxSpare = 1.8;           // a scale longer than this is computed again

// The smallest of these factors times a power of ten that is not less than the value.
double roundedUp(double value, std::initializer_list<double> factors)
{
    const double unit = std::pow(10.0, std::floor(std::log10(value)));
    for (const double factor : factors) {
        if (value <= factor * unit * 1.000001)
            return factor * unit;
    }
    return 10 * unit;
}

QString tickText(double ns, double stepNs)
{
    const auto number = [](double value) { return QString::number(value, 'g', 6); };
    if (ns == 0 || stepNs >= 1e8)
        return TimeScaleText::tr("%1 s").arg(number(ns / 1e9));
    return stepNs >= 1e5 ? TimeScaleText::tr("%1 ms").arg(number(ns / 1e6))
                         : TimeScaleText::tr("%1 µs").arg(number(ns / 1e3));
}

// Spans that touch are one.
std::vector<TimeSpan> merged(std::vector<TimeSpan> spans)
{
    std::sort(spans.begin(), spans.end(),
              [](const TimeSpan &left, const TimeSpan &right) { return left.startNs < right.startNs; });
    std::vector<TimeSpan> apart;
    for (const TimeSpan &span : spans) {
        if (!apart.empty() && span.startNs <= apart.back().endNs)
            apart.back().endNs = std::max(apart.back().endNs, span.endNs);
        else
            apart.push_back(span);
    }
    return apart;
}

}  // namespace

TimeScale TimeScale::covering(std::vector<TimeSpan> spans, const TimeScale &before)
{
    TimeScale scale;
    const std::vector<TimeSpan> busy = merged(std::move(spans));
    if (busy.empty())
        return scale;
    double ran = 0;
    for (const TimeSpan &span : busy)
        ran += double(span.endNs - span.startNs);
    ran = std::max(ran, ShortestLine / 2);
    const auto pauseBefore = [&busy](size_t i) { return double(busy[i].startNs - busy[i - 1].endNs); };
    int shortened = 0;
    for (size_t i = 1; i < busy.size(); ++i)
        shortened += pauseBefore(i) > ran * MaxPause ? 1 : 0;
    const double width = std::min(ran * WidestPause, ran * ShareOfPauses / std::max(shortened, 1));

    double place = 0;
    std::vector<double> pauses;
    for (size_t i = 0; i < busy.size(); ++i) {
        if (i > 0) {
            const bool isShortened = pauseBefore(i) > ran * MaxPause;
            if (isShortened)
                pauses.push_back(place + width / 2);
            place += isShortened ? width : pauseBefore(i);
        }
        scale.m_points.push_back({busy[i].startNs, place});
        place += double(busy[i].endNs - busy[i].startNs);
        scale.m_points.push_back({busy[i].endNs, place});
    }
    place = std::max(place, ShortestLine);
    const bool stillFits = before.m_length >= place && before.m_length <= place * MaxSpare;
    scale.m_length = stillFits ? before.m_length : roundedUp(place, {1, 1.5, 2, 2.5, 3, 4, 5, 6, 8});
    for (const double pause : pauses)
        scale.m_pauses.push_back(pause / scale.m_length);
    return scale;
}

double TimeScale::at(qint64 ns) const
{
    if (m_points.empty() || ns <= m_points.front().ns)
        return 0;
    const auto after = std::upper_bound(m_points.begin(), m_points.end(), ns,
                                        [](qint64 wanted, const ScalePoint &point) { return wanted < point.ns; });
    const ScalePoint &left = *(after - 1);
    double place = left.place;
    if (after == m_points.end())
        place += double(ns - left.ns);
    else
        place += (after->place - left.place) * double(ns - left.ns) / double(after->ns - left.ns);
    return std::clamp(place / m_length, 0.0, 1.0);
}

std::vector<TimeScale::Tick> TimeScale::ticks(int maxCount) const
{
    std::vector<Tick> ticks;
    if (m_points.empty() || maxCount < 1)
        return ticks;
    const double step = roundedUp(m_length / maxCount, {1, 2, 5});
    for (int i = 0; i * step < m_length * 0.999; ++i)
        ticks.push_back({i * step / m_length, tickText(i * step, step)});
    return ticks;
}

}  // namespace sonde::ui
