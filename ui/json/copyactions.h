// Copying a JSON value to the clipboard.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

class QKeyEvent;
class QMenu;

namespace sonde::ui {

// A string without quotes and escapes, anything else as it was received. Nothing for a value that is Missing.
void copyJsonValue(const json::Value &value);
// The JSON pointer to a value from the one that is shown, which holds it. Looks at what is before it on each level.
QString pointerWithin(const json::Value &shown, const json::Value &value);
// Copy value, Copy as JSON, Copy JSON pointer, and of a member Copy name. Nothing for a value that is Missing.
void addCopyActions(QMenu *menu, const json::Value &value, const json::Value &shown);
// The keys of these. False: the event is for another key.
bool copyOnKey(const QKeyEvent *event, const json::Value &value, const json::Value &shown);

// What is written at this byte of the text of `laidOut`, or whose key is: the value at the same place of `original`,
// which has the same values in the same order.
json::Value innermostAt(json::Value laidOut, qsizetype offset, json::Value original);

}  // namespace sonde::ui
