// Where other hosts keep their lists of servers on this computer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/server/hostconfig.h"

namespace sonde {

struct HostFile {
    Host host = Host::Unknown;
    QString path;
    bool operator==(const HostFile &) const = default;
};

// The folders under which hosts look for their files.
struct HostFolders {
    QString home;
    QString config;  // ~/.config, ~/Library/Application Support or %APPDATA%

    static HostFolders ofUser();                    // empty where there is no home
    static HostFolders under(const QString &home);  // the usual ones
};

// All known places, whether there is anything or not.
QList<HostFile> knownHostFiles(const HostFolders &folders);
// What is there, in the order of the list, with the .mcp.json of each project that Claude Code knows. Only reads, and
// only those files. Files without servers are left out; such with errors are not. For a worker thread.
QList<HostConfig> findHostConfigs(const HostFolders &folders);
Host hostOfFile(const QString &path);  // by its name and folder

}  // namespace sonde
