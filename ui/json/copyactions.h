// Copying a JSON value to the clipboard.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

class QMenu;

namespace sonde::ui {

// A string without quotes and escapes, anything else as it was received. Nothing for a value that is Missing.
void copyJsonValue(const json::Value &value);
// Copy value, Copy as JSON, Copy JSON pointer.
void addCopyActions(QMenu *menu, const json::Value &value);

// The value within `top` that is written at this byte of the document's text, or whose key is.
json::Value innermostAt(json::Value top, qsizetype offset);

}  // namespace sonde::ui
