// Tells what breaks JSON from what is only nested too deep to be read.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

#include <limits>

namespace sonde {

// Valid JSON with more levels than the limits allow. Reads the text twice: for what could not be used.
inline bool isOnlyTooDeep(const QByteArray &text, const json::Limits &limits = {})
{
    json::Limits anyDepth = limits;
    anyDepth.maxDepth = std::numeric_limits<int>::max();
    return !json::Document::parse(text, limits).isValid() && json::Document::parse(text, anyDepth).isValid();
}

}  // namespace sonde
