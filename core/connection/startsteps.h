// The way from a server's description to a server that can be used, in named steps.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/step.h"

namespace sonde {

struct StartStep : Step {
    enum class Kind {
        Approve,          // by the person, where it was not yet
        ResolveSecrets,   // what the description only refers to
        FindTarget,       // the program, or whether the address can be one
        ChooseTransport,  // only over HTTP, where there are two
        Open,             // the process runs, or the address can be sent to
        Authorize,        // only where the server wants to know who it is
        Probe,            // which era of the protocol the server speaks; only where that is not known
        AgreeOnRevision,  // spec: basic/lifecycle, "Initialization"
        List              // tools, resources and prompts
    };
    static constexpr Kind Last = Kind::List;
    Kind kind = Kind::ResolveSecrets;
};

QString nameOf(StartStep::Kind kind);

using StartSteps = Steps<StartStep>;

}  // namespace sonde
