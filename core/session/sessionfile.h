// The file of a session as a sequence of bytes: created once, appended to by one writer, read by anybody.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"

#include <QByteArray>
#include <QString>
#include <atomic>
#include <memory>

namespace sonde {

class FileOps;

// Holds a lock while it writes, so that others can tell a file that is being written.
class SessionFile {
public:
    // Must not exist yet. Mode 0600 whatever the umask would allow.
    static Result<std::shared_ptr<SessionFile>> create(const QString &path, std::shared_ptr<FileOps> calls = {});
    static Result<std::shared_ptr<SessionFile>> open(const QString &path, std::shared_ptr<FileOps> calls = {});
    ~SessionFile();
    SessionFile(const SessionFile &) = delete;
    SessionFile &operator=(const SessionFile &) = delete;

    const QString &path() const { return m_path; }
    qint64 size() const { return m_size; }  // when opened, and what was appended since

    // All of it, in as few writes as the system allows. After an Error size() tells how far it came.
    Error append(QByteArrayView bytes);
    // Takes back what a failed append left behind.
    void truncate(qint64 size);
    // Up to length bytes; fewer at the end of the file or when it cannot be read, which sets *failed.
    qsizetype read(qint64 offset, char *buffer, qsizetype length, bool *failed = nullptr) const;
    QByteArray read(qint64 offset, qsizetype length) const;
    // To the disk. Slow; may be called from any thread.
    Error sync();
    // Gives up the writer's lock before the file is closed.
    void release();
    bool isAt(const QString &path) const;  // whether that leads to this file, through whatever link
    bool isStillAtPath() const { return isAt(m_path); }
    qint64 freeBytes() const;  // on its disk; -1 when it cannot be told
    // Somebody else, in this process or another one, holds the writer's lock.
    bool isBeingWritten() const;

private:
    SessionFile(QString path, int number, std::shared_ptr<FileOps> calls);

    QString m_path;
    std::shared_ptr<FileOps> m_calls;
    int m_file = -1;                 // of the calls
    std::atomic<qint64> m_size = 0;  // a large record is appended by another thread
};

}  // namespace sonde
