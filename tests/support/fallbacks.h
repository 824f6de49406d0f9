// The places of a form that are raw JSON because they have no other editor.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/pointer.h"
#include "core/shape/shapevalues.h"
#include "ui/form/schemaform.h"

namespace sonde::test {

// Looks at schema and value, not at widgets: collapsed groups and pages that are not shown yet count too. Places that
// take any value are not included: JSON is what the schema asks for there.
QList<json::Pointer> fallbacksOf(const ShapeValues &values, const Shape &shape, const json::Value &value);
QList<json::Pointer> fallbacksOf(const ui::SchemaForm &form);

}  // namespace sonde::test
