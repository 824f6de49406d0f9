// SPDX-License-Identifier: Apache-2.0
#include "core/files/filelock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <QDeadlineTimer>
#include <QFile>
#include <QThread>
#include <cerrno>

namespace sonde {

namespace {

constexpr int PollMs = 2;

}  // namespace

class FileLock::Private {
public:
    int file = -1;
    bool isHeldElsewhere = false;
};

FileLock::FileLock(const QString &path, std::chrono::milliseconds patience) : d(std::make_unique<Private>())
{
    d->file = ::open(QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    const QDeadlineTimer deadline(patience);
    while (d->file >= 0 && ::flock(d->file, LOCK_EX | LOCK_NB) != 0) {
        d->isHeldElsewhere = errno == EWOULDBLOCK && deadline.hasExpired();
        if (d->isHeldElsewhere || (errno != EWOULDBLOCK && errno != EINTR))
            break;
        QThread::msleep(PollMs);
    }
}

FileLock::~FileLock()
{
    if (d->file >= 0)
        ::close(d->file);
}

bool FileLock::isHeldElsewhere() const
{
    return d->isHeldElsewhere;
}

}  // namespace sonde
