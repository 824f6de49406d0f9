// SPDX-License-Identifier: Apache-2.0
#include "core/files/fileops.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <QFile>
#include <cerrno>

namespace sonde {

namespace {

struct flock wholeFile(short type)
{
    struct flock lock = {};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    return lock;
}

}  // namespace

FileOps::~FileOps() = default;

int FileOps::create(const QString &path)
{
    return ::open(QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
}

int FileOps::open(const QString &path)
{
    // O_NONBLOCK so that a pipe put in the file's place cannot hold us up.
    const int file = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return -1;
    struct stat status = {};
    const bool isKnown = ::fstat(file, &status) == 0;
    const int code = !isKnown ? errno : S_ISREG(status.st_mode) ? 0 : S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    if (code == 0)
        return file;
    ::close(file);
    errno = code;
    return -1;
}

qint64 FileOps::write(int file, const void *data, size_t size)
{
    return ::write(file, data, size);
}

qint64 FileOps::read(int file, void *data, size_t size, qint64 offset)
{
    return ::pread(file, data, size, offset);
}

int FileOps::sync(int file)
{
    return ::fdatasync(file);
}

int FileOps::truncate(int file, qint64 size)
{
    return ::ftruncate(file, size);
}

qint64 FileOps::freeBytes(int file)
{
    struct statvfs disk = {};
    return ::fstatvfs(file, &disk) == 0 ? qint64(disk.f_bavail) * qint64(disk.f_frsize) : -1;
}

void FileOps::close(int file)
{
    ::close(file);
}

qint64 FileOps::size(int file)
{
    struct stat status = {};
    return ::fstat(file, &status) == 0 ? qint64(status.st_size) : -1;
}

bool FileOps::isAt(int file, const QString &path)
{
    struct stat ours = {};
    struct stat there = {};
    return ::fstat(file, &ours) == 0 && ::stat(QFile::encodeName(path).constData(), &there) == 0 &&
           ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

void FileOps::lock(int file)
{
    struct flock lock = wholeFile(F_WRLCK);
    (void)::fcntl(file, F_OFD_SETLK, &lock);
}

void FileOps::unlock(int file)
{
    struct flock lock = wholeFile(F_UNLCK);
    (void)::fcntl(file, F_OFD_SETLK, &lock);
}

bool FileOps::isLockedElsewhere(int file)
{
    struct flock lock = wholeFile(F_RDLCK);
    return ::fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type == F_WRLCK;
}

}  // namespace sonde
