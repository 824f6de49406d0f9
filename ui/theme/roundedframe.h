// The rounded outline that boxes, inputs and buttons have in common.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/theme.h"

#include <QFrame>

class QPainter;

namespace sonde::ui {

void paintRoundedFrame(QPainter *painter, const QRect &rect, const QPen &line, const QBrush &fill = Qt::NoBrush);

// A box around widgets that belong together, filled with a colour of the theme. Sets no layout.
class RoundedFrame : public QFrame {
    Q_OBJECT
public:
    explicit RoundedFrame(QColor Colors::*fill = nullptr, QWidget *parent = nullptr);  // null: not filled

    void setLine(QColor Colors::*line) { m_line = line; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QColor Colors::*m_fill;
    QColor Colors::*m_line = &Colors::line;
};

// Wire data in such a box.
RoundedFrame *framedData(QWidget *data);

}  // namespace sonde::ui
