// The system calls a session file is made of, behind an interface so that each of them can be made to fail.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

namespace sonde {

// Each answers -1 with errno set, as the call it stands for. sync() may be called from another thread.
class FileOps {
public:
    virtual ~FileOps();
    virtual int open(const char *path, int flags, unsigned mode);
    virtual qint64 write(int descriptor, const void *data, size_t size);
    virtual qint64 read(int descriptor, void *data, size_t size, qint64 offset);
    virtual int sync(int descriptor);
    virtual int truncate(int descriptor, qint64 size);
    virtual qint64 freeBytes(int descriptor);  // on the disk it is on
};

}  // namespace sonde
