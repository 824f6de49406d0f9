// SPDX-License-Identifier: Apache-2.0
#include "core/session/recordlist.h"

#include <atomic>

namespace sonde {

void RecordList::append(const RecordInfo &record)
{
    const qsizetype place = m_size % BlockRows;
    if (place == 0)
        m_blocks.push_back(std::make_shared<Block>());
    // A copy of the list that shares this block does not look beyond its own rows.
    (*m_blocks.back())[size_t(place)] = record;
    ++m_size;
}

void RecordList::set(qsizetype row, const RecordInfo &record)
{
    std::shared_ptr<Block> &block = m_blocks[size_t(row / BlockRows)];
    const bool isShared = block.use_count() > 1;
    std::atomic_thread_fence(std::memory_order_acquire);  // the copy that let go of it has read what was there
    if (isShared)
        block = std::make_shared<Block>(*block);
    (*block)[size_t(row % BlockRows)] = record;
}

void RecordList::clear()
{
    m_blocks.clear();
    m_size = 0;
}

}  // namespace sonde
