// Numbers for people.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace sonde {

// "1 204", with thin spaces, whatever the locale: commas and points would read as parts of the number in JSON beside
// it. Only for what is counted or measured here; a number from the wire keeps its text.
QString grouped(qint64 number);

}  // namespace sonde
