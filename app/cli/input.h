// The files that options and verbs name, and standard input.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"

namespace sonde::cli {

// A file, a pipe such as that of <(…), or "-". While it waits for a pipe, Ctrl-C and kill end the program.
Result<QByteArray> readInput(const QString &path);

}  // namespace sonde::cli
