// Texts about a record's role in its call.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/calls/waterfall.h"
#include "ui/timeline/table/timelinetext.h"

namespace sonde::ui {

QString roleWords(RecordRole role);  // "progress", "question"; empty where there is nothing to say
// A step of a call in one line: its role, its subject, and details.
RowText stepText(const Session &session, const Operations &operations, qsizetype row);
// For a server request: "accept", "declined", "? open". Empty for other rows.
QString serverRequestBadge(const Session &session, qsizetype row);

// Why a call ended without a response, where the session tells; of the kind that its result had.
Error whyNoResponse(const Session &session, const Operations &operations, qsizetype operation);
QString noResponseBadge(const Error &reason);  // "⊘ Cancelled"
CallTimes timesOfCall(const Operations &operations, qsizetype operation, qint64 nowNs);
CallTimes timesOfStep(const Session &session, const Operations &operations, qsizetype row, qint64 nowNs);
// Several lines: start, time to the first byte, duration, and time waiting for the user.
QString timesHint(const Session &session, qsizetype row, const CallTimes &times);
// "tools/call echo", with its number: "#12 tools/call echo".
QString callTitle(const Session &session, qsizetype requestRow);

}  // namespace sonde::ui
