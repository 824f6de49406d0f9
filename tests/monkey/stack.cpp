// SPDX-License-Identifier: Apache-2.0
#include "tests/monkey/stack.h"

#include <execinfo.h>
#include <unistd.h>

namespace sonde::monkey {

namespace {
constexpr int MaxFrames = 8'000;
constexpr int FramesAtEachEnd = 60;
}  // namespace

void prepareStack()
{
    void *frame = nullptr;
    ::backtrace(&frame, 1);
}

void printStack()
{
    static void *frames[MaxFrames];
    const int count = ::backtrace(frames, MaxFrames);
    if (count <= 2 * FramesAtEachEnd) {
        ::backtrace_symbols_fd(frames, count, STDERR_FILENO);
        return;
    }
    ::backtrace_symbols_fd(frames, FramesAtEachEnd, STDERR_FILENO);
    constexpr char gap[] = "…\n";
    (void)!::write(STDERR_FILENO, gap, sizeof gap - 1);
    ::backtrace_symbols_fd(frames + count - FramesAtEachEnd, FramesAtEachEnd, STDERR_FILENO);
}

}  // namespace sonde::monkey
