// The verbs that read and write lists of servers and talk to nobody: import and export-servers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/exitcode.h"
#include "core/connection/profile.h"

#include <QStringList>
#include <optional>

namespace sonde::cli {

// words: the command line without the program's name. Nothing when its verb is another one. Starts nothing. Exit codes:
// 0 done, 3 something cannot be read or written, 4 wrong use.
std::optional<ExitCode> runServerVerb(const QStringList &words, const Profile &profile);

}  // namespace sonde::cli
