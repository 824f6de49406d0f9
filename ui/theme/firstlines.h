// The beginning of a text, for places that have room for a few lines only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFont>
#include <QString>

namespace sonde::ui {

// The text with a line break wherever it wraps at that width, within words too if they are too long for a line. What
// does not fit in so many lines is replaced by "…".
QString firstLines(const QString &text, const QFont &font, int width, int lines);

}  // namespace sonde::ui
