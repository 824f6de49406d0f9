// Where the program is, for whoever looks for the cause of a failure.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sonde::monkey {

// The first backtrace() loads a library, which it must not do in a signal handler: call this before.
void prepareStack();

// To stderr; may be called in a signal handler. Of a deep stack both ends are printed: where it is, and what began it.
void printStack();

}  // namespace sonde::monkey
