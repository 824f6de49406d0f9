// SPDX-License-Identifier: Apache-2.0
#include "core/files/filelock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <QFile>
#include <cerrno>

namespace sonde {

class FileLock::Private {
public:
    int file = -1;
};

FileLock::FileLock(const QString &path) : d(std::make_unique<Private>())
{
    d->file = ::open(QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    while (d->file >= 0 && ::flock(d->file, LOCK_EX) != 0 && errno == EINTR) {
    }
}

FileLock::~FileLock()
{
    if (d->file >= 0)
        ::close(d->file);
}

}  // namespace sonde
