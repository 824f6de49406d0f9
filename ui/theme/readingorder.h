// The tab order of a window: reading order, not the order of creation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>

class QWidget;

namespace sonde::ui {

enum class Stops {
    Tab,  // what Tab leads to
    All   // also what only the arrow keys and the mouse do: the small buttons beside a field
};

// The visible widgets within root that take the focus, in the order of layouts, splitters and tabs. Walks through all
// of root.
QList<QWidget *> focusStops(QWidget *root, Stops stops = Stops::Tab);

// Moves the focus to the next widget within root and scrolls there. False: there is none in that direction.
bool focusNextIn(QWidget *root, bool next, Stops stops = Stops::Tab);

}  // namespace sonde::ui
