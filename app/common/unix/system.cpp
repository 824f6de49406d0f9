// SPDX-License-Identifier: Apache-2.0
#include "app/common/system.h"

#include <QByteArray>

#include <fcntl.h>
#include <malloc.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace sonde::app {

bool isTerminal(StandardStream stream)
{
    return ::isatty(int(stream)) == 1;
}

int terminalColumns(StandardStream stream)
{
    winsize size{};
    return ::ioctl(int(stream), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void occupyClosedStreams()
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
        if (::fcntl(stream, F_GETFD) < 0)
            (void)::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

void ignoreBrokenPipes()
{
    std::signal(SIGPIPE, SIG_IGN);
}

void ignoreTermination()
{
    std::signal(SIGTERM, SIG_IGN);
}

void crash()
{
    const rlimit noCore{0, 0};
    setrlimit(RLIMIT_CORE, &noCore);
    std::abort();
}

void returnFreedMemory()
{
    // By itself the C library raises this bound to 32 MiB with what is freed.
    ::mallopt(M_MMAP_THRESHOLD, 1024 * 1024);
}

bool canConnectToLocalSocket(const QByteArray &path, bool isAbstract)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const size_t start = isAbstract ? 1 : 0;
    if (size_t(path.size()) + start >= sizeof(address.sun_path))
        return false;
    memcpy(address.sun_path + start, path.constData(), size_t(path.size()));
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return false;
    const auto length = socklen_t(offsetof(sockaddr_un, sun_path) + start + size_t(path.size()));
    const bool ok = ::connect(fd, reinterpret_cast<const sockaddr *>(&address), length) == 0;
    ::close(fd);
    return ok;
}

}  // namespace sonde::app
