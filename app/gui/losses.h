// What closing tabs would cost.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

namespace sonde::app {

struct Losses {
    qsizetype running = 0;  // calls that would be cancelled
    qsizetype waiting = 0;  // calls of a run of many that would not be made
    qsizetype edited = 0;   // tabs with arguments that were edited and not sent

    qsizetype calls() const { return running + waiting; }
};

}  // namespace sonde::app
