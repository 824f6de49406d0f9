// The steps of a replay: the calls to repeat, and their results.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/diff.h"
#include "core/replay/recordedserverrequests.h"
#include "core/replay/recording.h"
#include "core/replay/rules.h"

#include <atomic>

namespace sonde {

// What the server asked in the course of a step.
struct ReplayServerRequest {
    enum class Status : quint8 {
        Same,     // asked then and now; what it was answered then it was answered again
        Changed,  // with other params
        New,      // not asked then: it got an error
        Missing,  // not asked this time
        Withheld  // the recorded response held a secret that was not recorded: it got an error
    };

    QString method;
    Status status = Status::Same;
    Message recorded;                     // Invalid when New
    Message live;                         // Invalid when Missing; as it is recorded
    QList<json::Difference> differences;  // in the params; what the rules ignore is left out
    bool isWithheld = false;
};

// A difference that does not count.
struct IgnoredDifference {
    enum class Reason : quint8 {
        Rule,
        Secret,  // only masked when it was recorded, or only now
        Cursor,  // opaque to everybody but the server that made it (spec: server/utilities/pagination)
        Task     // the name that each server made up for the same task
    };

    json::Difference difference;
    Reason reason = Reason::Rule;
    ReplayRule rule = {};  // of Reason::Rule
    qsizetype before = 0;  // the index of the next one that counts
};

struct ReplayStep {
    enum class Status : quint8 {
        Waiting,
        Running,
        Same,     // the same response by value, but for what the rules ignore
        Changed,  // another response
        Failed,   // no response, or a JSON-RPC error that was none before or another one, or nobody to make it to
        Skipped   // not made: reason says why
    };

    RecordedCall call;
    QString method;
    QString target;  // tool, prompt or URI
    Status status = Status::Waiting;
    QString reason;                             // why it was skipped or failed
    bool isDestructive = false;                 // known once it is its turn
    bool wasForbidden = false;                  // skipped because nobody allowed it
    bool isUnsent = false;                      // failed before it was made: there never was a connection
    Message recorded;                           // both responses, once it has run; Invalid where there was none
    Message live;                               // as it is recorded: secrets are masked, since reports are made of it
    qint64 durationNs = -1;                     // of the live call
    QList<json::Difference> differences;        // in the result or error, those that count
    QList<IgnoredDifference> ignored;           // and the others
    bool isCut = false;                         // there are more differences
    QStringList findings;                       // about the live response; they do not make a step Changed
    QList<ReplayServerRequest> serverRequests;  // one that is not the Same makes a step Changed that would be the Same

    bool isHandshake() const;  // which the connection makes by itself
    bool hasRun() const
    {
        return status == Status::Same || status == Status::Changed || (status == Status::Failed && !isUnsent);
    }
};

// What there is to be made again. Found by reading through all rows of the recording, which takes a while where it is
// long: over a SessionSnapshot a worker can do it.
struct ReplayMaterial {
    QByteArray capabilities;  // see recordedCapabilities()
    QList<ReplayStep> steps;
    RecordedServerRequests serverRequests;
};
// Once stop is true, from whatever thread, it ends soon, and what it returns is not whole.
ReplayMaterial replayMaterial(const Session &recording, const std::atomic_bool *stop = nullptr);

// The result or error of a response; Missing without a response.
json::Value resultOrError(const Message &response);

// "same", "changed" … for machines.
QString toString(ReplayStep::Status status);

// Of tools, prompts, resources or templates: what comes in pages.
bool isList(QStringView method);

}  // namespace sonde
