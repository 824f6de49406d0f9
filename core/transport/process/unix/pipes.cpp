// SPDX-License-Identifier: Apache-2.0
#include "core/transport/process/unix/pipes.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>

namespace sonde {

namespace {

void makeNonBlocking(const UniqueFd &fd)
{
    ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
}

// A pipe numbered 0, 1 or 2 would be destroyed in the child, when its streams are put in their places.
void occupyStandardNumbers()
{
    int fd = 0;
    do {
        fd = ::open("/dev/null", O_RDWR);
    } while (fd >= 0 && fd <= 2);
    if (fd > 2)
        ::close(fd);
}

}  // namespace

void UniqueFd::reset(int fd)
{
    if (m_fd >= 0)
        ::close(m_fd);
    m_fd = fd;
}

bool makePipe(UniqueFd *readEnd, UniqueFd *writeEnd)
{
    occupyStandardNumbers();
    int ends[2];
#ifdef Q_OS_LINUX
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return false;
#else
    if (::pipe(ends) != 0)
        return false;
    for (const int fd : ends)
        ::fcntl(fd, F_SETFD, FD_CLOEXEC);
#endif
    readEnd->reset(ends[0]);
    writeEnd->reset(ends[1]);
    return true;
}

PipeSource::PipeSource(UniqueFd fd) : m_fd(std::move(fd)), m_notifier(m_fd.get(), QSocketNotifier::Read)
{
    makeNonBlocking(m_fd);
    m_notifier.setEnabled(false);
    connect(&m_notifier, &QSocketNotifier::activated, this, &ByteSource::readable);
}

qint64 PipeSource::read(char *data, qint64 maxBytes)
{
    ssize_t got = 0;
    do {
        got = ::read(m_fd.get(), data, size_t(maxBytes));
    } while (got < 0 && errno == EINTR);
    if (got > 0)
        return got;
    return got < 0 && errno == EAGAIN ? 0 : AtEnd;
}

qint64 PipeSource::bytesAvailable() const
{
    int waiting = 0;
    return ::ioctl(m_fd.get(), FIONREAD, &waiting) == 0 ? waiting : 0;
}

PipeSink::PipeSink(UniqueFd fd) : m_fd(std::move(fd)), m_notifier(m_fd.get(), QSocketNotifier::Write)
{
    makeNonBlocking(m_fd);
    m_notifier.setEnabled(false);
    connect(&m_notifier, &QSocketNotifier::activated, this, &ByteSink::writable);
}

qint64 PipeSink::write(std::span<const QByteArrayView> parts)
{
    // Joining them would copy a message of any size.
    std::array<iovec, MaxParts> vectors;
    const size_t count = std::min(parts.size(), MaxParts);
    std::transform(parts.begin(), parts.begin() + ptrdiff_t(count), vectors.begin(), [](QByteArrayView part) {
        return iovec{const_cast<char *>(part.data()), size_t(part.size())};
    });
    ssize_t taken = 0;
    do {
        taken = ::writev(m_fd.get(), vectors.data(), int(count));
    } while (taken < 0 && errno == EINTR);
    if (taken >= 0)
        return taken;
    return errno == EAGAIN ? 0 : Broken;
}

void PipeSink::close()
{
    m_notifier.setEnabled(false);
    m_fd.reset();
}

}  // namespace sonde
