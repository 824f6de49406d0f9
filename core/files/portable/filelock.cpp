// SPDX-License-Identifier: Apache-2.0
#include "core/files/filelock.h"

#include "core/files/filelimits.h"
#include "core/files/readfile.h"

#include <QLockFile>

namespace sonde {

class FileLock::Private {
public:
    explicit Private(const QString &path) : lock(path) {}
    QLockFile lock;
    bool isHeldElsewhere = false;
};

FileLock::FileLock(const QString &path, std::chrono::milliseconds patience) : d(std::make_unique<Private>(path))
{
    // QLockFile reads what is there.
    if (problemOfFile(path, filelimits::Lock))
        return;
    d->lock.setStaleLockTime(0);  // a holder that lives may take its time; one that died is known by its number
    d->isHeldElsewhere = !d->lock.tryLock(int(patience.count())) && d->lock.error() == QLockFile::LockFailedError;
}

FileLock::~FileLock() = default;

bool FileLock::isHeldElsewhere() const
{
    return d->isHeldElsewhere;
}

}  // namespace sonde
