// Reads the configuration of another host, from a file or a text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/server/hostconfig.h"

namespace sonde {

// Never starts anything and changes no file. Both say in HostConfig::error what is wrong, with line and column, and
// take time for large texts: the window calls them on a worker. Any thread.

// An ordinary file only: what is a pipe, a device or a folder is refused at once. host: Unknown to tell by path and
// content.
HostConfig readHostFile(const QString &path, Host host = Host::Unknown);
// The content of such a file, one entry of it, or a line: a command, a URL, an install link (see readInstallLink()),
// `claude mcp add …`.
HostConfig readHostText(const QByteArray &text, Host host = Host::Unknown, const QString &path = {});

}  // namespace sonde
