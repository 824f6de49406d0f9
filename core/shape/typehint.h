// What a schema requires at one place, in words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/shape/shapevalues.h"

namespace sonde {

QString typeHint(const ShapeValues &values, const Shape &shape);  // "integer · 1 – 1000 · default 30"
QString defaultText(const Shape &shape);                          // "30", or empty

}  // namespace sonde
