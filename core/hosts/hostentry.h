// One server as a host writes it, read as an entry of mcpServers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hosts/hostconfig.h"

namespace sonde {

// inputs: the list of VS Code, whose texts say what ${input:id} asks for.
HostServer readHostEntry(Host host, const QString &name, const json::Value &entry, const json::Value &inputs = {});
// What every server is looked through for, once its spec is complete.
void judge(HostServer &server, Host host, const QStringList &declaredSecrets = {}, const json::Value &inputs = {});

}  // namespace sonde
