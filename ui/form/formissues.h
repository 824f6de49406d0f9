// What is wrong with the arguments, said at the place where it can be put right.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/schemaform.h"
#include "ui/form/shapevalues.h"

namespace sonde::ui {

// The evaluator's findings, made fit for a form: a missing member is an issue of that member, and a union is judged
// by the branch that the value is meant for instead of by all that it is not.
QList<FormIssue> formIssues(const schema::Schema &schema, const ShapeValues &values, const Shape &root,
                            const json::Value &value);

}  // namespace sonde::ui
