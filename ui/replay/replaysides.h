// Two responses as they are shown beside each other: JSON that stands in a text is laid out, too.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/diff.h"

namespace sonde::ui {

struct ReplaySides {
    json::Value recorded;
    json::Value now;
    QList<json::Difference> differences;  // one for each that was given, in that order
    bool isUnfolded = false;              // a text was replaced by the JSON that it holds
};

// Texts in which differences lie are replaced by their JSON; where that cannot be done for all of them, everything
// stays as it came. Costs what the responses are long: large ones belong on a worker.
ReplaySides sidesOf(const json::Value &recorded, const json::Value &now, const QList<json::Difference> &differences);

}  // namespace sonde::ui
