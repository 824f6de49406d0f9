// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/table/rowlist.h"

#include <algorithm>
#include <numeric>

namespace sonde::ui {

void RowList::clear()
{
    *this = RowList();
}

quint32 RowList::operator[](size_t at) const
{
    if (at < m_all)
        return quint32(at);
    const auto chunk = m_chunks.begin() + qptrdiff(chunkOf(at - m_all));
    return chunk->rows[at - m_all - chunk->first];
}

// The chunk of a listed place; the last chunk also for the place after the last row.
size_t RowList::chunkOf(size_t at) const
{
    const auto after = std::upper_bound(m_chunks.begin(), m_chunks.end(), at,
                                        [](size_t wanted, const Chunk &chunk) { return wanted < chunk.first; });
    return size_t(after - m_chunks.begin()) - 1;
}

void RowList::insert(size_t at, const std::vector<quint32> &rows)
{
    auto first = rows.begin();
    if (at == m_all && m_listed == 0) {
        for (; first != rows.end() && *first == m_all; ++first)
            ++m_all;
        at = m_all;
    }
    replace(at, 0, {first, rows.end()});
}

void RowList::erase(size_t at, size_t count)
{
    replace(at, count, {});
}

// The chunks around that place are built again, the others stay.
void RowList::replace(size_t at, size_t count, std::span<const quint32> rows)
{
    if (count == 0 && rows.empty())
        return;
    listFrom(at);
    at -= m_all;
    const size_t from = m_chunks.empty() ? 0 : chunkOf(at);
    const size_t to = m_chunks.empty() ? 0 : chunkOf(at + count) + 1;
    const size_t begins = m_chunks.empty() ? 0 : m_chunks[from].first;
    const size_t ends = to < m_chunks.size() ? m_chunks[to].first : m_listed;
    std::vector<quint32> around;
    around.reserve(ends - begins - count + rows.size());
    for (size_t i = begins; i < at; ++i)
        around.push_back((*this)[m_all + i]);
    around.insert(around.end(), rows.begin(), rows.end());
    for (size_t i = at + count; i < ends; ++i)
        around.push_back((*this)[m_all + i]);

    // If rows are appended, chunks are filled; elsewhere they keep some room.
    const bool isAtEnd = at + count == m_listed;
    const size_t parts = (around.size() + PackedBlock::Capacity - 1) / PackedBlock::Capacity;
    const size_t maxSize = isAtEnd || parts == 0 ? PackedBlock::Capacity : (around.size() + parts - 1) / parts;
    putChunks(from, to, around, begins, maxSize);
    for (size_t i = from + (around.size() + maxSize - 1) / maxSize; i < m_chunks.size(); ++i)
        m_chunks[i].first = m_chunks[i].first + rows.size() - count;
    m_listed = m_listed + rows.size() - count;
}

void RowList::listFrom(size_t at)
{
    if (at >= m_all)
        return;
    std::vector<quint32> listed(m_all - at);
    std::iota(listed.begin(), listed.end(), quint32(at));
    for (Chunk &chunk : m_chunks)
        chunk.first += listed.size();
    putChunks(0, 0, listed, 0, PackedBlock::Capacity);
    m_listed += listed.size();
    m_all = at;
}

// Replaces these chunks, with so many rows in each. The first row is listed row number `first`.
void RowList::putChunks(size_t from, size_t to, std::span<const quint32> rows, size_t first, size_t maxSize)
{
    std::vector<Chunk> made;
    for (size_t done = 0; done < rows.size(); done += maxSize)
        made.push_back({PackedBlock(rows.subspan(done, std::min(maxSize, rows.size() - done))), first + done});
    const auto place = m_chunks.erase(m_chunks.begin() + qptrdiff(from), m_chunks.begin() + qptrdiff(to));
    m_chunks.insert(place, std::make_move_iterator(made.begin()), std::make_move_iterator(made.end()));
}

}  // namespace sonde::ui
