// SPDX-License-Identifier: Apache-2.0
#include "core/session/filecalls.h"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace sonde {

FileCalls::~FileCalls() = default;

int FileCalls::open(const char *path, int flags, unsigned mode)
{
    return ::open(path, flags, mode_t(mode));
}

qint64 FileCalls::write(int descriptor, const void *data, size_t size)
{
    return ::write(descriptor, data, size);
}

qint64 FileCalls::read(int descriptor, void *data, size_t size, qint64 offset)
{
    return ::pread(descriptor, data, size, offset);
}

int FileCalls::sync(int descriptor)
{
    return ::fdatasync(descriptor);
}

int FileCalls::truncate(int descriptor, qint64 size)
{
    return ::ftruncate(descriptor, size);
}

qint64 FileCalls::freeBytes(int descriptor)
{
    struct statvfs disk = {};
    return ::fstatvfs(descriptor, &disk) == 0 ? qint64(disk.f_bavail) * qint64(disk.f_frsize) : -1;
}

}  // namespace sonde
