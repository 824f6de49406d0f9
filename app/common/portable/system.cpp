// SPDX-License-Identifier: Apache-2.0
#include "app/common/system.h"

#include <csignal>
#include <cstdlib>

namespace sonde::app {

bool isTerminal(StandardStream)
{
    return false;
}

int terminalColumns(StandardStream)
{
    return 0;
}

void occupyClosedStreams() {}

void ignoreBrokenPipes()
{
#ifdef SIGPIPE
    std::signal(SIGPIPE, SIG_IGN);
#endif
}

void ignoreTermination()
{
    std::signal(SIGTERM, SIG_IGN);
}

void crash()
{
    std::abort();
}

void returnFreedMemory() {}

bool canConnectToLocalSocket(const QByteArray &, bool)
{
    return true;
}

}  // namespace sonde::app
