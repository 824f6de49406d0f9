// What extensions of the protocol keep in resources.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/types.h"

namespace sonde {

// Spec: extensions io.modelcontextprotocol/ui (MCP Apps) and io.modelcontextprotocol/skills.
enum class ResourceKind {
    Plain,
    App,   // ui://: the page of an app, which a host with a web view would run
    Skill  // skill://: instructions for a model, and their files
};

ResourceKind resourceKindOf(QStringView uri);
// The URI of the app in which a host would show the tool's results; empty for none.
QString appUriOf(const Tool &tool);

}  // namespace sonde
