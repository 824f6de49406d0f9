// All that a found server would do, as text that hides nothing.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/server/hostconfig.h"

namespace sonde {

// Several lines: the program and every argument on its own line, folder, environment, headers, problems and findings.
// Nothing is cut off; control characters and long runs of spaces are marked, so that nothing hides behind them.
// secretMark: replaces secret values. Secrets within URLs are replaced as in an approval.
QString serverDetails(const HostServer &server, const QString &secretMark);
// One line without control characters, for lists: the command line or the URL, cut to maxLength.
QString serverSummary(const HostServer &server, qsizetype maxLength = 300);

}  // namespace sonde
