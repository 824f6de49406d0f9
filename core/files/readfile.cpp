// SPDX-License-Identifier: Apache-2.0
#include "core/files/readfile.h"

#include "core/files/filelimits.h"
#include "core/files/fileops.h"
#include "core/files/texts.h"
#include "core/protocol/visibletext.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

namespace fs = std::filesystem;

constexpr qint64 ChunkSize = 256 * 1024;

// A path may hold what moves the cursor of a terminal.
QString shownPath(const QString &path)
{
    return path == u"-" ? FilesText::tr("Standard input") : visibleLine(path, -1);
}

Error failure(const QString &path, int code)
{
    Error error = Error::local(FilesText::tr("%1 cannot be read: %2.").arg(shownPath(path), qt_error_string(code)));
    error.code = code;
    return error;
}

QString limitText(qint64 bytes)
{
    return bytes % filelimits::MiB == 0 ? FilesText::tr("%1 MiB").arg(bytes / filelimits::MiB)
                                        : FilesText::tr("%1 bytes").arg(bytes);
}

Error tooLarge(const QString &path, qint64 maxBytes)
{
    return Error::local(FilesText::tr("%1 is larger than %2.").arg(shownPath(path), limitText(maxBytes)),
                        FilesText::tr("Check that it is the right file."));
}

fs::file_type typeOf(const QString &path)
{
    std::error_code ignored;
    return fs::status(QFileInfo(path).filesystemFilePath(), ignored).type();
}

QString nameOf(fs::file_type type)
{
    switch (type) {
        case fs::file_type::directory:
            return FilesText::tr("a folder");
        case fs::file_type::fifo:
            return FilesText::tr("a named pipe");
        case fs::file_type::socket:
            return FilesText::tr("a socket");
        case fs::file_type::character:
        case fs::file_type::block:
            return FilesText::tr("a device");
        default:
            return FilesText::tr("something else");
    }
}

bool isRefused(fs::file_type type)
{
    // Of what cannot be looked at, opening it says why.
    const bool isKnown =
        type != fs::file_type::not_found && type != fs::file_type::none && type != fs::file_type::unknown;
    return isKnown && type != fs::file_type::regular;
}

Error notOrdinary(const QString &path, fs::file_type type)
{
    return Error::local(
        FilesText::tr("%1 cannot be read: it is %2, not an ordinary file.").arg(shownPath(path), nameOf(type)),
        FilesText::tr("Put an ordinary file in its place."));
}

// An open file, for as long as it is read.
class OpenFile {
public:
    explicit OpenFile(const QString &path) : m_number(m_ops.open(path)), m_code(m_number < 0 ? errno : 0) {}
    ~OpenFile()
    {
        if (m_number >= 0)
            m_ops.close(m_number);
    }
    Q_DISABLE_COPY_MOVE(OpenFile)

    int code() const { return m_code; }  // why it is not open, or could not be read
    qint64 size() { return m_ops.size(m_number); }

    // Up to that many bytes, whatever the size of the file is said to be: some grow, and those of /proc have none.
    QByteArray read(qint64 offset, qint64 maxBytes)
    {
        QByteArray bytes;
        while (bytes.size() < maxBytes && m_code == 0) {
            const qsizetype done = bytes.size();
            bytes.resize(done + std::min(ChunkSize, maxBytes - done));
            const qint64 count = m_ops.read(m_number, bytes.data() + done, size_t(bytes.size() - done), offset + done);
            m_code = count < 0 && errno != EINTR ? errno : 0;
            bytes.resize(done + std::max<qint64>(count, 0));
            if (count == 0)
                break;
        }
        return bytes;
    }

private:
    FileOps m_ops;
    int m_number;
    int m_code;
};

}  // namespace

Result<QByteArray> readFile(const QString &path, qint64 maxBytes, IfLarger ifLarger)
{
    // Before it is opened: that alone can make a device do something.
    if (const fs::file_type type = typeOf(path); isRefused(type))
        return notOrdinary(path, type);
    OpenFile file(path);
    if (file.code() != 0)
        return failure(path, file.code());
    const qint64 offset = ifLarger == IfLarger::ReadEnd ? std::max<qint64>(0, file.size() - maxBytes) : 0;
    if (ifLarger == IfLarger::Refuse && file.size() > maxBytes)
        return tooLarge(path, maxBytes);
    const QByteArray bytes = file.read(offset, ifLarger == IfLarger::Refuse ? maxBytes + 1 : maxBytes);
    if (file.code() != 0)
        return failure(path, file.code());
    if (bytes.size() > maxBytes)
        return tooLarge(path, maxBytes);
    return bytes;
}

bool isFileMissing(const Error &error)
{
    return error.kind == Error::Kind::Local && (error.code == ENOENT || error.code == ENOTDIR);
}

Error problemOfFile(const QString &path, qint64 maxBytes)
{
    if (const fs::file_type type = typeOf(path); isRefused(type))
        return notOrdinary(path, type);
    return QFileInfo(path).size() > maxBytes ? tooLarge(path, maxBytes) : Error();
}

Result<QByteArray> readFileOrPipe(const QString &path, qint64 maxBytes)
{
    const bool isStandardInput = path == u"-";
    if (const fs::file_type type = typeOf(path); !isStandardInput && type != fs::file_type::fifo)
        return readFile(path, maxBytes);
    QFile file(path);
    if (isStandardInput ? !file.open(stdin, QIODevice::ReadOnly) : !file.open(QIODevice::ReadOnly))
        return failure(path, errno);
    QByteArray bytes;
    while (bytes.size() <= maxBytes) {
        const QByteArray chunk = file.read(std::min(ChunkSize, maxBytes + 1 - bytes.size()));
        if (chunk.isEmpty())
            break;
        bytes += chunk;
    }
    if (file.error() != QFileDevice::NoError)
        return Error::local(FilesText::tr("%1 cannot be read: %2.").arg(shownPath(path), file.errorString()));
    if (bytes.size() > maxBytes)
        return tooLarge(path, maxBytes);
    return bytes;
}

}  // namespace sonde
