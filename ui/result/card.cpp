// SPDX-License-Identifier: Apache-2.0
#include "ui/result/card.h"

#include "ui/theme/theme.h"

#include <QPainter>
#include <QVBoxLayout>

namespace sonde::ui {

Card::Card(QWidget *parent) : QFrame(parent)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(Grid - 2, Grid / 2, Grid / 2, Grid / 2);
    layout->setSpacing(Grid / 2);
}

void Card::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(colors().line);
    painter.setBrush(colors().field);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
}

}  // namespace sonde::ui
