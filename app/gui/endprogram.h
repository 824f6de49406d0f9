// The last step of a program with windows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sonde::app {

// Hides all windows and leaves the event loops of dialogs and of the program. Nothing is asked, as closing them may do:
// a question would keep a program running whose window is gone.
void endProgram();

}  // namespace sonde::app
