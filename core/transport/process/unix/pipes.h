// Pipes to and from a child process, whose ends are never handed to other children by accident.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/process/bytechannel.h"

#include <QSocketNotifier>
#include <memory>
#include <utility>

namespace sonde {

// Owner of a file descriptor.
class UniqueFd {
public:
    UniqueFd() = default;
    explicit UniqueFd(int fd) : m_fd(fd) {}
    UniqueFd(UniqueFd &&other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
    UniqueFd &operator=(UniqueFd &&other) noexcept
    {
        if (this != &other)
            reset(std::exchange(other.m_fd, -1));
        return *this;
    }
    ~UniqueFd() { reset(); }

    int get() const { return m_fd; }
    bool isOpen() const { return m_fd >= 0; }
    void reset(int fd = -1);

private:
    int m_fd = -1;
};

// Both ends close on exec. False, with errno set: there are none left.
bool makePipe(UniqueFd *readEnd, UniqueFd *writeEnd);

// What is not read stays in the pipe, where it holds the writer back.
class PipeSource final : public ByteSource {
public:
    explicit PipeSource(UniqueFd fd);
    qint64 read(char *data, qint64 maxBytes) override;
    qint64 bytesAvailable() const override;
    void setNotifying(bool isNotifying) override { m_notifier.setEnabled(isNotifying); }

private:
    UniqueFd m_fd;
    QSocketNotifier m_notifier;
};

class PipeSink final : public ByteSink {
public:
    explicit PipeSink(UniqueFd fd);
    qint64 write(std::span<const QByteArrayView> parts) override;
    void setNotifying(bool isNotifying) override { m_notifier.setEnabled(isNotifying); }
    void close() override;

private:
    UniqueFd m_fd;
    QSocketNotifier m_notifier;
};

}  // namespace sonde
