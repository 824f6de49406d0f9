// Marks a found word in the text of a row or cell.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/json/findword.h"

class QPainter;
class QRect;

namespace sonde::ui {

// Behind each occurrence in a text that is about to be drawn at the left of rect, in the painter's font.
void paintFoundMarks(QPainter *painter, const QRect &rect, const QString &text, const FindWord &word);
// Whether the word is in a key or a single value, as it reads: without quotes and escapes.
bool isInJson(QByteArrayView slice, const FindWord &word);

}  // namespace sonde::ui
