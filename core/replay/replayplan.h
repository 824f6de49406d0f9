// What is to be played back, against which server, and how much of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/serverspec.h"
#include "core/filter/filter.h"
#include "core/replay/replayer.h"

namespace sonde {

struct ReplayPlan {
    enum class Calls { All, Rows, Matching };

    QString recordingPath;
    QString rulesPath;  // empty: the rules beside the recording, where there are any
    ServerSpec server;  // of a run that opens its own connection
    Calls calls = Calls::All;
    QList<qsizetype> rows;  // Rows: of requests
    Filter filter;          // Matching: lets requests through
    Replayer::Destructive destructive = Replayer::Destructive::Ask;

    // The recording's file without folder and ending: for titles.
    QString recordingName() const { return recordingPath.section(u'/', -1).section(u'.', 0, -2); }
};

}  // namespace sonde
