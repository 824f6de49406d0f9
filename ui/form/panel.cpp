// SPDX-License-Identifier: Apache-2.0
#include "ui/form/panel.h"

#include "ui/theme/theme.h"

#include <QPainter>

namespace sonde::ui {

void Panel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(colors().line);
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
}

}  // namespace sonde::ui
