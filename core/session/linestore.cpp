// SPDX-License-Identifier: Apache-2.0
#include "core/session/linestore.h"

#include <algorithm>
#include <utility>

namespace sonde {

namespace {
constexpr qsizetype StoreBlockSize = 4 * 1024 * 1024;
}

qint64 LineStore::append(QByteArrayView line)
{
    if (m_blocks.isEmpty() || m_blocks.constLast().bytes.capacity() - m_blocks.constLast().bytes.size() < line.size()) {
        Block block{m_size, {}};
        block.bytes.reserve(qMax(StoreBlockSize, line.size()));
        m_blocks.append(std::move(block));
    }
    const qint64 position = m_size;
    m_blocks.last().bytes.append(line);
    m_size += line.size();
    return position;
}

qint64 LineStore::adopt(QByteArray &&line)
{
    const qint64 position = m_size;
    m_size += line.size();
    if (line.capacity() > line.size() + line.size() / 4)
        line.squeeze();
    m_blocks.append({position, std::move(line)});
    return position;
}

QByteArrayView LineStore::read(qint64 position, qsizetype length) const
{
    auto block = std::upper_bound(m_blocks.cbegin(), m_blocks.cend(), position,
                                  [](qint64 wanted, const Block &candidate) { return wanted < candidate.position; });
    if (block == m_blocks.cbegin())
        return {};
    --block;
    return QByteArrayView(block->bytes).sliced(qsizetype(position - block->position), length);
}

}  // namespace sonde
