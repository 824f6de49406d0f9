// SPDX-License-Identifier: Apache-2.0
#include "core/session/sessionfile.h"

#include "core/files/fileops.h"

#include <QCoreApplication>
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

}  // namespace

SessionFile::SessionFile(QString path, int number, std::shared_ptr<FileOps> calls)
    : m_path(std::move(path)), m_calls(std::move(calls)), m_file(number)
{}

SessionFile::~SessionFile()
{
    m_calls->close(m_file);
}

Result<std::shared_ptr<SessionFile>> SessionFile::create(const QString &path, std::shared_ptr<FileOps> calls)
{
    // A file that may not grow any more (ulimit -f) must be an error, not our end.
#ifdef SIGXFSZ
    std::signal(SIGXFSZ, SIG_IGN);
#endif
    if (!calls)
        calls = std::make_shared<FileOps>();
    const int number = calls->create(path);
    if (number < 0) {
        const int code = errno;
        Error error = fileError(
            QCoreApplication::translate("sonde::SessionFile", "The session file '%1' could not be created: %2")
                .arg(path, u"%1"),
            code);
        error.hint.clear();  // without a file nothing goes on by itself
        return error;
    }
    calls->lock(number);
    return std::shared_ptr<SessionFile>(new SessionFile(path, number, std::move(calls)));
}

Result<std::shared_ptr<SessionFile>> SessionFile::open(const QString &path, std::shared_ptr<FileOps> calls)
{
    if (!calls)
        calls = std::make_shared<FileOps>();
    const int number = calls->open(path);
    if (number < 0) {
        const int code = errno;
        return fileError(
            QCoreApplication::translate("sonde::SessionFile", "'%1' could not be opened: %2").arg(path, u"%1"), code);
    }
    std::shared_ptr<SessionFile> file(new SessionFile(path, number, std::move(calls)));
    file->m_size = file->m_calls->size(number);
    return file;
}

Error SessionFile::append(QByteArrayView bytes)
{
    while (!bytes.isEmpty()) {
        const qint64 written = m_calls->write(m_file, bytes.data(), size_t(bytes.size()));
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
    if (m_calls->truncate(m_file, size) == 0)
        m_size = size;
}

qsizetype SessionFile::read(qint64 offset, char *buffer, qsizetype length, bool *failed) const
{
    qsizetype done = 0;
    while (done < length) {
        const qint64 count = m_calls->read(m_file, buffer + done, size_t(length - done), offset + done);
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
    while (m_calls->sync(m_file) != 0) {
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
    m_calls->unlock(m_file);
}

bool SessionFile::isAt(const QString &path) const
{
    return m_calls->isAt(m_file, path);
}

qint64 SessionFile::freeBytes() const
{
    return m_calls->freeBytes(m_file);
}

bool SessionFile::isBeingWritten() const
{
    return m_calls->isLockedElsewhere(m_file);
}

}  // namespace sonde
