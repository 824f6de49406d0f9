// A text in which a regular expression occurs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace sonde::schema {

// The shortest that is easily found: first alternatives, first characters of classes. repeats: how often at least what
// may occur without a limit occurs. Empty also when the pattern has what is not understood here; lookaheads are left
// out: the caller checks what it gets.
QString patternExample(const QString &pattern, int repeats = 0);

}  // namespace sonde::schema
