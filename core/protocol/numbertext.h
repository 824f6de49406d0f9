// Numbers for people.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <chrono>

namespace sonde {

// "1 204", with thin spaces, whatever the locale: commas and points would read as parts of the number in JSON beside
// it. Only for what is counted or measured here; a number from the wire keeps its text.
QString grouped(qint64 number);

// "1.5": a duration in seconds, without its unit.
QString secondsText(std::chrono::milliseconds duration);

}  // namespace sonde
