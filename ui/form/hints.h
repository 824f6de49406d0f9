// Words about a shape: its type and limits, what it defaults to, whether a name looks like a secret's.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/shapevalues.h"

namespace sonde::ui {

QString typeHint(const ShapeValues &values, const Shape &shape);  // "integer · 1 – 1000 · default 30"
QString defaultText(const Shape &shape);                          // "30", or empty
// A text that a recording masks: its name says that it is secret (isSecretName), or its schema does.
bool looksSecret(const QString &name, const Shape &shape);
// A text that deserves more than one line: long, or called "query", "body", "content" and so on.
bool wantsManyLines(const QString &name, const Shape &shape);
// The first line of what a value holds: for a collapsed list item.
QString summary(const json::Value &value);
// "charts" -> "chart", for "+ add chart".
QString singular(const QString &name);

}  // namespace sonde::ui
