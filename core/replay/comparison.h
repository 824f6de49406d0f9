// Two servers, or the same one at two times: what they offer, how they were started, and where they differ.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/replay/schemadiff.h"
#include "core/replay/serversnapshot.h"

#include <atomic>

namespace sonde {

struct SnapshotChange {
    enum class Part { Handshake, Environment, Capabilities, Tool, Resource, Template, Prompt };

    Part part = Part::Handshake;
    QString name;                 // of the tool, resource, template or prompt; empty for the others
    json::Difference difference;  // within the entry, the result of initialize or the environment; "" for all of it
    Impact impact = Impact::Unknown;
};

std::optional<ServerSnapshot::List> listOf(SnapshotChange::Part part);  // none for the first three

struct Comparison {
    QList<SnapshotChange> changes;  // in the order of the parts
    QStringList findings;           // what could not be compared, in sentences
    bool isComplete = true;         // false: the list of something that a side offers is not known

    bool isBreaking() const;
    bool isOfferSame() const;  // whatever differs in how they were started
};

// left is before, right is after: a tool only on the left was removed, which breaks clients that call it. Entries are
// told apart by their names; their order says nothing. How a server was started breaks nobody by itself, but is what
// to look at when the same thing works in one place and fails in another.
// Touches nothing but the two, which no other thread may change: any thread may do it. Stops, with what it has, soon
// after cancelled has become true.
Comparison compareSnapshots(const ServerSnapshot &left, const ServerSnapshot &right,
                            const std::atomic_bool *cancelled = nullptr);

QString toString(SnapshotChange::Part part);  // stable lower-case words, for machines
QString toString(Impact impact);
// {"outcome":"same"|"different"|"breaking","changes":[…],"remarks":[…]}; the outcome speaks of what they offer.
QByteArray comparisonJson(const Comparison &comparison);

}  // namespace sonde
