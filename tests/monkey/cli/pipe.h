// Both ends of a pipe, closed when nobody needs them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <unistd.h>
#include <QtGlobal>
#include <utility>

namespace sonde::monkey {

class Pipe {
public:
    Pipe()
    {
        if (::pipe2(m_ends, O_CLOEXEC) != 0)
            qFatal("no pipe");
    }
    ~Pipe()
    {
        closeEnd(0);
        closeEnd(1);
    }
    Q_DISABLE_COPY_MOVE(Pipe)

    int readEnd() const { return m_ends[0]; }
    int writeEnd() const { return m_ends[1]; }
    bool isOpen(int end) const { return m_ends[end] >= 0; }
    void closeEnd(int end)
    {
        if (m_ends[end] >= 0)
            ::close(std::exchange(m_ends[end], -1));
    }
    static void makeNonBlocking(int fd) { ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK); }

private:
    int m_ends[2] = {-1, -1};
};

}  // namespace sonde::monkey
