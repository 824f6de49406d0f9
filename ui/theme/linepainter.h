// Paints one line of text in a cell, for lists that paint hundreds per frame.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Qt>

class QPainter;
class QRect;
class QString;

namespace sonde::ui {

// Uses the painter's font and pen, vertically centred; elided with "…" if there is no room. Returns the used width.
// Text layout is most of the cost of a frame: ASCII in a monospaced font, which is nearly all that lists of records
// show, is laid out once instead of three times.
int paintLine(QPainter *painter, const QRect &rect, const QString &text, Qt::Alignment alignment = Qt::AlignLeft);

// The method for a cell of that width in which its target follows, in the monospaced font: "tools/call", or "call" in a
// narrow column, the same in all its rows.
QString methodBeside(const QString &method, const QString &target, int width);

}  // namespace sonde::ui
