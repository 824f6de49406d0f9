// SPDX-License-Identifier: Apache-2.0
#include "core/files/fileops.h"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace sonde {

FileOps::~FileOps() = default;

int FileOps::open(const char *path, int flags, unsigned mode)
{
    return ::open(path, flags, mode_t(mode));
}

qint64 FileOps::write(int descriptor, const void *data, size_t size)
{
    return ::write(descriptor, data, size);
}

qint64 FileOps::read(int descriptor, void *data, size_t size, qint64 offset)
{
    return ::pread(descriptor, data, size, offset);
}

int FileOps::sync(int descriptor)
{
    return ::fdatasync(descriptor);
}

int FileOps::truncate(int descriptor, qint64 size)
{
    return ::ftruncate(descriptor, size);
}

qint64 FileOps::freeBytes(int descriptor)
{
    struct statvfs disk = {};
    return ::fstatvfs(descriptor, &disk) == 0 ? qint64(disk.f_bavail) * qint64(disk.f_frsize) : -1;
}

}  // namespace sonde
