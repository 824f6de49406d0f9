// The program of the demo server, whatever it offers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/demo/offer.h"

namespace sonde::demo {

// Needs a QCoreApplication, and runs its event loop. arguments: without the program's name. Returns the exit code.
int run(const QStringList &arguments, const Offer &offer);

}  // namespace sonde::demo
