// The problems of the arguments, at the places where they can be fixed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/shape/shapevalues.h"
#include "ui/form/schemaform.h"

namespace sonde::ui {

// The validator's errors, adapted to a form: a missing member is an issue of that member, and a union is checked
// against the branch that the value is meant for instead of all branches. And keys that an object has twice.
// takesPlaceholders: nothing is said of what a placeholder of a saved call stands for.
QList<FormIssue> formIssues(const schema::Schema &schema, const ShapeValues &values, const Shape &root,
                            const json::Value &value, bool takesPlaceholders);

}  // namespace sonde::ui
