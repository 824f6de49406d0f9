// What is to be played back, against which server, and how much of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/profile.h"
#include "core/filter/filter.h"
#include "core/replay/replayer.h"
#include "core/server/serverspec.h"

namespace sonde {

struct ReplayPlan {
    enum class Calls { All, Rows, Matching };

    QString recordingPath;
    QString rulesPath;  // as the command line names it; empty: the rules beside the recording, where there are any
    // Of a run that opens its own connection, which asks nobody for anything.
    ServerSpec server;
    Profile profile;
    Calls calls = Calls::All;
    QList<qsizetype> rows;  // Rows: of requests
    Filter filter;          // Matching: lets requests through
    Replayer::Destructive destructive = Replayer::Destructive::Ask;

    // The recording's file without folder and ending: for titles.
    QString recordingName() const { return recordingPath.section(u'/', -1).section(u'.', 0, -2); }
};

}  // namespace sonde
