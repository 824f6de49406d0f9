// SPDX-License-Identifier: Apache-2.0
#include "core/transport/socketinput.h"

#include <sys/socket.h>
#include <cerrno>

namespace sonde {

bool hasUnseenInput(qintptr descriptor)
{
    char next = 0;
    return ::recv(int(descriptor), &next, 1, MSG_PEEK | MSG_DONTWAIT) >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
}

}  // namespace sonde
