// What is said of a process that ended: of its signal and of its exit code.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace sonde {

QString signalName(int number);     // "SIGSEGV"; the number itself where it has no name
QString signalMeaning(int number);  // "Segmentation fault"
// What the code usually means where a shell gave it (126, 127); empty for others.
QString exitCodeHint(int code);

}  // namespace sonde
