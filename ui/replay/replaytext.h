// What a replay's steps, differences and rules say, in the same words wherever they appear.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/replay/replayer.h"
#include "ui/theme/theme.h"

namespace sonde::ui {

struct StepBadge {
    QString text;  // "✓ same", "≠ 3", "✕ −32602", "⊘ no response", "skipped"
    Tone tone = Tone::Neutral;
    QString words;  // the same for those who only hear it
};
StepBadge stepBadge(const ReplayStep &step);

// "✓ 33 same"; of Same, Changed, Failed and Skipped.
StepBadge countBadge(ReplayStep::Status status, qsizetype count);

// "3 differences, 1 ignored by rule"
QString differencesSummary(const ReplayStep &step);

// "anything at /a/b in tools/call echo"
QString ruleText(const ReplayRule &rule);

// "delete_rows", or the method where nothing is named.
QString stepTitle(const ReplayStep &step);

// One line of the list of steps.
struct StepRow {
    QString method;
    QString target;
    qsizetype sessionRow = -1;  // of the request, in the recording
    StepBadge badge;
    ReplayStep::Status status = ReplayStep::Status::Waiting;
    qint64 thenNs = -1;  // how long it took
    qint64 nowNs = -1;
};
StepRow stepRow(const ReplayStep &step, const Session &recording);

}  // namespace sonde::ui
