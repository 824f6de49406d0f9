// Ways to fill in an object of which one has to be taken: "anyOf": [{"required": ["id"]}, {"required": ["slug"]}]
// beside the properties.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/shape/shape.h"

namespace sonde {

struct Alternatives {
    QList<QStringList> names;  // that each requires
    QStringList labels;        // "owner and repo", or its title
    bool isExclusive = false;  // oneOf: only one of them may be filled in
    int count() const { return int(names.size()); }
    // The one that the value is meant for: the first that is filled in, otherwise begun, otherwise the first. -1:
    // several are begun.
    int chosenBy(const json::Value &value) const;
};

// None where the schema has no such list, or branches that say more.
Alternatives alternativesOf(const Shape &object);
// The object without the members that only others require; those that this one requires are required.
Shape withAlternative(const Shape &object, const Alternatives &alternatives, int chosen);

}  // namespace sonde
