// What sonde-cli's exit code says: the outcomes, kept apart.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/common/interrupts.h"
#include "core/client/call.h"

namespace sonde::cli {

// What each means is in exitMeanings(). Where one code stands for several requests, the greatest counts.
enum class ExitCode {
    Ok = 0,
    ToolError = 1,
    ProtocolError = 2,
    NoResponse = 3,
    WrongUse = 4,
    // As a shell reports a program that the signal has ended: 128 and the signal's number.
    Interrupted = 130,
    BrokenPipe = 141,
    Terminated = 143
};

struct ExitMeaning {
    ExitCode code;
    QString text;
};

// The table of all codes, in order. The help of each verb prints it, the manual explains it. ofVerb: what some of them
// mean for one verb in particular; an empty text: the verb does not exit with that one.
QList<ExitMeaning> exitMeanings(const QList<ExitMeaning> &ofVerb = {});
QString exitCodesText(const QList<ExitMeaning> &ofVerb = {});

ExitCode exitCodeFor(Outcome::Kind kind);
ExitCode exitCodeFor(const Error &error);
ExitCode exitCodeFor(app::Interruption interruption);
// Why what was under way has no response.
Error errorFor(app::Interruption interruption);

}  // namespace sonde::cli
