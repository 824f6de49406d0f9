// SPDX-License-Identifier: Apache-2.0
#include "core/transport/socketinput.h"

namespace sonde {

bool hasUnseenInput(qintptr)
{
    return false;
}

}  // namespace sonde
