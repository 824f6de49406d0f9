// SPDX-License-Identifier: Apache-2.0
#include "core/transport/monotonicclock.h"

#include <chrono>

namespace sonde {

qint64 monotonicNs()
{
    return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace sonde
