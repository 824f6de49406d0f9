// One line of text in a cell, for lists that paint hundreds of them in a frame.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Qt>

class QPainter;
class QRect;
class QString;

namespace sonde::ui {

// With the painter's font and pen, in the middle of the height; ends in "…" where there is no room. Returns the width
// that it took. Laying text out is most of what a frame costs: ASCII in a font of one width, which is nearly all that
// lists of records hold, is laid out once instead of three times.
int paintLine(QPainter *painter, const QRect &rect, const QString &text, Qt::Alignment alignment = Qt::AlignLeft);

}  // namespace sonde::ui
