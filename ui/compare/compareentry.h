// The differences between two servers, one entry per thing that differs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/replay/comparison.h"
#include "ui/theme/theme.h"

#include <atomic>
#include <memory>

namespace sonde::ui {

// The two sides to compare. A session file is read where the comparison is made, as it can hold a million rows.
struct CompareSide {
    QString name;  // given by the user
    bool isLive = false;
    QString path;             // of a session; empty: the snapshot says all
    ServerSnapshot snapshot;  // filled in from the session
    Error error;              // why there is nothing to compare
};

// A tool, capability or variable with all of its differences.
struct CompareEntry {
    enum class Kind { Changed, Added, Removed, NotCompared };
    struct Change {
        QString words;
        Impact impact = Impact::Unknown;
        QString pointer;  // within left and right
    };

    Kind kind = Kind::Changed;
    SnapshotChange::Part part = SnapshotChange::Part::Handshake;
    QString key;                   // with kind and part it tells an entry from all others
    QString name;                  // for people
    Impact impact = Impact::None;  // the worst
    QList<Change> changes;
    json::Value left;  // all of it, on either side
    json::Value right;
    QString search;  // lower case

    bool isEnvironment() const { return part == SnapshotChange::Part::Environment; }
};

struct ComparedSides {
    CompareSide left;
    CompareSide right;
    Error error;                  // one side cannot be read; then there is nothing else
    QList<CompareEntry> entries;  // by part, in the order of the parts; what was not compared comes last
    bool isOfferSame = false;
    bool isComplete = true;  // false: the list of something that a side offers is not known

    qsizetype count(CompareEntry::Kind kind) const;
    qsizetype breaking() const;
    qsizetype unclear() const;  // on offer: neither known to break nor known not to
    qsizetype started() const;  // differences in how they were started
};

// Reads and compares. May take seconds; runs on any thread. Null if cancelled.
std::shared_ptr<const ComparedSides> compareSides(CompareSide left, CompareSide right,
                                                  const std::shared_ptr<const std::atomic_bool> &cancelled);

QString partTitle(SnapshotChange::Part part);  // "Tools"
// Sign and text of an entry's badge: "✕ breaking", "≠ started otherwise".
QString impactText(const CompareEntry &entry);
QString impactSign(Impact impact, bool isEnvironment);
Tone impactTone(const CompareEntry &entry);

}  // namespace sonde::ui
