// SPDX-License-Identifier: Apache-2.0
#include "core/files/filelock.h"

#include <QLockFile>

namespace sonde {

class FileLock::Private {
public:
    explicit Private(const QString &path) : lock(path) {}
    QLockFile lock;
};

FileLock::FileLock(const QString &path) : d(std::make_unique<Private>(path))
{
    d->lock.lock();
}

FileLock::~FileLock() = default;

}  // namespace sonde
