// What is wrong with a result beyond the form of its message, in every revision.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/call.h"

namespace sonde {

// The message is that of the outcome, whose kind and findings it completes; what has not worked stays as it is.
// structuredIsObject: whether structuredContent has to be one (until 2025-11-25).
void checkResult(QStringView method, bool structuredIsObject, Outcome *outcome);

}  // namespace sonde
