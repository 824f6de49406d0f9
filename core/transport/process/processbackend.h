// What the system does for a child process beside QProcess: its streams, and the processes that it starts itself.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/process/bytechannel.h"

#include <QString>
#include <memory>

class QProcess;

namespace sonde {

// Implemented in unix/ with a process group and pipes of our own, and in portable/ with what QProcess has. The CMake
// option SONDE_UNIX chooses one of them. Used by ChildProcess only, on its thread.
class ProcessBackend {
public:
    // The process, which must not have been started, outlives the backend.
    static std::unique_ptr<ProcessBackend> create(QProcess *process);
    virtual ~ProcessBackend() = default;

    // Starts the process with all that was set on it. Not empty: why that was not even tried.
    virtual QString start() = 0;
    // Each can be taken once, after start().
    virtual std::unique_ptr<ByteSink> takeInput() = 0;
    virtual std::unique_ptr<ByteSource> takeOutput() = 0;
    virtual std::unique_ptr<ByteSource> takeErrorOutput() = 0;

    // The process, and with it whatever it has started.
    virtual void terminate() = 0;
    virtual void kill() = 0;
    // Whether something that the process started lives on although the process itself has exited.
    virtual bool hasLivingMembers() const = 0;
};

}  // namespace sonde
