// SPDX-License-Identifier: Apache-2.0
#include "ui/result/waveformview.h"

#include "ui/theme/roundedframe.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

namespace sonde::ui {

WaveformView::WaveformView(QWidget *parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("waveform"));
    setAccessibleName(tr("Waveform"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::StrongFocus);
}

void WaveformView::setWaveform(const Waveform &waveform)
{
    m_waveform = waveform;
    update();
}

void WaveformView::setSeekable(bool isSeekable)
{
    m_isSeekable = isSeekable;
    setCursor(isSeekable ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void WaveformView::setPosition(double position)
{
    m_position = std::clamp(position, 0.0, 1.0);
    update();
}

void WaveformView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintRoundedFrame(&painter, rect(), hasFocus() ? focusPen() : colors().line, colors().field);
    const QRect room = rect().adjusted(Grid / 2, Grid / 2, -Grid / 2, -Grid / 2);
    const double middle = room.center().y();
    const double half = room.height() / 2.0;
    const int played = room.left() + int(m_position * room.width());
    for (int x = 0; x < room.width(); ++x) {
        // Of all parts that share this column of pixels.
        const qsizetype first = m_waveform.size() * x / room.width();
        const qsizetype end = std::max(first + 1, m_waveform.size() * (x + 1) / room.width());
        float low = 0;
        float high = 0;
        for (qsizetype part = first; part < end && part < m_waveform.size(); ++part) {
            low = std::min(low, m_waveform[part].first);
            high = std::max(high, m_waveform[part].second);
        }
        const int left = room.left() + x;
        painter.setPen(left < played ? colors().accent : colors().dim);
        painter.drawLine(QPointF(left, middle - double(high) * half), QPointF(left, middle - double(low) * half));
    }
    if (m_isSeekable) {
        painter.setPen(colors().accent);
        painter.drawLine(played, room.top(), played, room.bottom());
    }
}

void WaveformView::seek(const QMouseEvent *event)
{
    const double room = std::max(1, width() - Grid);
    if (m_isSeekable && event->buttons().testFlag(Qt::LeftButton))
        Q_EMIT sought(std::clamp((event->position().x() - double(Grid) / 2) / room, 0.0, 1.0));
}

void WaveformView::mousePressEvent(QMouseEvent *event)
{
    seek(event);
}

void WaveformView::mouseMoveEvent(QMouseEvent *event)
{
    seek(event);
}

void WaveformView::keyPressEvent(QKeyEvent *event)
{
    if (m_isSeekable && event->key() == Qt::Key_Space)
        Q_EMIT toggleRequested();
    else if (m_isSeekable && (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right))
        Q_EMIT stepRequested(event->key() == Qt::Key_Right);
    else
        QWidget::keyPressEvent(event);
}

void WaveformView::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    update();
}

void WaveformView::focusOutEvent(QFocusEvent *event)
{
    QWidget::focusOutEvent(event);
    update();
}

}  // namespace sonde::ui
