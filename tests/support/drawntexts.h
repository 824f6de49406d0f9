// Every piece of text that a widget and what is within it draw: what, in which colour, and where.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QList>
#include <QRect>
#include <QString>

class QWidget;

namespace sonde::test {

struct DrawnText {
    QString text;
    QColor color;
    qreal points = 0;  // of its font
    bool isBold = false;
    QRect place;  // in the widget's coordinates: as much of it as is not clipped
};

// The widget is painted as for the screen, into a device that only notes texts. Pieces that are clipped completely are
// left out; what is covered by another widget is not.
QList<DrawnText> drawnTexts(QWidget *widget);

}  // namespace sonde::test
