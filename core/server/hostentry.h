// One server as a host writes it, read as an entry of mcpServers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/server/hostconfig.h"

namespace sonde {

// inputs: the list of VS Code, whose texts say what ${input:id} asks for.
HostServer readHostEntry(Host host, const QString &name, const json::Value &entry, const json::Value &inputs = {});
// The references that its host, or a shell, replaces by values: ${NAME}, or $NAME too.
enum class References { Braced, BracedAndPlain };
// What every server is looked through for, once its spec is complete.
void judge(HostServer &server, References replaced, const QStringList &declaredSecrets = {},
           const json::Value &inputs = {});

}  // namespace sonde
