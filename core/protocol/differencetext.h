// A difference between two JSON values, in words and for programs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/diff.h"

namespace sonde {

// All texts are one line, and text of a server in them is made safe to show.

// The JSON of a value, cut with "…"; "absent" for a missing one.
QString valueText(const json::Value &value, qsizetype maxLength = 120);
// What kind of difference it is: "added", "removed", "type", "number format" …; empty for a plain change.
QString noteOn(const json::Difference &difference);
// "/content/0/text#/rows: 3 → 4"
QString describe(const json::Difference &difference);
// "3 differences, 1 in formatting only"; isCut: there are more.
QString countText(const QList<json::Difference> &differences, bool isCut);
// An object: {"pointer":"/a","kind":"changed","left":1,"right":2}
QByteArray toJson(const json::Difference &difference);

}  // namespace sonde
