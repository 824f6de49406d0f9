// What assistive tools get of a box of choices.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sonde::ui {

// Over AT-SPI the name of a QComboBox is what is chosen, and what it is called has to be that of a label. From now on
// those without a label of their own have one for assistive tools: their accessible name. Once per process.
void makeComboBoxesAccessible();

}  // namespace sonde::ui
