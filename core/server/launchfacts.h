// What a server's process gets from Sonde, for showing before and after it is started.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/server/serverspec.h"

namespace sonde {

struct LaunchFacts {
    enum class PathSource { Sonde, LoginShell, Entry };

    QString path;  // PATH; empty where it is the login shell's and that was not asked yet
    PathSource pathSource = PathSource::Sonde;
    QStringList passed;     // names of the base list that are set, sorted
    QStringList set;        // names that the description sets, in its order
    qsizetype others = 0;   // more of Sonde's own environment, where all of it is inherited
    QString workingFolder;  // absolute
};

// spec: of a server that is a process.
LaunchFacts launchFacts(const ServerSpec &spec);
// "PATH of Sonde: /usr/bin:/bin", for people; likewise the names of the variables.
QString pathText(const LaunchFacts &facts);
QString environmentText(const LaunchFacts &facts);

}  // namespace sonde
