// Sees to it that a process group dies when Sonde does, however Sonde dies.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/process/unix/pipes.h"

#include <QProcess>

namespace sonde {

// A tiny shell in a session of its own waits at the end of a pipe that only Sonde holds open. When Sonde dies, by
// SIGKILL even, the pipe closes and the shell kills the group. The parent-death signal alone would reach the leader
// but neither what it started (npx starts node) nor that one's children. A process that leaves the group with setsid
// escapes, as it means to.
class ProcessGuard {
public:
    ProcessGuard() = default;
    ~ProcessGuard();  // dismisses it; the group is left alone
    Q_DISABLE_COPY_MOVE(ProcessGuard)

    // Where no shell can be started, the group is still covered by the parent-death signal and by end of input.
    void start();
    // Nothing is guarded before this.
    void watch(qint64 group);

private:
    UniqueFd m_pipe;
    QProcess m_shell;
};

}  // namespace sonde
