// SPDX-License-Identifier: Apache-2.0
#include "core/session/rowfile.h"

#include <type_traits>

namespace sonde {

namespace {

static_assert(std::is_trivially_copyable_v<RecordInfo>, "rows are kept in the file as they are in memory");

constexpr qint64 BlockBytes = RowFile::BlockRows * qint64(sizeof(RecordInfo));
constexpr qsizetype WindowBlocks = 1024;
constexpr qint64 WindowBytes = WindowBlocks * BlockBytes;  // whole pages, whatever their size

}  // namespace

std::shared_ptr<RowFile> RowFile::create(const QString &folder)
{
    std::shared_ptr<RowFile> made(new RowFile(folder + QStringLiteral("/.rows-XXXXXX")));
    if (!made->m_file.open())
        return nullptr;
    // Nobody needs its name, and without one it goes with the process, however that ends.
    QFile::remove(made->m_file.fileName());
    return made;
}

const RecordInfo *RowFile::append(const RecordInfo *rows)
{
    const RecordInfo *place = placeOf(m_blocks);
    if (!place || !writeAt(m_blocks * BlockBytes, rows, BlockRows))
        return nullptr;
    ++m_blocks;
    return place;
}

bool RowFile::change(const RecordInfo *block, qsizetype row, const RecordInfo &record)
{
    const uchar *const at = reinterpret_cast<const uchar *>(block + row);
    for (size_t i = 0; i < m_windows.size(); ++i) {
        if (at >= m_windows[i] && at < m_windows[i] + WindowBytes)
            return writeAt(qint64(i) * WindowBytes + (at - m_windows[i]), &record, 1);
    }
    return false;
}

bool RowFile::writeAt(qint64 offset, const RecordInfo *rows, qsizetype count)
{
    const qint64 length = count * qint64(sizeof(RecordInfo));
    return m_file.seek(offset) && m_file.write(reinterpret_cast<const char *>(rows), length) == length &&
           m_file.flush();
}

const RecordInfo *RowFile::placeOf(qsizetype block)
{
    const auto window = size_t(block / WindowBlocks);
    if (window == m_windows.size()) {
        // Takes no room on the disk before something is written there.
        const qint64 start = qint64(window) * WindowBytes;
        uchar *const view = m_file.resize(start + WindowBytes) ? m_file.map(start, WindowBytes) : nullptr;
        if (!view)
            return nullptr;
        m_windows.push_back(view);
    }
    return reinterpret_cast<const RecordInfo *>(m_windows[window] + (block % WindowBlocks) * BlockBytes);
}

}  // namespace sonde
