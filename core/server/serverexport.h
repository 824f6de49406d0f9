// Writes servers as the mcpServers JSON that other hosts read.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/server/hostconfig.h"

namespace sonde {

enum class SecretValues { Placeholders, Included };

// Indented, with a line end. Unknown members are kept. Placeholders: see EntryMask.
QByteArray toMcpServers(const QList<ServerSpec> &servers, SecretValues secrets);
// The entry of one server that was found, compact, with placeholders for what its host says to be secret as well.
QByteArray maskedEntry(const HostServer &server);
// The file is made whole or not at all, with mode 0600.
Error writeMcpServers(const QString &path, const QList<ServerSpec> &servers, SecretValues secrets);

}  // namespace sonde
