// Goes through a value together with what its schema says of each place.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/shape/shapevalues.h"

#include <functional>

namespace sonde {

// The root, and the strings and containers within, level by level. `name` is that of a member. Of a union the branch
// that the value is meant for is gone through, and what conditions add. Ends after some thousands of places.
using ShapeVisit = std::function<void(const json::Value &at, const Shape &shape, const QString &name)>;
void visitShapes(const ShapeValues &values, const Shape &root, const json::Value &value, const ShapeVisit &visit);

}  // namespace sonde
