// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/roundedframe.h"

#include <QPainter>
#include <QVBoxLayout>

namespace sonde::ui {

namespace {
constexpr qreal CornerRadius = 4;
}

void paintRoundedFrame(QPainter *painter, const QRect &rect, const QPen &line, const QBrush &fill)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(line);
    painter->setBrush(fill);
    const qreal half = line.style() == Qt::NoPen ? 0.5 : line.widthF() / 2;
    painter->drawRoundedRect(QRectF(rect).adjusted(half, half, -half, -half), CornerRadius, CornerRadius);
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
