// Which places of a form are raw JSON because there is no other way to draw them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/shapevalues.h"

#include "core/json/pointer.h"

namespace sonde::ui {

// Looks at schema and value, not at widgets: closed groups and pages not drawn yet count like the others. Places that
// take any value are not among them: there JSON is what the schema asks for.
QList<json::Pointer> fallbacksOf(const ShapeValues &values, const Shape &shape, const json::Value &value);

}  // namespace sonde::ui
