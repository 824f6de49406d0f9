// What is to be played back, against which server, and how much of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/serverspec.h"
#include "core/filter/filter.h"
#include "core/replay/replayer.h"

#include <memory>

namespace sonde {

class ApprovalStore;
class SecretStore;
class TokenStore;

struct ReplayPlan {
    enum class Calls { All, Rows, Matching };

    QString recordingPath;
    QString rulesPath;  // as the command line names it; empty: the rules beside the recording, where there are any
    // Of a run that opens its own connection, which asks nobody for anything.
    ServerSpec server;
    std::shared_ptr<TokenStore> tokens;
    std::shared_ptr<SecretStore> secrets;
    std::shared_ptr<ApprovalStore> approvals;
    Calls calls = Calls::All;
    QList<qsizetype> rows;  // Rows: of requests
    Filter filter;          // Matching: lets requests through
    Replayer::Destructive destructive = Replayer::Destructive::Ask;

    // The recording's file without folder and ending: for titles.
    QString recordingName() const { return recordingPath.section(u'/', -1).section(u'.', 0, -2); }
};

}  // namespace sonde
