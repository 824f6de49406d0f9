// What is wrong with a result beyond the form of its message, in every revision.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/call.h"
#include "core/protocol/revision.h"

namespace sonde {

// The message is that of the outcome, whose kind and findings it completes; what has not worked stays as it is.
void checkResult(QStringView method, Revision revision, Outcome *outcome);

}  // namespace sonde
