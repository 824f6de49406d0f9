// The server that a command line names.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"

namespace sonde::cli {

// An Error when --server names none that is known, or when something in it is wrong.
Result<ServerSpec> serverSpec(const Arguments &arguments);
// The same of a verb that takes several: a URL, a command line, or the name of a server kept by Sonde. Of the arguments
// only those count that can be meant for each.
Result<ServerSpec> serverSpec(const Arguments &arguments, const Arguments::Side &side);

}  // namespace sonde::cli
