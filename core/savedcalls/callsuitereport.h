// The result of saved calls, for programs and for CI.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/savedcalls/callsuite.h"

namespace sonde {

// What there is to say about a step that did not pass: its reasons and a line for each difference. Server text in it is
// made safe to show.
QStringList describe(const CallStep &step);

// {"counts":{"passed":3,…},"calls":[…]}
QByteArray callSuiteJson(const CallSuite &suite);
// JUnit's XML, a case for each call: what Failed is a failure, an Error an error. name: of the suite.
QByteArray callSuiteJUnit(const CallSuite &suite, const QString &name);

}  // namespace sonde
