// What assistive tools get of a text box.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sonde::ui {

class GrowingTextEdit;

// They get what the box shows: dots for what is concealed, as of a password line. To be called once, for a new box; GUI
// thread.
void makeTextAccessible(GrowingTextEdit *edit);

}  // namespace sonde::ui
