// SPDX-License-Identifier: Apache-2.0
#include "core/session/sessionfile.h"

#include "core/files/fileops.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <QCoreApplication>
#include <QFile>
#include <cerrno>
#include <csignal>

namespace sonde {

namespace {

Error fileError(const QString &sentence, int code)
{
    Error error = Error::local(sentence.arg(qt_error_string(code)));
    error.code = code;
    if (code == ENOSPC || code == EDQUOT)
        error.hint =
            QCoreApplication::translate("sonde::SessionFile", "Free some disk space; recording resumes automatically.");
    return error;
}

struct flock wholeFile(short type)
{
    struct flock lock = {};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    return lock;
}

}  // namespace

SessionFile::SessionFile(QString path, int descriptor, std::shared_ptr<FileOps> calls)
    : m_path(std::move(path)), m_calls(std::move(calls)), m_descriptor(descriptor)
{}

SessionFile::~SessionFile()
{
    ::close(m_descriptor);
}

Result<std::shared_ptr<SessionFile>> SessionFile::create(const QString &path, std::shared_ptr<FileOps> calls)
{
    // A file that may not grow any more (ulimit -f) must be an error, not our end.
    ::signal(SIGXFSZ, SIG_IGN);
    if (!calls)
        calls = std::make_shared<FileOps>();
    const int descriptor =
        calls->open(QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
    if (descriptor < 0) {
        const int code = errno;
        Error error = fileError(
            QCoreApplication::translate("sonde::SessionFile", "The session file '%1' could not be created: %2")
                .arg(path, u"%1"),
            code);
        error.hint.clear();  // without a file nothing goes on by itself
        return error;
    }
    // A file system without locks costs others the hint that the file is being written, nothing more.
    struct flock lock = wholeFile(F_WRLCK);
    (void)::fcntl(descriptor, F_OFD_SETLK, &lock);
    return std::shared_ptr<SessionFile>(new SessionFile(path, descriptor, std::move(calls)));
}

Result<std::shared_ptr<SessionFile>> SessionFile::open(const QString &path, std::shared_ptr<FileOps> calls)
{
    if (!calls)
        calls = std::make_shared<FileOps>();
    // O_NONBLOCK so that a pipe put in the file's place cannot hold us up.
    const int descriptor =
        calls->open(QFile::encodeName(path).constData(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0);
    struct stat status = {};
    const bool failed = descriptor < 0 || ::fstat(descriptor, &status) != 0;
    const int code = failed ? errno : S_ISREG(status.st_mode) ? 0 : S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    if (code != 0) {
        if (descriptor >= 0)
            ::close(descriptor);
        return fileError(
            QCoreApplication::translate("sonde::SessionFile", "'%1' could not be opened: %2").arg(path, u"%1"), code);
    }
    std::shared_ptr<SessionFile> file(new SessionFile(path, descriptor, std::move(calls)));
    file->m_size = status.st_size;
    return file;
}

Error SessionFile::append(QByteArrayView bytes)
{
    while (!bytes.isEmpty()) {
        const qint64 written = m_calls->write(m_descriptor, bytes.data(), size_t(bytes.size()));
        if (written > 0) {
            m_size += written;
            bytes = bytes.sliced(qsizetype(written));
            continue;
        }
        const int code = written < 0 ? errno : EIO;  // a write of nothing would never end
        if (written < 0 && code == EINTR)
            continue;
        return fileError(QCoreApplication::translate("sonde::SessionFile", "The session file could not be written: %1"),
                         code);
    }
    return {};
}

void SessionFile::truncate(qint64 size)
{
    if (m_calls->truncate(m_descriptor, size) == 0)
        m_size = size;
}

qsizetype SessionFile::read(qint64 offset, char *buffer, qsizetype length, bool *failed) const
{
    qsizetype done = 0;
    while (done < length) {
        const qint64 count = m_calls->read(m_descriptor, buffer + done, size_t(length - done), offset + done);
        if (count > 0) {
            done += qsizetype(count);
            continue;
        }
        if (count < 0 && errno == EINTR)
            continue;
        if (failed)
            *failed = count < 0;
        break;
    }
    return done;
}

QByteArray SessionFile::read(qint64 offset, qsizetype length) const
{
    QByteArray bytes(length, Qt::Uninitialized);
    bytes.truncate(read(offset, bytes.data(), length));
    return bytes;
}

Error SessionFile::sync()
{
    while (m_calls->sync(m_descriptor) != 0) {
        const int code = errno;
        if (code == EINTR)
            continue;
        return fileError(
            QCoreApplication::translate("sonde::SessionFile", "The session file could not be flushed to disk: %1"),
            code);
    }
    return {};
}

void SessionFile::release()
{
    struct flock lock = wholeFile(F_UNLCK);
    (void)::fcntl(m_descriptor, F_OFD_SETLK, &lock);
}

qint64 SessionFile::modifiedNs() const
{
    struct stat status = {};
    if (::fstat(m_descriptor, &status) != 0)
        return 0;
    return qint64(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec;
}

bool SessionFile::isAt(const QString &path) const
{
    struct stat ours = {};
    struct stat there = {};
    return ::fstat(m_descriptor, &ours) == 0 && ::stat(QFile::encodeName(path).constData(), &there) == 0 &&
           ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

qint64 SessionFile::freeBytes() const
{
    return m_calls->freeBytes(m_descriptor);
}

bool SessionFile::isBeingWritten() const
{
    struct flock lock = wholeFile(F_RDLCK);
    return ::fcntl(m_descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type == F_WRLCK;
}

}  // namespace sonde
