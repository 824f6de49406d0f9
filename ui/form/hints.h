// What the name and the value of a field tell: whether it is a secret, whether it needs several lines.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/shape/shapevalues.h"

namespace sonde::ui {

// A string that a recording redacts, because of its name (isSecretName) or schema.
bool looksSecret(const QString &name, const Shape &shape);
// A string that needs more than one line: long, or called "query", "body", "content" and so on.
bool wantsManyLines(const QString &name, const Shape &shape);
// The first line of a value, for a collapsed list item.
QString summary(const json::Value &value);
// "charts" -> "chart", for "+ add chart".
QString singular(const QString &name);

}  // namespace sonde::ui
