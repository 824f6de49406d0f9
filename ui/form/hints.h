// What the name and the value of a field tell: whether it is a secret, whether it needs several lines.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/shape/shapevalues.h"

#include <QHash>

namespace sonde::ui {

// A string that a recording redacts, because of its name (isSecretName) or schema.
bool looksSecret(const QString &name, const Shape &shape);
// The same for many places: which names tell of a secret is looked up once.
bool looksSecret(const QString &name, const Shape &shape, QHash<QString, bool> *known);
// A string that needs more than one line: long, or called "query", "body", "content" and so on.
bool wantsManyLines(const QString &name, const Shape &shape);
// The first line of a value, for a collapsed list item. Of an object of that shape, dots for secrets.
QString summary(const json::Value &value);
QString summary(const json::Value &value, const ShapeValues &values, const Shape &shape);
// "charts" -> "chart", for "+ add chart".
QString singular(const QString &name);

}  // namespace sonde::ui
