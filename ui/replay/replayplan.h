// What is to be played back, against which server, and how much of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/serverspec.h"
#include "core/replay/replayer.h"
#include "core/filter/filter.h"

namespace sonde::ui {

struct ReplayPlan {
    enum class Calls { All, Rows, Matching };

    QString recordingPath;
    ServerSpec server;
    Calls calls = Calls::All;
    QList<qsizetype> rows;  // Rows: of requests
    Filter filter;          // Matching: lets requests through
    Replayer::Destructive destructive = Replayer::Destructive::Ask;

    // The recording's file without folder and ending: for titles.
    QString recordingName() const { return recordingPath.section(u'/', -1).section(u'.', 0, -2); }
};

}  // namespace sonde::ui
