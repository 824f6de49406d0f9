// Texts about a shape: its type and limits, its default, whether its name looks like a secret.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/shapevalues.h"

namespace sonde::ui {

QString typeHint(const ShapeValues &values, const Shape &shape);  // "integer · 1 – 1000 · default 30"
QString defaultText(const Shape &shape);                          // "30", or empty
// A string that a recording redacts, because of its name (isSecretName) or schema.
bool looksSecret(const QString &name, const Shape &shape);
// A string that needs more than one line: long, or called "query", "body", "content" and so on.
bool wantsManyLines(const QString &name, const Shape &shape);
// The first line of a value, for a collapsed list item.
QString summary(const json::Value &value);
// "charts" -> "chart", for "+ add chart".
QString singular(const QString &name);

}  // namespace sonde::ui
