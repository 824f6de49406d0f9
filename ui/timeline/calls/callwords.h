// What is said about a record's place among the calls.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/calls/waterfall.h"
#include "ui/timeline/table/timelinetext.h"

namespace sonde::ui {

QString roleWords(RecordRole role);  // "progress", "question"; empty where there is nothing to say
// A step of a call on one line: its role, what is named, what else is worth knowing.
RowText stepText(const Session &session, const Operations &operations, qsizetype row);
// Of a server request to a person or the program: "accept", "declined", "? open". Empty for other rows.
QString serverRequestBadge(const Session &session, qsizetype row);

CallTimes timesOfCall(const Operations &operations, qsizetype operation, qint64 nowNs);
CallTimes timesOfStep(const Session &session, const Operations &operations, qsizetype row, qint64 nowNs);
// Several lines: start, wait for the first byte, duration, of it waiting for a person.
QString timesHint(const Session &session, qsizetype row, const CallTimes &times);
// "tools/call echo", with its number: "#12 tools/call echo".
QString callTitle(const Session &session, qsizetype requestRow);

}  // namespace sonde::ui
