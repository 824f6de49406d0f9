// Evidence for a failed check of a replay.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/replay/replayreport.h"

namespace sonde::test {

// Every step that is not the same, and why.
inline QByteArray tell(const Replayer &replayer)
{
    QByteArray text;
    for (const ReplayStep &step : replayer.steps()) {
        if (step.status == ReplayStep::Status::Same)
            continue;
        text += toString(step.status).toUtf8() + ' ' + step.method.toUtf8() + ' ' + step.target.toUtf8() + ' ' +
                step.reason.toUtf8() + '\n';
        for (const QString &line : describeQuestions(step))
            text += "    " + line.toUtf8() + '\n';
        for (const json::Difference &difference : step.differences)
            text += "    " + describe(difference).toUtf8() + '\n';
    }
    return text;
}

}  // namespace sonde::test
