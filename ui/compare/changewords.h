// Describes a difference between two servers in words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/replay/comparison.h"

namespace sonde::ui {

// "parameter “b” is new", "now required: b", "1 → 2". One line, safe to show. depth: how many steps of the pointer the
// name of the entry already covers.
QString changeWords(const SurfaceChange &change, qsizetype depth);

}  // namespace sonde::ui
