// The order in which Tab goes through a window: as it is read, not as its parts were made.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>

class QWidget;

namespace sonde::ui {

enum class Stops {
    Tab,  // what Tab leads to
    All   // also what only the arrow keys and the mouse do: the small buttons beside a field
};

// What takes the focus within root and can be seen, in the order of layouts, splitters and tabs. Costs a walk through
// root.
QList<QWidget *> focusStops(QWidget *root, Stops stops = Stops::Tab);

// Moves the focus on from where it is within root, and scrolls there. False: there is none on that side.
bool focusNextIn(QWidget *root, bool next, Stops stops = Stops::Tab);

}  // namespace sonde::ui
