// Strings that stand for other values, in the arguments of a saved call.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

namespace sonde::ui {

// What a string says before its placeholders are replaced, which happens when the call is made.
enum class CallString {
    Plain,
    WithPlaceholders,  // a longer string: it stays one, but with other characters
    Placeholder        // nothing but one: a value of any type
};

CallString callStringOf(const json::Value &value);  // Plain: also what is no string

}  // namespace sonde::ui
