// Pipes whose ends are never handed to other children by accident.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/uniquefd.h"

#include <fcntl.h>

namespace sonde {

// Both ends close on exec and are numbered 3 or more, also when Sonde itself was started with 0, 1 or 2 closed:
// dup2 onto 0, 1 and 2 in the child could destroy them otherwise.
inline bool makePipe(UniqueFd *readEnd, UniqueFd *writeEnd)
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return false;
    const auto keep = [](int fd) { return fd > 2 ? UniqueFd(fd) : UniqueFd(::fcntl(fd, F_DUPFD_CLOEXEC, 3)); };
    *readEnd = keep(ends[0]);
    *writeEnd = keep(ends[1]);
    for (const int fd : ends) {
        if (fd <= 2)
            ::close(fd);
    }
    return readEnd->isOpen() && writeEnd->isOpen();
}

inline void makeNonBlocking(const UniqueFd &fd)
{
    ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
}

}  // namespace sonde
