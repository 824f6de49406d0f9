// Texts for steps, differences and rules of a replay.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/replay/replayer.h"
#include "ui/theme/theme.h"

namespace sonde::ui {

struct StepBadge {
    QString text;  // "✓ same", "≠ 3", "✕ -32602", "⊘ no response", "skipped"
    Tone tone = Tone::Neutral;
    QString words;  // the same for those who only hear it
};
StepBadge stepBadge(const ReplayStep &step);

// "✓ 33 same"; for Same, Changed, Failed and Skipped.
StepBadge countBadge(ReplayStep::Status status, qsizetype count);

// The same for the steps of a suite of saved calls: "✓ 33 passed", failed, errors, skipped.
StepBadge callCountBadge(ReplayStep::Status status, qsizetype count);

// "3 differences, 1 ignored by rule"
QString differencesSummary(const ReplayStep &step);

// "anything at /a/b in tools/call echo"
QString ruleText(const ReplayRule &rule);

// "delete_rows", or the method if there is no target.
QString stepTitle(const ReplayStep &step);

// A step in one line of the list.
struct StepRow {
    QString method;
    QString target;
    qsizetype sessionRow = -1;  // of the request, in the recording
    StepBadge badge;
    ReplayStep::Status status = ReplayStep::Status::Waiting;
    qint64 thenNs = -1;  // how long it took
    qint64 nowNs = -1;
    QString note = {};  // behind the target, dim
};
StepRow stepRow(const ReplayStep &step, const Session &recording);

}  // namespace sonde::ui
