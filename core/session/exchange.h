// The two halves of an exchange, wherever they stand.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/session.h"

namespace sonde {

// What the request in this row was answered, also where that came in a batch with others. Invalid: nothing (yet).
Message answerTo(const Session &session, qsizetype row);

}  // namespace sonde
