// Rows in blocks of a fixed size: one more never moves the others.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/record.h"

#include <QList>
#include <algorithm>
#include <memory>
#include <vector>

namespace sonde {

// A million rows in one piece would be copied in the middle of a flood each time that the piece becomes too small.
class RecordList {
public:
    RecordList() = default;
    RecordList(const RecordList &other) : m_size(other.m_size)
    {
        for (const std::unique_ptr<RecordInfo[]> &block : other.m_blocks) {
            m_blocks.push_back(std::make_unique<RecordInfo[]>(size_t(blockRows)));
            std::copy_n(block.get(), blockRows, m_blocks.back().get());
        }
    }
    RecordList &operator=(const RecordList &) = delete;

    qsizetype size() const { return m_size; }
    const RecordInfo &operator[](qsizetype row) const { return m_blocks[size_t(row / blockRows)][row % blockRows]; }
    RecordInfo &operator[](qsizetype row) { return m_blocks[size_t(row / blockRows)][row % blockRows]; }

    void append(const RecordInfo &record)
    {
        if (m_size % blockRows == 0)
            m_blocks.push_back(std::make_unique<RecordInfo[]>(size_t(blockRows)));
        ++m_size;
        (*this)[m_size - 1] = record;
    }
    void clear()
    {
        m_blocks.clear();
        m_size = 0;
    }

private:
    static constexpr qsizetype blockRows = 1024;
    std::vector<std::unique_ptr<RecordInfo[]>> m_blocks;
    qsizetype m_size = 0;
};

}  // namespace sonde
