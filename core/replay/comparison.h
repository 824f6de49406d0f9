// Two servers, or the same one at two times: what they offer and how they differ.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/replay/schemadiff.h"
#include "core/replay/surface.h"

namespace sonde {

struct SurfaceChange {
    enum class Part { Handshake, Capabilities, Tool, Resource, Template, Prompt };

    Part part = Part::Handshake;
    QString name;                 // of the tool, resource, template or prompt; empty for the others
    json::Difference difference;  // within the entry, the result of initialize or its capabilities; "" for all of it
    Impact impact = Impact::Unknown;
};

struct Comparison {
    QList<SurfaceChange> changes;  // in the order of the parts
    QStringList remarks;           // what could not be compared, in sentences

    bool isBreaking() const;
};

// left is what was, right what is: a tool only on the left is removed, and that breaks whoever calls it. Entries are
// told apart by their names; their order says nothing.
Comparison compareSurfaces(const Surface &left, const Surface &right);

QString toString(SurfaceChange::Part part);  // stable lower-case words, for machines
QString toString(Impact impact);
// {"outcome":"same"|"different"|"breaking","changes":[…],"remarks":[…]}
QByteArray comparisonJson(const Comparison &comparison);

}  // namespace sonde
