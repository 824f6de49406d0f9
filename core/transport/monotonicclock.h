// The clock of every time that is measured or recorded.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

namespace sonde {

// In nanoseconds, monotonic. On Unix it counts the time asleep (CLOCK_BOOTTIME).
qint64 monotonicNs();

}  // namespace sonde
