// The manual, at the page of what is used just now.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sonde::app {

class MainWindow;

// One window for all pages, which belongs to the main window.
void showManual(MainWindow *window);

}  // namespace sonde::app
