// SPDX-License-Identifier: Apache-2.0
#include "core/transport/monotonicclock.h"

#include <time.h>

namespace sonde {

qint64 monotonicNs()
{
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return qint64(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

}  // namespace sonde
