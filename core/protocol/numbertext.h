// Numbers for people, and durations as JSON has them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <chrono>

namespace sonde {

// "1 204", with thin spaces, whatever the locale: commas and points would read as parts of the number in JSON beside
// it. Only for what is counted or measured here; a number from the wire keeps its text.
QString grouped(qint64 number);

// "1 tool", "3 tools": the English plural. %n of tr() needs a translation file even for English and shows "tool(s)"
// without one. Both forms are whole sentences, so that they can be translated whole; %1 of `many` is the number.
QString counted(qint64 count, const QString &one, const QString &many);

// "1.5": a duration in seconds, without its unit.
QString secondsText(std::chrono::milliseconds duration);

// Milliseconds with three decimals, as JSON has durations; 0 for what is negative.
double milliseconds(qint64 ns);

}  // namespace sonde
