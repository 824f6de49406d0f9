// SPDX-License-Identifier: Apache-2.0
#include "core/session/recordlist.h"

#include <algorithm>
#include <atomic>

namespace sonde {

std::shared_ptr<RecordList::Block> RecordList::newBlock()
{
    auto block = std::make_shared<Block>();
    block->memory = std::make_unique<RecordInfo[]>(size_t(RowFile::BlockRows));
    block->rows = block->memory.get();
    return block;
}

void RecordList::append(const RecordInfo &record)
{
    const qsizetype place = m_size % RowFile::BlockRows;
    if (place == 0) {
        m_blocks.push_back(newBlock());
        constexpr auto kept = size_t(RowsInMemory / RowFile::BlockRows);
        if (!m_folder.isEmpty() && m_blocks.size() > kept + 1)
            moveToFile(m_blocks.size() - kept - 2);
    }
    // A copy of the list that shares this block does not look beyond its own rows.
    m_blocks.back()->memory[size_t(place)] = record;
    ++m_size;
}

// Into a block of ours alone, in memory.
RecordList::Block &RecordList::own(size_t at)
{
    std::shared_ptr<Block> &block = m_blocks[at];
    const bool isShared = block.use_count() > 1;
    std::atomic_thread_fence(std::memory_order_acquire);  // whoever gave it up has read what was there
    if (!isShared && block->memory)
        return *block;
    std::shared_ptr<Block> copy = newBlock();
    std::copy_n(block->rows, RowFile::BlockRows, copy->memory.get());
    if (!block->memory)
        m_inFile -= RowFile::BlockRows;
    block = std::move(copy);
    return *block;
}

void RecordList::set(qsizetype row, const RecordInfo &record)
{
    const auto at = size_t(row / RowFile::BlockRows);
    const qsizetype place = row % RowFile::BlockRows;
    const std::shared_ptr<Block> &block = m_blocks[at];
    if (!block->memory && block.use_count() == 1 && block->file->change(block->rows, place, record))
        return;
    own(at).memory[size_t(place)] = record;
}

void RecordList::moveToFile(size_t at)
{
    if (!m_file)
        m_file = RowFile::create(m_folder);
    const RecordInfo *const rows = m_file ? m_file->append(m_blocks[at]->rows) : nullptr;
    if (!rows)
        return;
    auto block = std::make_shared<Block>();
    block->rows = rows;
    block->file = m_file;
    m_blocks[at] = std::move(block);
    m_inFile += RowFile::BlockRows;
}

void RecordList::clear()
{
    m_blocks.clear();
    m_file.reset();
    m_size = 0;
    m_inFile = 0;
}

}  // namespace sonde
