// What a saved server offered when it was last recorded: a command line can be completed without starting the server.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/common/optiontable.h"

namespace sonde::cli {

// Each takes a command line without its verb, and returns nothing unless that names a saved server with --server of
// which the session library has a session with such a list.
QList<app::Choice> recordedTools(const QStringList &line);
QList<app::Choice> recordedPrompts(const QStringList &line);
QList<app::Choice> recordedResources(const QStringList &line);  // URIs, and URI templates
// "KEY=" for each argument that is not given yet, or "KEY=VALUE" when KEY is typed and its values are known. Of the
// tool or prompt that the line names.
QList<app::Choice> recordedToolArguments(const QStringList &line);
QList<app::Choice> recordedPromptArguments(const QStringList &line);

}  // namespace sonde::cli
