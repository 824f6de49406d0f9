// A server.json of the MCP registry as servers that can be started: one of each package, one of each remote.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/server/hostconfig.h"

namespace sonde {

bool isRegistryEntry(const json::Value &value);
struct RegistryServer {
    HostServer server;
    qsizetype offset = 0;  // in the text
};
QList<RegistryServer> readRegistryEntry(const json::Value &value);

}  // namespace sonde
