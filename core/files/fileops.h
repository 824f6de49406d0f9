// What the system does for a session's file, behind an interface so that each of it can be made to fail.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace sonde {

// Implemented in unix/, and in portable/ with Qt alone; the CMake option SONDE_UNIX chooses one. What fails returns -1
// with errno set. A file is known by a number. Functions may be called from several threads at once.
class FileOps {
public:
    virtual ~FileOps();
    // A new file to append to, mode 0600 whatever the umask.
    virtual int create(const QString &path);
    // An ordinary file to read; nothing else is opened or waited for.
    virtual int open(const QString &path);
    virtual qint64 write(int file, const void *data, size_t size);
    virtual qint64 read(int file, void *data, size_t size, qint64 offset);
    virtual int sync(int file);  // its data to the disk
    virtual int truncate(int file, qint64 size);
    virtual qint64 freeBytes(int file);  // on the disk it is on

    void close(int file);
    qint64 size(int file);
    bool isAt(int file, const QString &path);  // whether that leads to this file, through whatever link
    // Of the one that writes. The lock goes with its holder, however that ends. A file system without locks costs
    // others the hint that the file is being written, nothing more.
    void lock(int file);
    void unlock(int file);
    bool isLockedElsewhere(int file);  // through another number, in this process or another one
};

}  // namespace sonde
