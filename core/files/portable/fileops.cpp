// With Qt alone: nothing is brought to the disk before the system does it by itself, and a file that was moved is not
// found again.
// SPDX-License-Identifier: Apache-2.0
#include "core/files/fileops.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QLockFile>
#include <QMutex>
#include <QStorageInfo>
#include <cerrno>
#include <filesystem>
#include <memory>

namespace sonde {

namespace {

// QFile has one position, which all threads share.
struct PortableFile {
    explicit PortableFile(const QString &path) : file(path) {}
    QMutex mutex;
    QFile file;
    QDateTime born;
    std::unique_ptr<QLockFile> lock;
};

class PortableFiles {
public:
    int add(std::shared_ptr<PortableFile> file)
    {
        const QMutexLocker locker(&m_mutex);
        file->born = QFileInfo(file->file).birthTime();
        m_files.insert(++m_last, std::move(file));
        return m_last;
    }
    std::shared_ptr<PortableFile> find(int number)
    {
        const QMutexLocker locker(&m_mutex);
        return m_files.value(number);
    }
    void remove(int number)
    {
        const QMutexLocker locker(&m_mutex);
        m_files.remove(number);
    }

private:
    QMutex m_mutex;
    QHash<int, std::shared_ptr<PortableFile>> m_files;
    int m_last = 0;
};
Q_GLOBAL_STATIC(PortableFiles, portableFiles)

// QFile leaves what the system said where there is something to say.
int failed(const QFile &file)
{
    if (errno == 0)
        errno = file.error() == QFileDevice::ResourceError ? ENOSPC : EIO;
    return -1;
}

int openFile(const QString &path, QIODevice::OpenMode mode)
{
    const auto made = std::make_shared<PortableFile>(path);
    errno = 0;
    if (made->file.open(mode | QIODevice::Unbuffered, QFileDevice::ReadOwner | QFileDevice::WriteOwner))
        return portableFiles->add(made);
    if ((mode & QIODevice::NewOnly) && QFileInfo::exists(path))
        errno = EEXIST;
    return failed(made->file);
}

// Elsewhere than beside the file, where people would wonder what it is.
QString lockPath(const QString &path)
{
    const QByteArray name = QFileInfo(path).canonicalFilePath().toUtf8();
    return QDir::temp().filePath(QStringLiteral("sonde-") +
                                 QString::fromLatin1(QCryptographicHash::hash(name, QCryptographicHash::Sha1).toHex()) +
                                 QStringLiteral(".lock"));
}

}  // namespace

FileOps::~FileOps() = default;

int FileOps::create(const QString &path)
{
    return openFile(path, QIODevice::ReadWrite | QIODevice::Append | QIODevice::NewOnly);
}

int FileOps::open(const QString &path)
{
    const QFileInfo info(path);
    if (info.exists() && !info.isFile()) {
        errno = info.isDir() ? EISDIR : EINVAL;
        return -1;
    }
    return openFile(path, QIODevice::ReadOnly);
}

qint64 FileOps::write(int file, const void *data, size_t size)
{
    const auto at = portableFiles->find(file);
    const QMutexLocker locker(&at->mutex);
    errno = 0;
    const qint64 written =
        at->file.seek(at->file.size()) ? at->file.write(static_cast<const char *>(data), qint64(size)) : -1;
    return written < 0 ? failed(at->file) : written;
}

qint64 FileOps::read(int file, void *data, size_t size, qint64 offset)
{
    const auto at = portableFiles->find(file);
    const QMutexLocker locker(&at->mutex);
    errno = 0;
    const qint64 count = at->file.seek(offset) ? at->file.read(static_cast<char *>(data), qint64(size)) : -1;
    return count < 0 ? failed(at->file) : count;
}

int FileOps::sync(int)
{
    return 0;
}

int FileOps::truncate(int file, qint64 size)
{
    const auto at = portableFiles->find(file);
    const QMutexLocker locker(&at->mutex);
    errno = 0;
    return at->file.resize(size) ? 0 : failed(at->file);
}

qint64 FileOps::freeBytes(int file)
{
    return QStorageInfo(QFileInfo(portableFiles->find(file)->file).absolutePath()).bytesAvailable();
}

void FileOps::close(int file)
{
    portableFiles->remove(file);
}

qint64 FileOps::size(int file)
{
    const auto at = portableFiles->find(file);
    const QMutexLocker locker(&at->mutex);
    return at->file.size();
}

bool FileOps::isAt(int file, const QString &path)
{
    const auto at = portableFiles->find(file);
    const QFileInfo ours(at->file.fileName());
    std::error_code error;
    return std::filesystem::equivalent(ours.filesystemFilePath(), QFileInfo(path).filesystemFilePath(), error) &&
           ours.birthTime() == at->born;
}

void FileOps::lock(int file)
{
    const auto at = portableFiles->find(file);
    at->lock = std::make_unique<QLockFile>(lockPath(at->file.fileName()));
    at->lock->setStaleLockTime(0);  // a recording may take days; it is stale when its process is gone
    at->lock->tryLock(0);
}

void FileOps::unlock(int file)
{
    portableFiles->find(file)->lock.reset();
}

bool FileOps::isLockedElsewhere(int file)
{
    const auto at = portableFiles->find(file);
    const QString path = lockPath(at->file.fileName());
    if ((at->lock && at->lock->isLocked()) || !QFileInfo::exists(path))
        return false;
    QLockFile lock(path);
    lock.setStaleLockTime(0);
    return !lock.tryLock(0) && lock.error() == QLockFile::LockFailedError;
}

}  // namespace sonde
