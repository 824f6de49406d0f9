// The server that a command line names.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"

namespace sonde::cli {

// An Error when --server names none that is known, or when something in it is wrong.
Result<ServerSpec> serverSpec(const Arguments &arguments);

}  // namespace sonde::cli
