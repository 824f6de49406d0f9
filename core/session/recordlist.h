// Rows in blocks of a fixed size: one more never moves the others.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/record.h"

#include <array>
#include <memory>
#include <vector>

namespace sonde {

// A million rows in one piece would be copied in the middle of a flood each time that the piece becomes too small.
// A copy shares the blocks with the original and may be read on another thread while that one grows and changes: a
// shared block is changed in a copy of its own. A reference to a row counts until the list next grows or changes.
class RecordList {
public:
    static constexpr qsizetype BlockRows = 1024;

    qsizetype size() const { return m_size; }
    const RecordInfo &operator[](qsizetype row) const
    {
        return (*m_blocks[size_t(row / BlockRows)])[size_t(row % BlockRows)];
    }

    void append(const RecordInfo &record);
    void set(qsizetype row, const RecordInfo &record);
    void clear();

private:
    using Block = std::array<RecordInfo, size_t(BlockRows)>;

    std::vector<std::shared_ptr<Block>> m_blocks;
    qsizetype m_size = 0;
};

}  // namespace sonde
