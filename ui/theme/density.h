// How much room rows, inputs and the space between them take.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sonde::ui {

enum class Density { Comfortable, Compact };

// Of all windows. What follows the font (followFont() of theme.h) follows it as well, at once. In the thread of the
// windows only.
Density density();
void setDensity(Density density);

// Lengths are given for the comfortable one.
int dense(int pixels);
// Of a row that differs from rowHeight() by so much, as far as its text fits.
int textRowHeight(int extra);

}  // namespace sonde::ui
