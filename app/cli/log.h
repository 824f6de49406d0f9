// Rows of a recorded session, as text or JSON.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/filter/filter.h"
#include "core/session/session.h"

namespace sonde::cli {

// Prints the rows that the filter lets through to standard output, one line each; as JSON, one object each. Secrets are
// masked, for which the whole session is read first.
void printLog(const Session &session, const Filter &filter, bool json);

}  // namespace sonde::cli
