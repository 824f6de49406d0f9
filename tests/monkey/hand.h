// Does with the window what a person does: mouse, keys, drag and drop.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/monkey/step.h"

#include <functional>

class QFileDialog;

namespace sonde::monkey {

namespace hand {

// Returns false where there is nothing at that place any more. May return only after other steps: what opens a dialog
// waits in it. between: called after each key of several.
bool perform(const Step &step, const std::function<void()> &between);

// Files are never chosen by clicking about in the dialog: it can delete and rename.
QFileDialog *openFileDialog();

}  // namespace hand

}  // namespace sonde::monkey
