// SPDX-License-Identifier: Apache-2.0
#include "core/session/rowfile.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <QFile>
#include <cerrno>
#include <type_traits>

namespace sonde {

namespace {

static_assert(std::is_trivially_copyable_v<RecordInfo>, "rows are kept in the file as they are in memory");

constexpr size_t BlockBytes = RowFile::BlockRows * sizeof(RecordInfo);
constexpr qsizetype WindowBlocks = 1024;
constexpr size_t WindowBytes = WindowBlocks * BlockBytes;  // whole pages, whatever their size

bool writeAt(int descriptor, const char *from, size_t length, qint64 offset)
{
    while (length > 0) {
        const ssize_t written = ::pwrite(descriptor, from, length, offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        from += written;
        length -= size_t(written);
        offset += written;
    }
    return true;
}

}  // namespace

std::shared_ptr<RowFile> RowFile::create(const QString &folder)
{
    const QByteArray path = QFile::encodeName(folder);
    int descriptor = ::open(path.constData(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor < 0) {
        // Not every file system knows files without a name.
        QByteArray name = path + "/.rows-XXXXXX";
        descriptor = ::mkostemp(name.data(), O_CLOEXEC);
        if (descriptor >= 0)
            ::unlink(name.constData());
    }
    return descriptor < 0 ? nullptr : std::shared_ptr<RowFile>(new RowFile(descriptor));
}

RowFile::~RowFile()
{
    for (char *window : m_windows)
        ::munmap(window, WindowBytes);
    ::close(m_descriptor);
}

const RecordInfo *RowFile::append(const RecordInfo *rows)
{
    const RecordInfo *place = placeOf(m_blocks);
    if (!place ||
        !writeAt(m_descriptor, reinterpret_cast<const char *>(rows), BlockBytes, qint64(m_blocks) * qint64(BlockBytes)))
        return nullptr;
    ++m_blocks;
    return place;
}

bool RowFile::change(const RecordInfo *block, qsizetype row, const RecordInfo &record)
{
    const char *const at = reinterpret_cast<const char *>(block + row);
    for (size_t i = 0; i < m_windows.size(); ++i) {
        if (at >= m_windows[i] && at < m_windows[i] + WindowBytes)
            return writeAt(m_descriptor, reinterpret_cast<const char *>(&record), sizeof record,
                           qint64(i * WindowBytes) + (at - m_windows[i]));
    }
    return false;
}

// The view may reach beyond the end of the file, as long as nobody looks there.
const RecordInfo *RowFile::placeOf(qsizetype block)
{
    const auto window = size_t(block / WindowBlocks);
    if (window == m_windows.size()) {
        void *const view =
            ::mmap(nullptr, WindowBytes, PROT_READ, MAP_SHARED, m_descriptor, off_t(window) * off_t(WindowBytes));
        if (view == MAP_FAILED)
            return nullptr;
        m_windows.push_back(static_cast<char *>(view));
    }
    return reinterpret_cast<const RecordInfo *>(m_windows[window] + size_t(block % WindowBlocks) * BlockBytes);
}

}  // namespace sonde
