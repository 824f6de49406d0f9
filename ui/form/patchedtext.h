// JSON text that says another value and is written as before.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

namespace sonde::ui {

// The text of `before`, changed only where `after` says something else: white space, order and spelling of all the rest
// stay. What is new is written like what is next to it. `before` is valid JSON.
QByteArray patchedText(const json::Document &before, const json::Value &after);

}  // namespace sonde::ui
