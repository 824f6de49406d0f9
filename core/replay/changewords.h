// Says in words what differs between two servers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/pointer.h"
#include "core/replay/comparison.h"

namespace sonde {

// All texts are one line, and text of a server in them is made safe to show.

// What a change is about: a tool, a capability, a variable.
struct ChangedThing {
    json::Pointer place;  // in the handshake or the environment; the root for an entry of a list
    QString name;         // "Variable PATH", "Protocol revision"
};
ChangedThing changedThing(const SnapshotChange &change);

// Brief: of titles and descriptions only that they changed, for where both are shown beside the words.
enum class Wording { Brief, Whole };
// "parameter “b” added", "now required: b", "1 → 2": without the name of the thing.
QString changeWords(const SnapshotChange &change, Wording wording);

// What a change means to clients: "breaking", "wording only"; "differs" where only the start of the server did.
QString impactWord(SnapshotChange::Part part, Impact impact);

}  // namespace sonde
