// The commands with which other hosts add a server to their lists, as people paste them from a README.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/server/serverspec.h"

#include <optional>

namespace sonde {

// `claude mcp add …`, `claude mcp add-json …`, the same of gemini and codex, and `code --add-mcp …`. words: of a
// command line. Nothing: it is another command. Runs nothing.
std::optional<Result<ServerSpec>> serverFromAddCommand(const QStringList &words);

}  // namespace sonde
