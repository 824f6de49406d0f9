// What Sonde does without a display: the same first steps, printed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/server/serverspec.h"

#include <QString>

namespace sonde::app {

// Why no window can be opened, or an empty string if one can. Checks the environment and the display's socket, because
// Qt would abort the program.
QString reasonForNoDisplay(int argc, char *const *argv);

// Connects to the server, lists what it offers, calls the first tool that needs no arguments or whose form can be
// filled with examples, prints the timeline. Returns the exit code.
int runHeadless(const ServerSpec &spec, const QString &reason);

}  // namespace sonde::app
