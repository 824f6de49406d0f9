// A question that Qt's sockets do not take.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

namespace sonde {

// Whether the system holds something of this socket that Qt has not read yet: bytes, or that the other side closed it.
// False where that cannot be known without the event loop.
bool hasUnseenInput(qintptr descriptor);

}  // namespace sonde
