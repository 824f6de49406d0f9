// Whether the words of a command line go together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"

namespace sonde::cli {

// The first thing that is wrong with a command line that has been read, or with a line of a script; empty when nothing
// is. Looks at the files and folders that it names.
QString problemOf(const Arguments &arguments, bool isScriptLine);

}  // namespace sonde::cli
