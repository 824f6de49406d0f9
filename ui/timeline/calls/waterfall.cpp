// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/calls/waterfall.h"

#include <QFontMetrics>
#include <QPainter>
#include <QPen>
#include <algorithm>
#include <utility>

namespace sonde::ui {

namespace {

constexpr int BarHeight = 8;
constexpr int ShortestBar = 3;
constexpr int TickWidth = 3;
constexpr int TickHeight = 10;
constexpr int MaxTicks = 6;
constexpr double HeadOpacity = 0.42;  // nothing has come back yet
constexpr double Rounding = 2;

// The cell without the spacing between columns.
QRect lineOf(const QRect &rect)
{
    return rect.adjusted(Grid / 2, 0, -Grid, 0);
}

double xOf(const QRect &line, const TimeScale &scale, qint64 ns)
{
    return line.left() + scale.at(ns) * (line.width() - ShortestBar);
}

void fill(QPainter *painter, const QRectF &rect, const QColor &color, double opacity = 1)
{
    QColor shown = color;
    shown.setAlphaF(float(opacity));
    painter->setBrush(shown);
    painter->drawRoundedRect(rect, Rounding, Rounding);
}

// Where the label of a tick begins and ends: right of it, or left of it where there is no room. The last may extend
// into the margin.
std::pair<double, double> labelOf(const TimeScale::Tick &tick, int width, const QFontMetrics &metrics)
{
    constexpr int gap = 2;
    const double at = tick.at * (width - ShortestBar);
    const int length = metrics.horizontalAdvance(tick.text);
    const double begin = at + gap + length > width + Grid / 2.0 ? at - gap - length : at + gap;
    return {begin, begin + length};
}

}  // namespace

void paintPauses(QPainter *painter, const QRect &rect, const TimeScale &scale)
{
    const QRect line = lineOf(rect);
    painter->setPen(QPen(colors().line, 1, Qt::DotLine));
    int last = rect.left() - Grid;
    for (const double pause : scale.pauses()) {
        const int x = int(line.left() + pause * (line.width() - ShortestBar));
        // With filtered calls there is a pause after each: too many lines to be useful.
        if (x - last < Grid)
            continue;
        painter->drawLine(x, rect.top(), x, rect.bottom());
        last = x;
    }
}

void paintCallTimes(QPainter *painter, const QRect &rect, const CallTimes &times, const TimeScale &scale)
{
    if (scale.isEmpty())
        return;
    const QRect line = lineOf(rect);
    const double middle = rect.top() + rect.height() / 2.0;
    const double left = xOf(line, scale, times.startNs);
    const QColor tone = times.tone == Tone::Neutral ? colors().dim : color(times.tone);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    if (times.isMoment) {
        fill(painter, QRectF(left, middle - TickHeight / 2.0, TickWidth, TickHeight), tone);
        painter->restore();
        return;
    }
    const double right = std::max(xOf(line, scale, times.endNs), left) + ShortestBar;
    const double top = middle - BarHeight / 2.0;
    fill(painter, QRectF(left, top, right - left, BarHeight), tone, HeadOpacity);
    painter->setPen(tone);  // the fill alone is too pale on some backgrounds
    painter->setBrush(Qt::NoBrush);
    painter->drawRoundedRect(QRectF(left, top, right - left, BarHeight).adjusted(0.5, 0.5, -0.5, -0.5), Rounding,
                             Rounding);
    painter->setPen(Qt::NoPen);
    if (times.firstByteNs >= 0) {
        const double body = std::min(xOf(line, scale, times.firstByteNs), right - ShortestBar);
        fill(painter, QRectF(body, top, right - body, BarHeight), tone);
    }
    for (const TimeSpan &wait : times.waits) {
        const double from = xOf(line, scale, wait.startNs);
        const double to = std::max(xOf(line, scale, wait.endNs), from + 1);
        fill(painter, QRectF(from, top, to - from, BarHeight), colors().panel);
        fill(painter, QRectF(from, top, to - from, BarHeight), colors().asks);
    }
    painter->restore();
}

WaterfallHeader::WaterfallHeader(int section, QWidget *parent) : QHeaderView(Qt::Horizontal, parent), m_section(section)
{
    setSectionsClickable(false);
}

void WaterfallHeader::setScale(const TimeScale &scale)
{
    if (m_scale == scale)
        return;
    m_scale = scale;
    viewport()->update();
}

void WaterfallHeader::paintSection(QPainter *painter, const QRect &rect, int section) const
{
    // It leaves a clip region set.
    painter->save();
    QHeaderView::paintSection(painter, rect, section);
    painter->restore();
    if (section != m_section || m_scale.isEmpty())
        return;
    const QRect line = lineOf(rect);
    const std::vector<TimeScale::Tick> ticks = ticksThatFit(line.width());
    painter->save();
    painter->setFont(font());
    for (const TimeScale::Tick &tick : ticks) {
        const int x = int(line.left() + tick.at * (line.width() - ShortestBar));
        painter->setPen(colors().line);
        painter->drawLine(x, rect.bottom() - Grid / 2, x, rect.bottom());
        painter->setPen(colors().dim);
        const int label = line.left() + int(labelOf(tick, line.width(), painter->fontMetrics()).first);
        painter->drawText(QRect(label, rect.top(), rect.right() - label, rect.height()),
                          Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, tick.text);
    }
    painter->restore();
}

std::vector<TimeScale::Tick> WaterfallHeader::ticksThatFit(int width) const
{
    const QFontMetrics metrics(font());
    std::vector<TimeScale::Tick> ticks;
    for (int count = MaxTicks; count > 0; --count) {
        ticks = m_scale.ticks(count);
        const auto meets = [&](const TimeScale::Tick &left, const TimeScale::Tick &right) {
            return labelOf(left, width, metrics).second + Grid > labelOf(right, width, metrics).first;
        };
        if (std::adjacent_find(ticks.begin(), ticks.end(), meets) == ticks.end())
            return ticks;
    }
    ticks.resize(1);
    return ticks;
}

}  // namespace sonde::ui
