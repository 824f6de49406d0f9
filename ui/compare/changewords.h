// A difference between two servers in words, as one would tell it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/replay/comparison.h"

namespace sonde::ui {

// "parameter “b” is new", "now required: b", "1 → 2". On one line, safe to show. depth: how many steps of the pointer
// the place's name tells already.
QString changeWords(const SurfaceChange &change, qsizetype depth);

}  // namespace sonde::ui
