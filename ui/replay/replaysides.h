// Prepares two responses to be shown side by side, with JSON inside strings formatted.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/diff.h"

namespace sonde::ui {

struct ReplaySides {
    json::Value recorded;
    json::Value now;
    QList<json::Difference> differences;  // one for each that was given, in that order
    bool hasEmbeddedJson = false;         // a text was replaced by the JSON that it holds
};

// Strings with differences are replaced by their JSON; if that is impossible for one of them, all stay unchanged. Time
// is proportional to the size of the responses: use a worker for large ones.
ReplaySides sidesOf(const json::Value &recorded, const json::Value &now, const QList<json::Difference> &differences);

}  // namespace sonde::ui
