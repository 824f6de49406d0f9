// A saved call that was made, and what came of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/call.h"
#include "core/replay/replaystep.h"
#include "core/savedcalls/savedcall.h"

#include <QStringList>
#include <optional>

namespace sonde {

class Session;

// All texts are as a recording has them: secrets are masked, since reports are made of them.
struct CallStep {
    enum class Status : quint8 {
        Waiting,
        Running,
        Passed,
        Failed,  // an expectation was not met
        Error,   // a JSON-RPC error that was not expected, no response, or not sent
        Skipped  // not made, because the suite was stopped
    };

    SavedCall call;
    Status status = Status::Waiting;
    std::optional<Outcome::Kind> outcome;  // none: not made
    QStringList reasons;                   // why it is Failed or Error, in sentences
    Error error;                           // of a JSON-RPC error, or why there is no response
    qint64 durationNs = -1;
    QList<json::Difference> differences;  // expected on the left; those that count
    qsizetype ignored = 0;                // the others
    bool isCut = false;                   // there are more differences
    Outcome response;                     // its findings; where it did not pass, the message as it was recorded

    bool hasEnded() const { return status != Status::Waiting && status != Status::Running; }
};
QString toString(CallStep::Status status);  // "passed", for machines

// The outcome of the call of a step, masked as the session records it, and judged.
void setOutcome(CallStep &step, const Outcome &outcome, const Session &session);
// Again, as when the call expects something else now. Of a step that keeps its response.
void judge(CallStep &step);
// It was not made, or no longer waited for.
void setNotSent(CallStep &step, const Error &why, CallStep::Status status);

// The result or error that is expected beside the one that came, with all differences, also those that do not count.
// Without either where there is none.
ReplayStep comparisonOf(const CallStep &step);

// The call of a step that did not pass, with what came back as what is expected: the outcome, and the result or error
// where one was expected. Nothing where no response came, or where nothing of this was wrong.
std::optional<SavedCall> accepted(const CallStep &step);

}  // namespace sonde
