// The summary of a session in words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/calls/sessionsummary.h"

namespace sonde::ui {

QString failuresInWords(const SessionSummary &summary);  // "2 tool errors, 1 protocol error"; "none"
QString lengthText(qint64 ns);                           // "2:05:09", "0:42", "412 ms"

}  // namespace sonde::ui
