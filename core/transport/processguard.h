// Sees to it that a process group dies when Sonde does, however Sonde dies.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/uniquefd.h"

#include <sys/types.h>

namespace sonde {

// A tiny shell in a session of its own waits at the end of a pipe that only Sonde holds open. When Sonde dies, by
// SIGKILL even, the pipe closes and the shell kills the group. The parent-death signal alone would reach the leader
// but neither what it started (npx starts node) nor that one's children. A process that leaves the group with setsid
// escapes, as it means to.
class ProcessGuard {
public:
    ProcessGuard() = default;
    ~ProcessGuard();  // dismisses it; the group is left alone
    ProcessGuard(const ProcessGuard &) = delete;
    ProcessGuard &operator=(const ProcessGuard &) = delete;

    bool start();
    // Nothing is guarded before this.
    void watch(pid_t group);
    pid_t pid() const { return m_pid; }

private:
    pid_t m_pid = 0;
    UniqueFd m_pipe;
};

}  // namespace sonde
