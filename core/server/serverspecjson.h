// The members of an mcpServers entry: how they are read, and what is wrong with them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/server/serverspec.h"

namespace sonde {

struct EntryReading {
    ServerSpec spec;       // what could be understood; original is set
    QStringList problems;  // what could not: the server cannot be tried before that is repaired
    QStringList findings;  // what deserves a word and hinders nothing
};

EntryReading readEntry(const QString &name, const json::Value &entry);

}  // namespace sonde
