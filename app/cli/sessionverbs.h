// The verbs that read a session file and talk to nobody: export, log and stats.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/exitcode.h"
#include "core/filter/filter.h"

#include <QStringList>
#include <optional>

namespace sonde::cli {

// words: the command line without the program's name. Nothing when its verb is another one. Exit codes: 0 done,
// 3 the session cannot be read or the result not be written, 4 wrong use.
std::optional<ExitCode> runSessionVerb(const QStringList &words);

// Why the text is no filter, with marks under what is wrong; empty when it is one.
QString readFilter(const QString &text, Filter *filter);

}  // namespace sonde::cli
