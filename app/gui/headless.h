// What Sonde does where there is no display: the same first walk, printed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/serverspec.h"

#include <QString>

namespace sonde::app {

// Why no window can be opened here, or an empty string when one can. Looks at the environment and the display's
// socket, because Qt ends the program when it finds out by itself.
QString reasonForNoDisplay(int argc, char *const *argv);

// Connects to the server, lists what it offers, calls the first tool that needs no arguments or whose form can be
// filled with examples, prints the timeline. Returns the exit code.
int runHeadless(const ServerSpec &spec, const QString &reason);

}  // namespace sonde::app
