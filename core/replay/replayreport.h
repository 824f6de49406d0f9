// The result of a replay, for people, for programs and for CI.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/replay/replayer.h"

namespace sonde {

// What there is to say about the server requests of a step that were not the same, a line each, and a line for each
// difference in their params. Server text in it is made safe to show.
QStringList describeServerRequests(const ReplayStep &step);

// {"counts":{"same":3,…},"steps":[…]}
QByteArray replayJson(const Replayer &replayer);
// JUnit's XML: changed steps are failures, failed ones errors.
QByteArray replayJUnit(const Replayer &replayer, const QString &name);

}  // namespace sonde
